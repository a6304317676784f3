/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/rule_choices.h"

#include "harness/rules/mpich_tree.h"
#include "harness/study/libraries/natives.h"

struct numbers {
    uint64_t *v;
    size_t n;
};

static void add_number(struct numbers *to, uint64_t value)
{
    if (value <= INT_MAX)
        *array_add(&to->v, &to->n) = value;
}

/* All whole numbers of a text behind these words, behind a NUL, too: whatever a rule compares a
 * size with is among those behind "". For readers that know which of them may matter to a call that
 * is too many: then each call would be asked for as often as the file has rules of all collectives.
 */
static void add_written(struct numbers *to, const char *text, size_t length, const char *words)
{
    const size_t n = strlen(words);
    for (const char *at = text; at < text + length;) {
        char *end = (char *)at + 1;
        const int is_digit = *at >= '0' && *at <= '9';
        const uint64_t number = is_digit ? strtoull(at, &end, 10) : 0;
        if (is_digit && at - text >= (ptrdiff_t)n && memcmp(at - n, words, n) == 0)
            add_number(to, number);
        at = end;
    }
    to->n = array_set_u64(to->v, to->n);
}

static void take_number(void *to, uint64_t value)
{
    add_number(to, value);
}

static void add_around(struct numbers *to, uint64_t value)
{
    add_number(to, value ? value - 1 : 0);
    add_number(to, value);
    add_number(to, value + 1);
}

/* Sizes of MPI's own elements; 0: the end. */
static const uint64_t elements[] = { 1, 2, 4, 8, 16, 0 };

/* Around each number that the file writes, as bytes of one rank and as bytes of all ranks together:
 * readers compare with either; and around as many elements as it counts. */
static struct numbers sizes_for(const struct numbers *said, const struct numbers *counted,
                                int procs, const uint64_t *element)
{
    struct numbers s = { .n = 0 };
    add_number(&s, 0);
    add_number(&s, INT_MAX);
    add_around(&s, (uint64_t)procs);
    for (size_t i = 0; i < said->n; i++) {
        add_around(&s, said->v[i]);
        add_around(&s, said->v[i] / (uint64_t)procs);
    }
    for (; *element; element++) {
        add_around(&s, (uint64_t)procs * *element);
        for (size_t i = 0; i < counted->n; i++) {
            add_around(&s, counted->v[i] * *element);
            add_around(&s, counted->v[i] / (uint64_t)procs * *element);
        }
    }
    s.n = array_set_u64(s.v, s.n);
    return s;
}

struct step {
    uint64_t from; /* bytes, up to the next step */
    struct candidate take;
};

struct steps {
    struct step *v;
    size_t n;
};

struct carrying {
    const struct rules *rules;
    const char *collective;
    int procs;
    struct rules_conversion *of;
    uint64_t given[2];       /* the element's size and 0, where that is given */
    const uint64_t *element; /* sizes of elements that are asked for, ended by 0 */
    struct numbers counted;  /* elements that the file compares with */
    struct steps steps;
    int by_element; /* 1: of some calls the element decides */
};

static int refuse(const struct carrying *c, uint64_t bytes, const struct rules_answer *a,
                  struct err *err)
{
    static const char *const words[N_RULES_OUTCOMES] = {
        [RULES_FAILS] = "fails", [RULES_HANGS] = "hangs", [RULES_DIES] = "ends the program"
    };
    return err_set(err, "%s of %" PRIu64 " bytes among %d %s (%s)", c->collective, bytes, c->procs,
                   words[a->outcome], a->why);
}

static void take_of(const struct carrying *c, const struct rules_answer *a, struct candidate *take)
{
    const char *library = c->rules->reader->library, *name = *a->runs ? a->runs : a->algorithm;
    const struct native *native = native_find(library, c->collective, name);
    snprintf(take->algorithm, sizeof take->algorithm, "%s:%.40s", library, name);
    if (native && native->segmented && a->segment_bytes > 0)
        take->segment_bytes = (uint64_t)a->segment_bytes;
    if (strcmp(name, "chain") == 0) /* of the others the library takes no fan-out from a rule */
        take->fanout = a->fanout < 1 ? 1 : a->fanout > 32 ? 32 : (int)a->fanout;
    *take = rules_plain_choice(take);
}

/* What the files say of a call with elements of this size. */
static struct rules_answer answer_of(const struct carrying *c, uint64_t bytes, uint64_t element)
{
    const struct rules_call call = {
        .collective = c->collective, .procs = c->procs, .nodes = c->of->nodes, .bytes = bytes
    };
    struct rules r = *c->rules, device = r.device ? *r.device : r;
    struct rules_answer before = { .outcome = RULES_OWN }, a = before;
    r.element_bytes = device.element_bytes = element;
    if (r.device)
        rules_ask(&device, &call, &before);
    if (before.outcome == RULES_RUNS &&
        mpich_leaf_parts(r.reader->version, c->collective, before.algorithm))
        return a;
    if (before.outcome > RULES_RUNS)
        return before;
    rules_ask(&r, &call, &a);
    a.by_element |= before.by_element;
    return a;
}

/* What runs instead for larger elements alone is no difference: the library itself replaces it. */
static int differ(const struct rules_answer *a, const struct rules_answer *b)
{
    return a->outcome != b->outcome || strcmp(a->algorithm, b->algorithm) != 0 ||
           a->segment_bytes != b->segment_bytes || a->fanout != b->fanout ||
           (*a->runs && strcmp(a->runs, b->runs) != 0);
}

static int ask(struct carrying *c, uint64_t bytes, struct candidate *take, struct err *err)
{
    const uint64_t *e = c->element;
    const struct rules_answer answer = answer_of(c, bytes, *e++);
    memset(take, 0, sizeof *take);
    for (; answer.by_element && *e && *e <= bytes; e++) {
        const struct rules_answer other = answer_of(c, bytes, *e);
        if (other.outcome > RULES_RUNS)
            return refuse(c, bytes, &other, err);
        if (differ(&answer, &other)) {
            c->by_element = 1;
            return 0;
        }
    }
    if (answer.outcome > RULES_RUNS)
        return refuse(c, bytes, &answer, err);
    if (answer.outcome == RULES_RUNS)
        take_of(c, &answer, take);
    c->of->limited |= answer.outcome == RULES_RUNS && answer.requests > 0;
    return 0;
}

static void add_step(struct steps *to, uint64_t from, const struct candidate *take)
{
    if (to->n && candidate_equal(&to->v[to->n - 1].take, take))
        return;
    *array_add(&to->v, &to->n) = (struct step){ from, *take };
}

/* *low and high get different algorithms: finds by halving where another one begins, adds that
 * step, and goes there. */
static int find_border(struct carrying *c, uint64_t *low, uint64_t high, struct candidate *at_low,
                       struct err *err)
{
    struct candidate at;
    while (high - *low > 1) {
        const uint64_t middle = *low + (high - *low) / 2;
        if (ask(c, middle, &at, err) < 0)
            return -1;
        *(candidate_equal(&at, at_low) ? low : &high) = middle;
    }
    *low = high;
    if (ask(c, high, at_low, err) < 0)
        return -1;
    add_step(&c->steps, high, at_low);
    return 0;
}

/* What the file says for every size among c->procs ranks, into c->steps. */
static int find_steps(struct carrying *c, const struct numbers *said, struct err *err)
{
    struct numbers sizes = sizes_for(said, &c->counted, c->procs, c->element);
    struct candidate before, take;
    int status = 0;
    c->steps.n = 0;
    for (size_t i = 0; i < sizes.n && status == 0; i++) {
        status = ask(c, sizes.v[i], &take, err);
        for (uint64_t at = i ? sizes.v[i - 1] : 0;
             status == 0 && i && !candidate_equal(&before, &take);)
            status = find_border(c, &at, sizes.v[i], &before, err);
        if (status == 0)
            add_step(&c->steps, sizes.v[i], &take);
        before = take;
    }
    free(sizes.v);
    return status;
}

/* 1 where the columns of g begin where these steps begin: g can then take their number of
 * processes as one more row. */
static int has_borders(const struct rules_grid *g, const struct steps *steps)
{
    size_t i = 0;
    if (g->n_bytes != steps->n + 1)
        return 0;
    while (i < steps->n && g->bytes[i] == steps->v[i].from)
        i++;
    return i == steps->n;
}

/* A grid's choices hold up to its next number of processes, so that none may be missing. */
static int is_next(const struct rules_grid *g, const struct carrying *c)
{
    return strcmp(g->collective, c->collective) == 0 &&
           g->procs[g->n_procs - 1] + 1 == (uint64_t)c->procs;
}

static struct rules_grid *grid_for(struct rules_choices *to, const struct carrying *c)
{
    struct rules_grid *g = to->n ? &to->grid[to->n - 1] : NULL;
    if (g && is_next(g, c) && has_borders(g, &c->steps))
        return g;
    g = array_add(&to->grid, &to->n);
    snprintf(g->collective, sizeof g->collective, "%s", c->collective);
    g->n_bytes = c->steps.n + 1;
    g->bytes = memory_zeros(g->n_bytes, sizeof *g->bytes);
    for (size_t i = 0; i < c->steps.n; i++)
        g->bytes[i] = c->steps.v[i].from;
    g->bytes[c->steps.n] = INT_MAX; /* the last step holds up to here */
    return g;
}

static void add_procs(struct rules_choices *to, const struct carrying *c)
{
    struct rules_grid *g = grid_for(to, c);
    const size_t n = g->n_procs++;
    g->procs = memory_resize(g->procs, g->n_procs, sizeof *g->procs);
    g->take = memory_resize(g->take, g->n_procs * g->n_bytes, sizeof *g->take);
    g->procs[n] = (uint64_t)c->procs;
    for (size_t i = 0; i < g->n_bytes; i++)
        g->take[n * g->n_bytes + i] = c->steps.v[i < c->steps.n ? i : i - 1].take;
}

static int carry_collective(struct carrying *c, const struct numbers *said,
                            struct rules_choices *choices, struct err *err)
{
    for (c->procs = 2; c->procs <= CHOICE_TABLE_RULES_PROCS; c->procs++) {
        const struct rules_procs *w = &c->of->wanted;
        if (w->n && !any_below(i, w->n, w->v[i] == (uint64_t)c->procs))
            continue;
        struct numbers own = { .n = 0 };
        const int is_table =
            rules_table_numbers(c->rules, c->collective, c->procs, take_number, &own);
        own.n = array_set_u64(own.v, own.n);
        const int status = find_steps(c, is_table ? &own : said, err);
        free(own.v);
        if (status < 0)
            return -1;
        if (!(c->steps.n == 1 && !*c->steps.v[0].take.algorithm))
            add_procs(choices, c);
    }
    return 0;
}

static int check(const struct rules *r, struct err *err)
{
    if (r->reader->component)
        return err_usage(err, "rules of component %s go by where ranks are, which a table does not",
                         r->reader->component);
    if (r->reader->schedules)
        return err_usage(err, "it is a table already");
    if (r->loaded && !r->dies)
        return 0;
    const size_t i = first_below(k, r->found.n, r->found.v[k].severity == RULES_ERROR);
    if (i == r->found.n)
        return err_set(err, "%s does not take it", r->reader->name);
    err_set(err, "%s", r->found.v[i].text);
    if (r->found.v[i].line)
        err_prefix(err, "line %d", r->found.v[i].line);
    return err_prefix(err, "%s does not take it", r->reader->name);
}

int rules_to_choices(const struct rules *rules, const char *text, size_t length,
                     struct rules_conversion *of, struct rules_choices *choices, struct err *err)
{
    const struct mpich_tree *device = rules->device ? rules->device->read : NULL;
    struct numbers said = { .n = 0 }, counted = { .n = 0 };
    int status = check(rules, err);
    add_written(&said, text, length, "");
    add_written(&counted, text, length, "count<=");
    if (device) {
        add_written(&said, device->text, strlen(device->text), "");
        add_written(&counted, device->text, strlen(device->text), "count<=");
    }
    *choices = (struct rules_choices){ .n = 0 };
    for (const struct collective *c = collectives; c->name && c->rows[0] && status == 0; c++) {
        struct carrying carrying = { .rules = rules,
                                     .collective = c->name,
                                     .of = of,
                                     .given = { of->element_bytes },
                                     .counted = counted };
        const size_t used = strlen(of->by_element);
        carrying.element = of->element_bytes ? carrying.given : elements;
        status = carry_collective(&carrying, &said, choices, err);
        if (carrying.by_element)
            snprintf(of->by_element + used, RULES_TEXT - used, "%s%s", used ? ", " : "", c->name);
        free(carrying.steps.v);
    }
    memory_free(said.v, counted.v);
    if (status < 0)
        rules_choices_clear(choices);
    return status;
}

static int write_table(const struct rules_reader *reader, const struct rules_choices *choices,
                       const char *made_by, struct rules_conversion *out, struct err *err)
{
    char made_of[RULES_TEXT];
    const char *const remarks[] = { made_of, NULL };
    snprintf(made_of, sizeof made_of, "%s, of a file for %s", made_by, reader->name);
    out->text = rules_export(rules_reader_find("libcollsel"), choices, remarks, &out->made, err);
    if (out->text && *out->by_element)
        rules_find(&out->made.told, RULES_NOTE, "element", 0,
                   "%.300s: calls for which the size of an element decides", out->by_element);
    return out->text ? 0 : -1;
}

int rules_convert(const char *rules, const struct rules_reader *reader, const char *made_by,
                  struct rules_conversion *out, struct err *err)
{
    struct rules r, device;
    struct rules_choices choices;
    size_t length;
    if (out->device && rules_open(reader, out->device, &device, err) < 0)
        return -1;
    int status = out->device && check(&device, err) < 0 ? err_prefix(err, "%s", out->device) : 0;
    char *text = status == 0 ? rules_read(rules, &length, err) : NULL;
    if (text) {
        rules_of_text(reader, text, length, &r);
        r.device = out->device ? &device : NULL;
        status = rules_to_choices(&r, text, length, out, &choices, err);
        rules_close(&r);
        if (status < 0)
            err_prefix(err, "%s", rules);
    }
    if (out->device)
        rules_close(&device);
    free(text);
    if (!text || status < 0)
        return -1;
    status = write_table(reader, &choices, made_by, out, err);
    rules_choices_clear(&choices);
    return status;
}

void rules_conversion_clear(struct rules_conversion *conversion)
{
    free(conversion->text);
    rules_made_clear(&conversion->made);
    conversion->text = NULL;
}
