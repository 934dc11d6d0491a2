"""Random input for a contest problem, to check a solution against the judge."""

import random
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import compress

from ..boards import BOARDS, STATES
from ..tables import load
from .command import PROBLEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .problem import Problem


def takes_many(problem: str) -> bool:
    """Return whether an input of a problem has any number of queries, or just one."""
    known = _module(problem)
    return bool(known.COUNT or known.END)


def random_input(problem: str, count: int, seed: int) -> Iterator[str]:
    r"""Yield an input of so many queries, part by part, in the problem's own layout.

    Each query has an answer. Half of them are drawn from the boards that games lead to,
    the others from all: the first are rare among these. But in ``csp-201803-4`` all are
    boards of games with X to move, as its statement promises. Only
    ``random.Random.random`` is asked, whose numbers Python promises to keep: so a seed
    stands for one input.

    Parameters
    ----------
    problem : str
        One of `ttt_runtime.judge.command.PROBLEMS`.
    count : int
        How many queries: 1 unless `takes_many`.
    seed : int
        0 or more.

    Examples
    --------
    >>> "".join(random_input("counting", 2, 7))
    '2\n.XX..XOOO\n..XXXOOO.\n'
    """
    known = _module(problem)
    answered = [index for index, line in enumerate(known.answers()) if line is not None]
    pools = [_reached(known), answered]
    if problem == "csp-201803-4":
        pools = [list(compress(range(BOARDS), load().raw("reachable")))] * 2
    write = cache(lambda index: _written(known, index))
    draw = random.Random(seed).random
    if known.COUNT:
        yield f"{count}\n"
    for _ in range(count):
        pool = pools[draw() < 0.5]
        yield write(pool[int(draw() * len(pool))])
    if known.END:
        yield f"{known.END}\n"


def _module(problem: str) -> "Problem":
    module: Problem = import_module(f".{PROBLEMS[problem]}", __package__)
    return module


def _reached(known: "Problem") -> list[int]:
    """Return the indices of queries about states that games lead to."""
    states = compress(range(STATES), load().raw("reachable"))
    turn = sum([width for _, _, width in known.FIELDS]) > 9
    return sorted([index if turn else index % BOARDS for index in states])


def _written(known: "Problem", index: int) -> str:
    """Return the text of a query."""
    tokens = []
    for (_, symbols, width), blank in zip(
        reversed(known.FIELDS), reversed(known.AFTER), strict=True
    ):
        token = ""
        for _ in range(width):
            index, digit = divmod(index, 3)
            token = symbols[digit] + token
        tokens.append(token + blank)
    return "".join(reversed(tokens))
