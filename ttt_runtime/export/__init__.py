"""Export: one source file with the table in it, to submit, to paste or to flash.

`source` returns the file's text. Functions go by any variant of up to 12 cells;
programs answer a contest problem from standard input, and have their own rules.
"""

from ..boards import shown
from ..errors import InvalidExportError
from ..judge.command import PROBLEMS

FUNCTIONS = {
    "best-move": "the cell to play, the smallest of the best ones",
    "value": "the value of a state, from O's viewpoint",
    "opponent": "both at once: the cell that the computer plays, and the value",
}
"""The functions, and what each one returns."""

PROGRAMS = tuple(PROBLEMS)
"""The contest problems that there are programs for."""

WHATS = (*FUNCTIONS, *PROGRAMS)
"""What can be exported."""

TARGETS = ("python", "c", "cpp", "javascript", "header")
"""What it can be exported to; a program to ``python`` and ``cpp`` alone."""


def source(what: str, to: str, variant: str = "standard", classes: bool = False) -> str:
    """Return a self-contained source file; the same one for the same arguments.

    Parameters
    ----------
    what : str
        One of `WHATS`.
    to : str
        One of `TARGETS`.
    variant : str
        What `load` takes, for a function: a board of up to 12 cells.
    classes : bool
        Whether a header has a value for each class of the states that games lead to,
        instead of one for every state: a twentieth of the data, slower to read.

    Raises
    ------
    InvalidExportError
        If there is no such file.
    UnknownVariantError, TableError
        Where `load` does.

    Examples
    --------
    >>> text = source("best-move", "python")
    >>> names = {}
    >>> exec(text, names)
    >>> names["best_move"]("XX.OO....", 0)
    2
    """
    if what not in WHATS:
        raise InvalidExportError(
            f"there is no {shown(what)} to export; there are {', '.join(WHATS)}"
        )
    targets = TARGETS if what in FUNCTIONS else ("python", "cpp")
    if to not in targets:
        raise InvalidExportError(
            f"{what} cannot be exported to {shown(to)}, only to {', '.join(targets)}"
        )
    if classes and (what, to) not in [(each, "header") for each in FUNCTIONS]:
        raise InvalidExportError(
            f"classes are for a header with {', '.join(FUNCTIONS)}, not for "
            f"{what} in {to}"
        )
    if what in FUNCTIONS:
        from .functions import function

        return function(what, to, variant, classes)
    if variant != "standard":
        raise InvalidExportError(f"{what} has rules of its own, not those of {variant}")
    from .programs import program

    return program(what, to)
