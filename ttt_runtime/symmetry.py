"""Symmetries of a board: its images, and the class of states that they make.

A transform is a tuple of cells: ``transform[cell]`` is the cell whose mark comes to
stand in `cell`. A square has 8 ways to be turned and mirrored, another rectangle 4. Of
these a grid has the ones that turn its lines into its lines. Rules see nothing but
lines and empty cells: so all states of a class have one value, and the best cells of an
image are the images of the best cells.
"""

from functools import lru_cache
from operator import itemgetter

from .boards import MARKS, THREE, Grid, shown
from .errors import InvalidBoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


@lru_cache  # 40 us on 3x3, and `canonical`, which needs them, 15 us
def transforms(grid: Grid = THREE) -> "tuple[tuple[int, ...], ...]":
    """Return the transforms of a grid, each once, that of a board into itself first.

    Lines of your own count as often as you give them, and their images as often.

    Examples
    --------
    >>> len(transforms()), len(transforms(Grid(3, 4, 3)))
    (8, 4)
    >>> transforms(Grid(2, 3, 2))[1]
    (2, 1, 0, 5, 4, 3)
    >>> len(transforms(Grid(2, 3, [(0, 1, 2)])))
    2
    """
    starts = range(0, grid.cells, grid.columns)
    upright = [tuple(range(start, start + grid.columns)) for start in starts]
    square = grid.rows == grid.columns
    ways = [
        tuple([cell for row in rows[::down] for cell in row[::across]])
        for rows in [upright, [*zip(*upright, strict=True)]][: 1 + square]
        for down in (1, -1)
        for across in (1, -1)
    ]
    kept = []
    for way in dict.fromkeys(ways):
        lines = [tuple(sorted([way[cell] for cell in line])) for line in grid.lines]
        if sorted(lines) == sorted(grid.lines):
            kept.append(way)
    return tuple(kept)


def image(board: str, transform: "Sequence[int]") -> str:
    """Return what a transform makes of a board.

    Raises
    ------
    InvalidBoardError
        If the transform is none, or the board is not a mark for each of its cells.

    Examples
    --------
    >>> image("XO.......", transforms()[1])
    '.OX......'
    """
    if sorted(transform) != [*range(len(transform))]:
        raise InvalidBoardError(
            f"transform is {shown([*transform])}, expected each cell once"
        )
    marked = isinstance(board, str) and set(board) <= set(MARKS)
    if not marked or len(board) != len(transform):
        raise InvalidBoardError(
            f"board is {shown(board)}, expected a str of {len(transform)} marks, "
            "X, O or '.', as many as the transform has cells"
        )
    return "".join([board[cell] for cell in transform])


def images(board: str, grid: Grid = THREE) -> tuple[str, ...]:
    """Return the different images of a board, itself among them, by index.

    Raises
    ------
    InvalidBoardError
        If the board is malformed.

    Examples
    --------
    >>> images("X........")
    ('........X', '......X..', '..X......', 'X........')
    """
    found = {(number, each) for number, each, _ in _moved(board, grid)}
    return tuple([each for _, each in sorted(found)])


def canonical(board: str, grid: Grid = THREE) -> "tuple[str, tuple[int, ...]]":
    """Return the image with the smallest index, and the first transform to it.

    Raises
    ------
    InvalidBoardError
        If the board is malformed.

    Examples
    --------
    >>> canonical("XO.......")
    ('.......OX', (8, 7, 6, 5, 4, 3, 2, 1, 0))
    """
    _, smallest, transform = min(_moved(board, grid), key=itemgetter(0))
    return smallest, transform


def class_at(index: int, grid: Grid = THREE) -> int:
    """Return the smallest index of a state's class, which is of the same turn.

    Raises
    ------
    InvalidIndexError
        If `index` is not an integer from 0 to the number of states - 1.

    Examples
    --------
    >>> class_at(9396), class_at(29079)
    (196, 19879)
    >>> THREE.decode(196)
    ('....OX.OX', 0)
    """
    board, turn = grid.decode(index)
    return grid.encode(canonical(board, grid)[0], turn)


def _moved(board: str, grid: Grid) -> "list[tuple[int, str, tuple[int, ...]]]":
    """Return the number and the image that each transform makes, and the transform."""
    grid.encode(board, 0)  # says what is wrong with it
    found = [(image(board, way), way) for way in transforms(grid)]
    return [(grid.encode(each, 0), each, way) for each, way in found]
