"""Tests of `build_tables.py` and of the tables that it wrote."""

import itertools
import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import numpy as np
import pytest

import build_tables
from tests import build_vectors, oracle
from tests.files import ROOT, TABLES, snapshot
from ttt_runtime.variants import VARIANTS, Variant, named

Build = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Return what a build would write."""
    return build_tables.serialise()


def build(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a user does."""
    return subprocess.run(
        [sys.executable, ROOT / "build_tables.py", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_every_entry_is_the_oracles(variant: Variant) -> None:
    arrays = build_tables.solve(variant)
    reached = oracle.reached(variant.name)
    entries = zip(*(array.tolist() for array in arrays.values()), strict=True)
    for (board, turn), entry in zip(oracle.STATES, entries, strict=True):
        if oracle.meaningless(variant.name, board):
            expected = (-128, -1, 0, False)
        else:
            cells = oracle.best(variant.name, board, turn)
            expected = (
                oracle.value(variant.name, board, turn),
                cells[0] if cells else -1,
                sum(2**cell for cell in cells),
                (board, turn) in reached,
            )
        assert entry == expected, (board, turn)


@pytest.mark.parametrize(
    ("name", "reachable", "finished", "won", "lost", "drawn"),
    [
        ("standard", 5478, 958, 2836, 1574, 1068),
        ("fill", 6046, 126, 1928, 698, 3420),
        ("misere", 5478, 958, 3054, 1444, 980),
        ("fastest", 5478, 958, 2836, 1574, 1068),
    ],
)
def test_known_counts(
    name: str, reachable: int, finished: int, won: int, lost: int, drawn: int
) -> None:
    (variant,) = (each for each in VARIANTS if each.name == name)
    assert build_tables.summary(build_tables.solve(variant)) == {
        "states": 39366,
        "reachable": reachable,
        "finished": finished,
        "won": won,
        "lost": lost,
        "drawn": drawn,
        "empty_board": 0,
    }


def test_known_counts_of_endings_and_games() -> None:
    standard = build_tables.solve(VARIANTS[0])
    over = standard["reachable"] & (standard["moves"] == -1)
    endings = standard["values"][over]
    assert [np.count_nonzero(endings == value) for value in (-1, 1, 0)] == [
        626,
        316,
        16,
    ]
    assert oracle.games() == (131184, 77904, 46080)


def test_counts_of_continuations_go_by_the_sign_of_the_value() -> None:
    one, other = map(build_tables.continuations, (named("standard"), named("fastest")))
    assert np.array_equal(one, other)


def test_every_count_of_continuations_is_the_oracles() -> None:
    found = build_tables.continuations(VARIANTS[0])
    assert found.shape == (39366, 3)
    assert found.dtype.str == "<i4"
    for state, counts in zip(oracle.STATES, found.tolist(), strict=True):
        if oracle.meaningless("standard", state[0]):
            assert counts == [0, 0, 0]
        else:
            assert tuple(counts) == oracle.games(*state), state


@pytest.mark.parametrize(("name", "classes"), [("standard", 765), ("fill", 850)])
def test_symmetry_classes(name: str, classes: int) -> None:
    turned = [6, 3, 0, 7, 4, 1, 8, 5, 2]
    mirrored = [2, 1, 0, 5, 4, 3, 8, 7, 6]

    def alike(board: str) -> set[str]:
        found = {board}
        for _ in range(4):
            board = "".join(board[cell] for cell in turned)
            found |= {board, "".join(board[cell] for cell in mirrored)}
        return found

    (variant,) = (each for each in VARIANTS if each.name == name)
    reachable = np.flatnonzero(build_tables.solve(variant)["reachable"])
    boards = {oracle.STATES[index][0] for index in reachable}
    assert len({min(alike(board)) for board in boards}) == classes


def test_committed_tables_are_what_a_build_writes(files: dict[str, bytes]) -> None:
    assert snapshot(TABLES) == files


def test_committed_vectors_are_what_a_build_writes() -> None:
    assert snapshot(ROOT / "tests" / "vectors") == build_vectors.serialise()


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


def test_faults_are_named_in_order(tmp_path: Path) -> None:
    files = {"a": b"a", "b/c": b"c", "d": b"d", "e": b"e"}
    for path in ("b/f", "a", "d/g", "h"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"z")
    assert build_tables.check(files, tmp_path) == [
        f"{tmp_path}/a: differs from what a build writes",
        f"{tmp_path}/b/c: is missing",
        f"{tmp_path}/d: cannot be read (Is a directory)",
        f"{tmp_path}/e: is missing",
        f"{tmp_path}/b/f: should not be there; remove it",
        f"{tmp_path}/d/g: should not be there; remove it",
        f"{tmp_path}/h: should not be there; remove it",
    ]


def test_a_build_heals_what_an_interrupted_one_left(tmp_path: Path) -> None:
    files = {"a": b"a", "b/c": b"c"}
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "d").write_bytes(b"d")
    (tmp_path / ".a.tmp").write_bytes(b"half")
    (tmp_path / "b" / ".c.tmp").write_bytes(b"half")
    (tmp_path / "b" / ".e.tmp").write_bytes(b"another's")
    build_tables.write(files, tmp_path)
    assert snapshot(tmp_path) == files | {"b/.e.tmp": b"another's"}


def test_a_file_is_flushed_to_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def fsync(handle: int) -> None:
        seen.append((os.fstat(handle).st_size, snapshot(tmp_path)))

    monkeypatch.setattr(os, "fsync", fsync)
    build_tables.write({"a": b"new"}, tmp_path)
    assert seen == [(3, {".a.tmp": b"new"})]


def test_a_disk_that_is_full_is_named_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        build_tables.write({"a": b"new"}, tmp_path)
    assert caught.value.filename == tmp_path / "a"
    assert snapshot(tmp_path) == {}


def test_of_two_builds_at_once_one_waits(tmp_path: Path) -> None:
    with build_tables.locked(tmp_path):
        second = threading.Thread(
            target=build_tables.write, args=({"a": b"a"}, tmp_path), daemon=True
        )
        second.start()
        second.join(0.2)
        assert snapshot(tmp_path) == {}
    second.join(60)
    assert snapshot(tmp_path) == {"a": b"a"}


def test_a_build_does_without_what_windows_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    runpy.run_path(str(ROOT / "build_tables.py"))["write"]({"a": b"a"}, tmp_path)
    assert snapshot(tmp_path) == {"a": b"a"}


def one_file() -> dict[str, bytes]:
    """Stand for a build of a single file."""
    return {"a": b"a"}


def test_the_script_writes_then_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    assert build_tables.main(one_file, here, "Title.", []) == 0
    assert capsys.readouterr() == (f"{here}: 1 files written\n", "")
    assert build_tables.main(one_file, here, "Title.", ["--check"]) == 0
    assert capsys.readouterr() == (f"{here}: all 1 files are as built\n", "")

    there = str(tmp_path / "not" / "there")
    assert build_tables.main(one_file, here, "Title.", ["--check", "--out", there]) == 1
    assert capsys.readouterr() == (
        "",
        f"{there}: is not a directory\na build mends what differs or is missing\n",
    )
    assert build_tables.main(one_file, here, "Title.", ["--out", there]) == 0
    assert snapshot(tmp_path) == {"here/a": b"a", "not/there/a": b"a"}


@pytest.mark.parametrize(
    ("script", "directory", "count"),
    [("build_tables.py", "tables", 21), ("tests/build_vectors.py", "tests/vectors", 3)],
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


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            OSError(28, "No space left on device"),
            "standard output: No space left on device\n",
        ),
        (OSError(13, "Permission denied", "out/a"), "out/a: Permission denied\n"),
    ],
)
def test_what_keeps_a_build_from_writing_is_named(
    error: OSError,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(build_tables, "write", fail)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    assert build_tables.main(one_file, Path("out"), "Title.", []) == 1
    assert capsys.readouterr() == ("", message)
    assert sys.stdout is None, "it would be flushed once more at exit, and may fail"


def test_help_says_what_each_option_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit, match="^0$"):
        build_tables.main(one_file, Path("out"), "Title.", ["--help"])
    assert capsys.readouterr().out.splitlines()[1:] == [
        "",
        "Title.",
        "",
        "options:",
        "  -h, --help  show this help message and exit",
        "  --check     write nothing: exit with 1 and name each file that differs from "
        "what a build would write, is missing, or should not be there",
        "  --out DIR   the directory to write or check (default: out)",
    ]


def test_a_build_touches_no_file_but_its_own(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    mine = [tmp_path / ".notes.tmp", tmp_path / "project" / ".notes.tmp"]
    for path in mine:
        path.write_text("precious")
    assert build("--out", str(tmp_path)).returncode == 0
    assert [path.read_text() for path in mine] == ["precious"] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", ""], "error: --out is empty, expected a directory\n"),
        (["--out"], "error: argument --out: expected one argument\n"),
        (["x"], "error: unrecognized arguments: x\n"),
    ],
)
def test_wrong_usage_exits_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="^2$"):
        build_tables.main(one_file, Path("out"), "Title.", arguments)
    out, err = capsys.readouterr()
    assert (out, err.endswith(message)) == ("", True)


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
