"""The command ``ttt``, as ``python -m ttt_runtime``."""

import sys

from .cli import main

sys.exit(main())
