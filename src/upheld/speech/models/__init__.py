"""Language models as ``upheld`` asks them: a request is a value, a reply is a value, and whoever answers is a port."""
