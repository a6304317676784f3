/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/launch.h"

#include "workloads/measure/launch_points.h"
#include "workloads/measure/sample_head.h"
#include "workloads/measure/shared_samples.h"
#include "workloads/measure/timing.h"
#include "workloads/placement/where.h"
#include "workloads/proof/in_effect.h"

/* ---- ranks that are not in a point sleep, to avoid disturbing the others ---- */

enum { TAG = 19, NAP_NS = 500 * 1000 };

/* A blocking receive would spin on most MPI libraries; the simulator's does not. */
static void sleep_until_told(MPI_Comm world)
{
#ifdef MPI_IS_smpi
    (void)world;
#else
    const struct timespec nap = { 0, NAP_NS };
    int there = 0;
    while (MPI_Iprobe(0, TAG, world, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there)
        nanosleep(&nap, NULL);
#endif
}

/* Sleeps until rank 0 releases this rank; returns the word it gave. */
static int idle_wait(MPI_Comm world)
{
    int word = 0;
    sleep_until_told(world);
    MPI_Recv(&word, 1, MPI_INT, 0, TAG, world, MPI_STATUS_IGNORE);
    return word;
}

/* On rank 0: releases the ranks of world with member[r] == 0. */
static void idle_release(MPI_Comm world, const char *member, int word)
{
    int ranks;
    MPI_Comm_size(world, &ranks);
    for (int r = 0; r < ranks; r++)
        if (!member[r])
            MPI_Send(&word, 1, MPI_INT, r, TAG, world);
}

/* The ranks of the points with so many processes on one channel. */
struct crew {
    enum channel channel;
    struct team team;
};

struct launch {
    const struct measure_options *o;
    MPI_Comm world;
    int rank, ranks;
    struct point *points;
    size_t n;
    struct seating seating; /* as it was asked */
    struct crew *crews;
    size_t n_crews;
    char *member; /* of the crew at hand, by rank of the world */
    struct arena arena;
    struct err native_err; /* why nothing can be forced; empty when it can */
    struct err placement_err;
    struct timing timing;
    /* rank 0 */
    char clock_text[160]; /* how well the ranks' clocks agree; "": nobody asks */
    struct record record;
    long n_late, n_calls; /* of points */
    int sentinel_rep;
    size_t done;
    double spent_core_s; /* of points, as o->core_budget_s counts */
    tick said;           /* when "progress" was last said within a point */
    struct shared_samples
        once; /* what was timed; with outcomes on rank 0, and elsewhere in simulations */
    struct err *err;
};

/* Who watches takes a launch without a sign of life for hung: one, at most every second, while a
 * point takes long. A simulation has no clock of ours, and is not taken for hung. */
static void say_alive(void *launch)
{
    struct launch *l = launch;
    const tick now = clock_now();
    if (l->o->deterministic || clock_span_s(l->said, now) < 1)
        return;
    l->said = now;
    fprintf(stderr, "progress %zu %zu\n", l->done, l->n);
}

/* Every rank must have seen the same algorithm. */
static void agree_on_evidence(struct ready_call *trial)
{
    struct evidence *e = &trial->evidence;
    char key[NAME_SIZE + 64];
    snprintf(key, sizeof key, "%s|%s|%llu|%d", e->status, e->ran_algorithm,
             (unsigned long long)e->ran_segment_bytes, e->ran_fanout);
    const long long digest = (long long)(fs_digest(key, strlen(key)) >> 2);
    long long most[2] = { digest, -digest };
    team_combine(trial->team->control, most, 2, MPI_LONG_LONG, MPI_MAX);
    if (most[0] == -most[1])
        return;
    e->status = "invalid";
    snprintf(e->reason, sizeof e->reason, "the ranks saw different algorithms");
}

/* Makes the point ready and calls it once outside of timing where there is something to learn from
 * that. Collective over the team. *checked: the data was looked at. */
static int make_ready(struct launch *l, struct ready_call *trial, const struct point *p,
                      const struct team *team, int *checked, struct err *err)
{
    int status = ready_call_init(trial, p, team, &l->arena, l->o, err);
    if (trial->is_native && !algorithm_is_default(p->candidate.algorithm) && *l->native_err.text) {
        *err = l->native_err;
        trial->evidence.status = "invalid";
        status = -1;
    }
    if (team_agree(team, status, err) < 0)
        return -1;
    if (l->o->no_check && !trial->is_native)
        return 0;
    status = ready_call_probe(trial, !l->o->no_check, err);
    if (team_agree(team, status, err) < 0)
        return -1;
    *checked = !l->o->no_check && trial->has_data;
    if (trial->is_native)
        agree_on_evidence(trial);
    return 0;
}

/* What is known before timing. */
static void fill_evidence(struct outcome *out, const struct evidence *e)
{
    snprintf(out->status, sizeof out->status, "%s", e->status);
    snprintf(out->verified, sizeof out->verified, "%s", e->verified ? e->verified : "unverified");
    snprintf(out->reason, sizeof out->reason, "%s", e->reason);
    snprintf(out->ran_algorithm, sizeof out->ran_algorithm, "%s", e->ran_algorithm);
    out->ran_segment_bytes = e->ran_segment_bytes;
    out->ran_fanout = e->ran_fanout;
    snprintf(out->ran_component, sizeof out->ran_component, "%s", e->ran_component);
}

static void fill_outcome(struct outcome *out, const struct series *series, int ran,
                         const struct err *err)
{
    out->n_rows = (uint64_t)series->rep;
    out->n = (uint64_t)series->n_valid;
    out->converged = series->converged;
    if (ran == NEXT_DONE)
        return;
    if (strcmp(out->status, "invalid") != 0)
        snprintf(out->status, sizeof out->status, "failed");
    out->converged = -1;
    snprintf(out->reason, sizeof out->reason, "%.*s", (int)sizeof out->reason - 1,
             *err->text ? err->text : "failed on another rank");
}

/* Of what began in windows: how many calls were left out, and whether the clock is good enough for
 * the precision that is asked for. */
static void fill_clock(struct outcome *out, const struct timing *t, const struct series *series)
{
    const double time_s = t->timed.interval.centre, allowed_s = t->rule.precision * time_s;
    if (!measure_options_windows(t->o))
        return;
    out->late = (uint64_t)series->n_late;
    out->clock_error_s = t->clock_error_s;
    if (!*out->reason && out->n && t->clock_error_s > allowed_s)
        snprintf(out->reason, sizeof out->reason,
                 "the clock's error, %.2g s, is more than the precision wanted (%.2g s)",
                 t->clock_error_s, allowed_s);
}

/* On rank 0. */
static void tell_outcome(struct launch *l, const char *id, const struct outcome *out)
{
    const int status = record_outcome(&l->record, id, out, l->err);
    l->timing.io_failed |= status < 0;
    if (status == 0)
        fprintf(stderr, "progress %zu %zu\n", ++l->done, l->n);
}

static void finish_point(struct launch *l, const struct ready_call *trial,
                         const struct series *series, const struct shared_samples_row *same,
                         int ran, struct outcome *out, tick began, struct err *err)
{
    if (series->rc != MPI_SUCCESS)
        ready_call_failed(series->rc, err);
    fill_evidence(out, &trial->evidence);
    fill_outcome(out, series, ran, err);
    if (same)
        shared_samples_take(out, same);
    else
        fill_clock(out, &l->timing, series);
    out->elapsed_s = clock_span_s(began, clock_now());
    out->core_s = out->elapsed_s * l->ranks;
    l->spent_core_s += measure_options_spent(l->o, out, l->ranks);
    tell_outcome(l, series->id, out);
}

/* After a failure that every member knows of. In a simulation calls do not fail, and rank 0 alone
 * would know. */
static void give_up_work(const struct launch *l, struct team *team)
{
    if (!l->o->deterministic)
        team_renew(team);
}

/* A call counts where all ranks came in time to its window; -1 where none did. Collective. */
static int any_in_time(const struct team *team, const struct series *series, struct err *err)
{
    int status = 0;
    if (team->rank == 0 && !series->n_valid && series->n_late)
        status = err_set(err, "a rank came late to the window of each of %d calls", series->n_late);
    return team_agree(team, status, err);
}

/* The delays of a recorded trace, read by rank 0 of the team for all. */
static int share_trace(const struct launch *l, const struct arrival *arrival,
                       const struct team *team, double *delay_s, struct err *err)
{
    char path[PATH_SIZE];
    struct arrival_trace trace = { .ranks = 0 };
    int status = 0;
    if (team->rank == 0) {
        status =
            !l->o->arrivals
                ? err_set(err, "no traces of arrivals were given (want --arrivals)")
                : fs_path(path, sizeof path, err, "%s/%s.csv", l->o->arrivals, arrival->digest);
        if (status == 0)
            status = arrival_trace_read(path, &trace, err);
        if (status == 0 && strcmp(trace.digest, arrival->digest) != 0)
            status =
                err_set(err, "'%.200s' is another trace (its digest is %s)", path, trace.digest);
        else if (status == 0 && trace.ranks < team->procs)
            status = err_set(err, "'%.200s' has %d ranks of %d", path, trace.ranks, team->procs);
        if (status == 0)
            memcpy(delay_s, trace.delay_s, (size_t)team->procs * sizeof *delay_s);
        arrival_trace_clear(&trace);
    }
    if (team_agree(team, status, err) < 0)
        return -1;
    MPI_Bcast(delay_s, team->procs, MPI_DOUBLE, 0, team->control);
    return 0;
}

/* When this rank calls in a series. Collective over the team. */
static int take_delays(const struct launch *l, const struct point *p, const struct team *team,
                       struct series *series, struct err *err)
{
    struct arrival arrival;
    double *trace = NULL;
    int status = arrival_parse(p->cell.arrival, &arrival, err);
    if (arrival.kind == ARRIVAL_TRACE) {
        trace = memory_zeros((size_t)team->procs, sizeof *trace);
        status = share_trace(l, &arrival, team, trace, err);
    }
    series->delayed = arrival.kind != ARRIVAL_TOGETHER;
    for (int r = 0; status == 0 && r < team->procs; r++) {
        const double delay_s = arrival_delay(&arrival, trace, r, team->procs);
        series->most_delay_s = delay_s > series->most_delay_s ? delay_s : series->most_delay_s;
        if (r == team->rank)
            series->delay_s = delay_s;
    }
    free(trace);
    return status;
}

/* 1 where the same was timed already, by another name: rank 0 of the team knows the row. In a
 * simulation every rank has the same rows. Collective over the team. */
static int was_timed(struct launch *l, const struct ready_call *trial,
                     const struct shared_samples_row **row)
{
    struct outcome out = { .checked = 0 };
    fill_evidence(&out, &trial->evidence);
    *row = shared_samples_find(&l->once, trial->point, &out);
    int was = *row != NULL;
    if (!l->o->deterministic)
        MPI_Bcast(&was, 1, MPI_INT, 0, trial->team->control);
    return was;
}

/* Notes what was timed, where somebody asks for it. */
static void note_timed(struct launch *l, const struct ready_call *trial, const struct outcome *out)
{
    struct outcome seen = { .checked = 0 };
    if (l->rank == 0) {
        if (out->n || l->o->deterministic)
            shared_samples_note(&l->once, trial->point, out, 1);
    } else if (l->o->deterministic) {
        fill_evidence(&seen, &trial->evidence);
        shared_samples_note(&l->once, trial->point, &seen, 0);
    }
}

/* Times what was made ready, and looks at it again. */
static int time_trial(struct launch *l, struct ready_call *trial, struct team *team,
                      struct series *series, int checked, struct err *err)
{
    if (take_delays(l, trial->point, team, series, err) < 0)
        return NEXT_FAILED;
    ready_call_evict(trial, checked);
    const int ran = l->o->deterministic ? timing_once(&l->timing, trial, series)
                                        : timing_point(&l->timing, trial, series);
    if (ran != NEXT_DONE)
        return ran;
    if ((checked && team_agree(team, ready_call_check_places(trial, err), err) < 0) ||
        (measure_options_windows(l->o) && any_in_time(team, series, err) < 0) ||
        (trial->is_native && !l->o->deterministic &&
         team_agree(team, ready_call_prove(trial, err), err) < 0))
        return NEXT_FAILED;
    return NEXT_DONE;
}

/* A member's part of a point. Returns NEXT_STOP when the launch shall end, else NEXT_DONE. */
static int measure_point(struct launch *l, const struct point *p, struct team *team)
{
    if (l->o->deterministic)
        sync_wait(&team->sync); /* what a point takes hangs on no point before it, nor on where a
                                   run was cut */
    const tick began = clock_now();
    struct series series = { .id = p->id };
    struct ready_call trial;
    struct err err = { 0 };
    struct outcome out = { .checked = 0 };
    const struct shared_samples_row *same = NULL;
    int ran = NEXT_FAILED, was = 0;
    if (make_ready(l, &trial, p, team, &out.checked, &err) == 0) {
        was = was_timed(l, &trial, &same);
        ran = was ? NEXT_DONE : time_trial(l, &trial, team, &series, out.checked, &err);
    }
    if (l->rank == 0 && ran != NEXT_STOP)
        finish_point(l, &trial, &series, same, ran, &out, began, &err);
    if (ran == NEXT_DONE && !was)
        note_timed(l, &trial, &out);
    if (l->rank == 0) {
        l->n_late += series.n_late;
        l->n_calls += series.rep;
    }
    ready_call_clear(&trial);
    if (ran == NEXT_FAILED)
        give_up_work(l, team);
    return ran == NEXT_STOP ? NEXT_STOP : NEXT_DONE;
}

/* A block of the sentinel: the same point again and again over the launch shows drift. */
static int measure_sentinel(struct launch *l, const struct point *p, struct team *team)
{
    struct series series = { .id = "sentinel", .rep = l->sentinel_rep };
    struct ready_call trial;
    struct err err = { 0 };
    int said = NEXT_FAILED, unused;
    if (make_ready(l, &trial, p, team, &unused, &err) == 0 &&
        take_delays(l, p, team, &series, &err) == 0)
        said = timing_few(&l->timing, &trial, &series, l->o->min_reps);
    l->sentinel_rep = series.rep;
    ready_call_clear(&trial);
    if (said == NEXT_FAILED)
        give_up_work(l, team);
    return said == NEXT_STOP ? NEXT_STOP : NEXT_DONE;
}

static struct crew *crew_of(const struct launch *l, const struct point *p)
{
    return find_below(l->crews, i, l->n_crews,
                      l->crews[i].team.procs == p->cell.procs && l->crews[i].channel == p->channel);
}

static int make_crew(struct launch *l, const struct point *p, struct err *err)
{
    const int procs = p->cell.procs;
    if (seat_team(&l->seating, p->channel, procs, l->member) < procs)
        return err_set(err, "point %s: the launch has not %d ranks on channel '%s'", p->id, procs,
                       channel_words[p->channel]);
    struct crew *crew = &l->crews[l->n_crews++];
    crew->channel = p->channel;
    if (team_init_chosen(&crew->team, l->world, procs, l->member[l->rank], err) < 0)
        return -1;
    if (measure_options_windows(l->o) && crew->team.rank >= 0)
        clock_tree_init(&crew->team.tree, &l->timing.clock, crew->team.control);
    return 0;
}

static int make_crews(struct launch *l, struct err *err)
{
    const struct measure_options *o = l->o;
    l->seating = measure_options_seating(o, o->mapping, o->nodes, o->ppn, l->ranks);
    l->crews = memory_zeros(l->n, sizeof *l->crews);
    l->member = memory_zeros((size_t)l->ranks, 1);
    for (size_t i = 0; i < l->n; i++)
        if (!crew_of(l, &l->points[i]) && make_crew(l, &l->points[i], err) < 0)
            return -1;
    return 0;
}

/* On rank 0: tells the ranks that take no part in a point. */
static void release_others(struct launch *l, const struct point *p, int said)
{
    seat_team(&l->seating, p->channel, p->cell.procs, l->member);
    idle_release(l->world, l->member, said);
}

typedef int measure_function(struct launch *l, const struct point *p, struct team *team);

/* Members measure, the others sleep until rank 0 is done. */
static int take_part(struct launch *l, const struct point *p, measure_function *measure)
{
    struct team *team = &crew_of(l, p)->team;
    if (team->rank < 0)
        return idle_wait(l->world);
    const int said = measure(l, p, team);
    if (l->rank == 0)
        release_others(l, p, said);
    return said;
}

static const struct point *find_sentinel(const struct launch *l)
{
    if (l->o->deterministic || !l->o->sentinel_every)
        return NULL;
    return find_below(l->points, i, l->n,
                      l->points[i].experiment == EXP_TIME && cell_is_plain(&l->points[i].cell));
}

/* 1 when the core-seconds are spent: the point gets an outcome that says so. Collective over world.
 */
static int is_spent(struct launch *l, const struct point *p)
{
    struct outcome out;
    int spent = 0;
    if (l->o->core_budget_s <= 0)
        return 0;
    if (l->rank == 0 && (spent = measure_options_stops(l->o, l->spent_core_s, &out)))
        tell_outcome(l, p->id, &out);
    MPI_Bcast(&spent, 1, MPI_INT, 0, l->world);
    return spent;
}

static void measure_all(struct launch *l)
{
    const struct point *sentinel = find_sentinel(l);
    int said = NEXT_DONE;
    for (size_t i = 0; i < l->n && said == NEXT_DONE; i++) {
        if (is_spent(l, &l->points[i]))
            continue;
        if (sentinel && i % (size_t)l->o->sentinel_every == 0)
            said = take_part(l, sentinel, measure_sentinel);
        if (said == NEXT_DONE)
            said = take_part(l, &l->points[i], measure_point);
    }
}

/* Nothing is measured where the ranks are not where they should be. */
static void refuse_all(struct launch *l)
{
    struct outcome out = { .status = "invalid", .verified = "unverified", .converged = -1 };
    snprintf(out.reason, sizeof out.reason, "%.255s", l->placement_err.text);
    for (size_t i = 0; i < l->n && l->rank == 0; i++)
        if (record_outcome(&l->record, l->points[i].id, &out, l->err) == 0)
            fprintf(stderr, "progress %zu %zu\n", ++l->done, l->n);
}

static int open_record(struct launch *l, struct err *err)
{
    const struct measure_options *o = l->o;
    char *provenance = provenance_text(o, l->ranks, l->clock_text, l->arena.ring_bytes);
    const int status =
        record_open(&l->record, o->samples, o->outcomes, provenance, o->deterministic, err);
    free(provenance);
    if (status == 0 && o->ranks)
        return record_open_ranks(&l->record, o->ranks, err);
    return status;
}

/* Is *status < 0 on any rank? Collective. */
static int all_well(const struct launch *l, int status)
{
    int worst;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MIN, l->world);
    return worst >= 0;
}

/* Learns to force algorithms where some point wants that. Collective. */
static void open_native(struct launch *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (native_owns(l->points[i].candidate.algorithm)) {
            native_library.open(l->world, &l->native_err);
            return;
        }
}

/* Rank 0: the largest difference between the global clock of two ranks. Collective over world. */
static void tell_clock_error(struct launch *l, const char *when)
{
    timing_clock_error(&l->timing, l->world);
    snprintf(l->clock_text, sizeof l->clock_text,
             "%.3g s between two ranks' global clocks (known to %.2g s)", l->timing.clock_error_s,
             l->timing.known_to_s);
    if (l->rank == 0)
        fprintf(stderr, "clock error %s: %s\n", when, l->clock_text);
}

/* Learns the global clock where calls are to begin by it. Collective over world. */
static void learn_clock(struct launch *l)
{
    struct clock_tree tree = { 0 };
    if (!measure_options_windows(l->o))
        return;
    clock_tree_init(&tree, &l->timing.clock, l->world);
    global_clock_learn(&l->timing.clock, &tree);
    clock_tree_clear(&tree);
    tell_clock_error(l, "at the beginning");
}

static int prepare(struct launch *l, const volatile sig_atomic_t *stop, struct err *err)
{
    const struct launch_facts facts = { l->o->provenance, l->o->n_provenance };
    if (points_load(l->o->points, l->world, &l->points, &l->n, err) < 0)
        return -1;
    if (l->o->clean && in_effect_check(l->world, &facts, err) < 0)
        return -1;
    in_effect_open(l->world);
    timing_init(&l->timing, l->o, stop, l->rank, l->ranks, &l->record, err);
    l->timing.alive = say_alive;
    l->timing.launch = l;
    learn_clock(l);
    int status =
        arena_init(&l->arena, l->points, l->n, l->rank, l->o, timing_most_calls(l->o), err);
    if (status == 0 && l->rank == 0)
        status = open_record(l, err);
    if (!all_well(l, status))
        return -1;
    status = where_check(l->o, l->world, &l->placement_err, err);
    if (!all_well(l, status) || !all_well(l, make_crews(l, err)))
        return -1;
    open_native(l);
    return 0;
}

static void clear(struct launch *l)
{
    for (size_t i = 0; i < l->n_crews; i++)
        team_clear(&l->crews[i].team);
    memory_free(l->crews, l->member);
    shared_samples_clear(&l->once);
    if (l->points)
        points_free(l->points, l->world);
    arena_clear(&l->arena);
    timing_clear(&l->timing);
}

static int finish(struct launch *l, struct err *err)
{
    if (record_close(&l->record, err) < 0 || l->timing.io_failed)
        return -1;
    if (l->done < l->n)
        return err_set(err, "%zu of %zu points have no outcome", l->n - l->done, l->n);
    return 0;
}

int launch_run(const struct measure_options *o, MPI_Comm world, const volatile sig_atomic_t *stop,
               struct err *err)
{
    struct launch *l = memory_zeros(1, sizeof *l);
    l->o = o;
    l->world = world;
    l->err = err;
    l->record.samples = l->record.outcomes = l->record.ranks = -1;
    MPI_Comm_rank(world, &l->rank);
    MPI_Comm_size(world, &l->ranks);
    int status = prepare(l, stop, err);
    if (status == 0 && *l->placement_err.text)
        refuse_all(l);
    else if (status == 0) {
        measure_all(l);
        if (measure_options_windows(o))
            tell_clock_error(l, "at the end");
        if (l->n_late)
            fprintf(stderr, "%ld of %ld calls do not count: a rank came late to their window\n",
                    l->n_late, l->n_calls);
    }
    if (l->rank == 0 && status == 0)
        status = finish(l, err);
    clear(l);
    free(l);
    return status;
}
