"""Tests of `build_tables.py` and of the tables that it wrote."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import build_tables
from tests import build_vectors
from tests.files import ROOT, TABLES, joined, snapshot


def build(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a user does."""
    return subprocess.run(
        [sys.executable, ROOT / "build_tables.py", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


def test_committed_tables_are_what_a_build_writes() -> None:
    assert snapshot(TABLES) == joined(build_tables.serialise())


def test_committed_vectors_are_what_a_build_writes() -> None:
    assert snapshot(ROOT / "tests" / "vectors") == joined(build_vectors.serialise())


def test_the_line_of_a_variant_has_its_counts_and_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = itertools.count(start=8, step=0.25)
    time = SimpleNamespace(perf_counter=lambda: next(clock))
    monkeypatch.setattr(build_tables, "time", time)
    build_tables.serialise()
    assert capsys.readouterr().out.splitlines() == [
        f"{name}: 39,366 states, {reachable:,} reachable, {finished} finished, "
        "empty board 0, 250.0 ms"
        for name, reachable, finished in (
            ("standard", 5478, 958),
            ("fill", 6046, 126),
            ("misere", 5478, 958),
            ("fastest", 5478, 958),
        )
    ]


def test_check_names_every_fault(tmp_path: Path) -> None:
    out = str(tmp_path)
    assert build("--out", out).returncode == 0
    assert build("--check", "--out", out).returncode == 0
    values = tmp_path / "fill" / "values.npy"
    values.write_bytes(values.read_bytes()[:-1] + b"\x55")
    (tmp_path / "VERSION").unlink()
    (tmp_path / "standard" / "moves.npy").unlink()
    (tmp_path / "standard" / "moves.npy").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    before = snapshot(tmp_path)
    done = build("--check", "--out", out)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"{tmp_path / 'VERSION'}: is missing",
        f"{tmp_path / 'fill/values.npy'}: differs from what a build writes",
        f"{tmp_path / 'standard/moves.npy'}: cannot be read (Is a directory)",
        f"{tmp_path / 'notes.txt'}: should not be there; remove it",
        "a build mends what differs or is missing",
    ]
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("script", "directory", "count"),
    [("build_tables.py", "tables", 21), ("tests/build_vectors.py", "tests/vectors", 5)],
)
def test_a_script_knows_its_directory(script: str, directory: str, count: int) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / script, "--check"],
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1]
    assert last == f"{ROOT / directory}: all {count} files are as built"


def test_a_build_touches_no_file_but_its_own(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    mine = [tmp_path / ".notes.tmp", tmp_path / "project" / ".notes.tmp"]
    for path in mine:
        path.write_text("precious")
    assert build("--out", str(tmp_path)).returncode == 0
    assert [path.read_text() for path in mine] == ["precious"] * 2


def test_output_that_cannot_be_written_is_no_traceback(tmp_path: Path) -> None:
    for shown in ("/dev/full", "pipe"):
        if shown == "pipe":
            reading, writing = os.pipe()
            os.close(reading)
        else:
            writing = os.open(shown, os.O_WRONLY)
        done = subprocess.run(
            [sys.executable, "-OO", ROOT / "build_tables.py", "--out", tmp_path],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(writing)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1


def test_the_format_page_reads_a_value_with_dd_and_od() -> None:
    lines = (TABLES / "README.md").read_text().splitlines()
    commands = [line for line in lines if line.startswith("dd ")]
    done = subprocess.run(
        "\n".join(commands), shell=True, cwd=TABLES, capture_output=True, text=True
    )
    assert done.stdout.split() == ["-1", "2"]


def test_git_treats_the_tables_as_generated_bytes() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    paths = [f"tables/{path}" for path in snapshot(TABLES)]
    done = subprocess.run(
        ["git", "check-attr", "text", "diff", "linguist-generated", "--", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    attributes = [line.rsplit(": ", 2)[1:] for line in done.stdout.splitlines()]
    expected = [["text", "unset"], ["diff", "unset"], ["linguist-generated", "set"]]
    assert attributes == expected * len(paths)
