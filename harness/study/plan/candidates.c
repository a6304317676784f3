/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/candidates.h"

#include "harness/base/suggest.h"
#include "harness/study/libraries/spelling.h"
#include "harness/study/topology.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/order.h"
#include "workloads/schedules/two_level.h"

/* What the library refuses to run, or a schedule of ours cannot, or the study does not want. */
static void want_refused(struct wanted *w, struct point *point, const char *refusal)
{
    point->candidate.segment_bytes = 0;
    struct err why = { 0 };
    struct cell *c = &point->cell;
    if (wanted_place(w, c, &why) == 0)
        err_set(&why, "%s", refusal);
    wanted_skip(w, point, why.text);
}

/* Why an algorithm is left out of a study that wants the same bits for all sizes, or NULL. a: its
 * schedule, or NULL: nobody knows its order. */
static const char *why_changing(const struct wanted *w, const struct algorithm *a,
                                const struct point *point)
{
    static const char *const why[] = {
        [ORDER_RANKS] = "ranks combine in different orders, and the study is reproducible",
        [ORDER_CHANGES] =
            "its order of combining changes with the size, and the study is reproducible",
        [ORDER_CALLS] =
            "it calls collectives that the library chooses by size, and the study is reproducible",
        [ORDER_UNKNOWN] =
            "it is not known in which order it combines, and the study is reproducible",
    };
    const struct cell *c = &point->cell;
    if (!w->study->reproducible || !collective_of(c->collective)->combines)
        return NULL;
    return why[order_find(a, c->procs, (int)point->candidate.fanout, NULL)];
}

/* All segment sizes, with the fan-out that the point has. schedule, native: the algorithm's, or
 * NULL. */
static void want_segments(struct wanted *w, struct point *point, const struct algorithm *schedule,
                          const struct native *native, int segmented)
{
    const struct size_list *segments = &w->study->segment_bytes;
    const struct cell *c = &point->cell;
    const char *refusal = native_refusal(native, c->procs, c->bytes, point->candidate.fanout);
    if (!refusal)
        refusal = why_changing(w, schedule, point);
    if (refusal) {
        want_refused(w, point, refusal);
        return;
    }
    for (size_t i = 0; i < (segmented ? segments->n : 1); i++) {
        point->candidate.segment_bytes = segmented ? segments->v[i] : 0;
        wanted_add_placed(w, point);
    }
}

/* Every fan-out and segment size of one algorithm; fanout 0: it takes none. */
static void want_algorithm(struct wanted *w, struct point *point, const char *name,
                           const struct algorithm *schedule, const struct native *native,
                           int segmented, int fanout)
{
    const struct pair_list *fanouts = &w->study->fanouts;
    int tried = 0;
    for (size_t i = 0; fanout && i < fanouts->n; i++) {
        if (strcmp(fanouts->v[i].name, name) != 0)
            continue;
        tried = 1;
        point->candidate.fanout = fanouts->v[i].value;
        want_segments(w, point, schedule, native, segmented);
    }
    point->candidate.fanout = fanout == FANOUT_UNLIMITED ? 0 : fanout;
    if (!tried)
        want_segments(w, point, schedule, native, segmented);
}

/* Why a schedule of ours cannot run here, or NULL. */
static const char *why_not(const struct wanted *w, const struct algorithm *a, const char *name,
                           struct cell *c, struct err *why)
{
    struct schedule s;
    struct schedule_arguments arguments = {
        .procs = c->procs, .root = c->root, .bytes = c->bytes, .levels = algorithm_levels(name)
    };
    if (wanted_place(w, c, NULL) == 0)
        arguments.seats = topology_seating(w->cluster, c->mapping, c->nodes, c->ppn, c->procs);
    return schedule_make(&s, a, &arguments, why) < 0 || two_level_idle(&s, why) < 0 ? why->text
                                                                                    : NULL;
}

static void want_schedule(struct wanted *w, struct point *point, const char *spelt)
{
    char name[MOST_NAME + 1];
    const struct algorithm *a = spelling_schedule(point->cell.collective, spelt, name);
    struct err why = { 0 };
    if (!a)
        return; /* of another collective of the study */
    snprintf(point->candidate.algorithm, NAME_SIZE, "portable:%s", name);
    const char *refusal = why_not(w, a, name, &point->cell, &why);
    point->candidate.fanout = 0;
    if (refusal)
        want_refused(w, point, refusal);
    else
        want_algorithm(w, point, a->name, a, NULL, a->segmented, a->default_fanout);
}

static void want_all_schedules(struct wanted *w, struct point *point)
{
    const struct collective *c = collective_find(point->cell.collective);
    for (const struct algorithm *a = NULL; (a = collective_algorithm(c, a));)
        if (!a->levels)
            want_schedule(w, point, a->name);
}

static void want_portable(struct wanted *w, struct point *point)
{
    const struct name_list *names = &w->study->portable;
    char usual[MOST_NAME + 1];
    if (study_wants_all(names)) {
        want_all_schedules(w, point);
        return;
    }
    for (size_t i = 0; i < names->n; i++) {
        want_schedule(w, point, names->v[i]);
        for (size_t k = 0; algorithm_usual(point->cell.collective, names->v[i], k, usual); k++)
            want_schedule(w, point, usual);
    }
}

/* Whether a library has an algorithm of this name for a collective of the study. */
static int is_native(const struct study *s, const char *library, const char *name)
{
    return any_below(c, s->collectives.n,
                     native_find(library, s->collectives.v[c], name) ||
                         native_stranger(s->strangers, library, s->collectives.v[c], name));
}

/* Why the installed library has it not, in *why, or NULL: it has, or nobody knows. */
static const char *why_missing(const struct wanted *w, const struct native *a, const char *library,
                               struct err *why)
{
    const char *installed = native_installed(w->study->strangers, library);
    if (version_within(installed, a->from, a->below))
        return NULL;
    err_set(why,
            a->from ? "the library that is installed, %s %s, has none (%s is of %s and later)"
                    : "the library that is installed, %s %s, has none (%s is of before %s)",
            library, installed, a->name, a->from ? a->from : a->below);
    return why->text;
}

/* Why a native is not run in the cell, or NULL. */
static const char *refusal_of(const struct wanted *w, const struct native *a, const struct cell *c,
                              struct err *why)
{
    struct cell placed = *c;
    const char *refusal = why_missing(w, a, c->mpi, why);
    if (!refusal)
        refusal = native_refusal(a, c->procs, c->bytes, 0);
    if (refusal)
        return refusal;
    if (a->component && wanted_place(w, &placed, NULL) == 0)
        return native_out_of_reach(a, placed.nodes, placed.ppn);
    return NULL;
}

/* name: its own, with a limit of requests where the study gives one. */
static void want_native(struct wanted *w, struct point *point, const struct native *a,
                        const char *name)
{
    if (a->component && point->purpose == FOR_FIT)
        return; /* no model predicts it */
    snprintf(point->candidate.algorithm, NAME_SIZE, "%s:%.50s", mpi_family(point->cell.mpi), name);
    point->candidate.fanout = 0;
    struct err why = { 0 };
    const char *refusal = refusal_of(w, a, &point->cell, &why);
    if (refusal)
        want_refused(w, point, refusal);
    else
        want_algorithm(w, point, a->name,
                       native_schedule(point->cell.collective, point->candidate.algorithm), a,
                       a->segmented, a->fanout);
}

/* What the installed library lists and nobody knows, beside algorithms of it that the study names.
 * The experiments for parameters of models are left out: no model predicts it. */
static void want_strangers(struct wanted *w, struct point *point)
{
    const struct native_strangers *all = w->study->strangers;
    for (size_t i = 0; all && i < all->n && point->purpose != FOR_FIT; i++) {
        const struct native_stranger *s = &all->v[i];
        if (strcmp(s->mpi, point->cell.mpi) != 0 ||
            strcmp(s->collective, point->cell.collective) != 0)
            continue;
        snprintf(point->candidate.algorithm, NAME_SIZE, "%s:%.50s", mpi_family(s->mpi), s->name);
        want_algorithm(w, point, s->name, NULL, NULL, 0, 0);
    }
}

/* What the library has that is installed; where that is not known, the one whose schedules ours
 * are. */
static void want_all_natives(struct wanted *w, struct point *point)
{
    const char *version = native_installed(w->study->strangers, point->cell.mpi);
    if (!isdigit((unsigned char)*version))
        version = natives_compared(point->cell.mpi, 0);
    for (const struct native *a = natives_of(point->cell.mpi); a && a->name; a++)
        if (strcmp(a->collective, point->cell.collective) == 0 &&
            version_within(version, a->from, a->below))
            want_native(w, point, a, a->name);
    want_strangers(w, point);
}

static int is_studied(const struct study *s, const struct native *a)
{
    return any_below(c, s->collectives.n, strcmp(s->collectives.v[c], a->collective) == 0);
}

/* A library's names for the collectives of the study, each once; "..." where there is no room. */
static const char *list_natives(const struct study *s, const char *library, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = '\0';
    for (const struct native *a = natives_of(library); a->name; a++) {
        const struct native *before = natives_of(library);
        while (before < a && (!is_studied(s, before) || strcmp(before->name, a->name) != 0))
            before++;
        if (!is_studied(s, a) || before < a)
            continue;
        if (n + strlen(a->name) + 6 > size) {
            snprintf(buf + n, size - n, " ...");
            break;
        }
        n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", a->name);
    }
    return buf;
}

static int refuse_native(const struct wanted *w, const char *library, const char *name)
{
    const struct study *s = w->study;
    char list[220];
    struct suggest m;
    err_usage(w->err, "'%s' is not an algorithm of its %s (there is: %s)", name,
              s->collectives.n == 1 ? s->collectives.v[0] : "collectives",
              list_natives(s, library, list, sizeof list));
    suggest_init(&m, name);
    for (const struct native *a = natives_of(library); a->name; a++)
        if (is_studied(s, a))
            suggest_try(&m, a->name);
    suggest_add(&m, w->err);
    return study_in_key(s, mpi_family(library), w->err);
}

static int want_natives(struct wanted *w, struct point *point, const struct name_list *names)
{
    const char *library = point->cell.mpi, *collective = point->cell.collective;
    size_t taken = 0;
    if (study_wants_all(names)) {
        want_all_natives(w, point);
        return 0;
    }
    for (size_t i = 0; i < names->n; i++) {
        const struct native *a = native_find(library, collective, names->v[i]);
        const int strange =
            !a && native_stranger(w->study->strangers, library, collective, names->v[i]);
        taken += a || strange;
        if (strange || (!a && is_native(w->study, library, names->v[i])))
            continue; /* below, or of another collective */
        if (!a)
            return refuse_native(w, library, names->v[i]);
        want_native(w, point, a, names->v[i]);
    }
    if (taken)
        want_strangers(w, point);
    return 0;
}

/* Where no library runs, none lists what it has beside the table: only that counts. */
static int check_natives(const struct wanted *w, const char *library, const struct name_list *names)
{
    for (size_t i = 0; i < names->n && !study_wants_all(names); i++)
        if (!is_native(w->study, library, names->v[i]))
            return refuse_native(w, library, names->v[i]);
    return 0;
}

int candidates_want(struct wanted *w, struct point *point)
{
    want_portable(w, point);
    if (w->simulated)
        return check_natives(w, "openmpi", &w->study->openmpi) < 0
                   ? -1
                   : check_natives(w, "mpich", &w->study->mpich);
    if (mpi_is(point->cell.mpi, "openmpi"))
        return want_natives(w, point, &w->study->openmpi);
    if (mpi_is(point->cell.mpi, "mpich"))
        return want_natives(w, point, &w->study->mpich);
    return 0;
}

/* What a rule decides there, if anything. */
static void want_decided(struct wanted *w, struct point *point, const char *rule)
{
    struct cell *c = &point->cell;
    struct decision d;
    const int placed = wanted_place(w, c, NULL) == 0;
    const struct seating seats = cell_seating(c);
    if (!decide(rule, c->collective, c->procs, c->bytes, placed ? &seats : NULL, &d))
        return;
    snprintf(point->candidate.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
    point->candidate.segment_bytes = d.segment_bytes;
    point->candidate.fanout = d.fanout;
    wanted_add_placed(w, point);
}

void candidates_want_default(struct wanted *w, struct point *point)
{
    const struct study *s = w->study;
    if (!s->with_default)
        return;
    point->purpose = FOR_DEFAULT;
    if (!w->simulated) {
        snprintf(point->candidate.algorithm, NAME_SIZE, "%s:default", mpi_family(point->cell.mpi));
        point->candidate.segment_bytes = 0;
        point->candidate.fanout = 0;
        wanted_add_placed(w, point);
        return;
    }
    want_decided(w, point, s->sim_default);
    point->purpose = FOR_OTHER_DEFAULT;
    for (size_t i = 0; i < s->other_defaults.n; i++)
        want_decided(w, point, s->other_defaults.v[i]);
}
