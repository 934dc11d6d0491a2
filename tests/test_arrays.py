"""Tests of `ttt_runtime.arrays`."""

import random
import tracemalloc
from collections.abc import Callable
from enum import Enum
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
    TableError,
    TTTError,
    UnknownVariantError,
    encode,
    load,
)
from ttt_runtime.arrays import (
    decode_many,
    encode_many,
    from_signed,
    mover_values_of,
    moves_of,
    optimal_of,
    reachable_of,
    to_text,
    values_of,
)
from ttt_runtime.arrays.given import CHUNK
from ttt_runtime.boards import Grid
from ttt_runtime.builder.variants import build
from ttt_runtime.variants import RULES, Variant, named

WANTED = "expected text of 9 marks, or integers: 0 (empty), 1 (X) and 2 (O)"
SIGNED = "; from_signed takes boards of -1, 0 and 1"
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
PLACES = [0, CHUNK - 1, CHUNK, MANY - 1]
ANSWERS: list[Callable[..., NDArray[Any]]] = [
    values_of,
    mover_values_of,
    moves_of,
    optimal_of,
    reachable_of,
]
INTEGERS = ["i1", "u1", "<i2", ">i2", "<u4", ">u4", "<i8", ">i8", "<u8"]


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


def by_cell(texts: NDArray[Any]) -> NDArray[Any]:
    """Return texts with an axis for the cells, one mark an item."""
    return texts.view("U1").reshape(-1, 9)


def of_objects(items: list[Any]) -> NDArray[Any]:
    """Return an array of sequences, as frames make one of a column of lists."""
    array = np.empty(len(items), object)
    array[:] = items
    return array


TEXTS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "U9": np.array,
    ">U12": lambda texts: texts.astype(">U12"),
    "S9": lambda texts: texts.astype("S"),
    "str objects": lambda texts: texts.astype(object),
    "bytes objects": lambda texts: texts.astype("S").astype(object),
    "list of str": lambda texts: texts.tolist(),
    "list of bytes": lambda texts: texts.astype("S").tolist(),
    "list of both": lambda texts: [texts[0].encode(), *texts[1:].tolist()],
    "every other U9": every_other,
    "unaligned": unaligned,
}
MARKS_BY_CELL: dict[str, Callable[[NDArray[Any]], Any]] = {
    "marks U1": by_cell,
    "marks S1": lambda texts: by_cell(texts).astype("S1"),
    "marks >U4": lambda texts: by_cell(texts).astype(">U4"),
    "marks as objects": lambda texts: by_cell(texts).astype(object),
    "marks 3 x 3": lambda texts: by_cell(texts).reshape(-1, 3, 3),
    "lists of marks": lambda texts: by_cell(texts).tolist(),
    "column of lists of marks": lambda texts: of_objects(by_cell(texts).tolist()),
}
if hasattr(np, "dtypes") and hasattr(np.dtypes, "StringDType"):
    strings = np.dtypes.StringDType()
    TEXTS["StringDType"] = lambda texts: texts.astype(strings)
    MARKS_BY_CELL["marks StringDType"] = lambda texts: by_cell(texts).astype(strings)

NUMBERS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "list of lists": lambda digits: digits.tolist(),
    "list of arrays": list,
    "objects": lambda digits: digits.astype(object),
    "column of arrays": lambda digits: of_objects(list(digits)),
    "column of lists of lists": lambda digits: of_objects(
        digits.reshape(-1, 3, 3).tolist()
    ),
    "(n, 3, 3)": lambda digits: digits.reshape(-1, 3, 3),
    "(n, 3, 3) turned": lambda digits: np.rot90(
        np.rot90(digits.reshape(-1, 3, 3), 1, (1, 2)).copy(), -1, (1, 2)
    ),
    "Fortran order, 8 bytes": lambda digits: np.asfortranarray(digits.astype(int)),
    "every other": every_other,
    "with gaps, 4 bytes": lambda digits: with_gaps(digits.astype(np.int32)),
    "unaligned": lambda digits: unaligned(digits.astype(np.int32)),
    **{
        name: lambda digits, name=name: digits.astype(name)  # type: ignore[misc]
        for name in INTEGERS
    },
}
FORMS = [
    *(pytest.param(BOARDS, form, id=name) for name, form in TEXTS.items()),
    *(pytest.param(BOARDS, form, id=name) for name, form in MARKS_BY_CELL.items()),
    *(pytest.param(DIGITS, form, id=name) for name, form in NUMBERS.items()),
]


@pytest.mark.parametrize(("boards", "form"), FORMS)
def test_every_form_has_the_index_of_every_state(
    boards: NDArray[Any], form: Callable[[NDArray[Any]], Any]
) -> None:
    for turn in (0, 1):
        expected = [encode(board, turn) for board in oracle.BOARDS]
        assert encode_many(form(boards), turn).tolist() == expected
    inferred = encode_many(form(boards[POSSIBLE]))
    assert inferred.tolist() == [encode(oracle.BOARDS[number]) for number in POSSIBLE]
    assert to_text(form(boards)).tolist() == oracle.BOARDS


@pytest.mark.parametrize("shape", [(27, 729), (3, 3, 3, 729), (1, 19683)])
def test_answers_have_the_shape_of_the_boards(shape: tuple[int, ...]) -> None:
    texts, digits = BOARDS.reshape(shape), DIGITS.reshape(*shape, 9)
    for boards in (
        texts,
        texts.tolist(),
        by_cell(BOARDS).reshape(*shape, 9),
        digits,
        digits.tolist(),
        np.asfortranarray(digits),
        digits.reshape(*shape, 3, 3),
    ):
        assert (encode_many(boards, 0) == np.arange(19683).reshape(shape)).all()
        assert to_text(boards).shape == shape
        for question in ANSWERS:
            assert question(boards, 0, "fill").shape == shape


@pytest.mark.parametrize(
    "board",
    [
        "XX.OO....",
        b"XX.OO....",
        np.str_("XX.OO...."),
        Enum("Boards", {"FORK": "XX.OO...."}, type=str).FORK,  # type: ignore[attr-defined]
        np.array("XX.OO....", object),
        list("XX.OO...."),
        [1, 1, 0, 2, 2, 0, 0, 0, 0],
        [[1, 1, 0], [2, 2, 0], [0, 0, 0]],
    ],
)
def test_a_single_board_has_an_answer_without_axes(board: Any) -> None:
    for indices, expected in (
        (encode_many(board), 9396),
        (encode_many(board, np.array(1)), 29079),
    ):
        assert isinstance(indices, np.ndarray)
        assert (indices.shape, indices.dtype.name) == ((), "uint16")
        assert indices.item() == expected
    found = [question(board, 0, "fastest") for question in ANSWERS]
    assert all(isinstance(answer, np.ndarray) for answer in found)
    assert [answer.tolist() for answer in found] == [-5, 5, 2, 4, True]
    assert to_text(board).tolist() == "XX.OO...."


def test_a_last_axis_of_nine_is_the_cells() -> None:
    assert encode_many(np.zeros((3, 3), int)).shape == ()
    assert encode_many(np.zeros((9, 3, 3), int)).shape == (9,)
    assert encode_many(np.zeros((3, 3, 9), int)).shape == (3, 3)
    assert encode_many(np.full((3, 3, 9), ".")).shape == (3, 3)
    assert encode_many(np.full((3, 3), "." * 9)).shape == (3, 3)


@pytest.mark.parametrize(
    ("boards", "shape"),
    [
        ([], (0,)),
        ([[], []], (2, 0)),
        (np.zeros((2, 0), "S9"), (2, 0)),
        (np.zeros((0, 9), "U9"), (0, 9)),
        (np.zeros((0, 9), object), (0,)),
        (np.zeros((0, 9), np.int8), (0,)),
        (np.zeros((5, 0, 9), ">i4"), (5, 0)),
        (np.zeros((0, 5, 3, 3), np.uint8), (0, 5)),
    ],
)
def test_no_boards_have_no_answers(boards: Any, shape: tuple[int, ...]) -> None:
    choices: list[Any] = [None, 0, np.zeros(shape, int)]
    for turns in choices:
        assert encode_many(boards, turns).dtype == np.uint16
        for question in (encode_many, *ANSWERS):
            assert question(boards, turns).shape == shape
    assert to_text(boards).shape == shape
    assert encode_many([], []).shape == (0,)


def test_turns_broadcast_to_the_boards() -> None:
    boards = DIGITS.reshape(27, 729, 9)
    numbers = np.arange(19683).reshape(27, 729)
    each = (numbers // 5) % 2
    rows = np.arange(27)[:, None] % 2
    given: list[Any] = [
        0,
        np.int8(1),
        [1],
        rows,
        np.arange(729) % 2,
        each,
        each.astype(object),
    ]
    for turns in given + [each.astype(name) for name in INTEGERS]:
        expected = numbers + 19683 * np.asarray(turns, int)
        for form in (turns, np.asarray(turns).tolist()):
            assert (encode_many(boards, form) == expected).all()


@pytest.mark.parametrize("shape", [(2,), (27, 1), (0,)])
def test_turns_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidBoardError) as caught:
        encode_many(BOARDS, np.zeros(shape, int))
    assert str(caught.value) == (
        f"turns has shape {shape}, expected one that broadcasts to (19683,), "
        "that of the boards"
    )


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_every_answer_is_the_scalar_one(variant: str) -> None:
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
    moves = [table.move_at(index) for index in indices]
    for question, dtype, expected in (
        (values_of, np.int8, [table.value_at(index) for index in indices]),
        (mover_values_of, np.int8, [table.mover_value_at(index) for index in indices]),
        (moves_of, np.int8, [-1 if move is None else move for move in moves]),
        (optimal_of, np.uint16, [table.optimal_at(index) for index in indices]),
        (reachable_of, np.bool_, [table.is_reachable_at(index) for index in indices]),
    ):
        found = question(DIGITS[numbers], turns, variant)
        assert found.dtype == dtype
        assert found.tolist() == expected


@pytest.fixture
def corners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Build a variant of one's own, whose name does not tell its board."""
    monkeypatch.setenv("TTT_TABLES", str(tmp_path))
    grid = Grid(2, 3, [[0, 5], [2, 3]])
    build([Variant("corners", RULES["standard"], grid)], tmp_path)
    return "corners"


@pytest.mark.parametrize(
    "name",
    ["standard-1x1x1", "misere-1x2x2", "misere-2x2x2", "fill-3x2x2", "fastest-4x2x2"],
)
def test_every_answer_on_another_board_is_the_scalar_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_TABLES", str(tmp_path))
    build([named(name)], tmp_path)
    assert_scalar_answers(name)


def test_every_answer_of_a_variant_of_ones_own_is_the_scalar_one(corners: str) -> None:
    assert_scalar_answers(corners)


def assert_scalar_answers(name: str) -> None:
    """Compare each form of every board, with either turn, with what a table says."""
    table = load(name)
    grid = table.grid
    texts = np.array([grid.decode(number)[0] for number in range(grid.boards)])
    marks = texts.view("U1").reshape(-1, grid.cells)
    digits = np.select([marks == "X", marks == "O"], [1, 2]).astype(np.int8)
    forms = [texts, texts.astype("S"), texts.tolist(), texts.astype(object)]
    forms += [digits, every_other(digits), digits.astype(">i8"), digits.tolist()]
    forms += [from_signed(np.where(digits == 2, -1, digits), name)]
    if grid.cells > 1:
        forms += [marks, marks.astype("S"), marks.tolist()]
    if grid.rows > 1:
        square = (-1, grid.rows, grid.columns)
        forms += [digits.reshape(square), marks.reshape(square)]
    for turn in (0, 1):
        indices = turn * grid.boards + np.arange(grid.boards)
        assert (decode_many(indices, name)[0] == digits).all()
        assert (decode_many(indices, name)[1] == turn).all()
        for form in forms:
            assert (encode_many(form, turn, name) == indices).all()
            assert to_text(form, name).tolist() == texts.tolist()
        sound = table.values[indices] != -128
        states = indices[sound].tolist()
        moves = [table.move_at(index) for index in states]
        for question, expected in (
            (values_of, [table.value_at(index) for index in states]),
            (mover_values_of, [table.mover_value_at(index) for index in states]),
            (moves_of, [-1 if move is None else move for move in moves]),
            (optimal_of, [table.optimal_at(index) for index in states]),
            (reachable_of, [table.is_reachable_at(index) for index in states]),
        ):
            assert question(digits[sound], turn, name).tolist() == expected
        for board in texts[~sound].tolist():
            said = refusal(values_of, [texts.item(0), board], turn, name)
            assert said == f"boards[1]: {refusal(table.value, board, turn)}"


SIZES = [f"1x{cells}x1" for cells in range(1, 17)] + ["3x4x3", "4x3x4", "3x5x3"]


@pytest.mark.parametrize("size", [*SIZES, "4x4x4"])
def test_a_board_of_any_size_is_read_as_its_grid_does(size: str) -> None:
    name, chance = f"standard-{size}", random.Random(size)
    grid = named(name).grid
    count = 10_000 if size == "4x4x4" else 500
    indices = [0, grid.boards, grid.states - 1]
    indices += chance.choices(range(grid.states), k=count)
    texts, turns = zip(*map(grid.decode, indices), strict=True)
    decoded = decode_many(indices, name)
    assert decoded[0].shape == (len(indices), grid.cells)
    assert to_text(decoded[0], name).tolist() == list(texts)
    assert decoded[1].tolist() == list(turns)
    for boards in (decoded[0], texts):
        assert encode_many(boards, turns, name).tolist() == indices
    leads = [text.count("X") - text.count("O") for text in texts]
    possible = [text for text, lead in zip(texts, leads, strict=True) if lead in (0, 1)]
    inferred = [grid.encode(text) for text in possible]
    assert encode_many(possible, None, name).tolist() == inferred
    for lead in sorted(set(leads) - {0, 1}):
        text = texts[leads.index(lead)]
        said = refusal(encode_many, [possible[0], text], None, name)
        assert said == f"boards[1]: {refusal(grid.encode, text)}"


def test_on_a_board_of_one_row_the_last_axis_is_the_cells() -> None:
    boards = np.zeros((5, 1, 4), int)
    assert encode_many(boards, 0, "standard-1x4x2").shape == (5, 1)
    assert encode_many(boards.reshape(5, 4, 1), 0, "standard-4x1x2").shape == (5,)


@pytest.mark.parametrize(
    ("size", "dtype"),
    [
        ("1x1x1", "uint8"),
        ("2x2x2", "uint8"),
        ("1x5x2", "uint16"),
        ("2x5x3", "uint32"),
        ("4x4x4", "uint32"),
    ],
)
def test_indices_are_of_the_smallest_dtype_that_holds_all(
    size: str, dtype: str
) -> None:
    name = f"standard-{size}"
    full = "O" * named(name).grid.cells
    for boards in (full, [full], []):
        for turns in (1, np.array(1, np.int64)):
            assert encode_many(boards, turns, name).dtype.name == dtype
    assert encode_many(full, 1, name) == named(name).grid.states - 1


def test_a_text_of_one_mark_is_a_whole_board_of_one_cell() -> None:
    name = "fill-1x1x1"
    assert encode_many("X", 0, name).shape == ()
    assert encode_many(["X"], 0, name).shape == encode_many([[1]], 0, name).shape
    assert encode_many(["X", "O", "."], 0, name).tolist() == [1, 2, 0]


FOUR = "expected text of 4 marks, or integers: 0 (empty), 1 (X) and 2 (O)"


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (
            ["XX..", "XX.OO...."],
            "boards[1]: board 'XX.OO....' has 9 marks, fill-",
        ),
        (np.array(["XX.OO...."]), "boards[0]: board 'XX.OO....' has 9 marks, "),
        (["...x"], "boards[0]: board '...x' has 'x' in cell 3; write X in upper case"),
        (
            np.zeros((3, 3), int),
            "boards has shape (3, 3), expected (..., 4) or (..., 2,",
        ),
        (
            np.full((1, 9), "."),
            "boards has shape (1, 9), expected (..., 4) or (..., 2,",
        ),
        (np.array([[[0, 0], [0, 3]]]), f"boards[0, 1, 1] is 3, {FOUR}"),
        (1.0, f"boards has dtype float64, {FOUR}"),
    ],
)
def test_a_board_of_another_size_is_refused(boards: Any, message: str) -> None:
    assert refusal(encode_many, boards, None, "fill-2x2x2").startswith(message)
    assert refusal(to_text, boards, "fill-2x2x2").startswith(message)


def test_faults_beyond_the_first_chunk_of_another_board_have_their_place() -> None:
    boards = np.zeros((MANY, 16), np.int8)
    boards[-1, 13] = 3
    name = "standard-4x4x4"
    said = refusal(encode_many, boards, 0, name)
    assert said.startswith(f"boards[{MANY - 1}, 13] is 3, expected text of 16 marks")
    boards[-1, 13] = 2
    said = refusal(encode_many, boards, None, name)
    assert said.startswith(f"boards[{MANY - 1}]: board '.............O..' has 0 X")
    with pytest.raises(InvalidIndexError) as caught:
        decode_many([0, 3**16 * 2], name)
    assert str(caught.value) == (
        "indices[1] is 86093442, expected an integer from 0 to 86093441"
    )
    assert refusal(from_signed, np.zeros(9, int), name) == (
        "boards has shape (9,), expected (..., 16) or (..., 4, 4)"
    )


def test_only_what_is_looked_up_needs_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTT_TABLES", str(tmp_path))
    name = "misere-2x2x2"
    assert encode_many(from_signed([1, -1, 0, 0], name), 0, name) == 3**3 + 2 * 3**2
    with pytest.raises(TableError, match="misere-2x2x2 is not built; build it with"):
        values_of("XO..", 0, name)


def test_answers_default_to_inferred_turns_and_the_standard_rules() -> None:
    boards = ["XX.OO....", "XX.OO...X", "X...O...X"]
    for question in ANSWERS:
        expected = question(boards, [0, 1, 1], "standard").tolist()
        assert question(boards).tolist() == expected


@pytest.mark.parametrize(
    "question",
    [encode_many, decode_many, to_text, from_signed, *ANSWERS],
)
@pytest.mark.parametrize("name", ["chess", None, 4, ["standard"]])
def test_an_unknown_variant_is_refused(
    question: Callable[..., object], name: Any
) -> None:
    with pytest.raises(UnknownVariantError, match="^variant is .* expected"):
        question(np.zeros(9, int), variant=name)


def refusal(question: Callable[..., object], *given: Any) -> str:
    """Return what is said of a board that is refused."""
    with pytest.raises(InvalidBoardError) as caught:
        question(*given)
    return str(caught.value)


def test_boards_on_which_both_sides_have_a_line_are_refused() -> None:
    table = load("misere")
    for number, board in enumerate(oracle.BOARDS):
        if oracle.meaningless("misere", board):
            expected = f"boards[1]: {refusal(table.value, board, 1)}"
            assert refusal(values_of, DIGITS[[0, number]], 1, "misere") == expected


def test_counts_that_no_game_has_are_refused() -> None:
    for number in set(range(19683)) - set(POSSIBLE):
        expected = f"boards[1]: {refusal(encode, oracle.BOARDS[number])}"
        assert refusal(encode_many, DIGITS[[0, number]]) == expected


WRONG_TEXTS = [
    "",
    "X",
    "XX.OO.....",
    "XX.OO......X",
    "xx.oo....",
    "XX OO    ",
    "XX.OO...?",
    "012012012",
    "XX.OO..\0.",
    "XX.OO....\0Z",
    "\0X.OO....",
]


@pytest.mark.parametrize("form", TEXTS.values(), ids=TEXTS)
def test_a_malformed_text_is_refused_in_the_words_of_encode(
    form: Callable[[NDArray[Any]], Any],
) -> None:
    for wrong in WRONG_TEXTS:
        boards = form(np.array(["XX.OO....", wrong, "X........"]))
        assert refusal(encode_many, boards, 0) == f"boards[1]: {refusal(encode, wrong)}"


def test_a_single_malformed_text_needs_no_place() -> None:
    for wrong in ("", "xx.oo....", "ＸX.OO....", "XX.O\u0301O...", "\ud800" * 9):
        for boards in (wrong, np.array(wrong, object)):
            assert refusal(encode_many, boards) == f"boards: {refusal(encode, wrong)}"


@pytest.mark.parametrize("form", MARKS_BY_CELL.values(), ids=MARKS_BY_CELL)
def test_a_wrong_mark_by_cell_is_refused_with_its_cell(
    form: Callable[[NDArray[Any]], Any],
) -> None:
    boards = form(np.array(["XX.OO....", "XX.OO...x"]))
    cell = "[1, 2, 2]" if np.ndim(boards) == 3 else "[1, 8]"
    expected = f"boards{cell} is 'x'; write X in upper case"
    assert refusal(encode_many, boards) == expected


@pytest.mark.parametrize("place", PLACES)
def test_the_first_fault_is_found_wherever_it_stands(place: int) -> None:
    boards = np.full(MANY, "XX.OO....", "U10")
    for wrong in ("XX.OO...", "XX.OO..._", "XX.OO....X", "XXX......", "XXX...OOO"):
        boards[-1] = boards[place] = wrong
        forms: list[Any] = [boards, boards.astype("S"), boards.tolist()]
        for form in (*forms, every_other(boards)):
            assert refusal(values_of, form).startswith(f"boards[{place}]: ")
        boards[place] = "XX.OO...."
    turns = np.zeros(MANY, np.int8)
    turns[-1], turns[place] = 3, -1
    assert refusal(encode_many, np.full(MANY, "." * 9), turns) == (
        f"turns[{place}] is -1, expected 0 (X moves next) or 1 (O moves next)"
    )


@pytest.mark.parametrize("digit", [3, 127, -1, -128, 255, 256, -256, 2**32, 2**63])
def test_one_bad_number_is_found_wherever_it_stands(digit: int) -> None:
    for name in INTEGERS:
        limits = np.iinfo(name)
        if not limits.min <= digit <= limits.max:
            continue
        for place in PLACES:
            boards = np.tile(DIGITS[9396].astype(name), (MANY, 1))
            cell = place % 9
            boards[-1, 8] = boards[place, 8] = boards[place, cell] = digit
            expected = f"boards[{place}, {cell}] is {digit}, {WANTED}"
            assert refusal(encode_many, boards) == expected + SIGNED * (digit == -1)


def test_a_place_has_an_item_for_each_axis() -> None:
    boards = np.zeros((13, 8, 3, 3), np.int8)
    boards[12, 7, 1, 2] = 3
    assert refusal(encode_many, boards) == f"boards[12, 7, 1, 2] is 3, {WANTED}"
    assert refusal(encode_many, boards[12, 7]) == f"boards[1, 2] is 3, {WANTED}"
    boards[12, 7, 1, 2] = 2
    for form in (boards, to_text(boards), to_text(boards).tolist()):
        assert refusal(encode_many, form).startswith("boards[12, 7]: board '.....O")
    said = refusal(encode_many, np.zeros((3, 2, 9), int), [[0, 2]])
    assert said.startswith("turns[0, 1] is 2, expected 0")


ITERATOR: Any = iter([0])
NOT_INTEGERS = [
    (True, " has dtype bool"),
    (1.0, " has dtype float64"),
    (None, " is None"),
    ("0", " is '0'"),
    ({}, " is of type dict"),
    (ITERATOR, " is of type list_iterator"),
    (2**64, f" is {2**64}"),
    (10**5000, " is an integer of 16610 bits"),
    ([0, -1], "[1] is -1"),
    ([0, 2**64], f"[1] is {2**64}"),
    ([False], " has dtype bool"),
    ([0, None], "[1] is None"),
    (["0"], "[0] is '0'"),
    (np.array([0, True], object), "[1] is True"),
    (np.array([0, 1.0], object), "[1] is 1.0"),
    (np.ones(2), " has dtype float64"),
    (np.array([1, np.nan]), "[1] is nan"),
    (np.array([2**64 - 1], np.uint64), f"[0] is {2**64 - 1}"),
]


@pytest.mark.parametrize(
    ("given", "found"), NOT_INTEGERS, ids=[found for _, found in NOT_INTEGERS]
)
def test_turns_and_indices_are_integers_in_range(given: Any, found: str) -> None:
    if given is not None:
        expected = "0 (X moves next) or 1 (O moves next)"
        said = refusal(encode_many, ["XX.OO...."] * 2, given)
        assert said == f"turns{found}, expected {expected}"
    with pytest.raises(InvalidIndexError) as caught:
        decode_many(given)
    expected = "an integer from 0 to 39365"
    assert str(caught.value) == f"indices{found}, expected {expected}"


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (None, f" is None, {WANTED}"),
        (2**64, f" is {2**64}, {WANTED}"),
        ({"XX.OO....": 0}, f" is of type dict, {WANTED}"),
        (ITERATOR, f" is of type list_iterator, {WANTED}"),
        (["XX.OO....", None], f"[1] is None, {WANTED}"),
        (["XX.OO....", 5], f"[1] is 5, {WANTED}"),
        ([5, "XX.OO...."], f"[0] is 5, {WANTED}"),
        (["XX.OO....", ["XX.OO...."]], f"[1] is of type list, {WANTED}"),
        ([[0] * 9, None], f"[1] is None, {WANTED}"),
        ([[0] * 9, [0] * 8], "[1] has length 8, expected 9 as boards[0] has"),
        ([[[0], []]], " is of type list, expected sequences of equal length"),
        ([["X"] * 8], " has shape (1, 8), expected (..., 9) or (..., 3, 3)"),
        ([[0] * 8 + [2**64]], f"[0, 8] is {2**64}, {WANTED}"),
        (np.array([[0] * 8 + [None]]), f"[0, 8] is None, {WANTED}"),
        (np.array([[*"........", None]]), f"[0, 8] is None, {WANTED}"),
        ([[*"........", "OX"]], "[0, 8] is 'OX'; the marks are 'X', 'O' and '.'"),
        (np.array([None, "XX.OO...."]), f"[0] is None, {WANTED}"),
        (np.zeros((1, 9), bool), f" has dtype bool, {WANTED}"),
        (np.zeros((0, 9)), f" has dtype float64, {WANTED}"),
        (np.array([[0] * 8 + [np.nan]]), f"[0, 8] is nan, {WANTED}"),
        (np.zeros((1, 9), "M8[s]"), f" has dtype datetime64[s], {WANTED}"),
        (9396, " has shape (), expected (..., 9) or (..., 3, 3)"),
        (np.zeros((1, 8), int), " has shape (1, 8), expected (..., 9) or (..., 3, 3)"),
        (np.zeros((3, 3, 1), int), " has shape (3, 3, 1), expected (..., 9) or"),
        (np.ma.zeros((2, 9), int), " has a mask, expected an array without one"),
        ([np.ma.zeros(9, int)], " has a mask, expected an array without one"),
    ],
)
def test_anything_but_boards_is_refused(boards: Any, message: str) -> None:
    questions: list[Callable[..., object]] = [encode_many, to_text, *ANSWERS]
    for question in questions:
        assert refusal(question, boards).startswith(f"boards{message}")
    assert refusal(from_signed, boards).startswith("boards")


def test_a_number_beyond_unicode_in_a_text_is_refused() -> None:
    beyond = np.full(9, 2**32 - 1, np.uint32).view("U9")
    found = f"boards[0] has a character beyond the last of Unicode, {WANTED}"
    for boards in (beyond, beyond.astype(object), [beyond[0], "XX.OO...."]):
        assert refusal(encode_many, boards) == found


def test_the_error_of_a_foreign_object_passes_through() -> None:
    class Tensor:
        def __array__(self, *_: object, **__: object) -> NDArray[Any]:
            raise RuntimeError("copy it to the host first")

    for question in (encode_many, decode_many, from_signed):
        with pytest.raises(RuntimeError, match="copy it to the host first"):
            question(Tensor())


THINGS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(".XO", min_size=9, max_size=9)
    | st.text(max_size=12)
    | st.binary(max_size=12)
    | st.lists(st.integers(0, 2), min_size=9, max_size=9)
    | st.lists(st.sampled_from(".XO"), min_size=9, max_size=9)
)


@hypothesis.given(
    st.recursive(THINGS, st.lists, max_leaves=9), THINGS | st.lists(st.integers(0, 1))
)
def test_nested_lists_have_an_answer_or_an_error_of_ours(
    boards: Any, turns: Any
) -> None:
    for question, low, high in ((encode_many, 0, 39365), (moves_of, -1, 8)):
        try:
            answers = question(boards, turns)
        except TTTError:
            continue
        assert answers.size == 0 or low <= answers.min() <= answers.max() <= high
    for other in (decode_many, to_text, from_signed):
        try:
            other(boards)
        except TTTError:
            continue


def test_decoding_gives_back_every_state() -> None:
    indices = np.arange(39366)
    for given in (indices, indices.tolist(), every_other(indices), indices.astype("O")):
        boards, turns = decode_many(given)
        assert (boards.dtype.name, turns.dtype.name) == ("int8", "int8")
        assert (encode_many(boards, turns) == indices).all()
        states = zip(to_text(boards).tolist(), turns.tolist(), strict=True)
        assert list(states) == oracle.STATES
    boards, turns = decode_many(indices.reshape(2, 27, 729))
    assert (boards.shape, turns.shape) == ((2, 27, 729, 9), (2, 27, 729))
    board, turn = decode_many(29079)
    assert isinstance(turn, np.ndarray)
    assert (board.tolist(), turn.tolist()) == ([1, 1, 0, 2, 2, 0, 0, 0, 0], 1)
    assert decode_many(np.int8(1))[0].tolist() == [0] * 8 + [1]
    assert [answers.shape for answers in decode_many([])] == [(0, 9), (0,)]


def test_signed_boards_become_boards() -> None:
    signed = np.where(DIGITS == 2, -1, DIGITS)
    for boards in (
        signed,
        signed.astype(">i8"),
        signed.astype(object),
        signed.tolist(),
        every_other(signed),
        np.asfortranarray(signed),
        frozen(signed),
    ):
        converted = from_signed(boards)
        assert converted.dtype == np.int8
        assert converted.flags.c_contiguous
        assert (converted == DIGITS).all()
        assert not np.shares_memory(converted, signed)
    assert (from_signed(signed.reshape(-1, 3, 3)) == DIGITS.reshape(-1, 3, 3)).all()
    assert from_signed(np.ones((1, 9), np.uint64)).tolist() == [[1] * 9]
    assert from_signed(np.zeros((0, 9), int)).shape == (0, 9)


@pytest.mark.parametrize("digit", [2, -2, 127, -128])
def test_a_signed_board_of_other_numbers_is_refused(digit: int) -> None:
    boards = np.zeros((2, 5, 3, 3), np.int8)
    boards[1, 3, 2, 0] = boards[1, 4, 0, 0] = digit
    expected = "expected integers: 0 (empty), 1 (X) and -1 (O)"
    assert refusal(from_signed, boards) == f"boards[1, 3, 2, 0] is {digit}, {expected}"


def test_answers_may_be_written_to_and_nothing_given_changes() -> None:
    turns = np.arange(19683) % 2
    for boards in (frozen(DIGITS), frozen(BOARDS)):
        for question in (encode_many, *ANSWERS):
            expected = question(boards, frozen(turns), "fill").copy()
            question(boards, frozen(turns), "fill")[:] = 1
            assert (question(boards, frozen(turns), "fill") == expected).all()
        to_text(boards)[:] = ""
        assert to_text(boards).tolist() == oracle.BOARDS
    for answers in decode_many(np.arange(19683)):
        answers[:] = 0
    assert (decode_many(np.arange(19683))[0] == DIGITS).all()


@pytest.mark.parametrize(
    ("form", "times"),
    [
        (lambda digits: digits, 1.7),
        (lambda digits: digits.astype(np.int64), 0.3),
        (lambda digits: by_cell(to_text(digits)), 0.5),
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
