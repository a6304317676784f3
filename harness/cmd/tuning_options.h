/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning_options.h - the options of commands that write rules files: the library, the
 * mapping, and when the default stays in a cell. */
#pragma once

#include "analysis/advise/tuning.h"
#include "harness/cmd/options.h"

/* What such a command's argp input begins with. */
struct tuning_input {
    struct options options; /* first, for the common parser */
    struct tuning_question question;
    const char *library; /* the family, where --library names it or an entry of it; NULL: a release
                            was named, or none */
    const char *install; /* of --install-path: the directory where the file will lie; NULL: where it
                            is written */
};

/* The defaults of a question: margin 3 %, the study's tie_pct. */
#define TUNING_QUESTION_DEFAULT                                                                    \
    {                                                                                              \
        .margin_pct = 3, .tie_pct = NAN                                                            \
    }

/* These options and those of results. */
extern const struct option_set options_of_tuning;

/* The reader of the question: that of --library, else of the release of the MPI that measured
 * DIR's results. NULL with *err: no reader for that library's rules, the MPI is not in the results,
 * or MPIs of several releases are and none was named. */
const struct rules_reader *tuning_options_reader(const struct tuning_input *input, const char *dir,
                                                 struct err *err);

/* Names on stderr the collectives that get no rules, with the reason, also where the rest is quiet:
 * the file lacks them. */
void tuning_options_tell_undecided(const struct tuning *tuning);

/* Appends the options of a question as another run of collsel takes them. */
void tuning_options_words(const struct tuning_question *question, struct argv *words);
