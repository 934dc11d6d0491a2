"""Tables of small numbers: each in as few bits as it takes, equal rows kept once."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]

SPARE = bytes(3)
"""Behind the last table: a number is read out of four bytes."""


def bits_of(numbers: Array) -> int:
    """Return how many bits the largest of these numbers takes."""
    return max(1, int(numbers.max()).bit_length())


def packed(numbers: Array) -> bytes:
    """Return numbers of `bits_of` bits each, one behind the other, low bits first.

    Examples
    --------
    >>> packed(np.array([1, 2, 3])).hex()
    '39'
    """
    ones = numbers[:, None] >> np.arange(bits_of(numbers)) & 1
    return np.packbits(ones.astype(np.uint8), bitorder="little").tobytes()


def chain(codes: Array, cells: int) -> list[tuple[int, Array]]:
    """Return the smallest tables that lead from a state's index to its code.

    The digits of the index are read in up to three portions. The first is a place in
    the first table, which has the number of a row there; the next a place in that row
    of the second table, and so on; the last table has the codes.

    Parameters
    ----------
    codes : array of int, shape (2 * 3**cells,)

    Returns
    -------
    list of (int, array)
        Each table, behind how many digits its portion leaves.

    Examples
    --------
    >>> [(left, each.tolist()) for left, each in chain(np.array([7, 7, 7] * 6), 2)]
    [(1, [0, 0, 0, 0, 0, 0]), (0, [7, 7, 7])]
    """
    return min(_chains(codes, cells), key=_size)


def _chains(codes: Array, cells: int) -> Iterator[list[tuple[int, Array]]]:
    rows = {left: _rows(codes, 3**left) for left in range(cells)}
    for count in range(3):  # one more would save 8 % at most on 3x3
        for portions in combinations(range(cells - 1, 0, -1), count):
            tables, firsts, width = [], np.zeros(1, np.int64), len(codes)
            for left in (*portions, 0):
                numbers, own_firsts = rows[left] if left else (codes, firsts)
                span = width // 3**left
                tables.append((left, numbers.reshape(-1, span)[firsts].ravel()))
                firsts, width = own_firsts, 3**left
            yield tables


def _rows(codes: Array, width: int) -> tuple[Array, Array]:
    """Return the number of each row, and where each number comes first."""
    size = width * codes.itemsize
    content = codes.tobytes()
    known: dict[bytes, int] = {}
    numbers: list[int] = []
    firsts: list[int] = []
    for start in range(0, len(content), size):
        number = known.setdefault(content[start : start + size], len(known))
        if number == len(firsts):
            firsts.append(start // size)
        numbers.append(number)
    return np.array(numbers), np.array(firsts)


def _size(tables: list[tuple[int, Array]]) -> int:
    return sum([len(each) * bits_of(each) + 7 >> 3 for _, each in tables])
