"""CCF CSP 201803-4: the value in the variant ``fastest``, from X's side."""

from ..boards import BOARDS, UNDEFINED
from ..tables import load

SOURCE = "CCF CSP 201803-4"
HELP = """\
X is to move. The answer is the number of empty cells left at the end plus one
if X wins, minus that if O wins, 0 for a draw: each side wins as soon, or loses
as late, as it can.

Input: T, then T boards, each three rows of three integers, 0 for an empty
cell, 1 for X, 2 for O. Output: one answer a line. A board on which both sides
have a line is refused."""
EXAMPLE = "1\n1 2 1\n2 1 2\n0 0 0\n", "3\n"

FIELDS = [(f"row {row} column {column}", "012", 1) for row in "123" for column in "123"]
AFTER = (" ", " ", "\n") * 3
COUNT = "T"
END = None
NO_ANSWER = "both sides have a line, expected a board of a game"


def answers() -> list[bytes | None]:
    """Return the score of each board with X to move, as a line."""
    values = load("fastest").raw("values").cast("b")[:BOARDS]
    return [None if value == UNDEFINED else b"%d\n" % -value for value in values]
