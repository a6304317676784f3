/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of rules as the Open MPI that is installed reads them: for random files, valid and not,
 * what the reader here says of every call is what the library does. Forty files; with
 * COLLSEL_LONG five hundred. Where a release reads JSON half of them are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"
#include "harness/base/rng.h"
#include "harness/base/subprocess.h"
#include "harness/rules/rules.h"
#include "harness/study/libraries/natives.h"
#include "tests/harness/openmpi_here.h"
#include "tests/tap.h"

enum { FEW = 40, MANY = 500, RANKS = 4, MOST_WORDS = 64, SAYS = 20 };

/* ---- random files ---- */

static const char *pick(struct rng *rng, const char *const *from, size_t n)
{
    return from[rng_below(rng, n)];
}

#define PICK(rng, ...)                                                                             \
    pick(rng, (const char *const[]){ __VA_ARGS__ },                                                \
         sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* A number as the library reads numbers, now and then in another base or beside a comment. */
static void put_number(FILE *f, struct rng *rng, uint64_t value)
{
    const uint64_t way = rng_below(rng, 40);
    if (way == 0)
        fprintf(f, "0%llo", (unsigned long long)value);
    else if (way == 1)
        fprintf(f, "0x%llx", (unsigned long long)value);
    else if (way == 2)
        fprintf(f, "+%llu", (unsigned long long)value);
    else
        fprintf(f, "%llu", (unsigned long long)value);
    fputs(PICK(rng, " ", " ", " ", "\t", "  # of 12\n", "\n"), f);
}

/* What breaks a file, or looks as if it did. */
static void put_trouble(FILE *f, struct rng *rng)
{
    fputs(PICK(rng, "-1 ", "x ", "rule-file-version-2\n", "7 ", "# 1 2 3\n", "4.5 ", "\"a\" ", "- ",
               "99999999999999999999 ", "-4294967294 ", "4294967298 ", "0x ", "1e3 "),
          f);
}

struct wild {
    struct rng *rng;
    uint64_t trouble; /* one number of so many is in trouble; 0: none */
    int more;         /* rows have a fifth number now and then */
};

static void put(FILE *f, const struct wild *w, uint64_t value)
{
    if (w->trouble && rng_below(w->rng, w->trouble) == 0)
        put_trouble(f, w->rng);
    put_number(f, w->rng, value);
}

static void put_rows(FILE *f, const struct wild *w, int sorted)
{
    static const uint64_t pool[] = { 0, 1, 2, 4, 8, 14, 28, 64, 128, 192, 256, 1000, 4000, 8192 };
    const uint64_t n = rng_below(w->rng, 8) ? 1 + rng_below(w->rng, 6) : 0;
    size_t at = 0;
    put(f, w, n);
    for (uint64_t i = 0; i < n; i++) {
        at = sorted ? at + 1 + rng_below(w->rng, 3) : rng_below(w->rng, 14);
        put(f, w, i == 0 && rng_below(w->rng, 200) ? 0 : pool[at < 14 ? at : 13]);
        put(f, w, rng_below(w->rng, rng_below(w->rng, 4) ? 5 : 10));
        put(f, w, rng_below(w->rng, 5));
        put(f, w, rng_below(w->rng, 2) ? 0 : 16 << rng_below(w->rng, 6));
        if (w->more && rng_below(w->rng, 2))
            fprintf(f, " %d", (int)rng_below(w->rng, 4));
        fputs("\n", f);
    }
}

static void write_wild(FILE *f, struct rng *rng, int versioned)
{
    const struct wild w = { rng, rng_below(rng, 4) ? 0 : 15 + rng_below(rng, 60),
                            versioned && rng_below(rng, 2) };
    const uint64_t n = 1 + rng_below(rng, 12);
    const int sorted = rng_below(rng, 4) != 0;
    if (w.more || rng_below(rng, 40) == 0)
        fputs("rule-file-version-2\n", f);
    put(f, &w, n + (rng_below(rng, 30) == 0));
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t blocks = rng_below(rng, 5);
        uint64_t procs = 0;
        put(f, &w, rng_below(rng, rng_below(rng, 60) ? 17 : 24));
        put(f, &w, blocks);
        for (uint64_t b = 0; b < blocks; b++) {
            procs = sorted ? procs + 1 + rng_below(rng, 2) : rng_below(rng, 7);
            put(f, &w, procs);
            put_rows(f, &w, sorted);
        }
    }
}

/* A bound of a block or a rule, or none. */
static void put_bound(FILE *f, struct rng *rng, const char *key, uint64_t value)
{
    if (rng_below(rng, 3))
        fprintf(f, "\"%s\": %llu, ", key, (unsigned long long)value);
    else if (rng_below(rng, 6) == 0)
        fprintf(f, "\"%s\": \"inf\", ", key);
}

static void put_json_rule(FILE *f, struct rng *rng)
{
    static const uint64_t sizes[] = { 0, 1, 4, 14, 28, 64, 192, 1000, 4000, 8192 };
    const uint64_t least = sizes[rng_below(rng, 10)];
    fputs("{ ", f);
    put_bound(f, rng, "msg_size_min", least);
    put_bound(f, rng, "msg_size_max", least + sizes[rng_below(rng, 10)]);
    if (rng_below(rng, 10) == 0)
        fputs(PICK(rng, "\"segsize\": 64, ", "\"fanout\": 3, ", "\"_said\": \"a\", "), f);
    if (rng_below(rng, 2))
        fprintf(f, "\"seg_size\": %d, ", 16 << rng_below(rng, 6));
    if (rng_below(rng, 2))
        fprintf(f, "\"reqs\": %d, ", (int)rng_below(rng, 4));
    fprintf(f, "\"faninout\": %d, \"alg\": %d }", 2 + (int)rng_below(rng, 3),
            (int)rng_below(rng, rng_below(rng, 4) ? 5 : 10));
}

static void put_json_block(FILE *f, struct rng *rng)
{
    const uint64_t rules = 1 + rng_below(rng, 4), least = rng_below(rng, 5);
    fputs("{ ", f);
    put_bound(f, rng, "comm_size_min", least);
    put_bound(f, rng, "comm_size_max", least + rng_below(rng, 3));
    if (rng_below(rng, 5) == 0)
        fprintf(f, "\"comm_rank_distribution\": \"%s\", ",
                PICK(rng, "any", "single-node", "one-per-node"));
    fputs("\"rules\": [", f);
    for (uint64_t i = 0; i < rules; i++) {
        fputs(i ? ",\n  " : "\n  ", f);
        put_json_rule(f, rng);
    }
    fputs(" ] }", f);
}

/* Each collective once at most: a second one of a name takes the place of the first in ours. */
static void write_json(FILE *f, struct rng *rng)
{
    static const char *const names[] = { "allgather",
                                         "allgatherv",
                                         "allreduce",
                                         "alltoall",
                                         "alltoallv",
                                         "barrier",
                                         "bcast",
                                         "gather",
                                         "reduce",
                                         "reduce_scatter",
                                         "reduce_scatter_block",
                                         "scatter" };
    int any = 0;
    fprintf(f, "{ \"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint64_t blocks = 1 + rng_below(rng, 3);
        if (rng_below(rng, 3) == 0)
            continue;
        fprintf(f, "%s\n\"%s\": [", any++ ? "," : "", names[i]);
        for (uint64_t b = 0; b < blocks; b++) {
            fputs(b ? ",\n " : "\n ", f);
            put_json_block(f, rng);
        }
        fputs(" ]", f);
    }
    fputs(rng_below(rng, 20) ? "\n} }\n" : "\n}\n", f);
}

/* What would end the launch, or never end, is told by the reader, and not tried. */
static int is_deadly(const struct rules_reader *reader, const char *path)
{
    struct rules r;
    int deadly = 0;
    if (rules_open(reader, path, &r, NULL) < 0)
        return 1;
    for (size_t i = 0; i < r.found.n; i++)
        deadly |= strcmp(r.found.v[i].kind, "hangs") == 0 || strcmp(r.found.v[i].kind, "dies") == 0;
    rules_close(&r);
    return deadly;
}

static void write_files(const struct rules_reader *reader, const char *dir, int n)
{
    struct rng rng;
    char path[PATH_SIZE];
    rng_init(&rng, 20261123);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%d", dir, i);
        do {
            FILE *f = fopen(path, "we");
            if (!f)
                return;
            if (reader == &rules_openmpi6 && rng_below(&rng, 2))
                write_json(f, &rng);
            else
                write_wild(f, &rng, reader->requests);
            fclose(f);
        } while (is_deadly(reader, path));
    }
}

/* ---- what the library did ---- */

struct seen {
    int file, procs, failed, fanout;
    unsigned long long bytes;
    unsigned segment_bytes;
    char collective[32], first[64], last[64];
};

static int read_seen(FILE *f, struct seen *s)
{
    return fscanf(f, "%d %31s %d %llu %d %63s %u %d %63s", &s->file, s->collective, &s->procs,
                  &s->bytes, &s->failed, s->first, &s->segment_bytes, &s->fanout, s->last) == 9;
}

/* The calls of one file, in the same order for every file. */
struct calls {
    struct seen *v;
    size_t n;
};

static int same(const struct seen *a, const struct seen *b)
{
    return a->failed == b->failed && a->segment_bytes == b->segment_bytes &&
           a->fanout == b->fanout && strcmp(a->first, b->first) == 0 &&
           strcmp(a->last, b->last) == 0;
}

/* The name with which the library's function is seen: of one chain it is told as what it is. */
static const char *entered(const struct rules_answer *a)
{
    return strcmp(a->algorithm, "chain") == 0 && a->fanout <= 1 ? "pipeline" : a->algorithm;
}

/* 1 when the answer is what was seen; usual: the same call without a file. */
static int agrees(const struct rules_answer *a, const struct seen *s, const struct seen *usual)
{
    if (a->outcome == RULES_FAILS)
        return s->failed;
    if (s->failed)
        return 0;
    if (a->outcome == RULES_OWN)
        return same(s, usual);
    const char *last = *a->runs ? a->runs : entered(a);
    const struct native *native = native_find("openmpi", s->collective, a->algorithm);
    if (native && native->segmented && s->segment_bytes != (unsigned)a->segment_bytes)
        return 0;
    return a->outcome == RULES_RUNS && strcmp(entered(a), s->first) == 0 &&
           strcmp(last, s->last) == 0;
}

struct tally {
    size_t calls, wrong, loaded, files, ruled, failing;
    size_t begun, begun_wrong; /* of the file that was there when the launch began */
};

static void compare(const struct rules *r, const struct seen *s, const struct seen *usual,
                    struct tally *t)
{
    struct rules_answer answer;
    const struct rules_call call = { s->collective, s->procs, 1, s->procs, s->bytes, RULES_GLOBAL };
    rules_ask(r, &call, &answer);
    t->calls++;
    t->ruled += answer.outcome == RULES_RUNS;
    t->failing += answer.outcome == RULES_FAILS;
    if (agrees(&answer, s, usual))
        return;
    if (t->wrong++ < SAYS)
        diag("file %d, %s P = %d, %llu bytes: said %s %s (%s, %s); seen %s %s, segment %u, %s",
             s->file, s->collective, s->procs, s->bytes, rules_outcome_words[answer.outcome],
             answer.algorithm, answer.runs, answer.why, s->first, s->last, s->segment_bytes,
             s->failed ? "failed" : "fine");
}

/* Opens the file whose calls come now. */
static void turn(const struct rules_reader *reader, const char *dir, int file, struct rules *r,
                 struct tally *t)
{
    char path[PATH_SIZE];
    rules_close(r);
    snprintf(path, sizeof path, "%s/%d", dir, file);
    if (rules_open(reader, path, r, NULL) == 0) {
        t->files++;
        t->loaded += r->loaded;
    }
}

static void add(struct calls *calls, const struct seen *s)
{
    *array_add(&calls->v, &calls->n) = *s;
}

static void compare_all(const struct rules_reader *reader, const char *dir, struct tally *t)
{
    char path[PATH_SIZE];
    struct calls begun = { .n = 0 }, usual = { .n = 0 };
    struct seen s;
    struct rules r = { .reader = NULL };
    int file = -1;
    size_t at = 0;
    snprintf(path, sizeof path, "%s/seen", dir);
    FILE *f = fopen(path, "re");
    while (f && read_seen(f, &s)) {
        if (s.file < 0) {
            add(s.file == -2 ? &begun : &usual, &s);
            continue;
        }
        if (s.file != file) {
            file = s.file;
            at = 0;
            turn(reader, dir, file, &r, t);
        }
        if (!r.reader || at >= usual.n || at >= begun.n)
            break;
        t->begun += file == 0 && !same(&s, &usual.v[at]);
        t->begun_wrong += file == 0 && !same(&s, &begun.v[at]);
        compare(&r, &s, &usual.v[at++], t);
    }
    rules_close(&r);
    if (f)
        fclose(f);
    free(usual.v);
    free(begun.v);
}

/* ---- the launch ---- */

static int launch(const char *dir, int files, char *out, size_t size)
{
    char command[5 * PATH_SIZE];
    const char *build = getenv("BUILD");
    snprintf(
        command, sizeof command,
        "ln '%s/0' '%s/now' && OMPI_MCA_coll_tuned_dynamic_rules_filename='%s/now' exec "
        "mpirun.openmpi %s "
        "--oversubscribe --mca coll ^han,adapt,hcoll,ucc,xhc,acoll --mca mpi_yield_when_idle 1 -n "
        "%d '%s/openmpi/tests/rules' '%s' %d",
        dir, dir, dir, geteuid() == 0 ? "--allow-run-as-root" : "", RANKS, build ? build : "build",
        dir, files);
    return run_capture_for((const char *const[]){ "sh", "-c", command, NULL }, 3600, out, size);
}

int main(void)
{
    char dir[] = "/tmp/rules.XXXXXX", out[4096], path[PATH_SIZE];
    struct err err = { 0 };
    struct tally t = { 0 };
    const char *build = getenv("BUILD");
    const int files = getenv("COLLSEL_LONG") ? MANY : FEW;
    snprintf(path, sizeof path, "%s/openmpi/tests/rules", build ? build : "build");
    const struct rules_reader *reader = openmpi_here(NULL);
    if (!run_find("mpirun.openmpi", NULL, 0) || access(path, X_OK) != 0)
        return tap_skip_all("no Open MPI here, or its test programs are not built");
    if (!reader)
        return tap_skip_all("an Open MPI whose files nobody here has read");
    if (!mkdtemp(dir))
        return tap_skip_all("no directory for files");
    diag("read as %s", reader->name);
    write_files(reader, dir, files);
    if (!is_int(0, launch(dir, files, out, sizeof out), "one launch reads %d files", files))
        diag("%s", out);
    compare_all(reader, dir, &t);
    is_int(files, (long long)t.files, "and tells what it did with each");
    ok(t.loaded > t.files / 3 && t.loaded < t.files, "%zu of them can be loaded, others not",
       t.loaded);
    ok(t.ruled > 0 && t.failing > 0, "%zu of %zu calls are ruled, and %zu fail", t.ruled, t.calls,
       t.failing);
    ok(t.begun > 0 && !t.begun_wrong,
       "a file that is there when the launch begins does what it does later");
    is_int(0, (long long)t.wrong, "the reader says of each call what the library does");
    if (!t.wrong)
        fs_remove_tree(dir, &err);
    return tap_done();
}
