/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/provenance.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/study/journal.h"
#include "harness/run/run.h"

#if defined __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Of the files of a results folder; grows when an older program would misread them. */
enum { MANIFEST_FORMAT = 1 };

/* ---- looking things up ---- */

static void first_line(char *text)
{
    text[strcspn(text, "\r\n")] = '\0';
}

/* The commit of the source tree that holds the build directory. */
static void find_commit(const char *build, char *buf, size_t size)
{
    char out[256];
    const char *const args[] = { "git",     "-C",          build,       "describe", "--always",
                                 "--dirty", "--abbrev=40", "--match=-", NULL };
    int fine = run_capture(args, out, sizeof out) == 0;
    first_line(out);
    snprintf(buf, size, "%.60s", fine && *out ? out : "unknown");
}

static void find_cpu(char *buf, size_t size)
{
    char *line = NULL;
    size_t cap = 0;
    FILE *f = fopen("/proc/cpuinfo", "re");
    snprintf(buf, size, "unknown");
    while (f && getline(&line, &cap, f) > 0) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        first_line(line);
        snprintf(buf, size, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    free(line);
    if (f)
        fclose(f);
}

static void find_system(struct provenance *p)
{
    struct utsname u;
    if (uname(&u) == 0)
        snprintf(p->kernel, sizeof p->kernel, "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
    else
        snprintf(p->kernel, sizeof p->kernel, "unknown");
    if (gethostname(p->host, sizeof p->host - 1) < 0)
        snprintf(p->host, sizeof p->host, "unknown");
    find_cpu(p->cpu, sizeof p->cpu);
}

/* By name: the plan's order changes when the grid grows, and the digest must not. */
static int by_library(const void *left, const void *right)
{
    const struct library *const *a = left, *const *b = right; /* the first member */
    return strcmp((*a)->name, (*b)->name);
}

static void find_mpis(const struct plan *plan, struct provenance *p)
{
    for (size_t i = 0; i < plan->n_launches; i++) {
        const struct library *l = library_find(plan->launches[i].mpi);
        size_t k = 0;
        while (k < p->n_mpi && p->mpi[k].library != l)
            k++;
        if (!l || k < p->n_mpi || k == MAX_LIBRARIES)
            continue;
        p->mpi[k].library = l;
        library_version(l, p->mpi[k].version, sizeof p->mpi[k].version);
        p->n_mpi++;
    }
    qsort(p->mpi, p->n_mpi, sizeof p->mpi[0], by_library);
}

const char *provenance_version(const struct provenance *p, const char *mpi)
{
    for (size_t i = 0; i < p->n_mpi; i++)
        if (strcmp(p->mpi[i].library->name, mpi) == 0)
            return p->mpi[i].version;
    return "unknown";
}

/* ---- the digest ---- */

static void put_settings(FILE *out, const struct settings *s, const char *only_section)
{
    for (size_t i = 0; i < s->table->n; i++) {
        const struct key *key = &s->table->keys[i];
        if (strcmp(key->name, "title") == 0 || strcmp(key->section, "slurm") == 0 ||
            (only_section && strcmp(key->section, only_section) != 0))
            continue;
        if (strcmp(key->name, "point_limit") == 0 || strcmp(key->name, "launch_limit") == 0 ||
            strcmp(key->name, "launch_messages") == 0 || strcmp(key->name, "repeats") == 0)
            continue; /* these change how the work is cut, not what is seen */
        fprintf(out, "%s=%s\n", key->name, s->v[i].text);
    }
}

/* Raise it when a sample comes to mean something else: earlier ones are then measured again. */
enum { MEANING_OF_SAMPLES = 1 };

/* The words of a command and what it adds to the environment; who may run as root does not count.
 */
static void put_words(FILE *out, const struct argv *args, const struct argv *env)
{
    for (size_t i = 0; i < args->n; i++)
        fprintf(out, "%s\n", args->v[i]);
    for (size_t i = 0; i < env->n; i++)
        if (!strstr(env->v[i], "_AS_ROOT"))
            fprintf(out, "%s\n", env->v[i]);
}

/* Libraries of ours that may be preloaded; their paths are of this place. */
static void put_preloaded(FILE *out, const struct launcher *launcher)
{
    const char *const names[] = { launcher->preloaded, launcher->preloaded_emulated };
    for (int i = 0; i < 2; i++)
        fprintf(out, "%s\n", names[i] ? names[i] : "");
}

/* How a library is started, with nothing in it that is of this place: placeholders for paths. All
 * mappings, with cores for all ranks and without. */
static void put_command(FILE *out, const struct library *library, const char *version,
                        const struct backend *backend, const struct cluster *cluster)
{
    static const char *const mappings[] = { "core", "socket", "node" };
    struct launch launch = { .nodes = 1, .ppn = 1, .procs = 1 };
    struct job job = { .launch = &launch,
                       .cluster = cluster,
                       .program = "PROGRAM",
                       .platform = "PLATFORM",
                       .hostfile = "HOSTFILE",
                       .build = "BUILD",
                       .launcher =
                           library_launcher(library, version, backend->queued, cluster, NULL) };
    if (!job.launcher)
        return; /* it cannot be started: nothing is measured */
    put_preloaded(out, job.launcher);
    for (int i = 0; i < 6; i++) {
        struct argv args = { 0 }, env = { 0 };
        job.crowded = i >= 3;
        snprintf(launch.mapping, sizeof launch.mapping, "%s", mappings[i % 3]);
        if (library->command(&job, &args, &env) == 0)
            put_words(out, &args, &env);
        argv_free(&args);
        argv_free(&env);
    }
}

static void find_digest(const struct cluster *c, const struct study *s, const struct backend *b,
                        struct provenance *p)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (out) {
        put_settings(out, &c->settings, NULL);
        put_settings(out, &s->settings, "measure");
        fprintf(out, "%d %d %d %s\n", c->sockets, c->cores, c->threads, backend_label(b, c));
        fprintf(out, "%d\n", MEANING_OF_SAMPLES);
        for (size_t i = 0; i < p->n_mpi; i++) {
            fprintf(out, "%s %s\n", p->mpi[i].library->name, p->mpi[i].version);
            put_command(out, p->mpi[i].library, p->mpi[i].version, b, c);
        }
        fclose(out);
    }
    uint64_t h = fs_digest(text ? text : "", len);
    snprintf(p->digest, sizeof p->digest, "%08x", (unsigned)(h ^ h >> 32));
    free(text);
}

void provenance_collect(const struct cluster *cluster, const struct study *study,
                        const struct backend *backend, const struct plan *plan, const char *build,
                        struct provenance *p)
{
    *p = (struct provenance){ .compiler = COMPILER };
    find_commit(build, p->commit, sizeof p->commit);
    find_system(p);
    find_mpis(plan, p);
    find_digest(cluster, study, backend, p);
}

/* ---- the manifest ---- */

static json_t *settings_json(const struct settings *s)
{
    json_t *all = json_object();
    for (size_t i = 0; i < s->table->n; i++) {
        const struct key *key = &s->table->keys[i];
        json_t *section = json_object_get(all, key->section);
        if (!section) {
            section = json_object();
            json_object_set_new(all, key->section, section);
        }
        json_t *value =
            json_pack("{s:s, s:b}", "value", s->v[i].text, "default", s->v[i].line == 0);
        if (s->v[i].note)
            json_object_set_new(value, "source", json_string(s->v[i].note));
        json_object_set_new(section, key->name, value);
    }
    return all;
}

static json_t *file_json(const char *path, const struct settings *settings)
{
    char digest[24] = "unknown";
    size_t len;
    char *text = fs_read(path, &len, NULL);
    if (text)
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)fs_digest(text, len));
    free(text);
    return json_pack("{s:s, s:s, s:o}", "file", path, "digest", digest, "settings",
                     settings_json(settings));
}

/* The cluster file, with what "auto" came to. */
static json_t *cluster_json(const struct cluster *c)
{
    json_t *o = file_json(c->path, &c->settings);
    json_object_set_new(o, "resolved",
                        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "nodes", c->nodes,
                                  "sockets", c->sockets, "cores", c->cores, "cache_cores",
                                  c->cache_cores, "memory_cores", c->memory_cores, "threads",
                                  c->threads, "node_cores", cluster_node_cores(c)));
    return o;
}

static json_t *mpi_json(const struct provenance *p)
{
    json_t *all = json_object();
    for (size_t i = 0; i < p->n_mpi; i++) {
        const struct library *l = p->mpi[i].library;
        char launcher[512] = "none";
        if (l->launcher && !run_find(l->launcher, launcher, sizeof launcher))
            snprintf(launcher, sizeof launcher, "unknown");
        json_object_set_new(
            all, l->name,
            json_pack("{s:s, s:s}", "version", p->mpi[i].version, "launcher", launcher));
    }
    return all;
}

/* The runs of the manifest that is there, or none. */
static json_t *earlier_runs(const char *path)
{
    json_t *old = fs_exists(path) ? json_load_file(path, 0, NULL) : NULL;
    json_t *runs = json_incref(json_object_get(old, "runs"));
    json_decref(old);
    return json_is_array(runs) ? runs : (json_decref(runs), json_array());
}

static void add_run(json_t *runs, const struct run_record *run, const char *digest)
{
    size_t n = json_array_size(runs);
    const char *last =
        n ? json_string_value(json_object_get(json_array_get(runs, n - 1), "started")) : NULL;
    if (last && strcmp(last, run->started) == 0)
        json_array_remove(runs, n - 1);
    json_array_append_new(runs, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "started", run->started,
                                          "ended", run->ended, "status", run->status, "command",
                                          run->command, "launch_command", run->example, "digest",
                                          digest));
}

void provenance_describe(const char *build, char *buf, size_t size)
{
    char commit[64];
    find_commit(build, commit, sizeof commit);
    snprintf(buf, size, "collsel, commit %s, %s, results of format %d", commit, COMPILER,
             MANIFEST_FORMAT);
}

int manifest_known(const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    json_t *o = NULL;
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (fs_exists(path))
        o = json_load_file(path, 0, NULL); /* what cannot be read, its readers complain of */
    json_int_t format = json_integer_value(json_object_get(o, "format"));
    json_decref(o);
    if (format > MANIFEST_FORMAT)
        return err_set(err,
                       "%s: format %lld: a later collsel wrote this folder; this one knows formats "
                       "up to %d",
                       path, (long long)format, MANIFEST_FORMAT);
    return 0;
}

int manifest_write(const char *dir, const struct cluster *cluster, const struct study *study,
                   const struct backend *backend, const char *why, const struct plan *plan,
                   const struct provenance *p, const struct run_record *run, struct err *err)
{
    char path[PATH_SIZE];
    if (manifest_known(dir, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    json_t *runs = earlier_runs(path);
    add_run(runs, run, p->digest);
    json_t *o = json_pack(
        "{s:i, s:s, s:o, s:o, s:{s:s, s:s}, s:I, s:{s:I, s:I, s:I}, s:{s:s, s:s}, s:o, s:{s:s, "
        "s:s, s:s}, s:o}",
        "format", MANIFEST_FORMAT, "digest", p->digest, "cluster", cluster_json(cluster), "study",
        file_json(study->path, &study->settings), "backend", "name",
        backend_label(backend, cluster), "why", why, "seed", (json_int_t)study->seed, "plan",
        "points", (json_int_t)plan->n, "launches", (json_int_t)plan->n_launches, "skipped",
        (json_int_t)plan->n_skipped, "tool", "commit", p->commit, "compiler", p->compiler, "mpi",
        mpi_json(p), "machine", "kernel", p->kernel, "cpu", p->cpu, "host", p->host, "runs", runs);
    char *text = o ? json_dumps(o, JSON_INDENT(1)) : NULL;
    json_decref(o);
    int status = text ? fs_write(path, text, err) : err_set(err, "cannot put '%s' together", path);
    free(text);
    return status;
}

/* ---- the manifest of what others measured ---- */

static json_t *source_json(const struct manifest_source *s)
{
    char digest[24];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)s->digest);
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "file", s->path, "format",
                     s->format, "digest", digest, "bytes", (json_int_t)s->bytes, "lines",
                     (json_int_t)s->lines, "taken", (json_int_t)s->taken, "repeated",
                     (json_int_t)s->repeated, "set_aside", (json_int_t)s->set_aside);
}

/* The sources and what was made of them; *digest of all of them together. */
static json_t *sources_json(const struct manifest_import *import, char digest[16])
{
    uint64_t h = 0;
    json_t *all = json_array();
    for (size_t i = 0; i < import->n_sources; i++) {
        const uint64_t both[2] = { h, import->sources[i].digest };
        h = fs_digest(both, sizeof both);
        json_array_append_new(all, source_json(&import->sources[i]));
    }
    snprintf(digest, 16, "%08x", (unsigned)(h ^ h >> 32));
    return all;
}

static json_t *versions_json(const struct manifest_import *import)
{
    json_t *all = json_object();
    for (size_t i = 0; i < import->n_mpis; i++)
        json_object_set_new(
            all, import->mpi[i].name,
            json_pack("{s:s, s:s}", "version", import->mpi[i].version, "launcher", "unknown"));
    return all;
}

int manifest_write_imported(const char *dir, const struct cluster *cluster,
                            const struct manifest_import *import, const char *build,
                            const struct run_record *run, struct err *err)
{
    char path[PATH_SIZE], commit[64], digest[16];
    if (manifest_known(dir, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    find_commit(build, commit, sizeof commit);
    json_t *sources = sources_json(import, digest);
    json_t *runs = earlier_runs(path);
    add_run(runs, run, digest);
    json_t *o = json_pack(
        "{s:i, s:s, s:o, s:{s:s, s:s}, s:{s:s, s:s}, s:o, s:{s:s, s:s, s:s, s:o}, s:o}", "format",
        MANIFEST_FORMAT, "digest", digest, "cluster", cluster_json(cluster), "backend", "name",
        "imported", "why", "measured by others", "tool", "commit", commit, "compiler", COMPILER,
        "mpi", versions_json(import), "import", "dataset", import->dataset, "format",
        import->format, "command", run->command, "sources", sources, "runs", runs);
    char *text = o ? json_dumps(o, JSON_INDENT(1)) : NULL;
    json_decref(o);
    int status = text ? fs_write(path, text, err) : err_set(err, "cannot put '%s' together", path);
    free(text);
    return status;
}

int manifest_close(const char *dir, const char *status, struct err *err)
{
    char path[PATH_SIZE], now[32];
    json_error_t why;
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    json_t *o = json_load_file(path, 0, &why);
    json_t *runs = json_object_get(o, "runs");
    json_t *last = json_array_size(runs) ? json_array_get(runs, json_array_size(runs) - 1) : NULL;
    if (!last) {
        json_decref(o);
        return err_set(err, "%s:%d: %s", path, o ? 1 : why.line, o ? "no runs" : why.text);
    }
    const char *before = json_string_value(json_object_get(last, "status"));
    if (before && strcmp(before, status) == 0) {
        json_decref(o);
        return 0;
    }
    json_object_set_new(last, "status", json_string(status));
    json_object_set_new(last, "ended", json_string(utc_now(now, sizeof now)));
    char *text = json_dumps(o, JSON_INDENT(1));
    json_decref(o);
    int result = text ? fs_write(path, text, err) : err_set(err, "out of memory");
    free(text);
    return result;
}

void manifest_backend(const char *dir, char *buf, size_t size)
{
    char path[PATH_SIZE];
    json_t *o = NULL;
    if (fs_path(path, sizeof path, NULL, "%s/manifest.json", dir) == 0 && fs_exists(path))
        o = json_load_file(path, 0, NULL);
    const char *name = json_string_value(json_object_get(json_object_get(o, "backend"), "name"));
    snprintf(buf, size, "%s", name ? name : "");
    json_decref(o);
}

int manifest_digest(const char *dir, char digest[16], struct err *err)
{
    char path[PATH_SIZE];
    json_error_t why;
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (nothing was measured yet)", path);
    json_t *o = json_load_file(path, 0, &why);
    const char *text = json_string_value(json_object_get(o, "digest"));
    int fine = text && strlen(text) == 8;
    if (fine)
        snprintf(digest, 16, "%s", text);
    else
        err_set(err, "%s:%d: %s", path, o ? 1 : why.line,
                o ? "no digest of 8 hex digits" : why.text);
    json_decref(o);
    return fine ? 0 : -1;
}
