/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/adaptive.h"

#include "analysis/adapt/prior_times.h"
#include "harness/base/json_print.h"
#include "harness/base/number.h"
#include "harness/run/adaptive_forecast.h"

/* Points of a launch that the round has, and what they are expected to cost. */
static size_t sum_up(const struct rounds *r, const struct plan *plan, const struct launch *l,
                     double *core_s)
{
    const struct adaptive *a = &r->adaptive;
    size_t n = 0;
    *core_s = 0;
    for (size_t i = l->first; l->repeat == r->decided && i < l->first + l->n; i++) {
        const size_t v = adaptive_find(a, plan->points[i].id);
        if (!adaptive_wants(a, v, r->decided))
            continue;
        *core_s += adaptive_price(a, v);
        n++;
    }
    return n;
}

static void print_round(const struct rounds *r, const struct plan *plan)
{
    char core[32];
    double core_s;
    printf("%-36s %7s %12s\n", "launch", "points", "expected");
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        const size_t n = sum_up(r, plan, l, &core_s);
        if (n)
            printf("%-36s %7zu %12s\n", l->name, n, format_core_seconds(core_s, core, sizeof core));
    }
}

static json_t *round_json(const struct rounds *r, const struct plan *plan)
{
    json_t *launches = json_array();
    double core_s;
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        const size_t n = sum_up(r, plan, l, &core_s);
        if (n)
            json_array_append_new(launches,
                                  json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:I, s:o}",
                                            "launch", l->name, "mpi", l->mpi, "mapping", l->mapping,
                                            "nodes", l->nodes, "ppn", l->ppn, "procs", l->procs,
                                            "repeat", l->repeat, "points", (json_int_t)n,
                                            "expected_core_s", json_number(core_s)));
    }
    return launches;
}

static int print_text(const struct rounds *r, const struct plan *plan, const char *dir,
                      const struct store *store, const struct rounds_rule *rule, uint64_t seed,
                      struct err *err)
{
    char text[ADAPTIVE_FORECAST_SIZE];
    print_round(r, plan);
    if (adaptive_forecast_text(plan, dir, store, rule, seed, text, err) < 0)
        return -1;
    fputs(text, stdout);
    return 0;
}

int adaptive_command(const struct cluster *cluster, const struct study *study, const char *backend,
                     const struct plan *plan, const char *dir, int json, struct prior *prior,
                     struct err *err)
{
    struct rounds_rule rule = rounds_rule_of(study, -1);
    struct store store;
    struct rounds rounds;
    prior_compute(cluster, study, plan, prior);
    rule.prior = prior;
    rule.retries = 0;
    if (store_open(dir, NULL, &store, err) < 0)
        return -1;
    int status = rounds_make(plan, dir, &store, &rule, &rounds, err);
    if (status == 0) {
        json_t *outlook =
            json ? adaptive_forecast_json(plan, dir, &store, &rule, study->seed, err) : NULL;
        if (outlook)
            status =
                json_print(json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o}", "cluster",
                                     cluster->name, "study", study->name, "backend", backend,
                                     "plan", study->plan, "skipped", (json_int_t)plan->n_skipped,
                                     "outlook", outlook, "launches", round_json(&rounds, plan)),
                           err);
        else
            status = json ? -1 : print_text(&rounds, plan, dir, &store, &rule, study->seed, err);
        rounds_free(&rounds);
    }
    store_free(&store);
    return status;
}
