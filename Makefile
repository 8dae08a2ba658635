# Everything a person types: make run, make test, make check, make clients, make bench, make lint.

PYTHON ?= python3
# What is installed is named after what was asked for, so that a second `make run` does not even start pip.
ASKED := $(shell cat pyproject.toml config/constraints.txt | cksum | cut -d ' ' -f 1)
RUN := .venv/installed-run-$(ASKED)
DEV := .venv/installed-dev-$(ASKED)
PIP := .venv/bin/python -m pip --disable-pip-version-check install --quiet -c config/constraints.txt
CODE := $(wildcard config memory_app dashboard bench tests manage.py) clients/python/keepsake_client

# What a developer's loop tries: the rules, nlp, the layout, and the API's main ways.
CHECKED := tests/rules tests/nlp tests/test_structure.py $(wildcard $(addprefix tests/api/test_,\
  memories.py recall_context.py conversations.py forget.py requests_query.py))
PYTEST := .venv/bin/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

.PHONY: run test tests check checked clients bench lint chromium mcp-clients

run: $(RUN)
	@exec .venv/bin/python manage.py serve

# Types are checked beside the tests: that takes one core for a minute where nothing of it is cached.
test: $(DEV) chromium
	@$(MAKE) --no-print-directory --jobs 2 lint tests

tests: $(DEV)
	$(PYTEST)

check: $(DEV)
	@$(MAKE) --no-print-directory --jobs 2 lint checked

checked: $(DEV)
	$(PYTEST) $(CHECKED)

# The packages of others, as they are, against a server; from the package indexes of Python and npm.
clients:: $(DEV)
	.venv/bin/python -m tests.clients

bench: $(RUN)
	.venv/bin/python -m bench

lint: $(DEV)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy $(CODE)
	find templates dashboard -name '*.html' -exec .venv/bin/djade --check --target-version 5.2 {} +

# Torch comes first and by itself: any other way to ask for it may bring a newer one, with gigabytes for graphics cards.
$(RUN): .venv/bin/python
	@echo "Installing what Keepsake needs into .venv; this takes a few minutes, once …"
	@$(PIP) torch==2.13.0
	@$(PIP) --editable .
	@touch $@

$(DEV): $(RUN)
	@echo "Installing what the tests need …"
	@$(PIP) --editable '.[dev]'
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Keepsake needs Python 3.11 or newer, and '$(PYTHON)' is not: install it (Debian: apt-get install python3)," \
	       "or name another: make run PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python cannot make virtual environments here: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv .venv

# The stores, tools and sessions of the Python client, with the frameworks that they are for, in an environment of theirs.
clients:: $(DEV) .venv-clients/installed
	cd clients/python && ../../.venv-clients/bin/python -m pytest

.venv-clients/installed: clients/python/constraints.txt clients/python/pyproject.toml
	@$(PYTHON) -m venv .venv-clients
	@echo "Installing the frameworks that the Python client is tried with …"
	@.venv-clients/bin/python -m pip --disable-pip-version-check install --quiet -c clients/python/constraints.txt \
	  --editable 'clients/python[langgraph,anthropic,openai-agents,llamaindex]' pytest pytest-asyncio mypy
	.venv-clients/bin/mypy --strict --config-file= clients/python/keepsake_client
	@touch $@

# MCP's official clients of other generations than the tests use. Needs Node.
mcp-clients: $(RUN) .venv-mcp/installed
	.venv/bin/python -m clients.mcp.run

.venv-mcp/installed: clients/mcp/package.json
	@$(PYTHON) -m venv .venv-mcp
	@echo "Installing the clients of MCP …"
	@.venv-mcp/bin/python -m pip --disable-pip-version-check install --quiet mcp==1.30.0
	@cd clients/mcp && npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@

# The pages are tested in a real browser; without one the tests fail rather than pass over them. Chromium with its
# windows does as well, and takes four times as long.
chromium:
	@command -v chromium-headless-shell >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell \
	        >/dev/null; } \
	|| command -v chromium >/dev/null \
	|| { echo "The tests of the pages need Chromium: install it (Debian: apt-get install chromium-headless-shell)." >&2; exit 1; }
