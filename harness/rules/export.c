/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/export.h"

#include "harness/rules/mpich_levels.h"
#include "harness/rules/rule_units.h"
#include "workloads/schedules/schedule.h"

/* The largest element of MPI's own: elements are what limits count, and nobody knows them. */
enum { LARGEST_ELEMENT = 16, MOST_PROCS = INT_MAX };

/* Calls that a rule governs: sizes from `size` on, among so many processes. */
struct span {
    int from, to;
    uint64_t size; /* as the library counts */
    enum rules_unit unit;
};

struct choosing {
    const struct rules_reader *reader;
    const struct rules_grid *grid;
    enum rules_unit unit;
    struct rules_made *made; /* NULL: nothing is told */
};

static struct choosing choosing_of(const struct rules_reader *reader, const struct rules_grid *g,
                                   struct rules_made *made)
{
    return (struct choosing){ reader, g, rules_unit(reader, g->collective), made };
}

int rules_leave_out(struct rules_made *made, const char *kind, const struct rules_grid *g, int from,
                    int to, uint64_t size, const char *algorithm, const char *why)
{
    char procs[48];
    snprintf(procs, sizeof procs, from == to ? "%d" : "%d to %d", from, to);
    if (made)
        rules_find(&made->told, RULES_NOTE, kind, 0, "%s P = %s, size %llu: %s: %s", g->collective,
                   procs, (unsigned long long)size, algorithm, why);
    return 0;
}

static int leave(const struct choosing *c, const char *kind, const struct span *s,
                 const char *algorithm, const char *why)
{
    return rules_leave_out(c->made, kind, c->grid, s->from, s->to, s->size, algorithm, why);
}

/* ---- can a rule say it, and does it run? ---- */

/* MPICH's algorithms that have parameters of which a file cannot say all. */
static int wants_parameters(const struct rules_reader *reader, const struct native *native)
{
    return reader->by_name && !rules_mpich_can_say(reader->version, native);
}

/* Its number, or its place in the table. */
static long id_of(const struct rules_reader *reader, const struct native *native)
{
    return native->id ? native->id : (long)(native - natives_of(reader->library)) + 1;
}

/* The fan-out of a choice goes to the rule, as fan-out or as requests at a time; 0: a rule cannot
 * say it. Of a scatter no rule sets the requests. */
static int take_fanout(const struct rules_reader *reader, const struct native *native,
                       const struct candidate *c, struct rules_row *row)
{
    const int requests = native->fanout == FANOUT_UNLIMITED;
    const char *limit = native->limits ? algorithm_levels(c->algorithm) : NULL;
    if (limit && !reader->requests)
        return 0;
    row->requests = limit ? algorithm_limit(limit) : 0;
    if (strcmp(native->name, "chain") == 0 || native->radix || (reader->by_name && native->fanout))
        row->fanout = c->fanout > 0 ? c->fanout : native->fanout;
    else if (requests && reader->requests && strcmp(native->collective, "scatter") != 0)
        row->requests = c->fanout;
    else
        return !native->fanout || c->fanout <= 0 || (!requests && c->fanout == native->fanout);
    return 1;
}

int rules_runs_as_itself(const struct algorithm *alg, int procs, uint64_t bytes, uint64_t element,
                         uint64_t segment, int fanout)
{
    struct schedule s;
    const struct schedule_arguments arguments = { .procs = procs,
                                                  .bytes = bytes / element * element,
                                                  .segment_bytes = segment,
                                                  .fanout = fanout,
                                                  .element_bytes = element };
    return schedule_make(&s, alg, &arguments, NULL) == 0 && s.alg == s.asked;
}

struct candidate rules_plain_choice(const struct candidate *chosen)
{
    struct candidate c = *chosen;
    const char *name = algorithm_base_name(chosen->algorithm), *limit = algorithm_levels(name);
    if (strncmp(name, "chain", 5) != 0 || (name[5] && !limit) || chosen->fanout != 1)
        return c;
    snprintf(c.algorithm, NAME_SIZE, "%.*spipeline", (int)(name - chosen->algorithm),
             chosen->algorithm);
    c.fanout = limit ? algorithm_limit(limit) : 0;
    return c;
}

/* Among all processes of the span, of small and of large elements. MPICH runs what a leaf says, and
 * what stands above it looks at the elements. */
static int holds(const struct choosing *c, const struct span *s, const struct native *native,
                 const struct rules_row *row)
{
    const struct algorithm *alg =
        c->reader->by_name ? NULL : algorithm_find(c->grid->collective, native->name);
    for (int procs = s->from; procs <= s->to; procs++) {
        const uint64_t bytes = s->unit == UNIT_TOTAL ? s->size / (uint64_t)procs : s->size;
        if (native_refusal(native, procs, bytes, row->fanout))
            return 0;
        if (alg && (!rules_runs_as_itself(alg, procs, bytes, 1, (uint64_t)row->segment_bytes,
                                          (int)row->fanout) ||
                    !rules_runs_as_itself(alg, procs, bytes, LARGEST_ELEMENT,
                                          (uint64_t)row->segment_bytes, (int)row->fanout)))
            return 0;
    }
    return 1;
}

/* What MPICH decides without its device, and a composition of its device's, are rules of its
 * device's tree alone; its device decides wherever no rule does. */
static int rule_of_component(const struct choosing *c, const struct span *s, const char *name,
                             struct rules_row *row)
{
    const struct rules_reader *reader = c->reader;
    const struct native *native = native_find(reader->library, c->grid->collective, name);
    const struct mpich_leaf *leaf = mpich_composition(reader->version, c->grid->collective, name);
    if (strncmp(name, "composition_", 12) != 0) {
        row->id = strcmp(name, RULES_NO_DEVICE) == 0 ? id_of(reader, native) : 0;
        return row->id != 0;
    }
    if (!leaf)
        return leave(c, "native", s, name, "rules of this release have none of that name");
    if (!mpich_leaf_looks(leaf, reader->version))
        return leave(c, "parameter", s, name,
                     "the library of this release does not look whether a call fits its memory");
    if (!holds(c, s, native, row))
        return leave(c, "instead", s, name,
                     "among some of these processes something else would run");
    row->id = id_of(reader, native);
    return 1;
}

int rules_say_beside(const struct rules_reader *reader, const struct cell *cell,
                     const char *algorithm)
{
    const char *name = algorithm_base_name(algorithm);
    if (!reader->beside || !native_is_component(algorithm, cell->collective))
        return 0;
    const struct native *native = native_find(reader->library, cell->collective, name);
    const struct mpich_leaf *leaf = mpich_composition(reader->version, cell->collective, name);
    if (!leaf)
        return strcmp(name, RULES_NO_DEVICE) == 0;
    return mpich_leaf_looks(leaf, reader->version) &&
           !native_refusal(native, cell->procs, cell->bytes, 0) &&
           (cell->nodes < 1 || !native_out_of_reach(native, cell->nodes, cell->ppn));
}

/* The rule of a choice: 1, or 0 where it is the library's own decision, or must be left to that. */
static int rule_of(const struct choosing *c, const struct candidate *chosen, const struct span *s,
                   struct rules_row *row)
{
    const struct candidate plain = rules_plain_choice(chosen), *take = &plain;
    const char *name = algorithm_base_name(take->algorithm);
    row->id = row->fanout = row->segment_bytes = row->requests = 0;
    if (!*take->algorithm || algorithm_is_default(take->algorithm))
        return 0;
    if (c->reader->beside && native_is_component(take->algorithm, c->grid->collective))
        return rule_of_component(c, s, name, row);
    const struct native *native = native_in_rules(c->reader->library, c->reader->version,
                                                  c->grid->collective, take->algorithm);
    if (!native)
        return leave(c, "native", s, name, "rules of this release have none of that name");
    if (wants_parameters(c->reader, native))
        return leave(c, "parameter", s, name,
                     "it has parameters that a file for this release cannot say");
    if (!take_fanout(c->reader, native, take, row))
        return leave(c, "parameter", s, name, "a rule cannot say its fan-out");
    row->segment_bytes = native->segmented ? (long)take->segment_bytes : 0;
    if (!holds(c, s, native, row)) {
        row->fanout = row->segment_bytes = row->requests = 0;
        return leave(c, "instead", s, name,
                     "among some of these processes, or of elements of 16 bytes, something else "
                     "would run");
    }
    row->id = id_of(c->reader, native);
    return 1;
}

/* ---- what is meant ---- */

static const struct candidate *take_at(const struct rules_grid *g, size_t p, size_t m)
{
    return &g->take[p * g->n_bytes + m];
}

static uint64_t size_at(const struct choosing *c, size_t p, size_t m)
{
    return rules_size(c->unit, (int)c->grid->procs[p], c->grid->bytes[m], 1);
}

/* Where the library sees no size: the choice that all sizes share; NULL: there is none. */
static const struct candidate *take_of_all(const struct rules_grid *g, size_t p)
{
    for (size_t m = 1; m < g->n_bytes; m++)
        if (!candidate_equal(take_at(g, p, m), take_at(g, p, 0)))
            return NULL;
    return take_at(g, p, 0);
}

static int sees_size(enum rules_unit unit)
{
    return unit == UNIT_MESSAGE || unit == UNIT_TOTAL;
}

/* The last processes up to which a row of cells counts: before the next one, or its own. */
static int rules_last_procs(const struct rules_grid *g, size_t p)
{
    const int alone = p + 1 == g->n_procs || (g->alone && g->alone[p]);
    return (int)(alone ? g->procs[p] : g->procs[p + 1] - 1);
}

/* MPICH reads numbers of 31 bits. */
static int is_beyond(const struct choosing *c, size_t p, size_t m)
{
    const uint64_t most = m + 1 < c->grid->n_bytes ? size_at(c, p, m + 1) - 1 : size_at(c, p, m);
    return c->reader->by_name && sees_size(c->unit) && most >= INT_MAX &&
           !(c->grid->whole && m + 1 == c->grid->n_bytes);
}

/* What a rule would say of a cell of the grid, among processes from..to of its reach. */
static void say_cell(const struct choosing *c, size_t p, size_t m, int from, int to,
                     struct rules_row *row)
{
    const struct candidate *take = take_at(c->grid, p, m);
    const struct span span = { from, to, size_at(c, p, m), c->unit };
    static const struct candidate none;
    if (!sees_size(c->unit)) {
        take = take_of_all(c->grid, p);
        if (!take && c->made && m == 0)
            leave(c, "size", &span, "choices differ", "the library sees no sizes here");
    }
    if (is_beyond(c, p, m)) {
        if (c->made && *take->algorithm)
            leave(c, "size", &span, algorithm_base_name(take->algorithm),
                  "the library reads no number of 2 GiB");
        take = NULL;
    }
    rule_of(c, take ? take : &none, &span, row);
}

/* What is meant for it: of a whole row of cells, of which a rule cannot say one, nothing. */
static void mean_cell(const struct choosing *c, size_t p, size_t m, int from, int to,
                      struct rules_row *row)
{
    const struct choosing quiet = choosing_of(c->reader, c->grid, NULL);
    struct rules_row other;
    say_cell(c, p, m, from, to, row);
    for (size_t k = 0; c->grid->whole && row->id && k < c->grid->n_bytes; k++) {
        say_cell(&quiet, p, k, from, to, &other);
        if (!other.id)
            *row = other;
    }
}

/* Where the ranks of a cell were, as far as the reader's rules see it. */
static enum rules_where where_of(const struct choosing *c, size_t p)
{
    const struct rules_grid *g = c->grid;
    if (!c->reader->by_name || !g->nodes || g->nodes[p] < 1)
        return WHERE_ANY;
    return (uint64_t)g->nodes[p] >= g->procs[p] ? WHERE_ONE_PER_NODE : WHERE_SEVERAL_PER_NODE;
}

static int is_where(enum rules_where where, int procs, int nodes)
{
    return where == WHERE_ANY || (where == WHERE_ONE_PER_NODE) == (nodes >= procs);
}

/* What is meant for any call, of so many ranks on so many nodes. */
static void mean_call(const struct choosing *c, int procs, int nodes, uint64_t bytes,
                      struct rules_row *row)
{
    const struct rules_grid *g = c->grid;
    const uint64_t size = rules_size(c->unit, procs, bytes, 1);
    size_t p = 0, m = 0;
    *row = (struct rules_row){ .id = 0 };
    while (p + 1 < g->n_procs && g->procs[p + 1] <= (uint64_t)procs)
        p++;
    if ((uint64_t)procs < g->procs[p] || procs > rules_last_procs(g, p) ||
        !is_where(where_of(c, p), procs, nodes))
        return;
    if (sees_size(c->unit)) {
        while (m + 1 < g->n_bytes && size_at(c, p, m + 1) <= size)
            m++;
        if (!g->whole && (size < size_at(c, p, m) || size > size_at(c, p, g->n_bytes - 1)))
            return;
    }
    const int own = procs == (int)g->procs[p];
    mean_cell(c, p, m, own ? procs : (int)g->procs[p] + 1, own ? procs : rules_last_procs(g, p),
              row);
}

/* ---- the table ---- */

static int same_rule(const struct rules_row *a, const struct rules_row *b)
{
    return a->id == b->id && a->fanout == b->fanout && a->segment_bytes == b->segment_bytes &&
           a->requests == b->requests;
}

/* A row up to `most`, which is one with the last where they say the same. */
static void add_row(struct rules_block *b, const struct rules_row *row, uint64_t least,
                    uint64_t most)
{
    if (b->n && same_rule(&b->row[b->n - 1], row)) {
        b->row[b->n - 1].most = most;
        return;
    }
    struct rules_row *r = array_add(&b->row, &b->n);
    *r = *row;
    r->least = r->written = least;
    r->most = most;
}

/* The rows of a block: what the cells of processes p say among from..to. */
static void fill_block(const struct choosing *c, size_t p, int from, int to, struct rules_block *b)
{
    static const struct rules_row own;
    const struct choosing quiet = choosing_of(c->reader, c->grid, NULL);
    const size_t n = c->grid->n_bytes;
    struct rules_row row;
    *b = (struct rules_block){
        .collective = c->grid->collective, .least = from, .most = to, .where = where_of(c, p)
    };
    if (!sees_size(c->unit)) {
        mean_cell(c, p, 0, from, to, &row);
        add_row(b, &row, 0, UINT64_MAX);
        return;
    }
    const int whole = c->grid->whole;
    if (size_at(c, p, 0) > 0 && !whole)
        add_row(b, &own, 0, size_at(c, p, 0) - 1);
    for (size_t m = 0; m < n; m++) {
        const uint64_t last = whole ? UINT64_MAX : size_at(c, p, m);
        const int is_cell = !c->grid->between || !c->grid->between[p * n + m];
        mean_cell(is_cell ? c : &quiet, p, m, from, to, &row);
        add_row(b, &row, m || !whole ? size_at(c, p, m) : 0,
                m + 1 < n ? size_at(c, p, m + 1) - 1 : last);
    }
    if (!whole)
        add_row(b, &own, size_at(c, p, n - 1) + 1, UINT64_MAX);
    if (b->n == 1 && !b->row[0].id)
        b->where = WHERE_ANY;
}

static int same_rows(const struct rules_block *a, const struct rules_block *b)
{
    if (a->n != b->n || a->where != b->where)
        return 0;
    return !any_below(i, a->n,
                      !same_rule(&a->row[i], &b->row[i]) || a->row[i].least != b->row[i].least);
}

/* A block behind the last, which is one with it where they say the same. */
static void add_block(struct rules_table *t, struct rules_block *b)
{
    struct rules_block *last = t->n ? &t->block[t->n - 1] : NULL;
    if (last && strcmp(last->collective, b->collective) == 0 && same_rows(last, b)) {
        last->most = b->most;
        free(b->row);
        return;
    }
    b->written = b->least;
    *array_add(&t->block, &t->n) = *b;
}

static void add_own(struct rules_table *t, const char *collective, int64_t from, int64_t to)
{
    static const struct rules_row own;
    struct rules_block b = { .collective = collective, .least = from, .most = to };
    if (from > to || to < 2) /* a communicator of one asks no rules */
        return;
    add_row(&b, &own, 0, UINT64_MAX);
    add_block(t, &b);
}

static void add_grid(const struct choosing *c, struct rules_table *t)
{
    const struct rules_grid *g = c->grid;
    struct rules_block b;
    const size_t first = t->n;
    add_own(t, g->collective, 0, (int64_t)g->procs[0] - 1);
    for (size_t p = 0; p < g->n_procs; p++) {
        const int procs = (int)g->procs[p];
        fill_block(c, p, procs, procs, &b);
        add_block(t, &b);
        if (rules_last_procs(g, p) > procs) {
            const struct choosing quiet = choosing_of(c->reader, g, NULL);
            fill_block(&quiet, p, procs + 1, rules_last_procs(g, p), &b);
            add_block(t, &b);
        } else if (p + 1 < g->n_procs) {
            add_own(t, g->collective, procs + 1, (int64_t)g->procs[p + 1] - 1);
        }
    }
    add_own(t, g->collective, (int64_t)g->procs[g->n_procs - 1] + 1, MOST_PROCS);
    if (t->n == first + 1 && t->block[first].n == 1 && !t->block[first].row[0].id) {
        free(t->block[first].row); /* nothing but the library's own decision */
        t->n = first;
    }
}

/* ---- reading back ---- */

/* A file as its reader read it, and, where a file says all, one without rules; beside: it is the
 * one that leaves a rule's calls to the other. */
struct replay {
    const struct choosing *choosing;
    const struct rules *read, *own;
    int beside;
};

/* The name of the device's composition that a rule is; NULL: it is none. */
static const char *composition_of(const struct replay *r, const struct native *native)
{
    const struct mpich_leaf *leaf =
        native && native->component
            ? mpich_composition(r->choosing->reader->version, native->collective, native->name)
            : NULL;
    return leaf ? leaf->name : NULL;
}

static int is_meant(const struct replay *r, const struct rules_call *call,
                    const struct rules_row *meant, const struct rules_answer *answer)
{
    const long id = answer->outcome == RULES_OWN ? 0 : answer->id;
    if (!r->choosing->reader->by_name)
        return answer->outcome <= RULES_RUNS && id == meant->id &&
               (!id || (answer->fanout == meant->fanout && answer->requests == meant->requests &&
                        answer->segment_bytes == meant->segment_bytes));
    struct rules_answer own;
    const struct native *native =
        meant->id ? &natives_of(r->choosing->reader->library)[meant->id - 1] : NULL;
    const char *composition = composition_of(r, native);
    rules_ask(r->own, call, &own);
    if (composition)
        return answer->outcome == RULES_RUNS &&
               strcmp(answer->algorithm,
                      r->beside && !native_out_of_reach(native, call->nodes, call->ppn)
                          ? composition
                          : own.algorithm) == 0;
    if (r->beside && meant->id)
        return answer->outcome == RULES_OWN;
    if (answer->outcome != RULES_RUNS || !meant->id)
        return answer->outcome == RULES_RUNS && strcmp(answer->algorithm, own.algorithm) == 0;
    if (strcmp(native->name, RULES_NO_DEVICE) == 0)
        return strcmp(answer->algorithm, own.algorithm) == 0;
    return strcmp(answer->algorithm, native->name) == 0 && answer->fanout == meant->fanout &&
           answer->segment_bytes == meant->segment_bytes;
}

static int replay_placed(const struct replay *r, const struct rules_call *call, struct err *err)
{
    const struct choosing *c = r->choosing;
    struct rules_answer answer;
    struct rules_row meant;
    char text[32];
    mean_call(c, call->procs, call->nodes, call->bytes, &meant);
    rules_ask(r->read, call, &answer);
    c->made->replayed++;
    if (is_meant(r, call, &meant, &answer))
        return 0;
    return err_set(err,
                   "%s P = %d, %s: %s would read algorithm %ld%s%s instead of %ld (%.200s); "
                   "nothing was written",
                   c->grid->collective, call->procs, format_bytes(call->bytes, text, sizeof text),
                   c->reader->name, answer.id, *answer.algorithm ? " " : "", answer.algorithm,
                   meant.id, answer.why);
}

/* On one node; of trees, which know where ranks are, on a node each and on two, too. */
static int replay_call(void *user, int procs, uint64_t bytes, struct err *err)
{
    const struct replay *r = user;
    const char *collective = r->choosing->grid->collective;
    const struct rules_call together = { collective, procs, 1, procs, bytes, RULES_GLOBAL };
    const struct rules_call apart = { collective, procs, procs, 1, bytes, RULES_GLOBAL };
    const struct rules_call halves = { collective, procs, 2, (procs + 1) / 2, bytes, RULES_GLOBAL };
    if (replay_placed(r, &together, err) < 0)
        return -1;
    if (!r->choosing->reader->by_name)
        return 0;
    if (procs > 2 && replay_placed(r, &halves, err) < 0)
        return -1;
    return replay_placed(r, &apart, err);
}

int rules_replay_grid(const struct rules_grid *g,
                      int (*call)(void *user, int procs, uint64_t bytes, struct err *err),
                      void *user, struct err *err)
{
    for (size_t k = 0; k <= 4 * g->n_procs; k++) {
        const size_t p = k / 4 < g->n_procs ? k / 4 : g->n_procs - 1;
        const int own = (int)g->procs[p], last = rules_last_procs(g, p);
        const int around[] = { own - 1, own, own + 1, own + (last - own) / 2 };
        const int procs = k < 4 * g->n_procs ? around[k % 4] : 2 * own;
        for (size_t m = 0; procs > 1 && m < g->n_bytes; m++)
            for (int d = -1; d <= 1; d++)
                if ((g->bytes[m] || d >= 0) &&
                    call(user, procs, g->bytes[m] + (uint64_t)d, err) < 0)
                    return -1;
        if (procs > 1 && call(user, procs, 2 * g->bytes[g->n_bytes - 1], err) < 0)
            return -1;
    }
    return 0;
}

int rules_check_made(const struct rules *r, struct err *err)
{
    for (size_t i = 0; i < r->found.n; i++)
        if (r->found.v[i].severity == RULES_ERROR)
            return err_set(err, "%s finds a fault in what was made, line %d: %.200s",
                           r->reader->name, r->found.v[i].line, r->found.v[i].text);
    return r->loaded ? 0 : err_set(err, "%s would not load what was made", r->reader->name);
}

typedef void writes(const struct rules_reader *reader, const struct rules_table *t,
                    const char *const *remarks, FILE *out);

static char *write_text(const struct rules_reader *reader, writes *write,
                        const struct rules_table *t, const char *const *remarks)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    write(reader, t, remarks, out);
    fclose(out);
    return text;
}

/* Of the file, or of the one beside it. */
static int replay(const struct rules_reader *reader, const struct rules_choices *choices,
                  const char *text, int beside, struct rules_made *made, struct err *err)
{
    static const struct rules_table empty;
    static const char *const none[] = { NULL };
    struct rules r, own;
    char *without = write_text(reader, beside ? reader->write_beside : reader->write, &empty, none);
    rules_of_text(reader, text, strlen(text), &r);
    rules_of_text(reader, without, strlen(without), &own);
    int status = rules_check_made(&r, err);
    struct rules_findings told = made->told; /* what is told is told once */
    made->told = (struct rules_findings){ .n = 0 };
    for (size_t i = 0; i < choices->n && status == 0; i++) {
        const struct choosing c = choosing_of(reader, &choices->grid[i], made);
        struct replay of = { &c, &r, &own, beside };
        status = rules_replay_grid(c.grid, replay_call, &of, err);
    }
    free(made->told.v);
    made->told = told;
    rules_close(&r);
    rules_close(&own);
    free(without);
    return status;
}

/* The file beside it, read back, too. */
static int make_beside(const struct rules_reader *reader, const struct rules_table *t,
                       const struct rules_choices *choices, struct rules_made *made,
                       struct err *err)
{
    static const char *const none[] = { NULL };
    if (!reader->beside || !made->ruled)
        return 0;
    made->beside = write_text(reader, reader->write_beside, t, none);
    return replay(reader, choices, made->beside, 1, made, err);
}

/* ---- all ---- */

static void count(const struct rules_table *t, const struct rules_choices *choices,
                  const struct rules_reader *reader, struct rules_made *made)
{
    for (size_t i = 0; i < t->n; i++) {
        made->blocks++;
        made->rules += t->block[i].n;
    }
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        const struct choosing c = choosing_of(reader, g, NULL);
        for (size_t k = 0; k < g->n_procs * g->n_bytes; k++) {
            struct rules_row row;
            mean_cell(&c, k / g->n_bytes, k % g->n_bytes, (int)g->procs[k / g->n_bytes],
                      (int)g->procs[k / g->n_bytes], &row);
            if (g->between && g->between[k])
                continue;
            made->cells++;
            made->ruled += row.id != 0;
        }
    }
}

char *rules_export(const struct rules_reader *reader, const struct rules_choices *choices,
                   const char *const *remarks, struct rules_made *made, struct err *err)
{
    struct rules_table *t = memory_zeros(1, sizeof *t);
    struct rules whole = { .reader = reader, .read = t };
    *made = (struct rules_made){ .cells = 0 };
    if (reader->write_choices) {
        rules_table_clear(&whole);
        return reader->write_choices(reader, choices, remarks, made, err);
    }
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        const struct choosing c = choosing_of(reader, g, made);
        if (g->n_procs && g->n_bytes)
            add_grid(&c, t);
    }
    char *text = write_text(reader, reader->write, t, remarks);
    count(t, choices, reader, made);
    const int beside = make_beside(reader, t, choices, made, err);
    rules_table_clear(&whole);
    if (beside == 0 && replay(reader, choices, text, 0, made, err) == 0)
        return text;
    free(text);
    return NULL;
}

void rules_choices_clear(struct rules_choices *choices)
{
    for (size_t i = 0; i < choices->n; i++)
        memory_free(choices->grid[i].procs, choices->grid[i].bytes, choices->grid[i].take,
                    choices->grid[i].alone, choices->grid[i].between, choices->grid[i].likely,
                    choices->grid[i].nodes, choices->grid[i].ppn);
    free(choices->grid);
    *choices = (struct rules_choices){ .n = 0 };
}

CLEARS(rules_made_clear, rules_made, it->told.v, it->beside)
