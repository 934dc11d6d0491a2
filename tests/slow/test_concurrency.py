"""Tests that a table answers rightly whoever asks, at once, and cannot be altered."""

import io
import multiprocessing
import os
import pickle
import random
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests import oracle
from tests.files import TABLES
from ttt_runtime import InvalidBoardError, Table, load, tables

NAMES = "values", "moves", "optimal", "reachable"


@pytest.fixture
def hasty() -> Iterator[None]:
    """Let threads take turns as often as the interpreter can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(question: Callable[[], object], threads: int = 16) -> list[object]:
    """Ask in many threads that start together."""
    start = threading.Barrier(threads)

    def ask(_: int) -> object:
        start.wait(60)
        return question()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(ask, range(threads)))


def answers(table: Table, indices: list[int]) -> list[object]:
    """Ask about each of these states, by index and by board."""
    found: list[object] = []
    for index in indices:
        state = oracle.STATES[index]
        try:
            value, move = table.value_at(index), table.move_at(index)
            found.append(
                (value, move, table.value(*state), table.optimal_moves(*state))
            )
        except InvalidBoardError:
            found.append(None)
    return found


def right_answers(variant: str, indices: list[int]) -> list[object]:
    """Ask the oracle the same."""
    found: list[object] = []
    for index in indices:
        state = oracle.STATES[index]
        cells = oracle.best(variant, *state)
        value, move = oracle.value(variant, *state), cells[0] if cells else None
        meaningless = oracle.meaningless(variant, state[0])
        found.append(None if meaningless else (value, move, value, tuple(cells)))
    return found


SAMPLE = random.Random(18).sample(range(39366), 2000)


@pytest.mark.usefixtures("hasty")
def test_a_first_load_raced_by_16_threads_gives_all_the_same_table_and_right_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(50):
        monkeypatch.setattr(tables, "_loaded", {})
        variant = oracle.VARIANTS[number % 4]
        loaded = at_once(partial(load, variant))
        assert {id(table) for table in loaded} == {id(load(variant))}
    monkeypatch.setattr(tables, "_loaded", {})
    found = at_once(lambda: answers(load("fill"), SAMPLE))
    assert found == [right_answers("fill", SAMPLE)] * 16


@pytest.mark.usefixtures("hasty")
def test_continuations_first_asked_for_by_16_threads_are_right() -> None:
    for _ in range(10):
        table = Table("standard", str(TABLES))
        found = at_once(partial(table.continuation_counts, "." * 9))
        assert found == [oracle.games()] * 16


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_answers_from_what_its_parent_loaded_before_the_fork() -> None:
    table, expected = load("misere"), right_answers("misere", SAMPLE)
    with warnings.catch_warnings():
        # NumPy has threads of its own; the child uses none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        status = 1
        try:
            status = int(answers(table, SAMPLE) != expected)
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def ask(table: Table) -> tuple[str, list[object], int]:
    """Answer from a table that came by pickle."""
    return table.variant, answers(table, SAMPLE), os.getpid()


def test_a_table_sent_to_a_fresh_process_answers_rightly_there() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(ask, [load(variant) for variant in oracle.VARIANTS], 1)
    assert [variant for variant, _, _ in found] == oracle.VARIANTS
    for variant, answer, process in found:
        assert answer == right_answers(variant, SAMPLE)
        assert process != os.getpid()


def arrays() -> Iterator[tuple[Table, str, Any]]:
    """Yield every array of every variant."""
    for table in map(load, oracle.VARIANTS):
        for name in NAMES:
            yield table, name, getattr(table, name)
    yield load(), "continuations", load().continuations


def base(array: Any) -> Any:
    """Follow what an array is a view of to the end."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def attempts(array: Any) -> dict[str, Callable[[], object]]:
    """Return ways that NumPy has to write to an array, or to make it writable."""
    flat = array.reshape(-1)
    return {
        "an item": lambda: flat.__setitem__(0, 1),
        "flat": lambda: array.flat.__setitem__(0, 1),
        "setflags": lambda: array.setflags(write=True),
        "flags": lambda: setattr(array.flags, "writeable", True),
        "a view's flags": lambda: array.view(np.uint8).setflags(write=True),
        "sort": lambda: flat.sort(),
        "byteswap": lambda: array.byteswap(inplace=True),
        "resize": lambda: array.resize(9, refcheck=False),
        "np.put": lambda: np.put(array, [0], [1]),
        "np.copyto": lambda: np.copyto(array, np.zeros_like(array)),
        "out": lambda: np.logical_not(array, out=array, casting="unsafe"),
        "shuffle": lambda: np.random.default_rng(0).shuffle(array),
        "nditer": lambda: np.nditer([array], op_flags=[["readwrite"]]),
        "memoryview": lambda: memoryview(array).cast("B").__setitem__(0, 1),
        "its base": lambda: memoryview(base(array)).cast("B").__setitem__(0, 1),
        "base as an array": lambda: np.frombuffer(base(array)).setflags(write=True),
        "readinto": lambda: io.BytesIO(b"wrong").readinto(array),
        "a buffer": lambda: np.ndarray(9, "u1", array).setflags(write=True),
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_array_cannot_be_written_or_made_writable() -> None:
    for table, name, array in arrays():
        before = bytes(table.raw(name))
        for way, attempt in attempts(array).items():
            with pytest.raises((ValueError, TypeError, BufferError)):
                attempt()
            assert table.raw(name) == before, way
        cube = array.reshape((2,) + (3,) * 9 + array.shape[1:])
        for view in (array[::-1], cube.T, np.asanyarray(memoryview(array))):
            assert not view.flags.writeable


def test_look_ups_do_not_read_from_the_arrays_that_ufunc_at_writes_to() -> None:
    for variant in oracle.VARIANTS:
        table = Table(variant, str(TABLES))
        for name in NAMES:
            before = bytes(table.raw(name))
            np.add.at(getattr(table, name).view(np.uint8), [0], 1)
            assert table.raw(name) == before, (variant, name)


def test_raw_bytes_cannot_be_written() -> None:
    for table, name, _ in arrays():
        raw = table.raw(name)
        assert type(raw.obj) is bytes
        with pytest.raises(TypeError, match="read-only"):
            raw[0] = 1


def test_a_copy_or_an_answer_is_the_users_own() -> None:
    for table, name, array in arrays():
        before = bytes(table.raw(name))
        for mine in (array.copy(), np.array(array), pickle.loads(pickle.dumps(array))):
            mine[...] = 1
        assert table.raw(name) == before
        values = table.move_values("X...O...X")
        expected = dict(values)
        values.clear()
        assert table.move_values("X...O...X") == expected
