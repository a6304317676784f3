/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/user_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/subprocess.h"
#include "harness/base/variable.h"
#include "harness/run/environment.h"
#include "harness/study/environment_record.h"

static const char ours[] = "COLLSEL_", unseen[] = "it brings settings that are not seen "
                                                  "here (want: a launcher without it)";
static const char param_files[] = "OMPI_MCA_mca_base_param_files";
enum { NAME_ROOM = 256, LIST_ROOM = 300 };

/* ---- what may not be ---- */

/* Why such a launch may not have something, as the end of a sentence; why NULL: it may. */
struct reason {
    const char *why, *so;
};

static struct reason why_not(const struct user_launch *w, const char *name, const char *value)
{
    const struct variable_rule *rule = variable_rule_of(name, w->mpi);
    if (value && variable_value_passes(name, value))
        return (struct reason){ NULL, NULL };
    if (strncmp(name, ours, sizeof ours - 1) == 0)
        return (struct reason){ "it is libcollsel's", "would change what that does" };
    if (rule && rule->kind == VARIABLE_SELECTS)
        return (struct reason){ rule->why, "would pass for the library's default" };
    if (rule && rule->elsewhere && w->here)
        return (struct reason){ rule->why, "ranks would start there" };
    return (struct reason){ NULL, NULL };
}

/* ---- variables ---- */

/* Those that may not be: all are told at once, with the reason of the first. */
struct refused {
    struct reason reason;
    struct argv names;
};

/* What is looked for, and what was found. */
struct taking {
    const struct user_launch *words;
    struct argv *lines; /* what tunes */
    struct refused refused;
};

static void take_variable(const char *name, const char *value, void *to)
{
    struct taking *t = to;
    const struct variable_rule *rule = variable_rule_of(name, t->words->mpi);
    const struct reason reason = why_not(t->words, name, value);
    if (reason.why) {
        if (!t->refused.names.n)
            t->refused.reason = reason;
        argv_add(&t->refused.names, "%s", name);
    } else if (rule && rule->kind != VARIABLE_HARMLESS)
        environment_record_add(t->lines, name, value);
}

/* As many names as there is room for, and how many more there are. */
static void list_names(const struct argv *names, char *text, size_t size)
{
    size_t n = 0, i = 0;
    for (; i < names->n && n + strlen(names->v[i]) + 16 < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " " : "", names->v[i]);
    if (i < names->n)
        snprintf(text + n, size - n, " + %zu more", names->n - i);
}

static int refuse_variables(const struct refused *refused, struct err *err)
{
    char all[LIST_ROOM], others[64] = "";
    list_names(&refused->names, all, sizeof all);
    if (refused->names.n > 1)
        snprintf(others, sizeof others, "; %zu more may not be exported, either",
                 refused->names.n - 1);
    return err_usage(err, "%s is exported: %s, and %s%s (want: unset %s)", refused->names.v[0],
                     refused->reason.why, refused->reason.so, others, all);
}

static int take_variables(const struct user_launch *w, struct argv *lines, struct err *err)
{
    struct taking t = { .words = w, .lines = lines };
    variable_each(take_variable, &t);
    const int status = t.refused.names.n ? refuse_variables(&t.refused, err) : 0;
    argv_free(&t.refused.names);
    return status;
}

/* ---- words ---- */

/* Libraries of ours alone, which let ranks wait without their core and change nothing else. */
static int preloads_ours(const char *value)
{
    int all = *value != '\0';
    while (*value && all) {
        const size_t n = strcspn(value, ": ");
        all = (n >= 7 && strncmp(value + n - 7, "/nap.so", 7) == 0) ||
              (n >= 9 && strncmp(value + n - 9, "/yield.so", 9) == 0);
        value += n;
        value += strspn(value, ": ");
    }
    return all;
}

/* A variable that words set, or a parameter by the name of its variable; value NULL: not there. */
static int check_setting(const struct user_launch *w, const char *word, const char *name,
                         const char *value, struct err *err)
{
    const struct reason reason = why_not(w, name, value);
    if (strcmp(w->mpi, "openmpi") == 0 && strcmp(name, param_files) == 0 &&
        (!value || strcmp(value, "none") != 0))
        return err_usage(err, "'%s': %s: %s", word, name, unseen);
    if (!reason.why || (strcmp(name, "LD_PRELOAD") == 0 && value && preloads_ours(value)))
        return 0;
    return err_usage(err, "'%s': %s: %s, and %s (want: a launcher without it)", word, name,
                     reason.why, reason.so);
}

/* Settings in a word, wherever they stand: env NAME=VALUE, -x NAME=VALUE, --export=ALL,NAME=VALUE.
 */
static int check_settings(const struct user_launch *w, const char *word, struct err *err)
{
    static const char of_names[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    char name[NAME_ROOM];
    for (const char *at = word; *at; at += *at != '\0') {
        const size_t n = strspn(at, of_names);
        if (n && n < sizeof name && at[n] == '=') {
            memcpy(name, at, n);
            name[n] = '\0';
            if (check_setting(w, word, name, at + n + 1, err) < 0)
                return -1;
        }
        at += n;
    }
    return 0;
}

/* Options of launchers, of any number of dashes: what precedes a name and a value, and its
 * variable's beginning; NULL: the next word is a file of settings. */
static const struct {
    const char *mpi, *name, *variable;
} options[] = {
    { "openmpi", "mca", "OMPI_MCA_" },
    { "openmpi", "gmca", "OMPI_MCA_" },
    { "openmpi", "omca", "OMPI_MCA_" },
    { "openmpi", "gomca", "OMPI_MCA_" },
    { "openmpi", "am", NULL },
    { "openmpi", "tune", NULL },
    { "mpich", "genv", "" },
    { "mpich", "env", "" },
};

static int check_option(const struct user_launch *w, char *const *word, struct err *err)
{
    char variable[NAME_ROOM];
    const char *option = word[0] + strspn(word[0], "-"), *name = word[1];
    for (size_t i = 0; option > word[0] && name && i < sizeof options / sizeof *options; i++) {
        if (strcmp(options[i].mpi, w->mpi) != 0 || strcmp(options[i].name, option) != 0)
            continue;
        if (!options[i].variable)
            return err_usage(err, "'%s %s': %s", word[0], name, unseen);
        snprintf(variable, sizeof variable, "%s%.200s", options[i].variable, name);
        return check_setting(w, word[0], variable, word[2], err);
    }
    return 0;
}

static int check_words(const struct user_launch *w, struct err *err)
{
    for (char *const *word = w->word; *word; word++)
        if (check_option(w, word, err) < 0 || check_settings(w, *word, err) < 0)
            return -1;
    return 0;
}

/* ---- files ---- */

/* The first word that is a launcher of an MPI library, and its path; NULL and "": there is none. */
static char *const *find_launcher(const struct user_launch *w, char *path, size_t size)
{
    static const char *const begins[] = { "mpi", "orterun", "prte", "prun" };
    *path = '\0';
    for (char *const *word = w->word; *word; word++) {
        const char *slash = strrchr(*word, '/'), *name = slash ? slash + 1 : *word;
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
            if (strncmp(name, begins[i], strlen(begins[i])) != 0)
                continue;
            if (slash ? access(*word, X_OK) == 0 && fs_path(path, size, NULL, "%s", *word) == 0
                      : run_find(*word, path, size))
                return word;
            *path = '\0';
        }
    }
    return NULL;
}

/* Do words say that Open MPI reads no parameter files? A variable counts before the launcher alone:
 * behind it the ranks have it, and the launcher itself still reads the files. */
static int reads_none(const struct user_launch *w, char *const *launcher)
{
    for (char *const *word = w->word; *word; word++) {
        const size_t n = sizeof param_files - 1;
        if (strncmp(*word, param_files, n) == 0 && strcmp(*word + n, "=none") == 0 &&
            (!launcher || word < launcher))
            return 1;
        const char *option = *word + strspn(*word, "-");
        if (option > *word && word[1] && word[2] && strcmp(option, "mca") == 0 &&
            strcmp(word[1], param_files + strlen("OMPI_MCA_")) == 0 && strcmp(word[2], "none") == 0)
            return 1;
    }
    return 0;
}

static int take_files(const struct user_launch *w, struct argv *lines, struct err *err)
{
    char launcher[PATH_SIZE];
    struct environment_record s = { 0 };
    char *const *word = find_launcher(w, launcher, sizeof launcher);
    int status = environment_files(w->mpi, reads_none(w, word) ? NULL : launcher, w->here, &s, err);
    if (status == 0 && s.refused)
        status = err_usage(err, "%s", s.refused);
    for (size_t i = 0; status == 0 && i < s.lines.n; i++)
        argv_add(lines, "%s", s.lines.v[i]);
    environment_record_free(&s);
    return status;
}

static int by_text(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

int user_launch_check(const struct user_launch *words, struct argv *lines, struct err *err)
{
    if (take_variables(words, lines, err) < 0 || check_words(words, err) < 0 ||
        take_files(words, lines, err) < 0)
        return -1;
    if (lines->n)
        qsort(lines->v, lines->n, sizeof *lines->v, by_text);
    return 0;
}
