/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/file_pattern.h"

/* The role in braces at *at, which moves behind them. */
static int braces(const char **at, enum role *role, struct err *err)
{
    char name[32];
    const char *end = strchr(*at, '}');
    const size_t len = end ? (size_t)(end - *at - 1) : 0;
    if (!end || len >= sizeof name)
        return err_usage(err, "--pattern: '%s' has no end (want {ROLE})", *at);
    memcpy(name, *at + 1, len);
    name[len] = '\0';
    *at = end + 1;
    *role = role_find(name);
    if (*role == ROLE_NONE && strcmp(name, "*") != 0 && strcmp(name, "run") != 0)
        return err_usage(err,
                         "--pattern: '%s' is not a role (want algorithm, procs, mapping, "
                         "collective, nodes, ppn ..., run or *)",
                         name);
    return 0;
}

int path_pattern_check(const char *pattern, struct err *err)
{
    enum role role;
    int some = 0;
    for (const char *p = pattern; *p;) {
        if (*p != '{') {
            p++;
            continue;
        }
        if (braces(&p, &role, err) < 0)
            return -1;
        some = 1;
    }
    return some ? 0 : err_usage(err, "--pattern: '%s' has no {ROLE}", pattern);
}

/* A match under way: what each {ROLE} took, and which braces are known not to match from where on,
 * so that the time is not exponential in their number. */
struct match {
    const char *pattern, *name;
    size_t columns;      /* one more than the name's length */
    unsigned char *dead; /* [place in pattern * columns + place in name] */
    const char *at[N_ROLES];
    size_t len[N_ROLES];
};

static int match(struct match *m, const char *p, const char *s)
{
    enum role role;
    for (; *p && *p != '{'; p++, s++)
        if (*p != *s)
            return 0;
    if (!*p)
        return !*s;
    unsigned char *dead = &m->dead[(size_t)(p - m->pattern) * m->columns + (size_t)(s - m->name)];
    if (*dead || braces(&p, &role, NULL) < 0)
        return 0;
    for (size_t len = 1; *s && s[len - 1] && s[len - 1] != '/'; len++)
        if (match(m, p, s + len)) {
            m->at[role] = s;
            m->len[role] = len;
            return 1;
        }
    *dead = 1;
    return 0;
}

/* Does the whole name match? */
static int match_all(struct match *m)
{
    m->columns = strlen(m->name) + 1;
    m->dead = memory_zeros(strlen(m->pattern) + 1, m->columns);
    const int matches = match(m, m->pattern, m->name);
    free(m->dead);
    m->dead = NULL;
    return matches;
}

/* The last parts of a path: one more than the pattern has slashes. */
static const char *tail(const char *path, const char *pattern)
{
    size_t parts = 1;
    for (; *pattern; pattern++)
        parts += *pattern == '/';
    const char *s = path + strlen(path);
    while (s > path && (s[-1] != '/' || --parts > 0))
        s--;
    return s;
}

int pattern_fits(const char *pattern, const char *path)
{
    struct match m = { .pattern = pattern, .name = tail(path, pattern) };
    return match_all(&m);
}

int pattern_match(const char *pattern, const char *path, struct source_row *told, char **words,
                  struct err *err)
{
    const char *name = tail(path, pattern);
    struct match m = { .pattern = pattern, .name = name };
    if (!match_all(&m))
        return err_usage(err, "the name '%s' does not fit --pattern '%s'", name, pattern);
    char *to = *words = memory_zeros(2 * strlen(name) + N_ROLES + 1, 1);
    for (int r = ROLE_NONE + 1; r < N_ROLES; r++) {
        if (!m.at[r])
            continue;
        memcpy(to, m.at[r], m.len[r]);
        to[m.len[r]] = '\0';
        told->text[r] = to;
        to += m.len[r] + 1;
    }
    return 0;
}
