/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/timing.h"

static int most_warm(const struct measure_options *o)
{
    return o->warmup > WARM_MOST ? o->warmup : WARM_MOST;
}

static int most_late(const struct measure_options *o)
{
    return 2 * (o->max_reps + TIMING_BLOCK);
}

size_t timing_most_calls(const struct measure_options *o)
{
    return (size_t)most_warm(o) + (size_t)most_late(o) + (size_t)o->max_reps + 2 * TIMING_BLOCK;
}

void timing_init(struct timing *t, const struct measure_options *o,
                 const volatile sig_atomic_t *stop, int rank, int ranks, struct record *record,
                 struct err *err)
{
    *t = (struct timing){ .o = o, .stop = stop, .record = record, .err = err };
    t->rule = measure_options_stop_rule(o);
    t->began = clock_now();
    t->always_whole = measure_options_windows(o) || o->ranks;
    if (rank != 0)
        return;
    t->warm_room = most_warm(o);
    t->warm = memory_zeros(2 * (size_t)t->warm_room, sizeof *t->warm);
    t->gathered =
        memory_zeros((size_t)ranks, (2 * TIMING_BLOCK + TIMING_EXTRA) * sizeof *t->gathered);
    stop_init(&t->timed, o->max_reps);
}

void timing_clock_error(struct timing *t, MPI_Comm comm)
{
    /* what is less than a nanosecond the clocks cannot tell, and 0 says that there are no windows
     */
    t->clock_error_s = fmax(global_clock_error(&t->clock, comm, &t->known_to_s), 1e-9);
}

void timing_clear(struct timing *t)
{
    stop_clear(&t->timed);
    memory_free(t->warm, t->gathered);
}

/* ---- when a call begins ---- */

/* So long before its time a rank no longer sleeps, and no longer lets others run. */
enum { NEAR_NS = 10 * 1000 * 1000, CLOSE_NS = 20 * 1000 };

/* From rank 0's word to the first window: at first, and at most, where ranks came late to it. */
static const double least_lead_s = 50e-6, most_lead_s = 10e-3;

#ifdef MPI_IS_smpi

static void wait_until(tick at)
{
    const double seconds = clock_span_s(clock_now(), at);
    const struct timespec t = { (time_t)seconds, (long)((seconds - floor(seconds)) * 1e9) };
    if (seconds > 0)
        nanosleep(&t, NULL); /* in simulated time */
}

#else

static void wait_until(tick at)
{
    tick left = at - clock_now();
    if (left > 2 * NEAR_NS) {
        left -= NEAR_NS;
        const struct timespec t = { left / 1000000000, left % 1000000000 };
        nanosleep(&t, NULL);
    }
    while (clock_now() < at - CLOSE_NS)
        sched_yield();
    while (clock_now() < at)
        continue;
}

#endif

/* The windows of a block: when the first one opens, on the global clock, and how long each is; 0:
 * there are none, calls begin after a barrier. Rank 0's word. */
struct windows {
    double first_s, length_s;
};

static const double guessed_window_s = 1e-3; /* while nothing is known of the calls */

static struct windows windows_of_block(struct timing *t, const struct ready_call *trial,
                                       const struct series *series)
{
    struct windows w = { .length_s = 0 };
    if (!measure_options_windows(t->o))
        return w;
    w.length_s = series->window_s > 0 ? series->window_s : guessed_window_s;
    w.first_s = global_clock_now(&t->clock) + fmax(series->lead_s, least_lead_s);
    MPI_Bcast(&w, 2, MPI_DOUBLE, 0, trial->team->control);
    return w;
}

/* Returns when this rank shall make call i of the block. */
static void wait_for_turn(struct timing *t, const struct ready_call *trial, const struct windows *w,
                          double delay_s, int i)
{
    if (w->length_s > 0) {
        const double at_s = w->first_s + i * w->length_s;
        t->origin[i] = clock_after((tick)0, clock_line_local(&t->clock.line, at_s));
        t->late |= clock_now() > clock_after(t->origin[i], delay_s) ? 1U << i : 0;
    } else {
        sync_wait((struct sync *)&trial->team->sync);
        if (t->whole)
            t->origin[i] = clock_now();
    }
    if (w->length_s > 0 || delay_s > 0)
        wait_until(clock_after(t->origin[i], delay_s));
}

/* ---- the timed region ----
 * Between the two clock reads stands the call under test and nothing else. All was allocated,
 * touched and compiled before; times are gathered and written after the block. */
static int time_block(struct timing *t, struct ready_call *trial, const struct series *series,
                      int n)
{
    const struct windows windows = windows_of_block(t, trial, series);
    int rc = MPI_SUCCESS;
    t->late = 0;
    for (int i = 0; i < n; i++) {
        ready_call_next_buffers(trial);
        wait_for_turn(t, trial, &windows, series->delay_s, i);
        ready_call_count_begin(trial);
        t->start[i] = clock_now();
        const int status = ready_call_run(trial);
        t->end[i] = clock_now();
        ready_call_count_end(trial);
        rc = rc ? rc : status;
    }
    return rc;
}

/* ---- one block: calls, gather, rows ---- */

/* What one rank said of a block of n calls: these, the calls' times and, where asked for, when each
 * began after its common time. */
enum { SAID_STOP, SAID_ERROR, SAID_DISTURBED, SAID_LATE };

static int width_of(const struct timing *t, int n)
{
    return TIMING_EXTRA + (t->whole ? 2 * n : n);
}

static const double *said_by(const struct timing *t, int rank, int n)
{
    return t->gathered + (size_t)rank * (size_t)width_of(t, n);
}

static double time_of(const struct timing *t, int rank, int n, int i)
{
    return said_by(t, rank, n)[TIMING_EXTRA + i];
}

static double begin_of(const struct timing *t, int rank, int n, int i)
{
    return t->whole ? said_by(t, rank, n)[TIMING_EXTRA + n + i] : 0;
}

/* From the first rank's beginning to the last one's end, where one clock is everybody's. */
static double first_to_last(const struct timing *t, const struct ready_call *trial, int i, int n)
{
    double first = INFINITY, last = -INFINITY;
    if (!t->whole || !(measure_options_windows(t->o) || t->o->deterministic))
        return 0;
    for (int r = 0; r < trial->team->procs; r++) {
        const double begin = begin_of(t, r, n, i);
        first = fmin(first, begin);
        last = fmax(last, begin + time_of(t, r, n, i));
    }
    return (last - first) * trial->share;
}

/* When the last rank called. */
static double last_arrival(const struct timing *t, const struct ready_call *trial, int i, int n)
{
    double last = 0;
    for (int r = 0; r < trial->team->procs; r++)
        last = fmax(last, begin_of(t, r, n, i));
    return last;
}

/* What a rank's call i took by its own clock; where ranks are delayed, from the last one's call on
 * (0: it was done before). */
static double counted_of(const struct timing *t, const struct series *series, int rank, int n,
                         int i, double last)
{
    const double took = time_of(t, rank, n, i);
    return !series->delayed || took < 0 ? took : fmax(0, begin_of(t, rank, n, i) + took - last);
}

static struct sample sample_of(const struct timing *t, const struct ready_call *trial,
                               const struct series *series, int i, int n)
{
    const int procs = trial->team->procs;
    const double last = series->delayed ? last_arrival(t, trial, i, n) : 0;
    double sum = 0, max = counted_of(t, series, 0, n, i, last), min = max;
    int late = 0;
    for (int r = 0; r < procs; r++) {
        const double v = counted_of(t, series, r, n, i, last);
        sum += v;
        max = v > max ? v : max;
        min = v < min ? v : min;
        late |= (unsigned)said_by(t, r, n)[SAID_LATE] >> i & 1;
    }
    return (struct sample){ .max_s = max * trial->share,
                            .min_s = min * trial->share,
                            .mean_s = sum / procs * trial->share,
                            .root_s =
                                counted_of(t, series, trial->args.root, n, i, last) * trial->share,
                            .span_s = first_to_last(t, trial, i, n),
                            .at_s = clock_span_s(t->began, t->start[i]),
                            .late = late,
                            .valid = min >= 0 && !late };
}

/* The next windows: long enough for nine of ten calls of the block; by up to four times longer
 * where many came late, and shorter again by and by. The first of a block opens later where a rank
 * came late to it. */
static void adapt_window(const struct timing *t, const struct ready_call *trial,
                         struct series *series, int n, int late)
{
    double took[TIMING_BLOCK] = { 0 };
    const double slack_s = 5e-6;
    if (!measure_options_windows(t->o))
        return;
    for (int i = 0; i < n; i++)
        for (int r = 0; r < trial->team->procs; r++)
            took[i] = fmax(took[i], begin_of(t, r, n, i) + time_of(t, r, n, i));
    if (t->samples[0].late)
        series->lead_s = fmin(most_lead_s, 2 * fmax(series->lead_s, least_lead_s));
    series->stretch =
        late * 10 > n ? fmin(4, 1.5 * series->stretch) : fmax(1, 0.9 * series->stretch);
    const double most_s = robust_select(took, (size_t)n, (size_t)(n - 1 - n / 10));
    series->window_s = series->stretch * (1.2 * most_s + slack_s);
}

/* Takes the samples of a block into account. */
static void count_block(struct timing *t, const struct ready_call *trial, struct series *series,
                        int n)
{
    series->block_s = 0;
    for (int i = 0; i < n; i++) {
        const struct sample *s = &t->samples[i];
        const double seconds = trial->on_root ? s->root_s : s->max_s;
        const double whole_s = s->max_s / trial->share;
        series->block_s = fmax(series->block_s, whole_s + series->most_delay_s);
        if (s->warmup && series->n_warm < t->warm_room)
            t->warm[series->n_warm++] = seconds;
        if (!s->valid || s->warmup)
            continue;
        series->n_valid++;
        stop_add(&t->timed, seconds, s->disturbed);
    }
}

/* The file of ranks, where asked for. */
static int write_ranks(struct timing *t, const struct ready_call *trial,
                       const struct series *series, int n)
{
    if (!t->o->ranks)
        return 0;
    for (int r = 0; r < trial->team->procs; r++)
        if (record_rank(t->record, series->id, series->rep, r, said_by(t, r, n) + TIMING_EXTRA + n,
                        said_by(t, r, n) + TIMING_EXTRA, n, t->err) < 0)
            return -1;
    return 0;
}

/* Rank 0: what was gathered becomes rows. */
static void write_block(struct timing *t, const struct ready_call *trial, struct series *series,
                        int n, int warmup)
{
    int disturbed = 0, late = 0;
    for (int r = 0; r < trial->team->procs; r++)
        disturbed |= said_by(t, r, n)[SAID_DISTURBED] != 0;
    for (int i = 0; i < n; i++) {
        t->samples[i] = sample_of(t, trial, series, i, n);
        t->samples[i].warmup = warmup;
        t->samples[i].disturbed = disturbed;
        late += t->samples[i].late;
        t->samples[i].valid &= series->rc == MPI_SUCCESS;
    }
    series->n_late += warmup ? 0 : late;
    adapt_window(t, trial, series, n, late);
    if (record_samples(t->record, series->id, series->rep, t->samples, n, t->err) < 0 ||
        write_ranks(t, trial, series, n) < 0)
        t->io_failed = 1;
    series->rep += n;
    count_block(t, trial, series, n);
}

/* This rank's word on a block. */
static void say(struct timing *t, int n, int rc)
{
    t->spans[SAID_STOP] = *t->stop;
    t->spans[SAID_ERROR] = rc;
    t->spans[SAID_DISTURBED] = disturb_end(&t->disturb);
    t->spans[SAID_LATE] = t->late;
    for (int i = 0; i < n; i++) {
        t->spans[TIMING_EXTRA + i] = clock_span_s(t->start[i], t->end[i]);
        if (t->whole)
            t->spans[TIMING_EXTRA + n + i] = clock_span_s(t->origin[i], t->start[i]);
    }
}

/* Times n calls and writes their rows. Collective over the team. On rank 0 returns what any rank
 * reported: NEXT_STOP, NEXT_FAILED or NEXT_DONE for nothing special. */
static int run_block(struct timing *t, struct ready_call *trial, struct series *series, int n,
                     int warmup)
{
    disturb_begin(&t->disturb);
    const int rc = time_block(t, trial, series, n);
    say(t, n, rc);
    MPI_Gather(t->spans, width_of(t, n), MPI_DOUBLE, t->gathered, width_of(t, n), MPI_DOUBLE, 0,
               trial->team->control);
    if (trial->team->rank != 0)
        return NEXT_DONE;
    int stopped = 0;
    for (int r = 0; r < trial->team->procs; r++) {
        stopped |= said_by(t, r, n)[SAID_STOP] != 0;
        series->rc = series->rc ? series->rc : (int)said_by(t, r, n)[SAID_ERROR];
    }
    write_block(t, trial, series, n, warmup);
    t->alive(t->launch);
    if (series->rc != MPI_SUCCESS)
        return NEXT_FAILED;
    return stopped || t->io_failed ? NEXT_STOP : NEXT_DONE;
}

/* Rank 0's word to the team. */
static int tell(const struct ready_call *trial, int next)
{
    MPI_Bcast(&next, 1, MPI_INT, 0, trial->team->control);
    return next;
}

/* ---- series ---- */

/* How many calls may be made in a row: few where they are long, so that a sign of life does not
 * take long. The first one of a series stands alone, as nothing is known of its time. */
static int block_most(const struct series *series)
{
    return series->rep ? stop_block(series->block_s, TIMING_BLOCK) : 1;
}

static double elapsed_s(const struct series *series)
{
    return clock_span_s(series->began, clock_now());
}

static int next_warm(const struct timing *t, const struct ready_call *trial,
                     const struct series *series, int least, int said)
{
    const struct warm_rule rule = { .least = least, .budget_s = t->o->budget_s };
    if (trial->team->rank != 0 || said != NEXT_DONE)
        return said;
    return warm_next(&rule, t->warm, series->n_warm, elapsed_s(series), t->warm + t->warm_room,
                     block_most(series));
}

static int warm_up(struct timing *t, struct ready_call *trial, struct series *series, int least)
{
    series->began = clock_now();
    t->whole = t->always_whole || series->delayed;
    disturb_init(&t->disturb, trial->team->node_rank == 0);
    if (measure_options_windows(t->o) && global_clock_mend(&t->clock, &trial->team->tree))
        timing_clock_error(t, trial->team->control);
    int next = tell(trial, next_warm(t, trial, series, least, NEXT_DONE));
    while (next > 0) {
        const int said = run_block(t, trial, series, next, 1);
        next = tell(trial, next_warm(t, trial, series, least, said));
    }
    return next;
}

static int next_timed(struct timing *t, const struct ready_call *trial, struct series *series,
                      int said)
{
    if (trial->team->rank != 0 || said != NEXT_DONE)
        return said;
    if (series->n_late > most_late(t->o))
        return NEXT_DONE; /* ranks come late to nearly every window: there is no end in sight */
    return stop_next(&t->rule, &t->timed, elapsed_s(series), block_most(series),
                     &series->converged);
}

int timing_point(struct timing *t, struct ready_call *trial, struct series *series)
{
    stop_restart(&t->timed);
    int next = warm_up(t, trial, series, t->o->warmup);
    if (next != NEXT_DONE)
        return next;
    next = tell(trial, next_timed(t, trial, series, NEXT_DONE));
    while (next > 0) {
        const int said = run_block(t, trial, series, next, 0);
        next = tell(trial, next_timed(t, trial, series, said));
    }
    return next;
}

int timing_few(struct timing *t, struct ready_call *trial, struct series *series, int n)
{
    int said = warm_up(t, trial, series, 1);
    for (int most; n > 0 && said == NEXT_DONE; n -= most) {
        most = n < TIMING_BLOCK ? n : TIMING_BLOCK;
        said = tell(trial, run_block(t, trial, series, most, 0));
    }
    return said;
}

int timing_once(struct timing *t, struct ready_call *trial, struct series *series)
{
    series->began = clock_now();
    series->converged = -1;
    t->whole = t->always_whole || series->delayed;
    return run_block(t, trial, series, 1, 0);
}
