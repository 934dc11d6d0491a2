"""Kattis `tictactoecounting`: the continuations that each side wins."""

from struct import unpack_from

from ..tables import load
from .queries import by_board

SOURCE = 'Kattis tictactoecounting (NAC 2022), "Tic Tac Toe Counting"'
HELP = """\
How many continuations of a game end with X winning, and how many with O
winning. X starts, so the counts tell whose turn it is. A finished board has
one continuation.

Input: t, then t boards, each nine marks '.', 'X' or 'O', row by row. Output: a
line a board, both numbers with a space between, or "-1 -1" if no game reaches
the board."""
EXAMPLE = "2\nXX..O....\nOOOXXX...\n", "191 194\n-1 -1\n"

FIELDS = (("board", ".XO", 9),)
AFTER = ("\n",)
COUNT = "t"
END = None


def answers() -> list[bytes]:
    """Return the two counts of each board, as a line."""
    counts = load().raw("continuations")

    def both(index: int) -> bytes:
        return b"%d %d\n" % unpack_from("<2i", counts, 12 * index)

    return by_board(both, b"-1 -1\n")
