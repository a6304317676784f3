/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel recommend: which algorithm to take, as a file of `collsel train` knows it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/learn/model_file.h"
#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"

enum { KEY_MODEL = 0x200, KEY_COLLECTIVE, KEY_MPI, KEY_MAPPING, KEY_NODES, KEY_PPN, KEY_CSV };

enum { MOST_ASKED = 64 };

struct input {
    struct options options; /* first, for the common parser */
    const char *model, *collective, *mpi, *mapping;
    uint64_t procs[MOST_ASKED], bytes[MOST_ASKED];
    size_t n_procs, n_bytes;
    int nodes, ppn; /* 0: as few nodes as hold the processes; as even as can be */
    int csv;
};

/* ---- one cell ---- */

struct advice {
    const struct candidate *take;
    double gain_pct; /* of the default's time over its own; NaN: not known */
    int scored;      /* it was learnt from times, else the gain is not known */
    int beyond;      /* outside of what was seen */
};

static struct cell cell_of(const struct input *in, const struct model_file *f,
                           const struct skill *s, uint64_t procs, uint64_t bytes)
{
    struct cell c = s->context;
    const int room = in->ppn ? in->ppn : f->machine.sockets * f->machine.cores;
    c.procs = (int)procs;
    c.bytes = bytes;
    c.root = 0;
    c.nodes = in->nodes ? in->nodes : room > 0 ? (c.procs + room - 1) / room : 1;
    c.nodes = c.nodes < c.procs ? c.nodes : c.procs;
    c.ppn = in->ppn ? in->ppn : (c.procs + c.nodes - 1) / c.nodes;
    c.ppn = c.ppn < c.procs ? c.ppn : c.procs;
    return c;
}

/* A kind that the library would replace by another one here is no answer of its own. */
static int is_itself(const struct model_file *f, const struct cell *cell,
                     const struct candidate *kind)
{
    const struct candidate runs = problem_runs(&f->machine, cell, kind);
    return candidate_equal(&runs, kind);
}

static struct advice advise(const struct model_file *f, size_t at, const struct cell *cell)
{
    const struct skill *s = &f->learnt.skill[at];
    const struct model_range *r = &f->range[at];
    struct advice out = { .gain_pct = NAN, .scored = !f->learnt.learner->classifies };
    double least = INFINITY, own = NAN;
    float x[N_FEATURES];
    problem_features(cell, &f->machine, x);
    for (size_t i = 0; i < s->n_kinds; i++) {
        const double score = skill_score(&f->learnt, s, &s->kind[i], x, NULL);
        if (algorithm_is_default(s->kind[i].algorithm))
            own = score;
        if (isfinite(score) && score < least && is_itself(f, cell, &s->kind[i])) {
            least = score;
            out.take = &s->kind[i];
        }
    }
    if (out.scored && isfinite(expm1(own - least)))
        out.gain_pct = 100 * expm1(own - least);
    out.beyond = cell->procs < r->least_procs || cell->procs > r->most_procs ||
                 cell->bytes < r->least_bytes || cell->bytes > r->most_bytes;
    return out;
}

static void print_advice(const struct input *in, const struct cell *c, const struct skill *s,
                         const struct advice *a)
{
    char text[CANDIDATE_TEXT], bytes[32], gain[64] = "";
    if (in->csv) {
        if (!isnan(a->gain_pct))
            snprintf(gain, sizeof gain, "%.3g", a->gain_pct);
        printf("%s,%s,%s,%d,%d,%d,%llu,%s,%llu,%d,%s,%d\n", c->collective, c->mpi, c->mapping,
               c->nodes, c->ppn, c->procs, (unsigned long long)c->bytes, a->take->algorithm,
               (unsigned long long)a->take->segment_bytes, a->take->fanout, gain, a->beyond);
        return;
    }
    if (!isnan(a->gain_pct))
        snprintf(gain, sizeof gain, "; the default is expected to take %.3g %% longer",
                 a->gain_pct);
    printf("%s %s %s P = %d on %d nodes, %s: %s%s%s (learnt from %zu cells)\n", c->collective,
           c->mpi, c->mapping, c->procs, c->nodes, format_bytes(c->bytes, bytes, sizeof bytes),
           candidate_text(a->take, text, sizeof text), gain,
           a->beyond ? "; extrapolated: beyond the processes or sizes that were seen" : "",
           s->examples);
}

/* ---- all cells ---- */

static int is_asked(const struct input *in, const struct cell *context)
{
    return strcmp(in->collective, context->collective) == 0 &&
           (!in->mpi || strcmp(in->mpi, context->mpi) == 0) &&
           (!in->mapping || strcmp(in->mapping, context->mapping) == 0);
}

static int answer(const struct input *in, const struct model_file *f, struct err *err)
{
    size_t at = 0;
    while (at < f->learnt.n && !is_asked(in, &f->learnt.skill[at].context))
        at++;
    if (at == f->learnt.n)
        return err_set(err, "%s: nothing was learnt of %s, %s by %s", in->model, in->collective,
                       in->mpi ? in->mpi : "any library",
                       in->mapping ? in->mapping : "any mapping");
    if (in->csv)
        puts("collective,mpi,mapping,nodes,ppn,procs,bytes,algorithm,segment_bytes,fanout,"
             "default_longer_pct,extrapolated");
    for (size_t p = 0; p < in->n_procs; p++)
        for (size_t m = 0; m < in->n_bytes; m++) {
            const struct skill *s = &f->learnt.skill[at];
            const struct cell c = cell_of(in, f, s, in->procs[p], in->bytes[m]);
            if ((int64_t)c.nodes * c.ppn < c.procs)
                return err_usage(err, "%d processes do not fit on %d nodes of %d", c.procs, c.nodes,
                                 c.ppn);
            const struct advice a = advise(f, at, &c);
            if (!a.take)
                return err_set(err, "%s: no algorithm is known for P = %d", in->model, c.procs);
            print_advice(in, &c, s, &a);
        }
    return 0;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    struct model_file f;
    if (model_file_read(in->model, &f, err) < 0)
        return -1;
    const int status = answer(in, &f, err);
    if (status == 0 && !in->csv)
        printf("%s, learnt on %s (licence of the measurements: %s)\n", f.learnt.learner->label,
               f.machine.cluster, f.licence);
    model_file_clear(&f);
    return status;
}

/* ---- parsing ---- */

/* "2,4,8" */
static void take_list(struct argp_state *state, const char *name, char *arg,
                      int (*take)(const char *, uint64_t *, struct err *), uint64_t most,
                      uint64_t *out, size_t *n)
{
    char *item;
    struct err err = { 0 };
    while ((item = strsep(&arg, ","))) {
        if (*n == MOST_ASKED)
            argp_error(state, "%s: more than %d", name, MOST_ASKED);
        else if (take(item, &out[*n], &err) < 0)
            argp_error(state, "%s: %s", name, err.text);
        else if (out[(*n)++] > most)
            argp_error(state, "%s: '%s' is out of range", name, item);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_MODEL:
        in->model = arg;
        return 0;
    case KEY_COLLECTIVE:
        in->collective = arg;
        return 0;
    case KEY_MPI:
        in->mpi = arg;
        return 0;
    case KEY_MAPPING:
        in->mapping = arg;
        return 0;
    case 'p':
        take_list(state, "--procs", arg, parse_u64, 1 << 28, in->procs, &in->n_procs);
        return 0;
    case 'm':
        take_list(state, "--bytes", arg, parse_bytes, (uint64_t)1 << 50, in->bytes, &in->n_bytes);
        return 0;
    case KEY_NODES:
        in->nodes = options_take_int(state, "nodes", arg, 1, 1 << 24);
        return 0;
    case KEY_PPN:
        in->ppn = options_take_int(state, "ppn", arg, 1, 1 << 24);
        return 0;
    case KEY_CSV:
        in->csv = 1;
        return 0;
    case ARGP_KEY_END:
        if (!in->model || !in->collective || !in->n_procs || !in->n_bytes)
            argp_error(state, "--model, --collective, --procs and --bytes are wanted");
        for (size_t i = 0; i < in->n_procs; i++)
            if (!in->procs[i])
                argp_error(state, "--procs: 0 is out of range");
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int recommend_main(int argc, char **argv)
{
    static const struct argp_option rows[] = {
        { "model", KEY_MODEL, "FILE", 0, "What `collsel train` wrote", 0 },
        { "collective", KEY_COLLECTIVE, "NAME", 0, "The MPI collective", 0 },
        { "procs", 'p', "P,...", 0, "Processes", 0 },
        { "bytes", 'm', "BYTES,...", 0, "Message sizes, e.g. 8K,1M", 0 },
        { "nodes", KEY_NODES, "N", 0, "Nodes (default: as few as hold the processes)", 0 },
        { "ppn", KEY_PPN, "K", 0, "Most processes on a node (default: as even as can be)", 0 },
        { "mpi", KEY_MPI, "NAME", 0, "Library (default: the first that was learnt)", 0 },
        { "mapping", KEY_MAPPING, "NAME", 0, "Mapping (default: the first that was learnt)", 0 },
        { "csv", KEY_CSV, NULL, 0, "A table instead of sentences", 0 },
        { 0 },
    };
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .doc = "Names the algorithm to take for each number of processes and size, from a file "
               "that `collsel train` wrote, on this cluster or another.",
    };
    struct input in = { .nodes = 0 };
    return options_main(&argp, argc, argv, &in, run);
}

const struct command cmd_recommend = { "recommend", "which algorithm to take, from a trained model",
                                       recommend_main };
