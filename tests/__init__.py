"""The tests."""

import os

UNMEASURED = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
"""The environment, but for what makes coverage measure processes, and show in them."""
