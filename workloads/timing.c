/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/timing.h"

#include <stdlib.h>

#include "workloads/warming.h"

int timing_init(struct timing *t, const struct measure_options *o,
                const volatile sig_atomic_t *stop, int rank, int ranks, struct record *record,
                struct err *err)
{
    *t = (struct timing){ .o = o, .stop = stop, .record = record, .err = err };
    t->rule = measure_options_stop_rule(o);
    t->began = clock_now();
    if (rank != 0)
        return 0;
    t->warm_room = o->warmup > WARM_MOST ? o->warmup : WARM_MOST;
    t->warm = calloc(2 * (size_t)t->warm_room, sizeof *t->warm);
    t->gathered = calloc((size_t)ranks * (TIMING_BLOCK + TIMING_EXTRA), sizeof *t->gathered);
    if (!t->warm || !t->gathered)
        return err_set(err, "out of memory");
    return stop_init(&t->timed, o->max_reps, err);
}

void timing_clear(struct timing *t)
{
    stop_clear(&t->timed);
    free(t->warm);
    free(t->gathered);
}

/* ---- the timed region ----
 * Between the two clock reads stands the call under test and nothing else. All was allocated,
 * touched and compiled before; times are gathered and written after the block. */
static int time_block(struct timing *t, const struct trial *trial, int n)
{
    struct sync *sync = (struct sync *)&trial->team->sync;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        sync_wait(sync);
        trial_open(trial);
        t->start[i] = clock_now();
        const int status = trial_call(trial);
        t->end[i] = clock_now();
        trial_shut(trial);
        rc = rc ? rc : status;
    }
    return rc;
}

/* ---- one block: calls, gather, rows ---- */

/* What one rank said of a block of n calls: their times, then these. */
enum { SAID_STOP, SAID_ERROR, SAID_DISTURBED };

static const double *said_by(const struct timing *t, int rank, int n)
{
    return t->gathered + (size_t)rank * (size_t)(n + TIMING_EXTRA);
}

static struct sample sample_of(const struct timing *t, const struct trial *trial, int i, int n)
{
    const int procs = trial->team->procs;
    double sum = 0, max = said_by(t, 0, n)[i], min = max;
    for (int r = 0; r < procs; r++) {
        const double v = said_by(t, r, n)[i];
        sum += v;
        max = v > max ? v : max;
        min = v < min ? v : min;
    }
    return (struct sample){ .max_s = max * trial->share,
                            .min_s = min * trial->share,
                            .mean_s = sum / procs * trial->share,
                            .root_s = said_by(t, trial->args.root, n)[i] * trial->share,
                            .at_s = clock_span_s(t->began, t->start[i]),
                            .valid = min >= 0 };
}

/* Takes the samples of a block into account. */
static void count_block(struct timing *t, const struct trial *trial, struct series *series, int n)
{
    series->block_s = 0;
    for (int i = 0; i < n; i++) {
        const struct sample *s = &t->samples[i];
        const double seconds = trial->on_root ? s->root_s : s->max_s;
        const double whole_s = s->max_s / trial->share;
        series->block_s = whole_s > series->block_s ? whole_s : series->block_s;
        if (s->warmup && series->n_warm < t->warm_room)
            t->warm[series->n_warm++] = seconds;
        if (!s->valid || s->warmup)
            continue;
        series->n_valid++;
        stop_add(&t->timed, seconds, s->disturbed);
    }
}

/* Rank 0: what was gathered becomes rows. */
static void write_block(struct timing *t, const struct trial *trial, struct series *series, int n,
                        int warmup)
{
    int disturbed = 0;
    for (int r = 0; r < trial->team->procs; r++)
        disturbed |= said_by(t, r, n)[n + SAID_DISTURBED] != 0;
    for (int i = 0; i < n; i++) {
        t->samples[i] = sample_of(t, trial, i, n);
        t->samples[i].warmup = warmup;
        t->samples[i].disturbed = disturbed;
        t->samples[i].valid &= series->rc == MPI_SUCCESS;
    }
    if (record_samples(t->record, series->id, series->rep, t->samples, n, t->err) < 0)
        t->io_failed = 1;
    series->rep += n;
    count_block(t, trial, series, n);
}

/* Times n calls and writes their rows. Collective over the team. On rank 0 returns what any rank
 * reported: NEXT_STOP, NEXT_FAILED or NEXT_DONE for nothing special. */
static int run_block(struct timing *t, const struct trial *trial, struct series *series, int n,
                     int warmup)
{
    disturb_begin(&t->disturb);
    const int rc = time_block(t, trial, n);
    t->spans[n + SAID_DISTURBED] = disturb_end(&t->disturb);
    for (int i = 0; i < n; i++)
        t->spans[i] = clock_span_s(t->start[i], t->end[i]);
    t->spans[n + SAID_STOP] = *t->stop;
    t->spans[n + SAID_ERROR] = rc;
    MPI_Gather(t->spans, n + TIMING_EXTRA, MPI_DOUBLE, t->gathered, n + TIMING_EXTRA, MPI_DOUBLE, 0,
               trial->team->control);
    if (trial->team->rank != 0)
        return NEXT_DONE;
    int stopped = 0;
    for (int r = 0; r < trial->team->procs; r++) {
        stopped |= said_by(t, r, n)[n + SAID_STOP] != 0;
        series->rc = series->rc ? series->rc : (int)said_by(t, r, n)[n + SAID_ERROR];
    }
    write_block(t, trial, series, n, warmup);
    t->alive(t->launch);
    if (series->rc != MPI_SUCCESS)
        return NEXT_FAILED;
    return stopped || t->io_failed ? NEXT_STOP : NEXT_DONE;
}

/* Rank 0's word to the team. */
static int tell(const struct trial *trial, int next)
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

static int next_warm(const struct timing *t, const struct trial *trial, const struct series *series,
                     int least, int said)
{
    const struct warm_rule rule = { .least = least, .budget_s = t->o->budget_s };
    if (trial->team->rank != 0 || said != NEXT_DONE)
        return said;
    return warm_next(&rule, t->warm, series->n_warm, elapsed_s(series), t->warm + t->warm_room,
                     block_most(series));
}

static int warm_up(struct timing *t, const struct trial *trial, struct series *series, int least)
{
    series->began = clock_now();
    disturb_init(&t->disturb, trial->team->node_rank == 0);
    int next = tell(trial, next_warm(t, trial, series, least, NEXT_DONE));
    while (next > 0) {
        const int said = run_block(t, trial, series, next, 1);
        next = tell(trial, next_warm(t, trial, series, least, said));
    }
    return next;
}

static int next_timed(struct timing *t, const struct trial *trial, struct series *series, int said)
{
    if (trial->team->rank != 0 || said != NEXT_DONE)
        return said;
    return stop_next(&t->rule, &t->timed, elapsed_s(series), block_most(series),
                     &series->converged);
}

int timing_point(struct timing *t, const struct trial *trial, struct series *series)
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

int timing_few(struct timing *t, const struct trial *trial, struct series *series, int n)
{
    int said = warm_up(t, trial, series, 1);
    for (int most; n > 0 && said == NEXT_DONE; n -= most) {
        most = n < TIMING_BLOCK ? n : TIMING_BLOCK;
        said = tell(trial, run_block(t, trial, series, most, 0));
    }
    return said;
}

int timing_once(struct timing *t, const struct trial *trial, struct series *series)
{
    series->began = clock_now();
    series->converged = -1;
    return run_block(t, trial, series, 1, 0);
}
