/* SPDX-License-Identifier: BSD-3-Clause */
/* walk.c [SECONDS [RANKS]] - speed of the stage walker: schedule operations (sends and receives)
 * walked per second, one thread, for each algorithm of each collective at a fixed shape. Prints CSV
 * on stdout, of which `run` tells the slowest of each collective; the aim is 5 million. A
 * collective that has schedules, of which none was walked, is an error. */
#include "analysis/walk/stage_walk.h"

#include <time.h>

#include "harness/base/number.h"

/* Of this process's own processor time: others may share the machine. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Walks until at least so many seconds have passed; operations per second. */
static double measure(const struct schedule *s, double least_s, struct err *err)
{
    uint64_t operations = 0;
    double start = seconds(), now = start;
    while (now - start < least_s) {
        struct stage_profile profile;
        if (stage_walk(s, &profile, err) < 0)
            return -1;
        operations += profile.operations;
        stage_profile_clear(&profile);
        now = seconds();
    }
    return (double)operations / (now - start);
}

int main(int argc, char **argv)
{
    enum { SEGMENT = 8192, SEGMENTS = 64, MOST_COLLECTIVES = 64 };
    static int walked[MOST_COLLECTIVES]; /* by index of `collectives` */
    double slowest = 0, least_s = 0.33;
    int64_t procs = 1024;
    if ((argc > 1 && parse_f64(argv[1], &least_s, NULL) < 0) ||
        (argc > 2 && (parse_i64(argv[2], &procs, NULL) < 0 || procs < 2 || procs > 65536)))
        return EXIT_USAGE;

    puts("algorithm,procs,segments,operations_per_s");
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        struct schedule s;
        struct err err = { 0 };
        double rate = -1;
        const int made =
            schedule_init(&s, a, (int)procs, 0, (uint64_t)SEGMENTS * SEGMENT, SEGMENT, 0, &err);
        if (made < 0 && a->unfit)
            continue; /* it does not run among so many, or wants to know their seats */
        if (made == 0)
            rate = measure(&s, least_s, &err);
        if (rate < 0) {
            fprintf(stderr, "walk: %s\n", err.text);
            return EXIT_FAILED;
        }
        printf("%s:%s,%d,%llu,%.3g\n", algorithm_collective(a)->name, a->name, (int)procs,
               (unsigned long long)s.segments, rate);
        slowest = slowest == 0 || rate < slowest ? rate : slowest;
        walked[algorithm_collective(a) - collectives] = 1;
    }
    for (size_t i = 0; collectives[i].name; i++)
        if (collectives[i].rows[0] && !walked[i]) {
            fprintf(stderr, "walk: no algorithm of %s was walked\n", collectives[i].name);
            return EXIT_FAILED;
        }
    fprintf(stderr, "walk: the slowest walks %.1f million operations per second (aim: 5)\n",
            slowest / 1e6);
    return EXIT_DONE;
}
