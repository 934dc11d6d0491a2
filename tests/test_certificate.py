"""Tests of `ttt_runtime.verify` and of `ttt_runtime.certificate` behind it."""

import hashlib
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

import ttt_runtime
from ttt_runtime import Table, TableError, certificate, encode
from ttt_runtime.boards import BOARDS, POWERS
from ttt_runtime.files import REMEDY
from ttt_runtime.variants import VARIANTS

TABLES = Path(__file__).resolve().parent.parent / "tables"
DIGITS = [[number // power % 3 for power in POWERS] for number in range(BOARDS)]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Make a copy of the tables, to be damaged."""
    return Path(shutil.copytree(TABLES, tmp_path / "tables"))


def put(path: Path, content: bytes) -> None:
    """Write a file of the tables, and make its line in checksums.txt fit."""
    tables = path.parent if path.parent.name == "tables" else path.parent.parent
    name = path.relative_to(tables).as_posix()
    path.write_bytes(content)
    lines = (tables / "checksums.txt").read_text().splitlines()
    kept = [line for line in lines if line.split(" ")[2] != name]
    kept.append(f"{zlib.crc32(content):08x} {len(content)} {name}")
    (tables / "checksums.txt").write_text("".join(f"{line}\n" for line in kept))


def put_item(path: Path, place: int, item: int) -> None:
    """Change one item of an array."""
    content = bytearray(path.read_bytes())
    size = np.load(path).itemsize
    start = 128 + size * place
    content[start : start + size] = item.to_bytes(size, "little", signed=item < 0)
    put(path, bytes(content))


def refusal(question: Callable[..., object], *arguments: object) -> str:
    """Return what a question says when it refuses the tables."""
    with pytest.raises(TableError) as caught:
        question(*arguments)
    return str(caught.value)


def test_the_tables_are_proved(tables: Path) -> None:
    """Each thing proved has its line; where the tables are makes no difference."""
    lines = [
        "21 files: size and CRC-32 are as listed, there is no other file",
        "standard: all 39366 states follow from the rules and each other",
        "fill: all 39366 states follow from the rules and each other",
        "misere: all 39366 states follow from the rules and each other",
        "fastest: all 39366 states follow from the rules and each other",
        "continuations: all 39366 counts are sums of the counts after them",
        "tables.msgpack: the same 4 variants, to the byte",
    ]
    assert ttt_runtime.verify().splitlines() == lines
    assert ttt_runtime.verify(tables).splitlines() == lines


def test_what_is_not_there_is_not_proved(tmp_path: Path) -> None:
    """A directory without tables is refused, and what is no directory too."""
    path = tmp_path / "nowhere"
    assert refusal(ttt_runtime.verify, path).startswith(f"{path}/checksums.txt: cannot")
    assert refusal(ttt_runtime.verify, 3) == "directory is 3, expected a path"


@pytest.mark.parametrize("name", ["README.md", "VERSION", "fastest/values.npy"])
def test_every_file_is_held_against_its_checksum(name: str, tables: Path) -> None:
    """Also those that no look-up reads."""
    path = tables / name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert refusal(ttt_runtime.verify, tables).startswith(f"{path}: CRC-32 is ")


@pytest.mark.parametrize("name", ["notes.txt", "fill/more.npy", "new/new/values.npy"])
def test_a_file_that_is_not_listed_is_refused(name: str, tables: Path) -> None:
    """Wherever it is, the error says so and what to do."""
    path = tables / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    assert refusal(ttt_runtime.verify, tables) == (
        f"{path}: should not be there, checksums.txt does not list it; remove it"
    )


@pytest.mark.parametrize("name", ["house/values.npy", "house/more/values.npy"])
def test_a_variant_without_known_rules_is_refused(name: str, tables: Path) -> None:
    """Its checksum fits, but there is nothing to prove its entries by."""
    path = tables / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    with (tables / "checksums.txt").open("a") as file:
        file.write(f"{0:08x} 0 {name}\n")
    assert refusal(ttt_runtime.verify, tables) == (
        f"{path}: no rules of 'house' are known to prove it by"
    )


@pytest.mark.parametrize(
    ("array", "board", "turn", "entry", "expected"),
    [
        ("standard/values", ".........", 0, 1, 0),
        ("standard/values", "........X", 0, 0, -1),
        ("standard/values", "OOOOOOOOO", 0, 0, 1),
        ("standard/values", "XXXOOO...", 0, 0, -128),
        ("standard/values", "OOOOOOOOO", 1, -1, 1),
        ("standard/moves", "XX.OO....", 0, 5, 2),
        ("standard/moves", "XX.OO....", 0, -1, 2),
        ("standard/moves", "X...O...X", 1, 3, 1),
        ("standard/moves", "XXXOO....", 1, 5, -1),
        ("standard/moves", "XXXOOO...", 1, 6, -1),
        ("standard/optimal", "XX.OO....", 0, 36, 4),
        ("standard/optimal", ".........", 1, 255, 511),
        ("standard/optimal", ".........", 1, 510, 511),
        ("standard/optimal", "XXXOO....", 1, 32, 0),
        ("standard/optimal", "XXXOOO...", 0, 256, 0),
        ("standard/reachable", ".........", 0, 0, 1),
        ("standard/reachable", "XXXOO....", 1, 0, 1),
        ("standard/reachable", "XXXOO....", 1, 2, 1),
        ("standard/reachable", "OOOOOOOOO", 0, 1, 0),
        ("standard/reachable", "XXXX.OOOO", 1, 1, 0),
        ("fill/values", "OOO......", 1, 2, 3),
        ("fill/values", "OOOOOOOOO", 0, 7, 8),
        ("fill/optimal", "XX.OO....", 0, 4, 484),
        ("misere/values", "XXXOO....", 0, -1, 1),
        ("misere/moves", "XX.OO....", 0, 2, 6),
        ("fastest/values", "XXXOO....", 0, -1, -5),
        ("fastest/values", "OOOXXXXOX", 1, -1, -128),
    ],
)
def test_an_entry_that_the_rules_contradict_is_named(
    array: str, board: str, turn: int, entry: int, expected: int, tables: Path
) -> None:
    """A table with a fitting checksum is refused all the same."""
    name = array.split("/")[0]
    (variant,) = (each for each in VARIANTS if each.name == name)
    path = tables / f"{array}.npy"
    index = encode(board, turn)
    put_item(path, index, entry)
    table = Table(name, str(tables))
    assert refusal(certificate._certify_variant, variant, table, DIGITS) == (
        f"{path}: index {index}, board {board!r} with turn {turn}: found {entry}, "
        f"expected {expected} by the rules of {name}; {REMEDY}"
    )


def test_every_variant_is_held_against_the_rules(tables: Path) -> None:
    """Tables of one variant under the name of another are refused."""
    for array in ("values", "moves", "optimal"):
        path = tables / "fastest" / f"{array}.npy"
        put(path, (tables / "standard" / f"{array}.npy").read_bytes())
    assert refusal(ttt_runtime.verify, tables) == (
        f"{tables}/fastest/values.npy: index 13, board '......XXX' with turn 0: "
        f"found -1, expected -7 by the rules of fastest; {REMEDY}"
    )


@pytest.mark.parametrize(
    ("board", "turn", "column", "found", "expected"),
    [
        (".........", 0, 2, [131184, 77904, 1], [131184, 77904, 46080]),
        ("OOOOOOOOO", 0, 0, [1, 1, 0], [0, 1, 0]),
        ("OOOOOOOOO", 1, 1, [0, 2, 0], [0, 1, 0]),
        ("XXXOOO...", 1, 2, [0, 0, 1], [0, 0, 0]),
        ("XOXXOOOXX", 0, 0, [1, 0, 1], [0, 0, 1]),
    ],
)
def test_a_count_that_the_rules_contradict_is_named(
    board: str,
    turn: int,
    column: int,
    found: list[int],
    expected: list[int],
    tables: Path,
) -> None:
    """Continuations of a state are those of the states after it, or one at the end."""
    path = tables / "standard" / "continuations.npy"
    index = encode(board, turn)
    put_item(path, 3 * index + column, found[column])
    table = Table("standard", str(tables))
    assert refusal(certificate._certify_continuations, table, DIGITS) == (
        f"{path}: index {index}, board {board!r} with turn {turn}: found {found}, "
        f"expected {expected} by the rules of standard; {REMEDY}"
    )


def certify_bundle(tables: Path) -> str:
    """Hold the bundle alone against the other files."""
    loaded = [Table(variant.name, str(tables)) for variant in VARIANTS]
    return certificate._certify_bundle(str(tables), loaded)


def bundle() -> Any:
    """Return what the bundle holds."""
    return msgpack.unpackb((TABLES / "tables.msgpack").read_bytes())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xc1",
        msgpack.packb(bundle())[:-1],
        msgpack.packb(bundle()) + b"\0",
        msgpack.packb([1]),
        msgpack.packb({}),
        msgpack.packb(bundle() | {"version": 1}),
        msgpack.packb(bundle() | {"variants": ["standard"]}),
        msgpack.packb(bundle() | {"variants": {"standard": {"arrays": {"values": 1}}}}),
    ],
)
def test_what_is_no_bundle_is_refused(content: bytes, tables: Path) -> None:
    """The error names the file, not what reading it ran into."""
    path = tables / "tables.msgpack"
    put(path, content)
    assert refusal(certify_bundle, tables) == (
        f"{path}: is no bundle of tables; {REMEDY}"
    )


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"version": "2.0"}, "('ttt-tables', '2')"),
        ({"version": "10.0"}, "('ttt-tables', '10')"),
        ({"format": "tables"}, "('tables', '1')"),
    ],
)
def test_a_bundle_of_another_format_is_refused(
    change: dict[str, str], found: str, tables: Path
) -> None:
    """The error says which format it is, and which it should be."""
    path = tables / "tables.msgpack"
    put(path, msgpack.packb(bundle() | change))
    assert refusal(certify_bundle, tables) == (
        f"{path}: expected ttt-tables 1.0, found {found}; {REMEDY}"
    )


def test_a_bundle_of_a_later_minor_version_is_read(tables: Path) -> None:
    """What it holds more is nobody's business."""
    put(
        tables / "tables.msgpack",
        msgpack.packb(bundle() | {"version": "1.7.1", "more": 3}),
    )
    assert certify_bundle(tables) == "tables.msgpack: the same 4 variants, to the byte"


def take_out_variant(variants: dict[str, Any]) -> None:
    """Leave a variant out."""
    del variants["fastest"]


def take_out_array(variants: dict[str, Any]) -> None:
    """Leave an array out."""
    del variants["misere"]["arrays"]["optimal"]


def change_data(variants: dict[str, Any]) -> None:
    """Change one byte, and the hash with it."""
    array = variants["fill"]["arrays"]["moves"]
    array["data"] = b"\x07" + array["data"][1:]
    array["sha256"] = hashlib.sha256(array["data"]).hexdigest()


def change_hash(variants: dict[str, Any]) -> None:
    """Change the hash alone."""
    variants["standard"]["arrays"]["reachable"]["sha256"] = "0" * 64


def take_out_counts(variants: dict[str, Any]) -> None:
    """Leave the array out that one variant alone has."""
    del variants["standard"]["arrays"]["continuations"]


@pytest.mark.parametrize(
    ("change", "variant", "array"),
    [
        (take_out_variant, "fastest", "summary"),
        (take_out_array, "misere", "optimal"),
        (change_data, "fill", "moves"),
        (change_hash, "standard", "reachable"),
        (take_out_counts, "standard", "continuations"),
    ],
)
def test_a_bundle_that_differs_is_refused(
    change: Callable[[dict[str, Any]], None], variant: str, array: str, tables: Path
) -> None:
    """The error names the array, and the variant whose files it differs from."""
    changed = bundle()
    change(changed["variants"])
    path = tables / "tables.msgpack"
    put(path, msgpack.packb(changed))
    assert refusal(certify_bundle, tables) == (
        f"{path}: {variant} {array} differs from the files of {variant}; {REMEDY}"
    )


def test_the_bundle_is_held_against_its_checksum(tables: Path) -> None:
    """As every other file is."""
    path = tables / "tables.msgpack"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert refusal(certify_bundle, tables).startswith(f"{path}: CRC-32 is")
