/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel ask: which algorithm to take, as measurements or a file of `collsel train` know it. */
#include "harness/cmd/advice_print.h"
#include "harness/cmd/asked_machine.h"
#include "harness/cmd/recommend_others.h"
#include "harness/cmd/recommend_profile.h"
#include "harness/rules/export.h"
#include "harness/run/progress.h"

/* ---- what a communicator gets: --table ---- */

/* The communicator. Borrowed. */
struct model_shape {
    int procs, nodes, ppn;           /* ranks; the nodes they are on; the most on one of them */
    const char *mpi;                 /* whose default to use, if in the model; NULL: any */
    const char *mapping;             /* NULL: the first in the model */
    const struct facts *machine;     /* NULL: the training machine */
    int likely;                      /* number of further likely candidates
                                        per choice; at most ADVICE_LIKELY */
    const struct model_first *first; /* as of an advice_question */
    int quiet;                       /* 1: no output on standard error */
};

/* ---- one collective ---- */

/* What is taken with so many bytes. */
struct answer {
    uint64_t bytes;
    struct candidate take; /* algorithm "": the library's own call */
    struct candidate likely[ADVICE_LIKELY];
};

struct answers {
    struct answer *v; /* owned; by bytes */
    size_t n;
    size_t unknown;  /* of these: what is taken instead of the default gains nobody knows what */
    size_t untested; /* of these: what is taken gains, and that has no interval */
};

static int by_bytes(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    return ascending(x->bytes, y->bytes);
}

static int is_same(const struct answer *a, const struct answer *b)
{
    int same = candidate_equal(&a->take, &b->take);
    for (int i = 0; i < ADVICE_LIKELY; i++)
        same &= candidate_equal(&a->likely[i], &b->likely[i]);
    return same;
}

/* Nothing runs instead of the library's own call but what is known to gain. */
static void add_answer(const struct advice *a, struct answers *to)
{
    struct answer *one = array_add(&to->v, &to->n);
    const int other = !algorithm_is_default(a->take.algorithm);
    one->bytes = a->cell.bytes;
    if (other && a->longer_pct > 0)
        one->take = a->take;
    to->unknown += other && isnan(a->longer_pct);
    to->untested += *one->take.algorithm && isnan(a->longer_low_pct);
    for (size_t i = 0; i < a->n_likely; i++)
        one->likely[i] = a->likely[i];
}

/* Asks about n more sizes. As advice_of_model. */
static int ask_model(const struct model_file *model, const char *path, struct advice_question *q,
                     const uint64_t *bytes, size_t n, struct answers *to, struct err *err)
{
    struct advice_table table;
    q->bytes = bytes;
    q->n_bytes = n;
    const int status = advice_of_read_model(model, path, q, &table, err);
    if (status != 0)
        return status;
    for (size_t i = 0; i < table.n; i++)
        add_answer(&table.row[i], to);
    advice_clear(&table);
    qsort(to->v, to->n, sizeof *to->v, by_bytes);
    return 0;
}

enum { FIRST_SIZES = 62, LARGEST_LOG2 = 30 };

/* 1, 2, 3, 4, 6, 8, 12 ... bytes; of what moves none, 0. */
static size_t first_sizes(const char *collective, uint64_t bytes[FIRST_SIZES])
{
    size_t n = 0;
    if (strcmp(collective, "barrier") == 0) {
        bytes[n++] = 0;
        return n;
    }
    for (int k = 0; k <= LARGEST_LOG2; k++) {
        bytes[n++] = UINT64_C(1) << k;
        if (k > 0 && k < LARGEST_LOG2)
            bytes[n++] = UINT64_C(3) << (k - 1);
    }
    return n;
}

/* Sizes in the middle between neighbours whose answers differ. */
static size_t between(const struct answers *a, uint64_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i + 1 < a->n; i++)
        if (a->v[i + 1].bytes - a->v[i].bytes > 1 && !is_same(&a->v[i], &a->v[i + 1]))
            bytes[n++] = a->v[i].bytes + (a->v[i + 1].bytes - a->v[i].bytes) / 2;
    return n;
}

static int ask_all(const struct model_file *model, const char *path, struct advice_question *q,
                   struct answers *to, struct err *err)
{
    uint64_t first[FIRST_SIZES];
    size_t n = first_sizes(q->collective, first);
    int status = ask_model(model, path, q, first, n, to, err);
    while (status == 0 && n > 0) {
        uint64_t *bytes = memory_zeros(to->n, sizeof *bytes);
        n = between(to, bytes);
        if (n)
            status = ask_model(model, path, q, bytes, n, to, err);
        free(bytes);
    }
    return status;
}

static void add_grid(const struct model_shape *shape, const char *collective,
                     const struct answers *a, struct rules_choices *to)
{
    struct rules_grid *g = array_add(&to->grid, &to->n);
    snprintf(g->collective, NAME_SIZE, "%s", collective);
    g->n_procs = 1;
    g->n_bytes = a->n;
    g->n_likely = (size_t)shape->likely;
    g->procs = memory_zeros(1, sizeof *g->procs);
    g->nodes = memory_zeros(1, sizeof *g->nodes);
    g->ppn = memory_zeros(1, sizeof *g->ppn);
    g->bytes = memory_zeros(a->n, sizeof *g->bytes);
    g->take = memory_zeros(a->n, sizeof *g->take);
    g->likely = memory_zeros(a->n * g->n_likely + 1, sizeof *g->likely);
    *g->procs = (uint64_t)shape->procs;
    *g->nodes = shape->nodes;
    *g->ppn = shape->ppn;
    for (size_t i = 0; i < a->n; i++) {
        g->bytes[i] = a->v[i].bytes;
        g->take[i] = a->v[i].take;
        for (size_t k = 0; k < g->n_likely; k++)
            g->likely[i * g->n_likely + k] = a->v[i].likely[k];
    }
}

/* ---- all that the model knows ---- */

/* Of all collectives. */
struct known {
    struct rules_choices choices;
    size_t cells, unknown, untested; /* looked at; of these as of struct answers */
};

static const char *known_mpi(const struct model_file *model, const char *collective,
                             const char *mpi)
{
    for (size_t i = 0; mpi && i < model->evidence.n; i++) {
        const struct cell *c = &model->evidence.subject[i].context;
        if (strcmp(c->collective, collective) == 0 && strcmp(c->mpi, mpi) == 0)
            return mpi;
    }
    return NULL;
}

/* What has no answer is left to the library. */
static int add_collective(const struct model_file *model, const char *path,
                          const struct model_shape *shape, const char *collective, struct known *to,
                          struct err *err)
{
    const uint64_t procs = (uint64_t)shape->procs;
    struct advice_question q = { .collective = collective,
                                 .mpi = known_mpi(model, collective, shape->mpi),
                                 .mapping = shape->mapping,
                                 .procs = &procs,
                                 .n_procs = 1,
                                 .nodes = shape->nodes,
                                 .ppn = shape->ppn,
                                 .portable = 1,
                                 .likely = shape->likely,
                                 .machine = shape->machine,
                                 .first = shape->first };
    struct answers answers = { .n = 0 };
    struct err why = { 0 };
    const int status = ask_all(model, path, &q, &answers, &why);
    if (status == 0)
        add_grid(shape, collective, &answers, &to->choices);
    else if (status > 0 && !shape->quiet)
        fprintf(stderr, "no rows of %s: %s\n", collective, why.text);
    else if (status < 0)
        *err = why;
    to->cells += answers.n;
    to->unknown += answers.unknown;
    to->untested += answers.untested;
    free(answers.v);
    return status < 0 ? -1 : 0;
}

static char *export_choices(const struct model_shape *shape, const struct known *known,
                            struct err *err)
{
    char what[128], unknown[160], untested[160];
    const char *remarks[4] = { what };
    size_t n = 1;
    if (known->unknown)
        remarks[n++] = unknown;
    if (known->untested)
        remarks[n++] = untested;
    struct rules_made made = { .cells = 0 };
    snprintf(what, sizeof what,
             "what a model chooses among %d ranks on %d node%s, at most %d on one", shape->procs,
             shape->nodes, plural(shape->nodes), shape->ppn);
    snprintf(unknown, sizeof unknown,
             "in %zu of %zu cell%s the model does not know what is gained over the library's "
             "default: they are left to the library",
             known->unknown, COUNTED(known->cells));
    snprintf(untested, sizeof untested,
             "in %zu of %zu cell%s the gain of what is taken has no interval", known->untested,
             COUNTED(known->cells));
    char *text =
        rules_export(rules_reader_find("libcollsel"), &known->choices, remarks, &made, err);
    if (text && known->unknown && !shape->quiet)
        fprintf(stderr, "%s\n", unknown);
    for (size_t i = 0; i < made.told.n && !shape->quiet; i++)
        fprintf(stderr, "left to the library: %s\n", made.told.v[i].text);
    rules_made_clear(&made);
    return text;
}

/* Where ranks share cores what a model knows of its machine says nothing: the library decides,
 * which is told. */
static int shape_fits(const struct model_shape *shape)
{
    const struct facts *m = shape->machine;
    struct err why = { 0 };
    if (!m || cluster_holds(m->cluster, m->nodes, m->sockets * m->cores, shape->procs, shape->nodes,
                            &why) == 0)
        return 1;
    if (!shape->quiet)
        fprintf(stderr, "left to the library: all collectives: %s\n", why.text);
    return 0;
}

/* The text of the table, to be freed; NULL with *err. A row gives the choice of
 * `collsel ask --portable` in that cell if it expects a gain over the library's
 * default. Elsewhere, and where that gain is unknown (no training data for the default:
 * the head and standard error give the number of such cells), the row is empty, or
 * `default` followed by likely candidates. If two neighbouring evaluated sizes (two per
 * octave, up to 1 GiB) have different choices, the border between them is found to the
 * byte. Choices that the table cannot express are reported on standard error. */
static char *model_table(const char *path, const struct model_shape *shape, struct err *err)
{
    struct known known = { .cells = 0 };
    const struct model_file *model = asked_model(path, err);
    char *text = NULL;
    int status = 0;
    if (!model)
        return NULL;
    const int fits = shape_fits(shape);
    for (size_t i = 0; i < model->evidence.n && status == 0 && fits; i++) {
        const char *collective = model->evidence.subject[i].context.collective;
        const struct collective *c = collective_find(collective);
        if (c && c->rows[0] &&
            !any_below(k, known.choices.n,
                       strcmp(known.choices.grid[k].collective, collective) == 0))
            status = add_collective(model, path, shape, collective, &known, err);
    }
    if (status == 0)
        text = export_choices(shape, &known, err);
    rules_choices_clear(&known.choices);
    return text;
}

enum { MOST_ASKED = 64 };

struct input {
    struct options options;  /* first, for the common parser */
    const char *model;       /* NULL: measurements are asked */
    const char *machine;     /* cluster that is asked about; NULL: the one that was measured */
    const char *profile;     /* of an application whose calls are asked about; NULL: none */
    char shipped[PATH_SIZE]; /* path of the model that ships, where that is asked */
    struct advice_question question;
    uint64_t proc[MOST_ASKED], byte[MOST_ASKED];
    struct options_list procs, bytes;
    enum advice_form form;
    int csv, json; /* the form was asked for */
    int words;     /* so far (asked_word) */
    int table;     /* what a communicator gets by `collsel run --model` is asked */
};

/* Says that nothing was measured, and what answers: the model in path; "": the default. */
static void tell_shipped(const struct input *in, const char *dir, const char *path)
{
    if (in->options.quiet)
        return;
    recommend_tell_others(dir, in->options.doubted, in->question.collective, stderr);
    if (!*path) {
        fprintf(stderr,
                "collsel ask: nothing was measured in '%s', and no model that ships knows %s%s%s\n",
                dir, in->question.collective, in->question.mpi ? " of " : "",
                in->question.mpi ? in->question.mpi : "");
        return;
    }
    const struct model_file *file = asked_model(path, NULL);
    fprintf(stderr,
            "collsel ask: nothing was measured in '%s': an estimate by the model that ships (%s), "
            "%s\n",
            dir, asked_model_label(path),
            file && file->walks ? "which walks this machine" : "learnt from simulated machines");
}

/* As advice_of_model. */
static int ask_file(const char *path, const struct advice_question *q, struct advice_table *out,
                    struct err *err)
{
    const struct model_file *model = asked_model(path, err);
    return model ? advice_of_read_model(model, path, q, out, err) : -1;
}

/* Where nothing was measured the model that ships answers, or the library's default. What was
 * measured and not fitted is for `collsel fit` first. */
static int ask_shipped(struct input *in, const char *dir, const struct advice_question *q,
                       struct advice_table *out, struct err *err)
{
    char why[160];
    if (!collective_find(q->collective))
        return err_usage(err,
                         "--collective: '%s' is no collective (collsel schedule --list shows them)",
                         q->collective);
    const int found =
        asked_shipped_model(in->options.clusters, q, in->shipped, sizeof in->shipped, err);
    if (found < 0)
        return -1;
    if (!found)
        in->shipped[0] = '\0';
    tell_shipped(in, dir, in->shipped);
    if (*in->shipped) {
        in->model = in->shipped;
        return ask_file(in->model, q, out, err);
    }
    snprintf(why, sizeof why, "nothing was measured, and no model knows %.60s%s%.60s",
             q->collective, q->mpi ? " of " : "", q->mpi ? q->mpi : "");
    return advice_of_nothing(q, why, out, err);
}

static int ask(struct input *in, struct advice_table *out, struct err *err)
{
    char dir[PATH_SIZE] = "";
    struct facts machine;
    struct advice_question q = in->question;
    q.procs = in->procs.v;
    q.bytes = in->bytes.v;
    q.n_procs = in->procs.n;
    q.n_bytes = in->bytes.n;
    q.doubted = in->options.doubted;
    if (!in->model && options_results(&in->options, dir, sizeof dir, err) < 0)
        return -1;
    const int nothing = !in->model && asked_nothing_measured(&in->options, dir);
    if (nothing && !in->machine)
        in->machine = in->options.cluster; /* which was loaded */
    if (in->machine && asked_machine(&in->options, in->machine, &machine, err) < 0)
        return -1;
    q.machine = in->machine ? &machine : NULL;
    if (!nothing && asked_first(&in->options, in->model ? NULL : dir, in->model, &q.first, err) < 0)
        return -1;
    return nothing     ? ask_shipped(in, dir, &q, out, err)
           : in->model ? ask_file(in->model, &q, out, err)
                       : advice_of_results(dir, &q, out, err);
}

/* A kind of calls of a profile, asked about as its words would be. */
static int ask_kind(const void *input, const struct application_kind *kind, const char *mpi,
                    struct advice_table *out, struct err *err)
{
    struct input in = *(const struct input *)input;
    uint64_t procs = (uint64_t)kind->procs, bytes = kind->bytes;
    in.procs = (struct options_list){ &procs, 1, 1 };
    in.bytes = (struct options_list){ &bytes, 1, 1 };
    in.question.collective = kind->collective->name;
    if (!in.question.nodes && !in.question.ppn) {
        in.question.nodes = kind->nodes;
        in.question.ppn = kind->ppn;
    }
    in.options.quiet = 1;
    if (!in.options.study_given)
        in.options.study = in.question.collective;
    struct input own = in; /* walks and other libraries answer where its own was not measured */
    own.question.mpi = mpi;
    return !in.question.mpi && *mpi && ask(&own, out, err) == 0 ? 0 : ask(&in, out, err);
}

/* All that the model knows of one communicator. */
static int print_table(const struct input *in, struct err *err)
{
    struct facts machine;
    const struct advice_question *q = &in->question;
    struct model_shape shape = { .procs = (int)in->proc[0],
                                 .nodes = q->nodes,
                                 .ppn = q->ppn,
                                 .mpi = q->mpi,
                                 .mapping = q->mapping,
                                 .likely = q->likely };
    if (in->machine && asked_machine(&in->options, in->machine, &machine, err) < 0)
        return -1;
    shape.machine = in->machine ? &machine : NULL;
    shape.quiet = in->options.quiet;
    if (asked_first(&in->options, NULL, in->model, &shape.first, err) < 0)
        return -1;
    char *text = model_table(in->model, &shape, err);
    if (!text)
        return -1;
    fputs(text, stdout);
    puts("# end"); /* who reads this from a pipe knows that it is whole */
    free(text);
    return 0;
}

/* A node without a process does not count. */
static void tell_clamp(const struct input *in)
{
    for (size_t i = 0; i < in->procs.n && !in->options.quiet; i++)
        if ((uint64_t)in->question.nodes > in->proc[i])
            fprintf(stderr,
                    "collsel ask: --nodes %d: P = %llu is used with %llu nodes, one rank each\n",
                    in->question.nodes, (unsigned long long)in->proc[i],
                    (unsigned long long)in->proc[i]);
}

static int run(const void *input, struct err *err)
{
    struct input own = *(const struct input *)input;
    struct advice_table table;
    const struct input *in = &own;
    const struct recommend_profile profile = { own.profile, ask_kind, in, own.form, own.table };
    if (own.profile)
        return recommend_profile(&profile, err);
    if (own.table)
        return print_table(in, err);
    tell_clamp(in);
    progress_at_work(!in->options.quiet);
    int status = ask(&own, &table, err);
    progress_at_work(0);
    if (status != 0)
        return -1;
    status = advice_print(&table, in->form, in->options.quiet, err);
    if (status == 0 && *table.cluster && in->form == ADVICE_SENTENCES && !in->options.quiet) {
        if (*table.sources)
            printf("learnt from %s", table.sources);
        else
            printf("from times of %s%s", table.cluster, table.more ? " and others" : "");
        if (in->machine)
            printf(", for %s", in->machine);
        if (in->model)
            printf(" (licence of the times: in %s)", in->model);
        puts("");
    }
    advice_clear(&table);
    return status;
}

/* ---- parsing ---- */

/* [CLUSTER] COLLECTIVE P,... BYTES,... [MAPPING]: each as its option takes it. */
static void take_word(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    int twice = 0;
    switch (asked_word(arg, &in->words, state)) {
    case ASKED_CLUSTER:
        twice = in->options.cluster_given;
        in->options.cluster = arg;
        in->options.cluster_given = 1;
        break;
    case ASKED_COLLECTIVE:
        twice = in->question.collective != NULL;
        in->question.collective = options_take_collective(state, arg);
        break;
    case ASKED_PROCS:
        twice = in->procs.n > 0;
        options_take_list(state, "P", arg, parse_u64, 1 << 28, &in->procs);
        break;
    case ASKED_BYTES:
        twice = in->bytes.n > 0;
        options_take_list(state, "BYTES", arg, parse_bytes, (uint64_t)1 << 50, &in->bytes);
        break;
    case ASKED_MAPPING:
        twice = in->question.mapping != NULL;
        in->question.mapping = arg;
        break;
    }
    if (twice)
        argp_error(state, "an option says what the word '%s' says (want one of them)", arg);
}

/* A communicator, and nothing else. */
static void check_table(const struct input *in, struct argp_state *state)
{
    const struct advice_question *q = &in->question;
    if (!in->model || in->procs.n != 1 || q->nodes == 0 || q->ppn == 0)
        argp_error(state, "--table wants --model, one number of --procs, --nodes and --ppn");
    if (q->collective || in->bytes.n || q->unsafe || in->form != ADVICE_SENTENCES)
        argp_error(state, "--table is of all collectives and sizes, as CSV, and never --unsafe");
    if ((uint64_t)q->nodes > in->proc[0] || (uint64_t)q->nodes * (uint64_t)q->ppn < in->proc[0])
        argp_error(state, "--table: there are no %d processes on %d nodes, %d on one",
                   (int)in->proc[0], q->nodes, q->ppn);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    const struct advice_question *q = &in->question;
    in->form = in->csv ? ADVICE_CSV : in->json ? ADVICE_JSON : ADVICE_SENTENCES;
    asked_machine_check(state, &in->options, in->model, &in->machine);
    if (in->profile && (q->collective || in->procs.n || in->bytes.n))
        argp_error(state, "--profile names the calls: leave out COLLECTIVE, P and "
                          "BYTES");
    if (in->profile && in->table && (in->csv || in->json))
        argp_error(state, "--table and --%s: want one of them", in->csv ? "csv" : "json");
    if (in->table && !in->profile) {
        check_table(in, state);
        return;
    }
    if (q->likely)
        argp_error(state, "--likely wants --table");
    if (in->csv && in->json)
        argp_error(state, "--csv and --json: want one of them");
    if (in->profile)
        return;
    if (!q->collective || !in->procs.n || !in->bytes.n)
        argp_error(state,
                   "want COLLECTIVE P BYTES, as collsel ask mine " COLLECTIVE_EXAMPLE " 64 8K");
    if (!in->options.study_given && collective_find(q->collective))
        in->options.study = q->collective;
    for (size_t i = 0; i < in->procs.n; i++)
        if (!in->proc[i])
            argp_error(state, "--procs: '0' is out of range (want 1 to %d)", 1 << 28);
}

static const struct option_row rows[] = {
    { "model", 0, "FILE", "Ask what `collsel train` wrote, instead of a study or data set",
      OPTION_TO(model) },
    { "collective", 0, "NAME", "The MPI collective", OPTION_TO(question.collective) },
    { "procs", 'p', "P,...", "Processes", OPTION_LIST_TO(procs, parse_u64, 1 << 28) },
    { "bytes", 'm', "BYTES,...", "Message sizes, e.g. 8K,1M",
      OPTION_LIST_TO(bytes, parse_bytes, (uint64_t)1 << 50) },
    { "nodes", 0, "N",
      "Nodes (default: those of the profile, as so many processes were placed, or as few as hold "
      "them)",
      OPTION_RANGE(question.nodes, 1, 1 << 24) },
    { "ppn", 0, "K", "Most processes on a node (default: as even as can be)",
      OPTION_RANGE(question.ppn, 1, 1 << 24) },
    { "mpi", 0, "NAME", "Library (default: the first that there is)", OPTION_TO(question.mpi) },
    { "mapping", 0, "NAME", "Mapping (default: the first that there is)",
      OPTION_TO(question.mapping) },
    { "for", 0, "CLUSTER",
      "Ask about this cluster, not about the one that was measured: none of its cells counts "
      "as measured (with --model --cluster says the same)",
      OPTION_TO(machine) },
    { "profile", 0, "FILE",
      "Ask about the calls of an application that take most of its time, and say what each answer "
      "saves: a profile of `collsel run --report` (with --table: the answers that gain, as a table "
      "of libcollsel)",
      OPTION_TO(profile) },
    { "portable", 0, NULL, "Take schedules of ours, too (default: what the library itself has)",
      OPTION_TO(question.portable) },
    { "unsafe", 0, NULL,
      "Where nothing was measured take what was learnt, also where `safe` stays with the "
      "library's default",
      OPTION_TO(question.unsafe) },
    { "table", 0, NULL,
      "What a communicator of --procs ranks on --nodes nodes, at most --ppn on one, gets by "
      "`collsel run --model`: of all collectives that the model knows and all sizes, as a "
      "table of libcollsel. Of --mpi where the model knows that",
      OPTION_TO(table) },
    { "likely", 0, "N",
      "With --table: so many of what is likely the fastest behind each choice, up to 3",
      OPTION_RANGE(question.likely, 0, ADVICE_LIKELY) },
    { "csv", 0, NULL, "A table instead of sentences", OPTION_TO(csv) },
    { "json", 0, NULL, "The same as JSON", OPTION_TO(json) },
    { 0 },
};

static struct input asked = { .procs = { asked.proc, MOST_ASKED, 0 },
                              .bytes = { asked.byte, MOST_ASKED, 0 } };

const struct command cmd_recommend = {
    .name = "recommend",
    .help = "which algorithm to take, and what it gains",
    .words = "[[CLUSTER] COLLECTIVE P,... BYTES,... [MAPPING]]",
    .doc = "Names the algorithm to take for each number of processes and size, with its "
           "segment size and fan-out, what it is expected to gain over the library's default, "
           "and why. A measured cell is decided by its times; any other by `safe`: the default, "
           "unless measurements near it show something faster. Asks a study or data set (run "
           "`collsel fit` before), or a file of `collsel train`. The study is that of the "
           "collective's name unless --study names another.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &asked,
    .take_word = take_word,
    .check = check,
    .run = run,
};
