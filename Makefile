# make demo  sets everything up and runs the main job
# make test  sets everything up and runs lint, types, layers and every test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Names the lock and the interpreter, so that a changed lock or another Python installs again and nothing else does.
STAMP := $(VENV)/.installed
FAULTS_SECONDS ?= 900
OKF_VENV := .venv-okf
OKF := $(OKF_VENV)/bin/okf-parser

.PHONY: demo test lint types layers unit integration acceptance test-agents test-faults test-web test-okf chromium bench clean

demo: $(STAMP)
	$(BIN)/limbeck demo

test: lint types layers
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports --no-logo

unit integration acceptance: $(STAMP)
	$(BIN)/pytest tests/$@

test-agents: $(STAMP)
	$(BIN)/pytest tests/agents/real_*.py

test-faults: $(STAMP)
	FAULTS_SECONDS=$(FAULTS_SECONDS) $(BIN)/pytest -s tests/faults/long.py

# An independent reader of the format, in an environment of its own; it also runs where its metadata asks for 3.12.
test-okf: $(STAMP) $(OKF)
	OKF_PARSER=$(OKF) $(BIN)/pytest tests/okf/validated.py

$(OKF):
	rm -rf $(OKF_VENV) && $(PYTHON) -m venv $(OKF_VENV)
	$(OKF_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --ignore-requires-python \
	  'okf-parser==0.48.2'

test-web: $(STAMP) chromium
	$(BIN)/pytest tests/web/browser_*.py

# A browser of the system's: installed where we may, and said where we may not.
chromium:
	@command -v chromium chromium-browser >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; } || \
	  { echo "test-web needs Chromium and may not install it here; install the package chromium, then run it again"; exit 1; }

bench: $(STAMP)
	$(BIN)/limbeck bench hook
	$(BIN)/limbeck bench redact
	$(BIN)/limbeck bench ingest

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "limbeck needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -c '' 2>/dev/null || \
	  { rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); }
	@echo "installing about $$(grep -c '^[a-z].*==' requirements.lock) packages into $(VENV): a minute or more, some on a slow line"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

clean:
	rm -rf $(VENV) $(OKF_VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
