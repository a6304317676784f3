/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_walk-t.c - the walker against the closed forms (written by hand, without schedules), where
 * they are claimed to be equal, and against hand-counted cases elsewhere. */
#include "analysis/walk/closed.h"
#include "analysis/walk/stage_walk.h"
#include "tests/tap.h"
#include "workloads/schedules/trace.h"

#include <math.h>
#include <sys/resource.h>

enum { MAX_PROCS = 1024, SEGMENT = 8192 };

static const int segment_counts[] = { 1, 2, 4, 6, 8, 16, 24, 32 };
enum { N_COUNTS = sizeof segment_counts / sizeof *segment_counts };

static const double ALPHA = 3e-5, BETA = 2.5e-9;

/* Sums of up to a thousand terms in another order: rounding only. */
static const double ROUNDING = 1e-12;

static int gamma_procs[] = { 3, 4, 5, 6, 7, 8, 16, 64 };
static double gamma_values[] = { 1.11, 1.22, 1.28, 1.45, 1.54, 1.6, 3.1, 11.0 };
static const struct gamma rising = { .n = sizeof gamma_procs / sizeof *gamma_procs,
                                     .procs = gamma_procs,
                                     .value = gamma_values,
                                     .intercept = 0.7,
                                     .slope = 0.16 };

static int walk(const char *collective, const char *name, int procs, int root, uint64_t bytes,
                uint64_t segment, int fanout, struct schedule *s, struct stage_profile *profile)
{
    struct err err = { 0 };
    if (schedule_init(s, algorithm_find(collective, name), procs, root, bytes, segment, fanout,
                      &err) < 0 ||
        stage_walk(s, profile, &err) < 0) {
        diag("%s P=%d: %s", name, procs, err.text);
        return -1;
    }
    return 0;
}

/* Walked minus closed form, in units of gamma (transfers of one segment); NAN when it cannot be. */
static double excess(const char *name, int procs, int root, int segments, int fanout)
{
    struct schedule s;
    struct stage_profile p;
    uint64_t bytes = (uint64_t)segments * SEGMENT;
    if (walk("bcast", name, procs, root, bytes, SEGMENT, fanout, &s, &p) < 0)
        return NAN;
    double walked = stage_time(&p, &rising, ALPHA, BETA);
    double closed = closed_time(CLOSED_STAGE, &s, &rising, ALPHA, BETA);
    stage_profile_clear(&p);
    double unit = ALPHA + SEGMENT * BETA, diff = (walked - closed) / unit;
    return fabs(diff) < ROUNDING * closed / unit ? 0 : diff;
}

typedef int (*claim_fn)(int procs, int segments, int fanout);

static int always(int procs, int segments, int fanout)
{
    (void)procs, (void)segments, (void)fanout;
    return 1;
}

static int power_of_two(int procs, int segments, int fanout)
{
    (void)segments, (void)fanout;
    return (procs & (procs - 1)) == 0;
}

/* P > (K-1) K^(L-1), K >= 3: the root has all its children, and the first of them a full subtree.
 */
static int root_is_full(int procs, int segments, int fanout)
{
    (void)segments;
    int reach = 1;
    while (reach * fanout < procs)
        reach *= fanout;
    return procs > (fanout - 1) * reach;
}

/* 3 * 2^(H-1) <= P < 2^(H+1): both children of the first rank above the last level are there. */
static int half_full(int procs, int segments, int fanout)
{
    (void)segments, (void)fanout;
    int level = 1;
    while (2 * level <= procs)
        level *= 2;
    return 2 * procs >= 3 * level;
}

/* Equal exactly where the claim says, smaller elsewhere; for all segment counts, all P to 40, and
 * some above (all with COLLSEL_LONG). */
static void check_equality(const char *name, int fanout, claim_fn equal)
{
    const int all = getenv("COLLSEL_LONG") != NULL;
    int wrong = 0, equals = 0, smaller = 0;
    for (int procs = 2; procs <= MAX_PROCS; procs += all || procs < 40 ? 1 : 7)
        for (int i = 0; i < N_COUNTS; i++) {
            int n = segment_counts[i];
            if (strcmp(name, "split_binary_tree") == 0 && n < 2)
                continue; /* a pipeline runs */
            double diff = excess(name, procs, procs / 3, n, fanout);
            int holds = equal(procs, n, fanout) ? diff == 0 : diff < 0;
            if (!holds && ++wrong <= 5)
                diag("%s P=%d n=%d K=%d: walked - closed = %g transfers", name, procs, n, fanout,
                     diff);
            equals += diff == 0;
            smaller += diff < 0;
        }
    ok(wrong == 0,
       "%s%s%.0d: walked equals the closed form in %d cases where it is claimed to, is smaller in "
       "the other %d",
       name, fanout ? " of fan-out " : "", fanout, equals, smaller);
}

static void check_binary_difference(void)
{
    double step = gamma_value(&rising, 3) - gamma_value(&rising, 2);
    int wrong = 0, n = 0;
    for (int procs = 4; procs <= MAX_PROCS; procs++)
        for (int i = 0; i < N_COUNTS; i += 3) {
            if (half_full(procs, 0, 0))
                continue;
            wrong += fabs(excess("binary_tree", procs, 0, segment_counts[i], 0) + step) > 1e-9;
            n++;
        }
    ok(wrong == 0 && n > 1000,
       "binary tree with 2^H <= P < 3*2^(H-1): smaller by exactly gamma(3) - gamma(2), in %d cases",
       n);
}

static void check_unsegmented(void)
{
    static const char *const names[] = { "basic_linear",
                                         "scatter_allgather",
                                         "scatter_allgather_ring",
                                         "mpich_binomial",
                                         "mpich_scatter_recursive_doubling_allgather",
                                         "mpich_scatter_ring_allgather" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int wrong = 0;
        for (int procs = 2; procs <= 512; procs *= 2) {
            struct schedule s;
            struct stage_profile p;
            if (walk("bcast", names[i], procs, procs - 1, (uint64_t)procs * 1000, 0, 0, &s, &p) < 0)
                wrong++;
            else if (fabs(stage_time(&p, &rising, ALPHA, BETA) /
                              closed_time(CLOSED_STAGE, &s, &rising, ALPHA, BETA) -
                          1) > ROUNDING)
                wrong++;
            stage_profile_clear(&p);
        }
        ok(wrong == 0, "%s: walked equals the closed form for P = 2, 4 … 512", names[i]);
    }
}

static void check_gather(void)
{
    int wrong = 0;
    for (int procs = 2; procs <= 300; procs++) {
        struct schedule s;
        struct stage_profile p;
        int root = procs * 2 / 3;
        wrong += walk("gather", "basic_linear", procs, root, 777, 0, 0, &s, &p) < 0 ||
                 fabs(stage_time(&p, &rising, ALPHA, BETA) / ((procs - 1) * (ALPHA + 777 * BETA)) -
                      1) > ROUNDING;
        stage_profile_clear(&p);
    }
    ok(wrong == 0, "linear gather costs (P-1)(alpha + m beta) for P = 2 … 300, any root");
}

/* Every P to 40 and some up to 300 (all with COLLSEL_LONG): a step is a stage of all ranks, however
 * many blocks are left for the last one of Bruck's. */
static void check_blocks(void)
{
    static const struct {
        const char *collective, *name;
    } rows[] = { { "allgather", "ring" },
                 { "allgather", "neighbor" },
                 { "allgather", "recursive_doubling" },
                 { "allgather", "bruck" },
                 { "allgather", "mpich_brucks" },
                 { "allgather", "mpich_ring" },
                 { "allgather", "mpich_recursive_doubling" },
                 { "allgather", "direct_ring" },
                 { "allgather", "circulant" },
                 { "reduce_scatter_block", "circulant" },
                 { "allreduce", "circulant" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int cuts = strcmp(rows[i].collective, "allreduce") == 0; /* in P blocks */
        const int all = getenv("COLLSEL_LONG") != NULL;
        int wrong = 0;
        for (int procs = 2; procs <= 300; procs += all || procs < 40 ? 1 : 13) {
            struct schedule s;
            struct stage_profile p;
            const int walked = walk(rows[i].collective, rows[i].name, procs, 0,
                                    cuts ? 77 * (uint64_t)procs : 777, 0, 0, &s, &p) == 0;
            const double closed = closed_time(CLOSED_STAGE, &s, &rising, ALPHA, BETA);
            wrong += !walked || fabs(stage_time(&p, &rising, ALPHA, BETA) / closed - 1) > ROUNDING;
            stage_profile_clear(&p);
        }
        ok(wrong == 0, "%s %s: walked equals the closed form for P = 2 … 300", rows[i].collective,
           rows[i].name);
    }
}

static double form(const char *name, int procs)
{
    struct schedule s;
    struct err err = { 0 };
    schedule_init(&s, algorithm_find("allgather", name), procs, 0, 1000, 0, 0, &err);
    return closed_time(CLOSED_TEXTBOOK, &s, NULL, 1, 1e-6);
}

/* alpha = 1 s, beta = 1 us: seconds are steps, thousandths are blocks of 1,000 bytes. */
static void check_allgather_forms(void)
{
    is_near(23.023, form("ring", 24), 1e-12, "a ring of 24: 23 steps, 23 blocks");
    is_near(12.023, form("neighbor", 24), 1e-12, "neighbor exchange: 12 steps");
    is_near(22.022, form("neighbor", 23), 1e-12, "… of 23 is a ring");
    is_near(5.023, form("bruck", 24), 1e-12, "Bruck: 5 steps");
    is_near(5.023, form("recursive_doubling", 24), 1e-12,
            "… and recursive doubling, which runs as Bruck");
    is_near(9.511, form("recursive_doubling", 512), 1e-12, "recursive doubling of 512: 9 steps");
}

/* ---- reductions ---- */

/* Walked minus closed form, as excess(), with what combining takes at DELTA. */
static const double DELTA = 1e-9;

enum { MOST_REDUCED = 130 };

/* Receives one after the other, and as measured: r(k) = 1 + 0.25 (k - 1). */
static const struct gamma fan_in = { .intercept = 0.5, .slope = 0.25 };
static const struct gamma overlapping = { .intercept = 1, .receives = &fan_in };
static const struct gamma *const receiving[] = { NULL, &overlapping };

enum { WAYS = sizeof receiving / sizeof *receiving };

static double reduce_excess(const struct gamma *gamma, const char *name, int procs, int root,
                            uint64_t bytes, uint64_t segment, int fanout)
{
    struct schedule s;
    struct stage_profile p;
    if (walk("reduce", name, procs, root, bytes, segment, fanout, &s, &p) < 0)
        return NAN;
    double walked =
               stage_time(&p, gamma, ALPHA, BETA) + DELTA * stage_reduced(&p, gamma, ALPHA, BETA),
           closed = closed_time(CLOSED_STAGE, &s, gamma, ALPHA, BETA) +
                    DELTA * closed_combined(CLOSED_STAGE, &s, gamma);
    stage_profile_clear(&p);
    double unit = ALPHA + (double)(segment ? segment : bytes) * (BETA + DELTA);
    double diff = (walked - closed) / unit;
    return fabs(diff) < ROUNDING * closed / unit ? 0 : diff;
}

/* What the walk is beside the closed form: 0 equal, -1 smaller, 1 larger, or APART, either. Larger
 * where a rank of one branch is busy in the stage in which another branch delivers: stages are
 * those of all ranks. overlap: receives cost as measured, less than one after the other. */
enum { APART = 2 };
typedef int (*sign_fn)(int procs, int segments, int overlap);

static int equal_always(int procs, int segments, int overlap)
{
    (void)procs, (void)segments, (void)overlap;
    return 0;
}

/* Equal from 3 * 2^(H-1) on, where two leaves of the last level have one parent; and up to
 * 5 * 2^(H-2) - 2, where those of the level above still have. */
static int binary_sign(int procs, int segments, int overlap)
{
    int quarter = 1;
    (void)overlap;
    while (8 * quarter <= procs)
        quarter *= 2;
    return half_full(procs, segments, 0) || (procs >= 8 && procs <= 5 * quarter - 2) ? 0 : -1;
}

/* The tree of consecutive ranks is as high, but its leaves stand elsewhere. */
static int in_order_sign(int procs, int segments, int overlap)
{
    if (segments == 1)
        return half_full(procs, segments, 0) ? 0 : -1;
    return power_of_two(procs, 0, 0) ? -1 : binary_sign(procs, segments, overlap);
}

/* One message: equal iff P has at most two bits. With two, subtrees of one height deliver in one
 * stage; where that is less than one after the other, only a full tree is equal. */
static int one_message_sign(int procs, int segments, int overlap)
{
    (void)segments;
    if (overlap)
        return power_of_two(procs, 0, 0) ? 0 : APART;
    return __builtin_popcount((unsigned)procs) > 2;
}

static int binomial_sign(int procs, int segments, int overlap)
{
    if (segments == 1)
        return one_message_sign(procs, segments, overlap);
    return power_of_two(procs, 0, 0) || (!overlap && power_of_two(procs + 1, 0, 0)) ? 0 : -1;
}

static void check_reduction(const char *name, int fanout, sign_fn sign)
{
    int wrong = 0, equals = 0;
    const struct algorithm *alg = algorithm_find("reduce", name);
    for (int procs = 2; procs <= MOST_REDUCED; procs++)
        for (int i = 0; i < N_COUNTS; i++) {
            int n = segment_counts[i - i % WAYS], want = sign(procs, n, i % WAYS);
            uint64_t segment = alg->segmented ? SEGMENT : 0;
            double diff = reduce_excess(receiving[i % WAYS], name, procs, 0, (uint64_t)n * SEGMENT,
                                        segment, fanout);
            equals += want == 0;
            if (want == APART ? diff != 0 : (diff > 0) - (diff < 0) == want)
                continue;
            if (++wrong <= 5)
                diag("%s P=%d n=%d K=%d: walked - closed = %g transfers", name, procs, n, fanout,
                     diff);
        }
    ok(wrong == 0,
       "reduce %s%s%.0d: walked equals the closed form, combining included, in %d cases where it "
       "is claimed to, and there alone; receives one by one, and measured",
       name, fanout ? " of fan-out " : "", fanout, equals);
}

/* At another root: the trees are shifted; a folded root takes one more message. */
static void check_other_roots(void)
{
    int wrong = 0;
    for (int procs = 2; procs <= 40; procs++)
        for (int root = 0; root < procs; root++) {
            double tree = reduce_excess(NULL, "chain", procs, root, 4 * SEGMENT, SEGMENT, 3);
            double folded = reduce_excess(NULL, "rabenseifner", procs, root, 1 << 20, 0, 0);
            int extra = procs;
            while (extra & (extra - 1))
                extra &= extra - 1;
            extra = procs - extra;
            wrong += tree != 0 || (root < 2 * extra && root % 2 ? folded <= 0 : folded > 0);
        }
    ok(wrong == 0, "any root: chains cost the same, Rabenseifner more where the root was folded");
}

static void check_reductions(void)
{
    check_reduction("linear", 0, equal_always);
    check_reduction("pipeline", 0, equal_always);
    check_reduction("chain", 4, equal_always);
    check_reduction("chain", 7, equal_always);
    check_reduction("binary", 0, binary_sign);
    check_reduction("in-order_binary", 0, in_order_sign);
    check_reduction("binomial", 0, binomial_sign);
    check_reduction("mpich_binomial", 0, one_message_sign);
    check_reduction("rabenseifner", 0, equal_always);
    check_reduction("mpich_reduce_scatter_gather", 0, equal_always);
    check_other_roots();
}

static void check_coefficients(void)
{
    struct schedule s;
    struct stage_profile p;
    double a, b;

    walk("bcast", "pipeline", 10, 0, 4 * SEGMENT, SEGMENT, 0, &s, &p);
    is_int(1, stage_coefficients(&p, &rising, ALPHA, BETA, &a, &b),
           "a pipeline of equal segments is linear in alpha and beta");
    is_near(12, a, ROUNDING, "… a = P + n - 2");
    is_near(12 * SEGMENT, b, ROUNDING, "… b = a m_s");
    is_int(12, (long long)p.stages, "… in as many stages");
    is_int(4 * 9 * 2, (long long)p.operations, "… of 2 n (P-1) operations");
    stage_profile_clear(&p);

    /* Five segments, the last of one byte: in the stages in which somebody still sends a whole one,
     * that one decides; the last P - 2 + 1 stages are of one byte. */
    walk("bcast", "pipeline", 10, 0, 4 * SEGMENT + 1, SEGMENT, 0, &s, &p);
    is_int(1, stage_coefficients(&p, &rising, ALPHA, BETA, &a, &b),
           "… and with a short last segment");
    is_near(13, a, ROUNDING, "… a counts its stage");
    is_near(12 * SEGMENT + 1, b, ROUNDING, "… b adds its byte once, when it arrives");
    stage_profile_clear(&p);

    /* Four chains; the last segment is short: the root sends it to four children (more transfers,
     * fewer bytes) while the chains relay whole ones. */
    walk("bcast", "chain", 21, 0, SEGMENT + 1, SEGMENT, 4, &s, &p);
    is_int(0, stage_coefficients(&p, &rising, ALPHA, BETA, &a, &b),
           "four chains with a short last segment are not linear");
    double g = gamma_value(&rising, 5);
    is_near(g * (ALPHA + SEGMENT * BETA) + fmax(g * (ALPHA + BETA), ALPHA + SEGMENT * BETA) +
                3 * (ALPHA + SEGMENT * BETA) + ALPHA + BETA,
            stage_time(&p, &rising, ALPHA, BETA), ROUNDING,
            "… time is that of the dearest load of each stage");
    is_near(g * 2 + 3 + 1, stage_time(&p, &rising, 1, 0), ROUNDING,
            "… at beta = 0 it counts transfers");
    stage_profile_clear(&p);
}

static void check_nothing(void)
{
    struct schedule s;
    struct stage_profile p;
    double a, b;
    walk("bcast", "chain", 1, 0, 1000, 0, 0, &s, &p);
    is_int(0, (long long)p.stages, "one process: no stages");
    is_int(1, stage_coefficients(&p, &rising, ALPHA, BETA, &a, &b), "… a linear model");
    is_near(0, a + b, 0, "… of nothing");
    stage_profile_clear(&p);
    walk("bcast", "binomial", 64, 3, 0, 0, 0, &s, &p);
    is_int(0, (long long)p.operations, "no bytes: no operations");
    stage_profile_clear(&p);
}

/* ---- against the trace, which keeps every message ---- */

enum { MAX_STAGES = 4096, MAX_SENDS = 64 };

/* The largest message of each stage and number of sends of one rank, as the trace has it. */
static int loads_of_trace(const struct trace *t, uint64_t (*largest)[MAX_SENDS])
{
    for (size_t i = 0, end; i < t->n; i = end) {
        uint64_t bytes = 0;
        for (end = i;
             end < t->n && t->v[end].src == t->v[i].src && t->v[end].stage == t->v[i].stage; end++)
            bytes = t->v[end].bytes > bytes ? t->v[end].bytes : bytes;
        if (t->v[i].stage >= MAX_STAGES || end - i >= MAX_SENDS)
            return -1;
        uint64_t *seen = &largest[t->v[i].stage][end - i];
        *seen = bytes + 1 > *seen ? bytes + 1 : *seen; /* 0: no such load */
    }
    return 0;
}

/* Takes the walker's loads out of the table; whatever differs or is left over is counted. */
static int count_differences(const struct stage_profile *p, uint64_t (*largest)[MAX_SENDS])
{
    uint64_t stage = 1;
    int wrong = 0;
    for (size_t i = 0; i < p->n_runs; i++)
        for (uint64_t k = 0; k < p->runs[i].stages; k++, stage++)
            for (size_t j = 0; j < p->runs[i].count; j++) {
                const struct stage_load *load = &p->loads[p->runs[i].first + j];
                if (load->sends == 0)
                    continue;
                wrong += largest[stage][load->sends] != load->bytes + 1;
                largest[stage][load->sends] = 0;
            }
    for (int i = 0; i < MAX_STAGES; i++)
        for (int j = 0; j < MAX_SENDS; j++)
            wrong += largest[i][j] != 0;
    return wrong;
}

static void check_against_trace(const struct algorithm *alg)
{
    static uint64_t largest[MAX_STAGES][MAX_SENDS];
    int wrong = 0, n = 0;
    for (int procs = 1; procs <= 40; procs += 1 + procs / 5)
        for (uint64_t bytes = 1; bytes < 2000; bytes = 9 * bytes + 2) {
            struct schedule s;
            struct stage_profile p;
            struct trace t;
            struct err err = { 0 };
            memset(largest, 0, sizeof largest);
            if (schedule_init(&s, alg, procs, procs - 1, bytes, 90, 0, &err) < 0)
                continue; /* it cannot run so */
            n++;
            if (stage_walk(&s, &p, &err) < 0 || trace(&s, &t, &err) < 0 ||
                loads_of_trace(&t, largest) < 0)
                wrong++;
            else
                wrong += count_differences(&p, largest) != 0;
            trace_clear(&t);
            stage_profile_clear(&p);
        }
    ok(wrong == 0 && n > 0,
       "%s %s: every stage has the sends that the trace of all messages has (%d cases)",
       algorithm_collective(alg)->name, alg->name, n);
}

/* ---- schedules that are wrong ---- */

static uint64_t two_rounds(const struct schedule *s, int rank)
{
    (void)s, (void)rank;
    return 2;
}

static void circular(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 0)
        round_recv(out, BUF_DATA, 0, s->bytes, (rank + 1) % s->procs);
    else
        round_send(out, BUF_DATA, 0, s->bytes, (rank + s->procs - 1) % s->procs);
}

static void unanswered(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 0)
        round_send(out, BUF_DATA, 0, s->bytes, (rank + 1) % s->procs);
}

static void check_wrong(void)
{
    static const struct algorithm waits = {
        .name = "circular", .collective = "bcast", .rounds = two_rounds, .round = circular
    };
    static const struct algorithm lost = {
        .name = "unanswered", .collective = "bcast", .rounds = two_rounds, .round = unanswered
    };
    struct schedule s;
    struct stage_profile p;
    struct err err = { 0 };

    schedule_init(&s, &waits, 5, 0, 10, 0, 0, &err);
    is_int(-1, stage_walk(&s, &p, &err), "a circle of receives is refused");
    is_str("circular never ends: rank 0 waits in round 0 for a message from rank 1", err.text,
           "… and named");
    schedule_init(&s, &lost, 5, 0, 10, 0, 0, &err);
    is_int(-1, stage_walk(&s, &p, &err), "sends that nobody receives are refused");
    is_str("unanswered: 5 messages are never received", err.text, "… and counted");
}

/* ---- bounded memory ---- */

/* Peak resident set in MiB so far. */
static long peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static void check_large(const char *name, int procs, int segments, long limit_mib)
{
    struct schedule s;
    struct stage_profile p;
    long before = peak_mib();
    int walked = walk("bcast", name, procs, 0, (uint64_t)segments * SEGMENT, SEGMENT, 0, &s, &p);
    long used = peak_mib() - before;
    ok(walked == 0 && used <= limit_mib,
       "%s, %d processes, %d segments: %llu operations in %ld MiB (at most %ld)", name, procs,
       segments, (unsigned long long)p.operations, used, limit_mib);
    stage_profile_clear(&p);
}

int main(void)
{
    check_large("split_binary_tree", 65536, 512, 24);
    check_large("pipeline", 65536, 512, 24);
    if (getenv("COLLSEL_LONG")) {
        check_large("binomial", 65536, 512, 24);
        check_large("chain", 65536, 512, 24);
    }
    check_equality("pipeline", 0, always);
    check_equality("chain", 4, always);
    check_equality("chain", 3, always);
    check_equality("binary_tree", 0, half_full);
    check_equality("split_binary_tree", 0, half_full);
    check_equality("binomial", 0, power_of_two);
    check_equality("knomial", 4, root_is_full);
    check_equality("knomial", 3, root_is_full);
    check_binary_difference();
    check_unsegmented();
    check_gather();
    check_blocks();
    check_allgather_forms();
    check_reductions();
    check_coefficients();
    check_nothing();
    check_wrong();
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        if (!a->levels) /* a combination has a name of its own: levels-t */
            check_against_trace(a);
    return tap_done();
}
