/* SPDX-License-Identifier: BSD-3-Clause */
/* hostlist.c - Slurm's lists of hosts: "n[1-3,007-009],m5", several brackets in a name, suffixes
 * ("r[1-2]n[1-4]-ib"). Numbers keep their leading zeros; the last bracket runs fastest, as in
 * `scontrol show hostnames`. */
#include "harness/run/slurm/slurm.h"

enum { MOST_DIGITS = 9, MOST_BRACKETS = 8 };

struct expansion {
    const char *list; /* the whole, for messages */
    char (*names)[NODE_SIZE];
    size_t most;
    long n;
    struct err *err;
};

static int refuse(const struct expansion *x, const char *what)
{
    return err_set(x->err, "'%.100s' is not a list of hosts: %s", x->list, what);
}

static int is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

static int add_name(struct expansion *x, const char *name)
{
    if (!*name)
        return refuse(x, "an empty name");
    if ((size_t)x->n >= x->most)
        return err_set(x->err, "'%.100s' has more hosts than the %zu that there is room for",
                       x->list, x->most);
    snprintf(x->names[x->n++], NODE_SIZE, "%s", name);
    return 0;
}

/* A number of a range; its digits with leading zeros are the width. */
static int take_number(struct expansion *x, const char **p, long *value, int *width)
{
    size_t n = strspn(*p, "0123456789");
    if (n == 0 || n > MOST_DIGITS)
        return refuse(x, n ? "a number is too long" : "a number is missing");
    *value = strtol(*p, NULL, 10);
    *width = (int)n;
    *p += n;
    return 0;
}

static int expand(struct expansion *x, char *name, size_t len, const char *rest, const char *end,
                  int depth);

/* One "lo" or "lo-hi" of a bracket, with what stands behind the bracket. */
static int expand_range(struct expansion *x, char *name, size_t len, const char **p,
                        const char *after, const char *end, int depth)
{
    long low, high;
    int width, ignored;
    if (take_number(x, p, &low, &width) < 0)
        return -1;
    high = low;
    if (**p == '-') {
        (*p)++;
        if (take_number(x, p, &high, &ignored) < 0)
            return -1;
    }
    if (high < low)
        return refuse(x, "a range runs backwards");
    for (long i = low; i <= high; i++) {
        int n = snprintf(name + len, NODE_SIZE - len, "%0*ld", width, i);
        if (n < 0 || (size_t)n >= NODE_SIZE - len)
            return refuse(x, "a name is too long");
        if (expand(x, name, len + (size_t)n, after, end, depth + 1) < 0)
            return -1;
    }
    return 0;
}

static int expand_bracket(struct expansion *x, char *name, size_t len, const char *open,
                          const char *end, int depth)
{
    const char *close = memchr(open, ']', (size_t)(end - open));
    const char *p = open + 1;
    if (!close)
        return refuse(x, "a bracket is not closed");
    if (depth >= MOST_BRACKETS)
        return refuse(x, "too many brackets");
    for (;;) {
        if (expand_range(x, name, len, &p, close + 1, end, depth) < 0)
            return -1;
        if (p == close)
            return 0;
        if (*p++ != ',')
            return refuse(x, "want numbers, '-' and ',' between brackets");
    }
}

/* Everything that name (its first len characters) and rest .. end can be. */
static int expand(struct expansion *x, char *name, size_t len, const char *rest, const char *end,
                  int depth)
{
    while (rest < end && is_name_char(*rest)) {
        if (len + 1 >= NODE_SIZE)
            return refuse(x, "a name is too long");
        name[len++] = *rest++;
    }
    name[len] = '\0';
    if (rest == end)
        return add_name(x, name);
    if (*rest == '[')
        return expand_bracket(x, name, len, rest, end, depth);
    return refuse(x, "a character that no name has");
}

/* Where the item ends: at a comma outside brackets. */
static const char *item_end(const char *p)
{
    int open = 0;
    for (; *p && (open || *p != ','); p++)
        open = *p == '[' ? 1 : *p == ']' ? 0 : open;
    return p;
}

long slurm_hosts(const char *list, char (*names)[NODE_SIZE], size_t most, struct err *err)
{
    struct expansion x = { .list = list, .names = names, .most = most, .err = err };
    char name[NODE_SIZE];
    if (!*list)
        return 0;
    for (const char *p = list;; p++) {
        const char *end = item_end(p);
        if (expand(&x, name, 0, p, end, 0) < 0)
            return -1;
        if (!*end)
            return x.n;
        p = end;
    }
}
