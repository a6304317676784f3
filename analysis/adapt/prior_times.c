/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/adapt/prior_times.h"

#include "analysis/learn/walked_trust.h"
#include "analysis/measure/equivalent.h"
#include "analysis/measure/published_default.h"
#include "analysis/walk/platform.h"
#include "harness/base/id_set.h"
#include "harness/base/parallel.h"

static const double nominal_message_s = 5e-6, nominal_byte_s = 2e-10;

/* Seconds of `count` messages of so many bytes that one rank sends or receives in a stage. */
static double messages_s(const struct cluster *c, int nodes, uint64_t bytes, uint32_t count)
{
    const int far = nodes > 1, known = c->send_cost.n + c->isend_cost.n + c->recv_cost.n > 0;
    const double rate = far ? c->link_rate * platform_factor(&c->bandwidth_factors, bytes)
                            : c->loopback_rate,
                 way_s = far ? 2 * c->link_latency + c->switch_latency : c->loopback_latency,
                 wire_s = (rate > 0 ? 8 / rate : nominal_byte_s) * (double)bytes;
    const double start_s =
        !known ? nominal_message_s / 3
               : platform_cost(c->isend_cost.n ? &c->isend_cost : &c->send_cost, bytes);
    const double whole_s = known ? start_s + platform_cost(&c->recv_cost, bytes) +
                                       way_s * platform_factor(&c->latency_factors, bytes)
                                 : nominal_message_s;
    return whole_s + wire_s + (count - 1) * fmax(start_s, wire_s);
}

/* The longest of a stage's loads. */
static double stage_s(const struct cluster *c, int nodes, const struct stage_load *load, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = load[i].sends > load[i].receives ? load[i].sends : load[i].receives;
        const double combine_s =
            load[i].reduced ? platform_cost(&c->reduce_cost, load[i].reduced) : 0;
        most = fmax(most, count ? messages_s(c, nodes, load[i].bytes, count) + combine_s : 0);
    }
    return most;
}

/* What all points have in common. */
struct work {
    const struct cluster *cluster;
    const struct plan *plan;
    const struct facts *facts;
    struct prior *prior;
    const struct point **point; /* of each row */
};

/* What a library's default takes, by the published decision of the release or, of one that has none
 * or is not known, the nearest. 0: nothing is published. */
static int decided_nearly(const struct work *w, const struct point *p, struct decision *d)
{
    const struct native_strangers of = { .releases = w->plan->releases,
                                         .n_releases = w->plan->n_releases };
    const char *version = native_installed(&of, p->cell.mpi);
    const int known = isdigit((unsigned char)*version),
              old = known && !version_within(version, "4.1", NULL);
    if (!algorithm_is_default(p->candidate.algorithm))
        return 0;
    if (mpi_is(p->cell.mpi, "mpich"))
        return decided_by("mpich40", &p->cell, d);
    if (!mpi_is(p->cell.mpi, "openmpi"))
        return 0;
    return (old && decided_by("openmpi31", &p->cell, d)) ||
           decided_by(known && version_within(version, "6", NULL) ? "openmpi60" : "openmpi41",
                      &p->cell, d);
}

static double seconds_of(const struct work *w, const struct point *p)
{
    struct candidate runs = p->candidate;
    struct schedule s;
    struct stage_profile profile;
    struct decision d;
    if (decided_nearly(w, p, &d)) {
        runs = (struct candidate){ .segment_bytes = d.segment_bytes, .fanout = d.fanout };
        snprintf(runs.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
    }
    if (!w->facts->simulated && walked_can(w->facts))
        return exp(walked_on(w->facts, &p->cell, &runs));
    if (equivalent_schedule(w->facts, &p->cell, &runs, &s, NULL) < 0 ||
        stage_walk(&s, &profile, NULL) < 0)
        return NAN;
    double seconds = 0;
    for (size_t i = 0; i < profile.n_runs; i++)
        seconds += (double)profile.runs[i].stages * stage_s(w->cluster, p->cell.nodes,
                                                            profile.loads + profile.runs[i].first,
                                                            profile.runs[i].count);
    stage_profile_clear(&profile);
    return seconds > 0 ? seconds : NAN;
}

static void foresee_one(size_t i, void *user)
{
    const struct work *w = user;
    w->prior->row[i].seconds = seconds_of(w, w->point[i]);
    w->prior->row[i].is_default = point_is_default(w->facts, w->point[i]);
    w->prior->row[i].weight = NAN;
}

void prior_compute(const struct cluster *cluster, const struct study *study,
                   const struct plan *plan, struct prior *prior)
{
    struct facts facts;
    struct id_set seen = { 0 };
    facts_of_cluster(cluster, &facts);
    facts.costs = cluster;
    snprintf(facts.sim_default, sizeof facts.sim_default, "%s", study->sim_default);
    facts.simulated = plan->n && plan_stands_in(plan->points[0].cell.mpi);
    *prior = (struct prior){ .row = memory_zeros(plan->n + 1, sizeof *prior->row) };
    struct work w = { .cluster = cluster,
                      .plan = plan,
                      .facts = &facts,
                      .prior = prior,
                      .point = memory_zeros(plan->n + 1, sizeof *w.point) };
    for (size_t i = 0; i < plan->n; i++) {
        const struct point *p = &plan->points[i];
        if (!point_is_contender(p) || !id_set_add(&seen, strtoull(p->id, NULL, 16)))
            continue;
        memcpy(prior->row[prior->n].point, p->id, ID_SIZE);
        w.point[prior->n++] = p;
    }
    parallel_for(prior->n, foresee_one, &w);
    prior_sort(prior);
    id_set_clear(&seen);
    free(w.point);
}
