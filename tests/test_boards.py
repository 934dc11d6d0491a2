"""Tests of `ttt_runtime.boards`."""

from collections.abc import Callable

import numpy as np
import pytest

from tests import oracle
from ttt_runtime import (
    InvalidBoardError,
    InvalidIndexError,
    boards,
    decode,
    encode,
    infer_turn,
    outcome,
)


def test_every_state_has_the_index_of_its_place() -> None:
    """The index numbers the states by turn, then cell by cell, '.' X O in order."""
    assert [encode(board, turn) for board, turn in oracle.STATES] == list(range(39366))
    assert [decode(index) for index in range(39366)] == oracle.STATES


def test_a_state_is_a_base_3_numeral() -> None:
    """The turn and the nine marks are the ten digits of the index."""
    assert encode("." * 9, 1) == int("1" + "000000000", 3) == 19683
    assert encode("XX.OO....", 0) == int("0" + "110220000", 3) == 9396
    assert encode("OOOOOOOOO", 1) == 39365


def test_lines_are_the_eight_ways() -> None:
    """There are three rows, three columns and two diagonals."""
    assert {"".join(map(str, line)) for line in boards.LINES} == set(oracle.WAYS)
    assert len(boards.LINES) == 8


def test_outcome_of_every_board() -> None:
    """A line is seen before a full board; two sides with a line are refused."""
    refused = 0
    for board in oracle.BOARDS:
        xs, os = oracle.lines(board, "X"), oracle.lines(board, "O")
        if xs and os:
            refused += 1
            with pytest.raises(InvalidBoardError, match="a line of X and a line of O"):
                outcome(board)
            continue
        goes_on = "IN_PROGRESS" if "." in board else "DRAW"
        assert outcome(board) == ("X_WON" if xs else "O_WON" if os else goes_on), board
    assert refused == 312


def test_turn_is_inferred_from_possible_counts_only() -> None:
    """X is to move when the counts are equal, O when X has one more, else nobody."""
    for board in oracle.BOARDS:
        lead = board.count("X") - board.count("O")
        if lead in (0, 1):
            assert infer_turn(board) == lead
            assert encode(board) == encode(board, lead)
        else:
            with pytest.raises(InvalidBoardError, match=r"\d X and \d O; X moves"):
                infer_turn(board)
            with pytest.raises(InvalidBoardError, match=r"\d X and \d O; X moves"):
                encode(board)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "board is None, expected a str of 9 marks"),
        (b"XX.OO....", "board is b'XX.OO....', expected a str"),
        (["."] * 9, "board is of type list, expected a str"),
        (9396, "board is 9396, expected a str"),
        ("", "board '' has 0 marks, expected 9"),
        ("XX.OO...", "board 'XX.OO...' has 8 marks, expected 9"),
        ("XX.OO.....", "has 10 marks, expected 9"),
        ("XX.\nOO.\n...", "has 11 marks, expected 9"),
        ("." * 5000, r"'\.{40}'\.\.\. \(5000 long\) has 5000 marks, expected 9"),
        ("xx.oo....", "'x' in cell 0; write X in upper case"),
        ("XX.oO....", "'o' in cell 3; write O in upper case"),
        ("XX.00....", "'0' in cell 3; write the letter O, not the digit 0"),
        ("XX_OO____", "'_' in cell 2; write an empty cell as '.'"),
        ("XX OO    ", "' ' in cell 2; write an empty cell as '.'"),
        ("XX-OO----", "'-' in cell 2; write an empty cell as '.'"),
        ("XX.OO...Z", "'Z' in cell 8; the marks are 'X', 'O' and '.'"),
        ("XX.OO...2", "'2' in cell 8"),
        ("ＸX.OO....", "'Ｘ' in cell 0"),
        ("XX.OO...\ud800", r"'\\ud800' in cell 8"),
        ("XX.OO...\0", r"'\\x00' in cell 8"),
        ("XX.O\u0301O...", "'\u0301' in cell 4"),
        ("XX.OO...?", r"'\?' in cell 8"),
    ],
)
def test_a_malformed_board_is_refused(board: str, message: str) -> None:
    """The error names what was given, what was expected, and the likely slip."""
    for question in (encode, infer_turn, outcome):
        with pytest.raises(InvalidBoardError, match=message):
            question(board)
    with pytest.raises(InvalidBoardError, match=message):
        encode(board, 1)


def test_a_board_may_be_a_kind_of_str() -> None:
    """NumPy's str is a str, and a subclass is read as the text that it holds."""

    class Liar(str):
        def encode(self, *_: object) -> bytes:
            raise RuntimeError

        def __len__(self) -> int:
            return 9

    assert encode(np.str_("XX.OO...."), 0) == 9396
    assert type(encode(np.str_("XX.OO...."), 0)) is int
    assert encode(Liar("XX.OO...."), 0) == 9396
    with pytest.raises(InvalidBoardError, match="has 3 marks"):
        encode(Liar("XX."), 0)


@pytest.mark.parametrize("turn", [-1, 2, True, False, 0.0, 1.0, "0", "X", b"\0", [0]])
def test_a_turn_is_0_or_1(turn: int) -> None:
    """Anything else is refused, truth values too."""
    with pytest.raises(InvalidBoardError, match="turn is .*, expected 0"):
        encode("." * 9, turn)


@pytest.mark.parametrize(
    ("turn", "found"),
    [(2, "2"), (np.int64(2), "2"), ("X", "'X'"), (True, "True"), ([0], "of type list")],
)
def test_a_refused_turn_is_shown(turn: int, found: str) -> None:
    """The message says what was given, and what each turn means."""
    with pytest.raises(InvalidBoardError) as caught:
        encode("." * 9, turn)
    assert str(caught.value) == (
        f"turn is {found}, expected 0 (X moves next) or 1 (O moves next)"
    )


@pytest.mark.parametrize(
    ("question", "board", "message"),
    [
        (
            encode,
            "XX.OO...",
            "board 'XX.OO...' has 8 marks, expected 9: "
            "row by row from the top left, '.' for an empty cell",
        ),
        (
            infer_turn,
            "XX.......",
            "board 'XX.......' has 2 X and 0 O; "
            "X moves first, so a game has as many X as O, or one more",
        ),
        (
            outcome,
            "XXXOOO...",
            "board 'XXXOOO...' shows a line of X and a line of O; "
            "play ends at the first line, so no game leads there",
        ),
        (encode, 3, "board is 3, expected a str of 9 marks such as 'XX.OO....'"),
    ],
)
def test_a_refused_board_is_shown(
    question: Callable[[str], object], board: str, message: str
) -> None:
    """The message repeats the board, and says what a board looks like."""
    with pytest.raises(InvalidBoardError) as caught:
        question(board)
    assert str(caught.value) == message


def test_a_mark_that_is_none_is_shown_with_a_hint() -> None:
    """The message says which cell, and how to write what was probably meant."""
    for mark, hint in {
        "x": "write X in upper case",
        "o": "write O in upper case",
        "0": "write the letter O, not the digit 0",
        "_": "write an empty cell as '.'",
        "-": "write an empty cell as '.'",
        " ": "write an empty cell as '.'",
        "Z": "the marks are 'X', 'O' and '.'",
    }.items():
        board = f"XX.OO..{mark}."
        with pytest.raises(InvalidBoardError) as caught:
            encode(board)
        assert str(caught.value) == f"board {board!r} has {mark!r} in cell 7; {hint}"


def test_long_input_is_cut_in_messages() -> None:
    """40 characters of text and 128 bits of a number are shown, no more."""
    for board, found in (
        ("." * 40, f"'{'.' * 40}'"),
        ("." * 41, f"'{'.' * 40}'... (41 long)"),
    ):
        with pytest.raises(InvalidBoardError) as caught:
            encode(board)
        assert str(caught.value).startswith(f"board {found} has")
    for index, found in (
        (2**128 - 1, "340282366920938463463374607431768211455"),
        (2**128, "an integer of 129 bits"),
        (-(2**128), "an integer of 129 bits"),
    ):
        with pytest.raises(InvalidIndexError) as raised:
            decode(index)
        assert str(raised.value) == (
            f"index is {found}, expected an integer from 0 to 39365"
        )


@pytest.mark.parametrize(
    "index", [-1, 39366, 10**40, -(10**30), True, False, 0.0, "0", None, [0], b"0"]
)
def test_an_index_is_an_integer_in_range(index: int) -> None:
    """Anything else is refused; a negative index never wraps round."""
    with pytest.raises(InvalidIndexError, match="index is .*, expected an integer"):
        decode(index)


def test_a_refused_number_is_shown_unless_it_is_huge() -> None:
    """The message gives the number, or its size where nobody could read it."""
    with pytest.raises(InvalidIndexError, match="index is 39366, expected"):
        decode(np.int64(39366))  # type: ignore[arg-type]
    with pytest.raises(InvalidIndexError, match="index is an integer of 16610 bits"):
        decode(10**5000)
    with pytest.raises(InvalidIndexError, match="index is '0', expected"):
        decode("0")  # type: ignore[arg-type]


def test_what_has_no_name_is_refused_all_the_same() -> None:
    """Even a type that fails when it is asked for its name."""

    def fail(kind: object) -> str:
        raise RuntimeError

    nameless = type("Nameless", (type,), {"__name__": property(fail)})
    with pytest.raises(InvalidIndexError) as caught:
        decode(nameless("", (), {})())
    assert str(caught.value) == (
        "index is of a type without a name, expected an integer from 0 to 39365"
    )


def test_numpy_integers_are_integers() -> None:
    """They are taken where an integer is meant, and never given back."""
    for kind in (np.int8, np.uint8, np.int16, np.int32, np.uint64):
        index = encode("XX.OO....", kind(1))  # type: ignore[arg-type]
        assert (index, type(index)) == (29079, int)
        assert encode("XX.OO....", kind(0)) == 9396  # type: ignore[arg-type]
    board, turn = decode(np.uint16(29079))  # type: ignore[arg-type]
    assert (board, turn, type(turn)) == ("XX.OO....", 1, int)
    with pytest.raises(InvalidIndexError):
        decode(np.bool_(True))  # type: ignore[arg-type]
    with pytest.raises(InvalidIndexError):
        decode(np.float64(0.0))  # type: ignore[arg-type]
