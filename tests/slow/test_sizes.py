"""Boards of other sizes: every entry, or a sample, is that of a plain search."""

import json
from itertools import product

import pytest

from tests import oracle
from tests.files import ROOT
from ttt_runtime.builder.solver import solve
from ttt_runtime.variants import named

GAMES = json.loads((ROOT / "tests" / "data" / "mnk.json").read_text())["games"]


@pytest.mark.parametrize("size", ["3x4x3", "3x4x4"])
@pytest.mark.parametrize("rule", oracle.VARIANTS)
def test_every_entry_on_12_cells_is_the_oracles(rule: str, size: str) -> None:
    name = f"{rule}-{size}"
    arrays = solve(named(name))
    boards = ["".join(marks) for marks in product(".XO", repeat=12)]
    reached = oracle.reached(name, 12)
    entries = zip(*[array.tolist() for array in arrays.values()], strict=True)
    for turn in 0, 1:
        for board in boards:
            if oracle.meaningless(name, board):
                expected = (-128, -1, 0, False)
            else:
                cells = oracle.best(name, board, turn)
                expected = (
                    oracle.value(name, board, turn),
                    cells[0] if cells else -1,
                    sum([2**cell for cell in cells]),
                    (board, turn) in reached,
                )
            assert next(entries) == expected, (board, turn)
    oracle.value.cache_clear()
    oracle.both_lines.cache_clear()
