"""What an agent is worth: against others, at worst, and where it loses most."""

from typing import Any
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray

from ..arrays import classes_at
from ..errors import InvalidPolicyError
from ..levels import LEVELS
from ..policies import expected, exploitability, level, regret, uniform
from ..policies.given import read
from ..policies.layers import Reached
from ..tables import Table
from .words import SIDES

_STATES = 5
"""How many states are shown: as many boards of 3x3 as a line of 80 columns has."""


def loaded(name: str) -> NDArray[Any]:
    """Return the one array of an .npy or .npz file.

    Raises
    ------
    InvalidPolicyError
        If the file is of another kind or cut short, or has more arrays than one.
    """
    with open(name, "rb") as file, catch_warnings(action="ignore"):
        try:
            if not file.read(6).startswith((b"PK", b"\x93NUMPY")):
                raise ValueError("it is neither .npy nor .npz")
            file.seek(0)
            content = np.load(file, allow_pickle=False)
            if isinstance(content, np.ndarray):
                return content
            if len(content.files) == 1:
                array: NDArray[Any] = content[content.files[0]]
                return array
            found = f"has {len(content.files)} arrays: {', '.join(content.files)}"
        except Exception as error:  # noqa: BLE001  (NumPy lets many kinds through)
            found = f"cannot be read ({error or 'it is too large for the memory'})"
    raise InvalidPolicyError(
        f"{name}: {found}; expected one policy in an .npy or .npz file, as numpy.save "
        "writes it"
    )


def evaluated(policy: NDArray[Any], table: Table) -> dict[str, Any]:
    """Return what a policy is worth, as plain data that JSON can hold.

    Returns
    -------
    dict
        ``against`` has, by the opponent, for ``X`` and ``O`` how often the policy then
        ``wins``, ``draws`` and ``loses``, from 0 to 1. ``nash_conv`` and
        ``exploitability`` are those of `ttt_runtime.policies.exploitability`.
        ``worst`` has the reachable states with the largest regret, the first of each
        class that turning and mirroring make: ``board``, ``turn``,
        ``regret``, the ``reach`` in games against `uniform`, what it ``plays``, and the
        ``optimal`` cells.
    """
    found = exploitability(policy, table)
    reached = np.flatnonzero(table.reachable)
    against = {}
    for name in LEVELS:
        other = level(name, table, indices=reached)
        against[name] = {
            "X": _ends(*expected(policy, other, table)[:3]),
            "O": _ends(*expected(other, policy, table)[2::-1]),
        }
    return {
        "variant": table.variant,
        "against": against,
        "nash_conv": found.nash_conv,
        "exploitability": found.exploitability,
        "worst": _worst(policy, table),
    }


def _ends(wins: float, draws: float, loses: float) -> dict[str, float]:
    return {"wins": wins, "draws": draws, "loses": loses}


def _worst(policy: NDArray[Any], table: Table) -> list[dict[str, Any]]:
    """Return the states with the largest regret; of equal ones, those reached more."""
    reached = Reached(table)
    lost = regret(policy, table, against=uniform(table, reached.states))
    chances = read(reached, policy, policy)
    order = np.lexsort((-lost.reach[reached.states], -lost.states[reached.states]))
    classes = classes_at(reached.states[order], table.variant)
    _, first = np.unique(classes, return_index=True)
    worst = []
    for place in order[np.sort(first)][:_STATES].tolist():
        index = reached.states.item(place)
        board, turn = table.grid.decode(index)
        if lost.states[index] <= 0:
            break
        for layer, rows in zip(reached.layers, chances, strict=True):
            for at in np.flatnonzero(layer.rows == place).tolist():
                pairs = zip(layer.free[at].tolist(), rows[at].tolist(), strict=True)
                plays = {cell: chance for cell, chance in pairs if chance}
        worst.append(
            {
                "board": board,
                "turn": turn,
                "regret": lost.states.item(index),
                "reach": lost.reach.item(index),
                "plays": plays,
                "optimal": [*table.optimal_moves(board, turn)],
            }
        )
    return worst


def screen(known: dict[str, Any], columns: int) -> str:
    """Return what `evaluated` found as text 80 wide; the board has so many columns."""
    lines = [
        f"{'':15}{'as X':^30}{'as O':^30}".rstrip(),
        "against        " + 2 * "   wins   draws   loses      ",
    ]
    for name, sides in known["against"].items():
        shares = [
            "".join([f"{100 * share:6.2f}% " for share in sides[side].values()])
            for side in SIDES
        ]
        label = "easy, uniform" if name == "easy" else name
        lines.append(f"{label:15}{shares[0]}      {shares[1]}")
    lines += [
        "",
        f"exploitability {known['exploitability']:.6f}: the mean of what a best "
        "response gains as X and as O",
        "",
    ]
    drawn = [_drawn(each, columns) for each in known["worst"]]
    if drawn:
        lines += ["What loses most, if play is perfect from there on; . is empty:", ""]
        lines += ["  ".join(row) for row in zip(*drawn, strict=True)]
    else:
        lines.append("Every move in the states that games lead to is best.")
    return "\n".join([line.rstrip() for line in lines])


def _drawn(state: dict[str, Any], columns: int) -> list[str]:
    """Return the rows of a board, and what is below it."""
    board, best = state["board"], state["optimal"]
    wrong = {cell: share for cell, share in state["plays"].items() if cell not in best}
    cell = max(wrong, key=wrong.__getitem__)
    better = f"better {','.join(map(str, best))}"
    while len(better) > 14:
        better = better.removesuffix("...").rpartition(",")[0] + "..."
    return [
        text[:14].ljust(14)
        for text in [
            *[
                " ".join(board[start : start + columns])
                for start in range(0, len(board), columns)
            ],
            f"{SIDES[state['turn']]} to move",
            f"plays {cell}: {100 * wrong[cell]:.0f}%",
            better,
            f"loses {state['regret']:.3f}",
        ]
    ]
