/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of rules as Open MPI 4.1's component han reads them: for random files, valid and not, the
 * component that the reader here names for a call is the one that runs it, on communicators of two
 * nodes that are made of this machine by names. Eight files; with COLLSEL_LONG two hundred. Wants
 * root, for nodes' names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/rng.h"
#include "harness/base/subprocess.h"
#include "harness/rules/han.h"
#include "tests/harness/openmpi_here.h"
#include "tests/tap.h"

enum { FEW = 8, MANY = 200, SAYS = 20 };

/* ---- random files ---- */

static const char *pick(struct rng *rng, const char *const *from, size_t n)
{
    return from[rng_below(rng, n)];
}

#define PICK(rng, ...)                                                                             \
    pick(rng, (const char *const[]){ __VA_ARGS__ },                                                \
         sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

struct wild {
    struct rng *rng;
    uint64_t trouble; /* one word of so many is in trouble; 0: none */
    FILE *out;
};

/* A word, now and then behind what breaks a file, or looks as if it did. */
static void put(const struct wild *w, const char *word)
{
    if (w->trouble && rng_below(w->rng, w->trouble) == 0)
        fputs(PICK(w->rng, "-1 ", "x ", "tuned ", "9 ", "# 1 2 3\n", "4.5 ", "@simple ", "[8 16] ",
                   "[ ", "0x2 ", "010 ", "99999999999999999999 ", "tuned#", "#\n"),
              w->out);
    fputs(word, w->out);
    fputs(PICK(w->rng, " ", " ", " ", "\t", "  # of 12\n", "\n"), w->out);
}

static void put_number(const struct wild *w, uint64_t value)
{
    char word[32];
    static const char *const ways[] = {
        "%llu", "%llu", "%llu", "%llu", "+%llu", "0x%llx", "0%llo"
    };
    snprintf(word, sizeof word, ways[rng_below(w->rng, w->trouble ? 7 : 4)],
             (unsigned long long)value);
    put(w, word);
}

/* Sizes are read as decimal numbers alone. */
static void put_size(const struct wild *w, uint64_t value)
{
    char word[32];
    snprintf(word, sizeof word, "%llu", (unsigned long long)value);
    put(w, word);
}

static void put_rows(const struct wild *w, const char *collective, int sorted)
{
    static const uint64_t pool[] = { 0, 1, 2, 8, 64, 100, 999, 1000, 1001, 5000, 10000, 10001 };
    const uint64_t n = rng_below(w->rng, 8) ? 1 + rng_below(w->rng, 5) : 0;
    size_t at = 0;
    put_number(w, n);
    for (uint64_t i = 0; i < n; i++) {
        at = sorted ? at + 1 + rng_below(w->rng, 3) : rng_below(w->rng, 12);
        put_size(w, i == 0 && rng_below(w->rng, 40) ? rng_below(w->rng, 8) == 0
                                                    : pool[at < 12 ? at : 11]);
        put(w, strcmp(collective, "allreduce") == 0
                   ? PICK(w->rng, "han", "libnbc", "self", "sm", "han")
                   : PICK(w->rng, "han", "tuned", "basic", "han", "tuned", "basic", "libnbc",
                          "self", "sm"));
        if (rng_below(w->rng, 12) == 0)
            fputs(PICK(w->rng, "[8 16]\n", "[ ]", " [4096 # x\n 8 ] ", "[]\n"), w->out);
    }
}

static void put_level(const struct wild *w, const char *collective, int sorted)
{
    const uint64_t blocks = rng_below(w->rng, 4);
    uint64_t ranks = 0;
    put_number(w, rng_below(w->rng, 5) ? 2 : rng_below(w->rng, rng_below(w->rng, 20) ? 3 : 4));
    put_number(w, blocks);
    for (uint64_t b = 0; b < blocks; b++) {
        ranks = sorted ? ranks + 1 + rng_below(w->rng, 3) : rng_below(w->rng, 8);
        put_number(w, b == 0 && rng_below(w->rng, 40) ? 1 : ranks);
        put_rows(w, collective, sorted);
    }
}

static void write_wild(FILE *f, struct rng *rng)
{
    const struct wild w = { rng, rng_below(rng, 3) ? 0 : 20 + rng_below(rng, 60), f };
    const uint64_t n = 1 + rng_below(rng, 7);
    const int sorted = rng_below(rng, 4) != 0;
    put_number(&w, n + (rng_below(rng, 30) == 0));
    for (uint64_t i = 0; i < n; i++) {
        const char *collective = PICK(rng, "allgather", "allreduce", "barrier", "bcast", "gather",
                                      "reduce", "scatter", "bcast", "alltoall", "allgatherv_", "7");
        const uint64_t levels = 1 + (rng_below(rng, 5) == 0);
        put(&w, collective);
        put_number(&w, levels);
        for (uint64_t l = 0; l < levels; l++)
            put_level(&w, collective, sorted);
    }
}

/* Would a call of the launch end the program? */
static int is_deadly(const struct rules_reader *reader, const char *path)
{
    struct rules r;
    int deadly = 0;
    if (rules_open(reader, path, &r, NULL) < 0)
        return 1;
    for (size_t i = 0; i < r.found.n; i++)
        deadly |= strcmp(r.found.v[i].kind, "dies") == 0;
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
            write_wild(f, &rng);
            fclose(f);
        } while (is_deadly(reader, path));
    }
}

/* ---- what the library did ---- */

struct seen {
    int file, procs, nodes, ppn;
    unsigned long long bytes;
    char collective[32], component[32];
};

static int read_seen(FILE *f, struct seen *s)
{
    return fscanf(f, "%d %31s %d %d %d %llu %31s", &s->file, s->collective, &s->procs, &s->nodes,
                  &s->ppn, &s->bytes, s->component) == 7;
}

/* What went before on the same communicator: han has left it, or a collective of it. */
struct left {
    int procs, nodes;
    int all;
    char collective[32];
};

/* basic's allgather is a gather and a broadcast, of which han is asked anew: with one rank on each
 * node it may leave the communicator there, so that the second call finds tuned. */
static int leaves_in_parts(const struct rules *r, const struct seen *s)
{
    const struct rules_call gather = {
        "gather", s->procs, s->nodes, s->ppn, s->bytes, RULES_GLOBAL
    };
    const struct rules_call bcast = {
        "bcast", s->procs, s->nodes, s->ppn, s->bytes * (unsigned)s->procs, RULES_GLOBAL
    };
    struct rules_answer a, b;
    rules_ask(r, &gather, &a);
    rules_ask(r, &bcast, &b);
    return strcmp(a.algorithm, "han") == 0 || strcmp(b.algorithm, "han") == 0;
}

static const char *wanted(const struct rules *r, const struct seen *s, struct left *left,
                          struct rules_answer *a)
{
    const struct rules_call call = { s->collective, s->procs, s->nodes,
                                     s->ppn,        s->bytes, RULES_GLOBAL };
    if (left->procs != s->procs || left->nodes != s->nodes)
        *left = (struct left){ .procs = s->procs, .nodes = s->nodes };
    rules_ask(r, &call, a);
    if (s->ppn == 1 && strcmp(s->collective, "allgather") == 0 &&
        strcmp(a->algorithm, "basic") == 0 && leaves_in_parts(r, s))
        left->all = 1;
    if (left->all || strcmp(left->collective, s->collective) == 0)
        return "tuned";
    if (strcmp(a->algorithm, "han") == 0 && *a->runs && s->ppn == 1)
        left->all = 1;
    else if (strcmp(a->algorithm, "han") == 0 && *a->runs)
        snprintf(left->collective, sizeof left->collective, "%s", s->collective);
    return *a->runs ? a->runs : a->algorithm;
}

struct tally {
    size_t calls, wrong, loaded, files, ruled, other;
    size_t begun; /* calls under the file that was there when the launch began */
};

static void compare(const struct rules *r, const struct seen *s, struct left *left, struct tally *t)
{
    struct rules_answer a;
    const char *component = wanted(r, s, left, &a);
    t->calls++;
    t->ruled += a.outcome == RULES_RUNS;
    t->other += strcmp(component, "han") != 0 && s->ppn > 1 && s->nodes > 1;
    if (strcmp(component, s->component) == 0)
        return;
    if (t->wrong++ < SAYS)
        diag("file %d, %s of %d ranks on %d nodes, %llu bytes: said %s (%s %s, %s); seen %s",
             s->file, s->collective, s->procs, s->nodes, s->bytes, component,
             rules_outcome_words[a.outcome], a.algorithm, a.why, s->component);
}

static void open_file(const struct rules_reader *reader, const char *dir, int file, struct rules *r,
                      struct tally *t)
{
    char path[PATH_SIZE];
    rules_close(r);
    snprintf(path, sizeof path, "%s/%d", dir, file == -2 ? 0 : file);
    if (file == -1)
        rules_of_text(reader, "", 0, r);
    else if (rules_open(reader, path, r, NULL) == 0 && file >= 0) {
        t->files++;
        t->loaded += r->loaded;
    }
}

static void compare_all(const struct rules_reader *reader, const char *dir, struct tally *t)
{
    char path[PATH_SIZE];
    struct seen s;
    struct rules r = { .reader = NULL };
    struct left left = { .procs = 0 };
    int file = -3;
    snprintf(path, sizeof path, "%s/seen", dir);
    FILE *f = fopen(path, "re");
    while (f && read_seen(f, &s)) {
        if (s.file != file)
            open_file(reader, dir, file = s.file, &r, t);
        if (r.reader)
            compare(&r, &s, &left, t);
        t->begun += file == -2;
    }
    rules_close(&r);
    if (f)
        fclose(f);
}

/* ---- the launch ---- */

static int launch(const char *dir, int files, char *out, size_t size)
{
    char command[6 * PATH_SIZE];
    const char *build = getenv("BUILD");
    snprintf(command, sizeof command,
             "ln '%s/0' '%s/now' && OMPI_MCA_coll_han_dynamic_rules_filename='%s/now' "
             "OMPI_MCA_coll_han_use_dynamic_file_rules=1 OMPI_MCA_coll_han_priority=35 exec "
             "tests/fake/two-nodes 3 '%s/openmpi/tests/han' '%s' %d aaabbb 8 1000 10000",
             dir, dir, dir, build ? build : "build", dir, files);
    return run_capture_for((const char *const[]){ "sh", "-c", command, NULL }, 3600, out, size);
}

int main(void)
{
    char dir[] = "/tmp/han.XXXXXX", out[4096], path[PATH_SIZE];
    struct err err = { 0 };
    struct tally t = { 0 };
    const char *build = getenv("BUILD");
    const int files = getenv("COLLSEL_LONG") ? MANY : FEW;
    snprintf(path, sizeof path, "%s/openmpi/tests/han", build ? build : "build");
    const struct rules_reader *reader = openmpi_here("han");
    if (!run_find("mpirun.openmpi", NULL, 0) || access(path, X_OK) != 0)
        return tap_skip_all("no Open MPI here, or its test programs are not built");
    if (run_capture_for((const char *const[]){ "tests/fake/node", "one", "true", NULL }, 10, out,
                        sizeof out) != 0)
        return tap_skip_all("no nodes of other names can be made here: that wants root");
    if (!reader)
        return tap_skip_all("an Open MPI whose files of han nobody here has read");
    diag("read as %s", reader->name);
    if (!mkdtemp(dir))
        return tap_skip_all("no directory for files");
    write_files(reader, dir, files);
    if (!is_int(0, launch(dir, files, out, sizeof out), "one launch on two nodes reads %d files",
                files))
        diag("%s", out);
    compare_all(reader, dir, &t);
    is_int(files, (long long)t.files, "and tells what it did with each");
    ok(t.loaded > t.files / 3 && t.loaded < t.files, "%zu of them can be loaded, others not",
       t.loaded);
    ok(t.ruled > 0 && t.other > 0, "%zu of %zu calls are ruled, %zu where han serves go elsewhere",
       t.ruled, t.calls, t.other);
    ok(t.begun > 0, "calls under the file that is there when the launch begins are among them");
    is_int(0, (long long)t.wrong, "the reader says of each call which component runs it");
    if (!t.wrong)
        fs_remove_tree(dir, &err);
    return tap_done();
}
