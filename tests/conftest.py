"""What every test relies on."""

import io
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests import oracle
from tests.files import TABLES
from tests.sessions import Done, Run
from ttt_runtime import tables as loaded_tables
from ttt_runtime.boards import Grid
from ttt_runtime.builder.variants import build
from ttt_runtime.cli import main
from ttt_runtime.variants import RULES, Rules, Variant, named

TORUS = Variant(
    "torus",
    RULES["standard"],
    Grid(
        3,
        3,
        [
            *(tuple(map(int, way)) for way in oracle.WAYS),
            (0, 5, 7),
            (1, 5, 6),
            (1, 3, 8),
            (2, 3, 7),
        ],
    ),
)
"""Its edges meet: there are four more diagonals."""

HUNDREDS = Variant(
    "hundreds",
    Rules("hundreds", "", True, lambda x, o, _: 100 * ((o > 0) - (x > 0)), "lines"),
    Grid(1, 11, 3),
)
"""Has cells and values of more digits than those that come with the package."""


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


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build variants on other boards, once."""
    directory = tmp_path_factory.mktemp("others")
    names = [f"{rule}-2x3x2" for rule in RULES]
    build([*map(named, names), HUNDREDS, TORUS], directory)
    return directory


@pytest.fixture
def built(others: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have `load` find a copy of them."""
    monkeypatch.setenv("TTT_TABLES", str(tmp_path / "built"))
    return Path(shutil.copytree(others, tmp_path / "built"))


@pytest.fixture
def ttt(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command ``ttt`` in this process, on what is given as standard input.

    As in a process of its own, no table is loaded before.
    """

    def run(*arguments: str, given: str | bytes = "") -> Done:
        data = given if isinstance(given, bytes) else given.encode()
        stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(loaded_tables, "_loaded", {})
        status = main(list(arguments))
        return Done(status, *capfd.readouterr())

    return run
