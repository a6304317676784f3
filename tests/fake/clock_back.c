/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_back.c - to be preloaded by tests: the time of day is CLOCK_BACK seconds earlier. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static time_t back(void)
{
    const char *text = getenv("CLOCK_BACK");
    return text ? (time_t)strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const int status = real(id, t);
    if (status == 0 && id == CLOCK_REALTIME)
        t->tv_sec -= back();
    return status;
}

time_t time(time_t *at)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (at)
        *at = t.tv_sec;
    return t.tv_sec;
}
