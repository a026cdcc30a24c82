# actorbench. The two commands of a newcomer: `make figures` and `make check`. Everything else: `make help`.

VERSION := 0.1.0
CONFIG  ?= release
DESIGNS := message-centric

# ---- Configurations: one folder below build/ each ------------------------------------------------------------------
CONFIGS := release statistics debug asan tsan clang clang-tsan

CC_clang          := clang
CC_clang-tsan     := clang
OPTIMISED         := -O2 -flto=auto -falign-functions=64
FLAGS_release     := $(OPTIMISED)
FLAGS_statistics  := $(OPTIMISED) -DACTORBENCH_STATISTICS
FLAGS_debug       := -O1 -g -DACTORBENCH_CHECKED -DACTORBENCH_STATISTICS
# The builds that hunt for errors steal as often as they can.
HUNT              := -O1 -g -fno-omit-frame-pointer -DACTORBENCH_CHECKED -DACTORBENCH_STATISTICS -DSCANS_BEFORE_STEAL=1
FLAGS_asan        := $(HUNT) -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan        := $(HUNT) -fsanitize=thread
FLAGS_clang       := $(HUNT)
FLAGS_clang-tsan  := $(HUNT) -fsanitize=thread

CC      := $(or $(CC_$(CONFIG)),gcc)
AR      := gcc-ar
BUILD   := build/$(CONFIG)
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
CFLAGS  := -std=c11 -D_GNU_SOURCE -Icore -Iworkloads -pthread $(WARN) $(FLAGS_$(CONFIG)) \
           -DACTORBENCH_BUILD='"$(CONFIG)"' -DACTORBENCH_VERSION='"$(VERSION)"' -MMD -MP
LDLIBS  := -lhwloc -lnuma -lm

# ---- Programs: the same workload objects are linked with each design's library --------------------------------------
WORKLOADS := static dynamic executor repeat matrix balance-one balance-multi floor
# What several workload programs share; a program of its own name is all the rest.
COMMON    := workload record traffic balance work

objects    = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard $(1)))
LIBRARIES := $(DESIGNS:%=$(BUILD)/libactor-%.a)
PROGRAMS  := $(foreach design,$(DESIGNS),$(WORKLOADS:%=$(BUILD)/$(design)/%))
COMMON_OBJECTS := $(COMMON:%=$(BUILD)/obj/workloads/%.o)

.DEFAULT_GOAL := programs
.PHONY: help programs library setup figures check check-fast lint tests format clean
.DELETE_ON_ERROR:
.SECONDARY:

programs: $(PROGRAMS) ## build the workload programs of CONFIG (default: release) into build/
library: $(LIBRARIES) ## build the runtime's libraries only

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  $(CC) $@"; $(CC) $(CFLAGS) -c $< -o $@

$(BUILD)/libactor-message-centric.a: $(call objects,core/*.c core/platform/*.c core/message_centric/*.c)
	@$(AR) rcs $@ $^

$(BUILD)/message-centric/%: $(BUILD)/obj/workloads/%.o $(COMMON_OBJECTS) $(BUILD)/libactor-message-centric.a
	@mkdir -p $(@D)
	@echo "  $(CC) $@"; $(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

-include $(shell find build -name '*.d' 2>/dev/null)

# ---- Tests: one program a file, linked with the design's library ------------------------------------------------------
TESTS := $(patsubst tests/core/%.c,$(BUILD)/tests/%,$(wildcard tests/core/test_*.c))

tests: $(TESTS) $(PROGRAMS) ## build the test programs of CONFIG

$(BUILD)/tests/%: $(BUILD)/obj/tests/core/%.o $(BUILD)/libactor-message-centric.a
	@mkdir -p $(@D)
	@echo "  $(CC) $@"; $(CC) $(CFLAGS) $^ $(LDLIBS) -lcmocka -o $@
