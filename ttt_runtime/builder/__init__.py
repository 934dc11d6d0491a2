"""Solve variants and write their tables; the runtime does without."""

import os

# The solver has threads of its own. Those of OpenBLAS, which NumPy starts when it is
# imported, wait in loops between two products: 4x4 took 6.1 s of CPU with them, 3.4
# without.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# NumPy asks for huge pages, for which the system may first have to clear up: after
# other work had filled the memory, 4x4 took 2.9 to 3.9 s of system time with them, 1.0
# to 1.4 without.
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
