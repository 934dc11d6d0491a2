"""Tests of `ttt_runtime.boards`."""

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
    assert [encode(board, turn) for board, turn in oracle.STATES] == list(range(39366))
    assert [decode(index) for index in range(39366)] == oracle.STATES


def test_a_state_is_a_base_3_numeral() -> None:
    assert encode("." * 9, 1) == int("1" + "000000000", 3) == 19683
    assert encode("XX.OO....", 0) == int("0" + "110220000", 3) == 9396


def test_lines_are_the_eight_ways() -> None:
    assert sorted("".join(map(str, line)) for line in boards.LINES) == sorted(
        oracle.WAYS
    )


def test_outcome_of_every_board() -> None:
    refused = 0
    for board in oracle.BOARDS:
        xs, os = oracle.lines(board, "X"), oracle.lines(board, "O")
        if xs and os:
            refused += 1
            with pytest.raises(InvalidBoardError, match=f"'{board}' shows a line of X"):
                outcome(board)
            continue
        goes_on = "IN_PROGRESS" if "." in board else "DRAW"
        assert outcome(board) == ("X_WON" if xs else "O_WON" if os else goes_on), board
    assert refused == 312


def test_turn_is_inferred_from_possible_counts_only() -> None:
    for board in oracle.BOARDS:
        lead = board.count("X") - board.count("O")
        if lead in (0, 1):
            assert infer_turn(board) == lead
            assert encode(board) == encode(board, lead)
        else:
            with pytest.raises(InvalidBoardError, match=r"\d X and \d O; X moves"):
                encode(board)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "board is None, expected a str of 9 marks such as 'XX.OO....'"),
        (b"XX.OO....", "board is b'XX.OO....', expected a str of 9 marks"),
        (["."] * 9, "board is of type list, expected a str"),
        (9396, "board is 9396, expected a str"),
        (np.int16(9396), "board is of type int16, expected a str"),
        ("", "board '' has 0 marks, expected 9"),
        (
            "XX.OO...",
            "board 'XX.OO...' has 8 marks, expected 9: "
            "row by row from the top left, '.' for an empty cell",
        ),
        ("XX.\nOO.\n...", r"board 'XX.\nOO.\n...' has 11 marks, expected 9"),
        ("." * 40, f"board '{'.' * 40}' has 40 marks"),
        ("." * 41, f"board '{'.' * 40}'... (41 long) has 41 marks"),
        ("xx.oo....", "board 'xx.oo....' has 'x' in cell 0; write X in upper case"),
        ("XX.oO....", "board 'XX.oO....' has 'o' in cell 3; write O in upper case"),
        ("XX.00....", "board 'XX.00....' has '0' in cell 3; write the letter O, not"),
        ("XX_OO____", "board 'XX_OO____' has '_' in cell 2; write an empty cell as"),
        ("XX OO    ", "board 'XX OO    ' has ' ' in cell 2; write an empty cell as"),
        ("XX-OO----", "board 'XX-OO----' has '-' in cell 2; write an empty cell as"),
        ("XX.OO...Z", "board 'XX.OO...Z' has 'Z' in cell 8; the marks are 'X', 'O'"),
        ("XX.OO...\0", r"board 'XX.OO...\x00' has '\x00' in cell 8; the marks are"),
    ],
)
def test_a_malformed_board_is_refused(board: str, message: str) -> None:
    for question in (encode, outcome, lambda board: encode(board, 1)):
        with pytest.raises(InvalidBoardError) as caught:
            question(board)
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("Х", "CYRILLIC CAPITAL LETTER HA, write the Latin letter X"),
        ("х", "CYRILLIC SMALL LETTER HA, write the Latin letter X"),
        ("О", "CYRILLIC CAPITAL LETTER O, write the Latin letter O"),
        ("Ο", "GREEK CAPITAL LETTER OMICRON, write the Latin letter O"),
        ("Ｘ", "FULLWIDTH LATIN CAPITAL LETTER X, write the Latin letter X"),
        ("．", "FULLWIDTH FULL STOP, write an empty cell as '.'"),
        ("×", "MULTIPLICATION SIGN, write the Latin letter X"),
        ("❌", "CROSS MARK, write the Latin letter X"),
        ("⭕", "HEAVY LARGE CIRCLE, write the Latin letter O"),
        ("·", "MIDDLE DOT, write an empty cell as '.'"),
        ("\u0301", "COMBINING ACUTE ACCENT, the marks are 'X', 'O' and '.'"),
        ("\ud800", "U+D800, the marks are 'X', 'O' and '.'"),
    ],
)
def test_a_foreign_character_is_named(mark: str, message: str) -> None:
    board = f"XX.O{mark}...."
    with pytest.raises(InvalidBoardError) as caught:
        encode(board)
    assert str(caught.value) == (
        f"board {board!r} has {mark!r} in cell 4; that is {message}"
    )


@pytest.mark.parametrize(
    ("turn", "found"),
    [
        (-1, "-1"),
        (np.int64(2), "2"),
        (True, "True"),
        (1.0, "1.0"),
        ("X", "'X'"),
        ([0], "of type list"),
    ],
)
def test_a_turn_is_0_or_1(turn: int, found: str) -> None:
    with pytest.raises(InvalidBoardError) as caught:
        encode("." * 9, turn)
    assert str(caught.value) == (
        f"turn is {found}, expected 0 (X moves next) or 1 (O moves next)"
    )


@pytest.mark.parametrize(
    ("index", "found"),
    [
        (-1, "-1"),
        (np.int64(39366), "39366"),
        (2**128 - 1, "340282366920938463463374607431768211455"),
        (2**128, "an integer of 129 bits"),
        pytest.param(-(10**10000), "an integer of 33220 bits", id="huge"),
        (True, "True"),
        (np.True_, "of type bool"),
        (0.0, "0.0"),
        ("0", "'0'"),
        (None, "None"),
        ([0], "of type list"),
    ],
)
def test_an_index_is_an_integer_in_range(index: int, found: str) -> None:
    with pytest.raises(InvalidIndexError) as caught:
        decode(index)
    assert str(caught.value) == (
        f"index is {found}, expected an integer from 0 to 39365"
    )


def test_numpy_scalars_are_taken_and_never_given_back() -> None:
    for kind in (np.int8, np.uint64):
        index = encode(np.str_("XX.OO...."), kind(1))  # type: ignore[arg-type]
        assert (index, type(index)) == (29079, int)
        assert encode("XX.OO....", kind(0)) == 9396  # type: ignore[arg-type]
    board, turn = decode(np.uint16(29079))  # type: ignore[arg-type]
    assert (board, turn, type(turn)) == ("XX.OO....", 1, int)


def test_two_sides_with_a_line_are_shown() -> None:
    with pytest.raises(InvalidBoardError) as caught:
        outcome("XXXOOO...")
    assert str(caught.value) == (
        "board 'XXXOOO...' shows a line of X and a line of O; "
        "play ends at the first line, so no game leads there"
    )
