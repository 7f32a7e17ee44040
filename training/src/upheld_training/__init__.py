"""Makes the trained weights of upheld: ``python -m upheld_training`` (``make models``)."""
