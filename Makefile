# make demo: install what a build needs, build a small release, score baselines, write their leaderboard.
# make test: install every extra, then lint, type-check and test.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet --quiet --constraint constraints.txt
# The site is tested in a real browser: installed where we may, skipped with a loud reason where not.
BROWSER = command -v chromedriver >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& echo "Installing Chromium ..." && apt-get -qq update && apt-get -qq -y install chromium chromium-driver >/dev/null; } \
	|| echo "NO CHROMIUM: the browser tests will be skipped"
INPUTS = pyproject.toml constraints.txt Makefile

.PHONY: demo test lint types borders tests docs screenshots clean

demo: $(VENV)/.ready-build
	$(BIN)/hardfrost demo

test: lint types borders tests

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready-test
	$(BIN)/mypy

borders: $(VENV)/.ready-test
	$(BIN)/lint-imports

tests: $(VENV)/.ready-test
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto

docs: $(VENV)/.ready-test
	$(BIN)/python -m docs.generate

screenshots: $(VENV)/.ready-build
	$(BIN)/python -m docs.screenshots

clean:
	rm -rf $(VENV) demo dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# torch comes first, so that nothing else chooses another version of it.
$(VENV)/.ready-torch: constraints.txt
	@echo "Creating $(VENV) and installing torch ..."
	$(PYTHON) -m venv $(VENV)
	$(PIP) pip
	$(PIP) torch
	@touch $@

$(VENV)/.ready-build: $(VENV)/.ready-torch $(INPUTS)
	@echo "Installing Hardfrost with what a build needs ..."
	$(PIP) --editable .[build]
	@touch $@

$(VENV)/.ready-test: $(VENV)/.ready-build $(INPUTS)
	@echo "Installing every extra and the tools that check ..."
	$(PIP) --editable .[build,textattack,ray,croissant] --group dev
	$(BIN)/python -m pip --disable-pip-version-check check
	@$(BROWSER)
	@touch $@
