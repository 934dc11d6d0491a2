"""Tests of `build_tables.py` and of the tables that it wrote."""

import hashlib
import itertools
import os
import runpy
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import msgpack
import numpy as np
import pytest
from numpy.typing import NDArray

import build_tables
from build_tables import Cube
from tests import build_vectors, oracle
from ttt_runtime.variants import VARIANTS, Variant

HERE = Path(__file__).resolve().parent.parent
TABLES = HERE / "tables"

Build = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Return what a build would write."""
    return build_tables.serialise()


def build(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a user does."""
    return subprocess.run(
        [sys.executable, HERE / "build_tables.py", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


def snapshot(directory: Path) -> dict[str, bytes]:
    """Read every file below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_every_entry_is_the_oracles(variant: Variant) -> None:
    """A plain recursion on strings agrees with all four arrays, entry by entry."""
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


def test_arrays_have_the_documented_shape_and_dtypes() -> None:
    """Four arrays of 39,366 items: int8, int8, little-endian uint16, bool."""
    for variant in VARIANTS:
        arrays = build_tables.solve(variant)
        assert {name: array.dtype.str for name, array in arrays.items()} == {
            "values": "|i1",
            "moves": "|i1",
            "optimal": "<u2",
            "reachable": "|b1",
        }
        assert {array.shape for array in arrays.values()} == {(39366,)}


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
    """The counts of states are the published ones; every empty board is a draw."""
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
    """958 boards end a game, 626 won by X, 316 by O; 255,168 games lead to them."""
    standard = build_tables.solve(VARIANTS[0])
    over = standard["reachable"] & (standard["moves"] == -1)
    endings = standard["values"][over]
    assert [np.count_nonzero(endings == value) for value in (-1, 1, 0)] == [
        626,
        316,
        16,
    ]
    assert oracle.games() == (131184, 77904, 46080)


def test_every_count_of_continuations_is_the_oracles() -> None:
    """X wins, O wins and draws are counted as playing every game on would."""
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
    """Turning and mirroring the board leaves so many different reachable boards."""
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


def test_swapping_marks_and_turn_negates_fill() -> None:
    """In the fill game neither side is favoured, and a score of 7 never occurs."""
    (variant,) = (each for each in VARIANTS if each.name == "fill")
    values = build_tables.solve(variant)["values"].reshape((2,) + (3,) * 9)
    swapped = values[::-1]
    for axis in range(1, 10):
        swapped = np.take(swapped, [0, 2, 1], axis)
    assert np.array_equal(values, -swapped)
    assert sorted(set(values.ravel().tolist())) == [
        -8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 8
    ]  # fmt: skip


def test_624_states_have_no_meaning() -> None:
    """Both sides have a line on 312 boards, each with either turn."""
    for variant in VARIANTS:
        values = build_tables.solve(variant)["values"]
        expected = 624 if variant.ends_at_line else 0
        assert np.count_nonzero(values == -128) == expected


def test_committed_tables_are_what_a_build_writes(files: dict[str, bytes]) -> None:
    """Nothing in tables/ differs, is missing or should not be there."""
    assert snapshot(TABLES) == files


def test_committed_vectors_are_what_a_build_writes() -> None:
    """Nothing in tests/vectors/ differs, is missing or should not be there."""
    assert snapshot(HERE / "tests" / "vectors") == build_vectors.serialise()


def test_two_builds_are_byte_identical(tmp_path: Path) -> None:
    """Neither hash seed nor locale nor time zone leaves a trace."""
    for name, seed, locale, zone in (
        ("a", "0", "C", "UTC"),
        ("b", "1", "C.UTF-8", "Asia/Kathmandu"),
    ):
        done = build(
            "--out", str(tmp_path / name), PYTHONHASHSEED=seed, LC_ALL=locale, TZ=zone
        )
        assert done.returncode == 0, done.stderr
    assert snapshot(tmp_path / "a") == snapshot(tmp_path / "b") == snapshot(TABLES)


def test_a_build_prints_a_line_for_each_variant(tmp_path: Path) -> None:
    """It names states, reachable, finished, the empty board and milliseconds."""
    lines = build("--out", str(tmp_path)).stdout.splitlines()
    for name, line in zip(oracle.VARIANTS, lines, strict=False):
        assert line.startswith(f"{name}: 39,366 states, ")
        assert " reachable, " in line
        assert " finished, empty board 0, " in line
        assert line.endswith(" ms")


def test_the_line_of_a_variant_has_its_counts_and_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The time is that of solving the variant, in milliseconds."""
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


def test_boards_are_counted_in_a_byte_each() -> None:
    """A cube is int8, whatever the arithmetic of a variant makes of it."""
    given = []

    def score(x_lines: Cube, o_lines: Cube, empty: Cube) -> NDArray[np.int64]:
        given.extend([x_lines, o_lines, empty])
        return empty.astype(np.int64)

    final = build_tables.rules_of(Variant("", "", False, score)).final
    assert {cube.dtype for cube in [*given, final]} == {np.dtype(np.int8)}


def test_the_template_is_read_as_utf_8_everywhere() -> None:
    """Python says so where it would take the encoding that the locale has."""
    script = (
        "import sys, warnings, build_tables\n"
        "warnings.simplefilter('error', EncodingWarning)\n"
        "sys.stdout.buffer.write(build_tables.readme([], {}))"
    )
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", script],
        cwd=HERE,
        capture_output=True,
    )
    assert done.stdout == build_tables.readme([], {}), done.stderr


def test_check_names_every_fault(tmp_path: Path) -> None:
    """--check exits 1 and names what differs, is missing or should not be there."""
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
        "what a build can mend, 'make tables' does",
    ]
    assert snapshot(tmp_path) == before


def test_check_sees_any_one_changed_byte(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    """A byte changed at the start, in the middle or at the end of a file is seen."""
    build_tables.write(files, tmp_path)
    assert build_tables.check(files, tmp_path) == []
    for path, content in files.items():
        for place in (0, len(content) // 2, len(content) - 1):
            damaged = bytearray(content)
            damaged[place] ^= 1
            (tmp_path / path).write_bytes(damaged)
            faults = build_tables.check(files, tmp_path)
            assert faults == [f"{tmp_path / path}: differs from what a build writes"]
        (tmp_path / path).write_bytes(content)


def test_faults_are_named_in_order(tmp_path: Path) -> None:
    """First the files that a build writes, then those that it does not."""
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


def test_a_build_makes_directories_as_it_needs_them(tmp_path: Path) -> None:
    """Neither the output nor what is above it has to be there."""
    files = {"a": b"a", "b/c": b"c"}
    build_tables.write(files, tmp_path / "x" / "y")
    assert snapshot(tmp_path / "x" / "y") == files


def test_a_build_heals_what_an_interrupted_one_left(tmp_path: Path) -> None:
    """Its temporary files go, and a directory in the place of a file."""
    files = {"a": b"a", "b/c": b"c"}
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "d").write_bytes(b"d")
    (tmp_path / ".a.tmp").write_bytes(b"half")
    (tmp_path / "b" / ".c.tmp").write_bytes(b"half")
    (tmp_path / "b" / ".e.tmp").write_bytes(b"another's")
    build_tables.write(files, tmp_path)
    assert snapshot(tmp_path) == files | {"b/.e.tmp": b"another's"}


def test_an_interrupted_build_leaves_no_file_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file it was at is as before, and its temporary one is gone."""
    build_tables.write({"a": b"old", "b": b"old"}, tmp_path)

    def fail_at_second(_: int) -> None:
        if next(calls) == 1:
            raise OSError

    calls = itertools.count()
    monkeypatch.setattr(os, "fsync", fail_at_second)
    with pytest.raises(OSError):  # noqa: PT011 - as raised above
        build_tables.write({"a": b"new", "b": b"new"}, tmp_path)
    assert snapshot(tmp_path) == {"a": b"new", "b": b"old"}


def test_a_file_is_flushed_to_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a power cut could leave a file with its name and no content."""
    seen = []

    def fsync(handle: int) -> None:
        seen.append((os.fstat(handle).st_size, snapshot(tmp_path)))

    monkeypatch.setattr(os, "fsync", fsync)
    build_tables.write({"a": b"new"}, tmp_path)
    assert seen == [(3, {".a.tmp": b"new"})]


def test_of_two_builds_at_once_one_waits(tmp_path: Path) -> None:
    """It goes on as soon as the other one is done."""
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
    """There is no fcntl, and a directory cannot be locked."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    runpy.run_path(str(HERE / "build_tables.py"))["write"]({"a": b"a"}, tmp_path)
    assert snapshot(tmp_path) == {"a": b"a"}


def one_file() -> dict[str, bytes]:
    """Stand for a build of a single file."""
    return {"a": b"a"}


def test_the_script_writes_then_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says where and how many files, and exits with 0, or with 1 at a fault."""
    here = tmp_path / "here"
    assert build_tables.main(one_file, here, "Title.", []) == 0
    assert capsys.readouterr() == (f"{here}: 1 files written\n", "")
    assert build_tables.main(one_file, here, "Title.", ["--check"]) == 0
    assert capsys.readouterr() == (f"{here}: all 1 files are as built\n", "")

    there = str(tmp_path / "there")
    assert build_tables.main(one_file, here, "Title.", ["--check", "--out", there]) == 1
    assert capsys.readouterr() == (
        "",
        f"{there}: is no directory\nwhat a build can mend, 'make tables' does\n",
    )
    assert build_tables.main(one_file, here, "Title.", ["--out", there]) == 0
    assert snapshot(tmp_path) == {"here/a": b"a", "there/a": b"a"}


@pytest.mark.parametrize(
    ("script", "directory", "count"),
    [("build_tables.py", "tables", 21), ("tests/build_vectors.py", "tests/vectors", 3)],
)
def test_a_script_knows_its_directory(script: str, directory: str, count: int) -> None:
    """From anywhere, without options, it is the one that is committed."""
    done = subprocess.run(
        [sys.executable, HERE / script, "--check"],
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1]
    assert last == f"{HERE / directory}: all {count} files are as built"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device"), "out: No space left on device\n"),
        (OSError(13, "Permission denied", "out/a"), "out/a: Permission denied\n"),
    ],
)
def test_what_keeps_a_build_from_writing_is_named(
    error: OSError,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The file is named, or the directory where the system names no file."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(build_tables, "write", fail)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    assert build_tables.main(one_file, Path("out"), "Title.", []) == 1
    assert capsys.readouterr() == ("", message)
    assert sys.stdout is None, "it would be flushed once more at exit, and may fail"


def test_a_directory_without_a_name_is_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It would be taken for the one in which the command is run."""
    with pytest.raises(SystemExit, match="^2$"):
        build_tables.main(one_file, Path("out"), "Title.", ["--out", ""])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(": error: --out is empty, expected a directory\n")


def test_help_says_what_each_option_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the script is for, then the options and the default."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", ["build", "--help"])
    with pytest.raises(SystemExit, match="^0$"):
        build_tables.main(one_file, Path("out"), "Title.")
    assert capsys.readouterr().out.splitlines() == [
        "usage: build [-h] [--check] [--out DIR]",
        "",
        "Title.",
        "",
        "options:",
        "  -h, --help  show this help message and exit",
        "  --check     write nothing: exit with 1 and name each file that differs from "
        "what a build would write, is missing, or should not be there",
        "  --out DIR   the directory to write or check (default: out)",
    ]


@pytest.mark.parametrize(
    ("script", "purpose", "out"),
    [
        ("build_tables.py", "Solve every variant, write the tables.", "tables"),
        (
            "tests/build_vectors.py",
            "Write what every client of the tables must answer.",
            "tests/vectors",
        ),
    ],
)
def test_help_of_each_script(script: str, purpose: str, out: str) -> None:
    """It says what the script is for, and which directory is its own."""
    done = subprocess.run(
        [sys.executable, HERE / script, "--help"],
        env=os.environ | {"COLUMNS": "500"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n\n")[1] == purpose
    assert done.stdout.endswith(f"(default: {HERE / out})\n")


def test_a_directory_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """The script names the file and the reason, and exits with 1."""
    (tmp_path / "file").write_text("x")
    done = build("--out", str(tmp_path / "file"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "file" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_build_touches_no_file_but_its_own(tmp_path: Path) -> None:
    """Whatever else lies in the directory stays, even if it looks temporary."""
    (tmp_path / "project").mkdir()
    mine = [tmp_path / ".notes.tmp", tmp_path / "project" / ".notes.tmp"]
    for path in mine:
        path.write_text("precious")
    assert build("--out", str(tmp_path)).returncode == 0
    assert [path.read_text() for path in mine] == ["precious"] * 2


@pytest.mark.parametrize("arguments", [["--out", ""], ["--out"], ["--fast"], ["x"]])
def test_wrong_usage_exits_2(arguments: list[str]) -> None:
    """Nothing is built, not into the current directory either."""
    done = build(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage:" in done.stderr


def test_check_of_nothing(tmp_path: Path) -> None:
    """A directory that is not there is named, and so is one that cannot be."""
    for out in (tmp_path / "nowhere", tmp_path / ("x" * 300)):
        done = build("--check", "--out", str(out))
        assert done.returncode == 1
        assert str(out) in done.stderr
        assert "Traceback" not in done.stderr


def test_output_that_cannot_be_written_is_no_traceback(tmp_path: Path) -> None:
    """Neither a closed pipe nor a full disk shows one; optimisation changes nothing."""
    for shown in ("/dev/full", "pipe"):
        if shown == "pipe":
            reading, writing = os.pipe()
            os.close(reading)
        else:
            writing = os.open(shown, os.O_WRONLY)
        done = subprocess.run(
            [sys.executable, "-OO", HERE / "build_tables.py", "--out", tmp_path],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(writing)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1


def test_checksums_list_every_file(files: dict[str, bytes]) -> None:
    """One line a file: CRC-32 in hex, size in bytes, path."""
    listed = {}
    for line in files["checksums.txt"].decode().splitlines():
        checksum, size, path = line.split()
        listed[path] = (int(checksum, 16), int(size))
    assert listed == {
        path: (zlib.crc32(content), len(content))
        for path, content in files.items()
        if path != "checksums.txt"
    }


def test_npy_files_are_numpys_with_a_128_byte_header() -> None:
    """Any program can seek to 128 + index * itemsize; NumPy reads them as they are."""
    for variant in VARIANTS:
        for name, array in build_tables.solve(variant).items():
            path = TABLES / variant.name / f"{name}.npy"
            assert np.array_equal(np.load(path, allow_pickle=False), array)
            content = path.read_bytes()
            assert content[:8] == b"\x93NUMPY\x01\x00"
            assert content[128:] == array.tobytes()


def test_the_bundle_has_everything() -> None:
    """tables.msgpack holds format, version, the encoding, summaries and arrays."""
    bundle = msgpack.unpackb((TABLES / "tables.msgpack").read_bytes())
    assert list(bundle) == ["format", "version", "encoding", "variants"]
    assert (bundle["format"], bundle["version"]) == ("ttt-tables", "1.0")
    assert "base-3" in bundle["encoding"]
    assert list(bundle["variants"]) == oracle.VARIANTS
    for variant in VARIANTS:
        arrays = build_tables.solve(variant)
        entry = bundle["variants"][variant.name]
        counts = build_tables.summary(arrays)
        if variant.name == "standard":
            arrays["continuations"] = build_tables.continuations(variant)
        assert entry["summary"] == {"rule": variant.summary, **counts}
        assert list(entry["arrays"]) == list(arrays)
        for name, array in arrays.items():
            stored = entry["arrays"][name]
            assert stored["data"] == array.tobytes()
            assert np.dtype(stored["dtype"]) == array.dtype
            assert stored["shape"] == list(array.shape)
            assert stored["sha256"] == hashlib.sha256(stored["data"]).hexdigest()


def test_the_format_page_reads_a_value_with_dd_and_od() -> None:
    """The shell lines in tables/README.md print the value -1 and the move 2."""
    lines = (TABLES / "README.md").read_text().splitlines()
    commands = [line for line in lines if line.startswith("dd ")]
    done = subprocess.run(
        "\n".join(commands), shell=True, cwd=TABLES, capture_output=True, text=True
    )
    assert done.stdout.split() == ["-1", "2"]


def test_git_treats_the_tables_as_generated_bytes() -> None:
    """No line-ending conversion, no diff, marked as generated, for every file."""
    if not (HERE / ".git").exists():
        pytest.skip("not a git checkout")
    paths = [f"tables/{path}" for path in snapshot(TABLES)]
    done = subprocess.run(
        ["git", "check-attr", "text", "diff", "linguist-generated", "--", *paths],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=True,
    )
    attributes = [line.rsplit(": ", 2)[1:] for line in done.stdout.splitlines()]
    expected = [["text", "unset"], ["diff", "unset"], ["linguist-generated", "set"]]
    assert attributes == expected * len(paths)
