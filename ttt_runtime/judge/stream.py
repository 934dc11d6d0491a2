"""Answer a stream of queries chunk by chunk, or say where it goes wrong.

Any white space may separate tokens. In the problem's own layout a chunk is a block of
queries as it stands; any other is cut into tokens and written out, one a line, as a
block. Before more input is waited for, every complete query has been answered.
"""

from codecs import charmap_encode
from os import SEEK_CUR, lseek

from ..errors import JudgeInputError
from .queries import by_code, fault, indices, query_size, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .problem import Problem

CHUNK = 1 << 15
"""How many bytes to read at once.

40,000 queries from a cold start took 4.8 ms in chunks of 32 KiB, 6.5 in 128 KiB and 13
in 512 KiB, where every big integer gets fresh pages; a million took as long in each.
"""

LONGEST_WORD = 64
"""A token longer than this is wrong whatever follows: its end is not waited for."""

LONGEST_COUNT = 18
ENDLESS = 10**LONGEST_COUNT
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def answer(
    problem: "Problem",
    read: "Callable[[int], bytes]",
    write: "Callable[[bytes], object]",
    file: int | None = None,
) -> None:
    """Read queries and write the answer to each.

    Parameters
    ----------
    problem : Problem
        How queries are read, and what their answers are.
    read : callable
        Returns at most so many bytes of the input, and none only at its end.
    write : callable
        Takes answers to any number of queries.
    file : int, optional
        The file that is read, if two processes shall answer it.

    Raises
    ------
    JudgeInputError
        At the first token that is not as expected, once every query before it has
        been answered. The message names line and query, both counted from 1.
    """
    tokens, answers = problem.TOKENS, by_code(problem.answers())
    width = len(tokens)
    size = query_size(tokens, problem.AFTER)
    lines = "".join(problem.AFTER).count("\n")

    def reply(block: bytes, after: "Sequence[str]" = problem.AFTER) -> bytes | None:
        """Return the answers to a block, None if a query is faulty or has none."""
        found = indices(block, tokens, after)
        if found is None:
            return None
        try:
            text, _ = charmap_encode(found, "strict", answers)
        except UnicodeEncodeError:  # None among them
            return None
        return text

    def respond(text: bytes | None) -> bool:
        if text is not None:
            write(text)
        return text is not None

    def reply_to_words(words: "Sequence[bytes]") -> bytes | None:
        return reply(b"\n".join([*words, b""]), ["\n"] * width)

    total, pending, line, ended = _start(problem, read)
    asked = 0
    if file is not None:
        from .parts import answer_parts

        lseek(file, -len(pending), SEEK_CUR)
        pending, ended = b"", False
        asked = answer_parts(file, size, total, reply, write)
        line += asked * lines
    held: list[bytes] = []  # the first tokens of a query, all right so far
    held_line = line  # where the first of them stood
    while asked < total:
        count = min(len(pending) // size, total - asked)
        if count and not held and respond(reply(pending[: count * size])):
            asked += count
            line += count * lines
            pending = pending[count * size :]

        words, begun = _words(pending, ended)
        wanted = [*held, *words][: (total - asked) * width]
        if problem.END and problem.END.encode() in wanted:
            wanted = wanted[: wanted.index(problem.END.encode())]
            total = asked + len(wanted)
        count = len(wanted) // width
        if count and not respond(reply_to_words(wanted[: count * width])):
            count = 0
            while respond(
                reply_to_words(wanted[count * width : count * width + width])
            ):
                count += 1
        asked += count
        first = count * width - len(held)  # where the next query begins among words
        query = wanted[count * width : count * width + width]
        if query and first >= 0:
            held_line = line + _lines_before(pending, first)

        for number, (word, token) in enumerate(zip(query, tokens, strict=False)):
            if wrong := fault(word, token):
                line += _lines_before(pending, first + number)
                if problem.END:
                    wrong += f", or {problem.END!r} after the last"
                raise JudgeInputError(f"line {line}, query {asked + 1}: {wrong}")
        if len(query) == width:
            raise JudgeInputError(
                f"line {held_line}, query {asked + 1}: both sides have a line, "
                "expected a board of a game"
            )

        # The begun query stays as text, so that the next chunk is a block again; but
        # not if it is long with blank space.
        rest, kept = pending, query
        if first >= 0:
            rest = _last_words(pending, len(words) - first + begun)
            if len(rest) <= LONGEST_WORD * width and not ended:
                kept = []
        if kept:
            rest = _last_words(pending, len(words) - len(wanted) + len(held) + begun)
        line += pending.count(b"\n") - rest.count(b"\n")
        pending, held = rest, kept
        if asked < total:
            if ended:
                expected = tokens[len(held)][0]
                if problem.COUNT:
                    expected += f", as {problem.COUNT} is {total}"
                if problem.END:
                    expected += f" or {problem.END!r}"
                raise JudgeInputError(
                    f"line {line}, query {asked + 1}: the input ends, "
                    f"expected {expected}"
                )
            chunk = read(CHUNK)
            ended = not chunk
            pending += chunk
    _expect_end(problem, read, pending, ended, line, total)


def _start(
    problem: "Problem", read: "Callable[[int], bytes]"
) -> tuple[int, bytes, int, bool]:
    """Return how many queries come, what is read, its line, and whether it is all."""
    text = b""
    ended = False
    while not ended and len(text) < len(BYTE_ORDER_MARK):
        chunk = read(CHUNK)
        ended = not chunk
        text += chunk
    text = text.removeprefix(BYTE_ORDER_MARK)
    line = 1
    total = ENDLESS if problem.END else 1
    if problem.COUNT:
        while not (words := _words(text, ended)[0]):
            rest = text.lstrip()
            line += text.count(b"\n") - rest.count(b"\n")
            if ended:
                raise JudgeInputError(
                    f"line {line}, before query 1: the input ends, "
                    f"expected {problem.COUNT}, the number of queries"
                )
            chunk = read(CHUNK)
            ended = not chunk
            text = rest + chunk
        line += _lines_before(text, 0)
        text = text.lstrip()
        count = words[0]
        if not count.isdigit() or len(count) > LONGEST_COUNT:
            raise JudgeInputError(
                f"line {line}, before query 1: {problem.COUNT} is {quoted(count)}, "
                "expected the number of queries in plain digits, "
                f"at most {LONGEST_COUNT} of them"
            )
        total = int(count)
        text = text[len(count) :]
    rest = text.lstrip()
    return total, rest, line + text.count(b"\n") - rest.count(b"\n"), ended


def _expect_end(
    problem: "Problem",
    read: "Callable[[int], bytes]",
    pending: bytes,
    ended: bool,
    line: int,
    total: int,
) -> None:
    """Read on to the end of the input, which must be blank after the last query."""
    reason = f"as {problem.COUNT} is {total}" if problem.COUNT else "after one query"
    if problem.END:
        pending = pending[len(problem.END) :]
        reason = f"after {problem.END!r}"
    while True:
        rest = pending.lstrip()
        line += pending.count(b"\n") - rest.count(b"\n")
        words, _ = _words(rest, ended)
        if words:
            raise JudgeInputError(
                f"line {line}, query {total + 1}: found {quoted(words[0])}, "
                f"expected the end, {reason}"
            )
        if ended:
            return
        chunk = read(CHUNK)
        ended = not chunk
        pending = rest + chunk


def _words(text: bytes, ended: bool) -> tuple[list[bytes], bool]:
    """Return the tokens that are complete, and whether one more has begun."""
    words = text.split()
    begun = (
        bool(words)
        and not ended
        and not text[-1:].isspace()
        and len(words[-1]) <= LONGEST_WORD
    )
    if begun:
        words.pop()
    return words, begun


def _lines_before(text: bytes, number: int) -> int:
    """Return how many lines end before the token of this number, counted from 0."""
    rest = text.split(None, number)[number]
    return text.count(b"\n") - rest.count(b"\n")


def _last_words(text: bytes, count: int) -> bytes:
    """Return the end of the text that begins with its `count`-th last token."""
    if not count:
        return b""
    head, *words = text.rsplit(None, count)
    return text[len(head) :].lstrip() if len(words) == count else text.lstrip()
