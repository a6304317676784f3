/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.c - what nccl-tests and rccl-tests print (all_reduce_perf and the like), as text, and as
 * JSON: of nccl-tests (-J) one object, of rccl-tests (-Z json) an object a line, or a list of them.
 *
 *   # Collective test starting: all_reduce_perf
 *   #  Rank  0 Group  0 Pid   6899 on node1 device  0 [0000:04:00] NVIDIA H100 80GB HBM3
 *   #                                            out-of-place                  in-place
 *   #       size    count   type  redop  root    time  algbw  busbw #wrong    time ... #wrong
 *              8        2  float    sum    -1   135.8   0.00   0.00      0   123.5 ...      0
 *
 * The library that is timed is nccl or rccl, none of MPI's. Times are microseconds: the mean over
 * iterations, and over ranks where -a does not say otherwise. A size is that of the larger buffer,
 * a count that of one rank's block; where there is no count, the block follows from the size. Of
 * the two times of a row that between two buffers counts, as all others here; `--where
 * buffers=in-place` takes the other one. Rows of several types or operations are no runs of one
 * point: `--where redop=sum` says which are meant. Releases before 2.13 do not say which collective
 * it is: the file's name, or --set, does; so they do of an algorithm that NCCL_ALGO had forced. */

#include "harness/base/json_print.h"
#include "harness/import/import.h"
#include "harness/import/names.h"
#include "workloads/schedules/collectives.h"

enum { OUT_OF_PLACE, IN_PLACE, N_PLACES };
enum { MOST_RANK = 1 << 24 };

static const char *const place_words[N_PLACES] = { "out-of-place", "in-place" };

enum nccl_column { NO_MATTER, SIZE, COUNT, TYPE, REDOP, ROOT, TIME, WRONG };

/* What was said above the rows. */
struct test {
    int rccl;
    char collective[32];      /* "": not said */
    int ranks;                /* that were listed, by 0 ... */
    int hosts, in_order;      /* of them; ranks of a host are listed one behind the other */
    char first[64], host[64]; /* of rank 0; of the rank that was listed last */
    char version[24];
    enum nccl_column kind[MAX_FIELDS];
    size_t n; /* columns; 0: no header yet */
};

/* A row: texts of the file, NULL where it has none. */
struct row {
    const char *size, *count, *type, *redop, *root, *time[N_PLACES], *wrong[N_PLACES];
    const char *ranks, *nodes;
    int of_one; /* 1: of one place alone */
};

/* ---- rows ---- */

/* Bytes of an element; 0: not known. */
static double bytes_of_type(const char *type)
{
    static const struct {
        const char *name;
        int bytes;
    } types[] = { { "int8", 1 },   { "uint8", 1 },    { "int32", 4 },   { "uint32", 4 },
                  { "int64", 8 },  { "uint64", 8 },   { "half", 2 },    { "float", 4 },
                  { "double", 8 }, { "bfloat16", 2 }, { "fp8_", 1 },    { "f8e4m3", 1 },
                  { "f8e5m2", 1 }, { "float16", 2 },  { "float32", 4 }, { "float64", 8 } };
    double bytes = 0;
    size_t longest = 0;
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        const size_t n = strlen(types[i].name);
        if (n > longest && strncmp(type, types[i].name, n) == 0) {
            longest = n;
            bytes = types[i].bytes;
        }
    }
    return bytes;
}

/* "all_reduce_perf", "AllReduce" -> the collective; NULL: none of ours, as sendrecv. */
static const char *collective_of_test(const char *test)
{
    char word[40];
    const char *end = strstr(test, "_perf");
    snprintf(word, sizeof word, "%.*s", end ? (int)(end - test) : 39, test);
    return name_collective(word);
}

/* 1: --where takes rows of this place; it is out of place unless it says otherwise. */
static int is_wanted(struct import *job, const struct row *r, int place)
{
    int said = 0;
    for (size_t i = 0; i < job->options->n_where; i++)
        said |= same_word(job->options->where[i].column, "buffers");
    return (said || place == OUT_OF_PLACE) & import_wanted(job, "buffers", place_words[place]) &
           import_wanted(job, "type", r->type) & import_wanted(job, "redop", r->redop);
}

static void tell_size(struct import *job, const struct row *r, const char *collective,
                      struct source_row *told)
{
    double count;
    told->element_bytes = bytes_of_type(r->type);
    told->text[ROLE_BYTES] = r->size;
    told->of_all = collective_is_divided(collective);
    if (!r->count || parse_f64(r->count, &count, NULL) < 0)
        return;
    snprintf(job->word[0], sizeof job->word[0], "%.17g", count * told->element_bytes);
    told->text[ROLE_BYTES] = job->word[0];
    told->of_all = 0;
}

static void tell_ranks(struct import *job, const struct row *r, const struct test *t,
                       struct source_row *told)
{
    told->text[ROLE_PROCS] = r->ranks;
    told->text[ROLE_NODES] = r->nodes;
    if (t->ranks && !r->ranks) {
        snprintf(job->word[1], sizeof job->word[1], "%d", t->ranks);
        told->text[ROLE_PROCS] = job->word[1];
    }
    if (t->hosts && t->in_order) {
        snprintf(job->word[2], sizeof job->word[2], "%d", t->hosts);
        told->text[ROLE_NODES] = job->word[2];
        told->text[ROLE_MAPPING] = "core";
    }
}

static const char *const conditions[] = { "type", "redop", NULL };

static int take_place(struct import *job, const struct row *r, const struct test *t, int place)
{
    const char *named = *t->collective ? collective_of_test(t->collective) : NULL;
    const char *const *said = job->now->told.text; /* by the user, or the file's name */
    const char *given = said[ROLE_COLLECTIVE];
    struct source_row told = { .text = { [ROLE_MPI] = said[ROLE_MPI] ? NULL
                                                      : t->rccl      ? "rccl"
                                                                     : "nccl",
                                         [ROLE_ALGORITHM] = said[ROLE_ALGORITHM] ? NULL : "default",
                                         [ROLE_COLLECTIVE] = named,
                                         [ROLE_MEAN] = r->time[place],
                                         [ROLE_VERSION] = *t->version ? t->version : NULL },
                               .scale = { [ROLE_MEAN] = 1e-6 } };
    double defects;
    if (*t->collective && !named)
        return import_set_aside(job, ASIDE_OTHER, "%s: %.31s", t->rccl ? "rccl" : "nccl",
                                t->collective);
    if (r->wrong[place] && parse_f64(r->wrong[place], &defects, NULL) == 0 && defects != 0)
        return import_set_aside(job, ASIDE_DATA, "the benchmark's own check says '%.20s' wrong",
                                r->wrong[place]);
    if (!(bytes_of_type(r->type) > 0))
        return import_set_aside(job, ASIDE_NAME, "no type '%.20s'", r->type ? r->type : "");
    if (r->root && *r->root != '-')
        told.text[ROLE_ROOT] = r->root;
    const char *collective = named ? named : given ? name_collective(given) : NULL;
    tell_size(job, r, collective ? collective : "", &told);
    tell_ranks(job, r, t, &told);
    if (import_take(job, &told) < 0)
        return -1;
    import_condition(job, conditions, (const char *const[]){ r->type, r->redop });
    return 0;
}

static int take_places(struct import *job, const struct row *r, const struct test *t)
{
    int status = 0;
    for (int place = 0; place < N_PLACES && status == 0; place++)
        if (is_wanted(job, r, place) && !(r->of_one && !r->time[place]))
            status = r->size && r->time[place]
                         ? take_place(job, r, t, place)
                         : import_set_aside(job, ASIDE_MISSING, "no %s, %s",
                                            r->size ? "time" : "size", place_words[place]);
    return status;
}

/* ---- text ---- */

/* "Rank  0 Group  0 Pid   6899 on node1 device  0 ...". */
static int take_rank(const char *line, struct test *t)
{
    char host[64] = "";
    const char *on = strstr(line, " on ");
    int rank;
    if (sscanf(line, "Rank %d", &rank) != 1 || rank < 0 || rank > MOST_RANK)
        return 0;
    if (rank == 0) {
        t->ranks = t->hosts = 0;
        t->in_order = 1;
        *t->host = '\0';
    }
    if (on)
        sscanf(on + 4, "%63s", host);
    if (rank == 0)
        memcpy(t->first, host, sizeof t->first);
    if (strcmp(t->host, host) != 0) {
        t->in_order &= t->hosts == 0 || strcmp(t->first, host) != 0;
        t->hosts++;
        memcpy(t->host, host, sizeof t->host);
    }
    t->ranks = rank < t->ranks ? t->ranks : rank + 1;
    return 1;
}

/* The word behind a mark of the line; 0: it is not there. */
static int take_word(const char *line, const char *mark, const char *letters, char *word,
                     size_t size)
{
    const char *at = strstr(line, mark);
    if (!at)
        return 0;
    at += strlen(mark);
    at += strspn(at, " :");
    snprintf(word, size, "%.*s", (int)(letters ? strspn(at, letters) : strcspn(at, " \t")), at);
    return 1;
}

/* "# size count type redop root time algbw busbw #wrong time ...": 1 where it is one. */
static int take_header(char *line, struct test *t)
{
    static const struct {
        const char *name;
        enum nccl_column kind;
    } names[] = { { "size", SIZE }, { "count", COUNT }, { "type", TYPE },    { "redop", REDOP },
                  { "root", ROOT }, { "time", TIME },   { "#wrong", WRONG }, { "error", WRONG } };
    char *field[MAX_FIELDS];
    const size_t n = split_blanks(line, field, MAX_FIELDS);
    if (n < 4 || n > MAX_FIELDS || strcmp(field[0], "size") != 0)
        return 0;
    t->n = n;
    for (size_t i = 0; i < n; i++) {
        t->kind[i] = NO_MATTER;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(names[k].name, field[i]) == 0)
                t->kind[i] = names[k].kind;
    }
    return 1;
}

/* A line that begins with '#'. */
static void take_remark(struct import *job, char *line, struct test *t)
{
    const char *s = line + strspn(line, " \t#");
    t->rccl |= strstr(s, "RCCL") || strstr(s, "rccl") || strstr(s, " AMD ");
    take_word(s, "CCL version", "0123456789.", t->version, sizeof t->version);
    if (take_word(s, "Collective test starting", NULL, t->collective, sizeof t->collective) ||
        strncmp(s, "nThread", 7) == 0)
        t->n = 0;
    else if (!take_rank(s, t) && take_header(line + (s - line), t))
        import_batch(job);
}

static void tell_column(const struct test *t, size_t i, const char *field, int *times,
                        struct row *r)
{
    const char **single = t->kind[i] == SIZE    ? &r->size
                          : t->kind[i] == COUNT ? &r->count
                          : t->kind[i] == TYPE  ? &r->type
                          : t->kind[i] == REDOP ? &r->redop
                          : t->kind[i] == ROOT  ? &r->root
                                                : NULL;
    if (single)
        *single = field;
    if (t->kind[i] == TIME && *times < N_PLACES)
        r->time[(*times)++] = field;
    if (t->kind[i] == WRONG && *times)
        r->wrong[*times - 1] = field;
}

static int take_line(struct import *job, const struct test *t)
{
    char *field[MAX_FIELDS], copy[64];
    struct row r = { .size = NULL };
    int times = 0;
    snprintf(copy, sizeof copy, "%s", job->line.text);
    const size_t n = split_blanks(job->line.text, field, MAX_FIELDS);
    if (!isdigit((unsigned char)field[0][0]))
        return 0; /* what a launcher or the library says between them */
    if (!t->n)
        return import_set_aside(job, ASIDE_HEADER, "no header before it: '%s'", copy);
    if (n != t->n)
        return import_set_aside(job, ASIDE_FIELDS, "%zu columns, the header has %zu", n, t->n);
    for (size_t i = 0; i < n; i++)
        tell_column(t, i, field[i], &times, &r);
    return take_places(job, &r, t);
}

static int read_text(struct import *job)
{
    struct test t = { .n = 0 };
    while (import_next(job)) {
        const char first = job->line.text[strspn(job->line.text, " \t")];
        if (first == '#')
            take_remark(job, job->line.text, &t);
        else if (take_line(job, &t) < 0)
            return -1;
    }
    return job->err.status ? -1 : 0;
}

/* ---- JSON ---- */

/* The texts of a row's values, which may be numbers or texts. */
struct values {
    char text[16][40];
    int n;
};

static const char *value_of(struct values *v, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *said = json_string_value(value);
    char *text = v->text[v->n];
    if (said)
        snprintf(text, sizeof v->text[0], "%.39s",
                 strlen(said) < sizeof v->text[0] ? said + strspn(said, " ") : "too long");
    else if (json_is_number(value))
        snprintf(text, sizeof v->text[0], "%.15g", json_number_value(value));
    else
        return NULL;
    v->n++;
    return text;
}

static void take_name(const json_t *row, const char *key, struct test *t)
{
    const char *name = json_string_value(json_object_get(row, key));
    if (name)
        snprintf(t->collective, sizeof t->collective, "%.31s", name);
}

/* A result of nccl-tests, which has both places. */
static int take_result(struct import *job, const json_t *result, struct test *t)
{
    static const char *const keys[N_PLACES] = { "out_of_place", "in_place" };
    struct values v = { .n = 0 };
    struct row r = { .size = value_of(&v, result, "size"),
                     .count = value_of(&v, result, "count"),
                     .type = value_of(&v, result, "type"),
                     .redop = value_of(&v, result, "redop"),
                     .root = value_of(&v, result, "root") };
    take_name(result, "experiment_name", t);
    for (int place = 0; place < N_PLACES; place++) {
        const json_t *of = json_object_get(result, keys[place]);
        r.time[place] = value_of(&v, of, "time");
        r.wrong[place] = value_of(&v, of, "nwrong");
    }
    return take_places(job, &r, t);
}

/* A record of rccl-tests, which is of one place. */
static int take_record(struct import *job, const json_t *record)
{
    struct test t = { .rccl = 1 };
    struct values v = { .n = 0 };
    const char *in_place = value_of(&v, record, "inPlace");
    const int place = json_is_true(json_object_get(record, "inPlace")) ||
                      (in_place && *in_place != '0' && !same_word(in_place, "false"));
    struct row r = { .of_one = 1,
                     .size = value_of(&v, record, "size"),
                     .type = value_of(&v, record, "type"),
                     .redop = value_of(&v, record, "redop"),
                     .root = value_of(&v, record, "root"),
                     .ranks = value_of(&v, record, "ranks"),
                     .nodes = value_of(&v, record, "nodes") };
    take_name(record, "name", &t);
    r.time[place] = value_of(&v, record, "time");
    r.wrong[place] = value_of(&v, record, "wrong");
    if (!r.size || !r.time[place])
        return import_set_aside(job, ASIDE_MISSING, "a record without 'size' or 'time'");
    return take_places(job, &r, &t);
}

static void take_devices(const json_t *devices, struct test *t)
{
    char line[160];
    size_t i;
    const json_t *device;
    json_array_foreach(devices, i, device)
    {
        const char *host = json_string_value(json_object_get(device, "hostname"));
        const json_t *rank = json_object_get(device, "rank");
        snprintf(line, sizeof line, "Rank %d%s%.63s",
                 json_is_integer(rank) ? (int)json_integer_value(rank) : (int)i, host ? " on " : "",
                 host ? host : "");
        take_rank(line, t);
    }
    if (t->hosts == 1 && !*t->first)
        t->hosts = 0; /* not told */
}

static int take_object(struct import *job, const json_t *o, const char *text)
{
    struct test t = { .n = 0 };
    const json_t *config = json_object_get(o, "config"), *result;
    const long long version = json_integer_value(json_object_get(o, "nccl_version"));
    char at[40];
    size_t i;
    int status = 0;
    if (!json_object_get(o, "results"))
        return take_record(job, o);
    take_devices(json_object_get(config, "devices"), &t);
    if (version >= 10000)
        snprintf(t.version, sizeof t.version, "%lld.%lld.%lld", version / 10000,
                 version / 100 % 100, version % 100);
    json_array_foreach(json_object_get(o, "results"), i, result)
    {
        snprintf(at, sizeof at, "results/%zu", i);
        job->line.number = (size_t)json_line_of(text, at);
        if (status == 0)
            status = take_result(job, result, &t);
    }
    return status;
}

static int read_lines(struct import *job)
{
    while (import_next(job)) {
        json_t *o = json_loads(job->line.text, 0, NULL);
        const int status = json_is_object(o)
                               ? take_object(job, o, job->line.text)
                               : import_set_aside(job, ASIDE_FIELDS, "no JSON object");
        json_decref(o);
        if (status < 0)
            return -1;
    }
    return job->err.status ? -1 : 0;
}

static int read_whole(struct import *job, const json_t *all, const char *text)
{
    char at[40];
    size_t i;
    const json_t *one;
    int status = 0;
    if (json_is_object(all))
        return take_object(job, all, text);
    json_array_foreach(all, i, one)
    {
        snprintf(at, sizeof at, "%zu", i);
        job->line.number = (size_t)json_line_of(text, at);
        if (status == 0)
            status = json_is_object(one) ? take_record(job, one)
                                         : import_set_aside(job, ASIDE_FIELDS, "no JSON object");
    }
    return status;
}

static int read_nccl(struct import *job)
{
    struct text *text = &job->now->text;
    const char *begin = text->data + text->at;
    const size_t blank = strspn(begin, " \t\r\n");
    if (begin[blank] != '{' && begin[blank] != '[')
        return read_text(job);
    json_t *all = json_loads(begin, 0, NULL);
    const int status = all ? read_whole(job, all, begin) : read_lines(job);
    json_decref(all);
    return status < 0 || job->err.status ? -1 : 0;
}

static int recognise(const char *path, const char *head)
{
    (void)path;
    return strstr(head, "# nThread") || strstr(head, "# Collective test starting: ") ||
           (strstr(head, "out-of-place") && strstr(head, "in-place")) ||
           strstr(head, "\"nccl_version\"") || strstr(head, "\"out_of_place\"") ||
           (strstr(head, "\"inPlace\"") && strstr(head, "\"algBw\""));
}

const struct import_format format_nccl = {
    .name = "nccl",
    .help = "text and JSON of nccl-tests and rccl-tests (microseconds, out of place)",
    .suffix = ".json",
    .recognise = recognise,
    .read = read_nccl,
};
