/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/holdout_spec.h"

#include "harness/base/keys.h"

#define WANT_HOLDOUT                                                                               \
    "want planned, alternate-procs, alternate-sizes, beyond-procs=N, nodes, nodes=N, "             \
    "cluster=NAME or random=N%%"

/* A kind that takes nothing, or may. */
static int plain_kind(const char *text, enum holdout_kind *kind)
{
    static const struct {
        const char *text;
        enum holdout_kind kind;
    } plain[] = { { "planned", HOLDOUT_PLANNED },
                  { "alternate-procs", HOLDOUT_ALTERNATE_PROCS },
                  { "alternate-sizes", HOLDOUT_ALTERNATE_SIZES },
                  { "nodes", HOLDOUT_NODES } };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(text, plain[i].text) == 0) {
            *kind = plain[i].kind;
            return 1;
        }
    return 0;
}

static int parse_most(const char *text, struct holdout *h, struct err *err)
{
    uint64_t n;
    if (parse_u64(text, &n, err) < 0)
        return -1;
    if (n < 1 || n > INT_MAX)
        return err_usage(err, "'%s' is out of range (want 1 or more)", text);
    h->most = (int)n;
    return 0;
}

static int parse_share(const char *text, struct holdout *h, struct err *err)
{
    char number[32];
    const size_t len = strlen(text);
    double percent;
    if (!len || len >= sizeof number || text[len - 1] != '%')
        return err_usage(err, "'%s' is no share (want a number of percent, as 30%%)", text);
    snprintf(number, sizeof number, "%.*s", (int)len - 1, text);
    if (parse_f64(number, &percent, err) < 0)
        return -1;
    if (!(percent > 0 && percent < 100))
        return err_usage(err, "'%s' is out of range (want above 0 %% and below 100 %%)", text);
    h->share = percent / 100;
    return 0;
}

static int parse_cluster(const char *text, struct holdout *h, struct err *err)
{
    if (!text_is_name(text))
        return err_usage(err, "'%s' is no name of a cluster (%s)", text, TEXT_WANT_NAME);
    snprintf(h->cluster, sizeof h->cluster, "%s", text);
    return 0;
}

static int parse_valued(const char *text, struct holdout *h, struct err *err)
{
    static const struct {
        const char *begin;
        enum holdout_kind kind;
        int (*parse)(const char *text, struct holdout *h, struct err *err);
    } valued[] = { { "beyond-procs=", HOLDOUT_BEYOND_PROCS, parse_most },
                   { "nodes=", HOLDOUT_NODES, parse_most },
                   { "cluster=", HOLDOUT_CLUSTER, parse_cluster },
                   { "random=", HOLDOUT_RANDOM, parse_share } };
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        const size_t len = strlen(valued[i].begin);
        if (strncmp(text, valued[i].begin, len) != 0)
            continue;
        h->kind = valued[i].kind;
        if (valued[i].parse(text + len, h, err) < 0) {
            if (err)
                err->status = EXIT_USAGE;
            return err_prefix(err, "holdout '%s'", text);
        }
        return 0;
    }
    return err_usage(err, "'%s' is no holdout (" WANT_HOLDOUT ")", text);
}

/* "beyond-procs=128" as a directory may be called: "beyond-procs-128". */
static void make_name(struct holdout *h)
{
    size_t n = 0;
    for (const char *c = h->text; *c; c++)
        if (*c != '%')
            h->name[n++] = *c == '=' || *c == '+' ? '-' : *c;
    h->name[n] = '\0';
}

int holdout_parse(const char *text, struct holdout *out, struct err *err)
{
    struct holdout h = { .kind = HOLDOUT_PLANNED };
    if (strlen(text) >= sizeof h.text)
        return err_usage(err, "a holdout of %zu letters (" WANT_HOLDOUT ")", strlen(text));
    if (!plain_kind(text, &h.kind) && parse_valued(text, &h, err) < 0)
        return -1;
    snprintf(h.text, sizeof h.text, "%s", text);
    make_name(&h);
    *out = h;
    return 0;
}

int holdouts_parse(const char *text, struct holdouts *out, struct err *err)
{
    static const char blanks[] = " \t";
    char word[KEY_TEXT_MAX];
    struct holdouts h = { .n = 0 };
    for (size_t n; *(text += strspn(text, blanks)); text += n) {
        n = strcspn(text, blanks);
        if (h.n == MOST_HOLDOUTS)
            return err_usage(err, "more than %d holdouts", MOST_HOLDOUTS);
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        if (holdout_parse(word, &h.row[h.n], err) < 0)
            return -1;
        for (size_t i = 0; i < h.n; i++)
            if (strcmp(h.row[i].name, h.row[h.n].name) == 0)
                return err_usage(err, "'%s' is there twice", word);
        h.n++;
    }
    *out = h;
    return 0;
}
