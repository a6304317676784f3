/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/records.h"

static int has_span(const void *row)
{
    return ((const struct sample_row *)row)->sample.span_s > 0;
}

static int has_clock_error(const void *row)
{
    return ((const struct outcome *)row)->clock_error_s > 0;
}

/* clang-format off */
static const struct schema_column sample_columns[] = {
    COLUMN(sample_row, NAME, "point", point, "", "id of the point; `sentinel`: of the sentinel, which is measured again and again"),
    COLUMN(sample_row, COUNT, "rep", sample.rep, "", "0, 1, 2 … of its point"),
    COLUMN(sample_row, REAL, "max_s", sample.max_s, "s", "largest over the ranks of the communicator"),
    COLUMN(sample_row, REAL, "mean_s", sample.mean_s, "s", "mean over the ranks"),
    COLUMN(sample_row, REAL, "min_s", sample.min_s, "s", "least over the ranks"),
    COLUMN(sample_row, REAL, "root_s", sample.root_s, "s", "the root's own clock"),
    COLUMN(sample_row, REAL, "at_s", sample.at_s, "s", "when the call began, since the launch's start"),
    COLUMN(sample_row, INT, "warmup", sample.warmup, "", "1: kept, never used in statistics", .most = 1),
    COLUMN(sample_row, INT, "valid", sample.valid, "", "0: the clock went backwards, the call failed, or a rank came late to its window (`sync`)", .most = 1),
    COLUMN(sample_row, INT, "disturbed", sample.disturbed, "", "1: in the block of calls (at most 32) a rank was switched out although it could have gone on, or the machine below a virtual one took processor time from a node", .most = 1, .optional = 1),
    COLUMN(sample_row, REAL, "span_s", sample.span_s, "s", "from the first rank's begin to the last one's end; empty where no clock is everybody's: after a barrier on a real machine", .given = has_span, .optional = 1),
};

static const struct schema_column rank_columns[] = {
    COLUMN(rank_row, NAME, "point", point, "", "as in the samples"),
    COLUMN(rank_row, COUNT, "rep", rep, "", "the call, as in the samples"),
    COLUMN(rank_row, INT, "rank", rank, "", "of the ranks that take part in the point, from 0", .most = INT_MAX),
    COLUMN(rank_row, REAL, "begin_s", begin_s, "s", "when the rank called: since its window opened, which is at the same time for all; since this rank came out of the barrier where there are no windows, so that begins of several ranks compare in windows and in simulations alone"),
    COLUMN(rank_row, REAL, "took_s", took_s, "s", "until its call was done, by its own clock"),
};

static int ran_is_known(const void *row)
{
    return *((const struct outcome *)row)->ran_algorithm != 0;
}

static const struct schema_column outcome_columns[] = {
    COLUMN(outcome, NAME, "point", point, "", "id of the point"),
    COLUMN(outcome, NAME, "status", status, "", "`ok`, `substituted`, `skipped`, `failed`, `timeout`, `invalid`"),
    COLUMN(outcome, TEXT, "reason", reason, "", "empty for ok"),
    COLUMN(outcome, NAME, "verified", verified, "", "how it was proved that the algorithm ran: `executed` (our own schedule), `interposed` (the library's function was seen), `counted` (MPICH: the messages from every rank to every other were counted, and are those of the algorithm's schedule), `canary+readback` (MPICH, where they cannot be counted), `readback` (the same where nothing would be refused: an allgather among 2^n ranks, or a collective of one algorithm; and algorithms that the library lists and nobody here knows), `served` (the communicator's table names the component), `unforced` (a default, nothing to force), `planted`, `unverified`"),
    COLUMN(outcome, NAME, "ran_algorithm", ran_algorithm, "", "what really ran, LIBRARY:NAME; empty where not known"),
    COLUMN(outcome, COUNT, "ran_segment_bytes", ran_segment_bytes, "bytes", "with which segment", .given = ran_is_known),
    COLUMN(outcome, INT, "ran_fanout", ran_fanout, "", "with which fan-out", .given = ran_is_known),
    COLUMN(outcome, COUNT, "n_rows", n_rows, "", "sample rows written for the point, warm-ups included"),
    COLUMN(outcome, COUNT, "n", n, "", "valid samples, warm-ups excluded"),
    COLUMN(outcome, INT, "converged", converged, "", "the interval has the wanted precision; empty: not applicable", COLUMN_VERDICT),
    COLUMN(outcome, INT, "checked", checked, "", "1: the data correctness pass succeeded; 0: not done", .most = 1),
    COLUMN(outcome, REAL, "elapsed_s", elapsed_s, "s", "wall time for the point", COLUMN_SECONDS),
    COLUMN(outcome, REAL, "core_s", core_s, "s", "that x ranks of the launch", COLUMN_SECONDS),
    COLUMN(outcome, NAME, "ran_component", ran_component, "", "the library's component that served the call (`tuned`, `han`; of MPICH's default `device`, `mpir`); empty where not known; read by people", .optional = 1),
    COLUMN(outcome, COUNT, "late", late, "", "timed calls left out (`valid` 0) since a rank came after their window's start (`sync = window`); empty: it is not", .given = has_clock_error, .optional = 1),
    COLUMN(outcome, REAL, "clock_error_s", clock_error_s, "s", "the largest difference between two ranks' global clocks, by ping-pongs when last looked at: before the first point, and when clocks were mended; empty: calls began after a barrier", .given = has_clock_error, .optional = 1, COLUMN_SECONDS),
    COLUMN(outcome, NAME, "same_as", same_as, "", "the point of this launch whose samples are those of this one, too: the call before timing showed that the same runs at both, at one of them in place of the requested one, or what ran at one is the other's in effect (`linear_sync` without a limit of requests: `linear`), so it was timed once; empty: it has its own", .optional = 1),
};

static const struct schema_column placement_columns[] = {
    COLUMN(placement_row, INT, "rank", rank, "", "as MPI says"),
    COLUMN(placement_row, TEXT, "host", host, "", "as MPI says"),
    COLUMN(placement_row, TEXT, "cpus", cpus, "", "it may run on: a list (\"0-3\"), or empty"),
    COLUMN(placement_row, INT, "socket", socket, "", "of these CPUs, from 0; empty: several, or not known", COLUMN_NONE(-1), .optional = 1),
    COLUMN(placement_row, INT, "core", core, "", "of these CPUs, counted within its socket; empty: several, or not known", COLUMN_NONE(-1), .optional = 1),
    COLUMN(placement_row, INT, "node", node, "", "requested (`harness/base/seat.h`), in the order of the allocation", COLUMN_NONE(-1), .optional = 1),
    COLUMN(placement_row, INT, "seat_socket", seat_socket, "", "requested; empty: more ranks than cores", COLUMN_NONE(-1), .optional = 1),
    COLUMN(placement_row, INT, "seat_core", seat_core, "", "requested; empty: more ranks than cores", COLUMN_NONE(-1), .optional = 1),
};
/* clang-format on */

static int check_id(const char *column, const char *text, struct err *err)
{
    return (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
               ? 0
               : err_set(err, "%s: '%.40s' is not a point (want 16 hex digits)", column, text);
}

/* The schema's columns have no range, since an invalid sample may have any times. */
static int check_time(const char *name, double value, struct err *err)
{
    static const double most_s = 1e9; /* COLUMN_SECONDS */
    if (isnan(value))
        return err_set(err, "%s: is empty (want seconds where the sample is valid)", name);
    if (value < 0)
        return err_set(err, "%s: %g s is negative", name, value);
    return value > most_s
               ? err_set(err, "%s: %g s is too large (want at most %g)", name, value, most_s)
               : 0;
}

/* Of an invalid sample the times stand as they were: the clock may have gone backwards. */
static int check_sample(void *row, struct err *err)
{
    const struct sample_row *r = row;
    const struct sample *s = &r->sample;
    if (strcmp(r->point, "sentinel") != 0 && check_id("point", r->point, err) < 0)
        return -1;
    if (!s->valid)
        return 0;
    if (check_time("max_s", s->max_s, err) < 0 || check_time("mean_s", s->mean_s, err) < 0 ||
        check_time("min_s", s->min_s, err) < 0 || check_time("root_s", s->root_s, err) < 0 ||
        check_time("at_s", s->at_s, err) < 0)
        return -1;
    if (s->min_s > s->max_s)
        return err_set(err, "min_s: %g s is above max_s (%g s)", s->min_s, s->max_s);
    return 0;
}

static int check_outcome(void *row, struct err *err)
{
    static const char *const known[] = { "ok",     "substituted", "skipped",
                                         "failed", "timeout",     "invalid" };
    struct outcome *o = row;
    size_t k = 0;
    text_disarm(o->reason);
    while (k < sizeof known / sizeof *known && strcmp(known[k], o->status) != 0)
        k++;
    if (k == sizeof known / sizeof *known)
        return err_set(err,
                       "status: '%s' is not known (want ok, substituted, skipped, failed, timeout "
                       "or invalid)",
                       o->status);
    if (check_id("point", o->point, err) < 0 ||
        (*o->same_as && check_id("same_as", o->same_as, err) < 0))
        return -1;
    if (o->n > o->n_rows)
        return err_set(err, "n: %llu valid samples are more than n_rows (%llu)",
                       (unsigned long long)o->n, (unsigned long long)o->n_rows);
    return 0;
}

SCHEMA(sample_schema, sample_row, sample_columns, "samples/LAUNCH.csv",
       "One row per timed call, appended as they are taken, never rewritten.",
       .check = check_sample, .appended = 1);

SCHEMA(rank_schema, rank_row, rank_columns, "ranks/LAUNCH.csv",
       "One row per timed call and rank, where the study says `keep_ranks = yes`; block after "
       "block of calls, rank after rank.",
       .appended = 1);

SCHEMA(outcome_schema, outcome, outcome_columns, "samples/LAUNCH.outcomes.csv",
       "One row per point, appended and synced **after** its samples are.", .check = check_outcome,
       .appended = 1);

SCHEMA(placement_schema, placement_row, placement_columns, "samples/LAUNCH.placement.csv",
       "Where each rank was, and where it was to be.");
