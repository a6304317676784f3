/* SPDX-License-Identifier: BSD-3-Clause */
/* walk.c - the measuring program of the backend `walk`: no MPI, no simulator. Same files as the
 * measuring program's (workloads/measure/measure.c), but every time is what the walk of
 * analysis/walk/ replay.h takes for it on the platform that the cluster file describes. */
#include "analysis/walk/replay.h"
#include "workloads/measure/shared_samples.h"
#include "workloads/measure/options.h"
#include "workloads/measure/record.h"

struct launch {
    const struct measure_options *o;
    struct cluster cluster;
    struct seating seating;
    struct platform *platform;
    struct replay *replay;
    struct record record;
    struct shared_samples once;
    struct point *points;
    size_t n;
    double now_s;        /* all calls so far */
    double spent_core_s; /* as o->core_budget_s counts */
    int *member;         /* ranks of the launch that take part in a point */
    char *takes_part;    /* the same as a row of marks */
    double *begin_s, *end_s;
    int *order;        /* in which ranks come out of the barrier before a call */
    int ordered_procs; /* of so many ranks, on this channel; 0: not known yet */
    enum channel ordered_channel;
};

/* The measuring program's barrier of gamma (workloads/clocks/sync.c): all tell rank 0, one after
 * the other, which then tells all. */
static uint64_t central_rounds(const struct schedule *s, int rank)
{
    return s->procs < 2 ? 0 : rank == 0 ? 2 * (uint64_t)(s->procs - 1) : 2;
}

static void central_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t others = (uint64_t)s->procs - 1;
    if (rank > 0 && k == 0)
        round_send(out, BUF_DATA, 0, 0, 0);
    else if (rank > 0)
        round_recv(out, BUF_DATA, 0, 0, 0);
    else if (k < others)
        round_recv(out, BUF_DATA, 0, 0, (int)k + 1);
    else
        round_send(out, BUF_DATA, 0, 0, (int)(k - others) + 1);
}

static uint64_t pingpong_rounds(const struct schedule *s, int rank)
{
    return rank == 0 || rank == s->procs - 1 ? 2 : 0;
}

static void pingpong_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int other = rank == 0 ? s->procs - 1 : 0;
    if ((rank == 0) == (k == 0))
        round_send(out, BUF_DATA, 0, s->bytes, other);
    else
        round_recv(out, BUF_DATA, 0, s->bytes, other);
}

/* SMPI's broadcast of the word that all are ready: the farthest rank first. */
static uint64_t word_rounds(const struct schedule *s, int rank)
{
    uint64_t rounds = rank > 0;
    for (int bit = 1; bit < s->procs && !(rank & bit); bit *= 2)
        rounds += rank + bit < s->procs;
    return rounds;
}

static void word_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    int bit = 1;
    while (bit < s->procs && !(rank & bit))
        bit *= 2;
    if (rank > 0 && k-- == 0) {
        round_recv(out, BUF_DATA, 0, s->bytes, rank - bit);
        return;
    }
    for (bit /= 2; bit > 0; bit /= 2)
        if (rank + bit < s->procs && k-- == 0) {
            round_send(out, BUF_DATA, 0, s->bytes, rank + bit);
            return;
        }
}

static const struct algorithm word = { .name = "word", .rounds = word_rounds, .round = word_round };
static const struct algorithm central = { .name = "central",
                                          .rounds = central_rounds,
                                          .round = central_round };
static const struct algorithm pingpong = { .name = "pingpong",
                                           .rounds = pingpong_rounds,
                                           .round = pingpong_round };

struct plan_of_point {
    struct schedule schedule[2];
    struct replay_part part[2];
    struct replay_call call;
    double share; /* of the whole time, of one call */
};

static void add_part(struct plan_of_point *plan, int plain)
{
    const size_t i = plan->call.parts++;
    plan->part[i] = (struct replay_part){ &plan->schedule[i], plain };
}

static void add_plain(struct plan_of_point *plan, const struct algorithm *alg,
                      const struct point *p)
{
    plan->schedule[plan->call.parts] =
        (struct schedule){ .alg = alg, .procs = p->cell.procs, .bytes = p->cell.bytes };
    add_part(plan, 1);
}

static int add_candidate(const struct launch *l, struct plan_of_point *plan, const struct point *p,
                         struct err *err)
{
    if (strncmp(p->candidate.algorithm, "portable:", 9) != 0)
        return err_set(err, "'%s' has no schedule to walk", p->candidate.algorithm);
    if (measure_options_schedule(l->o, p, &plan->schedule[plan->call.parts], err) < 0)
        return -1;
    add_part(plan, 0);
    return 0;
}

static int add_closing(struct plan_of_point *plan, const struct point *p, struct err *err)
{
    if (schedule_init(&plan->schedule[plan->call.parts], collective_closing(p->cell.collective),
                      p->cell.procs, p->cell.root, p->gather_bytes, 0, 0, err) < 0)
        return -1;
    add_part(plan, 0);
    return 0;
}

static void repeat(struct plan_of_point *plan, int times)
{
    plan->call.times = times;
    plan->share = 1.0 / times;
}

/* As ready_call_init (workloads/measure/ready_call.c) makes it ready. */
static int plan_point(const struct launch *l, const struct point *p, struct plan_of_point *plan,
                      struct err *err)
{
    *plan = (struct plan_of_point){ .share = 1 };
    plan->call = (struct replay_call){ .part = plan->part,
                                       .times = 1,
                                       .member = l->member,
                                       .begin_s = l->begin_s,
                                       .order = l->order };
    switch (p->experiment) {
    case EXP_BARRIER:
        add_plain(plan, &central, p);
        repeat(plan, l->o->inner);
        return 0;
    case EXP_PINGPONG:
        if (p->cell.procs < 2)
            return err_set(err, "a ping-pong wants 2 ranks");
        add_plain(plan, &pingpong, p);
        plan->share = 0.5;
        return 0;
    case EXP_GAMMA:
        if (add_candidate(l, plan, p, err) < 0)
            return -1;
        add_plain(plan, &central, p);
        repeat(plan, l->o->inner);
        return 0;
    case EXP_GATHER:
        return add_candidate(l, plan, p, err) < 0 ? -1 : add_closing(plan, p, err);
    default:
        return add_candidate(l, plan, p, err);
    }
}

/* The ranks that take part, and when each of them calls. */
static int gather_team(const struct launch *l, const struct point *p, struct err *err)
{
    struct arrival arrival;
    struct arrival_trace trace = { .ranks = 0 };
    char path[PATH_SIZE];
    if (seat_team(&l->seating, p->channel, p->cell.procs, l->takes_part) < p->cell.procs)
        return err_set(err, "the launch has not %d ranks on channel '%s'", p->cell.procs,
                       channel_words[p->channel]);
    for (int r = 0, n = 0; r < l->seating.procs; r++)
        if (l->takes_part[r])
            l->member[n++] = r;
    if (arrival_parse(p->cell.arrival, &arrival, err) < 0)
        return -1;
    if (arrival.kind == ARRIVAL_TRACE &&
        (fs_path(path, sizeof path, err, "%s/%s.csv", l->o->arrivals ? l->o->arrivals : ".",
                 arrival.digest) < 0 ||
         arrival_trace_read(path, &trace, err) < 0))
        return -1;
    const int enough = arrival.kind != ARRIVAL_TRACE || trace.ranks >= p->cell.procs;
    for (int r = 0; enough && r < p->cell.procs; r++)
        l->begin_s[r] = arrival_delay(&arrival, trace.delay_s, r, p->cell.procs);
    arrival_trace_clear(&trace);
    return enough ? 0
                  : err_set(err, "'%.200s' has %d ranks of %d", path, trace.ranks, p->cell.procs);
}

struct timed_rank {
    double at;
    int rank;
};

static int by_time(const void *a, const void *b)
{
    const struct timed_rank *x = a, *y = b;
    return by_keys(ascending(x->at, y->at), ascending(x->rank, y->rank));
}

/* Ranks come out of the barrier in the order in which they came to it: that in which they had the
 * word that all are ready (workloads/measure/team.c). It decides who is first where all do the
 * same. */
static int find_order(struct launch *l, int procs, enum channel channel, struct err *err)
{
    const struct schedule s = { .alg = &word, .procs = procs, .bytes = sizeof(int) };
    const struct replay_part part = { &s, 1 };
    const struct replay_call call = { .part = &part, .parts = 1, .times = 1, .member = l->member };
    if (l->ordered_procs == procs && l->ordered_channel == channel)
        return 0;
    if (replay_walk(l->replay, &call, l->end_s, NULL, err) < 0)
        return -1;
    struct timed_rank *ranks = memory_zeros((size_t)procs, sizeof *ranks);
    for (int r = 0; r < procs; r++)
        ranks[r] = (struct timed_rank){ l->end_s[r], r };
    qsort(ranks, (size_t)procs, sizeof *ranks, by_time);
    for (int i = 0; i < procs; i++)
        l->order[i] = ranks[i].rank;
    free(ranks);
    l->ordered_procs = procs;
    l->ordered_channel = channel;
    return 0;
}

/* As the measuring program reckons (workloads/measure/timing.c): where ranks do not call together,
 * time counts from the last one's call on. */
static struct sample sample_of(const struct launch *l, const struct point *p, double share)
{
    const int procs = p->cell.procs, root = p->experiment == EXP_PINGPONG ? 0 : p->cell.root;
    double first = INFINITY, last = 0, end = 0, sum = 0, min = INFINITY, max = 0;
    for (int r = 0; r < procs; r++) {
        first = fmin(first, l->begin_s[r]);
        last = fmax(last, l->begin_s[r]);
        end = fmax(end, l->end_s[r]);
    }
    for (int r = 0; r < procs; r++) {
        const double took = fmax(0, l->end_s[r] - last);
        sum += took;
        min = fmin(min, took);
        max = fmax(max, took);
    }
    return (struct sample){ .max_s = max * share,
                            .mean_s = sum / procs * share,
                            .min_s = min * share,
                            .root_s = fmax(0, l->end_s[root] - last) * share,
                            .span_s = l->o->ranks ? (end - first) * share : 0,
                            .at_s = l->now_s,
                            .valid = 1 };
}

static void tell_what_ran(const struct point *p, const struct plan_of_point *plan,
                          struct outcome *out)
{
    const struct schedule *s = &plan->schedule[0];
    char name[MOST_NAME + 1];
    if (!plan->call.parts || plan->part[0].plain)
        return;
    snprintf(out->ran_algorithm, sizeof out->ran_algorithm, "portable:%s",
             schedule_name(s, name, sizeof name));
    out->ran_segment_bytes = s->alg->segmented ? s->segment_bytes : 0;
    out->ran_fanout = s->fanout;
    if (s->alg == s->asked)
        return;
    snprintf(out->status, sizeof out->status, "substituted");
    snprintf(out->reason, sizeof out->reason, "%s runs as %s for these arguments",
             algorithm_base_name(p->candidate.algorithm), s->alg->name);
}

/* A copy is what the file says; all else is walked, but what was walked already by another name:
 * *same. */
static int walk_point(struct launch *l, const struct point *p, struct outcome *out,
                      const struct shared_samples_row **same, struct sample *sample,
                      struct err *err)
{
    struct plan_of_point plan = { .share = 1 };
    if (gather_team(l, p, err) < 0 || find_order(l, p->cell.procs, p->channel, err) < 0)
        return -1;
    if (p->experiment == EXP_COPY) {
        l->end_s[0] = l->begin_s[0] + simulated_cost_seconds(&l->cluster.copy_cost, p->cell.bytes);
    } else {
        if (plan_point(l, p, &plan, err) < 0)
            return -1;
        tell_what_ran(p, &plan, out);
        if ((*same = shared_samples_find(&l->once, p, out)))
            return 0;
        if (replay_walk(l->replay, &plan.call, l->end_s, NULL, err) < 0)
            return -1;
    }
    *sample = sample_of(l, p, plan.share);
    out->elapsed_s = sample->max_s / plan.share;
    return 0;
}

/* Every rank's times, where they are kept. */
static int record_ranks(struct launch *l, const struct point *p, struct err *err)
{
    for (int r = 0; l->o->ranks && r < p->cell.procs; r++) {
        const double took = l->end_s[r] - l->begin_s[r];
        if (record_rank(&l->record, p->id, 0, r, &l->begin_s[r], &took, 1, err) < 0)
            return -1;
    }
    return 0;
}

static int measure_point(struct launch *l, const struct point *p, struct err *err)
{
    struct outcome out = { .status = "ok", .verified = "walked", .converged = -1 };
    const struct shared_samples_row *same = NULL;
    struct sample sample;
    struct err why = { 0 };
    if (measure_options_stops(l->o, l->spent_core_s, &out))
        return record_outcome(&l->record, p->id, &out, err);
    if (walk_point(l, p, &out, &same, &sample, &why) < 0) {
        snprintf(out.status, sizeof out.status, "failed");
        snprintf(out.reason, sizeof out.reason, "%.255s", why.text);
        return record_outcome(&l->record, p->id, &out, err);
    }
    if (same) {
        shared_samples_take(&out, same);
        return record_outcome(&l->record, p->id, &out, err);
    }
    l->now_s += out.elapsed_s;
    l->spent_core_s += measure_options_spent(l->o, &out, l->seating.procs);
    out.core_s = out.elapsed_s * l->seating.procs;
    out.n_rows = out.n = 1;
    shared_samples_note(&l->once, p, &out, 1);
    return record_samples(&l->record, p->id, 0, &sample, 1, err) < 0 ||
                   record_ranks(l, p, err) < 0 || record_outcome(&l->record, p->id, &out, err) < 0
               ? -1
               : 0;
}

static int read_points(struct launch *l, struct err *err)
{
    struct schema_reader in;
    struct point p;
    int got;
    if (schema_open(&in, &point_schema, l->o->points, err) < 0)
        return -1;
    while ((got = schema_next(&in, &p, err)) == 1)
        *array_add(&l->points, &l->n) = p;
    schema_close(&in);
    return got;
}

/* Ranks by the mapping that was asked, on nodes that exist nowhere. */
static int write_placement(const struct launch *l, struct err *err)
{
    const struct placement asked = { .seating = l->seating };
    struct place *places = memory_zeros((size_t)l->seating.procs, sizeof *places);
    for (int r = 0; r < l->seating.procs; r++) {
        places[r] = (struct place){ .socket = -1, .core = -1 };
        snprintf(places[r].host, sizeof places[r].host, "n%d", seat_node(&l->seating, r));
    }
    const int status = record_placement(l->o->placement, &asked, places, "", err);
    free(places);
    return status;
}

/* "# key: value" lines, to be freed. */
static char *provenance(const struct launch *l)
{
    char *text;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    for (int i = 0; i < l->o->n_provenance; i++) {
        const char *equals = strchr(l->o->provenance[i], '=');
        fprintf(out, "# %.*s: %s\n", (int)(equals - l->o->provenance[i]), l->o->provenance[i],
                equals[1] ? equals + 1 : "unknown");
    }
    fprintf(out, "# digest: %s\n# clock: walked: nothing was run or simulated\n", l->o->digest);
    fclose(out);
    return text;
}

static int record_all(struct launch *l, struct err *err)
{
    if (l->o->ranks && record_open_ranks(&l->record, l->o->ranks, err) < 0)
        return -1;
    for (size_t i = 0; i < l->n; i++) {
        if (measure_point(l, &l->points[i], err) < 0)
            return -1;
        fprintf(stderr, "progress %zu %zu\n", i + 1, l->n);
    }
    return 0;
}

static int record(struct launch *l, struct err *err)
{
    char *text = provenance(l);
    int status = record_open(&l->record, l->o->samples, l->o->outcomes, text, 1, err);
    free(text);
    if (status < 0)
        return -1;
    status = write_placement(l, err);
    if (status == 0)
        status = record_all(l, err);
    if (record_close(&l->record, status == 0 ? err : NULL) < 0)
        status = -1;
    return status;
}

static int launch_run(const struct measure_options *o, const char *cluster, int procs,
                      struct err *err)
{
    struct launch l = { .o = o, .record = { .ranks = -1 } };
    if (cluster_load(".", cluster, &l.cluster, err) < 0)
        return -1;
    l.seating = measure_options_seating(o, o->mapping, o->nodes, o->ppn, procs);
    l.member = memory_zeros((size_t)procs, sizeof *l.member);
    l.takes_part = memory_zeros((size_t)procs, sizeof *l.takes_part);
    l.order = memory_zeros((size_t)procs, sizeof *l.order);
    l.begin_s = memory_zeros((size_t)procs, sizeof *l.begin_s);
    l.end_s = memory_zeros((size_t)procs, sizeof *l.end_s);
    l.platform = platform_new(&l.cluster, &l.seating, err);
    l.replay = l.platform ? replay_new(l.platform) : NULL;
    const int status = l.replay && read_points(&l, err) == 0 ? record(&l, err) : -1;
    replay_free(l.replay);
    platform_free(l.platform);
    cluster_free(&l.cluster);
    free(l.points);
    shared_samples_clear(&l.once);
    memory_free(l.member, l.takes_part, l.order, l.begin_s, l.end_s);
    return status;
}

static void help(void)
{
    puts(
        "usage: measure CLUSTER.ini PROCS OPTION...\n\nWalks the points of a launch of so many "
        "ranks on the platform of a cluster file\n(`collsel measure --backend walk` starts it):\n");
    measure_options_help(stdout);
}

int main(int argc, char **argv)
{
    struct measure_options o;
    struct err err = { 0 };
    int64_t procs = 0;
    if (argc < 3 || strcmp(argv[1], "--help") == 0) {
        help();
        return argc < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    int status = measure_options_parse(&o, argc - 2, argv + 2, &err);
    if (status == 0 && (parse_i64(argv[2], &procs, NULL) < 0 || procs < 1 || procs > INT_MAX))
        status = err_usage(&err, "'%s' is no number of ranks (want 1 or more)", argv[2]);
    if (status == 0)
        status = launch_run(&o, argv[1], (int)procs, &err);
    if (status < 0)
        fprintf(stderr, "walk: %s\n", err.text);
    return status < 0 ? err.status : EXIT_DONE;
}
