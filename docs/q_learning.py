"""Train an agent by tabular Q-learning, and measure it exactly after each epoch.

It plays against itself. Usage: python docs/q_learning.py [PICTURE.svg]
"""

import random
import sys

import matplotlib
import matplotlib.pyplot as plt

from ttt_runtime import load
from ttt_runtime.policies import expected, exploitability, greedy, uniform

EPOCHS, GAMES = 60, 1000
RATE, EXPLORING = 0.3, 0.4
SHOWN = 1, 2, 5, 10, 20, 40, 60

TABLE = load()
CELLS = TABLE.grid.cells


def learn(q: list[list[float]], chance: random.Random) -> None:
    """Play one game, and move the Q-value of each move towards what came of it."""
    index = 0
    while TABLE.move_at(index) is not None:
        board, turn = TABLE.grid.decode(index)
        free = [cell for cell in range(CELLS) if board[cell] == "."]
        chance.shuffle(free)  # so that equal values are tried alike
        cell = max(free, key=q[index].__getitem__)
        if chance.random() < EXPLORING:
            cell = free[0]
        after = TABLE.grid.encode(board[:cell] + "XO"[turn] + board[cell + 1 :])
        if TABLE.move_at(after) is None:
            gained = -float(TABLE.mover_value_at(after))
        else:
            board, _ = TABLE.grid.decode(after)
            gained = -max(q[after][cell] for cell in range(CELLS) if board[cell] == ".")
        q[index][cell] += RATE * (gained - q[index][cell])
        index = after


def draw(path: str, worth: list[tuple[float, float]]) -> None:
    """Plot what exploitability and losses to chance were after each epoch."""
    matplotlib.rcParams["svg.hashsalt"] = "q-learning"  # the same ids each time
    games = [GAMES * epoch for epoch in range(1, EPOCHS + 1)]
    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.plot(games, [each for each, _ in worth], label="exploitability")
    axes.plot(games, [lost for _, lost in worth], label="games lost to chance")
    axes.set(xlabel="games of training", ylim=(0, None), xlim=(0, games[-1]))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Train, and print and draw what the agent is worth."""
    chance = random.Random(1)
    q = [[0.0] * CELLS for _ in range(TABLE.grid.states)]
    worth = []
    for epoch in range(1, EPOCHS + 1):
        for _ in range(GAMES):
            learn(q, chance)
        agent = greedy(q)
        lost = expected(agent, uniform()).o_wins + expected(uniform(), agent).x_wins
        worth.append((exploitability(agent).exploitability, lost / 2))
        if epoch in SHOWN:
            print("{:6,} games: {:.4f}, {:.4f}".format(epoch * GAMES, *worth[-1]))
    if sys.argv[1:]:
        draw(sys.argv[1], worth)


if __name__ == "__main__":
    main()
