/* SPDX-License-Identifier: BSD-3-Clause */
/* keys_value.c - one value of one key: text to number, list or name, within its range. */
#include "harness/base/keys.h"

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

static int parse_word(const struct key *key, const char *text, void *at, struct err *err)
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

static int parse_stem(const struct key *key, const char *text, void *at, struct err *err)
{
    (void)key;
    if (!text_is_name(text))
        return err_usage(err, "'%.60s' is not a name (%s)", text, TEXT_WANT_NAME);
    snprintf(at, KEY_WORD, "%s", text);
    return 0;
}

static int parse_int(const struct key *key, const char *text, void *at, struct err *err)
{
    int64_t v;
    if (parse_i64(text, &v, err) < 0)
        return -1;
    if (v < INT_MIN || v > INT_MAX)
        return err_usage(err, "'%s' is out of range", text);
    if (check_range(key, (double)v, text, err) < 0)
        return -1;
    *(int *)at = (int)v;
    return 0;
}

static int parse_u64_in(const struct key *key, const char *text, void *at, struct err *err)
{
    uint64_t v;
    int status = key->type == KEY_COUNT ? parse_u64(text, &v, err) : parse_bytes(text, &v, err);
    if (status < 0 || check_range(key, (double)v, text, err) < 0)
        return -1;
    *(uint64_t *)at = v;
    return 0;
}

static int parse_real(const struct key *key, const char *text, void *at, struct err *err)
{
    double v;
    int status = key->type == KEY_SECONDS ? parse_seconds(text, &v, err)
                 : key->type == KEY_RATE  ? parse_bits_per_s(text, &v, err)
                                          : parse_f64(text, &v, err);
    if (status < 0 || check_range(key, v, text, err) < 0)
        return -1;
    *(double *)at = v;
    return 0;
}

static int parse_bool(const struct key *key, const char *text, void *at, struct err *err)
{
    (void)key;
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return err_usage(err, "'%s' is neither yes nor no", text);
    *(int *)at = text[0] == 'y';
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

static int parse_cost(const struct key *key, const char *text, void *to, struct err *err)
{
    struct cost *at = to;
    char copy[KEY_TEXT_MAX], *part[3];
    if (split(text, copy, part, 3) != 3)
        return err_usage(err, "'%s' is not a cost (want bytes:seconds:seconds per byte)", text);
    if (parse_bytes(part[0], &at->from_bytes, err) < 0 ||
        parse_seconds(part[1], &at->seconds, err) < 0 ||
        parse_seconds(part[2], &at->seconds_per_byte, err) < 0)
        return -1;
    return check_range(key, at->seconds, part[1], err);
}

static int parse_factor(const struct key *key, const char *text, void *to, struct err *err)
{
    struct factor *at = to;
    char copy[KEY_TEXT_MAX], *part[2];
    if (split(text, copy, part, 2) != 2)
        return err_usage(err, "'%s' is not a factor (want bytes:factor)", text);
    if (parse_bytes(part[0], &at->from_bytes, err) < 0 || parse_f64(part[1], &at->factor, err) < 0)
        return -1;
    return check_range(key, at->factor, part[1], err);
}

static int parse_pair(const struct key *key, const char *text, void *to, struct err *err)
{
    struct pair *at = to;
    char copy[KEY_TEXT_MAX], *part[2];
    if (split(text, copy, part, 2) != 2)
        return err_usage(err, "'%s' is not a pair (want name:number)", text);
    if (parse_word(key, part[0], at->name, err) < 0)
        return -1;
    return parse_int(key, part[1], &at->value, err);
}

/* "2x3x4"; nothing: none. */
static int parse_extents(const struct key *key, const char *text, void *to, struct err *err)
{
    struct int_list *at = to;
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

static int parse_text(const struct key *key, const char *text, void *at, struct err *err)
{
    (void)key;
    if (strlen(text) >= KEY_TEXT_MAX)
        return err_usage(err, "the text is too long (want less than %d characters)", KEY_TEXT_MAX);
    snprintf(at, KEY_TEXT_MAX, "%s", text);
    return 0;
}

static int parse_list(const struct key *key, const char *text, void *at, struct err *err);

/* How a value of each type is read; of lists an element, which begins at `first` of the list and
 * has this size. They differ, or their first numbers ascend. A value that is none begins with so
 * many bytes that are 0. */
static const struct type {
    int (*parse)(const struct key *key, const char *text, void *at, struct err *err);
    size_t none;
    int (*element)(const struct key *key, const char *text, void *at, struct err *err);
    size_t first, size;
    int ascends;
} types[] = {
#define LIST(list, of, ascends_)                                                                   \
    {                                                                                              \
        parse_list, sizeof(size_t), of, offsetof(struct list, v),                                  \
            sizeof(((struct list *)0)->v[0]), ascends_                                             \
    }
    [KEY_TEXT] = { .parse = parse_text, .none = 1 },
    [KEY_NAME] = { .parse = parse_word, .none = 1 },
    [KEY_STEM] = { .parse = parse_stem, .none = 1 },
    [KEY_CHOICE] = { .parse = parse_word, .none = 1 },
    [KEY_BOOL] = { .parse = parse_bool, .none = sizeof(int) },
    [KEY_INT] = { .parse = parse_int, .none = sizeof(int) },
    [KEY_COUNT] = { .parse = parse_u64_in, .none = sizeof(uint64_t) },
    [KEY_BYTES] = { .parse = parse_u64_in, .none = sizeof(uint64_t) },
    [KEY_SECONDS] = { .parse = parse_real, .none = sizeof(double) },
    [KEY_RATE] = { .parse = parse_real, .none = sizeof(double) },
    [KEY_REAL] = { .parse = parse_real, .none = sizeof(double) },
    [KEY_EXTENTS] = { .parse = parse_extents, .none = sizeof(size_t) },
    [KEY_NAMES] = LIST(name_list, parse_word, 0),
    [KEY_INTS] = LIST(int_list, parse_int, 0),
    [KEY_SIZES] = LIST(size_list, parse_u64_in, 0),
    [KEY_COSTS] = LIST(cost_list, parse_cost, 1),
    [KEY_FACTORS] = LIST(factor_list, parse_factor, 1),
    [KEY_PAIRS] = LIST(pair_list, parse_pair, 0),
};

static int parse_element(const struct key *key, const char *text, size_t i, char *list,
                         struct err *err)
{
    const struct type *type = &types[key->type];
    char *v = list + type->first, *new = v + i * type->size;
    memset(new, 0, type->size); /* so that equal ones are equal in all bytes */
    if (type->element(key, text, new, err) < 0)
        return -1;
    if (type->ascends)
        return i == 0 || *(uint64_t *)(void *)new > *(uint64_t *)(void *)(new - type->size)
                   ? 0
                   : err_usage(err, "'%s' does not come after the one before it", text);
    while (v < new &&memcmp(v, new, type->size) != 0)
        v += type->size;
    return v < new ? err_usage(err, "'%s' is given twice", text) : 0;
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

int key_parse(const struct key *key, const char *text, void *at, struct err *err)
{
    if (key->word && strcmp(text, key->word) == 0) {
        memset(at, 0, types[key->type].none);
        return 0;
    }
    if (types[key->type].parse(key, text, at, err) == 0)
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
