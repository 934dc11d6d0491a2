"""Tests of `ttt_runtime.arrays`."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests import oracle
from ttt_runtime import (
    InvalidBoardError,
    InvalidIndexError,
    TTTError,
    UnknownVariantError,
    encode,
    load,
)
from ttt_runtime.arrays.given import CHUNK
from ttt_runtime.arrays import (

    decode_many,
    encode_many,
    from_signed,
    moves_of,
    optimal_of,
    reachable_of,
    to_text,
    values_of,
)

BOARDS = np.array(oracle.BOARDS)
DIGITS = np.array(
    [[".XO".index(mark) for mark in board] for board in oracle.BOARDS], np.int8
)
POSSIBLE = [
    number
    for number, board in enumerate(oracle.BOARDS)
    if board.count("X") - board.count("O") in (0, 1)
]
MANY = CHUNK + 100
PLACES = [0, 1, CHUNK // 2, CHUNK - 1, CHUNK, MANY - 1]
ANSWERS: list[Callable[..., NDArray[Any]]] = [
    values_of,
    moves_of,
    optimal_of,
    reachable_of,
]
INTEGERS = ["i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4"]
INTEGERS += ["<i8", ">i8", "<u8", ">u8"]


def every_other(array: NDArray[Any]) -> NDArray[Any]:
    """Return an equal array with gaps, filled with what would be refused."""
    wide = np.full((2 * len(array), *array.shape[1:]), 99).astype(array.dtype)
    wide[::2] = array
    return wide[::2]


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return an equal array that refuses to be written to."""
    array = array.copy()
    array.setflags(write=False)
    return array


def with_gaps(array: NDArray[Any]) -> NDArray[Any]:
    """Return equal boards whose cells do not lie side by side."""
    wide = np.full((len(array), 18), 99, array.dtype)
    wide[:, ::2] = array
    return wide[:, ::2]


def unaligned(array: NDArray[Any]) -> NDArray[Any]:
    """Return an equal array that begins at an odd address."""
    memory = np.zeros(array.nbytes + 1, np.uint8)[1:]
    moved = memory.view(array.dtype).reshape(array.shape)
    moved[:] = array
    return moved


TEXTS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "U9": np.array,
    ">U9": lambda texts: texts.astype(texts.dtype.newbyteorder(">")),
    "U12": lambda texts: texts.astype("U12"),
    ">U12": lambda texts: texts.astype(">U12"),
    "S9": lambda texts: texts.astype("S"),
    "S12": lambda texts: texts.astype("S12"),
    "str objects": lambda texts: texts.astype(object),
    "bytes objects": lambda texts: texts.astype("S").astype(object),
    "list of str": lambda texts: texts.tolist(),
    "list of numpy str": list,
    "list of bytes": lambda texts: texts.astype("S").tolist(),
    "list of numpy bytes": lambda texts: list(texts.astype("S")),
    "list of both": lambda texts: [texts[0].encode(), *texts[1:].tolist()],
    "tuple of str": lambda texts: tuple(texts.tolist()),
    "every other U9": every_other,
    "every other S9": lambda texts: every_other(texts.astype("S")),
    "backwards": lambda texts: texts[::-1].copy()[::-1],
    "read-only": lambda texts: frozen(texts.astype("S")),
    "unaligned": unaligned,
}
if hasattr(np, "dtypes") and hasattr(np.dtypes, "StringDType"):
    TEXTS["StringDType"] = lambda texts: texts.astype(np.dtypes.StringDType())

NUMBERS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "list of lists": lambda digits: digits.tolist(),
    "list of arrays": list,
    "tuple of tuples": lambda digits: tuple(map(tuple, digits.tolist())),
    "list of bytearrays": lambda digits: [bytearray(board) for board in digits],
    "memoryview": lambda digits: digits.astype(np.int16).data,
    "(n, 3, 3)": lambda digits: digits.reshape(-1, 3, 3),
    "(n, 3, 3) turned": lambda digits: np.rot90(
        np.rot90(digits.reshape(-1, 3, 3), 1, (1, 2)).copy(), -1, (1, 2)
    ),
    "Fortran order": np.asfortranarray,
    "Fortran order, 8 bytes": lambda digits: np.asfortranarray(digits.astype(int)),
    "every other": every_other,
    "with gaps": with_gaps,
    "with gaps, 4 bytes": lambda digits: with_gaps(digits.astype(np.int32)),
    "backwards": lambda digits: digits[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": frozen,
    "unaligned": lambda digits: unaligned(digits.astype(np.int32)),
    "matrix": lambda digits: digits.view(np.matrix),
    **{
        name: lambda digits, name=name: digits.astype(name)  # type: ignore[misc]
        for name in INTEGERS
    },
}
FORMS = [pytest.param(BOARDS, form, id=name) for name, form in TEXTS.items()]
FORMS += [pytest.param(DIGITS, form, id=name) for name, form in NUMBERS.items()]


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize(("boards", "form"), FORMS)
def test_every_form_has_the_index_of_every_state(
    boards: NDArray[Any], form: Callable[[NDArray[Any]], Any]
) -> None:
    """However boards are given, each state has the index that `encode` gives it."""
    for turn in (0, 1):
        expected = [encode(board, turn) for board in oracle.BOARDS]
        indices = encode_many(form(boards), turn)
        assert indices.tolist() == expected
    inferred = encode_many(form(boards[POSSIBLE]))
    assert inferred.tolist() == [encode(oracle.BOARDS[number]) for number in POSSIBLE]
    assert to_text(form(boards)).tolist() == oracle.BOARDS


def test_a_file_mapped_into_memory_is_an_array(tmp_path: Path) -> None:
    """Boards may stay on disk, even where nothing may be written."""
    DIGITS.tofile(tmp_path / "boards")
    mapped = np.memmap(tmp_path / "boards", np.int8, "r", shape=DIGITS.shape)
    assert (encode_many(mapped, 0) == np.arange(19683)).all()


@pytest.mark.parametrize(
    "shape", [(27, 729), (3, 3, 3, 729), (1, 19683), (19683, 1, 1)]
)
def test_answers_have_the_shape_of_the_boards(shape: tuple[int, ...]) -> None:
    """Whatever axes there are besides the cells remain."""
    expected = np.arange(19683).reshape(shape)
    texts = BOARDS.reshape(shape)
    for boards in (
        texts,
        texts.astype("S9"),
        texts.tolist(),
        texts.astype("S9").tolist(),
        DIGITS.reshape(*shape, 9),
        DIGITS.reshape(*shape, 3, 3),
        np.asfortranarray(DIGITS.reshape(*shape, 9)),
        DIGITS.reshape(*shape, 9).tolist(),
    ):
        indices = encode_many(boards, 0)
        assert indices.shape == shape
        assert (indices == expected).all()
        assert to_text(boards).shape == shape
        for question in ANSWERS:
            assert question(boards, 0, "fill").shape == shape


@pytest.mark.parametrize(
    "board",
    [
        "XX.OO....",
        b"XX.OO....",
        np.str_("XX.OO...."),
        np.array("XX.OO...."),
        np.array(b"XX.OO...."),
        np.array("XX.OO....", object),
        [1, 1, 0, 2, 2, 0, 0, 0, 0],
        [[1, 1, 0], [2, 2, 0], [0, 0, 0]],
        np.array([[1, 1, 0], [2, 2, 0], [0, 0, 0]]),
    ],
)
def test_a_single_board_has_an_answer_without_axes(board: Any) -> None:
    """The answers to one board are arrays of shape ()."""
    for indices, expected in (
        (encode_many(board), 9396),
        (encode_many(board, 0), 9396),
        (encode_many(board, np.array(1)), 29079),
    ):
        assert isinstance(indices, np.ndarray)
        assert (indices.shape, indices.dtype.name) == ((), "uint16")
        assert indices.item() == expected
    found = [question(board, 1, "fastest") for question in ANSWERS]
    assert all(isinstance(answer, np.ndarray) for answer in found)
    assert [(answer.shape, answer.item()) for answer in found] == [
        ((), 5),
        ((), 5),
        ((), 32),
        ((), False),
    ]
    assert to_text(board).tolist() == "XX.OO...."


def test_a_last_axis_of_nine_is_the_cells() -> None:
    """A 3 x 3 block is one board only where the last axis does not hold nine."""
    assert encode_many(np.zeros((3, 3), int)).shape == ()
    assert encode_many(np.zeros((9, 3, 3), int)).shape == (9,)
    assert encode_many(np.zeros((3, 3, 9), int)).shape == (3, 3)
    assert encode_many(np.zeros((9, 9), int)).shape == (9,)
    board = [[1, 1, 0, 2, 2, 0, 0, 0, 0]]
    assert encode_many([[board] * 3] * 3).tolist() == [[[9396]] * 3] * 3


@pytest.mark.parametrize(
    ("boards", "shape"),
    [
        ([], (0,)),
        ((), (0,)),
        ([[], []], (2, 0)),
        (np.zeros(0, "U9"), (0,)),
        (np.zeros((2, 0), "S9"), (2, 0)),
        (np.zeros(0, object), (0,)),
        (np.zeros((0, 9), np.int8), (0,)),
        (np.zeros((0, 3, 3), np.int64), (0,)),
        (np.zeros((5, 0, 9), ">i4"), (5, 0)),
        (np.zeros((0, 5, 3, 3), np.uint8), (0, 5)),
    ],
)
def test_no_boards_have_no_answers(boards: Any, shape: tuple[int, ...]) -> None:
    """Where there is nothing to answer the answers are empty, of the same dtypes."""
    choices: list[Any] = [None, 0, [0], np.zeros(shape, int)]
    for turns in choices:
        assert encode_many(boards, turns).shape == shape
        assert encode_many(boards, turns).dtype == np.uint16
        for question in ANSWERS:
            assert question(boards, turns).shape == shape
    assert to_text(boards).shape == shape
    assert encode_many([], []).shape == (0,)


def test_turns_broadcast_to_the_boards() -> None:
    """One turn serves all boards, a row of turns each row of boards."""
    boards = DIGITS.reshape(27, 729, 9)
    numbers = np.arange(19683).reshape(27, 729)
    rows = np.arange(27)[:, None] % 2
    columns = np.arange(729) % 2
    each = (numbers // 5) % 2
    for turns in (0, 1, np.int8(1), [1], [[1]], rows, columns, each, frozen(each)):
        for given in (turns, np.asarray(turns).tolist()):
            indices = encode_many(boards, given)
            assert indices.shape == (27, 729)
            assert (indices == numbers + 19683 * np.asarray(turns, int)).all()
    for name in INTEGERS:
        assert (encode_many(boards, each.astype(name)) == numbers + 19683 * each).all()


@pytest.mark.parametrize("shape", [(2,), (27, 1), (1, 19683), (0,)])
def test_turns_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    """Turns never add boards, and too few of them do not start again."""
    message = r"turns has shape .*, expected one that broadcasts to \(19683,\)"
    with pytest.raises(InvalidBoardError, match=message):
        encode_many(BOARDS, np.zeros(shape, int))


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_every_answer_is_the_scalar_one(variant: str) -> None:
    """Values, moves, masks and reachability are those of `Table`, in stated dtypes."""
    table = load(variant)
    states = [
        (number, turn)
        for turn in (0, 1)
        for number, board in enumerate(oracle.BOARDS)
        if not oracle.meaningless(variant, board)
    ]
    assert len(states) == 39366 - (0 if variant == "fill" else 624)
    numbers, turns = np.array(states).T
    indices = (numbers + 19683 * turns).tolist()
    for boards in (BOARDS[numbers], DIGITS[numbers]):
        values = values_of(boards, turns, variant)
        assert values.dtype == np.int8
        assert values.tolist() == [table.value_at(index) for index in indices]
        moves = moves_of(boards, turns, variant)
        assert moves.dtype == np.int8
        expected = [table.move_at(index) for index in indices]
        assert moves.tolist() == [-1 if move is None else move for move in expected]
        optimal = optimal_of(boards, turns, variant)
        assert optimal.dtype == np.uint16
        assert optimal.tolist() == [table.optimal_at(index) for index in indices]
        reachable = reachable_of(boards, turns, variant)
        assert reachable.dtype == np.bool_
        assert reachable.tolist() == [table.is_reachable_at(index) for index in indices]


def test_answers_default_to_inferred_turns_and_the_standard_rules() -> None:
    """Turn and variant may be left out, as with `load` and `Table.value`."""
    boards = ["XX.OO....", "XX.OO...X", "X...O...X"]
    table = load()
    assert values_of(boards).tolist() == [table.value(board) for board in boards]
    assert moves_of(boards).tolist() == [table.move(board) for board in boards]
    assert reachable_of(boards).tolist() == [True, True, True]
    assert optimal_of(boards).tolist() == [0b100, 0b100100, 0b10101010]


@pytest.mark.parametrize("question", ANSWERS)
def test_an_unknown_variant_is_refused(question: Callable[..., object]) -> None:
    """The error is that of `load`, also where there are no boards."""
    with pytest.raises(UnknownVariantError, match="variant is 'chess', expected one"):
        question([], None, "chess")


def test_a_state_without_meaning_is_refused() -> None:
    """Each board on which both sides have a line raises what `Table.value` does."""
    for variant in ("standard", "misere", "fastest"):
        refused = 0
        for number, board in enumerate(oracle.BOARDS):
            if oracle.meaningless(variant, board):
                refused += 1
                with pytest.raises(InvalidBoardError) as scalar:
                    load(variant).value(board, 1)
                with pytest.raises(InvalidBoardError) as many:
                    values_of(DIGITS[[0, number]], 1, variant)
                assert str(many.value) == f"boards[1]: {scalar.value}"
        assert refused == 312


@pytest.mark.parametrize("question", ANSWERS)
def test_the_first_state_without_meaning_is_named(
    question: Callable[..., NDArray[Any]],
) -> None:
    """It is found wherever it stands."""
    for place in PLACES:
        boards = np.full(MANY, "XX.OO....")
        boards[-1] = "OOO...XXX"
        boards[place] = "XXX...OOO"
        expected = rf"^boards\[{place}\]: standard: board 'XXX...OOO' shows a line of X"
        with pytest.raises(InvalidBoardError, match=expected):
            question(boards)
    with pytest.raises(InvalidBoardError, match=r"^boards: standard: board 'XXX"):
        question("XXX...OOO")


WRONG_TEXTS = [
    "",
    "X",
    "XX.OO...",
    "XX.OO.....",
    "XX.OO......X",
    "xx.oo....",
    "XX.00....",
    "XX_OO____",
    "XX OO    ",
    "XX.OO...Z",
    "XX.OO...?",
    "ZX.OO....",
    "012012012",
    "XX.OO..\0.",
    "XX.OO....\0Z",
    "\0X.OO....",
]


@pytest.mark.parametrize("form", TEXTS.values(), ids=TEXTS)
def test_a_malformed_text_is_refused_in_the_words_of_encode(
    form: Callable[[NDArray[Any]], Any],
) -> None:
    """The message is what `encode` says of the text, behind its place."""
    for wrong in WRONG_TEXTS:
        with pytest.raises(InvalidBoardError) as scalar:
            encode(wrong)
        for turns in (None, 0):
            with pytest.raises(InvalidBoardError) as many:
                encode_many(form(np.array(["XX.OO....", wrong, "X........"])), turns)
            assert str(many.value) == f"boards[1]: {scalar.value}"


@pytest.mark.parametrize(
    "wrong",
    [
        *WRONG_TEXTS,
        "ＸX.OO....",
        "XX.O\u0301O...",
        "\ud800" * 9,
        "." * 50,
        "\u012e" * 9,
    ],
)
def test_a_single_malformed_text_needs_no_place(wrong: str) -> None:
    """The same holds for one board, and for characters that are not in ASCII."""
    with pytest.raises(InvalidBoardError) as scalar:
        encode(wrong)
    for boards in (wrong, np.array(wrong), np.array(wrong, object)):
        with pytest.raises(InvalidBoardError) as many:
            encode_many(boards, 1)
        assert str(many.value) == f"boards: {scalar.value}"


def test_bytes_that_are_no_ascii_are_refused() -> None:
    """The message shows them as characters of the same number."""
    with pytest.raises(InvalidBoardError) as scalar:
        encode("XX.OO...\xd7")
    wrong = b"XX.OO...\xd7"
    forms: list[Any] = [[wrong], [wrong, "XX.OO...."], np.array([wrong])]
    for boards in forms:
        with pytest.raises(InvalidBoardError) as many:
            encode_many(boards)
        assert str(many.value) == f"boards[0]: {scalar.value}"


@pytest.mark.parametrize("turns", [None, 1])
@pytest.mark.parametrize(
    "wrong", ["XX.OO...", "XX.OO..._", "XX.OO....X", "XX.OO...\u0158"]
)
def test_one_bad_text_is_found_wherever_it_stands(
    wrong: str, turns: int | None
) -> None:
    """The first of two is named, at the ends of the chunks read at once as well."""
    for place in PLACES:
        texts = np.full(MANY, "XX.OO....", "U10")
        texts[-1] = "?"
        texts[place] = wrong
        forms: list[Any] = [texts, texts.astype(object), texts.tolist()]
        forms.append(every_other(texts))
        if wrong.isascii():
            forms += [texts.astype("S"), texts.astype("S").tolist()]
        for boards in forms:
            with pytest.raises(
                InvalidBoardError, match=rf"^boards\[{place}\]: board 'X"
            ):
                encode_many(boards, turns)


@pytest.mark.parametrize("digit", [3, 127, -1, -128, 255, 256, -256, 2**32, 2**63])
def test_one_bad_number_is_found_wherever_it_stands(digit: int) -> None:
    """Place, cell and number are named, in every dtype that can hold the number."""
    hint = "; from_signed takes boards of -1, 0 and 1" if digit == -1 else ""
    for name in INTEGERS:
        limits = np.iinfo(name)
        if not limits.min <= digit <= limits.max:
            continue
        for place in PLACES:
            boards = np.tile(DIGITS[9396].astype(name), (MANY, 1))
            cell = place % 9
            boards[-1, 8] = boards[place, 8] = boards[place, cell] = digit
            with pytest.raises(InvalidBoardError) as error:
                encode_many(boards)
            assert str(error.value) == (
                f"boards[{place}] has {digit} in cell {cell}; "
                f"the marks are 0 (empty), 1 (X) and 2 (O){hint}"
            )


def test_a_place_has_an_item_for_each_axis() -> None:
    """With more axes, or with none but the cells, the message says so."""
    boards = np.zeros((13, 8, 3, 3), np.int8)
    boards[12, 7, 1, 2] = 3
    with pytest.raises(InvalidBoardError, match=r"^boards\[12, 7\] has 3 in cell 5;"):
        encode_many(boards)
    with pytest.raises(InvalidBoardError, match=r"^boards has 3 in cell 5;"):
        encode_many(boards[12, 7])
    texts = np.full((13, 8), "XX.OO....")
    texts[12, 7] = "XXX......"
    for given_boards in (texts, texts.tolist()):
        with pytest.raises(InvalidBoardError, match=r"^boards\[12, 7\]: board 'XXX"):
            encode_many(given_boards)


def test_counts_that_no_game_has_are_refused() -> None:
    """To infer its turn, a board must have as many X as O or one more."""
    for number in set(range(19683)) - set(POSSIBLE):
        with pytest.raises(InvalidBoardError) as scalar:
            encode(oracle.BOARDS[number])
        with pytest.raises(InvalidBoardError) as many:
            encode_many(DIGITS[[0, number]])
        assert str(many.value) == f"boards[1]: {scalar.value}"
    for place in PLACES:
        texts = np.full(MANY, "XX.OO....")
        texts[-1] = "OOO......"
        texts[place] = "XXX......"
        expected = rf"^boards\[{place}\]: board 'XXX\.{{6}}' has 3 X and 0 O; X moves"
        for boards in (texts, texts.tolist()):
            with pytest.raises(InvalidBoardError, match=expected):
                encode_many(boards)


@pytest.mark.parametrize("turn", [2, -1, 127, -128])
def test_one_bad_turn_is_found_wherever_it_stands(turn: int) -> None:
    """The place is one in the turns, which may have fewer axes than the boards."""
    boards = np.full(MANY, "XX.OO....", "S9")
    for place in PLACES:
        turns = np.zeros(MANY, np.int8)
        turns[-1] = 3
        turns[place] = turn
        expected = rf"^turns\[{place}\] is {turn}, expected 0 \(X moves next\) or 1"
        for given_turns in (turns, turns.tolist()):
            with pytest.raises(InvalidBoardError, match=expected):
                encode_many(boards, given_turns)
    with pytest.raises(InvalidBoardError, match=f"^turns is {turn}, expected 0"):
        encode_many(boards, turn)
    with pytest.raises(InvalidBoardError, match=rf"^turns\[0, 1\] is {turn}, expected"):
        encode_many(np.zeros((3, 2, 9), int), [[0, turn]])


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        (True, "is True"),
        (np.bool_(False), "is False"),
        (1.0, "is 1.0"),
        ("X", "is 'X'"),
        (b"\0", r"is b'\\x00'"),
        ({0: 1}, "is of type dict"),
        (iter([0]), "is of type list_iterator"),
        (2**64, "is 18446744073709551616"),
        ([True], "has dtype bool"),
        (np.zeros(1), "has dtype float64"),
        ([None], "has dtype object"),
        (["0"], "has dtype object"),
        ([0, [1]], "is of type list"),
        (np.ma.array([0]), "has a mask"),
    ],
)
def test_turns_are_integers(turns: Any, found: str) -> None:
    """Anything else is refused, truth values and whole floats too."""
    with pytest.raises(InvalidBoardError, match=f"^turns {found}, expected "):
        encode_many(["XX.OO...."], turns)


class Liar(str):
    """A text whose methods say what is not so."""

    def __len__(self) -> int:
        """Return what a board should have."""
        return 9

    def encode(self, *_: object) -> bytes:
        """Fail."""
        raise RuntimeError


class Unusable:
    """A thing that promises an array and then has none."""

    def __array__(self, *_: object, **__: object) -> NDArray[Any]:
        """Fail."""
        raise RuntimeError


class Meddler(np.ndarray[Any, Any]):
    """An array of a kind that fails at whatever is done with it."""

    def fail(self, *_: object, **__: object) -> Any:
        """Fail."""
        raise RuntimeError

    __getitem__ = reshape = view = astype = fail
    __array_ufunc__ = __array_function__ = fail


@pytest.mark.parametrize(
    ("boards", "found"),
    [
        (None, "boards is None"),
        (Unusable(), "boards is of type Unusable"),
        ([Unusable()], "boards is of type list"),
        (9396, r"boards has shape \(\)"),
        (2**64, "boards is 18446744073709551616"),
        (1.0, "boards has dtype float64"),
        ({"XX.OO....": 0}, "boards is of type dict"),
        ({"XX.OO...."}, "boards is of type set"),
        (iter(["XX.OO...."]), "boards is of type list_iterator"),
        (["XX.OO....", None], r"boards\[1\] is None"),
        (["XX.OO....", 5], r"boards\[1\] is 5"),
        ([5, "XX.OO...."], r"boards\[0\] is 5"),
        (["XX.OO....", ["XX.OO...."]], r"boards\[1\] is of type list"),
        ([["XX.OO...."], ["XX.OO...."] * 2], "boards is of type list"),
        ([[0] * 9, [0] * 8], "boards is of type list"),
        ([[0] * 8 + [2**64]], r"boards\[0, 0\] is 0"),
        (np.zeros((1, 9), object), r"boards\[0, 0\] is 0"),
        (np.array([None, "XX.OO...."]), r"boards\[0\] is None"),
        (np.zeros((1, 9), bool), "boards has dtype bool"),
        (np.zeros((1, 9)), "boards has dtype float64"),
        (np.full((1, 9), np.nan, np.float32), "boards has dtype float32"),
        (np.zeros((0, 9)), "boards has dtype float64"),
        (np.zeros((1, 9), complex), "boards has dtype complex128"),
        (np.zeros((1, 9), "M8[s]"), r"boards has dtype datetime64\[s\]"),
        (
            np.zeros(2, [("cells", "i1", 9)]),
            r"boards has dtype \[\('cells', 'i1', \(9,\)\)\]",
        ),
        (np.zeros((1, 8), int), r"boards has shape \(1, 8\)"),
        (np.zeros((9, 1), int), r"boards has shape \(9, 1\)"),
        (np.zeros((3, 3, 1), int), r"boards has shape \(3, 3, 1\)"),
        (np.zeros((1, 3), int), r"boards has shape \(1, 3\)"),
        (np.zeros(0, int), r"boards has shape \(0,\)"),
        (np.ma.zeros((2, 9), int), "boards has a mask"),
        (np.ma.array([[9] * 9], mask=True), "boards has a mask"),
    ],
)
def test_other_things_than_boards_are_refused(boards: Any, found: str) -> None:
    """The message says what was found, and what boards may be."""
    questions: list[Callable[..., object]] = [encode_many, to_text, *ANSWERS]
    for question in questions:
        with pytest.raises(InvalidBoardError, match=f"^{found}, expected "):
            question(boards)
    with pytest.raises(InvalidBoardError, match="^boards .*, expected "):
        from_signed(boards)


def test_what_boards_may_be_is_said() -> None:
    """To the character: a dtype, a shape, and what is no array."""
    ragged: list[Any] = [[0] * 9, [0] * 8]
    for boards, message in (
        (np.zeros((1, 9)), "has dtype float64, expected text, or integers: 0 (empty), "
         "1 (X) and 2 (O)"),
        (np.zeros((1, 8), int), "has shape (1, 8), expected (..., 9) or (..., 3, 3)"),
        (ragged, "is of type list, expected an array, or sequences of equal length"),
        (np.ma.zeros((2, 9), int), "has a mask, expected an array without one"),
    ):  # fmt: skip
        with pytest.raises(InvalidBoardError) as caught:
            encode_many(boards)
        assert str(caught.value) == f"boards {message}"
    with pytest.raises(InvalidBoardError) as caught:
        from_signed(["XX.OO...."])
    assert str(caught.value) == (
        "boards has dtype object, expected integers: -1, 0 and 1"
    )
    with pytest.raises(InvalidBoardError) as caught:
        encode_many(BOARDS[:2], [0, 2])
    assert str(caught.value) == (
        "turns[1] is 2, expected 0 (X moves next) or 1 (O moves next)"
    )
    with pytest.raises(InvalidBoardError) as caught:
        encode_many(BOARDS[:2], [0, 0, 0])
    assert str(caught.value) == (
        "turns has shape (3,), expected one that broadcasts to (2,), that of the boards"
    )


def test_what_is_no_board_among_boards_is_refused() -> None:
    """The message says what a board may be."""
    boards: list[Any] = ["XX.OO....", None]
    with pytest.raises(InvalidBoardError) as caught:
        encode_many(boards)
    assert str(caught.value) == (
        "boards[1] is None, expected 9 marks as str or bytes, "
        "or integers in an array of integer dtype"
    )


def test_a_number_beyond_unicode_in_a_text_is_refused() -> None:
    """NumPy takes any 32 bits for a character, and Python trips over such a str."""
    beyond = np.full(9, 2**32 - 1, np.uint32).view("U9")
    among_others = [beyond[0], "XX.OO...."]
    for boards in (beyond, beyond.astype(object), beyond.astype(">U9"), among_others):
        with pytest.raises(InvalidBoardError) as caught:
            encode_many(boards)
        assert str(caught.value) == (
            "boards[0]: the text has a character beyond the last one of Unicode"
        )


def test_a_kind_of_text_or_array_is_read_as_what_it_holds() -> None:
    """What its own methods say does not matter."""
    texts = [Liar("XX.OO...."), "XX.OO...."]
    assert encode_many(texts, 1).tolist() == [29079, 29079]
    with pytest.raises(InvalidBoardError, match=r"^boards\[1\]: board 'X' has 1 marks"):
        encode_many(["XX.OO....", Liar("X")])
    for boards in (DIGITS[[9396]], BOARDS[[9396]], BOARDS[[9396]].astype("S9")):
        assert encode_many(boards.view(Meddler), 0).tolist() == [9396]


THINGS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-1, 3),
    st.floats(),
    st.text(".XO", min_size=9, max_size=9),
    st.text(max_size=12),
    st.binary(max_size=12),
    st.lists(st.integers(0, 2), min_size=9, max_size=9),
    st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), max_size=3),
    st.sampled_from(
        [
            Unusable(),
            Liar("X"),
            object,
            ...,
            np.array("XX.OO...."),
            np.array(0),
            np.float32("nan"),
            np.datetime64("2000"),
            np.void(b"XX.OO...."),
            np.ma.zeros(9, int),
            np.zeros(2, [("mask", "i1")]).view(np.recarray),
            b"\xd8" * 9,
        ]
    ),
)


@hypothesis.given(
    st.recursive(
        THINGS,
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=9,
    ),
    THINGS | st.lists(st.integers(0, 1)),
)
@pytest.mark.filterwarnings("ignore:.*converting a masked element:UserWarning")
def test_anything_at_all_has_an_answer_or_an_error_of_ours(
    thing: Any, turns: Any
) -> None:
    """No other exception leaves the module, and no answer is out of range."""
    for question, high in ((encode_many, 39365), (values_of, 1), (moves_of, 8)):
        try:
            answers = question(thing, turns)
        except TTTError:
            continue
        assert isinstance(answers, np.ndarray)
        assert answers.size == 0 or -1 <= answers.min() <= answers.max() <= high
    for other in (decode_many, to_text, from_signed):
        try:
            other(thing)
        except TTTError:
            continue


def test_decoding_gives_back_every_state() -> None:
    """Boards of 0, 1 and 2 and turns come in int8, one axis more for the cells."""
    indices = np.arange(39366)
    for given_indices in (
        indices,
        indices.tolist(),
        every_other(indices),
        indices.astype(np.uint16),
        indices.astype(">u4"),
    ):
        boards, turns = decode_many(given_indices)
        assert (boards.dtype.name, turns.dtype.name) == ("int8", "int8")
        assert boards.shape == (39366, 9)
        assert (encode_many(boards, turns) == indices).all()
        texts = to_text(boards)
        assert texts.dtype == np.dtype("U9")
        states = zip(texts.tolist(), turns.tolist(), strict=True)
        assert list(states) == oracle.STATES
    boards, turns = decode_many(indices.reshape(2, 27, 729))
    assert (boards.shape, turns.shape) == ((2, 27, 729, 9), (2, 27, 729))
    assert (encode_many(boards, turns) == indices.reshape(2, 27, 729)).all()


def test_decoding_takes_a_single_index_and_none() -> None:
    """One index gives one board, and no indices no boards."""
    board, turn = decode_many(29079)
    assert isinstance(turn, np.ndarray)
    assert (board.tolist(), turn.tolist()) == ([1, 1, 0, 2, 2, 0, 0, 0, 0], 1)
    assert decode_many(np.int8(1))[0].tolist() == [0] * 8 + [1]
    empty: list[Any] = [[], (), np.zeros(0, np.uint16)]
    for nothing in empty:
        boards, turns = decode_many(nothing)
        assert (boards.shape, turns.shape) == ((0, 9), (0,))
        assert (boards.dtype.name, turns.dtype.name) == ("int8", "int8")


@pytest.mark.parametrize(
    ("indices", "found"),
    [
        (-1, "indices is -1"),
        (39366, "indices is 39366"),
        ([0, 39366, -1], r"indices\[1\] is 39366"),
        (np.array([[0, 1], [2, -1]], np.int8), r"indices\[1, 1\] is -1"),
        (np.array([2**64 - 1], np.uint64), rf"indices\[0\] is {2**64 - 1}"),
        (2**64, f"indices is {2**64}"),
        (True, "indices is True"),
        (0.0, "indices is 0.0"),
        (None, "indices is None"),
        ("0", "indices is '0'"),
        ({}, "indices is of type dict"),
        (iter([0]), "indices is of type list_iterator"),
        ([False], "indices has dtype bool"),
        (np.zeros(2), "indices has dtype float64"),
        ([None], "indices has dtype object"),
        ([0, [1]], "indices is of type list"),
        (np.ma.array([0], mask=True), "indices has a mask"),
    ],
)
def test_an_index_is_an_integer_in_range(indices: Any, found: str) -> None:
    """Anything else is refused; a negative index never wraps round."""
    expected = "(integer from 0 to 39365|array.*)"
    with pytest.raises(InvalidIndexError, match=f"^{found}, expected an {expected}$"):
        decode_many(indices)


def test_signed_boards_become_boards() -> None:
    """A 1 stays X, a -1 becomes O, in any integer dtype and either shape."""
    signed = np.where(DIGITS == 2, -1, DIGITS)
    for name in INTEGERS:
        if np.iinfo(name).min < 0:
            converted = from_signed(signed.astype(name))
            assert converted.dtype == np.int8
            assert (converted == DIGITS).all()
    for boards in (every_other(signed), np.asfortranarray(signed), frozen(signed)):
        assert (from_signed(boards) == DIGITS).all()
        assert from_signed(boards).flags.c_contiguous
    assert (from_signed(signed.reshape(-1, 3, 3)) == DIGITS.reshape(-1, 3, 3)).all()
    assert (from_signed(signed.reshape(3, -1, 9)) == DIGITS.reshape(3, -1, 9)).all()
    assert from_signed(signed[9396].tolist()).tolist() == DIGITS[9396].tolist()
    assert from_signed(np.ones((1, 9), np.uint64)).tolist() == [[1] * 9]
    assert from_signed(np.zeros((0, 9), int)).shape == (0, 9)
    assert not np.shares_memory(converted, signed)


@pytest.mark.parametrize("digit", [2, -2, 127, -128])
def test_a_signed_board_of_other_numbers_is_refused(digit: int) -> None:
    """The message names the first one."""
    boards = np.zeros((2, 5, 3, 3), np.int8)
    boards[1, 3, 2, 0] = boards[1, 4, 0, 0] = digit
    boards[0, 0, 0, 0], boards[0, 0, 0, 1] = 1, -1
    with pytest.raises(InvalidBoardError) as error:
        from_signed(boards)
    assert str(error.value) == (
        f"boards[1, 3] has {digit} in cell 6; the marks are 0 (empty), 1 (X) and -1 (O)"
    )
    with pytest.raises(InvalidBoardError, match="^boards has 255 in cell 0"):
        from_signed(np.full(9, 255, np.uint8))


def test_what_is_given_is_left_alone_and_answers_are_new() -> None:
    """Answers may be written to; neither tables nor input change with them."""
    digits, texts, turns = frozen(DIGITS), frozen(BOARDS), np.arange(19683) % 2
    before = turns.copy()
    indices = np.arange(39366)
    for _ in range(2):
        for boards in (digits, texts):
            found = encode_many(boards, turns)
            assert found.tolist() == (np.arange(19683) + 19683 * before).tolist()
            found[:] = 0
            for question in ANSWERS:
                answers = question(boards, turns, "fill")
                name = question.__name__.removesuffix("_of")
                expected = getattr(load("fill"), name)[encode_many(boards, turns)]
                assert (answers == expected).all()
                answers[:] = 1
            text = to_text(boards)
            assert text.tolist() == oracle.BOARDS
            text[:] = ""
        boards, turns_found = decode_many(indices)
        assert (boards == np.concatenate([DIGITS, DIGITS])).all()
        boards[:] = 0
        turns_found[:] = 0
    assert (turns == before).all()


@pytest.mark.parametrize(
    ("form", "times"),
    [
        (lambda digits: digits, 1.7),
        (np.asfortranarray, 1.7),
        (lambda digits: digits.astype(np.int64), 0.3),
        (lambda digits: to_text(digits), 0.5),
        (lambda digits: to_text(digits).astype("S"), 1.8),
        (lambda digits: to_text(digits).astype(">U12"), 0.5),
        (lambda digits: to_text(digits).astype(object), 2.9),
        (lambda digits: with_gaps(digits).reshape(-1, 2, 9), 2.7),
    ],
)
def test_memory_is_bounded(form: Callable[[Any], Any], times: float) -> None:
    """No answer takes more than three times the input, nor wide input any copy."""
    boards = form(np.tile(DIGITS[load().reachable[:19683]], (60, 1)))
    for question in ANSWERS:
        tracemalloc.start()
        try:
            question(boards)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < times * boards.nbytes, question
