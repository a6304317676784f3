/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/manifest.h"

#include <unistd.h>

#include "harness/base/json_print.h"
#include "harness/base/subprocess.h"
#include "harness/study/journal.h"
#include "harness/study/machine_features.h"

#if defined __clang__
const char *const manifest_compiler = "clang " __clang_version__;
#else
const char *const manifest_compiler = "gcc " __VERSION__;
#endif

/* Of the files of a results folder; grows when an older program would misread them. */
enum { MANIFEST_FORMAT = 1 };

void manifest_commit(const char *build, char *buf, size_t size)
{
    char path[PATH_SIZE];
    char *text = fs_path(path, sizeof path, NULL, "%s/commit", build) == 0
                     ? fs_read(path, NULL, NULL)
                     : NULL;
    if (text)
        text[strcspn(text, "\r\n")] = '\0';
    snprintf(buf, size, "%.60s", text && *text ? text : "unknown");
    free(text);
}

const char *provenance_version(const struct provenance *p, const char *mpi)
{
    for (size_t i = 0; i < p->n_mpi; i++)
        if (strcmp(p->mpi[i].name, mpi) == 0)
            return p->mpi[i].version;
    return "unknown";
}

/* ---- parts of it ---- */

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

/* What is known of the machine for learners. */
static json_t *machine_json(const struct cluster *c)
{
    double machine[N_MACHINE];
    json_t *o = json_object();
    machine_of_cluster(c, machine);
    for (size_t i = 0; i < N_MACHINE; i++)
        if (machine[i] > 0)
            json_object_set_new(o, machine_names[i], json_real(machine[i]));
    return o;
}

/* The cluster file, with what "auto" came to. */
static json_t *cluster_json(const struct cluster *c)
{
    json_t *o = file_json(c->path, &c->settings);
    json_object_set_new(o, "resolved",
                        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:i}", "nodes",
                                  c->nodes, "sockets", c->sockets, "cores", c->cores, "cache_cores",
                                  c->cache_cores, "memory_cores", c->memory_cores, "threads",
                                  c->threads, "node_cores", cluster_node_cores(c), "here",
                                  cluster_is_here(c), "shared_cores",
                                  c->emulated ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 0));
    json_object_set_new(o, "machine", machine_json(c));
    return o;
}

static json_t *mpi_json(const struct provenance *p)
{
    json_t *all = json_object();
    for (size_t i = 0; i < p->n_mpi; i++) {
        const char *name = p->mpi[i].launcher;
        char launcher[MPI_PATH] = "none";
        if (strchr(name, '/'))
            snprintf(launcher, sizeof launcher, "%s", name);
        else if (*name && !run_find(name, launcher, sizeof launcher))
            snprintf(launcher, sizeof launcher, "unknown");
        json_t *mpi = json_pack("{s:s, s:s}", "version", p->mpi[i].version, "launcher", launcher);
        if (*p->mpi[i].says)
            json_object_set_new(mpi, "library", json_string(p->mpi[i].says));
        json_object_set_new(all, p->mpi[i].name, mpi);
    }
    return all;
}

/* The runs of the manifest that is there, or none; NULL with *err when it cannot be read. */
static json_t *earlier_runs(const char *path, struct err *err)
{
    char *text = fs_exists(path) ? fs_read(path, NULL, err) : memory_text("");
    if (!text)
        return NULL;
    json_t *old = json_loads(text, 0, NULL);
    free(text);
    json_t *runs = json_incref(json_object_get(old, "runs"));
    json_decref(old);
    return json_is_array(runs) ? runs : (json_decref(runs), json_array());
}

/* Is a run of the manifest the one that began to be written there? Not one that has ended, even if
 * it began in the same second, by this clock or one that was set back. */
static int is_begun(const json_t *was, const struct run_record *run)
{
    const char *started = json_string_value(json_object_get(was, "started"));
    const char *status = json_string_value(json_object_get(was, "status"));
    return started && status && strcmp(started, run->started) == 0 &&
           strcmp(status, "running") == 0;
}

static void add_run(json_t *runs, const struct run_record *run, const char *digest)
{
    const size_t n = json_array_size(runs);
    if (n && is_begun(json_array_get(runs, n - 1), run))
        json_array_remove(runs, n - 1);
    json_array_append_new(runs, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "started", run->started,
                                          "ended", run->ended, "status", run->status, "command",
                                          run->command, "launch_command", run->example, "digest",
                                          digest));
}

void manifest_describe(const char *build, char *buf, size_t size)
{
    char commit[64];
    manifest_commit(build, commit, sizeof commit);
    snprintf(buf, size, "collsel, commit %s, %s, results of format %d", commit, manifest_compiler,
             MANIFEST_FORMAT);
}

/* The text at "a/b/c"; NULL: there is none. */
static const char *text_at(const json_t *o, const char *path)
{
    char key[64];
    while (o && *path) {
        const size_t len = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)len, path);
        o = json_object_get(o, key);
        path += len + (path[len] == '/');
    }
    return json_string_value(o);
}

static int not_a_name(const char *path, const char *at, const char *text, struct err *err)
{
    err_set(err, "%s: '%.60s' is not a name (%s)", at, text, TEXT_WANT_NAME);
    return json_file_fail(path, err);
}

/* Names go into scripts, pages and paths, and others may have written them. */
static int check_names(const json_t *o, const char *path, struct err *err)
{
    char at[128];
    static const char *const names[] = { "cluster/settings/cluster/name/value",
                                         "study/settings/study/name/value", "import/dataset",
                                         "backend/name", "digest" };
    const char *mpi;
    json_t *all = json_object_get(o, "mpi"), *entry;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = text_at(o, names[i]);
        if (text && !text_is_name(text))
            return not_a_name(path, names[i], text, err);
    }
    json_object_foreach(all, mpi, entry)
    {
        if (!text_is_name(mpi)) {
            snprintf(at, sizeof at, "mpi/%.100s", mpi);
            return not_a_name(path, at, mpi, err);
        }
    }
    return 0;
}

int manifest_known(const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    json_t *o = NULL;
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (json_file_read(path, &o, err) < 0)
        return -1;
    const json_int_t format = json_integer_value(json_object_get(o, "format"));
    int status = 0;
    if (format > MANIFEST_FORMAT) {
        err_set(err, "format: %lld: a later collsel wrote this folder (want formats up to %d)",
                (long long)format, MANIFEST_FORMAT);
        status = json_file_fail(path, err);
    }
    if (status == 0 && check_names(o, path, err) < 0)
        status = -1;
    json_decref(o);
    return status;
}

/* Writes the object, which ends; NULL: it could not be made. */
static int save(json_t *o, const char *path, struct err *err)
{
    char *text = o ? json_dumps(o, JSON_INDENT(1)) : NULL;
    json_decref(o);
    const int status =
        text ? fs_write(path, text, err) : err_set(err, "cannot put '%s' together", path);
    free(text);
    return status;
}

int manifest_write(const char *dir, const struct cluster *cluster, const struct study *study,
                   const char *backend, const char *why, const struct plan *plan,
                   const struct provenance *p, const struct run_record *run, struct err *err)
{
    char path[PATH_SIZE];
    if (manifest_known(dir, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    json_t *runs = earlier_runs(path, err);
    if (!runs)
        return -1;
    add_run(runs, run, p->digest);
    json_t *o = json_pack(
        "{s:i, s:s, s:o, s:o, s:{s:s, s:s}, s:I, s:{s:I, s:I, s:I}, s:{s:s, s:s}, s:o, s:{s:s, "
        "s:s, s:s}, s:o, s:o}",
        "format", MANIFEST_FORMAT, "digest", p->digest, "cluster", cluster_json(cluster), "study",
        file_json(study->path, &study->settings), "backend", "name", backend, "why", why, "seed",
        (json_int_t)study->seed, "plan", "points", (json_int_t)plan->n, "launches",
        (json_int_t)plan->n_launches, "skipped", (json_int_t)plan->n_skipped, "tool", "commit",
        p->commit, "compiler", p->compiler, "mpi", mpi_json(p), "machine", "kernel", p->kernel,
        "cpu", p->cpu, "host", p->host, "environment", environment_record_json(&p->environment),
        "runs", runs);
    return save(o, path, err);
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
    manifest_commit(build, commit, sizeof commit);
    json_t *sources = sources_json(import, digest);
    json_t *runs = earlier_runs(path, err);
    if (!runs)
        return -1;
    add_run(runs, run, digest);
    json_t *o = json_pack(
        "{s:i, s:s, s:o, s:{s:s, s:s}, s:{s:s, s:s}, s:o, s:{s:s, s:s, s:s, s:o, s:s*}, s:o}",
        "format", MANIFEST_FORMAT, "digest", digest, "cluster", cluster_json(cluster), "backend",
        "name", "imported", "why", "measured by others", "tool", "commit", commit, "compiler",
        manifest_compiler, "mpi", versions_json(import), "import", "dataset", import->dataset,
        "format", import->format, "command", run->command, "sources", sources, "holdout",
        import->holdout, "runs", runs);
    return save(o, path, err);
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
    return save(o, path, err);
}

/* The manifest of a directory; NULL: it has none. */
static int load(const char *dir, json_t **o, struct err *err)
{
    char path[PATH_SIZE];
    *o = NULL;
    return fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0
               ? -1
               : json_file_read(path, o, err);
}

int manifest_say_version(const char *dir, const char *mpi, const char *version, struct err *err)
{
    char path[PATH_SIZE];
    json_t *o;
    if (load(dir, &o, err) < 0 || fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    json_t *of = json_object_get(json_object_get(o, "mpi"), mpi);
    if (!of) {
        json_decref(o);
        return err_set(err, "%s: mpi: names no '%.60s'", path, mpi);
    }
    json_object_set_new(of, "version", json_string(version));
    return save(o, path, err);
}

int manifest_backend(const char *dir, char *buf, size_t size, struct err *err)
{
    json_t *o;
    const int status = load(dir, &o, err);
    const char *name = json_string_value(json_object_get(json_object_get(o, "backend"), "name"));
    snprintf(buf, size, "%s", name ? name : "");
    json_decref(o);
    return status;
}

int manifest_cluster(const char *dir, char *buf, size_t size, struct err *err)
{
    json_t *o;
    if (load(dir, &o, err) < 0)
        return -1;
    const char *name = text_at(o, "cluster/settings/cluster/name/value");
    snprintf(buf, size, "%s", name ? name : "");
    text_disarm(buf);
    json_decref(o);
    return 0;
}

int manifest_check_dataset(const char *dir, const char *cluster, const char *dataset,
                           struct err *err)
{
    json_t *o;
    if (load(dir, &o, err) < 0)
        return -1;
    const char *name = text_at(o, "import/dataset");
    const char *of = text_at(o, "cluster/settings/cluster/name/value");
    const int same =
        (!name || strcmp(name, dataset) == 0) && (!name || !of || strcmp(of, cluster) == 0);
    if (!same) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/manifest.json", dir);
        err_set(err,
                "import/dataset: says that this is data set '%.60s' of cluster '%.60s', but it "
                "stands as '%.60s' "
                "of '%.60s' (want the names that it was imported with, or --dataset with its path)",
                name, of ? of : cluster, dataset, cluster);
        json_file_fail(path, err);
    }
    json_decref(o);
    return same ? 0 : -1;
}

int manifest_measure(const char *dir, struct study *study, struct err *err)
{
    json_t *o;
    if (load(dir, &o, err) < 0)
        return -1;
    const json_t *settings = json_object_get(json_object_get(o, "study"), "settings");
    for (size_t i = 0; i < study_keys.n; i++) {
        const struct key *key = &study_keys.keys[i];
        if (strcmp(key->section, "measure") != 0 && strcmp(key->section, "compare") != 0)
            continue;
        const char *text = json_string_value(json_object_get(
            json_object_get(json_object_get(settings, key->section), key->name), "value"));
        void *to = (char *)study + key->offset;
        if (!text || key_parse(key, text, to, NULL) < 0)
            key_parse(key, key->fallback, to, NULL);
    }
    json_decref(o);
    return 0;
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
