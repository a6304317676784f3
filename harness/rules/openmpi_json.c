/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi_json.c - Open MPI's rules as JSON, which 6.0 reads (the same variable as for the classic
 * form; ompi/mca/coll/tuned/coll_tuned_dynamic_file.c). What does not parse is taken for a classic
 * file. Documentation, schema and converter name some keys otherwise than the reader, which is
 * followed here. */

#include "harness/base/json_print.h"
#include "harness/rules/export.h"
#include "harness/study/libraries/natives.h"

enum { PLACE_SIZE = 192 };

struct reading {
    struct rules *r;
    struct rules_table *t;
    const char *text;
    char at[PLACE_SIZE]; /* of the object that is read, as json_line_of has it */
};

static int line_of(const struct reading *in, const char *key)
{
    char at[PLACE_SIZE + 64];
    snprintf(at, sizeof at, "%s%s%s", in->at, *in->at && *key ? "/" : "", key);
    return json_line_of(in->text, at);
}

static int drop(struct reading *in, const char *key, const char *what)
{
    rules_find(&in->r->found, RULES_ERROR, "unread", line_of(in, key),
               "%s: the whole file is dropped, silently, and nothing in it is used", what);
    return -1;
}

/* A key that the reader does not know is nothing to it. */
static void note_keys(struct reading *in, json_t *o, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(o, key, value)
    {
        const char *const *k = known;
        while (*k && strcmp(*k, key) != 0)
            k++;
        if (*k || *key == '_')
            continue;
        const char *meant = strcmp(key, "segsize") == 0        ? " (it wants seg_size)"
                            : strcmp(key, "fanout") == 0       ? " (it wants faninout)"
                            : strcmp(key, "max_requests") == 0 ? " (it wants reqs)"
                                                               : "";
        rules_find(&in->r->found, RULES_WARNING, "ignored", line_of(in, key),
                   "the reader does not know '%.40s'%s: it is ignored", key, meant);
    }
}

/* A number, or "inf", which is -1 in a number of processes. -1: the file is dropped. */
static int take_number(struct reading *in, json_t *o, const char *key, int64_t inf, int64_t *value)
{
    json_t *v = json_object_get(o, key);
    char what[128];
    if (!v)
        return 0;
    const char *word = json_string_value(v);
    if (json_is_integer(v)) {
        *value = json_integer_value(v);
        return 0;
    }
    if (word && (strncmp(word, "inf", 3) == 0 || strncmp(word, "Inf", 3) == 0 ||
                 strncmp(word, "INF", 3) == 0)) {
        *value = inf;
        return 0;
    }
    snprintf(what, sizeof what, "'%s' is neither a whole number nor \"inf\"", key);
    return drop(in, key, what);
}

/* By name; the library calls its own decision "ignore". -1: there is none. */
static long id_of_name(const struct rules *r, const char *collective, const char *name)
{
    const char *ours = strcmp(collective, "allgatherv") == 0 && strcmp(name, "default") == 0
                           ? "gatherv_bcast"
                           : name;
    if (strcmp(name, "ignore") == 0)
        return 0;
    for (int id = 1; id < 64; id++) {
        const char *has = native_by_id(r->reader->library, r->reader->version, collective, id);
        if (has && strcmp(has, ours) == 0)
            return id;
    }
    return -1;
}

static void take_algorithm(struct reading *in, json_t *o, const char *collective,
                           struct rules_row *row)
{
    json_t *v = json_object_get(o, "alg");
    char word[64];
    if (!json_is_string(v) && !json_is_integer(v)) {
        rules_find(&in->r->found, RULES_WARNING, "ignored", line_of(in, v ? "alg" : ""),
                   v ? "'alg' is neither a number nor a name: it counts as 0, the library's own "
                       "decision"
                     : "a rule without 'alg' counts as 0, the library's own decision");
        return;
    }
    if (json_is_integer(v)) {
        row->id = (long)json_integer_value(v);
        snprintf(word, sizeof word, "%ld", row->id);
        row->off = row->id && (row->id < 0 || row->id > INT_MAX ||
                               !native_by_id(in->r->reader->library, in->r->reader->version,
                                             collective, (int)row->id));
    } else {
        row->id = id_of_name(in->r, collective, json_string_value(v));
        snprintf(word, sizeof word, "'%.40s'", json_string_value(v));
        row->off = row->id < 0;
    }
    if (row->off)
        rules_find(&in->r->found, RULES_WARNING, "dead", line_of(in, "alg"),
                   "%s has no algorithm %s in this release: the rule is left out, silently",
                   collective, word);
}

static int read_row(struct reading *in, json_t *o, const char *collective, struct rules_row *row)
{
    static const char *const known[] = { "msg_size_min", "msg_size_max", "alg", "seg_size",
                                         "faninout",     "reqs",         NULL };
    int64_t least = 0, most = -1, fanout = 0, segment = 0, requests = 0;
    *row = (struct rules_row){ .line = line_of(in, "") };
    if (take_number(in, o, "msg_size_min", -1, &least) < 0 ||
        take_number(in, o, "msg_size_max", -1, &most) < 0 ||
        take_number(in, o, "faninout", -1, &fanout) < 0 ||
        take_number(in, o, "seg_size", -1, &segment) < 0 ||
        take_number(in, o, "reqs", -1, &requests) < 0)
        return -1;
    row->least = row->written = (uint64_t)least;
    row->most = (uint64_t)most;
    row->fanout = (int)fanout;
    row->segment_bytes = (long)segment;
    row->requests = (int)requests;
    take_algorithm(in, o, collective, row);
    note_keys(in, o, known);
    return 0;
}

static int read_rows(struct reading *in, json_t *rows, const char *collective, size_t at)
{
    struct rules_block *b = &in->t->block[at];
    const size_t used = strlen(in->at);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        snprintf(in->at + used, PLACE_SIZE - used, "/rules/%zu", i);
        if (!json_is_object(json_array_get(rows, i)))
            return drop(in, "", "a rule is no object");
        if (read_row(in, json_array_get(rows, i), collective, array_add(&b->row, &b->n)) < 0)
            return -1;
    }
    in->at[used] = '\0';
    return 0;
}

static int take_where(struct reading *in, json_t *o, enum rules_where *where)
{
    static const char *const words[] = { "any", "one-per-node", "single-node" };
    json_t *v = json_object_get(o, "comm_rank_distribution");
    *where = WHERE_ANY;
    if (!v)
        return 0;
    if (!json_is_string(v))
        return drop(in, "comm_rank_distribution", "'comm_rank_distribution' is no text");
    for (int i = 0; i < 3; i++)
        if (strcmp(json_string_value(v), words[i]) == 0) {
            *where = (enum rules_where)i;
            return 0;
        }
    rules_find(&in->r->found, RULES_WARNING, "ignored", line_of(in, "comm_rank_distribution"),
               "'%.40s' is no distribution (any, one-per-node, single-node): it counts as any",
               json_string_value(v));
    return 0;
}

static int read_block(struct reading *in, json_t *o, const char *collective)
{
    static const char *const known[] = { "comm_size_min", "comm_size_max", "comm_rank_distribution",
                                         "rules", NULL };
    json_t *rows = json_object_get(o, "rules");
    int64_t least = 0, most = INT_MAX;
    if (!json_is_object(o))
        return drop(in, "", "a communicator's rules are no object");
    const size_t at = in->t->n;
    struct rules_block *b = array_add(&in->t->block, &in->t->n);
    b->line = line_of(in, "");
    b->collective = collective;
    if (take_number(in, o, "comm_size_min", -1, &least) < 0 ||
        take_number(in, o, "comm_size_max", -1, &most) < 0 || take_where(in, o, &b->where) < 0)
        return -1;
    b->least = b->written = (int)least;
    b->most = (int)most;
    note_keys(in, o, known);
    if (most == -1)
        rules_find(&in->r->found, RULES_WARNING, "dead", line_of(in, "comm_size_max"),
                   "\"inf\" processes become -1 in the reader: leave the key out");
    if (!json_is_array(rows) && !json_is_object(rows))
        return drop(in, "rules", "'rules' is not there, or no list");
    return read_rows(in, rows, collective, at);
}

static int read_collective(struct reading *in, const char *name, json_t *blocks, int first)
{
    const int id = rules_collective_id(name);
    const size_t used = strlen(in->at);
    char what[192];
    snprintf(in->at + used, PLACE_SIZE - used, "/%.60s", name);
    if (id < 0) {
        snprintf(what, sizeof what, "'%.40s' is no collective%s%s", name,
                 strcmp(name, "reducescatter") == 0 ? " (the reader wants reduce_scatter)" : "",
                 first ? ""
                       : ", behind one that is: memory is freed twice, and the program may end");
        return drop(in, "", what);
    }
    if (!json_is_array(blocks))
        return drop(in, "", "a collective's value is no list");
    const char *collective = rules_collective_name(id);
    if (!native_by_id(in->r->reader->library, in->r->reader->version, collective, 0) &&
        json_array_size(blocks)) {
        rules_find(&in->r->found, RULES_ERROR, "dies", line_of(in, ""),
                   "the component does not serve %s: a rule of it ends the program (the reader "
                   "looks for its algorithms where there are none)",
                   collective);
        in->r->dies = line_of(in, "");
        return -1;
    }
    const size_t of = strlen(in->at);
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        snprintf(in->at + of, PLACE_SIZE - of, "/%zu", i);
        if (read_block(in, json_array_get(blocks, i), collective) < 0)
            return -1;
    }
    in->at[used] = '\0';
    return 0;
}

static int read_root(struct reading *in, json_t *root)
{
    static const char *const known[] = { "rule_file_version", "module", "collectives", NULL };
    json_t *all = json_object_get(root, "collectives"), *blocks;
    const char *name;
    int first = 1;
    if (!json_is_object(all))
        return drop(in, "collectives", "'collectives' is not there, or no object");
    note_keys(in, root, known);
    snprintf(in->at, sizeof in->at, "collectives");
    json_object_foreach(all, name, blocks)
    {
        if (read_collective(in, name, blocks, first) < 0)
            return -1;
        first = 0;
    }
    return 0;
}

static void read6(struct rules *r, char *text, size_t len)
{
    json_error_t why;
    json_t *root = json_loadb(text, len, JSON_DECODE_ANY, &why);
    if (!root) {
        if (text[strspn(text, " \t\r\n")] == '{')
            rules_find(&r->found, RULES_WARNING, "json", why.line > 0 ? why.line : 1,
                       "no JSON (%.120s): it is read as a classic file", why.text);
        rules_classic_read(r, text, len);
        return;
    }
    struct reading in = { .r = r, .t = memory_zeros(1, sizeof *in.t), .text = text };
    r->read = in.t;
    r->loaded = read_root(&in, root) == 0;
    if (r->loaded)
        rules_table_lint(r);
    json_decref(root);
}

const struct rules_reader rules_openmpi6 = {
    TUNED_HAN_READER("openmpi-6", "6.0", "6", "6.1"),
    .help = "Open MPI 6.0, tuned: JSON; other text as numbers (classic)",
    .read = read6,
    .write = rules_write_json,
    .classic = { .versioned = 1, .shifted = 1 },
    .requests = 1,
    .sim = "openmpi60",
    .twin = &rules_han6,
};
