"""Perfect 3x3 tic-tac-toe as a lookup table.

>>> import ttt_runtime
>>> ttt_runtime.best_move("XX.OO....")
2
>>> table = ttt_runtime.load("fastest")
>>> table.value("XX.OO...."), table.optimal_moves("XX.OO....")
(-5, (2,))
"""

from .boards import decode, encode, infer_turn, outcome
from .errors import (
    InvalidBoardError,
    InvalidIndexError,
    InvalidMoveError,
    JudgeInputError,
    TableError,
    TTTError,
    UnknownVariantError,
)
from .judge.situation import situation_score
from .opponent import best_move, play_against_ai
from .tables import Table, load, verify

__all__ = [
    "InvalidBoardError",
    "InvalidIndexError",
    "InvalidMoveError",
    "JudgeInputError",
    "TTTError",
    "Table",
    "TableError",
    "UnknownVariantError",
    "best_move",
    "decode",
    "encode",
    "infer_turn",
    "load",
    "outcome",
    "play_against_ai",
    "situation_score",
    "verify",
]

__version__ = "1.0.0"
