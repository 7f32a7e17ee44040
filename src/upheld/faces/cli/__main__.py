"""``python -m upheld.faces.cli`` is ``upheld``."""

from upheld.faces.cli.program import main

if __name__ == "__main__":
    main()
