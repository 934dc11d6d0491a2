"""Tests of the levels, by definitions of their own on top of the oracle."""

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests import oracle
from tests.files import ROOT
from tests.strength import PLAYERS, strength, table_of
from tests.test_words import SMALL
from ttt_runtime import (
    InvalidBoardError,
    InvalidLevelError,
    InvalidSeedError,
    TTTError,
    UnknownVariantError,
    levels,
    load,
)
from ttt_runtime.boards import shown
from ttt_runtime.levels import LEVELS, choose, weights

PAGE = (ROOT / "docs" / "levels.md").read_text()
BEYOND = 10**100


def foreseen(variant: str, board: str, turn: int, plies: int) -> int:
    """Value a state by looking so many plies ahead, from O's side."""
    if variant.startswith("fill"):
        return oracle.lines(board, "O", variant) - oracle.lines(board, "X", variant)
    if oracle.ended(variant, board):
        return oracle.score(variant, board)
    if plies == 0:
        return 0
    return (max if turn else min)(
        foreseen(variant, oracle.play(board, turn, cell), 1 - turn, plies - 1)
        for cell in range(len(board))
        if board[cell] == "."
    )


def wrong(variant: str, board: str, turn: int) -> Fraction:
    """Return the share of a mover's moves that are not best."""
    if oracle.ended(variant, board):
        return Fraction(0)
    return 1 - Fraction(len(oracle.best(variant, board, turn)), board.count("."))


def chances(variant: str, board: str, turn: int) -> dict[str, dict[int, Fraction]]:
    """Return what each level should play, as the sentences about it say."""
    if oracle.ended(variant, board):
        return {level: {} for level in PLAYERS}
    sign = 1 if turn else -1
    legal = [cell for cell, mark in enumerate(board) if mark == "."]
    best = oracle.best(variant, board, turn)
    after = {cell: (oracle.play(board, turn, cell), 1 - turn) for cell in legal}
    seen = {cell: sign * foreseen(variant, *after[cell], 1) for cell in legal}
    traps = {cell: wrong(variant, *after[cell]) for cell in best}
    chosen = {
        "easy": legal,
        "medium": [cell for cell in legal if seen[cell] == max(seen.values())],
        "perfect": best,
        "trap": [cell for cell in best if traps[cell] == max(traps.values())],
    }
    each = {
        level: {cell: Fraction(1, len(cells)) for cell in cells}
        for level, cells in chosen.items()
    }
    perfect, easy = Fraction(7, 8), Fraction(1, 8)
    each["hard"] = {
        cell: perfect * each["perfect"].get(cell, 0) + easy * each["easy"][cell]
        for cell in legal
    }
    return each


def states(variant: str) -> list[tuple[str, int]]:
    """Return all states of a small board that have a meaning, and some of 3x3."""
    every = oracle.STATES
    if variant in SMALL:
        every = [(board[3:], turn) for board, turn in every if board[:3] == "..."]
    meant = [state for state in every if not oracle.meaningless(variant, state[0])]
    return meant if variant in SMALL else Random(3).sample(meant, 500)


@pytest.mark.parametrize("variant", [*oracle.VARIANTS, *SMALL])
def test_each_level_is_what_is_said_of_it(variant: str, built: Path) -> None:
    table = load(variant)
    for board, turn in states(variant):
        expected = chances(variant, board, turn)
        for player, (level, trap) in PLAYERS.items():
            found = weights(level, board, turn, table, trap)
            assert {type(number) for number in found.values()} <= {int}
            assert [*found] == sorted(found)
            total = sum(found.values())
            shares = {cell: Fraction(found[cell], total) for cell in found}
            assert shares == expected[player], (player, board, turn)


@pytest.mark.parametrize("level", LEVELS)
def test_the_page_says_of_a_level_what_the_package_says(level: str) -> None:
    assert f"| `{level}` | {LEVELS[level]} |\n" in PAGE


def test_a_level_sees_the_lines_of_a_variant_of_ones_own(built: Path) -> None:
    assert weights("medium", "X..O.X.O.", variant="torus") == {2: 1}


def test_a_name_or_a_table_names_the_variant() -> None:
    for variant in ("misere", load("misere")):
        assert weights("perfect", "XX.OO....", variant=variant) == {6: 1, 7: 1, 8: 1}
        assert choose("perfect", 1, "XX.OO....", variant=variant) in (6, 7, 8)


@pytest.mark.parametrize(
    ("block", "seed", "number"),
    [
        (b"\0\0\0\0", 0, 0x2362F9DE),
        (b"\xff\xff\xff\xff", 0, 0x76293B50),
        (b"\x21\x43\x65\x87", 0, 0xF55B516B),
        (b"\x21\x43\x65\x87", 0x5082EDEE, 0x2362F9DE),
        (b"aaaa", 0x9747B28C, 0x5A97808A),
        (b"test", 0, 0xBA6BD213),
        (b"test", 0x9747B28C, 0x704B81DC),
    ],
)
def test_murmur3_is_the_published_one(block: bytes, seed: int, number: int) -> None:
    assert levels._murmur3(int.from_bytes(block, "little"), seed) == number


@pytest.mark.parametrize("level", LEVELS)
def test_a_number_lands_on_the_cell_that_its_share_of_the_weights_belongs_to(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = weights(level, "XX.OO....", 1)
    places = [cell for cell in found for _ in range(found[cell])]
    for place, cell in enumerate(places):
        first = -(-(place << 32) // len(places))
        last = -(-(place + 1 << 32) // len(places)) - 1
        for number in (first, last):
            monkeypatch.setattr(levels, "_murmur3", lambda *_, n=number: n)
            assert choose(level, 0, "XX.OO....", 1) == cell


@pytest.mark.parametrize("level", LEVELS)
def test_over_seeds_cells_are_as_frequent_as_their_weights(level: str) -> None:
    found, seeds = weights(level, "X...O...."), 4000
    drawn = Counter(choose(level, seed, "X...O....") for seed in range(seeds))
    for cell, weight in found.items():
        share = weight / sum(found.values())
        assert abs(drawn[cell] - seeds * share) < 4 * (seeds * share) ** 0.5
    assert drawn.keys() == found.keys()


def test_a_turn_left_out_is_that_of_the_counts() -> None:
    for level in LEVELS:
        assert choose(level, 7, "X........") == choose(level, 7, "X........", 1)
        assert weights(level, "X........") == weights(level, "X........", 1)


@pytest.mark.parametrize("level", LEVELS)
def test_after_the_end_there_is_nothing_to_choose(level: str) -> None:
    for board in ("XXXOO....", "XOXXOXOXO"):
        assert weights(level, board) == {}
        assert choose(level, 7, board) is None


@pytest.mark.parametrize("level", ["Easy", "easy ", "", b"easy", None, 0, [], BEYOND])
def test_an_unknown_level_is_refused_with_the_list_of_levels(level: object) -> None:
    expected = re.escape(shown(level)) + ", expected one of easy, medium, hard, perfect"
    for error in (InvalidLevelError, LookupError, TTTError):
        with pytest.raises(error, match=f"^level is {expected}$"):
            weights(level, ".........")  # type: ignore[arg-type]
        with pytest.raises(error, match=f"^level is {expected}$"):
            choose(level, 0, ".........")  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 2**32, 0.0, "7", b"7", None, True, [], BEYOND])
def test_a_seed_out_of_range_or_no_integer_is_refused(seed: object) -> None:
    expected = f"seed is {shown(seed)}, expected an integer from 0 to 4294967295"
    for error in (InvalidSeedError, ValueError, TTTError):
        with pytest.raises(error, match=f"^{re.escape(expected)}$"):
            choose("easy", seed, ".........")  # type: ignore[arg-type]


def test_integers_of_numpy_are_seeds_and_turns() -> None:
    with pytest.raises(InvalidSeedError, match="^seed is -1, "):
        choose("easy", np.int64(-1), ".........")  # type: ignore[arg-type]
    seed, turn = np.uint32(2**32 - 1), np.int8(1)
    plain = choose("easy", 2**32 - 1, "X........", 1)
    assert choose("easy", seed, "X........", turn) == plain  # type: ignore[arg-type]


@pytest.mark.parametrize("level", LEVELS)
def test_boards_and_variants_are_refused_as_elsewhere(level: str) -> None:
    for board, turn in (("xx.oo....", 0), ("XX.......", None), ("XXXOOO...", 0)):
        with pytest.raises(InvalidBoardError, match=board):
            choose(level, 0, board, turn)
    with pytest.raises(UnknownVariantError, match="'chess'"):
        choose(level, 0, ".........", variant="chess")


def test_levels_play_what_the_vectors_say() -> None:
    vectors = json.loads((ROOT / "tests" / "vectors" / "levels.json").read_text())
    assert vectors["levels"] == LEVELS
    for variant in oracle.VARIANTS:
        for board, turn, seed, *cells in vectors["draws"][variant]:
            state = seed, board, turn, variant
            plain = [choose(level, *state) for level in LEVELS]
            assert [*plain, choose("perfect", *state, trap=True)] == cells


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_strength_is_what_the_page_says_and_grows_with_level_and_traps(
    variant: str,
) -> None:
    ends = strength(variant)
    assert f"### {variant}\n\n{table_of(ends)}\n" in PAGE
    for other in PLAYERS:
        for perfect in ("perfect", "trap"):
            assert ends[perfect, other][2] == ends[other, perfect][0] == 0
    for other in LEVELS:
        as_x = [ends[level, other][0] - ends[level, other][2] for level in LEVELS]
        as_o = [ends[other, level][2] - ends[other, level][0] for level in LEVELS]
        for leads in (as_x, as_o):
            assert leads == sorted(set(leads))
    for other in ("easy", "medium", "hard"):
        assert ends["trap", other][0] > ends["perfect", other][0]
        assert ends[other, "trap"][2] > ends[other, "perfect"][2]
