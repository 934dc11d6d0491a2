# `make` sets everything up, regenerates and checks the tables, and answers a contest
# file; `make test` runs every test. Both start from nothing but Python and make.

PYTHON ?= python3
BIN = .venv/bin
READY = .venv/ready
QUERIES = tests/data/situation-40000.txt

# The first line that pip writes into ttt-judge does not work if the path has a space.
# These three do, and mean nothing to Python; but sh takes time to start.
START_THROUGH_SH = cd $(BIN) && sed 1d ttt-judge > rest && printf '%s\n' '\#!/bin/sh' \
	"'''exec' \"\$${0%/*}/python\" \"\$$0\" \"\$$@\"" "' '''" | cat - rest > ttt-judge && rm rest

all: tables check-tables demo

# The tables are written before they are checked, and both before they answer.
.NOTPARALLEL:

$(READY): pyproject.toml ttt_runtime/judge/ttt-judge
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@case "$$PWD" in *' '*) $(START_THROUGH_SH) ;; esac
	touch $@

tables: $(READY)
	$(BIN)/python build_tables.py
	$(BIN)/python tests/build_vectors.py

check-tables: $(READY)
	$(BIN)/python build_tables.py --check
	$(BIN)/python tests/build_vectors.py --check

demo: $(READY)
	$(BIN)/python benchmarks/demo.py $(QUERIES)

test: $(READY)
	$(BIN)/python -m pytest -n auto --ignore=tests/slow

# The slow proofs: every byte damaged, interrupted builds, threads, other tools.
test-all: $(READY)
	$(BIN)/python -m pytest -n auto tests/slow

# What takes too long for every run: each byte of each file, many more hostile inputs.
exhaustive: $(READY)
	TTT_EXHAUSTIVE=1 $(BIN)/python -m pytest tests/test_damage.py tests/test_hostile.py

coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

mutants: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mutants]'
	$(BIN)/python tests/mutants.py

fuzz: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzz.fuzz_judge 600

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python benchmarks/whole_process.py --write
	$(BIN)/python benchmarks/problems.py --write
	$(BIN)/python benchmarks/lookups.py --write
	$(BIN)/python benchmarks/arrays.py --write

bench-parquet: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench,recipes]'
	$(BIN)/python benchmarks/parquet.py --write

pictures: $(READY)
	$(BIN)/ttt draw X...O...X --variant fastest -o docs/pictures/board.svg
	$(BIN)/ttt map --player X --variant fastest -o docs/pictures/map-x.svg

web:
	sh clients/web/assemble.sh

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv dist clients/c/build clients/web/dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: all tables check-tables demo test test-all exhaustive coverage mutants fuzz bench bench-parquet pictures web lint clean
