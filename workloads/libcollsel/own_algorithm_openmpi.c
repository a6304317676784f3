/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
/* own_algorithm_openmpi.c - by the component that serves the communicator. Of `tuned`, where
 * dynamic rules are on: a file of rules decides, else what is forced, else the fixed decision as
 * without them; from 5.0 on what is forced comes before a file
 * (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c of 4.1.4, 5.0.7 and v6.0.x). */

#include "harness/base/base.h"
#include "workloads/libcollsel/choice_table.h"
#include "workloads/libcollsel/own_algorithm.h"
#include "workloads/proof/coll_component.h"
#include "workloads/schedules/decision.h"
#include "workloads/proof/tool_vars.h"

static const char filename[] = "coll_tuned_dynamic_rules_filename";

static void variable_of(const char *collective, char var[DECIDED_NAME])
{
    snprintf(var, DECIDED_NAME, "coll_tuned_%s_algorithm", collective);
}

/* The word of a number that a variable has. */
struct search {
    const char *var;
    int value;
    char *found;
};

static void look_at(const char *word, void *user)
{
    struct search *s = user;
    int value;
    if (tool_var_enum(s->var, word, &value, NULL) == 0 && value == s->value)
        snprintf(s->found, DECIDED_WORD, "%.40s", word);
}

static void read_forced(const char *collective, char forced[DECIDED_WORD])
{
    char var[DECIDED_NAME];
    struct search s = { .var = var, .found = forced };
    variable_of(collective, var);
    if (tool_var_read(var, &s.value, NULL) < 0 || s.value == 0)
        return;
    snprintf(forced, DECIDED_WORD, "%d", s.value);
    tool_var_words(var, look_at, &s);
}

static void read_rules(struct decided *d)
{
    struct decided_file *f = &d->rules;
    if (tool_var_text(filename, f->path, sizeof f->path, NULL) < 0 || *f->path)
        d->file = filename;
    if (stat(f->path, &f->seen) < 0)
        f->seen = (struct stat){ 0 };
    for (int i = 0; i < N_ASKED; i++)
        read_forced(call_args_name((enum call_args_which)i), d->forced[i]);
}

/* That of the release that runs, where it was read; or NULL. */
static const char *rule_of_release(int *major, char library[24])
{
    static const char *const rules[][2] = { { "4.1.", "openmpi41" },
                                            { "5.0.", "openmpi41" },
                                            { "6.0.", "openmpi60" } };
    static const char before[] = "Open MPI v";
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    *major = 0;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS ||
        strncmp(version, before, sizeof before - 1) != 0)
        return NULL;
    const char *release = version + sizeof before - 1;
    *major = (int)strtol(release, NULL, 10);
    snprintf(library, 24, "openmpi-%.*s", (int)strspn(release, "0123456789."), release);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strncmp(release, rules[i][0], strlen(rules[i][0])) == 0)
            return rules[i][1];
    return NULL;
}

void decided_open(struct decided *d, MPI_Comm comm)
{
    int major, on = 1;
    (void)comm;
    d->rule = rule_of_release(&major, d->library);
    d->forced_first = major >= 5;
    d->is_open = tool_vars_open(NULL) == 0;
    if (!d->is_open) {
        d->rule = NULL;
        return;
    }
    if (tool_var_read("coll_tuned_use_dynamic_rules", &on, NULL) < 0)
        d->rule = NULL;
    else if (on)
        read_rules(d);
}

static void name_by_file(int ordered, char name[DECIDED_NAME])
{
    snprintf(name, DECIDED_NAME, "component tuned%s by %s", ordered ? " (order kept)" : "",
             filename);
}

int decided_by_file(const struct decided *d, const char *name, struct decided_place *place)
{
    char whole[DECIDED_NAME];
    *place = (struct decided_place){ .nodes = 0 };
    name_by_file(0, whole);
    return d->file && *d->rules.path && strcmp(name, whole) == 0;
}

/* What runs of an algorithm: of few elements, or among some numbers of ranks, the library takes
 * another one. */
static const char *runs(const char *name, uint64_t segment_bytes, int fanout,
                        const struct decided_cell *cell)
{
    struct schedule s;
    const struct algorithm *alg = algorithm_find(cell->collective, name);
    const struct schedule_arguments arguments = { .procs = cell->procs,
                                                  .bytes = cell->bytes,
                                                  .segment_bytes = segment_bytes,
                                                  .fanout = fanout,
                                                  .element_bytes = cell->element_bytes };
    return alg && schedule_make(&s, alg, &arguments, NULL) == 0 ? s.alg->name : name;
}

static void name_fixed(const struct decision *of, const struct decided_cell *cell,
                       char name[DECIDED_NAME])
{
    snprintf(name, DECIDED_NAME, "openmpi:%s",
             of->named ? of->named : runs(of->algorithm, of->segment_bytes, of->fanout, cell));
}

/* Rules that the library looks up by the bytes of one element among all ranks; the table is for
 * elements of one byte. */
static int by_element(const struct decided *d, const char *collective)
{
    return strstr(collective, "scan") ||
           (strncmp(d->library, "openmpi-4.0.", 12) == 0 &&
            (strcmp(collective, "gather") == 0 || strcmp(collective, "scatter") == 0));
}

void decided_from_table(const struct decided *d, const struct choice_table *table,
                        const struct decided_cell *cell, char name[DECIDED_NAME])
{
    struct decision of;
    const struct comm_shape shape = { .procs = cell->procs };
    if (!table)
        snprintf(name, DECIDED_NAME, "component tuned");
    if (!table || cell->procs > CHOICE_TABLE_RULES_PROCS ||
        (cell->element_bytes != 1 && by_element(d, cell->collective)))
        return;
    const struct choice *choice = choice_table_find(table, cell->collective, &shape, cell->bytes);
    if (choice && choice->alg)
        snprintf(name, DECIDED_NAME, "openmpi:%.48s by %s",
                 runs(choice->alg->name, choice->segment_bytes, choice->fanout, cell), d->file);
    else if (d->rule && decide(d->rule, cell->collective, cell->procs, cell->bytes, NULL, &of))
        name_fixed(&of, cell, name);
}

/* Of component tuned. */
static void name_tuned(const struct decided *d, const struct decided_call *call,
                       const char *collective, char name[DECIDED_NAME])
{
    char var[DECIDED_NAME];
    struct decision of;
    const char *forced = d->forced[call->asked->which];
    const struct decided_cell cell = { collective, call->procs, call->bytes, call->element_bytes };
    variable_of(collective, var);
    if (d->file && !(d->forced_first && *forced))
        name_by_file(call->ordered, name);
    else if (*forced)
        snprintf(name, DECIDED_NAME, "openmpi:%.40s by %.56s", forced, var);
    else if (d->rule &&
             ((call->ordered &&
               decide_ordered(d->rule, collective, call->procs, call->bytes, &of)) ||
              (!call->ordered && decide(d->rule, collective, call->procs, call->bytes, NULL, &of))))
        name_fixed(&of, &cell, name);
}

/* In place the library decides by the send count, which the caller need not set. */
static int has_no_size(const struct call_args *a)
{
    return a->send == MPI_IN_PLACE && !call_args_combines(a) && !call_args_is_rooted(a);
}

void decided_name(const struct decided *d, const struct decided_call *call, char name[DECIDED_NAME])
{
    char owner[32];
    const char *collective = call_args_name(call->asked->which);
    *name = '\0';
    coll_component_of(call->asked->comm, collective, owner, sizeof owner);
    if (!*owner)
        return;
    snprintf(name, DECIDED_NAME, "component %s", owner);
    if (strcmp(owner, "tuned") == 0 && !has_no_size(call->asked))
        name_tuned(d, call, collective, name);
}

void decided_close(struct decided *d)
{
    if (d->is_open)
        MPI_T_finalize();
    *d = (struct decided){ .node = NULL };
}
#endif
