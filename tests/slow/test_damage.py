"""Tests that damaged tables are refused before the first answer, whatever the damage.

The normal run tries every byte of the small files and of every header, and of the rest
about 400 bytes a file. With the environment variable TTT_EXHAUSTIVE set it tries every
byte of every file, which takes some minutes.
"""

import errno
import os
import random
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests import oracle
from ttt_runtime import Table, TableError, load, verify
from ttt_runtime.certificate import _certify_bundle

TABLES = Path(__file__).resolve().parents[2] / "tables"
EXHAUSTIVE = bool(os.environ.get("TTT_EXHAUSTIVE"))

FILES = sorted(
    path.relative_to(TABLES).as_posix() for path in TABLES.rglob("*") if path.is_file()
)
NPY = [path for path in FILES if path.endswith(".npy")]
LISTED = [path for path in FILES if path != "checksums.txt"]

ARRAYS = {
    variant: [Path(path).stem for path in NPY if path.startswith(f"{variant}/")]
    for variant in oracle.VARIANTS
}

Answers = dict[str, bytes]

REMEDY = "; rebuild with 'make tables', or reinstall ttt-runtime"
FINDING = re.compile(
    r"cannot be read \(.+\)"
    r"|expected .+, found .+"
    r"|.+ is .+, expected .+"
    r"|found .+, expected .+"
    r"|not listed in checksums\.txt",
    re.DOTALL,
)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Make a copy of the tables, to be damaged."""
    return Path(shutil.copytree(TABLES, tmp_path / "tables"))


def read_all(variant: str, directory: Path) -> Answers:
    """Load a variant anew, as `load` does once, and return all that it answers from."""
    table = Table(variant, str(directory))
    return {name: bytes(table.raw(name)) for name in ARRAYS[variant]}


SOUND = {variant: read_all(variant, TABLES) for variant in oracle.VARIANTS}


def concern(variant: str) -> list[str]:
    """List the files that a variant is read from, but for checksums.txt."""
    return ["VERSION", *(f"{variant}/{name}.npy" for name in ARRAYS[variant])]


def refusal(variant: str, directory: Path) -> str:
    """Load a variant, which must fail as documented; return the path that is named."""
    with pytest.raises(TableError) as caught:
        read_all(variant, directory)
    message = str(caught.value)
    assert message.endswith(REMEDY), message
    path, _, finding = message.removesuffix(REMEDY).partition(": ")
    assert FINDING.fullmatch(finding), message
    return Path(path).relative_to(directory).as_posix()


def refused_or_right(variant: str, directory: Path) -> bool:
    """Load a variant: it is refused as documented, or every byte is the right one."""
    try:
        found = read_all(variant, directory)
    except TableError:
        refusal(variant, directory)
        return True
    assert found == SOUND[variant]
    return False


def seal(directory: Path) -> None:
    """Make checksums.txt fit the files, as if a build had written them."""
    lines = []
    for path in LISTED:
        content = (directory / path).read_bytes()
        lines.append(f"{zlib.crc32(content):08x} {len(content)} {path}\n")
    (directory / "checksums.txt").write_text("".join(lines))


# A changed byte


def changes(path: Path, substitutes: Callable[[int, int], set[int]]) -> Iterator[int]:
    """Put other bytes into a file, one at a time, and yield the place of each."""
    content = path.read_bytes()
    handle = os.open(path, os.O_RDWR)
    try:
        for place, byte in enumerate(content):
            for other in sorted(substitutes(place, byte) - {byte}):
                os.pwrite(handle, bytes([other]), place)
                yield place
            os.pwrite(handle, bytes([byte]), place)
    finally:
        os.close(handle)


@pytest.mark.parametrize("path", NPY)
def test_a_changed_byte_of_an_array_is_refused(path: str, tables: Path) -> None:
    """One bit of each byte of the 128-byte header and of 400 other bytes of each file.

    About 9,000 loads; exhaustively any bit of the header and one bit of every other
    byte, 1,270,000 loads.
    """
    variant = path.split("/")[0]
    size = (TABLES / path).stat().st_size
    step = 1 if EXHAUSTIVE else size // 400
    tried = set()

    def substitutes(place: int, byte: int) -> set[int]:
        if place < 128 and EXHAUSTIVE:
            return {byte ^ 1 << bit for bit in range(8)}
        if place < 128 or place % step == 0:
            return {byte ^ 1 << place // step % 8}
        return set()

    for place in changes(tables / path, substitutes):
        assert refusal(variant, tables) == path
        tried.add(place)
    assert tried == {*range(128), *range(0, size, step)}


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_a_changed_byte_of_the_version_is_refused(variant: str, tables: Path) -> None:
    """Each of 15 bytes, changed to each of 255 others, for each variant."""
    tried = 0
    for _ in changes(tables / "VERSION", lambda *_: set(range(256))):
        assert refusal(variant, tables) == "VERSION"
        tried += 1
    assert tried == 15 * 255


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_a_changed_byte_of_the_checksums_is_refused(variant: str, tables: Path) -> None:
    """On a line that concerns the variant always; on another, if it is no line then.

    Every byte, changed in one bit, to a digit, a letter, a space and two line ends;
    exhaustively to each of 255 others. What is not refused is answered rightly.
    """
    path = tables / "checksums.txt"
    content = path.read_bytes()
    concerned = concern(variant)
    line_of = [
        line.split(b" ")[2].decode().rstrip("\n")
        for line in content.splitlines(keepends=True)
        for _ in line
    ]

    def substitutes(place: int, byte: int) -> set[int]:
        if EXHAUSTIVE:
            return set(range(256))
        return {byte ^ 1 << place % 8, *b"0a \r\n"}

    refused = 0
    for place in changes(path, substitutes):
        if line_of[place] in concerned:
            refusal(variant, tables)
            refused += 1
        else:
            refused += refused_or_right(variant, tables)
    assert refused > 4 * content.count(b"\n")
    assert path.read_bytes() == content


def test_several_changed_bytes_are_refused(tables: Path) -> None:
    """500 times up to five bytes of one random file are changed, for all variants."""
    chance = random.Random(14)
    tables.joinpath("tables.msgpack").write_bytes(b"too long to be written so often")
    for _ in range(500):
        path = chance.choice(LISTED)
        content = (tables / path).read_bytes()
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 5)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        (tables / path).write_bytes(damaged)
        variant = chance.choice(oracle.VARIANTS)
        refused = refused_or_right(variant, tables)
        if path in concern(variant):
            assert refused == (damaged != content)
        (tables / path).write_bytes(content)


# Whole files


def cut(path: Path, size: int) -> None:
    """Keep so many bytes of a file."""
    path.write_bytes(path.read_bytes()[:size])


@pytest.mark.parametrize("path", [*LISTED, "checksums.txt"])
def test_a_file_cut_short_is_refused(path: str, tables: Path) -> None:
    """At any length for the small files, at 60 for the others, for all variants."""
    content = (tables / path).read_bytes()
    size = len(content)
    chance = random.Random(path)
    lengths: list[int] = list(range(size))
    if size > 1000:
        lengths = [0, 1, 127, 128, 129, size - 1, *chance.choices(range(size), k=54)]
    for length in lengths:
        (tables / path).write_bytes(content[:length])
        for variant in oracle.VARIANTS:
            if path in concern(variant):
                assert refusal(variant, tables) == path
            else:
                refused = refused_or_right(variant, tables)
                assert path == "checksums.txt" or not refused


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_an_appended_byte_is_refused(variant: str, tables: Path) -> None:
    """Each of 256 bytes, at the end of each file that concerns the variant."""
    for path in ["checksums.txt", *concern(variant)]:
        size = (tables / path).stat().st_size
        with (tables / path).open("r+b") as file:
            for byte in range(256):
                os.pwrite(file.fileno(), bytes([byte]), size)
                assert refusal(variant, tables) == path
            file.truncate(size)
        assert not refused_or_right(variant, tables)


def take_away(path: Path) -> None:
    """Leave nothing there."""
    path.unlink()


def empty(path: Path) -> None:
    """Leave nothing in it."""
    path.write_bytes(b"")


def as_directory(path: Path) -> None:
    """Put a directory in its place."""
    path.unlink()
    path.mkdir()


def as_directory_with_content(path: Path) -> None:
    """Put a directory in its place that holds the file."""
    content = path.read_bytes()
    as_directory(path)
    (path / path.name).write_bytes(content)


def link_to_itself(path: Path) -> None:
    """Make a loop."""
    path.unlink()
    path.symlink_to(path.name)


def link_round(path: Path) -> None:
    """Make a loop of two."""
    path.unlink()
    path.with_name("other").symlink_to(path.name)
    path.symlink_to("other")


def link_to_nothing(path: Path) -> None:
    """Make a link that leads nowhere."""
    path.unlink()
    path.symlink_to("nowhere")


def link_to_zeros(path: Path) -> None:
    """Make a link to a file without end."""
    path.unlink()
    path.symlink_to("/dev/zero")


def link_to_null(path: Path) -> None:
    """Make a link to a file that is always empty."""
    path.unlink()
    path.symlink_to("/dev/null")


def as_pipe(path: Path) -> None:
    """Leave a pipe that nobody writes to."""
    path.unlink()
    os.mkfifo(path)


def as_pointer(path: Path) -> None:
    """Leave what Git LFS checks out if it is not installed."""
    content = path.read_bytes()
    path.write_text(
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{sha256(content).hexdigest()}\nsize {len(content)}\n"
    )


def lf_to_crlf(path: Path) -> None:
    """Convert line ends, as Git does where it takes a file for text."""
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def to_utf_16(path: Path) -> None:
    """Save it as some editors do."""
    path.write_bytes(path.read_bytes().decode("latin-1").encode("utf-16"))


def with_byte_order_mark(path: Path) -> None:
    """Save it as some editors do."""
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def twice(path: Path) -> None:
    """Append it to itself."""
    path.write_bytes(path.read_bytes() * 2)


def zeros(path: Path) -> None:
    """Leave a file of the right size that was never filled."""
    path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize(
    "damage",
    [
        take_away,
        empty,
        as_directory,
        as_directory_with_content,
        link_to_itself,
        link_round,
        link_to_nothing,
        link_to_zeros,
        link_to_null,
        as_pipe,
        as_pointer,
        lf_to_crlf,
        to_utf_16,
        with_byte_order_mark,
        twice,
        zeros,
    ],
    ids=lambda damage: damage.__name__,
)
@pytest.mark.parametrize("path", ["checksums.txt", *concern("standard")])
def test_a_file_of_another_kind_is_refused(
    path: str, damage: Callable[[Path], None], tables: Path
) -> None:
    """The variants that the file concerns are refused; the others load."""
    damage(tables / path)
    for variant in oracle.VARIANTS:
        if path in concern(variant):
            assert refusal(variant, tables) == path
        elif path == "checksums.txt":
            # Doubled, it says everything twice; a byte-order mark spoils the first
            # line, which is not about a table.
            harmless = damage in (twice, with_byte_order_mark)
            assert refused_or_right(variant, tables) != harmless
        else:
            assert not refused_or_right(variant, tables)


@pytest.mark.parametrize("path", ["checksums.txt", *concern("standard")])
def test_a_pipe_is_not_waited_for(path: str, tables: Path) -> None:
    """One whose other end is open, and silent, is refused like one that has none."""
    as_pipe(tables / path)
    silent = os.open(tables / path, os.O_RDWR)
    assert refused_or_right("standard", tables)
    os.close(silent)


@pytest.mark.parametrize("path", ["checksums.txt", *concern("standard")])
def test_a_file_that_may_not_be_read_is_refused(
    path: str, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one that fails while it is read, and one in a directory of that kind."""
    for number in (errno.EACCES, errno.EIO, errno.ESTALE, errno.EMFILE, errno.ENOTDIR):
        with monkeypatch.context() as patched:

            def fail(name: Any, *how: Any, number: int = number, **more: Any) -> Any:
                if Path(name) == tables / path:
                    raise OSError(number, os.strerror(number), name)
                return open(name, *how, **more)

            patched.setattr("ttt_runtime.files.open", fail, raising=False)
            assert refusal("standard", tables) == path
            with pytest.raises(TableError, match=re.escape(os.strerror(number))):
                read_all("standard", tables)


@pytest.mark.parametrize("path", ["checksums.txt", *concern("standard")])
def test_a_file_that_changes_while_it_is_open_is_refused(
    path: str, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shrinks, grows or loses its content between being opened and being read."""
    content = (tables / path).read_bytes()
    size = len(content)
    for left in (0, 1, size // 2, size - 1, size + 1, 2 * size):
        (tables / path).write_bytes(content)
        with monkeypatch.context() as patched:

            def open_and_change(
                name: Any, *how: Any, left: int = left, **more: Any
            ) -> Any:
                file = open(name, *how, **more)  # noqa: SIM115 - whoever asked closes it
                if Path(name) == tables / path:
                    os.truncate(name, left)
                return file

            patched.setattr("ttt_runtime.files.open", open_and_change, raising=False)
            refusal("standard", tables)


def test_any_two_files_that_changed_places_are_refused(tables: Path) -> None:
    """Every pair of files, for all variants that either of them concerns."""
    spare = tables / "spare"
    refusals = 0
    for number, one in enumerate(FILES):
        for other in FILES[:number]:
            same = (tables / one).read_bytes() == (tables / other).read_bytes()
            for _ in range(2):  # the second time puts them back
                (tables / one).rename(spare)
                (tables / other).rename(tables / one)
                spare.rename(tables / other)
                if (tables / one).read_bytes() == (TABLES / one).read_bytes():
                    continue
                for variant in oracle.VARIANTS:
                    refused = refused_or_right(variant, tables)
                    concerned = {"checksums.txt", *concern(variant)} & {one, other}
                    assert refused == bool(concerned), (one, other, variant)
                    refusals += refused
            assert same or (tables / one).read_bytes() == (TABLES / one).read_bytes()
    assert refusals > 100


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_another_variants_table_is_refused(variant: str, tables: Path) -> None:
    """Whole, sound and self-consistent, but under this name it is another's."""
    for other in oracle.VARIANTS:
        if other != variant:
            shutil.copytree(TABLES / other, tables / variant, dirs_exist_ok=True)
            assert refusal(variant, tables).startswith(f"{variant}/")
    shutil.rmtree(tables / variant)
    assert refusal(variant, tables).startswith(f"{variant}/")


def test_tables_of_another_shape_are_refused(tables: Path) -> None:
    """Headers that NumPy reads but that mean something else, with right checksums."""
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
        seal(tables)
        assert refusal("standard", tables) == "standard/values.npy"
    with path.open("wb") as file:
        np.lib.format.write_array(file, array, version=(2, 0))
    seal(tables)
    assert refusal("standard", tables) == "standard/values.npy"


class Payload:
    """What a pickle would do when it is loaded."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def __reduce__(self) -> tuple[object, ...]:
        """Make a directory."""
        return os.mkdir, (str(self.directory),)


def test_a_pickle_is_never_loaded(tables: Path, tmp_path: Path) -> None:
    """Neither by load nor by verify, from object arrays that every checksum fits."""
    payload = tmp_path / "payload"
    path = tables / "standard" / "values.npy"
    for shape in (1, 39366):
        np.save(path, np.full(shape, Payload(payload)), allow_pickle=True)
        seal(tables)
        assert refusal("standard", tables) == "standard/values.npy"
        with pytest.raises(TableError):
            verify(tables)
        assert not payload.exists()
    np.load(path, allow_pickle=True)  # the pickle would have done it
    assert payload.exists()


# checksums.txt itself

FIELDS = st.one_of(
    st.binary(max_size=12),
    st.from_regex(rb"[0-9a-f]{8}", fullmatch=True),
    st.integers(0, 10**30).map(lambda number: str(number).encode()),
    st.sampled_from([path.encode() for path in FILES]),
)
LINE = st.lists(FIELDS, max_size=4).map(b" ".join)
GOOD = (TABLES / "checksums.txt").read_bytes()


def with_size(path: str, size: str) -> bytes:
    """Return the checksums with another size of a file."""
    return re.sub(rb" [0-9]+ (?=%s\n)" % path.encode(), f" {size} ".encode(), GOOD)


@settings(max_examples=1000, deadline=None, derandomize=True, database=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(LINE, max_size=4).map(b"\n".join),
        st.lists(LINE, max_size=2).map(lambda lines: GOOD + b"\n".join(lines)),
        st.lists(LINE, max_size=2).map(lambda lines: b"\n".join([*lines, GOOD])),
    )
)
@example(with_size("standard/values.npy", "9" * 12))
@example(with_size("standard/values.npy", "9" * 30))
@example(with_size("standard/values.npy", "9" * 5000))
@example(with_size("VERSION", "9" * 15))
@example(b"0" * (1 << 16))
@example(b"0" * (1 << 20))
def test_checksums_of_any_content_are_refused_or_right(content: bytes) -> None:
    """1,000 files: any bytes, lines of nearly the right form, sizes of any size."""
    directory = SCRATCH / "checksums"
    (directory / "checksums.txt").write_bytes(content)
    refused_or_right("standard", directory)


SCRATCH = Path()


@pytest.fixture(autouse=True, scope="module")
def _scratch(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Make the directory that the property above writes to, once."""
    global SCRATCH
    SCRATCH = tmp_path_factory.mktemp("damage")
    shutil.copytree(TABLES, SCRATCH / "checksums")


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_lost_checksums_are_no_unknown_variant(variant: str, tables: Path) -> None:
    """The lines of a variant may be gone, in part or all: its files are still there."""
    lines = GOOD.splitlines(keepends=True)
    kept = [line for line in lines if f" {variant}/".encode() not in line]
    (tables / "checksums.txt").write_bytes(b"".join(kept))
    refusal(variant, tables)
    kept = [line for line in lines if f"{variant}/values".encode() not in line]
    (tables / "checksums.txt").write_bytes(b"".join(kept))
    assert refusal(variant, tables) == f"{variant}/values.npy"


# After the damage


@pytest.mark.parametrize("path", ["checksums.txt", *concern("fill")])
def test_a_failed_load_is_not_remembered(path: str, tables: Path) -> None:
    """Repaired, the tables load; loaded, they are not read again."""
    content = (tables / path).read_bytes()
    for _ in range(2):
        (tables / path).write_bytes(content[:-1])
        for _ in range(2):
            with pytest.raises(TableError, match=re.escape(str(tables / path))):
                load("fill", tables)
    (tables / path).write_bytes(content)
    table = load("fill", tables)
    assert table.value("OOO......", 1) == 3
    (tables / path).write_bytes(content[:-1])
    assert load("fill", tables) is table
    assert {name: bytes(table.raw(name)) for name in ARRAYS["fill"]} == SOUND["fill"]


def test_continuations_are_checked_when_they_are_first_asked_for(tables: Path) -> None:
    """They are read late, and refused all the same; repaired, they answer."""
    path = tables / "standard" / "continuations.npy"
    content = path.read_bytes()
    table = load("standard", tables)
    path.write_bytes(content[:-1])
    for _ in range(2):
        for question in (
            lambda: table.continuation_counts("." * 9),
            lambda: table.continuation_counts_at(0),
            lambda: table.continuations,
        ):
            with pytest.raises(TableError, match=re.escape(str(path))):
                question()
        assert table.value("XX.OO....") == -1
    path.write_bytes(content)
    assert table.continuation_counts("." * 9) == oracle.games()


# verify


def test_verify_proves_sound_tables(tables: Path) -> None:
    """It says so in a line for each thing proved, and changes nothing."""
    before = {path: path.stat().st_mtime_ns for path in tables.rglob("*")}
    proved = verify(tables)
    assert f"{len(FILES)} files: size and CRC-32 are as listed" in proved
    for variant in oracle.VARIANTS:
        assert f"{variant}: all 39366 states follow from the rules" in proved
    assert {path: path.stat().st_mtime_ns for path in tables.rglob("*")} == before


@pytest.mark.parametrize("path", FILES)
def test_verify_refuses_any_damaged_file(path: str, tables: Path) -> None:
    """Also those that no variant is read from; missing, cut or changed."""
    content = (tables / path).read_bytes()
    size = len(content)
    for damaged in (
        None,
        b"",
        content[: size // 2],
        content[:-1],
        content + b"\n",
        bytes([content[0] ^ 1]) + content[1:],
    ):
        (tables / path).unlink()
        if damaged is not None:
            (tables / path).write_bytes(damaged)
        with pytest.raises(TableError) as caught:
            verify(tables)
        assert str(tables) in str(caught.value)
        (tables / path).write_bytes(content)


@pytest.mark.parametrize(
    "path", ["notes.txt", "standard/values.npy.orig", ".hidden", "new/values.npy"]
)
def test_verify_refuses_a_file_that_should_not_be_there(
    path: str, tables: Path
) -> None:
    """The error names it, and what to do."""
    (tables / path).parent.mkdir(exist_ok=True)
    (tables / path).write_text("x")
    with pytest.raises(TableError, match=f"{path}: should not be there.*; remove it"):
        verify(tables)


def forge(tables: Path, variant: str, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
    """Put arrays in place of a variant's, with bundle and checksums to match."""
    bundle = msgpack.unpackb((tables / "tables.msgpack").read_bytes())
    for name, array in arrays.items():
        np.save(tables / variant / f"{name}.npy", array)
        data = array.tobytes()
        stored = bundle["variants"][variant]["arrays"][name]
        stored |= {"data": data, "sha256": sha256(data).hexdigest()}
    (tables / "tables.msgpack").write_bytes(msgpack.packb(bundle))
    seal(tables)


EMPTY_BOARD, FIRST_REPLY = 0, 19683 + 3**8
FINISHED = int("0" + "111220000", 3)
MEANINGLESS = int("0" + "111222000", 3)
UNREACHED = int("0" + "100000000", 3)
MIDGAME = int("0" + "110220000", 3)


@pytest.mark.parametrize(
    ("variant", "name", "index", "wrong"),
    [
        ("standard", "values", EMPTY_BOARD, -1),
        ("standard", "values", FINISHED, 0),
        ("standard", "values", MEANINGLESS, 0),
        ("standard", "values", UNREACHED, -128),
        ("fill", "values", 39365, 7),
        ("fastest", "values", MIDGAME, -4),
        ("standard", "moves", EMPTY_BOARD, 1),  # as good, but not the smallest
        ("standard", "moves", MIDGAME, 6),
        ("misere", "moves", MIDGAME, -1),
        ("standard", "optimal", EMPTY_BOARD, 0b011111111),
        ("standard", "optimal", FINISHED, 1),
        ("fill", "optimal", MEANINGLESS, 0),
        ("standard", "reachable", EMPTY_BOARD, 0),
        ("standard", "reachable", MEANINGLESS, 1),
        ("fill", "reachable", FIRST_REPLY, 0),
        ("standard", "continuations", EMPTY_BOARD, 131185),
    ],
)
def test_verify_refuses_one_wrong_entry_that_every_checksum_fits(
    variant: str, name: str, index: int, wrong: int, tables: Path
) -> None:
    """`load` cannot see it, and answers from it; `verify` names table and state."""
    array = np.load(tables / variant / f"{name}.npy")
    assert array.reshape(39366, -1)[index, 0] != wrong
    array.reshape(39366, -1)[index, 0] = wrong
    forge(tables, variant, {name: array})
    assert read_all(variant, tables)[name] == array.tobytes()
    with pytest.raises(TableError, match=rf"{variant}/\w+\.npy: index \d+, board '.*'"):
        verify(tables)


@pytest.mark.parametrize(
    ("variant", "other"), [("standard", "fastest"), ("misere", "standard")]
)
def test_verify_refuses_another_variants_tables(
    variant: str, other: str, tables: Path
) -> None:
    """All four arrays agree with each other, but not with the rules of this name."""
    arrays = {
        name: np.load(TABLES / other / f"{name}.npy")
        for name in ("values", "moves", "optimal", "reachable")
    }
    forge(tables, variant, arrays)
    with pytest.raises(TableError, match=f"by the rules of {variant}"):
        verify(tables)


def test_verify_refuses_a_variant_whose_rules_it_does_not_know(tables: Path) -> None:
    """With fitting checksums `load` finds it by name; no rules say that it is right."""
    shutil.copytree(tables / "fastest", tables / "house-rules")
    seal(tables)
    with (tables / "checksums.txt").open("a") as file:
        for path in sorted((tables / "house-rules").iterdir()):
            content = path.read_bytes()
            checksum = f"{zlib.crc32(content):08x} {len(content)}"
            file.write(f"{checksum} house-rules/{path.name}\n")
    assert load("house-rules", tables).value("XX.OO....") == -5
    with pytest.raises(TableError, match="house-rules"):
        verify(tables)


def certify_bundle(tables: Path, content: bytes) -> None:
    """Put this in place of the bundle, with a checksum to match, and certify it."""
    (tables / "tables.msgpack").write_bytes(content)
    seal(tables)
    loaded = [Table(variant, str(tables)) for variant in oracle.VARIANTS]
    _certify_bundle(str(tables), loaded)


def test_verify_refuses_a_bundle_with_another_payload(tables: Path) -> None:
    """One bit of the data, with its checksum and its SHA-256 made to fit."""
    bundle = msgpack.unpackb((tables / "tables.msgpack").read_bytes())
    stored = bundle["variants"]["fill"]["arrays"]["moves"]
    data = bytearray(stored["data"])
    data[9396] ^= 1
    stored |= {"data": bytes(data), "sha256": sha256(data).hexdigest()}
    (tables / "tables.msgpack").write_bytes(msgpack.packb(bundle))
    seal(tables)
    with pytest.raises(TableError, match=r"tables\.msgpack: fill moves differs"):
        verify(tables)


def test_any_changed_payload_of_the_bundle_is_refused(tables: Path) -> None:
    """One bit of the data of each array, with the old SHA-256 and with the new."""
    chance = random.Random(15)
    content = (tables / "tables.msgpack").read_bytes()
    certify_bundle(tables, content)
    for variant in oracle.VARIANTS:
        for name in ARRAYS[variant]:
            bundle = msgpack.unpackb(content)
            stored = bundle["variants"][variant]["arrays"][name]
            data = bytearray(stored["data"])
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            stored["data"] = bytes(data)
            for digest in (stored["sha256"], sha256(data).hexdigest()):
                stored["sha256"] = digest
                with pytest.raises(TableError, match=f"{variant} {name} differs"):
                    certify_bundle(tables, msgpack.packb(bundle))


Falsify = Callable[[dict[str, Any]], object]

DESCRIPTIONS: dict[str, Falsify] = {
    "dtype": lambda b: b["variants"]["fill"]["arrays"]["moves"].update(dtype="uint8"),
    "shape": lambda b: b["variants"]["fill"]["arrays"]["moves"].update(shape=[2, 9]),
    "count": lambda b: b["variants"]["fill"]["summary"].update(reachable=5477),
}
PARTS: dict[str, Falsify] = {
    "array": lambda b: b["variants"]["fill"]["arrays"].pop("moves"),
    "variant": lambda b: b["variants"].pop("fill"),
    "variants": lambda b: b.pop("variants"),
    "no map": lambda b: b.update(variants=[]),
    "format": lambda b: b.update(format="other"),
    "version": lambda b: b.update(version="2.0"),
    "number": lambda b: b.update(version=1),
}


@pytest.mark.parametrize(
    "falsify",
    [
        *DESCRIPTIONS.values(),
        *PARTS.values(),
    ],
    ids=[*DESCRIPTIONS, *PARTS],
)
def test_a_bundle_that_describes_itself_falsely_is_refused(
    falsify: Falsify, tables: Path
) -> None:
    """Another dtype, shape, count or version misleads a reader as wrong data does."""
    bundle = msgpack.unpackb((tables / "tables.msgpack").read_bytes())
    falsify(bundle)
    with pytest.raises(TableError, match=r"tables\.msgpack: "):
        certify_bundle(tables, msgpack.packb(bundle))


def test_a_bundle_of_any_content_is_refused(tables: Path) -> None:
    """100 times cut, overwritten or replaced, with a checksum to match."""
    chance = random.Random(16)
    good = (tables / "tables.msgpack").read_bytes()
    for _ in range(100):
        damaged = bytearray(good)
        kind = chance.randrange(3)
        if kind == 0:
            damaged = damaged[: chance.choice([0, 1, 20, chance.randrange(len(good))])]
        elif kind == 1:  # the keys and types near the start, not the text or the data
            damaged[chance.randrange(9)] ^= 1 << chance.randrange(8)
        else:
            damaged = bytearray(chance.randbytes(chance.randrange(99)))
        with pytest.raises(TableError, match=r"tables\.msgpack: "):
            certify_bundle(tables, bytes(damaged))
