/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/pattern.h"

#include <stdlib.h>
#include <string.h>

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
    if (*role == ROLE_NONE && strcmp(name, "*") != 0)
        return err_usage(err,
                         "--pattern: '%s' is not a role (want algorithm, procs, mapping, "
                         "collective, nodes, ppn ...)",
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

/* What each {ROLE} took. */
struct taken {
    const char *at[N_ROLES];
    size_t len[N_ROLES];
};

static int match(const char *p, const char *s, struct taken *taken, int depth)
{
    enum role role;
    for (; *p && *p != '{'; p++, s++)
        if (*p != *s)
            return 0;
    if (!*p)
        return !*s;
    if (depth > N_ROLES || braces(&p, &role, NULL) < 0)
        return 0;
    for (size_t len = 1; *s && s[len - 1] && s[len - 1] != '/'; len++)
        if (match(p, s + len, taken, depth + 1)) {
            taken->at[role] = s;
            taken->len[role] = len;
            return 1;
        }
    return 0;
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

int pattern_match(const char *pattern, const char *path, struct told *told, char **words,
                  struct err *err)
{
    struct taken taken = { .at = { NULL } };
    const char *name = tail(path, pattern);
    if (!match(pattern, name, &taken, 0))
        return err_usage(err, "the name '%s' does not fit --pattern '%s'", name, pattern);
    char *to = malloc(2 * strlen(name) + N_ROLES + 1);
    if (!to)
        return err_set(err, "out of memory");
    *words = to;
    for (int r = ROLE_NONE + 1; r < N_ROLES; r++) {
        if (!taken.at[r])
            continue;
        memcpy(to, taken.at[r], taken.len[r]);
        to[taken.len[r]] = '\0';
        told->text[r] = to;
        to += taken.len[r] + 1;
    }
    return 0;
}
