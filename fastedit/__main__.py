"""`python -m fastedit`."""

import os
import sys

# Python looks for modules in the current folder first, which may hold a numpy.py of the project that is edited.
if (
    not sys.flags.safe_path
    and sys.path[:1] == [os.getcwd()]
    and os.path.dirname(os.path.dirname(os.path.abspath(__file__))) != sys.path[0]
):
    del sys.path[0]

from fastedit.cli import main

if __name__ == "__main__":
    main()
