"""Agents measured exactly: every state at once, and no game is played.

A policy gives each legal cell of a state a chance. It is an array in one of these
forms, with a row for each state in index order, or for each reachable state alone, the
order of ``np.flatnonzero(table.reachable)``:

- float64 or float32, ``(states, cells)``: the chance of each cell. A taken cell has
  exactly 0, and a row sums to 1 within `TOLERANCE`, whatever its dtype; it is then
  divided by its sum, in float64;
- integers, ``(states,)``: a move, as ``table.moves`` has them.

`from_agent` makes one of a function, `from_dict` of a dict by boards, `greedy` of a
table of Q-values.

Play starts from the empty board, and X begins. A policy need only be sound in the
reachable states in which play goes on and its side moves: an agent has seen no others.
Rows of other states are ignored; where the functions here make rows, these are zeros
where play has ended and where the state has no meaning.

>>> round(expected(uniform(), perfect()).o_wins, 6)
0.777484
>>> exploitability(perfect()).nash_conv
0.0

A large board has 86 million states, and rows for all of them fill 11 GB, as `check` and
the readers make them. Rows of the reachable states alone come from the ``indices`` that
`uniform`, `perfect`, `level`, `greedy` and `action_values` take::

    reached = np.flatnonzero(load("standard-4x4x3").reachable)
    agent = uniform("standard-4x4x3", reached)

`variant` is what `load` takes, or the `Table` that it returned.
"""

from .evaluation import (
    Expected,
    Exploitability,
    Regret,
    Response,
    best_response,
    expected,
    exploitability,
    regret,
)
from .given import TOLERANCE, check
from .made import action_values, greedy, level, perfect, uniform
from .readers import from_agent, from_dict

__all__ = [
    "TOLERANCE",
    "Expected",
    "Exploitability",
    "Regret",
    "Response",
    "action_values",
    "best_response",
    "check",
    "expected",
    "exploitability",
    "from_agent",
    "from_dict",
    "greedy",
    "level",
    "perfect",
    "regret",
    "uniform",
]
