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
from collections.abc import Callable
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

Arrays = dict[str, NDArray[Any]]


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
    for variant, table in tables:
        _certify_entries(variant, table, _common)
        lines.append(
            f"{variant.name}: all {STATES} states follow from the rules and each other"
        )
    for variant, table in tables:
        if variant.counted:
            _certify_entries(variant, table, _counts)
            lines.append(
                f"continuations: all {STATES} counts are sums of the counts after them"
            )
    _certify_bundle(directory, tables)
    lines.append(f"{BUNDLE}: the same {len(tables)} variants, to the byte")
    return "\n".join(lines)


def _certify_files(directory: str) -> str:
    """Check that every file is as listed, and that there is no other."""
    listed = read_checksums(directory)
    for name in listed:
        read_checked(directory, name, listed)
        variant = name.partition("/")[0]
        if "/" in name and variant not in [known.name for known in VARIANTS]:
            path = os.path.join(directory, *name.split("/"))
            raise TableError(
                f"{path}: no rules of {variant!r} are known to prove it by"
            )
    expected = {"checksums.txt", *listed}
    for name in files_below(directory):
        if name not in expected:
            path = os.path.join(directory, *name.split("/"))
            raise TableError(
                f"{path}: should not be there, checksums.txt does not list it; "
                "remove it"
            )
    count = len(expected)
    return f"{count} files: size and CRC-32 are as listed, there is no other file"


_NUMBERS = np.arange(BOARDS)
_POWERS = np.array(POWERS)[:, None]
_DIGITS = _NUMBERS // _POWERS % 3
"""The digit that each board, along the second axis, has in each cell."""


def _endings(variant: Variant) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Return, for every board, its score and whether play goes on there."""
    x_lines, o_lines = [
        np.sum([(_DIGITS[list(line)] == digit).all(0) for line in LINES], 0)
        for digit in (1, 2)
    ]
    empty = (_DIGITS == 0).sum(0)
    score = variant.score(x_lines, o_lines, empty)
    if not variant.ends_at_line:
        return score, empty > 0
    score = np.where((x_lines > 0) & (o_lines > 0), UNDEFINED, score)
    return score, (empty > 0) & (x_lines + o_lines == 0)


def _common(variant: Variant, table: Table, turn: int) -> Arrays:
    """Return what the arrays of every variant must hold where this side moves next.

    Each array has an entry a board.
    """
    score, live = _endings(variant)
    mover, waiter = turn + 1, 2 - turn
    free = _DIGITS == 0
    across = _NUMBERS + BOARDS * (1 - turn)
    after = table.values[np.where(free, across + mover * _POWERS, 0)]
    best = (
        after.max(0, initial=-128, where=free)
        if turn
        else after.min(0, initial=127, where=free)
    )
    values = np.where(live, best, score)
    optimal = free & live & (after == values)
    before = np.where(waiter == _DIGITS, across - waiter * _POWERS, 0)
    came = (waiter == _DIGITS) & table.reachable[before] & live[before % BOARDS]
    return {
        "values": values,
        "moves": np.where(optimal.any(0), optimal.argmax(0), NO_MOVE),
        "optimal": (optimal << np.arange(CELLS)[:, None]).sum(0),
        "reachable": 1 * (came.any(0) | ((_NUMBERS == 0) & (turn == 0))),
    }


def _counts(variant: Variant, table: Table, turn: int) -> Arrays:
    """Return the continuations that must stand where this side moves next."""
    score, live = _endings(variant)
    free = _DIGITS == 0
    across = _NUMBERS + BOARDS * (1 - turn)
    after = table.continuations[np.where(free, across + (turn + 1) * _POWERS, 0)]
    sums = after.sum(0, where=free[..., None])
    ends = np.stack([score == end for end in (-1, 1, 0)], -1)
    return {"continuations": np.where(live[:, None], sums, ends)}


def _certify_entries(
    variant: Variant, table: Table, expected: Callable[[Variant, Table, int], Arrays]
) -> None:
    """Compare arrays with what is expected of them for each side to move."""
    for turn in 0, 1:
        for name, right in expected(variant, table, turn).items():
            found = getattr(table, name)[turn * BOARDS :][:BOARDS]
            if found.dtype == np.bool_:
                found = found.view(np.int8)  # or any byte but 0 would pass for true
            wrong = (found != right).reshape(BOARDS, -1).any(1)
            if wrong.any():
                number = int(wrong.argmax())
                board, _ = decode(number)
                path = os.path.join(table.directory, table.variant, f"{name}.npy")
                raise TableError(
                    f"{path}: index {number + turn * BOARDS}, board {board!r} with "
                    f"turn {turn}: found {found[number].tolist()}, "
                    f"expected {right[number].tolist()} by the rules of "
                    f"{table.variant}; {remedy(path)}"
                )


def _certify_bundle(directory: str, tables: list[tuple[Variant, Table]]) -> None:
    """Check that the bundle says the same as the other files."""
    path = os.path.join(directory, BUNDLE)
    content = read_checked(directory, BUNDLE, read_checksums(directory))
    try:
        bundle = msgpack.unpackb(content)
        kind = bundle["format"], bundle["version"].split(".")[0]
        found = {
            (variant, name): value
            for variant, entry in bundle["variants"].items()
            for name, value in {**entry["arrays"], "summary": entry["summary"]}.items()
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
            if found.get((variant.name, name)) != value:
                raise TableError(
                    f"{path}: {variant.name} {name} differs from the files of "
                    f"{variant.name}; {remedy(path)}"
                )


def _summary(variant: Variant, table: Table) -> dict[str, object]:
    """Count a variant's states; won, lost and drawn are for the side to move."""
    reachable = table.reachable
    for_mover = table.values * np.repeat([-1, 1], BOARDS)
    counts = {
        "reachable": reachable,
        "finished": reachable & (table.moves == NO_MOVE),
        "won": reachable & (for_mover > 0),
        "lost": reachable & (for_mover < 0),
        "drawn": reachable & (for_mover == 0),
    }
    return {
        "rule": variant.summary,
        "states": STATES,
        **{name: int(np.count_nonzero(states)) for name, states in counts.items()},
        "empty_board": int(table.values[0]),
    }
