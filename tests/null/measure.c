/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - the planted workload: the measuring program without MPI. Same command line, same
 * files, but the times come from a model of known parameters (plant.h), so that tests can ask for
 * them back. It uses the real recorder and the real stopping rule, on a clock of its own that only
 * the planted times advance. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "tests/null/plant.h"
#include "workloads/measure/shared_samples.h"
#include "workloads/measure/options.h"
#include "workloads/measure/record.h"
#include "workloads/measure/stopping.h"
#include "workloads/measure/warming.h"

enum { BLOCK_MAX = 32, CUT_BYTES = 7 };

struct launch {
    const struct measure_options *o;
    struct plant plant;
    struct stop_rule rule;
    struct record record;
    struct shared_samples once;
    struct point *points;
    size_t n;
    double spent_core_s; /* as o->core_budget_s counts */
    double now_s;        /* the planted clock */
    double scale;        /* 1, or the slowdown's factor */
    uint64_t noise;      /* seed of this launch and attempt */
    int sentinel_rep;
    struct stop_state timed;
    double *warm; /* times of a point's warm-up calls, and as much scratch */
};

/* A point's series of samples. */
struct series {
    const char *id;
    double true_s, mean_share; /* what the slowest rank takes; the mean over ranks, of that */
    struct rng rng;
    int rep, n, n_warm, converged;
};

/* Those of the launch by its name, "...-p8-r1", as a launcher would start them however few of its
 * points are left; without a name as many as some point has. */
static int ranks_of(const struct launch *l)
{
    int most = 1, named;
    for (int i = 0; i < l->o->n_provenance; i++) {
        const char *p = l->o->provenance[i];
        for (p = strncmp(p, "launch=", 7) == 0 ? p : NULL; p && (p = strstr(p, "-p")); p++)
            if (sscanf(p, "-p%d-", &named) == 1 && named > 0)
                return named;
    }
    for (size_t i = 0; i < l->n; i++)
        most = l->points[i].cell.procs > most ? l->points[i].cell.procs : most;
    return most;
}

/* ---- samples ---- */

static struct sample draw(struct launch *l, struct series *series, int warmup)
{
    const double noisy = 1 + l->plant.noise * rng_normal(&series->rng);
    const double slow = series->rep < l->plant.slow_calls ? l->plant.slow_factor : 1;
    const double t = series->true_s * l->scale * slow * fmax(noisy, 0.01);
    const struct sample s = { .max_s = t,
                              .mean_s = series->mean_share * t,
                              .min_s = fmin(0.95, series->mean_share) * t,
                              .root_s = t,
                              .at_s = l->now_s,
                              .warmup = warmup,
                              .valid = 1 };
    l->now_s += t;
    return s;
}

static int warm_room(const struct launch *l)
{
    return l->o->warmup > WARM_MOST ? l->o->warmup : WARM_MOST;
}

static int run_block(struct launch *l, struct series *series, int n, int warmup, struct err *err)
{
    struct sample samples[BLOCK_MAX];
    const int first = series->rep;
    for (int i = 0; i < n; i++, series->rep++) {
        samples[i] = draw(l, series, warmup);
        if (!warmup)
            stop_add(&l->timed, samples[i].max_s, 0);
        else if (series->n_warm < warm_room(l))
            l->warm[series->n_warm++] = samples[i].max_s;
    }
    series->n += warmup ? 0 : n;
    return record_samples(&l->record, series->id, first, samples, n, err);
}

static int warm_up(struct launch *l, struct series *series, double began_s, struct err *err)
{
    const struct warm_rule rule = { .least = l->o->warmup, .budget_s = l->o->budget_s };
    int n;
    while ((n = warm_next(&rule, l->warm, series->n_warm, l->now_s - began_s,
                          l->warm + warm_room(l), BLOCK_MAX)) > 0)
        if (run_block(l, series, n, 1, err) < 0)
            return -1;
    return 0;
}

static int run_series(struct launch *l, struct series *series, struct err *err)
{
    const double began_s = l->now_s;
    if (l->o->deterministic) {
        series->converged = -1;
        return run_block(l, series, 1, 0, err);
    }
    stop_restart(&l->timed);
    if (warm_up(l, series, began_s, err) < 0)
        return -1;
    int n;
    while ((n = stop_next(&l->rule, &l->timed, l->now_s - began_s, BLOCK_MAX, &series->converged)) >
           0)
        if (run_block(l, series, n, 0, err) < 0)
            return -1;
    return 0;
}

/* Noise of its own for every point, launch and attempt. */
static void series_init(const struct launch *l, struct series *series, const char *id)
{
    *series = (struct series){ .id = id, .mean_share = 0.98 };
    rng_init(&series->rng, l->noise ^ fs_digest(id, strlen(id)));
}

/* ---- points ---- */

/* The last of every so many gather points of an algorithm lies. */
static int is_outlier(const struct launch *l, size_t index)
{
    const struct point *p = &l->points[index];
    int seen = 0;
    if (!l->plant.outlier_every || p->experiment != EXP_GATHER)
        return 0;
    for (size_t i = 0; i <= index; i++)
        seen += l->points[i].experiment == EXP_GATHER &&
                candidate_equal(&l->points[i].candidate, &p->candidate);
    return seen % l->plant.outlier_every == 0;
}

/* 1 when a planted death at this index shall happen now. */
static int due(const struct plant *plant, int at, size_t index)
{
    if (at != (int)index)
        return 0;
    if (!*plant->once)
        return 1;
    const int fd = open(plant->once, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* As if the machine died, and of the samples reached the disk less than of the outcomes. */
static void die_in_mid_line(struct launch *l)
{
    const off_t end = lseek(l->record.samples, 0, SEEK_END);
    if (ftruncate(l->record.samples, end - CUT_BYTES) == 0)
        raise(SIGKILL);
}

static void judge(const struct launch *l, const struct point *p, struct outcome *out)
{
    struct schedule s;
    char name[MOST_NAME + 1];
    struct err err = { 0 };
    *out = (struct outcome){ .status = "ok", .verified = "planted", .converged = -1 };
    if (p->experiment != EXP_TIME && p->experiment != EXP_GATHER)
        return;
    if (plant_schedule(&l->plant, p, &s, &err) < 0)
        return;
    const int is_default = algorithm_is_default(p->candidate.algorithm);
    snprintf(out->ran_algorithm, sizeof out->ran_algorithm, "%.20s:%.40s",
             is_default ? p->cell.mpi : "portable", schedule_name(&s, name, sizeof name));
    out->ran_segment_bytes = s.alg->segmented ? s.segment_bytes : 0;
    out->ran_fanout = s.fanout;
    if (is_default || strcmp(name, algorithm_base_name(p->candidate.algorithm)) == 0)
        return;
    snprintf(out->status, sizeof out->status, "substituted");
    snprintf(out->reason, sizeof out->reason, "%s ran as %s", p->candidate.algorithm,
             out->ran_algorithm);
}

static int finish(struct launch *l, const struct point *p, const struct series *series,
                  struct outcome *out, double began_s, struct err *err)
{
    out->n_rows = (uint64_t)series->rep;
    out->n = (uint64_t)series->n;
    out->converged = series->converged;
    out->elapsed_s = l->now_s - began_s;
    out->core_s = out->elapsed_s * ranks_of(l);
    l->spent_core_s += measure_options_spent(l->o, out, ranks_of(l));
    shared_samples_note(&l->once, p, out, 1);
    return record_outcome(&l->record, series->id, out, err);
}

static int measure_point(struct launch *l, size_t index, struct err *err)
{
    const struct point *p = &l->points[index];
    const double began_s = l->now_s;
    struct series series;
    struct outcome out;
    struct err why = { 0 };
    if (measure_options_stops(l->o, l->spent_core_s, &out))
        return record_outcome(&l->record, p->id, &out, err);
    series_init(l, &series, p->id);
    judge(l, p, &out);
    if (*l->plant.early && strcmp(algorithm_base_name(out.ran_algorithm), l->plant.early) == 0)
        series.mean_share = 0.05;
    const struct shared_samples_row *same = shared_samples_find(&l->once, p, &out);
    if (same) {
        shared_samples_take(&out, same);
        return record_outcome(&l->record, p->id, &out, err);
    }
    if (plant_time(&l->plant, p, &series.true_s, &why) < 0) {
        snprintf(out.status, sizeof out.status, "failed");
        snprintf(out.reason, sizeof out.reason, "%.255s", why.text);
        series.converged = -1;
        return finish(l, p, &series, &out, began_s, err);
    }
    if (l->plant.launch_noise > 0)
        series.true_s *= exp(l->plant.launch_noise * rng_normal(&series.rng));
    if (is_outlier(l, index))
        series.true_s *= l->plant.outlier_factor;
    if (due(&l->plant, l->plant.hang_at, index))
        for (;;)
            pause();
    if (run_series(l, &series, err) < 0)
        return -1;
    if (due(&l->plant, l->plant.crash_at, index))
        raise(SIGKILL);
    if (finish(l, p, &series, &out, began_s, err) < 0)
        return -1;
    if (due(&l->plant, l->plant.truncate_at, index))
        die_in_mid_line(l);
    return 0;
}

/* The launch's first time point, again and again. */
static int measure_sentinel(struct launch *l, const struct point *p, struct err *err)
{
    struct series series;
    series_init(l, &series, "sentinel");
    series.rep = l->sentinel_rep;
    series.rng.s[0] ^= (uint64_t)l->sentinel_rep * 0x9e3779b97f4a7c15u;
    if (plant_time(&l->plant, p, &series.true_s, err) < 0 || run_block(l, &series, 1, 1, err) < 0)
        return -1;
    const int n = l->o->min_reps < BLOCK_MAX ? l->o->min_reps : BLOCK_MAX;
    const int status = run_block(l, &series, n, 0, err);
    l->sentinel_rep = series.rep;
    return status;
}

/* ---- the launch ---- */

static const struct point *find_sentinel(const struct launch *l)
{
    if (l->o->deterministic || !l->o->sentinel_every)
        return NULL;
    for (size_t i = 0; i < l->n; i++)
        if (l->points[i].experiment == EXP_TIME)
            return &l->points[i];
    return NULL;
}

/* Sleeps, and says twice a second that it is alive, as the measuring program does of a long point.
 */
static void sleep_for(double seconds, size_t done, size_t n)
{
    const double step_s = 0.5;
    for (; seconds > 0; seconds -= step_s) {
        const struct timespec t = { 0,
                                    (long)(1e9 * (seconds < step_s ? seconds : step_s * 0.999)) };
        nanosleep(&t, NULL);
        fprintf(stderr, "progress %zu %zu\n", done, n);
    }
}

/* A launch that can be looked at, or killed, at this point, however busy the machine is. */
static void stay_at(const struct plant *plant, size_t done, size_t n)
{
    while (*plant->stay && (size_t)plant->stay_at == done && access(plant->stay, F_OK) == 0)
        sleep_for(0.02, done, n);
}

static int measure_all(struct launch *l, struct err *err)
{
    const struct point *sentinel = find_sentinel(l);
    for (size_t i = 0; i < l->n; i++) {
        if (l->plant.slowdown_after != NEVER && (size_t)l->plant.slowdown_after <= i)
            l->scale = l->plant.slowdown_factor;
        if (sentinel && i % (size_t)l->o->sentinel_every == 0 &&
            measure_sentinel(l, sentinel, err) < 0)
            return -1;
        if (l->plant.sleep_s > 0)
            sleep_for(l->plant.sleep_s, i, l->n);
        stay_at(&l->plant, i, l->n);
        if (measure_point(l, i, err) < 0)
            return -1;
        fprintf(stderr, "progress %zu %zu\n", i + 1, l->n);
    }
    return 0;
}

static int read_points(struct launch *l, struct err *err)
{
    struct schema_reader in;
    struct point p;
    int got;
    if (schema_open(&in, &point_schema, l->o->points, err) < 0)
        return -1;
    while ((got = schema_next(&in, &p, err)) == 1) {
        struct point *next = array_add(&l->points, &l->n);
        if (!next) {
            got = err_set(err, "out of memory");
            break;
        }
        *next = p;
    }
    schema_close(&in);
    return got;
}

/* Ranks by the mapping that was asked, on hosts that exist nowhere. */
static int write_placement(const struct launch *l, struct err *err)
{
    const int ranks = ranks_of(l);
    const struct placement asked = { .seating = { .mapping = l->o->mapping,
                                                  .nodes = l->o->nodes,
                                                  .ppn = l->o->ppn,
                                                  .procs = ranks,
                                                  .sockets = l->o->sockets,
                                                  .cores = l->o->cores,
                                                  .cache_cores = l->o->cache_cores } };
    struct place *places = calloc((size_t)ranks, sizeof *places);
    if (!places)
        return err_set(err, "out of memory");
    for (int r = 0; r < ranks; r++) {
        places[r] = (struct place){ .socket = -1, .core = -1 };
        snprintf(places[r].host, sizeof places[r].host, "planted%d", seat_node(&asked.seating, r));
    }
    const int status = record_placement(l->o->placement, &asked, places, "", err);
    free(places);
    return status;
}

/* "# key: value" lines, to be freed. */
static char *provenance(const struct launch *l)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    for (int i = 0; out && i < l->o->n_provenance; i++) {
        const char *equals = strchr(l->o->provenance[i], '=');
        fprintf(out, "# %.*s: %s\n", (int)(equals - l->o->provenance[i]), l->o->provenance[i],
                equals[1] ? equals + 1 : "unknown");
    }
    if (out) {
        fprintf(out, "# digest: %s\n# clock: planted\n# planted_seed: %llu\n", l->o->digest,
                (unsigned long long)l->plant.seed);
        fclose(out);
    }
    return text;
}

static int record(struct launch *l, struct err *err)
{
    char *text = provenance(l);
    if (!text)
        return err_set(err, "out of memory");
    int status = record_open(&l->record, l->o->samples, l->o->outcomes, text, 1, err);
    free(text);
    if (status < 0)
        return -1;
    status = write_placement(l, err);
    if (status == 0)
        status = measure_all(l, err);
    if (record_close(&l->record, status == 0 ? err : NULL) < 0)
        status = -1;
    return status;
}

static int launch_run(const struct measure_options *o, struct err *err)
{
    struct launch l = { .o = o, .scale = 1, .rule = measure_options_stop_rule(o) };
    const char *slash = strrchr(o->points, '/'), *attempt = slash ? slash + 1 : o->points;
    if (plant_read(&l.plant, err) < 0)
        return -1;
    l.noise = fs_digest(attempt, strlen(attempt)) ^ l.plant.seed * 0x9e3779b97f4a7c15u;
    int status = read_points(&l, err);
    l.warm = memory_zeros(2 * (size_t)warm_room(&l), sizeof *l.warm);
    stop_init(&l.timed, o->max_reps);
    if (status == 0)
        status = record(&l, err);
    stop_clear(&l.timed);
    free(l.warm);
    free(l.points);
    shared_samples_clear(&l.once);
    plant_clear(&l.plant);
    return status;
}

int main(int argc, char **argv)
{
    struct measure_options o;
    struct err err = { 0 };
    if (argc == 2 && strcmp(argv[1], "--library") == 0) { /* it is built for none */
        puts("library: planted");
        return EXIT_DONE;
    }
    int status = measure_options_parse(&o, argc, argv, &err);
    if (status == 0 && o.help) {
        measure_options_help(stdout);
        plant_help(stdout);
        return EXIT_DONE;
    }
    if (status == 0)
        status = launch_run(&o, &err);
    if (status < 0)
        fprintf(stderr, "measure: %s\n", err.text);
    return status < 0 ? err.status : EXIT_DONE;
}
