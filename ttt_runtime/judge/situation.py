"""Codeforces gym 102800J, "Situation".

Alice plays O and maximises, Bob plays X and minimises. Every empty cell gets filled;
lines end nothing. The answer is lines of O minus lines of X under perfect play: the
value in the variant ``fill``.

Input: T, then T queries of four tokens: the turn (1 Alice, 0 Bob), which is given and
never counted, and the three rows of the board. Output: one answer a line.
"""

from ..errors import InvalidBoardError
from ..tables import load

TOKENS = (
    ("turn", "01", 1),
    ("row 1", ".XO", 3),
    ("row 2", ".XO", 3),
    ("row 3", ".XO", 3),
)


def answers() -> list[list[str]]:
    """Return the line that answers a query, by the two bytes of its index."""
    lines = [f"{(byte ^ 128) - 128}\n" for byte in range(256)]
    values = [lines[byte] for byte in load("fill").raw("values")]
    return [values[start : start + 243] for start in range(0, len(values), 243)]


def situation_score(board: str, turn: int) -> int:
    """Return lines of O minus lines of X once perfect play has filled the board.

    Parameters
    ----------
    board : str
        Nine marks, ``X``, ``O`` or ``.``, row by row; any such board is legal.
    turn : int
        1 if Alice (O, who maximises) moves next, 0 if Bob (X, who minimises) does.

    Raises
    ------
    InvalidBoardError
        If the board is malformed, or the turn is not 0 or 1.

    Examples
    --------
    >>> situation_score(".OOX.OOXO", 1)
    2
    """
    if turn is None:  # elsewhere a turn left out is inferred; here it is asked for
        raise InvalidBoardError("turn is None, expected 0 (Bob) or 1 (Alice)")
    return load("fill").value(board, turn)
