"""Boards of other sizes: every entry, or a sample, is that of a plain search.

On 16 cells the search is asked about 10,000 states with at most nine empty cells, so
that it ends; the certificate covers every state.
"""

import random
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests import oracle
from tests.games import (
    GAMES,
    assert_counts_are_the_published_ones,
    marks_at_the_end_of_the_fastest_play,
)
from ttt_runtime import InvalidBoardError, Table, verify
from ttt_runtime.builder.solver import solve
from ttt_runtime.builder.variants import build
from ttt_runtime.files import COMMON
from ttt_runtime.variants import named


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    """Let the oracle forget the millions of states that a test asked it for."""
    yield
    oracle.entry.cache_clear()
    oracle.both_lines.cache_clear()


@pytest.mark.parametrize("size", ["3x4x3", "3x4x4"])
@pytest.mark.parametrize("rule", oracle.VARIANTS)
def test_every_entry_on_12_cells_is_the_oracles(rule: str, size: str) -> None:
    name = f"{rule}-{size}"
    arrays = solve(named(name))
    boards = ["".join(marks) for marks in product(".XO", repeat=12)]
    reached = oracle.reached(name, 12)
    rows = zip(*[arrays[array].tolist() for array in COMMON], strict=True)
    for turn in 0, 1:
        for board in boards:
            expected = *oracle.entry(name, board, turn), (board, turn) in reached
            assert next(rows) == expected, (board, turn)


@pytest.mark.parametrize("size", ["3x5x3", "4x4x4"])
@pytest.mark.parametrize("rule", ["standard", "misere"])
def test_counts_and_lengths_are_the_published_ones(rule: str, size: str) -> None:
    assert_counts_are_the_published_ones(rule, size, solve(named(f"{rule}-{size}")))
    marks = marks_at_the_end_of_the_fastest_play(rule, size)
    assert marks == GAMES[size][rule]["marks_at_the_end_of_the_fastest_play"]


def test_x_wins_4x4x3_with_its_third_mark_and_loses_it_in_misere() -> None:
    assert marks_at_the_end_of_the_fastest_play("standard", "4x4x3") == 5
    assert solve(named("misere-4x4x3"))["values"][0] == 1


SAMPLE = {**dict.fromkeys(range(7), 1350), 7: 400, 8: 100, 9: 50}
"""How many states have how many empty cells."""


def any_board(chance: random.Random, empty: int) -> str:
    """Put marks anywhere, most of them in no order that a game could have."""
    board = "." * empty + "".join(chance.choices("XO", k=16 - empty))
    return "".join(chance.sample(board, 16))


def played_board(name: str, chance: random.Random, empty: int) -> str:
    """Play at random, and not to the end as long as there is another way."""
    board = "." * 16
    while board.count(".") > empty and not oracle.ended(name, board):
        turn = board.count("X") - board.count("O")
        free = [cell for cell, mark in enumerate(board) if mark == "."]
        after = [oracle.play(board, turn, cell) for cell in free]
        board = chance.choice(
            [board for board in after if not oracle.ended(name, board)] or after
        )
    return board


def assert_a_sample_is_the_oracles(table: Table) -> None:
    """Ask about states that were played, and as many that were not."""
    chance, name = random.Random(15), table.variant
    for empty, count in SAMPLE.items():
        for number in range(count):
            if number % 2:
                board, turn = any_board(chance, empty), chance.randrange(2)
            else:
                board = played_board(name, chance, empty)
                turn = board.count("X") - board.count("O")
                assert table.is_reachable(board)
            index = table.grid.encode(board, turn)
            expected = oracle.entry(name, board, turn)
            found = [getattr(table, array)[index] for array in COMMON[:3]]
            assert tuple(found) == expected, (board, turn)
            if expected[0] == -128:
                with pytest.raises(InvalidBoardError):
                    table.value(board, turn)
            else:
                assert table.value(board, turn) == expected[0]


@pytest.mark.parametrize(("size", "value"), [("4x4x3", -1), ("4x4x4", 0)])
def test_standard_on_16_cells_holds_by_the_certificate_and_the_oracle(
    size: str, value: int, tmp_path: Path
) -> None:
    name = f"standard-{size}"
    build([named(name)], tmp_path)
    table = Table(name, str(tmp_path))
    assert table.value("." * 16) == value
    proved = f"{name}: all 86093442 states follow from the rules and each other"
    assert verify(tmp_path).splitlines()[1:] == [proved]
    assert_a_sample_is_the_oracles(table)
    shutil.rmtree(tmp_path)
