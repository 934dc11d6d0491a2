"""How games between the levels end: exact, from the chances of each move."""

from fractions import Fraction
from functools import cache
from math import lcm
from operator import mul

from tests import oracle
from ttt_runtime import load
from ttt_runtime.levels import LEVELS, weights

PLAYERS = {**{level: (level, False) for level in LEVELS}, "trap": ("perfect", True)}
"""The levels, and the perfect one that sets traps: level and trap, for `weights`."""

Ends = tuple[Fraction, ...]
"""The chances that X wins, of a draw, and that O wins."""


@cache
def strength(variant: str) -> dict[tuple[str, str], Ends]:
    """Return how games from the empty board end, for each player of X and of O."""
    table = load(variant)
    states = sorted(oracle.reached(variant), key=lambda state: state[0].count("."))
    places = {state: place for place, state in enumerate(states)}
    policies = {
        player: [weights(level, *state, table, trap) for state in states]
        for player, (level, trap) in PLAYERS.items()
    }
    sums = {sum(found.values()) for policy in policies.values() for found in policy}
    unit = lcm(*sums - {0})  # chances are integers, by unit**k where k cells are empty
    moves = {
        player: [
            (
                [places[oracle.play(*state, cell), 1 - state[1]] for cell in found],
                [unit // sum(found.values()) * weight for weight in found.values()],
            )
            for state, found in zip(states, policy, strict=True)
        ]
        for player, policy in policies.items()
    }
    over = []
    for board, turn in states:
        value, whole = table.value(board, turn), unit ** board.count(".")
        over.append((whole * (value < 0), whole * (not value), whole * (value > 0)))
    ends = {}
    for pair in [(player, other) for player in PLAYERS for other in PLAYERS]:
        chances: list[tuple[int, ...]] = []
        for place, (_, turn) in enumerate(states):
            after, parts = moves[pair[turn]][place]
            each = zip(*[chances[other] for other in after], strict=True)
            expected = [sum(map(mul, parts, column)) for column in each]
            chances.append(tuple(expected) or over[place])
        ends[pair] = tuple([Fraction(chance, unit**9) for chance in chances[-1]])
    return ends


def table_of(ends: dict[tuple[str, str], Ends]) -> str:
    """Write the chances in per cent, a row for each player of X."""
    rows = [["X \\ O", *PLAYERS], ["---", *["--:"] * len(PLAYERS)]]
    for player in PLAYERS:
        pairs = [(player, other) for other in PLAYERS]
        rows.append(
            [player, *[" / ".join(map(_percent, ends[pair])) for pair in pairs]]
        )
    return "\n".join([f"| {' | '.join(row)} |" for row in rows])


def _percent(chance: Fraction) -> str:
    """Write what never or always happens without decimals."""
    return f"{float(100 * chance):.{0 if chance in (0, 1) else 1}f}"
