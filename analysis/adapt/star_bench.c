/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/adapt/star_bench.h"

#include "workloads/schedules/decision.h"

/* ---- the state machine ---- */

/* Sums over calls and ranks, in ns. */
struct sums {
    int64_t measured, monitored; /* the calls themselves */
    int64_t own_measured, own_monitored;
};

/* One call, and what follows of it. The machine gets the sums over ranks, which is what every
 * rank's has once they have been added up. */
static int drive_call(struct star *star, const struct star_clock *clock, struct star_row *row,
                      struct sums *sums, struct err *err)
{
    const int measured = star_stage(star) == STAR_MEASURE;
    int64_t ns, own = 0, *values;
    if (clock->call(clock->state, star_next(star), &ns, err) < 0)
        return -1;
    const size_t n = star_record(star, ns, &values);
    if (n && clock->agree(clock->state, n, &own, err) < 0)
        return -1;
    if (n)
        star_agreed(star, row->procs);
    *(measured ? &sums->measured : &sums->monitored) += ns;
    *(measured ? &sums->own_measured : &sums->own_monitored) += own;
    row->measured += measured;
    row->monitored += !measured;
    return 0;
}

static double per_call(int64_t ns, int calls, int procs)
{
    return calls ? (double)ns * 1e-9 / calls / procs : NAN;
}

static void tell(const struct star *star, const struct repository *repository,
                 const struct sums *sums, int chosen, struct star_row *row)
{
    row->o_ms_c_s = per_call(sums->measured, row->measured, row->procs);
    row->o_ms_a_s = per_call(sums->own_measured, row->measured, row->procs);
    row->o_ma_s = per_call(sums->own_monitored, row->monitored, row->procs);
    row->measure_call_s = row->o_ms_c_s + row->o_ms_a_s;
    row->measure_s = row->measure_call_s * row->measured;
    row->monitor_call_s = per_call(sums->monitored, row->monitored, row->procs) + row->o_ma_s;
    row->agreements = star_agreements(star);
    row->changes = star_changes(star);
    snprintf(row->algorithm, sizeof row->algorithm, "%s", repository->v[chosen].name);
    star_row_expect(row, repository, chosen);
}

int star_bench_drive(const struct repository *repository, const struct star_clock *clock, int calls,
                     struct star_row *row, struct err *err)
{
    struct star_options options = star_usual;
    struct sums sums = { 0 };
    int chosen = -1, status = 0;
    options.groups = row->scheme == STAR_ENHANCED;
    struct star *star = star_new(&options, repository->n, repository->group);
    row->measured = row->monitored = 0;
    for (int after = 0; status == 0 && after < calls;) {
        after += star_stage(star) == STAR_MONITOR || row->monitored > 0;
        chosen = star_next(star);
        status = drive_call(star, clock, row, &sums, err);
    }
    if (status == 0)
        tell(star, repository, &sums, chosen, row);
    star_free(star);
    return status;
}

/* ---- walked ---- */

/* What a schedule took when ranks entered it so: whole calls repeat. */
struct seen_call {
    int64_t *enter, *leave; /* ns; NULL: not walked yet */
};

struct walked {
    struct replay *replay;
    int procs;
    const char *rule;
    struct schedule *schedule; /* of each candidate, and behind them the default's */
    struct seen_call *seen;    /* of each of these */
    int n;                     /* candidates */
    int64_t *at;               /* when each rank enters the next call, ns; the first one at 0 */
    int64_t late;              /* of the last rank */
    double *begin_s, *end_s;
};

/* The first rank enters at 0. */
static void rebase(struct walked *w)
{
    int64_t first = w->at[0];
    for (int r = 1; r < w->procs; r++)
        first = w->at[r] < first ? w->at[r] : first;
    for (int r = 0; r < w->procs; r++)
        w->at[r] -= first;
}

static int walk_schedule(struct walked *w, const struct schedule *s, int64_t *leave,
                         struct err *err)
{
    const struct replay_part part = { s, 0 };
    const struct replay_call call = {
        .part = &part, .parts = 1, .times = 1, .begin_s = w->begin_s
    };
    for (int r = 0; r < w->procs; r++)
        w->begin_s[r] = (double)w->at[r] * 1e-9;
    if (replay_walk(w->replay, &call, w->end_s, NULL, err) < 0)
        return -1;
    for (int r = 0; r < w->procs; r++)
        leave[r] = llround(w->end_s[r] * 1e9);
    return 0;
}

/* All ranks leave; *ns: the sum of what they were in the call. */
static void leave_call(struct walked *w, const int64_t *leave, int64_t *ns)
{
    *ns = 0;
    for (int r = 0; r < w->procs; r++) {
        *ns += leave[r] - w->at[r];
        w->at[r] = leave[r];
    }
    rebase(w);
}

static void come_together(struct walked *w)
{
    memset(w->at, 0, (size_t)w->procs * sizeof *w->at);
}

/* Ranks enter as they stand. As it went the last time, where they stood so then. */
static int enter_call(struct walked *w, int candidate, int64_t *ns, struct err *err)
{
    struct seen_call *seen = &w->seen[candidate];
    const size_t size = (size_t)w->procs * sizeof *w->at;
    if (!seen->enter || memcmp(seen->enter, w->at, size) != 0) {
        if (!seen->enter) {
            seen->enter = memory_zeros((size_t)w->procs, sizeof *seen->enter);
            seen->leave = memory_zeros((size_t)w->procs, sizeof *seen->leave);
        }
        memcpy(seen->enter, w->at, size);
        if (walk_schedule(w, &w->schedule[candidate], seen->leave, err) < 0)
            return -1;
    }
    leave_call(w, seen->leave, ns);
    return 0;
}

/* The last one comes late, but not to where ranks agree, which follows a call at once. */
static int walk_call(void *state, int candidate, int64_t *ns, struct err *err)
{
    struct walked *w = state;
    w->at[w->procs - 1] += w->late;
    rebase(w);
    return enter_call(w, candidate, ns, err);
}

static int decided(const char *rule, const struct collective *collective,
                   const struct schedule_arguments *like, struct schedule *s, struct err *err)
{
    struct decision d;
    struct schedule_arguments a = *like;
    if (!decide(rule, collective->name, a.procs, a.bytes, &a.seats, &d))
        return err_set(err, "%s: %s decides nothing%s%s", collective->name, rule, d.why ? ": " : "",
                       d.why ? d.why : "");
    const struct algorithm *alg = algorithm_find(collective->name, d.algorithm);
    if (!alg)
        return err_set(err, "%s: no algorithm '%s'", collective->name, d.algorithm);
    a.segment_bytes = d.segment_bytes;
    a.fanout = d.fanout;
    return schedule_make(s, alg, &a, err);
}

/* The collective by which ranks agree. */
static const struct collective *agreeing(void)
{
    const struct collective *c = collectives;
    while (c->name && strcmp(c->call, "MPI_Allreduce") != 0)
        c++;
    return c;
}

/* Ranks add up their times by the library's own allreduce. */
static int walk_agree(void *state, size_t numbers, int64_t *ns, struct err *err)
{
    struct walked *w = state;
    struct schedule s;
    const struct schedule_arguments a = { .procs = w->procs,
                                          .bytes = numbers * sizeof(int64_t),
                                          .element_bytes = sizeof(int64_t) };
    if (decided(w->rule, agreeing(), &a, &s, err) < 0)
        return -1;
    int64_t *leave = memory_zeros((size_t)w->procs, sizeof *leave);
    const int status = walk_schedule(w, &s, leave, err);
    if (status == 0)
        leave_call(w, leave, ns);
    free(leave);
    return status;
}

static int make_schedules(struct walked *w, const struct repository *r,
                          const struct collective *collective,
                          const struct schedule_arguments *like, struct err *err)
{
    w->n = r->n;
    w->schedule = memory_zeros((size_t)r->n + 1, sizeof *w->schedule);
    w->seen = memory_zeros((size_t)r->n + 1, sizeof *w->seen);
    for (int i = 0; i < r->n; i++) {
        struct schedule_arguments a = *like;
        const struct choice *c = &r->v[i];
        a.segment_bytes = c->segment_bytes;
        a.fanout = c->fanout;
        a.levels = choice_levels(c);
        const int status = c->alg ? schedule_make(&w->schedule[i], c->alg, &a, err)
                                  : decided(w->rule, collective, like, &w->schedule[i], err);
        if (status < 0)
            return -1;
    }
    return decided(w->rule, collective, like, &w->schedule[r->n], err);
}

/* ---- beside it ---- */

/* A call of one candidate that all ranks make, time after time. */
static int walk_alone(struct walked *w, int candidate, int calls, double *seconds, struct err *err)
{
    int64_t sum = 0;
    come_together(w);
    for (int i = 0; i < calls; i++) {
        int64_t ns;
        if (walk_call(w, candidate, &ns, err) < 0)
            return -1;
        sum += ns;
    }
    *seconds = per_call(sum, calls, w->procs);
    return 0;
}

/* The candidate that is fastest where all ranks call together: -1 with *err. */
static int find_static(struct walked *w, struct err *err)
{
    int best = -1;
    int64_t least = INT64_MAX;
    for (int i = 0; i < w->n; i++) {
        int64_t ns;
        come_together(w);
        if (enter_call(w, i, &ns, err) < 0)
            return -1;
        best = ns < least ? i : best;
        least = ns < least ? ns : least;
    }
    return best;
}

static int walk_all(struct walked *w, int calls, const struct repository *r, struct star_row *row,
                    struct err *err)
{
    const struct star_clock clock = { w, walk_call, walk_agree };
    const int fixed = find_static(w, err);
    if (fixed < 0 || walk_alone(w, fixed, calls, &row->static_s, err) < 0 ||
        walk_alone(w, w->n, calls, &row->default_s, err) < 0)
        return -1;
    snprintf(row->static_algorithm, sizeof row->static_algorithm, "%s", r->v[fixed].name);
    snprintf(row->default_algorithm, sizeof row->default_algorithm, "portable:%s",
             schedule_called(&w->schedule[w->n]).text);
    come_together(w);
    return star_bench_drive(r, &clock, calls, row, err);
}

static int walk_cell(const struct star_bench *b, const struct platform *platform,
                     struct star_row *row, struct err *err)
{
    const struct collective *collective = collective_find(row->collective);
    const struct schedule_arguments like = { .procs = row->procs,
                                             .bytes = row->bytes,
                                             .element_bytes = star_element_bytes(collective),
                                             .seats = seat_known(b->seating) };
    const size_t procs = (size_t)row->procs;
    struct repository repository;
    struct walked w = { .procs = row->procs,
                        .rule = b->rule,
                        .replay = replay_new(platform),
                        .late = llround(row->late_s * 1e9),
                        .at = memory_zeros(procs, sizeof *w.at),
                        .begin_s = memory_zeros(procs, sizeof *w.begin_s),
                        .end_s = memory_zeros(procs, sizeof *w.end_s) };
    repository_make(&repository, row->repository, NULL, collective, &like);
    int status = repository.n ? make_schedules(&w, &repository, collective, &like, err)
                              : err_set(err, "%s: nothing to try", row->collective);
    if (status == 0)
        status = walk_all(&w, b->calls, &repository, row, err);
    repository_clear(&repository);
    replay_free(w.replay);
    for (int i = 0; w.seen && i <= w.n; i++)
        memory_free(w.seen[i].enter, w.seen[i].leave);
    memory_free(w.seen, w.schedule, w.at, w.begin_s, w.end_s);
    return status;
}

int star_bench_walk(const struct star_bench *b, struct star_row *row, struct err *err)
{
    struct platform *platform = platform_new(b->cluster, &b->seating, err);
    if (!platform)
        return -1;
    row->procs = b->seating.procs;
    const int status = walk_cell(b, platform, row, err);
    platform_free(platform);
    row->compute_s = 0;
    snprintf(row->backend, sizeof row->backend, "walk");
    return status;
}
