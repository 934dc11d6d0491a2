"""SPOJ TOE1 and UVa 10363: whether play can lead to a board."""

from .queries import by_board, rows

SOURCE = 'SPOJ TOE1, UVa 10363, "Tic Tac Toe"'
HELP = """\
Whether a game, which X starts, can lead to a board.

Input: N, then N boards, each three rows of '.', 'X' and 'O', with blank lines
between boards or without. Output: "yes" or "no", a line a board."""
EXAMPLE = "2\nX.O\nOO.\nXXX\n\nO.X\nXX.\nOOO\n", "yes\nno\n"

FIELDS = rows(".XO")
AFTER = ("\n", "\n", "\n\n")
COUNT = "N"
END = None


def answers() -> list[bytes]:
    """Return the verdict on each board, as a line."""
    return by_board(lambda _: b"yes\n", b"no\n")
