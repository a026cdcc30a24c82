# actorbench. A newcomer needs two commands: `make figures` and `make check`. `make help` lists the others.

VERSION := 0.1.0
CONFIG  ?= release
# A design is a folder core/*_centric.
DESIGNS := $(subst _,-,$(notdir $(wildcard core/*_centric)))

# ---- Configurations: a folder below build/ each ---------------------------------------------------------------------
CONFIGS := release slowed statistics latency debug asan tsan clang clang-tsan
# Those in which `make check` runs tests and workloads. The others would find nothing that these don't, and are for hunting by
# hand: what debug and clang check, asan and clang-tsan do, too; tsan looks for the races that clang-tsan looks for.
CHECKED := release asan clang-tsan
# The programs with tests/explorer in place of what the system does to threads: small, to search schedules; and as they are, to
# count what they do in one.
SEARCHED := explorer counted
# The programs as they are, and as they count, on the machine that machine/ simulates.
SIMULATED := simulated simulated-statistics
# The runtime as libraries for programs outside of this tree: make install.
INSTALLED := installed

# clang's objects for link-time optimisation need tools of their own version to be put together: without.
LTO                = $(if $(findstring clang,$(CC)),,-flto=auto)
OPTIMISED          = -O2 $(LTO) -falign-functions=64
# Of workloads alone, whose work is in loops: where these lie must not depend on the design that they are linked with. The same product
# of matrices took 1.4 times as long where its loop went over the end of a cache line. The core's loops gain nothing by it,
# but those over a run queue, of a dozen instructions, by half of that.
LOOPS              = $(if $(findstring $(OPTIMISED),$(FLAGS_$(CONFIG))),-falign-loops=64)
# The builds that hunt for errors steal as often as they can.
HUNT              := -O1 -g -fno-omit-frame-pointer -DACTORBENCH_CHECKED -DACTORBENCH_STATISTICS -DSCANS_BEFORE_STEAL=1
# Fat objects: its tests are linked without LTO, which would take a second for each.
FLAGS_release      = $(OPTIMISED) $(LTO:%=-ffat-lto-objects)
# Only for the study of the gate (scripts/gate-study): sends that cost a little more (--send-delay).
FLAGS_slowed       = $(OPTIMISED) -DACTORBENCH_SEND_DELAY
FLAGS_statistics   = $(OPTIMISED) -DACTORBENCH_STATISTICS
# Times from sends to behaviours: for those alone, since taking them costs time.
FLAGS_latency      = $(OPTIMISED) -DACTORBENCH_LATENCY
FLAGS_debug       := -O1 -g -DACTORBENCH_CHECKED -DACTORBENCH_STATISTICS
FLAGS_asan        := $(HUNT) -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan        := $(HUNT) -fsanitize=thread
FLAGS_clang       := $(HUNT)
FLAGS_clang-tsan  := $(HUNT) -fsanitize=thread
# Its macros are statement expressions with variables, and stand in each other.
FLAGS_explorer    := $(HUNT) -Wno-shadow -I. -DACTORBENCH_SMALL -DACTORBENCH_CHECKER='"tests/explorer/checker.h"'
WRAPPED           := main pthread_create pthread_join nanosleep fopen free
LINKED_explorer   := $(WRAPPED:%=-Wl,--wrap=%) -Wl,-z,now
ADDED_explorer    := tests/explorer/*.c machine/locals.c
REPLACED_explorer := core/platform/parking.c
# Programs that are there for it alone, in tests/explorer/programs.
OWN_explorer      := order shares
FLAGS_counted     := -O2 -Wno-shadow -I. -DACTORBENCH_CHECKER='"tests/explorer/checker.h"'
LINKED_counted    := $(LINKED_explorer)
ADDED_counted     := $(ADDED_explorer)
REPLACED_counted  := $(REPLACED_explorer)
OWN_counted       := handover
# The hooks of gcc's sanitizers at accesses and basic blocks, which machine/ defines in place of their library; so that is not
# asked for when a program is linked. Fixed addresses: what lies in which line must not depend on the host.
FIXED             := -O2 -g -falign-functions=64 -fno-pie
FLAGS_simulated   := $(FIXED) -I. -include machine/program.h -fsanitize=thread -fsanitize-coverage=trace-pc \
                     --param tsan-instrument-func-entry-exit=0
HIDDEN_simulated  := main workload_start_clock workload_stop_clock pthread_create pthread_join nanosleep sched_yield \
                     sched_setaffinity sched_getaffinity syscall clock_gettime malloc calloc realloc aligned_alloc free \
                     memcpy memmove memset numa_available numa_num_configured_nodes numa_tonode_memory fopen
LINK_simulated    := -no-pie -pthread $(HIDDEN_simulated:%=-Wl,--wrap=%)
LINKED_simulated  := -Wl,--whole-archive build/simulated/libmachine.a -Wl,--no-whole-archive
LIBRARY_simulated := build/simulated/libmachine.a
# The tests of the core that are run on large machines.
TESTED_simulated  := test_conservation test_shares
BLOCKS_simulated   = && objdump -d --no-show-raw-insn $@ | awk -f machine/blocks.awk >$@.blocks
# Only what the face declares is seen of a library: core/actor.h and core/executor.h say so.
FLAGS_installed    = $(OPTIMISED) -fPIC -fvisibility=hidden
FLAGS_simulated-statistics := $(FLAGS_simulated) -DACTORBENCH_STATISTICS
$(foreach name,LINK LINKED LIBRARY BLOCKS,$(eval $(name)_simulated-statistics = $$($(name)_simulated)))
CC_clang          := clang
CC_clang-tsan     := clang

CC     := $(or $(CC_$(CONFIG)),gcc)
AR     := gcc-ar
BUILD  := build/$(CONFIG)
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
# CFLAGS are those of who builds, added to ours, as in: make CC=clang CFLAGS=-O3
ALL_FLAGS = -std=c11 -D_GNU_SOURCE -Icore -Iworkloads/common -pthread $(WARN) $(FLAGS_$(CONFIG)) \
            -DACTORBENCH_BUILD='"$(CONFIG)"' -DACTORBENCH_VERSION='"$(VERSION)"' $(CFLAGS)
LDLIBS   := $(LINKED_$(CONFIG)) -lhwloc -lnuma -lm -Wl,--as-needed -luring
LINK      = $(if $(LINK_$(CONFIG)),$(LINK_$(CONFIG)),$(ALL_FLAGS))

ifeq ($(filter $(CONFIG),$(CONFIGS) $(SEARCHED) $(SIMULATED) $(INSTALLED)),)
$(error CONFIG cannot be "$(CONFIG)": it is one of $(CONFIGS) $(SEARCHED) $(SIMULATED) $(INSTALLED))
endif

# What a configuration was built with: the compiler, and how it is called. Another one makes all of it anew, and the driver says
# of its programs what stands there. Not by a rule, which would have something to do whenever make is asked whether it has.
define CALLED
$(shell $(CC) --version | head -n 1)
$(CC) $(ALL_FLAGS)$(LOOPS:%= (workloads: %))
endef
ifneq ($(file <$(BUILD)/built-with),$(CALLED))
$(shell mkdir -p $(BUILD))$(file >$(BUILD)/built-with,$(CALLED))
endif

.DEFAULT_GOAL := programs
.PHONY: help figures check prove mutants mutants-core mutants-driver docs coverage peers peers-setup programs tests libraries install format \
        clean
.DELETE_ON_ERROR:
.SECONDARY:

# ---- For newcomers --------------------------------------------------------------------------------------------------
figures: ## install what is missing, build, measure briefly, show tables and draw the figures
	@scripts/setup figures
	@$(MAKE) -s --no-print-directory CONFIG=release programs
	@$(MAKE) -s --no-print-directory CONFIG=statistics programs
	@./actorbench figures --preset quick --budget 5m

check: ## install what is missing, build what is checked, run every test
	@scripts/setup check
	@for config in $(CHECKED); do $(MAKE) -s --no-print-directory -j2 CONFIG=$$config programs tests || exit 1; done
	@$(MAKE) -s --no-print-directory -j2 CONFIG=debug build/debug/libactor-message-centric.a
	@$(MAKE) -s --no-print-directory -j2 CONFIG=slowed $(DESIGNS:%=build/slowed/%/static)
	@$(MAKE) -s --no-print-directory -j2 CONFIG=statistics $(DESIGNS:%=build/statistics/%/executor)
	@$(MAKE) -s --no-print-directory -j2 CONFIG=counted $(DESIGNS:%=build/counted/%/executor) build/counted/worker-centric/handover
	@$(MAKE) -s --no-print-directory -j2 CONFIG=latency $(DESIGNS:%=build/latency/%/balance-one)
	@$(MAKE) -s --no-print-directory -j2 CONFIG=simulated programs
	@$(MAKE) -s --no-print-directory -j2 CONFIG=installed libraries
	@.venv/bin/python tests/check.py

prove: ## run every search, model and campaign; print what each claims, searched and found
	@scripts/setup prove
	@.venv/bin/python tests/prove.py

mutants: mutants-core mutants-driver ## plant an error at a time in core/, and in the driver; print what catches it

mutants-core: ## those in core/ alone
	@scripts/setup prove
	@.venv/bin/python tests/prove.py --mutants

mutants-driver: ## those in the driver alone: its tests must catch all that change anything
	@scripts/setup figures
	@PYTHONPATH=scripts:tests .venv/bin/python -m mutation

peers: ## build the peers whose toolchain is at hand, say of the others what to install
	@scripts/setup figures
	@$(MAKE) -s --no-print-directory CONFIG=release programs
	@./actorbench peers --build

peers-setup: ## install the peers' toolchains
	@scripts/setup peers

docs: ## write the documents' tables and figures from their stored runs; list those missing or old
	@scripts/setup figures
	@./actorbench document

coverage: ## simulate how often intervals hold the truth, and verdicts on claims are wrong: some minutes; make docs shows it
	@scripts/setup figures
	@PYTHONPATH=scripts .venv/bin/python -m actorbench.coverage.simulating
	@PYTHONPATH=scripts .venv/bin/python -m actorbench.ledger.simulating
	@PYTHONPATH=scripts .venv/bin/python -m actorbench.coverage.selecting

help: ## list the targets; docs/guide.md and CONTRIBUTING.md say more
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

# ---- Programs: the same objects are linked with each design's library -------------------------------------------------
# A file in workloads/ is a program; workloads/common is linked with each.
WORKLOADS := $(basename $(notdir $(wildcard workloads/*.c)))
SHARED    := $(basename $(wildcard workloads/common/*.c))
# Programs of folders, which the folder's other files and workloads/serving are linked with; plaintext with llhttp, whose sources
# Debian's node-llhttp has, zeromq with libzmq. They need sockets, which neither the explorer nor the simulated machine has.
SERVERS_plaintext := plaintext plaintext-loop
SERVERS_zeromq    := zeromq zeromq-native
SERVED_plaintext  := llhttp/api llhttp/http llhttp/llhttp
LIBS_zeromq       := -lzmq
SERVING           := plaintext zeromq
SERVERS           := $(foreach folder,$(SERVING),$(SERVERS_$(folder)))
served             = $(basename $(wildcard workloads/serving/*.c)) $(SERVED_$(1)) \
                     $(filter-out $(SERVERS_$(1):%=workloads/$(1)/%),$(basename $(wildcard workloads/$(1)/*.c)))
BUILT_SERVERS := $(if $(filter $(CONFIG),$(SEARCHED) $(SIMULATED)),,$(SERVERS))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out $(REPLACED_$(CONFIG)),$(wildcard $(1) $(ADDED_$(CONFIG)))))

programs: $(foreach design,$(DESIGNS),$(patsubst %,$(BUILD)/$(design)/%,$(WORKLOADS) $(BUILT_SERVERS) $(OWN_$(CONFIG)))) ## build the workload programs of CONFIG

$(BUILD)/obj/%.o: %.c Makefile $(BUILD)/built-with
	@mkdir -p $(@D)
	@echo "  $(CONFIG): $<"; $(CC) $(ALL_FLAGS) -MMD -MP -c $< -o $@

# The machine itself, without the hooks that it defines.
build/simulated/libmachine.a: $(patsubst %.c,build/simulated/obj/%.o,$(wildcard machine/*.c)) machine/blocks.awk
	@rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

build/simulated/obj/machine/%.o: machine/%.c Makefile
	@mkdir -p $(@D)
	@echo "  $(CONFIG): $<"; $(CC) -std=c11 -D_GNU_SOURCE -pthread $(WARN) $(FIXED) -fno-tree-loop-distribute-patterns -MMD -MP -c $< -o $@

$(BUILD)/obj/workloads/%.o: private ALL_FLAGS += $(LOOPS)
$(BUILD)/obj/core/worker_centric/worker.o: private ALL_FLAGS += $(LOOPS:64=32)

# gcc vectorises loops of any length at -O3 only.
$(BUILD)/obj/workloads/common/product.o: private ALL_FLAGS += -O3

$(BUILD)/obj/workloads/plaintext/%.o: private ALL_FLAGS += -Iworkloads/serving -isystem /usr/share/include/llhttp
$(BUILD)/obj/workloads/zeromq/%.o: private ALL_FLAGS += -Iworkloads/serving

$(BUILD)/obj/llhttp/%.o: /usr/share/llhttp/%.c Makefile $(BUILD)/built-with
	@mkdir -p $(@D)
	@echo "  $(CONFIG): $<"; $(CC) $(ALL_FLAGS) -w -I/usr/share/include/llhttp -c $< -o $@

# $(1): a design; $(2): a folder of servers.
define server_rule
$$(SERVERS_$(2):%=$$(BUILD)/$(1)/%): $$(BUILD)/$(1)/%: $$(BUILD)/obj/workloads/$(2)/%.o $$(patsubst %,$$(BUILD)/obj/%.o,$$(call served,$(2))) \
        $$(SHARED:%=$$(BUILD)/obj/%.o) $$(BUILD)/libactor-$(1).a
	@mkdir -p $$(@D)
	@echo "  $$(CONFIG): $(1) $$*"; $$(CC) $$(ALL_FLAGS) $$^ $$(LDLIBS) $$(LIBS_$(2)) -o $$@

endef

# $(1): a design. Its library, and the programs that are linked with it.
define design_rules
$$(BUILD)/libactor-$(1).a: $$(call objects,core/*.c core/platform/*.c core/sharded/*.c core/messaging/*.c core/io/*.c core/$(subst -,_,$(1))/*.c)
	@rm -f $$@ && $$(AR) rcs $$@ $$^

$$(BUILD)/$(1)/%: $$(BUILD)/obj/workloads/%.o $$(SHARED:%=$$(BUILD)/obj/%.o) $$(BUILD)/libactor-$(1).a $$(LIBRARY_$$(CONFIG))
	@mkdir -p $$(@D)
	@echo "  $$(CONFIG): $(1) $$*"; $$(CC) $$(LINK) $$(filter-out $$(LIBRARY_$$(CONFIG)),$$^) $$(LDLIBS) -o $$@ $$(BLOCKS_$$(CONFIG))

$(foreach folder,$(SERVING),$(call server_rule,$(1),$(folder)))

$$(BUILD)/$(1)/%: $$(BUILD)/obj/tests/explorer/programs/%.o $$(BUILD)/libactor-$(1).a
	@mkdir -p $$(@D)
	@echo "  $$(CONFIG): $(1) $$*"; $$(CC) $$(ALL_FLAGS) $$^ $$(LDLIBS) -o $$@
endef
$(foreach design,$(DESIGNS),$(eval $(call design_rules,$(design))))

# ---- Tests: a program a file. tests/core/face, messaging and io know no design, and are built for each; sharded, for those that use
# core/sharded; platform is built once; tests/test_scripted.py runs what is scripted ------------------------------------
SHARDED := message-centric worker-centric

tested = $(if $(TESTED_$(CONFIG)),$(filter $(TESTED_$(CONFIG)),$(1)),$(1))

tests: ## build the test programs of CONFIG

# $(1): whose programs, below build/*/tests; $(2): a folder of their sources. The design's own folder holds the rows.h and
# the parts.h that the tests of the face and of sharded include.
define test_object_rules
$$(BUILD)/obj/tests/$(1)/%.o: tests/core/$(2)/%.c Makefile $$(BUILD)/built-with
	@mkdir -p $$(@D)
	@echo "  $$(CONFIG): $(1) $$<"; \
	    $$(CC) -Itests/core -Itests/core/$(subst -,_,$(1)) $$(ALL_FLAGS) -fno-lto -MMD -MP -c $$< -o $$@

endef

# $(1): as above; $(2): the folders of their sources; $(3): the design whose library they are linked with.
define test_rules
tests: $$(addprefix $$(BUILD)/tests/$(1)/,$$(call tested,$$(basename $$(notdir $$(wildcard $(2:%=tests/core/%/test_*.c) $(2:%=tests/core/%/scripted_*.c))))))

$(foreach folder,$(2),$(call test_object_rules,$(1),$(folder)))
$$(BUILD)/tests/$(1)/%: $$(BUILD)/obj/tests/$(1)/%.o $$(BUILD)/libactor-$(3).a $$(LIBRARY_$$(CONFIG))
	@mkdir -p $$(@D)
	@echo "  $$(CONFIG): $(1) $$*"; \
	    $$(CC) $$(LINK) -fno-lto $$(filter-out $$(LIBRARY_$$(CONFIG)),$$^) $$(LDLIBS) -lcmocka -o $$@ $$(BLOCKS_$$(CONFIG))
endef
test_folders = face messaging io $(if $(filter $(1),$(SHARDED)),sharded) $(subst -,_,$(1))
$(foreach design,$(DESIGNS),$(eval $(call test_rules,$(design),$(call test_folders,$(design)),$(design))))
$(eval $(call test_rules,platform,platform,$(firstword $(DESIGNS))))

# ---- The runtime as a library: docs/library.md --------------------------------------------------------------------------
PREFIX     := /usr/local
LIBDIR     := $(PREFIX)/lib
INCLUDEDIR := $(PREFIX)/include
PKGCONFIG  := $(LIBDIR)/pkgconfig
EXAMPLES   := $(PREFIX)/share/doc/actorbench/examples
FACE       := core/actor.h core/executor.h core/clusters.h core/typed.h

# $(1): a design. One object holds all of it: LTO ends there, so that any compiler may link it, and so do the internal names.
define library_rules
$$(BUILD)/libactorbench-$(1).o: $$(call objects,core/*.c core/platform/*.c core/sharded/*.c core/messaging/*.c core/io/*.c core/$(subst -,_,$(1))/*.c)
	@echo "  $$(CONFIG): $$(@F)"; $$(CC) $$(FLAGS_installed) $$(CFLAGS) -r -nostdlib $$(LTO:%=-flinker-output=nolto-rel) $$^ -o $$@
	@objcopy --wildcard --keep-global-symbol='actorbench_*' $$@

$$(BUILD)/libactorbench-$(1).a: $$(BUILD)/libactorbench-$(1).o
	@rm -f $$@ && $$(AR) rcs $$@ $$<

# Until 1.0 any minor version may change the face.
$$(BUILD)/libactorbench-$(1).so: $$(BUILD)/libactorbench-$(1).o
	@$$(CC) -shared -pthread -Wl,-z,defs -Wl,-soname,$$(@F).$$(basename $$(VERSION)) $$< $$(LDLIBS) -o $$@
endef
$(foreach design,$(DESIGNS),$(eval $(call library_rules,$(design))))

libraries: $(foreach design,$(DESIGNS),$(BUILD)/libactorbench-$(design).a $(BUILD)/libactorbench-$(design).so) ## build what make install installs, with CONFIG=installed

# $(1): a design. Its libraries, and what tells pkg-config of them.
define install_library
install -m 644 build/installed/libactorbench-$(1).a "$(DESTDIR)$(LIBDIR)"
install -m 755 build/installed/libactorbench-$(1).so "$(DESTDIR)$(LIBDIR)/libactorbench-$(1).so.$(VERSION)"
ln -sf libactorbench-$(1).so.$(VERSION) "$(DESTDIR)$(LIBDIR)/libactorbench-$(1).so.$(basename $(VERSION))"
ln -sf libactorbench-$(1).so.$(VERSION) "$(DESTDIR)$(LIBDIR)/libactorbench-$(1).so"
sed -e 's|@design@|$(1)|; s|@version@|$(VERSION)|; s|@prefix@|$(PREFIX)|; s|@libdir@|$(LIBDIR)|; s|@includedir@|$(INCLUDEDIR)|' \
    core/actorbench.pc.in >"$(DESTDIR)$(PKGCONFIG)/actorbench-$(1).pc"

endef

install: ## install the runtime below PREFIX (/usr/local), a static and a shared library a design: docs/library.md
	@case "$(PREFIX)" in /*) ;; *) echo "make: PREFIX cannot be \"$(PREFIX)\": it is a whole path, from / on" >&2; exit 2 ;; esac
	@$(MAKE) -s --no-print-directory CONFIG=installed libraries
	@install -d "$(DESTDIR)$(LIBDIR)" "$(DESTDIR)$(PKGCONFIG)" "$(DESTDIR)$(INCLUDEDIR)/actorbench/messaging" "$(DESTDIR)$(INCLUDEDIR)/actorbench/io" "$(DESTDIR)$(EXAMPLES)"
	@install -m 644 $(FACE) "$(DESTDIR)$(INCLUDEDIR)/actorbench"
	@install -m 644 core/messaging/*.h "$(DESTDIR)$(INCLUDEDIR)/actorbench/messaging"
	@install -m 644 core/io/io.h "$(DESTDIR)$(INCLUDEDIR)/actorbench/io"
	@install -m 644 examples/* "$(DESTDIR)$(EXAMPLES)"
	@$(foreach design,$(DESIGNS),$(call install_library,$(design)))

# ---- House-keeping -----------------------------------------------------------------------------------------------------
format: ## format the C and Python sources
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp')
	.venv/bin/ruff format scripts tests

clean: ## remove what was built
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
