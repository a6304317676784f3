/* SPDX-License-Identifier: BSD-3-Clause */
/* Plan and samples files: every malformed one of plan-invalid/, samples-invalid/ and
 * outcomes-invalid/ gives the message its first line expects; the store knows which points are
 * finished. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/study/journal.h"
#include "harness/study/store.h"
#include "tests/tap.h"

#define POINT        "0123456789abcdef"
#define NAME         "null-core-1x2-p2-r1.a1-00000000"
#define SAMPLES_HEAD "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n"
#define OUTCOMES_HEAD                                                                              \
    "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,n_rows,n,converged,"  \
    "checked,elapsed_s,core_s\n"
#define ROW(rep)      POINT "," rep ",2e-3,1.5e-3,1e-3,1e-3,0.5,0,1\n"
#define OUTCOME(rows) POINT ",ok,,planted,portable:chain,8192,4," rows ",1,1,0,0.1,0.2\n"

static void remove_tree(const char *dir)
{
    static const char *const names[] = { "samples/" NAME ".csv",
                                         "samples/" NAME ".outcomes.csv",
                                         "samples/null-core-1x2-p2-r1.a2-00000000.csv",
                                         "samples/null-core-1x2-p2-r1.a2-00000000.outcomes.csv",
                                         "events.jsonl",
                                         "plan.csv" };
    char path[512];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/samples", dir);
    rmdir(path);
    rmdir(dir);
}

static void put(const char *dir, const char *name, const char *text)
{
    char path[512];
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (fs_write(path, text, &err) < 0)
        diag("%s", err.text);
}

static void read_expected(const char *text, char *buf, size_t size)
{
    static const char mark[] = "# expect: ";
    const char *at = strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : "";
    snprintf(buf, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static int load_plan(const char *dir, const char *text, struct err *err)
{
    struct plan plan;
    char path[512];
    put(dir, "plan.csv", text);
    snprintf(path, sizeof path, "%s/plan.csv", dir);
    int status = plan_read(path, &plan, err);
    if (status == 0)
        plan_free(&plan);
    return status;
}

static int load_samples(const char *dir, const char *text, struct err *err)
{
    struct store store;
    put(dir, "samples/" NAME ".csv", text);
    int status = store_open(dir, NULL, &store, err);
    if (status == 0)
        store_free(&store);
    return status;
}

static int load_outcomes(const char *dir, const char *text, struct err *err)
{
    struct store store;
    put(dir, "samples/" NAME ".csv", SAMPLES_HEAD ROW("0"));
    put(dir, "samples/" NAME ".outcomes.csv", text);
    int status = store_open(dir, NULL, &store, err);
    if (status == 0)
        store_free(&store);
    return status;
}

static int is_csv(const struct dirent *d)
{
    return strstr(d->d_name, ".csv") != NULL;
}

static void check_folder(const char *folder, int least,
                         int (*load)(const char *dir, const char *text, struct err *err))
{
    struct dirent **names;
    char path[512], expected[512];
    snprintf(path, sizeof path, "tests/harness/%s", folder);
    int n = scandir(path, &names, is_csv, alphasort);
    ok(n >= least, "%s has at least %d files", folder, least);
    for (int i = 0; i < n; i++) {
        struct err err = { 0 };
        char dir[] = "/tmp/collsel-store-XXXXXX";
        snprintf(path, sizeof path, "tests/harness/%s/%s", folder, names[i]->d_name);
        char *text = fs_read(path, NULL, &err);
        read_expected(text ? text : "", expected, sizeof expected);
        if (text && mkdtemp(dir) &&
            ok(load(dir, text, &err) < 0 && *expected, "%s/%s is refused", folder,
               names[i]->d_name)) {
            has_str(expected, err.text, "%s: and the message says why", names[i]->d_name);
            is_int(EXIT_FAILED, err.status, "%s: with status 1", names[i]->d_name);
        }
        remove_tree(dir);
        free(text);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

/* Opens the store of the files put before; 1 when the point is finished. */
static int finished(const char *dir, struct store *store)
{
    struct err err = { 0 };
    if (store_open(dir, "00000000", store, &err) < 0) {
        diag("%s", err.text);
        *store = (struct store){ 0 };
        return -1;
    }
    return store_find(store, POINT, 1) != NULL;
}

/* A point that was timed under another name has the other one's samples. */
static void check_same(void)
{
    static const char head[] = "point,status,reason,verified,ran_algorithm,ran_segment_bytes,"
                               "ran_fanout,n_rows,n,converged,checked,elapsed_s,core_s,same_as\n",
                      own[] = POINT ",ok,,planted,portable:chain,8192,4,2,2,1,0,0.1,0.2,\n";
    char dir[] = "/tmp/collsel-store-XXXXXX", text[1024];
    static const char other[] = "00000000000000aa";
    struct store s;
    size_t n = 0;
    if (!mkdtemp(dir))
        return;
    put(dir, "samples/" NAME ".csv", SAMPLES_HEAD ROW("0") ROW("1"));
    snprintf(text, sizeof text,
             "%s%s%s,substituted,,planted,portable:chain,8192,4,2,2,1,0,0.1,0.2," POINT "\n", head,
             own, other);
    put(dir, "samples/" NAME ".outcomes.csv", text);
    is_int(1, finished(dir, &s), "a point that was timed is finished");
    const struct outcome *o = store_find(&s, other, 1);
    if (ok(o != NULL, "and one that has its samples")) {
        struct sample *v = store_samples(&s, o, &n, NULL);
        is_int(2, (int)n, "which are both its own and the other's");
        is_near(2e-3, v ? v[1].max_s : 0, 1e-12, "to the last");
        free(v);
    }
    store_free(&s);
    snprintf(text, sizeof text,
             "%s%s%s,ok,,planted,portable:chain,8192,4,3,2,1,0,0.1,0.2," POINT "\n", head, own,
             other);
    put(dir, "samples/" NAME ".outcomes.csv", text);
    finished(dir, &s);
    ok(store_find(&s, other, 1) == NULL, "of samples that are not all there nobody is finished");
    store_free(&s);
    remove_tree(dir);
}

/* Whether something else ran is a column that older files have not. */
static void check_disturbed(void)
{
    char dir[] = "/tmp/collsel-store-XXXXXX";
    struct store s;
    size_t n;
    if (!mkdtemp(dir))
        return;
    put(dir, "samples/" NAME ".outcomes.csv", OUTCOMES_HEAD OUTCOME("2"));
    put(dir, "samples/" NAME ".csv",
        "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid,disturbed\n" POINT
        ",0,1,1,1,1,1,0,1,1\n" POINT ",1,1,1,1,1,1,0,1,0\n");
    is_int(1, finished(dir, &s), "a file that says what was disturbed is read");
    struct sample *v = store_samples(&s, store_find(&s, POINT, 1), &n, NULL);
    ok(v && n == 2 && v[0].disturbed && !v[1].disturbed, "call by call");
    free(v);
    store_free(&s);
    put(dir, "samples/" NAME ".csv", SAMPLES_HEAD ROW("0") ROW("1"));
    is_int(1, finished(dir, &s), "an older one, too");
    v = store_samples(&s, store_find(&s, POINT, 1), &n, NULL);
    ok(v && n == 2 && !v[0].disturbed && !v[1].disturbed, "with nothing disturbed");
    free(v);
    store_free(&s);
    remove_tree(dir);
}

static void check_finished(void)
{
    char dir[] = "/tmp/collsel-store-XXXXXX";
    struct store s;
    size_t n;
    if (!mkdtemp(dir))
        return;
    is_int(0, finished(dir, &s), "nothing there: nothing is finished");
    store_free(&s);
    put(dir, "samples/" NAME ".csv",
        "# seed: 1\n" SAMPLES_HEAD ROW("0") "sentinel,0,1,1,1,1,1,0,1\n" ROW("1"));
    is_int(0, finished(dir, &s), "samples without an outcome are not finished");
    store_free(&s);
    put(dir, "samples/" NAME ".outcomes.csv", OUTCOMES_HEAD OUTCOME("2"));
    is_int(1, finished(dir, &s), "two samples and an outcome of two are");
    is_int(0, store_find(&s, POINT, 2) != NULL, "but not for another repeat");
    struct sample *v = s.n_outcomes ? store_samples(&s, s.outcomes, &n, NULL) : NULL;
    ok(v && n == 2 && v[1].rep == 1, "both samples are there");
    free(v);
    v = store_sentinels(&s, 0, &n, NULL);
    ok(v && n == 1 && v[0].max_s == 1, "and the sentinel's");
    free(v);
    store_free(&s);
    is_int(1, finished(dir, &s), "opened anew");
    put(dir, "samples/" NAME ".csv", SAMPLES_HEAD);
    struct err err = { 0 };
    ok(!store_samples(&s, s.outcomes, &n, &err) && n == 0, "samples that are gone since");
    has_str(NAME ".csv", err.text, "are an error that names the file");
    store_free(&s);
    put(dir, "samples/" NAME ".outcomes.csv", OUTCOMES_HEAD OUTCOME("3"));
    is_int(0, finished(dir, &s), "an outcome of three is not: a sample was lost");
    store_free(&s);
    put(dir, "samples/" NAME ".csv", SAMPLES_HEAD ROW("0") ROW("1") POINT ",2,2e-3,1.5");
    is_int(0, finished(dir, &s), "a line cut short is dropped, the point is not finished");
    is_int(1, s.n_files ? s.files[0].truncated : 0, "and the file says so");
    store_free(&s);
    put(dir, "samples/" NAME ".outcomes.csv", OUTCOMES_HEAD "0123456789abc");
    is_int(0, finished(dir, &s), "an outcome cut short is none");
    store_free(&s);
    put(dir, "samples/" NAME ".outcomes.csv", "point,sta");
    is_int(0, finished(dir, &s), "a header cut short is an empty file");
    store_free(&s);
    put(dir, "samples/null-core-1x2-p2-r1.a2-00000000.csv", SAMPLES_HEAD ROW("0"));
    put(dir, "samples/null-core-1x2-p2-r1.a2-00000000.outcomes.csv", OUTCOMES_HEAD OUTCOME("1"));
    is_int(1, finished(dir, &s), "a later attempt finishes it");
    is_int(2, store_attempts(dir, "null-core-1x2-p2-r1", NULL), "that was attempt 2");
    store_free(&s);
    if (ok(store_open(dir, "11111111", &s, NULL) == 0, "under another digest")) {
        is_int(0, (long long)s.n_files, "nothing was measured");
        is_int(2, (long long)s.n_other, "two files are passed over");
        store_free(&s);
    }
    remove_tree(dir);
}

static void check_failures(void)
{
    char dir[] = "/tmp/collsel-store-XXXXXX";
    struct journal journal;
    struct store s;
    struct event e = { .launch = "null-core-1x2-p2-r1",
                       .attempt = 1,
                       .event = "timeout",
                       .reason = "hung \xff",
                       .point = POINT,
                       .digest = "00000000" };
    if (!mkdtemp(dir))
        return;
    put(dir, "events.jsonl", "{\"launch\":\"null-co");
    if (ok(journal_open(&journal, dir, NULL) == 0, "a journal with a line cut short opens")) {
        ok(journal_write(&journal, &e, NULL) == 0, "an event is written");
        ok(journal_write(&journal, &e, NULL) == 0, "and again");
        journal_close(&journal);
    }
    finished(dir, &s);
    const struct failure *f = store_failure(&s, POINT, "", 1);
    if (ok(f != NULL, "the point in flight is known to have failed")) {
        is_int(1, f->timeout, "by timeout");
        is_int(2, f->count, "twice");
        is_str("hung ?", f->reason, "with the reason");
    }
    ok(store_failure(&s, POINT, "", 2) == NULL, "not in another repeat");
    store_free(&s);
    remove_tree(dir);
}

/* A name that leads to itself, or a directory in a file's place, cannot be read, whoever asks. */
static void check_unreadable(void)
{
    static const struct {
        const char *name;
        int directory;
    } rows[] = { { "samples", 0 },
                 { "samples/" NAME ".csv", 0 },
                 { "samples/" NAME ".csv", 1 },
                 { "samples/" NAME ".outcomes.csv", 0 },
                 { "samples/" NAME ".outcomes.csv", 1 },
                 { "events.jsonl", 0 },
                 { "events.jsonl", 1 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char dir[] = "/tmp/collsel-store-XXXXXX", path[512], aside[600];
        struct err err = { 0 };
        struct store s;
        if (!mkdtemp(dir))
            return;
        put(dir, "samples/" NAME ".csv", SAMPLES_HEAD ROW("0"));
        put(dir, "samples/" NAME ".outcomes.csv", OUTCOMES_HEAD OUTCOME("1"));
        put(dir, "events.jsonl", "");
        snprintf(path, sizeof path, "%s/%s", dir, rows[i].name);
        snprintf(aside, sizeof aside, "%s.aside", path);
        rename(path, aside);
        if (rows[i].directory ? mkdir(path, 0777) : symlink(path, path))
            diag("%s", path);
        is_int(-1, store_open(dir, NULL, &s, &err), "%s that cannot be read is not empty",
               rows[i].name);
        has_str(path, err.text, "and is named");
        if (i == 0)
            is_int(-1, store_attempts(dir, "null-core-1x2-p2-r1", &err),
                   "nor are attempts counted without it");
        fs_remove_tree(dir, NULL);
    }
}

/* Rows of many points in turns, with blank and quoted lines between them: each has its own. */
static void check_interleaved(void)
{
    enum { POINTS = 50, ROWS = 7 };
    char dir[] = "/tmp/collsel-store-XXXXXX", *text = NULL;
    size_t len, n;
    struct store s;
    int right = 0;
    if (!mkdtemp(dir))
        return;
    FILE *f = open_memstream(&text, &len);
    fputs("# one\n#\n" SAMPLES_HEAD, f);
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < POINTS; p++)
            fprintf(f,
                    p % 9 ? "%016x,%d,%d,0,0,0,0.5,0,1\n" : "\n\"%016x\",%d, %d ,0,0,0,0.5,0,1\n",
                    p + 1, r, 100 * p + r);
    fclose(f);
    put(dir, "samples/" NAME ".csv", text);
    free(text);
    f = open_memstream(&text, &len);
    fputs(OUTCOMES_HEAD, f);
    for (int p = 0; p < POINTS; p++)
        fprintf(f, "%016x,ok,,planted,,,,%d,%d,,0,1,1\n", p + 1, ROWS, ROWS);
    fclose(f);
    put(dir, "samples/" NAME ".outcomes.csv", text);
    free(text);
    finished(dir, &s);
    is_int(POINTS, (long long)s.n_outcomes, "points that took turns are all finished");
    for (size_t i = s.n_outcomes; i-- > 0;) {
        struct sample *v = store_samples(&s, &s.outcomes[i], &n, NULL);
        for (size_t r = 0; v && r < n; r++)
            right += v[r].rep == r && v[r].max_s == 100. * (double)i + (double)r;
        free(v);
    }
    is_int(POINTS * ROWS, right, "and each has its own samples, in order");
    store_free(&s);
    remove_tree(dir);
}

/* Files are read beside each other: what is told is the first of them that is wrong, its samples
 * before its outcomes. */
static void check_first_error(void)
{
    static const char outcomes[] = "samples/" NAME ".outcomes.csv";
    static const char later[] = "samples/null-core-1x2-p2-r1.a2-00000000.csv";
    char dir[] = "/tmp/collsel-store-XXXXXX";
    size_t wrong = 0;
    if (!mkdtemp(dir))
        return;
    put(dir, later, SAMPLES_HEAD "x\n");
    for (int i = 0; i < 30; i++) {
        struct store store;
        struct err err = { 0 };
        put(dir, "samples/" NAME ".csv", i % 2 ? SAMPLES_HEAD ROW("0") ROW("y") : SAMPLES_HEAD);
        put(dir, outcomes, OUTCOMES_HEAD "z\n");
        wrong += store_open(dir, NULL, &store, &err) == 0 ||
                 !strstr(err.text, i % 2 ? NAME ".csv:3: rep: 'y'" : NAME ".outcomes.csv:2: ");
    }
    is_int(0, (long long)wrong, "the first file that is wrong is told, of 30 times");
    remove_tree(dir);
}

int main(void)
{
    check_finished();
    check_first_error();
    check_interleaved();
    check_disturbed();
    check_same();
    check_failures();
    check_unreadable();
    check_folder("plan-invalid", 20, load_plan);
    check_folder("samples-invalid", 10, load_samples);
    check_folder("outcomes-invalid", 10, load_outcomes);
    return tap_done();
}
