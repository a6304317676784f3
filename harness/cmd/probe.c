/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/probe.h"

#include "analysis/measure/published_default.h"
#include "harness/cmd/tuning_options.h"
#include "harness/run/slurm/follow.h"
#include "harness/study/manifest.h"
#include "harness/study/rounds.h"

enum { PROBE_LAUNCHES = 2, PROBE_ROUNDS = 12 };

/* The probes of one MPI. */
struct probing {
    const struct sweep_request *request;
    const struct options *options;
    double share_pct;
    struct tuning_question question;
    struct facts facts;
    struct study study; /* shallow: of the probes alone */
    struct tuning tuning;
    struct rule_interval_wish *wish;
    size_t n;
    char dir[PATH_SIZE];
};

static int is_cell(const struct point *p, const char *collective, int procs, uint64_t bytes)
{
    return p->cell.procs == procs && p->cell.bytes == bytes &&
           strcmp(p->cell.collective, collective) == 0;
}

static int is_side(const struct probing *of, const struct point *p, const struct candidate *c)
{
    return candidate_equal(&p->candidate, c) || point_is_default(&of->facts, p);
}

/* What is wanted now, and what was measured before. */
static int is_wanted(const struct point *point, const void *of)
{
    const struct probing *p = of;
    const struct rule_interval *r = &p->tuning.reach;
    if (point->experiment != EXP_TIME || strcmp(point->cell.mpi, p->tuning.mpi) != 0)
        return 0;
    for (size_t i = 0; i < p->n; i++)
        if (is_cell(point, p->wish[i].collective, p->wish[i].procs, p->wish[i].bytes) &&
            is_side(p, point, &p->wish[i].candidate))
            return 1;
    return any_below(
        i, r->n,
        r->seen[i].probe &&
            is_cell(point, r->seen[i].collective, r->seen[i].procs, r->seen[i].bytes) &&
            is_side(p, point, &r->seen[i].candidate));
}

/* 1 when the grid of the probes has room for a cell, or has it. */
static int add_cell(struct study *s, int procs, uint64_t bytes)
{
    size_t p = 0, m = 0;
    while (p < s->procs.n && s->procs.v[p] != procs)
        p++;
    while (m < s->bytes.n && s->bytes.v[m] != bytes)
        m++;
    if (p == KEY_LIST_MAX || m == KEY_LIST_MAX)
        return 0;
    s->procs.v[p] = procs;
    s->bytes.v[m] = bytes;
    s->procs.n += p == s->procs.n;
    s->bytes.n += m == s->bytes.n;
    return 1;
}

/* The study of all probes so far, and of those wanted now as far as its grid has room. */
static void narrow(struct probing *p)
{
    struct study *s = &p->study;
    const struct rule_interval *r = &p->tuning.reach;
    size_t kept = 0;
    *s = *p->request->study;
    s->procs.n = s->bytes.n = s->shape_nodes.n = s->shape_ppn.n = 0;
    s->mappings.n = s->n_arrivals = s->buffers.n = 1;
    snprintf(s->mappings.v[0], KEY_WORD, "%s", p->tuning.mapping);
    s->roots.n = s->roots.n > 1 ? 1 : s->roots.n;
    s->experiments = 0;
    s->held_procs.n = s->held_roots.n = s->other_defaults.n = 0;
    s->held_bytes_factor = 0;
    s->repeats = s->repeats_max = PROBE_LAUNCHES;
    snprintf(s->plan, KEY_WORD, "full");
    s->core_budget[0] = '\0';
    for (size_t i = 0; i < r->n; i++)
        if (r->seen[i].probe)
            add_cell(s, r->seen[i].procs, r->seen[i].bytes);
    for (size_t i = 0; i < p->n; i++)
        if (add_cell(s, p->wish[i].procs, p->wish[i].bytes))
            p->wish[kept++] = p->wish[i];
    p->n = kept;
}

static void list(const struct probing *p)
{
    char bytes[32], text[CANDIDATE_TEXT];
    for (size_t i = 0; i < p->n; i++)
        printf("%-14s %-8s %6d %10s  %s\n", p->wish[i].collective, p->tuning.mpi, p->wish[i].procs,
               format_bytes(p->wish[i].bytes, bytes, sizeof bytes),
               candidate_text(&p->wish[i].candidate, text, sizeof text));
}

/* Job arrays that are watched until they end. A task of them comes to the same probes by the same
 * results, and measures one launch of them (probe_launch). */
static int submit(struct probing *p, struct sweep_result *result, struct err *err)
{
    const struct sweep_request *r = p->request;
    struct argv task = { 0 };
    argv_add(&task, "task");
    argv_add(&task, "--quiet");
    argv_add(&task, "--probe=%.0f", p->share_pct);
    argv_add(&task, "--mpi=%s", p->tuning.mpi);
    argv_add(&task, "--retries=%d", r->retries);
    if (p->question.unsure)
        argv_add(&task, "--unsure");
    struct sweep_request request = *r;
    request.study = &p->study;
    request.dir = p->dir;
    request.no_collect = 1;
    request.part = (struct plan_part){ is_wanted, p };
    request.task = &task;
    request.prior_compute = NULL;
    int status = backend_starts(r->backend, err);
    if (status == 0)
        status = follow_run(&request, follow_poll_s(r->cluster), result, err);
    argv_free(&task);
    return status;
}

/* A probe where calls get slow takes more than was expected: none is begun when this part of what
 * the share has left is spent. */
static void limit(struct probing *p, double part)
{
    const struct rule_interval *r = &p->tuning.reach;
    const double left_s = p->share_pct / 100 * r->spent_core_s - r->probed_core_s;
    snprintf(p->study.core_budget, KEY_TEXT_MAX, "%.9fcore-s", fmax(part * left_s, 1e-9));
}

static int start(struct probing *p, struct sweep_result *result, struct err *err)
{
    struct sweep_request request = *p->request;
    if (!request.backend->deterministic)
        limit(p, 1);
    request.dir = p->dir;
    request.study = &p->study;
    request.part = (struct plan_part){ is_wanted, p };
    request.prior_compute = NULL;
    return sweep_run(&request, result, err);
}

/* Measures, and makes points.csv. */
static int measure(struct probing *p, struct err *err)
{
    struct sweep_result result = { 0 };
    struct facts facts;
    struct points points;
    if (fs_mkdirs(p->dir, err) < 0 ||
        (p->request->backend->queued ? submit : start)(p, &result, err) < 0)
        return -1;
    if (result.interrupted)
        return err_set(err, "interrupted (the same command goes on)");
    if (facts_read(p->dir, &facts, err) < 0 || points_build(p->dir, &facts, NULL, &points, err) < 0)
        return -1;
    const int status = points_write(p->dir, &facts, &points, err);
    points_clear(&points);
    return status < 0 ? -1 : sweep_judge(&result, p->dir, err);
}

/* The choices of the results, and the study of the probes that they ask for now. The caller frees
 * (forget). */
static int ask(struct probing *p, struct err *err)
{
    const struct rounds_rule rule = rounds_rule_of(p->request->study, 0);
    const double price =
        p->request->backend->deterministic ? 1 : (double)PROBE_LAUNCHES / rule.repeats;
    if (tuning_of_results(p->request->dir, &p->question, &p->tuning, err) < 0)
        return -1;
    p->wish = rule_interval_wishes(&p->tuning.reach, p->question.reader, &p->tuning.choices,
                                   p->share_pct, price, &p->n);
    narrow(p);
    return 0;
}

static void forget(struct probing *p)
{
    free(p->wish);
    tuning_clear(&p->tuning);
}

static void tell(const struct probing *p)
{
    const struct rule_interval *r = &p->tuning.reach;
    if (!p->tuning.choices.n)
        fprintf(stderr, "%s: no cell has a rule, so that there is nothing to probe\n",
                p->tuning.mpi);
    else
        fprintf(stderr, "%s: probes took %.3g %% of the core time of the study\n", p->tuning.mpi,
                100 * r->probed_core_s / (r->spent_core_s > 0 ? r->spent_core_s : 1));
}

/* 1: measured, and more may be wanted; 0: nothing is; or -1 with *err. */
static int probe_round(struct probing *p, struct err *err)
{
    if (ask(p, err) < 0)
        return -1;
    int status = tuning_probe_dir(p->request->dir, p->tuning.mpi, p->dir, err);
    if (status == 0 && p->request->dry_run)
        list(p);
    else if (status == 0 && p->n)
        status = measure(p, err) < 0 ? -1 : 1;
    if (status == 0 && !p->request->quiet)
        tell(p);
    forget(p);
    return status;
}

/* mpi: NULL: of a simulation. 1: there is a kind of file of rules for it; 0: there is none. */
static int begin(struct probing *p, const char *mpi, struct err *err)
{
    if (facts_read(p->request->dir, &p->facts, err) < 0)
        return -1;
    p->question = (struct tuning_question)TUNING_QUESTION_DEFAULT;
    p->question.mpi = mpi;
    p->question.unsure = p->options->unsure;
    p->question.doubted = p->options->doubted;
    p->question.reader = tuning_reader(&p->facts, mpi ? mpi : "");
    return p->question.reader != NULL;
}

static int probe_mpi(struct probing *p, const char *mpi, struct err *err)
{
    int status = begin(p, mpi, err);
    if (status == 0 && !p->request->quiet)
        fprintf(stderr, "%s: no rules are written for it, so that there is nothing to probe\n",
                mpi ? mpi : p->facts.sim_default);
    for (int round = 0; round < PROBE_ROUNDS && status > 0; round++)
        status = probe_round(p, err);
    return status < 0 ? -1 : 0;
}

int probe_command(const struct sweep_request *request, const struct options *options,
                  double share_pct, const char *mpis, struct err *err)
{
    struct probing p = { .request = request, .options = options, .share_pct = share_pct };
    const struct study *s = request->study;
    if (options_fitted(options, request->dir, err) < 0)
        return -1;
    if (request->backend->deterministic)
        return probe_mpi(&p, NULL, err);
    for (size_t i = 0; i < s->mpi.n; i++)
        if ((!mpis || mpi_is_listed(mpis, s->mpi.v[i])) && probe_mpi(&p, s->mpi.v[i], err) < 0)
            return -1;
    return 0;
}

/* Of a round's core time, what is expected of one launch: its name ends with "-pPROCS-rREPEAT". */
static double launch_part(const struct probing *p, const char *name)
{
    double own = 0, all = 0;
    char ending[32];
    for (size_t i = 0; i < p->n; i++) {
        snprintf(ending, sizeof ending, "-p%d-r", p->wish[i].procs);
        own += strstr(name, ending) ? p->wish[i].core_s : 0;
        all += p->wish[i].core_s;
    }
    return all > 0 ? own / all / PROBE_LAUNCHES : 1;
}

int probe_launch(const struct sweep_request *request, const struct options *options,
                 double share_pct, const char *mpi, struct sweep_result *result, struct err *err)
{
    char digest[16];
    struct probing p = { .request = request, .options = options, .share_pct = share_pct };
    struct sweep_request here = *request;
    const int known = begin(&p, mpi, err);
    if (known == 0)
        return err_set(err, "%s: no rules are written for it", mpi);
    if (known < 0 || ask(&p, err) < 0)
        return -1;
    limit(&p, launch_part(&p, request->only));
    here.study = &p.study;
    here.dir = p.dir;
    here.digest = digest;
    here.part = (struct plan_part){ is_wanted, &p };
    int status = tuning_probe_dir(request->dir, p.tuning.mpi, p.dir, err);
    if (status == 0)
        status = manifest_digest(p.dir, digest, err);
    if (status == 0)
        status = sweep_run(&here, result, err);
    forget(&p);
    return status;
}
