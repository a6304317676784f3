# SPDX-License-Identifier: BSD-3-Clause
# libraries.mk - included by the Makefile: looks for libraries and programs (ci/libraries) once a make, after a `setup` that is asked for
# beside it. What is needed and lacks stops make before any compiler; what is optional and lacks is said. A make within a make does not look again.
CPPFLAGS_TOOL = $(CPPFLAGS_ALL) $(LIB_CPPFLAGS)
LDLIBS        = $(LDFLAGS) -Wl,--as-needed $(LIBS) -lm -lpthread -ldl
.DEFAULT_GOAL := all
ifneq ($(filter-out clean help format setup,$(or $(MAKECMDGOALS),all)),)
include $(OUT)/libraries.mk
endif
$(OUT)/libraries.mk: $(if $(filter 0,$(MAKELEVEL)),FORCE $(if $(findstring n,$(filter-out --%,$(firstword $(MAKEFLAGS)))),,$(filter setup,$(MAKECMDGOALS))))
	@mkdir -p $(OUT); CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' WITHOUT='$(WITHOUT)' ci/libraries >$@.$$$$; \
	cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@
# What is loaded late (analysis/learn/method.h), by the names that programs linked with it ask for at run time.
$(OUT)/analysis/learn/boosted.o $(OUT)/analysis/learn/svm.o: LIB_CPPFLAGS += $(LATE)
$(OUT)/analysis/learn/boosted.o $(OUT)/analysis/learn/svm.o: $(OUT)/libraries.mk
define SAY_LIBRARIES
$(if $(NEEDED),@echo "make: $(strip $(NEEDED))" >&2; exit 1)
$(if $(LACKING),$(if $(filter 0,$(MAKELEVEL)),@echo "built without $(strip $(LACKING)); make setup adds what it can"))
endef
