# Everything starts here: `make run` to try Workbench, `make test` before a commit.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
JOBS ?= 2

.PHONY: setup run test lint bench soak clean

setup:
	@$(PYTHON) packaging/set_up.py

run: setup
	@$(PY) packaging/run.py

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-cache

test: lint
	$(PY) -m pytest -n $(JOBS) --dist loadgroup -m "not soak"

bench: setup
	$(PY) -m tests.benchmarks

soak: setup
	$(PY) -m pytest -n $(JOBS) --dist loadgroup -m soak

clean:
	rm -rf $(VENV) .models demo .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
