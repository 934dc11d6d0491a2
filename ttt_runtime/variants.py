"""The rules variants: when play ends, and how the end is scored.

A new variant is one more entry in `VARIANTS`; the builder solves it, the certificate
checks it, and the runtime finds its tables by name.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class Variant(NamedTuple):
    """A rule for when play ends, and for how the end is scored."""

    name: str
    summary: str
    ends_at_line: bool
    score: Callable[[Any, Any, Any], Any]
    """(lines of X, lines of O, empty cells) -> the final value from O's viewpoint;
    for one board as integers, or for many as arrays."""


def _winner(x_lines: Any, o_lines: Any) -> Any:
    """Return +1 where O has the more lines, -1 where X has, else 0."""
    return 1 * (o_lines > x_lines) - 1 * (x_lines > o_lines)


VARIANTS = (
    Variant(
        "standard",
        "three in a row wins: +1 O has a line, -1 X has one, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: _winner(x_lines, o_lines),
    ),
    Variant(
        "fill",
        "every cell gets filled: lines of O minus lines of X",
        False,
        lambda x_lines, o_lines, empty: o_lines - x_lines,
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
    ),
)
