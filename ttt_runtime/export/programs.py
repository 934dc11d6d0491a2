"""Whole programs for contest problems: a template a language, filled for a problem.

A template is the program it makes; of its parts from ``[if ...]`` to ``[end]`` it keeps
the one for how the problem's queries end: after a count, at the word "end", after one
board. In Python the numbers of all answers are compressed. C++ has nothing to undo
that; it gets those of the classes, which are 2,862 a turn.
"""

from binascii import b2a_base64
from importlib import import_module
from importlib.resources import files
from json import dumps
from string import Template
from textwrap import indent, wrap
from typing import Any
from zlib import compress, crc32

import numpy as np

from .. import __version__
from ..arrays import classes_at
from ..judge.command import PROBLEMS
from ..judge.queries import by_code
from .functions import kept


def program(problem: str, to: str) -> str:
    """Return the source of a program that answers a contest problem as the judge does.

    Parameters
    ----------
    problem : str
        One of `ttt_runtime.judge.command.PROBLEMS`.
    to : str
        ``python`` for Python 3.8 or newer, ``cpp`` for C++17.

    Examples
    --------
    >>> program("toe1", "cpp").splitlines()[0]
    '// SPOJ TOE1, UVa 10363, "Tic Tac Toe".'
    """
    module: Any = import_module(f"..judge.{PROBLEMS[problem]}", __package__)
    answers = module.answers()
    known = sorted({*answers} - {None}, key=lambda line: (len(line), line))
    numbers = {line: number for number, line in enumerate([None, *known])}
    _, answered = module.EXAMPLE
    width = sum([marks for _, _, marks in module.FIELDS])
    parts = {
        "name": problem,
        "source": module.SOURCE,
        "version": __version__,
        "copyright": "Copyright (c) 2026 The ttt-runtime authors",
        "width": width,
        "meaning": "the turn and nine marks" if width > 9 else "nine marks",
        "crc": crc32(b"".join([answered.encode(), *filter(None, answers)])),
    }
    texts = [line.decode().rstrip() for line in known]
    suffix, fill = {"python": ("py", _python), "cpp": ("cpp", _cpp)}[to]
    parts |= fill(module, texts, [numbers[line] for line in answers])
    template = files(__package__) / "templates" / f"program.{suffix}.in"
    end = "count" if module.COUNT else "end" if module.END else "board"
    return Template(kept(template.read_text("utf-8"), end)).substitute(parts)


def _python(module: Any, texts: list[str], numbers: list[Any]) -> dict[str, object]:
    """Return what a problem has of its own in Python."""
    symbols = _symbols(module)
    digits = "".join([rf"\{digit}" * len(each) for digit, each in enumerate(symbols)])
    arranged: list[Any] = by_code(numbers)
    table = compress(bytes([number or 0 for number in arranged]), 9)
    return {
        "help": module.HELP,
        "symbols": "".join(symbols),
        "digits": digits,
        "answers": _quoted(",".join(texts), 'b"'),
        "table": "\n".join(wrap(b2a_base64(table, newline=False).decode(), 88)),
        "example": repr(module.EXAMPLE[0].encode()),
    }


def _cpp(module: Any, texts: list[str], numbers: list[int]) -> dict[str, object]:
    """Return what a problem has of its own in C++."""
    indices = np.arange(len(numbers))
    letters = 1 if len(texts) < 26 else 2
    codes = [numbers[index] for index in np.flatnonzero(classes_at(indices) == indices)]
    places = [26**place for place in reversed(range(letters))]
    classes = [chr(65 + code // place % 26) for code in codes for place in places]
    # wrap must not part the two numbers of an answer
    lines = ", ".join(['""', *[rf'"{text}\n"'.replace(" ", "~") for text in texts]])
    return {
        "help": indent(module.HELP, "// ", lambda _: True).replace("// \n", "//\n"),
        "states": len(numbers),
        "symbols": ", ".join(map(dumps, _symbols(module))),
        "answers": indent("\n".join(wrap(lines, 84)), " " * 4).replace("~", " "),
        "letters": letters,
        "classes": _quoted("".join(classes), '"'),
        "example": dumps(module.EXAMPLE[0]),
    }


def _symbols(module: Any) -> list[str]:
    """Return the characters that stand for the digits 0, 1 and 2."""
    every = [symbols for _, symbols, _ in module.FIELDS]
    return [
        "".join(dict.fromkeys([each[digit : digit + 1] for each in every]))
        for digit in range(3)
    ]


def _quoted(text: str, mark: str) -> str:
    """Return a text as literals one below the other."""
    starts = range(0, len(text), 80)
    return "\n".join([f'    {mark}{text[start : start + 80]}"' for start in starts])
