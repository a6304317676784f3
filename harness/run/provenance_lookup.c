/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/provenance_lookup.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "harness/run/environment.h"
#include "harness/run/libraries/launchers.h"

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
        line[strcspn(line, "\r\n")] = '\0';
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
    return strcmp(left, right); /* the name is the first member */
}

/* release: of a library elsewhere, which nobody can ask here; NULL: what is installed here. */
static void find_mpis(const struct sweep_request *r, const struct plan *plan, struct provenance *p)
{
    for (size_t i = 0; i < plan->n_launches; i++) {
        const char *entry = plan->launches[i].mpi;
        const size_t k = first_below(j, p->n_mpi, strcmp(p->mpi[j].name, entry) == 0);
        if (!library_of(r->cluster, entry) || k < p->n_mpi || k == MAX_LIBRARIES)
            continue;
        struct installed *found = memory_zeros(1, sizeof *found);
        if (r->release) {
            snprintf(found->version, sizeof found->version, "%s", r->release);
            snprintf(found->mpirun, sizeof found->mpirun, "mpirun");
        } else {
            library_look(r->cluster, entry, r->build, found);
        }
        snprintf(p->mpi[k].name, sizeof p->mpi[k].name, "%s", entry);
        snprintf(p->mpi[k].launcher, sizeof p->mpi[k].launcher, "%.511s", found->mpirun);
        snprintf(p->mpi[k].version, sizeof p->mpi[k].version, "%s", found->version);
        snprintf(p->mpi[k].says, sizeof p->mpi[k].says, "%s", found->says);
        p->mpi[k].installed = found;
        p->n_mpi++;
    }
    qsort(p->mpi, p->n_mpi, sizeof p->mpi[0], by_library);
}

/* Keys that change how the work is cut and summed up, not what is seen. */
static int cuts_the_work(const char *key)
{
    static const char *const names[] = { "point_limit", "launch_limit", "launch_messages",
                                         "repeats",     "repeats_max",  "statistic",
                                         "round_gap",   "keep_ranks",   "plan",
                                         "core_budget" };
    return any_below(i, sizeof names / sizeof *names, strcmp(key, names[i]) == 0);
}

/* Keys that came later count where they say something else than what held before. */
static int is_unasked(const struct key *key, const char *text)
{
    static const char *const names[] = { "sync" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(key->name, names[i]) == 0)
            return strcmp(text, key->fallback) == 0;
    return 0;
}

int provenance_counts(const struct key *key, const char *only_section)
{
    return strcmp(key->name, "title") != 0 && strcmp(key->section, "slurm") != 0 &&
           (!only_section || strcmp(key->section, only_section) == 0) &&
           !cuts_the_work(key->name) &&
           strcmp(key->name, "environment") != 0; /* put_environment has that */
}

static void put_settings(FILE *out, const struct settings *s, const char *only_section)
{
    for (size_t i = 0; i < s->table->n; i++) {
        const struct key *key = &s->table->keys[i];
        if (!provenance_counts(key, only_section) || is_unasked(key, s->v[i].text))
            continue;
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
        fprintf(out, "%s%s%s\n", names[i] ? launcher->library : "", names[i] ? "/" : "",
                names[i] ? names[i] : "");
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
    if (job.launcher->start)
        fputs("default: of the library, with no component left out\n", out);
    put_preloaded(out, job.launcher);
    for (int i = 0; i < 6; i++) {
        struct argv args = { 0 }, env = { 0 };
        job.crowded = i >= 3;
        snprintf(launch.mapping, sizeof launch.mapping, "%s", mappings[i % 3]);
        library->command(&job, &args, &env);
        put_words(out, &args, &env);
        argv_free(&args);
        argv_free(&env);
    }
}

/* In a clean environment of which nothing is left there is nothing to tell. */
static void put_environment(FILE *out, const struct environment_record *s)
{
    if (s->site)
        fputs("environment=site\n", out);
    for (size_t i = 0; i < s->lines.n; i++)
        fprintf(out, "%s\n", s->lines.v[i]);
}

static void find_digest(const struct cluster *c, const struct study *s, const struct backend *b,
                        struct provenance *p)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&text, &len);
    put_settings(out, &c->settings, NULL);
    put_settings(out, &s->settings, "measure");
    fprintf(out, "%d %d %d %s\n", c->sockets, c->cores, c->threads, backend_label(b, c));
    fprintf(out, "%d\n", MEANING_OF_SAMPLES);
    put_environment(out, &p->environment);
    for (size_t i = 0; i < p->n_mpi; i++) {
        const struct mpi_entry *e = mpi_entries_find(&c->mpis, p->mpi[i].name);
        fprintf(out, "%s %s\n", p->mpi[i].name, p->mpi[i].version);
        if (e) /* where it lies does not count, what it sets does */
            fprintf(out, "%s\n", e->environment);
        put_command(out, library_of(c, p->mpi[i].name), p->mpi[i].version, b, c);
    }
    fclose(out);
    uint64_t h = fs_digest(text, len);
    snprintf(p->digest, sizeof p->digest, "%08x", (unsigned)(h ^ h >> 32));
    free(text);
}

/* Lines that say how often a study was begun anew in another environment. */
static const char anew_name[] = "begun anew=";

static long times_anew(const struct argv *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        if (strncmp(lines->v[i], anew_name, strlen(anew_name)) == 0)
            return strtol(lines->v[i] + strlen(anew_name), NULL, 10);
    return 0;
}

/* Who submits cannot see where the jobs will start, and a task must come to the digest that it was
 * submitted with: it takes what the manifest says. */
static int take_from_manifest(const struct sweep_request *r, enum provenance_stage stage,
                              struct environment_record *s, struct err *err)
{
    struct environment_record_before before;
    if (environment_record_before(r->dir, &before, err) < 0) {
        environment_record_before_free(&before);
        return -1;
    }
    const long times = times_anew(&before.lines) + (stage == PROVENANCE_SUBMIT && r->anew);
    if (stage == PROVENANCE_TASK) {
        const struct argv here = s->lines;
        s->lines = before.lines;
        before.lines = here;
    }
    environment_record_before_free(&before);
    if (times && stage == PROVENANCE_SUBMIT)
        argv_add(&s->lines, "%s%ld", anew_name, times);
    return 0;
}

int provenance_collect(const struct sweep_request *r, const struct plan *plan,
                       enum provenance_stage stage, struct provenance *p, struct err *err)
{
    *p = (struct provenance){ .compiler = manifest_compiler };
    manifest_commit(r->build, p->commit, sizeof p->commit);
    find_system(p);
    find_mpis(r, plan, p);
    if (r->release) {
        p->environment.site = strcmp(r->study->environment, "site") == 0;
        find_digest(r->cluster, r->study, r->backend, p);
        return 0;
    }
    if (environment_collect(r->study, r->backend, stage == PROVENANCE_SUBMIT, p, &p->environment,
                            err) < 0)
        return -1;
    if (stage != PROVENANCE_HERE && take_from_manifest(r, stage, &p->environment, err) < 0)
        return -1;
    if (stage != PROVENANCE_TASK && !r->anew &&
        environment_settle(r->dir, backend_label(r->backend, r->cluster), p, err) < 0)
        return -1;
    find_digest(r->cluster, r->study, r->backend, p);
    return 0;
}

const struct installed *provenance_installed(const struct provenance *p, const char *mpi)
{
    for (size_t i = 0; i < p->n_mpi; i++)
        if (strcmp(p->mpi[i].name, mpi) == 0)
            return p->mpi[i].installed;
    return NULL;
}

void provenance_free(struct provenance *p)
{
    for (size_t i = 0; i < p->n_mpi; i++) {
        if (p->mpi[i].installed)
            installed_free(p->mpi[i].installed);
        free(p->mpi[i].installed);
        p->mpi[i].installed = NULL;
    }
    environment_record_free(&p->environment);
}
