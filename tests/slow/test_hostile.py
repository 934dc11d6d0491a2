"""Tests that any object gets a right answer or a `TTTError`, never anything else.

Hypothesis makes the objects: text of any kind, numbers of any kind and size, NumPy's,
nested sequences, and objects that lie about what they are. With the environment
variable TTT_EXHAUSTIVE set it makes twenty times as many, other ones each time.
"""

import array
import decimal
import fractions
import os
import subprocess
import sys
from collections import UserList, UserString, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import ttt_runtime
from tests import oracle
from tests.test_opponent import referee
from ttt_runtime import TTTError, load

HERE = Path(__file__).resolve().parents[2]
TABLES = HERE / "tables"

EXHAUSTIVE = bool(os.environ.get("TTT_EXHAUSTIVE"))


hostile = settings(
    max_examples=10000 if EXHAUSTIVE else 500,
    derandomize=not EXHAUSTIVE,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

REFUSED = "refused"
"""Stands for one of the package's errors, where an answer might stand."""

Meant = tuple[object, ...]
"""What an object may rightly be taken for: plain values, None for nothing at all."""

NOTHING: Meant = (None,)


class Case:
    """An object to give, and what it may be taken for."""

    def __init__(self, given: object, *meant: object) -> None:
        self.given = given
        self.meant = meant or NOTHING

    def __repr__(self) -> str:
        """Show an example without asking a liar."""
        plain = type(self.given) in (str, float, bytes, bool, type(None))
        if type(self.given) is int:
            plain = abs(self.given) < 10**99
        shown = repr(self.given)[:60] if plain else object.__repr__(self.given)
        return f"Case({shown})"


def fail(reason: str) -> NoReturn:
    """Fail without a traceback, which would ask the liars in it for their names."""
    pytest.fail(reason, pytrace=False)


def answer(question: Callable[..., object], *given: object) -> object:
    """Ask; an error of the package's is an answer too, and says something."""
    try:
        return question(*given)
    except TTTError as error:
        message = str(error)
        if not 20 < len(message) < 10**4:
            fail(f"{question.__name__} complains in {len(message)} characters")
        return REFUSED
    except BaseException as error:  # noqa: BLE001 - that is what must not be
        fail(f"{question.__name__} lets {type(error).__name__} through: {error}")


def check(found: object, allowed: Sequence[object], *about: object) -> None:
    """Compare, with types: True is not 1 here. No `assert`, that -O would remove."""
    if not any(type(found) is type(right) and found == right for right in allowed):
        fail(f"{found!r} is none of {allowed!r} for {about!r}")


# Liars


def fails(*_: object, **__: object) -> Any:
    """Stand for a method that breaks."""
    raise RuntimeError("a foreign method broke")


METHODS = [
    "__index__", "__int__", "__len__", "__getitem__", "__iter__", "__contains__",
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__",
    "__repr__", "__str__", "__format__", "__bytes__", "__fspath__", "__length_hint__",
    "__add__", "__radd__", "__mod__", "__reversed__", "__array__", "__buffer__",
]  # fmt: skip
"""What a liar may lie with; -O and no version must care which."""

WORDS = ["tolist", "encode", "decode", "strip", "startswith", "endswith", "split"]


def lies(kind: type, *arguments: object, answers: dict[str, object]) -> Any:
    """Make an object of a fresh subclass whose methods answer this, or break."""

    def method(result: object) -> Callable[..., object]:
        return fails if result is fails else lambda *_, **__: result

    members: dict[str, Any] = {name: method(found) for name, found in answers.items()}
    return type("Liar", (kind,), members)(*arguments)


def class_that_lies(claim: object) -> property:
    """Return a `__class__` that claims this, or breaks."""
    return property(fails if claim is fails else lambda _: claim)


LIES = st.dictionaries(
    st.sampled_from([*METHODS, *WORDS]),
    st.sampled_from(
        [
            fails, None, 0, 1, -1, 9, 10**30, True, False, "", "XX.OO....", "X", b"",
            0.0, [], [0, 1], (), NotImplemented, iter(()), str(TABLES),
        ]
    ),
    max_size=6,
)  # fmt: skip


def type_that_lies(**members: object) -> object:
    """Return an object whose very type answers so, or breaks."""
    kind: Any = type("Nameless", (type,), {"__hash__": type.__hash__, **members})
    made: object = kind("Broken", (), {})()
    return made


def claims(claim: object) -> object:
    """Return an object that claims to be of this class."""
    return type("Claims", (), {"__class__": class_that_lies(claim)})()


def generator() -> Iterator[object]:
    """Yield what would do if it were a list."""
    yield from ([0, 0], [1, 1])


def recursive() -> list[object]:
    """Return a list that holds itself."""
    found: list[object] = [0]
    found.append(found)
    return found


ODD_OBJECTS: list[Callable[[], object]] = [
    object, lambda: object, lambda: fails, lambda: ttt_runtime, lambda: ..., dict, set,
    frozenset, list, tuple, lambda: float("nan"), lambda: float("inf"), lambda: -0.0,
    lambda: 1j, lambda: decimal.Decimal(1), lambda: fractions.Fraction(1), bytearray,
    lambda: memoryview(b"XX.OO...."), lambda: bytearray(b"XX.OO...."), generator,
    lambda: iter([0, 1]), lambda: range(9), lambda: slice(1), lambda: {0: 1}, recursive,
    lambda: {"XX.OO....": 0}, lambda: np.array("XX.OO...."),
    lambda: np.array(["X"] * 9), lambda: np.array([0]), lambda: np.array([[0, 0]]),
    lambda: np.zeros((0, 2)), lambda: np.array([np.nan]), lambda: np.array([None]),
    lambda: np.ma.masked,
    lambda: np.float64(1), lambda: np.float16("nan"), lambda: np.complex64(1),
    lambda: np.True_, lambda: np.False_, lambda: np.datetime64(1, "s"),
    lambda: np.timedelta64(1, "s"), lambda: np.void(b"a"),
    lambda: np.bytes_(b"XX.OO...."),
    lambda: np.zeros(1, [("x", "i4")])[0], lambda: UserString("XX.OO...."),
    lambda: UserList("XX.OO...."), lambda: deque([0]), lambda: array.array("b", [0]),
    lambda: claims(int), lambda: claims(str), lambda: claims(bool), lambda: claims(5),
    lambda: claims(list), lambda: claims(object),
    lambda: type(load()), lambda: Exception("XX.OO...."), StopIteration,
]  # fmt: skip

NOT_WHAT_IS_MEANT = st.one_of(
    st.sampled_from(ODD_OBJECTS).map(lambda make: Case(make())),
    LIES.map(
        lambda answers: Case(
            lies(
                object,
                answers={
                    name: found
                    for name, found in answers.items()
                    if name not in ("__index__", "__fspath__")
                },
            )
        )
    ),
)


# Boards

LOOKALIKES = "xoXO0.·_- *?#\0\n\t\ud800\udfffＸＯ．ХО×○●٠۰०\u0301\u200b\ufeffXX"


REACHED = {variant: oracle.reached(variant) for variant in oracle.VARIANTS}
GAME_BOARDS = sorted({board for board, _ in REACHED["standard"]})


@st.composite
def nearly_boards(draw: st.DrawFn) -> str:
    """Draw a board, and put some other characters in, or take some out."""
    board = list(draw(st.sampled_from(oracle.BOARDS)))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, max(0, len(board) - 1)))
        board[place : place + draw(st.integers(0, 1))] = draw(
            st.one_of(st.sampled_from(LOOKALIKES), st.characters(exclude_categories=()))
        )
    return "".join(board)


TEXTS = st.one_of(
    st.sampled_from(oracle.BOARDS),
    st.sampled_from(GAME_BOARDS),
    nearly_boards(),
    st.text(".XO", min_size=7, max_size=11),
    st.text(st.characters(exclude_categories=()), max_size=12),
    st.sampled_from(["", "X", "." * 8, "." * 10, "." * 10**6, "XX.OO....\n"]),
)


def meant_board(text: str) -> object:
    """Return the text if it is a board."""
    return text if len(text) == 9 and set(text) <= {"X", "O", "."} else None


BOARDS = st.one_of(
    TEXTS.map(lambda text: Case(text, meant_board(text))),
    TEXTS.map(lambda text: Case(np.str_(text), meant_board(str(np.str_(text))))),
    st.builds(
        lambda text, answers: Case(lies(str, text, answers=answers), meant_board(text)),
        TEXTS,
        LIES,
    ),
    TEXTS.map(lambda text: Case(list(text))),
    TEXTS.map(lambda text: Case(text.encode("utf-8", "surrogatepass"))),
    st.integers().map(Case),
    st.booleans().map(Case),
    st.none().map(Case),
    NOT_WHAT_IS_MEANT,
)


# Integers

NUMBERS = st.one_of(
    st.integers(0, 1),
    st.integers(0, 2),
    st.integers(0, 39365),
    st.integers(-39366, 2 * 39366),
    st.integers(-(2**70), 2**70),
    st.sampled_from([-1, 39365, 39366, 2**31, 2**32, 2**63, 2**64]),
    st.sampled_from([-1, 1]).map(lambda sign: sign * 10**5000),
)

NUMPY_INTEGERS = st.sampled_from(
    [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
)


def as_numpy(kind: type[Any], number: int) -> Case:
    """Return a NumPy integer, the nearest of its kind."""
    nearest = min(max(number, int(np.iinfo(kind).min)), int(np.iinfo(kind).max))
    return Case(kind(nearest), nearest)


def with_index(found: object) -> Case:
    """Return an object whose `__index__` answers this, or breaks."""
    given = lies(object, answers={"__index__": found})
    if type(found) is int:
        return Case(given, found)
    if isinstance(found, int):  # True: refused, or taken as 1
        return Case(given, None, int(found))
    return Case(given)


INTEGERS = st.one_of(
    NUMBERS.map(lambda number: Case(number, number)),
    st.builds(as_numpy, NUMPY_INTEGERS, NUMBERS),
    NUMBERS.filter(lambda n: abs(n) < 2**63).map(lambda n: Case(np.array(n), n)),
    NUMBERS.map(with_index),
    st.sampled_from([fails, "0", 0.0, None, True, np.int8(1), np.True_]).map(
        with_index
    ),
    st.builds(
        lambda number, answers: Case(lies(int, number, answers=answers), number),
        NUMBERS,
        LIES,
    ),
    st.booleans().map(Case),
    st.floats().map(Case),
    NUMBERS.filter(lambda n: abs(n) < 2**63).map(lambda n: Case(str(n))),
    st.sampled_from(["٠", "１", "²", "0", "X", b"\0", "\0"]).map(Case),
    st.none().map(Case),
    NOT_WHAT_IS_MEANT,
)


# What the oracle says

INDEX = {state: index for index, state in enumerate(oracle.STATES)}


def state_of(board: object, turn: object, inferred: bool) -> tuple[str, int] | None:
    """Return the state that is meant, if one is."""
    if not isinstance(board, str):
        return None
    if inferred:
        turn = board.count("X") - board.count("O")
    return (board, turn) if isinstance(turn, int) and turn in (0, 1) else None


def right_about(variant: str, board: str, turn: int) -> dict[str, object]:
    """Return the answer to each question about a state."""
    if oracle.meaningless(variant, board):
        return dict.fromkeys(QUESTIONS, REFUSED)
    cells = oracle.best(variant, board, turn)
    on = not oracle.ended(variant, board)
    return {
        "value": oracle.value(variant, board, turn),
        "move": cells[0] if cells else None,
        "optimal_moves": tuple(cells),
        "move_values": oracle.after(variant, board, turn) if on else {},
        "is_reachable": (board, turn) in REACHED[variant],
        "continuation_counts": (
            oracle.games(board, turn) if variant == "standard" else REFUSED
        ),
    }


QUESTIONS = [
    "value", "move", "optimal_moves", "move_values", "is_reachable",
    "continuation_counts",
]  # fmt: skip


def expected_about(
    question: str, variant: str, state: tuple[str, int] | None
) -> object:
    """Return the right answer, REFUSED where no state is meant."""
    return right_about(variant, *state)[question] if state else REFUSED


def outcome(board: str) -> str:
    """Say how a game stands, REFUSED if both sides have a line."""
    if oracle.meaningless("standard", board):
        return REFUSED
    if oracle.lines(board, "X"):
        return "X_WON"
    if oracle.lines(board, "O"):
        return "O_WON"
    return "IN_PROGRESS" if "." in board else "DRAW"


# The properties


@hostile
@given(BOARDS, INTEGERS)
def test_any_board_and_any_turn(board: Case, turn: Case) -> None:
    """500 pairs to `encode`, `situation_score` and each question of each table."""
    states = [
        state_of(one, other, turn.given is None)
        for one in board.meant
        for other in turn.meant
    ]
    numbers: list[object] = [INDEX[state] if state else REFUSED for state in states]
    check(answer(ttt_runtime.encode, board.given, turn.given), numbers, board, turn)

    scores = [
        REFUSED if turn.given is None else expected_about("value", "fill", state)
        for state in states
    ]
    found = answer(ttt_runtime.situation_score, board.given, turn.given)
    check(found, scores, board, turn)

    for variant in oracle.VARIANTS:
        table = load(variant)
        for question in QUESTIONS:
            right = [expected_about(question, variant, state) for state in states]
            found = answer(getattr(table, question), board.given, turn.given)
            check(found, right, question, variant, board, turn)


@hostile
@given(BOARDS)
def test_any_board_alone(board: Case) -> None:
    """500 objects to `infer_turn`, `outcome`, `best_move`, and to tables by counts."""
    states = [state_of(meant, None, True) for meant in board.meant]
    turns: list[object] = [state[1] if state else REFUSED for state in states]
    check(answer(ttt_runtime.infer_turn, board.given), turns, board)
    ends: list[object] = [
        outcome(meant) if isinstance(meant, str) else REFUSED for meant in board.meant
    ]
    check(answer(ttt_runtime.outcome, board.given), ends, board)
    moves: list[object] = []
    for state in states:
        move = expected_about("move", "standard", state)
        moves.append(REFUSED if move is None else move)
    check(answer(ttt_runtime.best_move, board.given), moves, board)
    for variant in oracle.VARIANTS:
        for question in QUESTIONS:
            right = [expected_about(question, variant, state) for state in states]
            found = answer(getattr(load(variant), question), board.given)
            check(found, right, question, variant, board)


@hostile
@given(INTEGERS)
def test_any_index(index: Case) -> None:
    """500 objects to `decode` and to each question by index of each table."""
    states = [
        oracle.STATES[meant] if isinstance(meant, int) and 0 <= meant < 39366 else None
        for meant in index.meant
    ]
    check(
        answer(ttt_runtime.decode, index.given), [s or REFUSED for s in states], index
    )
    for variant in oracle.VARIANTS:
        table = load(variant)
        for question, of_board in (
            ("value_at", "value"),
            ("move_at", "move"),
            ("optimal_at", "optimal_moves"),
            ("is_reachable_at", "is_reachable"),
            ("continuation_counts_at", "continuation_counts"),
        ):
            right = [expected_about(of_board, variant, state) for state in states]
            if question == "optimal_at":
                right = [
                    sum(2**cell for cell in cells)
                    if isinstance(cells, tuple)
                    else cells
                    for cells in right
                ]
            found = answer(getattr(table, question), index.given)
            check(found, right, question, variant, index)


# Moves

COORDINATES = st.one_of(
    st.integers(0, 2).map(lambda number: Case(number, number)),
    st.integers(0, 2).map(lambda number: Case(np.int8(number), number)),
    st.integers(0, 2).map(with_index),
    st.integers(0, 2).map(lambda n: Case(lies(int, n, answers={"__lt__": True}), n)),
)
ANY_COORDINATES = st.one_of(COORDINATES, INTEGERS)


def pair(kind: Callable[[list[object]], object], coordinates: list[Case]) -> Case:
    """Put coordinates in a container; it is meant if there are two from 0 to 2."""
    given = kind([case.given for case in coordinates])
    meant = list(product(*(case.meant for case in coordinates)))
    return Case(
        given,
        *(
            each
            if len(each) == 2 and all(isinstance(n, int) and 0 <= n <= 2 for n in each)
            else None
            for each in meant
        ),
    )


CONTAINERS: list[Callable[[list[object]], object]] = [list, tuple, deque, UserList]

PAIRS = st.builds(
    pair, st.sampled_from(CONTAINERS), st.lists(COORDINATES, min_size=2, max_size=2)
)
ANY_PAIRS = st.one_of(
    PAIRS,
    st.builds(pair, st.sampled_from(CONTAINERS), st.lists(ANY_COORDINATES, max_size=3)),
    st.integers().map(Case),
    st.sampled_from(["00", "", b"\0\1", b""]).map(Case),
    NOT_WHAT_IS_MEANT.filter(lambda case: not is_sequence(case.given)),
)


def is_sequence(given: object) -> bool:
    """Tell whether something might be read as a sequence of integers, by its type."""
    return type(given).__module__ in ("builtins", "numpy", "array", "collections") or (
        hasattr(type(given), "tolist")
    )


def game(kind: Callable[[list[object]], object], pairs: list[Case]) -> Case:
    """Put pairs in a container; it is meant if all of them are."""
    given = kind([case.given for case in pairs])
    return Case(given, *product(*(case.meant for case in pairs)))


GAMES = st.one_of(
    st.builds(game, st.sampled_from(CONTAINERS), st.lists(PAIRS, max_size=8)),
    st.builds(game, st.sampled_from(CONTAINERS), st.lists(ANY_PAIRS, max_size=4)),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=9).map(
        lambda moves: Case(np.array(moves, np.int8).reshape(-1, 2), tuple(moves))
    ),
    st.sampled_from(["", "00", b"", None, 0, 1.5, True]).map(Case),
    NOT_WHAT_IS_MEANT.filter(lambda case: not is_sequence(case.given)),
)


@hostile
@given(GAMES)
@example(Case(recursive()))
@example(Case(generator()))
def test_any_moves(moves: Case) -> None:
    """500 objects to `play_against_ai`: the referee's events, or an error."""
    right: list[object] = [
        REFUSED if meant is None or None in meant else referee(meant)  # type: ignore[operator,arg-type]
        for meant in moves.meant
    ]
    check(answer(ttt_runtime.play_against_ai, moves.given), right, moves)


# Names and paths

ANY_TEXT = st.text(st.characters(exclude_categories=()))

NAMES = st.one_of(
    st.sampled_from(oracle.VARIANTS).map(lambda name: Case(name, name)),
    st.sampled_from(oracle.VARIANTS).map(lambda name: Case(np.str_(name), name)),
    st.builds(
        lambda name, answers: Case(lies(str, name, answers=answers), name),
        st.sampled_from(oracle.VARIANTS),
        LIES,
    ),
    ANY_TEXT.map(lambda text: Case(text, text if text in oracle.VARIANTS else None)),
    st.sampled_from(
        [
            "", "Standard", "standard ", "standard\0", "standard/", "./standard", "..",
            "../tables/standard", "/", "ｓtandard", "VERSION", "tables.msgpack", "*",
            "standard/values.npy", "%s", "{}", "\ud800", "a" * 10**6,
        ]
    ).map(Case),
    st.binary().map(Case),
    NOT_WHAT_IS_MEANT,
)  # fmt: skip

PATHS = st.one_of(
    st.sampled_from(
        [str(TABLES), os.fsencode(TABLES), TABLES, None, np.str_(TABLES)]
    ).map(lambda path: Case(path, "tables")),
    st.builds(
        lambda answers: Case(lies(str, str(TABLES), answers=answers), "tables", None),
        LIES,
    ),
    st.sampled_from([str(TABLES), fails, None, 5, b"\0", "\0"]).map(
        lambda path: Case(lies(object, answers={"__fspath__": path}), "tables", None)
    ),
    ANY_TEXT.map(
        lambda text: Case(
            text, "tables" if os.path.abspath(text) == str(TABLES) else None
        )
    ),
    st.sampled_from(
        ["", ".", "/", "~", "\0", "\ud800", "a" * 5000, f"{TABLES}\0", "/dev/null"]
    ).map(Case),
    st.integers().map(Case),
    NOT_WHAT_IS_MEANT.filter(lambda case: not isinstance(case.given, bytes)),
)


@hostile
@given(NAMES, PATHS)
def test_any_variant_and_any_directory(name: Case, path: Case) -> None:
    """500 pairs to `load`: the table of the plain name, or an error."""
    right: list[object] = [
        load(one) if isinstance(one, str) and other else REFUSED
        for one in name.meant
        for other in path.meant
    ]
    check(answer(load, name.given, path.given), right, name, path)


@hostile
@given(PATHS.filter(lambda case: "tables" not in case.meant))
def test_verify_any_directory(path: Case) -> None:
    """500 objects that are no directory of tables: each is a `TableError`."""
    check(answer(ttt_runtime.verify, path.given), [REFUSED], path)


@hostile
@given(NAMES)
@example(Case([]))
def test_any_name_of_an_array(name: Case) -> None:
    """500 objects to `raw` that name no array: each is an error."""
    arrays = "values", "moves", "optimal", "reachable", "continuations"
    assume(type(name.given) is not str or name.given not in arrays)
    check(answer(load().raw, name.given), [REFUSED], name)


# Objects that break when they are merely looked at


class Shrinks:
    """An integer that empties the list it stands in when it is read."""

    def __init__(self) -> None:
        self.holder: list[object] = [self, 1]

    def __index__(self) -> int:
        """Empty the list."""
        self.holder.clear()
        return 0


BROKEN: dict[str, Callable[[], object]] = {
    "a class that breaks": lambda: claims(fails),
    "a type that is every type": lambda: type_that_lies(__eq__=lambda *_: True),
    "a type that is no type": lambda: type_that_lies(__eq__=fails),
    "a type without a name": lambda: type_that_lies(__name__=property(fails)),
    "a type that has no hash": lambda: type_that_lies(__hash__=fails),
    "a type without attributes": lambda: type_that_lies(__getattribute__=fails),
    "a type of no subclass": lambda: type_that_lies(__subclasscheck__=fails),
    "no attributes": lambda: lies(object, answers={"__getattribute__": fails}),
    "an integer without attributes": lambda: lies(
        int, 10**9, answers={"__getattribute__": fails}
    ),
    "a str without attributes": lambda: lies(
        str, "?", answers={"__getattribute__": fails}
    ),
    "a list without attributes": lambda: lies(
        list, answers={"__getattribute__": fails}
    ),
}


@pytest.mark.parametrize(
    "make",
    BROKEN.values(),
    ids=BROKEN,
)
def test_an_object_that_breaks_when_it_is_looked_at(
    make: Callable[[], object],
) -> None:
    """11 kinds, as every argument of every function: each is refused by name."""
    table = load()
    for question in (
        ttt_runtime.encode,
        ttt_runtime.infer_turn,
        ttt_runtime.outcome,
        ttt_runtime.best_move,
        ttt_runtime.decode,
        ttt_runtime.load,
        ttt_runtime.play_against_ai,
        *(getattr(table, name) for name in QUESTIONS),
        *(getattr(table, f"{name}_at") for name in ("value", "move", "optimal")),
        table.is_reachable_at,
        table.continuation_counts_at,
    ):
        check(answer(question, make()), [REFUSED], question.__name__)
    for question in (
        ttt_runtime.encode,
        ttt_runtime.situation_score,
        *(getattr(table, name) for name in QUESTIONS),
    ):
        check(answer(question, "." * 9, make()), [REFUSED], question.__name__)
    check(answer(load, "standard", make()), [REFUSED])
    check(answer(ttt_runtime.verify, make()), [REFUSED])
    for moves in [make()], [[make(), 1]], [[1, make()]], ((0, 0), make()):
        check(answer(ttt_runtime.play_against_ai, moves), [REFUSED])


def test_moves_that_change_while_they_are_read() -> None:
    """A list that one of its own integers empties: the moves that were given."""
    allowed = [REFUSED, referee([(0, 1)])]
    check(answer(ttt_runtime.play_against_ai, [Shrinks().holder]), allowed)
    moves = Shrinks()
    moves.holder[:] = [[moves, 1], [2, 2]]
    allowed = [REFUSED, referee([(0, 1), (2, 2)])]
    check(answer(ttt_runtime.play_against_ai, moves.holder), allowed)


@pytest.mark.skipif(sys.flags.optimize > 0, reason="this is that run")
def test_the_same_without_asserts() -> None:
    """All of the above holds under `python -O` too."""
    done = subprocess.run(
        [
            *(sys.executable, "-O", "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-W", "ignore::pytest.PytestConfigWarning", __file__),
        ],
        cwd=HERE,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert " passed, 1 skipped" in done.stdout
