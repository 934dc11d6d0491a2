"""From the text of queries to the indices of their states, many at once.

A query is a few tokens: a turn, rows of marks. In one fixed layout all queries have the
same length, so a block of them is a matrix of characters with one query a row, and each
of its columns is a separator or a digit of the index. A column is cut out as a strided
slice and read as one big integer with a byte for each query, so that one multiplication
by 3 and one addition serve them all.
"""

from ..boards import BOARDS, SLIPS, STATES
from ..tables import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .problem import Token

_FOREIGN = 4
"""The digit of whatever is no symbol: a bit that no right digit has."""


def quoted(word: bytes) -> str:
    """Return the token as it stood there, in ASCII, cut short if it is long."""
    return repr(word[:40])[1:] + "..." * (len(word) > 40)


def fault(word: bytes, token: "Token") -> str | None:
    """Say what is wrong with a token, and what was expected; None if it is right."""
    name, symbols, width = token
    foreign = word.strip(symbols.encode())
    if not foreign and len(word) == width:
        return None
    choices = " or ".join(symbols)
    expected = choices if width == 1 else f"{width} marks, each {choices}"
    return f"{name} is {quoted(word)}, expected {expected}{_hint(foreign, symbols)}"


def _hint(foreign: bytes, symbols: str) -> str:
    """Say what to write instead, if that is a mark here."""
    given = chr(foreign[0]) if foreign else ""
    mark, advice = SLIPS.get(given, ("", ""))
    if mark and mark in symbols:
        return f"; {advice}"
    if given in ("o", "O") and symbols == ".X0":
        return "; write the digit 0"
    return ""


def query_size(tokens: "Sequence[Token]", after: "Sequence[str]") -> int:
    """Return the length in bytes of a query in this layout."""
    return sum([width for _, _, width in tokens]) + len("".join(after))


def indices(
    block: bytes, tokens: "Sequence[Token]", after: "Sequence[str]"
) -> str | None:
    """Return the index of each query of a block, or None if one has another layout.

    An index is ``high * 243 + low``: the last five digits make one byte, 3**5 = 243,
    and the four or five before them another. Returned is a text with a character for
    each query, whose code is ``high * 256 + low``. Nine marks give the number of a
    board, 0 to 19,682; a turn before them makes that the index of a state.

    Parameters
    ----------
    block : bytes
        Queries in the layout, one behind the other.
    tokens : sequence of Token
        What a query consists of.
    after : sequence of str
        The white space that follows each token.
    """
    size = query_size(tokens, after)
    count, excess = divmod(len(block), size)
    if excess:
        return None
    columns = []
    position = 0
    for (_, symbols, width), blank in zip(tokens, after, strict=True):
        end = position + width
        for place, separator in enumerate(blank.encode(), end):
            if block[place::size] != bytes([separator]) * count:
                return None
        digits = _digits(symbols)
        while position < end:
            column = block[position::size].translate(digits)
            columns.append(int.from_bytes(column, "little"))
            position += 1
        position += len(blank)

    seen = high = low = 0
    for digit in columns:
        seen |= digit
    if seen.to_bytes(count, "little").translate(None, b"\0\1\2\3"):
        return None
    for digit in columns[:-5]:
        high = high * 3 + digit
    for digit in columns[-5:]:
        low = low * 3 + digit
    codes = bytearray(2 * count)
    codes[::2] = low.to_bytes(count, "little")
    codes[1::2] = high.to_bytes(count, "little")
    return codes.decode("utf-16-le")


def _digits(symbols: str) -> bytes:
    """Return the table that translates each symbol to its digit."""
    table = bytearray([_FOREIGN]) * 256
    for digit, symbol in enumerate(symbols.encode()):
        table[symbol] = digit
    return bytes(table)


def rows(symbols: str) -> "tuple[Token, ...]":
    """Return the three rows of a board as tokens."""
    return tuple([(f"row {number}", symbols, 3) for number in (1, 2, 3)])


def by_code(answers: "list[bytes | None]") -> "list[bytes | None]":
    """Arrange answers by the code of the character that stands for an index."""
    arranged = []
    for start in range(0, len(answers), 243):
        arranged += answers[start : start + 243]
        arranged += [None] * 13
    return arranged


def reached() -> "Iterator[tuple[int, int]]":
    """Yield the number of each board that a game can reach, and the state's index.

    The turn is the one that the counts tell: no board is reached with both.
    """
    from itertools import compress  # the usual problem does without

    for index in compress(range(STATES), load().raw("reachable")):
        yield index % BOARDS, index
