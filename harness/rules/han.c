/* SPDX-License-Identifier: BSD-3-Clause */
/* han.c - what Open MPI's component `han` reads (ompi/mca/coll/han/coll_han_dynamic_file.c) and
 * makes of a call (coll_han_dynamic.c, coll_han_module.c). */
#include "harness/rules/han.h"

#include "harness/rules/openmpi_scan.h"
#include "harness/rules/tuned_table.h"

const char *const han_components[] = { "self",  "basic", "libnbc", "tuned", "sm",
                                       "adapt", "han",   "xhc",    NULL };
const char *const han_levels[] = { "intra_node", "inter_node", "global_communicator", NULL };

static int index_of(const char *const *words, int n, const char *word)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

int han_component_named(const char *name, int n)
{
    return index_of(han_components, n, name);
}

static int is_listed(const char *list, const char *word)
{
    char in_blanks[64];
    snprintf(in_blanks, sizeof in_blanks, " %.60s ", word);
    return strstr(list, in_blanks) != NULL;
}

int han_serves(const struct han_release *release, const char *collective, int level)
{
    return is_listed(release->served, collective) ||
           (level != HAN_GLOBAL && release->below && is_listed(release->inside, collective));
}

int han_component_serves(enum han_component component, const char *collective)
{
    static const char *const of[N_HAN_COMPONENTS] = {
        [HAN_SELF] = "",
        [HAN_LIBNBC] = "",
        [HAN_TUNED] = (" allgather allgatherv allreduce alltoall alltoallv barrier bcast gather "
                       "reduce scatter "),
        [HAN_SM] = " allreduce barrier bcast reduce ",
        [HAN_ADAPT] = " bcast reduce ",
        [HAN_XHC] = " allreduce barrier bcast reduce ",
    };
    return !of[component] || is_listed(of[component], collective);
}

int han_component_there(enum han_component component, int level)
{
    if (component == HAN_SM || component == HAN_XHC)
        return level == 0;
    return component != HAN_SELF && (component != HAN_HAN || level == HAN_GLOBAL);
}

struct reading {
    struct scan scan;
    struct rules *r;
    const struct han_release *release;
};

static int drop(struct reading *in, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int drop(struct reading *in, const char *fmt, ...)
{
    char text[RULES_TEXT];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    rules_find(&in->r->found, RULES_ERROR, "unread", in->scan.line,
               "%.300s: the whole file is dropped, and han goes by its own choices", text);
    return -1;
}

static int ends(struct reading *in, const char *what)
{
    return drop(in, "the file ends where %s is wanted", what);
}

static int take_number(struct reading *in, const char *what, long least, long *value)
{
    if (!scan_number(&in->scan, value))
        return ends(in, what);
    return *value < least ? drop(in, "%s is %ld, and less than %ld", what, *value, least) : 0;
}

static int take_word(struct reading *in, const char *what, char word[SCAN_WORD])
{
    if (!scan_word(&in->scan, word))
        return ends(in, what);
    if (strlen(word) == SCAN_WORD - 1)
        rules_find(&in->r->found, RULES_WARNING, "ignored", in->scan.line,
                   "'%s' has 32 characters, after which the reader cuts words%s", word,
                   in->release->names ? "" : "; it writes one byte beyond its own memory");
    return 0;
}

/* 1 and *value for a word that is a whole decimal number. */
static int is_number(const char *word, long *value)
{
    char *end;
    *value = strtol(word, &end, 10);
    return *end == '\0';
}

/* Names that end with v or w are not looked at behind it; but for scatterv. */
static int collective_number(const char *word)
{
    for (int i = 0; i < OPENMPI_COLLECTIVES; i++) {
        const char *name = rules_collective_name(i);
        const size_t n = strlen(name);
        if (strcmp(word, name) == 0 ||
            (strchr("vw", name[n - 1]) && strcmp(name, "scatterv") != 0 &&
             strncmp(word, name, n) == 0))
            return i;
    }
    return -1;
}

static int take_collective(struct reading *in, int *id)
{
    char word[SCAN_WORD];
    long number;
    if (take_word(in, "a collective", word) < 0)
        return -1;
    *id = collective_number(word);
    if (*id >= 0)
        return 0;
    if (!is_number(word, &number) || number < 0 || number >= OPENMPI_COLLECTIVES)
        return drop(in, "'%s' is no collective (want a name, or 0 to %d)", word,
                    OPENMPI_COLLECTIVES - 1);
    *id = (int)number;
    return 0;
}

static int take_level(struct reading *in, int *level)
{
    char word[SCAN_WORD];
    long number = -1;
    if (!in->release->names) {
        if (!scan_number(&in->scan, &number))
            return ends(in, "a level");
        snprintf(word, sizeof word, "%ld", number);
    } else if (take_word(in, "a level", word) < 0) {
        return -1;
    }
    *level = in->release->names ? index_of(han_levels, N_HAN_LEVELS, word) : -1;
    if (*level >= 0)
        return 0;
    if (!is_number(word, &number) || number < 0 || number >= N_HAN_LEVELS)
        return drop(in, "'%s' is no level (want 0 inside nodes, 1 between them, 2 of all ranks)",
                    word);
    *level = (int)number;
    return 0;
}

/* An algorithm of han: "intra" and so on, in the library's order; a number of it. */
static const char *algorithm_of(const char *collective, const char *word)
{
    static const struct {
        const char *collective, *name[5];
    } all[] = {
        { "barrier", { "default", "simple" } },
        { "bcast", { "default", "intra", "simple" } },
        { "reduce", { "default", "intra", "simple", "reproducible" } },
        { "allreduce", { "default", "intra", "simple", "reproducible" } },
        { "scatter", { "default", "intra", "simple" } },
        { "gather", { "default", "intra", "simple" } },
        { "allgather", { "default", "intra", "simple" } },
        { "scatterv", { "default", "intra" } },
        { "gatherv", { "default", "intra" } },
        { "alltoall", { "default", "smsc" } },
        { "alltoallv", { "default", "smsc" } },
        { NULL, { "default" } }, /* of any other */
    };
    long number;
    size_t at = 0;
    while (all[at].collective && strcmp(all[at].collective, collective) != 0)
        at++;
    for (int i = 0; all[at].name[i]; i++)
        if (strcmp(all[at].name[i], word) == 0 || (is_number(word, &number) && number == i))
            return all[at].name[i];
    return NULL;
}

/* "@simple" behind han. Of a collective that has none but the default the reader looks through a
 * list that is not there. */
static int take_algorithm(struct reading *in, const char *collective, struct han_row *row)
{
    char word[SCAN_WORD];
    const int listed = han_serves(in->release, collective, HAN_GLOBAL);
    if (take_word(in, "an algorithm", word) < 0)
        return -1;
    if (!listed && strcmp(word, "default") != 0) {
        rules_find(&in->r->found, RULES_ERROR, "dies", in->scan.line,
                   "han has no algorithms of %s, and the reader looks through them: the program "
                   "ends when it starts",
                   collective);
        in->r->dies = in->scan.line;
        return 0;
    }
    row->algorithm = algorithm_of(collective, word);
    return row->algorithm ? 0 : drop(in, "han has no algorithm '%s' of %s", word, collective);
}

/* "[8 4096]": lengths of segments, which nobody looks at. */
static int skip_segments(struct reading *in)
{
    long length;
    if (scan_character(&in->scan, '[') != 1)
        return 0;
    rules_find(&in->r->found, RULES_NOTE, "ignored", in->scan.line,
               "lengths of segments are read, and not used");
    while (scan_character(&in->scan, ']') == 0)
        if (!scan_number(&in->scan, &length))
            return ends(in, "']'");
    return 0;
}

static int read_row(struct reading *in, const char *collective, int first, struct han_row *row)
{
    char word[SCAN_WORD];
    if (!scan_size(&in->scan, &row->least))
        return ends(in, "the size of a message");
    row->line = in->scan.line;
    if (first && row->least > 1)
        return drop(in, "the size of the first rule of a block is %" PRIu64 ", and must be 0",
                    row->least);
    if (take_word(in, "the name of a component", word) < 0)
        return -1;
    const int component = index_of(han_components, in->release->components, word);
    if (component < 0)
        return drop(in, "'%s' is no component (want its name: tuned, basic, han, adapt, ...)",
                    word);
    row->component = (enum han_component)component;
    if (in->scan.line != row->line)
        rules_find(&in->r->found, RULES_WARNING, "shape", row->line,
                   "a rule of size and component begins here and ends on line %d: are there as "
                   "many as the counts above say?",
                   in->scan.line);
    if (row->component == HAN_HAN && in->release->names && scan_character(&in->scan, '@') == 1 &&
        take_algorithm(in, collective, row) < 0)
        return -1;
    return skip_segments(in);
}

static int read_block(struct reading *in, const char *collective, int first, struct han_block *b)
{
    long ranks, rows;
    if (take_number(in, "a number of ranks", 1, &ranks) < 0)
        return -1;
    b->line = in->scan.line;
    b->least = (int)ranks;
    if (first && ranks > 1)
        return drop(in, "the first number of ranks of a level is %ld, and must be 1", ranks);
    if (take_number(in, "the number of rules", 0, &rows) < 0)
        return -1;
    for (long i = 0; i < rows; i++)
        if (read_row(in, collective, i == 0, array_add(&b->row, &b->n)) < 0)
            return -1;
    return 0;
}

static int read_level(struct reading *in, const char *collective, struct han_level *l)
{
    long blocks;
    if (take_level(in, &l->level) < 0)
        return -1;
    l->line = in->scan.line;
    if (take_number(in, "the number of communicator sizes", 0, &blocks) < 0)
        return -1;
    for (long i = 0; i < blocks; i++)
        if (read_block(in, collective, i == 0, array_add(&l->block, &l->n)) < 0)
            return -1;
    return 0;
}

static int read_collective(struct reading *in, struct han_collective *c)
{
    long levels;
    if (take_collective(in, &c->id) < 0)
        return -1;
    c->line = in->scan.line;
    if (take_number(in, "the number of levels", 0, &levels) < 0)
        return -1;
    for (long i = 0; i < levels; i++)
        if (read_level(in, rules_collective_name(c->id), array_add(&c->level, &c->n)) < 0)
            return -1;
    return 0;
}

static int read_all(struct reading *in, struct han_file *file)
{
    long n;
    if (take_number(in, "the number of collectives", 1, &n) < 0)
        return -1;
    for (long i = 0; i < n; i++)
        if (read_collective(in, array_add(&file->collective, &file->n)) < 0)
            return -1;
    return 0;
}

/* What stands behind the last rule. */
static void note_rest(struct reading *in)
{
    char word[SCAN_WORD];
    if (scan_word(&in->scan, word))
        rules_find(&in->r->found, RULES_WARNING, "ignored", in->scan.line,
                   "'%s' stands behind the last rule: it and all that follows is ignored", word);
}

static void read_file(struct rules *r, char *text, size_t len)
{
    struct reading in = { .r = r, .release = r->reader->han };
    struct han_file *file = memory_zeros(1, sizeof *file);
    r->read = file;
    scan_begin(&in.scan, text, len, &r->found);
    r->loaded = len > 0 && read_all(&in, file) == 0;
    if (!len)
        rules_find(&r->found, RULES_ERROR, "unread", 1, "the file is empty: nothing is used");
    if (r->loaded) {
        note_rest(&in);
        han_lint(r);
    }
    fclose(in.scan.in);
}

void han_clear(struct rules *r)
{
    struct han_file *file = r->read;
    for (size_t i = 0; file && i < file->n; i++) {
        struct han_collective *c = &file->collective[i];
        for (size_t k = 0; k < c->n; k++) {
            for (size_t b = 0; b < c->level[k].n; b++)
                free(c->level[k].block[b].row);
            free(c->level[k].block);
        }
        free(c->level);
    }
    if (file)
        free(file->collective);
    free(file);
}

/* What a call finds; NULL where the search ends. */
struct place {
    const struct han_collective *collective;
    const struct han_level *level;
    const struct han_block *block;
    const struct han_row *row;
};

/* From the end of each list: what comes later counts first. */
static struct place find(const struct han_file *file, const char *collective, int level, int ranks,
                         uint64_t bytes)
{
    struct place at = { NULL, NULL, NULL, NULL };
    for (size_t i = file->n; i-- > 0 && !at.collective;)
        if (strcmp(rules_collective_name(file->collective[i].id), collective) == 0)
            at.collective = &file->collective[i];
    for (size_t i = at.collective ? at.collective->n : 0; i-- > 0 && !at.level;)
        if (at.collective->level[i].level == level)
            at.level = &at.collective->level[i];
    for (size_t i = at.level ? at.level->n : 0; i-- > 0 && !at.block;)
        if (at.level->block[i].least <= ranks)
            at.block = &at.level->block[i];
    for (size_t i = at.block ? at.block->n : 0; i-- > 0 && !at.row;)
        if (at.block->row[i].least <= bytes)
            at.row = &at.block->row[i];
    return at;
}

/* Where nobody says otherwise. */
static enum han_component usual(const struct han_release *release, const char *collective,
                                int level)
{
    if (level == HAN_GLOBAL)
        return HAN_HAN;
    return level == 1 && !release->below && strcmp(collective, "barrier") != 0 ? HAN_BASIC
                                                                               : HAN_TUNED;
}

/* Who serves where han or its rules do not: the component of the next lower priority. */
static const char *next_component(const char *collective)
{
    return han_components[han_component_serves(HAN_TUNED, collective) ? HAN_TUNED : HAN_BASIC];
}

static void add_why(struct rules_answer *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void add_why(struct rules_answer *out, const char *fmt, ...)
{
    const size_t used = strlen(out->why);
    va_list args;
    va_start(args, fmt);
    vsnprintf(out->why + used, sizeof out->why - used, fmt, args);
    va_end(args);
}

/* han takes none but even distributions of several ranks a node; and steps aside for good where it
 * finds another one. */
static const char *steps_aside(const char *collective, const struct rules_call *call)
{
    if (call->ppn == 1)
        return "han finds one rank on each node and leaves this communicator for good";
    if ((int64_t)call->nodes * call->ppn != call->procs && strcmp(collective, "allreduce") != 0 &&
        strcmp(collective, "barrier") != 0)
        return "han finds unequally many ranks on the nodes and leaves this collective of this "
               "communicator for good";
    return NULL;
}

/* What is taken instead of a component, in out->runs. */
static void resolve(const struct han_release *release, const struct rules_call *call, int level,
                    enum han_component component, struct rules_answer *out)
{
    const char *next = next_component(call->collective);
    snprintf(out->algorithm, sizeof out->algorithm, "%s", han_components[component]);
    if (!han_component_there(component, level) ||
        !han_component_serves(component, call->collective)) {
        snprintf(out->runs, sizeof out->runs, "%s", next);
        add_why(out, "; %s %s: the next component serves it", han_components[component],
                han_component_there(component, level) ? "has none of this collective"
                                                      : "takes no part in such a communicator");
    } else if (component == HAN_HAN && steps_aside(call->collective, call)) {
        snprintf(out->runs, sizeof out->runs, "%s", next);
        add_why(out, "; %s", steps_aside(call->collective, call));
    } else if (component != HAN_HAN && level == HAN_GLOBAL && release->breaks &&
               strcmp(call->collective, "allreduce") == 0) {
        out->outcome = RULES_DIES;
        add_why(out, "; in this release han then takes %s for itself: the program ends",
                han_components[component]);
    } else if (component == HAN_ADAPT) {
        add_why(out, "; where coll_adapt_priority is above that of libnbc (10), else %s serves it",
                next);
    }
}

/* "line 7, for 100 and more bytes of a rank": what follows in the list ends it. */
static void tell_row(const struct place *at, int level, struct rules_answer *out)
{
    uint64_t most = UINT64_MAX;
    int ranks = INT_MAX;
    char bytes[32] = "and more", size[32] = "and more";
    for (const struct han_row *row = at->row + 1; row < at->block->row + at->block->n; row++)
        most = row->least < most ? row->least : most;
    for (const struct han_block *b = at->block + 1; b < at->level->block + at->level->n; b++)
        ranks = b->least < ranks ? b->least : ranks;
    if (most != UINT64_MAX)
        snprintf(bytes, sizeof bytes, "to %" PRIu64, most - 1);
    if (ranks != INT_MAX)
        snprintf(size, sizeof size, "to %d", ranks - 1);
    out->line = at->row->line;
    snprintf(out->why, sizeof out->why,
             "line %d, for %" PRIu64
             " %s bytes of a rank, of the block of line %d, for %d %s ranks, level %s",
             at->row->line, at->row->least, bytes, at->block->line, at->block->least, size,
             han_levels[level]);
    if (at->row->algorithm)
        add_why(out, ", algorithm %s", at->row->algorithm);
}

/* Why no rule is asked, whatever the file says; NULL: one is. */
static const char *not_asked(const struct rules *r, const struct rules_call *call, int level)
{
    const struct han_release *release = r->reader->han;
    if (!han_serves(release, call->collective, level))
        return "component han does not serve it: the next one does";
    if (call->procs < 2)
        return "one process: component `self` alone serves it";
    if (call->nodes < 2)
        return "all ranks are on one node, where han takes no part";
    if (level != HAN_GLOBAL && !release->below)
        return "in this release the communicators that han makes leave han out, and ask no rules";
    return NULL;
}

static void tell_no_collective(const struct han_file *file, const char *collective,
                               struct rules_answer *out)
{
    unsigned char has[OPENMPI_COLLECTIVES] = { 0 };
    for (size_t i = 0; i < file->n; i++)
        has[file->collective[i].id] = 1;
    rules_tell_absent(collective, has, out);
}

/* Why a call gets no rule of a file that was loaded. */
static void tell_no_rule(const struct rules *r, const struct place *at,
                         const struct rules_call *call, int level, struct rules_answer *out)
{
    if (!at->collective)
        tell_no_collective(r->read, call->collective, out);
    else if (!at->level)
        snprintf(out->why, sizeof out->why, "the rules of %s, on line %d, have none of level %s",
                 call->collective, at->collective->line, han_levels[level]);
    else if (!at->block)
        snprintf(out->why, sizeof out->why, "level %s, on line %d, has no blocks",
                 han_levels[level], at->level->line);
    else
        snprintf(out->why, sizeof out->why,
                 "the block of line %d, for %d and more ranks, has no rule that fits",
                 at->block->line, at->block->least);
}

static void ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out)
{
    static const struct han_file none;
    const int level = call->level == RULES_INTRA ? 0 : call->level == RULES_INTER ? 1 : HAN_GLOBAL;
    const char *why = not_asked(r, call, level);
    const int ranks = level == 0 ? call->ppn : level == 1 ? call->nodes : call->procs;
    const struct han_release *release = r->reader->han;
    out->size =
        is_listed(" barrier alltoallv gatherv scatterv ", call->collective) ? 0 : call->bytes;
    if (r->dies) {
        out->outcome = RULES_DIES;
        out->line = r->dies;
        rules_tell_unused(r, out);
        return;
    }
    if (why) {
        snprintf(out->algorithm, sizeof out->algorithm, "%s",
                 level != HAN_GLOBAL ? han_components[usual(release, call->collective, level)]
                                     : next_component(call->collective));
        snprintf(out->why, sizeof out->why, "%s", why);
        return;
    }
    const struct place at =
        find(r->loaded ? r->read : &none, call->collective, level, ranks, out->size);
    if (at.row) {
        out->outcome = RULES_RUNS;
        tell_row(&at, level, out);
        resolve(release, call, level, at.row->component, out);
    } else {
        if (r->loaded)
            tell_no_rule(r, &at, call, level, out);
        else
            rules_tell_unused(r, out);
        resolve(release, call, level, usual(release, call->collective, level), out);
    }
}

#define SEVEN " allgather allreduce barrier bcast gather reduce scatter "

static const struct han_release release41 = { .components = 7, .breaks = 1, .served = SEVEN };
static const struct han_release release5 = { .components = 7,
                                             .names = 1,
                                             .below = 1,
                                             .priority = 35,
                                             .served = SEVEN,
                                             .inside = " allgatherv " };
static const struct han_release release6 = { .components = 8,
                                             .names = 1,
                                             .below = 1,
                                             .priority = 35,
                                             .served = SEVEN "alltoall alltoallv gatherv scatterv ",
                                             .inside = " allgatherv " };

/* In 4.1 han is there, and nobody asks it. */
static const struct rules_load load41[] = {
    { "coll_han_priority", "35", "0", NULL },
    { "coll_han_use_dynamic_file_rules", "1", "0", NULL },
    { "coll_han_dynamic_rules_filename", NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL },
};

static const struct rules_load load[] = {
    { "coll_han_use_dynamic_file_rules", "1", "0", NULL },
    { "coll_han_dynamic_rules_filename", NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL },
};

#define HAN_READER(name_, version_, from_, below_)                                                 \
    OPENMPI_READER(name_, version_, from_, below_), .component = "han", .read = read_file,         \
                                                    .ask = ask, .clear = han_clear,                \
                                                    .write_choices = han_export

const struct rules_reader rules_han41 = {
    HAN_READER("openmpi-4.1-han", "4.1.4", "4.1", "5"),
    .help = "Open MPI 4.1, han: components by name",
    .twin = &rules_openmpi41,
    .han = &release41,
    .load = load41,
};

const struct rules_reader rules_han5 = {
    HAN_READER("openmpi-5-han", "5.0.7", "5", "6"),
    .help = "Open MPI 5.0, han: components by name, algorithms of han behind @",
    .twin = &rules_openmpi5,
    .han = &release5,
    .load = load,
};

const struct rules_reader rules_han6 = {
    HAN_READER("openmpi-6-han", "6.0", "6", "6.1"),
    .help = "Open MPI 6.0, han: components by name, algorithms of han behind @",
    .twin = &rules_openmpi6,
    .han = &release6,
    .load = load,
};
