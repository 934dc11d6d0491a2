"""Tests of `ttt_runtime.builder.solver`; `tests/slow/test_sizes.py` has larger ones."""

from itertools import product

import numpy as np
import pytest

from tests import oracle
from tests.games import (
    GAMES,
    assert_counts_are_the_published_ones,
    marks_at_the_end_of_the_fastest_play,
)
from ttt_runtime import InvalidVariantError, load
from ttt_runtime.boards import THREE, Grid
from ttt_runtime.builder.solver import Endings, Half, _reached, count_states, solve
from ttt_runtime.files import COMMON
from ttt_runtime.variants import RULES, VARIANTS, Rules, Variant, named

SMALL = [size for size in GAMES if GAMES[size]["states"] < 2e6]


@pytest.mark.parametrize(
    "name",
    [
        *oracle.VARIANTS,
        "standard-2x3x2",
        "standard-1x7x3",
        "fill-2x4x1",
        "fill-4x2x3",
        "misere-1x1x1",
        "misere-3x2x2",
        "fastest-7x1x2",
        "fastest-2x4x2",
    ],
)
def test_every_entry_is_the_oracles(name: str) -> None:
    variant = named(name)
    arrays = solve(variant)
    boards = ["".join(marks) for marks in product(".XO", repeat=variant.grid.cells)]
    reached = oracle.reached(name, variant.grid.cells)
    rows = [arrays[array].tolist() for array in COMMON]
    states = [(board, turn) for turn in (0, 1) for board in boards]
    for state, row in zip(states, zip(*rows, strict=True), strict=True):
        assert row == (*oracle.entry(name, *state), state in reached), state


@pytest.mark.parametrize(
    ("name", "reachable", "finished", "won", "lost", "drawn"),
    [
        ("standard", 5478, 958, 2836, 1574, 1068),
        ("fill", 6046, 126, 1928, 698, 3420),
        ("misere", 5478, 958, 3054, 1444, 980),
        ("fastest", 5478, 958, 2836, 1574, 1068),
    ],
)
def test_known_counts(
    name: str, reachable: int, finished: int, won: int, lost: int, drawn: int
) -> None:
    assert count_states(named(name), solve(named(name))) == {
        "states": 39366,
        "reachable": reachable,
        "finished": finished,
        "won": won,
        "lost": lost,
        "drawn": drawn,
        "empty_board": 0,
    }


def test_known_counts_of_endings_and_games() -> None:
    standard = solve(VARIANTS[0])
    over = standard["reachable"] & (standard["moves"] == -1)
    endings = standard["values"][over]
    counts = [np.count_nonzero(endings == value) for value in (-1, 1, 0)]
    assert counts == [626, 316, 16]
    assert oracle.games() == (131184, 77904, 46080)


def test_counts_of_continuations_go_by_the_sign_of_the_value() -> None:
    fast = RULES["fastest"]
    rules = Rules("counted", "", True, fast.score, counted=True)
    found = solve(Variant("counted", rules, THREE))["continuations"]
    assert np.array_equal(found, load().continuations)


def test_every_count_of_continuations_is_the_oracles() -> None:
    found = solve(VARIANTS[0])["continuations"]
    assert (found.shape, found.dtype.str) == ((39366, 3), "<i4")
    for state, counts in zip(oracle.STATES, found.tolist(), strict=True):
        meaningless = oracle.meaningless("standard", state[0])
        assert tuple(counts) == ((0, 0, 0) if meaningless else oracle.games(*state))


@pytest.mark.parametrize(("name", "classes"), [("standard", 765), ("fill", 850)])
def test_symmetry_classes(name: str, classes: int) -> None:
    turned = [6, 3, 0, 7, 4, 1, 8, 5, 2]
    mirrored = [2, 1, 0, 5, 4, 3, 8, 7, 6]

    def alike(board: str) -> set[str]:
        found = {board}
        for _ in range(4):
            board = "".join(board[cell] for cell in turned)
            found |= {board, "".join(board[cell] for cell in mirrored)}
        return found

    reachable = np.flatnonzero(solve(named(name))["reachable"])
    boards = {oracle.STATES[index][0] for index in reachable}
    assert len({min(alike(board)) for board in boards}) == classes


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("rule", ["standard", "misere"])
def test_counts_and_lengths_are_the_published_ones(rule: str, size: str) -> None:
    assert_counts_are_the_published_ones(rule, size, solve(named(f"{rule}-{size}")))
    marks = marks_at_the_end_of_the_fastest_play(rule, size)
    assert marks == GAMES[size][rule]["marks_at_the_end_of_the_fastest_play"]


def test_published_values_of_empty_boards() -> None:
    for name, value in {
        "standard-3x4x3": -1,
        "standard-3x4x4": 0,
        "misere-3x4x3": 1,
        "standard-4x3x3": -1,
        "fill-1x1x1": -1,
    }.items():
        assert solve(named(name))["values"][0] == value, name


@pytest.mark.parametrize(
    ("score", "found"),
    [
        (128, "128"),
        (-128, "-128"),
        (10**40, "an integer of 133 bits"),
        (0.5, "0.5"),
        (True, "True"),
        (None, "None"),
        (["1"], "of type list"),
    ],
)
def test_a_score_outside_of_a_byte_is_refused(score: int, found: str) -> None:
    rules = Rules("odd", "", False, lambda x_lines, o_lines, empty: score)
    with pytest.raises(InvalidVariantError) as caught:
        solve(Variant("odd", rules, Grid(1, 1, [])))
    assert str(caught.value) == (
        f"odd scores {found} for 0 lines of X, 0 of O and 0 empty cells, "
        "expected an integer from -127 to 127"
    )


@pytest.mark.parametrize("most", [-127, 127])
def test_a_score_may_be_the_most_that_a_byte_holds(most: int) -> None:
    rules = Rules("far", "", False, lambda x_lines, o_lines, empty: most)
    assert solve(Variant("far", rules, Grid(1, 1, [])))["values"].tolist() == 6 * [most]


def test_more_lines_than_a_byte_counts_are_refused() -> None:
    grid = Grid(1, 1, [(0,)] * 127)
    assert solve(Variant("many", RULES["fill"], grid))["values"].max() == 127
    grid = Grid(1, 1, [(0,)] * 128)
    with pytest.raises(InvalidVariantError, match="has 128 lines, expected at most"):
        solve(Variant("many", RULES["fill"], grid))


def test_one_mark_must_have_made_all_the_lines() -> None:
    variant = named("standard-4x4x4")
    lead, trail = Half(variant.grid, 0, 8), Half(variant.grid, 8, 16)
    endings = Endings(variant, lead, trail)
    for board, reached in {
        "OOO.........XXXX": True,
        "OOOXOO.XO..XXXXX": True,
        "XOOXOXXOOXXOXO.X": False,
    }.items():
        row, part = divmod(variant.grid.encode(board, 0), trail.count)
        rows = np.array([row])
        signs = endings.signs[endings.codes(rows)]
        assert _reached(variant, endings, signs, rows, 1)[part, 0] == reached, board


def test_a_score_is_asked_for_boards_that_there_are() -> None:
    def score(x_lines: int, o_lines: int, empty: int) -> int:
        return 100 * (o_lines > 0) if x_lines + o_lines < 3 else 1 // 0

    rules = Rules("few", "", False, score)
    assert solve(Variant("few", rules, Grid(1, 2, 2)))["values"][-1] == 100
    with pytest.raises(
        InvalidVariantError, match="scores nothing .ZeroDivisionError: "
    ):
        solve(Variant("few", rules, Grid(2, 2, 2)))


def test_progress_adds_up_to_the_whole() -> None:
    shares: list[float] = []
    solve(named("fill-2x4x2"), shares.append)
    assert len(shares) > 1
    assert abs(sum(shares) - 1) < 1e-9
