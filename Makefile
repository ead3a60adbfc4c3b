# make demo: install what a build needs, build a small release, score baselines, write their leaderboard.
# make test: install every extra, then lint, type-check and test.
# make fuzz: give 100,000 spoilt inputs to the commands that read them, and 5,000 to the page that scores; takes
#   about three hours of processor time.
# make docs: write the generated pages, then build the site of the documentation into site-docs/.
# make releases: build, verify and pack every recipe whose data can be read, with cards and a list, into releases/, and put
#   demo into the package; DATA=FOLDER names local copies of data sets, WORKERS=N the processes.
# make clients: the Hub's tests with the pinned client and the newest, and the exports in the harnesses themselves.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet --quiet --constraint constraints.txt
# The site is tested in a real browser: installed where we may, skipped with a loud reason where not.
BROWSER = command -v chromedriver >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& echo "Installing Chromium ..." && apt-get -qq update && apt-get -qq -y install chromium chromium-driver >/dev/null; } \
	|| echo "NO CHROMIUM: the browser tests will be skipped"
# Clients whose pins clash with ours live apart; the tests ask them in processes of their own.
CLIENTS = .venv-clients
INPUTS = pyproject.toml constraints.txt Makefile

.PHONY: demo releases test lint types borders tests clients docs screenshots clean

demo: $(VENV)/.ready-build
	$(BIN)/hardfrost demo

releases: $(VENV)/.ready-build
	OMP_NUM_THREADS=1 $(BIN)/python -m data_cards.releases -o releases $(if $(DATA),--data $(DATA)) --workers $(or $(WORKERS),1)

test: lint types borders tests

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready-test
	$(BIN)/mypy

borders: $(VENV)/.ready-test
	$(BIN)/lint-imports

tests: $(VENV)/.ready-test
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --dist worksteal

clients: $(VENV)/.ready-test $(CLIENTS)/.ready
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto tests/hub
	OMP_NUM_THREADS=1 HARDFROST_HUB_PYTHON=$(CURDIR)/$(CLIENTS)/bin/python $(BIN)/pytest -n auto tests/hub
	OMP_NUM_THREADS=1 HARDFROST_HARNESS_PYTHON=$(CURDIR)/$(CLIENTS)/bin/python $(BIN)/pytest tests/evaluator/exporting

fuzz: $(VENV)/.ready-test
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.fuzz
	HARDFROST_SPOILT_FILES=5000 HARDFROST_SPOILT_SEED=8 $(BIN)/pytest -q -k spoilt_at_random tests/leaderboard/pages/test_scoring_in_node.py

docs: $(VENV)/.ready-test
	$(BIN)/python -m docs.generate
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

screenshots: $(VENV)/.ready-test
	$(BIN)/python -m docs.screenshots

clean:
	rm -rf $(VENV) $(CLIENTS) demo dist site-docs .mypy_cache .pytest_cache .ruff_cache .hypothesis

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
	$(PIP) --editable .[build,onnx,textattack,ray,croissant] --group dev --group docs
	$(BIN)/python -m pip --disable-pip-version-check check
	@$(BROWSER)
	@$(BIN)/python tests/leaderboard/axe.py
	@touch $@

$(CLIENTS)/.ready: pyproject.toml Makefile
	@echo "Installing the newest Hub client, lm-evaluation-harness and Inspect ..."
	$(PYTHON) -m venv $(CLIENTS)
	$(CLIENTS)/bin/python -m pip --disable-pip-version-check install --quiet --quiet --editable . \
		"huggingface_hub>=2" "datasets>=5" "lm-eval>=0.4.13" "inspect_ai>=0.3.285"
	@touch $@
