"""The command ``ttt``; also ``python -m ttt_runtime``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
