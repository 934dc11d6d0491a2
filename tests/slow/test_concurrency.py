"""Tests that a table answers rightly whoever asks, at once, and cannot be altered."""

import copy
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
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import oracle
from ttt_runtime import InvalidBoardError, Table, load, tables

TABLES = Path(__file__).resolve().parents[2] / "tables"

ARRAYS = {
    "values": np.dtype("i1"),
    "moves": np.dtype("i1"),
    "optimal": np.dtype("<u2"),
    "reachable": np.dtype("?"),
}


@pytest.fixture
def hasty() -> Iterator[None]:
    """Let threads take turns as often as the interpreter can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what forgets every table that this process has loaded."""

    def forget() -> None:
        monkeypatch.setattr(tables, "_loaded", {})

    return forget


def answers(variant: str, indices: list[int]) -> list[object]:
    """Ask a table, by index and by board, about each of these states."""
    table = load(variant)
    found: list[object] = []
    for index in indices:
        board, turn = oracle.STATES[index]
        try:
            found.append(
                (
                    table.value_at(index),
                    table.move_at(index),
                    table.value(board, turn),
                    table.optimal_moves(board, turn),
                    table.is_reachable(board, turn),
                )
            )
        except InvalidBoardError:
            found.append(None)
    return found


def right_answers(variant: str, indices: list[int]) -> list[object]:
    """Ask the oracle the same."""
    reached = oracle.reached(variant)
    found: list[object] = []
    for index in indices:
        state = oracle.STATES[index]
        if oracle.meaningless(variant, state[0]):
            found.append(None)
            continue
        cells = oracle.best(variant, *state)
        value = oracle.value(variant, *state)
        move = cells[0] if cells else None
        found.append((value, move, value, tuple(cells), state in reached))
    return found


@pytest.mark.usefixtures("hasty")
def test_a_first_load_raced_by_16_threads_gives_all_the_same_table(
    nothing_loaded: Callable[[], None],
) -> None:
    """50 rounds of 16 threads that start together: one table, whoever was first."""
    for number in range(50):
        nothing_loaded()
        variant = oracle.VARIANTS[number % 4]
        start = threading.Barrier(16)

        def first(variant: str, start: threading.Barrier = start) -> Table:
            start.wait(60)
            return load(variant)

        with ThreadPoolExecutor(16) as pool:
            loaded = list(pool.map(first, [variant] * 16))
        assert len({id(table) for table in loaded}) == 1
        assert load(variant) is loaded[0]


@pytest.mark.usefixtures("hasty")
def test_200_000_look_ups_from_8_threads(nothing_loaded: Callable[[], None]) -> None:
    """Of one table: 5,000 different states in each thread, five look-ups each.

    All are the oracle's, also those of the threads that load the table.
    """
    nothing_loaded()
    chance = random.Random(17)
    questions = [chance.choices(range(39366), k=5000) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(partial(answers, "fill"), questions))
    for question, answer in zip(questions, found, strict=True):
        assert answer == right_answers("fill", question)


@pytest.mark.usefixtures("hasty")
def test_continuations_first_asked_for_by_16_threads() -> None:
    """They are read late; every thread gets the right counts."""
    for _ in range(10):
        table = Table("standard", str(TABLES))
        start = threading.Barrier(16)

        def count(board: str, table: Table, start: threading.Barrier) -> object:
            start.wait(60)
            return table.continuation_counts(board)

        with ThreadPoolExecutor(16) as pool:
            ask_it = partial(count, table=table, start=start)
            counts = list(pool.map(ask_it, ["." * 9] * 16))
        assert counts == [oracle.games()] * 16


SAMPLE = random.Random(18).sample(range(39366), 2000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_forked_after_the_load() -> None:
    """It answers from what its parent loaded, rightly: 2,000 states, all variants."""
    for variant in oracle.VARIANTS:
        load(variant)
    expected = [right_answers(variant, SAMPLE) for variant in oracle.VARIANTS]
    with warnings.catch_warnings():
        # NumPy has threads of its own; the child uses none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        status = 1
        try:
            found = [answers(variant, SAMPLE) for variant in oracle.VARIANTS]
            status = int(found != expected)
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def ask(table: Table) -> tuple[str, list[object], int]:
    """Answer from a table that came by pickle."""
    return table.variant, answers(table.variant, SAMPLE), os.getpid()


def test_a_table_sent_to_a_fresh_process() -> None:
    """Started by spawn, it unpickles the table and answers rightly, all variants."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(ask, [load(variant) for variant in oracle.VARIANTS], 1)
    for variant, answer, process in found:
        assert answer == right_answers(variant, SAMPLE)
        assert process != os.getpid()
    assert [variant for variant, _, _ in found] == oracle.VARIANTS


# Arrays


def arrays() -> Iterator[tuple[Table, str, Any]]:
    """Yield every array of every variant."""
    for table in map(load, oracle.VARIANTS):
        for name in ARRAYS:
            yield table, name, getattr(table, name)
    yield load(), "continuations", load().continuations


def attempts(array: Any) -> dict[str, Callable[[], object]]:
    """Return the ways that NumPy has to write to an array, or to make it writable."""
    flat = array.reshape(-1)
    return {
        "an item": lambda: flat.__setitem__(0, 1),
        "a slice": lambda: flat.__setitem__(slice(None), 1),
        "flat": lambda: array.flat.__setitem__(0, 1),
        "setflags": lambda: array.setflags(write=True),
        "flags": lambda: setattr(array.flags, "writeable", True),
        "a view's flags": lambda: array.view().setflags(write=True),
        "a slice's flags": lambda: array[1:].setflags(write=True),
        "bytes": lambda: array.view(np.uint8).setflags(write=True),
        "fill": lambda: array.fill(1),
        "sort": lambda: flat.sort(),
        "partition": lambda: flat.partition(9),
        "byteswap": lambda: array.byteswap(inplace=True),
        "put": lambda: array.put([0], [1]),
        "resize": lambda: array.resize(9, refcheck=False),
        "np.put": lambda: np.put(array, [0], [1]),
        "np.place": lambda: np.place(flat, [True] * len(flat), [1]),
        "np.putmask": lambda: np.putmask(array, True, 1),
        "np.copyto": lambda: np.copyto(array, np.zeros_like(array)),
        "out": lambda: np.logical_not(array, out=array, casting="unsafe"),
        "shuffle": lambda: np.random.default_rng(0).shuffle(array),
        "nditer": lambda: np.nditer([array], op_flags=[["readwrite"]]),
        "memoryview": lambda: memoryview(array).cast("B").__setitem__(0, 1),
        "data": lambda: array.data.cast("B").__setitem__(0, 1),
        "its base": lambda: memoryview(base(array)).cast("B").__setitem__(0, 1),
        "base as an array": lambda: np.frombuffer(base(array)).setflags(write=True),
        "readinto": lambda: io.BytesIO(b"wrong").readinto(array),
        "a buffer": lambda: np.ndarray(9, "u1", array).setflags(write=True),
        "strides": lambda: np.lib.stride_tricks.as_strided(
            array, writeable=True
        ).setflags(write=True),
        "in place": lambda: np.add(flat, flat, out=flat),
    }


def base(array: Any) -> Any:
    """Follow what an array is a view of to the end."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_array_cannot_be_written_or_made_writable() -> None:
    """29 ways on each of 17 arrays: each is refused, and no byte has changed.

    Left out are raw addresses, by ctypes or an array interface written by hand, and the
    `at` of ufuncs, which the next test is about.
    """
    tried = set()
    for table, name, array in arrays():
        before = bytes(table.raw(name))
        for way, attempt in attempts(array).items():
            with pytest.raises((ValueError, TypeError, BufferError)):
                attempt()
            assert table.raw(name) == before, way
            tried.add((table.variant, name, way))
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
    assert len(tried) == 17 * 29


def test_look_ups_do_not_read_from_the_arrays() -> None:
    """What NumPy's `ufunc.at` does to a read-only array is not answered from."""
    for variant in oracle.VARIANTS:
        table = Table(variant, str(TABLES))
        for name in ARRAYS:
            before = bytes(table.raw(name))
            np.add.at(getattr(table, name).view(np.uint8), [0], 1)
            assert table.raw(name) == before, (variant, name)


def test_no_view_that_numpy_gives_is_writable() -> None:
    """Views, reshapes, transposes, slices, and what DLPack hands on."""
    for _, _, array in arrays():
        cube = array.reshape((2,) + (3,) * 9 + array.shape[1:])
        views = [array[:], array[::-1], array.view(np.uint8), cube, cube.T, cube[0]]
        views += [array[None], np.asarray(array), np.asanyarray(memoryview(array))]
        views += [np.broadcast_to(array, (2, *array.shape)), np.ravel(array)]
        with suppress(BufferError):  # older NumPy does not hand on what is read-only
            views.append(np.from_dlpack(array))
        for view in views:
            assert not view.flags.writeable


def test_raw_bytes_cannot_be_written() -> None:
    """Neither the view that `raw` gives, nor what it is a view of."""
    for table, name, _ in arrays():
        raw = table.raw(name)
        assert raw.readonly
        assert type(raw.obj) is bytes
        with pytest.raises(TypeError, match="read-only"):
            raw[0] = 1


def test_a_copy_is_the_users_own() -> None:
    """It can be written, and the table still answers as before."""
    for table, name, array in arrays():
        before = bytes(table.raw(name))
        for mine in (array.copy(), np.array(array), pickle.loads(pickle.dumps(array))):
            mine[...] = 1
        copy.deepcopy(array)[...] = 0
        assert table.raw(name) == before
    assert load().value_at(9396) == -1


def test_answers_share_nothing_with_the_table() -> None:
    """What a question returns may be changed without changing the next answer."""
    for table in map(load, oracle.VARIANTS):
        values = table.move_values("X...O...X")
        expected = dict(values)
        values.clear()
        assert table.move_values("X...O...X") == expected
        assert type(table.optimal_moves("X...O...X")) is tuple
