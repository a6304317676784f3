/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel measure plan: what a sweep would measure. */
#include <unistd.h>

#include "analysis/adapt/prior_times.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/run/estimate.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/runnable.h"
#include "harness/study/plan/same.h"
#include "harness/study/plan/plan_build.h"
#include "harness/study/simulation_costs.h"
#include "reports/section_common.h"
#include "workloads/schedules/decision.h"

/* Points of a launch that the round has, and what they are expected to cost. */
static size_t sum_up(const struct rounds *r, const struct plan *plan, const struct launch *l,
                     double *core_s)
{
    const struct adaptive *a = &r->adaptive;
    size_t n = 0;
    *core_s = 0;
    for (size_t i = l->first; l->repeat == r->decided && i < l->first + l->n; i++) {
        const size_t v = adaptive_find(a, plan->points[i].id);
        if (!adaptive_wants(a, v, r->decided))
            continue;
        *core_s += adaptive_price(a, v);
        n++;
    }
    return n;
}

static void print_round(const struct rounds *r, const struct plan *plan)
{
    char core[32];
    double core_s;
    printf("%-36s %7s %12s\n", "launch", "points", "expected");
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        const size_t n = sum_up(r, plan, l, &core_s);
        if (n)
            printf("%-36s %7zu %12s\n", l->name, n, format_core_seconds(core_s, core, sizeof core));
    }
}

static json_t *round_json(const struct rounds *r, const struct plan *plan)
{
    json_t *launches = json_array();
    double core_s;
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        const size_t n = sum_up(r, plan, l, &core_s);
        if (n)
            json_array_append_new(launches,
                                  json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:I, s:o}",
                                            "launch", l->name, "mpi", l->mpi, "mapping", l->mapping,
                                            "nodes", l->nodes, "ppn", l->ppn, "procs", l->procs,
                                            "repeat", l->repeat, "points", (json_int_t)n,
                                            "expected_core_s", json_number(core_s)));
    }
    return launches;
}

/* Prints the launches of the next round with their points and expected costs, and the expected
 * result of the plan, as text or JSON. Fills the prior. 0, or -1 with *err. */
static int adaptive_command(const struct cluster *cluster, const struct study *study,
                            const char *backend, const struct plan *plan, const char *dir, int json,
                            struct prior *prior, struct err *err)
{
    struct rounds_rule rule = rounds_rule_of(study, -1);
    struct store store;
    struct rounds rounds;
    char text[ADAPTIVE_FORECAST_SIZE];
    prior_compute(cluster, study, plan, prior);
    rule.prior = prior;
    rule.retries = 0;
    if (store_open(dir, NULL, &store, err) < 0)
        return -1;
    int status = rounds_make(plan, dir, &store, &rule, &rounds, err);
    if (status == 0) {
        if (json) {
            json_t *outlook = adaptive_forecast_json(&rounds, study->seed);
            status =
                json_print(json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o}", "cluster",
                                     cluster->name, "study", study->name, "backend", backend,
                                     "plan", study->plan, "skipped", (json_int_t)plan->n_skipped,
                                     "outlook", outlook, "launches", round_json(&rounds, plan)),
                           err);
        } else {
            print_round(&rounds, plan);
            adaptive_forecast_text(&rounds, study->seed, text);
            fputs(text, stdout);
        }
        rounds_free(&rounds);
    }
    store_free(&store);
    return status;
}

struct input {
    struct options options;
    const char *placement;
    int show, dry_run, json;
};

/* What starts a launch, as a line for a shell; without the options of the program itself. */
static int print_start(const struct launch *l, const struct cluster *cluster,
                       const struct backend *backend, const char *build, struct err *err)
{
    const struct library *library = library_of(cluster, l->mpi);
    char program[PATH_SIZE];
    struct installed mpi;
    if (!library)
        return err_usage(err, "'%s': '%s' is not an MPI library", l->name, l->mpi);
    library_look(cluster, l->mpi, build, &mpi);
    library_program(cluster, l->mpi, build, program, sizeof program);
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    struct job job = { .launch = l,
                       .cluster = cluster,
                       .program = program,
                       .build = build,
                       .platform = "PLATFORM",
                       .hostfile = "HOSTFILE",
                       .launcher =
                           library_launcher(library, mpi.version, backend->queued, cluster, err),
                       .mpi = library->has_entries ? &mpi : NULL,
                       .crowded = backend_crowded(backend, cluster, l, cores) };
    struct argv args = { 0 }, env = { 0 };
    if (!job.launcher) {
        installed_free(&mpi);
        return -1;
    }
    library->command(&job, &args, &env);
    char *words = argv_text(&args), *vars = argv_text(&env);
    printf("# launcher: %s %s, %s: %s\n", l->mpi, mpi.version, job.launcher->what,
           launcher_state_name(launcher_state_on(job.launcher, cluster)));
    printf("# started: %s%s%s%s\n", env.n ? "env " : "", vars, env.n ? " " : "", words);
    memory_free(words, vars);
    argv_free(&args);
    argv_free(&env);
    installed_free(&mpi);
    return 0;
}

/* Missing where there are more ranks than cores. */
static void print_core(const struct seat *s)
{
    if (s->core >= 0)
        printf("%d,%d\n", s->socket, s->core);
    else
        puts(",");
}

static int wrong_launch(struct err *err)
{
    err->status = EXIT_USAGE;
    return err_prefix(err, "--placement");
}

static int print_placement(const struct input *in, const struct cluster *cluster, struct err *err)
{
    char why[WHY_SIZE], build[PATH_SIZE];
    struct launch l;
    const struct backend *backend = backend_choose(in->options.backend, cluster, why, err);
    if (!backend || options_build(&in->options, build, sizeof build, err) < 0)
        return -1;
    if (launch_parse(in->placement, &l, err) < 0)
        return wrong_launch(err);
    const struct seating s = { .mapping = l.mapping,
                               .nodes = l.nodes,
                               .ppn = l.ppn,
                               .procs = l.procs,
                               .sockets = cluster->sockets,
                               .cores = cluster->cores,
                               .cache_cores = cluster->cache_cores };
    if (seat_check(&s, err) < 0)
        return wrong_launch(err);
    if (print_start(&l, cluster, backend, build, err) < 0)
        return -1;
    printf("rank,node,socket,core\n");
    for (int r = 0; r < l.procs; r++) {
        const struct seat seat = seat_of(&s, r);
        printf("%d,%d,", r, seat.node);
        print_core(&seat);
    }
    return 0;
}

/* What launches and points come to. */
struct sums {
    double points, messages, time, most;
    size_t same;      /* points that are timed with another one of their launch */
    int rounds;       /* further ones, which are not counted */
    double further_s; /* what they take at most */
};

/* 1 for a launch of a further round: it measures what is uncertain then (rounds.h). */
static int is_further(const struct rounds_rule *rule, const struct launch *l, struct sums *sums)
{
    const int more = l->repeat - rounds_whole(rule);
    sums->rounds = more > sums->rounds ? more : sums->rounds;
    return more > 0;
}

static void print_further(const struct rounds_rule *rule, const struct sums *sums)
{
    char text[32];
    if (!sums->rounds)
        return;
    printf("and up to %d more launches of each, of points whose interval over launches is then "
           "wider than %g %%",
           sums->rounds, 100 * rule->precision);
    if (sums->further_s > 0)
        printf(": %s more, if it is all of them",
               format_duration(sums->further_s, text, sizeof text));
    putchar('\n');
}

static void count_same(const struct plan *plan, const struct launch *l,
                       const struct cluster *cluster, struct sums *sums)
{
    size_t *same = same_find(cluster, &plan->points[l->first], l->n, NULL);
    for (size_t i = 0; i < l->n; i++)
        sums->same += same[i] != i;
    free(same);
}

static void print_same(const struct sums *sums)
{
    if (sums->same)
        printf("%zu of these points run the same as another one of their launch, by another name: "
               "it is timed once\n",
               sums->same);
}

static void print_launch(const struct launch *l, double seconds, const char *remark,
                         struct sums *sums)
{
    char text[32];
    sums->points += (double)l->n;
    sums->messages += l->messages;
    sums->time += seconds;
    printf("%-36s %7zu %12.0f %12s%s\n", l->name, l->n, l->messages,
           format_duration(seconds, text, sizeof text), remark);
}

/* 1 where each rank has a core of its own. */
static double ranks_per_core(const struct cluster *cluster, const struct launch *l,
                             const struct backend *backend)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN), node = cluster_node_cores(cluster);
    if (!backend_crowded(backend, cluster, l, cores))
        return 1;
    if (backend->queued && !cluster->emulated)
        return (double)l->ppn / node;
    return (double)l->procs / (backend->here && node < cores ? node : cores);
}

/* Launches that run side by side end when the cores' share is done, or the longest of them. */
static void print_parallel(const struct sums *sums, double longest_s, int cores,
                           const struct simulation_speed *pace, const struct backend *backend)
{
    const char *const done = backend_word(backend->name);
    char text[32], each[32];
    printf("on %d cores: %s; at %s a message, ", cores,
           format_duration(fmax(sums->time / cores, longest_s), text, sizeof text),
           format_seconds(pace->message_s, each, sizeof each));
    if (pace->launches)
        printf("as %zu %s launch%s of this cluster took here\n", pace->launches, done,
               of_number(pace->launches, "", "es"));
    else
        printf("a guess (none was %s here before; a sixth to three times that was seen)\n", done);
}

/* Other work on the machine takes its share of the cores: the load tells how much. */
static void print_basis(const struct sums *sums)
{
    char text[32];
    double load = 0;
    const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    printf("estimate: as points took before, else the least number of calls at a nominal speed, "
           "on a machine that does nothing else");
    if (getloadavg(&load, 1) == 1 && load > 0.1 * cores)
        printf("; with the load of now (%.1f on %.0f cores) up to %s", load, cores,
               format_duration(sums->time * (1 + load / cores), text, sizeof text));
    putchar('\n');
}

static int print_estimates(const struct plan *plan, const struct cluster *cluster,
                           const struct study *study, const struct backend *backend,
                           const char *dir, struct err *err)
{
    char text[32];
    struct sums sums = { 0 };
    const struct rounds_rule rule = rounds_rule_of(study, 0);
    struct simulation_speed pace = { 0 };
    struct history history = { .n_twins = 0 };
    double longest_s = 0;
    if ((backend->deterministic
             ? simulation_speed_find(dir, backend->name, cluster, study, &pace, err)
             : history_open(dir, &history, err)) < 0)
        return -1;
    printf("%-36s %7s %12s %12s\n", "launch", "points", "messages", "estimate");
    for (size_t i = 0; i < plan->n_launches; i++) {
        const struct launch *l = &plan->launches[i];
        const double crowd = ranks_per_core(cluster, l, backend);
        const double seconds = estimate_launch(plan, l, cluster, study, crowd,
                                               backend->deterministic ? &pace : NULL, &history);
        if (is_further(&rule, l, &sums)) {
            sums.further_s += seconds;
            continue;
        }
        count_same(plan, l, cluster, &sums);
        print_launch(l, seconds, crowd > 1 ? "  oversubscribed" : "", &sums);
        longest_s = fmax(longest_s, seconds);
    }
    history_free(&history);
    printf("%-36s %7.0f %12.0f %12s\n", "in all", sums.points, sums.messages,
           format_duration(sums.time, text, sizeof text));
    print_same(&sums);
    print_further(&rule, &sums);
    if (!backend->deterministic)
        print_basis(&sums);
    if (backend->deterministic)
        print_parallel(&sums, longest_s, (int)sysconf(_SC_NPROCESSORS_ONLN), &pace, backend);
    return 0;
}

/* For Slurm: what is expected of the launches, what they take at most, and what both rest on. */
static int print_expected(const struct input *in, const struct plan *plan,
                          const struct cluster *cluster, const struct study *study,
                          const struct backend *backend, const char *dir, struct err *err)
{
    struct history history;
    struct estimate all = { 0 };
    struct sums sums = { 0 };
    char text[32], most[64], next[NEXT_SIZE];
    const int bound = bound_known(cluster);
    const struct rounds_rule rule = rounds_rule_of(study, 0);
    if (history_open(dir, &history, err) < 0)
        return -1;
    printf("%-36s %7s %12s %12s %12s\n", "launch", "points", "messages", "expected", "at most");
    for (size_t i = 0; i < plan->n_launches; i++) {
        const struct launch *l = &plan->launches[i];
        if (is_further(&rule, l, &sums))
            continue;
        const double before_s = all.seconds;
        const double most_s = estimate_launch_bound(plan, l, cluster, study);
        estimate_expect_launch(&all, plan, l, cluster, study, &history);
        snprintf(most, sizeof most, " %12s%s",
                 bound ? format_duration(most_s, text, sizeof text) : "unknown",
                 ranks_per_core(cluster, l, backend) > 1 ? "  oversubscribed" : "");
        count_same(plan, l, cluster, &sums);
        print_launch(l, all.seconds - before_s, most, &sums);
        sums.most += most_s;
    }
    history_free(&history);
    snprintf(most, sizeof most, "%s",
             bound ? format_duration(sums.most, text, sizeof text) : "unknown");
    printf("%-36s %7.0f %12.0f %12s %12s\n", "in all", sums.points, sums.messages,
           format_duration(sums.time, text, sizeof text), most);
    print_same(&sums);
    print_further(&rule, &sums);
    printf("expected: %zu point%s as they took before, %zu from simulated calls, %zu at most",
           COUNTED(all.measured), all.simulated, all.bounded);
    if (all.unknown)
        printf(", %zu unknown (no link_rate) and not counted", all.unknown);
    printf("; without a wait in the queue");
    if (all.bounded)
        printf(" (`%s` gives simulated calls)", options_next(&in->options, "sweep", "sim", next));
    putchar('\n');
    return 0;
}

/* What the estimates of launches rest on. */
struct pricing {
    struct simulation_speed pace;
    struct history history;
    struct estimate all; /* of Slurm's launches, so far */
};

static double price(struct pricing *p, const struct plan *plan, const struct launch *l,
                    const struct cluster *cluster, const struct study *study,
                    const struct backend *backend)
{
    const double before_s = p->all.seconds;
    if (!backend->queued)
        return estimate_launch(plan, l, cluster, study, ranks_per_core(cluster, l, backend),
                               backend->deterministic ? &p->pace : NULL, &p->history);
    estimate_expect_launch(&p->all, plan, l, cluster, study, &p->history);
    return p->all.seconds - before_s;
}

static int print_json(const struct plan *plan, const struct cluster *cluster,
                      const struct study *study, const struct backend *backend, const char *dir,
                      struct err *err)
{
    struct pricing p = { .pace = { 0 } };
    struct sums sums = { 0 };
    const struct rounds_rule rule = rounds_rule_of(study, 0);
    const int bound = backend->queued && bound_known(cluster);
    if ((backend->deterministic
             ? simulation_speed_find(dir, backend->name, cluster, study, &p.pace, err)
             : history_open(dir, &p.history, err)) < 0)
        return -1;
    json_t *launches = json_array();
    for (size_t i = 0; i < plan->n_launches; i++) {
        const struct launch *l = &plan->launches[i];
        const double most_s = bound ? estimate_launch_bound(plan, l, cluster, study) : NAN;
        json_array_append_new(
            launches, json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:b, s:I, s:f, s:o, s:o, s:b}",
                                "launch", l->name, "mpi", l->mpi, "mapping", l->mapping, "nodes",
                                l->nodes, "ppn", l->ppn, "procs", l->procs, "repeat", l->repeat,
                                "if_uncertain", is_further(&rule, l, &sums), "points",
                                (json_int_t)l->n, "messages", l->messages, "estimate_s",
                                json_number(price(&p, plan, l, cluster, study, backend)),
                                "at_most_s", json_number(most_s), "oversubscribed",
                                ranks_per_core(cluster, l, backend) > 1));
    }
    history_free(&p.history);
    return json_print(json_pack("{s:s, s:s, s:s, s:I, s:I, s:o}", "cluster", cluster->name, "study",
                                study->name, "backend", backend->name, "points",
                                (json_int_t)plan->n, "skipped", (json_int_t)plan->n_skipped,
                                "launches", launches),
                      err);
}

/* What a pattern of combinations stands for. */
static void print_usual(const char *collective, const char *pattern)
{
    char name[MOST_NAME + 1];
    size_t n = 0;
    while (algorithm_usual(collective, pattern, n, name))
        n++;
    if (n)
        printf("%s of %s: %zu candidate%s:", pattern, collective, COUNTED(n));
    for (size_t i = 0; algorithm_usual(collective, pattern, i, name); i++)
        printf(" %s%s", name, i + 1 < n ? "" : "\n");
}

static int print_launches(const struct input *in, const struct plan *plan,
                          const struct cluster *cluster, const struct study *study,
                          const struct backend *backend, const char *dir, struct err *err)
{
    if ((backend->queued ? print_expected(in, plan, cluster, study, backend, dir, err)
                         : print_estimates(plan, cluster, study, backend, dir, err)) < 0)
        return -1;
    for (size_t i = 0; i < study->portable.n; i++)
        for (size_t c = 0; c < study->collectives.n; c++)
            print_usual(study->collectives.v[c], study->portable.v[i]);
    if (plan->n_skipped)
        printf("%zu point%s skipped, e.g. %s\n", COUNTED(plan->n_skipped), plan->skipped[0].reason);
    return 0;
}

/* Writes plan.csv where nothing was measured yet; later the plan is that of the results beside it,
 * and a sweep alone writes it anew. */
static int write_plan(const struct input *in, const struct plan *plan, const char *dir,
                      struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    int keep = fs_exists(path);
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0)
        return -1;
    keep = keep && fs_exists(path);
    if (!keep && plan_write(plan, dir, err) < 0)
        return -1;
    if (!in->options.quiet)
        fprintf(stderr,
                keep ? "%s/plan.csv is not replaced: results of that plan are there; use --results "
                       "DIR for another\n"
                     : "wrote %s/plan.csv\n",
                dir);
    return 0;
}

static void print_defaulted(const struct cluster *cluster, const struct backend *backend)
{
    char text[KEY_TEXT_MAX];
    if (backend->check && *costs_defaulted(cluster, text, sizeof text))
        printf("%s leaves to defaults: %s\n", cluster->path, text);
}

/* Where the library itself does not run, its default is what the study's rule decides. */
static void print_without_default(const struct study *study, const struct backend *backend)
{
    static const char latest[] = "openmpi41";
    if (!plan_stand_in(backend->name) || !study->with_default ||
        strcmp(study->sim_default, "none") == 0)
        return;
    for (size_t i = 0; i < study->collectives.n; i++)
        if (!decision_known(study->sim_default, study->collectives.v[i]))
            printf("%s has no decision function for %s: no default%s\n", study->sim_default,
                   study->collectives.v[i],
                   decision_known(latest, study->collectives.v[i])
                       ? " (openmpi41 has one: sim_default)"
                       : "");
}

/* A count of the grid is fitted to, whatever held_procs says. */
static void say_not_held(const struct study *study)
{
    for (size_t i = 0; i < study->held_procs.n; i++)
        for (size_t k = 0; k < study->procs.n; k++)
            if (study->held_procs.v[i] == study->procs.v[k])
                fprintf(stderr, "%s: held_procs: %d is in procs, too, and not held out\n",
                        study->path, study->held_procs.v[i]);
}

/* One that is not worth measuring is refused; of a dry run, warned of. */
static int check_plan(const struct input *in, const struct plan *p, const struct cluster *cluster,
                      const struct study *study, const struct backend *backend, struct err *err)
{
    if (runnable_check(p, cluster, study, backend, in->dry_run, err) == 0)
        return 0;
    if (!in->dry_run)
        return -1;
    fprintf(stderr, "collsel measure plan: %s\n", err->text);
    return 0;
}

static int plan(const struct input *in, const struct cluster *cluster, const struct study *study,
                struct err *err)
{
    char why[WHY_SIZE], dir[PATH_SIZE], build[PATH_SIZE];
    struct plan p;
    const struct backend *backend = backend_choose(in->options.backend, cluster, why, err);
    if (!backend || options_build(&in->options, build, sizeof build, err) < 0 ||
        runnable_plan(cluster, study, backend, build, in->options.quiet ? NULL : stderr, &p, err) <
            0)
        return -1;
    say_not_held(study);
    if (!in->options.quiet)
        fprintf(stderr, "%s\n", why);
    if (check_plan(in, &p, cluster, study, backend, err) < 0) {
        plan_free(&p);
        return -1;
    }
    if (in->show) {
        settings_print(stdout, &cluster->settings);
        settings_print(stdout, &study->settings);
    }
    int status = options_dir(&in->options, cluster, study, dir, sizeof dir, err);
    struct prior prior = { .n = 0 };
    const int adaptive = strcmp(study->plan, "adaptive") == 0;
    if (status == 0 && adaptive)
        status = adaptive_command(cluster, study, backend->name, &p, dir, in->json, &prior, err);
    else if (status == 0)
        status = in->json ? print_json(&p, cluster, study, backend, dir, err)
                          : print_launches(in, &p, cluster, study, backend, dir, err);
    if (status == 0 && !in->json) {
        print_defaulted(cluster, backend);
        print_without_default(study, backend);
    }
    if (status == 0 && !in->dry_run)
        status = write_plan(in, &p, dir, err);
    if (status == 0 && !in->dry_run && adaptive)
        status = prior_write(dir, &prior, err);
    prior_free(&prior);
    plan_free(&p);
    return status;
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    return in->placement ? print_placement(in, cluster, err) : plan(in, cluster, study, err);
}

static void check(void *input, struct argp_state *state)
{
    const struct input *in = input;
    if (in->json && (in->show || in->placement))
        argp_error(state, "--json: wants no --show or --placement beside it");
}

static const struct option_row rows[] = {
    { "show", 'S', NULL, "Also print the resolved cluster and study files, defaults marked",
      OPTION_TO(show) },
    { "dry-run", 'n', NULL, "Write nothing", OPTION_TO(dry_run) },
    { "json", 0, NULL, "Print the launches as JSON", OPTION_TO(json) },
    { "placement", 0, "LAUNCH",
      "Print how a launch is started and the seat of each rank, as CSV, and nothing else",
      OPTION_TO(placement) },
    { 0 },
};

const struct command cmd_plan = {
    .name = "plan",
    .help = "print and write what a sweep would measure",
    .doc = "Prints the launches and points of a study on a cluster and writes plan.csv.",
    .rows = rows,
    .shared = &options_of_plan,
    .input = &(struct input){},
    .check = check,
    .run_study = run,
};
