/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of the regressions over P: a planted study whose times lie on lines, from the files
 * that the analysis writes to the tables and the data of the figures. */
#include "analysis/measure/result_file.h"
#include "analysis/models/regression/regression.h"
#include "reports/reference.h"
#include "analysis/judge/errors.h"
#include "reports/report.h"
#include "reports/style.h"
#include "tests/analysis/overprocs.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-report-XXXXXX";

/* A line by core, steeper on the second node; by node another. Sizes 8 B and 1 MiB. */
static struct points planted(const struct facts *facts, uint64_t segment_bytes)
{
    struct points points = { .n = 0 };
    for (int k = 0; k < 2; k++)
        for (int p = 2; p <= 32; p += 2) {
            const uint64_t bytes = k ? 1 << 20 : 8;
            over_add(&points, facts, "openmpi:chain", "core", p, bytes,
                     1e-6 * (k ? 1000 : 1) * (p <= 16 ? p : 2 * p));
            over_add(&points, facts, "openmpi:chain", "node", p, bytes, 1e-6 * (5 + p));
        }
    for (size_t i = 0; i < points.n; i++) {
        points.row[i].point.candidate.segment_bytes = segment_bytes;
        point_identify(&points.row[i].point);
    }
    return points;
}

static int write_files(const struct fixture *f, uint64_t segment_bytes, struct err *err)
{
    struct facts facts = shape(2, 1, 16);
    struct points points = planted(&facts, segment_bytes);
    struct point_groups groups;
    struct regressions fits;
    struct predictions said;
    struct error_table table;
    struct parameters p = { .facts = &facts, .held = { { &regression_set, &fits, NULL } } };
    point_groups_make(&points, &groups);
    regressions_fit(&groups, &facts, OVER_OWN, SPLIT_IN_SAMPLE, &fits);
    predictions_make(&points, &p, &said);
    int status = errors_make(&points, &groups, &said, &p, &table, err);
    if (status == 0 &&
        (regressions_write(f->dir, &fits, &groups, err) < 0 ||
         result_write(f->dir, &errors_schema, "unknown", table.row, table.n, err) < 0))
        status = -1;
    errors_clear(&table);
    predictions_clear(&said);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    points_clear(&points);
    return status;
}

static char *read_below(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/report/%s", f->dir, name);
    return fs_read(path, NULL, NULL);
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; at && (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* Every model that chooses says something of a point: as many lines as a panel can have. */
static void predict_all(struct csvw *w)
{
    struct point point = fixture_make("openmpi", 2, 8, "openmpi:chain");
    point.candidate.segment_bytes = 0;
    for (size_t i = 0; models[i]; i++)
        if (!models[i]->only_predicts)
            fixture_prediction(w, models[i]->name, point, 1e-6 * (double)(i + 1), 1e-6);
}

/* A figure of one column is as wide as the page's others, and its legend names every line: gnuplot
 * drops what finds no room, and says nothing. */
static void legend(const struct fixture *f)
{
    char *gp = read_below(f, "figures/latency-bcast-8.gp");
    char *svg = read_below(f, "figures/latency-bcast-8.svg");
    const char *size = gp ? strstr(gp, "set terminal svg size ") : NULL;
    int width = 0, drawn = 0, named = 0;
    if (size)
        sscanf(size, "set terminal svg size %d,", &width);
    ok(width >= 1040, "one column is %d pixels wide", width);
    for (size_t i = 0; models[i] && gp && svg; i++) {
        char entry[120], text[120];
        snprintf(entry, sizeof entry, " title \"%s\"", model_label(models[i]));
        snprintf(text, sizeof text, "<text>%s</text>", model_label(models[i]));
        drawn += strstr(gp, entry) != NULL;
        named += strstr(gp, entry) != NULL && strstr(svg, text) != NULL;
    }
    ok(drawn >= 8, "%d models are drawn", drawn);
    is_int(drawn, named, "and all of them stand in the legend");
    free(gp);
    free(svg);
}

/* Of times that were walked nothing is called measured; a panel names its segment; the last number
 * of processes stands below its line; and a model that says a second is told as off the scale. */
static void test_walked(void)
{
    struct err err = { .text = "" };
    struct fixture f = {
        .backend = "walk", .cluster = "local", .n_mpi = 1, .mpi = { "openmpi" }, .native = 1
    };
    snprintf(f.dir, sizeof f.dir, "%s/walked", base);
    fixture_write(&f);
    is_int(0, write_files(&f, 1024, &err), "the same, walked: %s", err.text);
    struct point point = fixture_make("openmpi", 2, 8, "openmpi:chain");
    point.candidate.segment_bytes = 1024;
    struct csvw w = { .file = fixture_append(&f, "predictions.csv") };
    fixture_prediction(&w, "textbook", point, 1, 1e-6);
    fixture_prediction(&w, "stage", point, 10e-6, 1e-6);
    fclose(w.file);
    struct report_request request = { .dir = f.dir, .assets = "reports" };
    struct report_result result;
    is_int(0, report_write(&request, &result, &err), "its report: %s", err.text);
    char *gp = read_below(&f, "figures/latency-bcast-8.gp");
    char *html = fixture_pages(&f);
    has_str("title \"walked\"", gp ? gp : "", "the legend calls the times walked");
    ok(gp && !strstr(gp, "title \"measured\""), "and not measured");
    has_str("\\n1\u00a0KiB segments\"", gp ? gp : "", "a panel names its segment");
    has_str("\"32\" 32)", gp ? gp : "", "the largest number of processes has its number");
    has_str(" title \"stage model\"", gp ? gp : "", "the legend names a line within the scale");
    ok(gp && !strstr(gp, " title \"textbook model\""), "but none that lies off it");
    has_str("Off the scale: textbook model (1.00\u00a0s).", html ? html : "",
            "of which the caption tells");
    ok(html && !strstr(html, "against measurement"), "nor is a title of measurement");
    free(gp);
    free(html);
}

int main(void)
{
    struct err err = { .text = "" };
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    struct fixture f = {
        .backend = "local", .cluster = "local", .n_mpi = 1, .mpi = { "openmpi" }, .native = 1
    };
    snprintf(f.dir, sizeof f.dir, "%s/planted", base);
    fixture_write(&f);
    is_int(0, write_files(&f, 0, &err), "the files of the regressions: %s", err.text);
    struct csvw w = { .file = fixture_append(&f, "predictions.csv") };
    fixture_prediction(&w, "regression_mm", fixture_make("openmpi", 2, 8, "openmpi:chain"), 1e-6,
                       1e-6);
    predict_all(&w);
    fclose(w.file);
    struct report_request request = { .dir = f.dir, .assets = "reports" };
    struct report_result result;
    is_int(0, report_write(&request, &result, &err), "a report: %s", err.text);

    char *html = fixture_pages(&f);
    has_str("Latency by processes and mapping", html, "latency over P");
    has_str("id=\"regression\"", html, "the regression");
    has_str("Errors of the models", html, "the errors");
    free(html);

    char *csv = read_below(&f, "figures/latency-bcast-8.csv");
    is_int(32, count(csv, ",measured,"), "every point of 8 B is in the data of its figure");
    is_int(32, count(csv, ",regression,"), "and the regression there");
    is_int(16, count(csv, "\n0,measured,core,openmpi:chain,"),
           "mapping by core is the first panel");
    is_int(16, count(csv, "\n1,measured,node,openmpi:chain,"), "by node the second");
    ok(csv && !strstr(strstr(csv, "\n1,"), "\n0,"), "a panel's rows stand together");
    free(csv);
    char *gp = read_below(&f, "figures/latency-bcast-8.gp");
    is_int(1, count(gp, "plot data every ::0::"), "a panel reads its own rows, the first from 0");
    has_str("set ylabel \"time, by node\"", gp, "rows are labelled with their mapping");
    ok(gp && !strstr(gp, "by socket"), "the legend does not name a line of a mapping not there");
    free(gp);
    legend(&f);
    csv = read_below(&f, "figures/latency-bcast-1048576.csv");
    ok(csv != NULL, "and a figure of 1 MiB");
    free(csv);

    char *md = read_below(&f, "tables/errors-core-max_rank-bcast.md");
    has_str("| regression † | 0.0 | 0.0 | 32 | 0 | 0.0 | 0.0 | 16 | 0 | 50.0 |", md,
            "by core: nothing in sample and on alternate P, half beyond P = 16");
    free(md);
    md = read_below(&f, "tables/errors-node-max_rank-bcast.md");
    has_str("| regression † | 0.0 | 0.0 | 32 | 0 | 0.0 | 0.0 | 16 | 0 | 0.0 |", md,
            "by node: nothing anywhere");
    free(md);
    md = read_below(&f, "tables/regression-bcast.md");
    has_str("| core | K-chain \\(openmpi\\) |", md, "the coefficients");
    free(md);
    md = read_below(&f, "tables/errors-core-mean_rank-bcast.md");
    has_str("| regression, MM † |", md, "and the errors against the mean over ranks");
    free(md);
    test_walked();
    fixture_clear(base);
    return tap_done();
}
