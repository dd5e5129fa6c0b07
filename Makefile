# Everything runs in .venv, which the targets set up by themselves (Python 3.11 or later, GNU make).
#
#   make demo      a duplicate tournament of four agents on real deals, with a report
#   make test      all checks: style, types, import layers, tests, notebooks
#   make help      the other targets

PYTHON ?= python3
WORKERS ?= 2
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
TORCH := $(shell grep '^torch==' constraints.txt)

# What the coverage run measures (kernels as plain Python), and the tests it runs.
COVER_MODULES ?= $(addprefix skatai.,cards seats contract rules auction scoring deal game view actions) \
	$(addprefix skatai.kernels.,bits rng tables action_ids state settle moves events observe entry rollouts)
COVER_TESTS ?= $(addsuffix .py,$(addprefix tests/test_,cards seats contract rules auction scoring deal game view actions \
	agent errors traps) $(addprefix tests/kernels/test_,bits rng tables moves settle events observe entry rollouts))

NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
DOCTESTED := $(wildcard README.md) skatai agents/skatai_agents

# Tools keep their files here, so that nothing depends on a writable home folder.
export MPLCONFIGDIR := $(CURDIR)/$(VENV)/cache/matplotlib
export IPYTHONDIR := $(CURDIR)/$(VENV)/cache/ipython
export JUPYTER_RUNTIME_DIR := $(CURDIR)/$(VENV)/cache/jupyter
export JUPYTER_CONFIG_DIR := $(CURDIR)/$(VENV)/cache/jupyter-config
export MPLBACKEND ?= agg
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export RAY_USAGE_STATS_ENABLED := 0

PIP := $(BIN)/python -m pip install --quiet
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS)

WHOLE := --doctest-modules --doctest-glob=README.md --nbmake tests $(NOTEBOOKS) $(DOCTESTED)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install demo test test-all lint format bench coverage constraints clean

help:
	@echo 'make demo        a duplicate tournament of four agents on real deals, with a report'
	@echo 'make test        style, types, import layers, tests, notebooks'
	@echo 'make test-all    the same with the slow tests'
	@echo 'make lint        style, types, import layers only'
	@echo 'make format      put the sources into the common form'
	@echo 'make bench       benchmarks'
	@echo 'make coverage    branch coverage of the rules, kernels run as plain Python'
	@echo 'make install     only set up $(VENV)'
	@echo 'make constraints write the installed versions to constraints.txt'
	@echo 'make clean       remove caches and build products ($(VENV) stays)'

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "skatai needs Python 3.11 or later; '$(PYTHON)' is not that: $$($(PYTHON) --version 2>&1 | tail -n 1)." >&2; \
		echo "Name another one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; \
		exit 1; }
	@echo 'Setting up $(VENV) (once; some minutes) …'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@# PyTorch first and alone: this keeps whichever build (CPU or CUDA) the installer is configured to prefer.
	@$(PIP) '$(TORCH)'
	@$(PIP) --constraint constraints.txt --editable '.[all]'
	@mkdir -p $(VENV)/cache
	@touch $@

demo: $(INSTALLED)
	@$(BIN)/skatai demo

test: lint
	@$(PYTEST) $(PYTEST_ARGS) $(WHOLE)

test-all: lint
	@$(PYTEST) -m '' $(PYTEST_ARGS) $(WHOLE)

lint: $(INSTALLED)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo
ifneq ($(NOTEBOOKS),)
	@$(BIN)/nbstripout --verify $(NOTEBOOKS)
endif

format: $(INSTALLED)
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .
ifneq ($(NOTEBOOKS),)
	@$(BIN)/nbstripout $(NOTEBOOKS)
endif

bench: $(INSTALLED)
	@for file in $(sort $(wildcard benchmarks/bench_*.py)); do echo "== $$file"; $(BIN)/python $$file || exit 1; done

coverage: $(INSTALLED)
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -m 'not slow and not jit' $(addprefix --cov=,$(COVER_MODULES)) --cov-branch \
		--cov-report=term-missing $(PYTEST_ARGS) $(COVER_TESTS)

constraints: $(INSTALLED)
	@{ head -n 1 constraints.txt; $(BIN)/python -m pip list --format=freeze --exclude-editable \
		| grep -v '^pip==' | sed 's/+[a-z0-9.]*$$//'; } > $(VENV)/constraints.new
	@mv $(VENV)/constraints.new constraints.txt

clean:
	@rm -rf build dist ./*.egg-info agents/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache \
		.hypothesis .coverage .coverage.* htmlcov
	@find . \( -path ./$(VENV) -o -path ./.git \) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
