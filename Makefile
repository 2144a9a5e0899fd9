PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DOCS_STAMP := $(VENV)/.installed-docs

.PHONY: demo test test-all check package kernels gpu format report docs model pages pages-check extension-test editor-tools editor-test clean

demo: $(STAMP)
	sh examples/demo.sh $(BIN)

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

# With the slow tests, and four times the examples of every property.
test-all: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal --hypothesis-profile thorough

# All but the log, which is a notebook, and the generated benchmarks.
PROSE = README.md CONTRIBUTING.md $(filter-out docs/log.md docs/benchmarks.md,$(wildcard docs/*.md))
check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/proselint --config .proselintrc.json check $(PROSE)

# Wheel and sdist into dist/; the wheel is installed into an empty environment and run there, which takes minutes.
package:
	PYTHON=$(PYTHON) sh tests/package.sh

# What can be said of the kernels without a GPU: every launch compiled for real ones, and how evenly work is cut.
kernels: $(STAMP)
	$(BIN)/python -W ignore -m evals.kernels --compile
	$(BIN)/python -m evals.gpu_plan

# Where a GPU is: does everything run, is it right, how fast is it? Before anything longer; within nine minutes in all.
# Each step leaves its JSON in GPU_OUT, and one that fails does not keep the next from running.
GPU_OUT ?= evals/results/gpu
GPU_TESTS = tests/kernels tests/decode/test_device.py tests/decode/test_exact.py tests/decode/test_rejection_kernel.py
gpu: $(STAMP)
	PYTHON=$(BIN)/python sh evals/gpu.sh $(GPU_OUT) $(GPU_TESTS)

# An embedded model from its sources into the package, in MINUTES of training; interrupted, it goes on where it stood.
MINUTES ?= 600
SIZE ?= nano
WEIGHTS = fastedit/model/weights/$(SIZE)
EDITS := --edits evals/data/edits-train.jsonl.gz --edits evals/data/languages-train.jsonl.gz
model: $(STAMP)
	test -f runs/corpus.jsonl.gz || $(BIN)/python -m fastedit.train corpus
	$(BIN)/python -m evals.edits build
	$(BIN)/python -m fastedit.train tokenizer --run $(SIZE)
	$(BIN)/python -m fastedit.train train --size $(SIZE) --run $(SIZE) --minutes $(MINUTES) $(EDITS) --compile
	$(BIN)/python -m fastedit.train export --run $(SIZE) --out $(WEIGHTS) --int8
	$(BIN)/python -m evals.calibration --model $(WEIGHTS) --write
	$(BIN)/python -m fastedit.train card --weights $(WEIGHTS) --run $(SIZE) $(EDITS)

# The scripts of the server's pages, from web/ into fastedit/serve/static/bundle; `pages-check` compares them byte for byte.
pages:
	cd web && npm ci --no-audit --no-fund && npm run build

pages-check:
	cd web && npm ci --no-audit --no-fund && npm run check

extension-test:
	cd vscode-extension && npm ci --no-audit --no-fund && npm run check && npm test && npm run package

# The editors that tests drive: Neovim, Emacs and Chromium from Debian (as root, or installed already), and code-server.
editor-tools:
	sh editors/install.sh
	cd vscode-extension && sh e2e/install.sh

# Drives the extension in a real VS Code, and the modules for Neovim and Emacs in theirs.
editor-test: $(STAMP) editor-tools extension-test
	$(BIN)/python -m pytest -q tests/lsp/test_neovim.py tests/lsp/test_emacs.py
	cd vscode-extension && npm run e2e

# docs/benchmarks.md and the README's figures, from the records in evals/results alone.
report: $(STAMP)
	$(BIN)/python -m evals.report

# The documentation as a site, in build/site.
docs: $(DOCS_STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "torch>=2.11,<2.14"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $(STAMP)

$(DOCS_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $(DOCS_STAMP)

clean:
	rm -rf $(VENV) build dist *.egg-info
