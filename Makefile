PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check format extension-test editor-test clean

demo: $(STAMP)
	$(BIN)/python -m evals.demo

test: $(STAMP)
	$(BIN)/python -m pytest -n 2

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

extension-test:
	cd vscode-extension && npm ci --no-audit --no-fund && npm run check && npm test && npm run package

# Drives the extension in a real VS Code; needs Chromium, and fetches code-server.
editor-test: $(STAMP) extension-test
	cd vscode-extension && sh e2e/install.sh && npm run e2e

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "torch>=2.11,<2.14"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[serve,lsp,dev]"
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist *.egg-info
