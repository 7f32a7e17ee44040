# The only command to learn. `make` alone lists the targets.
# No path below is absolute, so that a checkout may lie under a folder with spaces.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip
REPORTS := build/reports
PAGE := src/upheld/faces/server/page/static/index.html
WEB := $(wildcard web/*.json web/*.ts web/*.html web/build.py) $(shell find web/src web/public -type f 2>/dev/null) docs/reference/openapi.json
FIGURES := build/bench
BENCHMARKS := engine figure2 workloads epistemic labelling argumentation ledger serving memory words local installing
CHAT := examples/oven-chat.json
EXAMPLES := examples/support-chat.json examples/checkout-outage.json
CODE := .ci web/build.py web/picture.py src tests docs docs_src benchmarks evals training
# The folder with the older training text: operations-*.jsonl, stance-*.jsonl, lists-*.jsonl.
TEXT ?= $(UPHELD_SHARED)/data/training
# Annotated conversations on which the rule that weighs the network is fitted.
CONVERSATIONS ?= $(UPHELD_SHARED)/corpus/dev

# The theme announces its successor on every build.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.PHONY: help run test check audit bench models test-models page clients docs format clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: $(VENV)/.with-cli  ## Check three example conversations; the reports go to build/reports
	@mkdir -p $(REPORTS)
	@echo "A plain chat, read and checked by the small network of this project (no key, no language model):"; \
	status=0; $(BIN)/upheld check $(CHAT) --interpreter local --matching local --html $(REPORTS)/oven-chat.html || status=$$?; \
	if [ "$$status" -gt 1 ]; then echo "upheld check failed with status $$status" >&2; exit "$$status"; fi; \
	echo "Another, by cues and words alone, which is quicker, and an annotated incident:"; \
	status=0; $(BIN)/upheld check $(EXAMPLES) --html $(REPORTS) || status=$$?; \
	if [ "$$status" -gt 1 ]; then echo "upheld check failed with status $$status" >&2; exit "$$status"; fi; \
	if [ "$$status" -eq 1 ]; then \
		echo "upheld check ended with status 1, as it does when a reply is ungrounded: each example has one on purpose."; \
	fi; \
	echo "Open the pages in $(REPORTS) in a browser."
	@$(MAKE) --no-print-directory $(PAGE) >/dev/null || echo "The page of the service could not be built (see above); the service runs without it." >&2
	@echo "To look around, with a sample conversation to begin with: $(BIN)/upheld serve, and open http://127.0.0.1:8600"

test: $(VENV)/.with-dev  ## Run the tests
	@$(MAKE) --no-print-directory $(PAGE) || echo "The page could not be built: its tests are skipped." >&2
	$(BIN)/python -m pytest

check: $(VENV)/.with-dev  ## Format, lint, types, architecture, documentation, the page, known vulnerabilities
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(MAKE) docs
	$(MAKE) page
	$(MAKE) audit

audit: $(VENV)/.with-dev  ## Do the packages fit together, and has one of them a known vulnerability?
	$(PIP) check
	$(BIN)/python .ci/audit.py constraints.txt

bench: $(VENV)/.with-peers  ## Run the benchmarks beside other packages (about 700 MB): ratios, not milliseconds
	@mkdir -p $(FIGURES)
	@for name in $(BENCHMARKS); do \
		echo "== $$name"; \
		$(BIN)/python benchmarks/$$name.py --plot $(FIGURES)/$$name.svg || exit 1; \
	done

models: $(VENV)/.with-training  ## Train the small weights anew from TEXT=folder (hours on two cores; torch is large)
	$(BIN)/python -m upheld_training --text $(TEXT) --conversations $(CONVERSATIONS)

test-models: $(VENV)/.with-training $(VENV)/.with-dev  ## Test what trains them
	$(BIN)/python -m pytest training/tests

page: $(VENV)/.with-dev  ## Check and build the page of the service from web/ (its packages come from npm)
	$(BIN)/python web/build.py --check

$(PAGE): $(WEB) | $(VENV)/.with-cli
	$(BIN)/python web/build.py
	@touch $@

clients: $(VENV)/.with-dev  ## Write the description of the service anew, and build and test the client for TypeScript (needs npm)
	$(BIN)/python -m upheld.faces.service.description docs/reference/openapi.json
	$(BIN)/python -m pytest tests/faces/server/test_description.py tests/faces/server/test_typescript_client.py
	cd clients/typescript && npm install && npm run build

docs: $(VENV)/.with-dev  ## Build the site into build/site
	$(BIN)/mkdocs build --strict --site-dir build/site

format: $(VENV)/.with-dev  ## Format and sort what ruff can
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

clean:  ## Remove what was built, the environment included
	rm -rf $(VENV) build dist web/node_modules src/upheld/faces/server/page/static .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "upheld needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; \
		exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "no environment could be made; where venv is a package of its own, install it (python3-venv)" >&2; exit 1; }

# The stamps are order-only on the interpreter: its time changes with every system upgrade, the packages do not.
$(VENV)/.with-cli: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --disable-pip-version-check -c constraints.txt -e '.[cli,local,mcp,server]'
	@touch $@

$(VENV)/.with-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' -e evals
	@touch $@ $(VENV)/.with-cli

$(VENV)/.with-training: pyproject.toml constraints.txt training/pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' -e evals -e training
	@touch $@ $(VENV)/.with-dev $(VENV)/.with-cli

$(VENV)/.with-peers: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,peers]' -e evals
	@touch $@ $(VENV)/.with-dev $(VENV)/.with-cli
