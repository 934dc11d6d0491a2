"""The command ``ttt``: moves, values, games, pictures; builds tables, and checks them.

The docstring of each command is its help.
"""

import io
import os
import re
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from textwrap import dedent, indent

from .. import Table, __version__, load, play_against_ai, verify
from ..boards import NO_MOVE, STATES, hint, impossible, shown
from ..errors import (
    InvalidBoardError,
    InvalidExportError,
    InvalidMoveError,
    InvalidPolicyError,
    TableError,
    TTTError,
    UnknownVariantError,
)
from ..files import (
    VERSION,
    absolute,
    built_tables,
)
from ..variants import VARIANTS
from . import arguments as arg
from .words import (
    SIDES,
    facts,
    marks,
    move_facts,
    review_text,
    shows_colour,
    values_text,
    verdict,
)

_ABOUT = """\
Perfect tic-tac-toe, looked up, on 3x3 and on other boards. A board is its
marks, row by row from the top left: X, O, or '.' for an empty cell. Cells are
numbered in the same order, from 0."""

_RULES = "\n".join([f"  {each.name:<10}{each.summary}" for each in VARIANTS])
_RULES = _RULES.replace(": ", ":\n" + " " * 12)  # what the values mean, on its own line

_ENDING = f"""\
variants:
{_RULES}

On other boards of up to 16 cells the name has rows, columns and the marks in a
line behind it: standard-4x4x4, fill-3x4x3. 'ttt build' makes their tables. '/'
and spaces may part the rows of a board: XX.. / .O.. / .... / ....

Of several best cells the smallest is played. That is why standard does not
always win at once: a win now and a sure win later are worth the same there. In
fastest the sooner win is worth more:

  $ ttt move XXO.O..X.
  3
  $ ttt move XXO.O..X. --variant fastest
  6

exit status: 0; 1 for bad data; 2 for wrong usage; 130 for Ctrl-C"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status."""
    if sys.stdout is None:
        return _complain("standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # to read and show any character
            stream.reconfigure(errors="backslashreplace")
    status = 0
    try:
        try:
            _refuse_dashes(sys.argv[1:] if arguments is None else arguments)
            options = _parser().parse_args(arguments)
            options.run(options)
        except SystemExit as done:  # argparse has said all there is to say
            status = int(done.code or 0)
        except KeyboardInterrupt:
            status = 130
        except TTTError as error:
            status = _complain(str(error))
        except ModuleNotFoundError as error:
            needed = f"{error.name} is needed and not installed"
            status = _complain(f"{needed}: pip install {error.name}")
        sys.stdout.flush()
    except OSError as error:
        if error.filename is None:
            # The interpreter tries once more at its end; give it somewhere to write.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            error.filename = "standard output"
        # Whoever closes a pipe has seen enough.
        if status == 0 and not isinstance(error, BrokenPipeError):
            status = _complain(f"{error.filename or repr('')}: {error.strerror}")
    return status


def _refuse_dashes(arguments: list[str]) -> None:
    """Refuse a board that begins with '-': argparse would take it for an option."""
    files = arguments[:1] in (
        ["draw"],
        ["map"],
        ["review"],
        ["export"],
    )  # -oXO writes a file
    for each in arguments:
        dashed = each[:1] == "-" and not each.strip("-_.XOxo0/ ")
        option = each in ("-", "--", "-o", "--o") or (files and each[:2] == "-o")
        if dashed and not option:
            raise InvalidBoardError(
                f"board {shown(each)} has '-' in cell 0; {hint('-')}"
            )


def _complain(message: str) -> int:
    with suppress(OSError):  # if nobody listens, the status remains
        os.write(2, f"ttt: {message}\n".encode(errors="backslashreplace"))
    return 1


def _parser() -> ArgumentParser:
    layout = RawDescriptionHelpFormatter
    parser = ArgumentParser(
        prog="ttt", description=_ABOUT, epilog=_ENDING, formatter_class=layout
    )
    version = f"ttt {__version__}"
    parser.add_argument(
        "--version", help="print the version", action="version", version=version
    )
    parser.set_defaults(run=lambda _: print(parser.format_help(), end=""))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for run, arguments in _COMMANDS.items():
        about, _, example = (run.__doc__ or "").partition("\n")  # -OO has none
        command = commands.add_parser(
            run.__name__[1:],
            help=about[:1].lower() + about[1:-1],
            description=about,
            epilog="example:\n" + indent(dedent(example).strip(), "  "),
            formatter_class=layout,
            # --variant, as the other commands have it, is not --variants.
            allow_abbrev=run not in (_build, _verify),
        )
        command.set_defaults(run=run, refuse=command.error)
        for add in arguments:
            add(command)
    if "_ARGCOMPLETE" in os.environ:  # the shell asks how a line may go on
        with suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(parser)
    return parser


def _state(options: Namespace) -> tuple[Table, str, int]:
    """Return the table, the board that was given, and the turn, given or inferred."""
    table = options.table
    grid = table.grid
    board = "." * grid.cells if options.board is None else marks(options.board, table)
    try:
        turn = grid.encode(board, arg.TURNS.get(options.turn)) // grid.boards
    except InvalidBoardError as error:
        advice = "; or give --turn X or O" * (str(error) == impossible(board))
        raise InvalidBoardError(f"{error}{advice}") from None
    return table, board, turn


def _refuse_ended(table: Table, board: str, turn: int) -> None:
    if table.move(board, turn) is None:
        raise InvalidBoardError(
            f"board {board!r}: there is no move to make. {verdict(table, board, turn)}"
        )


def _move(options: Namespace) -> None:
    """Print the best cell.

    $ ttt move XX.OO....
    2
    """
    state = _state(options)
    _refuse_ended(*state)
    known = facts(*state)
    if options.json:
        _print_json(known)
    else:
        print(known["move"])


def _value(options: Namespace) -> None:
    """Print the value, from O's viewpoint: O maximises, X minimises.

    $ ttt value XX.OO.... --variant fastest
    -5
    """
    known = facts(*_state(options))
    if options.json:
        _print_json(known)
    else:
        print(known["value"])


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
    In N: after N more marks, both sides together.
    """
    state = _state(options)
    if options.json:
        _print_json({**facts(*state), "moves": move_facts(*state)})
    else:
        print(values_text(*state, shows_colour()))


def _play(options: Namespace) -> None:
    """Play against the computer; the variant fastest wins as soon as it can.

    After the end it tells how good your moves were.

    $ ttt play --level hard --player O --first human
    """
    human, computer_first = (
        arg.TURNS[options.player or "X"],
        options.first == "computer",
    )
    if options.player and options.first:  # they tell the turn, on any board
        mover = SIDES[human ^ computer_first]
        if SIDES[arg.TURNS[options.turn or mover]] != mover:
            options.refuse(
                f"--turn {options.turn} contradicts --player {options.player} --first "
                f"{options.first}: there {mover} moves next"
            )
        options.turn = mover
    table, board, turn = _state(options)
    if options.first and not options.player:
        human = turn ^ computer_first
    from .game import Opponent, play

    play(table, board, turn, human, Opponent(*_level_of(options)), shows_colour())


def _level_of(options: Namespace) -> tuple[str | None, int, bool]:
    """Return level, seed and trap; a level that was given no seed draws one."""
    if options.level is None and options.seed is not None:
        options.refuse("--seed is for a game with a level; add --level LEVEL")
    if options.trap and options.level != "perfect":
        options.refuse("--trap is for --level perfect")
    seed = options.seed
    if seed is None and options.level:
        seed = int.from_bytes(os.urandom(4))
    return options.level, seed or 0, options.trap


def _review(options: Namespace) -> None:
    """Tell how good each move of a game was, as text, JSON or a picture.

    $ ttt review 0 1 4 2 8 --variant fastest
    1  X in 0  best
    2  O in 1  loses a draw; better: 4
    3  X in 4  best
    4  O in 2  quicker loss; better: 8
    5  X in 8  best

    X wins. Move 2 was the last to change who wins with perfect play.
    Best moves: X 3 of 3, O 0 of 2.
    """
    from ..review import review
    from .game import names_of

    table, board, turn = _state(options)
    cells = names_of(table.grid)
    for text in options.cells:
        if not re.fullmatch("-?[0-9]{1,9}", text) and text not in cells:
            options.refuse(
                f"argument CELL: {shown(text)} is no cell, expected 0 to "
                f"{table.grid.cells - 1}, or row,column from 0,0 to {[*cells][-1]}"
            )
    game = [cells[text] if text in cells else int(text) for text in options.cells]
    known = review(game, table, board, turn)
    if options.write:
        from .pictures import review_picture

        options.write(review_picture(table, known))
    elif options.json:
        _print_json(known)
    else:
        print(review_text(known))


def _events(options: Namespace) -> None:
    """Answer X's attempts, [[row, column], ...], with the events of a game.

    $ echo "[[0, 0], [1, 1]]" | ttt events
    [["X", "1", "X..", "...", "...", "IN_PROGRESS", "O", "0,0"],
     ["O", "1", "X..", ".O.", "...", "IN_PROGRESS", "X", "1,1"],
     ["X", "0", "X..", ".O.", "...", "IN_PROGRESS", "X", "1,1"]]
    """
    from json import dumps, loads

    name = options.file
    if name in (None, "-"):
        name = "standard input"
    try:
        if name == "standard input":
            content = sys.stdin.buffer.read() if sys.stdin else b""
        else:
            with open(name, "rb") as file:
                content = file.read()
    except OSError as error:
        error.filename = name
        raise
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
    """Draw what each move leads to, as SVG, PNG or PDF.

    $ ttt draw X...O...X -o board.svg
    """
    from .pictures import board_picture

    options.write(board_picture(*_state(options)))


def _map(options: Namespace) -> None:
    """Draw every game of a perfect side on one A4 page.

    $ ttt map --player X -o map.svg
    $ ttt map --player O --variant misere --board X........ -o part.svg
    """
    from .pictures import map_picture

    table, board, turn = _state(options)
    _refuse_ended(table, board, turn)
    options.write(map_picture(table, arg.TURNS[options.player], board, turn))


def _classes(options: Namespace) -> None:
    """Print one board of each class that turning and mirroring make.

    $ ttt classes | tail -1
    765 classes
    """
    from .classes import write

    write(options.table, options.format)


def _evaluate(options: Namespace) -> None:
    """Tell exactly what an agent is worth: its policy, as numpy.save writes it.

    $ ttt evaluate tables/standard/moves.npy
    """
    from .evaluate import evaluated, loaded, screen

    policy, table = loaded(options.file), options.table
    try:
        known = evaluated(policy, table)
    except InvalidPolicyError as error:
        raise InvalidPolicyError(f"{options.file}: {error}") from None
    if options.json:
        _print_json(known)
    else:
        print(screen(known, table.grid.columns))


def _export(options: Namespace) -> None:
    """Write a source file with the table in it: a function, or a whole program.

    $ ttt export best-move --to c -o best_move.c
    $ ttt export situation --to cpp -o situation.cpp
    """
    from ..export import source

    asked = options.what, options.to, options.table, options.classes
    try:
        text = source(*asked)
    except (InvalidExportError, UnknownVariantError) as error:
        options.refuse(str(error))
    options.write(text.encode())


def _queries(options: Namespace) -> None:
    """Write random input for a contest problem, to check a solution with ttt-judge.

    $ ttt queries counting --count 2 --seed 7
    2
    .XX..XOOO
    ..XXXOOO.
    """
    from ..judge.inputs import random_input, takes_many

    count = options.count or (10 if takes_many(options.problem) else 1)
    if count > 1 and not takes_many(options.problem):
        options.refuse(f"--count is {count}; {options.problem} has one query an input")
    parts = random_input(options.problem, count, options.seed)
    while some := "".join(islice(parts, 4096)):  # 1.4 s a million one by one, now 0.9
        sys.stdout.buffer.write(some.encode())  # with no other line ends on Windows


def _verify(options: Namespace) -> None:
    """Check every file and every entry of the tables.

    $ ttt verify --directory tables
    """
    own = []
    if options.variants:
        from ..builder.variants import defined

        own = defined(options.variants)
    print(verify(options.directory, options.names, own))


def _build(options: Namespace) -> None:
    """Build the tables of variants on other boards, or of your own.

    $ ttt build misere-3x4x3
    """
    if not options.names and not options.variants:
        options.refuse("expected a VARIANT, or --variants FILE.py that defines some")
    from ..builder.command import build_named

    sys.exit(build_named(options.names, options.variants, options.out, options.check))


def _remove(options: Namespace) -> None:
    """Remove tables that were built.

    $ ttt remove misere-3x4x3
    """
    from pathlib import Path

    from ..builder.directory import remove

    where = Path(absolute(options.out or built_tables()))
    for name in options.names:
        size = remove(name, where)
        if not size:
            raise TableError(f"{where}: {name!r} is not built there")
        print(f"{where / name}: {size:,} bytes removed")


def _info(options: Namespace) -> None:
    """Tell the version, where the tables are, and what they hold.

    $ ttt info --json
    """
    variants = {}
    for variant in VARIANTS:
        table = load(variant.name)
        states = zip(table.raw("reachable"), table.raw("moves").cast("b"), strict=True)
        moves = [move for reachable, move in states if reachable]
        counts = {"reachable": len(moves), "finished": moves.count(NO_MOVE)}
        variants[variant.name] = {"rule": variant.summary, **counts}
    from .built import built as built_variants

    built = built_variants()
    if options.json:
        about = {"version": __version__, "format": VERSION, "tables": table.directory}
        known = {"states": STATES, "variants": variants, "built": built}
        _print_json({**about, **known})
        return
    print(f"ttt-runtime {__version__}; tables of format {VERSION} in {table.directory}")
    for name, known in {**variants, **built}.items():
        if "fault" in known:
            print(f"\n{name}: {known['fault']}")
            continue
        print(
            f"\n{name}: {known['rule']}\n"
            f"  {known.get('states', STATES)} states, {known['reachable']} of them in "
            f"games, {known['finished']} of those at the end of one"
        )
        if name in built:
            print(f"  {known['bytes']} bytes in {known['tables']}")


def _print_json(answer: object) -> None:
    from json import dumps

    print(dumps(answer))


_Argument = Callable[[ArgumentParser], object]

_COMMANDS: dict[Callable[[Namespace], None], tuple[_Argument, ...]] = {
    _move: (arg.BOARD, arg.TURN, arg.ON_ANY_BOARD, arg.JSON),
    _value: (arg.BOARD, arg.TURN, arg.ON_ANY_BOARD, arg.JSON),
    _show: (arg.BOARD, arg.TURN, arg.ON_ANY_BOARD, arg.JSON),
    _play: (
        arg.start,
        arg.TURN,
        arg.ON_ANY_BOARD,
        arg.PLAYER,
        arg.FIRST,
        arg.LEVEL,
        arg.SEED,
        arg.TRAP,
    ),
    _review: (arg.GAME, arg.START, arg.TURN, arg.ON_ANY_BOARD, arg.report),
    _events: (arg.FILE,),
    _draw: (arg.BOARD, arg.TURN, arg.ON_ANY_BOARD, arg.OUTPUT),
    _map: (arg.PERFECT, arg.START, arg.TURN, arg.ON_3X3, arg.OUTPUT),
    _classes: (arg.ON_ANY_BOARD, arg.FORMAT),
    _evaluate: (arg.POLICY, arg.ON_ANY_BOARD, arg.JSON),
    _export: (arg.WHAT, arg.TO, arg.ANY_NAME, arg.CLASSES, arg.SOURCE),
    _queries: (arg.PROBLEM, arg.COUNT, arg.INPUT_SEED),
    _build: (arg.ANY, arg.OWN, arg.OUT, arg.CHECK),
    _remove: (arg.SOME, arg.OUT),
    _verify: (arg.ANY, arg.DIRECTORY, arg.OWN),
    _info: (arg.JSON,),
}
"""Each command, named as its function, and the arguments it takes."""
