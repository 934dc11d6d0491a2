"""Pictures of boards, as SVG.

`board_picture` draws one board with the value of each legal move. `map_picture` draws
perfect play: the cell of every reply holds the board that follows, down to the end of
the game. Each board of the map has its own coordinates, in which a cell is 1 wide: a
board in a cell is the same drawing again, scaled down, except that its strokes thin out
less. Marks are paths: the smallest, half a millimetre wide, are too small for letters.
`review_picture` draws a board for each move of a game.

All have a white page of their own, and so look the same on a light or dark ground.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil

from ..boards import CELLS, Grid, played
from ..tables import Table
from ..variants import RULES, Variant
from .words import (
    SIDES,
    conclusions,
    judgement,
    note,
    prospect,
    result,
    verdict,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..review import Move, Review

_INK, _GREY = "#222", "#767676"
_STRONG = "#c8102e", "#0b4fc4"
"""The colour of each side."""

_TINTS = {"win": "#d9efdc", "draw": "#e9e9e9", "loss": "#f8dccf"}
_SIGNS = {
    "win": "M.5 .2v.3M.35 .35h.3",
    "draw": "M.35 .29h.3M.35 .41h.3",
    "loss": "M.35 .35h.3",
}
_MARKS = {
    "X": "M{0}.2 {1}.2l.6 .6m0-.6l-.6 .6",
    "O": "M{0}.18 {1}.5a.32 .32 0 1 1 .64 0a.32 .32 0 1 1-.64 0",
}
_LATE = (
    "A win may come late here: it is worth as much as a win at once. "
    "In fastest it is worth less."
)


def board_picture(table: Table, board: str, turn: int) -> str:
    """Return an SVG of a board with what each legal move leads to."""
    rows, columns = table.grid.rows, table.grid.columns
    width, below = 12 + 32 * max(columns, 3), 6 + 32 * rows  # a verdict takes 3 columns
    left = (width - 32 * columns) / 2
    best = table.optimal_moves(board, turn)
    tiles, texts = [], []
    for cell, value in table.move_values(board, turn).items():
        x, y = left + 32 * (cell % columns), 6 + 32 * (cell // columns)
        kind = result(value, turn)
        border = f' stroke="{_INK}" stroke-width=".03"' if cell in best else ""
        tiles += [
            f'<g class="{kind}" transform="translate({x:g} {y}) scale(32)">',
            '<rect x=".08" y=".08" width=".84" height=".84" rx=".06" '
            f'fill="{_TINTS[kind]}"{border}/>',
            _path("sign", _SIGNS[kind], _INK, 0.05),
            "</g>",
        ]
        words = prospect(table.rules, board, turn, value)
        texts += [
            _text(x + 4, y + 6.8, 3.6, str(cell)),
            _text(x + 16, y + 22, 4.6, words, "middle"),
            _text(x + 16, y + 27.5, 3.6, "best" * (cell in best), "middle"),
        ]
    words = verdict(table, board, turn)
    mover = f"{SIDES[turn]} to move:" if best else ""
    return _page(
        width,
        below + 24,
        f"{board}, {table.variant}. " + f"{mover} {words}".lstrip(),
        *tiles,
        f'<g transform="translate({left:g} 6) scale(32)">',
        _path("grid", _borders(rows, columns), _INK, 0.025),
        _path("marks", _marks(board, _cells(board, "X"), columns), _STRONG[0], 0.11),
        _path("marks", _marks(board, _cells(board, "O"), columns), _STRONG[1], 0.11),
        _path("line", "" if best else _strikes(board, table.grid), _INK, 0.05),
        "</g>",
        *texts,
        _text(width / 2, below + 6.5, 4.6, mover, "middle"),
        _text(width / 2, below + 12.5, 4.6, words, "middle"),
        _text(width / 2, below + 19, 3.6, note(table, board, turn), "middle"),
    )


_DEPTHS = (
    (0.012, 0.05, 0.12, 0.016),
    (0.018, 0.055, 0.14, 0.023),
    (0.026, 0.065, 0.15, 0.033),
    (0.04, 0.085, 0.17, 0.045),
    (0, 0.13, 0.22, 0),
)
"""In a board so deep in the map, where a cell is 1 wide: the width of the grid, of thin
and of bold strokes, and the padding around a board in a cell."""


def map_picture(
    table: Table, player: int, board: str = "." * CELLS, turn: int = 0
) -> str:
    """Return an SVG, one A4 page, of each game of 3x3 that a perfect side gets into.

    Parameters
    ----------
    table : Table
        Its moves are the side's answers: the smallest of the best cells.
    player : int
        The side that plays perfectly: 0 for X, or 1 for O.
    board, turn
        Where the games begin: a board on which play goes on, and who moves next.
    """
    side, other = SIDES[player], SIDES[1 - player]
    variant = Variant(table.variant, table.rules, table.grid)
    rule = escape(variant.summary.partition(":")[0], quote=False)
    start = f"{side} begins with the bold {side}. " * (turn == player)
    start += f"Look into the cell where {other} sets its mark:"
    there = f"there is the next board, with {side}'s answer in bold. Go on from there."
    late = table.rules is RULES["standard"]  # the rules of fastest, but for that
    boards = _nested(table, player, board, turn, [], 0)
    after = f", after {board}" * (board != "." * CELLS)
    return _page(
        210,
        297,
        f"Perfect play for {side}, {variant.name}{after}",
        _text(8, 20, 11, f"Perfect play for {side}"),
        _text(202, 20, 5, f"{variant.name}: {rule}", "end"),
        _text(8, 31, 4.6, start),
        _text(8, 37.5, 4.6, there),
        '<g transform="translate(6 45) scale(66)">',
        boards,
        "</g>",
        *_legend(player, boards),
        _text(8, 283, 4, "Of several best cells the smallest is played."),
        _text(8, 289, 4, _LATE * late),
    )


def _legend(player: int, boards: str) -> Iterator[str]:
    """Yield rows that explain the map's signs, and count the ends of its games."""
    side, other = SIDES[player], SIDES[1 - player]
    signs = {
        f"{side}'s answer": _path("sign", _marks(side, [0]), _STRONG[player], 0.14),
        f"{other}'s last mark": _path("sign", _marks(other, [0]), _INK, 0.06),
        "earlier mark": _path("sign", _marks(other, [0]), _GREY, 0.06),
    }
    ends = {"win": f"{side} wins", "draw": "draw", "loss": f"{other} wins"}
    for kind, words in ends.items():
        if count := boards.count(f'class="{kind}"'):
            tile = f'<rect width="1" height="1" fill="{_TINTS[kind]}"/>'
            line = _path("sign", "" if kind == "draw" else "M.1 .5H.9", _INK, 0.1)
            signs[f"{words}: {count} board{'s' * (count > 1)}"] = tile + line
    for place, (words, sign) in enumerate(signs.items()):
        x, y = 8 + 66 * (place % 3), 250 + 12 * (place // 3)
        yield f'<g transform="translate({x} {y}) scale(9)">{sign}</g>'
        yield _text(x + 12, y + 6, 4.4, words)


def _nested(
    table: Table, player: int, board: str, turn: int, fresh: list[int], depth: int
) -> str:
    """Return a board of the map, and in its free cells the boards that follow.

    It is the player's turn, unless the other begins. Fresh is the cell of the other's
    last mark.
    """
    other = 1 - player
    answer = table.optimal_moves(board, turn)[:1] if turn == player else ()
    after = played(board, answer[0], player) if answer else board
    free = [] if table.move(after, other) is None else _cells(after, ".")
    if len(free) == 1:  # the other has no choice, and there is no answer
        after, fresh, free = played(after, free[0], other), fresh + free, []

    grid, thin, bold, padding = _DEPTHS[depth]
    words = [f"{SIDES[player]} plays cell {cell}." for cell in answer]
    tile, inner = "", []
    for cell in free:
        x, y, size = cell % 3 + padding, cell // 3 + padding, (1 - 2 * padding) / 3
        inner += [
            f'<g transform="translate({x:g} {y:g}) scale({size:.4f})">',
            _nested(
                table, player, played(after, cell, other), player, [cell], depth + 1
            ),
            "</g>",
        ]
    if not free:
        words.append(verdict(table, after, player))
        kind = result(table.value(after, player), player)
        tile = f'<rect class="{kind}" width="3" height="3" fill="{_TINTS[kind]}"/>'
    old = [cell for cell in _cells(board, SIDES) if cell not in fresh]
    return _elements(
        f"<title>{' '.join([board, *words])}</title>",
        tile,
        _path("grid", _borders(3, 3) if grid else "", _INK, grid),
        _path("old", _marks(after, old), _GREY, thin),
        _path("reply", _marks(after, fresh), _INK, thin),
        _path("answer", _marks(after, answer), _STRONG[player], bold),
        _path("line", "" if free else _strikes(after, table.grid), _INK, 0.7 * bold),
        *inner,
    )


def review_picture(table: Table, known: "Review") -> str:
    """Return an SVG, as wide as an A4 page, of a game: a board for each move."""
    grid, moves = table.grid, known["moves"]
    width, height = 6 + 11 * max(grid.columns, 3), 19 + 11 * grid.rows
    in_a_row = 198 // width
    boards = []
    for place, move in enumerate(moves):
        x, y = 6 + width * (place % in_a_row), 6 + height * (place // in_a_row)
        ended = move is moves[-1] and known["result"] != "unfinished"
        words = f"{move['number']}. {move['side']} in {move['cell']}"
        boards += [
            f'<g transform="translate({x} {y}) scale(11)">',
            _reviewed(move, grid, ended),
            "</g>",
            _text(x, y + height - 14, 3.6, words),
            _text(x, y + height - 9, 3.6, move["name"]),
        ]
    below = 6 + height * ceil(len(moves) / in_a_row)
    signs = {
        "the move": _path("sign", _marks("X", [0]), _INK, 0.16),
        "a best cell": _tile(0, 0, False),
        "a slip": _tile(0, 0, True),
    }
    for x, (words, sign) in zip((6, 45, 84), signs.items(), strict=True):
        boards.append(f'<g transform="translate({x} {below}) scale(9)">{sign}</g>')
        boards.append(_text(x + 12, below + 6, 4, words))
    first, second = conclusions(known)
    return _page(
        210,
        below + 30,
        f"A game of {known['variant']}. {first} {second}",
        *boards,
        _text(6, below + 18, 4, first),
        _text(6, below + 24, 4, second),
    )


def _reviewed(move: "Move", grid: Grid, ended: bool) -> str:
    """Return the board after a move, its best cells and the slip, if it was one."""
    old, cell, turn = move["board"], move["cell"], SIDES.index(move["side"])
    board, columns = played(old, cell, turn), grid.columns
    slip = [cell] * (cell not in move["best"])
    words = f"Move {move['number']}: {move['side']} in cell {cell}, {judgement(move)}"
    return _elements(
        f"<title>{words}</title>",
        *[_tile(each % columns, each // columns, False) for each in move["best"]],
        *[_tile(each % columns, each // columns, True) for each in slip],
        _path("grid", _borders(grid.rows, columns), _INK, 0.03),
        _path("old", _marks(old, _cells(old, "X"), columns), _STRONG[0], 0.07),
        _path("old", _marks(old, _cells(old, "O"), columns), _STRONG[1], 0.07),
        _path("move", _marks(board, [cell], columns), _STRONG[turn], 0.16),
        _path("line", _strikes(board, grid) if ended else "", _INK, 0.05),
    )


def _tile(x: int, y: int, slip: bool) -> str:
    """Return the ground of a best cell, or of a slip."""
    name, tint = ("slip", _TINTS["loss"]) if slip else ("best", _TINTS["win"])
    dashes = ' stroke-dasharray=".08 .12"' * slip
    return (
        f'<rect class="{name}" x="{x + 0.08:g}" y="{y + 0.08:g}" width=".84" '
        f'height=".84" rx=".06" fill="{tint}" stroke="{_INK}" stroke-width=".03"'
        f"{dashes}/>"
    )


def _cells(board: str, marks: str) -> list[int]:
    return [cell for cell, mark in enumerate(board) if mark in marks]


def _borders(rows: int, columns: int) -> str:
    """Return a path of what parts the cells of a board."""
    upright = [f"M{place} .06V{rows - 0.06:g}" for place in range(1, columns)]
    across = [f"M.06 {place}H{columns - 0.06:g}" for place in range(1, rows)]
    return "".join(upright + across)


def _marks(board: str, cells: Iterable[int], columns: int = 3) -> str:
    """Return a path of the marks in these cells."""
    return "".join(
        [_MARKS[board[cell]].format(cell % columns, cell // columns) for cell in cells]
    )


def _strikes(board: str, grid: Grid) -> str:
    """Return a path that strikes every line of the board through."""
    full = [
        line
        for line in grid.lines
        if board[line[0]] != "." and len({board[cell] for cell in line}) == 1
    ]
    return "".join([_strike(line, grid.columns) for line in full])


def _strike(line: Sequence[int], columns: int) -> str:
    """Return a path through the cells of a line, in the complex plane.

    It runs on beyond both ends of cells in a row. Others, as on a torus, it joins.
    """
    stops = [complex(cell % columns + 0.5, cell // columns + 0.5) for cell in line]
    steps = {after - before for before, after in pairwise(stops)} or {1 + 0j}
    if len(steps) == 1:
        (step,) = steps
        beyond = 0.3 * step / max(abs(step.real), abs(step.imag))
        stops = [stops[0] - beyond, stops[-1] + beyond]
    moves = [after - before for before, after in pairwise(stops)]
    path = f"M{stops[0].real:g} {stops[0].imag:g}"
    return path + "".join([f"l{move.real:g} {move.imag:g}" for move in moves])


def _path(name: str, path: str, colour: str, width: float) -> str:
    """Return a path as an element, or nothing if it is empty."""
    return path and (
        f'<path class="{name}" stroke="{colour}" stroke-width="{width:g}" d="{path}"/>'
    )


def _text(x: float, y: float, size: float, words: str, anchor: str = "start") -> str:
    """Return words as an element, or nothing if there are none."""
    return words and (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{_INK}">{words}</text>'
    )


def _page(width: int, height: int, title: str, *content: str) -> str:
    """Return the whole file: a white page of this size in millimetres."""
    return _elements(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}mm" height="{height}mm" fill="none" stroke-linecap="round" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *content,
        "</svg>\n",
    )


def _elements(*parts: str) -> str:
    return "\n".join([part for part in parts if part])
