/* SPDX-License-Identifier: BSD-3-Clause */
/* fixture.h - a small results directory as the stages before the report write it (docs/formats.md):
 * a planted machine on which every time follows from a formula, so that tests know what the report
 * must say. binomial costs 40 us + 0.02 us/byte, binary 60 us + 0.01 us/byte, whatever P is;
 * the default is always binomial. */
#pragma once

#include <ftw.h>
#include <glob.h>
#include <stdarg.h>
#include <unistd.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/study/point.h"
#include "reports/data.h"

struct fixture {
    char dir[128];       /* DIR/<cluster>/<study>, to be given to report_write */
    const char *backend; /* "sim", "local" */
    const char *cluster; /* "gros" */
    int n_mpi;
    const char *mpi[2];
    int native;       /* candidates are the library's own besides portable ones */
    int missing;      /* one point is not measured yet */
    int here;         /* the cluster is this machine */
    const char *more; /* another candidate; NULL: none */
};

static const int fixture_procs[] = { 2, 4, 8 };
static const uint64_t fixture_bytes[] = { 1024, 8192, 65536 };

static inline double fixture_time(const char *algorithm, uint64_t bytes)
{
    const char *base = algorithm_base_name(algorithm);
    return strcmp(base, "binary_tree") == 0 ? 60e-6 + 0.01e-6 * (double)bytes
                                            : 40e-6 + 0.02e-6 * (double)bytes;
}

static inline int fixture_remove(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)f;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

static inline void fixture_clear(const char *dir)
{
    nftw(dir, fixture_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static inline FILE *fixture_open(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/fit", f->dir);
    fs_mkdirs(path, NULL);
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    return fopen(path, "we");
}

/* All pages of the report of a study, one after the other; NULL: there is none. To be freed. */
static inline char *fixture_pages(const struct fixture *f)
{
    char pattern[512], *text = NULL;
    size_t size;
    glob_t pages = { .gl_pathc = 0 };
    snprintf(pattern, sizeof pattern, "%s/report/*.html", f->dir);
    if (glob(pattern, 0, NULL, &pages) != 0)
        return NULL;
    FILE *out = memory_stream(&text, &size);
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        char *page = fs_read(pages.gl_pathv[i], NULL, NULL);
        fputs(page ? page : "", out);
        free(page);
    }
    fclose(out);
    globfree(&pages);
    return text;
}

static inline FILE *fixture_append(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    return fopen(path, "ae");
}

/* ---- points.csv ---- */

static inline void fixture_point(FILE *out, const struct fixture *f, const struct point *p,
                                 double s, const char *status, const char *reason)
{
    struct csvw w = { .file = out };
    struct point q = *p;
    int deterministic = strcmp(f->backend, "sim") == 0;
    point_identify(&q);
    csvw_text(&w, f->cluster);
    csvw_text(&w, f->backend);
    csvw_text(&w, "1.0");
    schema_fields(&w, &point_schema, &q);
    csvw_u64(&w, deterministic ? 1 : 20);
    for (int k = 0; k < 4; k++) /* mean, median, min, max */
        csvw_f64(&w, strcmp(status, "ok") == 0 ? s : 0.0 / 0.0);
    fprintf(out, ",,,,,%s,%s,%s,1,max_rank,%s,%s,,", deterministic ? "" : "1",
            deterministic ? "" : "1", deterministic ? "" : "1",
            strncmp(q.candidate.algorithm, "portable", 8) == 0 ? "executed" : "interposed",
            strstr(q.candidate.algorithm, "default") ? "openmpi:binomial" : "");
    w.fields = 34;
    csvw_text(&w, status);
    csvw_text(&w, reason);
    csvw_text(&w, "0");
    csvw_text(&w, "0.5");
    csvw_end(&w);
}

static inline struct point fixture_make(const char *mpi, int procs, uint64_t bytes,
                                        const char *algorithm)
{
    struct point p = { .experiment = EXP_TIME, .purpose = FOR_STUDY };
    snprintf(p.cell.collective, NAME_SIZE, "bcast");
    snprintf(p.cell.mpi, NAME_SIZE, "%s", mpi);
    snprintf(p.cell.mapping, NAME_SIZE, "core");
    p.cell.nodes = 1;
    p.cell.ppn = p.cell.procs = procs;
    p.cell.bytes = bytes;
    snprintf(p.candidate.algorithm, NAME_SIZE, "%.63s", algorithm);
    p.candidate.segment_bytes = 8192;
    return p;
}

static inline size_t fixture_candidates(const struct fixture *f, const char *mpi,
                                        char names[6][NAME_SIZE])
{
    size_t n = 0;
    snprintf(names[n++], NAME_SIZE, "portable:binomial");
    snprintf(names[n++], NAME_SIZE, "portable:binary_tree");
    if (f->native) {
        snprintf(names[n++], NAME_SIZE, "%s:binomial", mpi);
        snprintf(names[n++], NAME_SIZE, "%s:binary_tree", mpi);
        snprintf(names[n++], NAME_SIZE, "%s:default", mpi);
    }
    if (f->more)
        snprintf(names[n++], NAME_SIZE, "%s", f->more);
    return n;
}

/* Calls each() for every cell of the fixture. */
#define FIXTURE_CELLS(f, m, p, b)                                                                  \
    for (int m = 0; m < (f)->n_mpi; m++)                                                           \
        for (int p = 0; p < 3; p++)                                                                \
            for (int b = 0; b < 3; b++)

static inline void fixture_points(const struct fixture *f)
{
    FILE *out = fixture_open(f, "points.csv");
    char names[6][NAME_SIZE];
    fputs("cluster,backend,mpi_version,point,experiment,purpose,collective,mpi,mapping,nodes,ppn,"
          "procs,root,bytes,algorithm,segment_bytes,fanout,gather_bytes,channel,arrival,buffers,n,"
          "mean_s,median_s,"
          "min_s,"
          "max_s,stddev_s,ci_low_s,ci_high_s,rel_ci,converged,independent,normal,launches,"
          "statistic,verified,ran_algorithm,ran_segment_bytes,ran_fanout,status,reason,drift,"
          "core_s\n",
          out);
    FIXTURE_CELLS(f, m, p, b)
    {
        size_t n = fixture_candidates(f, f->mpi[m], names);
        for (size_t k = 0; k < n; k++) {
            struct point q = fixture_make(f->mpi[m], fixture_procs[p], fixture_bytes[b], names[k]);
            fixture_point(out, f, &q, fixture_time(names[k], fixture_bytes[b]), "ok", "");
        }
    }
    struct point q = fixture_make(f->mpi[0], 8, 1 << 20, "portable:chain");
    fixture_point(out, f, &q, 0, "timeout", "killed after 10 s, <b>\"quoted\"</b>");
    q = fixture_make(f->mpi[0], 8, 1 << 21, "portable:chain");
    if (f->missing)
        fixture_point(out, f, &q, 0, "missing", "not measured yet");
    fclose(out);
}

/* ---- fit ---- */

static inline void fixture_fit(const struct fixture *f)
{
    FILE *g = fixture_open(f, "fit/gamma.csv"), *l = fixture_open(f, "fit/gamma_linear.csv");
    FILE *h = fixture_open(f, "fit/hockney.csv");
    fputs(
        "direction,mpi,mapping,procs,gamma,stderr,linear_gamma,gamma_subtracted,gamma_with_barrier,"
        "alone_s,time_s,barrier_s,status\n",
        g);
    fputs("direction,mpi,mapping,intercept,slope,intercept_stderr,slope_stderr,r2,n,status\n", l);
    fputs(
        "collective,mpi,mapping,model,algorithm,segment_bytes,fanout,procs,alpha_s,beta_s_per_byte,"
        "alpha_stderr,beta_stderr,alpha_low,alpha_high,beta_low,beta_high,ls_alpha_s,"
        "ls_beta_s_per_byte,condition,r2,n,excluded,status,reason\n",
        h);
    for (int m = 0; m < f->n_mpi; m++) {
        for (int k = 2; k <= 8; k++)
            fprintf(g, "send,%s,core,%d,%g,0.01,%g,%g,%g,%g,%g,1e-6,ok\n", f->mpi[m], k,
                    0.8 + 0.1 * k, 0.8 + 0.1 * k, 0.9 + 0.05 * k, 0.8 + 0.1 * k, 1e-5 * k,
                    2e-5 * k);
        fprintf(l, "send,%s,core,0.8,0.1,0.001,0.0001,0.999,7,ok\n", f->mpi[m]);
        fprintf(
            h,
            "bcast,%s,core,stage,portable:binomial,8192,0,4,2e-6,1.5e-9,1e-7,1e-10,1.8e-6,2.2e-6,"
            "1.3e-9,1.7e-9,2e-6,1.5e-9,2.5,0.99,10,0,ok,\n"
            "bcast,%s,core,stage,portable:binary_tree,8192,0,4,1e-7,1.5e-9,1e-7,1e-10,-1e-7,3e-7,"
            "1.3e-9,1.7e-9,1e-7,1.5e-9,2.5,0.99,10,0,alpha_unidentified,interval spans 0\n",
            f->mpi[m], f->mpi[m]);
    }
    fclose(g);
    fclose(l);
    fclose(h);
}

/* ---- predictions.csv: 10 % too slow (derived), of twice the time (traditional) ---- */

/* A file of the analysis, written as it writes it; w goes on with schema_row. */
static inline FILE *fixture_begin(const struct fixture *f, const struct schema *schema,
                                  struct csvw *w)
{
    FILE *out = fixture_open(f, schema->path);
    *w = (struct csvw){ .file = out };
    schema_header(w, schema);
    return out;
}

static inline void fixture_prediction(struct csvw *w, const char *model, struct point point,
                                      double predicted_s, double measured_s)
{
    struct predicted r = { .model = model_find(model),
                           .point = point,
                           .measured_s = measured_s,
                           .prediction = { .seconds = predicted_s, .status = PREDICT_OK } };
    memcpy(r.prediction.algorithm, point.candidate.algorithm, NAME_SIZE);
    point_identify(&r.point);
    schema_row(w, &predictions_schema, &r);
}

static inline void fixture_predictions(const struct fixture *f)
{
    struct csvw w;
    FILE *out = fixture_begin(f, &predictions_schema, &w);
    FIXTURE_CELLS(f, m, p, b)
    {
        char names[6][NAME_SIZE];
        fixture_candidates(f, f->mpi[m], names);
        for (size_t k = 0; k < 2; k++)
            for (int d = 0; d < 2; d++) {
                const double s = fixture_time(names[k], fixture_bytes[b]);
                fixture_prediction(
                    &w, d ? "textbook" : "stage",
                    fixture_make(f->mpi[m], fixture_procs[p], fixture_bytes[b], names[k]),
                    s * (d ? 2 : 1.1), s);
            }
    }
    fclose(out);
}

/* ---- selection.csv, degradation.csv ---- */

static inline void fixture_choice(struct csvw *w, const struct fixture *f, const char *selector,
                                  int m, int p, int b, const char *algorithm)
{
    const double binomial = fixture_time("binomial", fixture_bytes[b]);
    const double binary = fixture_time("binary_tree", fixture_bytes[b]);
    const char *best = binomial < binary ? "portable:binomial" : "portable:binary_tree";
    const struct point chosen =
        fixture_make(f->mpi[m], fixture_procs[p], fixture_bytes[b], algorithm);
    struct selection r = {
        .purpose = FOR_STUDY,
        .cell = chosen.cell,
        .chosen = chosen.candidate,
        .chosen_s = fixture_time(algorithm, fixture_bytes[b]),
        .best = fixture_make(f->mpi[m], fixture_procs[p], fixture_bytes[b], best).candidate,
        .best_s = binomial < binary ? binomial : binary,
        .ci_low_pct = 0.0 / 0.0,
        .ci_high_pct = 0.0 / 0.0,
    };
    snprintf(r.name, sizeof r.name, "%s", selector);
    r.predicted_s = r.chosen_s;
    r.degradation_pct = r.counted_pct = 100 * (r.chosen_s - r.best_s) / r.best_s;
    r.tied = r.chosen_s <= r.best_s * 1.025;
    schema_row(w, &selection_schema, &r);
}

static inline void fixture_loss(struct csvw *w, const char *mpi, const char *selector, double mean,
                                double median, double worst, uint64_t bytes, size_t tied,
                                double core_s)
{
    struct degradation r = { .purpose = FOR_STUDY,
                             .collective = "bcast",
                             .mapping = "core",
                             .cells = 9,
                             .mean_pct = mean,
                             .geomean_pct = mean,
                             .median_pct = median,
                             .p95_pct = worst,
                             .worst_pct = worst,
                             .worst_procs = 2,
                             .worst_bytes = bytes,
                             .worst_unsubstituted_pct = worst,
                             .optimal_or_tied = tied,
                             .core_s = core_s };
    snprintf(r.name, sizeof r.name, "%s", selector);
    snprintf(r.mpi, sizeof r.mpi, "%s", mpi);
    schema_row(w, &degradation_schema, &r);
}

static inline void fixture_selection(const struct fixture *f)
{
    struct csvw w;
    FILE *out = fixture_begin(f, &selection_schema, &w);
    FIXTURE_CELLS(f, m, p, b)
    {
        int large = fixture_bytes[b] > 2000; /* 40 + 0.02 x = 60 + 0.01 x */
        const char *best = large ? "portable:binary_tree" : "portable:binomial";
        fixture_choice(&w, f, "best", m, p, b, best);
        fixture_choice(&w, f, "default", m, p, b, "portable:binomial");
        fixture_choice(&w, f, "stage", m, p, b, best);
    }
    fclose(out);
    out = fixture_begin(f, &degradation_schema, &w);
    for (int m = 0; m < f->n_mpi; m++) {
        fixture_loss(&w, f->mpi[m], "best", 0, 0, 0, 1024, 9, 120);
        fixture_loss(&w, f->mpi[m], "default", 52.6, 43.3, 88.6, 65536, 3, 0);
        fixture_loss(&w, f->mpi[m], "stage", 0, 0, 0, 1024, 9, 12.5);
    }
    fclose(out);
}

/* ---- manifest.json, events.jsonl ---- */

static inline void fixture_manifest(const struct fixture *f)
{
    FILE *out = fixture_open(f, "manifest.json");
    fprintf(out,
            "{\"format\": 1, \"digest\": \"12345678\", \"cluster\": {\"file\": \"x.ini\", "
            "\"digest\": \"00\", \"resolved\": {\"sockets\": 1, \"cores\": 4, \"threads\": 1, "
            "\"node_cores\": 4, \"here\": %s}, \"settings\": {\"cluster\": {\"name\": {\"value\": "
            "\"%s\", "
            "\"default\": false}, \"title\": {\"value\": \"A <planted> machine & more\", "
            "\"default\": false}}, \"network\": {\"link_latency\": {\"value\": \"10us\", "
            "\"default\": false, \"source\": \"assumed: planted\"}}}},\n"
            " \"study\": {\"file\": \"y.ini\", \"digest\": \"01\", \"settings\": {\"study\": "
            "{\"name\": {\"value\": \"bcast\", \"default\": false}, \"title\": {\"value\": \"A "
            "fixture\", \"default\": false}}}},\n"
            " \"backend\": {\"name\": \"%s\", \"why\": \"asked for\"}, \"seed\": 7, \"tool\": "
            "{\"commit\": \"abc\", \"compiler\": \"gcc\"}, \"machine\": {\"kernel\": \"Linux\", "
            "\"cpu\": \"a CPU\", \"host\": \"here\"}, \"mpi\": {\"%s\": {\"version\": \"1.0\", "
            "\"launcher\": \"none\"}}, \"runs\": []}\n",
            f->here ? "true" : "false", f->cluster, f->backend, f->mpi[0]);
    fclose(out);
    out = fixture_open(f, "events.jsonl");
    fputs("{\"t\": \"2026-01-01T00:00:00Z\", \"launch\": \"l1\", \"attempt\": 1, \"event\": "
          "\"started\"}\n"
          "{\"t\": \"2026-01-01T00:01:00Z\", \"launch\": \"l1\", \"attempt\": 1, \"event\": "
          "\"timeout\", \"reason\": \"hung & killed\"}\n",
          out);
    fclose(out);
}

/* Instead of its events those of a study under Slurm: l1 broke with node n3 twice and was finished
 * then; l2 ran out of time and was lost, and is in the queue. costs.csv: half a core-hour in all.
 */
static inline void fixture_slurm(const struct fixture *f)
{
    FILE *out = fixture_open(f, "events.jsonl");
    static const char l1[] = "openmpi-core-2x4-p8-r1", l2[] = "openmpi-core-1x4-p4-r1";
    const struct {
        const char *launch, *event, *more;
    } all[] = {
        { l1, "submitted", "\"job\": \"7_1\"" },
        { l1, "started", "\"attempt\": 1" },
        { l1, "node_failed", "\"job\": \"7_1\", \"attempt\": 1, \"node\": \"n3\"" },
        { l1, "started", "\"attempt\": 2" },
        { l1, "failed", "\"job\": \"8_1\", \"reason\": \"exit status 1\"" },
        { l1, "node_failed", "\"job\": \"8_1\", \"node\": \"n3\", \"reason\": \"down & out\"" },
        { "", "excluded", "\"node\": \"n3\", \"reason\": \"broke 2 attempts\"" },
        { l2, "interrupted", "\"attempt\": 1, \"reason\": \"killed\", \"job\": \"7_2\"" },
        { l2, "timeout", "\"attempt\": 1, \"reason\": \"time limit\", \"job\": \"7_2\"" },
        { l1, "done", "\"attempt\": 3" },
        { l2, "lost", "\"job\": \"8_2\"" },
        { l2, "submitted", "\"job\": \"9_1\"" },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fprintf(out,
                "{\"t\": \"2026-01-01T00:%02zu:00Z\", \"launch\": \"%s\", \"event\": \"%s\", "
                "%s}\n",
                i, all[i].launch, all[i].event, all[i].more);
    fclose(out);
    out = fixture_open(f, "costs.csv");
    fprintf(out,
            "launch,attempt,mpi,mapping,nodes,ppn,procs,job,outcome,started,elapsed_s,cores,core_s,"
            "points,points_s,reason\n"
            "%s,1,openmpi,core,2,4,8,7_1,node_failed,2026-01-01T00:01:00Z,60,8,480,0,0,\n"
            "%s,3,openmpi,core,2,4,8,8_1,done,2026-01-01T00:03:00Z,90,8,720,9,70,\n"
            "%s,1,openmpi,core,1,4,4,7_2,timeout,2026-01-01T00:01:00Z,150,4,600,5,100,limit\n"
            "%s,,openmpi,core,1,4,4,8_2,lost,,0,4,0,0,0,\n",
            l1, l1, l2, l2);
    fclose(out);
}

/* A simulation to compare with: native algorithms take one and a half times the simulated time,
 * portable ones twice; it takes the library's binary tree for the best everywhere. */
static inline void fixture_compared(struct csvw *w, struct point point, double here_s,
                                    double there_s)
{
    struct compared r = { .point = point,
                          .backend = "emulated",
                          .here_s = here_s,
                          .ci_low_s = 0.0 / 0.0,
                          .ci_high_s = 0.0 / 0.0,
                          .against_backend = "sim",
                          .there_s = there_s,
                          .ratio = here_s / there_s,
                          .status = there_s > 0 ? COMPARE_STUDIES_OK : COMPARE_STUDIES_NO_TWIN };
    point_identify(&r.point);
    snprintf(r.statistic, sizeof r.statistic, "max_rank");
    if (there_s > 0) {
        snprintf(r.against_mpi, sizeof r.against_mpi, "smpi");
        snprintf(r.twin, sizeof r.twin, "portable:%.50s",
                 algorithm_base_name(point.candidate.algorithm));
    }
    schema_row(w, &compared_schema, &r);
}

static inline void fixture_against(const struct fixture *f)
{
    struct csvw w;
    FILE *out = fixture_begin(f, &compared_schema, &w);
    char names[6][NAME_SIZE];
    FIXTURE_CELLS(f, m, p, b)
    {
        size_t n = fixture_candidates(f, f->mpi[m], names);
        for (size_t k = 0; k < n; k++) {
            const double s = fixture_time(names[k], fixture_bytes[b]);
            const double ratio = strncmp(names[k], "portable", 8) == 0 ? 2 : 1.5;
            fixture_compared(&w,
                             fixture_make(f->mpi[m], fixture_procs[p], fixture_bytes[b], names[k]),
                             s, strstr(names[k], "default") ? 0.0 / 0.0 : s / ratio);
        }
    }
    struct point ping = fixture_make("openmpi", 2, 1024, "portable:pingpong");
    ping.experiment = EXP_PINGPONG;
    ping.purpose = FOR_FIT;
    ping.candidate.segment_bytes = 0;
    fixture_compared(&w, ping, 3e-5, 1e-5);
    fclose(out);
    w = (struct csvw){ .file = out = fixture_append(f, "selection.csv") };
    FIXTURE_CELLS(f, m, p, b)
    fixture_choice(&w, f, "simulated", m, p, b, "openmpi:binary_tree");
    fclose(out);
}

/* Two attempts on two nodes, bound, of which the second came to another node with one rank too many
 * there; one on one node, not bound. Files of another digest do not count. */
static inline void fixture_placement(const struct fixture *f)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        { "openmpi-core-2x2-p4-r1.a1-12345678.placement.csv",
          "# judged: hosts and cores\n# placement: as asked\n"
          "rank,host,cpus\n0,n1,0\n1,n1,1\n2,n2,0\n3,n2,1\n" },
        { "openmpi-core-2x2-p4-r1.a2-12345678.placement.csv",
          "# judged: hosts and cores\n# placement: ranks 0 and 2 are both on 'n1'\n"
          "rank,host,cpus\n0,n1,0\n1,n1,1\n2,n1,2\n3,n10,\"0,2-3\"\n" },
        { "openmpi-core-2x2-p4-r1.a2-12345678.outcomes.csv",
          "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,n_rows,n,"
          "converged,checked,elapsed_s,core_s\n"
          "0000000000000001,invalid,\"placement: ranks 0 and 2 are both on "
          "'n1'\",unverified,,,,0,0,"
          ",0,0,0\n"
          "0000000000000002,ok,,executed,,,,0,0,,0,0,0\n"
          "0000000000000003,invalid,another,unverified,,,,0,0,,0,0,0\n" },
        { "openmpi-core-1x3-p3-r1.a1-12345678.placement.csv",
          "rank,host,cpus\n0,n3,0-3\n1,n3,0-3\n2,n3,0-3\n" },
        { "openmpi-core-1x8-p8-r1.a1-87654321.placement.csv", "rank,host,cpus\n0,n9,0\n" },
    };
    char path[512];
    snprintf(path, sizeof path, "%s/samples", f->dir);
    fs_mkdirs(path, NULL);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/samples/%s", f->dir, files[i].name);
        fs_write(path, files[i].text, NULL);
    }
}

/* All files. f->dir must be set. */
static inline void fixture_write(const struct fixture *f)
{
    fs_mkdirs(f->dir, NULL);
    fixture_points(f);
    fixture_fit(f);
    fixture_predictions(f);
    fixture_selection(f);
    fixture_manifest(f);
}
