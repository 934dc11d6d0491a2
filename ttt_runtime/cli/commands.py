"""The command ``ttt``: moves, values, a game, pictures, and what the tables hold.

The docstring of each command is its help.
"""

import io
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from contextlib import suppress
from textwrap import dedent, indent

from .. import __version__, encode, load, play_against_ai, verify
from ..boards import BOARDS, CELLS, MARKS, STATES
from ..errors import InvalidBoardError, InvalidMoveError, TTTError
from ..files import VERSION
from ..variants import VARIANTS
from .game import play
from .words import SIDES, facts, move_facts, shows_colour, values_text, verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ABOUT = """\
Perfect 3x3 tic-tac-toe, looked up. A board is nine marks, row by row from the
top left: X, O, or '.' for an empty cell. Cells are numbered in the same order,
0 to 8."""

_RULES = "\n".join([f"  {each.name:<10}{each.summary}" for each in VARIANTS])
_RULES = _RULES.replace(": ", ":\n" + " " * 12)  # what the values mean, on its own line

_ENDING = f"""\
variants:
{_RULES}

Of several best cells the smallest is played. That is why standard does not
always win at once: a win now and a sure win later are worth the same there. In
fastest the sooner win is worth more:

  $ ttt move XXO.O..X.
  3
  $ ttt move XXO.O..X. --variant fastest
  6

exit status: 0; 1 for bad data; 2 for wrong usage"""

_TURNS = {"X": 0, "O": 1, "0": 0, "1": 1}


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status."""
    if sys.stdout is None:
        return _complain("standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # to read and show any character
            stream.reconfigure(errors="backslashreplace")
    status = 0
    try:
        options = _parser().parse_args(arguments)
        options.run(options)
    except SystemExit as done:  # argparse has said all there is to say
        status = int(done.code or 0)
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        pass  # whoever reads this has seen enough
    except TTTError as error:
        status = _complain(str(error))
    except OSError as error:
        name = "standard output" if error.filename is None else error.filename or "''"
        status = _complain(f"{name}: {error.strerror}")
    try:
        sys.stdout.flush()
    except OSError as error:
        # The interpreter would try once more at its end; give it somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if status == 0 and not isinstance(error, BrokenPipeError):
            status = _complain(f"standard output: {error.strerror}")
    return status


def _complain(message: str) -> int:
    with suppress(OSError):  # if nobody listens, the status remains
        os.write(2, f"ttt: {message}\n".encode(errors="backslashreplace"))
    return 1


def _parser() -> ArgumentParser:
    layout = RawDescriptionHelpFormatter
    parser = ArgumentParser(
        prog="ttt", description=_ABOUT, epilog=_ENDING, formatter_class=layout
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"ttt {__version__}",
        help="print the version",
    )
    parser.set_defaults(run=lambda _: print(parser.format_help(), end=""))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, (run, arguments) in _COMMANDS.items():
        about, _, example = (run.__doc__ or "").partition("\n")  # -OO has none
        command = commands.add_parser(
            name,
            help=about[:1].lower() + about[1:-1],
            description=about,
            epilog="example:\n" + indent(dedent(example).strip(), "  "),
            formatter_class=layout,
        )
        command.set_defaults(run=run, refuse=command.error)
        for add in arguments:
            add(command)
    if "_ARGCOMPLETE" in os.environ:  # the shell asks how a line may go on
        with suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(parser)
    return parser


_Argument = Callable[[ArgumentParser], object]
"""What adds an argument to the parser of a command."""

_Run = Callable[[Namespace], None]

_COMMANDS: dict[str, tuple[_Run, tuple[_Argument, ...]]] = {}
"""What each command does, and the arguments it takes."""


def _command(name: str, *arguments: _Argument) -> Callable[[_Run], _Run]:
    """Make a function a command; its docstring is the help, an example below."""

    def enter(run: _Run) -> _Run:
        _COMMANDS[name] = run, arguments
        return run

    return enter


def _argument(name: str, **settings: "Any") -> _Argument:
    return lambda parser: parser.add_argument(name, **settings)


def _picture_file(name: str) -> str:
    from .output import form_of

    form_of(name)
    return name


_BOARD = _argument("board", metavar="BOARD", help="nine marks, such as XX.OO....")
_TURN = _argument(
    "--turn", choices=_TURNS, help="who moves next; left out, the counts tell"
)
_VARIANT = _argument(
    "--variant",
    choices=[variant.name for variant in VARIANTS],
    default="standard",
    help="standard if left out",
)
_JSON = _argument("--json", action="store_true", help="print JSON")
_OUTPUT = _argument(
    "-o",
    dest="file",
    type=_picture_file,
    required=True,
    help="an SVG, or a .png or .pdf; - is standard output",
)


def _state(options: Namespace) -> tuple[str, int]:
    """Return the board that was given, and the turn, given or inferred."""
    board, turn = options.board, _TURNS.get(options.turn)
    try:
        return board, encode(board, turn) // BOARDS
    except InvalidBoardError as error:
        if turn is None and len(board) == CELLS and set(board) <= set(MARKS):
            raise InvalidBoardError(f"{error}; or give --turn X or O") from None
        raise


@_command("move", _BOARD, _TURN, _VARIANT, _JSON)
def _move(options: Namespace) -> None:
    """Print the best cell.

    $ ttt move XX.OO....
    2
    """
    table = load(options.variant)
    board, turn = _state(options)
    move = table.move(board, turn)
    if move is None:
        raise InvalidBoardError(
            f"board {board!r}: there is no move to make. {verdict(table, board, turn)}"
        )
    if options.json:
        _print_json(facts(table, board, turn))
    else:
        print(move)


@_command("show", _BOARD, _TURN, _VARIANT, _JSON)
def _show(options: Namespace) -> None:
    """Show what each move leads to.

    $ ttt show XXO.O..X. --variant fastest
     0         | 1         | 2
         X     |     X     |     O
    -----------+-----------+-----------
     3         | 4         | 5
      win in 3 |     O     |  win in 3
    -----------+-----------+-----------
     6 *       | 7         | 8
      win in 1 |     X     |  win in 3

    O to move: O wins in 1 ply with perfect play. * is best.
    In 3: with three more marks, both sides together.
    """
    table = load(options.variant)
    board, turn = _state(options)
    if options.json:
        moves = move_facts(table, board, turn)
        _print_json({**facts(table, board, turn), "moves": moves})
    else:
        print(values_text(table, board, turn, shows_colour()))


def _start(parser: ArgumentParser) -> None:
    either = parser.add_mutually_exclusive_group()
    either.add_argument("board", metavar="BOARD", nargs="?", help="to start from")
    either.add_argument("--board", metavar="BOARD", dest="start", help="the same")


@_command(
    "play",
    _start,
    _TURN,
    _VARIANT,
    _argument(
        "--player", choices=SIDES, help="your mark; X if --first is left out too"
    ),
    _argument(
        "--first", choices=("human", "computer"), help="who makes the first move"
    ),
)
def _play(options: Namespace) -> None:
    """Play against the computer; the variant fastest wins as soon as it can.

    $ ttt play --player O --first human
    """
    given = [board for board in (options.board, options.start) if board is not None]
    options.board = given[0] if given else "." * CELLS
    human = _TURNS[options.player or "X"]
    if options.player and options.first:  # they tell the turn, on any board
        turn = human if options.first == "human" else 1 - human
        if _TURNS.get(options.turn, turn) != turn:
            options.refuse(
                f"--turn {options.turn} contradicts --player {options.player} --first "
                f"{options.first}: there {SIDES[turn]} moves next"
            )
        options.turn = SIDES[turn]
    board, turn = _state(options)
    if options.first and not options.player:
        human = turn if options.first == "human" else 1 - turn
    play(load(options.variant), board, turn, human, shows_colour())


@_command(
    "events",
    _argument(
        "file", metavar="FILE", nargs="?", default="-", help="JSON; else standard input"
    ),
)
def _events(options: Namespace) -> None:
    """Answer X's attempts, [[row, column], ...], with the events of a game.

    $ echo "[[0, 0], [1, 1]]" | ttt events
    [["X", "1", "X..", "...", "...", "IN_PROGRESS", "O", "0,0"],
     ["O", "1", "X..", ".O.", "...", "IN_PROGRESS", "X", "1,1"],
     ["X", "0", "X..", ".O.", "...", "IN_PROGRESS", "X", "1,1"]]
    """
    from json import dumps, loads

    name = options.file
    if name == "-":
        name = "standard input"
        content = sys.stdin.buffer.read() if sys.stdin else b""
    else:
        with open(name, "rb") as file:
            content = file.read()
    try:
        events = play_against_ai(loads(content))
    except InvalidMoveError as error:
        raise InvalidMoveError(f"{name}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidMoveError(
            f"{name}: is not JSON ({error}); expected attempts, [[0, 0], [1, 1]]"
        ) from None
    print("[" + ",\n ".join(map(dumps, events)) + "]")


@_command("draw", _BOARD, _TURN, _VARIANT, _OUTPUT)
def _draw(options: Namespace) -> None:
    """Draw what each move leads to, as SVG, PNG or PDF.

    $ ttt draw X...O...X -o board.svg
    """
    from .output import write
    from .pictures import board_picture

    write(options.file, board_picture(load(options.variant), *_state(options)))


@_command(
    "map",
    _argument("--player", choices=SIDES, required=True, help="the perfect side"),
    _VARIANT,
    _OUTPUT,
)
def _map(options: Namespace) -> None:
    """Draw every game of a perfect side on one A4 page.

    $ ttt map --player X -o map.svg
    """
    from .output import write
    from .pictures import map_picture

    turn = _TURNS[options.player]
    write(options.file, map_picture(load(options.variant), turn))


@_command(
    "verify",
    _argument("--directory", help="of the tables, if not the packaged ones"),
)
def _verify(options: Namespace) -> None:
    """Check every file and every entry of the tables.

    $ ttt verify --directory tables
    """
    print(verify(options.directory))


@_command("info", _JSON)
def _info(options: Namespace) -> None:
    """Tell the version, where the tables are, and what they hold.

    $ ttt info --json
    """
    variants = {}
    for variant in VARIANTS:
        table = load(variant.name)
        states = [i for i, flag in enumerate(table.raw("reachable")) if flag]
        finished = [table.move_at(index) for index in states].count(None)
        counts = {"reachable": len(states), "finished": finished}
        variants[variant.name] = {"rule": variant.summary, **counts}
    directory = load().directory
    if options.json:
        about = {"version": __version__, "format": VERSION, "tables": directory}
        _print_json({**about, "states": STATES, "variants": variants})
        return
    print(f"ttt-runtime {__version__}; tables of format {VERSION} in {directory}")
    for name, known in variants.items():
        print(
            f"\n{name}: {known['rule']}\n  {STATES} states, {known['reachable']} of "
            f"them in games, {known['finished']} of those at the end of one"
        )


def _print_json(answer: object) -> None:
    from json import dumps

    print(dumps(answer))
