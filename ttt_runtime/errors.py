"""Every error the package raises. All of them are a `TTTError`."""


class TTTError(Exception):
    """Base of all errors of this package."""


class TableError(TTTError):
    """Tables are missing, damaged, or of a version this release cannot read."""


class UnknownVariantError(TTTError, LookupError):
    """There are no tables for a rules variant of this name."""


class InvalidVariantError(TTTError, ValueError):
    """A grid or rules of somebody's own making cannot be solved."""


class InvalidBoardError(TTTError, ValueError):
    """A board or a turn is malformed, or the question makes no sense for it."""


class InvalidMoveError(TTTError, ValueError):
    """A move is not a place on the board, or the game does not allow it."""


class InvalidIndexError(TTTError, IndexError):
    """An index is not an integer from 0 to the number of states - 1."""


class JudgeInputError(TTTError, ValueError):
    """The text given to the judge is not a sequence of well-formed queries."""


class InvalidLevelError(TTTError, LookupError):
    """There is no level of play of this name."""


class InvalidSeedError(TTTError, ValueError):
    """A seed is not an integer from 0 to 2**32 - 1."""


class InvalidPolicyError(TTTError, ValueError):
    """A policy has another shape, or its chances or its move in a state are unsound."""


class InvalidExportError(TTTError, ValueError):
    """There is no such thing to export, or not to that target."""
