/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.c - fuzzing without libFuzzer: seeds, and mutations of them from a fixed seed of the
 * generator, so that every `make check` tries the same inputs. Usage: loop TARGET COUNT [SEED
 * [SECONDS]] `loop list` prints the names and seed directories of the targets. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/fs.h"
#include "harness/base/number.h"
#include "harness/base/rng.h"
#include "tests/fuzz/targets.h"

enum { MAX_SEEDS = 256, INPUT_MAX = 1 << 14 };

struct corpus {
    char *text[MAX_SEEDS];
    size_t len[MAX_SEEDS];
    size_t n;
};

static void add(struct corpus *c, char *text, size_t len)
{
    if (text && c->n < MAX_SEEDS) {
        c->text[c->n] = text;
        c->len[c->n++] = len;
    } else {
        free(text);
    }
}

static void add_directory(struct corpus *c, const char *dir)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[512];
        size_t len = 0;
        snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && strchr(entries[i]->d_name, '.')) {
            char *text = fs_read(path, &len, NULL);
            add(c, text, len);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static void load(struct corpus *c, const struct target *t)
{
    char dirs[256];
    if (t->seed)
        add(c, strdup(t->seed), strlen(t->seed));
    snprintf(dirs, sizeof dirs, "%s", t->seed_dirs ? t->seed_dirs : "");
    for (char *rest = dirs, *dir; (dir = strsep(&rest, " "));)
        if (*dir)
            add_directory(c, dir);
}

static size_t insert(uint8_t *data, size_t len, size_t at, const void *part, size_t n)
{
    if (len + n > INPUT_MAX)
        return len;
    memmove(data + at + n, data + at, len - at);
    memcpy(data + at, part, n);
    return len + n;
}

static size_t erase(uint8_t *data, size_t len, size_t at, size_t n)
{
    n = n < len - at ? n : len - at;
    memmove(data + at, data + at + n, len - at - n);
    return len - n;
}

/* A piece of another place of the same input, put elsewhere. */
static size_t repeat(uint8_t *data, size_t len, size_t at, struct rng *rng)
{
    uint8_t piece[64];
    const size_t n = len - at < sizeof piece ? len - at : sizeof piece;
    memcpy(piece, data + at, n);
    return insert(data, len, len ? rng_below(rng, len) : 0, piece, n);
}

/* A whole field, or value of JSON, becomes another one: what remains is well formed. */
static size_t replace(uint8_t *data, size_t len, size_t at, struct rng *rng)
{
    static const char *const values[] = { "0",    "-1",    "null", "\"\"", "\"a/b\"", "\"<\"",
                                          "true", "1e300", "[]",   "{}",   "1.5",     "x" };
    const char *value = values[rng_below(rng, sizeof values / sizeof *values)];
    size_t end;
    while (at < len && !strchr(",:=[", data[at]))
        at++;
    for (at += at < len; at < len && data[at] == ' ';)
        at++;
    for (end = at; end < len && !strchr(",}]\r\n", data[end]);)
        end++;
    len = erase(data, len, at, end - at);
    return insert(data, len, at, value, strlen(value));
}

/* One random change: a byte, an interesting word, a cut, a repeated or foreign piece, a value. */
static size_t mutate(uint8_t *data, size_t len, const struct corpus *c, struct rng *rng)
{
    static const char *const words[] = { "0",  "-1",  "4294967296", "18446744073709551616",
                                         ",",  "\"",  "\n",         "\r",
                                         "[",  "]",   "=",          ":",
                                         "#",  "nan", "\xff",       " ",
                                         "\t", "{",   "}",          "8K",
                                         ";",  "*",   "1e309",      "\"\"" };
    const size_t at = len ? rng_below(rng, len) : 0;
    const char *word = words[rng_below(rng, sizeof words / sizeof *words)];
    const size_t other = rng_below(rng, c->n);
    const size_t from = c->len[other] ? rng_below(rng, c->len[other]) : 0;
    switch (rng_below(rng, 7)) {
    case 0:
        if (len)
            data[at] = (uint8_t)rng_u64(rng);
        return len;
    case 1:
        return insert(data, len, at, word, strlen(word));
    case 2:
        return erase(data, len, at, 1 + rng_below(rng, 16));
    case 3:
        return at;
    case 4:
        return repeat(data, len, at, rng);
    case 5:
        return replace(data, len, at, rng);
    default:
        return insert(data, len, at, c->text[other] + from,
                      c->len[other] - from < 64 ? c->len[other] - from : 64);
    }
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs the seeds, then mutations; returns how many inputs. */
static uint64_t run(const struct target *t, const struct corpus *c, uint64_t count, uint64_t seed,
                    double seconds)
{
    static uint8_t data[INPUT_MAX];
    struct rng rng;
    uint64_t done = 0;
    const double began_s = now_s();
    rng_init(&rng, seed);
    for (size_t i = 0; i < c->n; i++, done++)
        t->run((const uint8_t *)c->text[i], c->len[i]);
    for (; done < count && (seconds <= 0 || now_s() - began_s < seconds); done++) {
        const size_t i = rng_below(&rng, c->n);
        size_t len = c->len[i] < INPUT_MAX ? c->len[i] : INPUT_MAX;
        memcpy(data, c->text[i], len);
        for (uint64_t k = 1 + rng_below(&rng, 5); k > 0; k--)
            len = mutate(data, len, c, &rng);
        uint8_t *exact = malloc(len + !len); /* so that a sanitizer sees one byte past */
        if (!exact)
            return done;
        memcpy(exact, data, len);
        t->run(exact, len);
        free(exact);
    }
    return done;
}

static int list(void)
{
    for (const struct target *t = targets; t->name; t++)
        printf("%s %s\n", t->name, t->seed_dirs ? t->seed_dirs : "");
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t count = 0, seed = 1;
    double seconds = 0;
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list();
    const struct target *t = argc >= 3 ? target_find(argv[1]) : NULL;
    if (!t || parse_u64(argv[2], &count, NULL) < 0 ||
        (argc > 3 && parse_u64(argv[3], &seed, NULL) < 0) ||
        (argc > 4 && parse_f64(argv[4], &seconds, NULL) < 0)) {
        fprintf(stderr, "usage: loop TARGET COUNT [SEED [SECONDS]]; loop list\n");
        return 2;
    }
    struct corpus *c = calloc(1, sizeof *c);
    if (!c)
        return 1;
    load(c, t);
    if (c->n == 0) {
        fprintf(stderr, "loop: %s has no seeds (%s)\n", t->name,
                t->seed_dirs ? t->seed_dirs : "none");
        return 1;
    }
    printf("%llu\n", (unsigned long long)run(t, c, count, seed, seconds));
    for (size_t i = 0; i < c->n; i++)
        free(c->text[i]);
    free(c);
    targets_clear();
    return 0;
}
