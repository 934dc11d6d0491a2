"""Codeforces 3C, "Tic-tac-toe": whose turn it is, or how the game has ended."""

from ..boards import BOARDS
from ..tables import load
from .queries import by_board, rows

SOURCE = 'Codeforces 3C, "Tic-tac-toe"'
HELP = """\
Whose turn it is, or how the game has ended. The first player plays X.

Input: one board, three rows of '.', 'X' and the digit '0'. Output: "first",
"second", "the first player won", "the second player won", "draw", or "illegal"
if no game reaches the board."""
EXAMPLE = "X0X\n.0.\n.X.\n", "second\n"

FIELDS = rows(".X0")
AFTER = ("\n",) * 3
COUNT = None
END = None


def answers() -> list[bytes]:
    """Return the verdict on each board, as a line."""
    table = load()
    ends = {
        -1: b"the first player won\n",
        0: b"draw\n",
        1: b"the second player won\n",
    }

    def verdict(index: int) -> bytes:
        if table.move_at(index) is None:
            return ends[table.value_at(index)]
        return b"first\n" if index < BOARDS else b"second\n"

    return by_board(verdict, b"illegal\n")
