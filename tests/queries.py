"""Queries for the judge, as text."""

import random

MARKS = ".XO"


def random_query(chance: random.Random) -> str:
    """Return the four lines of one query, every board and turn equally likely."""
    rows = ["".join(chance.choices(MARKS, k=3)) for _ in range(3)]
    return "\n".join([chance.choice("01"), *rows, ""])


def contest_file(count: int, seed: int) -> str:
    """Return a whole input of so many random queries."""
    chance = random.Random(seed)
    return f"{count}\n" + "".join(random_query(chance) for _ in range(count))
