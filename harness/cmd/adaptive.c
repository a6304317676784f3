/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/adaptive.h"

#include "analysis/foresee.h"
#include "harness/base/number.h"
#include "harness/run/outlook.h"

static void print_round(const struct rounds *r, const struct plan *plan)
{
    const struct adaptive *a = &r->adaptive;
    char core[32];
    printf("%-36s %7s %12s\n", "launch", "points", "expected");
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        double core_s = 0;
        size_t n = 0;
        for (size_t i = l->first; l->repeat == r->decided && i < l->first + l->n; i++) {
            const size_t v = adaptive_find(a, plan->points[i].id);
            if (!adaptive_wants(a, v, r->decided))
                continue;
            core_s += adaptive_price(a, v);
            n++;
        }
        if (n)
            printf("%-36s %7zu %12s\n", l->name, n, format_core_seconds(core_s, core, sizeof core));
    }
}

int adaptive_command(const struct cluster *cluster, const struct study *study,
                     const struct plan *plan, const char *dir, struct prior *prior, struct err *err)
{
    struct rounds_rule rule = rounds_rule_of(study, -1);
    struct store store;
    struct rounds rounds;
    char text[OUTLOOK_SIZE];
    foresee(cluster, study, plan, prior);
    rule.prior = prior;
    rule.retries = 0;
    if (store_open(dir, NULL, &store, err) < 0)
        return -1;
    int status = rounds_make(plan, dir, &store, &rule, &rounds, err);
    if (status == 0) {
        print_round(&rounds, plan);
        rounds_free(&rounds);
        status = outlook_text(plan, dir, &store, &rule, study->seed, text, err);
    }
    if (status == 0)
        fputs(text, stdout);
    store_free(&store);
    return status;
}
