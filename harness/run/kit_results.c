/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/kit_results.h"

#include <dirent.h>
#include <unistd.h>

#include "harness/base/id_set.h"
#include "harness/base/subprocess.h"
#include "harness/run/lock.h"
#include "harness/study/journal.h"
#include "harness/study/manifest.h"
#include "harness/study/store.h"

/* Of one file, and of an archive. A study of a million points has a tenth of that. */
static const double most_file = 2147483648.0, most_all = 17179869184.0;

/* Where files of a kit go, by the directory below results/. */
static const char *const kinds[] = { "samples", "launches", "events", "ranks" };

enum {
    N_KINDS = sizeof kinds / sizeof *kinds,
    MOST_FILES = 200000,
    MOST_LIST = 64 << 20, /* bytes of tar's list of so many */
    SECONDS_TO_READ = 3600
};

struct bringing {
    const char *archive, *dir;
    char root[PATH_SIZE], place[PATH_SIZE]; /* the temporary directory below dir, and its results */
    FILE *wanted;                           /* the names that are unpacked */
    char digest[16];
    struct plan plan;
    struct kit_results_result *result;
    struct err *err;
};

/* ---- kit.conf ---- */

static void take_line(const char *line, struct kit_results_conf *conf)
{
    const struct {
        const char *key;
        char *to;
        size_t size;
    } rows[] = { { "cluster=", conf->cluster, sizeof conf->cluster },
                 { "study=", conf->study, sizeof conf->study },
                 { "digest=", conf->digest, sizeof conf->digest } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(line, rows[i].key, strlen(rows[i].key)) == 0)
            snprintf(rows[i].to, rows[i].size, "%.*s",
                     (int)strcspn(line + strlen(rows[i].key), "\n"), line + strlen(rows[i].key));
}

static int parse_conf(char *text, const char *archive, struct kit_results_conf *conf,
                      struct err *err)
{
    char *line;
    *conf = (struct kit_results_conf){ .cluster = "" };
    while ((line = strsep(&text, "\n")))
        take_line(line, conf);
    if (text_is_name(conf->cluster) && text_is_name(conf->study) && text_is_name(conf->digest))
        return 0;
    return err_set(err, "%s: kit.conf does not name cluster, study and digest", archive);
}

/* ---- the archive: what tar lists is judged before anything is unpacked ---- */

/* In a shell, of the file $0. busybox's tar reads no gzip by itself, and no list in a file. */
#define UNZIPPED "gzip -dcf <\"$0\" | "

static int refuse(const char *archive, const char *name, const char *why, struct err *err)
{
    return err_set(err, "%s: refused: '%.100s' %s", archive, name, why);
}

static int goes_up(const char *name)
{
    for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2]))
            return 1;
    return 0;
}

/* "-rw-r--r-- 0/0 12 2026-11-30 03:00 NAME" (GNU, busybox) or "-rw-r--r-- 0 0 0 12 Nov 30 03:00
 * NAME" (bsdtar): 1 with the name and the bytes added, 0 of a directory, -1 where it is refused. */
static int read_member(const char *line, const char *archive, const char **name, double *bytes,
                       struct err *err)
{
    double size = 0;
    int at = 0;
    if (*line != '-' && *line != 'd')
        return refuse(archive, line, "is a link or a device (want files)", err);
    if ((sscanf(line, "%*s %*[^/ ]/%*s %lf %*s %*s %n", &size, &at) < 1 &&
         sscanf(line, "%*s %*d %*d %*d %lf %*s %*s %*s %n", &size, &at) < 1) ||
        !at)
        return err_set(err, "%s: tar lists '%.100s', which is no file", archive, line);
    *name = line + at;
    if (**name == '/' || goes_up(*name))
        return refuse(archive, *name, "leads out of the directory", err);
    *bytes += size;
    return size > most_file || *bytes > most_all
               ? refuse(archive, *name, "is too large: more than was ever measured in one study",
                        err)
               : *line == '-';
}

/* Calls take for each file; b NULL: the list is judged alone. */
static int each_member(const char *archive, int (*take)(const char *name, struct bringing *b),
                       struct bringing *b, struct err *err)
{
    const char *const args[] = { "sh", "-c", UNZIPPED "LC_ALL=C tar --numeric-owner -tvf -",
                                 archive, NULL };
    char *const text = memory_zeros(MOST_LIST, 1), *rest = text, *line;
    const char *name = "";
    double bytes = 0;
    int status = 0, files = 0;
    const int tar = run_capture_for(args, SECONDS_TO_READ, text, MOST_LIST);
    const int whole = strlen(text) + 1 < MOST_LIST;
    while (status >= 0 && (line = strsep(&rest, "\n"))) {
        if (!*line || strncmp(line, "tar: ", 5) == 0 || strncmp(line, "gzip: ", 6) == 0)
            continue;
        status = read_member(line, archive, &name, &bytes, err);
        files += status > 0;
        if (status > 0 && b && take(name, b) < 0)
            status = err_prefix(err, "%s: refused", archive);
    }
    free(text);
    if (status < 0)
        return -1;
    if (tar != 0)
        return err_set(err, "%s: is no tar archive, or is cut short", archive);
    return whole && files <= MOST_FILES ? 0 : err_set(err, "%s: has too many files", archive);
}

int kit_results_look(const char *archive, struct kit_results_conf *conf, struct err *err)
{
    char text[4096];
    const char *const args[] = { "sh", "-c", UNZIPPED "tar -xOf - kit.conf", archive, NULL };
    const int there = fs_readable(archive, err);
    if (there == 0)
        return err_set(err, "no archive '%s' (want what `make results` wrote there)", archive);
    if (there < 0 || each_member(archive, NULL, NULL, err) < 0)
        return -1;
    if (run_capture_for(args, SECONDS_TO_READ, text, sizeof text) != 0)
        return err_set(err,
                       "%s: holds no kit.conf: it is no results of a kit (want what `make "
                       "results` writes there)",
                       archive);
    return parse_conf(text, archive, conf, err);
}

/* ---- files ---- */

/* The launch that a file's name begins with, before ".a" or ".jsonl" or ".given_up". */
static const struct launch *launch_of(const struct plan *plan, const char *file)
{
    for (size_t i = 0; i < plan->n_launches; i++) {
        const size_t n = strlen(plan->launches[i].name);
        if (strncmp(file, plan->launches[i].name, n) == 0 && file[n] == '.')
            return &plan->launches[i];
    }
    return NULL;
}

/* Takes a file that a kit writes of one of the plan's launches, and leaves what the batch system
 * said. */
static int want_file(const char *name, struct bringing *b)
{
    static const char results[] = "results/";
    const char *kind = strncmp(name, results, strlen(results)) == 0 ? name + strlen(results) : "",
               *file = strchr(kind, '/');
    const size_t n = file ? (size_t)(file - kind) : 0;
    const size_t k =
        first_below(i, N_KINDS, strlen(kinds[i]) == n && strncmp(kind, kinds[i], n) == 0);
    if (strcmp(name, "kit.conf") != 0) {
        if (k == N_KINDS || strchr(file + 1, '/') || file[1] == '.' ||
            !text_is_plain(file + 1, "-_."))
            return err_set(b->err, "'%.100s' is no file of a kit's results", name);
        if (strcmp(kinds[k], "launches") == 0 && !strstr(file, ".a"))
            return 0;
        if (!launch_of(&b->plan, file + 1))
            return err_set(b->err, "'%.100s' is of a launch that is none of this plan's", name);
    }
    fprintf(b->wanted, "%s\n", name);
    return 0;
}

static int unpack(struct bringing *b)
{
    char path[PATH_SIZE];
    struct whole_file list;
    for (size_t k = 0; k < N_KINDS; k++)
        if (fs_path(path, sizeof path, b->err, "%s/%s", b->place, kinds[k]) < 0 ||
            fs_mkdirs(path, b->err) < 0)
            return -1;
    if (fs_path(path, sizeof path, b->err, "%s/wanted", b->root) < 0 ||
        fs_begin(&list, path, b->err) < 0)
        return -1;
    b->wanted = list.file;
    if (each_member(b->archive, want_file, b, b->err) < 0) {
        fs_abandon(&list);
        return -1;
    }
    static const char script[] =
        "exec xargs sh -c '" UNZIPPED
        "tar --no-same-permissions -xokf - -C \"$@\"' \"$0\" \"$1\" <\"$2\"";
    const char *const args[] = { "sh", "-c", script, b->archive, b->root, path, NULL };
    char said[1024];
    if (fs_commit(&list, b->err) < 0)
        return -1;
    if (run_capture_for(args, SECONDS_TO_READ, said, sizeof said) == 0)
        return 0;
    return err_set(b->err, "%s: tar cannot unpack it: %.300s", b->archive, said);
}

/* ---- is it of this plan ---- */

static int check_conf(struct bringing *b)
{
    struct kit_results_conf conf;
    char path[PATH_SIZE], cluster[64];
    char *text = fs_path(path, sizeof path, b->err, "%s/kit.conf", b->root) < 0
                     ? NULL
                     : fs_read(path, NULL, b->err);
    const int status = text ? parse_conf(text, b->archive, &conf, b->err) : -1;
    free(text);
    if (status < 0 || manifest_digest(b->dir, b->digest, b->err) < 0 ||
        manifest_cluster(b->dir, cluster, sizeof cluster, b->err) < 0)
        return -1;
    if (strcmp(conf.cluster, cluster) == 0 && strcmp(conf.digest, b->digest) == 0)
        return 0;
    return err_set(
        b->err,
        "%s: belongs to another plan: it is of cluster '%s', digest %s, and '%s' of '%s', "
        "digest %s (want the results of the kit that was packed from it last)",
        b->archive, conf.cluster, conf.digest, b->dir, cluster, b->digest);
}

static int check_points(struct bringing *b, const struct store *store)
{
    struct id_set known = { 0 };
    int status = 0;
    for (size_t i = 0; i < b->plan.n; i++)
        id_set_add(&known, strtoull(b->plan.points[i].id, NULL, 16));
    for (size_t i = 0; i < store->n_outcomes && status == 0; i++)
        if (id_set_add(&known, strtoull(store->outcomes[i].point, NULL, 16)))
            status = err_set(b->err, "%s: belongs to another plan: point %s is none of '%s'",
                             b->archive, store->outcomes[i].point, b->dir);
    id_set_clear(&known);
    return status;
}

/* "# mpi_version: 5.0.7" of a samples file's head; "" where it says none. */
static void version_of(const char *path, char version[VERSION_SIZE])
{
    static const char mark[] = "# mpi_version: ";
    char line[1024];
    FILE *in = fopen(path, "re");
    *version = '\0';
    while (in && fgets(line, sizeof line, in) && *line == '#')
        if (strncmp(line, mark, strlen(mark)) == 0)
            snprintf(version, VERSION_SIZE, "%.*s", (int)strcspn(line + strlen(mark), "\r\n"),
                     line + strlen(mark));
    if (in)
        fclose(in);
    text_disarm(version);
}

struct versions {
    struct {
        char mpi[NAME_SIZE], version[VERSION_SIZE];
    } v[MAX_LIBRARIES];
    size_t n;
};

/* Notes the release of each file's library: there is one. */
static int check_versions(struct bringing *b, const struct store *store, struct versions *versions)
{
    for (size_t i = 0; i < store->n_files; i++) {
        const struct sample_file *f = &store->files[i];
        char version[VERSION_SIZE];
        size_t k = 0;
        version_of(f->path, version);
        while (k < versions->n && strcmp(versions->v[k].mpi, f->launch.mpi) != 0)
            k++;
        if (!*version || k == MAX_LIBRARIES)
            continue;
        if (k == versions->n) {
            versions->n++;
            snprintf(versions->v[k].mpi, NAME_SIZE, "%s", f->launch.mpi);
            memcpy(versions->v[k].version, version, sizeof version);
        }
        if (strcmp(versions->v[k].version, version) != 0)
            return err_set(b->err,
                           "%s: holds %s %s beside %s: a study is of one release (want a kit and a "
                           "study for each)",
                           b->archive, f->launch.mpi, version, versions->v[k].version);
    }
    return 0;
}

static int check_samples(struct bringing *b, struct versions *versions)
{
    struct store fresh, before;
    if (store_open(b->place, b->digest, &fresh, b->err) < 0)
        return -1;
    int status = fresh.n_other || !fresh.n_files
                     ? err_set(b->err, "%s: %s", b->archive,
                               fresh.n_other ? "holds samples of another digest"
                                             : "holds no samples (want a launch that ran)")
                     : check_points(b, &fresh);
    b->result->finished = fresh.n_outcomes;
    if (status == 0 && store_open(b->dir, b->digest, &before, b->err) == 0) {
        status = check_versions(b, &before, versions);
        store_free(&before);
    } else {
        status = -1;
    }
    if (status == 0)
        status = check_versions(b, &fresh, versions);
    store_free(&fresh);
    return status;
}

/* ---- events ---- */

static int is_of_plan(const struct event *e, void *user)
{
    struct bringing *b = user;
    const char *const events[] = { "started", "done", "failed", "timeout", "interrupted" };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (strcmp(e->event, events[i]) == 0 && strcmp(e->digest, b->digest) == 0 &&
            plan_launch(&b->plan, e->launch))
            return 0;
    err_set(b->err, "%s: an event '%.15s' of launch '%.60s', digest %s, is none of this plan's",
            b->archive, e->event, e->launch, e->digest);
    return 1;
}

/* All events of the archive in one file, which is read as events.jsonl is. */
static int gather_events(struct bringing *b)
{
    char path[PATH_SIZE], from[PATH_SIZE];
    struct whole_file f;
    struct err none = { 0 };
    int status = 0;
    if (fs_path(path, sizeof path, b->err, "%s/events.jsonl", b->place) < 0 ||
        fs_begin(&f, path, b->err) < 0)
        return -1;
    for (size_t i = 0; i < b->plan.n_launches && status == 0; i++) {
        size_t len;
        if (fs_path(from, sizeof from, b->err, "%s/events/%s.jsonl", b->place,
                    b->plan.launches[i].name) < 0)
            status = -1;
        char *text = status == 0 && fs_exists(from) ? fs_read(from, &len, b->err) : NULL;
        if (text && len && fwrite(text, 1, len, f.file) != len)
            status = err_errno(b->err, "%s", path);
        free(text);
    }
    if (status < 0) {
        fs_abandon(&f);
        return -1;
    }
    *b->err = none;
    return fs_commit(&f, b->err) < 0 || journal_read(b->place, is_of_plan, b, b->err) < 0 ||
                   *b->err->text
               ? -1
               : 0;
}

/* Appends the lines that events.jsonl does not have. */
static int append_events(struct bringing *b)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    if (fs_path(from, sizeof from, b->err, "%s/events.jsonl", b->place) < 0 ||
        fs_path(to, sizeof to, b->err, "%s/events.jsonl", b->dir) < 0)
        return -1;
    char *fresh = fs_read(from, NULL, b->err),
         *there = fs_exists(to) ? fs_read(to, NULL, b->err) : memory_text("");
    FILE *out = fresh && there ? fopen(to, "ae") : NULL;
    int status = out ? 0 : fresh && there ? err_errno(b->err, "%s", to) : -1;
    for (char *line = fresh, *end; out && *line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (*line && !strstr(there, line)) {
            fprintf(out, "%s\n", line);
            b->result->events++;
        }
    }
    if (out && fclose(out) != 0)
        status = err_errno(b->err, "cannot write '%s'", to);
    memory_free(fresh, there);
    return status;
}

/* ---- into the study ---- */

static int is_file(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* Checks that a file is new or the same, or (move) puts it in its place. */
static int take_one(struct bringing *b, const char *kind, const char *name, int move)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    size_t n, m;
    if (fs_path(from, sizeof from, b->err, "%s/%s/%s", b->place, kind, name) < 0 ||
        fs_path(to, sizeof to, b->err, "%s/%s/%s", b->dir, kind, name) < 0)
        return -1;
    if (!fs_exists(to)) {
        b->result->files += (size_t)move;
        return move && rename(from, to) < 0 ? err_errno(b->err, "%s", to) : 0;
    }
    char *fresh = fs_read(from, &n, b->err), *there = fs_read(to, &m, b->err);
    const int same = fresh && there && n == m && memcmp(fresh, there, n) == 0;
    const int log = strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".log") == 0;
    memory_free(fresh, there);
    return same || log ? 0
                       : err_set(b->err,
                                 "%s: '%s/%s' is another than the one in '%s': two copies of a kit "
                                 "measured the same launch (want one of them)",
                                 b->archive, kind, name, b->dir);
}

static int take_all(struct bringing *b, int move)
{
    char path[PATH_SIZE];
    int status = 0;
    for (size_t k = 0; k < N_KINDS && status == 0; k++) {
        struct dirent **found;
        if (strcmp(kinds[k], "events") == 0)
            continue;
        if (fs_path(path, sizeof path, b->err, "%s/%s", b->place, kinds[k]) < 0)
            return -1;
        const int n = scandir(path, &found, is_file, alphasort);
        if (n > 0 && move &&
            (fs_path(path, sizeof path, b->err, "%s/%s", b->dir, kinds[k]) < 0 ||
             fs_mkdirs(path, b->err) < 0))
            status = -1;
        for (int i = 0; i < n; i++) {
            if (status == 0)
                status = take_one(b, kinds[k], found[i]->d_name, move);
            free(found[i]);
        }
        if (n >= 0)
            free(found);
    }
    return status;
}

static int say_versions(struct bringing *b, const struct versions *versions)
{
    size_t used = 0;
    char *text = b->result->versions;
    for (size_t i = 0; i < versions->n; i++) {
        if (manifest_say_version(b->dir, versions->v[i].mpi, versions->v[i].version, b->err) < 0)
            return -1;
        const int n = snprintf(text + used, sizeof b->result->versions - used, "%s%s %s",
                               i ? ", " : "", versions->v[i].mpi, versions->v[i].version);
        used += n > 0 && used + (size_t)n < sizeof b->result->versions ? (size_t)n : 0;
    }
    return 0;
}

static int collect_results(struct bringing *b)
{
    char path[PATH_SIZE];
    struct versions versions = { .n = 0 };
    if (fs_path(path, sizeof path, b->err, "%s/plan.csv", b->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(
            b->err,
            "'%s' does not exist: nothing was packed from here (want: collsel measure pack)", path);
    if (plan_read(path, &b->plan, b->err) < 0)
        return -1;
    return fs_path(b->root, sizeof b->root, b->err, "%s/.bring-%ld", b->dir, (long)getpid()) < 0 ||
                   fs_path(b->place, sizeof b->place, b->err, "%s/results", b->root) < 0 ||
                   unpack(b) < 0 || check_conf(b) < 0 || check_samples(b, &versions) < 0 ||
                   gather_events(b) < 0 || take_all(b, 0) < 0 || take_all(b, 1) < 0 ||
                   append_events(b) < 0 || say_versions(b, &versions) < 0
               ? -1
               : 0;
}

int kit_results_import(const char *archive, const char *dir, struct kit_results_result *result,
                       struct err *err)
{
    struct err own = { 0 };
    struct bringing b = {
        .archive = archive, .dir = dir, .result = result, .err = err ? err : &own
    };
    *result = (struct kit_results_result){ 0 };
    const int lock = fs_exists(dir) ? lock_take(dir, b.err)
                                    : err_set(b.err,
                                              "'%s' does not exist: nothing was packed from here "
                                              "(want: collsel measure pack)",
                                              dir);
    if (lock < 0)
        return -1;
    const int status = collect_results(&b);
    if (*b.root)
        fs_remove_tree(b.root, NULL);
    plan_free(&b.plan);
    close(lock);
    return status;
}
