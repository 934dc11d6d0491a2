"""Tables that are mapped: each array is checked whole when it is first asked.

Whatever has happened to a file, the first question that needs it is refused, every
other one is answered as before, and no answer is wrong.
"""

import multiprocessing
import os
import pickle
import random
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.files import snapshot
from ttt_runtime import Table, TableError, load
from ttt_runtime.builder.variants import build
from ttt_runtime.files import COMMON
from ttt_runtime.variants import named

NAME, OTHER = "standard-3x5x3", "misere-3x5x3"
LARGEST = "standard-4x4x4"

QUESTIONS: dict[str, Callable[[Table], object]] = {
    "values": lambda table: table.value_at(0),
    "moves": lambda table: table.move_at(0),
    "optimal": lambda table: table.optimal_at(0),
    "reachable": lambda table: table.is_reachable_at(0),
}
"""For each array a question that needs it, and no other but the values."""

# Every first mark wins on 3x5, but in the middle of a short side.
ANSWERS = {
    "values": -1,
    "moves": 0,
    "optimal": 0x7FFF & ~(1 << 5 | 1 << 9),
    "reachable": True,
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Build two variants with mapped arrays, 287 MB."""
    directory = tmp_path_factory.mktemp("mapped")
    build([named(NAME), named(OTHER)], directory)
    yield directory
    shutil.rmtree(directory)


def put(content: bytes) -> Callable[[Path], object]:
    """Return what puts this content in place of a file's."""
    return lambda path: path.write_bytes(content)


def flip(place: int) -> Callable[[Path], object]:
    """Return what changes one bit of a file; a negative place counts from the end."""

    def flipped(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(place, os.SEEK_SET if place >= 0 else os.SEEK_END)
            (byte,) = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 4]))

    return flipped


def cut(by: int) -> Callable[[Path], object]:
    """Return what takes so many bytes off the end."""
    return lambda path: os.truncate(path, path.stat().st_size - by)


def append(path: Path) -> None:
    """Put a byte behind the end."""
    os.truncate(path, path.stat().st_size + 1)


def replace(put: Callable[[Path], object]) -> Callable[[Path], object]:
    """Return what puts something else in place of a file."""

    def replaced(path: Path) -> None:
        path.unlink()
        put(path)

    return replaced


def take(other: str) -> Callable[[Path], object]:
    """Return what puts another array of the directory in place of a file."""
    return lambda path: shutil.copy(path.parents[1] / f"{other}.npy", path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "first byte": flip(0),
    "header": flip(60),
    "first item": flip(128),
    "middle": flip(14_000_000),
    "last byte": flip(-1),
    "one byte less": cut(1),
    "one page less": cut(4096),
    "too short to be mapped": cut(28_000_000),
    "empty": put(b""),
    "one byte more": append,
    "a pointer": put(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
    "missing": Path.unlink,
    "a directory": replace(Path.mkdir),
    "a pipe": replace(os.mkfifo),
    "without end": replace(lambda path: path.symlink_to("/dev/zero")),
    "another variant's": take(f"{OTHER}/values"),
    "another array of bytes": take(f"{OTHER}/reachable"),
    "another array of words": take(f"{OTHER}/optimal"),
}


@contextmanager
def damaged(path: Path, damage: Callable[[Path], object]) -> Iterator[None]:
    """Damage a copy of a file in its place, and put the file back."""
    kept = path.with_name("kept")
    path.rename(kept)
    shutil.copy(kept, path)
    damage(path)
    try:
        yield
    finally:
        if path.is_dir():
            path.rmdir()
        kept.replace(path)


@pytest.mark.parametrize(
    ("array", "damage"),
    [
        *[("values", damage) for damage in DAMAGES],
        *[(array, "middle") for array in COMMON[1:]],
    ],
)
def test_a_damaged_array_is_refused_when_it_is_asked_and_no_other_one(
    array: str, damage: str, tables: Path
) -> None:
    path = tables / NAME / f"{array}.npy"
    table = Table(NAME, str(tables))
    with damaged(path, DAMAGES[damage]):
        for asked, question in QUESTIONS.items():
            if asked == array or (asked == "reachable" and array == "values"):
                for _ in range(2):
                    with pytest.raises(
                        TableError, match=f"^{path}: .*({NAME} --out|git lfs)"
                    ):
                        question(table)
                    with pytest.raises(TableError, match=f"^{path}: "):
                        getattr(table, array)
            else:
                assert question(table) == ANSWERS[asked]
    assert {name: ask(table) for name, ask in QUESTIONS.items()} == ANSWERS


@pytest.mark.parametrize("array", COMMON)
def test_files_that_were_swapped_are_refused_on_both_sides(
    array: str, tables: Path
) -> None:
    one, other = (tables / name / f"{array}.npy" for name in (NAME, OTHER))
    if one.read_bytes() == other.read_bytes():  # who can get there is the same in both
        assert array == "reachable"
        return
    kept = one.with_name("kept")

    def swap() -> None:
        one.rename(kept)
        other.rename(one)
        kept.rename(other)

    swap()
    for path in one, other:
        with pytest.raises(TableError, match=f"^{path}: CRC-32 is"):
            QUESTIONS[array](Table(path.parent.name, str(tables)))
    swap()


LISTS: dict[str, Callable[[bytes], bytes]] = {
    "with CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "a pointer": lambda content: b"version https://git-lfs.github.com/spec/v1\n",
    "empty": lambda content: b"",
    "cut off": lambda content: content[:-1],
    "without the version": lambda content: content.split(b"\n", 1)[1],
}


@pytest.mark.parametrize("damage", LISTS)
@pytest.mark.parametrize("file", ["checksums.txt", "VERSION"])
def test_a_damaged_list_or_version_is_refused_at_once(
    file: str, damage: str, tables: Path
) -> None:
    content = (tables / file).read_bytes()
    with (
        damaged(tables / file, put(LISTS[damage](content))),
        pytest.raises(TableError, match=f"^{tables}/(checksums.txt|VERSION): "),
    ):
        Table(NAME, str(tables))


def test_a_changed_byte_of_the_list_gives_the_right_answers_or_none(
    tables: Path,
) -> None:
    size, refused = (tables / "checksums.txt").stat().st_size, 0
    for place in range(0, size, 7):
        with damaged(tables / "checksums.txt", flip(place)):
            try:
                table = Table(NAME, str(tables))
                for asked, question in QUESTIONS.items():
                    assert question(table) == ANSWERS[asked]
            except TableError:
                refused += 1
    assert refused > size // 21


def test_a_table_takes_nothing_from_a_later_build_but_keeps_what_it_has(
    tables: Path, tmp_path: Path
) -> None:
    directory = tmp_path / "copy"
    shutil.copytree(tables, directory)
    table = Table(NAME, str(directory))
    values = table.values
    for array in "values", "moves":
        os.replace(
            directory / OTHER / f"{array}.npy", directory / NAME / f"{array}.npy"
        )
    assert table.value_at(0) == values[0] == -1
    with pytest.raises(TableError, match="moves.npy: CRC-32 is"):
        table.move_at(0)
    shutil.rmtree(directory)
    assert table.value_at(0) == -1


def test_mapped_arrays_cannot_be_written(tables: Path) -> None:
    table = Table(NAME, str(tables))
    before = snapshot(tables / NAME)
    for array in COMMON:
        entries = getattr(table, array)
        assert entries.shape == (table.grid.states,)
        assert memoryview(entries).readonly
        assert table.raw(array).readonly
        with pytest.raises(ValueError, match="WRITEABLE"):
            entries.setflags(write=True)
        with pytest.raises(TypeError, match="read-only|cannot modify"):
            table.raw(array)[0] = 1
    assert snapshot(tables / NAME) == before


@pytest.fixture(scope="module")
def largest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Build the largest board, 430 MB."""
    directory = tmp_path_factory.mktemp("largest")
    build([named(LARGEST)], directory)
    yield directory
    shutil.rmtree(directory)


INDICES = random.Random(16).sample(range(86093442), 2000)


def answers(table: Table) -> list[object]:
    """Ask everything about each of some states."""
    found: list[object] = []
    for index in INDICES:
        with suppress(ValueError):  # where both sides have a line
            board, turn = table.grid.decode(index)
            found.append(table.value(board, turn))
            found.append(table.optimal_moves(board, turn))
            found.append((table.move_at(index), table.is_reachable_at(index)))
    return found


def with_process(table: Table) -> tuple[int, list[object]]:
    """Answer from a table that came by pickle."""
    return os.getpid(), answers(table)


def test_two_processes_and_sixteen_threads_answer_alike_from_one_mapped_table(
    largest: Path,
) -> None:
    table = load(LARGEST, largest)
    expected = answers(Table(LARGEST, str(largest)))
    assert len(expected) > 2000
    start = threading.Barrier(16)

    def ask(_: int) -> list[object]:
        start.wait(60)
        return answers(table)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(ask, range(16)))
    sys.setswitchinterval(interval)
    assert found == [expected] * 16

    assert pickle.loads(pickle.dumps(table)) is table
    assert len(pickle.dumps(table)) < 1000
    with multiprocessing.get_context("spawn").Pool(2) as processes:
        there = processes.map(with_process, [table] * 4, 1)
    assert [answer for _, answer in there] == [expected] * 4
    assert os.getpid() not in dict(there)
