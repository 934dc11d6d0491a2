"""Tests of `ttt_runtime.symmetry`, and of the same in `ttt_runtime.arrays`."""

from collections import Counter
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttt_runtime import InvalidBoardError, InvalidIndexError, load
from ttt_runtime.arrays import classes_at, classes_of, decode_many, images_at
from ttt_runtime.boards import THREE, Grid
from ttt_runtime.builder.solver import solve
from ttt_runtime.symmetry import canonical, class_at, image, images, transforms
from ttt_runtime.variants import RULES, Variant, named

AROUND = [(0, 4, 8), (1, 5, 6), (2, 3, 7)]
STRAIGHT = THREE.lines[:6]
GRIDS = {
    "3x3": (THREE, 8),
    "2x2": (Grid(2, 2, 2), 8),
    "2x3": (Grid(2, 3, 2), 4),
    "3x2": (Grid(3, 2, 3), 4),
    "1x4": (Grid(1, 4, 2), 2),
    "1x1": (Grid(1, 1, 1), 1),
    "torus": (Grid(3, 3, [*STRAIGHT, *AROUND, (2, 4, 6), (1, 3, 8), (0, 5, 7)]), 8),
    "torus with diagonals of one slope": (Grid(3, 3, [*STRAIGHT, *AROUND]), 4),
    "torus whose rows are shifted": (Grid(2, 3, [(0, 1, 5), (2, 3, 4)]), 2),
    "one line": (Grid(3, 3, [(0, 1)]), 1),
    "a line that counts twice": (Grid(1, 3, [(0, 1), (0, 1), (1, 2)]), 1),
}
ALL = pytest.mark.parametrize(
    ("grid", "count"), [pytest.param(*each, id=name) for name, each in GRIDS.items()]
)


def keeps_distances(grid: Grid, way: tuple[int, ...]) -> bool:
    at = [complex(*divmod(cell, grid.columns)) for cell in range(grid.cells)]
    return all(
        abs(at[way[one]] - at[way[two]]) == abs(at[one] - at[two])
        for one, two in combinations(range(grid.cells), 2)
    )


def keeps_lines(grid: Grid, way: tuple[int, ...]) -> bool:
    moved = Counter(frozenset(way[cell] for cell in line) for line in grid.lines)
    return moved == Counter(map(frozenset, grid.lines))


@ALL
def test_transforms_are_a_group_of_all_that_keep_distances_and_lines(
    grid: Grid, count: int
) -> None:
    ways = transforms(grid)
    assert ways[0] == tuple(range(grid.cells))
    assert len(ways) == len(set(ways)) == count
    for one, two in product(ways, repeat=2):
        assert tuple([one[cell] for cell in two]) in ways
    if grid.cells < 7:
        every = set(permutations(range(grid.cells)))
        assert set(ways) == {
            way
            for way in every
            if keeps_distances(grid, way) and keeps_lines(grid, way)
        }
    assert all(keeps_distances(grid, way) and keeps_lines(grid, way) for way in ways)


@ALL
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_images_have_the_same_value_and_the_images_of_the_best_cells(
    rules: Any, grid: Grid, count: int
) -> None:
    arrays = solve(Variant("own", rules, grid))
    values = arrays["values"].reshape(2, *[3] * grid.cells)
    reachable = arrays["reachable"].reshape(values.shape)
    best = arrays["optimal"].reshape(*values.shape, 1) >> np.arange(grid.cells) & 1
    for way in transforms(grid):
        axes = [0, *[1 + cell for cell in way]]
        assert (values.transpose(axes) == values).all()
        assert (reachable.transpose(axes) == reachable).all()
        assert (best.transpose(*axes, -1)[..., way] == best).all()


@ALL
def test_the_canonical_board_is_the_image_with_the_smallest_index(
    grid: Grid, count: int
) -> None:
    boards = ["".join(marks) for marks in product(".XO", repeat=grid.cells)]
    for board in boards[:: 1 if grid.cells < 7 else 19]:
        every = images(board, grid)
        numbers = [grid.encode(each, 0) for each in every]
        assert numbers == sorted({*numbers})
        moved = [image(board, way) for way in transforms(grid)]
        assert {*every} == {*moved}
        smallest, way = canonical(board, grid)
        assert smallest == every[0]
        assert moved.index(smallest) == transforms(grid).index(way)
        assert {canonical(each, grid)[0] for each in every} == {smallest}
        assert canonical(smallest, grid) == (smallest, transforms(grid)[0])
        for turn in (0, 1):
            index = grid.encode(board, turn)
            assert class_at(index, grid) == numbers[0] + turn * grid.boards


def test_a_transform_has_for_each_cell_the_one_that_its_mark_comes_from() -> None:
    assert image("XO.......", (2, 1, 0, 5, 4, 3, 8, 7, 6)) == ".OX......"
    assert image("XO.......", (6, 3, 0, 7, 4, 1, 8, 5, 2)) == "..X..O..."


@pytest.mark.parametrize(
    "name",
    [
        "standard",
        "standard-2x3x2",
        "fill-2x2x2",
        "fill-1x1x1",
        "misere-1x10x3",
        "standard-4x4x4",
        "torus",
    ],
)
def test_arrays_answer_as_the_scalars_do(name: str, built: Path) -> None:
    grid = load(name).grid if name == "torus" else named(name).grid
    indices = np.arange(grid.states)[:: max(1, grid.states // 4000) | 1]
    expected = [class_at(index, grid) for index in indices.tolist()]
    found = classes_at(indices, name)
    assert found.tolist() == expected
    assert found.dtype == np.min_scalar_type(grid.states - 1)
    boards, turns = decode_many(indices, name)
    assert classes_of(boards, turns, name).tolist() == expected
    ways = transforms(grid)
    every = images_at(indices.reshape(1, -1), name)
    assert (every.dtype, every.shape) == (found.dtype, (1, len(indices), len(ways)))
    assert (every.min(axis=-1) == found).all()
    for row, first in zip(
        every[0, ::40].tolist(), every[0].argmin(-1)[::40], strict=True
    ):
        board, turn = grid.decode(row[0])
        assert row == [grid.encode(image(board, way), turn) for way in ways]
        assert ways[first] == canonical(board, grid)[1]


def test_more_boards_than_are_read_at_once_have_classes_in_their_shape() -> None:
    indices = np.arange(39366, dtype=">i4").reshape(2, 27, 729).transpose(1, 0, 2)
    before = indices.copy()
    found = classes_at(indices)
    assert (indices == before).all()
    assert (found[:, 1] == found[:, 0] + 19683).all()
    values = load("fill").values
    assert (values[found] == values[indices]).all()
    assert (classes_at(found) == found).all()
    assert (images_at(indices).min(axis=-1) == found).all()
    assert classes_at(9396).shape == classes_of("XX.OO....").shape == ()
    assert classes_at([]).shape == classes_of([]).shape == (0,)
    assert images_at([]).shape == (0, 8)


@pytest.mark.parametrize(
    ("name", "classes"),
    [("standard", 765), ("misere", 765), ("fill", 850), ("standard-3x4x3", 28275)],
)
def test_known_counts_of_classes(name: str, classes: int) -> None:
    reached = np.flatnonzero(solve(named(name))["reachable"])
    assert len(np.unique(classes_at(reached, name))) == classes


def test_known_outcomes_of_classes() -> None:
    standard = load()
    found = np.unique(classes_at(np.flatnonzero(standard.reachable)))
    assert Counter(standard.values[found].tolist()) == {-1: 412, 1: 202, 0: 151}


def test_what_is_no_board_or_index_is_refused() -> None:
    for board in ("XX.OO...", "xx.oo....", 5):
        expected = (
            f"board is {board!r}, expected a str of 9 marks, X, O or '.', as many"
        )
        with pytest.raises(
            InvalidBoardError, match=f"^{expected} as the transform has"
        ):
            image(board, transforms()[0])  # type: ignore[arg-type]
    for question in (canonical, images):
        with pytest.raises(InvalidBoardError, match="in cell 0; write X in upper case"):
            question("xx.oo....")
        with pytest.raises(InvalidBoardError, match="has 9 marks, expected 6"):
            question("XX.OO....", Grid(2, 3, 2))
    for index in (-1, 39366, "0"):
        for answer in (class_at, classes_at, images_at):
            with pytest.raises(InvalidIndexError, match="from 0 to 39365"):
                answer(index)  # type: ignore[arg-type]
    with pytest.raises(InvalidBoardError, match=r"boards\[1\]: board 'XX.' has 3 mark"):
        classes_of(["XX.OO....", "XX."])
