"""What programs send to language models and get back, in and out."""
