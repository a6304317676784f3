/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a small planted study: every section, every file of every figure and table, nothing
 * loaded from outside, right sentences; missing files are said, malformed ones refused with the
 * report before left as it was. */
#include "reports/report.h"

#include <dirent.h>

#include "harness/base/subprocess.h"
#include "reports/section.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-report-XXXXXX";

static int write_report(const struct fixture *f, struct err *err)
{
    struct report_request request = { .dir = f->dir, .assets = "reports" };
    struct report_result result;
    return report_write(&request, &result, err);
}

static char *read_below(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    return fs_read(path, NULL, NULL);
}

static void remove_file(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    unlink(path);
}

static struct fixture simulated(const char *name)
{
    struct fixture f = { .backend = "sim", .cluster = "gros", .n_mpi = 1, .mpi = { "smpi" } };
    snprintf(f.dir, sizeof f.dir, "%s/%s", base, name);
    fixture_write(&f);
    return f;
}

static struct fixture real(const char *name)
{
    struct fixture f = { .backend = "local",
                         .cluster = "local",
                         .n_mpi = 2,
                         .mpi = { "openmpi", "mpich" },
                         .native = 1 };
    snprintf(f.dir, sizeof f.dir, "%s/%s", base, name);
    fixture_write(&f);
    return f;
}

/* For each file DIR/<name>.<first> there must be one with every other ending. Returns their number,
 * or -1. */
static int complete(const struct fixture *f, const char *below, const char *const *endings)
{
    char path[512];
    struct dirent *e;
    int n = 0;
    snprintf(path, sizeof path, "%s/report/%s", f->dir, below);
    DIR *d = opendir(path);
    while (d && n >= 0 && (e = readdir(d))) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot + 1, endings[0]) != 0)
            continue;
        n++;
        for (const char *const *x = endings; *x; x++) {
            snprintf(path, sizeof path, "%s/report/%s/%.*s.%s", f->dir, below,
                     (int)(dot - e->d_name), e->d_name, *x);
            char *text = fs_read(path, NULL, NULL);
            if (!text || !*text) {
                diag("'%s' is missing or empty", path);
                n = -1;
            }
            free(text);
            if (n < 0)
                break;
        }
    }
    if (d)
        closedir(d);
    return n;
}

static void check_sections(const char *html, const struct report_data *d)
{
    char id[96];
    for (const struct section *const *s = sections; *s; s++) {
        snprintf(id, sizeof id, "id=\"%s\"", (*s)->name);
        if (!(*s)->absent && !section_applies(d, *s))
            ok(!strstr(html, id), "section '%s' does not apply and is not there", (*s)->name);
        else
            ok(strstr(html, id) != NULL, "section '%s' is there", (*s)->name);
    }
}

/* No attribute or style rule of the page makes a browser fetch something. */
static int loads_nothing(const char *html)
{
    static const char *const loads[] = { "<script ", "<link",       "<iframe",    "<img",    "src=",
                                         "@import",  "href=\"http", "href='http", "url(http" };
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (strstr(html, loads[i])) {
            diag("the page holds '%s'", loads[i]);
            return 0;
        }
    return 1;
}

/* Scripts and data of figures, and tables, are compared as they are; UPDATE_GOLDEN=1 rewrites. */
static void check_golden(const struct fixture *f, const char *below, const char *name)
{
    char path[512], own[128];
    snprintf(own, sizeof own, "report/%s/%s", below, name);
    snprintf(path, sizeof path, "tests/reports/golden/%s.golden", name);
    char *seen = read_below(f, own);
    if (getenv("UPDATE_GOLDEN") && seen)
        fs_write(path, seen, NULL);
    char *wanted = fs_read(path, NULL, NULL);
    is_str(wanted, seen, "%s is as in %s", own, path);
    free(seen);
    free(wanted);
}

static void test_simulated(void)
{
    static const char *const figure[] = { "gp", "csv", "svg", "pdf", NULL };
    static const char *const table[] = { "csv", "md", "tex", NULL };
    struct fixture f = simulated("sim");
    struct err err = { 0 };
    struct report_data d;
    if (!is_int(0, write_report(&f, &err), "a report of the simulated fixture"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    ok(report_data_read(f.dir, 0, &d, &err) == 0 && html, "its files and its page can be read");
    if (!html)
        return;
    check_sections(html, &d);
    has_str("stage model ‡", html, "a model whose rules were chosen on this cluster is marked");
    has_str("chosen with these data in sight", html, "and the mark is explained");
    report_data_clear(&d);
    ok(loads_nothing(html), "the page loads nothing from outside");
    ok(!strstr(html, "<!--slot"), "every slot is filled");
    ok(strstr(html, "<svg role=\"img\" aria-label=") && !strstr(html, "<title>Gnuplot"),
       "drawings have a label for those who cannot see them, and no other");
    ok(complete(&f, "figures", figure) >= 4, "every figure has script, data, SVG and PDF");
    ok(complete(&f, "tables", table) >= 8, "every table is there in three formats");
    has_str("binary</strong> is fastest in 6 (8", html, "who wins is computed: six of nine cells");
    has_str("52.", html, "the mean loss of the default is said");
    has_str("P\u00a0=\u00a02, 64", html, "the worst cell is said");
    has_str("simulated by SimGrid SMPI", html, "the page says that it is simulated");
    has_str("hung &amp; killed", html, "what went wrong is told");
    has_str("&lt;b&gt;&quot;quoted&quot;", html, "texts from the files are escaped");
    has_str("A &lt;planted&gt; machine &amp; more", html, "so is the title");
    const char *two = strstr(html, "against the best algorithm, MPI_Bcast, P = 2 ");
    const char *eight = strstr(html, "against the best algorithm, MPI_Bcast, P = 8 ");
    ok(two && eight && two < eight, "tables of processes are in their order");
    static const char *const names[] = { "fig5", "best", "default-loss" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.gp", names[i]);
        check_golden(&f, "figures", name);
        snprintf(name, sizeof name, "%s.csv", names[i]);
        check_golden(&f, "figures", name);
    }
    check_golden(&f, "tables", "table2.tex");
    check_golden(&f, "tables", "table3-p8.md");
    char *csv = read_below(&f, "report/tables/table1.csv");
    ok(csv && strstr(csv, ",backend\n") && strstr(csv, ",sim\n"), "tables name the backend");
    has_str("3,1.1,0.01,1.1,3e-05", csv, "Table 1 holds our gamma, exactly");
    has_str(",1.084,sim", csv, "and the paper's beside it");
    free(csv);
    csv = read_below(&f, "report/figures/fig5.csv");
    ok(csv && strncmp(csv, "procs,selector,bytes,time_s,algorithm,backend\n2,best,1024,", 56) == 0,
       "the data of Fig. 5 are as expected");
    free(csv);
    free(html);
}

static void test_real(void)
{
    struct fixture f = real("real");
    struct err err = { 0 };
    if (!is_int(0, write_report(&f, &err), "a report of the real fixture"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    if (!html)
        return;
    has_str("id=\"libraries\"", html, "native and portable stand side by side");
    has_str("Summary: Open MPI", html, "each library has its summary");
    has_str("Summary: MPICH", html, "also the second");
    has_str("(oversubscribed)", html, "more ranks than cores are marked");
    ok(!strstr(html, "simulated"), "nothing is called simulated");
    ok(!strstr(html, "Nuriyev &amp; Lastovetsky (2021), Table"), "no figures of the paper here");
    char *csv = read_below(&f, "report/tables/default-ran-openmpi-core.csv");
    has_str("openmpi:binomial", csv, "what the default ran is named");
    free(csv);
    free(html);
}

/* A study on an emulated cluster, cut short: two launches, one of which a node broke twice and one
 * that is in the queue again. */
static struct fixture emulated(const char *name)
{
    struct fixture f = { .backend = "emulated",
                         .cluster = "mini",
                         .n_mpi = 1,
                         .mpi = { "openmpi" },
                         .native = 1,
                         .missing = 1 };
    snprintf(f.dir, sizeof f.dir, "%s/%s", base, name);
    fixture_write(&f);
    fixture_slurm(&f);
    fixture_against(&f);
    fixture_placement(&f);
    return f;
}

static void test_emulated(void)
{
    static const char label[] = "emulated: real MPI and TCP over shaped links between namespaces "
                                "of one machine";
    struct fixture f = emulated("emulated");
    struct err err = { 0 };
    if (!is_int(0, write_report(&f, &err), "a report of the emulated fixture"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    if (!html)
        return;
    has_str(label, strstr(html, "<header>"), "the head of the page says that it is emulated");
    has_str("46 of 47 points so far", html, "a study that is not complete says so on top");
    has_str("0.5\u00a0core-hours", html, "what it cost is told");
    has_str("Of 46 points 37 have a time in both; 9 have no twin", html,
            "it is compared with its simulation");
    free(html);
    static const char *const tables[] = { "mishaps.csv",       "mishap-kinds.md",
                                          "excluded-nodes.md", "costs.csv",
                                          "against.md",        "against-best.md",
                                          "placement.csv",     "invalid-launches.md" };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        check_golden(&f, "tables", tables[i]);
    check_golden(&f, "figures", "against.gp");
    char *gp = read_below(&f, "report/figures/best.gp");
    has_str(label, gp, "scripts of figures say it");
    has_str("set title \"mini · Open MPI · mapping by core · emulated\"", gp,
            "titles inside figures in short");
    free(gp);
    char *tex = read_below(&f, "report/tables/costs.tex");
    has_str(label, tex, "captions of tables say it");
    free(tex);
}

static void test_missing(void)
{
    static const char *const later[] = { "selection.csv",   "degradation.csv",
                                         "predictions.csv", "fit/hockney.csv",
                                         "fit/gamma.csv",   "fit/gamma_linear.csv",
                                         "events.jsonl",    "costs.csv" };
    struct fixture f = simulated("missing");
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        remove_file(&f, later[i]);
        if (!is_int(0, write_report(&f, &err), "a report without %s", later[i]))
            diag("%s", err.text);
    }
    char *html = fixture_pages(&f);
    has_str("<code>selection.csv</code> is not there", html, "what is missing is said");
    free(html);
    remove_file(&f, "points.csv");
    is_int(-1, write_report(&f, &err), "no report without points.csv");
    has_str("points.csv' does not exist", err.text, "the error names it");
}

static void test_malformed(void)
{
    static const struct {
        const char *file, *text, *wanted;
    } bad[] = {
        { "points.csv", "procs\n1\n", "points.csv" },
        { "selection.csv", "selector\nbest\n", "selection.csv:1: " },
        { "fit/gamma_linear.csv",
          "direction,mpi,mapping,intercept,slope,intercept_stderr,slope_stderr,r2,n,status\nsend,"
          "smpi,core,much,0,"
          "0,"
          "0,1,7,ok\n",
          "gamma_linear.csv:2: intercept: " },
        { "fit/gamma_linear.csv",
          "direction,mpi,mapping,intercept,slope,intercept_stderr,slope_stderr,r2,n,status\nsend,"
          "smpi`id`,core,1,"
          "0,"
          "0,0,1,7,ok\n",
          "gamma_linear.csv:2: mpi: 'smpi`id`' is not a name" },
        { "fit/gamma.csv", "", "gamma.csv" },
        { "fit/gamma_linear.csv",
          "direction,mpi,mapping,intercept,slope,intercept_stderr,slope_stderr,r2,n,status\n"
          "send,\"smpi\"\" ; system(1)\",core,1,0,0,0,1,7,ok\n",
          "gamma_linear.csv:2: mpi: '" },
        { "manifest.json", "{\n\"format\": 1,\n", "manifest.json:" },
        { "manifest.json", "[1]", "manifest.json:1: not a JSON object" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture f = simulated("malformed");
        struct err err = { 0 };
        char path[512];
        snprintf(path, sizeof path, "%s/report/index.html", f.dir);
        fs_write(path, "the report before", NULL);
        snprintf(path, sizeof path, "%s/%s", f.dir, bad[i].file);
        fs_write(path, bad[i].text, NULL);
        is_int(-1, write_report(&f, &err), "malformed %s is refused", bad[i].file);
        has_str(bad[i].wanted, err.text, "with a message that names the place");
        char *html = fixture_pages(&f);
        is_str("the report before", html, "and the report before is left as it was");
        free(html);
        fixture_clear(f.dir);
    }
}

/* A task dies while it writes, and another ends the line for it: every reader passes it over. */
static void test_cut_line(void)
{
    struct fixture f = simulated("cut");
    struct err err = { 0 };
    char path[512];
    snprintf(path, sizeof path, "%s/events.jsonl", f.dir);
    fs_write(path,
             "{\"t\":\"2026-11-\n"
             "{\"t\":\"2026-11-21T09:00:00Z\",\"launch\":\"smpi-core-2x1-p2-r1\",\"attempt\":1,"
             "\"event\":\"failed\",\"reason\":\"behind a cut line\"}\n{\"t\":",
             NULL);
    if (!is_int(0, write_report(&f, &err), "lines of events.jsonl that were cut short"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    has_str("behind a cut line", html, "do not hide those behind them");
    free(html);
    fixture_clear(f.dir);
}

/* Cells in which the default's choice was not measured are counted before any mean of the others:
 * in the summary, in the head of the page and in the selectors' table. */
static void test_unknown(void)
{
    struct fixture f = real("unknown");
    struct err err = { 0 };
    FILE *out = fixture_append(&f, "selection.csv");
    for (int k = 0; k < 2; k++)
        fprintf(out,
                "%s,study,bcast,openmpi,core,1,2,2,0,1048576,%s,8192,0,%s,,portable:chain,8192,0,"
                "1e-3,%s,,,%s,0,%s,%s,,\n",
                k ? "default" : "best", k ? "openmpi:split_binary_tree" : "portable:chain",
                k ? "" : "1e-3", k ? "" : "0", k ? "" : "1", k ? "no_choice" : "ok", k ? "" : "0");
    fclose(out);
    if (!is_int(0, write_report(&f, &err), "a report where one choice of the default has no time"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    has_str("In 1 of 19 cells the default has no time", html, "the head of the page counts it");
    has_str("In 1 of 10 cells its choice was not measured", html, "so does the summary");
    free(html);
    char *md = read_below(&f, "report/tables/selectors-openmpi-core.md");
    has_str("9 of 10", md, "and the table of selectors");
    free(md);
    fixture_clear(f.dir);
}

/* Two names for the same messages, as fast within a hundredth: no one wins there; of no bytes no
 * one wins either. */
static void test_ties(void)
{
    struct fixture f = simulated("ties");
    struct err err = { 0 };
    struct point p = fixture_make("smpi", 2, 1024, "portable:basic_linear");
    FILE *out = fixture_append(&f, "points.csv");
    fixture_point(out, &f, &p, 1.005 * fixture_time("binomial", 1024), "ok", "");
    p = fixture_make("smpi", 4, 1024, "portable:basic_linear"); /* other messages */
    fixture_point(out, &f, &p, 1.005 * fixture_time("binomial", 1024), "ok", "");
    fclose(out);
    out = fixture_append(&f, "selection.csv");
    fputs("best,study,bcast,smpi,core,1,2,2,0,0,portable:chain,8192,0,1e-9,1e-9,portable:chain,"
          "8192,0,1e-9,0,,,1,0,ok,0,,\n",
          out);
    fclose(out);
    if (!is_int(0, write_report(&f, &err), "a report of ties and of no bytes"))
        diag("%s", err.text);
    char *html = fixture_pages(&f);
    has_str("In 1 of them another algorithm is equally fast", html,
            "a tie of equal messages is said");
    has_str("Cells of 0\u00a0B are not counted", html, "cells of no bytes as well");
    ok(!strstr(html, "K-chain in 1"), "and nobody wins them");
    free(html);
    fixture_clear(f.dir);
}

/* A cluster without a title is called by its name alone. */
static void test_untitled(void)
{
    struct fixture f = simulated("untitled");
    struct err err = { 0 };
    char path[512];
    char *text = read_below(&f, "manifest.json");
    char *title = text ? strstr(text, "\"title\"") : NULL;
    if (!ok(title != NULL, "the manifest has a title"))
        return;
    memcpy(title, "\"other\"", 7);
    snprintf(path, sizeof path, "%s/manifest.json", f.dir);
    fs_write(path, text, NULL);
    free(text);
    is_int(0, write_report(&f, &err), "a report of a cluster without a title");
    char *html = fixture_pages(&f);
    has_str("<p class=\"subtitle\">cluster <code>gros", html, "says nothing in its place");
    free(html);
    fixture_clear(f.dir);
}

/* A killed report leaves its directory; the next one removes it, but not that of a living process.
 */
static void test_stale(void)
{
    struct fixture f = simulated("stale");
    struct err err = { 0 };
    char dead[256], alive[256], file[300];
    snprintf(dead, sizeof dead, "%s/.report-2147483646", f.dir);
    snprintf(alive, sizeof alive, "%s/.report-%d", f.dir, (int)getppid());
    snprintf(file, sizeof file, "%s/index.html", dead);
    fs_mkdirs(dead, NULL);
    fs_mkdirs(alive, NULL);
    fs_write(file, "half a page", NULL);
    is_int(0, write_report(&f, &err), "a report beside the remains of one that was killed");
    ok(!fs_exists(dead), "removes them");
    ok(fs_exists(alive), "but leaves those of a process that is at work");
    fixture_clear(f.dir);
}

/* Errors of 10, 20, 30 and 40 %. */
static void test_quantile(void)
{
    const struct fixture f = simulated("quantile");
    struct err err = { 0 };
    struct csvw w;
    FILE *out = fixture_begin(&f, &predictions_schema, &w);
    for (int i = 1; i <= 4; i++)
        fixture_prediction(&w, "stage", fixture_make("smpi", i + 1, 1024, "portable:binomial"),
                           1 + 0.1 * i, 1);
    fclose(out);
    is_int(0, write_report(&f, &err), "four predictions: %s", err.text);
    char *table = read_below(&f, "report/tables/prediction-error.csv");
    has_str("study,stage,4,0,25,38.5,", table ? table : "",
            "their 95th percentile lies between the third and the fourth, as in every table");
    free(table);
}

/* Of two candidates with two segment sizes each nothing was fitted. */
static void test_unfitted(void)
{
    static const char *const algorithms[] = { "chain", "pipeline" };
    const struct fixture f = simulated("unfitted");
    struct err err = { 0 };
    char path[512];
    snprintf(path, sizeof path, "%s/fit/hockney.csv", f.dir);
    FILE *out = fopen(path, "a");
    for (int i = 0; out && i < 4; i++)
        fprintf(out,
                "bcast,smpi,core,stage,portable:%s,%d,0,4,,,,,,,,,,,,,2,0,too_few_points,"
                "gamma is not known\n",
                algorithms[i / 2], i % 2 ? 8192 : 65536);
    if (out)
        fclose(out);
    is_int(0, write_report(&f, &err), "four candidates without a fit: %s", err.text);
    char *tex = read_below(&f, "report/tables/table2.tex");
    const char *first = tex ? strstr(tex, "gamma is not known") : NULL;
    has_str("gamma is not known: K-chain, pipeline.\n", tex ? tex : "",
            "their reason is told with both algorithms");
    ok(first && !strstr(first + 1, "gamma is not known"), "and once");
    free(tex);
}

/* The first line of a file of the study alone. */
static void keep_header(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    char *text = fs_read(path, NULL, NULL);
    if (text)
        text[strcspn(text, "\n") + 1] = '\0';
    if (text)
        fs_write(path, text, NULL);
    free(text);
}

/* In the manifest the study says experiments = no. */
static void without_experiments(const struct fixture *f)
{
    static const char at[] = "\"study\": {\"name\": {\"value\": \"bcast\"";
    char path[512], *text, *found;
    snprintf(path, sizeof path, "%s/manifest.json", f->dir);
    text = fs_read(path, NULL, NULL);
    found = text ? strstr(text, at) : NULL;
    FILE *out = found ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%.*s\"fit\": {\"experiments\": {\"value\": \"no\"}}, %s", (int)(found - text),
                text, found);
        fclose(out);
    }
    free(text);
}

/* Files that are there but hold nothing are not called missing; where the study has no experiments
 * what rests on them is left out. */
static void test_empty(void)
{
    static const char *const file[] = { "fit/gamma.csv", "fit/gamma_linear.csv", "fit/hockney.csv",
                                        "predictions.csv" };
    static const char *const id[] = { "id=\"gamma\"", "id=\"parameters\"", "id=\"textbook\"" };
    const struct fixture f = simulated("empty");
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        keep_header(&f, file[i]);
    is_int(0, write_report(&f, &err), "a report of files without rows: %s", err.text);
    char *html = fixture_pages(&f);
    has_str("<code>fit/gamma.csv</code> is there, but has no values", html ? html : "",
            "a file without rows is not called missing");
    ok(html && !strstr(html, "is not there"), "nor is any other");
    free(html);
    without_experiments(&f);
    is_int(0, write_report(&f, &err), "and one of a study without experiments: %s", err.text);
    html = fixture_pages(&f);
    for (size_t i = 0; i < sizeof id / sizeof *id; i++)
        ok(html && !strstr(html, id[i]), "which has no section %s", id[i]);
    free(html);
}

int main(void)
{
    if (!run_find("gnuplot", NULL, 0) || !run_find("pandoc", NULL, 0))
        return tap_skip_all("no gnuplot or pandoc"); /* tests/cli/without.t */
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    test_simulated();
    test_real();
    test_emulated();
    test_missing();
    test_malformed();
    test_cut_line();
    test_unknown();
    test_ties();
    test_untitled();
    test_stale();
    test_quantile();
    test_unfitted();
    test_empty();
    fixture_clear(base);
    return tap_done();
}
