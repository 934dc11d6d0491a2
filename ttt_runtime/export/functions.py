"""Functions that look a state up, in each language, with the table in their source.

A template is the file it makes, for all functions: the lines from ``[if ...]`` to
``[end]`` are kept for those that are named there, and ``$names`` are replaced.

In Python the table is the arrays, compressed. A page cannot uncompress it before it
goes on, and C has nothing to do it with. There each state has a code, for its value and
for whether play has ended before the board is full; the move is the smallest cell after
which the value is best. On 3x3 that takes 5.7 to 11.1 kB, where a table of moves takes
10.4 to 12.8, and answers both questions.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from importlib.resources import files
from string import Template
from textwrap import wrap
from zlib import compress

import numpy as np

from .. import __version__
from ..boards import NO_MOVE
from ..errors import InvalidExportError, UnknownVariantError
from ..tables import Table, load
from ..variants import Variant, named
from . import FUNCTIONS
from .packing import SPARE, bits_of, chain, packed

LARGEST = 12
"""The most cells that a board may have: 1,062,882 states."""

NO_ANSWER = -129
"""What C returns for no state, or none that it knows: no int8, as moves and values."""

_SUFFIXES = {"python": "py", "c": "c", "cpp": "cpp", "javascript": "js", "header": "h"}


def function(what: str, to: str, variant: str, classes: bool) -> str:
    """Return the source of a function, as `ttt_runtime.export.source` does."""
    try:
        grid = named(variant).grid  # a table that is too large need not be built
    except (UnknownVariantError, AttributeError):  # no name that tells, or no str
        grid = load(variant).grid
    if grid.cells > LARGEST:
        raise InvalidExportError(
            f"{variant} has {grid.cells} cells; a table in source has at most {LARGEST}"
        )
    table = load(variant)
    name = f"function.{_SUFFIXES[to]}.in"
    data: dict[str, object]
    if to == "python":
        data = {
            "moves": as_text(compress(table.moves.tobytes(), 9)),
            "values": as_text(compress(table.values.tobytes(), 9)),
        }
    elif classes:
        from .classes import of_classes

        name, data = "classes.h.in", of_classes(table)
    else:
        data = _of_states(table, what, to)
    template = (files(__package__) / "templates" / name).read_text("utf-8")
    summary = Variant(variant, table.rules, grid).summary
    return Template(kept(template, what)).substitute(
        data,
        what=what,
        about=FUNCTIONS[what],
        variant=variant,
        rules=" ".join(summary.split()).encode("ascii", "replace").decode(),
        version=__version__,
        command=f"ttt export {what} --to {to} --variant {variant}"
        + " --classes" * classes,
        cells=grid.cells,
        boards=grid.boards,
        check=checksum(table, what, classes),
    )


def kept(template: str, what: str) -> str:
    r"""Return a template without the parts that are for other functions.

    Examples
    --------
    >>> kept("[if value]\n1\n[end]\n[if best-move opponent]\n2\n[end]\n", "value")
    '1\n'
    """
    part = re.compile(
        r"^[^\n]*\[if ([a-z -]+)\].*?\n(.*?)^[^\n]*\[end\].*?\n", re.M | re.S
    )
    return part.sub(lambda each: each[2] * (what in each[1].split()), template)


def checksum(table: Table, what: str, classes: bool) -> int:
    """Return FNV-1a of the answers to all states in order: moves, values, or both."""
    answers = {"best-move": [table.moves], "value": [table.values]}
    arrays = answers.get(what, [table.moves, table.values])
    known = table.reachable | (not classes)
    content = np.stack([np.where(known, each, NO_ANSWER) for each in arrays], 1)
    check = 0x811C9DC5
    for byte in content.astype(np.uint8).tobytes():
        check = (check ^ byte) * 0x01000193 & 0xFFFFFFFF
    return check


def as_numbers(content: Iterable[int]) -> str:
    """Return numbers as the lines of an array in C."""
    lines = wrap(", ".join([str(int(each)) for each in content]), 84)
    return "\n".join([f"    {line}" for line in lines])


def as_text(content: bytes) -> str:
    """Return bytes as lines of base64."""
    return "\n".join(wrap(b64encode(content).decode(), 84))


def _of_states(table: Table, what: str, to: str) -> dict[str, object]:
    """Return what a template needs where each state has a code."""
    indices = np.arange(table.grid.states)
    ended = np.zeros(len(indices), bool)
    if what != "value":
        for power in table.grid.powers:
            ended |= indices // power % 3 == 0  # a cell is empty
        ended &= table.moves == NO_MOVE
    meanings, codes = np.unique(ended * 256 + table.values, return_inverse=True)
    content, steps, width = b"", [], 0
    number = "ttt_number" if to in ("c", "header") else "number"
    for left, numbers in chain(codes, table.grid.cells):
        position = f"index / {3**left}" if left else "index"
        if to == "javascript" and left:
            position = f"Math.floor({position})"
        if width:
            span = 3 ** (width - left)
            position = f"{span} * row + {position} % {span}"
        start, bits = len(content), bits_of(numbers)
        steps.append(f"row = {number}({start}, {bits}, {position});")
        content += packed(numbers)
        width = left
    content += SPARE
    return {
        "size": len(content),
        "data": as_text(content) if to == "javascript" else as_numbers(content),
        "meanings": as_numbers((meanings + 128) % 256 - 128).strip(),
        "ended": int((meanings < 128).sum()),
        "steps": "\n    ".join(steps),
    }
