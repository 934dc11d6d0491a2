"""Write ``tests/vectors/``: what every client of the tables must answer.

The answers are this package's own, which the tests hold against an independent oracle.
``--check`` compares what is on disk with them, byte for byte.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from ttt_runtime import decode, load, play_against_ai
from ttt_runtime.boards import STATES, UNDEFINED, played
from ttt_runtime.builder.command import main
from ttt_runtime.builder.directory import Files
from ttt_runtime.files import COMMON, VERSION
from ttt_runtime.levels import LEVELS, choose
from ttt_runtime.review import Review, review
from ttt_runtime.variants import VARIANTS

ROOT = Path(__file__).resolve().parent.parent

NAMES = [variant.name for variant in VARIANTS]

README = """\
# Conformance vectors

Written by `tests/build_vectors.py`; do not edit. A client conforms if it can write
`states.txt` itself, and `events.txt` if it plays, from its own look-ups, and gets the
same bytes; if it has levels, they choose the cells in `levels.json`, and if it reviews
games, it gets `reviews.json`.

`states.txt`: the first line is `ttt-vectors 1.0 standard fill misere fastest`, the
format and the variants in the order of the columns. Then one line a state, in index
order: the board, the turn, and for each variant the four entries `value move optimal
reachable` as decimal integers, all separated by single spaces. Entries are those of the
arrays: move -1 and optimal 0 where play has ended, value -128 where the state has no
meaning.

    XX.OO.... 0 -1 2 4 1 0 2 484 1 0 6 448 1 -5 2 4 1

`events.txt`: the first line is `ttt-vectors 1.0 events`. Then game after game: a line
`moves` with the human's attempts as `row,column`, separated by single spaces (just
`moves` if there are none), and one line an event, its eight strings separated by single
spaces.

    moves 0,0 1,1
    X 1 X.. ... ... IN_PROGRESS O 0,0
    O 1 X.. .O. ... IN_PROGRESS X 1,1
    X 0 X.. .O. ... IN_PROGRESS X 1,1

There are all sequences of up to three attempts, and longer ones drawn at random once.

`reviews.json` is a list of reviews of games drawn at random once, as many of each
variant, some from a later board or with the other turn, some unfinished. Whoever plays
the cells of its `moves` from its `board` and `turn` gets the same review.

`levels.json`: `levels` has what each level does, `draws` what it plays, an array for
each variant: the board, the turn, the seed, and then the cells of easy, medium, hard,
perfect, and of perfect with traps, null where play has ended.

    ["XX.OO....", 0, 7, 7, 2, 2, 2, 2]

There are 1,000 states of each variant, drawn at random once, each with a seed: 800 of
those that games reach, 200 of all that have a meaning.
"""


def states() -> Iterator[str]:
    """Yield the lines of ``states.txt``."""
    yield f"ttt-vectors {VERSION} {' '.join(NAMES)}"
    columns = [
        getattr(load(name), array).astype(int).tolist()
        for name in NAMES
        for array in COMMON
    ]
    for index, entries in enumerate(zip(*columns, strict=True)):
        yield " ".join(map(str, [*decode(index), *entries]))


def games() -> Iterator[Sequence[tuple[int, int]]]:
    """Yield the human's attempts in each game of ``events.txt``."""
    attempts = list(product(range(3), range(3)))
    for length in range(4):
        yield from product(attempts, repeat=length)
    chance = random.Random(3)
    for _ in range(400):
        yield chance.choices(attempts, k=chance.randint(4, 14))


def events() -> Iterator[str]:
    """Yield the lines of ``events.txt``."""
    yield f"ttt-vectors {VERSION} events"
    for game in games():
        yield " ".join(["moves", *(f"{row},{column}" for row, column in game)])
        yield from map(" ".join, play_against_ai(game))


def reviews() -> Iterator[Review]:
    """Yield the reviews of ``reviews.json``; random moves slip often."""
    chance = random.Random(16)
    for name in [name for name in NAMES for _ in range(60)]:
        board, turn = start = "." * 9, chance.choice((0, 0, 0, 1))
        cells: list[int] = []
        first, end = chance.randint(0, 4), chance.randint(4, 12)
        for number in range(end):
            legal = [*load(name).move_values(board, turn)]
            if not legal:
                break
            cells.append(chance.choice(legal))
            board, turn = played(board, cells[-1], turn), 1 - turn
            if number < first:
                start, cells = (board, turn), []
        yield review(cells, name, *start)


def _line(known: Review) -> str:
    return "\n" + json.dumps(known, separators=(",", ":"))


def draws(name: str) -> Iterator[str]:
    """Yield what each level plays in some states of a variant, as JSON."""
    table, chance = load(name), random.Random(3)
    meant = [index for index in range(STATES) if table.values[index] != UNDEFINED]
    reached = [index for index in meant if table.reachable[index]]
    indices = chance.choices(reached, k=800) + chance.choices(meant, k=200)
    seeds = [0, 2**32 - 1, *[chance.getrandbits(32) for _ in indices[2:]]]
    for index, seed in zip(indices, seeds, strict=True):
        state = decode(index)
        cells = [choose(level, seed, *state, table) for level in LEVELS]
        trap = choose("perfect", seed, *state, table, trap=True)
        yield json.dumps([*state, seed, *cells, trap])


def levels() -> Iterator[str]:
    """Yield the parts of ``levels.json``: an array for each variant, a line a state."""
    yield f'{{"levels": {json.dumps(LEVELS)},\n"draws": {{'
    arrays = [f'"{name}": [\n' + ",\n".join(draws(name)) + "\n]" for name in NAMES]
    yield ",\n".join(arrays)
    yield "}}\n"


def serialise() -> Files:
    """Return every file: path below ``tests/vectors/`` -> content."""
    return {
        "README.md": [README.encode()],
        "states.txt": [f"{line}\n".encode() for line in states()],
        "events.txt": [f"{line}\n".encode() for line in events()],
        "reviews.json": [f"[{','.join(map(_line, reviews()))}\n]\n".encode()],
        "levels.json": [part.encode() for part in levels()],
    }


if __name__ == "__main__":
    about = "Write what every client of the tables must answer."
    sys.exit(main(ROOT / "tests" / "vectors", serialise, about))
