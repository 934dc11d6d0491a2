"""Every game of 3x3 standard, reviewed."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tests import oracle
from tests.reviews import judged, reviewed
from ttt_runtime import load
from ttt_runtime.review import review

EMPTY = "." * 9

judged_once = cache(judged)


def games(
    board: str = EMPTY, turn: int = 0, moves: tuple[dict[str, Any], ...] = ()
) -> Iterator[list[dict[str, Any]]]:
    """Yield the moves of each game from here, as the oracle judges them."""
    if oracle.ended("standard", board):
        yield [*moves]
        return
    for cell in range(9):
        if board[cell] == ".":
            move = judged_once("standard", board, turn, cell, len(moves) + 1)
            after = oracle.play(board, turn, cell)
            yield from games(after, 1 - turn, (*moves, move))


def test_every_one_of_the_255168_games_is_reviewed_as_by_the_oracle() -> None:
    table = load()
    count = 0
    for moves in games():
        known = review([move["cell"] for move in moves], table)
        assert known == reviewed("standard", (EMPTY, 0), moves)
        count += 1
    assert count == 255168
