/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend_profile.h - what an application would save by the answers of collsel ask: the heaviest
 * kinds of calls of a profile (collsel run --report), each with its answer. */
#pragma once

#include "analysis/applications/application_cost.h"
#include "harness/cmd/advice_print.h"

/* Answers for one kind of calls, as advice_of_results; mpi: the profile's library. */
typedef int profile_answers(const void *of, const struct application_kind *kind, const char *mpi,
                            struct advice_table *out, struct err *err);

/* The question. Borrowed. */
struct recommend_profile {
    const char *path; /* of the profile */
    profile_answers *answers;
    const void *of;
    enum advice_form form;
    int table; /* 1: print a table of libcollsel with the answers that gain, instead of the form */
};

/* To stdout: the kinds of calls with at least a hundredth of the time in collectives, at most
 * sixteen, the heaviest first. A kind saves its time without the waiting for late ranks, less what
 * the answer takes: t - t / (1 + g), g: extra time of the library's default over the answer. The
 * ends of g's interval give those of what is saved; ends of the sum are the sums of ends. A kind of
 * which the profile did not run the library's own call has no answer; what an answer saves is not
 * known where it is of another library than the profile's. 0, or -1 with *err. */
int recommend_profile(const struct recommend_profile *question, struct err *err);
