/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/libraries/installed.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/base/variable.h"

/* Raise it when the probe prints something else. */
enum { PROBE_FORMAT = 2, MOST_TEXT = 65536, SECONDS_TO_COMPILE = 120, SECONDS_TO_RUN = 60 };
enum { MOST_ENVIRONMENT = 1 << 20, TOO_LATE = 128 + SIGALRM };

/* What asks the library. Each answer is a line; dladdr names the file that MPI_Init is in. */
static const char probe_source[] =
    "#define _GNU_SOURCE\n"
    "#include <dlfcn.h>\n"
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "extern char **environ;\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = \"\", file[4096];\n"
    "    int n = 0, major = 0, minor = 0;\n"
    "    Dl_info info;\n"
    "    for (char **e = environ; *e; e++)\n"
    "        if (!strchr(*e, '\\n'))\n"
    "            printf(\"probe export: %s\\n\", *e);\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Get_library_version(text, &n);\n"
    "    MPI_Get_version(&major, &minor);\n"
    "    text[strcspn(text, \"\\r\\n\")] = '\\0';\n"
    "    printf(\"probe library: %s\\n\", text);\n"
    "    printf(\"probe standard: %d.%d\\n\", major, minor);\n"
    "    if (dladdr((void *)MPI_Init, &info) && realpath(info.dli_fname, file))\n"
    "        printf(\"probe file: %s\\n\", file);\n"
    "    fflush(stdout);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

void installed_free(struct installed *found)
{
    argv_free(&found->env);
    argv_free(&found->exports);
}

/* ---- whose library it is ---- */

static int has(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

/* The family of a library by its version line: "openmpi", "mpich", or a word for another one
 * ("intel", "mvapich", "cray", "other"): derived libraries are families of their own. */
static const char *installed_family(const char *says)
{
    static const char *const others[][2] = { { "mvapich", "mvapich" },
                                             { "intel", "intel" },
                                             { "cray", "cray" },
                                             { "spectrum", "spectrum" },
                                             { "parastation", "parastation" } };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has(says, others[i][0]))
            return others[i][1];
    return has(says, "Open MPI v") ? "openmpi" : has(says, "MPICH Version") ? "mpich" : "other";
}

int installed_version(const char *text, char *buf, size_t size)
{
    for (const char *p = text; *p; p++) {
        const size_t n = strspn(p, "0123456789.");
        const int starts = p == text || !isalnum((unsigned char)p[-1]) || p[-1] == 'v';
        if (n >= 3 && starts && isdigit((unsigned char)*p) && memchr(p, '.', n)) {
            const size_t used = p[n - 1] == '.' ? n - 1 : n;
            snprintf(buf, size, "%.*s", (int)used, p);
            return 1;
        }
        p += n ? n - 1 : 0;
    }
    return 0;
}

/* ---- where it is ---- */

/* A path as it is, a name as PATH has it. */
static int find_program(const char *word, char *path, size_t size)
{
    struct stat st;
    if (!strchr(word, '/'))
        return run_find(word, path, size);
    snprintf(path, size, "%s", word);
    return access(word, X_OK) == 0 && stat(word, &st) == 0 && S_ISREG(st.st_mode);
}

static int same_program(const char *a, const char *b)
{
    char one[PATH_SIZE], two[PATH_SIZE];
    return find_program(a, one, sizeof one) && find_program(b, two, sizeof two) &&
           fs_same(one, two);
}

/* "NAME=VALUE NAME=VALUE" */
static void add_words(struct argv *to, const char *text)
{
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, " \t");
        if (n)
            argv_add(to, "%.*s", (int)n, p);
        p += n;
        p += strspn(p, " \t");
    }
}

/* Puts a directory before what a list of directories has. */
static void add_directory(struct argv *to, const char *name, const char *prefix, const char *below)
{
    const char *before = getenv(name);
    argv_add(to, "%s=%s/%s%s%s", name, prefix, below, before && *before ? ":" : "",
             before && *before ? before : "");
}

/* A prefix: its compiler and launcher by path, its libraries where no RPATH says so. */
static void take_prefix(struct installed *f, const char *prefix)
{
    char lib64[PATH_SIZE + 8];
    snprintf(f->mpicc, sizeof f->mpicc, "%.900s/bin/mpicc", prefix);
    snprintf(f->mpirun, sizeof f->mpirun, "%.900s/bin/mpirun", prefix);
    snprintf(lib64, sizeof lib64, "%.900s/lib64", prefix);
    add_directory(&f->env, "PATH", prefix, "bin");
    add_directory(&f->env, "LD_LIBRARY_PATH", prefix, fs_exists(lib64) ? "lib64" : "lib");
}

/* What was found out in this process and is not asked again: a module's environment, which a login
 * shell takes seconds for, and why an entry does not work. */
struct known {
    char *key, *text; /* owned; NULL: why stands for it */
    char why[sizeof((struct installed *)0)->why];
};
static struct known *known;
static size_t n_known;

static const struct known *known_find(const char *key)
{
    return find_below(known, i, n_known, strcmp(known[i].key, key) == 0);
}

static const struct known *known_add(const char *key, char *text, const char *why)
{
    struct known *k = array_add(&known, &n_known);
    *k = (struct known){ .key = memory_text(key), .text = text };
    snprintf(k->why, sizeof k->why, "%s", why);
    return k;
}

/* Loads an entry's modules in a login shell: where mpicc and mpirun then are, and the environment;
 * values of several lines have \001 in it for their ends. Environment Modules 3.2: jobfile.c. */
static const struct known *load_modules(const struct installed *f, const struct mpi_entry *e)
{
    static const char command[] =
        "for m in $1; do module load $m 1>&2 && case $(module load $m 2>&1) in *:ERROR:*) false ;; "
        "esac || exit 9; done; echo "
        "mpicc=$(command -v -- \"$2\"); "
        "echo mpirun=$(command -v -- \"$3\"); echo environment; env -0 | tr '\\n\\0' '\\001\\n'";
    char key[4 * MPI_PATH], why[sizeof f->why] = "";
    const char *const args[] = { "bash",
                                 "-lc",
                                 command,
                                 "collsel",
                                 e->modules,
                                 *e->mpicc ? e->mpicc : "mpicc",
                                 *e->mpirun ? e->mpirun : "mpirun",
                                 NULL };
    snprintf(key, sizeof key, "%s\n%s\n%s\n%s", e->modules, e->mpicc, e->mpirun, f->where);
    const struct known *before = known_find(key);
    if (before)
        return before;
    char *text = memory_zeros(MOST_ENVIRONMENT, 1);
    const int status = run_capture_for(args, SECONDS_TO_RUN, text, MOST_ENVIRONMENT);
    if (status != 0)
        snprintf(why, sizeof why, "look at 'module load %.60s' by hand, %s: %.15s in a login shell",
                 e->modules, f->where, status == TOO_LATE ? "it does not end" : "it failed");
    return known_add(key, text, why);
}

/* A line of the environment after its modules: what is another one than here. */
static void take_variable(struct installed *f, char *line)
{
    static const char *const shell[] = { "SHLVL", "PWD", "OLDPWD" };
    char *equals = strchr(line, '=');
    if (!equals || line[0] == '_' || strchr(line, '\001'))
        return;
    *equals = '\0';
    for (size_t i = 0; i < sizeof shell / sizeof *shell; i++)
        if (strcmp(line, shell[i]) == 0)
            return;
    const char *here = getenv(line);
    if (!here || strcmp(here, equals + 1) != 0)
        argv_add(&f->env, "%s=%s", line, equals + 1);
}

/* Status 0, or -1: why says it. */
static int take_modules(struct installed *f, const struct mpi_entry *e)
{
    const struct known *loaded = load_modules(f, e);
    char *text = memory_text(loaded->text), *rest = text, *line;
    int variables = 0;
    snprintf(f->why, sizeof f->why, "%s", loaded->why);
    while (!*f->why && (line = strsep(&rest, "\n"))) {
        if (variables)
            take_variable(f, line);
        else if (strncmp(line, "mpicc=", 6) == 0)
            snprintf(f->mpicc, sizeof f->mpicc, "%.900s", line + 6);
        else if (strncmp(line, "mpirun=", 7) == 0)
            snprintf(f->mpirun, sizeof f->mpirun, "%.900s", line + 7);
        variables |= strcmp(line, "environment") == 0;
    }
    free(text);
    return *f->why ? -1 : 0;
}

static int take_entry(struct installed *f, const struct mpi_entry *e)
{
    if (*e->modules && take_modules(f, e) < 0)
        return -1;
    if (*e->prefix)
        take_prefix(f, e->prefix);
    if (*e->mpicc && !*e->modules) {
        snprintf(f->mpicc, sizeof f->mpicc, "%s", e->mpicc);
        snprintf(f->mpirun, sizeof f->mpirun, "%s", e->mpirun);
    }
    add_words(&f->env, e->environment);
    char path[PATH_SIZE];
    if (!find_program(f->mpirun, path, sizeof path)) {
        snprintf(f->why, sizeof f->why, "correct [mpi %.40s] in %s: there is no program '%.60s'",
                 e->name, f->where, *f->mpirun ? f->mpirun : "mpirun");
        return -1;
    }
    return 0;
}

/* ---- asking it ---- */

/* Identity of a file: another one of the same name differs. */
static void put_file(FILE *out, const char *what, const char *word)
{
    char path[PATH_SIZE] = "", *real;
    struct stat st;
    if (!find_program(word, path, sizeof path) && *word == '/')
        snprintf(path, sizeof path, "%s", word);
    real = *path ? realpath(path, NULL) : NULL;
    if (real && stat(real, &st) == 0)
        fprintf(out, "%s %s %lld %lld\n", what, real, (long long)st.st_size,
                (long long)st.st_mtime);
    else
        fprintf(out, "%s %s none\n", what, word);
    free(real);
}

/* Of which compiler, launcher and settings the answer is; to be freed. */
static char *identity(const struct installed *f)
{
    char *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    fprintf(out, "format %d\n", PROBE_FORMAT);
    put_file(out, "mpicc", f->mpicc);
    put_file(out, "mpirun", f->mpirun);
    for (size_t i = 0; i < f->env.n; i++)
        if (strncmp(f->env.v[i], "PATH=", 5) != 0)
            fprintf(out, "env %s\n", f->env.v[i]);
    fclose(out);
    return text;
}

void installed_cache(char *dir, size_t size)
{
    const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
    dir[0] = '\0';
    if (cache && *cache)
        fs_path(dir, size, NULL, "%s/collsel", cache);
    else if (home && *home)
        fs_path(dir, size, NULL, "%s/.cache/collsel", home);
}

/* BUILD/mpi, or mpi in the user's cache where BUILD may not be written; "": nowhere. */
static void own_place(const char *build, char *dir, size_t size)
{
    char cache[PATH_SIZE];
    installed_cache(cache, sizeof cache);
    dir[0] = '\0';
    if (build && access(build, W_OK | X_OK) == 0)
        fs_path(dir, size, NULL, "%s/mpi", build);
    else if (*cache)
        fs_path(dir, size, NULL, "%s/mpi", cache);
}

void installed_dir(const struct mpi_entries *entries, const char *entry, const char *build,
                   char *dir, size_t size)
{
    const struct mpi_entry *e = entries ? mpi_entries_find(entries, entry) : NULL;
    char place[PATH_SIZE], said[6 * MPI_PATH];
    own_place(build, place, sizeof place);
    dir[0] = '\0';
    if (!e) {
        fs_path(dir, size, NULL, "%s/%s", build ? build : ".", entry);
        return;
    }
    snprintf(said, sizeof said, "%s\n%s\n%s\n%s\n%s", e->prefix, e->mpicc, e->mpirun, e->modules,
             e->environment);
    fs_path(dir, size, NULL, "%s/%s-%04x", place, entry,
            (unsigned)(fs_digest(said, strlen(said)) & 0xffff));
}

static const char *value_of(const struct argv *env, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = env->n; i-- > 0;)
        if (strncmp(env->v[i], name, n) == 0 && env->v[i][n] == '=')
            return env->v[i] + n + 1;
    return getenv(name);
}

/* "env -i NAME=VALUE ...": what programs cannot do without, and what the entry sets. */
static void add_clean(struct argv *args, const struct argv *env)
{
    static const char *const names[] = { "PATH", "HOME", "USER", "LD_LIBRARY_PATH", "TMPDIR" };
    argv_add(args, "env");
    argv_add(args, "-i");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = value_of(env, names[i]);
        if (value)
            argv_add(args, "%s=%s", names[i], value);
    }
    for (size_t i = 0; i < env->n; i++)
        argv_add(args, "%s", env->v[i]);
    if (geteuid() == 0) { /* Open MPI's and PRRTE's words for it; harmless to others */
        static const char *const root[] = { "OMPI_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT" };
        for (int i = 0; i < 2; i++) {
            argv_add(args, "%s=1", root[i]);
            argv_add(args, "%s_CONFIRM=1", root[i]);
        }
    }
}

static int run_clean(const struct installed *f, const char *const *words, int seconds, char *out)
{
    struct argv args = { 0 };
    add_clean(&args, &f->env);
    for (; *words; words++)
        argv_add(&args, "%s", *words);
    const int status = run_capture_for((const char *const *)args.v, seconds, out, MOST_TEXT);
    argv_free(&args);
    return status;
}

/* Did we give it ourselves? Words of the launcher's own start do not count. */
/* What a probe printed; lines that are none of its are passed over. */
static void take_answer(struct installed *f, char *text)
{
    struct argv given = { 0 };
    char *line;
    add_clean(&given, &f->env);
    while ((line = strsep(&text, "\n"))) {
        line[strcspn(line, "\r")] = '\0';
        if (strncmp(line, "probe library: ", 15) == 0) {
            snprintf(f->says, sizeof f->says, "%.255s", line + 15);
            for (char *p = f->says; *p; p++)
                *p = *p == '\t' ? ' ' : *p;
        }
        if (strncmp(line, "probe launcher: ", 16) == 0)
            snprintf(f->launcher, sizeof f->launcher, "%.31s", line + 16);
        if (strncmp(line, "probe file: ", 12) == 0)
            snprintf(f->libmpi, sizeof f->libmpi, "%.900s", line + 12);
        else if (strncmp(line, "probe export: ", 14) == 0 &&
                 !any_below(i, given.n, strcmp(given.v[i], (line + 14)) == 0))
            argv_add(&f->exports, "%s", line + 14);
    }
    argv_free(&given);
    if (!installed_version(f->says, f->version, sizeof f->version))
        snprintf(f->version, sizeof f->version, "unknown");
}

/* The line of what failed that says most: the first with "error", else the first. */
static void first_line(const char *text, char *buf, size_t size)
{
    const char *at = strcasestr(text, "error");
    while (at && at > text && at[-1] != '\n')
        at--;
    at = at ? at : text + strspn(text, "\n -");
    snprintf(buf, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Whose it is and why it does not work, by its status and what it printed. */
static void say_failed(struct installed *f, const char *what, const char *how, int status,
                       const char *text)
{
    char line[160];
    first_line(text, line, sizeof line);
    snprintf(f->why, sizeof f->why, "try '%.60s' %.26s%.10s%s: %.70s", what, how,
             *f->where ? ", " : "", f->where,
             status == TOO_LATE ? "it does not end"
             : *line            ? line
                                : "it fails and says nothing");
}

/* The release that Open MPI's mpirun or hydra is of, as another line of the answer. */
static void add_launcher(const struct installed *f, char *answer)
{
    char *text = memory_zeros(MOST_TEXT, 1), release[32];
    const size_t used = strlen(answer);
    const char *const words[] = { f->mpirun, "--version", NULL };
    const char *at =
        run_clean(f, words, SECONDS_TO_RUN, text) == 0 ? strstr(text, "(Open MPI)") : NULL;
    at = at ? at : strstr(text, "HYDRA build details");
    if (at && installed_version(at, release, sizeof release))
        snprintf(answer + used, MOST_TEXT - used, "probe launcher: %s\n", release);
    free(text);
}

static int has_answered(int status, const char *text)
{
    return status == 0 && strstr(text, "probe library: ");
}

/* Compiles and runs the probe; its text, or NULL with why set. */
static char *ask(struct installed *f, const char *dir)
{
    char source[PATH_SIZE], program[PATH_SIZE], *text = memory_zeros(MOST_TEXT, 2);
    char place[PATH_SIZE], *alone = text + MOST_TEXT;
    snprintf(place, sizeof place, "%.900s/probe.XXXXXX", *dir ? dir : "/tmp");
    if (!mkdtemp(place)) {
        snprintf(f->why, sizeof f->why, "make '%.100s' writable: the library is queried there",
                 *dir ? dir : "/tmp");
        free(text);
        return NULL;
    }
    snprintf(source, sizeof source, "%.1000s/probe.c", place);
    snprintf(program, sizeof program, "%.1000s/probe", place);
    const char *const compile[] = { f->mpicc, "-o", program, source, "-ldl", NULL };
    const char *const start[] = { f->mpirun, "-n", "1", program, NULL };
    int status = fs_write(source, probe_source, NULL);
    status = status < 0 ? status : run_clean(f, compile, SECONDS_TO_COMPILE, text);
    if (status != 0 || access(program, X_OK) != 0) {
        say_failed(f, f->mpicc, "on a small program", status, text);
    } else {
        status = run_clean(f, start, SECONDS_TO_RUN, text);
        /* Login nodes may let no launcher start. */
        if (!has_answered(status, text) &&
            has_answered(run_clean(f, start + 3, SECONDS_TO_RUN, alone), alone))
            memmove(text, alone, MOST_TEXT);
        else if (!has_answered(status, text))
            say_failed(f, f->mpirun, "-n 1 on a small program", status, text);
    }
    fs_remove_tree(place, NULL);
    if (!*f->why) {
        add_launcher(f, text);
        return text;
    }
    free(text);
    return NULL;
}

/* Where its compiler is missing: the launcher's own word, and no more. */
static void ask_launcher(struct installed *f)
{
    char *text = memory_zeros(MOST_TEXT, 1);
    const char *const args[] = { f->mpirun, "--version", NULL };
    if (run_clean(f, args, SECONDS_TO_RUN, text) == 0)
        installed_version(text, f->version, sizeof f->version);
    f->mpicc[0] = '\0';
    free(text);
}

/* An answer that was kept, without its identity; NULL: there is none of this identity, or the
 * library behind it is another file now. */
static char *kept_answer(const char *path, const char *id)
{
    char *text = fs_exists(path) ? fs_read(path, NULL, NULL) : NULL, *answer = NULL;
    const size_t n = strlen(id);
    if (text && strncmp(text, id, n) == 0 && strncmp(text + n, "libmpi ", 7) == 0) {
        char *line = NULL, was[PATH_SIZE];
        size_t len;
        snprintf(was, sizeof was, "%.*s", (int)strcspn(text + n, "\n"), text + n);
        char word[PATH_SIZE];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(was + 7, " "), was + 7);
        FILE *out = memory_stream(&line, &len);
        put_file(out, "libmpi", word);
        fclose(out);
        if (strncmp(text + n, line, strlen(line)) == 0)
            answer = memory_text(text + n + strlen(line));
        free(line);
    }
    free(text);
    return answer;
}

static void keep_answer(const char *path, const char *id, const char *libmpi, const char *answer)
{
    char *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    fputs(id, out);
    put_file(out, "libmpi", libmpi);
    fputs(answer, out);
    fclose(out);
    fs_write(path, text, NULL);
    free(text);
}

static void ask_library(struct installed *f, const char *build)
{
    char dir[PATH_SIZE], path[PATH_SIZE] = "", cc[PATH_SIZE];
    if (!find_program(f->mpicc, cc, sizeof cc)) {
        ask_launcher(f);
        return;
    }
    char *id = identity(f);
    const struct known *failed = known_find(id);
    /* Where answers are kept: "" where nowhere. */
    own_place(build, dir, sizeof dir);
    if (*dir && fs_mkdirs(dir, NULL) < 0)
        dir[0] = '\0';
    if (*dir)
        fs_path(path, sizeof path, NULL, "%s/%016llx.probe", dir,
                (unsigned long long)fs_digest(id, strlen(id)));
    char *answer = *path && !failed ? kept_answer(path, id) : NULL;
    if (failed) {
        snprintf(f->why, sizeof f->why, "%s", failed->why);
    } else if (answer) {
        take_answer(f, answer);
    } else if ((answer = ask(f, dir))) {
        char *whole = memory_text(answer);
        take_answer(f, answer);
        if (*path)
            keep_answer(path, id, f->libmpi, whole);
        free(whole);
    } else {
        known_add(id, NULL, f->why);
    }
    memory_free(answer, id);
}

/* ---- an entry ---- */

static int is_exported(const struct installed *f, const char *name)
{
    return any_below(i, f->exports.n, strncmp(f->exports.v[i], name, strlen(name)) == 0);
}

/* Whose launcher started the probe, by what it exports: Open MPI's, or hydra (MPICH and its kin);
 * NULL: neither's. */
static const char *launcher_family(const struct installed *f)
{
    return is_exported(f, "OMPI_COMM_WORLD_SIZE=") ? "openmpi"
           : is_exported(f, "MPI_LOCALNRANKS=")    ? "mpich"
                                                   : NULL;
}

/* A launcher of another library starts ranks that are alone: each a world of its own. */
static int is_pair(const struct installed *f)
{
    const char *const launcher = launcher_family(f), *const is = installed_family(f->says);
    return !launcher || (strcmp(is, "openmpi") == 0) == (strcmp(launcher, "openmpi") == 0);
}

/* What the name says must be what the library says, and the launcher must be the library's. */
static void check_family(struct installed *f)
{
    const char *const named = mpi_family(f->entry);
    const char *const is = installed_family(f->says);
    if (*f->why || !*f->says)
        return;
    const int read = strcmp(is, "openmpi") == 0 || strcmp(is, "mpich") == 0;
    if (mpi_is_read(f->entry) ? strcmp(named, is) != 0 : read)
        snprintf(f->why, sizeof f->why,
                 "name it [mpi %s-...] in %s: what [mpi %.40s] leads to says '%.60s'", is, f->where,
                 f->entry, f->says);
    else if (!is_pair(f))
        snprintf(f->why, sizeof f->why,
                 "name mpirun beside '%.60s' (%.60s): '%.60s' is another library's launcher",
                 f->mpicc, is, f->mpirun);
    else if (read && *f->launcher && strcmp(f->launcher, f->version) != 0)
        snprintf(f->why, sizeof f->why,
                 "name mpicc and mpirun of one release%s%s: the library is %.20s, '%.60s' is %.20s",
                 *f->where ? " in " : "", f->where, f->version, f->mpirun, f->launcher);
}

/* What `make` was told to build with (config.mk), and the launcher beside it. 1: it was told. */
static int take_chosen(struct installed *f, const char *dir)
{
    static const char cc[] = "mpicc";
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, NULL, "%s/chosen", dir) < 0 || !fs_exists(path))
        return 0;
    char *text = fs_read(path, NULL, NULL), *rest = text, *word;
    while (text && (word = strsep(&rest, " \n"))) {
        char *slash = strrchr(word, '/'), *at = strstr(slash ? slash : word, cc);
        if (!at)
            continue;
        snprintf(f->mpicc, sizeof f->mpicc, "%s", word);
        snprintf(f->mpirun, sizeof f->mpirun, "%.*smpirun%s", (int)(at - word), word,
                 at + strlen(cc));
        break;
    }
    free(text);
    if (!*f->mpicc || find_program(f->mpirun, path, sizeof path))
        return *f->mpicc != '\0';
    snprintf(f->why, sizeof f->why,
             "name this MPI in a section [mpi %.40s-...]: make was given '%.60s', and there is no "
             "'%.60s'",
             f->entry, f->mpicc, f->mpirun);
    return 1;
}

static void begin(struct installed *f, const char *entry, const struct mpi_entries *entries,
                  const char *build)
{
    *f = (struct installed){ .version = "unknown" };
    snprintf(f->entry, sizeof f->entry, "%.63s", entry);
    const struct mpi_entry *e = entries ? mpi_entries_find(entries, entry) : NULL;
    const size_t len = e ? strlen(e->path) : 0;
    if (e)
        snprintf(f->where, sizeof f->where, "%s%.60s:%d", len > 60 ? "..." : "",
                 e->path + (len > 60 ? len - 60 : 0), e->line);
    installed_dir(entries, entry, build, f->dir, sizeof f->dir);
}

/* Without a section: PATH's own where it is that library, then Debian's names. */
static void look_unnamed(struct installed *f, const char *build)
{
    char path[PATH_SIZE], debian_cc[128], debian[128];
    const char *const family = mpi_family(f->entry);
    if (take_chosen(f, f->dir)) {
        if (!*f->why)
            ask_library(f, build);
        return;
    }
    snprintf(debian_cc, sizeof debian_cc, "mpicc.%.60s", f->entry);
    snprintf(debian, sizeof debian, "mpirun.%.60s", f->entry);
    if (mpi_is_read(f->entry) && strcmp(family, f->entry) == 0 &&
        find_program("mpirun", path, sizeof path) && !same_program("mpirun", debian)) {
        snprintf(f->mpirun, sizeof f->mpirun, "mpirun");
        snprintf(f->mpicc, sizeof f->mpicc, "mpicc");
        ask_library(f, build);
        if (!*f->why && strcmp(installed_family(f->says), family) == 0 && is_pair(f))
            return;
        installed_free(f);
        begin(f, family, NULL, build);
    }
    if (mpi_is_read(f->entry) && strcmp(family, f->entry) == 0 &&
        find_program(debian, path, sizeof path)) {
        snprintf(f->mpirun, sizeof f->mpirun, "%s", debian);
        snprintf(f->mpicc, sizeof f->mpicc, "%s", debian_cc);
        ask_library(f, build);
        return;
    }
    snprintf(f->why, sizeof f->why,
             "name it in a section [mpi %.40s] of the cluster file, load its module, or run make "
             "setup: neither mpirun nor '%.40s' of PATH is it",
             f->entry, debian);
}

void installed_look(const struct mpi_entries *entries, const char *entry, const char *build,
                    struct installed *found)
{
    const struct mpi_entry *e = entries ? mpi_entries_find(entries, entry) : NULL;
    begin(found, entry, entries, build);
    if (!e)
        look_unnamed(found, build);
    else if (take_entry(found, e) == 0)
        ask_library(found, build);
    check_family(found);
}

void installed_say_exports(const struct installed *found, struct argv *args)
{
    char name[256];
    for (size_t i = 0; i < found->exports.n; i++) {
        const char *line = found->exports.v[i];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "="), line);
        const struct variable_rule *r = variable_rule_of(name, mpi_family(found->entry));
        if (r && (r->kind == VARIABLE_TUNES || strstr(name, "component_path"))) {
            argv_add(args, "--provenance");
            argv_add(args, "exported=%s", line);
        }
    }
}
