"""Tests of the package as users import it, and of the Makefile they start with."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ttt_runtime
from tests import UNMEASURED, run
from tests.files import ROOT

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


def test_the_scalar_paths_import_only_what_they_need() -> None:
    command = [sys.executable, "-c", SCALAR_PATHS]
    assert run(*command, cwd=ROOT, env=UNMEASURED).split() == [
        "ttt_runtime",
        "ttt_runtime.boards",
        "ttt_runtime.errors",
        "ttt_runtime.files",
        "ttt_runtime.opponent",
        "ttt_runtime.tables",
        "zlib",
    ]


def test_public_names_are_sorted_and_documented() -> None:
    assert ttt_runtime.__all__ == sorted(ttt_runtime.__all__)
    for name in ttt_runtime.__all__:
        assert getattr(ttt_runtime, name).__doc__, name


def test_the_version_is_three_numbers() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", ttt_runtime.__version__)


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
def test_errors_are_ours_and_also_the_builtin_kind(error: type, base: type) -> None:
    assert issubclass(error, ttt_runtime.TTTError)
    assert issubclass(error, base)


MAKE = pytest.mark.skipif(os.name == "nt", reason="Windows has no make")


def make(directory: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run make there, with this Makefile alone."""
    makefile = directory / "Makefile"
    makefile.write_bytes((ROOT / "Makefile").read_bytes())
    (directory / "pyproject.toml").touch()
    (directory / "ttt_runtime" / "judge").mkdir(parents=True)
    (directory / "ttt_runtime" / "judge" / "ttt-judge").touch()
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True)


@MAKE
@pytest.mark.parametrize(
    ("script", "found"), [("echo 3.9.2; exit 1", "3.9.2"), ("exit 127", "missing")]
)
def test_make_names_a_python_that_is_too_old_before_it_makes_anything(
    script: str, found: str, tmp_path: Path
) -> None:
    python = tmp_path / "python3"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    directory = tmp_path / "a checkout"
    directory.mkdir()
    done = make(directory, "test", "PYTHON=../python3")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == (
        f"make: ../python3 is {found}; ttt-runtime needs 3.11 or newer: "
        "make PYTHON=python3.12"
    )
    assert not (directory / ".venv").exists()


@MAKE
def test_make_help_has_a_line_for_every_target(tmp_path: Path) -> None:
    shown = make(tmp_path, "help").stdout.splitlines()
    text = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: (all .*)", text, re.M)
    assert [line.split()[0] for line in shown] == phony.split()
    assert max(map(len, shown)) <= 80
