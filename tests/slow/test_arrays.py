"""A million boards of 4x4 at once, from tables that are mapped."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ttt_runtime import Table, load
from ttt_runtime.arrays import (
    classes_at,
    decode_many,
    encode_many,
    mover_values_of,
    moves_of,
    optimal_of,
    reachable_of,
    to_text,
    values_of,
)
from ttt_runtime.builder.variants import build
from ttt_runtime.symmetry import class_at
from ttt_runtime.variants import named

NAME = "standard-4x4x4"
MANY = 1_000_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Build 4x4, where `load` looks for it."""
    directory: Path = tmp_path_factory.mktemp("tables")
    build([named(NAME)], directory)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TTT_TABLES", str(directory))
        yield load(NAME)


@pytest.mark.parametrize("inferred", [False, True])
def test_a_million_boards_of_4x4_have_the_scalar_answers(
    table: Table, inferred: bool
) -> None:
    chance = np.random.default_rng(MANY)
    if inferred:
        indices = chance.choice(np.flatnonzero(table.reachable), MANY)
    else:
        indices = chance.integers(0, table.grid.states, 3 * MANY)
        indices = indices[table.values[indices] != -128][:MANY]
    boards, turns = decode_many(indices, NAME)
    assert turns.shape == (MANY,)
    given = None if inferred else turns
    texts = to_text(boards, NAME)
    values = table.values.take(indices)
    expected: dict[Callable[..., NDArray[Any]], NDArray[Any]] = {
        values_of: values,
        mover_values_of: np.where(turns, values, -values),
        moves_of: table.moves.take(indices),
        optimal_of: table.optimal.take(indices),
        reachable_of: table.reachable.take(indices),
    }
    for form in (boards, boards.reshape(-1, 4, 4), texts, texts.astype("S")):
        assert np.array_equal(encode_many(form, given, NAME), indices)
        for question, answers in expected.items():
            assert (question(form, given, NAME) == answers).all()
    for at in range(0, len(indices), 100):
        state = texts.item(at), turns.item(at)
        move = table.move(*state)
        assert table.value(*state) == values[at]
        assert table.mover_value(*state) == expected[mover_values_of][at]
        assert (-1 if move is None else move) == expected[moves_of][at]
        assert table.optimal_at(table.grid.encode(*state)) == expected[optimal_of][at]
        assert table.is_reachable(*state) == expected[reachable_of][at]


def test_the_reachable_boards_of_4x4_have_1217977_classes_with_their_values(
    table: Table,
) -> None:
    reached = np.flatnonzero(table.reachable)
    found = classes_at(reached, NAME)
    assert len(np.unique(found)) == 1217977
    assert table.reachable.take(found).all()
    assert (table.values.take(found) == table.values.take(reached)).all()
    for index, smallest in zip(reached[::1000], found[::1000], strict=True):
        assert class_at(index, table.grid) == smallest
