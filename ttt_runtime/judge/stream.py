"""Answer a stream of queries chunk by chunk, up to the first fault.

Any white space may separate tokens. There is a fast path: queries in the problem's own
layout are answered as they stand. The slow path splits any other layout into tokens,
writes them one a line, and answers that. Both answer every complete query before they
wait for more input, so that the judge can be used as a co-process.
"""

from ..errors import JudgeInputError
from .queries import answers_to, by_code, query_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .problem import Problem

CHUNK = 1 << 15
"""How many bytes to read at once.

40,000 queries from a cold start took 4.8 ms in chunks of 32 KiB, 6.5 in 128 KiB and 13
in 512 KiB, where every big integer gets fresh pages; a million took as long in each.
"""

LONGEST_TOKEN = 64
"""A token longer than this is wrong whatever follows: its end is not waited for."""

LONGEST_QUERY = 512
"""From so many bytes on, a query that has begun is kept without its blank space."""

LONGEST_COUNT = 18
ENDLESS: int = 10**LONGEST_COUNT
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Input:
    """The text that has been read but not answered.

    Attributes
    ----------
    text : bytes
        The tokens that are complete, from the first that is not answered on.
    begun : bytes
        A token behind them of which there may be more to read.
    line : int
        The line on which the text begins, counted from 1.
    ended : bool
        Whether there is no more to read.
    """

    def __init__(self, read: "Callable[[int], bytes]") -> None:
        self.text = b""
        self.begun = b""
        self.line = 1
        self.ended = False
        self._read = read
        self._squeezed = 0  # line ends taken out of the text after its first token

    def more(self) -> None:
        """Read on, or find that the input has ended."""
        if len(self.text) > LONGEST_QUERY:
            self._squeezed += self.text.count(b"\n")
            self.text = b" ".join([*self.text.split(), b""])
        chunk = self._read(CHUNK)
        self.ended = not chunk
        text = self.text + self.begun + chunk
        self.begun = b""
        if not self.ended and not text[-1:].isspace():
            token = text[-LONGEST_TOKEN - 1 :].split()[-1]
            self.begun = token if len(token) <= LONGEST_TOKEN else b""
        self.text = text[: len(text) - len(self.begun)]

    def drop(self, size: int, lines: int = 0) -> None:
        """Drop so many bytes, with so many line ends, and the blank space behind them.

        To count the line ends here made a million queries on the fast path 6 to 10 %
        slower.
        """
        if size:
            self.line += lines + self._squeezed
            self._squeezed = 0
        rest = self.text[size:]
        self.text = rest.lstrip()
        self.line += rest.count(b"\n") - self.text.count(b"\n")

    def keep(self, count: int) -> None:
        """Drop all tokens but the last `count`."""
        parts = self.text.rsplit(None, count)
        answered = parts[0] if len(parts) > count else b""
        self.drop(len(answered), answered.count(b"\n"))

    def first(self) -> bytes:
        """Return the first token; read on until there is one. b"" is the end."""
        self.drop(0)
        while not self.text and not self.ended:
            self.more()
            self.drop(0)
        return self.text.split(None, 1)[0] if self.text else b""

    def rest(self, number: int) -> bytes:
        """Return the text from a token on; 0 is the first."""
        return (self.text + self.begun).split(None, number)[number]

    def line_of(self, number: int) -> int:
        """Return the line of a token; 0 is the first."""
        if not number:
            return self.line
        return self.last_line() - self.rest(number).count(b"\n")

    def last_line(self) -> int:
        """Return the line on which the text ends."""
        return self.line + self._squeezed + self.text.count(b"\n")


def answer(
    problem: "Problem",
    read: "Callable[[int], bytes]",
    write: "Callable[[bytes], object]",
) -> None:
    """Read queries and write the answer to each.

    Parameters
    ----------
    problem : Problem
        How queries are read, and what their answers are.
    read : callable
        ``read(n)`` returns up to n bytes; ``b""`` only at the end.
    write : callable
        Takes the answers to one or more queries, a line each.

    Raises
    ------
    JudgeInputError
        At the first token that is not as expected, once every query before it has
        been answered. The message names line and query, both counted from 1.
    """
    answers = by_code(problem.answers())
    width = len(problem.FIELDS)
    size = query_size(problem.FIELDS, problem.AFTER)
    lines = "".join(problem.AFTER).count("\n")
    end = problem.END and problem.END.encode()

    def answered(block: bytes, after: "Sequence[str]") -> bool:
        """Write the answers to a block of queries, or nothing if one is faulty."""
        found = answers_to(block, problem.FIELDS, after, answers)
        if found is not None:
            write(found)
        return found is not None

    def answered_tokens(tokens: list[bytes]) -> bool:
        return answered(b"\n".join([*tokens, b""]), ["\n"] * width)

    source = Input(read)
    total, asked = _total(problem, source), 0
    while asked < total:
        count = min(len(source.text) // size, total - asked)
        if count and answered(source.text[: count * size], problem.AFTER):
            asked += count
            source.drop(count * size, count * lines)

        tokens = source.text.split()
        queries = tokens[: (total - asked) * width]
        if end and end in queries:
            queries = queries[: queries.index(end)]
            total = asked + len(queries) // width
        count = len(queries) // width
        if count and not answered_tokens(queries[: count * width]):
            count = 0  # one of them is faulty: answer those before it, one by one
            while answered_tokens(queries[count * width : (count + 1) * width]):
                count += 1
        asked += count
        source.keep(len(tokens) - count * width)

        begun = queries[count * width : (count + 1) * width]
        _check(problem, source, begun, asked, total)
        if asked < total:
            source.more()

    source.drop(len(end or b""))
    if source.first():
        reason = f"after {problem.END!r}" if problem.END else "after one query"
        if problem.COUNT:
            reason = f"as {problem.COUNT} is {total}"
        query = f"query {total + 1}"
        raise _faulty(source, 0, query, "found", f"the end, {reason}")


def _total(problem: "Problem", source: Input) -> int:
    """Return how many queries come, and leave the input where the first begins."""
    while not source.text and not source.ended:
        source.more()
    source.text = source.text.removeprefix(BYTE_ORDER_MARK)
    if problem.END:
        return ENDLESS
    if not problem.COUNT:
        return 1
    count, query = source.first(), "before query 1"
    if not count:
        raise _too_short(source, query, f"{problem.COUNT}, the number of queries")
    if not count.isdigit() or len(count) > LONGEST_COUNT:
        expected = (
            f"the number of queries in plain digits, at most {LONGEST_COUNT} of them"
        )
        raise _faulty(source, 0, query, f"{problem.COUNT} is", expected)
    source.drop(len(count))
    return int(count)


def _check(
    problem: "Problem", source: Input, begun: list[bytes], asked: int, total: int
) -> None:
    """Raise if the query after those that were answered is faulty or cut short."""
    query = f"query {asked + 1}"
    for number, token in enumerate(begun):
        name, symbols, width = problem.FIELDS[number]
        if len(token) != width or token.strip(symbols.encode()):
            marks = " or ".join(symbols)
            expected = marks if width == 1 else f"{width} marks, each {marks}"
            if problem.END:
                expected += f", or {problem.END!r} after the last"
            raise _faulty(source, number, query, f"{name} is", expected, symbols)
    if len(begun) == len(problem.FIELDS):
        raise JudgeInputError(f"line {source.line_of(0)}, {query}: {problem.NO_ANSWER}")
    if asked < total and source.ended:
        expected = problem.FIELDS[len(begun)][0]
        if problem.COUNT:
            expected += f", as {problem.COUNT} is {total}"
        if problem.END:
            expected += f" or {problem.END!r}"
        raise _too_short(source, query, expected)


def _too_short(source: Input, query: str, expected: str) -> JudgeInputError:
    return JudgeInputError(
        f"line {source.last_line()}, {query}: the input ends, expected {expected}"
    )


def _faulty(
    source: Input, number: int, query: str, found: str, expected: str, symbols: str = ""
) -> JudgeInputError:
    """Return the error about the token of this number."""
    from .faults import described  # no sound input needs it

    reason = described(source.rest(number), found, expected, symbols)
    return JudgeInputError(f"line {source.line_of(number)}, {query}: {reason}")
