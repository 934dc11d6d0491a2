"""Tests of `ttt_runtime.verify` and of `ttt_runtime.certificate` behind it."""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

from tests.files import TABLES, reseal
from ttt_runtime import TableError, TTTError, certificate, encode, verify
from ttt_runtime.boards import Grid
from ttt_runtime.builder.variants import build
from ttt_runtime.files import COMMON
from ttt_runtime.variants import RULES, Variant, named


def remedy(variant: str, tables: Path) -> str:
    """Return what a refusal advises."""
    own = " --variants FILE.py" if variant == "own" else ""
    return f"build it again with 'ttt build {variant}{own} --out {tables}'"


def put(path: Path, content: bytes, tables: Path) -> None:
    """Write a file of the tables, and make checksums.txt fit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    reseal(tables)


def refusal(tables: Path) -> str:
    """Return what `verify` says when it refuses the tables."""
    with pytest.raises(TableError) as caught:
        verify(tables)
    return str(caught.value)


def test_the_tables_are_proved(tables: Path) -> None:
    lines = [
        "21 files: size and CRC-32 are as listed, there is no other file",
        "standard: all 39366 states follow from the rules and each other",
        "fill: all 39366 states follow from the rules and each other",
        "misere: all 39366 states follow from the rules and each other",
        "fastest: all 39366 states follow from the rules and each other",
        "continuations: all 39366 counts are sums of the counts after them",
        "tables.msgpack: the same 4 variants, to the byte",
    ]
    assert verify().splitlines() == lines
    assert verify(tables).splitlines() == lines


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nowhere"
    assert refusal(path).startswith(f"{path}/checksums.txt: cannot be read")


@pytest.mark.parametrize("name", ["msgpack", "numpy"])
def test_a_missing_package_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ttt_runtime.certificate", raising=False)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(TTTError) as caught:
        verify()
    assert str(caught.value) == (
        f"verify needs {name}, which is not installed: pip install {name}"
    )


@pytest.mark.parametrize("name", ["README.md", "VERSION", "fastest/values.npy"])
def test_every_file_is_held_against_its_checksum(name: str, tables: Path) -> None:
    path = tables / name
    path.write_bytes(path.read_bytes()[:-1] + b"\x55")
    assert refusal(tables).startswith(f"{path}: CRC-32 is ")


@pytest.mark.parametrize("name", ["notes.txt", "fill/more.npy", "new/new/values.npy"])
def test_a_file_that_is_not_listed_is_refused(name: str, tables: Path) -> None:
    path = tables / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    assert refusal(tables) == (
        f"{path}: should not be there, checksums.txt does not list it; remove it"
    )


@pytest.mark.parametrize("name", ["house/values.npy", "house/more/values.npy"])
def test_a_variant_without_known_rules_is_refused(name: str, tables: Path) -> None:
    path = tables / name
    put(path, b"", tables)
    house = name.removesuffix("/values.npy")
    assert refusal(tables) == (
        f"{path}: no rules of {house!r} are known to prove it by; --variants FILE.py "
        "or verify(variants=...) gives them"
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
        ("standard/moves", "X...O...X", 1, 3, 1),
        ("standard/moves", "XXXO.....", 1, 5, -1),
        ("standard/moves", "XXXOOO...", 1, 6, -1),
        ("standard/optimal", "XX.OO....", 0, 36, 4),
        ("standard/optimal", ".........", 1, 255, 511),
        ("standard/optimal", "XXXOO....", 1, 32, 0),
        ("standard/optimal", "XXXOOO...", 0, 256, 0),
        ("standard/reachable", ".........", 0, 0, 1),
        ("standard/reachable", "XXXOO....", 1, 0, 1),
        ("standard/reachable", "OOOOOOOOO", 0, 1, 0),
        ("standard/reachable", "XXXX.OOOO", 1, 1, 0),
        (
            "standard/continuations",
            ".........",
            0,
            [131184, 77904, 1],
            [131184, 77904, 46080],
        ),
        ("standard/continuations", "OOOOOOOOO", 1, [0, 2, 0], [0, 1, 0]),
        ("standard/continuations", "XXXOOO...", 1, [0, 0, 1], [0, 0, 0]),
        ("standard/continuations", "XOXXOOOXX", 0, [1, 0, 1], [0, 0, 1]),
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
    array: str, board: str, turn: int, entry: object, expected: object, tables: Path
) -> None:
    path = tables / f"{array}.npy"
    index, variant = encode(board, turn), array.split("/")[0]
    content = np.load(path)
    content[index] = entry
    np.save(path, content)
    reseal(tables)
    assert refusal(tables) == (
        f"{path}: index {index}, board {board!r} with turn {turn}: found {entry}, "
        f"expected {expected} by the rules of {variant}; {remedy(variant, tables)}"
    )


def test_a_byte_other_than_0_and_1_is_no_truth_value(tables: Path) -> None:
    path = tables / "standard" / "reachable.npy"
    content = bytearray(path.read_bytes())
    content[128] = 2
    put(path, bytes(content), tables)
    assert refusal(tables).startswith(f"{path}: index 0, ")


def test_every_variant_is_held_against_its_own_rules(tables: Path) -> None:
    for array in ("values", "moves", "optimal"):
        path = tables / "fastest" / f"{array}.npy"
        put(path, (tables / "standard" / f"{array}.npy").read_bytes(), tables)
    assert refusal(tables).startswith(f"{tables}/fastest/values.npy: index 13, board ")


def bundle() -> Any:
    """Return what the bundle holds."""
    return msgpack.unpackb((TABLES / "tables.msgpack").read_bytes())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        msgpack.packb(bundle())[:-1],
        msgpack.packb(bundle()) + b"\0",
        msgpack.packb([1]),
        msgpack.packb({}),
        msgpack.packb(bundle() | {"version": 1}),
        msgpack.packb(bundle() | {"variants": ["standard"]}),
        msgpack.packb(bundle() | {"variants": {"standard": {"arrays": {"values": 1}}}}),
    ],
)
def test_other_data_in_place_of_the_bundle_is_refused(
    content: bytes, tables: Path
) -> None:
    path = tables / "tables.msgpack"
    put(path, content, tables)
    assert refusal(tables) == (
        f"{path}: found other data, expected a bundle of tables; "
        f"{remedy('VARIANT', tables)}"
    )


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"version": "10.0"}, "('ttt-tables', '10')"),
        ({"format": "tables"}, "('tables', '1')"),
    ],
)
def test_a_bundle_of_another_format_is_refused(
    change: dict[str, str], found: str, tables: Path
) -> None:
    path = tables / "tables.msgpack"
    put(path, msgpack.packb(bundle() | change), tables)
    assert refusal(tables) == (
        f"{path}: expected ttt-tables 1.0, found {found}; {remedy('VARIANT', tables)}"
    )


def test_a_bundle_of_a_later_minor_version_is_read(tables: Path) -> None:
    later = bundle() | {"version": "1.7.1", "more": 3}
    put(tables / "tables.msgpack", msgpack.packb(later), tables)
    assert verify(tables).endswith("tables.msgpack: the same 4 variants, to the byte")


def change_data(variants: dict[str, Any]) -> None:
    """Change one byte, and the hash with it."""
    array = variants["fill"]["arrays"]["moves"]
    array["data"] = b"\x07" + array["data"][1:]
    array["sha256"] = hashlib.sha256(array["data"]).hexdigest()


@pytest.mark.parametrize(
    ("change", "variant", "array"),
    [
        (lambda v: v.pop("fastest"), "fastest", "summary"),
        (lambda v: v["misere"]["arrays"].pop("optimal"), "misere", "optimal"),
        (change_data, "fill", "moves"),
        (
            lambda v: v["standard"]["arrays"]["reachable"].update(sha256="0" * 64),
            "standard",
            "reachable",
        ),
        (
            lambda v: v["standard"]["arrays"].pop("continuations"),
            "standard",
            "continuations",
        ),
    ],
)
def test_a_bundle_that_differs_is_refused(
    change: Callable[[dict[str, Any]], object], variant: str, array: str, tables: Path
) -> None:
    changed = bundle()
    change(changed["variants"])
    path = tables / "tables.msgpack"
    put(path, msgpack.packb(changed), tables)
    assert refusal(tables) == (
        f"{path}: {variant} {array} differs from the files of {variant}; "
        f"{remedy('VARIANT', tables)}"
    )


NAMES = ["standard-1x3x2", "fill-1x3x2", "misere-2x2x2", "fastest-2x3x2"]


def test_variants_of_other_sizes_are_proved_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate, "BOARDS_AT_ONCE", 100)
    build([named(name) for name in NAMES], tmp_path)
    assert verify(tmp_path).splitlines() == [
        "22 files: size and CRC-32 are as listed, there is no other file",
        "fastest-2x3x2: all 1458 states follow from the rules and each other",
        "fill-1x3x2: all 54 states follow from the rules and each other",
        "misere-2x2x2: all 162 states follow from the rules and each other",
        "standard-1x3x2: all 54 states follow from the rules and each other",
    ]
    (tmp_path / "standard-1x3x2" / "notes.txt").touch()
    assert len(verify(tmp_path, ["fill-1x3x2"]).splitlines()) == 2
    for path in tmp_path / "fill-1x3x2" / "notes.txt", tmp_path / "notes.txt":
        path.touch()
        with pytest.raises(TableError, match=f"^{path}: should not be there, "):
            verify(tmp_path, ["fill-1x3x2"])
        path.unlink()
    (tmp_path / "standard-1x3x2" / "notes.txt").unlink()
    (tmp_path / "fill-2x2x2").mkdir()
    (tmp_path / "fill-2x2x2" / "values.npy").touch()
    with pytest.raises(TableError, match="; 'ttt remove fill-2x2x2' takes away a half"):
        verify(tmp_path)
    with pytest.raises(TableError, match="standard-2x2x2 is not built; build it with"):
        verify(tmp_path, ["standard-2x2x2"])


@pytest.mark.parametrize("name", NAMES[:3])
def test_no_entry_can_be_another_one(name: str, tmp_path: Path) -> None:
    build([named(name)], tmp_path)
    for array in COMMON:
        path = tmp_path / name / f"{array}.npy"
        entries = np.load(path)
        for index in range(len(entries)):
            changed = entries.copy()
            changed[index] = changed[index] == 0
            np.save(path, changed)
            reseal(tmp_path)
            with pytest.raises(TableError, match=f" by the rules of {name}; build it "):
                verify(tmp_path)
        np.save(path, entries)


def test_a_board_without_lines_is_proved(tmp_path: Path) -> None:
    none = Variant("none", RULES["standard"], Grid(1, 2, []))
    build([none], tmp_path)
    assert "none: all 18 states follow" in verify(tmp_path, variants=[none])


def test_a_variant_is_proved_by_rules_for_its_own_board_alone(tmp_path: Path) -> None:
    own, other = [
        Variant("own", RULES["fill"], Grid(1, 3, lines)) for lines in (2, [(0, 2)])
    ]
    build([own], tmp_path)
    assert "own: all 54 states follow" in verify(tmp_path, variants=[own])
    with pytest.raises(TableError) as caught:
        verify(tmp_path, variants=[other])
    assert str(caught.value) == (
        f"{tmp_path}: own was built on another board than its rules have; "
        f"{remedy('own', tmp_path)}"
    )
