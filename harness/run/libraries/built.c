/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/libraries/built.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/base/install_paths.h"
#include "harness/run/libraries/mpi_library.h"

enum { MOST_TEXT = 1 << 18, SECONDS_TO_BUILD = 1800, MOST_JOBS = 16 };

static const char failed_name[] = "failed"; /* in the directory: why the last build failed */

static void take_line(const char *text, const char *name, char *buf, size_t size)
{
    const size_t n = strlen(name);
    buf[0] = '\0';
    for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
        if (strncmp(p, name, n) == 0) {
            snprintf(buf, size, "%.*s", (int)strcspn(p + n, "\n"), p + n);
            return;
        }
}

int built_ask(const char *dir, const struct argv *env, char version[64], char file[PATH_SIZE])
{
    char out[8192], library[1024];
    struct argv args = { 0 };
    argv_add(&args, "env");
    for (size_t i = 0; env && i < env->n; i++)
        argv_add(&args, "%s", env->v[i]);
    argv_add(&args, "%s/measure", dir);
    argv_add(&args, "--library");
    const int status = run_capture((const char *const *)args.v, out, sizeof out);
    argv_free(&args);
    take_line(status == 0 ? out : "", "compiled: ", version, 64);
    take_line(status == 0 ? out : "", "library: ", library, sizeof library);
    take_line(status == 0 ? out : "", "file: ", file, PATH_SIZE);
    if (!strstr(library, version))
        file[0] = '\0';
    return status == 0 ? 0 : -1;
}

/* "make" builds what no cluster file names. */
static const char *remedy_of(const struct installed *f)
{
    return *f->where ? "build again (collsel cluster check --make)" : "build again (make)";
}

static int was_failed(const struct installed *f, char *why)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, NULL, "%s/%s", f->dir, failed_name) < 0 || !fs_exists(path))
        return 0;
    char *text = fs_read(path, NULL, NULL);
    snprintf(why, REASON_SIZE, "%.*s", REASON_SIZE - 1, text ? text : "its build failed");
    free(text);
    return 1;
}

int built_is_ready(const struct installed *f, char *why)
{
    char program[PATH_SIZE], version[64], file[PATH_SIZE];
    why[0] = '\0';
    if (was_failed(f, why))
        return 0;
    if (fs_path(program, sizeof program, NULL, "%s/measure", f->dir) < 0 ||
        access(program, X_OK) != 0)
        snprintf(why, REASON_SIZE, "the measuring program of %.40s is not there (want: %s)",
                 f->entry,
                 !*f->where  ? "make"
                 : *f->mpicc ? "collsel cluster check --make, or collsel measure"
                             : "its mpicc, which is not there either");
    else if (built_ask(f->dir, &f->env, version, file) < 0 && /* somebody may have killed it */
             built_ask(f->dir, &f->env, version, file) < 0)
        snprintf(why, REASON_SIZE, "%s: the measuring program of %.40s does not start",
                 remedy_of(f), f->entry);
    else if (*version && strcmp(f->version, "unknown") != 0 && strcmp(version, f->version) != 0)
        snprintf(why, REASON_SIZE, "%s: what is there of %.30s is for %.20s, the library is %.20s",
                 remedy_of(f), f->entry, version, f->version);
    else if (*file && *f->libmpi && strcmp(file, f->libmpi) != 0)
        snprintf(why, REASON_SIZE, "%s: %.30s's program runs with '%.20s', mpirun's with '%.20s'",
                 remedy_of(f), f->entry, file, f->libmpi);
    return !*why;
}

void built_directories(const char *family, const char *build, struct argv *dirs)
{
    char cache[PATH_SIZE], place[PATH_SIZE];
    const char *const places[] = { build, cache };
    installed_cache(cache, sizeof cache);
    argv_add(dirs, "%s/%s", build, family);
    for (int i = 0; i < 2; i++) {
        if (!*places[i] || fs_path(place, sizeof place, NULL, "%s/mpi", places[i]) < 0)
            continue;
        DIR *d = opendir(place);
        for (struct dirent *e; d && (e = readdir(d));)
            if (mpi_is(e->d_name, family))
                argv_add(dirs, "%s/%s", place, e->d_name);
        if (d)
            closedir(d);
    }
}

/* The first line of a compiler's or of make's that says what is wrong. */
static void first_error(const char *text, char *buf, size_t size)
{
    const char *at = strstr(text, "rror: ");
    at = at ? at : strstr(text, "***");
    while (at && at > text && at[-1] != '\n')
        at--;
    at = at ? at : text;
    snprintf(buf, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static void note_failure(const struct installed *f, const char *text)
{
    char path[PATH_SIZE], said[160], note[REASON_SIZE];
    first_error(text, said, sizeof said);
    snprintf(note, sizeof note, "see to it that '%.40s' compiles what is measured with: %.60s",
             f->mpicc, said);
    if (fs_path(path, sizeof path, NULL, "%s/measure", f->dir) == 0)
        unlink(path);
    if (fs_path(path, sizeof path, NULL, "%s/%s", f->dir, failed_name) == 0)
        fs_write(path, note, NULL);
}

/* The top of the sources that lie with this program. 0: there are none. */
static int sources(char *top, size_t size)
{
    char path[PATH_SIZE];
    if (!install_path_find("workloads/mpi.mk", path, sizeof path))
        return 0;
    path[strlen(path) - strlen("/workloads/mpi.mk")] = '\0';
    return fs_path(top, size, NULL, "%s", path) == 0;
}

static void add_make(const struct installed *f, const char *top, const char *dir, struct argv *args)
{
    static const char *const not_ours[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES" };
    long jobs = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
    argv_add(args, "env");
    for (size_t i = 0; i < sizeof not_ours / sizeof *not_ours; i++) {
        argv_add(args, "-u");
        argv_add(args, "%s", not_ours[i]);
    }
    for (size_t i = 0; i < f->env.n; i++)
        argv_add(args, "%s", f->env.v[i]);
    argv_add(args, "make");
    argv_add(args, "-sj%ld", jobs);
    argv_add(args, "-C");
    argv_add(args, "%s", top);
    argv_add(args, "-f");
    argv_add(args, "workloads/mpi.mk");
    argv_add(args, "FAMILY=%s", mpi_is_read(f->entry) ? mpi_family(f->entry) : "other");
    argv_add(args, "MPICC=%s", f->mpicc);
    argv_add(args, "DIR=%s", dir);
    argv_add(args, "measure");
}

static void make_here(const struct installed *f, const char *top, FILE *chatter)
{
    char dir[PATH_SIZE], program[PATH_SIZE], failure[PATH_SIZE];
    struct argv args = { 0 };
    if (fs_mkdirs(f->dir, NULL) < 0 || !realpath(f->dir, dir) ||
        fs_path(program, sizeof program, NULL, "%s/measure", dir) < 0 ||
        fs_path(failure, sizeof failure, NULL, "%s/%s", dir, failed_name) < 0)
        return;
    if (chatter && access(program, X_OK) != 0)
        fprintf(chatter, "building what runs under %s %s, in %s\n", f->entry, f->version, f->dir);
    char *text = memory_zeros(MOST_TEXT, 1);
    unlink(failure);
    add_make(f, top, dir, &args);
    if (run_capture_for((const char *const *)args.v, SECONDS_TO_BUILD, text, MOST_TEXT) != 0)
        note_failure(f, text);
    argv_free(&args);
    free(text);
}

/* One process at a time; where the file system has no locks, at once. */
static void update(const struct cluster *cluster, const char *entry, const char *build,
                   const char *top, FILE *chatter)
{
    char lock[PATH_SIZE];
    struct installed found;
    library_look(cluster, entry, build, &found);
    if (*found.why || !*found.mpicc || fs_mkdirs(found.dir, NULL) < 0 ||
        fs_path(lock, sizeof lock, NULL, "%s/lock", found.dir) < 0) {
        installed_free(&found);
        return;
    }
    const int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    make_here(&found, top, chatter);
    if (fd >= 0)
        close(fd);
    installed_free(&found);
}

void built_update(const struct cluster *cluster, const char *entry, const char *build,
                  FILE *chatter)
{
    char top[PATH_SIZE];
    if (mpi_entries_find(&cluster->mpis, entry) && sources(top, sizeof top))
        update(cluster, entry, build, top, chatter);
}

void built_update_all(const struct cluster *cluster, const struct name_list *entries,
                      const char *build, FILE *chatter)
{
    for (size_t i = 0; i < entries->n; i++)
        built_update(cluster, entries->v[i], build, chatter);
}
