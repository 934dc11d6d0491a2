"""The variants: rules on a grid.

Four rules say when play ends and how the end is scored. On 3x3 they make the variants
that come with the package, `standard`, `fill`, `misere` and `fastest`; on any other
board they make one for each name ``RULE-ROWSxCOLUMNSxLINE``, such as
``misere-3x4x3``. A variant of your own is one more `Variant`.
"""

from .boards import THREE, Grid, shown
from .errors import InvalidVariantError, UnknownVariantError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


_NUMBERS = "no one two three four five six seven eight nine".split()  # noqa: SIM905


class Rules:
    """When play ends, and how the end is scored, whatever the board.

    Attributes
    ----------
    name : str
        Of the rules, and of their variant on 3x3.
    summary : str
        The rules in one line: a title, a colon, what the values mean. ``{}`` stands for
        the length of a line.
    ends_at_line : bool
        Whether the first line ends play; a full board always does.
    score : callable
        (lines of X, lines of O, empty cells) -> the final value from O's viewpoint:
        integers, the value from -127 to 127.
    unit : str or None
        What the size of a value measures: ``"plies"``, 1 + the cells left empty by a
        win; ``"lines"``, the lead at the end; None where only the sign means something.
    counted : bool
        Whether the continuations of each state of 3x3 are counted.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        ends_at_line: bool,
        score: "Callable[[int, int, int], int]",
        unit: str | None = None,
        counted: bool = False,
    ) -> None:
        self.name = name
        self.summary = summary
        self.ends_at_line = bool(ends_at_line)
        self.score = score
        self.unit = unit
        self.counted = counted


def is_name(name: str) -> bool:
    """Return whether a variant may have this name.

    It is that of a directory, beside the file `VERSION`, and a word on a command line.
    """
    plain = name.replace("-", "").replace("_", "")
    first = name[:1].isalnum() and name.upper() != "VERSION"
    return first and plain.isascii() and plain.isalnum()


class Variant:
    """Rules on a grid.

    Attributes
    ----------
    name : str
        What `load` finds the tables by, and the name of their directory.
    rules : Rules
    grid : Grid
    summary : str
        The rules in one line.
    counted : bool
        Whether the variant has the array of continuations, which 3x3 alone has: 12
        bytes a state, 1 GB on 4x4.
    """

    def __init__(self, name: str, rules: Rules, grid: Grid) -> None:
        if not is_name(name):
            raise InvalidVariantError(
                f"variant is named {shown(name)}, "
                "expected ASCII letters, digits, '-' and '_', a letter or digit first"
            )
        self.name = name
        self.rules = rules
        self.grid = grid
        length = len(grid.lines[0]) if grid.lines else 0
        word = _NUMBERS[length] if length < len(_NUMBERS) else str(length)
        self.summary = rules.summary.replace("{}", word)
        self.counted = rules.counted and grid is THREE


def _winner(x_lines: int, o_lines: int) -> int:
    """Return +1 if O has the more lines, -1 if X has, else 0."""
    return (o_lines > x_lines) - (x_lines > o_lines)


_RULES = (
    Rules(
        "standard",
        "{} in a row wins: +1 O has a line, -1 X has one, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: _winner(x_lines, o_lines),
        counted=True,
    ),
    Rules(
        "fill",
        "every cell gets filled: lines of O minus lines of X",
        False,
        lambda x_lines, o_lines, empty: o_lines - x_lines,
        unit="lines",
    ),
    Rules(
        "misere",
        "{} in a row loses: +1 X has a line, -1 O has one, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: -_winner(x_lines, o_lines),
    ),
    Rules(
        "fastest",
        "win soonest, lose latest: 1 + empty cells left for the winner, 0 a draw",
        True,
        lambda x_lines, o_lines, empty: _winner(x_lines, o_lines) * (1 + empty),
        unit="plies",
    ),
)
RULES = {rules.name: rules for rules in _RULES}
"""The rules there are, by name."""

VARIANTS = tuple([Variant(rules.name, rules, THREE) for rules in _RULES])
"""The variants whose tables come with the package."""


def named(name: str) -> Variant:
    """Return the variant of this name: rules on 3x3, or ``RULE-ROWSxCOLUMNSxLINE``.

    Raises
    ------
    UnknownVariantError
        If there are no such rules, or no such board: at most 16 cells, and a line no
        longer than its longer side.

    Examples
    --------
    >>> named("fill").rules.unit
    'lines'
    >>> named("standard-4x4x4").grid.states
    86093442
    """
    for variant in VARIANTS:
        if variant.name == name:
            return variant
    rule, _, size = name.partition("-")
    sizes = size.split("x")
    digits = "".join(sizes)
    plain = digits.isascii() and digits.isdecimal() and len(digits) < 10
    if rule not in RULES or not plain or len(sizes) != 3 or "" in sizes:
        names = ", ".join(RULES)
        raise UnknownVariantError(
            f"variant is {shown(name)}, expected one of {names}, "
            "with the size of any board but 3x3 behind it, such as standard-4x4x4"
        )
    rows, columns, length = map(int, sizes)
    try:
        grid = Grid(rows, columns, length, name)
    except InvalidVariantError as error:
        raise UnknownVariantError(f"variant is {shown(name)}: {error}") from None
    plainest = f"{rule}-{rows}x{columns}x{length}"
    if grid.lines == THREE.lines or name != plainest:
        right = rule if grid.lines == THREE.lines else plainest
        raise UnknownVariantError(f"variant is {shown(name)}, which is called {right}")
    return Variant(name, RULES[rule], grid)


def describe(variant: Variant) -> dict[str, object]:
    """Return what `described` makes a variant of, for JSON."""
    rules, grid = variant.rules, variant.grid
    return {
        "name": variant.name,
        "rules": rules.name,
        "summary": variant.summary,
        "ends_at_line": rules.ends_at_line,
        "unit": rules.unit,
        "rows": grid.rows,
        "columns": grid.columns,
        "lines": grid.lines,
    }


def described(content: bytes) -> Variant:
    """Return the variant that was described in JSON, which has no score."""
    from json import loads

    about = loads(content)
    rules = Rules(
        about["rules"],
        about["summary"],
        about["ends_at_line"],
        _no_score,
        about["unit"],
    )
    grid = Grid(about["rows"], about["columns"], about["lines"], about["name"])
    return Variant(about["name"], rules, grid)


def _no_score(x_lines: int, o_lines: int, empty: int) -> int:
    raise InvalidVariantError("only the file that defines the variant has its score")
