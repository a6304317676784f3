# SPDX-License-Identifier: BSD-3-Clause
# collsel - which algorithm should each MPI collective use here?       `make help` lists the targets
#
#   make setup [WITH='lint apps tests']   install what is missing (Debian/Ubuntu; root or sudo; PREFIX=$HOME/x: unpack it there, without root)
#   make new-cluster ARGS='mine --nodes 16 --link edr'   the file of a machine that is not described yet
#   make sweep  CLUSTER=gros        measure or simulate what the study asks for; run again to resume
#   make submit CLUSTER=star-a      the same as job arrays of Slurm
#   make tune   CLUSTER=local       sweep, report, export, verify: a file of rules that gains for each library, and how to load it (LIBRARY=openmpi-4.1: of one, MPI=NAME: of that entry)
#   make guidelines CLUSTER=local   does this MPI keep its own promises? its defaults against each other, measured, and a verdict
#   make report CLUSTER=gros        the report, and whatever it lacks
#   make report DATASET=./DIR       the same of other people's measurements (docs/import.md)
#   make check | check-slow         tests (TAP), below ten minutes on two cores | those of over half a minute each; V=1 shows every line
#   make check-long | check-some    all of them in their long forms | those worth a sanitizer's time
#   make short                      each of bench, check-long, pml, papers and overnight with SHORT=1: the same way in a minute or two (ci/short)
#   make testbed-check              one of them alone: mishaps on an emulated cluster with real Slurm (root)
#   make bench | apps CLUSTER=local speeds, as ratios in one run | real applications, with and without libcollsel (ci/apps)
#   make overnight CLUSTER=star-a   the STAR-MPI paper's micro-benchmark at its full length (hours; ci/overnight); run again to resume
#   make pml [PROCS=128]            walks Table I of PML-MPI on 18 clusters, and its splits (an hour; PAPER=1: two collectives alone; docs/clusters.md); run again to resume
#   make first                      the model of real machines that ships, and its judgement on each that is left out (ci/first; shared data)
#   make papers                     every table and figure of the five papers, theirs and ours (a minute; DATASET=DIR: ORFEO's published data; STRICT=1: fails where one is not made)
#   make install | uninstall PREFIX=/usr/local DESTDIR=   program, measuring programs, clusters, man page, completion
#   make lint | format | golden | hdr-check | fuzz | clean
#
# Variables: CLUSTER (else the only file of clusters, or local) STUDY BACKEND DATASET PLAN=adaptive BUDGET=30core-h VIEW=slowest (tune)  CC SAN=address,undefined WERROR=1 V=1 SHORT=1 WITHOUT='xgboost svm hwloc simgrid'  (or in config.mk)

-include config.mk
# A name on the command line, or CC_... in config.mk, that stands for nothing here is an error: what it should change would stay as it was. A make within a make does not ask.
KNOWN   := CLUSTER STUDY BACKEND DATASET PLAN BUDGET VIEW LIBRARY MPI ARGS PROCS WITH WITHOUT PREFIX DESTDIR OUT CC CFLAGS CPPFLAGS LDFLAGS LIBS LDLIBS SAN WERROR V SHORT PAPER STRICT \
           MPIS MPICC MPI_LIBS CC_openmpi CC_mpich CC_smpi AR CXX LD INSTALL SHELL JOBS
STRANGE := $(if $(filter 0,$(MAKELEVEL)),$(filter-out $(KNOWN) MAKE% -%,$(foreach v,$(.VARIABLES),$(if $(filter command $(if $(filter CC_%,$v),file),$(firstword $(origin $v))),$v))))
NEAREST  = $(shell awk 'function d(a, b, i, j, c, x) { for (j = 0; j <= length(b); j++) c[0, j] = j; for (i = 1; i <= length(a); i++) { c[i, 0] = i; for (j = 1; j <= length(b); j++) { \
           x = c[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)); if (c[i - 1, j] < x) x = c[i - 1, j] + 1; if (c[i, j - 1] < x) x = c[i, j - 1] + 1; c[i, j] = x } } \
           return c[length(a), length(b)] } BEGIN { least = 99; for (n = 2; n < ARGC; n++) if ((x = d(toupper(ARGV[1]), toupper(ARGV[n]))) < least) { least = x; near = ARGV[n] } print near }' $1 $(KNOWN))
$(if $(STRANGE),$(error '$(firstword $(STRANGE))' is no variable of this Makefile (did you mean '$(call NEAREST,$(firstword $(STRANGE)))'? `make help` lists them)))
STUDY   ?= bcast
BACKEND ?= auto
ON      := $(if $(CLUSTER),--cluster '$(CLUSTER)')
PLANNED := $(if $(filter-out environment,$(firstword $(origin PLAN))),$(PLAN:%=--plan '%')) $(if $(filter-out environment,$(firstword $(origin BUDGET))),$(if $(BUDGET),--budget '$(BUDGET)'))# not what a shell exports
CC      ?= gcc
OUT     ?= build$(if $(SAN),-san)
Q       := $(if $(V),,@)# V=1 shows the commands, make -s nothing, else each rule says what it makes:
say      = $(Q)$(if $(V)$(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,printf '%-4s %s\n' $(1) $@;)
# Built on all cores, at most 16: a login node is others' too. make -jN is obeyed.
JOBS     := $(if $(filter 0,$(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))),-j$(shell n=$$(nproc); [ $$n -le 16 ] || n=16; echo $$n))
MAKEFLAGS += $(JOBS)
.DELETE_ON_ERROR .SUFFIXES .SECONDARY:
.PHONY: all tool measure mpi-tests setup new-cluster sweep guidelines submit tune report check check-slow check-some check-long short testbed-check bench pml papers apps overnight first lint format golden hdr-check fuzz clean help FORCE

CPPFLAGS_ALL := -I. -D_GNU_SOURCE -include harness/base/banned.h $(CPPFLAGS)
CFLAGS_ALL   := -std=c11 -O2 -g -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
                $(if $(WERROR),-Werror) $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all) $(CFLAGS)
include ci/libraries.mk

# Everything but main files goes into one library that the driver, the tests and the benchmarks link; of the measuring program, what needs no MPI.
LIB_SRC  := $(filter-out harness/collsel.c harness/walk.c,$(sort $(shell find harness analysis reports workloads/schedules -name '*.c'))) \
            $(addsuffix .c,$(addprefix workloads/,simulated/simulated_cost clocks/clock_line placement/placement \
              $(addprefix measure/,shared_samples options die_with_parent record stopping warming pattern rotate) \
              $(addprefix libcollsel/,settings seen switches profile choice choice_table star star_sure expected star_memory repository)))
# What runs under MPI is built once per MPI, from the same sources (workloads/mpi.mk). A compiler that config.mk or the command line names is used, and its launcher.
MPIS     := openmpi mpich $(if $(filter simgrid,$(WITHOUT)),,smpi)
$(foreach m,$(MPIS),$(eval CHOSEN_$(m) := $(if $(filter undefined,$(origin CC_$(m))),,1)))
CC_openmpi ?= $(shell ci/mpicc openmpi)
CC_mpich   ?= $(shell ci/mpicc mpich)
CC_smpi    ?= smpicc
TESTS_C  := $(patsubst tests/%-t.c,$(OUT)/tests/%-t,$(sort $(shell find tests -name '*-t.c')))
# Over half a minute each, beside two others on two cores: `make check-slow`, longest first. `make check` runs all others.
SLOW     := $(patsubst %,tests/%.t,libcollsel/apps cli/verify testbed/tune libcollsel/through cli/slurm cli/entries testbed/check libcollsel/model \
              workloads/measure libcollsel/star workloads/semantics libcollsel/tables cli/resume workloads/lying cli/buffers workloads/intrusions libcollsel/told libcollsel/every \
              cli/submit cli/views cli/recomputed libcollsel/semantics cli/adaptive libcollsel/valgrind cli/selector workloads/traffic workloads/traffic-mpich \
              cli/set cli/kills workloads/components cli/pml cli/compare cli/status cli/rollout workloads/han_file cli/odd cli/environment testbed/same \
              cli/crosscheck workloads/tuned_tree cli/entries_bad cli/recommend cli/words workloads/verify cli/pack workloads/executor cli/pages workloads/natives \
              cli/star cli/new-cluster cli/every workloads/own_default cli/install)
LONGEST  := $(patsubst %,tests/cli/%.t,sweep plan report disk faults import given attacks)
TESTS_SH := $(LONGEST) $(filter-out $(LONGEST) $(SLOW),$(wildcard tests/*/*.t))# longest first
# Whose long form does other things, not only more of the same: with SHORT=1 as little as can be of these.
OTHER_WAY := $(addprefix tests/,workloads/executor.t workloads/semantics.t cli/kills.t testbed/kills.t cli/latex.t)

all: tool measure $(OUT)/walk/measure $(OUT)/null/measure
tool: $(OUT)/collsel $(OUT)/commit
# What manifests say of this program, asked once a make.
$(OUT)/commit: FORCE
	$(Q)mkdir -p $(OUT); git describe --always --dirty --abbrev=40 --match=- >$@.$$$$ 2>/dev/null || echo unknown >$@.$$$$; \
	cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@
measure mpi-tests:
	$(Q)one() { [ -z "$$3" ] || [ $$1 = smpi ] || case "$$(sh workloads/mpi-asked $$2)" in "$$1 "*) ;; *) \
	        echo "$@: CC_$$1='$$2' is no compiler of $$1 (want its mpicc, in a path without blanks; for another MPI a section [mpi NAME])" >&2; exit 2 ;; esac; \
	    if ! command -v $${2%% *} >/dev/null; then echo "$@: no $$2 here, left out (make setup)" >&2; \
	    else $(MAKE) --no-print-directory -f workloads/mpi.mk FAMILY=$$1 MPICC="$$2" CHOSEN=$$3 DIR=$(OUT)/$$1 $@ || exit 1; fi; }; \
	$(foreach m,$(MPIS),one $(m) '$(CC_$(m))' $(CHOSEN_$(m));) :

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

# Changes only when the commands would; everything waits for a `setup` asked for before it.
measure mpi-tests lint hdr-check fuzz: $(OUT)/flags
# They share objects, and each is a make of its own: one after the other.
mpi-tests: measure
$(OUT)/flags: FORCE $(filter setup,$(MAKECMDGOALS))
	$(SAY_LIBRARIES)
	$(Q)mkdir -p $(OUT); echo '$(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) $(LDLIBS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL) $(LDLIBS)' > $@

# What a walk wants is built without any MPI.
BUILT := $(if $(filter walk,$(BACKEND)),tool $(OUT)/walk/measure,all)
# Where make starts anew, as what it reads was made, the first one has done it.
setup:; $(Q)$(if $(MAKE_RESTARTS),:,ci/setup $(if $(filter command,$(firstword $(origin PREFIX))),-p '$(PREFIX)') $(WITH)$(if $(filter-out setup,$(MAKECMDGOALS)),, && echo 'setup: this builds nothing; the next command: make report CLUSTER=gros'))
new-cluster: tool; $(Q)$(OUT)/collsel cluster new $(ARGS)
sweep: $(BUILT); $(Q)$(OUT)/collsel measure $(ON) --study $(STUDY) --backend $(BACKEND) $(PLANNED)
guidelines: $(BUILT)
	$(Q)OUT=$(OUT) ci/guidelines $(ON) --study $(if $(filter file,$(origin STUDY)),guidelines,$(STUDY)) --backend $(BACKEND)
submit: all; $(Q)$(OUT)/collsel measure submit $(ON) --study $(STUDY) $(PLANNED)
tune: $(BUILT)
	$(Q)$(OUT)/collsel tune $(ON) --study $(if $(filter file,$(origin STUDY)),tune,$(STUDY)) --backend $(BACKEND) $(PLANNED) $(VIEW:%=--view %) $(if $(filter command,$(firstword $(origin MPI))),--mpi '$(MPI)') $(LIBRARY)
report: $(BUILT)
	$(Q)$(OUT)/collsel report $(if $(DATASET),--dataset '$(DATASET)' $(if $(filter command environment,$(origin CLUSTER)),$(ON)),$(ON) --study $(STUDY) --backend $(BACKEND) $(PLANNED))
check: all mpi-tests $(TESTS_C) $(OUT)/tests/fuzz/loop
	$(Q)BUILD=$(OUT) ci/check $(if $(V),-v) --timer -j3 $(TESTS_C) $(TESTS_SH)
check-slow: all mpi-tests
	$(Q)BUILD=$(OUT) ci/check $(if $(V),-v) --timer -j3 $(SLOW)
check-some: all $(TESTS_C) $(OUT)/tests/fuzz/loop
	$(Q)BUILD=$(OUT) ci/check $(if $(V),-v) -j2 $(TESTS_C) $(patsubst %,tests/cli/%.t,fit planted two-collectives channels predict schedule plan)
check-long: all mpi-tests $(if $(SHORT),,$(TESTS_C) $(OUT)/tests/fuzz/loop)
	$(Q)BUILD=$(OUT) $(if $(SHORT),COLLSEL_LONG=short KILLS=1 DAEMONS=1,COLLSEL_LONG=1) ci/check $(if $(V),-v) --timer \
	    $(if $(SHORT),$(OTHER_WAY),$(TESTS_C) $(SLOW) $(TESTS_SH))
# MAKE_COMMAND: a line with the other name of it would run under `make -n`.
papers pml apps overnight first: all
	$(Q)OUT=$(OUT) SHORT=$(SHORT) $(if $(filter papers,$@),DATASET='$(DATASET)') MAKE='$(MAKE_COMMAND)' ci/$@ $(if $(filter pml,$@),$(if $(filter-out environment,$(firstword $(origin PROCS))),'$(PROCS)')) $(if $(filter apps overnight,$@),$(if $(filter command environment,$(origin CLUSTER)),$(if $(CLUSTER),-c '$(CLUSTER)')) $(ARGS))
testbed-check: all; $(Q)LC_ALL=C BUILD=$(OUT) prove -v tests/testbed/check.t
bench: all mpi-tests $(OUT)/tests/bench/walk $(OUT)/tests/bench/links $(OUT)/tests/bench/many $(OUT)/tests/bench/learn
	$(Q)BUILD=$(OUT) SHORT=$(SHORT) tests/bench/run
short: all mpi-tests; $(Q)OUT=$(OUT) MAKE='$(MAKE_COMMAND)' ci/short
lint fuzz:; $(Q)ci/$@
hdr-check:; $(Q)ci/hdr-check $(CC) $(CPPFLAGS_TOOL) $(CFLAGS_ALL)
install uninstall: $(if $(filter install,$(MAKECMDGOALS)),all)
	$(Q)OUT=$(OUT) ci/install $@ '$(DESTDIR)' '$(or $(PREFIX),/usr/local)'
format:; $(Q)git ls-files '*.c' '*.h' | xargs clang-format -i
golden: $(OUT)/tests/harness/run/slurm/jobs-t $(OUT)/tests/reports/report-t
	$(Q)UPDATE_GOLDEN=1 BUILD=$(OUT) prove $^ $(TESTS_SH) $(SLOW)
clean:; $(Q)rm -rf build build-san build-clang build-fuzz
help:; $(Q)sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
