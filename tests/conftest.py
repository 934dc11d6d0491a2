"""What every test relies on."""

import io
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.files import TABLES
from tests.sessions import Done, Run
from ttt_runtime.cli import main


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


@pytest.fixture
def ttt(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command ``ttt`` in this process, on what is given as standard input."""

    def run(*arguments: str, given: str | bytes = "") -> Done:
        data = given if isinstance(given, bytes) else given.encode()
        stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        status = main(list(arguments))
        return Done(status, *capfd.readouterr())

    return run
