"""Levels: opponents from one that plays at random to a perfect one.

A policy gives each legal cell of a state a chance. `LEVELS` says what each level does,
`weights` gives its chances, and `choose` draws a cell by them, the same one whenever
seed and state are the same.
"""

from .boards import as_integer, played, shown
from .errors import InvalidLevelError, InvalidSeedError
from .tables import Table, load

LEVELS = {
    "easy": "plays any empty cell, each with the same chance",
    "medium": "looks at its own move and the reply, takes a win or stops a loss that "
    "it sees there (where lines count, it takes lines), and otherwise plays at random",
    "hard": "plays perfectly, but one move in eight at random",
    "perfect": "plays the best cells, each with the same chance",
}
"""What each level does, from the weakest to the strongest."""

PERFECT_MOVES = 7
"""How many perfect moves `hard` makes for one at random."""


def weights(
    level: str,
    board: str,
    turn: int | None = None,
    variant: str | Table = "standard",
    trap: bool = False,
) -> dict[int, int]:
    """Return the chances of a level: for each cell it may play a whole number above 0.

    The chance of a cell is its weight by the sum of the weights.

    - ``easy``: every legal cell has weight 1.
    - ``medium``: the cells whose minimax over two plies is best for the mover have
      weight 1. Where play has ended after one ply or two, the value of that state
      counts, elsewhere 0. In variants whose values measure lines, the cells that
      complete the most lines have weight 1: in `fill` two plies would win more games
      against ``easy`` than ``hard`` does.
    - ``hard``: of n legal cells, b of them best, a best one has weight 7 n + b, another
      one b: seven moves in eight those of ``perfect``, one that of ``easy``.
    - ``perfect``: the best cells have weight 1.

    Parameters
    ----------
    level : str
        One of `LEVELS`.
    board : str
        A mark for each cell, ``X``, ``O`` or ``.``, in cell order.
    turn : int, optional
        0 if X moves next, 1 if O does; inferred from the counts if left out.
    variant : str or Table
        What `load` takes, or what it returned.
    trap : bool
        Whether ``perfect`` keeps of the best cells only those after which the most
        replies are wrong: worse for the opponent than its best one. After a move that
        ends play there is none. The other levels are the same with it and without.

    Returns
    -------
    dict of int to int
        Cells in order; none where play has ended.

    Raises
    ------
    InvalidLevelError
        If there is no such level.
    InvalidBoardError
        Where `Table.value` does.

    Examples
    --------
    >>> weights("medium", "XX..O....")
    {2: 1}
    >>> weights("hard", "XX.OO...."), weights("perfect", "X...O...X")
    ({2: 36, 5: 1, 6: 1, 7: 1, 8: 1}, {1: 1, 3: 1, 5: 1, 7: 1})
    >>> weights("perfect", "X...O....", trap=True)  # else 5, 7 and 8, too
    {1: 1, 2: 1, 3: 1, 6: 1}
    """
    level = checked_level(level)
    table = _table(variant)
    turn = table.grid.encode(board, turn) // table.grid.boards
    legal = [*table.move_values(board, turn)]
    best = [*table.optimal_moves(board, turn)]
    if level == "hard":
        other = len(best)
        weight = PERFECT_MOVES * len(legal) + other
        return {cell: weight if cell in best else other for cell in legal}
    cells = best if level == "perfect" else legal
    if level == "medium":
        foreseen = [_foreseen(table, board, turn, cell) for cell in legal]
        cells = _largest(legal, foreseen)
    if level == "perfect" and trap:
        cells = _largest(best, [_wrong(table, board, turn, cell) for cell in best])
    return dict.fromkeys(cells, 1)


def choose(
    level: str,
    seed: int,
    board: str,
    turn: int | None = None,
    variant: str | Table = "standard",
    trap: bool = False,
) -> int | None:
    """Return the cell that a level plays, or None where play has ended.

    It follows from the seed and the state alone, so that the same seed makes the same
    game again, also after moves were taken back. ``number`` is MurmurHash3 (x86, 32
    bits, by Austin Appleby, in the public domain) of the state's index, written as four
    bytes, the low one first, with the seed; ``position`` is the integer part of
    ``number`` times the sum of the `weights`, by 2**32. The cell is the first at which
    the running sum of the weights exceeds ``position``. Over all seeds each number
    occurs once in each state.

    Parameters
    ----------
    level : str
        One of `LEVELS`.
    seed : int
        0 to 2**32 - 1.
    board, turn, variant, trap
        As in `weights`.

    Raises
    ------
    InvalidSeedError
        If the seed is not an integer in that range.
    TTTError
        Where `weights` does.

    Examples
    --------
    >>> [choose("easy", seed, "XX.OO....") for seed in range(5)]
    [5, 7, 2, 6, 7]
    >>> choose("hard", 7, "XX.OO....", 1, "misere")
    2
    """
    seed = checked_seed(seed)
    table = _table(variant)
    chances = weights(level, board, turn, table, trap)
    number = _murmur3(table.grid.encode(board, turn), seed)
    position = number * sum(chances.values()) >> 32
    for cell, weight in chances.items():
        position -= weight
        if position < 0:
            return cell
    return None


def checked_level(given: object) -> str:
    """Return a level, or raise `InvalidLevelError`.

    Examples
    --------
    >>> checked_level("hard")
    'hard'
    """
    if isinstance(given, str) and given in LEVELS:
        return given
    raise InvalidLevelError(
        f"level is {shown(given)}, expected one of {', '.join(LEVELS)}"
    )


def checked_seed(given: object) -> int:
    """Return a seed as a plain `int`, or raise `InvalidSeedError`.

    Examples
    --------
    >>> checked_seed(7)
    7
    """
    seed = as_integer(given)
    if seed is None or not 0 <= seed < 2**32:
        raise InvalidSeedError(
            f"seed is {shown(given if seed is None else seed)}, "
            f"expected an integer from 0 to {2**32 - 1}"
        )
    return seed


def _table(variant: str | Table) -> Table:
    return variant if isinstance(variant, Table) else load(variant)


def _largest(cells: list[int], keys: list[int]) -> list[int]:
    """Return the cells whose key is the largest."""
    return [cell for cell, key in zip(cells, keys, strict=True) if key == max(keys)]


def _foreseen(table: Table, board: str, turn: int, cell: int) -> int:
    """Return what `medium` goes by: lines of a move, or what two plies are sure of."""
    after = played(board, cell, turn)
    if table.rules.unit == "lines":
        held = [{after[cell] for cell in line} for line in table.grid.lines]
        return held.count({"XO"[turn]})
    sign = 2 * turn - 1
    replies = table.move_values(after, 1 - turn)
    if not replies:
        return sign * table.value(after, 1 - turn)
    seen = []
    for reply, value in replies.items():
        ended = table.move(played(after, reply, 1 - turn), turn) is None
        seen.append(sign * value if ended else 0)
    return min(seen)


def _wrong(table: Table, board: str, turn: int, cell: int) -> int:
    """Return how many replies to a move are not best."""
    after = played(board, cell, turn), 1 - turn
    return len(table.move_values(*after)) - len(table.optimal_moves(*after))


def _murmur3(block: int, seed: int) -> int:
    """Return MurmurHash3_x86_32 of four bytes, read as a number, the low one first."""
    mixed = block * 0xCC9E2D51 & 0xFFFFFFFF
    mixed = _rotated(mixed, 15) * 0x1B873593 & 0xFFFFFFFF
    state = _rotated(seed ^ mixed, 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    state ^= 4  # the number of bytes
    state = (state ^ state >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    state = (state ^ state >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return state ^ state >> 16


def _rotated(word: int, bits: int) -> int:
    """Return a word of 32 bits, rotated to the left."""
    return word << bits & 0xFFFFFFFF | word >> 32 - bits
