"""What every test relies on."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.files import TABLES


def pytest_configure() -> None:
    """Let signals end the programs that the tests start, wherever the tests run.

    A shell has programs in the background ignore SIGINT, ``nohup`` has them ignore
    SIGHUP, and programs pass on to others what they ignore, but not what they handle.
    """
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Make a copy of the tables, to be damaged."""
    return Path(shutil.copytree(TABLES, tmp_path / "tables"))
