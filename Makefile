# What a contributor types. Needs python3 (3.11 or later), git and make; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PROJECTS ?= examples

.DEFAULT_GOAL := help
.PHONY: help demo test check format generate docs benchmark clean

help: ## List these targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(VENV)/installed ## Check the example project, and accept a good run and a forged one
	@rm -rf .demo && cp -R examples .demo && git init --quiet .demo
	cd .demo && ../$(BIN)/suiteguard check --exit-zero
	cd .demo && ../$(BIN)/suiteguard accept evidence/durable-run
	cd .demo && { ../$(BIN)/suiteguard accept evidence/durable-run-forged; [ $$? -eq 1 ]; }

test: $(VENV)/ready ## Run all tests
	$(BIN)/pytest --numprocesses auto

check: $(VENV)/ready ## The fast loop: format, lint, types, layers, generated files, tests of what changed
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/generate.py --check
	@tests=$$($(BIN)/python tools/changed_tests.py) && \
	if [ -n "$$tests" ]; then $(BIN)/pytest --quiet $$tests; else echo "nothing changed that a test mirrors"; fi

format: $(VENV)/ready ## Format, and mend what the linter can mend
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format

generate: $(VENV)/ready ## Write the rule table, the presets module, the rule pages, the schema and the hooks of pre-commit
	$(BIN)/python tools/generate.py

docs: $(VENV)/ready ## Build the site, into site/
	$(BIN)/zensical build --strict

benchmark: $(VENV)/ready ## Compare the speed with other tools on PROJECTS (default: the example project)
	@$(BIN)/python -m benchmarks $(PROJECTS)

clean: ## Remove the environment and what tools left behind
	rm -rf $(VENV) .demo .cache site build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1' # dependency groups came with 25.1
	$(PIP) install --editable '.[all]'
	@touch $@

$(VENV)/ready: $(VENV)/installed
	$(PIP) install --group dev
	@touch $@
