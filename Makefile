# Two commands do everything: `make run` and `make test`. Nothing is installed outside .venv.
# Options: make run ARGS="--source demo --port 8080", make run PYTHON=python3.12

VENV := .venv
BIN := $(VENV)/bin
PYTHON :=
ARGS := --source demo
SHELL := /bin/sh

.PHONY: run test soak bench scenes emulator tv-browser clean

run: $(VENV)/.ready
	@$(BIN)/bobing run $(ARGS)

test: $(VENV)/.ready-to-test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadfile

# the button box on an emulated chip, for `bobing run --box emulated` and the bench
emulator:
	@mkdir -p build
	@$(MAKE) --silent --directory tests/firmware_bridge/emulator OUT=$(CURDIR)/build/box-emulator

# the browser of TV sets of 2020, Chromium 68, for the tests of the board on it: the last one in a package that carries it whole (MIT, BSD)
TV_BROWSER := chrome-aws-lambda@1.4.0
TV_BROWSER_SHA256 := 74400c3b5a93461afdaaef6ba27dd60513117322daac1381efe61e8a113aa8e9
tv-browser: build/tv-browser

build/tv-browser:
	@rm -rf build/tv-browser.part && mkdir -p build/tv-browser.part
	@cd build/tv-browser.part && npm pack --silent $(TV_BROWSER) >/dev/null && tar -xzf *.tgz
	@cd build/tv-browser.part && node -e "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync('package/bin/chromium-68.0.3419.0.br')))" > chromium
	@echo "$(TV_BROWSER_SHA256)  build/tv-browser.part/chromium" | sha256sum --check --quiet
	@chmod +x build/tv-browser.part/chromium && mv build/tv-browser.part/chromium $@ && rm -rf build/tv-browser.part

# every scene of the pages as a picture, docs/scenes (needs a browser, as the tests of the pages do)
scenes: $(VENV)/.ready-to-test
	BOBING_SCENES=docs/scenes $(BIN)/pytest tests/web_ui/test_scenes_in_a_browser.py tests/web_ui/test_operator_at_a_real_table.py tests/web_ui/test_for_everybody.py tests/web_ui/test_on_a_tv_of_2020.py

bench: $(VENV)/.ready
	@$(BIN)/bobing bench

# the tests of safety with their full counts: hours; make soak PART=0.05 does a twentieth; the figures stay in .venv
PART := 1
soak: $(VENV)/.ready-to-test
	@rm -f $(VENV)/soak.figures
	BOBING_SOAK=$(PART) BOBING_FIGURES=$(VENV)/soak.figures nice -n 10 $(BIN)/pytest -q --timeout=0 -p no:cacheprovider tests/safety
	@cat $(VENV)/soak.figures

clean:
	rm -rf $(VENV)

# the stamps are made last, so that an installation cut short is taken up again
$(VENV)/.ready: pyproject.toml $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.ready-to-test: pyproject.toml $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.ready

$(VENV)/.made:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  version=$$($(or $(PYTHON),python3) --version 2>/dev/null || echo missing); \
	  echo "Python 3.11 or newer is needed and $(or $(PYTHON),python3) is $$version: install it, then name it, as in: make $(or $(MAKECMDGOALS),run) PYTHON=python3.12" >&2; exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$found can't make environments yet: sudo apt-get install $$(basename "$$found")-venv" >&2; exit 1; \
	fi; \
	"$$found" -m venv $(VENV)
	@touch $@
