"""Tests that whatever is given gets a right answer or a `TTTError`.

Hypothesis makes text, integers and sequences of the documented types, right and wrong.
With the environment variable TTT_EXHAUSTIVE set it makes twenty times as many, other
ones each time.
"""

import os
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ttt_runtime
from tests import oracle
from tests.files import TABLES
from tests.test_opponent import referee
from ttt_runtime import TTTError, load
from ttt_runtime.files import ARRAYS
from ttt_runtime.variants import VARIANTS

EXHAUSTIVE = bool(os.environ.get("TTT_EXHAUSTIVE"))

hostile = settings(
    max_examples=10_000 if EXHAUSTIVE else 500,
    derandomize=not EXHAUSTIVE,
    database=None,
    deadline=None,
)

REFUSED = "refused"
"""Stands for one of the package's errors, where an answer might stand."""


def answer(question: Callable[..., object], *given: object) -> object:
    """Ask; an error of the package's is an answer too, and says something."""
    message = ""
    try:
        return question(*given)
    except TTTError as error:
        message = str(error)
    assert 20 < len(message) < 10_000
    return REFUSED


def check(found: object, right: object, *about: object) -> None:
    """Compare, with types: True is not 1 here."""
    assert (type(found), found) == (type(right), right), about


OTHER_THINGS: list[object] = [
    None, True, np.True_, 1.0, float("nan"), np.float64(1), 1j, b"XX.OO....", "", "0",
    [], {}, object(), iter([0, 1]), range(2), np.array([0, 1]), np.array([[0, 0]]),
    np.ma.masked, np.datetime64(1, "s"), np.array("XX.OO...."), ["X"] * 9,
]  # fmt: skip

LOOKALIKES = "xoXO0.·_- *\0\n\ud800ＸＯ．ХО×○\u0301\u200b"


@st.composite
def near_boards(draw: st.DrawFn) -> str:
    """Draw a board, and put some other characters in, or take some out."""
    board = list(draw(st.sampled_from(oracle.BOARDS)))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, 8))
        board[place : place + draw(st.integers(0, 1))] = draw(
            st.sampled_from(LOOKALIKES)
        )
    return "".join(board)


BOARDS = st.one_of(
    st.sampled_from(sorted({board for board, _ in oracle.reached("standard")})),
    near_boards(),
    near_boards().map(np.str_),
    st.text(".XO", min_size=7, max_size=11),
    st.text(st.characters(exclude_categories=()), max_size=12),
    st.sampled_from(OTHER_THINGS),
)

INTEGERS = st.one_of(
    st.integers(0, 1),
    st.integers(-1, 39366),
    st.integers(-(2**70), 2**70),
    st.sampled_from([10**10000, -(10**10000)]),
    st.integers(-128, 127).map(np.int8),
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.integers(0, 39365).map(np.array),
    st.sampled_from(OTHER_THINGS),
)


def meant(given: object) -> int | None:
    """Return the integer that is meant, if one is."""
    if isinstance(given, np.ndarray) and given.ndim == 0 and given.dtype.kind in "iu":
        given = given[()]
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        return int(given)
    return None


def state_of(board: object, turn: object) -> tuple[str, int] | None:
    """Return the state that is meant, if one is."""
    if not isinstance(board, str) or len(board) != 9 or set(board) - set(".XO"):
        return None
    side = board.count("X") - board.count("O") if turn is None else meant(turn)
    return (str(board), side) if side in (0, 1) else None


INDEX = {state: index for index, state in enumerate(oracle.STATES)}
REACHED = {variant: oracle.reached(variant) for variant in oracle.VARIANTS}


def right_answers(variant: str, state: tuple[str, int] | None) -> dict[str, object]:
    """Return the answer to each question about a state, by the name of its method."""
    if state is None or oracle.meaningless(variant, state[0]):
        names = "value", "move", "optimal_moves", "move_values", "is_reachable"
        return dict.fromkeys([*names, "continuation_counts"], REFUSED)
    cells = oracle.best(variant, *state)
    counts = oracle.games(*state) if variant == "standard" else REFUSED
    return {
        "value": oracle.value(variant, *state),
        "move": cells[0] if cells else None,
        "optimal_moves": tuple(cells),
        "move_values": oracle.after(variant, *state) if cells else {},
        "is_reachable": state in REACHED[variant],
        "continuation_counts": counts,
    }


@hostile
@given(BOARDS, st.one_of(INTEGERS, st.none()))
def test_any_board_and_any_turn(board: Any, turn: Any) -> None:
    state = state_of(board, turn)
    index = INDEX[state] if state else REFUSED
    check(answer(ttt_runtime.encode, board, turn), index, board, turn)
    for variant in oracle.VARIANTS:
        right = right_answers(variant, state)
        for question, expected in right.items():
            found = answer(getattr(load(variant), question), board, turn)
            check(found, expected, question, variant, board, turn)
    score = right_answers("fill", None if turn is None else state)["value"]
    check(answer(ttt_runtime.situation_score, board, turn), score, board, turn)
    state = state_of(board, None)
    check(answer(ttt_runtime.infer_turn, board), state[1] if state else REFUSED, board)
    move = right_answers("standard", state)["move"]
    move = REFUSED if move is None else move
    check(answer(ttt_runtime.best_move, board), move, board)


@hostile
@given(INTEGERS)
def test_any_index(index: Any) -> None:
    number = meant(index)
    there = number is not None and 0 <= number < 39366
    state = oracle.STATES[number] if there else None  # type: ignore[index]
    check(answer(ttt_runtime.decode, index), state or REFUSED, index)
    for variant in oracle.VARIANTS:
        right = right_answers(variant, state)
        cells = right.pop("optimal_moves")
        right["optimal"] = sum([2**c for c in cells]) if cells != REFUSED else REFUSED  # type: ignore[attr-defined]
        del right["move_values"]
        for question, expected in right.items():
            found = answer(getattr(load(variant), f"{question}_at"), index)
            check(found, expected, question, variant, index)


PAIRS = st.one_of(
    st.tuples(st.integers(0, 2), st.integers(0, 2)),
    st.lists(st.integers(0, 2).map(np.int8), min_size=2, max_size=2),
    st.lists(INTEGERS, max_size=3),
    st.sampled_from(OTHER_THINGS),
)
MOVES = st.one_of(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12),
    st.lists(PAIRS, max_size=4),
    st.lists(PAIRS, max_size=4).map(deque),
    st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 2)), max_size=5).map(
        lambda pairs: np.array(pairs, np.int8).reshape(-1, 2)
    ),
    st.sampled_from(OTHER_THINGS),
)


def attempts(moves: Any) -> list[tuple[int, int]] | None:
    """Return the attempts that are meant, if all are."""
    kinds = list, tuple, deque, range, np.ndarray
    if not isinstance(moves, kinds) or getattr(moves, "ndim", 1) == 0:
        return None
    found = []
    for pair in moves:
        if (
            not isinstance(pair, kinds)
            or getattr(pair, "ndim", 1) == 0
            or len(pair) != 2
        ):
            return None
        numbers = [meant(number) for number in pair]
        if not all(number in (0, 1, 2) for number in numbers):
            return None
        found.append((numbers[0], numbers[1]))
    return found  # type: ignore[return-value]


@hostile
@given(MOVES)
@example(pair for pair in [[0, 0], [1, 1]])
@example("00")
def test_any_moves(moves: Any) -> None:
    right = attempts(moves)
    expected = REFUSED if right is None else referee(right)
    check(answer(ttt_runtime.play_against_ai, moves), expected, moves)


ANY_TEXT = st.text(st.characters(exclude_categories=()))


def is_no_name(given: Any) -> bool:
    """Hypothesis draws texts that stand in the source, too."""
    return str(given) not in {*ARRAYS, *(variant.name for variant in VARIANTS)}


@hostile
@given(st.one_of(ANY_TEXT, st.sampled_from(OTHER_THINGS)).filter(is_no_name))
@example("../tables/standard")
@example("standard\0")
@example("ｓtandard")
@example("a" * 4096)
def test_any_name_of_a_variant_an_array_or_a_directory(name: Any) -> None:
    check(answer(load, name), REFUSED, name)
    if isinstance(name, str):
        check(answer(load().raw, name), REFUSED, name)
    if name is not None and os.path.abspath(str(name)) != str(TABLES):
        check(answer(load, "fill", name), REFUSED, name)
        check(answer(ttt_runtime.verify, name), REFUSED, name)


class Broken:
    """An object that cannot be read as an integer."""

    def __index__(self) -> int:
        raise RuntimeError("a foreign fault")


def test_a_foreign_objects_own_exception_passes_through() -> None:
    for question in (ttt_runtime.decode, load().value_at):
        with pytest.raises(RuntimeError, match="a foreign fault"):
            question(Broken())  # type: ignore[arg-type]
