# SPDX-License-Identifier: Apache-2.0
# Start here: `make demo` and `make test` work on a fresh Debian 12. Each target installs what it needs, with apt and
# pip.

# The default is the Python whose headers and venv module apt installs. To use another one: make PYTHON=python3.13
PYTHON ?= /usr/bin/python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

BUILD_PACKAGES := g++ cmake ninja-build ccache pkg-config libsystemc-dev libboost-dev libyaml-cpp-dev catch2 \
                  zlib1g-dev liblzma-dev libzstd-dev python3-dev python3-venv
LINT_PACKAGES := clang-format clang-tidy
FUZZ_PACKAGES := clang libclang-rt-14-dev
BROWSER_PACKAGES := chromium
NBD_PACKAGES := fio libnbd-bin qemu-utils
DOCS_PACKAGES := graphviz plantuml
COSIM_PACKAGES := verilator iverilog yosys
WHEEL_PACKAGES := debootstrap
GUEST_PACKAGES := gcc make flex bison bc xz-utils busybox-static util-linux
# Programs that the documentation's examples run in guests
GUEST_PROGRAMS := e2fsprogs fio rocksdb-tools sqlite3 xfsprogs
# The sources of the guest's kernel: the first of these packages that this Debian has.
GUEST_SOURCES := linux-source-6.12 linux-source-6.1

# Duration of each fuzz target
SECONDS ?= 60

CPP_FILES = $(shell git ls-files '*.h' '*.cpp')

.DEFAULT_GOAL := build
.PHONY: build trained demo test browser nbd examples guest slow soak bench bench-instructions bench-growth lint format docs figures wheel wheel-check checks cosim sanitize sanitize-python sanitize-threads fuzz clean build-packages browser-packages nbd-packages lint-packages docs-packages fuzz-packages cosim-packages guest-packages wheel-packages

## build: the simulator and its Python package, in build/release and .venv
build: $(VENV)/ready build/release/build.ninja
	cmake --build --preset release --target nandscape_python

## trained: the same, optimised for the paths that a short run takes: faster, but twice the time to build
trained: build/profile
	cmake --preset trained
	cmake --build --preset trained

# A run of each kind: reads, a mix with suspended programs, cells with errors, and garbage collection.
build/profile: $(VENV)/ready $(shell git ls-files models platform)
	cmake --preset training
	cmake --build --preset training
	rm -rf build/profile
	build/training/tests/bench/bench_random_reads 100 30000 ideal
	build/training/tests/bench/bench_random_reads 70 30000 ideal
	build/training/tests/bench/bench_random_reads 100 30000 statistical
	build/training/tests/bench/bench_random_writes 10000
	touch build/profile

## demo: replay the recorded PostgreSQL trace; prints a table and draws demo/latency.png
demo: build
	mkdir -p demo
	$(BIN)/nandscape run default --trace scenarios/traces/pgbench.csv.zst --plot demo/latency.png
	@echo "The distribution of latencies is in demo/latency.png."

## test: all tests except the slow ones
test: $(VENV)/ready-dev build/release/build.ninja
	cmake --build --preset release
	ctest --preset release
	$(BIN)/pytest --numprocesses auto --dist loadfile

## slow: the tests that take minutes
slow: nbd-packages $(VENV)/ready-dev build/release/build.ninja
	cmake --build --preset release
	ctest --preset slow
	$(BIN)/pytest -m slow

## browser: the tests that open reports in headless Chromium; `make test` skips them without Chromium
browser: build browser-packages $(VENV)/ready-dev
	$(BIN)/pytest -m browser

## nbd: the tests and examples with clients of network block devices; `make test` skips those without their client
nbd: build nbd-packages $(VENV)/ready-dev
	$(BIN)/pytest -m "nbd and not slow"

## examples: install nandscape, move it, build examples/ against it, and run them
# A package must not contain its first location. A user of the lower blocks must not need the libraries of the platform.
examples: $(VENV)/ready build/release/build.ninja
	cmake --build --preset release --target nandscape_package
	rm -rf build/staged build/install
	cmake --install build/release --component development --prefix build/staged >build/install.log
	mv build/staged build/install
	cmake -S examples/die -B build/examples-alone -G Ninja -DCMAKE_PREFIX_PATH=$(CURDIR)/build/install \
	    $(foreach package,yaml-cpp Boost ZLIB LibLZMA,-DCMAKE_DISABLE_FIND_PACKAGE_$(package)=ON)
	cmake -S examples -B build/examples -G Ninja -DCMAKE_PREFIX_PATH=$(CURDIR)/build/install \
	    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
	cmake --build build/examples
	ctest --test-dir build/examples --output-on-failure

## wheel: a wheel for other Linux systems, build/wheel/*.whl, with SystemC and the other libraries it links
# auditwheel names the wheel after the oldest glibc that has all symbols. CXX is set because Python would name the
# compiler differently than CMake does, and ccache would then miss all files that `make build` compiled.
wheel: $(VENV)/ready-wheel build/profile
	rm -rf build/wheel build/linked-wheel
	CXX=c++ $(BIN)/pip wheel --quiet --no-deps --wheel-dir build/linked-wheel \
	    --config-settings=cmake.define.NANDSCAPE_PROFILE=$(CURDIR)/build/profile .
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/auditwheel repair --wheel-dir build/wheel build/linked-wheel/*.whl
	$(BIN)/python bindings/wheel/add_licences build/wheel/*.whl

## wheel-check: check that the wheel gives the same figures in a bare root of another Debian (SUITE=trixie) as here; needs
##              root or sudo
SUITE ?= trixie
wheel-check: build wheel wheel-packages
	rm -rf build/wheel-check
	$(BIN)/pip download --quiet --only-binary :all: --dest build/wheel-check/wheels build/wheel/*.whl pip
	tests/wheel/check $(BIN)/python build/wheel-check/wheels build/wheel-check $(SUITE)

## soak: random drives and operations beside a reference model, for SECONDS, from SEED; failures in build/soak
SEED ?= $(shell date +%s)
soak: $(VENV)/ready build/release/build.ninja
	cmake --build --preset release --target soak
	mkdir -p build/soak
	build/release/tests/soak/soak --seed $(SEED) --seconds $(SECONDS) --keep build/soak

## bench: speed and memory of the simulator on this machine, and instructions per page
bench: build
	$(BIN)/nandscape bench
	$(MAKE) --no-print-directory bench-instructions

## bench-instructions: instructions per simulated page, independent of the machine's load; needs valgrind
bench-instructions: $(VENV)/ready
	@if command -v valgrind >/dev/null; then \
	  cmake --preset counted && cmake --build --preset counted && \
	  tests/bench/count_instructions build/counted/tests/bench/bench_random_reads; \
	else \
	  echo "instructions per page: not counted, since valgrind is not installed"; \
	fi

## bench-growth: instructions per event over queue depth, dies, blocks and cache, which should not grow; takes minutes and needs valgrind
bench-growth: $(VENV)/ready
	cmake --preset counted && cmake --build --preset counted --target bench_growth
	tests/bench/count_growth build/counted/tests/bench/bench_growth

## guest: the kernel of Linux guests (`nandscape guest`), build/guest/linux, from a Debian source package; takes a quarter
##        of an hour once
guest: guest-packages
	@for source in $(GUEST_SOURCES); do \
	  [ ! -e /usr/src/$$source.tar.xz ] || exec nice platform/guest/build_kernel /usr/src/$$source.tar.xz build/guest; \
	done; echo "None of these packages could be installed: $(GUEST_SOURCES)" >&2; exit 1

## lint: format and static checks of C++ and Python
lint: lint-packages $(VENV)/ready-dev build/release/build.ninja
	clang-format --dry-run -Werror $(CPP_FILES)
	run-clang-tidy -quiet -p build/release -j $(shell nproc) '$(CURDIR)/(models|platform|bindings)/'
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

## format: format the files for `make lint`
format: lint-packages $(VENV)/ready-dev
	clang-format -i $(CPP_FILES)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

## docs: the documentation in HTML, build/docs/index.html; warnings are errors
# Builds from scratch, since unchanged pages would not warn again.
docs: build docs-packages $(VENV)/ready-docs
	rm -rf build/docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs
	@echo "The documentation is in build/docs/index.html."

## figures: renew the figures of the studies in the documentation (docs/_figures), or those of STUDIES; takes minutes
# Uses quick runs, as the tests do. A figure outside its tolerance or band stops the target after its study.
STUDIES ?= $(patsubst docs/_figures/%.json,%,$(wildcard docs/_figures/*.json))
figures: build
	mkdir -p build/figures
	set -e; for study in $(STUDIES); do \
	  nice $(BIN)/python scenarios/validation/$$study.py --quick --json docs/_figures/$$study.json --plot-folder build/figures; \
	done

# The picture in the README, which is committed.
docs/blocks.svg: docs/blocks.dot | docs-packages
	dot -Tsvg $< -o $@

## sanitize: the C++ tests with address and undefined-behaviour sanitizers
sanitize: build-packages
	cmake --preset sanitize
	cmake --build --preset sanitize
	ctest --preset sanitize

## sanitize-python: the Python tests, or those in TESTS, on the extension module with the same sanitizers
# The sanitizer library must be loaded before Python, and the C++ library with it, so that exceptions are intercepted.
# Leak checks are off, since Python itself does not free all memory at exit. A fault in our code ends the process.
TESTS ?=
sanitize-python: $(VENV)/ready-dev
	cmake --preset sanitize-python
	cmake --build --preset sanitize-python
	env LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	    PYTHONPATH=$(CURDIR)/build/sanitize-python/python $(BIN)/pytest $(TESTS)

## sanitize-threads: the C++ tests with several threads, with the thread sanitizer
sanitize-threads: build-packages
	cmake --preset sanitize-threads
	cmake --build --preset sanitize-threads
	ctest --preset sanitize-threads

## fuzz: feed random inputs to the readers of files, SECONDS=60 each, with the same sanitizers
fuzz: fuzz-packages
	cmake --preset fuzz
	cmake --build --preset fuzz
	tests/fuzz/run build/fuzz $(SECONDS)

## checks: the sanitizers and fuzz targets that build fast: those of the lowest blocks, and of the readers of text
CHECKED_UNITS := unit_core unit_protocol unit_channel
CHECKED_READERS := $(addprefix fuzz_,yaml $(addprefix trace_,msr spc ascii disksim fio blkparse csv fiu vscsi blktrace))
checks: fuzz-packages
	cmake --preset sanitize
	cmake --build --preset sanitize --target $(CHECKED_UNITS)
	ctest --preset sanitize --tests-regex '^($(subst $() ,|,$(CHECKED_UNITS))):'
	cmake --preset fuzz
	cmake --build --preset fuzz --target $(CHECKED_READERS)
	tests/fuzz/run build/fuzz 5 $(addprefix build/fuzz/tests/fuzz/,$(CHECKED_READERS))

## cosim: the designs in SystemVerilog beside their twins in C++, under Verilator and Icarus, and their lints; AXI4-Lite
##        against cocotbext-axi
cosim: cosim-packages $(VENV)/ready-cosim
	cmake --preset cosim
	cmake --build --preset cosim
	ctest --preset cosim
	$(BIN)/python tests/cosim/axi/run

## clean: remove everything built or installed here
clean:
	rm -rf build $(VENV) demo bindings/nandscape/*.so

$(BIN)/python: | build-packages
	$(PYTHON) -m venv $(VENV)

# Editable: Python runs from the sources, beside which CMake puts the extension module.
$(VENV)/ready: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --config-settings=wheel.cmake=false --editable '.[build]'
	touch $@

$(VENV)/ready-dev: pyproject.toml | $(VENV)/ready
	$(BIN)/pip install --quiet --config-settings=wheel.cmake=false --editable '.[dev]'
	touch $@

$(VENV)/ready-docs: pyproject.toml | $(VENV)/ready
	$(BIN)/pip install --quiet --config-settings=wheel.cmake=false --editable '.[docs]'
	touch $@

$(VENV)/ready-wheel: pyproject.toml | $(VENV)/ready
	$(BIN)/pip install --quiet --config-settings=wheel.cmake=false --editable '.[wheel]'
	touch $@

$(VENV)/ready-cosim: tests/cosim/axi/requirements.txt | $(VENV)/ready
	$(BIN)/pip install --quiet -r $<
	touch $@

build/release/build.ninja: CMakePresets.json | $(VENV)/ready
	cmake --preset release
	touch $@

# $(call install,PACKAGES): installs the packages with apt if one of them is missing.
install = dpkg -s $(1) >/dev/null 2>&1 || { $(SUDO) apt-get update -q && \
          $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(1); }

build-packages:
	@$(call install,$(BUILD_PACKAGES))

lint-packages: build-packages
	@$(call install,$(LINT_PACKAGES))

browser-packages: build-packages
	@$(call install,$(BROWSER_PACKAGES))

nbd-packages: build-packages
	@$(call install,$(NBD_PACKAGES))

docs-packages:
	@$(call install,$(DOCS_PACKAGES))

fuzz-packages: build-packages
	@$(call install,$(FUZZ_PACKAGES))

cosim-packages: build-packages
	@$(call install,$(COSIM_PACKAGES))

guest-packages:
	@$(call install,$(GUEST_PACKAGES) $(GUEST_PROGRAMS))
	@for source in $(GUEST_SOURCES); do \
	  [ ! -e /usr/src/$$source.tar.xz ] || exit 0; \
	  $(SUDO) apt-get update -q; $(SUDO) apt-get install --yes --no-install-recommends $$source && exit 0; \
	  echo "$$source is not to be had; an older kernel asks for each step of its clock, which is slower." >&2; \
	done

wheel-packages:
	@$(call install,$(WHEEL_PACKAGES))
