"""Tests of `ttt_runtime.variants`, and of boards of other sizes than 3x3."""

import json
import random
from itertools import product

import pytest

from tests.games import GAMES
from ttt_runtime import (
    InvalidBoardError,
    InvalidIndexError,
    InvalidVariantError,
    UnknownVariantError,
)
from ttt_runtime.boards import THREE, Grid
from ttt_runtime.variants import (
    _NUMBERS,
    RULES,
    Rules,
    Variant,
    describe,
    described,
    named,
)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (1, 7), (7, 1)])
def test_every_state_of_a_small_board_has_the_index_of_its_place(
    shape: tuple[int, int],
) -> None:
    grid = Grid(*shape, 1)
    boards = ["".join(marks) for marks in product(".XO", repeat=grid.cells)]
    states = [(board, turn) for turn in (0, 1) for board in boards]
    assert [grid.encode(*state) for state in states] == list(range(grid.states))
    assert [grid.decode(index) for index in range(grid.states)] == states


def test_boards_of_16_cells_are_read_to_the_last() -> None:
    chance, grid = random.Random(1), Grid(4, 4, 4)
    for _ in range(300):
        marks = chance.choices(".XO", k=16)
        number = int("".join(str(".XO".index(mark)) for mark in marks), 3)
        board, lead = "".join(marks), marks.count("X") - marks.count("O")
        assert grid.encode(board, 1) == 3**16 + number
        assert grid.decode(number) == (board, 0)
        if lead in (0, 1):
            assert grid.infer_turn(board) == lead
        else:
            with pytest.raises(InvalidBoardError, match="X moves first"):
                grid.encode(board)
    assert grid.encode("O" * 16, 1) == grid.states - 1 == 86093441


def test_a_board_of_another_size_is_named() -> None:
    with pytest.raises(InvalidBoardError) as caught:
        Grid(4, 4, 4).encode("XX.OO....")
    assert str(caught.value) == (
        "board 'XX.OO....' has 9 marks, expected 16: "
        "row by row from the top left, '.' for an empty cell"
    )
    with pytest.raises(InvalidBoardError, match="9 marks, fill-4x4x4 has 16: row by"):
        named("fill-4x4x4").grid.encode("XX.OO....")
    with pytest.raises(InvalidBoardError, match="expected a str of 4 marks such as"):
        Grid(2, 2, 2).encode(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidIndexError, match="is 162, expected .* from 0 to 161"):
        Grid(2, 2, 2).decode(162)


@pytest.mark.parametrize("size", GAMES)
def test_lines_are_as_many_as_published(size: str) -> None:
    rows, columns, length = map(int, size.split("x"))
    assert len(Grid(rows, columns, length).lines) == GAMES[size]["lines"]


def test_outcome_on_another_board() -> None:
    grid = Grid(2, 3, 3)
    assert grid.lines == ((0, 1, 2), (3, 4, 5))
    assert grid.outcome("XXX.OO") == "X_WON"
    assert grid.outcome("OOOXX.") == "O_WON"
    assert grid.outcome("XOXOXO") == "DRAW"
    assert grid.outcome("XOXOX.") == "IN_PROGRESS"
    with pytest.raises(InvalidBoardError, match="a line of X and a line of O"):
        grid.outcome("XXXOOO")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3, 1), "a board of 0x3 has 0 cells, expected 1 to 16"),
        ((-1, -2, 1), "a board of -1x-2 has 2 cells, expected 1 to 16"),
        ((4, 5, 4), "a board of 4x5 has 20 cells, expected 1 to 16"),
        ((3, 4, 5), "a line of 5 does not fit a board of 3x4, expected 1 to 4"),
        ((3, 4, 0), "a line of 0 does not fit a board of 3x4, expected 1 to 4"),
        ((2, 2, [(0, 4)]), "line (0, 4) is not a set of cells, each 0 to 3"),
        ((2, 2, [(1, 1)]), "line (1, 1) is not a set of cells, each 0 to 3"),
        ((2, 2, [()]), "line () is not a set of cells, each 0 to 3"),
    ],
)
def test_a_board_that_cannot_be_is_refused(
    arguments: tuple[int, int, int], message: str
) -> None:
    with pytest.raises(InvalidVariantError) as caught:
        Grid(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("rule", RULES)
def test_rules_and_a_size_name_a_variant(rule: str) -> None:
    assert named(rule).grid is THREE
    for rows, columns, length in product(range(1, 5), range(1, 5), range(1, 5)):
        name = f"{rule}-{rows}x{columns}x{length}"
        if length > max(rows, columns) or (rows, columns, length) == (3, 3, 3):
            with pytest.raises(UnknownVariantError):
                named(name)
        else:
            variant = named(name)
            assert (variant.name, variant.rules) == (name, RULES[rule])
            assert variant.grid.cells == rows * columns


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chess", "expected one of standard, fill, misere, fastest, with the size of"),
        ("standard-", "expected one of standard"),
        ("standard-4x4", "expected one of standard"),
        ("standard-4x4x4x4", "expected one of standard"),
        ("standard-4x-4x4", "expected one of standard"),
        ("standard-4xx4", "expected one of standard"),
        ("standard-٤x4x4", "expected one of standard"),
        ("standard-4x4x5", ": a line of 5 does not fit a board of 4x4, expected 1 to"),
        ("fill-5x5x4", ": a board of 5x5 has 25 cells, expected 1 to 16"),
        ("fill-0x5x4", ": a board of 0x5 has 0 cells, expected 1 to 16"),
        ("fill-3x3x3", ", which is called fill."),
        ("fill-03x4x3", ", which is called fill-3x4x3."),
    ],
)
def test_a_name_of_no_variant_is_refused(name: str, message: str) -> None:
    with pytest.raises(UnknownVariantError) as caught:
        named(name)
    assert f"variant is {name!r}" in str(caught.value)
    assert message in f"{caught.value}."


@pytest.mark.parametrize("name", ["", "a b", "../a", "a.b", "Ä"])
def test_a_name_must_do_for_a_directory(name: str) -> None:
    with pytest.raises(InvalidVariantError, match="expected ASCII letters, digits"):
        Variant(name, RULES["fill"], THREE)


@pytest.mark.parametrize("name", ["2", "a-b", "a_b", "standard-4x4x4"])
def test_a_name_may_have_digits_and_dashes(name: str) -> None:
    assert Variant(name, RULES["fill"], THREE).name == name


def test_rules_of_your_own_count_no_continuations() -> None:
    assert not Variant("own", Rules("own", "", True, max), THREE).counted


def test_a_summary_says_how_long_a_line_is() -> None:
    words = [*_NUMBERS[1:], "10", "11"]
    for length, word in enumerate(words, 1):
        variant = named(f"misere-1x12x{length}")
        assert variant.summary.startswith(f"{word} in a row loses: ")
    none = Variant("none", RULES["standard"], Grid(1, 2, []))
    assert none.summary.startswith("no in a row wins: ")


def test_a_variant_that_is_only_described_has_no_score() -> None:
    variant = described(
        b'{"name": "own", "rules": "r", "summary": "s", "ends_at_line": false, '
        b'"unit": "lines", "rows": 1, "columns": 2, "lines": [[1, 0]]}'
    )
    assert (variant.rules.unit, variant.grid.lines) == ("lines", ((0, 1),))
    with pytest.raises(InvalidVariantError, match="^only the file that defines"):
        variant.rules.score(0, 0, 0)
    ends = described(json.dumps(describe(named("misere-2x3x2"))).encode())
    assert ends.rules.ends_at_line
