"""Policies beside OpenSpiel's exploitability, and on 16 cells beside games played.

OpenSpiel is the optional group ``proof``; without it these tests are skipped, but with
CI set in the environment they fail. It takes 15 s for each policy: its states are the
294,778 sequences of moves. With TTT_EXHAUSTIVE set it is 50 random ones, else 3.
"""

import os
import resource
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.slow.test_proof import pyspiel
from ttt_runtime import Table, encode
from ttt_runtime.builder.variants import build
from ttt_runtime.policies import Expected, expected, exploitability, perfect, uniform
from ttt_runtime.policies.layers import Reached
from ttt_runtime.variants import named

GAMES = 20_000
RANDOM = 50 if os.environ.get("TTT_EXHAUSTIVE") else 3


@pytest.fixture(scope="module")
def theirs() -> tuple[Any, Any, NDArray[np.int64]]:
    game = pyspiel().load_game("tic_tac_toe")
    policy = import_module("open_spiel.python.policy").TabularPolicy(game)
    boards = ["".join(str(state).split()).upper() for state in policy.states]
    return game, policy, np.array([*map(encode, boards)])


@pytest.mark.parametrize("seed", [*range(RANDOM), "uniform", "perfect"])
def test_openspiel_finds_the_same_exploitability(
    theirs: tuple[Any, Any, NDArray[np.int64]], seed: int | str
) -> None:
    game, policy, indices = theirs
    ours = perfect() if seed == "perfect" else uniform()
    if isinstance(seed, int):
        ours *= np.random.default_rng(seed).random(ours.shape) ** 3
        ours /= np.maximum(ours.sum(1, keepdims=True), 1e-300)
    policy.action_probability_array[:] = ours[indices]
    algorithms = import_module("open_spiel.python.algorithms.exploitability")
    nash_conv = algorithms.nash_conv(game, policy)
    found = exploitability(ours)
    assert abs(found.nash_conv - nash_conv) < 1e-9
    if seed == 0:
        half = algorithms.exploitability(game, policy)
        assert abs(found.exploitability - half) < 1e-9


def play(reached: Reached, policies: list[NDArray[Any]]) -> Expected:
    """Play many games at once, and return how they ended."""
    chance = np.random.default_rng(17)
    table, grid = reached.table, reached.table.grid
    games, plies = np.zeros(GAMES, np.int64), np.zeros(GAMES)
    for turn in [0, 1] * (grid.cells // 2):
        on = np.flatnonzero(table.moves[games] >= 0)
        rows = policies[turn][np.searchsorted(reached.states, games[on])].cumsum(1)
        cells = (chance.random((len(on), 1)) * rows[:, -1:] < rows).argmax(1)
        games[on] += (1 + turn) * np.array(grid.powers)[cells]
        games[on] += (1 - 2 * turn) * grid.boards
        plies[on] += 1
    values = table.values[games]
    ends = values < 0, values == 0, values > 0, plies, values
    return Expected(*[float(np.mean(each)) for each in ends])


def test_uniform_against_perfect_on_4x4x3_ends_as_games_do(tmp_path: Path) -> None:
    build([named("standard-4x4x3")], tmp_path)
    table = Table("standard-4x4x3", str(tmp_path))
    indices = np.flatnonzero(table.reachable)
    policies = [uniform(table, indices), perfect(table, indices=indices)]
    start = time.perf_counter()
    exact = expected(policies[0], policies[1], table)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{len(indices)} states, {seconds:.1f} s, {peak:.2f} GiB at most: {exact}")
    assert exact.x_wins + exact.draw + exact.o_wins == pytest.approx(1, abs=1e-12)
    found = play(Reached(table), policies)
    for number, mean in enumerate(found[:3]):
        error = (exact[number] * (1 - exact[number]) / GAMES) ** 0.5
        assert abs(mean - exact[number]) <= 4 * error, (found, exact)
    assert abs(found.plies - exact.plies) < 4 * 3 / GAMES**0.5
