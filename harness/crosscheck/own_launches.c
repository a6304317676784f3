/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/crosscheck/own_launches.h"

#include "harness/base/robust.h"
#include "harness/study/store.h"

int own_launches_has(const struct own_launches *o, const char *collective, const char *algorithm)
{
    return any_below(
        i, o->plan.n,
        strcmp(o->plan.points[i].cell.collective, collective) == 0 &&
            strcmp(algorithm_base_name(o->plan.points[i].candidate.algorithm), algorithm) == 0);
}

/* Is it one that the library of this release runs with all of the sizes? */
static int runs(const struct cross_request *r, const char *version, const char *collective,
                const char *algorithm)
{
    const struct native *n = native_find(r->mpi, collective, algorithm);
    if (strcmp(algorithm, "default") == 0)
        return 1;
    if (!n || !version_within(version, n->from, n->below))
        return 0;
    return !any_below(i, r->n_bytes, native_refusal(n, r->procs, r->bytes[i], 0));
}

static void add_point(struct own_launches *o, const char *collective, const char *algorithm,
                      uint64_t bytes)
{
    const struct cross_request *r = o->req;
    struct point *p = array_add(&o->plan.points, &o->plan.n);
    *p = (struct point){ .experiment = EXP_TIME, .purpose = FOR_STUDY };
    p->cell.nodes = 1;
    p->cell.ppn = p->cell.procs = r->procs;
    p->cell.bytes = bytes;
    snprintf(p->cell.collective, sizeof p->cell.collective, "%s", collective);
    snprintf(p->cell.mpi, sizeof p->cell.mpi, "%s", r->mpi);
    snprintf(p->cell.mapping, sizeof p->cell.mapping, "core");
    snprintf(p->candidate.algorithm, sizeof p->candidate.algorithm, "%.30s:%.30s",
             mpi_family(r->mpi), algorithm);
    point_identify(p);
}

static int add_points(struct own_launches *o, const char *version, struct err *err)
{
    const struct cross_request *r = o->req;
    for (size_t a = 0; a < r->n_algorithms; a++) {
        int used = 0;
        for (size_t k = 0; k < r->n_collectives; k++) {
            if (!runs(r, version, r->collective[k], r->algorithm[a]))
                continue;
            used = 1;
            for (size_t i = 0; i < r->n_bytes; i++)
                add_point(o, r->collective[k], r->algorithm[a], r->bytes[i]);
        }
        if (!used)
            return err_usage(err, "%s %s runs no '%s' among %d ranks for any of the collectives",
                             r->mpi, version, r->algorithm[a], r->procs);
    }
    return 0;
}

static void say_settings(struct own_launches *o, const char *version)
{
    const struct cross_request *r = o->req;
    int n = snprintf(o->settings, sizeof o->settings,
                     "mpi = %s %s\nprocs = %d\niterations = %d\nwarmups = %d\nseed = %d\n", r->mpi,
                     version, r->procs, r->iterations, r->warmups, r->seed);
    uint64_t points = 0;
    for (size_t i = 0; i < o->plan.n; i++)
        points = points * 31 + fs_digest(o->plan.points[i].id, ID_SIZE - 1);
    snprintf(o->settings + n, sizeof o->settings - (size_t)n, "points = %zu, %016llx\n", o->plan.n,
             (unsigned long long)points);
    snprintf(o->digest, sizeof o->digest, "%08x",
             (unsigned)(fs_digest(o->settings, strlen(o->settings)) >> 32));
}

int own_launches_init(struct own_launches *o, const struct cross_request *request,
                      const char *version, struct err *err)
{
    const struct cluster *c = request->cluster;
    *o = (struct own_launches){ .req = request };
    if (add_points(o, version, err) < 0)
        return -1;
    o->launch = (struct launch){
        .nodes = 1, .ppn = request->procs, .procs = request->procs, .repeat = 1, .n = o->plan.n
    };
    snprintf(o->launch.mpi, sizeof o->launch.mpi, "%s", request->mpi);
    snprintf(o->launch.mapping, sizeof o->launch.mapping, "core");
    o->crowded = request->procs > c->sockets * c->cores;
    say_settings(o, version);
    return 0;
}

static struct launch launch_of(const struct own_launches *o, int round)
{
    struct launch l = o->launch;
    l.repeat = round;
    launch_name(&l);
    return l;
}

int own_launches_done(const struct own_launches *o, int round, struct err *err)
{
    struct store store;
    size_t found = 0;
    if (store_open(o->req->results, o->digest, &store, err) < 0)
        return -1;
    for (size_t i = 0; i < o->plan.n; i++)
        found += store_find(&store, o->plan.points[i].id, round) != NULL;
    store_free(&store);
    return found == o->plan.n;
}

int own_launches_begin(struct own_launches *o, int round, char *path, struct err *err)
{
    const struct launch l = launch_of(o, round);
    char points[PATH_SIZE];
    const int attempts = store_attempts(o->req->results, l.name, err);
    snprintf(o->base, sizeof o->base, "%s.a%d", l.name, attempts + 1);
    if (attempts < 0 ||
        fs_path(path, PATH_SIZE, err, "%s/launches/%s.log", o->req->results, o->base) < 0 ||
        fs_path(points, sizeof points, err, "%s/launches/%s.csv", o->req->results, o->base) < 0)
        return -1;
    return o->req->dry_run ? 0 : plan_write_launch(&o->plan, &l, NULL, points, err);
}

static void add_file(struct argv *args, const char *option, const char *dir, const char *base,
                     const char *rest)
{
    argv_add(args, "--%s", option);
    argv_add(args, "%s/%s%s", dir, base, rest);
}

int own_launches_words(const struct own_launches *o, struct argv *args, struct err *err)
{
    const struct cross_request *r = o->req;
    char named[LAUNCH_SIZE + 32], dir[PATH_SIZE];
    snprintf(named, sizeof named, "%s-%s", o->base, o->digest);
    if (fs_path(dir, sizeof dir, err, "%s/samples", r->results) < 0 ||
        (!r->dry_run && fs_mkdirs(dir, err) < 0))
        return -1;
    argv_add(args, "--points");
    argv_add(args, "%s/launches/%s.csv", r->results, o->base);
    add_file(args, "samples", dir, named, ".csv");
    add_file(args, "outcomes", dir, named, ".outcomes.csv");
    add_file(args, "placement", dir, named, ".placement.csv");
    argv_add(args, "--digest=%s", o->digest);
    argv_add(args, "--mapping=core");
    argv_add(args, "--nodes=1");
    argv_add(args, "--ppn=%d", r->procs);
    argv_add(args, "--sockets=%d", r->cluster->sockets);
    argv_add(args, "--cores=%d", r->cluster->cores);
    argv_add(args, "--min-reps=%d", r->iterations); /* as many as the others make */
    argv_add(args, "--max-reps=%d", r->iterations);
    argv_add(args, "--warmup=%d", r->warmups);
    if (o->own_memory)
        argv_add(args, "--own-memory");
    argv_add(args, "--clean"); /* a parameter file may select algorithms, for the tools as for us */
    return 0;
}

/* Both statistics of one outcome's samples; NaN without any. */
static void statistics(const struct sample *s, size_t n, double out[N_CROSS_STATISTICS])
{
    double sum = 0, *x = memory_zeros(n + 1, sizeof *x);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i].valid && !s[i].warmup) {
            sum += s[i].mean_s;
            x[m++] = s[i].max_s;
        }
    out[CROSS_MEAN_OF_RANKS] = m ? sum / (double)m : NAN;
    out[CROSS_MEDIAN_OF_MAX] = robust_median(x, m);
    free(x);
}

static void add_values(const struct point *p, int round, const double seconds[N_CROSS_STATISTICS],
                       struct cross_values *values)
{
    for (enum cross_statistic s = 0; s < N_CROSS_STATISTICS; s++) {
        struct cross_value *v = array_add(&values->v, &values->n);
        *v = (struct cross_value){ .tool = -1,
                                   .statistic = s,
                                   .bytes = p->cell.bytes,
                                   .round = round,
                                   .seconds = seconds[s] };
        snprintf(v->collective, sizeof v->collective, "%s", p->cell.collective);
        snprintf(v->algorithm, sizeof v->algorithm, "%s",
                 algorithm_base_name(p->candidate.algorithm));
    }
}

/* One point in one round; one that failed, or was found to be something else, gives no number. */
static int read_point(const struct store *store, const struct point *p, int round,
                      struct cross_values *values, struct err *err)
{
    double seconds[N_CROSS_STATISTICS];
    const struct outcome *o = store_find(store, p->id, round);
    if (!o || (strcmp(o->status, "ok") != 0 && strcmp(o->status, "substituted") != 0))
        return 0;
    size_t n;
    struct sample *s = store_samples(store, o, &n, err);
    if (!s)
        return -1;
    statistics(s, n, seconds);
    free(s);
    add_values(p, round, seconds, values);
    return 0;
}

int own_launches_read(const struct own_launches *o, struct cross_values *values, struct err *err)
{
    struct store store;
    int status = 0;
    if (store_open(o->req->results, o->digest, &store, err) < 0)
        return -1;
    for (int round = 1; round <= o->req->rounds && status == 0; round++)
        for (size_t i = 0; i < o->plan.n && status == 0; i++)
            status = read_point(&store, &o->plan.points[i], round, values, err);
    store_free(&store);
    return status;
}
