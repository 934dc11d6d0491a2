"""Prove tables: the files are whole, and what they say is minimax.

No search is needed. If every finished state bears the score that the rules give it, and
every other state the best of the values after it, then all values are right, by
induction over the empty cells. Moves and masks follow from the values; reachability
is certified in the same way from the states before each state, and continuations from
the counts after it.

Nothing is shared with the builder: it takes whole rows of a table cut in two halves,
while this adds powers of 3 to indices, some boards at a time.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from .boards import NO_MOVE, UNDEFINED
from .errors import TableError, UnknownVariantError
from .files import (
    ABOUT,
    ARRAYS,
    COMMON,
    DTYPE_NAMES,
    PACKAGED,
    VERSION,
    files_below,
    read_checked,
    read_checksums,
    remedy,
)
from .tables import Table
from .variants import VARIANTS, Variant, named

BUNDLE = "tables.msgpack"

BOARDS_AT_ONCE = 1 << 15
"""How many boards are proved at once: an index for each of 16 cells takes 4 MiB."""

Array = NDArray[Any]


def certify(
    directory: str, names: Sequence[str] = (), variants: Sequence[Variant] = ()
) -> Iterator[str]:
    """Check files and entries; yield a line for each thing proved.

    Parameters
    ----------
    directory : str
        Where the tables are.
    names : sequence of str
        The variants to prove; all that are there if none is named.
    variants : sequence of Variant
        Rules of your own that may be needed.

    Raises
    ------
    TableError
        At the first file that is missing, damaged or should not be there, and at the
        first entry that the rules contradict.
    """
    for name in names:
        Table(name, directory)  # says how to build what is not there
    listed = read_checksums(directory)
    yield _certify_files(directory, listed, names)
    wanted = list(names) or [
        path.removesuffix("/values.npy")
        for path in listed
        if path.endswith("/values.npy")
    ]
    known = {variant.name: variant for variant in variants}
    tables = []
    for name in _in_order(wanted):
        variant = known.get(name) or _rules_of(directory, name)
        table = Table(name, directory)
        if (
            table.grid.lines != variant.grid.lines
            or table.grid.cells != variant.grid.cells
        ):
            raise TableError(
                f"{directory}: {name} was built on another board than its rules have; "
                f"{remedy(os.path.join(directory, name, ABOUT))}"
            )
        tables.append((variant, table))
    for variant, table in tables:
        _certify_entries(variant, table)
        states = variant.grid.states
        yield (
            f"{variant.name}: all {states} states follow from the rules and each other"
        )
    for variant, _ in tables:
        if variant.counted:
            yield (
                f"continuations: all {variant.grid.states} counts are sums of the "
                "counts after them"
            )
    if BUNDLE in listed or directory == PACKAGED:
        _certify_bundle(directory, tables)
        yield f"{BUNDLE}: the same {len(tables)} variants, to the byte"


def _in_order(names: Sequence[str]) -> list[str]:
    """Return names with those that come with the package first, as they are listed."""
    shipped = [variant.name for variant in VARIANTS if variant.name in names]
    return [*shipped, *[name for name in names if name not in shipped]]


def _rules_of(directory: str, name: str) -> Variant:
    try:
        return named(name)
    except UnknownVariantError:
        raise TableError(
            f"{os.path.join(directory, name, 'values.npy')}: "
            f"no rules of {name!r} are known to prove it by; --variants FILE.py or "
            "verify(variants=...) gives them"
        ) from None


def _certify_files(
    directory: str, listed: dict[str, tuple[str, int]], names: Sequence[str]
) -> str:
    """Check that every file is as listed, and that there is no other.

    If variants are named, only their files are looked at, and those beside them all.
    """
    folders = ["", *names]

    def asked_for(name: str) -> bool:
        return not names or name.rpartition("/")[0] in folders

    some = [name for name in listed if asked_for(name)]
    for name in some:
        read_checked(directory, name, listed)
    for name in filter(asked_for, files_below(directory)):
        if name not in {"checksums.txt", *listed}:
            folder = name.partition("/")[0]
            half = name.count("/") == 1 and f"{folder}/values.npy" not in listed
            cure = f"'ttt remove {folder}' takes away a half-built variant"
            raise TableError(
                f"{os.path.join(directory, name)}: should not be there, "
                f"checksums.txt does not list it; {cure if half else 'remove it'}"
            )
    count = len(some) + 1
    return f"{count} files: size and CRC-32 are as listed, there is no other file"


def _certify_entries(variant: Variant, table: Table) -> None:
    """Compare every entry with the rules and with the entries around it."""
    starts = range(0, variant.grid.boards, BOARDS_AT_ONCE)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # NumPy works outside of the lock
        for _ in pool.map(partial(_certify_boards, variant, table), starts):
            pass  # but for what it may raise


def _certify_boards(variant: Variant, table: Table, start: int) -> None:
    """Compare the entries of `BOARDS_AT_ONCE` boards, either side to move."""
    boards = variant.grid.boards
    numbers = np.arange(start, min(start + BOARDS_AT_ONCE, boards))
    powers = np.array(variant.grid.powers)[:, None]
    digits = (numbers // powers % 3).astype(np.uint8)
    score, live = _endings(variant, digits)
    for turn in 0, 1:
        free, set_before = digits == 0, digits == 2 - turn
        across = numbers + boards * (1 - turn)
        after = np.where(free, across + (turn + 1) * powers, 0)
        before = np.where(set_before, across - (2 - turn) * powers, 0)
        came = set_before & table.reachable[before]
        came[came] = table.moves[before[came]] != NO_MOVE
        first = (numbers == 0) & (turn == 0)
        expected = _following(table, turn, score, live, free, after)
        expected["reachable"] = 1 * (came.any(0) | first)
        if variant.counted:
            sums = table.continuations[after].sum(0, where=free[..., None])
            won_by_x = (score < 0) & (score != UNDEFINED)
            ends = np.stack([won_by_x, score > 0, score == 0], -1)
            expected["continuations"] = np.where(live[:, None], sums, ends)
        for name, entries in expected.items():
            _compare(table, name, start + turn * boards, entries)


def _endings(variant: Variant, digits: Array) -> tuple[Array, Array]:
    """Return each board's score, where it has one, and whether play goes on there.

    The digits of a board are those in its cells: (cells, boards).
    """
    x_lines, o_lines = [
        sum(
            [(digits[list(line)] == mark).all(0) for line in variant.grid.lines],
            np.zeros(digits.shape[1], np.int64),
        )
        for mark in (1, 2)
    ]
    empty = (digits == 0).sum(0)
    scored = np.ones(empty.shape, np.bool_)
    live = empty > 0
    if variant.rules.ends_at_line:
        scored = (x_lines == 0) | (o_lines == 0)
        live &= x_lines + o_lines == 0
    scored &= ~live
    counts = np.stack([x_lines, o_lines, empty])[:, scored]
    kinds, places = np.unique(counts, axis=1, return_inverse=True)
    scores = [variant.rules.score(*kind) for kind in kinds.T.tolist()]
    score = np.full(empty.shape, UNDEFINED)
    score[scored] = np.array(scores, np.int64)[places.ravel()]
    return score, live


def _following(
    table: Table, turn: int, score: Array, live: Array, free: Array, after: Array
) -> dict[str, Array]:
    """Return the values, moves and masks that follow from the values after a move.

    `score` and `live` have an entry a board, `free` and `after`, whether a cell is
    empty and the index after a move there, have shape (cells, boards).
    """
    following = table.values[after]
    worst, best = (-128, np.max) if turn else (127, np.min)
    values = np.where(live, best(following, 0, initial=worst, where=free), score)
    optimal = free & live & (following == values)
    return {
        "values": values,
        "moves": np.where(optimal.any(0), optimal.argmax(0), NO_MOVE),
        "optimal": (optimal << np.arange(len(free))[:, None]).sum(0),
    }


def _compare(table: Table, name: str, first: int, expected: Array) -> None:
    """Hold some entries, from the first index on, against what they must be."""
    found = getattr(table, name)[first : first + len(expected)]
    if found.dtype == np.bool_:
        found = found.view(np.int8)  # or any byte but 0 would pass for true
    wrong = (found != expected).reshape(len(expected), -1).any(1)
    if wrong.any():
        place = int(wrong.argmax())
        board, turn = table.grid.decode(int(first) + place)
        path = os.path.join(table.directory, table.variant, f"{name}.npy")
        raise TableError(
            f"{path}: index {first + place}, board {board!r} with turn {turn}: "
            f"found {found[place].tolist()}, expected {expected[place].tolist()} "
            f"by the rules of {table.variant}; {remedy(path)}"
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
                    "shape": [table.grid.states, *entry],
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
    for_mover = table.values * np.repeat([-1, 1], table.grid.boards)
    counts = {
        "reachable": True,
        "finished": table.moves == NO_MOVE,
        "won": for_mover > 0,
        "lost": for_mover < 0,
        "drawn": for_mover == 0,
    }
    return {
        "rule": variant.summary,
        "states": table.grid.states,
        **{
            name: int((table.reachable & which).sum()) for name, which in counts.items()
        },
        "empty_board": int(table.values[0]),
    }
