"""The contest problem "Situation" in plain Python: memoised search, one read."""

import sys
from functools import cache

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))
LINES = ROWS + COLUMNS + DIAGONALS


@cache
def value(state: str) -> int:
    """Return lines of O minus lines of X; a state is the turn and nine marks."""
    turn, board = state[0], state[1:]
    if "." not in board:
        lines = [board[a] + board[b] + board[c] for a, b, c in LINES]
        return lines.count("OOO") - lines.count("XXX")
    best, mark, other = (max, "O", "0") if turn == "1" else (min, "X", "1")
    return best(
        [
            value(other + board[:cell] + mark + board[cell + 1 :])
            for cell in range(9)
            if board[cell] == "."
        ]
    )


def main() -> None:
    """Answer every query: a turn and three rows."""
    with open(sys.argv[1] if len(sys.argv) > 1 else 0) as file:
        _, *tokens = file.read().split()
    states = map("".join, zip(*[iter(tokens)] * 4, strict=True))
    print("\n".join(map(str, map(value, states))))


main()
