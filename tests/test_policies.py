"""Tests of policies, held against fractions on top of the oracle."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests import oracle
from tests.strength import PLAYERS, strength
from ttt_runtime import (
    InvalidBoardError,
    InvalidIndexError,
    InvalidLevelError,
    InvalidPolicyError,
    decode,
    encode,
    load,
)
from ttt_runtime.levels import weights
from ttt_runtime.policies import (
    TOLERANCE,
    action_values,
    best_response,
    check,
    expected,
    exploitability,
    greedy,
    level,
    perfect,
    regret,
    uniform,
)
from ttt_runtime.symmetry import transforms

REACHED = np.flatnonzero(load().reachable)
SEEDS = st.integers(0, 2**32 - 1)
SMALL = [f"{rule}-2x3x2" for rule in oracle.VARIANTS]
ALL = pytest.mark.parametrize("variant", [*oracle.VARIANTS, *SMALL])

Array = NDArray[Any]


def random_policy(seed: int) -> Array:
    """Draw chances, of which many are small or 0."""
    draws = np.random.default_rng(seed).random((39366, 9)) ** 4
    weighted = uniform() * np.where(draws < draws.max(1, keepdims=True) / 9, 0, draws)
    weighted += 1e-3 * uniform()
    chances: Array = weighted / np.maximum(weighted.sum(1, keepdims=True), 1e-9)
    return chances


def cells_of(variant: str, board: str, turn: int, best: bool) -> list[int]:
    if best:
        return oracle.best(variant, board, turn)
    return [cell for cell, mark in enumerate(board) if mark == "."]


def walked(variant: str, best: tuple[bool, bool]) -> dict[Any, list[Fraction]]:
    """Return what `expected` does for each state; each side plays its cells alike."""
    ends: dict[Any, list[Fraction]] = {}
    states = oracle.reached(variant, load(variant).grid.cells)
    for board, turn in sorted(states, key=lambda state: state[0].count(".")):
        if oracle.ended(variant, board):
            value = oracle.score(variant, board)
            each = value < 0, value == 0, value > 0, 0, value
            ends[board, turn] = [Fraction(part) for part in each]
            continue
        cells = cells_of(variant, board, turn, best[turn])
        after = [ends[oracle.play(board, turn, cell), 1 - turn] for cell in cells]
        means = [sum(part) / Fraction(len(cells)) for part in zip(*after, strict=True)]
        means[3] += 1
        ends[board, turn] = means
    return ends


@ALL
@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("best", [(False, False), (False, True), (True, False)])
def test_games_end_as_often_as_fractions_say(
    variant: str, best: tuple[bool, bool]
) -> None:
    table = load(variant)
    x, o = [perfect(table) if plays else uniform(table) for plays in best]
    indices = np.flatnonzero(table.reachable)
    found = np.stack(expected(x, o, variant, indices), 1)
    ends = walked(variant, best)
    exact = [ends[table.grid.decode(index)] for index in indices.tolist()]
    assert np.abs(found - np.array(exact, float)).max() < 1e-12
    assert expected(x, o, table) == tuple(found[0])


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_levels_end_as_often_as_the_table_of_their_strength_says(variant: str) -> None:
    policies = {
        player: level(name, variant, trap) for player, (name, trap) in PLAYERS.items()
    }
    for (x, o), chances in strength(variant).items():
        found = expected(policies[x], policies[o], variant)[:3]
        assert found == pytest.approx([*map(float, chances)], abs=1e-12), (x, o)


@ALL
@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("player", PLAYERS)
def test_a_level_has_the_weights_of_levels_in_every_state(
    variant: str, player: str
) -> None:
    name, trap = PLAYERS[player]
    table = load(variant)
    found = level(name, variant, trap)
    for index in range(0, table.grid.states, 1 if table.grid.cells < 9 else 5):
        state = [0.0] * table.grid.cells
        if table.values[index] != -128:
            chances = weights(name, *table.grid.decode(index), table, trap)
            for cell, weight in chances.items():
                state[cell] = weight / sum(chances.values())
        assert found[index].tolist() == state, table.grid.decode(index)


@ALL
@pytest.mark.usefixtures("built")
def test_action_values_are_those_of_the_states_after(variant: str) -> None:
    table = load(variant)
    values, seen = action_values(variant), action_values(variant, mover=True)
    assert values.dtype == seen.dtype == np.int8
    for index in range(0, table.grid.states, 3):
        board, turn = table.grid.decode(index)
        over = oracle.ended(variant, board)
        after = {} if over else oracle.after(variant, board, turn)
        row = [after.get(cell, -128) for cell in range(len(board))]
        own = [value if value == -128 or turn else -value for value in row]
        assert (values[index].tolist(), seen[index].tolist()) == (row, own), board
    some = [0, 5, 2]
    assert np.array_equal(action_values(table, indices=some), values[some])


def test_perfect_is_greedy_on_the_values_and_takes_the_tables_move_if_asked() -> None:
    values = action_values("fastest", mover=True)
    assert np.array_equal(greedy(values, "fastest"), perfect("fastest"))
    one = perfect("fastest", table_move=True)
    assert np.array_equal(greedy(values, "fastest", smallest=True), one)
    moves = np.where(one.any(1), one.argmax(1), -1)
    assert np.array_equal(moves, load("fastest").moves)
    floats = np.where(values == -128, np.nan, values).astype(np.float32)
    assert np.array_equal(
        greedy(floats[REACHED], "fastest"), perfect("fastest", indices=REACHED)
    )


def test_every_form_of_a_policy_is_the_same_policy() -> None:
    moves, full = load().moves, perfect(table_move=True)
    checked = check(full)
    assert np.array_equal(checked[REACHED], full[REACHED])
    assert not np.delete(checked, REACHED, 0).any()
    for form in (
        moves,
        moves[REACHED],
        moves.tolist(),
        full[REACHED],
        np.float32(full),
    ):
        assert np.array_equal(check(form), checked)
    rounded = check(random_policy(1).astype(np.float32))
    assert np.abs(rounded.sum(1)[REACHED[load().moves[REACHED] >= 0]] - 1).max() < 1e-15


def test_states_that_no_game_reaches_and_the_other_sides_may_be_unsound() -> None:
    policy = np.full((39366, 9), np.nan)
    own = REACHED[REACHED < 19683]
    policy[own] = uniform()[own]
    assert expected(policy, uniform()) == expected(uniform(), uniform())
    assert best_response(policy, 1).value == best_response(uniform(), 1).value
    assert check(policy, side=0)[own].any()
    with pytest.raises(InvalidPolicyError, match=r"state 19684, '\.{8}X', O to move"):
        check(policy)


def spoilt(row: list[float], dtype: Any = np.float64) -> Array:
    policy = uniform().astype(dtype)
    policy[encode("XX.OO....")] = row
    return policy


HERE = r"policy: in state 9396, 'XX\.OO\.\.\.\.', X to move, "


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0, 0, 0.5, 0, 0, 0.25, 0, 0, 0], r"the chances sum to 0\.75, expected 1"),
        ([0.5, 0, 0.5, 0, 0, 0, 0, 0, 0], r"cell 0 has 0\.5, expected 0: it is taken"),
        ([0, 0, 1, 0, 0.25, 0, 0, 0, 0], r"cell 4 has 0\.25, expected 0: it is taken"),
        ([0, 0, 1.5, 0, 0, -0.5, 0, 0, 0], r"cell 5 has -0\.5, expected a chance"),
        ([0, 0, 1, 0, 0, np.nan, 0, 0, 0], "cell 5 has nan, expected a chance"),
        ([0, 0, np.inf, 0, 0, -np.inf, 0, 0, 0], "cell 2 has inf, expected a chance"),
        ([np.nan, 0, 1, 0, 0, 0, 0, 0, 0], "cell 0 has nan, expected a chance"),
        ([0] * 9, r"the chances sum to 0\.0, expected 1"),
        ([0, 0, 1 + 3 * TOLERANCE, 0, 0, 0, 0, 0, 0], r"the chances sum to 1\.00000"),
    ],
)
def test_unsound_chances_are_refused_with_state_and_cell(
    row: list[float], message: str, dtype: Any
) -> None:
    with pytest.raises(InvalidPolicyError, match=HERE + message):
        check(spoilt(row, dtype))
    with pytest.raises(InvalidPolicyError, match="policy_x" + HERE[6:] + message):
        expected(spoilt(row, dtype)[REACHED], uniform())


@pytest.mark.parametrize("move", [0, 4, -1, 9, 300, -254])
def test_a_move_that_is_no_empty_cell_is_refused(move: int) -> None:
    moves = load().moves.astype(np.int64)
    moves[9396] = move
    for given_moves in (moves, moves[REACHED]):
        message = (
            f"{HERE}the move is {move}, expected an empty cell, one of 2, 5, 6, 7, 8"
        )
        with pytest.raises(InvalidPolicyError, match=message):
            exploitability(given_moves)


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        (np.zeros((10, 9)), r"has shape \(10, 9\) and dtype float64"),
        (np.zeros((39366, 8)), r"has shape \(39366, 8\) and dtype float64"),
        (np.zeros((39366, 9), int), r"has shape \(39366, 9\) and dtype int64"),
        (np.zeros((39366, 9), np.float16), r"has shape \(39366, 9\) and dtype float16"),
        (np.zeros(39366), r"has shape \(39366,\) and dtype float64"),
        (np.zeros(39366, bool), r"has shape \(39366,\) and dtype bool"),
        (np.ma.MaskedArray(np.zeros((39366, 9))), "has a mask"),
        (np.array([None] * 39366), "is of type ndarray"),
        ("misere", "is 'misere'"),
        ([[1.0], [1.0, 2.0]], "is of type list"),
        (None, "is None"),
        (3, r"has shape \(\) and dtype int64"),
    ],
)
def test_what_is_no_policy_is_refused(policy: Any, found: str) -> None:
    expects = (
        r".*, expected chances, float64 or float32 of shape \(39366, 9\), or moves"
    )
    with pytest.raises(InvalidPolicyError, match=f"policy {found}{expects}"):
        check(policy)
    with pytest.raises(InvalidPolicyError, match=f"policy_o {found}{expects}"):
        expected(uniform(), policy)


def test_questions_that_make_no_sense_are_refused() -> None:
    policy = uniform()
    with pytest.raises(
        InvalidBoardError, match=r"indices\[1\] is state 29079, 'XX\.OO"
    ):
        expected(policy, policy, indices=[0, 29079])
    with pytest.raises(InvalidIndexError, match=r"indices\[0\] is 39366"):
        uniform(indices=[39366])
    for side in (2, -1, "X", True):
        with pytest.raises(
            InvalidPolicyError, match=r"side is .*, expected 0 \(X\) or"
        ):
            best_response(policy, side)  # type: ignore[arg-type]
    with pytest.raises(
        InvalidLevelError, match="level is 'best', expected one of easy"
    ):
        level("best")
    values = action_values(mover=True).astype(float)
    values[9396, 5] = np.nan
    with pytest.raises(
        InvalidPolicyError, match="'XX.OO....', X to move, cell 5 has nan"
    ):
        greedy(values)
    with pytest.raises(InvalidPolicyError, match=r"shape \(9, 9\) and dtype float64"):
        greedy(values[:9])


@given(SEEDS, SEEDS)
@settings(max_examples=10, deadline=None)
def test_a_best_response_is_never_worse_than_any_policy(seed: int, other: int) -> None:
    policy, rival = random_policy(seed), random_policy(other)
    for side in 0, 1:
        x, o = (policy, rival)[:: 2 * side - 1]
        own = (2 * side - 1) * expected(x, o, indices=REACHED).value
        value, moves = best_response(policy, side, indices=REACHED)
        assert (value >= own - 1e-12).all()
        assert np.abs(value).max() <= 1
        x, o = (policy, moves)[:: 2 * side - 1]
        reached = (2 * side - 1) * expected(x, o, indices=REACHED).value
        assert np.abs(reached - value).max() < 1e-12


@ALL
@pytest.mark.usefixtures("built")
def test_perfect_loses_nothing_to_anyone(variant: str) -> None:
    for policy in (perfect(variant), perfect(variant, table_move=True)):
        assert exploitability(policy, variant) == (0, 0)
        found = regret(policy, variant, against=uniform(variant))
        assert found.x == found.o == found.states.max() == 0
    response = best_response(perfect(variant), 0, variant)
    assert response.value == -load(variant).values[0]


@given(SEEDS)
@settings(max_examples=10, deadline=None)
def test_exploitability_is_what_both_best_responses_gain(seed: int) -> None:
    policy, other = random_policy(seed), random_policy(seed + 1)
    nash_conv, half = exploitability((policy, other))
    responses = best_response(other, 0).value, best_response(policy, 1).value
    assert (nash_conv, half) == (sum(responses), sum(responses) / 2)
    assert 0 <= half <= 1


@given(SEEDS)
@settings(max_examples=10, deadline=None)
def test_regrets_add_up_to_what_the_games_are_worth(seed: int) -> None:
    policy, other = random_policy(seed), random_policy(seed + 1)
    found = regret((policy, other))
    assert abs(found.x - found.o - expected(policy, other).value) < 1e-12
    assert found.states.min() >= 0
    marks = np.array([9 - decode(index)[0].count(".") for index in REACHED.tolist()])
    going = load().moves[REACHED] >= 0
    assert found.reach[REACHED[~going]].sum() == 0
    assert abs(found.reach[REACHED[marks < 5]].sum() - 5) < 1e-12
    weighed = regret(policy, against=other)
    assert (weighed.states @ weighed.reach) == pytest.approx(weighed.x + weighed.o)
    assert weighed.x == pytest.approx(regret((policy, other)).x)
    assert weighed.o == pytest.approx(regret((other, policy)).o)


@given(SEEDS, st.sampled_from(transforms()))
@settings(max_examples=10, deadline=None)
def test_the_image_of_a_policy_is_worth_what_it_is(
    seed: int, transform: tuple[int, ...]
) -> None:
    powers = np.array(load().grid.powers)
    numbers = np.arange(39366)
    digits = numbers[:, None] // powers % 3
    images = digits[:, transform] @ powers + numbers // 19683 * 19683
    policy, moved = random_policy(seed), np.empty((39366, 9))
    moved[images] = policy[:, transform]
    assert expected(moved, moved) == pytest.approx(expected(policy, policy))
    assert exploitability(moved) == pytest.approx(exploitability(policy))
    back, there = regret(policy), regret(moved)
    assert np.allclose(there.states[images], back.states, atol=1e-12)
    assert np.allclose(there.reach[images], back.reach, atol=1e-12)
