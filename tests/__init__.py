"""What the tests share."""

import os
import subprocess
from pathlib import Path
from typing import Any

UNMEASURED = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
"""The environment, but for what makes coverage measure processes, and show in them."""


def run(*command: str | Path, **options: Any) -> str:
    """Run a command to success, and return what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)
