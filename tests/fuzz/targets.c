/* SPDX-License-Identifier: BSD-3-Clause */
/* targets.c - what is fuzzed: every parser of text that the program reads, one row of the table
 * each.
 *
 * An input either is refused with a message or holds what the parser promises; anything else
 * aborts. With libFuzzer FUZZ_TARGET names the row (`make fuzz`); loop.c calls them with mutated
 * seeds. */
#include "tests/fuzz/targets.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/schemas.h"
#include "analysis/learn/model_file.h"
#include "analysis/measure/study_facts.h"
#include "analysis/measure/imported_points.h"
#include "analysis/measure/points.h"
#include "harness/base/arrival.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "harness/base/number.h"
#include "harness/study/cluster.h"
#include "harness/import/import.h"
#include "harness/import/map.h"
#include "harness/import/file_pattern.h"
#include "harness/study/plan.h"
#include "harness/study/point.h"
#include "harness/rules/rules.h"
#include "harness/run/slurm/failure_cause.h"
#include "harness/run/slurm/ledger.h"
#include "harness/run/slurm/parse.h"
#include "harness/run/slurm/query.h"
#include "harness/study/store.h"
#include "harness/study/study.h"
#include "workloads/libcollsel/choice_table.h"

#define LAUNCH "null-core-1x2-p2-r1"

static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* Where FUZZ_REFUSALS names a file, every message goes there. */
static void tell_refusal(const struct err *err)
{
    const char *path = getenv("FUZZ_REFUSALS");
    FILE *f = path ? fopen(path, "ae") : NULL;
    if (f) {
        fprintf(f, "%s\n", err->text);
        fclose(f);
    }
}

/* A refusal comes with a message and a status. */
static void check_refused(int ret, const struct err *err)
{
    if (ret < 0)
        tell_refusal(err);
    must(ret == 0 || (ret == -1 && *err->text && err->status), "a refusal without a message");
}

/* ---- the input as a file ---- */

static const char *scratch(void)
{
    static char dir[64];
    if (!*dir) {
        snprintf(dir, sizeof dir, "%s/collsel-fuzz.%ld",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
        mkdir(dir, 0700);
    }
    return dir;
}

void targets_clear(void)
{
    static const char *const made[] = { "input.ini",
                                        "samples/" LAUNCH ".a1-00000000.csv",
                                        "samples/" LAUNCH ".a1-00000000.outcomes.csv",
                                        "samples",
                                        "events.jsonl",
                                        "plan.csv",
                                        "skipped.csv",
                                        "points.csv",
                                        "imported.csv",
                                        "bcast_core.csv",
                                        "p2p.csv",
                                        "manifest.json",
                                        "input.ini.tmp" };
    char path[256];
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(path, sizeof path, "%s/%s", scratch(), made[i]);
        remove(path);
    }
    remove(scratch());
}

/* Writes data under a name; returns its path. */
static const char *put(const char *name, const void *data, size_t size)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch(), name);
    FILE *f = fopen(path, "we");
    must(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, "cannot write the input");
    return path;
}

static const char *put_input(const void *data, size_t size)
{
    return put("input.ini", data, size);
}

/* ---- targets ---- */

static void fuzz_number(const uint8_t *data, size_t size)
{
    char text[256], buf[64];
    struct err err = { 0 };
    uint64_t u = 0, again = 0;
    int64_t i;
    double f = 0;
    size = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, size);
    text[size] = '\0';
    if (parse_u64(text, &u, &err) == 0)
        must(*text >= '0' && *text <= '9', "a u64 that does not begin with a digit");
    if (parse_bytes(text, &u, &err) == 0) {
        format_bytes(u, buf, sizeof buf);
        char *blank = strchr(buf, ' ');
        must(blank != NULL, "a size without unit");
        memmove(blank, blank + 1, strlen(blank));
        must(parse_bytes(buf, &again, &err) == 0 && again == u, "a size does not read back");
    }
    check_refused(parse_i64(text, &i, &err), &err);
    if (parse_f64(text, &f, &err) == 0)
        must(isfinite(f), "a number that is not finite");
    if (parse_seconds(text, &f, &err) == 0)
        must(isfinite(f) && f >= 0, "a negative or infinite duration");
    format_seconds(f, buf, sizeof buf);
    if (parse_bits_per_s(text, &f, &err) == 0)
        must(isfinite(f) && f >= 0, "a negative or infinite rate");
}

/* Copies the rows' first and last columns, numbered; returns their number. */
static size_t copy_rows(struct csv *csv, struct csvw *w)
{
    struct err err = { 0 };
    const int a = csv_column(csv, "a"), c = csv_column(csv, "c");
    size_t rows = 0;
    int got;
    while ((got = csv_next(csv, &err)) == 1) {
        uint64_t u;
        double number;
        csv_u64(csv, a, &u, NULL);
        if (csv_f64(csv, c, &number, NULL) == 0)
            must(isfinite(number) || !*csv_text(csv, c), "an infinite number was read");
        csvw_u64(w, rows++);
        csvw_text(w, csv_text(csv, a));
        csvw_text(w, csv_text(csv, c));
        csvw_end(w);
    }
    check_refused(got, &err);
    return rows;
}

/* What was read is written, read again and written again: the same bytes. */
static void fuzz_csv(const uint8_t *data, size_t size)
{
    static const char *const header[] = { "b", "a", "c", NULL };
    struct err err = { 0 };
    char *text[2] = { NULL, NULL };
    size_t len[2] = { 0, 0 }, rows[2] = { 0, 0 };
    for (int pass = 0; pass < 2; pass++) {
        struct csv *csv = pass ? csv_open(put_input(text[0], len[0]), header, &err)
                               : csv_open(put_input(data, size), header, &err);
        check_refused(csv ? 0 : -1, &err);
        must(csv || !pass, "what was written does not open");
        struct csvw w = { .file = open_memstream(&text[pass], &len[pass]) };
        csvw_header(&w, header);
        rows[pass] = csv ? copy_rows(csv, &w) : 0;
        must(!pass || !csv_truncated(csv), "what was written seems cut");
        csv_close(csv);
        fclose(w.file);
    }
    must(rows[0] == rows[1] && len[0] == len[1] && memcmp(text[0], text[1], len[0]) == 0,
         "what was written does not read back");
    free(text[0]);
    free(text[1]);
}

static void fuzz_point(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct schema_reader in;
    struct point p;
    int got = schema_open(&in, &point_schema, put_input(data, size), &err);
    check_refused(got, &err);
    if (got < 0)
        return;
    while ((got = schema_next(&in, &p, &err)) == 1)
        must(p.cell.root < p.cell.procs, "a root that is no rank was read");
    check_refused(got, &err);
    schema_close(&in);
}

static void fuzz_plan(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct plan plan;
    int ret = plan_read(put_input(data, size), &plan, &err);
    check_refused(ret, &err);
    if (ret == 0)
        plan_free(&plan);
}

static void fuzz_cluster(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct cluster cluster;
    int ret = cluster_load("clusters", put_input(data, size), &cluster, &err);
    check_refused(ret, &err);
    if (ret < 0)
        return;
    must(cluster_cores(&cluster) > 0, "a cluster without cores was read");
    cluster_free(&cluster);
}

static void fuzz_study(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct cluster cluster;
    struct study study;
    must(cluster_load("clusters", "clusters/gros.ini", &cluster, &err) == 0, err.text);
    int ret = study_load("clusters/studies", put_input(data, size), &cluster, &study, &err);
    check_refused(ret, &err);
    if (ret == 0)
        study_free(&study);
    cluster_free(&cluster);
}

static const char some_samples[] = "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n"
                                   "0123456789abcdef,0,2e-3,1.5e-3,1e-3,1e-3,0.5,0,1\n";
static const char some_outcomes[] =
    "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,n_rows,n,converged,"
    "checked,elapsed_s,core_s\n"
    "0123456789abcdef,ok,,planted,portable:chain,8192,4,1,1,1,0,0.1,0.2\n";

static void open_store(const void *samples, size_t n_samples, const void *outcomes,
                       size_t n_outcomes, const void *events, size_t n_events)
{
    char dir[128];
    struct err err = { 0 };
    struct store store;
    snprintf(dir, sizeof dir, "%s/samples", scratch());
    mkdir(dir, 0700);
    put("samples/" LAUNCH ".a1-00000000.csv", samples, n_samples);
    put("samples/" LAUNCH ".a1-00000000.outcomes.csv", outcomes, n_outcomes);
    put("events.jsonl", events, n_events);
    int ret = store_open(scratch(), NULL, &store, &err);
    check_refused(ret, &err);
    if (ret == 0)
        store_free(&store);
}

static void fuzz_samples(const uint8_t *data, size_t size)
{
    open_store(data, size, some_outcomes, sizeof some_outcomes - 1, "", 0);
}

static void fuzz_outcomes(const uint8_t *data, size_t size)
{
    open_store(some_samples, sizeof some_samples - 1, data, size, "", 0);
}

static void fuzz_events(const uint8_t *data, size_t size)
{
    open_store(some_samples, sizeof some_samples - 1, some_outcomes, sizeof some_outcomes - 1, data,
               size);
}

static const char some_events[] =
    "{\"t\":\"2026-01-01T00:00:00Z\",\"launch\":\"" LAUNCH "\",\"attempt\":1,\"event\":\"failed\","
    "\"reason\":\"x\",\"points\":3,\"elapsed_s\":1.5,\"pid\":1}\n";

/* A file of the analysis with its reader; each begins empty and is cleared. */
#define FUZZ_RESULT(name, file, type, read, clear)                                                 \
    static void fuzz_##name(const uint8_t *data, size_t size)                                      \
    {                                                                                              \
        struct err err = { 0 };                                                                    \
        type result;                                                                               \
        memset(&result, 0, sizeof result);                                                         \
        put(file, data, size);                                                                     \
        int ret = read(scratch(), &result, &err);                                                  \
        check_refused(ret, &err);                                                                  \
        if (ret == 0)                                                                              \
            clear(&result);                                                                        \
    }

static void nothing_to_clear(const struct facts *facts)
{
    must(facts->n_mpis < 1000, "facts without end");
}

static int read_points(const char *dir, struct points *points, struct err *err)
{
    return points_read(dir, 0, points, err);
}

FUZZ_RESULT(points, "points.csv", struct points, read_points, points_clear)
FUZZ_RESULT(manifest, "manifest.json", struct facts, facts_read, nothing_to_clear)

static const char some_manifest[] =
    "{\"digest\":\"0123abcd\",\"seed\":1,\"backend\":{\"name\":\"sim\"},"
    "\"mpi\":{\"smpi\":{\"version\":\"3.32\"}},\"cluster\":{\"settings\":{\"cluster\":"
    "{\"name\":{\"value\":\"gros\"}}}},\"study\":{\"settings\":{\"compare\":{\"tie_pct\":"
    "{\"value\":\"2.5\"}}}}}";

/* ---- Slurm ---- */

/* The input as text. Owned by the caller. */
static char *as_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    must(text != NULL, "out of memory");
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* What a list expands to is a list that expands to the same. */
static void fuzz_hosts(const uint8_t *data, size_t size)
{
    enum { MOST = 300 };
    char names[MOST][NODE_SIZE], again[MOST][NODE_SIZE], joined[MOST * NODE_SIZE] = "";
    struct err err = { 0 };
    char *text = as_text(data, size);
    size_t used = 0;
    long n = slurm_hosts(text, names, MOST, &err);
    check_refused(n < 0 ? -1 : 0, &err);
    must(n <= MOST, "more hosts than there is room for");
    for (long i = 0; i < n; i++)
        used +=
            (size_t)snprintf(joined + used, sizeof joined - used, "%s%s", i ? "," : "", names[i]);
    must(n < 0 || slurm_hosts(joined, again, MOST, &err) == n, "hosts that do not read back");
    for (long i = 0; i < n; i++)
        must(strcmp(names[i], again[i]) == 0, "a host that does not read back");
    free(text);
}

static void fuzz_blame(const uint8_t *data, size_t size)
{
    char node[NODE_SIZE], name[1][NODE_SIZE];
    char *text = as_text(data, size);
    if (failure_cause_node(text, node))
        must(slurm_hosts(node, name, 1, NULL) == 1, "a node that is blamed has no name");
    else
        must(!*node, "a node without blame");
    free(text);
}

/* Any journal of a plan of one point: what is not finished is left or given up. */
static void fuzz_ledger(const uint8_t *data, size_t size)
{
    struct point p = { .experiment = EXP_TIME };
    struct launch launch = { .n = 1 };
    struct plan plan = { .points = &p, .n = 1, .launches = &launch, .n_launches = 1 };
    struct err err = { 0 };
    struct ledger ledger;
    char nodes[256];
    must(launch_parse(LAUNCH, &launch, &err) == 0, err.text);
    launch.first = 0;
    launch.n = 1;
    p.cell = (struct cell){ "bcast", "null", "core", 1, 2, 2, 0, 8192, "", "" };
    p.candidate = (struct candidate){ "portable:chain", 0, 0 };
    point_identify(&p);
    must(plan_write(&plan, scratch(), &err) == 0, err.text);
    put("events.jsonl", data, size);
    int ret = ledger_open(scratch(), NULL, 1, &ledger, &err);
    check_refused(ret, &err);
    if (ret < 0)
        return;
    must(ledger.launches[0].finished + ledger.launches[0].failed + ledger.launches[0].left == 1,
         "a point that is neither finished nor given up nor left");
    ledger_excluded(&ledger, nodes, sizeof nodes);
    ledger_free(&ledger);
}

static const char some_slurm_events[] =
    "{\"t\":\"2026-01-01T00:00:00Z\",\"launch\":\"" LAUNCH "\",\"event\":\"submitted\",\"job\":"
    "\"12_1\"}\n"
    "{\"t\":\"2026-01-01T00:00:01Z\",\"launch\":\"" LAUNCH "\",\"attempt\":1,\"event\":\"started\","
    "\"job\":\"12_1\",\"nodes\":\"h[1-2]\"}\n"
    "{\"t\":\"2026-01-01T00:00:02Z\",\"launch\":\"" LAUNCH "\",\"attempt\":1,\"event\":"
    "\"node_failed\",\"job\":\"12_1\",\"node\":\"h2\",\"elapsed_s\":1,\"cores\":2}\n";

static void fuzz_slurm(const uint8_t *data, size_t size)
{
    static int (*const parsers[])(const char *, struct task_list *,
                                  struct err *) = { query_squeue, query_sacct, query_scontrol };
    char *text = as_text(data, size);
    struct slurm_node *nodes;
    size_t n;
    for (size_t i = 0; i < 3; i++) {
        struct err err = { 0 };
        struct task_list list = { 0 };
        check_refused(parsers[i](text, &list, &err), &err);
        for (size_t k = 0; k < list.n; k++)
            must(list.v[k].elapsed_s >= 0 && *list.v[k].job, "a task without a name");
        free(list.v);
    }
    query_nodes(text, &nodes, &n);
    free(nodes);
    free(text);
}

static void fuzz_sinfo(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size), job[JOB_SIZE] = "", said[24];
    struct slurm_partition p;
    struct slurm slurm = { 0 };
    struct err err = { 0 };
    int ret = slurm_parse_partition(text, "batch", 36, &p, &err);
    check_refused(ret, &err);
    must(ret < 0 || (p.nodes >= p.large && p.large >= 0 && p.least_cpus >= 0 && p.most_time >= 0),
         "a partition that cannot be");
    ret = slurm_parse_config(text, &slurm, &err);
    check_refused(ret, &err);
    must(ret < 0 || (slurm.max_array > 1 && *slurm.version), "a configuration without limits");
    must(slurm_parse_job(text, job) == (*job != '\0'), "a job without a number");
    slurm_complaint(text, said, sizeof said);
    must(*said, "a complaint without words");
    free(text);
}

/* ---- other people's files ---- */

/* What was taken makes sense, and reads back as many points; where nothing was, it is refused. */
static void check_rows(const struct import *job)
{
    const struct facts facts = { .confidence = 0.95 };
    struct err err = { 0 };
    struct points points;
    size_t n = 0, taken = 0;
    for (size_t i = 0; i < job->rows.n; i++) {
        const struct imported_row *r = &job->rows.row[i];
        const struct cell *c = &r->point.cell;
        must(r->status != ROW_SET_ASIDE || (r->why != ASIDE_NOT && r->reason && *r->reason),
             "a row set aside without a reason");
        must(r->status == ROW_SET_ASIDE ||
                 (c->root < c->procs && c->procs <= c->nodes * c->ppn && r->line > 0 &&
                  (r->max_s > 0 || r->mean_s > 0) && !(r->max_s < 0) && !(r->mean_s < 0)),
             "a row that cannot be was taken");
        taken += r->status == ROW_OK;
        n += r->status == ROW_OK && r->run == 0;
    }
    must(rows_write(scratch(), &job->rows, &err) == 0, err.text);
    const int ret = imported_points(scratch(), &facts, &points, &err);
    check_refused(ret, &err);
    must((ret == 0) == (taken > 0), *err.text ? err.text : "points of nothing");
    if (ret < 0)
        return;
    must(points.n == n && n <= taken, "other points than were imported");
    points_clear(&points);
}

/* Imports the input as a file of this name. */
static void import_as(const char *format, const char *name, const uint8_t *data, size_t size)
{
    struct import_options o = { .format = import_format_find(format) };
    struct cluster cluster;
    struct err err = { 0 };
    struct import job;
    char map[] = "bytes=Size:B,procs=P,mean_s=t:us,algorithm=Algorithm", *path[1];
    o.constants.text[ROLE_COLLECTIVE] = "bcast";
    o.constants.text[ROLE_MPI] = "openmpi";
    o.constants.text[ROLE_MAPPING] = "core";
    if (strcmp(format, "csv") == 0 && size % 2)
        o.where[o.n_where++] = (struct where){ "Algorithm", "[!z]*" };
    if (strcmp(format, "csv") == 0)
        must(map_parse(map, &o, &err) == 0, err.text);
    else
        o.constants.text[ROLE_PROCS] = "4";
    if (strcmp(format, "csv") != 0)
        o.constants.text[ROLE_ALGORITHM] = "chain";
    must(cluster_load("clusters", "clusters/orfeo-epyc.ini", &cluster, &err) == 0, err.text);
    path[0] = strdup(put(name, data, size));
    must(path[0] && import_open(&job, &o, path, 1, &err) == 0, err.text);
    job.cluster = &cluster;
    const int ret = import_read(&job, &err);
    check_refused(ret, &err);
    if (ret == 0)
        check_rows(&job);
    import_clear(&job);
    cluster_free(&cluster);
    free(path[0]);
}

static void fuzz_import_tallone(const uint8_t *data, size_t size)
{
    import_as("tallone", "bcast_core.csv", data, size);
}

static void fuzz_import_p2p(const uint8_t *data, size_t size)
{
    import_as("tallone", "p2p.csv", data, size);
}

static void fuzz_import_osu(const uint8_t *data, size_t size)
{
    import_as("osu", "input.ini", data, size);
}

static void fuzz_import_nccl(const uint8_t *data, size_t size)
{
    import_as("nccl", "input.ini", data, size);
}

static void fuzz_import_imb(const uint8_t *data, size_t size)
{
    import_as("imb", "input.ini", data, size);
}

static void fuzz_import_reprompi(const uint8_t *data, size_t size)
{
    import_as("reprompi", "input.ini", data, size);
}

static void fuzz_import_profile(const uint8_t *data, size_t size)
{
    import_as("profile", "input.ini", data, size);
}

static const char some_profile[] =
    "{\"format\": \"collsel profile 1\", \"mpi\": \"openmpi\", \"mode\": \"star\", \"procs\": 4, "
    "\"lost_calls\": 0, \"rows\": [\n"
    "  {\"collective\": \"bcast\", \"op\": \"\", \"root\": \"0\", \"procs\": 4, \"bytes\": 64, "
    "\"calls\": 30, \"time_s\": 0.1, \"algorithm\": \"default\", \"tried\": [[\"default\", 0, 0, "
    "1e-5, "
    "10]]}\n]}\n";

static void fuzz_import_pico(const uint8_t *data, size_t size)
{
    import_as("pico", "input.ini", data, size);
}

static void fuzz_import_csv(const uint8_t *data, size_t size)
{
    import_as("csv", "input.ini", data, size);
}

static void fuzz_imported(const uint8_t *data, size_t size)
{
    const struct facts facts = { .confidence = 0.95 };
    struct err err = { 0 };
    struct points points;
    put("imported.csv", data, size);
    const int ret = imported_points(scratch(), &facts, &points, &err);
    check_refused(ret, &err);
    if (ret == 0)
        points_clear(&points);
}

/* All members about all kinds, and `safe`, in the last measured cell and beyond it. */
static void ask_subject(const struct model_file *f, size_t at)
{
    const struct subject *s = &f->evidence.subject[at];
    struct cell cell = s->example[s->n - 1].cell;
    float x[N_FEATURES];
    for (int beyond = 0; beyond < 2; beyond++, cell.procs = INT_MAX) {
        problem_features(&cell, &f->machine, x);
        for (size_t k = 0; k < s->n_kinds; k++) {
            for (size_t i = 0; i < f->n_members; i++)
                skill_score(&f->member[i], &f->member[i].skill[at], &s->kind[k], x, NULL);
            safe_may(&f->safe, &cell, x, safe_bound(s, &s->kind[k], &cell, NULL), &s->kind[k],
                     &s->kind[0]);
        }
    }
}

/* A file of `collsel train`, and what it says of cells, as `collsel recommend` asks. */
static void fuzz_model(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct model_file f;
    const int ret = model_file_read(put_input(data, size), &f, &err);
    check_refused(ret, &err);
    if (ret < 0)
        return;
    for (size_t i = 0; i < f.evidence.n; i++)
        ask_subject(&f, i);
    model_file_clear(&f);
}

static void fuzz_arrivals(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct arrival_trace trace;
    const int ret = arrival_trace_read(put_input(data, size), &trace, &err);
    check_refused(ret, &err);
    if (ret < 0)
        return;
    must(trace.ranks > 0, "a trace of nobody was read");
    arrival_trace_clear(&trace);
}

/* Options and names of files. */
static void fuzz_map(const uint8_t *data, size_t size)
{
    struct import_options o = { .n_map = 0 };
    struct source_row told = { .text = { NULL } };
    struct err err = { 0 };
    char *text = as_text(data, size), *again = as_text(data, size), *words = NULL;
    char *where = as_text(data, size);
    if (path_pattern_check(text, &err) == 0 && strlen(text) < 64) {
        check_refused(pattern_match(text, "a/osu-bcast-chain-8.txt", &told, &words, &err), &err);
        free(words);
    }
    check_refused(map_parse(text, &o, &err), &err);
    check_refused(map_set(again, &o, &err), &err);
    check_refused(map_where(where, &o, &err), &err);
    must(o.n_map <= MAX_MAP, "more columns than there is room for");
    free(text);
    free(again);
    free(where);
}

/* Each format by its schema; what reads is written and read again. */
static void fuzz_formats(const uint8_t *data, size_t size)
{
    const char *input = put_input(data, size);
    for (size_t i = 0; formats[i]; i++) {
        struct err err = { 0 };
        struct schema s = *formats[i];
        struct whole_file f;
        struct csvw w;
        size_t n, again;
        s.path = strrchr(input, '/') + 1;
        char *rows = schema_read(&s, scratch(), &n, &err);
        check_refused(rows ? 0 : -1, &err);
        if (!rows)
            continue;
        must(schema_begin(&s, input, s.backend ? "null" : NULL, &f, &w, &err) == 0, "cannot write");
        for (size_t k = 0; k < n; k++)
            schema_row(&w, &s, rows + k * s.row_size);
        must(fs_commit(&f, &err) == 0, "cannot write");
        free(rows);
        rows = schema_read(&s, scratch(), &again, &err);
        must(rows && again == n, "what was written does not read back");
        free(rows);
        put_input(data, size);
    }
}

static const char some_rules[] = "1 # one\n7\n2\n2\n2\n0 6 0 0\n8192 3 0 1024\n64\n1\n0 0 0 0\n";
static const char some_json_rules[] =
    "{ \"collectives\": { \"bcast\": [ { \"comm_size_max\": 8, \"rules\": [ { \"msg_size_max\": "
    "99, \"alg\": 6, \"seg_size\": 64 }, { \"alg\": \"knomial\" } ] } ] } }";

static const char some_han_rules[] =
    "2 bcast 2 2 2 1 1 0 tuned 4 3 0 basic # x\n100 han @simple [8 16] 5000 self intra_node 1 1 1 "
    "0 sm\n0 1 global_communicator 1 1 1 0 libnbc";

static const char some_trees[] =
    "{ \"collective=bcast\": { \"comm_type=intra\": { \"comm_size<=8\": { \"avg_msg_size<=1024\": "
    "{ "
    "\"algorithm=MPIR_Bcast_intra_binomial\": {} }, \"avg_msg_size=any\": { "
    "\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\": {} } }, \"comm_size=any\": { "
    "\"algorithm=MPIR_Bcast_intra_smp\": {} } } } }";

/* Every reader answers for any text, and its findings have lines of it. */
static void fuzz_rules(const uint8_t *data, size_t size)
{
    int lines = 2;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    for (const struct rules_reader *const *reader = rules_readers; *reader; reader++) {
        struct rules r;
        struct rules_answer a;
        const struct rules_call call = { "bcast", 4, 2, 2, 64, RULES_GLOBAL };
        rules_of_text(*reader, (const char *)data, size, &r);
        rules_ask(&r, &call, &a);
        must(a.outcome < N_RULES_OUTCOMES && a.line >= 0 && a.line <= lines, "an answer's line");
        must(r.loaded || r.found.n, "a file that is dropped has a reason");
        for (size_t i = 0; i < r.found.n; i++)
            must(r.found.v[i].line >= 0 && r.found.v[i].line <= lines, "a finding's line");
        rules_close(&r);
    }
}

/* The table of an application: any call is answered by a row, or by none. */
static void fuzz_choices(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    char *text = as_text(data, size);
    struct choice_table *table = choice_table_parse(text, strlen(text), "table.csv", &err);
    check_refused(table ? 0 : -1, &err);
    for (int procs = 1; table && procs < 1000; procs += 333) {
        const struct choice *c = choice_table_find(
            table, "bcast", &(struct comm_shape){ .procs = procs }, (uint64_t)procs << 8);
        must(!c || c->line > 1, "a choice of no line");
    }
    choice_table_free(table);
    free(text);
}

const struct target targets[] = {
    { "number", fuzz_number, "18446744073709551615 -1.5e-9 8KiB 17179869184G 25us 2.5Gbps", NULL },
    { "csv", fuzz_csv, "# key: value\na,b,c\n1,\"x,\"\"y\"\"\",3\n ,2,\n", NULL },
    { "point", fuzz_point, NULL, "tests/harness/plan-invalid" },
    { "plan", fuzz_plan, NULL, "tests/harness/plan-invalid" },
    { "cluster", fuzz_cluster, NULL, "clusters tests/harness/cluster-invalid" },
    { "study", fuzz_study, NULL, "clusters/studies tests/harness/study-invalid" },
    { "samples", fuzz_samples, some_samples, "tests/harness/samples-invalid" },
    { "outcomes", fuzz_outcomes, some_outcomes, "tests/harness/outcomes-invalid" },
    { "events", fuzz_events, some_events, NULL },
    { "points", fuzz_points, NULL, "tests/fuzz/seeds/points" },
    { "formats", fuzz_formats, NULL,
      "tests/fuzz/seeds/errors tests/fuzz/seeds/regression tests/fuzz/seeds/hockney "
      "tests/fuzz/seeds/gamma "
      "tests/fuzz/seeds/predictions tests/fuzz/seeds/formats tests/fuzz/seeds/imported "
      "reports/reference" },
    { "manifest", fuzz_manifest, some_manifest, NULL },
    { "import_tallone", fuzz_import_tallone, NULL, "tests/fuzz/seeds/import_tallone" },
    { "import_p2p", fuzz_import_p2p,
      "mapby,size,latency,iterations,p50,p95,p99,recv\nnode,1,0.14,1000,0.14,0.15,0.16,1\n", NULL },
    { "import_osu", fuzz_import_osu, NULL, "tests/fuzz/seeds/import_osu" },
    { "import_nccl", fuzz_import_nccl, NULL, "tests/fuzz/seeds/import_nccl" },
    { "import_imb", fuzz_import_imb, NULL, "tests/fuzz/seeds/import_imb" },
    { "import_reprompi", fuzz_import_reprompi, NULL, "tests/fuzz/seeds/import_reprompi" },
    { "import_profile", fuzz_import_profile, some_profile, NULL },
    { "import_pico", fuzz_import_pico, NULL, "tests/fuzz/seeds/import_pico" },
    { "import_csv", fuzz_import_csv, NULL, "tests/fuzz/seeds/import_csv" },
    { "imported", fuzz_imported, NULL, "tests/fuzz/seeds/imported" },
    { "model", fuzz_model, NULL, "tests/fuzz/seeds/model" },
    { "arrivals", fuzz_arrivals, "rank,delay_s\n0,0\n1,1e-4\n2,0.25\n", NULL },
    { "map", fuzz_map, "bytes=size:KiB,max_s=t:us,mapping=core,{algorithm}-{*}-{procs}.txt", NULL },
    { "rules", fuzz_rules, some_rules, NULL },
    { "rules_han", fuzz_rules, some_han_rules, NULL },
    { "rules_json", fuzz_rules, some_json_rules, NULL },
    { "rules_trees", fuzz_rules, some_trees, NULL },
    { "choices", fuzz_choices,
      "# a table\n" CHOICE_TABLE_HEADER
      "\nbcast,2,64,0,8192,portable:binomial,0,0\nbcast,,,,,openmpi:chain,1024,4\n"
      "allreduce,1,,8,,openmpi:ring,,\n",
      NULL },
    { "hosts", fuzz_hosts, "n[1-3,007-009],m5,r[1-2]n[1,3]-ib", NULL },
    { "blame", fuzz_blame, "srun: error: Node failure on h[3-4]\n", NULL },
    { "ledger", fuzz_ledger, some_slurm_events, NULL },
    { "slurm", fuzz_slurm,
      "12_[3-7,9%2]|PENDING|0:00|1|(null)|Priority\n12_1|CANCELLED by 0|1-00:00:01|2|h[1-2]|0:9\n"
      "JobId=14 ArrayJobId=12 ArrayTaskId=3 JobState=RUNNING RunTime=00:01:02 ExitCode=0:0\n",
      "tests/fake/slurm/captured" },
    { "sinfo", fuzz_sinfo,
      "batch|3-00:00:00|10|36+\nMaxArraySize = 1001\nSLURM_VERSION = 22.05.8\n12;cluster\n"
      "sbatch: error: no\n",
      "tests/fake/slurm/captured" },
    { NULL, NULL, NULL, NULL },
};

const struct target *target_find(const char *name)
{
    for (const struct target *t = targets; t->name; t++)
        if (name && strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* libFuzzer's entry; its name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct target *target;
    if (!target && !(target = target_find(getenv("FUZZ_TARGET")))) {
        fprintf(stderr, "fuzz: FUZZ_TARGET names no target\n");
        exit(2);
    }
    target->run(data, size);
    return 0;
}
