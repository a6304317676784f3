# SPDX-License-Identifier: BSD-3-Clause
# mpi.mk - what runs under MPI, built for one MPI: the measuring program, what is preloaded beside it, libcollsel; of a checkout the
# programs of the tests. It needs that MPI's compiler and make; from the top directory:
#
#   make -f workloads/mpi.mk MPICC=mpicc                                        into build/mpi/FAMILY
#   make -f workloads/mpi.mk MPICC=/opt/mpi/bin/mpicc DIR=/tmp/there measure
#
# Targets: measure, the default; mpi-tests. All is built again when the compiler, its mpi.h or the flags are others.
# Variables: MPICC; DIR, where to; FAMILY (openmpi, mpich, smpi, other: whose algorithms are known), which else mpi.h is asked; CHOSEN=1: notes in
# DIR/chosen that MPICC was chosen by hand; CPPFLAGS CFLAGS MPI_LIBS WERROR SAN V, or in config.mk.
UNDER_MPI := 1 # config.mk may ask
-include config.mk
.DEFAULT_GOAL := measure
.DELETE_ON_ERROR .SUFFIXES .SECONDARY:
.PHONY: measure mpi-tests FORCE
MPICC    ?= mpicc
MPI_LIBS ?= -lm -ldl
MPI_ASKED := $(shell workloads/mpi-asked $(MPICC))
ifndef FAMILY
FAMILY   := $(or $(firstword $(MPI_ASKED)),other)
endif
DIR      ?= build/mpi/$(FAMILY)
Q        := $(if $(V),,@)
say       = $(Q)$(if $(V)$(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,printf '%-4s %s\n' $(1) $@;)

# CSV is read by the reader of our own: where jobs run there may be no libcsv.
CPPFLAGS_MPI := -I. -D_GNU_SOURCE -include harness/base/banned.h -DWITHOUT_LIBCSV -DMPI_IS_$(FAMILY) $(CPPFLAGS)
# AddressSanitizer wants to be the first library of a process; launchers, preloads and SMPI's dlopen do not let it.
CFLAGS_MPI   := -std=c11 -O2 -g -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla $(if $(WERROR),-Werror) \
                $(if $(findstring undefined,$(SAN)),-fsanitize=undefined -fno-sanitize-recover=all) $(filter-out -fsanitize=%,$(CFLAGS))
COMPILE       = $(MPICC) $(CPPFLAGS_MPI) $(CFLAGS_MPI) -MMD -MP

RUN_SRC  := $(wildcard $(patsubst %,workloads/%/*.c,measure proof clocks placement simulated execute schedules)) harness/study/point.c harness/study/records.c harness/base/arrival.c harness/base/err.c \
            harness/base/text.c harness/base/suggest.c harness/base/memory.c harness/base/array.c harness/base/number.c harness/base/csv.c harness/base/csv_own.c harness/base/schema.c harness/base/fs.c \
            harness/base/rng.c harness/base/scratch_dir.c harness/base/seat.c harness/base/robust.c harness/base/variable.c
RUN_MAIN := $(wildcard workloads/measure/measure.c workloads/simulated/calibrate.c)
RUN_MAIN_BUILT := $(patsubst %.c,$(DIR)/%,$(notdir $(RUN_MAIN)))
RUN_OBJ  := $(patsubst %.c,$(DIR)/%.o,$(filter-out $(RUN_MAIN),$(RUN_SRC)))
# The library that is preloaded into applications: of MPI and libc alone.
PRE_SRC  := $(wildcard workloads/libcollsel/*.c workloads/schedules/*.c) $(addsuffix .c,$(addprefix workloads/,execute/execute simulated/simulated_cost $(addprefix clocks/,global_clock clock_line) $(addprefix proof/,tool_vars tuned_vars mpich_vars coll_component))) \
            $(addprefix harness/base/,err.c suggest.c memory.c array.c fs.c text.c number.c rng.c seat.c)
# Libraries to preload into the measuring program: workloads/preload/NAME_FAMILY.c.
PRELOADS := $(patsubst workloads/preload/%_$(FAMILY).c,$(DIR)/%.so,$(wildcard workloads/preload/*_$(FAMILY).c)) \
            $(if $(filter openmpi mpich,$(FAMILY)),$(DIR)/libcollsel-$(FAMILY).so) $(if $(filter smpi,$(FAMILY)),,$(DIR)/micro)
# Of the tests: programs (tests/mpi/*.c for every MPI, tests/mpi/FAMILY/*.c for one) and libraries that lie (tests/fake/NAME_FAMILY.c).
TESTS    := $(patsubst tests/mpi/%.c,$(DIR)/tests/%,$(wildcard tests/mpi/*.c)) $(patsubst tests/mpi/$(FAMILY)/%.c,$(DIR)/tests/%,$(wildcard tests/mpi/$(FAMILY)/*.c)) \
            $(patsubst tests/fake/%_$(FAMILY).c,$(DIR)/tests/%.so,$(wildcard tests/fake/*_$(FAMILY).c)) $(if $(filter openmpi mpich,$(FAMILY)),$(DIR)/doze.so)

measure: $(RUN_MAIN_BUILT) $(PRELOADS)
mpi-tests: $(TESTS)
$(DIR)/measure: $(DIR)/workloads/measure/measure.o
$(DIR)/calibrate: $(DIR)/workloads/simulated/calibrate.o
$(RUN_MAIN_BUILT): $(RUN_OBJ) | $(PRELOADS)
	$(call say,LD)$(MPICC) $(CFLAGS_MPI) -rdynamic -o $@ $^ $(LDFLAGS) $(MPI_LIBS)
$(DIR)/tests/%: $(DIR)/tests/mpi/%.o $(DIR)/tests/tap.o $(RUN_OBJ)
	$(call say,LD)$(MPICC) $(CFLAGS_MPI) -rdynamic -o $@ $^ $(LDFLAGS) $(MPI_LIBS)
$(DIR)/tests/%: $(DIR)/tests/mpi/$(FAMILY)/%.o $(DIR)/tests/tap.o $(RUN_OBJ)
	$(call say,LD)$(MPICC) $(CFLAGS_MPI) -rdynamic -o $@ $^ $(LDFLAGS) $(MPI_LIBS)
$(DIR)/%.so: workloads/preload/%_$(FAMILY).c $(DIR)/flags
	$(call say,LD)mkdir -p $(@D) && $(COMPILE) -fPIC -shared -MF $@.d -o $@ $< -ldl
$(DIR)/tests/%.so: tests/fake/%_$(FAMILY).c $(DIR)/flags
	$(call say,LD)mkdir -p $(@D) && $(COMPILE) -fPIC -shared -MF $@.d -o $@ $< -ldl
$(DIR)/doze.so: $(DIR)/tests/nap.so # beside the measuring program, which refuses what others preload
	$(Q)cp $< $@
$(DIR)/libcollsel-$(FAMILY).so: $(PRE_SRC:%.c=$(DIR)/pic/%.o)
	$(call say,LD)$(MPICC) $(CFLAGS_MPI) -shared -Wl,-z,defs -o $@ $^ $(LDFLAGS) -lm -ldl
$(DIR)/micro: workloads/micro/micro.c $(DIR)/flags
	$(call say,LD)mkdir -p $(@D) && $(MPICC) $(CPPFLAGS_MPI) $(CFLAGS_MPI) -o $@ $< $(LDFLAGS)
$(DIR)/pic/%.o: %.c $(DIR)/flags
	$(call say,CC)mkdir -p $(@D) && $(COMPILE) -DLIBCOLLSEL_MPI=$(FAMILY) -fPIC -fvisibility=hidden -c -o $@ $<
$(DIR)/%.o: %.c $(DIR)/flags
	$(call say,CC)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

# Changes only when the commands would, or the compiler behind them.
$(DIR)/flags: FORCE
	$(Q)mkdir -p $(DIR); printf '%s\n' '$(MPICC) $(CPPFLAGS_MPI) $(CFLAGS_MPI) $(LDFLAGS) $(MPI_LIBS)' '$(MPI_ASKED)' | cmp -s - $@ || \
	printf '%s\n' '$(MPICC) $(CPPFLAGS_MPI) $(CFLAGS_MPI) $(LDFLAGS) $(MPI_LIBS)' '$(MPI_ASKED)' > $@
	$(Q)$(if $(CHOSEN),echo '$(MPICC)' > $(DIR)/chosen,rm -f $(DIR)/chosen)

-include $(shell find $(DIR) -name '*.d' 2>/dev/null)
