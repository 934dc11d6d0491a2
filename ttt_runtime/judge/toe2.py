"""SPOJ TOE2 and POJ 3075: whether a board can be the last one of a game."""

from ..tables import load
from .queries import by_board

SOURCE = 'SPOJ TOE2, POJ 3075, "Tic-Tac-Toe"'
HELP = """\
Whether a board can be the last one of a game, which X starts.

Input: boards, each nine marks '.', 'X' or 'O', row by row; then the word
"end". Output: "valid" or "invalid", a line a board."""
EXAMPLE = "XXXOO.XXX\nXOXOXOXOX\nend\n", "invalid\nvalid\n"

FIELDS = (("board", ".XO", 9),)
AFTER = ("\n",)
COUNT = None
END = "end"


def answers() -> list[bytes]:
    """Return the verdict on each board, as a line."""
    table = load()

    def verdict(index: int) -> bytes:
        return b"valid\n" if table.move_at(index) is None else b"invalid\n"

    return by_board(verdict, b"invalid\n")
