"""`python -m fastedit`."""

from fastedit.cli import main

if __name__ == "__main__":
    main()
