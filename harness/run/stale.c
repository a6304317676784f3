/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/stale.h"

#include "harness/base/json_print.h"
#include "harness/run/features.h"
#include "harness/run/provenance_lookup.h"
#include "harness/run/runnable.h"

/* ---- rows ---- */

/* What stood in a file goes to a terminal. */
static char *plain(const char *text)
{
    return text_disarm(memory_text(text));
}

static void add(struct stale *s, const char *part, const char *what, const char *was,
                const char *is, int matters, const char *why)
{
    *(struct stale_change *)array_add(&s->row, &s->n) =
        (struct stale_change){ part, plain(what), plain(was), plain(is), matters, why };
    s->matters += matters;
}

/* The same where the two differ, and was is known. */
static void compare(struct stale *s, const char *part, const char *what, const char *was,
                    const char *is, int matters, const char *why)
{
    if (was && strcmp(was, is) != 0)
        add(s, part, what, was, is, matters, why);
}

void stale_clear(struct stale *s)
{
    for (size_t i = 0; i < s->n; i++)
        memory_free(s->row[i].what, s->row[i].was, s->row[i].is);
    free(s->row);
    *s = (struct stale){ .n = 0 };
}

/* ---- the manifest ---- */

static int read_manifest(const char *dir, json_t **o, struct err *err)
{
    char path[PATH_SIZE];
    if (manifest_known(dir, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0 ||
        json_file_read(path, o, err) < 0)
        return -1;
    return *o ? 0 : err_set(err, "'%s' does not exist: nothing was measured there", path);
}

static const char *text_of(const json_t *o, const char *a, const char *b)
{
    const json_t *at = json_object_get(o, a);
    return json_string_value(b ? json_object_get(at, b) : at);
}

/* The last run that launched something; where none says so (an import, jobs that were submitted)
 * the last. */
static const json_t *last_measuring(const json_t *runs)
{
    const size_t n = json_array_size(runs);
    for (size_t i = n; i-- > 0;) {
        const json_t *run = json_array_get(runs, i);
        const char *launch = text_of(run, "launch_command", NULL);
        if (launch && *launch)
            return run;
    }
    return json_array_get(runs, n ? n - 1 : 0);
}

static void read_when(const json_t *o, struct stale *s)
{
    const json_t *runs = json_object_get(o, "runs");
    const json_t *last = last_measuring(runs);
    const char *digest = text_of(o, "digest", NULL), *ended = text_of(last, "ended", NULL);
    if (!ended || !*ended)
        ended = text_of(last, "started", NULL);
    snprintf(s->measured, sizeof s->measured, "%s", ended ? ended : "");
    snprintf(s->digest, sizeof s->digest, "%s", digest ? digest : "");
    text_disarm(s->measured);
    text_disarm(s->digest);
}

/* ---- files ---- */

/* Each key: what the manifest has, and what the file says now. counts: sections whose keys are part
 * of the digest; NULL: all. */
static void compare_settings(struct stale *s, const char *part, const json_t *was,
                             const struct settings *is, const char *counts, const char *why)
{
    char what[128];
    for (size_t i = 0; i < is->table->n; i++) {
        const struct key *key = &is->table->keys[i];
        const char *text = text_of(json_object_get(was, key->section), key->name, "value");
        if (!text)
            text = key->fallback; /* the manifest is older than the key */
        snprintf(what, sizeof what, "[%s] %s", key->section, key->name);
        const int matters = provenance_counts(key, counts);
        compare(s, part, what, text, is->v[i].text, matters, matters ? "" : why);
    }
}

static int is_stem(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *stem = slash ? slash + 1 : path;
    const size_t n = strlen(name);
    return strncmp(stem, name, n) == 0 && strcmp(stem + n, ".ini") == 0;
}

/* A study without a file of its own (study.h, unwritten) goes by its name. */
int stale_files(const char *dir, char cluster[PATH_SIZE], char study[PATH_SIZE], struct err *err)
{
    json_t *o = NULL;
    if (read_manifest(dir, &o, err) < 0)
        return -1;
    const char *c = text_of(o, "cluster", "file"), *s = text_of(o, "study", "file");
    const json_t *settings = json_object_get(json_object_get(o, "study"), "settings");
    const char *name = text_of(json_object_get(settings, "study"), "name", "value");
    int status = c && s;
    if (status && (fs_path(cluster, PATH_SIZE, err, "%s", c) < 0 ||
                   fs_path(study, PATH_SIZE, err, "%s", name && !is_stem(s, name) ? name : s) < 0))
        status = -1;
    json_decref(o);
    return status;
}

/* ---- libraries, and where they run ---- */

static void compare_libraries(struct stale *s, const struct sweep_request *r, const json_t *was)
{
    const char *name;
    json_t *entry;
    json_object_foreach(json_object_get((json_t *)was, "mpi"), name, entry)
    {
        char version[VERSION_SIZE] = "not here";
        if (library_of(r->cluster, name))
            library_version(r->cluster, name, r->build, version, sizeof version);
        compare(s, "library", name, text_of(entry, "version", NULL), version, 1, "");
    }
}

/* What a cluster file says of the hardware, and what is seen of this machine. */
static void compare_hardware(struct stale *s, const json_t *was)
{
    static const char *const keys[] = { "adapter", "link_speed", "link_lanes", "pcie_version",
                                        "pcie_lanes" };
    struct features now;
    const json_t *said =
        json_object_get(json_object_get(json_object_get(was, "cluster"), "settings"), "features");
    if (features_find("", -1, &now, NULL) < 0)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (size_t k = 0; k < now.n; k++) {
            const char *text = text_of(said, keys[i], "value");
            if (strcmp(now.row[k].key, keys[i]) == 0 && *now.row[k].value && text &&
                strcmp(text, "unknown") != 0)
                compare(s, "fabric", keys[i], text, now.row[k].value, 1, "");
        }
}

static void compare_machine(struct stale *s, const struct sweep_request *r, const json_t *was,
                            const struct provenance *p)
{
    const char *kernel = text_of(was, "machine", "kernel"), *cpu = text_of(was, "machine", "cpu"),
               *host = text_of(was, "machine", "host");
    const int matters = !r->backend->deterministic;
    static const char *const computed = "times of a simulation do not depend on it";
    s->elsewhere = r->backend->queued;
    if (s->elsewhere)
        return;
    compare(s, "kernel", "release", kernel, p->kernel, matters, matters ? "" : computed);
    compare(s, "processor", "model", cpu, p->cpu, matters, matters ? "" : computed);
    compare(s, "kernel", "host", host, p->host, 0, "a name alone changes no times");
    if (matters)
        compare_hardware(s, was);
}

static int compare_environment(struct stale *s, const struct sweep_request *r,
                               const struct provenance *p, struct err *err)
{
    struct environment_record_before before;
    const int there = environment_record_before(r->dir, &before, err);
    const char *mode = environment_record_mode(&p->environment);
    if (there > 0)
        compare(s, "environment", "mode", before.mode, mode, 1, "");
    char *differ = there > 0 && !p->environment.differ
                       ? environment_record_differ(&before.lines, &p->environment.lines)
                       : NULL;
    const char *said = p->environment.differ ? p->environment.differ : differ;
    if (said)
        add(s, "environment", said, "", "", 1, "");
    if (p->environment.refused)
        add(s, "environment", p->environment.refused, "", "", 1, "");
    free(differ);
    environment_record_before_free(&before);
    return there < 0 ? -1 : 0;
}

/* What would be looked up if something were measured now. */
static int look(const struct sweep_request *r, const json_t *was, struct stale *s, struct err *err)
{
    struct plan plan;
    struct provenance p;
    if (runnable_plan(r->cluster, r->study, r->backend, r->build, NULL, &plan, err) < 0)
        return -1;
    int status = provenance_collect(
        r, &plan, r->backend->queued ? PROVENANCE_SUBMIT : PROVENANCE_HERE, &p, err);
    if (status == 0) {
        compare_machine(s, r, was, &p);
        status = compare_environment(s, r, &p, err);
    }
    if (status == 0)
        compare(s, "digest", "of all that samples share", s->digest, p.digest, 1,
                s->matters ? "follows from the above"
                           : "how launches are started, or what this program means by a sample");
    provenance_free(&p);
    plan_free(&plan);
    return status;
}

int stale_of_study(const struct sweep_request *r, struct stale *out, struct err *err)
{
    json_t *o = NULL;
    *out = (struct stale){ .n = 0 };
    if (read_manifest(r->dir, &o, err) < 0)
        return -1;
    read_when(o, out);
    compare_libraries(out, r, o);
    compare_settings(out, "cluster file",
                     json_object_get(json_object_get(o, "cluster"), "settings"),
                     &r->cluster->settings, NULL, "it changes no times");
    compare_settings(out, "study file", json_object_get(json_object_get(o, "study"), "settings"),
                     &r->study->settings, "measure",
                     "what was measured stays; the sweep adds what is missing");
    const int status = look(r, o, out, err);
    json_decref(o);
    if (status < 0)
        stale_clear(out);
    return status;
}

int stale_of_dataset(const char *dir, struct stale *out, struct err *err)
{
    json_t *o = NULL;
    *out = (struct stale){ .n = 0 };
    if (read_manifest(dir, &o, err) < 0)
        return -1;
    read_when(o, out);
    json_decref(o);
    return 0;
}

/* ---- the head of a file of rules ---- */

/* What stands between two texts on one line; "" where they do not. */
static void take_between(const char *line, const char *from, const char *ends, char *buf,
                         size_t size)
{
    const char *at = strstr(line, from);
    buf[0] = '\0';
    if (!at)
        return;
    at += strlen(from);
    snprintf(buf, size, "%.*s", (int)strcspn(at, ends), at);
}

/* The line "from DIR: times of CLUSTER, manifest DIGEST, ...", whatever stands before and behind
 * it. */
static int read_line(char *text, struct stale_head *head)
{
    char *times = strstr(text, ": times of ");
    if (!times)
        return -1;
    times[strcspn(times, "\"\n")] = '\0';
    char *line = times;
    while (line > text && line[-1] != '\n' && line[-1] != '"')
        line--;
    char *from = strstr(line, "from ");
    if (!from || from > times)
        return -1;
    snprintf(head->from, sizeof head->from, "%.*s", (int)(times - from - 5), from + 5);
    take_between(times, ", manifest ", ",", head->digest, sizeof head->digest);
    take_between(times, ", library version ", ",", head->version, sizeof head->version);
    return 0;
}

/* No file of rules comes near it; a device has no end. */
enum { RULES_MOST_MIB = 64 };

int stale_head_read(const char *path, struct stale_head *head, struct err *err)
{
    *head = (struct stale_head){ .from = "" };
    char *text = fs_read_within(path, (size_t)RULES_MOST_MIB << 20, NULL, err);
    if (!text)
        return -1;
    const int found = read_line(text, head);
    free(text);
    if (found < 0)
        return err_set(err,
                       "%s:1: its head does not say what it was made of (want a file of `collsel "
                       "rules write` or `collsel rules verify`)",
                       path);
    return *head->digest ? 0
                         : err_set(err,
                                   "%s: it was made of '%s', which is no study and no data set: "
                                   "nothing that was measured can have changed",
                                   path, head->from);
}

void stale_add_head(const struct stale_head *head, struct stale *s)
{
    compare(s, "results", head->from, head->digest, s->digest, 1,
            "measured or imported anew since the file was made: export it again");
}
