"""Solve variants and write their tables; the runtime does without."""

import os

# The solver has threads of its own. Those of OpenBLAS, which NumPy starts when it is
# imported, wait in loops between two products: 4x4 took 6.1 s of CPU with them, 3.4
# without.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
