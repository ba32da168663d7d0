# Everything a person or a CI run does here. Each target does its own set-up; nothing is installed outside .venv.
# Needs Python 3.11 or newer, make, and a package index that pip knows.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11
NEW_ENOUGH := import sys; raise SystemExit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in $(CANDIDATES); do if "$$p" -c "$(NEW_ENOUGH)" >/dev/null 2>&1; then echo "$$p"; break; fi; done)
UV ?= uv

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
DISTRIBUTIONS := runtime generated generator

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS=$$'\t' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

.PHONY: setup
setup: $(VENV)/.ready ## Build .venv from the lock and install the three distributions into it, editable

# The lock is installed with hashes and from wheels only, so no unpinned build tool is fetched on the way.
$(VENV)/.locked: requirements.lock
	@if [ -z "$(PYTHON)" ]; then echo "Placet needs Python 3.11 or newer: none of '$(CANDIDATES)' is. Install one, or name it: make setup PYTHON=/path/to/python" >&2; exit 1; fi
	@"$(PYTHON)" -c "$(NEW_ENOUGH)" || { echo "Placet needs Python 3.11 or newer, and '$(PYTHON)' is not: $$("$(PYTHON)" --version 2>&1 || true). Name another: make setup PYTHON=/path/to/python" >&2; exit 1; }
	@echo "setting up $(VENV) (a minute or two, once)"
	@"$(PYTHON)" -m venv --clear $(VENV) || { echo "'$(PYTHON)' has no working venv module; install it (on Debian: python3-venv) and run again" >&2; exit 1; }
	@$(PIP) install --require-hashes --only-binary :all: -r requirements.lock
	@touch $@

$(VENV)/.ready: $(VENV)/.locked $(DISTRIBUTIONS:%=%/pyproject.toml)
	@$(PIP) install --no-deps --no-build-isolation $(DISTRIBUTIONS:%=-e %)
	@touch $@

.PHONY: generate
generate: setup ## Compile curation/ into generated/ and golden/feishu/
	@$(BIN)/placet build

.PHONY: check
check: setup ## Drift, import directions, lint and types; what CI runs
	@$(BIN)/placet check --full
	@$(MAKE) lint types

.PHONY: test
test: setup ## Run all tests; fails under the committed floor and on a skip that is not listed
	@$(BIN)/python -m pytest --floor

.PHONY: demo
demo: setup ## Check the surface, then talk to an agent on a loopback platform; YES=1 says yes to its write
	@$(BIN)/placet build
	@$(BIN)/placet demo $(if $(YES),--yes)

.PHONY: lint
lint: setup ## Import directions, ruff's rules and ruff's format
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

.PHONY: types
types: setup ## mypy --strict over hand-written and generated code and the tests
	@$(BIN)/mypy

.PHONY: bench
bench: setup ## Measure the ratios of the design in one run
	@$(BIN)/python -m tests.bench

.PHONY: golden-update
golden-update: setup ## Write the golden cases anew; read the diff before you commit it
	@$(BIN)/python -m pytest tests/generator --snapshot-update

.PHONY: lock
lock: ## Resolve requirements*.in into requirements*.lock (needs uv)
	@for name in requirements requirements-bench; do \
		$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header --output-file $$name.lock $$name.in; \
	done

.PHONY: clean
clean: ## Remove .venv and every cache
	@rm -rf $(VENV) .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find runtime generator generated tests -type d \( -name __pycache__ -o -name '.*_cache' \) -prune -exec rm -rf {} +
