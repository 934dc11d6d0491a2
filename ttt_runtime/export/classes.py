"""A value for each class of the states that games lead to, in a few hundred bytes.

Nothing is kept but codes of values: no index, no list of the classes. A class is known
by its smallest board, and its code is the exclusive or of three places of one table,
which three hashes of that board give: B. Chazelle and others, "The Bloomier filter"
(2004). Any other board would get a code, too, but a meaningless one, so `classes.h.in`
first finds out whether a game leads to the state.
"""

from itertools import count

import numpy as np

from ..symmetry import transforms
from ..tables import Table
from .functions import as_numbers
from .packing import SPARE, Array, bits_of, packed

_PLACES = 1.23
"""For each class: with fewer than 1.222, most large tables have no solution."""


def of_classes(table: Table) -> dict[str, object]:
    """Return what the template of classes needs."""
    grid = table.grid
    powers = np.array(grid.powers)
    indices = np.flatnonzero(table.reachable)  # of one turn, or a board is of no game
    digits = indices[:, None] // powers % 3
    ways = np.array(transforms(grid))
    smallest = np.min([digits[:, way] @ powers for way in ways], 0)
    boards, firsts = np.unique(smallest, return_index=True)
    meanings, codes = np.unique(table.values[indices[firsts]], return_inverse=True)
    third, seed, places = _solved(boards.tolist(), codes.tolist())
    lines = [sum([1 << cell for cell in line]) for line in grid.lines]
    masks = np.array(lines or [0], "<u2").tobytes()
    content = packed(places) + SPARE
    return {
        "classes": len(boards),
        "size": len(content),
        "data": as_numbers(content),
        "bits": bits_of(places),
        "third": third,
        "seed": seed,
        "meanings": as_numbers(meanings).strip(),
        "ways": len(ways),
        "transforms": as_numbers(ways.ravel()),
        "lines": len(lines),
        "masks": as_numbers(masks),
        "ends": int(table.rules.ends_at_line),
    }


def _solved(boards: list[int], codes: list[int]) -> tuple[int, int, Array]:
    """Return a third of the number of places, the seed of the hashes, the places."""
    third = int(_PLACES * len(boards) / 3) + 3
    for number in count():
        seed = number * 0x9E3779B9 & 0xFFFFFFFF  # far from one another
        triples = [
            [part * third + _hash(3 * board + part + seed) % third for part in range(3)]
            for board in boards
        ]
        order = _peeled(triples, 3 * third)
        if len(order) == len(boards):
            break
    places = [0] * (3 * third)
    for which, place in reversed(order):  # no triple that follows has this place
        code = codes[which]
        for other in triples[which]:
            code ^= places[other]
        places[place] = code
    return third, seed, np.array(places)


def _peeled(triples: list[list[int]], size: int) -> list[tuple[int, int]]:
    """Return triples, each with a place that none of those after it has.

    All of them, or else those that are left have each of their places in common with
    another one.
    """
    held: list[set[int]] = [set() for _ in range(size)]
    for which, triple in enumerate(triples):
        for place in triple:
            held[place].add(which)
    order = []
    alone = [place for place in range(size) if len(held[place]) == 1]
    for place in alone:
        if held[place]:
            (which,) = held[place]
            order.append((which, place))
            for other in triples[which]:
                held[other].remove(which)
                if len(held[other]) == 1:
                    alone.append(other)
    return order


def _hash(state: int) -> int:
    """Return 32 bits: the end of MurmurHash3, by Austin Appleby, public domain."""
    state &= 0xFFFFFFFF
    state = (state ^ state >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    state = (state ^ state >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return state ^ state >> 16
