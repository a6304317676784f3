/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/disturb.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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
