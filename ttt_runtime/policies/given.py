"""Read whatever is given as a policy, or say in which state what is wrong with it."""

import numpy as np
from numpy.typing import NDArray

from ..boards import as_integer, shown
from ..errors import InvalidPolicyError
from ..tables import Table
from .layers import Array, Layer, Reached, described

TOLERANCE = 1e-6
"""How far from 1 the chances of a state may sum.

A softmax in float32 over 16 cells misses 1 by at most some 2e-7.
"""


NOBODY = object()
"""Stands for the policy of a side that is not asked."""


def check(
    policy: object, variant: str | Table = "standard", side: int | None = None
) -> NDArray[np.float64]:
    """Return a policy as chances, or say what is wrong with it.

    Parameters
    ----------
    policy : array
        In any of the forms that this package takes.
    variant : str or Table
        What the policy plays.
    side : int, optional
        0 if the policy plays X alone, 1 if it plays O alone.

    Returns
    -------
    ndarray of float64, (states, cells)
        Zeros in states that are not reachable or where play has ended or the other side
        moves, so that it can be looked up by index; else a row that sums to 1.

    Raises
    ------
    InvalidPolicyError
        At the wrong shape or dtype; or at a state, of the unsound ones one with the
        fewest marks on its board: chances that are negative, NaN or infinite, that lie
        on a taken cell, or that do not sum to 1; or a move that is no empty cell.

    Examples
    --------
    >>> from ttt_runtime import load
    >>> check(load().moves)[9396].tolist()
    [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    reached = Reached(variant)
    grid = reached.table.grid
    if side is None:
        policies = [policy, policy]
    else:
        policies = [policy, NOBODY] if checked_side(side) == 0 else [NOBODY, policy]
    checked = np.zeros((grid.states, grid.cells))
    for layer, chances in zip(
        reached.layers, read(reached, policies[0], policies[1]), strict=True
    ):
        if chances.size:
            checked[reached.states[layer.rows, None], layer.free] = chances
    return checked


def checked_side(given: object) -> int:
    """Return a side as a plain `int`, or raise `InvalidPolicyError`."""
    side = as_integer(given)
    if side is None or not 0 <= side <= 1:
        raise InvalidPolicyError(f"side is {shown(given)}, expected 0 (X) or 1 (O)")
    return side


def read(
    reached: Reached, policy_x: object, policy_o: object, name: str = "policy"
) -> list[Array]:
    """Return the chances of the moves of each layer: float64, (n, moves).

    They are those of the side to move; there are none where that is `NOBODY`.
    """
    same = policy_x is policy_o or policy_x is NOBODY or policy_o is NOBODY
    names = [name] * 2 if same else [f"{name}_x", f"{name}_o"]
    arrays = [
        None if given is NOBODY else _array(given, reached, each)
        for given, each in zip((policy_x, policy_o), names, strict=True)
    ]
    chances = []
    for layer in reached.layers:
        array, named = arrays[layer.turn], names[layer.turn]
        none = np.empty((0, 0))
        known = none if array is None else _chances(array, layer, reached, named)
        chances.append(known)
    return chances


def rows_for(array: Array, layer: Layer, reached: Reached) -> Array:
    """Return the rows of a layer, of an array that has all or the reachable states."""
    alone = len(array) == len(reached.states)
    rows: Array = array[layer.rows if alone else reached.states[layer.rows]]
    return rows


def _array(policy: object, reached: Reached, name: str) -> Array:
    """Return a policy as an array, if its shape and dtype are of any form."""
    states, reachable = reached.table.grid.states, len(reached.states)
    cells = reached.table.grid.cells
    try:
        array = np.asarray(policy)
    except ValueError:
        array = np.empty(0, object)
    found = f"has shape {array.shape} and dtype {array.dtype}"
    if isinstance(policy, np.ma.MaskedArray):
        found = "has a mask"
    elif array.dtype == object or isinstance(policy, str):
        found = f"is {shown(policy)}"
    elif len(array.shape) and len(array) in (states, reachable):
        if array.shape[1:] == (cells,) and array.dtype in (np.float64, np.float32):
            return array
        if array.ndim == 1 and array.dtype.kind in "iu":
            return array
    raise InvalidPolicyError(
        f"{name} {found}, expected chances, float64 or float32 of shape "
        f"({states}, {cells}), or moves, integers of shape ({states},), "
        f"either with {reachable} rows for the reachable states alone"
    )


def _chances(array: Array, layer: Layer, reached: Reached, name: str) -> Array:
    """Return the chances of the moves of a layer, or raise `InvalidPolicyError`."""
    given = rows_for(array, layer, reached)
    if given.ndim == 1:
        chances: Array = (layer.free == given[:, None]).astype(np.float64)
        wrong = ~chances.any(axis=1)
    else:
        chances = np.take_along_axis(given, layer.free.astype(np.intp), 1)
        wrong = np.count_nonzero(given, 1) != np.count_nonzero(chances, 1)
        wrong |= ~(given >= 0).all(1)
        with np.errstate(all="ignore"):
            sums = chances.sum(1, dtype=np.float64)
            wrong |= ~(abs(sums - 1) <= TOLERANCE)
            chances = chances / sums[:, None]
    if wrong.any():
        at = int(wrong.argmax())
        state = described(reached.states.item(layer.rows[at]), reached.table.grid)
        raise InvalidPolicyError(
            f"{name}: in {state}, {_fault(given[at], layer.free[at].tolist())}"
        )
    return chances


def _fault(given: Array, free: list[int]) -> str:
    """Say what is wrong with the chances or the move of a state."""
    if not given.ndim:
        cells = ", ".join(map(str, free))
        return f"the move is {given}, expected an empty cell, one of {cells}"
    for cell, chance in enumerate(given.tolist()):
        if not 0 <= chance < float("inf"):
            return f"cell {cell} has {chance}, expected a chance from 0 to 1"
        if chance and cell not in free:
            return f"cell {cell} has {chance}, expected 0: it is taken"
    return (
        f"the chances sum to {given.sum(dtype=np.float64)}, "
        f"expected 1, or within {TOLERANCE:g} of it"
    )
