"""A tournament of the levels, drawn with seeds, held against its exact chances."""

from collections import Counter
from functools import cache

import pytest

from tests import oracle
from tests.strength import PLAYERS, strength
from ttt_runtime import levels, load

GAMES = 4_000


def ending(x: str, o: str, seed: int) -> int:
    """Play a game, and return its value: -1 X wins, 0 a draw, 1 O wins."""
    board, turn = ".........", 0
    while True:
        level, trap = PLAYERS[(x, o)[turn]]
        cell = levels.choose(level, seed, board, turn, trap=trap)
        if cell is None:
            return load().value(board, turn)
        board, turn = oracle.play(board, turn, cell), 1 - turn


def test_a_hundred_thousand_games_end_as_often_as_they_should(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(levels, "weights", cache(levels.weights))
    expected = strength("standard")
    assert GAMES * len(expected) == 100_000
    for number, (pair, chances) in enumerate(expected.items()):
        seeds = range(number * GAMES, (number + 1) * GAMES)
        ends = Counter(ending(*pair, seed) for seed in seeds)
        for end, chance in zip((-1, 0, 1), chances, strict=True):
            error = float(GAMES * chance * (1 - chance)) ** 0.5
            assert abs(ends[end] - float(GAMES * chance)) <= 4 * error, (pair, end)
