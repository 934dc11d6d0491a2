"""Answer a file of queries with ttt-judge; show the first answers and the time."""

import subprocess
import sys
import sysconfig
import time
from pathlib import Path

judge = Path(sysconfig.get_path("scripts"), "ttt-judge")
queries = sys.argv[1]
start = time.perf_counter()
command = [sys.executable, str(judge), queries]
judged = subprocess.run(command, stdout=subprocess.PIPE, check=True)
milliseconds = (time.perf_counter() - start) * 1e3
answers = judged.stdout.decode().split()
print(f"ttt-judge {queries}")
print(f"answers: {' '.join(answers[:12])} ...")
print(f"{len(answers):,} queries in {milliseconds:.0f} ms, the whole process")
