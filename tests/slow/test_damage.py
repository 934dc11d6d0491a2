"""Tests that damaged tables are refused before the first answer, whatever the damage.

With the environment variable TTT_EXHAUSTIVE set they try every bit of every file that
answers come from, about 15 million loads.
"""

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests import oracle
from tests.files import TABLES, reseal, snapshot
from ttt_runtime import Table, TableError, load, verify

EXHAUSTIVE = bool(os.environ.get("TTT_EXHAUSTIVE"))

FILES = sorted(snapshot(TABLES))
ARRAYS = [path for path in FILES if path.endswith(".npy")]


def read_all(variant: str, directory: Path) -> dict[str, bytes]:
    """Load a variant anew, as `load` does once, and return all that it answers from."""
    table = Table(variant, str(directory))
    names = [Path(path).stem for path in ARRAYS if path.startswith(f"{variant}/")]
    return {name: bytes(table.raw(name)) for name in names}


SOUND = {variant: read_all(variant, TABLES) for variant in oracle.VARIANTS}


def refusal(variant: str, directory: Path) -> str | None:
    """Load a variant: name the file that is at fault; None if every byte is right."""
    message = ""
    try:
        assert read_all(variant, directory) == SOUND[variant]
    except TableError as error:
        message = str(error)
    if not message:
        return None
    found = re.fullmatch(
        r"(.+?): (.{10,}); (build it again|fetch it) with .*", message, re.DOTALL
    )
    assert found, message
    return Path(found[1]).relative_to(directory).as_posix()


def changes(path: Path) -> Iterator[int]:
    """Change one bit at a time, and yield its byte's place.

    Of each byte of the header, and of about 1,000 others, or of all.
    """
    content = path.read_bytes()
    step = max(1, len(content) // 1000)
    with path.open("r+b", buffering=0) as file:
        for place, byte in enumerate(content):
            chosen = place < 128 or place % step == 0
            for bit in range(8) if EXHAUSTIVE else [place % 8] if chosen else []:
                os.pwrite(file.fileno(), bytes([byte ^ 1 << bit]), place)
                yield place
            if EXHAUSTIVE or chosen:
                os.pwrite(file.fileno(), bytes([byte]), place)


@pytest.mark.parametrize("path", ARRAYS)
def test_a_changed_byte_of_an_array_is_refused(path: str, tables: Path) -> None:
    tried = 0
    for _ in changes(tables / path):
        assert refusal(path.split("/")[0], tables) == path
        tried += 1
    assert tried > 1100


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_a_changed_byte_of_the_version_is_refused(variant: str, tables: Path) -> None:
    for _ in changes(tables / "VERSION"):
        assert refusal(variant, tables) == "VERSION"


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_a_changed_byte_of_the_checksums_is_refused_if_it_matters(
    variant: str, tables: Path
) -> None:
    path = tables / "checksums.txt"
    lines = path.read_text().splitlines(keepends=True)
    line_of = [line for line in lines for _ in line]
    refused = 0
    for place in changes(path):
        if refusal(variant, tables):
            refused += 1
        else:
            assert not re.search(rf" (VERSION|{variant}/.*)\n", line_of[place])
    assert refused > 240


Damage = Callable[[Path], object]


def replaced(put: Damage) -> Damage:
    """Return what puts something in place of a file."""

    def replace(path: Path) -> None:
        path.unlink()
        put(path)

    return replace


def rewritten(change: Callable[[bytes], bytes]) -> Damage:
    """Return what changes the content of a file."""
    return lambda path: path.write_bytes(change(path.read_bytes()))


DAMAGES: dict[str, Damage] = {
    "missing": Path.unlink,
    "a directory": replaced(Path.mkdir),
    "a link to nothing": replaced(lambda path: path.symlink_to("nowhere")),
    "a link to itself": replaced(lambda path: path.symlink_to(path.name)),
    "a file without end": replaced(lambda path: path.symlink_to("/dev/zero")),
    "a file without content": replaced(lambda path: path.symlink_to("/dev/null")),
    "a pipe that nobody writes to": replaced(os.mkfifo),
    "cut short": rewritten(lambda content: content[:-1]),
    "twice": rewritten(lambda content: content * 2),
    "never filled": rewritten(lambda content: bytes(len(content))),
    "with CRLF": rewritten(lambda content: content.replace(b"\n", b"\r\n")),
    "in UTF-16": rewritten(lambda content: content.decode("l1").encode("utf16")),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("path", ["VERSION", "checksums.txt", "fill/moves.npy"])
def test_a_file_that_is_not_what_it_was_is_refused(
    path: str, damage: str, tables: Path
) -> None:
    DAMAGES[damage](tables / path)
    found = refusal("fill", tables)
    if path == "checksums.txt":
        # One that says everything twice is right. An empty list lacks VERSION, and
        # without any list nothing is listed.
        refused = path, "VERSION", "fill/values.npy"
        assert found in ([None] if damage == "twice" else refused)
    else:
        assert found == path


@pytest.mark.parametrize("path", ["checksums.txt", "VERSION", "fill/optimal.npy"])
def test_a_file_that_changes_or_fails_while_it_is_read_is_refused(
    path: str, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (tables / path).read_bytes()
    for size in (0, 1, len(content) - 1, len(content) + 1):

        def truncate(name: Any, *how: Any, size: int = size, **more: Any) -> Any:
            file = open(name, *how, **more)  # noqa: SIM115 - whoever asked closes it
            if Path(name) == tables / path:
                os.truncate(name, size)
            return file

        with monkeypatch.context() as patched:
            patched.setattr("ttt_runtime.files.open", truncate, raising=False)
            assert refusal("fill", tables), size
        (tables / path).write_bytes(content)

    def fail(name: Any, *how: Any, **more: Any) -> Any:
        if Path(name) == tables / path:
            raise OSError(errno.EIO, os.strerror(errno.EIO), name)
        return open(name, *how, **more)

    monkeypatch.setattr("ttt_runtime.files.open", fail, raising=False)
    with pytest.raises(TableError, match=f"{path}: cannot be read .Input/output error"):
        load("fill", tables)


def test_a_failed_load_is_not_remembered_but_a_loaded_table_is(tables: Path) -> None:
    path = tables / "fill" / "moves.npy"
    content = path.read_bytes()
    for _ in range(2):
        path.write_bytes(content[:-1])
        with pytest.raises(TableError, match=re.escape(str(path))):
            load("fill", tables)
    path.write_bytes(content)
    table = load("fill", tables)
    path.write_bytes(content[:-1])
    assert load("fill", tables) is table
    assert table.value("OOO......", 1) == 3


def test_arrays_of_another_shape_are_refused_although_checksums_fit(
    tables: Path,
) -> None:
    path = tables / "standard" / "values.npy"
    array = np.load(path)
    for other in (
        array.astype(np.int16),
        array.astype(np.uint8),
        array.astype(">i2"),
        array[:-1],
        array.reshape(2, 19683),
        np.asfortranarray(array.reshape(2, 19683)),
    ):
        np.save(path, other)
        reseal(tables)
        assert refusal("standard", tables) == "standard/values.npy"
    with path.open("wb") as file:
        np.lib.format.write_array(file, array, version=(2, 0))
    reseal(tables)
    assert refusal("standard", tables) == "standard/values.npy"


class Payload:
    """What a pickle would do when it is loaded."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.directory),)


def test_a_pickle_is_never_loaded(tables: Path, tmp_path: Path) -> None:
    payload = tmp_path / "payload"
    path = tables / "standard" / "values.npy"
    for shape in (1, 39366):
        np.save(path, np.full(shape, Payload(payload)), allow_pickle=True)
        reseal(tables)
        assert refusal("standard", tables) == "standard/values.npy"
        with pytest.raises(TableError):
            verify(tables)
        assert not payload.exists()
    np.load(path, allow_pickle=True)  # the pickle would have done it
    assert payload.exists()


FIELD = st.one_of(
    st.binary(max_size=12),
    st.from_regex(rb"[0-9a-f]{8}", fullmatch=True),
    st.integers(0, 10**30).map(lambda number: str(number).encode()),
    st.sampled_from([path.encode() for path in FILES]),
)
LINES = st.lists(st.lists(FIELD, max_size=4).map(b" ".join), max_size=4)
GOOD = (TABLES / "checksums.txt").read_bytes()


def with_size(path: str, size: str) -> bytes:
    """Return the checksums with another size of a file."""
    return re.sub(rb" [0-9]+ (?=%s\n)" % path.encode(), f" {size} ".encode(), GOOD)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make one copy of the tables for all examples."""
    return Path(shutil.copytree(TABLES, tmp_path_factory.mktemp("damage") / "tables"))


@settings(
    max_examples=10_000 if EXHAUSTIVE else 300,
    deadline=None,
    derandomize=True,
    database=None,
)
@given(
    content=st.one_of(
        st.binary(max_size=200),
        LINES.map(b"\n".join),
        LINES.map(lambda lines: GOOD + b"\n".join(lines)),
        LINES.map(lambda lines: b"\n".join([*lines, GOOD])),
    )
)
@example(content=with_size("standard/values.npy", "9" * 12))
@example(content=with_size("standard/values.npy", "9" * 5000))
@example(content=with_size("VERSION", "9" * 15))
@example(content=b"0" * (1 << 20))
def test_checksums_of_any_content_are_refused_or_right(
    content: bytes, scratch: Path
) -> None:
    (scratch / "checksums.txt").write_bytes(content)
    refusal("standard", scratch)


@pytest.mark.parametrize("path", FILES)
def test_verify_refuses_any_damaged_file(path: str, tables: Path) -> None:
    content = (tables / path).read_bytes()
    for damaged in (b"", content[:-1], content + b"\n", b"?" + content[1:]):
        (tables / path).write_bytes(damaged)
        with pytest.raises(TableError, match=re.escape(str(tables))):
            verify(tables)
