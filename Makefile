# SPDX-License-Identifier: BSD-3-Clause
# collsel - which algorithm should each MPI collective use here?       `make help` lists the targets
#
#   make setup [WITH='lint apps']   install what is missing (Debian/Ubuntu; root or sudo; PREFIX=$HOME/x: unpack it there, without root)
#   make new-cluster ARGS='mine --nodes 16 --link edr'   the file of a machine that is not described yet
#   make sweep  CLUSTER=gros        measure or simulate what the study asks for; run again to resume
#   make submit CLUSTER=star-a      the same as job arrays of Slurm
#   make tune   CLUSTER=local       sweep, report, export, verify: a file of rules that gains for each library, and how to load it (LIBRARY=openmpi-4.1: one)
#   make guidelines CLUSTER=local   does this MPI keep its own promises? its defaults against each other, measured, and a verdict
#   make report CLUSTER=gros        the report, and whatever it lacks
#   make report DATASET=./DIR       the same of other people's measurements (docs/import.md)
#   make check | check-long         tests (TAP); V=1 shows every line; check-some: those worth a sanitizer's time
#   make testbed-check              one of them alone: mishaps on an emulated cluster with real Slurm (root)
#   make bench | apps CLUSTER=local speeds, as ratios in one run | real applications, with and without libcollsel (ci/apps)
#   make overnight CLUSTER=star-a   the STAR-MPI paper's micro-benchmark at its full length (hours; ci/overnight); run again to resume
#   make pml [PROCS=128]            walks Table I of PML-MPI on 18 clusters, and its splits (an hour; up to 128 ranks a quarter; docs/clusters.md); run again to resume
#   make papers                     every table and figure of the five papers, theirs and ours (DATASET=DIR: ORFEO's published data)
#   make install | uninstall PREFIX=/usr/local DESTDIR=   program, measuring programs, clusters, man page, completion
#   make lint | format | golden | hdr-check | fuzz | clean
#
# Variables: CLUSTER STUDY BACKEND DATASET PLAN=adaptive BUDGET=30core-h VIEW=slowest (tune)  CC SAN=address,undefined WERROR=1 V=1 WITHOUT='xgboost svm hwloc simgrid'  (or in config.mk)
-include config.mk
CLUSTER ?= gros
STUDY   ?= bcast
BACKEND ?= auto
PLANNED := $(if $(filter-out environment,$(firstword $(origin PLAN))),$(PLAN:%=--plan '%')) $(if $(filter-out environment,$(firstword $(origin BUDGET))),$(if $(BUDGET),--budget '$(BUDGET)'))# not what a shell exports
CC      ?= gcc
OUT     ?= build$(if $(SAN),-san)
Q       := $(if $(V),,@)# V=1 shows the commands, make -s nothing, else each rule says what it makes:
say      = $(Q)$(if $(V)$(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,printf '%-4s %s\n' $(1) $@;)
# Built on all cores, at most 16: a login node is others' too. make -jN is obeyed.
JOBS     := $(if $(filter 0,$(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))),-j$(shell n=$$(nproc); [ $$n -le 16 ] || n=16; echo $$n))
MAKEFLAGS += $(JOBS)
.DELETE_ON_ERROR .SUFFIXES .SECONDARY:
.PHONY: all tool measure mpi-tests setup new-cluster sweep guidelines submit tune report check check-some check-long testbed-check bench pml papers apps overnight lint format golden hdr-check fuzz clean help FORCE

CPPFLAGS_ALL := -I. -D_GNU_SOURCE -include harness/base/banned.h $(CPPFLAGS)
CFLAGS_ALL   := -std=c11 -O2 -g -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
                $(if $(WERROR),-Werror) $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all) $(CFLAGS)
# AddressSanitizer wants to be the first library of a process; MPI's launchers, preloads and SMPI's dlopen do not let it.
CFLAGS_MPI   := $(filter-out -fsanitize=%,$(CFLAGS_ALL)) $(if $(findstring undefined,$(SAN)),-fsanitize=undefined)
include ci/libraries.mk

# Everything but main files goes into one library that the driver, the tests and the benchmarks link; of the measuring program, what needs no MPI.
LIB_SRC  := $(filter-out harness/collsel.c harness/walk.c,$(sort $(shell find harness analysis reports workloads/schedules -name '*.c'))) \
            $(wildcard $(addprefix workloads/,charge.c once.c options.c parent.c record.c stopping.c warming.c disturb.c clock_line.c pattern.c placement.c cache.c rotate.c \
              $(addprefix libcollsel/,settings.c seen.c profile.c choice.c table.c star.c repository.c)))
# What runs under MPI is built once per MPI, from the same sources.
RUN_SRC  := $(wildcard workloads/*.c workloads/schedules/*.c) harness/study/point.c harness/study/records.c harness/base/arrival.c harness/base/err.c \
            harness/base/text.c harness/base/meant.c harness/base/memory.c harness/base/array.c harness/base/number.c harness/base/csv.c harness/base/schema.c harness/base/fs.c \
            harness/base/rng.c harness/base/own_dir.c harness/base/seat.c harness/base/robust.c harness/base/steady.c harness/base/variable.c
RUN_MAIN := $(wildcard workloads/measure.c workloads/calibrate.c)
# The library that is preloaded into applications: built as the measuring program, of MPI and libc alone.
PRE_SRC  := $(wildcard workloads/libcollsel/*.c workloads/schedules/*.c) $(addprefix workloads/,execute.c apart.c charge.c global_clock.c clock_line.c tool_vars.c tuned_vars.c mpich_vars.c owner.c) \
            $(addprefix harness/base/,err.c meant.c memory.c array.c fs.c text.c number.c seat.c)
MPIS     := openmpi mpich $(if $(filter simgrid,$(WITHOUT)),,smpi)
CC_openmpi := mpicc.openmpi
CC_mpich   := mpicc.mpich
CC_smpi    := smpicc
TESTS_C  := $(patsubst tests/%-t.c,$(OUT)/tests/%-t,$(wildcard tests/*/*-t.c))
TESTS_SH := $(wildcard tests/*/*.t)

all: tool measure $(OUT)/walk/measure $(OUT)/null/measure
tool: $(OUT)/collsel
measure mpi-tests:
	$(Q)for m in $(if $(RUN_MAIN),$(foreach m,$(MPIS),$(m)=$(CC_$(m)))); do \
	    if ! command -v $${m#*=} >/dev/null; then echo "$@: no $${m#*=} here, left out (make setup)" >&2; \
	    else $(MAKE) --no-print-directory $@-$${m%=*} || exit 1; fi; done

$(OUT)/collsel: $(OUT)/harness/collsel.o $(OUT)/libcollsel.a
	$(call say,LD)$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDLIBS)
$(OUT)/libcollsel.a: $(LIB_SRC:%.c=$(OUT)/%.o)
	$(call say,AR)rm -f $@ && ar rcs $@ $^
$(OUT)/%.o: %.c $(OUT)/flags
	$(call say,CC)mkdir -p $(@D) && $(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
$(OUT)/tests/%-t: tests/%-t.c tests/tap.c $(wildcard tests/*.h tests/*/*.h) $(OUT)/libcollsel.a $(OUT)/flags
	$(call say,LD)mkdir -p $(@D) && $(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) -MMD -MP -o $@ $< tests/tap.c $(OUT)/libcollsel.a $(LDLIBS)
# The measuring program of the backend walk: no MPI.
$(OUT)/walk/measure: $(OUT)/harness/walk.o $(OUT)/libcollsel.a
	$(call say,LD)mkdir -p $(@D) && $(CC) $(CFLAGS_ALL) -o $@ $^ $(LDLIBS)
# The planted workload of the tests: the measuring program's files without MPI.
$(OUT)/null/measure: $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/null/*.c)) $(OUT)/libcollsel.a
	$(call say,LD)mkdir -p $(@D) && $(CC) $(CFLAGS_ALL) -o $@ $^ $(LDLIBS)
$(OUT)/tests/fuzz/loop: $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/fuzz/*.c)) $(OUT)/libcollsel.a
	$(call say,LD)$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDLIBS)
$(OUT)/tests/bench/%: tests/bench/%.c $(OUT)/libcollsel.a $(OUT)/flags
	$(call say,LD)mkdir -p $(@D) && $(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) -MMD -MP -o $@ $< $(OUT)/libcollsel.a $(LDLIBS)

# Beside the measuring program: libraries to preload (workloads/preload/NAME_MPI.c), and of the tests the
# programs (tests/mpi/*.c for every MPI, tests/mpi/MPI/*.c for one) and libraries that lie (tests/fake/NAME_MPI.c).
define mpi_rules
.PHONY: measure-$(1) mpi-tests-$(1)
measure-$(1): $(RUN_MAIN:workloads/%.c=$(OUT)/$(1)/%) $(patsubst workloads/preload/%_$(1).c,$(OUT)/$(1)/%.so,$(wildcard workloads/preload/*_$(1).c)) \
              $(if $(filter openmpi mpich,$(1)),$(OUT)/$(1)/libcollsel-$(1).so $(OUT)/$(1)/micro)
mpi-tests-$(1): $(patsubst tests/mpi/%.c,$(OUT)/$(1)/tests/%,$(wildcard tests/mpi/*.c)) \
                $(patsubst tests/mpi/$(1)/%.c,$(OUT)/$(1)/tests/%,$(wildcard tests/mpi/$(1)/*.c)) \
                $(patsubst tests/fake/%_$(1).c,$(OUT)/$(1)/tests/%.so,$(wildcard tests/fake/*_$(1).c))
$(RUN_MAIN:workloads/%.c=$(OUT)/$(1)/%): $(OUT)/$(1)/%: $(OUT)/$(1)/workloads/%.o $$(patsubst %.c,$(OUT)/$(1)/%.o,$$(filter-out $$(RUN_MAIN),$$(RUN_SRC)))
	$$(call say,LD)$$(CC_$(1)) $$(CFLAGS_MPI) -rdynamic -o $$@ $$^ -lcsv -lm -ldl
$(OUT)/$(1)/tests/%: $(OUT)/$(1)/tests/mpi/%.o $$(patsubst %.c,$(OUT)/$(1)/%.o,tests/tap.c $$(filter-out $$(RUN_MAIN),$$(RUN_SRC)))
	$$(call say,LD)mkdir -p $$(@D) && $$(CC_$(1)) $$(CFLAGS_MPI) -rdynamic -o $$@ $$^ -lcsv -lm -ldl
$(OUT)/$(1)/tests/%: $(OUT)/$(1)/tests/mpi/$(1)/%.o $$(patsubst %.c,$(OUT)/$(1)/%.o,tests/tap.c $$(filter-out $$(RUN_MAIN),$$(RUN_SRC)))
	$$(call say,LD)mkdir -p $$(@D) && $$(CC_$(1)) $$(CFLAGS_MPI) -rdynamic -o $$@ $$^ -lcsv -lm -ldl
$(OUT)/$(1)/%.so: workloads/preload/%_$(1).c $(OUT)/flags
	$$(call say,LD)mkdir -p $$(@D) && $$(CC_$(1)) $$(CPPFLAGS_ALL) $$(CFLAGS_MPI) -fPIC -shared -MMD -MP -MF $$@.d -o $$@ $$< -ldl
$(OUT)/$(1)/tests/%.so: tests/fake/%_$(1).c $(OUT)/flags
	$$(call say,LD)mkdir -p $$(@D) && $$(CC_$(1)) $$(CPPFLAGS_ALL) $$(CFLAGS_MPI) -fPIC -shared -MMD -MP -MF $$@.d -o $$@ $$< -ldl
$(OUT)/$(1)/libcollsel-$(1).so: $(PRE_SRC:%.c=$(OUT)/$(1)/pic/%.o)
	$$(call say,LD)$$(CC_$(1)) $$(CFLAGS_MPI) -shared -Wl,-z,defs -o $$@ $$^ -lm -ldl
$(OUT)/$(1)/micro: workloads/micro/micro.c $(OUT)/flags; $$(call say,LD)mkdir -p $$(@D) && $$(CC_$(1)) $$(CPPFLAGS_ALL) $$(CFLAGS_MPI) -o $$@ $$<
$(OUT)/$(1)/pic/%.o: %.c $(OUT)/flags
	$$(call say,CC)mkdir -p $$(@D) && $$(CC_$(1)) $$(CPPFLAGS_ALL) $$(CFLAGS_MPI) -DMPI_IS_$(1) -DLIBCOLLSEL_MPI=$(1) -fPIC -fvisibility=hidden -MMD -MP -c -o $$@ $$<
$(OUT)/$(1)/%.o: %.c $(OUT)/flags
	$$(call say,CC)mkdir -p $$(@D) && $$(CC_$(1)) $$(CPPFLAGS_ALL) $$(CFLAGS_MPI) -DMPI_IS_$(1) -MMD -MP -c -o $$@ $$<
endef
$(foreach m,$(MPIS),$(eval $(call mpi_rules,$(m))))

# Changes only when the commands would; everything waits for a `setup` asked for before it.
measure mpi-tests lint hdr-check fuzz: $(OUT)/flags
# They share objects, and each is a make of its own: one after the other.
mpi-tests: measure
$(OUT)/flags: FORCE $(filter setup,$(MAKECMDGOALS))
	$(SAY_LIBRARIES)
	$(Q)mkdir -p $(OUT); echo '$(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) $(LDLIBS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) $(LDLIBS)' > $@

# What a walk wants is built without any MPI.
BUILT := $(if $(filter walk,$(BACKEND)),tool $(OUT)/walk/measure,all)
setup:; $(Q)ci/setup $(if $(filter command,$(firstword $(origin PREFIX))),-p '$(PREFIX)') $(WITH)
new-cluster: tool; $(Q)$(OUT)/collsel new-cluster $(ARGS)
sweep: $(BUILT); $(Q)$(OUT)/collsel sweep --cluster $(CLUSTER) --study $(STUDY) --backend $(BACKEND) $(PLANNED)
guidelines: $(BUILT)
	$(Q)OUT=$(OUT) ci/guidelines --cluster $(CLUSTER) --study $(if $(filter file,$(origin STUDY)),guidelines,$(STUDY)) --backend $(BACKEND)
submit: all; $(Q)$(OUT)/collsel submit --cluster $(CLUSTER) --study $(STUDY) $(PLANNED)
tune: $(BUILT)
	$(Q)OUT=$(OUT) PLANNED="$(strip $(PLANNED))" VIEW=$(VIEW) ci/tune $(CLUSTER) $(if $(filter file,$(origin STUDY)),tune,$(STUDY)) $(BACKEND) $(LIBRARY)
report: $(BUILT)
	$(Q)$(OUT)/collsel report $(if $(DATASET),--dataset '$(DATASET)' $(if $(filter-out file,$(origin CLUSTER)),--cluster $(CLUSTER)),--cluster $(CLUSTER) --study $(STUDY) --backend $(BACKEND) $(PLANNED))
check: all mpi-tests $(TESTS_C) $(OUT)/tests/fuzz/loop
	$(Q)BUILD=$(OUT) ci/check $(if $(V),-v) --timer -j3 $(TESTS_C) $(TESTS_SH)
check-some: all $(TESTS_C) $(OUT)/tests/fuzz/loop
	$(Q)BUILD=$(OUT) ci/check $(if $(V),-v) -j2 $(TESTS_C) $(patsubst %,tests/cli/%.t,fit planted two-collectives channels predict schedule plan)
check-long: check
	$(Q)BUILD=$(OUT) COLLSEL_LONG=1 ci/check $(if $(V),-v) --timer $(TESTS_C) $(TESTS_SH)
# MAKE_COMMAND: a line with the other name of it would run under `make -n`.
papers pml apps overnight: all
	$(Q)OUT=$(OUT) DATASET='$(DATASET)' MAKE='$(MAKE_COMMAND)' ci/$@ $(if $(filter pml,$@),$(if $(filter-out environment,$(firstword $(origin PROCS))),'$(PROCS)')) $(if $(filter apps overnight,$@),$(if $(filter-out file,$(origin CLUSTER)),-c $(CLUSTER)) $(ARGS))
testbed-check: all; $(Q)LC_ALL=C BUILD=$(OUT) prove -v tests/testbed/check.t
bench: all mpi-tests $(OUT)/tests/bench/walk $(OUT)/tests/bench/links $(OUT)/tests/bench/many $(OUT)/tests/bench/learn
	$(Q)BUILD=$(OUT) tests/bench/run
lint fuzz:; $(Q)ci/$@
hdr-check:; $(Q)ci/hdr-check $(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL)
install uninstall: $(if $(filter install,$(MAKECMDGOALS)),all)
	$(Q)OUT=$(OUT) ci/install $@ '$(DESTDIR)' '$(or $(PREFIX),/usr/local)'
format:; $(Q)git ls-files '*.c' '*.h' | xargs clang-format -i
golden: $(OUT)/tests/reports/formats-t $(OUT)/tests/harness/jobs-t $(OUT)/tests/reports/report-t
	$(Q)UPDATE_GOLDEN=1 BUILD=$(OUT) prove $^ $(TESTS_SH)
clean:; $(Q)rm -rf build build-san build-clang build-fuzz
help:; $(Q)sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
