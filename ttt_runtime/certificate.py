"""Prove the tables: the files are whole, and what they say is minimax.

No search is needed. If every finished state bears the score that the rules give it, and
every other state the best of the values after it, then all values are right, by
induction over the empty cells. Moves and masks follow from the values; reachability
is certified in the same way from the states before each state, and continuations from
the counts after it.

Nothing is shared with the builder: it steps along the axes of an array with an axis a
cell, while this adds powers of 3 to indices.
"""

import os
from hashlib import sha256
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from .boards import BOARDS, CELLS, LINES, NO_MOVE, POWERS, STATES, UNDEFINED, decode
from .errors import TableError
from .files import (
    ARRAYS,
    COMMON,
    DTYPE_NAMES,
    VERSION,
    files_below,
    read_checked,
    read_checksums,
    remedy,
)
from .tables import Table
from .variants import VARIANTS, Variant

BUNDLE = "tables.msgpack"

_NUMBERS = np.arange(BOARDS)
_POWERS = np.array(POWERS)[:, None]
_DIGITS = _NUMBERS // _POWERS % 3
"""The digit that each board, along the second axis, has in each cell."""


def certify(directory: str) -> str:
    """Check every file and every entry; return a line for each thing proved.

    Raises
    ------
    TableError
        At the first file that is missing, damaged or should not be there, and at the
        first entry that the rules contradict.
    """
    lines = [_certify_files(directory)]
    tables = [(variant, Table(variant.name, directory)) for variant in VARIANTS]
    counted = []
    for variant, table in tables:
        for turn in 0, 1:
            for name, entries in _expected(variant, table, turn).items():
                _compare(table, name, turn, entries)
        rules = "follow from the rules and each other"
        lines.append(f"{variant.name}: all {STATES} states {rules}")
        if variant.counted:
            sums = "are sums of the counts after them"
            counted.append(f"continuations: all {STATES} counts {sums}")
    _certify_bundle(directory, tables)
    bundled = f"{BUNDLE}: the same {len(tables)} variants, to the byte"
    return "\n".join([*lines, *counted, bundled])


def _certify_files(directory: str) -> str:
    """Check that every file is as listed, and that there is no other."""
    listed = read_checksums(directory)
    for name in listed:
        read_checked(directory, name, listed)
        variant = name.partition("/")[0]
        if "/" in name and variant not in [known.name for known in VARIANTS]:
            path = os.path.join(directory, name)
            raise TableError(
                f"{path}: no rules of {variant!r} are known to prove it by"
            )
    for name in files_below(directory):
        if name not in {"checksums.txt", *listed}:
            raise TableError(
                f"{os.path.join(directory, name)}: should not be there, "
                "checksums.txt does not list it; remove it"
            )
    count = len(listed) + 1
    return f"{count} files: size and CRC-32 are as listed, there is no other file"


def _expected(variant: Variant, table: Table, turn: int) -> dict[str, NDArray[Any]]:
    """Return what the arrays must hold, an entry a board, where this side moves next.

    It follows from the rules and from the entries after and before each state.
    """
    x_lines, o_lines = [
        np.sum([(_DIGITS[list(line)] == mark).all(0) for line in LINES], 0)
        for mark in (1, 2)
    ]
    free = _DIGITS == 0
    score, live = variant.score(x_lines, o_lines, free.sum(0)), free.any(0)
    if variant.ends_at_line:
        score = np.where((x_lines > 0) & (o_lines > 0), UNDEFINED, score)
        live &= x_lines + o_lines == 0

    mover, waiter, across = turn + 1, 2 - turn, _NUMBERS + BOARDS * (1 - turn)
    after = np.where(free, across + mover * _POWERS, 0)
    following = table.values[after]
    worst, best = (-128, np.max) if turn else (127, np.min)
    values = np.where(live, best(following, 0, initial=worst, where=free), score)
    optimal = free & live & (following == values)
    set_before = waiter == _DIGITS
    before = np.where(set_before, across - waiter * _POWERS, 0)
    came = set_before & table.reachable[before] & live[before % BOARDS]
    expected = {
        "values": values,
        "moves": np.where(optimal.any(0), optimal.argmax(0), NO_MOVE),
        "optimal": (optimal << np.arange(CELLS)[:, None]).sum(0),
        "reachable": 1 * (came.any(0) | ((_NUMBERS == 0) & (turn == 0))),
    }
    if variant.counted:
        sums = table.continuations[after].sum(0, where=free[..., None])
        ends = np.stack([(score < 0) & (score != UNDEFINED), score > 0, score == 0], -1)
        expected["continuations"] = np.where(live[:, None], sums, ends)
    return expected


def _compare(table: Table, name: str, turn: int, expected: NDArray[Any]) -> None:
    """Hold the entries of one side to move against what they must be."""
    found = getattr(table, name)[turn * BOARDS :][:BOARDS]
    if found.dtype == np.bool_:
        found = found.view(np.int8)  # or any byte but 0 would pass for true
    wrong = (found != expected).reshape(BOARDS, -1).any(1)
    if wrong.any():
        number = int(wrong.argmax())
        path = os.path.join(table.directory, table.variant, f"{name}.npy")
        raise TableError(
            f"{path}: index {number + turn * BOARDS}, board {decode(number)[0]!r} with "
            f"turn {turn}: found {found[number].tolist()}, expected "
            f"{expected[number].tolist()} by the rules of {table.variant}; "
            f"{remedy(path)}"
        )


def _certify_bundle(directory: str, tables: list[tuple[Variant, Table]]) -> None:
    """Check that the bundle says the same as the other files."""
    path = os.path.join(directory, BUNDLE)
    content = read_checked(directory, BUNDLE, read_checksums(directory))
    try:
        bundle = msgpack.unpackb(content)
        kind = bundle["format"], bundle["version"].split(".")[0]
        found = {
            name: {**entry["arrays"], "summary": entry["summary"]}
            for name, entry in bundle["variants"].items()
        }
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise TableError(
            f"{path}: found other data, expected a bundle of tables; {remedy(path)}"
        ) from error
    if kind != ("ttt-tables", VERSION.split(".")[0]):
        raise TableError(
            f"{path}: expected ttt-tables {VERSION}, found {kind}; {remedy(path)}"
        )
    for variant, table in tables:
        expected: dict[str, object] = {"summary": _summary(variant, table)}
        for name, (dtype, entry) in ARRAYS.items():
            if name in COMMON or variant.counted:
                data = table.raw(name)
                expected[name] = {
                    "dtype": DTYPE_NAMES[dtype],
                    "shape": [STATES, *entry],
                    "sha256": sha256(data).hexdigest(),
                    "data": data,
                }
        for name, value in expected.items():
            if found.get(variant.name, {}).get(name) != value:
                raise TableError(
                    f"{path}: {variant.name} {name} differs from the files of "
                    f"{variant.name}; {remedy(path)}"
                )


def _summary(variant: Variant, table: Table) -> dict[str, object]:
    """Count a variant's states; won, lost and drawn are for the side to move."""
    for_mover = table.values * np.repeat([-1, 1], BOARDS)
    counts = {
        "reachable": True,
        "finished": table.moves == NO_MOVE,
        "won": for_mover > 0,
        "lost": for_mover < 0,
        "drawn": for_mover == 0,
    }
    return {
        "rule": variant.summary,
        "states": STATES,
        **{
            name: int((table.reachable & which).sum()) for name, which in counts.items()
        },
        "empty_board": int(table.values[0]),
    }
