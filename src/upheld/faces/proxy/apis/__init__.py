"""The three interfaces that the proxy speaks: what is said in a request and an answer, and how a stream is put."""
