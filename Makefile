# SPDX-License-Identifier: BSD-3-Clause
# The two commands: `make run` measures, `make test` tests. Each first sets up all it needs; a second time that is
# nothing. The work is done by `raddle` and by tests/run.py.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?= --quick

.DEFAULT_GOAL := help
.PHONY: help run test test-long twins conformance coverage programs results reference lint format setup clean
.DELETE_ON_ERROR:

help: ## print this
	@echo 'make TARGET   (run takes arguments: make run ARGS="msgrate --mpi mpich")'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup ## measure, and write a report
	@$(BIN)/raddle run $(ARGS)

test: setup $(VENV)/test.stamp ## run the tests: what depends on the MPI on all three, the rest once
	@$(BIN)/python tests/run.py

test-long: setup $(VENV)/test.stamp ## everything, on every MPI, and what takes long
	@$(BIN)/python tests/run.py --long

twins: setup $(VENV)/test.stamp ## small programs as processes and through Raddle, in all modes: what differs
	@$(BIN)/python -m tests.twins.run

conformance: setup ## run mpi4py's test suite with threads as ranks, and write docs/evidence/conformance.md
	@$(BIN)/python -m tests.conformance.run $(CONFORMANCE)

coverage: setup $(VENV)/test.stamp $(VENV)/coverage.stamp ## which lines the tests run, by folder; writes docs/evidence/coverage.md
	@$(BIN)/python tools/measure_coverage.py

programs: setup ## try programs that are not ours as ranks of threads, and write docs/evidence/programs.md
	@$(BIN)/python tools/programs $(PROGRAMS)
	@$(BIN)/python tools/write_tables.py docs/evidence/programs.md

results: setup ## make reports of the runs that docs/results keeps, in results/
	@$(BIN)/python tools/write_results.py

reference: setup ## make docs/use/reference.md, docs/use/command.md, the schema and the settings in raddle.h again from the sources
	@$(BIN)/python tools/write_reference.py

lint: $(VENV)/lint.stamp ## check format and style of all sources, and types
	@$(BIN)/python tools/lint.py

format: $(VENV)/lint.stamp ## bring all sources into format
	@$(BIN)/python tools/lint.py --fix

setup: $(VENV)/run.stamp ## install what `run` needs: an environment for Python, the MPIs
	@$(BIN)/raddle mpi install --quiet

clean: ## remove what was built; downloads and results stay
	rm -rf build $(VENV)

$(VENV)/run.stamp: pyproject.toml tools/bootstrap.py tools/machine.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Raddle needs Python 3.10 or newer; name one: make PYTHON=python3.12")'
	@$(PYTHON) tools/bootstrap.py $(VENV)
	@touch $@

$(VENV)/test.stamp $(VENV)/lint.stamp $(VENV)/coverage.stamp: $(VENV)/%.stamp: $(VENV)/run.stamp
	@$(PYTHON) tools/bootstrap.py $(VENV) $*
	@touch $@
