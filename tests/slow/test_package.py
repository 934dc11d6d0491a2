"""Tests of the package as users get it: built, and installed."""

import os
import stat
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import ttt_runtime
from tests import run
from tests.files import ROOT, TABLES, snapshot
from tests.games import OWN

EVERYTHING = """
import sys
import ttt_runtime, ttt_runtime.judge.command
assert ttt_runtime.best_move("XX.OO....") == 2
assert ttt_runtime.judge.command.main([sys.argv[1]]) == 0
assert not {"numpy", "msgpack"} & set(sys.modules)
assert ttt_runtime.load("fastest").values[9396] == -5
print(ttt_runtime.load().directory)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and the sdist."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", out, cwd=ROOT)
    return out


def test_the_wheel_has_package_and_tables_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    package = {
        f"ttt_runtime/{path}"
        for path in snapshot(ROOT / "ttt_runtime")
        if "__pycache__" not in path
    }
    tables = {f"ttt_runtime/data/{path}" for path in snapshot(TABLES)}
    about = f"ttt_runtime-{ttt_runtime.__version__}"
    extras = {
        f"{about}.data/scripts/ttt-judge",
        f"{about}.dist-info/METADATA",
        f"{about}.dist-info/RECORD",
        f"{about}.dist-info/WHEEL",
        f"{about}.dist-info/entry_points.txt",
        f"{about}.dist-info/licenses/LICENSE",
    }
    assert set(zipfile.ZipFile(wheel).namelist()) == package | tables | extras
    assert "ttt_runtime/py.typed" in package
    assert len(tables) == 21


def test_the_sdist_can_rebuild_and_test_everything(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    root = f"ttt_runtime-{ttt_runtime.__version__}"
    with tarfile.open(sdist) as archive:
        names = {name.removeprefix(f"{root}/") for name in archive.getnames()}
    assert {
        "build_tables.py",
        "docs/tables.md.in",
        "tests/build_vectors.py",
        "tables/standard/values.npy",
        "tests/oracle.py",
        "tests/data/situation-40000.txt",
        "Makefile",
        "README.md",
        "LICENSE",
    } <= names


def use_a_variant_of_ones_own(ttt: Path, here: Path, tables: Path) -> None:
    """Build, prove and play what a user's file defines, and what a name says."""
    source = here / "own.py"
    source.write_text(OWN)
    whole = os.environ | {"TTT_TABLES": str(tables)}

    def command(*arguments: str) -> list[str]:
        return run(ttt, *arguments, cwd=here, env=whole).splitlines()

    assert len(command("build", "--variants", "own.py")) == 4
    assert len(command("build", "standard-2x3x2")) == 2
    proved = command("verify", "--variants", "own.py", "torus", "hurry-3x4")
    assert (
        "hurry-3x4: all 1062882 states follow from the rules and each other" in proved
    )
    source.unlink()
    assert command("move", "XX. / OO. / ...", "--variant", "torus") == ["2"]
    assert command("move", "X... / .... / ....", "--variant", "hurry-3x4") == ["5"]
    play = "play", "--variant", "torus", "--player", "O", "--first", "computer"
    game = run(ttt, *play, cwd=here, env=whole, input="1\n2\n3\n4\n5\n6\n7\n8\n")
    assert "X wins" in game
    assert sorted(path.name for path in tables.iterdir()) == [
        "VERSION",
        "checksums.txt",
        "hurry-3x4",
        "standard-2x3x2",
        "torus",
    ]


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_installed_package_works_from_anywhere_and_writes_nothing(
    kind: str, built: Path, tmp_path: Path
) -> None:
    (package,) = built.glob(kind)
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", package)
    where = "import sysconfig as s; print(s.get_path('purelib'))"
    site = Path(run(scripts / "python", "-c", where).strip())
    installed = [*site.rglob("*"), site]
    for path in installed:
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    queries = elsewhere / "queries"
    queries.write_text("2\n1\nOOO\n...\n...\n0\nOOO\n...\n...\n")
    printed = run(scripts / "python", "-c", EVERYTHING, queries, cwd=elsewhere)
    assert printed == f"3\n1\n{site / 'ttt_runtime' / 'data'}\n"
    assert run(scripts / "ttt-judge", queries, cwd=elsewhere) == "3\n1\n"
    use_a_variant_of_ones_own(scripts / "ttt", elsewhere, tmp_path / "built")
    assert [*site.rglob("*"), site] == installed
    assert list(elsewhere.iterdir()) == [queries]
    for path in installed:
        path.chmod(path.stat().st_mode | stat.S_IWUSR)
