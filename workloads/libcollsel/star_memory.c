/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/star_memory.h"

static const char format[] = "# collsel learnt 1";
static const char columns[] =
    "collective,op,procs,nodes,bytes,algorithm,segment_bytes,fanout,choice,"
    "state,looks,known,least,turns,mean,squares\n";

void star_memory_head(char head[LEARNT_HEAD], uint64_t program, const char *library,
                      const char *node)
{
    char machine[64];
    size_t n = 0;
    for (; *node && *node != '.' && n + 1 < sizeof machine; node++)
        if (*node < '0' || *node > '9')
            machine[n++] = *node;
    machine[n] = '\0';
    snprintf(head, LEARNT_HEAD, "%s; program %016" PRIx64 "; library %.120s; nodes %s", format,
             program, library, machine);
    head[strcspn(head, "\r\n")] = '\0';
}

int star_memory_is_file(const char *text)
{
    return strncmp(text, format, sizeof format - 1) == 0;
}

static int is_known(double ratio)
{
    return isfinite(ratio) && ratio >= 0 && ratio < 1e9;
}

/* -1: it is no row. */
static int parse_row(const char *line, struct star_memory_row *row)
{
    struct star_learnt *l = &row->learnt;
    int end = 0;
    memset(row, 0, sizeof *row);
    const int n =
        sscanf(line,
               "%31[^,\n],%15[^,\n],%d,%d,%" SCNu64 ",%95[^,\n],%" SCNu64
               ",%d,%d,%d,%d,%lf,%lf,%lf,%lf,%lf%n",
               row->collective, row->op, &row->procs, &row->nodes, &row->bytes, row->algorithm,
               &row->segment_bytes, &row->fanout, &l->is_choice, &l->state, &l->looks, &l->ever,
               &l->least, &l->n, &l->mean, &l->squares, &end);
    return n == 16 && line[end] == '\n' && sure_is_sound(l) && is_known(l->ever) &&
                   is_known(l->least) && is_known(l->n) && is_known(l->mean) && is_known(l->squares)
               ? 0
               : -1;
}

int star_memory_parse(struct star_memory *learnt, const char *text, const char *head,
                      struct err *err)
{
    const size_t length = head ? strlen(head) : strcspn(text, "\n");
    *learnt = (struct star_memory){ .n = 0 };
    if (!star_memory_is_file(text))
        return err_set(err, "line 1: not written by collsel (want '%s...')", format);
    if (strncmp(text, head ? head : text, length) != 0 || text[length] != '\n')
        return err_set(err,
                       "line 1: of another program, library or machine (found '%.*s', want '%s')",
                       (int)strcspn(text, "\n"), text, head);
    int number = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        struct star_memory_row row;
        number++;
        if (strchr(line, '\n') && (*line == '#' || strncmp(line, columns, sizeof columns - 1) == 0))
            continue;
        if (!strchr(line, '\n') || parse_row(line, &row) < 0) {
            star_memory_clear(learnt);
            return err_set(err, "line %d: damaged (found '%.40s', want 16 fields)", number, line);
        }
        star_memory_put(learnt, &row);
    }
    return 0;
}

char *star_memory_text(const struct star_memory *learnt, const char *head, const char *date)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    fprintf(out, "%s\n# %s\n%s", head, date, columns);
    for (size_t i = 0; i < learnt->n; i++) {
        const struct star_memory_row *r = &learnt->v[i];
        const struct star_learnt *l = &r->learnt;
        fprintf(out,
                "%s,%s,%d,%d,%" PRIu64 ",%s,%" PRIu64 ",%d,%d,%d,%d,%.9g,%.9g,%.9g,%.9g,%.9g\n",
                r->collective, r->op, r->procs, r->nodes, r->bytes, r->algorithm, r->segment_bytes,
                r->fanout, l->is_choice, l->state, l->looks, l->ever, l->least, l->n, l->mean,
                l->squares);
    }
    fclose(out);
    return text;
}

struct star_memory_row *star_memory_find(const struct star_memory *learnt,
                                         const struct star_memory_row *like)
{
    for (size_t i = 0; i < learnt->n; i++) {
        struct star_memory_row *r = &learnt->v[i];
        if (r->procs == like->procs && r->nodes == like->nodes && r->bytes == like->bytes &&
            r->segment_bytes == like->segment_bytes && r->fanout == like->fanout &&
            strcmp(r->collective, like->collective) == 0 && strcmp(r->op, like->op) == 0 &&
            strcmp(r->algorithm, like->algorithm) == 0)
            return r;
    }
    return NULL;
}

void star_memory_put(struct star_memory *learnt, const struct star_memory_row *row)
{
    struct star_memory_row *there = star_memory_find(learnt, row);
    if (!there && learnt->n == LEARNT_MOST_ROWS) { /* the oldest one goes */
        memmove(learnt->v, learnt->v + 1, --learnt->n * sizeof *learnt->v);
        there = &learnt->v[learnt->n++];
    }
    *(there ? there : (struct star_memory_row *)array_add(&learnt->v, &learnt->n)) = *row;
}

CLEARS(star_memory_clear, star_memory, it->v)
