"""The rules variants: when play ends, and how the end is scored.

A new variant is one more entry in `VARIANTS`; the builder solves it, the certificate
checks it, and the runtime finds its tables by name.
"""

from .boards import shown
from .errors import UnknownVariantError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Variant:
    """A rule for when play ends, and for how the end is scored.

    Attributes
    ----------
    name : str
        What `load` finds the tables by.
    summary : str
        The rule in one line: a title, a colon, what the values mean.
    ends_at_line : bool
        Whether the first line ends play; a full board always does.
    score : callable
        (lines of X, lines of O, empty cells) -> the final value from O's viewpoint;
        for one board as integers, or for many as arrays.
    unit : str or None
        What the size of a value measures: ``"plies"``, 1 + the cells left empty by a
        win; ``"lines"``, the lead at the end; None where only the sign means something.
    counted : bool
        Whether the continuations of each state are counted.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        ends_at_line: bool,
        score: "Callable[[Any, Any, Any], Any]",
        unit: str | None = None,
        counted: bool = False,
    ) -> None:
        self.name = name
        self.summary = summary
        self.ends_at_line = ends_at_line
        self.score = score
        self.unit = unit
        self.counted = counted


def _winner(x_lines: "Any", o_lines: "Any") -> "Any":
    """Return +1 where O has the more lines, -1 where X has, else 0."""
    return 1 * (o_lines > x_lines) - 1 * (x_lines > o_lines)


VARIANTS = (
    Variant(
        "standard",
        "three in a row wins: +1 O has a line, -1 X has one, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: _winner(x_lines, o_lines),
        counted=True,
    ),
    Variant(
        "fill",
        "every cell gets filled: lines of O minus lines of X",
        False,
        lambda x_lines, o_lines, empty: o_lines - x_lines,
        unit="lines",
    ),
    Variant(
        "misere",
        "three in a row loses: +1 X has a line, -1 O has one, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: -_winner(x_lines, o_lines),
    ),
    Variant(
        "fastest",
        "win soonest, lose latest: 1 + empty cells left for the winner, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: _winner(x_lines, o_lines) * (1 + empty),
        unit="plies",
    ),
)


def named(name: str) -> Variant:
    """Return the variant of this name.

    Raises
    ------
    UnknownVariantError
        If there is none.

    Examples
    --------
    >>> named("fill").unit
    'lines'
    """
    for variant in VARIANTS:
        if variant.name == name:
            return variant
    names = ", ".join([variant.name for variant in VARIANTS])
    raise UnknownVariantError(f"variant is {shown(name)}, expected one of {names}")
