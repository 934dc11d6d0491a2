"""The perfect player: a move, a score, and O against a human's attempts."""

from .boards import BOARDS, POWERS, as_integer, encode, outcome, shown
from .errors import InvalidBoardError, InvalidMoveError
from .tables import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


def best_move(board: str) -> int:
    """Return the best cell for the side to move, the smallest among equals.

    X moves first: X is to move when the counts are equal, else O. A cell is scored
    from the mover's side, win +1, draw 0, loss -1, as in the variant ``standard``.

    Parameters
    ----------
    board : str
        Nine marks, ``X``, ``O`` or ``.``, row by row from the top left.

    Raises
    ------
    InvalidBoardError
        If `board` is not a str of nine such marks, no game has its counts, or the
        game is over.

    Examples
    --------
    >>> best_move("XX.OO....")
    2
    >>> best_move("X..OO...X")
    5
    """
    move = load().move_at(encode(board))
    if move is None:
        raise InvalidBoardError(
            f"board {shown(board)}: the game is over ({outcome(board)}), "
            "there is no move to make"
        )
    return move


def situation_score(board: str, turn: int) -> int:
    """Return lines of O minus lines of X once perfect play has filled the board.

    Parameters
    ----------
    board : str
        Nine marks, ``X``, ``O`` or ``.``, row by row; any such board is legal.
    turn : int
        1 if Alice (O, who maximises) moves next, 0 if Bob (X, who minimises) does.

    Raises
    ------
    InvalidBoardError
        If the board is malformed, or the turn is not 0 or 1.

    Examples
    --------
    >>> situation_score(".OOX.OOXO", 1)
    2
    """
    if turn is None:  # elsewhere a turn left out is inferred; here it is asked for
        raise InvalidBoardError("turn is None, expected 0 (Bob) or 1 (Alice)")
    return load("fill").value(board, turn)


def play_against_ai(
    human_moves: "Sequence[Sequence[int]] | NDArray[np.integer]",
) -> list[list[str]]:
    """Play O against a human's attempts and report every event.

    The human plays X and starts; the computer answers by the ``standard`` table.
    Each attempt gives one X event and, if it was accepted and the game goes on, one
    O event. An attempt on an occupied cell, or after the end, is rejected and
    changes nothing.

    Parameters
    ----------
    human_moves : sequence of pairs, or an integer array of shape (n, 2)
        The attempts in order, each ``[row, column]`` with coordinates 0 to 2.

    Returns
    -------
    list of list of str
        A new list of eight strings an event: actor, accepted ``"1"`` or ``"0"``,
        the three rows of the board, status (``IN_PROGRESS``, ``X_WON``, ``O_WON``
        or ``DRAW``), next player (``-`` once the game is over), ``"row,column"``.

    Raises
    ------
    InvalidMoveError
        If `human_moves` is not a sequence, or an attempt not a pair of integers
        from 0 to 2. Every attempt is checked before the first one is played.

    Examples
    --------
    >>> for event in play_against_ai([[0, 0], [1, 1]]):
    ...     print(event)
    ['X', '1', 'X..', '...', '...', 'IN_PROGRESS', 'O', '0,0']
    ['O', '1', 'X..', '.O.', '...', 'IN_PROGRESS', 'X', '1,1']
    ['X', '0', 'X..', '.O.', '...', 'IN_PROGRESS', 'X', '1,1']
    """
    attempts = _parse_attempts(human_moves)
    table = load()
    events = []
    board = "........."
    numeral = 0
    status = "IN_PROGRESS"
    for attempt in attempts:
        if status != "IN_PROGRESS" or board[attempt] != ".":
            waiting = "X" if status == "IN_PROGRESS" else "-"
            events.append(_event("X", "0", board, status, waiting, attempt))
            continue
        cell = attempt
        for mark, digit, waiting in ("X", 1, "O"), ("O", 2, "X"):
            board = board[:cell] + mark + board[cell + 1 :]
            numeral += digit * POWERS[cell]
            index = BOARDS * (waiting == "O") + numeral
            reply = table.move_at(index)
            if reply is None:
                status, waiting = _END[table.value_at(index)], "-"
            events.append(_event(mark, "1", board, status, waiting, cell))
            if reply is None:
                break
            cell = reply
    return events


_END = {-1: "X_WON", 0: "DRAW", 1: "O_WON"}


def _event(
    actor: str, accepted: str, board: str, status: str, next_player: str, cell: int
) -> list[str]:
    rows = board[:3], board[3:6], board[6:]
    return [actor, accepted, *rows, status, next_player, f"{cell // 3},{cell % 3}"]


def _parse_attempts(human_moves: object) -> list[int]:
    """Return the cell of every attempt, or raise for the first that names none."""
    rows = items_of(human_moves)
    if rows is None:
        raise InvalidMoveError(
            f"human_moves is {shown(human_moves)}, "
            "expected a sequence of [row, column] pairs"
        )
    cells = []
    for number, row in enumerate(rows):
        pair = items_of(row)
        if pair is None or len(pair) != 2:
            found = f"is {shown(row)}" if pair is None else f"has {len(pair)} items"
            raise InvalidMoveError(
                f"human_moves[{number}] {found}, expected a pair [row, column]"
            )
        coordinates = []
        for name, given in zip(("row", "column"), pair, strict=True):
            coordinate = as_integer(given)
            if coordinate is None or not 0 <= coordinate <= 2:
                raise InvalidMoveError(
                    f"human_moves[{number}]: {name} is "
                    f"{shown(given if coordinate is None else coordinate)}, "
                    "expected an integer from 0 to 2"
                )
            coordinates.append(coordinate)
        cells.append(3 * coordinates[0] + coordinates[1])
    return cells


def items_of(given: object) -> "Sequence[object] | None":
    """Return the items of a sequence or an array, None for anything else.

    Text is refused, and so are iterators: reading one uses it up.
    """
    if isinstance(given, (list, tuple)):
        return given
    from collections.abc import Sequence

    items = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(items, Sequence) and not isinstance(items, (str, bytes, bytearray)):
        return items
    return None
