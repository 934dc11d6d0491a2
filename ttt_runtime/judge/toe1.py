"""SPOJ TOE1 and UVa 10363: whether play can lead to a board."""

from ..boards import BOARDS
from .queries import reached, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .problem import Field

SOURCE = 'SPOJ TOE1, UVa 10363, "Tic Tac Toe"'
HELP = """\
Whether a game, which X starts, can lead to a board.

Input: N, then N boards, each three rows of '.', 'X' and 'O', with blank lines between
boards or without. Output: "yes" or "no", a line a board."""
EXAMPLE = "2\nX.O\nOO.\nXXX\n\nO.X\nXX.\nOOO\n", "yes\nno\n"

FIELDS: "Sequence[Field]" = rows(".XO")
AFTER: "Sequence[str]" = ("\n", "\n", "\n\n")
COUNT: str | None = "N"
END: str | None = None


def answers() -> "list[bytes | None]":
    """Return the verdict on each board, as a line."""
    lines: list[bytes | None] = [b"no\n"] * BOARDS
    for number, _ in reached():
        lines[number] = b"yes\n"
    return lines
