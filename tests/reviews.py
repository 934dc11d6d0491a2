"""Reviews of games, made from the oracle's values alone."""

from typing import Any

from tests import oracle


def name(rule: str, before: int, after: int) -> str:
    """Return the only name that fits the values before and after a move."""
    fitting = {
        "best": before == after,
        "gives up the win": before > 0 == after,
        "loses a draw": before == 0 > after,
        "loses a win": before > 0 > after,
        "slower win" if rule == "fastest" else "smaller win": before > after > 0,
        "quicker loss" if rule == "fastest" else "greater loss": 0 > before > after,
    }
    (found,) = [name for name, fits in fitting.items() if fits]
    return found


def judged(
    variant: str, board: str, turn: int, cell: int, number: int = 1
) -> dict[str, Any]:
    """Return what a review has to say of a move."""
    sign = (-1, 1)[turn]
    before = sign * oracle.value(variant, board, turn)
    after = sign * oracle.value(variant, oracle.play(board, turn, cell), 1 - turn)
    return {
        "number": number,
        "side": "XO"[turn],
        "board": board,
        "cell": cell,
        "before": before,
        "after": after,
        "best": oracle.best(variant, board, turn),
        "name": name(variant.partition("-")[0], before, after),
    }


def reviewed(
    variant: str, start: tuple[str, int], moves: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return what a review has to say of a game whose moves are judged."""
    board, turn = start
    for move in moves:
        board = oracle.play(board, "XO".index(move["side"]), move["cell"])
    result = "unfinished"
    if oracle.ended(variant, board):
        score = oracle.score(variant, board)
        result = "O wins" if score > 0 else "X wins" if score < 0 else "a draw"
    decided = None
    sides = {"X": {"moves": 0, "best": 0}, "O": {"moves": 0, "best": 0}}
    for move in moves:
        before, after = move["before"], move["after"]
        if (before > 0, before < 0) != (after > 0, after < 0):
            decided = move["number"]
        sides[move["side"]]["moves"] += 1
        sides[move["side"]]["best"] += move["cell"] in move["best"]
    return {
        "variant": variant,
        "board": start[0],
        "turn": turn,
        "moves": moves,
        "result": result,
        "decided": decided,
        "sides": sides,
    }
