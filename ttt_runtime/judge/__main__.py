"""``python -m ttt_runtime.judge`` is ``ttt-judge``."""

import sys

try:
    from .command import main

    status = main()
except KeyboardInterrupt:
    status = 130
sys.exit(status)
