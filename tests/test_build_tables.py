"""Tests of `build_tables.py` and of the tables that it wrote."""

import hashlib
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import msgpack
import numpy as np
import pytest

import build_tables
import build_vectors
from tests import oracle
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
