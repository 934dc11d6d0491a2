"""Queries for the judge, as text, and a second reading of them."""

import random
import re
from typing import Any

MARKS = ".XO"

Verdict = tuple[str, str]
"""The answers, and of the complaint its place: 'line L, query Q', or ''."""


def random_query(chance: random.Random) -> str:
    """Return the four lines of one query, every board and turn equally likely."""
    rows = ["".join(chance.choices(MARKS, k=3)) for _ in range(3)]
    return "\n".join([chance.choice("01"), *rows, ""])


def contest_file(count: int, seed: int) -> str:
    """Return a whole input of so many random queries."""
    chance = random.Random(seed)
    return f"{count}\n" + "".join(random_query(chance) for _ in range(count))


def reference(problem: Any, given: bytes) -> Verdict:
    """Read the whole input at once, and answer it token by token."""
    given = given.removeprefix(b"\xef\xbb\xbf")
    tokens = [
        (token[0], given.count(b"\n", 0, token.start()) + 1)
        for token in re.finditer(rb"[^ \t\n\r\v\f]+", given)
    ]
    last = given.count(b"\n") + 1
    total = 10**18 if problem.END else 1
    if problem.COUNT:
        count, line = tokens.pop(0) if tokens else (b"", last)
        if not re.fullmatch(rb"[0-9]{1,18}", count):
            return "", f"line {line}, before query 1"
        total = int(count)
    answers, query = "", 0
    while query < total:
        asked = tokens[: len(problem.FIELDS)]
        if asked and problem.END and asked[0][0] == problem.END.encode():
            tokens.pop(0)
            break
        digits = ""
        for (token, line), field in zip(asked, problem.FIELDS, strict=False):
            _, symbols, width = field
            if not re.fullmatch(b"[%s]{%d}" % (symbols.encode(), width), token):
                return answers, f"line {line}, query {query + 1}"
            digits += "".join(str(symbols.index(chr(symbol))) for symbol in token)
        if len(asked) < len(problem.FIELDS):
            return answers, f"line {last}, query {query + 1}"
        answer = problem.answers()[int(digits, 3)]
        if answer is None:
            return answers, f"line {asked[0][1]}, query {query + 1}"
        answers += answer.decode()
        tokens = tokens[len(problem.FIELDS) :]
        query += 1
    if tokens:
        return answers, f"line {tokens[0][1]}, query {query + 1}"
    return answers, ""
