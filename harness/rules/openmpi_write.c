/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi_write.c - a table of rules as Open MPI's two kinds of files. */
#include <jansson.h>

#include "harness/rules/export.h"
#include "harness/study/libraries/natives.h"

/* Blocks of the same collective from here on. */
static size_t blocks_of(const struct rules_table *t, size_t at)
{
    size_t n = 1;
    while (at + n < t->n && strcmp(t->block[at + n].collective, t->block[at].collective) == 0)
        n++;
    return n;
}

static size_t count_collectives(const struct rules_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i += blocks_of(t, i))
        n++;
    return n;
}

/* For people, beside the numbers: the release is that of the names, which ids do not tell. */
static const char *name_of(const char *collective, long id)
{
    const char *name = native_by_id("openmpi", "unknown", collective, (int)id);
    return id && name ? name : "its own decision";
}

static void write_rows(const struct rules_block *b, FILE *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct rules_row *r = &b->row[i];
        fprintf(out, "%" PRIu64 " %ld %ld %ld", r->least, r->id, r->fanout, r->segment_bytes);
        if (r->requests)
            fprintf(out, " %ld", r->requests);
        fprintf(out, "  # %s\n", name_of(b->collective, r->id));
    }
}

/* Only files of version 2 have a fifth number. */
static int tells_requests(const struct rules_table *t)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->block[i].n; k++)
            if (t->block[i].row[k].requests)
                return 1;
    return 0;
}

void rules_write_classic(const struct rules_reader *reader, const struct rules_table *t,
                         const char *const *remarks, FILE *out)
{
    (void)reader;
    if (tells_requests(t))
        fputs("rule-file-version-2\n", out); /* the reader looks for it in the first place alone */
    for (; *remarks; remarks++)
        fprintf(out, "# %s\n", *remarks);
    fprintf(out, "%zu  # collectives\n", count_collectives(t));
    for (size_t i = 0, n; i < t->n; i += n) {
        n = blocks_of(t, i);
        fprintf(out, "%d  # %s\n%zu  # communicator sizes\n",
                rules_collective_id(t->block[i].collective), t->block[i].collective, n);
        for (size_t k = i; k < i + n; k++) {
            fprintf(out,
                    "%" PRId64 "  # processes, and more\n%zu  # rules: size, algorithm, "
                    "fan-out, segment%s\n",
                    t->block[k].least, t->block[k].n, tells_requests(t) ? ", requests" : "");
            write_rows(&t->block[k], out);
        }
    }
}

/* ---- JSON: only what is not the library's own decision; it has no comments ---- */

static json_t *json_of_row(const struct rules_row *r)
{
    json_t *o = json_pack("{s:I}", "msg_size_min", (json_int_t)r->least);
    if (r->most != UINT64_MAX)
        json_object_set_new(o, "msg_size_max", json_integer((json_int_t)r->most));
    json_object_set_new(o, "alg", json_integer(r->id));
    if (r->fanout)
        json_object_set_new(o, "faninout", json_integer(r->fanout));
    if (r->segment_bytes)
        json_object_set_new(o, "seg_size", json_integer(r->segment_bytes));
    if (r->requests)
        json_object_set_new(o, "reqs", json_integer(r->requests));
    return o;
}

static json_t *json_of_block(const struct rules_block *b)
{
    json_t *o = json_object(), *rows = json_array();
    if (b->least > 0)
        json_object_set_new(o, "comm_size_min", json_integer(b->least));
    if (b->most < INT_MAX)
        json_object_set_new(o, "comm_size_max", json_integer(b->most));
    for (size_t i = 0; i < b->n; i++)
        if (b->row[i].id)
            json_array_append_new(rows, json_of_row(&b->row[i]));
    json_object_set_new(o, "rules", rows);
    return o;
}

void rules_write_json(const struct rules_reader *reader, const struct rules_table *t,
                      const char *const *remarks, FILE *out)
{
    (void)reader;
    json_t *said = json_array(), *all = json_object();
    for (; *remarks; remarks++)
        json_array_append_new(said, json_string(*remarks));
    for (size_t i = 0, n; i < t->n; i += n) {
        json_t *blocks = json_array();
        n = blocks_of(t, i);
        for (size_t k = i; k < i + n; k++)
            if (t->block[k].n > 1 || t->block[k].row[0].id)
                json_array_append_new(blocks, json_of_block(&t->block[k]));
        json_object_set_new(all, t->block[i].collective, blocks);
    }
    json_t *root = json_pack("{s:o, s:i, s:s, s:o}", "_remarks", said, "rule_file_version", 3,
                             "module", "tuned", "collectives", all);
    char *text = json_dumps(root, JSON_INDENT(1));
    json_decref(root);
    fprintf(out, "%s\n", text ? text : "");
    free(text);
}
