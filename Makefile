# `make` lists the targets. Works with GNU make 3.81, which macOS has, and newer.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
SEED ?= 1
SECONDS ?= 600
TRIAL ?=
ONLY ?=
KILLS ?= 500
HISTORIES ?= 2000
HISTORY ?=
CASES ?= 3000

# A warning is something to repair before it is committed.
STRICT = -Xswiftc -warnings-as-errors

# On Linux the Swift runtime goes into the binary, so that it runs where no Swift is installed; on
# macOS it is part of the system.
ifeq ($(shell uname -s),Linux)
# The toolchain's own linker: the system's warns about a function of Foundation that is never called.
# It needs no library beside it, and so no search for them where it lies.
STATIC = --static-swift-stdlib -Xswiftc -use-ld=lld --disable-local-rpath $(shell Scripts/linking.sh)
endif

# ISA-L, where it is installed, sums and inflates several times as fast as zlib. Looked for when a
# recipe runs, since setup may just have installed it.
LIBRARIES = $(shell Scripts/setup.sh libraries)

# What is tested is optimized: the tests take half the time.
TESTED = CLEAVE_OPTIMIZED=1 $(LIBRARIES)
TEST = $(TESTED) Scripts/test.sh $(SWIFT) test $(STRICT)

BINARY = .build/release/cleave
RELEASE = $(LIBRARIES) $(SWIFT) build -c release $(STATIC) $(STRICT)
# The functions that common work calls, which the linker puts side by side.
LAYOUT = .build/linking/layout

.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build demo check test test-long lint tsan fuzz fault kill model stress bench bench-record bench-linearity counts install uninstall clean adversary gnu-split lists stream docs examples man deb dist source captures package-test test-remote test-ceph test-nodes fault-remote

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

setup: ## install what the build needs or gains by: zlib's headers, ISA-L, libcrypto, valgrind
	@SWIFT='$(SWIFT)' Scripts/setup.sh build

setup-tests:
	@SWIFT='$(SWIFT)' Scripts/setup.sh test

build: setup ## build .build/release/cleave
	$(RELEASE)
	@Scripts/layout.sh $(BINARY) $(LAYOUT)
	@[ -f $(BINARY) ] || $(RELEASE)
	@[ ! -f $(LAYOUT) ] || touch $(LAYOUT)

demo: build ## split and merge a 641,144,843-byte sample with every engine, and compare
	@Scripts/demo.sh

check: lint setup ## lint, and run the tests that start no program and mount nothing, in a minute
	$(LIBRARIES) CLEAVE_CHECK=1 $(SWIFT) test $(STRICT) --skip '^CommandLineTests\.'

test: setup-tests ## run every test, and tell what was skipped
	$(TEST)
	@$(LIBRARIES) Scripts/examples.sh $(SWIFT) .build/debug/cleave

test-long: setup-tests ## run every test, also those that write many gigabytes, with a seed of its own
	CLEAVE_LONG_TESTS=1 CLEAVE_SEED=$$(date +%s) $(TEST)

lint: ## check formatting, arithmetic, folders, and what other systems need
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Examples
	@Scripts/arithmetic.sh
	@Scripts/portable.sh
	@Scripts/porting.sh
	@Scripts/layers.sh
	@Scripts/options.sh

docs: setup ## make the library's documentation in .build/docs
	@$(LIBRARIES) Scripts/docs.sh $(SWIFT)

man: build ## write the manual pages and completions in .build/man and .build/completions
	@Scripts/manual.sh $(BINARY) .build

examples: setup ## build the programs in Examples, and run them
	@$(LIBRARIES) $(SWIFT) build --product cleave
	@$(LIBRARIES) Scripts/examples.sh $(SWIFT) .build/debug/cleave

tsan: setup-tests ## run the tests under the thread sanitizer
	TSAN_OPTIONS="atexit_sleep_ms=0 $$TSAN_OPTIONS" \
	$(LIBRARIES) $(SWIFT) test $(STRICT) --sanitize=thread --scratch-path .build/tsan

fuzz: setup ## try every parser with damaged input for SECONDS (600) each, or only TRIAL
	@Scripts/fuzz.sh $(SECONDS) $(TRIAL)

fault: setup-tests ## make every system call fail in every way (ONLY='merge, direct': those alone)
	$(TESTED) CLEAVE_FAULT_TESTS='$(ONLY)' CLEAVE_SEED=$$(date +%s) $(SWIFT) test $(STRICT) --filter "SweepTests|DeviceFaultTests|PowerLossTests|TwoDevicesTests"

kill: setup-tests build ## kill each kind of job, and either side of pipes, KILLS (500) times, and go on with jobs
	$(TESTED) CLEAVE_KILL_TESTS='$(KILLS)' CLEAVE_BINARY='$(BINARY)' CLEAVE_SEED=$$(date +%s) $(SWIFT) test $(STRICT) --filter KillTests

model: ## check the models of consuming, docs/consume*.pml, and that they see what is taken out of them
	@SWIFT='$(SWIFT)' Scripts/setup.sh model
	@Scripts/model.sh

adversary: setup-tests ## run HISTORIES (2000) jobs while others meddle with their files (SEED=1; HISTORY=n: that one)
	$(TESTED) CLEAVE_ADVERSARY_HISTORIES='$(HISTORIES)' CLEAVE_ADVERSARY_SEED='$(SEED)' CLEAVE_ADVERSARY_HISTORY='$(HISTORY)' $(SWIFT) test $(STRICT) --filter AdversaryTests

gnu-split: setup-tests ## compare CASES (3000) random command lines with the installed split (SEED=1)
	$(TESTED) CLEAVE_SPLIT_CASES='$(CASES)' CLEAVE_SPLIT_SEED='$(SEED)' $(SWIFT) test $(STRICT) --filter SplitComparisonTests

lists: setup-tests ## have what lists tell of parts tried with CASES (3000) random histories (SEED=1)
	$(TESTED) CLEAVE_LIST_CASES='$(CASES)' CLEAVE_LIST_SEED='$(SEED)' $(SWIFT) test $(STRICT) --filter ListHistoryTests

stress: build ## merge 1,000 random series with every engine (SEED=1)
	@Scripts/stress.sh $(SEED)

stream: build ## send 20 GiB through split and merge in constant memory, and time merge and cat
	@Scripts/stream.sh

test-remote: build ## read and make objects of a real store, SeaweedFS (ROUNDS=7 times it, KILLS=100 kills each job)
	@Scripts/test-remote.sh $(BINARY) $(or $(ROUNDS),0) $(if $(filter command,$(origin KILLS)),$(KILLS),0)

test-ceph: build ## the same with the gateway of Ceph, as root
	@STORE=ceph Scripts/test-remote.sh $(BINARY)

fault-remote: build ## have each question to an object store fail in each way
	@python3 Scripts/remote-faults.py $(BINARY)

test-nodes: build ## divide jobs among four runs under GNU parallel and Slurm, and kill some (ROUNDS=10)
	@Scripts/test-nodes.sh $(BINARY) $(ROUNDS)

bench: build ## time every engine against cat on 1 GiB
	@$(BINARY) bench --directory "$${TMPDIR:-.build}"

bench-record: build ## record every case in Benchmarks/runs, some ten minutes
	@Benchmarks/run

bench-linearity: build ## record and plot merges from 1 MiB to 16 GiB, as far as the disk has room
	@Benchmarks/linearity

counts: build ## print the system calls, allocations and memory of every engine
	@Scripts/counts.sh

install: man ## install under PREFIX (/usr/local), staged in DESTDIR
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install.sh install

uninstall: ## remove what install put under PREFIX
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install.sh uninstall

deb: man ## make .build/cleave_VERSION_ARCHITECTURE.deb
	@Scripts/deb.sh

dist: setup ## make .build/cleave-VERSION-SYSTEM.tar.gz, with a program that needs no library
	@SWIFT='$(SWIFT)' Scripts/dist.sh

source: ## make .build/cleave-VERSION.tar.gz, and an RPM spec and a Homebrew formula for it (URL=)
	@Scripts/source.sh

captures: setup-tests ## make the pictures in docs/pictures anew, with chromium
	@$(LIBRARIES) Scripts/captures.sh $(SWIFT)

package-test: ## try what deb and dist have made in bare systems, as root
	@Scripts/package-test.sh

clean: ## remove everything that was built
	rm -rf .build
