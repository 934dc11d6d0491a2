"""Kattis `tictactoecounting`: the continuations that each side wins."""

from struct import unpack_from

from ..boards import BOARDS
from ..tables import load
from .queries import reached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .problem import Field

SOURCE = 'Kattis tictactoecounting (NAC 2022), "Tic Tac Toe Counting"'
HELP = """\
How many continuations of a game end with X winning, and how many with O winning. X
starts, so the counts tell whose turn it is. A finished board has one continuation.

Input: t, then t boards, each nine marks '.', 'X' or 'O', row by row. Output: a line a
board, both numbers with a space between, or "-1 -1" if no game reaches the board."""
EXAMPLE = "2\nXX..O....\nOOOXXX...\n", "191 194\n-1 -1\n"

FIELDS: "Sequence[Field]" = (("board", ".XO", 9),)
AFTER: "Sequence[str]" = ("\n",)
COUNT: str | None = "t"
END: str | None = None


def answers() -> "list[bytes | None]":
    """Return the two counts of each board, as a line."""
    counts = load().raw("continuations")
    lines: list[bytes | None] = [b"-1 -1\n"] * BOARDS
    for number, index in reached():
        lines[number] = b"%d %d\n" % unpack_from("<2i", counts, 12 * index)
    return lines
