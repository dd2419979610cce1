# Every command of the project. Needs Python 3.11 or newer and make; it sets up the rest itself.
# A command that needs an environment makes it first, from the lock files, and again when they change.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup core core-if-possible play test test-install check format bench bench-server bench-browser soak soak-core \
	screenshots generate browser lock dist dist-core bundle clean

# The system's own first: distributions build theirs with profile-guided optimisation. One that was built
# on the spot mostly is not, and then all of this is a sixth slower.
VERSIONS := python3.13 python3.12 python3.11
PYTHONS := $(PYTHON) $(addprefix /usr/bin/,$(VERSIONS)) $(VERSIONS) python3
UV_VERSION := 0.13.7
BIN := .venv/bin
TYPED := $(wildcard src tests bench hatch_build.py)
CLIENT := src/fathom/server/client/index.html
CORE_SOURCES := $(shell find core -path core/build -prune -o -name __pycache__ -prune -o -type f -print)
WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -path web/src/words/gen -prune -o \
	-path web/project.inlang -prune -o -type f -print) web/project.inlang/settings.json

help: ## list every command
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/ready ## make the environment in .venv (the other commands do it themselves)

core: .venv/core-ready ## build the fast core (optional, C++) into .venv

play: .venv/ready $(CLIENT) ## play in the browser (options: make play ARGS="--help")
	@$(BIN)/fathom serve --open --host 0.0.0.0 --announce $(ARGS)

test: .venv/ready core-if-possible $(CLIENT) browser ## check everything: format, lint, types, all tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(TYPED)
	cd web && $(NPM) run check && $(NPM) test && $(NPM) run budget
	$(BIN)/pytest -n 2 --hypothesis-profile=ci $(ARGS)

test-install: .venv/ready .venv-lock/ready bundle ## install and play in every way: git, uvx, pipx, container, single file
	$(BIN)/pytest -m install tests/install --durations=0 $(ARGS)

check: .venv/ready ## check what is fast to check, while working: all but the slow tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(TYPED)
	$(BIN)/pytest -n 2 -m "not slow" $(ARGS)

format: .venv/ready ## format the code and mend what the linter can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: .venv-bench/ready ## measure the project and its peers, side by side
	@if $(call can_build_core,.venv-bench); then $(MAKE) --no-print-directory .venv-bench/core-ready; fi
	.venv-bench/bin/python -m bench $(ARGS)

bench-server: .venv/ready ## load a server with real sockets (PEERS=1: and its peers; LOG=postgresql)
	$(BIN)/python -m bench.server $(if $(PEERS),--peers) $(if $(LOG),--log $(LOG)) $(ARGS)

bench-browser: .venv/ready $(CLIENT) browser ## measure how soon orders are on the screen, and how smoothly it moves
	$(BIN)/python -m bench.browser $(ARGS)

soak: .venv/ready ## what takes long: hostile messages, hard kills, all faults, ten thousand games of bots
	$(BIN)/python -m tests.server.soak $(ARGS)
	$(BIN)/fathom arena --soak 10000

soak-core: .venv/core-ready ## the fast core against the Python engine, in very many games (ARGS="--games 10000000")
	$(BIN)/python -m tests.core.soak $(ARGS)

screenshots: .venv/ready $(CLIENT) browser ## take the pictures of the README anew
	$(BIN)/python -m tests.e2e.screenshots

generate: .venv/ready ## write anew what is made from the code: the client's types and fixtures, pages of docs
	$(BIN)/python -m fathom.server.typescript > web/src/wire.ts
	$(BIN)/python -m fathom.server.protocol_page
	$(BIN)/fathom rules --markdown > docs/rules.md
	$(BIN)/python -m fathom.core.header
	$(BIN)/python -m tests.server.folds

lock: .venv-lock/ready ## write the lock files anew (make lock UPGRADE=1 takes the newest versions)
	$(COMPILE) pyproject.toml --output-file requirements.txt
	$(COMPILE) pyproject.toml --extra lab --group dev --constraints requirements.txt --output-file requirements-dev.txt
	$(COMPILE) pyproject.toml --group bundle --constraints requirements.txt --output-file requirements-bundle.txt

# All times in the archives are that of the last commit, so the same commit gives the same bytes.
dist bundle: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1580601600)

dist: .venv/ready $(CLIENT) ## build the wheel and the source archive, with the browser's client in them, into dist
	@rm -rf dist
	$(BIN)/python -m hatchling build -d dist

bundle: dist .venv-bundle/ready ## build the single-file program, for machines without Python, into dist
	@.venv-bundle/bin/python -m pip install $(PIP_OPTIONS) --no-index --no-deps --force-reinstall dist/*.whl
	@.venv-bundle/bin/python -m PyInstaller --noconfirm --log-level WARN \
		--distpath dist --workpath build/bundle bundle/fathom.spec
	@ls -lh dist/fathom* | grep -v "whl\|tar.gz"

dist-core: .venv/ready ## build the fast core's wheel, for this kind of machine, into dist
	$(BIN)/python -m pip wheel $(PIP_OPTIONS) --no-index --no-deps --no-build-isolation --wheel-dir dist ./core

clean: ## remove the environments, caches and builds
	rm -rf .venv .venv-bench .venv-bundle .venv-lock .venv-node .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf build dist core/build web/node_modules web/dist src/fathom/server/client
	find . -name node_modules -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------------------------------------
# Environments. The file `ready` in each is as new as its last complete set-up.

.venv/ready: requirements-dev.txt pyproject.toml
	@$(call make_venv,.venv)
	@$(call install,.venv,-r requirements-dev.txt)
	@$(call install_fathom,.venv)
	@touch $@

.venv-bench/ready: requirements-dev.txt pyproject.toml $(wildcard bench/requirements.txt)
	@$(call make_venv,.venv-bench)
	@$(call install,.venv-bench,-r requirements-dev.txt)
	@$(call install,.venv-bench,-r bench/requirements.txt)
	@$(call install_fathom,.venv-bench)
	@touch $@

.venv-bundle/ready: requirements-bundle.txt pyproject.toml
	@$(call make_venv,.venv-bundle)
	@$(call install,.venv-bundle,-r requirements-bundle.txt)
	@touch $@

# The fast core. It needs a C++ compiler and Python's headers; all else comes from the lock.

%/core-ready: %/ready $(CORE_SOURCES)
	@$(call install_core,$*)
	@touch $@

# $(call can_build_core,folder): whether there is a compiler, and the headers of that environment's Python.
can_build_core = command -v "$${CXX:-c++}" >/dev/null && \
	$(1)/bin/python -c 'import sysconfig, pathlib, sys; \
		sys.exit(not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists())'

core-if-possible: .venv/ready
	@if $(call can_build_core,.venv); then \
		$(MAKE) --no-print-directory .venv/core-ready; \
	else \
		echo "There is no C++ compiler, or Python's headers are missing: the fast core is not built or tested."; \
		echo "To build it, install them (Debian, Ubuntu: sudo apt install g++ python3-dev)."; \
	fi

.venv-lock/ready: Makefile
	@$(call make_venv,.venv-lock)
	@$(call install,.venv-lock,uv==$(UV_VERSION))
	@touch $@

# The browser's client. Node comes from the machine, if it is new enough, or else from PyPI.

NODE_WHEEL := $(shell sed -n 's/^NODE_WHEEL = "\(.*\)"/\1/p' hatch_build.py)
NEW_ENOUGH := const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)
HAS_NODE := $(shell node -e '$(NEW_ENOUGH)' >/dev/null 2>&1 && npm --version >/dev/null 2>&1 && echo yes)
NPM := $(if $(HAS_NODE),npm,PATH="$(CURDIR)/.venv-node/bin:$$PATH" npm)

.venv-node/ready: Makefile
	@$(call make_venv,.venv-node)
	@$(call install,.venv-node,$(NODE_WHEEL))
	@touch $@

web/node_modules/ready: web/package-lock.json $(if $(HAS_NODE),,.venv-node/ready)
	@echo "Fetching what the browser's client is built with. This takes a minute, once."
	@cd web && $(NPM) ci --no-audit --no-fund --loglevel=error || { \
		echo "npm could not fetch it; the lines above say why." >&2; \
		echo "If the network is out of reach, connect and run make again." >&2; \
		exit 1; \
	}
	@touch $@

$(CLIENT): web/node_modules/ready $(WEB_SOURCES)
	@touch web/node_modules/started
	@cd web && $(NPM) run --silent build
	@rm -rf $(@D) && cp -r web/dist $(@D)
	@# What is saved during the build is not in it; but these settings the build itself writes again.
	@touch -r web/node_modules/started $@ web/project.inlang/settings.json

# The browser that tests play in: Chromium as it is installed, or Debian's where we may install it.

BROWSERS := chromium chromium-browser google-chrome google-chrome-stable
HAS_BROWSER := $(FATHOM_NO_BROWSER)$(FATHOM_CHROMIUM)$(firstword $(foreach name,$(BROWSERS),$(shell command -v $(name))))

browser:
ifeq ($(HAS_BROWSER),)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium, which the browser tests play in. This takes a minute, once."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			chromium fonts-dejavu fonts-liberation >/dev/null; \
	else \
		echo "The browser tests need Chromium. Install it (Debian, Ubuntu: sudo apt install chromium)," >&2; \
		echo "say where it is with FATHOM_CHROMIUM=/path, or leave them out with FATHOM_NO_BROWSER=1." >&2; \
		exit 1; \
	fi
endif

# Locks hold for every platform and every Python we support, and name no index.
COMPILE = .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

PIP_OPTIONS := --quiet --no-input --disable-pip-version-check

# $(call make_venv,folder): an environment with the first Python that is new and complete enough.
# A name on the PATH may be a stand-in that does not run, so each is tried.
define make_venv
	if $(1)/bin/python -m pip --version >/dev/null 2>&1; then exit 0; fi; \
	incomplete=; \
	for python in $(PYTHONS); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
		if "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
			echo "Setting up $(1) with $$("$$python" --version). This takes a minute, once."; \
			"$$python" -m venv --clear $(1) && exit 0; \
			echo "The environment $(1) could not be made; the lines above say why." >&2; \
			exit 1; \
		fi; \
		incomplete=$$python; \
	done; \
	if [ -n "$$incomplete" ]; then \
		echo "$$incomplete has no venv or ensurepip module, so no environment can be made." >&2; \
		echo "On Debian and Ubuntu: sudo apt install python3-venv. Then run make again." >&2; \
	else \
		echo "Fathom needs Python 3.11 or newer, and none of these is one: $(strip $(PYTHONS))." >&2; \
		echo "Install one, or name yours: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
	fi; \
	exit 1
endef

# $(call install,folder,what)
define install
	$(1)/bin/python -m pip install $(PIP_OPTIONS) $(2) || { \
		echo "pip could not install $(subst -r ,what is in ,$(2)); the lines above say why." >&2; \
		echo "If the network is out of reach, connect and run make again: it goes on from here." >&2; \
		echo "Behind a mirror or proxy, tell pip first: PIP_INDEX_URL, PIP_PROXY, PIP_CERT." >&2; \
		exit 1; \
	}
endef

# $(call install_fathom,folder): linked to src, built by the locked backend; needs no network.
define install_fathom
	$(1)/bin/python -m pip install $(PIP_OPTIONS) --no-index --no-deps --no-build-isolation -e . || { \
		echo "Fathom itself could not be installed into $(1); the lines above say why." >&2; \
		echo "If nothing there helps, start afresh: make clean, then make again." >&2; \
		exit 1; \
	}
endef

# $(call install_core,folder): built by the locked backend; needs no network.
define install_core
	echo "Building the fast core. This takes half a minute."; \
	$(1)/bin/python -m pip install $(PIP_OPTIONS) --no-index --no-deps --no-build-isolation --force-reinstall ./core || { \
		echo "The fast core could not be built; the lines above say why." >&2; \
		echo "It needs a C++ compiler and Python's headers (Debian, Ubuntu: sudo apt install g++ python3-dev)." >&2; \
		exit 1; \
	}
endef
