"""The command ``ttt``: moves, values, a game, pictures, and what the tables hold.

The docstring of each command is its help.
"""

import io
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
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
    from collections.abc import Callable
    from typing import Any

_ABOUT = """\
Perfect 3x3 tic-tac-toe, looked up. A board is nine marks, row by row from the top
left: X, O, or '.' for an empty cell. Cells are numbered in the same order, 0 to 8."""

_RULES = "\n".join([f"  {each.name:<10}{each.summary}" for each in VARIANTS])

_ENDING = f"""\
variants:
{_RULES}

Of several best cells the smallest is played. That is why standard does not always
win at once: a win now and a sure win later are worth the same there. In fastest the
sooner win is worth more:

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
        options = _completed(_parser()).parse_args(arguments)
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
        status = _complain(f"{error.filename or 'standard output'}: {error.strerror}")
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
    parser.set_defaults(run=lambda _: print(parser.format_help(), end=""))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(run: "Callable[[Namespace], None]", *parts: ArgumentParser) -> None:
        about, _, example = (run.__doc__ or "").partition("\n")
        commands.add_parser(
            run.__name__.removeprefix("_"),
            help=about[:1].lower() + about[1:-1],
            description=about,
            epilog="example:\n" + indent(dedent(example).strip(), "  "),
            parents=parts,
            formatter_class=layout,
        ).set_defaults(run=run)

    names = [variant.name for variant in VARIANTS]
    board = _part("board", metavar="BOARD", help="nine marks, such as XX.OO....")
    start = _part(
        "board", metavar="BOARD", nargs="?", default="." * CELLS, help="to start from"
    )
    turn = _part(
        "--turn", choices=_TURNS, help="who moves next; left out, the counts tell"
    )
    rules = _part(
        "--variant", choices=names, default="standard", help="standard if left out"
    )
    option = _part("--board", metavar="BOARD", dest="start", help="the same")
    first = _part(
        "--first", choices=("human", "computer"), help="who moves next, instead"
    )
    yours = _part("--player", choices=SIDES, default="X", help="you; X if left out")
    side = _part("--player", choices=SIDES, required=True, help="the perfect side")
    target = _part("-o", dest="file", required=True, help="- is standard output")
    attempts = _part(
        "file", metavar="FILE", nargs="?", default="-", help="JSON; else standard input"
    )
    directory = _part("--directory", help="of the tables, if not the packaged ones")
    as_json = _part("--json", action="store_true", help="print JSON")

    command(_move, board, turn, rules, as_json)
    command(_show, board, turn, rules, as_json)
    command(_play, start, option, turn, rules, yours, first)
    command(_events, attempts)
    command(_draw, board, turn, rules, target)
    command(_map, side, rules, target)
    command(_verify, directory)
    command(_info, as_json)
    return parser


def _completed(parser: ArgumentParser) -> ArgumentParser:
    """Let the shell complete commands and options, where argcomplete is installed."""
    with suppress(ImportError):
        import argcomplete

        argcomplete.autocomplete(parser)
    return parser


def _part(name: str, **settings: "Any") -> ArgumentParser:
    """Return an argument for commands to take, each with those it needs."""
    part = ArgumentParser(add_help=False)
    part.add_argument(name, **settings)
    return part


def _state(options: Namespace) -> tuple[str, int]:
    """Return the board that was given, and the turn, given or inferred."""
    board, turn = options.board, _TURNS.get(options.turn)
    try:
        return board, encode(board, turn) // BOARDS
    except InvalidBoardError as error:
        if turn is None and len(board) == CELLS and set(board) <= set(MARKS):
            raise InvalidBoardError(f"{error}; or give --turn X or O") from None
        raise


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


def _play(options: Namespace) -> None:
    """Play against the computer; the variant fastest wins as soon as it can.

    $ ttt play --player O --variant fastest
    """
    options.board = options.start or options.board
    board, turn = _state(options)
    human = _TURNS[options.player]
    if options.first:
        human = turn if options.first == "human" else 1 - turn
    play(load(options.variant), board, turn, human, shows_colour())


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


def _draw(options: Namespace) -> None:
    """Draw what each move leads to, as SVG.

    $ ttt draw X...O...X -o board.svg
    """
    from .pictures import board_picture, write

    write(options.file, board_picture(load(options.variant), *_state(options)))


def _map(options: Namespace) -> None:
    """Draw every game of a perfect side on one A4 page, as SVG.

    $ ttt map --player X -o map.svg
    """
    from .pictures import map_picture, write

    turn = _TURNS[options.player]
    write(options.file, map_picture(load(options.variant), turn))


def _verify(options: Namespace) -> None:
    """Check every file and every entry of the tables.

    $ ttt verify --directory tables
    """
    print(verify(options.directory))


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
