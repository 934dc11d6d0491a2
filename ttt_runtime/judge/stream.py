"""Answer a stream of queries chunk by chunk, or say where it goes wrong.

Any white space may separate tokens. Where every token has its own line, a chunk is a
block of queries as it stands; any other is cut into tokens and written out as a block.
Before more input is waited for, every complete query has been answered.
"""

from ..errors import JudgeInputError
from .queries import canonical, fault, indices, query_size, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .queries import Token

CHUNK = 1 << 15
"""How many bytes to read at once: enough to be fast, few enough to stay in cache."""

LONGEST_WORD = 64
"""A token longer than this is wrong whatever follows: its end is not waited for."""

LONGEST_COUNT = 18
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def answer(
    tokens: "Sequence[Token]",
    answers: "Sequence[Sequence[str]]",
    read: "Callable[[int], bytes]",
    write: "Callable[[bytes], None]",
) -> None:
    """Read T and then T queries, and write the answer to each.

    Parameters
    ----------
    tokens : sequence of Token
        What a query consists of.
    answers : sequence of sequences of str
        The text that answers a query, by the high and the low byte of its index.
    read : callable
        Returns at most so many bytes of the input, and none only at its end.
    write : callable
        Takes answers to any number of queries.

    Raises
    ------
    JudgeInputError
        At the first token that is not as expected, once every query before it has
        been answered. The message names line and query, both counted from 1.
    """
    size = query_size(tokens)
    total, pending, line = _read_count(read)
    asked = 0
    ended = False

    def respond(block: bytes) -> bool:
        found = indices(block, tokens)
        if found is None:
            return False
        write(
            "".join(
                [answers[high][low] for high, low in zip(*found, strict=True)]
            ).encode()
        )
        return True

    while True:
        count = min(len(pending) // size, total - asked)
        if count and respond(pending[: count * size]):
            asked += count
            line += count * len(tokens)
            pending = pending[count * size :]

        words, begun = _words(pending, ended)
        count = min(len(words) // len(tokens), total - asked)
        if count and not respond(canonical(words[: count * len(tokens)])):
            count = _first_fault(words, tokens) // len(tokens)
            if count:
                respond(canonical(words[: count * len(tokens)]))
        asked += count
        used = count * len(tokens)

        for number, word in enumerate(words[used : used + len(tokens)]):
            wrong = fault(word, tokens[number])
            if asked == total:
                wrong = f"found {quoted(word)}, expected the end, as T is {total}"
            if wrong:
                rest = pending.split(None, used + number)[-1]
                line += pending.count(b"\n") - rest.count(b"\n")
                raise JudgeInputError(f"line {line}, query {asked + 1}: {wrong}")

        unanswered = len(words) - used
        rest = _last_words(pending, unanswered + begun)
        line += pending.count(b"\n") - rest.count(b"\n")
        pending = rest
        if ended:
            if asked < total:
                line += pending.count(b"\n")
                name = tokens[unanswered][0]
                raise JudgeInputError(
                    f"line {line}, query {asked + 1}: the input ends, "
                    f"expected {name}, as T is {total}"
                )
            return
        chunk = read(CHUNK)
        ended = not chunk
        pending += chunk


def _read_count(read: "Callable[[int], bytes]") -> tuple[int, bytes, int]:
    """Return T, what has been read beyond it, and the line on which that begins."""
    text = b""
    while len(text) < len(BYTE_ORDER_MARK) and (chunk := read(CHUNK)):
        text += chunk
    text = text.removeprefix(BYTE_ORDER_MARK)
    line = 1
    ended = False
    while True:
        words, _ = _words(text, ended)
        blank = text[: len(text) - len(text.lstrip())]
        line += blank.count(b"\n")
        text = text[len(blank) :]
        if words:
            break
        if ended:
            raise JudgeInputError(
                f"line {line}, before query 1: the input ends, "
                "expected T, the number of queries"
            )
        chunk = read(CHUNK)
        ended = not chunk
        text += chunk
    count = words[0]
    if not count.isdigit() or len(count) > LONGEST_COUNT:
        raise JudgeInputError(
            f"line {line}, before query 1: T is {quoted(count)}, expected the "
            f"number of queries in plain digits, at most {LONGEST_COUNT} of them"
        )
    rest = text[len(count) :].lstrip()
    return int(count), rest, line + text.count(b"\n") - rest.count(b"\n")


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


def _last_words(text: bytes, count: int) -> bytes:
    """Return the end of the text that begins with its `count`-th last token."""
    if not count:
        return b""
    head, *words = text.rsplit(None, count)
    return text[len(head) :].lstrip() if len(words) == count else text.lstrip()


def _first_fault(words: "Sequence[bytes]", tokens: "Sequence[Token]") -> int:
    """Return the position of the first token that is not as expected."""
    return next(
        number
        for number, word in enumerate(words)
        if fault(word, tokens[number % len(tokens)])
    )
