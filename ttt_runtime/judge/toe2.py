"""SPOJ TOE2 and POJ 3075: whether a board can be the last one of a game."""

from ..boards import BOARDS
from ..tables import load
from .queries import reached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .problem import Field

SOURCE = 'SPOJ TOE2, POJ 3075, "Tic-Tac-Toe"'
HELP = """\
Whether a board can be the last one of a game, which X starts.

Input: boards, each nine marks '.', 'X' or 'O', row by row; then the word "end". Output:
"valid" or "invalid", a line a board."""
EXAMPLE = "XXXOO.XXX\nXOXOXOXOX\nend\n", "invalid\nvalid\n"

FIELDS: "Sequence[Field]" = (("board", ".XO", 9),)
AFTER: "Sequence[str]" = ("\n",)
COUNT: str | None = None
END: str | None = "end"


def answers() -> "list[bytes | None]":
    """Return the verdict on each board, as a line."""
    table = load()
    lines: list[bytes | None] = [b"invalid\n"] * BOARDS
    for number, index in reached():
        if table.move_at(index) is None:
            lines[number] = b"valid\n"
    return lines
