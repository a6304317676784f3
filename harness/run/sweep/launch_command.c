/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/launch_command.h"

#include "harness/run/environment.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/sweep/tasks.h"
#include "harness/study/topology.h"

/* The nodes of the allocation in Slurm's order, where their names can be read. */
static void add_hosts(const struct sweep *s, struct argv *args)
{
    enum { MOST_NODES = 16384 };
    if (!s->req->job_nodes || !*s->req->job_nodes)
        return;
    char(*names)[NODE_SIZE] = memory_zeros(MOST_NODES, sizeof *names), *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    const long n = slurm_hosts(s->req->job_nodes, names, MOST_NODES, NULL);
    for (long i = 0; i < n; i++)
        fprintf(out, "%s%s", i ? "," : "", names[i]);
    fclose(out);
    if (n > 0)
        argv_add(args, "--hosts=%s", text);
    memory_free(text, names);
}

/* What the measuring program judges the placement by. */
static void add_seats(const struct sweep *s, const struct launch *l, struct argv *args)
{
    const struct cluster *c = s->req->cluster;
    argv_add(args, "--sockets=%d", c->sockets);
    argv_add(args, "--cores=%d", c->cores);
    if (c->cache_cores)
        argv_add(args, "--cache-cores=%d", c->cache_cores);
    const struct seating seating = topology_seating(c, l->mapping, l->nodes, l->ppn, l->procs);
    char switches[SEAT_NETWORK_TEXT];
    if (*seat_network_text(&seating.network, switches, sizeof switches))
        argv_add(args, "--switches=%s", switches);
    if (launcher_binds(c, backend_crowded(s->req->backend, c, l, s->cores)) &&
        !s->req->backend->deterministic)
        argv_add(args, "--bound");
    add_hosts(s, args);
}

/* What local work costs, in a simulation. */
static void add_charge(struct argv *args, const char *option, const struct cost_list *costs)
{
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < costs->n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu:%.9g:%.9g", i ? "," : "",
                                 (unsigned long long)costs->v[i].from_bytes, costs->v[i].seconds,
                                 costs->v[i].seconds_per_byte);
    if (used)
        argv_add(args, "--%s=%s", option, text);
}

/* What --core-budget takes at most. */
static const double most_core_s = 1e18;

static void add_measure_args(const struct sweep *s, const struct task *t, const char *base,
                             struct argv *args)
{
    const struct launch *l = t->launch;
    const struct study *st = s->req->study;
    const struct provenance *p = &s->provenance;
    int check =
        strcmp(st->check, "auto") == 0 ? !s->req->backend->deterministic : st->check[0] == 'y';
    argv_add(args, "--points");
    argv_add(args, "%s/launches/%s.csv", s->req->dir, base);
    argv_add(args, "--samples");
    argv_add(args, "%s/samples/%s-%s.csv", s->req->dir, base, p->digest);
    argv_add(args, "--outcomes");
    argv_add(args, "%s/samples/%s-%s.outcomes.csv", s->req->dir, base, p->digest);
    argv_add(args, "--placement");
    argv_add(args, "%s/samples/%s-%s.placement.csv", s->req->dir, base, p->digest);
    argv_add(args, "--digest=%s", p->digest);
    argv_add(args, "--mapping=%s", l->mapping);
    argv_add(args, "--nodes=%d", l->nodes);
    argv_add(args, "--ppn=%d", l->ppn);
    add_seats(s, l, args);
    argv_add(args, "--precision=%g", st->precision);
    argv_add(args, "--confidence=%g", st->confidence);
    argv_add(args, "--statistic=%s", st->statistic);
    argv_add(args, "--min-reps=%d", st->min_reps);
    argv_add(args, "--max-reps=%d", st->max_reps);
    argv_add(args, "--budget=%g", rounds_budget(&s->rule, st->budget, &s->plan, l, t->wanted));
    if (isfinite(
            s->rule.plan.core_budget_s)) /* of a simulation each point stands for its launches */
        argv_add(args, "--core-budget=%g",
                 fmin(fmax(tasks_allowed(s, t), 1e-9), most_core_s) /
                     (plan_is_exact(l->mpi) ? s->rule.repeats : 1));
    argv_add(args, "--warmup=%d", st->warmup);
    argv_add(args, "--sync=%s", st->sync);
    if (st->n_arrivals > 1) {
        argv_add(args, "--arrivals");
        argv_add(args, "%s/arrivals", s->req->dir);
    }
    if (st->keep_ranks) {
        argv_add(args, "--ranks");
        argv_add(args, "%s/ranks/%s-%s.csv", s->req->dir, base, p->digest);
    }
    argv_add(args, "--inner=%d", st->inner);
    argv_add(args, "--sentinel-every=%d", st->sentinel_every);
    argv_add(args, "--seed=%llu", (unsigned long long)st->seed);
    if (s->req->backend->deterministic) {
        argv_add(args, "--deterministic");
        add_charge(args, "copy-cost", &s->req->cluster->copy_cost);
        add_charge(args, "reduce-cost", &s->req->cluster->reduce_cost);
    }
    if (!p->environment.site && !s->req->backend->deterministic)
        argv_add(args, "--clean");
    if (!s->req->backend->deterministic && !environment_shares(&p->environment.given))
        argv_add(args, "--own-memory");
    if (!check)
        argv_add(args, "--no-check");
}

static void add_fact(struct argv *args, const char *key, const char *value)
{
    argv_add(args, "--provenance");
    argv_add(args, "%s=%s", key, *value ? value : "unknown");
}

static void add_provenance(const struct sweep *s, const struct launch *l, const char *command,
                           struct argv *args)
{
    const struct provenance *p = &s->provenance;
    int crowded = backend_crowded(s->req->backend, s->req->cluster, l, s->cores);
    char utc[32];
    add_fact(args, "commit", p->commit);
    add_fact(args, "cluster", s->req->cluster->name);
    add_fact(args, "study", s->req->study->name);
    add_fact(args, "backend", backend_label(s->req->backend, s->req->cluster));
    add_fact(args, "launch", l->name);
    add_fact(args, "mpi", l->mpi);
    add_fact(args, "mpi_version", provenance_version(p, l->mpi));
    add_fact(args, "compiler", p->compiler);
    add_fact(args, "host", p->host);
    add_fact(args, "kernel", p->kernel);
    add_fact(args, "cpu", p->cpu);
    add_fact(args, "started", utc_now(utc, sizeof utc));
    add_fact(args, "oversubscribed", crowded ? "yes" : "no");
    add_fact(args, "launcher", command);
    add_fact(args, "environment_mode", environment_record_mode(&p->environment));
    for (size_t i = 0; i < p->environment.given.n; i++)
        add_fact(args, "given", p->environment.given.v[i]);
    const struct installed *found = provenance_installed(p, l->mpi);
    if (found)
        installed_say_exports(found, args);
    /* two entries of one release differ by this alone; launches of a kit do not set it */
    const struct mpi_entry *entry = mpi_entries_find(&s->req->cluster->mpis, l->mpi);
    if (found && found->env.n && entry && *entry->environment) {
        argv_add(args, "--provenance");
        argv_add(args, "in_effect=set by its section [mpi %s]=%s", l->mpi, entry->environment);
    }
}

/* For a launcher that is a shell script and splits words again: what it could change becomes '_'.
 */
static void join_words(struct argv *args, size_t first)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,=+@%";
    for (size_t i = first; i < args->n; i++)
        for (char *p = args->v[i]; *(p += strspn(p, plain));)
            *p = '_';
}

int command_make(struct sweep *s, const struct task *t, const char *base, struct argv *args,
                 struct argv *env)
{
    const struct launch *l = t->launch;
    char program[PATH_SIZE], platform[PATH_SIZE], hostfile[PATH_SIZE];
    const struct library *library = library_of(s->req->cluster, l->mpi);
    struct job job = { .launch = l,
                       .cluster = s->req->cluster,
                       .program = program,
                       .build = s->req->build,
                       .crowded = backend_crowded(s->req->backend, s->req->cluster, l, s->cores) };
    if (!library)
        return err_set(s->err, "launch '%s': '%s' is not an MPI library", l->name, l->mpi);
    job.launcher = library_launcher(library, provenance_version(&s->provenance, l->mpi),
                                    s->req->backend->queued, s->req->cluster, s->err);
    if (!job.launcher)
        return -1;
    if (library->has_entries)
        job.mpi = provenance_installed(&s->provenance, l->mpi);
    library_program(s->req->cluster, l->mpi, s->req->build, program, sizeof program);
    if (s->req->backend->describe &&
        s->req->backend->describe(s->req->dir, &job, platform, hostfile, PATH_SIZE, s->err) < 0)
        return -1;
    library->command(&job, args, env);
    char *words = argv_text(args), *vars = argv_text(env);
    char command[2 * LINE_SIZE];
    snprintf(command, sizeof command, "%s%s%s", vars, env->n ? " " : "", words);
    memory_free(words, vars);
    add_measure_args(s, t, base, args);
    if (launcher_binds(job.cluster, job.crowded) && launcher_says_nothing(job.launcher))
        argv_add(args, "--bind");
    if (!*s->example) {
        char *text = argv_text(args);
        snprintf(s->example, sizeof s->example, "%s", text);
        free(text);
    }
    size_t facts = args->n;
    add_provenance(s, l, command, args);
    if (library->splits_words)
        join_words(args, facts);
    return 0;
}
