"""What policies are worth: exact, by steps over whole layers of states.

The utility of a game to O is the value of its end, to X the opposite of it: in
`standard` and `misere` 1 for a win, -1 for a loss and 0 for a draw, in `fill` the lead
in lines, and in `fastest` 1 + the cells left empty to the winner.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..boards import NO_MOVE
from ..tables import Table
from .given import NOBODY, checked_side, read
from .layers import Array, Reached


class Expected(NamedTuple):
    """How games end: a float each, or float64 arrays in the shape of the indices."""

    x_wins: Any
    """The chance that X wins."""
    draw: Any
    """The chance that nobody does."""
    o_wins: Any
    """The chance that O wins."""
    plies: Any
    """How many moves are still made, on average."""
    value: Any
    """The value of the end, on average, from O's viewpoint."""


class Response(NamedTuple):
    """The best that can be done against a policy."""

    value: Any
    """Utility to the side that responds: a float, or float64 as the indices."""
    moves: NDArray[np.int8]
    """What reaches it, itself a policy: (states,); -1 where the side does not move."""


class Exploitability(NamedTuple):
    """How much is lost to best responses, by both sides together."""

    nash_conv: float
    """What best responses as X and as O gain over the policy: 0 if it is perfect."""
    exploitability: float
    """Half of it: the mean of both sides."""


class Regret(NamedTuple):
    """What moves throw away against perfect play from then on."""

    x: float
    """The regret as X, summed over its states, each weighted by its reach."""
    o: float
    """The same as O."""
    states: NDArray[np.float64]
    """Of each state what the mover's moves lose there, on average: (states,)."""
    reach: NDArray[np.float64]
    """Of each state the chance that a game passes through it: (states,)."""


def expected(
    policy_x: object,
    policy_o: object,
    variant: str | Table = "standard",
    indices: ArrayLike = 0,
) -> Expected:
    """Return how games between two policies end.

    Parameters
    ----------
    policy_x, policy_o : array
        In any of the forms that this package takes; each need only be sound in the
        reachable states in which its side moves.
    variant : str or Table
        What they play.
    indices : array_like of int
        The states that games start from, of any shape; the empty board if left out,
        ``np.flatnonzero(table.reachable)`` for all.

    Raises
    ------
    InvalidPolicyError
        Where `check` does.
    InvalidIndexError, InvalidBoardError
        At the first index that is none, or of a state that is not reachable.

    Examples
    --------
    >>> from ttt_runtime import encode
    >>> from ttt_runtime.policies import perfect, uniform
    >>> round(expected(uniform(), uniform()).x_wins, 6)
    0.584921
    >>> expected(uniform(), perfect(), indices=[encode("XX.OO....")]).x_wins
    array([0.2])
    """
    reached = Reached(variant)
    rows = reached.rows_of(indices)
    values = reached.values
    over = [values < 0, values == 0, values > 0, np.zeros(len(values)), values]
    ends = np.stack(over, 1, dtype=np.float64)
    chances = read(reached, policy_x, policy_o)
    for layer, each in zip(reached.layers[::-1], chances[::-1], strict=True):
        found = _means(each, ends[layer.after])
        found[:, 3] += 1
        ends[layer.rows] = found
    return Expected(*[_plain(column) for column in np.moveaxis(ends[rows], -1, 0)])


def best_response(
    policy: object,
    side: int,
    variant: str | Table = "standard",
    indices: ArrayLike = 0,
) -> Response:
    """Return the most that a side can get against a policy, and how.

    Parameters
    ----------
    policy : array
        The other side's, in any of the forms that this package takes; it need only be
        sound in the reachable states in which that side moves.
    side : int
        Who responds: 0 X, 1 O.
    variant : str or Table
        What they play.
    indices : array_like of int
        The states that games start from, as in `expected`.

    Raises
    ------
    TTTError
        Where `expected` does, and if `side` is not 0 or 1.

    Examples
    --------
    >>> from ttt_runtime.policies import perfect, uniform
    >>> best_response(perfect(), 0).value
    0.0
    >>> round(best_response(uniform(), 0).value, 6)
    0.994792
    """
    reached = Reached(variant)
    rows = reached.rows_of(indices)
    pair = (NOBODY, policy) if checked_side(side) == 0 else (policy, NOBODY)
    values, moves = _respond(reached, read(reached, *pair), side)
    all_moves = np.full(reached.table.grid.states, NO_MOVE, np.int8)
    all_moves[reached.states] = moves
    return Response(_plain(values[rows]), all_moves)


def exploitability(policy: object, variant: str | Table = "standard") -> Exploitability:
    """Return what best responses gain over a policy, as OpenSpiel defines it.

    Parameters
    ----------
    policy : array, or tuple of two
        What plays both sides; or what plays X and what plays O. In any of the forms
        that this package takes.
    variant : str or Table
        What they play.

    Raises
    ------
    InvalidPolicyError
        Where `check` does.

    Examples
    --------
    >>> from ttt_runtime.policies import perfect, uniform
    >>> exploitability(perfect())
    Exploitability(nash_conv=0.0, exploitability=0.0)
    >>> round(exploitability((perfect(), uniform())).nash_conv, 6)
    0.994792
    """
    reached = Reached(variant)
    chances = read(reached, *_pair(policy))
    # What one side gets in games of the policy itself, the other loses.
    gains = [_respond(reached, chances, side)[0].item(0) for side in (0, 1)]
    return Exploitability(sum(gains), sum(gains) / 2)


def regret(
    policy: object,
    variant: str | Table = "standard",
    against: object = None,
) -> Regret:
    """Return what a policy's moves lose, beside the best moves of each state.

    In a reachable state the regret is the value for the mover less the mean of the
    values after its moves, by their chances. The games that weigh it are those against
    another policy, in which this one plays X once, and once O.

    Parameters
    ----------
    policy : array, or tuple of two
        As in `exploitability`.
    variant : str or Table
        What they play.
    against : array, or tuple of two, optional
        Who the games are played against: itself if left out. Then `x` less `o` is
        by how much the games' value, from O's viewpoint, exceeds the empty board's.

    Returns
    -------
    Regret
        `states` and `reach` have 0 where play has ended and where it cannot get;
        `reach` of a state in which X moves is that of games in which the policy is X.

    Raises
    ------
    InvalidPolicyError
        Where `check` does.

    Examples
    --------
    >>> from ttt_runtime import load
    >>> from ttt_runtime.policies import uniform
    >>> found = regret(load().moves, against=uniform())
    >>> found.x, found.o, found.reach[0].item()
    (0.0, 0.0, 1.0)
    """
    reached = Reached(variant)
    own = read(reached, *_pair(policy))
    other = own if against is None else read(reached, *_pair(against), name="against")
    states, reach = np.zeros((2, reached.table.grid.states))
    values, totals = reached.values.astype(np.int16), [0.0, 0.0]
    for side in 0, 1:
        often = _reach(reached, [other, own] if side else [own, other])
        for layer, chances in zip(reached.layers, own, strict=True):
            if layer.turn == side:
                lost = abs(values[layer.rows, None] - values[layer.after])
                indices = reached.states[layer.rows]
                states[indices] = np.einsum("nm,nm->n", chances, lost)
                reach[indices] = often[layer.rows]
                totals[side] += float(states[indices] @ reach[indices])
    return Regret(totals[0], totals[1], states, reach)


def _respond(
    reached: Reached, chances: list[Array], side: int
) -> tuple[Array, NDArray[np.int8]]:
    """Return the utility to a side that responds, and its moves: (reachable,)."""
    values = reached.values * (2.0 * side - 1) + 0  # for a draw 0, not -0
    moves = np.full(len(values), NO_MOVE, np.int8)
    for layer, each in zip(reached.layers[::-1], chances[::-1], strict=True):
        after = values[layer.after]
        if layer.turn == side:
            best = after.argmax(1)[:, None]
            values[layer.rows] = np.take_along_axis(after, best, 1)[:, 0]
            moves[layer.rows] = np.take_along_axis(layer.free, best, 1)[:, 0]
        else:
            values[layer.rows] = _means(each, after[..., None])[:, 0]
    return values, moves


def _means(chances: Array, after: Array) -> Array:
    """Return the means over the moves, which rounding keeps in range: (n, ...)."""
    means: Array = np.einsum("nm,nmk->nk", chances, after)
    return np.clip(means, after.min(1), after.max(1), out=means)


def _reach(reached: Reached, chances: list[list[Array]]) -> NDArray[np.float64]:
    """Return how often a game passes through each state, by the chances of X, of O."""
    reach = np.zeros(len(reached.states))
    reach[0] = 1
    for number, layer in enumerate(reached.layers):
        flow = reach[layer.rows, None] * chances[layer.turn][number]
        np.add.at(reach, layer.after, flow)
    return reach


def _pair(policy: object) -> tuple[object, object]:
    """Return what plays X and what plays O."""
    if isinstance(policy, tuple) and len(policy) == 2:
        return policy
    return policy, policy


def _plain(numbers: Array) -> Any:
    """Return a float for a single state, else the array."""
    return numbers if numbers.ndim else numbers.item()
