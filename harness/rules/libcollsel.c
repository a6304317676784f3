/* SPDX-License-Identifier: BSD-3-Clause */
/* libcollsel.c - tables of the library that applications preload (docs/formats.md): any schedule,
 * of any library's algorithms, which the other files of rules cannot say. Sizes are those of one
 * rank, of every collective. */
#include "harness/rules/export.h"
#include "harness/study/libraries/natives.h"
#include "workloads/libcollsel/choice_table.h"

static void read_table(struct rules *r, char *text, size_t len)
{
    struct err err = { 0 };
    int line;
    r->read = choice_table_read(text, len, &line, &err);
    r->loaded = r->read != NULL;
    if (!r->loaded)
        rules_find(&r->found, RULES_ERROR, "unread", line,
                   "%.300s: it ends the application in MPI_Init", err.text);
}

static void name_instead(const struct choice *choice, const struct rules_call *call,
                         uint64_t element, struct rules_answer *out)
{
    struct schedule s;
    const struct schedule_arguments arguments = { .procs = call->procs,
                                                  .bytes = call->bytes / element * element,
                                                  .element_bytes = element,
                                                  .segment_bytes = choice->segment_bytes,
                                                  .fanout = choice->fanout,
                                                  .levels = choice_levels(choice) };
    if (schedule_make(&s, choice->alg, &arguments, NULL) == 0 && s.alg != s.asked)
        snprintf(out->runs, sizeof out->runs, "%s", s.alg->name);
}

static void ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out)
{
    const struct comm_shape shape = { call->procs, call->nodes, call->ppn };
    const struct choice *choice =
        r->loaded && call->procs > 1
            ? choice_table_find(r->read, call->collective, &shape, call->bytes)
            : NULL;
    out->size = call->bytes;
    if (!r->loaded) {
        rules_tell_unused(r, out);
        return;
    }
    if (!choice) {
        snprintf(out->why, sizeof out->why, "%s",
                 call->procs == 1 ? "one process calls the library"
                 : choice_table_has(r->read, call->collective)
                     ? "no row of the collective has these processes and bytes"
                     : "the file has no row of the collective");
        return;
    }
    out->line = choice->line;
    snprintf(out->why, sizeof out->why,
             "line %d is the first row that has these processes and bytes", choice->line);
    if (!choice->alg)
        return;
    out->outcome = RULES_RUNS;
    snprintf(out->algorithm, sizeof out->algorithm, "%.63s", choice->name);
    out->segment_bytes = (long)choice->segment_bytes;
    out->fanout = choice->fanout;
    name_instead(choice, call, r->element_bytes, out);
}

static void clear(struct rules *r)
{
    choice_table_free(r->read);
}

enum { MOST_LIKELY = 8 };

struct line {
    const char *collective;
    uint64_t procs[2], bytes[2];            /* from and to */
    struct candidate take[1 + MOST_LIKELY]; /* by the table's names; the choice is the first */
    size_t n;                               /* 0: nothing is said */
};

struct lines {
    struct line *v;
    size_t n;
};

/* A choice of a grid, and what is made of the calls around it. */
struct part {
    const struct rules_grid *grid;
    struct rules_made *made; /* NULL: nothing is told */
    int from, to;            /* processes */
};

/* By which name the table calls a candidate: that of what runs, where that has a schedule; else
 * that of the schedule that sends its messages. 0: there is none. */
static int name_choice(const char *collective, const struct candidate *c, struct candidate *named)
{
    struct choice choice;
    *named = rules_plain_choice(c);
    if (choice_find(&choice, collective, named->algorithm, NULL) == 0)
        return choice.alg != NULL;
    const struct algorithm *alg = native_schedule(collective, c->algorithm);
    if (alg)
        snprintf(named->algorithm, sizeof named->algorithm, "portable:%.50s", alg->name);
    return alg && choice_find(&choice, collective, named->algorithm, NULL) == 0;
}

static int leave(const struct part *p, const struct candidate *c, uint64_t bytes, const char *kind,
                 const char *why)
{
    return rules_leave_out(p->made, kind, p->grid, p->from, p->to, bytes, c->algorithm, why);
}

/* What a cell of the grid says for all processes of the part: 0 where that is the library's own
 * decision, or must be left to it. */
static int mean(const struct part *p, const struct candidate *take, uint64_t bytes,
                struct candidate *named)
{
    struct choice choice;
    if (!*take->algorithm || algorithm_is_default(take->algorithm))
        return 0;
    if (!name_choice(p->grid->collective, take, named))
        return leave(p, take, bytes, "native", "no schedule of that name");
    choice_find(&choice, p->grid->collective, named->algorithm, NULL);
    for (int procs = p->from; procs <= p->to; procs++)
        if (!rules_runs_as_itself(choice.alg, procs, bytes, 1, named->segment_bytes, named->fanout))
            return leave(p, take, bytes, "instead",
                         "among some of these processes something else would run");
    return 1;
}

static int same_choice(const struct line *a, const struct line *b)
{
    const size_t i = first_below(k, a->n, !(k < b->n && candidate_equal(&a->take[k], &b->take[k])));
    return i == a->n && i == b->n;
}

/* Equal neighbours are one line. */
static void add_line(struct lines *to, const struct line *line)
{
    struct line *last = to->n ? &to->v[to->n - 1] : NULL;
    if (last && last->bytes[1] + 1 == line->bytes[0] && same_choice(last, line))
        last->bytes[1] = line->bytes[1];
    else
        *array_add(&to->v, &to->n) = *line;
}

/* The choice, and behind it what may be tried beside: then the library's own decision is said, too,
 * as the first row counts. */
static void fill_line(const struct part *p, size_t cell, uint64_t bytes, struct line *line)
{
    const struct rules_grid *g = p->grid;
    const struct part quiet = { g, NULL, p->from, p->to };
    const size_t most = g->n_likely < MOST_LIKELY ? g->n_likely : MOST_LIKELY;
    struct candidate first;
    const int chosen = mean(p, &g->take[cell], bytes, &first);
    line->n = 1;
    for (size_t i = 0; i < most; i++) {
        const struct candidate *c = &g->likely[cell * g->n_likely + i];
        if (mean(&quiet, c, bytes, &line->take[line->n]) &&
            !(chosen && candidate_equal(&line->take[line->n], &first)))
            line->n++;
    }
    if (chosen)
        line->take[0] = first;
    else if (line->n > 1)
        line->take[0] = (struct candidate){ .algorithm = "default" };
    else
        line->n = 0;
}

static void add_bytes(const struct part *p, size_t at, struct lines *to)
{
    const struct rules_grid *g = p->grid;
    const struct part quiet = { g, NULL, p->from, p->to };
    for (size_t m = 0; m < g->n_bytes; m++) {
        struct line line = { .collective = g->collective,
                             .procs = { (uint64_t)p->from, (uint64_t)p->to },
                             .bytes = { g->bytes[m],
                                        m + 1 < g->n_bytes ? g->bytes[m + 1] - 1 : g->bytes[m] } };
        fill_line(g->between && g->between[at * g->n_bytes + m] ? &quiet : p, at * g->n_bytes + m,
                  g->bytes[m], &line);
        if (line.n)
            add_line(to, &line);
    }
}

static int same_lines(const struct line *a, const struct line *b, size_t n)
{
    return !any_below(i, n,
                      a[i].bytes[0] != b[i].bytes[0] || a[i].bytes[1] != b[i].bytes[1] ||
                          !same_choice(&a[i], &b[i]));
}

/* Lines of the processes from p->from on; where the block of lines before them, from *block on,
 * says the same and ends there, it goes on instead. */
static void add_part(const struct part *p, size_t at, struct lines *all, size_t *block)
{
    struct lines some = { .n = 0 };
    const size_t n = all->n - *block;
    add_bytes(p, at, &some);
    if (n && n == some.n && all->v[*block].procs[1] + 1 == (uint64_t)p->from &&
        same_lines(&all->v[*block], some.v, n)) {
        for (size_t i = *block; i < all->n; i++)
            all->v[i].procs[1] = (uint64_t)p->to;
    } else {
        *block = all->n;
        for (size_t i = 0; i < some.n; i++)
            *array_add(&all->v, &all->n) = some.v[i];
        p->made->blocks += some.n > 0;
    }
    free(some.v);
}

static void add_grid(const struct rules_grid *g, struct rules_made *made, struct lines *all)
{
    struct rules_made quiet = { .cells = 0 };
    size_t block = all->n;
    for (size_t i = 0; i < g->n_procs; i++) {
        const int procs = (int)g->procs[i];
        const int last = i + 1 < g->n_procs ? (int)g->procs[i + 1] - 1 : procs;
        struct part p = { g, made, procs, procs };
        add_part(&p, i, all, &block);
        if (last > procs) {
            p = (struct part){ g, &quiet, procs + 1, last };
            add_part(&p, i, all, &block);
        }
    }
    made->blocks += quiet.blocks;
    rules_made_clear(&quiet);
}

static void write_line(const struct line *l, FILE *out)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct candidate *c = &l->take[i];
        fprintf(out, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,", l->collective,
                l->procs[0], l->procs[1], l->bytes[0], l->bytes[1], c->algorithm);
        if (c->segment_bytes)
            fprintf(out, "%" PRIu64, c->segment_bytes);
        fputc(',', out);
        if (c->fanout)
            fprintf(out, "%d", c->fanout);
        fputc('\n', out);
    }
}

static int replay_call(const struct rules *r, const struct rules_grid *g, size_t p, size_t m,
                       int procs, uint64_t bytes, struct rules_made *made, struct err *err)
{
    const struct rules_call call = { g->collective, procs, 1, procs, bytes, RULES_GLOBAL };
    const int own = procs == (int)g->procs[p];
    const struct part part = { g, NULL, own ? procs : (int)g->procs[p] + 1,
                               own ? procs : (int)g->procs[p + 1] - 1 };
    struct rules_answer answer;
    struct candidate meant;
    const int runs = mean(&part, &g->take[p * g->n_bytes + m], g->bytes[m], &meant);
    rules_ask(r, &call, &answer);
    made->replayed++;
    if (runs ? answer.outcome == RULES_RUNS && strcmp(answer.algorithm, meant.algorithm) == 0 &&
                   answer.fanout == meant.fanout &&
                   (uint64_t)answer.segment_bytes == meant.segment_bytes
             : answer.outcome == RULES_OWN)
        return 0;
    return err_set(err,
                   "%s P = %d, %" PRIu64 " bytes: the table would say '%s' instead of '%s'; "
                   "nothing was written",
                   g->collective, procs, bytes, answer.algorithm, runs ? meant.algorithm : "");
}

/* Every cell, the last call that it stands for, and the same among processes between. */
static int replay_cell(const struct rules *r, const struct rules_grid *g, size_t p, size_t m,
                       struct rules_made *made, struct err *err)
{
    const uint64_t last = m + 1 < g->n_bytes ? g->bytes[m + 1] - 1 : g->bytes[m];
    const int procs = (int)g->procs[p],
              between = p + 1 < g->n_procs && g->procs[p + 1] > g->procs[p] + 1;
    for (int d = 0; d <= between; d++)
        if (replay_call(r, g, p, m, procs + d, g->bytes[m], made, err) < 0 ||
            replay_call(r, g, p, m, procs + d, last, made, err) < 0)
            return -1;
    return 0;
}

static int replay(const struct rules_choices *choices, const char *text, struct rules_made *made,
                  struct err *err)
{
    struct rules r;
    int status = 0;
    rules_of_text(&rules_libcollsel, text, strlen(text), &r);
    if (!r.loaded)
        status = err_set(err, "the table would not be read (%.200s)", r.found.v[0].text);
    for (size_t i = 0; i < choices->n && status == 0; i++) {
        const struct rules_grid *g = &choices->grid[i];
        for (size_t k = 0; k < g->n_procs * g->n_bytes && status == 0; k++)
            status = replay_cell(&r, g, k / g->n_bytes, k % g->n_bytes, made, err);
    }
    rules_close(&r);
    return status;
}

static void count_cells(const struct rules_choices *choices, struct rules_made *made)
{
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        for (size_t k = 0; k < g->n_procs * g->n_bytes; k++) {
            const int procs = (int)g->procs[k / g->n_bytes];
            const struct part part = { g, NULL, procs, procs };
            struct line line;
            if (g->between && g->between[k])
                continue;
            made->cells++;
            fill_line(&part, k, g->bytes[k % g->n_bytes], &line);
            made->ruled += line.n > 0;
        }
    }
}

static char *export_table(const struct rules_reader *reader, const struct rules_choices *choices,
                          const char *const *remarks, struct rules_made *made, struct err *err)
{
    (void)reader;
    struct lines all = { .n = 0 };
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < choices->n; i++)
        add_grid(&choices->grid[i], made, &all);
    FILE *out = memory_stream(&text, &size);
    for (; *remarks; remarks++)
        fprintf(out, "# %s\n", *remarks);
    fprintf(out, "%s\n", CHOICE_TABLE_HEADER);
    for (size_t i = 0; i < all.n; i++)
        write_line(&all.v[i], out);
    fclose(out);
    made->rules = all.n;
    free(all.v);
    count_cells(choices, made);
    if (replay(choices, text, made, err) == 0)
        return text;
    free(text);
    return NULL;
}

const struct rules_reader rules_libcollsel = {
    .name = "libcollsel",
    .help = "tables of libcollsel (collsel run --table)",
    .library = "libcollsel",
    .version = "1",
    .read = read_table,
    .ask = ask,
    .clear = clear,
    .schedules = 1,
    .write_choices = export_table,
    .command = "collsel run --table %s -- mpirun ...",
    .rollback = "leave out --table FILE (or start the program without collsel run)",
};
