"""The arguments that commands take, and how each is read.

An argument is a function that adds it to a parser, or to a group of one.
"""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from functools import partial
from operator import methodcaller

from ..boards import shown
from ..errors import InvalidLevelError, InvalidSeedError, UnknownVariantError
from ..tables import Table, load
from ..variants import VARIANTS, named
from .words import SIDES

TURNS = {"X": 0, "O": 1, "0": 0, "1": 1}


def _add(name: str, about: str, **settings: object) -> methodcaller:
    return methodcaller("add_argument", name, help=about, **settings)


def start(parser: ArgumentParser) -> None:
    """Add the board to start from, in either of two ways."""
    either = parser.add_mutually_exclusive_group()
    _add("board", "to start from", metavar="BOARD", nargs="?", default=SUPPRESS)(either)
    _add("--board", "the same", metavar="BOARD")(either)


def report(parser: ArgumentParser) -> None:
    """Add what asks for another report than text: JSON or a picture."""
    either = parser.add_mutually_exclusive_group()
    JSON(either)
    PICTURE(either)


def _table(name: str) -> Table:
    try:
        return load(name)
    except UnknownVariantError as error:
        raise ArgumentTypeError(str(error)) from None


def _table_of_3x3(name: str) -> Table:
    """Return the table of a variant that there is a map of."""
    try:
        grid = named(name).grid
    except UnknownVariantError:
        grid = _table(name).grid
    if (grid.rows, grid.columns) != (3, 3):
        raise ArgumentTypeError(
            f"a map is of games on 3x3, {name} has {grid.rows}x{grid.columns}"
        )
    return _table(name)


def _variant(table: Callable[[str], object], parser: ArgumentParser) -> None:
    action = parser.add_argument(
        "--variant",
        help="standard if left out",
        metavar="VARIANT",
        type=table,
        dest="table",
        default="standard",
    )
    action.completer = _names  # type: ignore[attr-defined]


def _names(**_: object) -> list[str]:
    """Return the variants that there are, for the shell."""
    from .built import built

    return [*[variant.name for variant in VARIANTS], *built()]


def _level(name: str) -> str:
    from ..levels import checked_level

    try:
        return checked_level(name)
    except InvalidLevelError as error:
        raise ArgumentTypeError(str(error)) from None


def _seed(text: str) -> int:
    from ..levels import checked_seed

    try:
        small = text.isdecimal() and len(text) < 11  # int() refuses thousands of digits
        return checked_seed(int(text) if small else text)
    except InvalidSeedError as error:
        raise ArgumentTypeError(str(error)) from None


def _problem(name: str) -> str:
    from ..judge.command import PROBLEMS

    if name not in PROBLEMS:
        raise ArgumentTypeError(
            f"problem is {shown(name)}, expected one of {', '.join(PROBLEMS)}"
        )
    return name


def _count(text: str) -> int:
    if text.isdecimal() and len(text) < 10 and int(text):
        return int(text)
    raise ArgumentTypeError(
        f"count is {shown(text)}, expected an integer from 1 to {10**9 - 1}"
    )


def _place(name: str) -> str:
    if not name:
        raise ArgumentTypeError("is empty, expected a path")
    return name


def _output(name: str) -> Callable[[str], None]:
    from .output import form_of, write_picture

    return partial(write_picture, name, form_of(name))


def _file(name: str) -> Callable[[bytes], None]:
    from .output import write

    return partial(write, name)


BOARD = _add("board", "its marks, such as XX.OO....", metavar="BOARD")
TURN = _add("--turn", "who moves next; left out, the counts tell", choices=TURNS)
ON_ANY_BOARD, ON_3X3 = partial(_variant, _table), partial(_variant, _table_of_3x3)
ANY_NAME = partial(_variant, str)
JSON = _add("--json", "print JSON", action="store_true")
OUTPUT, PICTURE = [
    _add(
        "-o",
        "an SVG, or a .png or .pdf; - is standard output",
        metavar="FILE",
        dest="write",
        type=_output,
        required=required,
    )
    for required in (True, False)
]
PLAYER = _add("--player", "your mark; X if --first is left out too", choices=SIDES)
FIRST = _add("--first", "who makes the first move", choices=("human", "computer"))
LEVEL = _add(
    "--level",
    "how the computer plays: easy, medium, hard or perfect; left out, the moves that "
    "'ttt move' prints",
    metavar="LEVEL",
    type=_level,
)
SEED = _add(
    "--seed",
    "0 to 4294967295: with a level, the same seed and moves make the same game; drawn "
    "if left out",
    metavar="N",
    type=_seed,
)
TRAP = _add(
    "--trap",
    "plays of the best moves those after which the most replies are wrong; with "
    "--level perfect",
    action="store_true",
)
PERFECT = _add("--player", "the perfect side", choices=SIDES, required=True)
GAME = _add("cells", "the cell of each move, in order", metavar="CELL", nargs="+")
START = _add("--board", "to start from, if not the empty one", metavar="BOARD")
FORMAT = _add(
    "--format",
    "text if left out; the columns of csv and json are in docs/commands.md",
    choices=("text", "csv", "json"),
    default="text",
)
WHAT = _add(
    "what",
    "best-move, value or opponent; or a program for situation, counting, csp-201803-4, "
    "3C, toe1 or toe2",
    metavar="WHAT",
)
TO = _add(
    "--to",
    "python, c, cpp, javascript or header; a program python or cpp",
    metavar="TARGET",
    required=True,
)
CLASSES = _add(
    "--classes", "a header in 1 kB, for what games lead to", action="store_true"
)
SOURCE = _add(
    "-o",
    "to write; - is standard output",
    metavar="FILE",
    dest="write",
    type=_file,
    required=True,
)
POLICY = _add("file", "a policy, .npy or .npz", metavar="FILE")
PROBLEM = _add(
    "problem", "as 'ttt-judge --list' shows them", metavar="PROBLEM", type=_problem
)
COUNT = _add(
    "--count", "how many queries: 10, or 1 if it has no more", metavar="N", type=_count
)
INPUT_SEED = _add(
    "--seed",
    "0 to 4294967295: which ones; 0 if left out",
    metavar="N",
    type=_seed,
    default=0,
)
FILE = _add("file", "JSON; else standard input", metavar="FILE", nargs="?")
DIRECTORY = _add("--directory", "of the tables, if not the packaged ones", type=_place)
_NAMED = "such as standard-4x4x4, or one of your own"
ANY = _add("names", _NAMED, metavar="VARIANT", nargs="*")
SOME = _add("names", _NAMED, metavar="VARIANT", nargs="+")
OWN = _add("--variants", "defines VARIANTS of your own", metavar="FILE.py", type=_place)
OUT = _add(
    "--out",
    "a directory, if not that in TTT_TABLES or the user's cache",
    metavar="DIR",
    type=_place,
)
CHECK = _add(
    "--check", "compare what is there with what a build writes", action="store_true"
)
