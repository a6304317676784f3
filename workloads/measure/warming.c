/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/warming.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/robust.h"

enum { SHORT_CALLS = 100 };

static const double long_call_s = 5e-3;
static const double short_share = 1.0 / 40, most_share = 1.0 / 3; /* of the budget */
static const double settled = 0.95; /* last third over the third before */

static double quickest(const double *seconds, int n)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        least = fmin(least, seconds[i]);
    return least;
}

static double median_of(const double *x, int n, double *scratch)
{
    memcpy(scratch, x, (size_t)n * sizeof *x);
    return robust_median(scratch, (size_t)n);
}

/* Do the calls still get quicker? */
static int still_settling(const double *seconds, int n, double *scratch)
{
    const int third = n / 3;
    if (third < 1)
        return 0;
    const double last = median_of(seconds + n - third, third, scratch);
    return last < settled * median_of(seconds + n - 2 * third, third, scratch);
}

static int at_most(int calls, int most)
{
    return calls < most ? calls : most;
}

int warm_next(const struct warm_rule *rule, const double *seconds, int n, double elapsed_s,
              double *scratch, int block_max)
{
    const double budget_s = rule->budget_s > 0 ? rule->budget_s : INFINITY;
    if (n < rule->least)
        return at_most(rule->least - n, block_max);
    if (!n || quickest(seconds, n) >= long_call_s)
        return 0;
    if (n >= WARM_MOST || elapsed_s >= most_share * budget_s)
        return 0;
    if (n < SHORT_CALLS && elapsed_s < short_share * budget_s)
        return at_most(SHORT_CALLS - n, block_max);
    if (!still_settling(seconds, n, scratch))
        return 0;
    return at_most(at_most(n / 5 + 1, WARM_MOST - n), block_max);
}

enum { STEAL_FIELD = 8, BETWEEN_READS_NS = 5 * 1000 * 1000 };

uint64_t disturb_stolen(const char *stat)
{
    const char *p = stat;
    if (strncmp(p, "cpu ", 4) != 0)
        return 0;
    for (int field = 0; field < STEAL_FIELD; field++) {
        p += strcspn(p, " \n");
        p += strspn(p, " ");
        if (*p < '0' || *p > '9')
            return 0;
    }
    return strtoull(p, NULL, 10);
}

#ifdef MPI_IS_smpi

/* Simulated time is disturbed by nothing. */
void disturb_init(struct disturb *d, int for_node)
{
    (void)for_node;
    *d = (struct disturb){ 0 };
}

void disturb_begin(struct disturb *d)
{
    (void)d;
}

int disturb_end(struct disturb *d)
{
    (void)d;
    return 0;
}

#else

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t read_stolen(void)
{
    char text[512] = "";
    const int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    return n > 0 ? disturb_stolen(text) : 0;
}

static long switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

void disturb_init(struct disturb *d, int for_node)
{
    *d = (struct disturb){ .stolen = for_node ? read_stolen() : 0, .read_ns = now_ns() };
    d->watches_steal = d->stolen > 0;
}

void disturb_begin(struct disturb *d)
{
    d->switches = switches();
}

int disturb_end(struct disturb *d)
{
    int sign = switches() != d->switches;
    const int64_t now = d->watches_steal ? now_ns() : 0;
    if (!d->watches_steal || now - d->read_ns < BETWEEN_READS_NS)
        return sign;
    const uint64_t stolen = read_stolen();
    sign |= stolen != d->stolen;
    d->stolen = stolen;
    d->read_ns = now;
    return sign;
}

#endif
