"""What is known of m,n,k games, and what a solver must agree with."""

import json

import numpy as np

from tests.files import ROOT
from ttt_runtime.boards import Grid
from ttt_runtime.builder.solver import Array, count_states, solve
from ttt_runtime.variants import Rules, Variant, named

KNOWN = json.loads((ROOT / "tests" / "data" / "mnk.json").read_text())
GAMES = KNOWN["games"]

OWN = (
    (ROOT / "docs" / "variants.md").read_text().split("```python\n")[1].split("```")[0]
)
"""A user's file: a torus, and rules with a score of their own."""


def assert_counts_are_the_published_ones(
    rule: str, size: str, arrays: dict[str, Array]
) -> None:
    """Hold the arrays of ``standard`` or ``misere`` against every count there is."""
    game, variant = GAMES[size], named(f"{rule}-{size}")
    won, drawn, lost = game[rule]["won_drawn_lost_for_the_mover"]
    value = {"draw": 0, "first player wins": -1, "second player wins": 1}
    assert count_states(variant, arrays) == {
        "states": game["states"],
        "reachable": game["reachable"],
        "finished": game["ended"],
        "won": won,
        "lost": lost,
        "drawn": drawn,
        "empty_board": value[game[rule]["empty_board"]],
    }
    marks = np.zeros(1, np.int8)
    for _ in range(variant.grid.cells):
        marks = np.add.outer(marks, np.array([0, 1, 1], np.int8)).ravel()
    reachable = arrays["reachable"].reshape(2, -1)
    counts = np.sum([np.bincount(marks[half], minlength=17) for half in reachable], 0)
    published = game["reachable_by_marks"]
    assert counts.tolist() == published + [0] * (17 - len(published))
    over = arrays["reachable"] & (arrays["moves"] == -1)
    sign = -1 if rule == "misere" else 1
    ends = [
        np.count_nonzero(arrays["values"][over] == end * sign) for end in (-1, 1, 0)
    ]
    assert ends == list(game["ended_by"].values())


def marks_at_the_end_of_the_fastest_play(rule: str, size: str) -> int:
    """Solve for who wins soonest or loses latest: -1 for a draw."""
    sign = -1 if rule == "misere" else 1

    def score(x_lines: int, o_lines: int, empty: int) -> int:
        return sign * ((o_lines > 0) - (x_lines > 0)) * (1 + empty)

    rows, columns, length = map(int, size.split("x"))
    grid = Grid(rows, columns, length)
    soon = Variant("soon", Rules("soon", "", True, score), grid)
    value = int(solve(soon)["values"][0])
    return grid.cells + 1 - abs(value) if value else -1
