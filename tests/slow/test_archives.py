"""The package in one file: a zip file on the path, a program that PyInstaller froze."""

import os
import subprocess
import sys
import zipapp
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from typing import Any

import pytest

from tests.files import ROOT, TABLES

PROGRAM = """
import sys
import ttt_runtime
from ttt_runtime.export import source
from ttt_runtime.judge.command import main
print(ttt_runtime.best_move("XX.OO...."), ttt_runtime.load("fill").values[-1])
print(ttt_runtime.verify().splitlines()[-1])
print(source("value", "c").splitlines()[-1], flush=True)
main(["toe2", sys.argv[1]])
"""
COMMAND = "import sys; from ttt_runtime.cli import main; sys.exit(main())"
ANSWERS = "2 8\ntables.msgpack: the same 4 variants, to the byte\n};\nvalid\n"


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "queries.txt"
    path.write_text("XOXOXOXOX\nend\n")
    return path


def run(*command: str | Path, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a program that does not find the checkout by itself."""
    environment = {**os.environ, "PYTHONPATH": ""} | options.pop("env", {})
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, **options
    )


def sources(directory: Path) -> Path:
    """Copy the package, without its tables."""
    ignored = ignore_patterns("__pycache__")
    copytree(ROOT / "ttt_runtime", directory / "ttt_runtime", ignore=ignored)
    return directory


def test_a_wheel_on_the_path_has_its_tables(tmp_path: Path, queries: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*build, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    done = run(
        sys.executable, "-c", PROGRAM, queries, env={"PYTHONPATH": str(wheel)}, cwd="/"
    )
    assert (done.stdout, done.stderr) == (ANSWERS, "")


@pytest.mark.parametrize("place", ["tables", "ttt_runtime/data"])
def test_a_zipapp_has_its_tables(place: str, tmp_path: Path, queries: Path) -> None:
    directory = sources(tmp_path / "app")
    copytree(TABLES, directory / place)
    (directory / "__main__.py").write_text(PROGRAM)
    zipapp.create_archive(directory, tmp_path / "app.pyz")
    done = run(sys.executable, tmp_path / "app.pyz", queries, cwd="/")
    assert (done.stdout, done.stderr) == (ANSWERS, "")


def test_a_zip_file_with_a_damaged_table_is_refused(tmp_path: Path) -> None:
    directory = sources(tmp_path / "app")
    copytree(TABLES, directory / "tables")
    (directory / "tables" / "standard" / "moves.npy").write_bytes(b"")
    archive = tmp_path / "app.pyz"
    (directory / "__main__.py").write_text(COMMAND)
    zipapp.create_archive(directory, archive)
    done = run(sys.executable, archive, "move", "XX.OO....", cwd="/")
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        f"ttt: {archive}/tables/standard/moves.npy: expected 39494 bytes, found 0; "
        f"make {archive} anew with the tables in ttt_runtime/data\n",
    )


def test_a_zip_file_without_tables_is_named(tmp_path: Path) -> None:
    directory = sources(tmp_path / "app")
    archive = tmp_path / "app.pyz"
    (directory / "__main__.py").write_text(COMMAND)
    zipapp.create_archive(directory, archive)
    done = run(sys.executable, archive, "move", "XX.OO....", cwd="/")
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        f"ttt: {archive}/ttt_runtime/data/checksums.txt: cannot be read "
        f"({archive} does not have it); "
        f"make {archive} anew with the tables in ttt_runtime/data\n",
    )


def test_a_frozen_program_has_its_tables(tmp_path: Path, queries: Path) -> None:
    pytest.importorskip("PyInstaller")
    (tmp_path / "program.py").write_text(PROGRAM)
    freeze = [sys.executable, "-m", "PyInstaller", "--log-level=ERROR", "program.py"]
    subprocess.run(freeze, cwd=tmp_path, check=True)
    program = tmp_path / "dist" / "program"
    done = run(program / "program", queries, cwd="/")
    assert (done.stdout, done.stderr) == (ANSWERS, "")

    data = program / "_internal" / "ttt_runtime" / "data"
    rmtree(data)
    done = run(program / "program", queries, cwd="/")
    assert done.stderr.splitlines()[-2:] == [
        f"ttt_runtime.errors.TableError: {data}/checksums.txt: cannot be read "
        f"(No such file or directory); freeze {program / 'program'} anew with the "
        "tables in ttt_runtime/data (PyInstaller: --collect-data ttt_runtime)",
        done.stderr.splitlines()[-1],
    ]
