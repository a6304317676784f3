/* SPDX-License-Identifier: BSD-3-Clause */
/* libcollsel_profile.c - profiles of applications that libcollsel writes (collsel run --report;
 * docs/formats.md): a line for each kind of call. What ran there is a time of a point: the mean
 * over calls and ranks, from entering a call to leaving it, so with what ranks wait for late ones.
 * A kind that was tuned gives a row for every candidate that was tried: what counts of its calls,
 * mean over ranks. */

#include "harness/base/json_print.h"
#include "harness/import/import.h"
#include "harness/import/names.h"
#include "workloads/schedules/collectives.h"

static const char head[] = "{\"format\":", mark[] = "\"format\": \"collsel profile 1\"";

/* A row's texts, as import_take borrows them. */
struct texts {
    char procs[24], bytes[24], calls[24], seconds[32], segment[24], fanout[24];
};

static int take_time(struct import *job, const struct source_row *like, const char *algorithm,
                     double segment, double fanout, double seconds, double calls)
{
    struct texts t;
    struct source_row told = *like;
    snprintf(t.segment, sizeof t.segment, "%.15g", segment);
    snprintf(t.fanout, sizeof t.fanout, "%.15g", fanout);
    snprintf(t.seconds, sizeof t.seconds, "%.9g", seconds);
    snprintf(t.calls, sizeof t.calls, "%.0f", calls);
    told.text[ROLE_ALGORITHM] = algorithm;
    told.text[ROLE_SEGMENT] = t.segment;
    told.text[ROLE_FANOUT] = t.fanout;
    told.text[ROLE_MEAN] = t.seconds;
    told.text[ROLE_ITERATIONS] = t.calls;
    return import_take(job, &told);
}

/* Candidates that star has tried: [name, segment, fan-out, seconds, calls] each. */
static int take_tried(struct import *job, const struct source_row *like, const json_t *tried)
{
    size_t i;
    json_t *one;
    json_array_foreach(tried, i, one)
    {
        const char *name = json_string_value(json_array_get(one, 0));
        double number[4];
        for (size_t k = 0; k < 4; k++)
            number[k] = json_number_value(json_array_get(one, k + 1));
        if (take_time(job, like, name ? name : "", number[0], number[1], number[2], number[3]) < 0)
            return -1;
    }
    return 0;
}

/* Why a kind of call is no point; NULL: it is one. */
static const char *no_point(const json_t *row)
{
    const double calls = json_number_at(row, "calls"),
                 moved = json_number_at(row, "scheduled") + json_number_at(row, "forced");
    if (json_is_false(json_object_get(row, "bytes_of_all_ranks")))
        return "no rank knows the bytes of all";
    if (strcmp(json_text_at(row, "root"), "other") == 0)
        return "its root is not known";
    if (strcmp(json_text_at(row, "op"), "user_ordered") == 0)
        return "an operation that does not commute";
    if (json_number_at(row, "procs") < 2)
        return "one rank alone";
    if (!(calls > 0))
        return "no calls";
    if (json_array_size(json_object_get(row, "tried")) == 0 && moved > 0 && moved != calls)
        return "its calls did not all run the same";
    return NULL;
}

/* Of blocks of different sizes the library keeps the sum, which all ranks know. */
static int is_told_of_all(const char *collective)
{
    const struct collective *c = collective_find(collective);
    return c->uneven && (c->combines || !c->personal);
}

static int take_row(struct import *job, const json_t *row, const char *mpi)
{
    struct texts t;
    struct source_row told = { .text[ROLE_MPI] = mpi };
    const char *why = no_point(row), *collective = name_collective(json_text_at(row, "collective"));
    const json_t *tried = json_object_get(row, "tried");
    if (why)
        return import_set_aside(job, ASIDE_OTHER, "%s", why);
    if (tried && !json_is_array(tried))
        return import_set_aside(job, ASIDE_OTHER, "tried: no list");
    if (!collective)
        return import_set_aside(job, ASIDE_NAME, "collective: '%.40s'",
                                json_text_at(row, "collective"));
    snprintf(t.procs, sizeof t.procs, "%.15g", json_number_at(row, "procs"));
    snprintf(t.bytes, sizeof t.bytes, "%.15g", json_number_at(row, "bytes"));
    told.text[ROLE_COLLECTIVE] = collective;
    told.text[ROLE_PROCS] = t.procs;
    told.text[ROLE_BYTES] = t.bytes;
    told.text[ROLE_SERIES] = json_text_at(row, "communicator");
    told.of_all = is_told_of_all(collective);
    import_batch(job);
    if (json_array_size(tried) > 0)
        return take_tried(job, &told, tried);
    return take_time(job, &told, json_text_at(row, "algorithm"),
                     json_number_at(row, "segment_bytes"), json_number_at(row, "fanout"),
                     json_number_at(row, "time_s") / json_number_at(row, "calls"),
                     json_number_at(row, "calls"));
}

/* The word behind a key of the first line. */
static void read_word(const char *line, const char *key, char *word, size_t size)
{
    const char *at = strstr(line, key);
    *word = '\0';
    if (at)
        snprintf(word, size, "%.*s", (int)strcspn(at + strlen(key), "\""), at + strlen(key));
}

static int take_line(struct import *job, char *line, const char *mpi)
{
    const size_t n = strlen(line);
    if (n && line[n - 1] == ',')
        line[n - 1] = '\0';
    json_t *row = json_loads(line, 0, NULL);
    const int status = json_is_object(row)
                           ? take_row(job, row, *mpi ? mpi : NULL)
                           : import_set_aside(job, ASIDE_FIELDS, "no row of a profile");
    json_decref(row);
    return status;
}

/* Of another format nothing is taken; of a file that was cut, the rows that are there. */
static int read_profile(struct import *job)
{
    char mpi[NAME_SIZE] = "";
    enum { NOTHING, ROWS, WHOLE } seen = NOTHING;
    while (import_next(job)) {
        char *line = job->line.text + strspn(job->line.text, " \t");
        if (strstr(line, mark)) {
            read_word(line, "\"mpi\": \"", mpi, sizeof mpi);
            seen = ROWS;
        } else if (seen == NOTHING || strncmp(line, head, sizeof head - 1) == 0) {
            return import_set_aside(job, ASIDE_HEADER, "'%.60s' (want %s)", line, mark);
        } else if (strcmp(line, "]}") == 0) {
            seen = WHOLE;
        } else if (take_line(job, line, mpi) < 0) {
            return -1;
        }
    }
    if (seen == ROWS && import_set_aside(job, ASIDE_CUT, "the file ends before ]}") < 0)
        return -1;
    return job->err.status ? -1 : 0;
}

static int recognise(const char *path, const char *text)
{
    (void)path;
    return strstr(text, mark) != NULL;
}

const struct import_format format_profile = {
    .name = "profile",
    .help = "profiles of applications that collsel run --report writes",
    .suffix = ".json",
    .recognise = recognise,
    .read = read_profile,
};
