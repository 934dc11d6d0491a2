"""Review a game: how good each move was, and where the game was decided."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from .boards import MARKS, Grid, as_integer, played, shown
from .errors import InvalidMoveError
from .opponent import items_of
from .tables import Table, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIDES = MARKS[1:]

_CHANGES = {
    (1, 0): "gives up the win",
    (0, -1): "loses a draw",
    (1, -1): "loses a win",
}
"""Names of moves that change who wins, by who does before and after: 1, the mover."""

_PLIES = {1: "slower win", -1: "quicker loss"}
"""Names of other moves that are not best, by who wins, where values count plies."""

_SIZES = {1: "smaller win", -1: "greater loss"}
"""The same where values count anything else."""


class Move(TypedDict):
    """What a review says of a move.

    The values ``before`` and ``after`` it are from the mover's side: the larger, the
    better for the mover. ``best`` has the best cells. ``name`` is ``best`` if the cell
    is one of them; ``gives up the win``, ``loses a draw`` or ``loses a win`` if the
    move changes who wins with perfect play; else ``slower win`` or ``quicker loss``
    where values count plies, and ``smaller win`` or ``greater loss`` elsewhere.
    """

    number: int  # from 1
    side: str  # X or O
    board: str  # before it
    cell: int
    before: int
    after: int
    best: list[int]
    name: str


class Review(TypedDict):
    """What `review` says of a game.

    ``board`` and ``turn`` are where it begins. ``result`` is ``X wins``, ``O wins``,
    ``a draw`` or ``unfinished``. ``decided`` is the number of the last move that
    changed who wins with perfect play, if one did. ``sides`` has, for ``X`` and ``O``,
    how many ``moves`` it made and how many of them were ``best``.
    """

    variant: str
    board: str
    turn: int
    moves: list[Move]
    result: str
    decided: int | None
    sides: dict[str, dict[str, int]]


def review(
    game: "Sequence[int] | Sequence[Sequence[str]] | NDArray[np.integer]",
    variant: str | Table = "standard",
    board: str | None = None,
    turn: int | None = None,
) -> Review:
    """Return how good each move of a game was, as plain data that JSON can hold.

    Parameters
    ----------
    game : sequence
        The cells in order, or the events of `play_against_ai`, whose refused attempts
        are left out; their status and next player are not read. An unfinished game is
        reviewed as far as it goes.
    variant : str or Table
        The rules by which to review it: a name for `load`, or what `load` returned.
    board, turn : str, int, optional
        Where the game begins. If left out: the empty board; and the turn, 0 for X and
        1 for O, that the counts imply.

    Raises
    ------
    InvalidMoveError
        If a cell is not on the board, is taken, or comes after the end; or an event is
        none, its side is not to move, or its board is not what the moves make.
    InvalidBoardError
        If `board` or `turn` is malformed, or means nothing in this variant.
    UnknownVariantError, TableError
        As `load` raises them.

    Examples
    --------
    >>> known = review([0, 1, 4, 8])
    >>> known["moves"][1]["name"], known["moves"][1]["best"]
    ('loses a draw', [4])
    >>> known["result"], known["decided"], known["sides"]["O"]
    ('unfinished', 2, {'moves': 2, 'best': 1})
    """
    table = variant if isinstance(variant, Table) else load(variant)
    grid = table.grid
    start = "." * grid.cells if board is None else board
    at = begin = grid.decode(grid.encode(start, turn))
    moves: list[Move] = []
    for cell in _cells(game, table, *begin):
        moves.append(_judged(table, *at, len(moves) + 1, cell))
        at = _after(*at, cell)
    changes = [each["number"] for each in moves if each["name"] in _CHANGES.values()]
    return {
        "variant": table.variant,
        "board": begin[0],
        "turn": begin[1],
        "moves": moves,
        "result": _result(table, *at),
        "decided": changes[-1] if changes else None,
        "sides": {side: _counts(moves, side) for side in _SIDES},
    }


def _counts(moves: list[Move], side: str) -> dict[str, int]:
    names = [move["name"] for move in moves if move["side"] == side]
    return {"moves": len(names), "best": names.count("best")}


def _judged(table: Table, board: str, turn: int, number: int, cell: int) -> Move:
    before = table.mover_value(board, turn)
    after = -table.mover_value(*_after(board, turn, cell))
    wins = _sign(before), _sign(after)
    name = "best"
    if before != after:
        worse = _PLIES if table.rules.unit == "plies" else _SIZES
        name = _CHANGES.get(wins) or worse[wins[0]]
    return {
        "number": number,
        "side": _SIDES[turn],
        "board": board,
        "cell": cell,
        "before": before,
        "after": after,
        "best": [*table.optimal_moves(board, turn)],
        "name": name,
    }


def _cells(game: object, table: Table, board: str, turn: int) -> list[int]:
    """Return the cell of each move that was made, or raise at the first fault."""
    given = items_of(game)
    if given is None:
        raise InvalidMoveError(
            f"game is {shown(game)}, expected a sequence of cells or of events"
        )
    cells = []
    for place, item in enumerate(given, 1):
        event = items_of(item)
        if event is None:
            where = f"move {place}"
            cell = _cell(item, where, table.grid)
        else:
            where = f"event {place}"
            cell = _cell_of(event, where, table.grid, _SIDES[turn])
        if event is None or event[1] == "1":
            _check_legal(cell, where, table, board, turn)
            cells.append(cell)
            board, turn = _after(board, turn, cell)
        if event and (rows := "".join(map(str, event[2:5]))) != board:
            raise InvalidMoveError(
                f"{where}: board is {shown(rows)}, expected {board!r}"
            )
    return cells


def _cell(given: object, where: str, grid: Grid) -> int:
    cell = as_integer(given)
    if cell is None or not 0 <= cell < grid.cells:
        raise InvalidMoveError(
            f"{where}: cell is {shown(given if cell is None else cell)}, "
            f"expected an integer from 0 to {grid.cells - 1}"
        )
    return cell


def _cell_of(event: Sequence[object], where: str, grid: Grid, side: str) -> int:
    """Return the cell that an event is about; this side is to move."""
    if len(event) != 8:
        raise InvalidMoveError(
            f"{where} has {len(event)} items, expected the 8 strings of an event"
        )
    for place, item in enumerate(event):
        if not isinstance(item, str):
            raise InvalidMoveError(
                f"{where}: item {place} is {shown(item)}, expected a str"
            )
    cells = [divmod(cell, grid.columns) for cell in range(grid.cells)]
    places = [f"{row},{column}" for row, column in cells]
    # Who is refused need not be to move.
    refused = event[1] == "0"
    movers = [*_SIDES] if refused else [side]
    mover = "'X' or 'O'" if refused else f"{side!r}, whose turn it is"
    for name, given, expected, words in (
        ("accepted", event[1], ["0", "1"], "'0' or '1'"),
        ("side", event[0], movers, mover),
        ("cell", event[7], places, f"'0,0' to {places[-1]!r}"),
    ):
        if given not in expected:
            raise InvalidMoveError(
                f"{where}: {name} is {shown(given)}, expected {words}"
            )
    return places.index(str(event[7]))


def _check_legal(cell: int, where: str, table: Table, board: str, turn: int) -> None:
    result = _result(table, board, turn)
    if result != "unfinished":
        raise InvalidMoveError(
            f"{where}: cell is {cell}, expected no more moves: play ended, {result}"
        )
    if board[cell] != ".":
        raise InvalidMoveError(
            f"{where}: cell is {cell}, which {board[cell]} has taken, "
            "expected an empty cell"
        )


def _after(board: str, turn: int, cell: int) -> tuple[str, int]:
    """Return the state after a move."""
    return played(board, cell, turn), 1 - turn


def _result(table: Table, board: str, turn: int) -> str:
    if table.move(board, turn) is not None:
        return "unfinished"
    return ("a draw", "O wins", "X wins")[_sign(table.value(board, turn))]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
