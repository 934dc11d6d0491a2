"""From the text of queries to the answers, many at once.

A query is a few tokens: a turn, rows of marks. In one fixed layout all queries have the
same length, so a block of them is a matrix of characters with one query a row, and each
of its columns is a separator or a digit of the index. A strided slice cuts a column
out; read as one big integer it has a byte for each query, so that one multiplication by
3 and one addition serve them all.
"""

from codecs import charmap_encode

from ..boards import BOARDS, STATES
from ..tables import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .problem import Field

_FOREIGN = 4
"""The digit of a character that is not a symbol: a bit that no right digit has."""


def query_size(fields: "Sequence[Field]", after: "Sequence[str]") -> int:
    """Return the length in bytes of a query in this layout."""
    return sum([width for _, _, width in fields]) + len("".join(after))


def answers_to(
    block: bytes,
    fields: "Sequence[Field]",
    after: "Sequence[str]",
    answers: "list[bytes | None]",
) -> bytes | None:
    """Return the answers to a block of queries, None unless all are sound.

    Parameters
    ----------
    block : bytes
        Queries in one layout, one behind the other.
    fields : sequence of Field
        What a query consists of.
    after : sequence of str
        The white space that follows each token.
    answers : list of bytes or None
        Each answer, arranged by `by_code`.
    """
    codes = _codes(block, fields, after)
    if codes is None:
        return None
    try:
        return charmap_encode(codes, "strict", answers)[0]
    except UnicodeEncodeError:  # one of them has no answer
        return None


def _codes(
    block: bytes, fields: "Sequence[Field]", after: "Sequence[str]"
) -> str | None:
    """Return a text with a character for each query; its code stands for the index.

    An index is ``high * 243 + low``: the last five digits make one byte, 3**5 = 243,
    and the four or five before them another; the code is ``high * 256 + low``. Nine
    marks give the number of a board, 0 to 19,682; a turn before them makes that the
    index of a state.
    """
    size = query_size(fields, after)
    count, excess = divmod(len(block), size)
    if excess:
        return None
    columns = []
    position = seen = high = low = 0
    for (_, symbols, width), blank in zip(fields, after, strict=True):
        end = position + width
        for place, separator in enumerate(blank.encode(), end):
            if block[place::size] != bytes([separator]) * count:
                return None
        digits = _digits(symbols)
        for place in range(position, end):
            column = block[place::size].translate(digits)
            columns.append(int.from_bytes(column, "little"))
            seen |= columns[-1]
        position = end + len(blank)

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


def rows(symbols: str) -> "tuple[Field, ...]":
    """Return the three rows of a board as fields."""
    return tuple([(f"row {number}", symbols, 3) for number in (1, 2, 3)])


def by_code(answers: "Sequence[bytes | None]") -> list[bytes | None]:
    """Arrange answers by the code that stands for an index, high * 256 + low."""
    arranged: list[bytes | None] = []
    for start in range(0, len(answers), 243):
        arranged += answers[start : start + 243]
        arranged += [None] * 13
    return arranged


def by_board(answer: "Callable[[int], bytes]", unreached: bytes) -> list[bytes]:
    """Answer each board that a game can reach by its state's index, all others alike.

    The counts tell whose turn it is, so no board is reached with both turns.
    """
    from itertools import compress  # "Situation" does not need it

    lines = [unreached] * BOARDS
    for index in compress(range(STATES), load().raw("reachable")):
        lines[index % BOARDS] = answer(index)
    return lines
