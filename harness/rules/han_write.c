/* SPDX-License-Identifier: BSD-3-Clause */
/* han_write.c - choices among components as a file of rules for `han`.
 *
 * The file sees how many ranks there are, and not where: it is for the nodes that were measured.
 * What han is not asked for, or cannot do there, is left to what decides without the file. Where
 * han serves nothing by default (4.1) raising it makes it serve all its collectives, so that the
 * file gives each of them back to `tuned`. */
#include "harness/rules/export.h"
#include "harness/rules/han.h"

/* What is chosen for a collective; grid NULL: nothing is. */
struct choosing {
    const struct rules_reader *reader;
    const struct han_release *release;
    const char *collective;
    const struct rules_grid *grid;
};

/* Who decides without the file. */
static enum han_component own(const struct choosing *c)
{
    return c->release->priority ? HAN_HAN : HAN_TUNED;
}

/* The name in the file of who shall serve: of an allreduce that han would take for itself, that of
 * a component without one leaves it to tuned. */
static enum han_component written(const struct choosing *c, enum han_component component)
{
    return c->release->breaks && strcmp(c->collective, "allreduce") == 0 && component == HAN_TUNED
               ? HAN_LIBNBC
               : component;
}

/* Why a component cannot be chosen for a cell; NULL: it can. */
static const char *refuse(const struct choosing *c, size_t p, int component)
{
    const struct rules_grid *g = c->grid;
    const int nodes = g->nodes[p], ppn = g->ppn[p];
    if (component != HAN_HAN && component != HAN_TUNED && component != HAN_BASIC &&
        component != HAN_ADAPT)
        return "a file of han's cannot say it";
    if (nodes < 2)
        return "han does not serve one node";
    if (ppn < 2)
        return "han leaves communicators of one rank a node, with all that its file says";
    if ((uint64_t)nodes * (uint64_t)ppn != g->procs[p])
        return "han leaves communicators of unequally many ranks a node";
    if (component != HAN_HAN && component != HAN_TUNED && c->release->breaks &&
        strcmp(c->collective, "allreduce") == 0)
        return "this release's han ends the program where another component has an allreduce";
    if (!han_component_serves((enum han_component)component, c->collective))
        return "the component has none";
    return NULL;
}

/* Who serves a cell; told: NULL, or where to say what is left. */
static enum han_component mean_cell(const struct choosing *c, size_t p, size_t m,
                                    struct rules_findings *told)
{
    const struct rules_grid *g = c->grid;
    const char *algorithm = g->take[p * g->n_bytes + m].algorithm;
    if (!*algorithm || algorithm_is_default(algorithm))
        return own(c);
    const int component = han_component_named(algorithm_base_name(algorithm), N_HAN_COMPONENTS);
    const char *why = refuse(c, p, component);
    if (!why)
        return (enum han_component)component;
    if (told)
        rules_find(told, RULES_NOTE, "native", 0, "%s P = %d, size %" PRIu64 ": %s: %s",
                   c->collective, (int)g->procs[p], g->bytes[m], algorithm, why);
    return own(c);
}

/* Who serves any call: of the last cell whose processes and bytes are not more. */
static enum han_component mean_call(const struct choosing *c, int procs, uint64_t bytes)
{
    const struct rules_grid *g = c->grid;
    size_t p = 0, m = 0;
    if (!g || procs < (int)g->procs[0] || procs > (int)g->procs[g->n_procs - 1])
        return own(c);
    while (p + 1 < g->n_procs && (int)g->procs[p + 1] <= procs)
        p++;
    if (strcmp(c->collective, "barrier") == 0)
        return mean_cell(c, p, 0, NULL);
    if (bytes < g->bytes[0] || bytes > g->bytes[g->n_bytes - 1])
        return own(c);
    while (m + 1 < g->n_bytes && g->bytes[m + 1] <= bytes)
        m++;
    return mean_cell(c, p, m, NULL);
}

static void add_row(struct han_block *b, uint64_t least, enum han_component component)
{
    if (b->n && b->row[b->n - 1].component == component)
        return;
    struct han_row *row = array_add(&b->row, &b->n);
    row->least = least;
    row->component = component;
}

static int same_rows(const struct han_block *a, const struct han_block *b)
{
    if (a->n != b->n)
        return 0;
    return !any_below(
        i, a->n, a->row[i].least != b->row[i].least || a->row[i].component != b->row[i].component);
}

/* A block behind the last, unless that says the same. */
static void add_block(struct han_level *l, struct han_block *b)
{
    if (l->n && same_rows(&l->block[l->n - 1], b))
        free(b->row);
    else
        *array_add(&l->block, &l->n) = *b;
}

static void add_own(const struct choosing *c, struct han_level *l, int least)
{
    struct han_block b = { .least = least };
    add_row(&b, 0, written(c, own(c)));
    add_block(l, &b);
}

static void add_procs(const struct choosing *c, size_t p, struct han_level *l,
                      struct rules_made *made)
{
    const struct rules_grid *g = c->grid;
    const int sees_size = strcmp(c->collective, "barrier") != 0;
    struct han_block b = { .least = (int)g->procs[p] };
    if (sees_size && g->bytes[0])
        add_row(&b, 0, written(c, own(c)));
    for (size_t m = 0; m < (sees_size ? g->n_bytes : 1); m++)
        add_row(&b, sees_size ? g->bytes[m] : 0, written(c, mean_cell(c, p, m, &made->told)));
    if (sees_size)
        add_row(&b, g->bytes[g->n_bytes - 1] + 1, written(c, own(c)));
    add_block(l, &b);
}

/* The rules of a collective; 1 where they say what is not so without them. */
static int add_collective(const struct choosing *c, struct han_file *file, struct rules_made *made)
{
    struct han_level level = { .level = HAN_GLOBAL };
    add_own(c, &level, 1);
    for (size_t p = 0; c->grid && p < c->grid->n_procs; p++)
        add_procs(c, p, &level, made);
    if (c->grid)
        add_own(c, &level, (int)c->grid->procs[c->grid->n_procs - 1] + 1);
    struct han_collective *all = array_add(&file->collective, &file->n);
    all->id = rules_collective_id(c->collective);
    *array_add(&all->level, &all->n) = level;
    return level.n > 1 || !c->release->priority;
}

static void drop_last(struct han_file *file)
{
    struct han_level *level = file->collective[--file->n].level;
    memory_free(level->block[0].row, level->block, level);
}

static int uses_adapt(const struct han_file *file)
{
    for (size_t i = 0; i < file->n; i++)
        for (size_t b = 0; b < file->collective[i].level->n; b++)
            for (size_t k = 0; k < file->collective[i].level->block[b].n; k++)
                if (file->collective[i].level->block[b].row[k].component == HAN_ADAPT)
                    return 1;
    return 0;
}

static void write_level(const struct han_level *l, FILE *out, struct rules_made *made)
{
    fprintf(out, "1 # level:\n%d # %s\n%zu # numbers of ranks\n", l->level, han_levels[l->level],
            l->n);
    for (size_t i = 0; i < l->n; i++) {
        const struct han_block *b = &l->block[i];
        fprintf(out, "%d # ranks, and more\n%zu # rules: bytes of a rank, component\n", b->least,
                b->n);
        for (size_t k = 0; k < b->n; k++)
            fprintf(out, "%" PRIu64 " %s\n", b->row[k].least, han_components[b->row[k].component]);
        made->rules += b->n;
    }
    made->blocks += l->n;
}

static int same_layout(const struct rules_grid *a, const struct rules_grid *b)
{
    if (a->n_procs != b->n_procs)
        return 0;
    return !any_below(p, a->n_procs, a->procs[p] != b->procs[p] || a->nodes[p] != b->nodes[p]);
}

/* Where the ranks were, which the file does not see: of the first collective, and of those that
 * differ from it. */
static void write_layouts(const struct rules_choices *choices, FILE *out)
{
    fputs("# han's files see how many ranks there are, not where: this one is for", out);
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        if (i && same_layout(g, choices->grid))
            continue;
        if (i)
            fprintf(out, ";\n#   %s for", g->collective);
        for (size_t p = 0; p < g->n_procs; p++)
            fprintf(out, "%s%s%d on %d node%s", p ? "," : "", p % 8 ? " " : "\n#   ",
                    (int)g->procs[p], g->nodes[p], plural(g->nodes[p]));
    }
    fputs("\n", out);
}

static char *write_file(const struct han_file *file, const struct rules_choices *choices,
                        const char *const *remarks, struct rules_made *made)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    for (; *remarks; remarks++)
        fprintf(out, "# %s\n", *remarks);
    write_layouts(choices, out);
    if (uses_adapt(file))
        fputs("# adapt takes part only where its priority is raised: --mca coll_adapt_priority 15 "
              "beside the above\n# (it then has ibcast and ireduce, too); else tuned serves its "
              "calls\n",
              out);
    fprintf(out, "%zu # collectives\n", file->n);
    for (size_t i = 0; i < file->n; i++) {
        fprintf(out, "%s\n", rules_collective_name(file->collective[i].id));
        write_level(file->collective[i].level, out, made);
    }
    fclose(out);
    return text;
}

struct replay {
    const struct choosing *choosing;
    const struct rules *read;
    struct rules_made *made;
};

/* On two nodes: on one nobody asks han. */
static int replay_call(void *user, int procs, uint64_t bytes, struct err *err)
{
    const struct replay *r = user;
    const struct choosing *c = r->choosing;
    const struct rules_call call = {
        c->collective, procs, 2, (procs + 1) / 2, bytes, RULES_GLOBAL
    };
    struct rules_answer a;
    if (procs < 3)
        return 0;
    const enum han_component meant = mean_call(c, procs, bytes);
    rules_ask(r->read, &call, &a);
    r->made->replayed++;
    const int named = strcmp(a.algorithm, han_components[written(c, meant)]) == 0;
    const char *serves = *a.runs ? a.runs : a.algorithm;
    const int even = call.ppn > 1 && call.nodes * call.ppn == procs;
    if (a.outcome <= RULES_RUNS && named && (!even || strcmp(serves, han_components[meant]) == 0))
        return 0;
    return err_set(err,
                   "%s P = %d, %" PRIu64 " bytes: %s would let %s serve instead of %s (%.200s); "
                   "nothing was written",
                   c->collective, procs, bytes, c->reader->name, serves, han_components[meant],
                   a.why);
}

static void count(const struct choosing *c, struct rules_made *made)
{
    const struct rules_grid *g = c->grid;
    for (size_t k = 0; g && k < g->n_procs * g->n_bytes; k++) {
        made->cells++;
        made->ruled += mean_cell(c, k / g->n_bytes, k % g->n_bytes, NULL) != own(c);
    }
}

/* The grid of a collective that han serves; NULL: there is none. */
static const struct rules_grid *grid_of(const struct rules_choices *choices, const char *collective)
{
    return find_below(choices->grid, i, choices->n,
                      strcmp(choices->grid[i].collective, collective) == 0 &&
                          choices->grid[i].n_procs && choices->grid[i].n_bytes);
}

char *han_export(const struct rules_reader *reader, const struct rules_choices *choices,
                 const char *const *remarks, struct rules_made *made, struct err *err)
{
    struct rules read = { .reader = reader, .read = memory_zeros(1, sizeof(struct han_file)) };
    struct han_file *file = read.read;
    struct choosing all[OPENMPI_COLLECTIVES];
    size_t n = 0;
    for (int id = 0; id < OPENMPI_COLLECTIVES; id++) {
        const char *collective = rules_collective_name(id);
        struct choosing *c = &all[n];
        *c = (struct choosing){ reader, reader->han, collective, grid_of(choices, collective) };
        if (!han_serves(c->release, collective, HAN_GLOBAL))
            continue;
        if (!add_collective(c, file, made))
            drop_last(file);
        count(c, made);
        n++;
    }
    if (!file->n) /* the reader wants one */
        add_collective(&(struct choosing){ reader, all[0].release, all[0].collective, NULL }, file,
                       made);
    char *text = write_file(file, choices, remarks, made);
    han_clear(&read);
    rules_of_text(reader, text, strlen(text), &read);
    int status = rules_check_made(&read, err);
    for (size_t i = 0; i < n && status == 0; i++) {
        struct replay of = { &all[i], &read, made };
        status = all[i].grid ? rules_replay_grid(all[i].grid, replay_call, &of, err) : 0;
    }
    rules_close(&read);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}
