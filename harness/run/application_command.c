/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/application_command.h"

#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/base/variable.h"
#include "harness/run/environment.h"
#include "harness/run/libraries/built.h"

enum { LOADED = 1 << 16, WORD_SIZE = 4096 };

/* The names under which loaders know the libraries. */
static const struct {
    const char *file, *mpi;
} known[] = {
    { "libmpi.so.40", "openmpi" }, /* 4 and 5 */
    { "libmpich.so", "mpich" },    /* Debian's name for it */
    { "libmpi.so.12", "mpich" },   /* its own name, and that of what keeps to its ABI */
};

static const char *mpi_of_loaded(const char *loaded)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(loaded, known[i].file))
            return known[i].mpi;
    return NULL;
}

static int find_program(const char *word, char path[WORD_SIZE])
{
    if (strchr(word, '/')) {
        snprintf(path, WORD_SIZE, "%s", word);
        return access(path, X_OK) == 0;
    }
    return run_find(word, path, WORD_SIZE);
}

/* The library that a program is linked with, by its loader: "openmpi", "mpich"; NULL
 * with *err if it is another one, or no program. word: a path, or a name on the PATH. */
static const char *application_mpi(const char *word, struct err *err)
{
    char path[WORD_SIZE], *loaded = malloc(LOADED);
    const char *const args[] = { "ldd", path, NULL };
    const char *mpi = NULL;
    if (!loaded || !find_program(word, path)) {
        err_set(err, "'%s' is no program", word);
    } else if (run_capture(args, loaded, LOADED) != 0) {
        err_set(err, "'%s' is no program that a loader knows (a script?)", word);
    } else {
        mpi = mpi_of_loaded(loaded);
        if (!mpi && strstr(loaded, "libmpi"))
            err_set(err, "'%s' is linked with an MPI that is neither Open MPI 4 or 5 nor MPICH",
                    word);
        else if (!mpi)
            err_set(err, "'%s' is not linked with MPI", word);
    }
    free(loaded);
    return mpi;
}

/* The file of the MPI library that a loader's list names; "": it names none. */
static void file_of_loaded(const char *loaded, char file[PATH_SIZE])
{
    char path[PATH_SIZE] = "";
    file[0] = '\0';
    for (size_t i = 0; !*path && i < sizeof known / sizeof *known; i++) {
        const char *at = strstr(loaded, known[i].file), *arrow = at ? strstr(at, "=> ") : NULL;
        if (arrow && arrow < at + strcspn(at, "\n"))
            snprintf(path, sizeof path, "%.*s", (int)strcspn(arrow + 3, " \n"), arrow + 3);
    }
    if (*path && !realpath(path, file))
        file[0] = '\0';
}

/* The file of the MPI library that a program is linked with; "": not known. */
static void application_file(const char *word, char file[PATH_SIZE])
{
    char path[WORD_SIZE], *loaded = malloc(LOADED);
    const char *const args[] = { "ldd", path, NULL };
    file[0] = '\0';
    if (loaded && find_program(word, path) && run_capture(args, loaded, LOADED) == 0)
        file_of_loaded(loaded, file);
    free(loaded);
}

/* Is this directory of builds "ENTRY" or "ENTRY-XXXX"? */
static int is_of_entry(const char *dir, const char *entry)
{
    const char *slash = strrchr(dir, '/'), *name = slash ? slash + 1 : dir;
    const size_t n = strlen(entry);
    return strncmp(name, entry, n) == 0 &&
           (name[n] == '\0' || (name[n] == '-' && strlen(name + n + 1) == 4 &&
                                strspn(name + n + 1, "0123456789abcdef") == 4));
}

/* libcollsel of an entry: of the build whose own program runs with the file of the application's
 * library; where there is none, of the first build of the entry: releases of a library serve each
 * other's programs. */
static int library_path(const char *build, const char *entry, const char *file,
                        char path[PATH_SIZE], struct err *err)
{
    const char *const family = mpi_family(entry);
    char relative[PATH_SIZE], version[64], its[PATH_SIZE];
    struct argv dirs = { 0 };
    size_t chosen = 0, n = 0;
    built_directories(family, build, &dirs);
    for (size_t i = 0; i < dirs.n; i++) {
        if (strcmp(entry, family) != 0 ? !is_of_entry(dirs.v[i], entry) : !*file && i > 0)
            continue;
        chosen = n++ == 0 ? i : chosen;
        if (*file && built_ask(dirs.v[i], NULL, version, its) == 0 && strcmp(its, file) == 0) {
            chosen = i;
            break;
        }
    }
    int status =
        n == 0 ? err_set(err,
                         "build '%s' first (collsel cluster check --make, with the cluster file "
                         "that names it): it is none of '%s'",
                         entry, build)
               : fs_path(relative, sizeof relative, err, "%s/libcollsel-%s.so", dirs.v[chosen],
                         family);
    argv_free(&dirs);
    if (status < 0)
        return -1;
    if (!realpath(relative, path))
        return err_errno(err, "'%s' (make builds it where there is mpicc.%s)", relative, family);
    if (strpbrk(path, ":;"))
        return err_set(err, "install below another path: the loader splits '%s' at ':' and ';'",
                       path);
    return 0;
}

/* `name=value`, and what the variable held before. */
static void add_in_front(const char *name, const char *value, const char *before, struct argv *out)
{
    argv_add(out, "%s=%s%s%s", name, value, before && *before ? ":" : "", before ? before : "");
}

/* LD_PRELOAD splits paths at blanks, LD_LIBRARY_PATH does not. preloaded, searched: what the two
 * hold without us. */
static void add_environment(const char *library, const char *preloaded, const char *searched,
                            const struct argv *variables, struct argv *out)
{
    char dir[PATH_SIZE];
    const char *const name = strrchr(library, '/') + 1;
    if (library_splits(library)) {
        snprintf(dir, sizeof dir, "%.*s", (int)(name - 1 - library), library);
        add_in_front("LD_LIBRARY_PATH", dir, searched, out);
    }
    add_in_front("LD_PRELOAD", library_splits(library) ? name : library, preloaded, out);
    for (size_t i = 0; i < variables->n; i++)
        argv_add(out, "%s", variables->v[i]);
}

/* The variable's value as the command sets it for the application, by its words from first on. */
static const char *set_by(char *const *command, size_t first, size_t end, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = end; i > first; i--)
        if (strncmp(command[i - 1], name, n) == 0 && command[i - 1][n] == '=')
            return command[i - 1] + n + 1;
    return getenv(name);
}

static int whole_environment(char *const *command, const char *mpi, const char *build,
                             const struct argv *variables, struct argv *out, struct err *err)
{
    char library[PATH_SIZE];
    if (library_path(build, mpi, "", library, err) < 0)
        return -1;
    argv_add(out, "env");
    add_environment(library, getenv("LD_PRELOAD"), getenv("LD_LIBRARY_PATH"), variables, out);
    for (size_t i = 0; command[i]; i++)
        argv_add(out, "%s", command[i]);
    return 0;
}

/* Words that begin with a dash or have a "=" are none. */
static const char *mpi_of_word(const char *word)
{
    if (*word == '-' || *word == '\0' || strchr(word, '='))
        return NULL;
    return application_mpi(word, NULL);
}

/* The first word that is the path of a file that is not there; NULL: there is none. */
static const char *missing_file(char *const *command)
{
    for (size_t i = 0; command[i]; i++)
        if (*command[i] != '-' && !strchr(command[i], '=') && strchr(command[i], '/') &&
            access(command[i], F_OK) != 0)
            return command[i];
    return NULL;
}

/* No word is linked with an MPI: says so of the last one that is a program. Where that is the first
 * one, a launcher, the application is missing. */
static int no_application(char *const *command, struct err *err)
{
    char path[WORD_SIZE];
    size_t last = 0;
    for (size_t i = 0; command[i]; i++)
        last = find_program(command[i], path) ? i : last;
    const char *missing = last ? NULL : missing_file(command);
    if (missing)
        err_set(err, "'%s' does not exist", missing);
    else if (!last && command[1] && find_program(command[0], path))
        err_set(err, "no word behind '%s' is a program", command[0]);
    else
        application_mpi(command[last], err);
    return err_prefix(err, "the command has no application linked with MPI (if a script starts it, "
                           "name its MPI: --mpi openmpi or mpich)");
}

int application_command(char *const *command, const char *mpi, const char *build,
                        const struct argv *variables, struct argv *out, struct err *err)
{
    char library[PATH_SIZE], file[PATH_SIZE];
    size_t first = 0, found = 0;
    int wanted = 1;
    if (mpi)
        return whole_environment(command, mpi, build, variables, out, err);
    for (size_t i = 0; command[i]; i++) {
        const char *its = wanted ? mpi_of_word(command[i]) : NULL;
        if (its) {
            application_file(command[i], file);
            if (library_path(build, its, file, library, err) < 0)
                return -1;
            argv_add(out, "env");
            add_environment(library, set_by(command, first, i, "LD_PRELOAD"),
                            set_by(command, first, i, "LD_LIBRARY_PATH"), variables, out);
            wanted = 0;
            found++;
        }
        argv_add(out, "%s", command[i]);
        if (strcmp(command[i], ":") == 0) {
            wanted = 1;
            first = i + 1;
        }
    }
    return found ? 0 : no_application(command, err);
}

static const char ours[] = "COLLSEL_", unseen[] = "it brings settings that are not seen "
                                                  "here (want: a launcher without it)";
static const char param_files[] = "OMPI_MCA_mca_base_param_files";
enum { NAME_ROOM = 256, LIST_ROOM = 300 };

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
