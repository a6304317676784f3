/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/decided.h"
#include "analysis/tuning.h"
#include "harness/base/number.h"
#include "harness/cmd/tuning_options.h"
#include "harness/run/environment.h"
#include "harness/study/mpi.h"
#include "harness/study/rounds.h"

enum { PROBE_LAUNCHES = 2, PROBE_ROUNDS = 12 };

/* The probes of one MPI. */
struct probing {
    const struct sweep_request *request;
    double share_pct;
    struct tuning_question question;
    struct facts facts;
    struct study study; /* shallow: of the probes alone */
    struct tuning tuning;
    struct reach_wish *wish;
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
    return candidate_equal(&p->candidate, c) || decided_stands(&of->facts, p);
}

/* What is wanted now, and what was measured before. */
static int is_wanted(const struct point *point, const void *of)
{
    const struct probing *p = of;
    const struct reach *r = &p->tuning.reach;
    if (point->experiment != EXP_TIME || strcmp(point->cell.mpi, p->tuning.mpi) != 0)
        return 0;
    for (size_t i = 0; i < p->n; i++)
        if (is_cell(point, p->wish[i].collective, p->wish[i].procs, p->wish[i].bytes) &&
            is_side(p, point, &p->wish[i].candidate))
            return 1;
    for (size_t i = 0; i < r->n; i++)
        if (r->seen[i].probe &&
            is_cell(point, r->seen[i].collective, r->seen[i].procs, r->seen[i].bytes) &&
            is_side(p, point, &r->seen[i].candidate))
            return 1;
    return 0;
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
    const struct reach *r = &p->tuning.reach;
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

/* Measures, and makes points.csv. */
static int measure(struct probing *p, struct err *err)
{
    struct sweep_request request = *p->request;
    struct sweep_result result;
    struct facts facts;
    struct points points;
    request.dir = p->dir;
    request.study = &p->study;
    request.part = (struct plan_part){ is_wanted, p };
    request.foresee = NULL;
    if (fs_mkdirs(p->dir, err) < 0 || sweep_run(&request, &result, err) < 0)
        return -1;
    if (result.interrupted)
        return err_set(err, "interrupted (the same command goes on)");
    if (facts_read(p->dir, &facts, err) < 0 || points_build(p->dir, &facts, NULL, &points, err) < 0)
        return -1;
    const int status = points_write(p->dir, &facts, &points, err);
    points_clear(&points);
    return status < 0 ? -1 : sweep_judge(&result, p->dir, err);
}

/* 1: measured, and more may be wanted; 0: nothing is; or -1 with *err. */
static int probe_round(struct probing *p, struct err *err)
{
    const struct rounds_rule rule = rounds_rule_of(p->request->study, 0);
    const double price = p->request->backend->deterministic || rule.repeats < PROBE_LAUNCHES
                             ? 1
                             : (double)PROBE_LAUNCHES / rule.repeats;
    if (tuning_of_results(p->request->dir, &p->question, &p->tuning, err) < 0)
        return -1;
    p->wish = reach_wishes(&p->tuning.reach, p->question.reader, &p->tuning.choices, p->share_pct,
                           price, &p->n);
    int status = tuning_probe_dir(p->request->dir, p->tuning.mpi, p->dir, err);
    narrow(p);
    if (status == 0 && p->request->dry_run)
        list(p);
    else if (status == 0 && p->n)
        status = measure(p, err) < 0 ? -1 : 1;
    if (status == 0 && !p->request->quiet)
        fprintf(stderr, "%s: probes took %.3g %% of the core time of the study\n", p->tuning.mpi,
                100 * p->tuning.reach.probed_core_s /
                    (p->tuning.reach.spent_core_s > 0 ? p->tuning.reach.spent_core_s : 1));
    free(p->wish);
    tuning_clear(&p->tuning);
    return status;
}

/* mpi: NULL: of a simulation. */
static int probe_mpi(const struct sweep_request *request, double share_pct, const char *mpi,
                     const struct facts *facts, struct err *err)
{
    struct probing p = { .request = request,
                         .share_pct = share_pct,
                         .question = TUNING_QUESTION_DEFAULT,
                         .facts = *facts };
    p.question.mpi = mpi;
    p.question.reader = tuning_reader(facts, mpi ? mpi : "");
    if (!p.question.reader)
        return err_set(err, "%s: no rules are written for it, so that there is nothing to probe",
                       mpi ? mpi : facts->sim_default);
    int status = 1;
    for (int round = 0; round < PROBE_ROUNDS && status > 0; round++)
        status = probe_round(&p, err);
    return status < 0 ? -1 : 0;
}

int probe_command(const struct sweep_request *request, double share_pct, struct err *err)
{
    struct facts facts;
    if (request->backend->queued)
        return err_usage(err, "--probe: measures where this command starts the launches (want it "
                              "in an allocation, with --backend local)");
    if (facts_read(request->dir, &facts, err) < 0)
        return -1;
    if (facts.simulated)
        return probe_mpi(request, share_pct, NULL, &facts, err);
    for (size_t i = 0; i < request->study->mpi.n; i++)
        if (probe_mpi(request, share_pct, request->study->mpi.v[i], &facts, err) < 0)
            return -1;
    return 0;
}
