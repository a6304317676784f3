/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of points over P, and how they are cut. */
#include "analysis/measure/groups.h"

#include <math.h>

#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static void grouping(void)
{
    const struct facts facts = shape(2, 2, 4);
    struct points points = { .n = 0 };
    struct point_groups g;
    static const int procs[] = { 16, 2, 8, 4 };
    for (int i = 0; i < 4; i++) {
        over_add(&points, &facts, "portable:chain", "core", procs[i], 64, 1e-6);
        over_add(&points, &facts, "portable:chain", "core", procs[i], 8, 1e-6);
        over_add(&points, &facts, "portable:binomial", "core", procs[i], 64, 1e-6);
    }
    over_add(&points, &facts, "portable:chain", "node", 4, 64, 1e-6);
    over_add(&points, &facts, "portable:chain", "core", 6, 8, 1e-6)->status = POINT_SUBSTITUTED;
    over_add(&points, &facts, "portable:chain", "core", 10, 8, 1e-6)->status = POINT_FAILED;
    over_add(&points, &facts, "portable:chain", "core", 12, 8, 1e-6)->point.purpose =
        FOR_HELD_PROCS;
    over_add(&points, &facts, "portable:chain", "core", 14, 8, 1e-6)->point.experiment = EXP_GATHER;
    point_groups_make(&points, &g);
    is_int(4, (long long)g.n, "a group per algorithm, mapping and size");
    is_str("portable:binomial", g.group[0].row[0]->point.candidate.algorithm, "in order");
    is_int(8, (long long)g.group[1].row[0]->point.cell.bytes, "sizes ascend within an algorithm");
    is_int(4, (long long)g.group[1].n,
           "what failed, was substituted, is held out or another experiment is in none");
    int ascending = 1;
    for (size_t i = 1; i < g.group[1].n; i++)
        ascending &= g.group[1].row[i - 1]->point.cell.procs < g.group[1].row[i]->point.cell.procs;
    ok(ascending, "P ascends within a group");
    point_groups_clear(&g);
    points_clear(&points);
    point_groups_make(&points, &g);
    is_int(0, (long long)g.n, "no groups");
    point_groups_clear(&g);
}

/* P = 2, 4, 6, 6 (on other nodes), 8, 16: which are fitted, which judged. */
static void splits(void)
{
    const struct facts facts = shape(2, 2, 4);
    struct points points = { .n = 0 };
    struct point_groups g;
    static const int procs[] = { 2, 4, 6, 6, 8, 16 };
    for (int i = 0; i < 6; i++)
        over_add(&points, &facts, "portable:chain", "core", procs[i], 64, 1e-6)->point.cell.nodes +=
            i == 3;
    point_groups_make(&points, &g);
    is_int(1, (long long)g.n, "nodes do not part a group");
    static const char *const wanted[N_SPLITS][2] = { { "111111", "111111" },
                                                     { "101101", "010010" },
                                                     { "111110", "000001" } };
    for (int s = 0; s < N_SPLITS; s++) {
        unsigned char fitted[6], judged[6];
        char a[7] = "", b[7] = "";
        split_group((enum split)s, &g.group[0], fitted, judged);
        for (int i = 0; i < 6; i++) {
            a[i] = (char)('0' + fitted[i]);
            b[i] = (char)('0' + judged[i]);
        }
        is_str(wanted[s][0], a, "%s: fitted", split_words[(enum split)s]);
        is_str(wanted[s][1], b, "%s: judged", split_words[(enum split)s]);
    }
    point_groups_clear(&g);
    points_clear(&points);
}

/* P = 2 to 9: odd and even ones are on both sides. */
static void parity(void)
{
    const struct facts facts = shape(2, 2, 4);
    struct points points = { .n = 0 };
    struct point_groups g;
    unsigned char fitted[8];
    char seen[9] = "";
    for (int p = 2; p <= 9; p++)
        over_add(&points, &facts, "portable:chain", "core", p, 64, 1e-6);
    point_groups_make(&points, &g);
    split_group(SPLIT_ALTERNATE, &g.group[0], fitted, NULL);
    for (int i = 0; i < 8; i++)
        seen[i] = (char)('0' + fitted[i]);
    is_str("11001100", seen, "2, 3, 6 and 7 are fitted");
    point_groups_clear(&g);
    points_clear(&points);
}

static void statistics(void)
{
    struct measured m = { .statistic = "max_rank", .time.value = 4, .mean_rank_s = 3 };
    is_near(4, measured_seconds(&m, OVER_OWN), 0, "a point's own time");
    is_near(3, measured_seconds(&m, OVER_MEAN), 0, "its mean over ranks");
    is_str("max_rank", rank_statistic_name(&m, OVER_OWN), "the slowest rank's");
    snprintf(m.statistic, sizeof m.statistic, "mean_rank");
    is_near(4, measured_seconds(&m, OVER_OWN), 0, "where the source tells the mean alone, that");
    ok(isnan(measured_seconds(&m, OVER_MEAN)), "and not twice");
    is_str("mean_rank", rank_statistic_name(&m, OVER_OWN), "under its name");
}

int main(void)
{
    grouping();
    splits();
    parity();
    statistics();
    return tap_done();
}
