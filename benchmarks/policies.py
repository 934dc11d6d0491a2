"""Time the exploitability of a policy of 3x3 beside OpenSpiel's."""

import time
from statistics import median

import numpy as np
from open_spiel.python.algorithms.exploitability import nash_conv  # type: ignore
from open_spiel.python.policy import TabularPolicy  # type: ignore
from pyspiel import load_game  # type: ignore
from rounds import asked_to_write, publish, shown_ratio, shown_time

from ttt_runtime import encode
from ttt_runtime.policies import exploitability, uniform

ROUNDS = 3
"""OpenSpiel takes 15 s for one."""


def main() -> None:
    """Compare the answers for random policies, and publish the times."""
    write = asked_to_write(__doc__)
    game = load_game("tic_tac_toe")
    tabular = TabularPolicy(game)
    boards = ["".join(str(state).split()).upper() for state in tabular.states]
    indices = np.array([*map(encode, boards)])
    ours, theirs = [], []
    for seed in range(ROUNDS):
        policy = uniform() * np.random.default_rng(seed).random((39366, 9))
        policy /= np.maximum(policy.sum(1, keepdims=True), 1e-9)
        tabular.action_probability_array[:] = policy[indices]
        start = time.perf_counter()
        expected = nash_conv(game, tabular)
        theirs.append(time.perf_counter() - start)
        some = []
        for _ in range(9):
            start = time.perf_counter()
            found = exploitability(policy).nash_conv
            some.append(time.perf_counter() - start)
        ours.append(median(some))
        if abs(found - expected) > 1e-9:
            raise SystemExit(f"stopped: {found} here, {expected} in OpenSpiel")
    lines = [
        "| exploitability | time | ÷ `ttt_runtime` |",
        "|---|--:|--:|",
        f"| `ttt_runtime` | {shown_time(ours)} | 1.0 |",
        f"| OpenSpiel | {shown_time(theirs)} | {shown_ratio(theirs, ours)} |",
    ]
    publish("policies.py", lines, write)


if __name__ == "__main__":
    main()
