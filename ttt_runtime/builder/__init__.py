"""Solve variants and write their tables; the runtime does without."""
