"""Tests of the package as users get it: imported, built, installed."""

import os
import stat
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import ttt_runtime
from tests import UNMEASURED

HERE = Path(__file__).resolve().parent.parent

SCALAR_PATHS = """
import sys
before = set(sys.modules)
import ttt_runtime
assert ttt_runtime.best_move("XX.OO....") == 2
assert ttt_runtime.load("fill").value_at(9396) == 0
assert ttt_runtime.load("misere").optimal_moves("XX.OO....") == (6, 7, 8)
assert len(ttt_runtime.play_against_ai([[0, 0], [1, 1]])) == 3
assert ttt_runtime.situation_score("OOO......", 1) == 3
print(*sorted(set(sys.modules) - before), sep="\\n")
"""

EVERYTHING = f"""
{SCALAR_PATHS}
import ttt_runtime.judge.command
assert ttt_runtime.judge.command.main([sys.argv[1]]) == 0
assert not {{"numpy", "msgpack"}} & set(sys.modules)
values = ttt_runtime.load("fastest").values
assert (values.shape, str(values.dtype), int(values[9396])) == ((39366,), "int8", -5)
print(ttt_runtime.load().directory)
"""


def run(*command: str | Path, **options: Any) -> str:
    """Run a command to success, and return what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and the sdist."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", str(out), cwd=HERE)
    return out


def test_the_scalar_paths_import_only_what_they_need() -> None:
    """Seven modules of ours and zlib: what start-up costs cannot creep back."""
    command = [sys.executable, "-c", SCALAR_PATHS]
    assert run(*command, cwd=HERE, env=UNMEASURED).split() == [
        "ttt_runtime",
        "ttt_runtime.boards",
        "ttt_runtime.errors",
        "ttt_runtime.files",
        "ttt_runtime.opponent",
        "ttt_runtime.tables",
        "zlib",
    ]


def test_public_names() -> None:
    """__all__ is sorted, complete and true."""
    assert ttt_runtime.__all__ == sorted(ttt_runtime.__all__)
    for name in ttt_runtime.__all__:
        assert getattr(ttt_runtime, name).__doc__, name
    errors = [name for name in ttt_runtime.__all__ if name.endswith("Error")]
    for name in errors:
        assert issubclass(getattr(ttt_runtime, name), ttt_runtime.TTTError)
    assert len(errors) == 7


def test_the_version_is_three_numbers() -> None:
    """As Semantic Versioning wants it."""
    assert all(part.isdecimal() for part in ttt_runtime.__version__.split("."))
    assert ttt_runtime.__version__.count(".") == 2


@pytest.mark.parametrize(
    ("error", "base"),
    [
        (ttt_runtime.TableError, Exception),
        (ttt_runtime.UnknownVariantError, LookupError),
        (ttt_runtime.InvalidBoardError, ValueError),
        (ttt_runtime.InvalidMoveError, ValueError),
        (ttt_runtime.InvalidIndexError, IndexError),
        (ttt_runtime.JudgeInputError, ValueError),
    ],
)
def test_errors_are_also_the_builtin_kind(error: type, base: type) -> None:
    """Code that catches the built-in error of that kind catches ours."""
    assert issubclass(error, base)


def test_the_wheel_has_package_and_tables_and_nothing_else(built: Path) -> None:
    """Every module, py.typed, every table, the judge's script, the metadata."""
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        path.relative_to(HERE).as_posix()
        for path in (HERE / "ttt_runtime").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    tables = {
        f"ttt_runtime/data/{path.relative_to(HERE / 'tables').as_posix()}"
        for path in (HERE / "tables").rglob("*")
        if path.is_file()
    }
    about = f"ttt_runtime-{ttt_runtime.__version__}"
    extras = {
        f"{about}.data/scripts/ttt-judge",
        f"{about}.dist-info/METADATA",
        f"{about}.dist-info/RECORD",
        f"{about}.dist-info/WHEEL",
        f"{about}.dist-info/entry_points.txt",
        f"{about}.dist-info/licenses/LICENSE",
    }
    assert names == package | tables | extras
    assert "ttt_runtime/py.typed" in names
    assert len(tables) == 21


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_installed_package_works_anywhere(
    kind: str, built: Path, tmp_path: Path
) -> None:
    """In a fresh environment, from another directory, with a read-only install."""
    (package,) = built.glob(kind)
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", package)
    site = Path(
        run(
            scripts / "python",
            "-c",
            "import sysconfig as s; print(s.get_path('purelib'))",
        ).strip()
    )
    installed = [*site.rglob("*"), site]
    for path in installed:
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    queries = elsewhere / "queries"
    queries.write_text("2\n1\nOOO\n...\n...\n0\nOOO\n...\n...\n")
    printed = run(scripts / "python", "-c", EVERYTHING, queries, cwd=elsewhere)
    assert printed.splitlines()[-1] == str(site / "ttt_runtime" / "data")
    assert "\n3\n1\n" in printed
    assert run(scripts / "ttt-judge", queries, cwd=elsewhere) == "3\n1\n"
    assert [*site.rglob("*"), site] == installed
    assert list(elsewhere.iterdir()) == [queries]
    for path in installed:
        path.chmod(path.stat().st_mode | stat.S_IWUSR)


def test_the_sdist_can_rebuild_and_test_everything(built: Path) -> None:
    """It holds the builder, the tables, the tests and the Makefile."""
    (sdist,) = built.glob("*.tar.gz")
    root = f"ttt_runtime-{ttt_runtime.__version__}"
    with tarfile.open(sdist) as archive:
        names = {name.removeprefix(f"{root}/") for name in archive.getnames()}
    assert {
        "build_tables.py",
        "docs/tables.md",
        "tests/build_vectors.py",
        "tables/standard/values.npy",
        "tests/oracle.py",
        "tests/data/situation-40000.txt",
        "Makefile",
        "README.md",
        "LICENSE",
    } <= names
