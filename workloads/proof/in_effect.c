/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/proof/in_effect.h"

#ifdef MPI_IS_smpi
int in_effect_check(MPI_Comm world, const struct launch_facts *facts, struct err *err)
{
    (void)world, (void)facts, (void)err;
    return 0;
}

void in_effect_print(FILE *out)
{
    (void)out;
}

void in_effect_open(MPI_Comm world)
{
    (void)world;
}
#else

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/base/variable.h"
#include "workloads/proof/native.h"
#include "workloads/proof/origin.h"
#include "workloads/schedules/collectives.h"
#include "workloads/measure/team.h"

extern char **environ;

enum { TEXT = 1024 };

/* ---- variables ---- */

/* Libraries of ours that are preloaded lie beside the program. */
static int is_beside_us(const char *path)
{
    char self[PATH_MAX], real[PATH_MAX];
    if (!realpath("/proc/self/exe", self) || !realpath(path, real))
        return 0;
    const char *own = strrchr(self, '/'), *its = strrchr(real, '/');
    return own && its && own - self == its - real && strncmp(self, real, (size_t)(own - self)) == 0;
}

static int only_ours_preloaded(const char *list)
{
    char path[TEXT];
    for (const char *p = list; *p; p += *p == ':' || *p == ' ') {
        const size_t n = strcspn(p, ": ");
        snprintf(path, sizeof path, "%.*s", (int)n, p);
        if (n && !is_beside_us(path))
            return 0;
        p += n;
    }
    return 1;
}

/* Do these words stand in a command, blanks around them? */
static int has_words(const char *command, const char *words)
{
    const size_t n = strlen(words);
    for (const char *at = command; (at = strstr(at, words)) != NULL; at++)
        if ((at == command || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return 1;
    return 0;
}

/* Was a variable there when the sweep looked, or does the launch set it? Without a launcher's
 * command among the facts nobody has looked. */
static int is_known(const char *name, const char *value, const struct launch_facts *facts)
{
    char line[2 * TEXT], parameter[2 * TEXT];
    int looked = 0;
    snprintf(line, sizeof line, "%s=%s", name, value);
    if (strcmp(name, "MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE") == 0) /* hydra's word for it */
        snprintf(parameter, sizeof parameter, "-iface %s", value);
    else
        snprintf(parameter, sizeof parameter, "--mca %s %s",
                 strncmp(name, "OMPI_MCA_", 9) == 0 ? name + 9 : name, value);
    for (int i = 0; i < facts->n; i++) {
        const char *fact = facts->v[i];
        if (strncmp(fact, "given=", 6) == 0 && facts_same_line(fact + 6, line))
            return 1;
        if (strncmp(fact, "launcher=", 9) != 0)
            continue;
        looked = 1;
        if (has_words(fact + 9, line) || has_words(fact + 9, parameter))
            return 1;
    }
    return !looked;
}

/* Cuts "NAME=VALUE" in two: the name, NULL where it is none that is looked for, and the value. */
static const char *name_of(const char *entry, char name[256], const char **value)
{
    const size_t n = strcspn(entry, "=");
    if (n >= 256 || entry[n] != '=')
        return NULL;
    snprintf(name, 256, "%.*s", (int)n, entry);
    *value = entry + n + 1;
    return name;
}

static int check_variable(const char *name, const char *value, const struct launch_facts *facts,
                          struct err *err)
{
    const struct variable_rule *r = variable_rule_of(name, native_library.library);
    if (!r || r->kind != VARIABLE_SELECTS || r->ours || facts_exported(facts, name, value))
        return 0;
    if (strcmp(name, "LD_PRELOAD") == 0 && only_ours_preloaded(value))
        return 0;
    return err_set(err, "%s=%s is in the environment of the ranks: %s", name, value, r->why);
}

static int check_variables(const struct launch_facts *facts, struct err *err)
{
    char name[256];
    const char *value;
    for (char **e = environ; e && *e; e++)
        if (name_of(*e, name, &value) && check_variable(name, value, facts, err) < 0)
            return -1;
    return 0;
}

/* What tunes must be what the sweep has seen. By the environment that this process was started in:
 * libraries set variables, too. */
static int check_tuning(const struct launch_facts *facts, struct err *err)
{
    char name[256];
    const char *value;
    size_t len = 0;
    int status = 0;
    char *text = fs_read("/proc/self/environ", &len, NULL);
    for (const char *p = text; status == 0 && p && p < text + len; p += strlen(p) + 1) {
        const struct variable_rule *r =
            name_of(p, name, &value) ? variable_rule_of(name, native_library.library) : NULL;
        if (r && r->kind == VARIABLE_TUNES && !r->of_place && !facts_exported(facts, name, NULL) &&
            !is_known(name, value, facts))
            status =
                err_set(err, "%s is in the environment of the ranks, not in that of the sweep: %s",
                        p, r->why);
    }
    free(text);
    return status;
}

/* What tunes, one "NAME=VALUE" after the other, each with its NUL; to be freed. */
static char *tuning_variables(size_t *len)
{
    char name[256], *text = NULL;
    FILE *out = memory_stream(&text, len);
    for (char **e = environ; e && *e; e++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*e, "="), *e);
        const struct variable_rule *r = variable_rule_of(name, native_library.library);
        if (r && r->kind == VARIABLE_TUNES && !r->of_place)
            fwrite(*e, 1, strlen(*e) + 1, out);
    }
    fclose(out);
    return text;
}

static int is_among(const char *line, const char *text, size_t len)
{
    for (const char *p = text; p < text + len; p += strlen(p) + 1)
        if (strcmp(p, line) == 0)
            return 1;
    return 0;
}

/* -1 with *err at the first line that the other list has not. */
static int check_among(const char *lines, size_t len, const char *others, size_t others_len,
                       const char *whose, struct err *err)
{
    for (const char *p = lines; p < lines + len; p += strlen(p) + 1)
        if (!is_among(p, others, others_len))
            return err_set(err, "%s is in the environment of %s alone", p, whose);
    return 0;
}

/* Ranks whose messages travel in different ways would be one launch of two kinds. Collective; the
 * verdict is this rank's. */
static int check_as_rank_0(const struct team *all, struct err *err)
{
    size_t len = 0;
    char whose[32], *mine = tuning_variables(&len);
    int its_len = (int)len;
    MPI_Bcast(&its_len, 1, MPI_INT, 0, all->control);
    char *its = all->rank == 0 ? mine : memory_zeros((size_t)its_len + 1, 1);
    MPI_Bcast(its, its_len, MPI_CHAR, 0, all->control);
    snprintf(whose, sizeof whose, "rank %d", all->rank);
    const int status =
        check_among(mine, len, its, (size_t)its_len, whose, err) < 0 ||
                check_among(its, (size_t)its_len, mine, len, "rank 0 and others", err) < 0
            ? -1
            : 0;
    if (its != mine)
        free(its);
    free(mine);
    return status;
}

/* ---- whose functions ---- */

static const char *library_file(void)
{
    char path[TEXT];
    origin_file("libmpi.so", path, sizeof path);
    return *path ? "libmpi.so" : "libmpich.so";
}

/* What is called between two clock reads, or forces algorithms, and the clock. */
static int check_functions(struct err *err)
{
    static const char *const names[] = { "MPI_Send",     "MPI_Recv",         "MPI_Isend",
                                         "MPI_Irecv",    "MPI_Wait",         "MPI_Waitall",
                                         "MPI_Sendrecv", "MPI_T_cvar_write", "MPI_T_cvar_read" };
    for (const struct collective *c = collectives; c->name; c++)
        if (origin_check(c->call, library_file(), err) < 0)
            return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (origin_check(names[i], library_file(), err) < 0)
            return -1;
    return origin_check("clock_gettime", "libc.so", err);
}

/* ---- who looks on ---- */

/* The process that traces this one (a debugger, strace), and its name; 0: none. */
static long tracer(char *name, size_t size)
{
    char path[64];
    long pid = 0;
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen("/proc/self/status", "re");
    while (f && getline(&line, &room, f) > 0 && sscanf(line, "TracerPid: %ld", &pid) != 1)
        continue;
    if (f)
        fclose(f);
    free(line);
    snprintf(name, size, "?");
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    f = pid ? fopen(path, "re") : NULL;
    if (f && fgets(name, (int)size, f))
        name[strcspn(name, "\n")] = '\0';
    if (f)
        fclose(f);
    return pid;
}

static int check_tracer(struct err *err)
{
    char name[64];
    const long pid = tracer(name, sizeof name);
    return pid ? err_set(err, "process %ld ('%s') traces the ranks, which slows them", pid, name)
               : 0;
}

static int check_rank(const struct launch_facts *facts, struct err *err)
{
    if (check_variables(facts, err) < 0 || check_tuning(facts, err) < 0 ||
        check_functions(err) < 0 || check_tracer(err) < 0)
        return -1;
    return native_library.clean ? native_library.clean(facts, err) : 0;
}

int in_effect_check(MPI_Comm world, const struct launch_facts *facts, struct err *err)
{
    struct team all = { .control = world };
    MPI_Comm_rank(world, &all.rank);
    MPI_Comm_size(world, &all.procs);
    if (team_agree(&all, check_rank(facts, err), err) == 0 &&
        team_agree(&all, check_as_rank_0(&all, err), err) == 0)
        return 0;
    const struct err found = *err;
    return err_set(err, "want environment = site in the study, or this out of the way: %.400s",
                   found.text);
}

/* ---- what is told ---- */

void in_effect_open(MPI_Comm world)
{
    if (native_library.look)
        native_library.look(world);
}

void in_effect_print(FILE *out)
{
    char path[TEXT], name[64];
    origin_file(library_file(), path, sizeof path);
    fprintf(out, "# in_effect: library=%s\n", path);
    if (tracer(name, sizeof name))
        fprintf(out, "# in_effect: traced by=%s\n", name);
    if (native_library.tell)
        native_library.tell(out);
}
#endif
