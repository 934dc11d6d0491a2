# `make` starts from nothing but Python and make: it sets everything up, builds and checks
# the tables, and answers a contest file.

PYTHON ?= python3
BIN = .venv/bin
READY = .venv/ready
QUERIES = tests/data/situation-40000.txt

# Any Python can run this, also 2.7.
VERSION = import sys; print('%d.%d.%d' % sys.version_info[:3]); sys.exit(sys.version_info < (3, 11))

# The first line that pip writes into ttt-judge does not start in a path with a space. sh
# starts in any, and to Python its lines are a text; but it takes a millisecond.
START_THROUGH_SH = cd $(BIN) && sed 1d ttt-judge > rest && printf '%s\n' '\#!/bin/sh' \
	"'''exec' \"\$${0%/*}/python\" \"\$$0\" \"\$$@\"" "' '''" | cat - rest > ttt-judge && rm rest

define INSTALL
$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(1)]'
	@case "$$PWD" in *' '*) $(START_THROUGH_SH) ;; esac
endef

all: tables check-tables demo ## set up, build and check the tables, answer a contest file

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' Makefile

# The tables are written before they are checked, and both before they answer.
.NOTPARALLEL:

# The scripts in a .venv name its place: one that was moved, or has lost its Python, is
# made anew.
ifneq ($(shell test -x $(BIN)/python && cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

$(READY): pyproject.toml ttt_runtime/judge/ttt-judge
	@version=$$($(PYTHON) -c "$(VERSION)") || { echo "make: $(PYTHON) is $${version:-missing};" \
	    "ttt-runtime needs 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(call INSTALL,dev)
	pwd -P >$@

tables: $(READY) ## build tables/ and tests/vectors/
	$(BIN)/python build_tables.py
	$(BIN)/python tests/build_vectors.py

check-tables: $(READY) ## compare them with what a build writes
	$(BIN)/python build_tables.py --check
	$(BIN)/python tests/build_vectors.py --check

demo: $(READY) ## answer a contest file of 40,000 queries
	$(BIN)/python benchmarks/demo.py $(QUERIES)

test: $(READY) ## run what every change should be checked against
	$(BIN)/python -m pytest -n auto --ignore=tests/slow

test-all: $(READY) ## run all tests: also damage, interruption, other tools
	$(BIN)/python -m pytest -n auto

exhaustive: $(READY) ## damage each byte of each file, make 20 times as many inputs
	TTT_EXHAUSTIVE=1 $(BIN)/python -m pytest -n auto tests/slow/test_damage.py tests/slow/test_hostile.py tests/slow/test_policies.py

coverage: $(READY) ## measure which lines of the package the tests run
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --ignore=tests/slow
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

mutants: $(READY) ## change the core in small ways and see the tests notice
	$(call INSTALL,mutants)
	$(BIN)/python tests/mutants.py

fuzz: $(READY) ## give the judge hostile input for ten minutes
	$(call INSTALL,fuzz)
	$(BIN)/python -m tests.fuzz.fuzz_judge 600

bench: $(READY) ## measure everything, write benchmarks/README.md
	$(call INSTALL,bench)
	$(BIN)/python benchmarks/whole_process.py --write
	$(BIN)/python benchmarks/problems.py --write
	$(BIN)/python benchmarks/lookups.py --write
	$(BIN)/python benchmarks/arrays.py --write
	$(BIN)/python benchmarks/sizes.py --write
	$(call INSTALL,proof)
	$(BIN)/python benchmarks/policies.py --write

bench-parquet: $(READY) ## measure the recipe for Parquet files
	$(call INSTALL,bench)
	$(call INSTALL,recipes)
	$(BIN)/python benchmarks/parquet.py --write

pictures: $(READY) ## draw docs/pictures/
	$(BIN)/ttt draw X...O...X --variant fastest -o docs/pictures/board.svg
	$(BIN)/ttt map --player X --variant fastest -o docs/pictures/map-x.svg
	$(BIN)/ttt review 0 1 4 2 8 --variant fastest -o docs/pictures/review.svg
	$(call INSTALL,recipes)
	$(BIN)/python docs/q_learning.py docs/pictures/q_learning.svg

web: ## put the web page together in clients/web/dist/
	sh clients/web/assemble.sh
	@echo "to open it: python3 -m http.server -d clients/web/dist"

lint: $(READY) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean: ## remove everything that make has made, but not the tables
	rm -rf .venv dist clients/c/build clients/web/dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: all help tables check-tables demo test test-all exhaustive coverage mutants fuzz bench bench-parquet pictures web lint clean
