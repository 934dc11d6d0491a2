"""Tests of the recipes that read boards from elsewhere, on every state there is.

What they define is taken from the page as it stands there. They need the optional group
``recipes``; without it they are skipped, but with CI set in the environment they fail.
"""

import ast
import importlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests import oracle
from ttt_runtime import Table, encode, infer_turn, load
from ttt_runtime.arrays import decode_many, encode_many, to_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "recipes.md"

pytestmark = pytest.mark.filterwarnings(
    # PettingZoo would rather be asked by the name that only its newest version knows.
    "ignore:The old environment creation API:DeprecationWarning"
)


def package(name: str) -> ModuleType:
    """Import a package, or skip; with CI set there is no skipping."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} is not installed; pip install '.[recipes]'")


def recipe(title: str, block: int) -> dict[str, Any]:
    """Return what a block of a section imports and defines, without running it."""
    section = f"\n{PAGE.read_text()}".split(f"\n## {title}\n")[1].split("\n## ")[0]
    script = ast.parse(re.findall(r"```python\n(.*?)```", section, re.S)[block])
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    script.body = [
        node
        for node in script.body
        if isinstance(node, kept)
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper())
    ]
    names: dict[str, Any] = {}
    exec(compile(script, f"{title}, block {block}", "exec"), names)
    return names


def reachable(table: Table) -> set[int]:
    """Return the index of every reachable state."""
    return set(np.flatnonzero(table.reachable).tolist())


# OpenSpiel

OPENSPIEL = pytest.mark.parametrize(
    ("name", "variant"),
    [("tic_tac_toe", "standard"), ("misere(game=tic_tac_toe())", "misere")],
)


def openspiel_states(state: Any, seen: dict[str, Any]) -> dict[str, Any]:
    """Return all states from one on, by the board that its actions have made."""
    board = "." * 9
    for turn, cell in enumerate(state.history()):
        board = oracle.play(board, turn % 2, cell)
    if board not in seen:
        seen[board] = state
        for cell in state.legal_actions():
            openspiel_states(state.child(cell), seen)
    return seen


@OPENSPIEL
def test_openspiel_tensors_become_the_boards_that_were_played(
    name: str, variant: str
) -> None:
    game = package("pyspiel").load_game(name)
    states = openspiel_states(game.new_initial_state(), {})
    boards_of = recipe("OpenSpiel", 0)["boards_of"]
    for player in 0, 1:
        tensors = [state.observation_tensor(player) for state in states.values()]
        boards = boards_of(tensors)
        assert to_text(boards).tolist() == list(states)
        planes = np.reshape(tensors, (-1, *game.observation_tensor_shape()))
        assert np.array_equal(boards_of(planes), boards)
        assert set(encode_many(boards).tolist()) == reachable(load(variant))


@OPENSPIEL
def test_the_openspiel_bot_plays_the_move_of_every_state(
    name: str, variant: str
) -> None:
    game = package("pyspiel").load_game(name)
    bot_class = recipe("OpenSpiel", 1)["PerfectBot"]
    bots = [bot_class(player, variant) for player in (0, 1)]
    assert [bot.player_id() for bot in bots] == [0, 1]
    table = load(variant)
    steps = 0
    for board, state in openspiel_states(game.new_initial_state(), {}).items():
        if state.is_terminal():
            continue
        bot = bots[state.current_player()]
        move = table.move(board)
        policy, action = bot.step_with_policy(state)
        assert action == bot.step(state) == move
        assert policy == bot.get_policy(state)
        assert dict(policy) == {cell: cell == move for cell in state.legal_actions()}
        steps += 1
    assert steps == 4520


@OPENSPIEL
def test_openspiel_plays_the_bot_by_itself(name: str, variant: str) -> None:
    pyspiel = package("pyspiel")
    bot_class = recipe("OpenSpiel", 1)["PerfectBot"]
    bots = [bot_class(player, variant) for player in (0, 1)]
    state = pyspiel.load_game(name).new_initial_state()
    assert pyspiel.evaluate_bots(state, bots, 1) == [0, 0]
    assert state.is_terminal()


# PettingZoo


def pettingzoo_states() -> Iterator[tuple[str, Any]]:
    """Play to every state in PettingZoo: its board, and the environment there.

    Action 0, 1 ... 8 goes to column 0, 0, 0, 1, 1, 1, 2, 2, 2.
    """
    env = package("pettingzoo.classic.tictactoe_v3").env()
    seen = set()
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        actions = waiting.pop()
        board = "." * 9
        for turn, action in enumerate(actions):
            column, row = divmod(action, 3)
            board = oracle.play(board, turn % 2, 3 * row + column)
        if board in seen:
            continue
        seen.add(board)
        env.reset()
        for action in actions:
            env.step(action)
        yield board, env
        if not any(env.terminations.values()):
            free = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            waiting += [(*actions, action) for action in free.tolist()]


def test_pettingzoo_observations_become_the_boards_that_were_played() -> None:
    tictactoe = package("pettingzoo.classic.tictactoe_v3")
    names = recipe("PettingZoo", 0)
    boards_of, actions = names["boards_of"], names["ACTIONS"]
    board_of = recipe("PettingZoo", 1)["board_of"]
    table = load()
    seen = {"player_1": set[int](), "player_2": set[int]()}
    assert tictactoe.env().possible_agents == list(seen)
    for board, env in pettingzoo_states():
        index = encode(board, infer_turn(board))
        for player, agent in enumerate(seen):
            observation = env.observe(agent)["observation"]
            found = boards_of(observation, player)
            assert to_text(found) == board == board_of(observation, agent)
            seen[agent].add(int(encode_many(found)))
        over = any(env.terminations.values())
        assert over == (table.optimal_at(index) == 0)
        if over:
            assert env.rewards["player_2"] == table.value_at(index)
        else:
            assert env.agent_selection == env.possible_agents[infer_turn(board)]
            mask = env.observe(env.agent_selection)["action_mask"]
            assert [*mask[actions]] == [mark == "." for mark in board]
    assert seen["player_1"] == seen["player_2"] == reachable(table)


def test_pettingzoo_draws_an_action_where_the_cell_is() -> None:
    tictactoe = package("pettingzoo.classic.tictactoe_v3")
    actions = recipe("PettingZoo", 0)["ACTIONS"]
    env = tictactoe.env(render_mode="rgb_array", screen_height=300)
    for cell in range(9):
        env.reset()
        before = env.render()
        env.step(actions[cell])
        rows, columns, _ = (env.render() != before).nonzero()
        assert {*(rows // 100).tolist()} == {cell // 3}
        assert {*(columns // 100).tolist()} == {cell % 3}
    env.close()


# pgx


@cache
def pgx_states() -> tuple[list[str], Any]:
    """Play to every state in pgx with either player as X: boards, and states in one.

    From one number of marks to the next, all nine actions on all states at once; what
    comes of a game that was over, or of a cell that was taken, does not count.
    """
    jax, env = package("jax"), package("pgx").make("tic_tac_toe")

    def take(states: Any, *at: Any) -> Any:
        return jax.tree.map(lambda leaf: np.asarray(leaf)[at], states)

    size = 4096
    step = jax.jit(jax.vmap(jax.vmap(env.step, (None, 0)), (0, None)))
    start = jax.vmap(env.init)(jax.random.split(jax.random.key(0), size))
    layer = take(start, np.unique(start.current_player, return_index=True)[1])
    boards = ["." * 9] * 2
    found, layers = boards[:], [layer]
    for marks in range(9):
        # Always as many states, so that there is one step to compile.
        after = step(take(layer, np.arange(size) % len(boards)), np.arange(9))
        places = {}
        going = layer.legal_action_mask & ~layer.terminated[:, np.newaxis]
        for row, cell in np.argwhere(going).tolist():
            board = oracle.play(boards[row], marks % 2, cell)
            places[board, int(layer.current_player[row])] = row, cell
        boards = [board for board, _ in places]
        assert len(boards) <= size
        layer = take(after, *np.array([*places.values()]).T)
        found += boards
        layers.append(layer)
    return found, jax.tree.map(lambda *leaves: np.concatenate(leaves), *layers)


def test_pgx_observations_become_the_boards_that_were_played() -> None:
    boards, states = pgx_states()
    table = load()
    indices = [encode(board, infer_turn(board)) for board in boards]
    assert Counter(indices) == dict.fromkeys(reachable(table), 2)
    found, turns = recipe("pgx", 0)["boards_and_turns"](states.observation)
    assert to_text(found).tolist() == boards
    assert turns.tolist() == [infer_turn(board) for board in boards]
    over = table.optimal[indices] == 0
    assert np.array_equal(states.terminated, over)
    player_o = np.where(turns, states.current_player, 1 - states.current_player)
    assert player_o.sum() == 5478
    rewards = states.rewards[np.arange(len(boards)), player_o]
    assert np.array_equal(rewards, np.where(over, table.values[indices], 0))


def test_the_compiled_index_of_a_pgx_observation_is_that_of_its_board() -> None:
    jax = package("jax")
    boards, states = pgx_states()
    index_of = jax.jit(jax.vmap(recipe("pgx", 1)["index_of"]))
    indices = index_of(states.observation).tolist()
    assert indices == [encode(board, infer_turn(board)) for board in boards]


# Gymnasium


def open_states() -> tuple[Any, Any, list[tuple[str, int]]]:
    """Return the states of games that go on: boards, turns and both as text."""
    table = load()
    states = np.flatnonzero(table.reachable & (table.optimal != 0))
    boards, turns = decode_many(states)
    assert len(states) == 5478 - 958 == 4520
    texts = to_text(boards).tolist()
    return boards, turns, list(zip(texts, turns.tolist(), strict=True))


def test_the_regret_of_every_move_is_what_it_gives_away() -> None:
    regrets = recipe("Gymnasium", 1)["regrets"]
    boards, turns, states = open_states()
    table = load()
    moves = [table.move_values(*state) for state in states]
    count = 0
    for cell in range(9):
        rows = [row for row, values in enumerate(moves) if cell in values]
        found = regrets(boards[rows], turns[rows], np.full(len(rows), cell)).tolist()
        for row, regret in zip(rows, found, strict=True):
            best = table.value(*states[row])
            lost = best - moves[row][cell]
            assert regret == (lost if states[row][1] else -lost) >= 0
            assert (regret == 0) == (cell in table.optimal_moves(*states[row]))
        count += len(rows)
    assert count == sum(map(len, moves)) == 16167


def test_a_move_to_a_taken_cell_has_no_regret() -> None:
    regrets = recipe("Gymnasium", 1)["regrets"]
    board = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0]])
    for cell in (0, -1, 9, -9):
        with pytest.raises(ValueError, match="a move to a cell that is not empty"):
            regrets(board, np.array([1]), np.array([cell]))


def test_an_episode_returns_the_regret_of_its_moves() -> None:
    package("gymnasium")
    env = recipe("Gymnasium", 0)["TicTacToe"]()
    regrets = recipe("Gymnasium", 1)["regrets"]
    chance = np.random.default_rng(2)
    ends: Counter[float] = Counter()
    for seed in range(200):
        board, _ = env.reset(seed=seed)
        lost, over = 0, False
        while not over:
            assert env.observation_space.contains(board)
            move = chance.choice(np.flatnonzero(board == 0), 1)
            lost += int(regrets(board[np.newaxis], np.zeros(1, int), move)[0])
            board, reward, over, cut, _ = env.step(move[0])
            assert not cut
            assert over or reward == 0
        assert reward == -lost
        ends[reward] += 1
    assert ends.keys() == {0, -1}
