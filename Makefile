# The two commands of the README do all the set-up on a fresh machine: make demo, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= demo

.PHONY: demo test test-long lint types contracts check benchmarks clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/core.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt requirements-test.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r requirements-test.txt
	touch $@ $(VENV)/core.stamp

demo: $(VENV)/core.stamp
	$(BIN)/perimetry demo --out $(OUT)

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m "not long" -n 2 --dist worksteal

test-long: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m long --timeout 3600

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test.stamp
	$(BIN)/mypy

contracts: $(VENV)/test.stamp
	$(BIN)/lint-imports

check: lint types contracts test

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
