/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/application_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/subprocess.h"
#include "harness/run/libraries/built.h"
#include "harness/run/libraries/mpi_library.h"

enum { LOADED = 1 << 16, WORD_SIZE = 4096 };

/* ---- which MPI ---- */

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

/* The path of a word that can be run. */
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

/* ---- the command ---- */

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
    return err_prefix(err, "no word of the command is an application linked with MPI (--mpi says "
                           "which one a script starts)");
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
