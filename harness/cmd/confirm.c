/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/confirm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/adapt/confirm.h"
#include "analysis/heldout/holdout_trial.h"
#include "analysis/measure/result_file.h"
#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "harness/study/plan/plan_build.h"

/* ---- plan ---- */

/* Directories of what is learnt from: the study's own results, where it has some, and the others.
 */
static int find_evidence(const struct options *options, const struct confirm_wish *wish,
                         const char *dir, char path[][PATH_SIZE], const char **dirs,
                         struct err *err)
{
    char points[PATH_SIZE];
    size_t n = 0;
    if (fs_path(points, sizeof points, err, "%s/points.csv", dir) < 0)
        return -1;
    if (fs_exists(points))
        dirs[n++] = dir;
    for (size_t i = 0; i < wish->n_with; i++) {
        const struct options other = options_beside(options, wish->with[i]);
        if (options_results(&other, path[i], PATH_SIZE, err) < 0)
            return -1;
        dirs[n++] = path[i];
    }
    return n || wish->model
               ? 0
               : err_usage(err,
                           "'%s' does not exist, and nothing else is there to learn from (want "
                           "`collsel fit` of what was measured, --with SET or --model FILE)",
                           points);
}

static void print_row(const struct confirm_row *r)
{
    char bytes[32], text[CANDIDATE_TEXT], cost[32];
    const struct cell *c = &r->point.cell;
    printf("%-14s %-8s %-7s %6d %9s  %-36s %-8s %8.1f %7.0f %8.2f %10s\n", c->collective, c->mpi,
           c->mapping, c->procs, format_bytes(c->bytes, bytes, sizeof bytes),
           candidate_text(&r->point.candidate, text, sizeof text),
           r->overrides ? "takes" : "leaves", r->gain_pct, 100 * r->chance, r->worth_pct,
           format_seconds(r->cost_core_s, cost, sizeof cost));
}

static void print_all(const struct confirmations *c)
{
    char cost[32];
    if (c->n)
        printf("%-14s %-8s %-7s %6s %9s  %-36s %-8s %8s %7s %8s %10s\n", "collective", "mpi",
               "mapping", "P", "bytes", "candidate", "safe", "gain %", "wrong %", "worth %",
               "core time");
    for (size_t i = 0; i < c->n; i++)
        if (c->row[i].role == CONFIRM_CANDIDATE)
            print_row(&c->row[i]);
    printf("%zu of %zu cells without a measurement to be confirmed, %zu points, %s of core time: "
           "what safe is expected to lose there falls from %.2f to %.2f %% in the mean\n",
           c->n / 2, c->asked, c->n, format_seconds(c->core_s, cost, sizeof cost), c->before_pct,
           c->after_pct);
    if (c->undecidable)
        printf("%zu cells more of which nothing was learnt, or not what the default takes\n",
               c->undecidable);
    if (c->n)
        puts("safe: whether it takes the candidate now, or leaves it for the default; gain: by how "
             "much longer the default is expected to take; wrong: the chance that safe is wrong; "
             "worth: what that is expected to lose.");
}

int confirm_command(const struct options *options, const struct confirm_wish *wish,
                    const struct cluster *cluster, const struct study *study,
                    const struct backend *backend, const struct plan *plan, const char *dir,
                    struct err *err)
{
    char path[CONFIRM_MOST_WITH][PATH_SIZE];
    const char *evidence[CONFIRM_MOST_WITH + 2] = { NULL };
    struct training_cells training = { .n = 0 };
    struct confirmations found;
    struct facts machine;
    if (find_evidence(options, wish, dir, path, evidence, err) < 0)
        return -1;
    facts_of_cluster(cluster, &machine);
    machine.deterministic = backend->deterministic;
    machine.simulated = plan_stand_in(backend->name) != NULL;
    snprintf(machine.sim_default, sizeof machine.sim_default, "%s", study->sim_default);
    const struct confirm_question question = { .plan = plan,
                                               .study = study,
                                               .machine = &machine,
                                               .training = &training,
                                               .model = wish->model,
                                               .most = (size_t)wish->cells,
                                               .most_core_s =
                                                   wish->core_s > 0 ? wish->core_s : INFINITY };
    int status = holdout_trial_training(evidence, NULL, &training, err);
    if (status == 0)
        status = confirm_choose(&question, &found, err);
    training_clear(&training);
    if (status < 0)
        return -1;
    print_all(&found);
    if (!wish->dry_run) {
        char next[NEXT_SIZE];
        status = fs_mkdirs(dir, err) < 0
                     ? -1
                     : result_write_as(dir, &confirm_schema, backend_label(backend, cluster),
                                       found.row, found.n, err);
        if (status == 0 && !options->quiet)
            fprintf(stderr, "wrote %s/confirm.csv (`%s --confirm` measures that)\n", dir,
                    options_next(options, "sweep", NULL, next));
    }
    confirm_clear(&found);
    return status;
}

/* ---- sweep ---- */

/* What a sweep is to measure. */
struct wanted {
    struct confirmations confirm;
    struct store store; /* what it has, of whatever digest */
};

static int is_wanted(const struct point *point, const void *of)
{
    const struct wanted *w = of;
    size_t n;
    return confirm_has(&w->confirm, point->id) || store_all(&w->store, point->id, &n);
}

int confirm_part_make(const struct study *study, const char *dir, struct plan_part *part,
                      struct err *err)
{
    if (strcmp(study->plan, "adaptive") == 0)
        return err_usage(err, "--confirm: what is listed is measured whole, and an adaptive plan "
                              "chooses for itself (want --plan full, no --budget)");
    struct wanted *w = memory_zeros(1, sizeof *w);
    *part = (struct plan_part){ is_wanted, w };
    int status = confirm_read(dir, &w->confirm, err);
    if (status == 0 && !w->confirm.n)
        status = err_set(err,
                         "%s/confirm.csv: there is nothing to confirm (run `collsel measure plan "
                         "--confirm` first)",
                         dir);
    if (status == 0)
        status = store_open(dir, NULL, &w->store, err);
    if (status < 0)
        confirm_part_clear(part);
    return status;
}

void confirm_part_clear(struct plan_part *part)
{
    struct wanted *w = part->has == is_wanted ? part->of : NULL;
    if (w) {
        confirm_clear(&w->confirm);
        store_free(&w->store);
    }
    free(w);
    *part = (struct plan_part){ .has = NULL };
}
