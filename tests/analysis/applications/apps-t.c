/* SPDX-License-Identifier: BSD-3-Clause */
/* Applications: rounds of several directories are put together, medians and ratios are those that
 * were planted, runs that went wrong do not count and are told, a mode that was not run is a dash;
 * and of hostile files nothing is run, and what is broken is refused by its line. */
#include "analysis/applications/apps.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/subprocess.h"
#include "reports/papers.h"
#include "reports/report.h"
#include "reports/reference.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-apps-XXXXXX";
static const char head[] =
    "# collsel apps 2; cluster=star-a size=paper ranks=16 rounds=3\n"
    "# commit=0123abcd host=h cores=2 started=2026-11-26T00:00:00Z\n"
    "# emulated: 16 nodes share 2 cores\n"
    "mpi,application,size,ranks,steps,of_steps,mode,round,status,steps_s,wall_s,deviation,reason\n";

/* Writes CLUSTER/apps/NAME/FILE. */
static void put(const char *name, const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/apps/%s/reports", base, name);
    fs_mkdirs(path, NULL);
    snprintf(path, sizeof path, "%s/apps/%s/%s", base, name, file);
    fs_write(path, text, NULL);
}

static void put_runs(const char *name, const char *rows)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", head, rows);
    put(name, "runs.csv", text);
}

static void clear(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/apps", base);
    fs_remove_tree(path, NULL);
}

static int read_apps(struct apps *apps, struct err *err)
{
    char path[256];
    snprintf(path, sizeof path, "%s/apps", base);
    *err = (struct err){ 0 };
    return apps_read(path, "star-a", apps, err);
}

/* The default takes 10, 20 and 30 s, star 8, 18 and 33: medians 20 and 18, ratios 0.8, 0.9, 1.1.
 * The table fails once and is once another result. Before the rounds all is different. */
static const char planted[] =
    "openmpi,nbody,paper,16,160,1000,default,0,ok,99,99,0,\n"
    "openmpi,nbody,paper,16,160,1000,star,0,failed,,,,\"tried again\"\n"
    "openmpi,nbody,paper,16,160,1000,star,0,ok,1,1,0,\n"
    "openmpi,nbody,paper,16,160,1000,default,1,ok,10,11,0,\n"
    "openmpi,nbody,paper,16,160,1000,star,1,ok,8,9,1e-14,\n"
    "openmpi,nbody,paper,16,160,1000,table,1,failed,,,,\"status 1: no <b>such</b> thing\"\n"
    "openmpi,nbody,paper,16,160,1000,star,2,ok,18,19,0,\n"
    "openmpi,nbody,paper,16,160,1000,default,2,ok,20,21,0,\n"
    "openmpi,nbody,paper,16,160,1000,table,2,differs,1,1,0.5,\"more than 1e-12 apart\"\n";
/* Another directory: round 1 of it is paired with its own default alone. */
static const char planted_later[] =
    "openmpi,nbody,paper,16,160,1000,default,1,ok,30,31,0,\n"
    "openmpi,nbody,paper,16,160,1000,star,1,ok,33,34,0,\n"
    "openmpi,fftw,paper,16,160,500,,,skipped,,,,\"apt-get install libfftw3-dev\"\n";

#define KIND                                                                                       \
    "\"communicator\": \"world\", \"op\": \"\", \"root\": \"\", \"bytes_of_all_ranks\": true, "    \
    "\"procs\": 16, "

/* What a variable forces is longer than a name (workloads/libcollsel). */
#define USUAL "openmpi:recursive_doubling by coll_tuned_reduce_scatter_block_algorithm"

static void put_profile(const char *name, const char *of, const char *algorithm)
{
    char text[2048], file[96];
    snprintf(
        text, sizeof text,
        "{\"format\": \"collsel profile 1\", \"mpi\": \"openmpi\", \"rows\": [\n"
        "{\"collective\": \"allgather\", " KIND "\"bytes\": 20000, \"calls\": 160, "
        "\"time_s\": 2.9, \"algorithm\": \"%s\", \"default_is\": \"" USUAL "\"},\n"
        "{\"collective\": \"allgather\", \"communicator\": \"another\", \"op\": \"\", \"root\": "
        "\"\", "
        "\"bytes_of_all_ranks\": true, \"procs\": 16, \"bytes\": 20000, \"calls\": 4, \"time_s\": "
        "0.1, \"algorithm\": \"default\"},\n"
        "{\"collective\": \"allgatherv\", " KIND "\"bytes\": 160000, \"calls\": 2, \"time_s\": "
        "0.9, \"algorithm\": \"default\"},\n"
        "{\"collective\": \"allreduce\", " KIND "\"bytes\": 8, \"calls\": 3, \"time_s\": 0.1, "
        "\"algorithm\": \"default\"}]}\n",
        algorithm);
    snprintf(file, sizeof file, "reports/openmpi-nbody-%s.json", of);
    put(name, file, text);
}

static void plant(void)
{
    clear();
    put_runs("first", planted);
    put_runs("second", planted_later);
    put_profile("first", "star-1", "portable:ring");
    put_profile("first", "star-2", "portable:simple");
    put_profile("second", "star-1", "portable:ring");
}

/* ---- medians ---- */

/* Of 2,000 rounds 2^-n is no number any more. */
static void test_many_rounds(void)
{
    enum { N = 2000 };
    double value[N];
    for (size_t i = 0; i < N; i++)
        value[i] = (double)(i + 1);
    const struct apps_middle m = apps_middle_of(value, N);
    const unsigned k = (unsigned)m.low;
    ok(m.low == k && m.high == N + 1 - k, "an interval of %d rounds: %g to %g", N, m.low, m.high);
    is_near(1 - 2 * gsl_cdf_binomial_P(k - 1, 0.5, N), m.coverage, 1e-12,
            "has the coverage of the binomial distribution");
    ok(m.coverage >= 0.95 && 1 - 2 * gsl_cdf_binomial_P(k, 0.5, N) < 0.95,
       "... and is the narrowest one with 95 %% (%g)", m.coverage);
    is_near(N / 2.0 - 1.96 * sqrt(N) / 2, m.low, 2e-3, "... as the normal distribution has it");
}

static void test_middle(void)
{
    static const struct {
        size_t n;
        double low, high, coverage; /* of 1, 2 ... n */
    } rows[] = { { 2, 1, 2, 0.5 },     { 3, 1, 3, 0.75 },      { 5, 1, 5, 0.9375 },
                 { 6, 1, 6, 0.96875 }, { 9, 2, 8, 0.9609375 }, { 12, 3, 10, 0.96142578125 } };
    double value[12];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < rows[i].n; k++)
            value[k] = (double)(rows[i].n - k);
        const struct apps_middle m = apps_middle_of(value, rows[i].n);
        is_near(0.5 * (double)(rows[i].n + 1), m.centre, 1e-12, "the median of 1 to %zu",
                rows[i].n);
        ok(m.low == rows[i].low && m.high == rows[i].high, "is between %g and %g", rows[i].low,
           rows[i].high);
        is_near(rows[i].coverage, m.coverage, 1e-12, "with %g", rows[i].coverage);
    }
    test_many_rounds();
    value[0] = 7;
    struct apps_middle m = apps_middle_of(value, 1);
    ok(m.centre == 7 && isnan(m.low) && isnan(m.high) && isnan(m.coverage),
       "a single value has no interval");
    m = apps_middle_of(value, 0);
    ok(isnan(m.centre), "and of none there is no median");
}

static void test_planted(void)
{
    struct apps apps;
    struct err err;
    size_t n, kinds;
    plant();
    if (!ok(read_apps(&apps, &err) == 0, "two directories are read: %s", err.text))
        return;
    struct apps_group *group = apps_groups(&apps, &n);
    is_int(2, (long long)n, "runs of one program are one group, in whatever directory");
    struct apps_times star = apps_times(&apps, group, "star", "default"),
                      table = apps_times(&apps, group, "table", "default"),
                      model = apps_times(&apps, group, "model", "default");
    is_int(3, (long long)star.rounds, "star has three rounds, and none before them");
    is_near(18, star.time.centre, 1e-12, "their median");
    is_near(0.9, star.ratio.centre, 1e-12, "of ratios to the default of the same round");
    is_near(0.8, star.ratio.low, 1e-12, "from the least");
    is_near(1.1, star.ratio.high, 1e-12, "to the most, which is of another directory");
    is_near(0.75, star.ratio.coverage, 1e-12, "with three quarters");
    is_near(1e-14, star.deviation, 1e-12, "the results are so far apart");
    is_int(2, (long long)table.wrong, "a failed run, and one with another result");
    ok(table.rounds == 0 && isnan(table.time.centre), "have no time that counts");
    is_str("status 1: no <b>such</b> thing", table.reason, "the first one's reason is kept");
    ok(model.rounds == 0 && isnan(model.ratio.centre), "a mode that was not run has no time");
    is_str("star", apps_star(&apps, group), "star is found");
    struct apps_kind *kind = apps_kinds(&apps, group, &kinds);
    is_int(2, (long long)kinds, "kinds of calls of a tenth of the time or more");
    is_near(0.75, kind[0].share, 1e-12, "the longest first");
    is_int(20000, (long long)kind[0].bytes, "with its size");
    is_int(10000, (long long)kind[1].bytes, "of an allgatherv the mean over ranks");
    is_near(164, kind[0].calls, 1e-12, "calls on two communicators are of one kind");
    const struct apps_choice chosen = apps_choice(&apps, group, "star", &kind[0]);
    is_str("portable:ring", chosen.algorithm, "what most runs chose");
    ok(chosen.n == 2 && chosen.of == 3, "is of two of three runs, on however many communicators");
    is_str(USUAL, apps_default_is(&apps, group, &kind[0]),
           "the default is known, to its last byte");
    free(kind);
    free(group);
    apps_clear(&apps);
}

/* What was ended and went on is of several commits and dates; only the first line names the
 * cluster. */
static void test_parts(void)
{
    struct apps apps;
    struct err err;
    clear();
    put("parts", "runs.csv",
        "# collsel apps 2; cluster=star-a size=paper ranks=16 rounds=3\n"
        "# arguments: --where cluster=star-b started=never\n"
        "# commit=aaaa host=h started=2026-11-26T00:00:00Z\n"
        "# commit=bbbb host=h started=2026-11-26T01:00:00Z\n"
        "# commit=aaaa host=h started=2026-11-26T02:00:00Z\n"
        "mpi,application,size,ranks,steps,of_steps,mode,round,status,steps_s,wall_s,deviation,"
        "reason\n");
    if (!ok(read_apps(&apps, &err) == 0, "results in three parts: %s", err.text))
        return;
    is_str("aaaa, bbbb", apps.dir[0].commit, "each commit is told, once");
    is_str("2026-11-26T00:00:00Z", apps.dir[0].started, "and when the first began");
    is_str("star-a", apps.dir[0].cluster, "a cluster in an argument is none");
    is_str("--where cluster=star-b started=never", apps.dir[0].arguments, "but an argument");
    apps_clear(&apps);
}

static char *report_file(const struct fixture *f, const char *name);
static int write_report(const struct fixture *f, struct err *err);

static void put_conditions(const char *name, const char *lines)
{
    static const char rows[] = "openmpi,nbody,paper,16,160,1000,default,1,ok,10,11,0,\n"
                               "openmpi,nbody,paper,16,160,1000,table,1,ok,9,11,0,\n";
    char text[4096];
    snprintf(text, sizeof text, "# collsel apps 2; cluster=star-a\n%s%s%s", lines,
             strstr(head, "mpi,"), rows);
    put(name, "runs.csv", text);
}

/* What differs is not put together, and no condition is forgotten. */
static void test_conditions(const struct fixture *f)
{
    struct apps apps;
    struct err err;
    size_t n;
    clear();
    put_conditions("a", "# launch: srun -n 16\n# files: table=aaaa\n"
                        "# commit=x started=1\n# environment: UCX_TLS=tcp\n"
                        "# commit=x started=2\n# environment: UCX_TLS=tcp,self\n"
                        "# commit=x started=3\n"
                        "# commit=x started=4\n# environment: UCX_TLS=tcp\n");
    put_conditions("b", "# launch: srun -n 16 --mem-bind=local\n# commit=x started=5\n");
    put_conditions("c", "# launch: srun -n 16\n# files: model=1 table=bbbb\n"
                        "# commit=x started=6\n# environment: UCX_TLS=sm\n");
    put_conditions("d", "# launch: srun -n 16\n# files: table=aaaa\n# commit=x started=7\n");
    if (!ok(read_apps(&apps, &err) == 0, "four directories: %s", err.text))
        return;
    is_str("UCX_TLS=tcp | UCX_TLS=tcp,self", apps.dir[0].environment,
           "what parts exported is kept of all, once");
    ok(apps.dir[0].parts == 4 && apps.dir[0].parts_set == 3, "... which one of four did not");
    struct apps_group *group = apps_groups(&apps, &n);
    is_int(2, (long long)n, "another launch is another group");
    is_str("srun -n 16", group[0].launch, "... of the first one");
    is_int(3, (long long)apps_times(&apps, group, "default", NULL).rounds,
           "rounds of the default are three, whatever file others were given");
    is_int(2, (long long)apps_times(&apps, group, "table", NULL).rounds,
           "those by one table are two");
    is_int(1, (long long)apps_times(&apps, group, "table (bbbb)", "default").pairs,
           "... by the other one");
    is_int(1, (long long)apps_times(&apps, group + 1, "table", NULL).rounds,
           "... and where there is but one, that nobody tells, it is the table");
    free(group);
    apps_clear(&apps);
    if (!ok(write_report(f, &err) == 0, "a page of them: %s", err.text))
        return;
    char *page = fixture_pages(f), *times = report_file(f, "tables/apps-times.csv"),
         *every = report_file(f, "tables/apps-modes.csv");
    has_str("srun -n 16 --mem-bind=local", times, "the table has the launch");
    has_str("table (bbbb)", every, "... and the mode");
    has_str("ranks started by: <code>srun -n 16 --mem-bind=local", page, "the page tells it");
    has_str("not alike in all 4 parts</strong> (in 3 of them something); these are: "
            "<code>UCX_TLS=tcp | UCX_TLS=tcp,self",
            page, "... what only parts had");
    has_str("exported: <code>UCX_TLS=sm", page, "... and what all had");
    has_str("given: <code>model=1 table=bbbb", page, "... and files");
    free(page);
    free(times);
    free(every);
}

/* ---- broken files ---- */

static void refuses(const char *text, const char *wanted, const char *what)
{
    struct apps apps;
    struct err err;
    clear();
    put("odd", "runs.csv", text);
    is_int(-1, read_apps(&apps, &err), "%s is refused", what);
    has_str(wanted, err.text, "... %s", wanted);
}

static void test_broken(void)
{
    char text[2048];
    struct apps apps;
    struct err err;
    refuses("mpi,application\n", "runs.csv:1: no results of ci/apps", "a file of something else");
    refuses("# collsel apps 2; cluster=star-b size=x\n", "of the cluster 'star-b' (want 'star-a'",
            "one of another cluster");
    refuses("# collsel apps 2; cluster=../x\n", "runs.csv:1: no results", "a cluster that is none");
    refuses("", "runs.csv:1: no results", "an empty file");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memcpy(text, "# collsel apps 2; cluster=star-a\n# ", 35);
    refuses(text, "runs.csv:2: longer than", "a line without end");
    text[900] = '\n';
    memcpy(text + 33, "# arguments: ", 13);
    refuses(text, "runs.csv:2: 'xxxx", "words that are too long to be compared");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,160\nopenmpi,x,", head);
    refuses(text, "runs.csv:5: ", "a row that was cut");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,160,1000,star,1,fine,1,1,0,\n", head);
    refuses(text, "runs.csv:5: status: 'fine'", "an unknown status");
    snprintf(text, sizeof text, "%sopenmpi,../../x,paper,16,160,1000,star,1,ok,1,1,0,\n", head);
    refuses(text, "runs.csv:5: application: ", "a path for a name");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,160,1000,star,1,ok,-3,1,0,\n", head);
    refuses(text, "runs.csv:5: steps_s: ", "a time below nothing");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,160,1000,star,1,ok,nan,1,0,\n", head);
    refuses(text, "runs.csv:5: steps_s: ", "a time that is no number");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,-3,,star,1,ok,3,1,0,\n", head);
    refuses(text, "runs.csv:5: steps: ", "steps below nothing");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,,,star,-7,ok,3,1,0,\n", head);
    refuses(text, "runs.csv:5: round: ", "a round below nothing");
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,,,star,1,ok,3,1,-1,\n", head);
    refuses(text, "runs.csv:5: deviation: ", "a deviation below nothing");
    snprintf(text, sizeof text,
             "%sopenmpi,nbody,paper,16,,,star,1,ok,3,1,0,\nopenmpi,nbody,paper,16,,,star,1,ok,3,1,"
             "0,\n",
             head);
    refuses(text, "row 2 is of the same run as row 1", "the same run twice");
    clear();
    put_runs("first", planted);
    put_runs("second", planted_later);
    put_runs("third", planted);
    is_int(-1, read_apps(&apps, &err), "a directory under a second name is no further rounds");
    has_str("in 'first', too, which started at the same time", err.text, "... and is told");
    clear();
    put_runs("odd", planted);
    put("odd", "reports/openmpi-nbody-star-1.json", "{\"format\": \"collsel profile 2\"}\n");
    is_int(-1, read_apps(&apps, &err), "a report that is none is refused");
    has_str("openmpi-nbody-star-1.json:1: ", err.text, "... with its path");
    char name[301];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    put_profile("odd", "star-1", name);
    is_int(-1, read_apps(&apps, &err), "a name that would be cut is refused");
    has_str("star-1.json:2: rows/0/algorithm: 'xxxx", err.text, "... with its place");
    clear();
    snprintf(text, sizeof text, "%sopenmpi,nbody,paper,16,160,1000,star,1,ok,3,1,0,", planted);
    put_runs("cut", text);
    if (ok(read_apps(&apps, &err) == 0, "a last line that is being written is none: %s",
           err.text)) {
        is_int(9, (long long)apps.runs, "... and all others are read");
        apps_clear(&apps);
    }
}

/* What a user's words say is no line of the file's. */
static void test_words(void)
{
    char text[2048];
    struct apps apps;
    struct err err;
    clear();
    snprintf(text, sizeof text,
             "# collsel apps 2; cluster=star-a\n# arguments: --of cluster=x # emulated: y "
             "started=z # commit=w\n# collsel apps 2; cluster=star-b\n%s%s",
             strstr(head, "mpi,"), planted);
    put("words", "runs.csv", text);
    if (!ok(read_apps(&apps, &err) == 0, "words that look like another line are read: %s",
            err.text))
        return;
    is_str("star-a", apps.dir->cluster, "... as they are: of this cluster");
    is_str("--of cluster=x # emulated: y started=z # commit=w", apps.dir->arguments,
           "... arguments whole");
    is_str("", apps.dir->emulated, "... not emulated");
    is_str("", apps.dir->started, "... of no date");
    is_str("", apps.dir->commit, "... and of no commit");
    apps_clear(&apps);
}

/* More rows than can be compared are refused at once, not after hours. */
static void test_many(void)
{
    char path[256];
    struct apps apps;
    struct err err;
    clear();
    put_runs("many", "");
    snprintf(path, sizeof path, "%s/apps/many/runs.csv", base);
    FILE *f = fopen(path, "ae");
    for (int i = 1; i <= APPS_MOST_RUNS; i++)
        fprintf(f, "openmpi,nbody,paper,16,,,star,%d,ok,3,1,0,\n", i);
    fclose(f);
    is_int(-1, read_apps(&apps, &err), "too many rows are refused");
    has_str("runs.csv:20001: more than 20000 rows", err.text, "... by the first of them");
}

/* Nobody may write into it, so that who reads it waits for ever; not by a link, either. */
static void test_pipe(void)
{
    char path[256], link[256];
    struct apps apps;
    struct err err;
    clear();
    put_runs("pipe", planted);
    snprintf(path, sizeof path, "%s/apps/pipe/pipe", base);
    snprintf(link, sizeof link, "%s/apps/pipe/reports/openmpi-nbody-star-1.json", base);
    if (mkfifo(path, 0600) != 0 || symlink(path, link) != 0)
        return;
    is_int(-1, read_apps(&apps, &err), "a pipe for a report is refused");
    has_str("is a pipe", err.text, "... and not waited for");
}

/* A byte of nothing ends a text of C, and not a line. */
static void test_nul(void)
{
    char path[256], text[2048];
    struct apps apps;
    struct err err;
    clear();
    put_runs("nul", "");
    snprintf(path, sizeof path, "%s/apps/nul/runs.csv", base);
    const int n =
        snprintf(text, sizeof text, "%sopenmpi,nbo@dy,paper,16,160,1000,star,1,ok,3,1,0,\n", head);
    *strchr(text, '@') = '\0';
    FILE *f = fopen(path, "we");
    fwrite(text, 1, (size_t)n, f);
    fclose(f);
    is_int(-1, read_apps(&apps, &err), "a zero byte is refused");
    has_str("runs.csv:5: ", err.text, "... by its line");
}

/* ---- the page ---- */

static char *report_file(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/report/%s", f->dir, name);
    return fs_read(path, NULL, NULL);
}

static int write_report(const struct fixture *f, struct err *err)
{
    struct report_request request = { .dir = f->dir, .assets = "reports" };
    struct report_result result;
    *err = (struct err){ 0 };
    return report_write(&request, &result, err);
}

static struct fixture study(void)
{
    struct fixture f = { .backend = "sim", .cluster = "star-a", .n_mpi = 1, .mpi = { "smpi" } };
    snprintf(f.dir, sizeof f.dir, "%s/bcast", base);
    fixture_write(&f);
    return f;
}

/* Of the only row of a table as CSV with these words, the field of a column. */
static const char *field(const char *csv, const char *words, const char *column)
{
    static char value[256];
    char line[4096], name[128];
    const char *row = csv ? strstr(csv, words) : NULL, *at = csv;
    int k = 0;
    for (; at && row && *at != '\n'; k++) {
        const size_t n = strcspn(at, ",\n");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        if (strcmp(name, column) == 0)
            break;
        at += n + (at[n] == ',');
    }
    if (!row || *at == '\n')
        return "none";
    snprintf(line, sizeof line, "%.*s", (int)strcspn(row, "\n"), row);
    char *rest = line, *word = NULL;
    for (; k >= 0; k--)
        word = strsep(&rest, ",");
    snprintf(value, sizeof value, "%s", word ? word : "none");
    return value;
}

static void test_page(const struct fixture *f)
{
    static const struct {
        const char *column, *wanted, *what;
    } rows[] = { { "star_s", "18", "STAR's median" },
                 { "star_is", "star", "which is of this mode" },
                 { "ours_s", "", "and is not shown again" },
                 { "star_ratio", "0.9", "its ratio" },
                 { "star_ratio_low", "0.8", "from the least" },
                 { "star_ratio_high", "1.1", "to the most" },
                 { "star_coverage", "0.75", "which covers so much" },
                 { "star_ratio_upper", "", "too little for its end to be a bound" },
                 { "default_s", "20", "the default's median" },
                 { "steps", "160", "steps" },
                 { "of_steps", "1000", "of how many" },
                 { "static_s", "", "a table that went wrong has no time" },
                 { "model_s", "", "nor has a mode without runs" },
                 { "paper_star_s", "4002", "the paper's STAR" },
                 { "paper_static_s", "4268", "its STATIC" },
                 { "paper_default_s", "4304", "its MPICH" },
                 { "backend", "emulated", "and where ours are from, whatever the study's" } };
    struct err err;
    plant();
    if (!ok(write_report(f, &err) == 0, "a page with the section: %s", err.text))
        return;
    char *times = report_file(f, "tables/apps-times.csv"), *page = fixture_pages(f),
         *calls = report_file(f, "tables/apps-calls.csv"),
         *algorithms = report_file(f, "tables/apps-algorithms.csv"),
         *every = report_file(f, "tables/apps-modes.csv");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_str(rows[i].wanted, field(times, "nbody,openmpi", rows[i].column), "%s", rows[i].what);
    is_str("20000", field(calls, "nbody,openmpi", "paper_bytes"), "the paper's size is beside");
    is_str("portable:ring", field(algorithms, "nbody,openmpi", "star"), "ours was chosen");
    is_str("simple", field(algorithms, "nbody,openmpi", "paper_star"), "the paper's is beside");
    is_str("", field(algorithms, "nbody,openmpi", "model"), "of nothing nothing is said");
    has_str("apt-get install libfftw3-dev", every, "what could not be tried has its reason");
    has_str("status 1: no <b>such</b> thing", every, "and so has what failed");
    ok(page && strstr(page, "160 of 1000"), "the page says that these are not all steps");
    ok(page && strstr(page, "These times are emulated"), "and that they are emulated");
    ok(page && !strstr(page, "<b>such"), "texts of files stay texts");
    free(times);
    free(page);
    free(calls);
    free(algorithms);
    free(every);
}

/* Whose times they are the cluster says, whatever its name. */
static void test_here(const struct fixture *f)
{
    struct fixture here = *f;
    struct err err;
    char text[2048];
    clear();
    snprintf(text, sizeof text,
             "# collsel apps 2; cluster=star-a size=paper ranks=16 rounds=3\n"
             "# commit=0123abcd host=h cores=2 started=2026-11-26T00:00:00Z\n%s"
             "openmpi,nbody,paper,16,160,1000,default,1,ok,20,21,,\n",
             strstr(head, "mpi,application"));
    put("one", "runs.csv", text);
    for (here.here = 0; here.here < 2; here.here++) {
        fixture_manifest(&here);
        ok(write_report(&here, &err) == 0, "a page: %s", err.text);
        char *times = report_file(&here, "tables/apps-times.csv");
        is_str(here.here ? "local" : "real", field(times, "nbody,openmpi", "backend"),
               "measured %s", here.here ? "on this machine" : "elsewhere");
        free(times);
    }
}

/* Of four rounds the median is below the largest with 94 %. */
static void test_upper(const struct fixture *f)
{
    char rows[2048] = "";
    struct err err;
    for (int round = 1; round <= 4; round++)
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows),
                 "openmpi,nbody,paper,16,160,1000,default,%d,ok,10,11,0,\n"
                 "openmpi,nbody,paper,16,160,1000,star,%d,ok,%d,11,0,\n",
                 round, round, 5 + round);
    clear();
    put_runs("four", rows);
    if (!ok(write_report(f, &err) == 0, "a page of four rounds: %s", err.text))
        return;
    char *times = report_file(f, "tables/apps-times.csv");
    is_str("0.9", field(times, "nbody,openmpi", "star_ratio_upper"), "which is a bound");
    is_str("", field(times, "nbody,openmpi", "static_ratio_upper"), "where there is a time");
    free(times);
}

/* Table 5: each ratio has its own other mode, of the same round. */
static void test_overhead(const struct fixture *f)
{
    static const struct {
        const char *column, *wanted, *what;
    } wanted[] = { { "star_s", "12", "STAR" },
                   { "static_s", "8", "STATIC" },
                   { "best_s", "6", "STAR'" },
                   { "star_to_static", "1.5", "STAR to STATIC" },
                   { "best_to_static", "0.75", "STAR' to STATIC" },
                   { "star_to_best", "2", "STAR to STAR'" },
                   { "best_to_static_high", "0.8", "the most" },
                   { "best_to_static_upper", "", "of three rounds no bound" },
                   { "rounds", "3", "so that its claims, which want four, are not judged" },
                   { "paper_star_s", "9780", "the paper's STAR" },
                   { "paper_static_s", "9515", "its STATIC" },
                   { "paper_best_s", "9420", "its STAR'" } };
    static const int took[][4] = { { 10, 12, 8, 6 }, { 11, 9, 10, 8 }, { 9, 16, 7, 5 } };
    static const char *const mode[] = { "default", "star", "table", "best" };
    char rows[2048] = "";
    struct err err;
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < 4; k++)
            snprintf(rows + strlen(rows), sizeof rows - strlen(rows),
                     "openmpi,lammps,paper,16,160,10000,%s,%d,ok,%d,20,0,\n", mode[k], round + 1,
                     took[round][k]);
    clear();
    put_runs("overhead", rows);
    if (!ok(write_report(f, &err) == 0, "a page with STAR': %s", err.text))
        return;
    char *table = report_file(f, "tables/apps-overhead.csv");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        is_str(wanted[i].wanted, field(table, "lammps,openmpi", wanted[i].column), "Table 5: %s",
               wanted[i].what);
    free(table);
}

/* Words that gnuplot, a browser or LaTeX would run, where texts may be. */
static void test_hostile(const struct fixture *f)
{
    static const char evil[] =
        "`touch evil`\" \\@data <script>alert(1)</script> \\input{/etc/passwd}";
    char rows[2048], text[4096];
    struct err err;
    clear();
    snprintf(rows, sizeof rows,
             "openmpi,nbody,paper,16,160,1000,default,1,ok,10,11,0,\n"
             "openmpi,nbody,paper,16,160,1000,star,1,ok,8,9,0,\n"
             "openmpi,nbody,paper,16,160,1000,table,1,failed,,,,\"%.*s\033]0;x\007 \xff\xc3 $x$ "
             "\\input{x}\"\n",
             12, evil);
    snprintf(text, sizeof text, "%.*s# arguments: %s\n%s%s", (int)(strstr(head, "mpi,") - head),
             head, evil, strstr(head, "mpi,"), rows);
    put("evil", "runs.csv", text);
    put_profile("evil", "star-1", "portable:<script>alert(2)</script>`x`");
    if (!ok(write_report(f, &err) == 0, "a page of texts that would run: %s", err.text))
        return;
    char *page = fixture_pages(f), *tex = report_file(f, "tables/apps-modes.tex");
    ok(page && !strstr(page, "<script>alert"), "has no script of theirs");
    ok(page && !strchr(page, 033) && !strchr(page, 007), "no control characters");
    ok(tex && !strstr(tex, "\\input"), "nothing that LaTeX would run");
    ok(!fs_exists("evil"), "nothing was run");
    free(page);
    free(tex);
}

/* What is printed beside ours is the paper's: what its text says of its tables is so of ours. */
static const struct {
    const char *application, *size;
    int ranks;
    double star_pct, static_pct; /* faster than MPICH, as section 4.2 says; NaN: it does not say */
} said[] = {
    { "fft", "paper", 16, 64.9, 11 },       { "fftw", "paper", 16, 64.9, 11 },
    { "fft", "paper-b", 32, 31.7, 7.7 },    { "lammps", "paper-b", 32, 85.6, NAN },
    { "ntube", "paper-b", 32, 408.9, NAN },
};

static const struct reference_app *theirs(const struct reference *r, const char *application,
                                          const char *size, int ranks)
{
    struct apps_run run = { .ranks = ranks };
    snprintf(run.application, sizeof run.application, "%s", application);
    snprintf(run.size, sizeof run.size, "%s", size);
    return reference_apps_find(r, &run);
}

static void test_reference(void)
{
    struct reference r;
    struct err err = { 0 };
    r.row = schema_read(&reference_apps_schema, "reports", &r.n, &err);
    if (!ok(r.row != NULL, "the paper's figures: %s", err.text))
        return;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const struct reference_app *a =
            theirs(&r, said[i].application, said[i].size, said[i].ranks);
        is_near(said[i].star_pct, 100 * (a->usual_s / a->star_s - 1), 2e-3, "%s, %s: STAR's gain",
                said[i].application, said[i].size);
        if (!isnan(said[i].static_pct))
            is_near(said[i].static_pct, 100 * (a->usual_s / a->fixed_s - 1), 4e-2,
                    "... and STATIC's");
    }
    const struct reference_app *tube = theirs(&r, "ntube", "paper", 16);
    ok(tube->star_s > tube->usual_s && tube->fixed_s > tube->star_s,
       "NTUBE on (a): STAR slightly worse than MPICH, STATIC much");
    ok(!theirs(&r, "fft", "paper", 4), "among fewer ranks messages are others");
    free(r.row);
}

/* Claims say in three digits what the figures are: STAR's time to MPICH's of each program. */
static void test_claims(void)
{
    static const char *const paper[] = { "FFTW", "LAMMPS", "NTUBE", "NBODY" }, *const ours[] = {
        "fft", "lammps", "ntube", "nbody"
    };
    struct reference r;
    struct papers papers;
    struct err err = { 0 };
    r.row = schema_read(&reference_apps_schema, "reports", &r.n, &err);
    if (!r.row || papers_read("reports", &papers, &err) < 0) {
        ok(0, "claims are read: %s", err.text);
        return;
    }
    int seen = 0;
    for (size_t i = 0; i < papers.n; i++)
        for (int k = 0; k < 8; k++) {
            const struct paper_claim *c = &papers.claim[i];
            char begins[64];
            snprintf(begins, sizeof begins, "Topology (%c), %s: under STAR", k < 4 ? 'a' : 'b',
                     paper[k % 4]);
            if (strncmp(c->claim, begins, strlen(begins)) != 0)
                continue;
            const struct reference_app *a =
                theirs(&r, ours[k % 4], k < 4 ? "paper" : "paper-b", k < 4 ? 16 : 32);
            is_near(a->star_s / a->usual_s, strtod(c->theirs, NULL), 3e-3, "%s", begins);
            ok(strstr(c->where, "arguments=") && strstr(c->needs, "rounds>=4") &&
                   strcmp(c->column, "star_ratio_upper") == 0 && c->reduce == REDUCE_MOST,
               "... judged by the largest end that holds, of the program as it is and four rounds");
            seen++;
        }
    is_int(8, seen, "claims of Table 4");
    papers_clear(&papers);
    free(r.row);
}

int main(void)
{
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    test_middle();
    test_planted();
    test_parts();
    test_broken();
    test_nul();
    test_words();
    test_many();
    test_pipe();
    test_reference();
    test_claims();
    const struct fixture f = study();
    struct err err;
    clear();
    ok(write_report(&f, &err) == 0, "a study without applications: %s", err.text);
    char *page = fixture_pages(&f), path[256];
    ok(page && !strstr(page, "id=\"apps\""), "has no such section");
    free(page);
    snprintf(path, sizeof path, "%s/apps", base);
    fs_write(path, "no directory\n", NULL);
    is_int(-1, write_report(&f, &err), "something that cannot be read there is not taken for none");
    has_str("apps': Not a directory", err.text, "... which is told");
    clear();
    test_page(&f);
    test_upper(&f);
    test_overhead(&f);
    test_hostile(&f);
    test_conditions(&f);
    test_here(&f);
    fixture_clear(base);
    return tap_done();
}
