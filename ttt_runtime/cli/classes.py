"""One board of each class that games lead to: a handout, or rows of data."""

import csv
import sys
from collections.abc import Iterator
from json import dumps
from typing import NamedTuple

import numpy as np

from ..arrays import classes_at, decode_many, to_text
from ..tables import Table
from ..variants import Variant
from .words import NOTES, SIDES, prospect

_WIDTH = 80
"""Characters in a line of the handout: in a type of 10 points they fit on A4."""


class Class(NamedTuple):
    """A class, in which the counts tell whose turn it is."""

    board: str
    """The image with the smallest index."""
    turn: int | None
    """0 if X moves next, 1 if O does, None where play has ended."""
    marks: int
    images: int
    """How many there are, the board itself among them."""
    value: int
    """From O's viewpoint."""
    optimal: list[int]
    """The best cells of that board."""


def write(table: Table, form: str) -> None:
    """Print all classes as ``text``, ``csv`` or ``json``, as soon as each is known."""
    if form == "text":
        for line in _handout(table):
            print(line)
    elif form == "csv":
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(Class._fields)
        for group in _groups(table):
            for *known, cells in group:
                rows.writerow([*known, " ".join(map(str, cells))])
    else:
        before = "["
        for group in _groups(table):
            for each in group:
                print(before, dumps(each._asdict()), sep="", end="")
                before = ",\n "
        print("]")


def _groups(table: Table) -> Iterator[list[Class]]:
    """Yield the classes of each number of marks, by index.

    All images of a board that games lead to are boards that games lead to.
    """
    name, cells = table.variant, range(table.grid.cells)
    every = classes_at(np.flatnonzero(table.reachable), name)
    indices, images = np.unique(every, return_counts=True)
    boards, turns = decode_many(indices, name)
    marks = np.count_nonzero(boards, axis=1)
    for count in np.unique(marks).tolist():
        some = marks == count
        columns = (
            to_text(boards[some], name),
            turns[some],
            images[some],
            table.values.take(indices[some]),
            table.optimal.take(indices[some]),
        )
        yield [
            Class(
                board,
                turn if mask else None,
                count,
                alike,
                value,
                [cell for cell in cells if mask >> cell & 1],
            )
            for board, turn, alike, value, mask in zip(
                *[column.tolist() for column in columns], strict=True
            )
        ]


def _handout(table: Table) -> Iterator[str]:
    """Yield lines of boards side by side."""
    rule, _, _ = Variant(table.variant, table.rules, table.grid).summary.partition(":")
    yield f"{table.variant}: {rule}".rstrip(": ")
    yield "Each board stands for its class: what turning and mirroring make of it."
    yield "Below it: who wins with perfect play, and how many images it has. * is best."
    if table.rules.unit:
        yield NOTES[table.rules.unit]
    longest = f"X wins in {table.grid.cells}" if table.rules.unit else "8 images"
    width = max(len(longest), 2 * table.grid.columns - 1)
    across = (_WIDTH + 2) // (width + 2)
    total = 0
    for group in _groups(table):
        total += len(group)
        yield f"\n{_heading(group)}"
        for start in range(0, len(group), across):
            drawn = [_drawn(table, each) for each in group[start : start + across]]
            yield ""
            for line in zip(*drawn, strict=True):
                yield "  ".join([text.ljust(width) for text in line]).rstrip()
    yield f"\n{_counted(total, 'class', 'classes')}"


def _heading(group: list[Class]) -> str:
    """Return what all classes of a group have in common, and how many they are."""
    side = next((SIDES[each.turn] for each in group if each.turn is not None), None)
    move = f", {side} to move" if side else ""
    marks = _counted(group[0].marks, "mark", "marks")
    return f"{marks}{move}: {_counted(len(group), 'class', 'classes')}"


def _drawn(table: Table, each: Class) -> list[str]:
    """Return the rows of a board, and what is below it."""
    columns = table.grid.columns
    marks = ["*" if at in each.optimal else mark for at, mark in enumerate(each.board)]
    starts = range(0, len(marks), columns)
    winner = int(each.value > 0)
    words = prospect(table.rules, each.board, winner, each.value)
    if each.value:  # to the winner it is "win", "win in 3" or "win by 2"
        words = f"{SIDES[winner]} {words.replace('win', 'wins')}"
    return [
        *[" ".join(marks[start : start + columns]) for start in starts],
        words,
        _counted(each.images, "image", "images"),
    ]


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
