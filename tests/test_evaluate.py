"""``ttt evaluate``, and agents that are functions or dicts."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import oracle
from tests.sessions import Run
from tests.strength import strength
from ttt_runtime import InvalidBoardError, InvalidPolicyError, encode, load
from ttt_runtime.levels import LEVELS
from ttt_runtime.policies import (
    action_values,
    from_agent,
    from_dict,
    greedy,
    level,
    perfect,
    uniform,
)
from ttt_runtime.symmetry import canonical

REACHED = oracle.reached("standard")
GOING = [each for each in REACHED if not oracle.ended("standard", each[0])]
FIRST = "........."


def saved(policy: Any, directory: Path) -> str:
    name = str(directory / "agent.npy")
    np.save(name, policy)
    return name


def test_a_policy_is_measured_against_each_level_as_docs_levels_has_it(
    tmp_path: Path, ttt: Run
) -> None:
    file = saved(level("medium"), tmp_path)
    against = json.loads(ttt("evaluate", file, "--json").out)["against"]
    exact = strength("standard")
    assert [*against] == [*LEVELS]
    for other in LEVELS:
        x_wins, draw, o_wins = map(float, exact["medium", other])
        as_x = {"wins": x_wins, "draws": draw, "loses": o_wins}
        assert against[other]["X"] == pytest.approx(as_x)
        x_wins, draw, o_wins = map(float, exact[other, "medium"])
        as_o = {"wins": o_wins, "draws": draw, "loses": x_wins}
        assert against[other]["O"] == pytest.approx(as_o)
    lines = ttt("evaluate", file).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    row = [f"{100 * share:.2f}%" for share in [*as_x.values(), *as_o.values()]]
    assert lines[5].split() == ["perfect", *row]


def test_the_one_blunder_is_shown_with_what_was_better(
    tmp_path: Path, ttt: Run
) -> None:
    moves = load().moves.copy()
    moves[encode("X...O...X")] = 2
    file = saved(moves, tmp_path)
    known = json.loads(ttt("evaluate", file, "--json").out)
    (worst,) = known["worst"]
    assert 0 < worst.pop("reach") < 1
    assert worst == {
        "board": "X...O...X",
        "turn": 1,
        "regret": 1,
        "plays": {"2": 1},
        "optimal": [1, 3, 5, 7],
    }
    assert (known["nash_conv"], known["exploitability"]) == (1, 0.5)
    assert ttt("evaluate", file).out.endswith(
        "\n\nX . .\n. O .\n. . X\nO to move\nplays 2: 100%\nbetter 1,3,5,7\n"
        "loses 1.000\n"
    )


def test_perfect_play_has_nothing_to_show(tmp_path: Path, ttt: Run) -> None:
    for policy in (perfect(), load().moves):
        known = json.loads(ttt("evaluate", saved(policy, tmp_path), "--json").out)
        assert (known["worst"], known["exploitability"]) == ([], 0)
    out = ttt("evaluate", saved(load("fill").moves, tmp_path), "--variant", "fill").out
    assert out.endswith("\nEvery move in the states that games lead to is best.\n")


def test_five_classes_lose_most_and_of_equal_ones_those_reached_more(
    tmp_path: Path, ttt: Run
) -> None:
    known = json.loads(ttt("evaluate", saved(uniform(), tmp_path), "--json").out)
    lost = {}
    for board, turn in GOING:
        after = load().move_values(board, turn).values()
        best = (max if turn else min)(after)
        lost[board] = abs(best - sum(after) / len(after))
    classes = {canonical(board)[0]: share for board, share in lost.items()}
    worst = [each["regret"] for each in known["worst"]]
    assert worst == pytest.approx(sorted(classes.values(), reverse=True)[:5])
    assert len({canonical(each["board"]) for each in known["worst"]}) == 5
    assert [lost[each["board"]] for each in known["worst"]] == pytest.approx(worst)
    order = [(-each["regret"], -each["reach"]) for each in known["worst"]]
    assert order == sorted(order)


def test_a_policy_of_the_reachable_states_alone_on_another_board(
    built: Path, tmp_path: Path, ttt: Run
) -> None:
    table = load("fill-2x3x2")
    policy = uniform(table, np.flatnonzero(table.reachable)).astype(np.float32)
    np.savez(tmp_path / "agent.npz", policy)
    file = str(tmp_path / "agent.npz")
    out = ttt("evaluate", file, "--variant", "fill-2x3x2").out
    whole = saved(uniform(table), tmp_path)
    assert out == ttt("evaluate", whole, "--variant", "fill-2x3x2").out
    assert out.count(" to move") == 5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read (it is neither .npy nor .npz); expected one policy"),
        (b"board,move\n", "cannot be read (it is neither .npy nor .npz)"),
        (b"\x93NUMPY", "cannot be read ("),
        (b"\x93NUMPY\1\0\x16\0{'descr': '|i1', (1,) \n", "cannot be read ("),
        (b"\x93NUMPY\1\0\x0b\0{'descr' , 1", "cannot be read ("),
        (b"PK\x03\x04 and nothing more", "cannot be read ("),
    ],
)
def test_a_file_that_has_no_policy_is_named(
    content: bytes, message: str, tmp_path: Path, ttt: Run
) -> None:
    (tmp_path / "agent.npy").write_bytes(content)
    status, out, err = ttt("evaluate", str(tmp_path / "agent.npy"))
    assert (status, out) == (1, "")
    assert err.startswith(f"ttt: {tmp_path}/agent.npy: {message}")
    assert err.count("\n") == 1


def test_a_policy_that_is_unsound_or_not_alone_is_refused(
    tmp_path: Path, ttt: Run
) -> None:
    moves = load().moves
    np.savez(tmp_path / "two.npz", x=moves, o=moves)
    assert "two.npz: has 2 arrays: x, o; expected one policy" in (
        ttt("evaluate", str(tmp_path / "two.npz")).err
    )
    np.save(tmp_path / "objects.npy", np.array([None]))
    assert "objects.npy: cannot be read (" in (
        ttt("evaluate", str(tmp_path / "objects.npy")).err
    )
    whole = Path(saved(moves, tmp_path)).read_bytes()
    Path(tmp_path / "agent.npy").write_bytes(whole[:-1])
    assert "agent.npy: cannot be read (" in (
        ttt("evaluate", str(tmp_path / "agent.npy")).err
    )
    taken = moves.copy()
    taken[0] = 9
    done = ttt("evaluate", saved(taken, tmp_path))
    assert done.err == (
        f"ttt: {tmp_path}/agent.npy: policy: in state 0, '.........', X to move, the "
        "move is 9, expected an empty cell, one of 0, 1, 2, 3, 4, 5, 6, 7, 8\n"
    )
    assert "shape (39365,) and dtype int8, expected chances" in (
        ttt("evaluate", saved(moves[1:], tmp_path)).err
    )


def rows_of(policy: Any, side: int | None = None) -> Any:
    """Return the rows of the states in which this side moves, or both do."""
    return policy[[encode(*state) for state in GOING if side in (None, state[1])]]


def test_a_function_that_returns_cells_or_chances_is_a_policy() -> None:
    table = load("misere")
    found = from_agent(table.move, "misere")
    assert (rows_of(found) == rows_of(perfect("misere", table_move=True))).all()
    easy = from_agent(
        lambda board, turn: dict.fromkeys(
            table.move_values(board, turn), 1 / board.count(".")
        )
    )
    assert rows_of(easy) == pytest.approx(rows_of(uniform()))


def test_a_dict_of_cells_or_q_values_is_a_policy() -> None:
    values = action_values(mover=True).astype(float)
    agent: dict[str, Any] = {}
    for board, turn in GOING:
        row = values[encode(board, turn)].tolist()
        agent[board] = (
            row
            if turn
            else {cell: row[cell] for cell, mark in enumerate(board) if mark == "."}
        )
    assert rows_of(from_dict(agent)) == pytest.approx(rows_of(perfect()))
    assert rows_of(from_dict(agent)) == pytest.approx(rows_of(greedy(values)))
    same: dict[str, Any] = defaultdict(lambda: [0.0] * 9)
    assert rows_of(from_dict(same)) == pytest.approx(rows_of(uniform()))
    assert not same
    cells = {board: board.rindex(".") for board, turn in GOING if turn == 1}
    found = from_dict(cells, side=1)
    assert rows_of(found, 0).sum() == 0
    for board, cell in cells.items():
        assert found[encode(board, 1), cell] == 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (9, "in state 0, '.........', X to move, it played 9, expected an empty cell"),
        (None, "'.........' (X to move) has None, expect"),
        ("4", "'.........' (X to move) has '4', expecte"),
        ("0" * 9, "'.........' (X to move) has '000000000',"),
        ([0.0] * 8, "'.........' (X to move) has of type list"),
        ({4: 1.0}, "'.........' (X to move) has no Q-value f"),
        ([0.0] * 8 + [np.nan], "'.........' (X to move) has no Q-value f"),
        ([10**400] * 9, "'.........' (X to move) has no Q-value f"),
    ],
)  # fmt: skip
def test_an_entry_that_is_none_is_named(entry: Any, message: str) -> None:
    agent = {board: board.index(".") for board, _ in GOING}
    with pytest.raises(InvalidPolicyError) as caught:
        from_dict(agent | {FIRST: entry})
    assert str(caught.value).startswith(f"agent: {message}")


def test_a_board_that_is_missing_or_none_and_a_taken_cell_are_named() -> None:
    agent = {board: board.index(".") for board, _ in GOING}
    with pytest.raises(
        InvalidPolicyError, match="it played 0, expected an empty cell, one"
    ):
        from_dict(agent | {"X........": 0})
    with pytest.raises(InvalidBoardError, match="board 'XO' has 2 marks, expected 9"):
        from_dict(agent | {"XO": 0})
    del agent["X........"]
    with pytest.raises(InvalidPolicyError, match=r"'X\.{8}' \(O to move\) is missing"):
        from_dict(agent)
    assert from_dict(agent, side=0)[0].argmax() == 0
    with pytest.raises(InvalidPolicyError, match="played None, expected an empty cell"):
        from_agent(lambda board, turn: None)
    with pytest.raises(InvalidPolicyError, match="it played of type list, expected"):
        from_agent(lambda board, turn: [1 / 9] * 9)
    with pytest.raises(InvalidPolicyError, match="it played 0 with 'a', expected a ch"):
        from_agent(lambda board, turn: {board.index("."): "a"})
    with pytest.raises(InvalidPolicyError, match="^agent: in state 0, .* sum to 0.5, "):
        from_agent(lambda board, turn: {board.index("."): 0.5})
