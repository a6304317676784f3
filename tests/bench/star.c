/* SPDX-License-Identifier: BSD-3-Clause */
/* star [WORKLOADS [COST [MOST_CALLS]]] - star on planted workloads (tests/planted_star.h): the
 * judge `sure` with its bound, and the paper's rule. Prints CSV, a row for each judge, kind of
 * workload and number of calls: the time relative to the own call's (mean over WORKLOADS, of a
 * million calls over a quarter of them; 95 % interval; the worst), the most that a workload was
 * behind at any moment, the share of the gain of the best fixed choice that was kept, the share of
 * calls that were trials. The seeds are not those of star-t. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/planted_star.h"

static void row(const struct star_options *options, int kind, long calls, int workloads)
{
    struct planted_sums sums = { 0 };
    for (int seed = 1; seed <= workloads; seed++) {
        struct planted_star p;
        planted_star_make(&p, (enum planted_kind)kind, calls, 10000 + (uint64_t)seed);
        planted_add(&sums, &p, options);
    }
    const double mean = planted_mean(&sums), half = planted_half(&sums);
    printf("%s,%s,%ld,%d,%.4f,%.4f,%.4f,%.4f,%.4f,", star_judge_words[options->judge],
           planted_kind_words[kind], calls, workloads, mean, mean - half, mean + half, sums.worst,
           sums.most);
    if (sums.gain > 0)
        printf("%.3f", sums.kept / sums.gain);
    printf(",%.4f\n", sums.trials / workloads);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int workloads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
    const long most = argc > 3 ? strtol(argv[3], NULL, 10) : 1000000;
    static const long calls[] = { 50, 200, 1000, 10000, 100000, 1000000 };
    struct star_options options = star_usual;
    options.cost = argc > 2 ? strtod(argv[2], NULL) : options.cost;
    options.groups = 0;
    puts("judge,kind,calls,workloads,time,time_low,time_high,worst,most_behind,gain_kept,trials");
    for (int judge = 0; judge < N_STAR_JUDGES; judge++)
        for (int kind = 0; kind < N_PLANTED_KINDS; kind++)
            for (size_t i = 0; i < sizeof calls / sizeof *calls && calls[i] <= most; i++) {
                options.judge = (enum star_judge)judge;
                row(&options, kind, calls[i],
                    calls[i] >= 1000000 ? (workloads + 3) / 4 : workloads);
            }
    return 0;
}
