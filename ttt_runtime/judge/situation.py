"""Codeforces gym 102800J, "Situation": the value in the variant ``fill``."""

from ..tables import load
from .queries import rows

SOURCE = 'Codeforces gym 102800J, "Situation"'
HELP = """\
Alice plays O and maximises, Bob plays X and minimises; every empty cell gets
filled and lines end nothing. The answer is lines of O minus lines of X under
perfect play.

Input: T, then T queries of four tokens: the turn (1 = Alice, 0 = Bob) and
three rows of '.', 'X' and 'O'; any board is legal. Output: one answer a line."""
EXAMPLE = "1\n1\n.OO\nX.O\nOXO\n", "2\n"

FIELDS = (("turn", "01", 1), *rows(".XO"))
AFTER = ("\n",) * 4
COUNT = "T"
END = None


def answers() -> list[bytes]:
    """Return the value of each state, as a line."""
    lines = [b"%d\n" % ((byte ^ 128) - 128) for byte in range(256)]
    return [lines[byte] for byte in load("fill").raw("values").tobytes()]
