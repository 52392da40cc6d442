"""``python -m guards`` is ``suiteguard``."""

import sys

from guards.cli import main

if __name__ == "__main__":
    sys.exit(main())
