/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/tuning_options.h"

/* A reader's name, a library's, or that of an entry of the cluster file. */
static void take_library(void *input, char *arg, struct argp_state *state)
{
    struct tuning_input *in = input;
    const char *family = mpi_family(arg);
    const int names_reader = rules_reader_find(arg) || !rules_library_known(family);
    in->question.reader = names_reader ? options_take_reader(state, arg, 1) : NULL;
    in->library = names_reader ? NULL : family;
    if (!names_reader && strcmp(family, arg) != 0)
        in->question.mpi = arg;
}

/* It goes into lines of files. */
static void check_install(const char *arg, struct argp_state *state)
{
    if (*arg != '/')
        argp_error(state, "--install-path: '%s' is no absolute path", arg);
    for (const char *c = arg; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            argp_error(state, "--install-path: a control character in the name (want none)");
}

static void take_unsure(void *input, struct argp_state *state)
{
    struct tuning_input *in = input;
    (void)state;
    in->question.unsure |= in->options.unsure;
    in->question.doubted = in->options.doubted;
}

#define TO(member) OPTION_TO_OF(struct tuning_input, member)

static const struct option_row rows[] = {
    { "library", 0, "NAME",
      "The library that loads the rules: openmpi-4.0, openmpi-4.1, openmpi-5.0.0 (before 5.0.7), "
      "openmpi-5, openmpi-6, openmpi-4.1-han, openmpi-5-han, openmpi-6-han (which component "
      "serves), mpich-4.0, mpich-4.1, mpich-4.2, mpich-4.3[-gpu], mpich-5.0[-gpu] (with -gpu for "
      "an accelerator's memory, too), libcollsel (any schedule, before any MPI); openmpi or mpich: "
      "the release that was measured; a section [mpi NAME] of the cluster file: its release and "
      "its times (default: the MPI that was measured)",
      .take = take_library },
    { "mpi", 0, "NAME",
      "Whose times count, where several MPIs of that library were measured: a section [mpi NAME] "
      "of the cluster file (default: the only one of the release; of libcollsel the first)",
      TO(question.mpi) },
    { "mapping", 0, "NAME", "Mapping (default: the first that there is)", TO(question.mapping) },
    { "margin", 0, "PCT",
      "The default keeps a cell unless the lower end of the gain over it is above this "
      "(default: 3)",
      TO(question.margin_pct) },
    { "tie", 0, "PCT",
      "What is as fast as the fastest within this is taken where a neighbouring cell takes it; "
      "0: never (default: the study's tie_pct)",
      TO(question.tie_pct) },
    { "no-interval", 0, NULL, "Gains without an interval (one launch, one run) count as they are",
      TO(question.unsure) },
    { "install-path", 0, "DIR",
      "The directory where the file will lie on the nodes, an absolute path: its head and the "
      "lines that load it name that one (default: where it is written)",
      TO(install), .check = check_install },
    { 0 },
};

const struct option_set options_of_tuning = { rows, take_unsure, &options_of_results };

/* 1 when an entry that was measured is the one that is asked for, or of the library; where neither
 * is named, when files of rules of its library are known. */
static int is_asked(const struct tuning_input *in, const char *mpi)
{
    if (in->question.mpi && strcmp(mpi, in->question.mpi) != 0)
        return 0;
    return in->library ? mpi_is(mpi, in->library) : rules_library_known(mpi_family(mpi));
}

/* facts NULL: nothing was measured. */
static void refuse_unmeasured(const struct tuning_input *in, const char *dir,
                              const struct facts *facts, struct err *err)
{
    const char *asked = in->question.mpi ? in->question.mpi : in->library;
    char names[256] = "no MPI", near[SUGGEST_TEXT];
    struct suggest m;
    suggest_init(&m, asked ? asked : "");
    for (const struct rules_reader *const *r = rules_readers; *r; r++)
        suggest_try(&m, (*r)->name);
    for (size_t i = 0, used = 0; facts && i < facts->n_mpis && used < sizeof names; i++) {
        suggest_try(&m, facts->mpi[i]);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 facts->mpi[i]);
    }
    if (asked)
        err_usage(err,
                  "--library: there are no times of '%s' in %s (it has times of %s; want a "
                  "release such as openmpi-5, or one of these)%s",
                  asked, dir, names, suggest_text(&m, near));
    else
        err_usage(err,
                  "name the library that loads the rules by --library, such as openmpi-5 or "
                  "libcollsel: %s has times of %s",
                  dir, names);
}

const struct rules_reader *tuning_options_reader(const struct tuning_input *in, const char *dir,
                                                 struct err *err)
{
    struct facts facts;
    const struct rules_reader *reader = NULL;
    const char *found = NULL;
    if (in->question.reader)
        return in->question.reader;
    if (facts_read(dir, &facts, err) < 0) {
        if (in->question.mpi && in->library)
            refuse_unmeasured(in, dir, NULL, err);
        return NULL;
    }
    for (size_t i = 0; i < facts.n_mpis; i++) {
        const char *mpi = facts.mpi[i], *version = facts.mpi_version[i];
        const struct rules_reader *r = rules_reader_of(mpi_family(mpi), version);
        if (!is_asked(in, mpi))
            continue;
        if (!r) {
            err_usage(err,
                      "say by --library the release, such as openmpi-5: %s has times of %s, whose "
                      "release is not known (%s)",
                      dir, mpi, version);
            return NULL;
        }
        if (reader && r != reader) {
            err_usage(err, "say by --library whose rules are wanted: %s and %s were measured",
                      found, mpi);
            return NULL;
        }
        reader = r;
        found = mpi;
    }
    if (!reader)
        refuse_unmeasured(in, dir, &facts, err);
    return reader;
}

void tuning_options_tell_undecided(const struct tuning *t)
{
    for (size_t i = 0; i < t->n_undecided; i++)
        fprintf(stderr, "no rules of %s: %s\n", t->undecided[i].collective, t->undecided[i].why);
}

void tuning_options_words(const struct tuning_question *q, struct argv *words)
{
    argv_add(words, "--library=%s", q->reader->name);
    if (q->mpi)
        argv_add(words, "--mpi=%s", q->mpi);
    if (q->mapping)
        argv_add(words, "--mapping=%s", q->mapping);
    argv_add(words, "--margin=%.17g", q->margin_pct);
    if (!isnan(q->tie_pct))
        argv_add(words, "--tie=%.17g", q->tie_pct);
    if (q->unsure)
        argv_add(words, "--no-interval");
    if (q->doubted)
        argv_add(words, "--doubted");
}
