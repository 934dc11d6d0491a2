"""Codeforces 3C, "Tic-tac-toe": whose turn it is, or how the game has ended."""

from ..boards import BOARDS
from ..tables import load
from .queries import reached, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .problem import Field

SOURCE = 'Codeforces 3C, "Tic-tac-toe"'
HELP = """\
Whose turn it is, or how the game has ended. The first player plays X.

Input: one board, three rows of '.', 'X' and the digit '0'. Output: "first", "second",
"the first player won", "the second player won", "draw", or "illegal" if no game reaches
the board."""
EXAMPLE = "X0X\n.0.\n.X.\n", "second\n"

FIELDS: "Sequence[Field]" = rows(".X0")
AFTER: "Sequence[str]" = ("\n",) * 3
COUNT: str | None = None
END: str | None = None


def answers() -> "list[bytes | None]":
    """Return the verdict on each board, as a line."""
    table = load()
    ends = {
        -1: b"the first player won\n",
        0: b"draw\n",
        1: b"the second player won\n",
    }
    lines: list[bytes | None] = [b"illegal\n"] * BOARDS
    for number, index in reached():
        if table.move_at(index) is None:
            lines[number] = ends[table.value_at(index)]
        else:
            lines[number] = b"first\n" if index < BOARDS else b"second\n"
    return lines
