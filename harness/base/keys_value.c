/* SPDX-License-Identifier: BSD-3-Clause */
/* keys_value.c - one value of one key: text to number, list or name, within its range. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/keys.h"
#include "harness/base/number.h"
#include "harness/base/text.h"

static int in_choices(const char *choices, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = choices; p && *p; p += *p == '|') {
        size_t n = strcspn(p, "|");
        if (n == len && memcmp(p, word, n) == 0)
            return 1;
        p += n;
    }
    return 0;
}

static int check_range(const struct key *key, double value, const char *text, struct err *err)
{
    if (key->min == 0 && key->max == 0)
        return 0;
    if (value < key->min || value > key->max)
        return err_usage(err, "'%s' is out of range (want %.10g to %.10g%s%s)", text, key->min,
                         key->max, key->unit ? " " : "", key->unit ? key->unit : "");
    return 0;
}

static int parse_word(const struct key *key, const char *text, char *at, struct err *err)
{
    static const char legal[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:*+";
    if (!*text || strlen(text) >= KEY_WORD || text[strspn(text, legal)])
        return err_usage(err, "'%.60s' is not a name (want letters, digits, '_', '-', '.')", text);
    if (key->choices && !in_choices(key->choices, text))
        return err_usage(err, "'%s' is not known (want %s)", text, key->choices);
    snprintf(at, KEY_WORD, "%s", text);
    return 0;
}

static int parse_stem(const char *text, char *at, struct err *err)
{
    if (!text_is_name(text))
        return err_usage(err, "'%.60s' is not a name (%s)", text, TEXT_WANT_NAME);
    snprintf(at, KEY_WORD, "%s", text);
    return 0;
}

static int parse_int(const struct key *key, const char *text, int *at, struct err *err)
{
    int64_t v;
    if (parse_i64(text, &v, err) < 0)
        return -1;
    if (v < INT_MIN || v > INT_MAX)
        return err_usage(err, "'%s' is out of range", text);
    if (check_range(key, (double)v, text, err) < 0)
        return -1;
    *at = (int)v;
    return 0;
}

static int parse_u64_in(const struct key *key, const char *text, uint64_t *at, struct err *err)
{
    uint64_t v;
    int status = key->type == KEY_COUNT ? parse_u64(text, &v, err) : parse_bytes(text, &v, err);
    if (status < 0 || check_range(key, (double)v, text, err) < 0)
        return -1;
    *at = v;
    return 0;
}

static int parse_real(const struct key *key, const char *text, double *at, struct err *err)
{
    double v;
    int status = key->type == KEY_SECONDS ? parse_seconds(text, &v, err)
                 : key->type == KEY_RATE  ? parse_bits_per_s(text, &v, err)
                                          : parse_f64(text, &v, err);
    if (status < 0 || check_range(key, v, text, err) < 0)
        return -1;
    *at = v;
    return 0;
}

static int parse_bool(const char *text, int *at, struct err *err)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return err_usage(err, "'%s' is neither yes nor no", text);
    *at = text[0] == 'y';
    return 0;
}

/* Splits a copy of "a:b:c"; returns how many parts there are, at most n + 1. */
static int split(const char *whole, char *text, char **parts, int n)
{
    int used = 0;
    snprintf(text, KEY_TEXT_MAX, "%s", whole);
    for (char *p = text; p && used < n; used++) {
        parts[used] = p;
        p = strchr(p, ':');
        if (p)
            *p++ = '\0';
        if (p && used + 1 == n)
            return n + 1;
    }
    return used;
}

static int parse_cost(const struct key *key, const char *text, struct cost *at, struct err *err)
{
    char copy[KEY_TEXT_MAX], *part[3];
    if (split(text, copy, part, 3) != 3)
        return err_usage(err, "'%s' is not a cost (want bytes:seconds:seconds per byte)", text);
    if (parse_bytes(part[0], &at->from_bytes, err) < 0 ||
        parse_seconds(part[1], &at->seconds, err) < 0 ||
        parse_seconds(part[2], &at->seconds_per_byte, err) < 0)
        return -1;
    return check_range(key, at->seconds, part[1], err);
}

static int parse_factor(const struct key *key, const char *text, struct factor *at, struct err *err)
{
    char copy[KEY_TEXT_MAX], *part[2];
    if (split(text, copy, part, 2) != 2)
        return err_usage(err, "'%s' is not a factor (want bytes:factor)", text);
    if (parse_bytes(part[0], &at->from_bytes, err) < 0 || parse_f64(part[1], &at->factor, err) < 0)
        return -1;
    return check_range(key, at->factor, part[1], err);
}

static int parse_pair(const struct key *key, const char *text, struct pair *at, struct err *err)
{
    char copy[KEY_TEXT_MAX], *part[2];
    if (split(text, copy, part, 2) != 2)
        return err_usage(err, "'%s' is not a pair (want name:number)", text);
    if (parse_word(key, part[0], at->name, err) < 0)
        return -1;
    return parse_int(key, part[1], &at->value, err);
}

static int must_differ(int same, const char *text, struct err *err)
{
    return same ? err_usage(err, "'%s' is given twice", text) : 0;
}

static int must_ascend(int ascends, const char *text, struct err *err)
{
    return ascends ? 0 : err_usage(err, "'%s' does not come after the one before it", text);
}

/* Element i of a list. */
static int parse_element(const struct key *key, const char *text, size_t i, void *at,
                         struct err *err)
{
    struct name_list *names = at;
    struct int_list *ints = at;
    struct size_list *sizes = at;
    struct cost_list *costs = at;
    struct factor_list *factors = at;
    struct pair_list *pairs = at;
    int same = 0;
    switch (key->type) {
    case KEY_NAMES:
        if (parse_word(key, text, names->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= strcmp(names->v[k], names->v[i]) == 0;
        return must_differ(same, text, err);
    case KEY_INTS:
        if (parse_int(key, text, &ints->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= ints->v[k] == ints->v[i];
        return must_differ(same, text, err);
    case KEY_SIZES:
        if (parse_u64_in(key, text, &sizes->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= sizes->v[k] == sizes->v[i];
        return must_differ(same, text, err);
    case KEY_COSTS:
        if (parse_cost(key, text, &costs->v[i], err) < 0)
            return -1;
        return must_ascend(i == 0 || costs->v[i].from_bytes > costs->v[i - 1].from_bytes, text,
                           err);
    case KEY_FACTORS:
        if (parse_factor(key, text, &factors->v[i], err) < 0)
            return -1;
        return must_ascend(i == 0 || factors->v[i].from_bytes > factors->v[i - 1].from_bytes, text,
                           err);
    default:
        if (parse_pair(key, text, &pairs->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            same |= strcmp(pairs->v[k].name, pairs->v[i].name) == 0 &&
                    pairs->v[k].value == pairs->v[i].value;
        return must_differ(same, text, err);
    }
}

/* "2x3x4"; nothing: none. */
static int parse_extents(const struct key *key, const char *text, struct int_list *at,
                         struct err *err)
{
    char word[KEY_WORD];
    size_t n = 0;
    for (const char *p = text; *text; p += strcspn(p, "x") + 1) {
        const size_t len = strcspn(p, "x");
        if (n == KEY_LIST_MAX)
            return err_usage(err, "the list is too long (want at most %d)", KEY_LIST_MAX);
        snprintf(word, sizeof word, "%.*s", (int)len, p);
        if (parse_int(key, word, &at->v[n++], err) < 0)
            return -1;
        if (!p[len])
            break;
    }
    at->n = n;
    return 0;
}

static int parse_list(const struct key *key, const char *text, void *at, struct err *err)
{
    char word[KEY_TEXT_MAX];
    size_t n = 0;
    for (const char *p = text; *(p += strspn(p, " \t"));) {
        size_t len = strcspn(p, " \t");
        if (n == KEY_LIST_MAX)
            return err_usage(err, "the list is too long (want at most %d)", KEY_LIST_MAX);
        if (len >= sizeof word)
            return err_usage(err, "'%.40s...' is too long", p);
        memcpy(word, p, len);
        word[len] = '\0';
        if (parse_element(key, word, n++, at, err) < 0)
            return -1;
        p += len;
    }
    *(size_t *)at = n; /* every list starts with its n */
    return 0;
}

/* The value that stands for the key's word. */
static void put_empty(const struct key *key, void *at)
{
    switch (key->type) {
    case KEY_TEXT:
    case KEY_NAME:
    case KEY_STEM:
    case KEY_CHOICE:
        *(char *)at = '\0';
        break;
    case KEY_BOOL:
    case KEY_INT:
        *(int *)at = 0;
        break;
    case KEY_COUNT:
    case KEY_BYTES:
        *(uint64_t *)at = 0;
        break;
    case KEY_SECONDS:
    case KEY_RATE:
    case KEY_REAL:
        *(double *)at = 0;
        break;
    default:
        *(size_t *)at = 0;
    }
}

static int parse_value(const struct key *key, const char *text, void *at, struct err *err)
{
    switch (key->type) {
    case KEY_TEXT:
        if (strlen(text) >= KEY_TEXT_MAX)
            return err_usage(err, "the text is too long (want less than %d characters)",
                             KEY_TEXT_MAX);
        snprintf(at, KEY_TEXT_MAX, "%s", text);
        return 0;
    case KEY_NAME:
    case KEY_CHOICE:
        return parse_word(key, text, at, err);
    case KEY_STEM:
        return parse_stem(text, at, err);
    case KEY_BOOL:
        return parse_bool(text, at, err);
    case KEY_INT:
        return parse_int(key, text, at, err);
    case KEY_COUNT:
    case KEY_BYTES:
        return parse_u64_in(key, text, at, err);
    case KEY_SECONDS:
    case KEY_RATE:
    case KEY_REAL:
        return parse_real(key, text, at, err);
    case KEY_EXTENTS:
        return parse_extents(key, text, at, err);
    default:
        return parse_list(key, text, at, err);
    }
}

int key_parse(const struct key *key, const char *text, void *at, struct err *err)
{
    if (key->word && strcmp(text, key->word) == 0) {
        put_empty(key, at);
        return 0;
    }
    if (parse_value(key, text, at, err) == 0)
        return 0;
    if (err)
        err->status = EXIT_USAGE;
    return -1;
}

int int_list_largest(const struct int_list *list)
{
    int most = 0;
    for (size_t i = 0; i < list->n; i++)
        most = list->v[i] > most ? list->v[i] : most;
    return most;
}
