/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/arrival.h"

static const double most_delay_s = 3600;

static const char *const kinds[] = { "together", "skew", "late", "trace" };

/* The kind before the colon; -1: none of them. *rest: behind it. */
static int kind_of(const char *name, const char **rest)
{
    const char *colon = strchr(name, ':');
    for (int k = ARRIVAL_SKEW; colon && k <= ARRIVAL_TRACE; k++)
        if (strlen(kinds[k]) == (size_t)(colon - name) &&
            strncmp(kinds[k], name, (size_t)(colon - name)) == 0) {
            *rest = colon + 1;
            return k;
        }
    return -1;
}

static int check_delay(double delay_s, struct err *err)
{
    return delay_s > 0 && delay_s <= most_delay_s
               ? 0
               : err_set(err, "a delay of %g s (want more than 0, at most %g)", delay_s,
                         most_delay_s);
}

int arrival_parse(const char *name, struct arrival *arrival, struct err *err)
{
    static const char hex[] = "0123456789abcdef";
    const char *rest = "";
    *arrival = (struct arrival){ .kind = ARRIVAL_TOGETHER };
    if (!*name)
        return 0;
    const int kind = kind_of(name, &rest);
    if (kind < 0)
        return err_set(err, "'%.40s' is no arrival (want skew:S, late:S or trace:DIGEST)", name);
    arrival->kind = (enum arrival_kind)kind;
    if (kind != ARRIVAL_TRACE)
        return parse_f64(rest, &arrival->most_s, err) < 0 ? -1 : check_delay(arrival->most_s, err);
    if (strlen(rest) != TRACE_DIGEST_SIZE - 1 || strspn(rest, hex) != TRACE_DIGEST_SIZE - 1)
        return err_set(err, "'%.40s' is no trace (want 8 hex digits)", rest);
    memcpy(arrival->digest, rest, TRACE_DIGEST_SIZE);
    return 0;
}

int arrival_resolve(const char *word, char name[ARRIVAL_SIZE], struct err *err)
{
    const char *rest = "";
    double delay_s;
    const int kind = kind_of(word, &rest);
    if (kind != ARRIVAL_SKEW && kind != ARRIVAL_LATE)
        return err_set(
            err, "'%.60s' is no arrival (want together, skew:TIME, late:TIME or trace:FILE)", word);
    if (parse_seconds(rest, &delay_s, err) < 0 || check_delay(delay_s, err) < 0)
        return -1;
    snprintf(name, ARRIVAL_SIZE, "%s:%.9g", kinds[kind], delay_s);
    return 0;
}

double arrival_delay(const struct arrival *arrival, const double *trace, int rank, int procs)
{
    const int last = procs - 1;
    switch (arrival->kind) {
    case ARRIVAL_SKEW:
        return last > 0 ? arrival->most_s * rank / last : 0;
    case ARRIVAL_LATE:
        return last > 0 && rank == last ? arrival->most_s : 0;
    case ARRIVAL_TRACE:
        return trace ? trace[rank] : 0;
    default:
        return 0;
    }
}

const char *arrival_text(const char *name, char *buf, size_t size)
{
    struct arrival a;
    char delay[32];
    if (arrival_parse(name, &a, NULL) < 0) {
        snprintf(buf, size, "%.40s", name);
        return buf;
    }
    format_seconds(a.most_s, delay, sizeof delay);
    switch (a.kind) {
    case ARRIVAL_SKEW:
        snprintf(buf, size, "evenly over %s", delay);
        break;
    case ARRIVAL_LATE:
        snprintf(buf, size, "the last rank %s late", delay);
        break;
    case ARRIVAL_TRACE:
        snprintf(buf, size, "trace %s", a.digest);
        break;
    default:
        snprintf(buf, size, "together");
    }
    return buf;
}

struct trace_row {
    int rank;
    double delay_s;
};

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(trace_row, INT, "rank", rank, "", "0, 1, 2 … without a gap", .most = INT_MAX),
    COLUMN(trace_row, REAL, "delay_s", delay_s, "s", "how much later this rank calls than one without delay; at most an hour"),
};
/* clang-format on */

static int check_row(void *row, struct err *err)
{
    const struct trace_row *r = row;
    return r->delay_s >= 0 && r->delay_s <= most_delay_s
               ? 0
               : err_set(err, "delay_s: %g s (want 0 to %g)", r->delay_s, most_delay_s);
}

SCHEMA(arrival_schema, trace_row, columns, "arrivals/DIGEST.csv",
       "One row per rank: a recorded pattern of arrival. Made by the user and named in the study "
       "(`arrivals = trace:FILE`); the driver keeps it beside the samples.",
       .check = check_row);

static int add_row(struct arrival_trace *trace, const struct trace_row *row, struct err *err)
{
    size_t n = (size_t)trace->ranks;
    if (row->rank != trace->ranks)
        return err_set(err, "rank: %d (want %d, the next one)", row->rank, trace->ranks);
    *array_add(&trace->delay_s, &n) = row->delay_s;
    trace->ranks = (int)n;
    return 0;
}

static int read_rows(const char *path, struct arrival_trace *trace, struct err *err)
{
    struct schema_reader in;
    struct trace_row row;
    int got;
    if (schema_open(&in, &arrival_schema, path, err) < 0)
        return -1;
    while ((got = schema_next(&in, &row, err)) == 1)
        if (add_row(trace, &row, err) < 0) {
            got = schema_fail(&in, err);
            break;
        }
    schema_close(&in);
    if (got == 0 && trace->ranks == 0)
        got = err_set(err, "%s:1: has no rank (want a row for each, from 0 on)", path);
    return got;
}

int arrival_trace_read(const char *path, struct arrival_trace *trace, struct err *err)
{
    size_t len;
    *trace = (struct arrival_trace){ .ranks = 0 };
    char *text = fs_read(path, &len, err);
    if (!text)
        return -1;
    const uint64_t digest = fs_digest(text, len);
    free(text);
    snprintf(trace->digest, sizeof trace->digest, "%08x", (unsigned)(digest ^ digest >> 32));
    if (read_rows(path, trace, err) == 0)
        return 0;
    arrival_trace_clear(trace);
    return -1;
}

CLEARS(arrival_trace_clear, arrival_trace, it->delay_s)
