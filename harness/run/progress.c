/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/progress.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/estimate.h"

static const double redraw_s = 0.2, plain_s = 5, quiet_s = 10; /* between lines */
enum { BAR = 24, PLAIN_STEP = 10 };

double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *p, FILE *out, int quiet, double weight, size_t points)
{
    *p = (struct progress){ .out = out,
                            .quiet = quiet,
                            .terminal = isatty(fileno(out)),
                            .weight = weight,
                            .points = points,
                            .started_s = now_s(),
                            .shown_pct = 0 };
    p->shown_s = p->started_s;
}

/* "12/24 points, 6 failed" */
static const char *count(const struct progress *p, size_t points, const char *of, char *buf,
                         size_t size)
{
    const int n = snprintf(buf, size, "%zu%s%zu point%s", points, of, COUNTED(p->points));
    if (p->failed)
        snprintf(buf + n, size - (size_t)n, ", %zu failed", p->failed);
    return buf;
}

/* Remaining seconds at the pace of this run; below 1 % those of the forecast. */
static const char *eta(const struct progress *p, double share, char *buf, size_t size)
{
    const double passed = now_s() - p->started_s;
    if (share >= 0.01)
        format_duration(passed * (1 - share) / share, buf, size);
    else if (p->expected_s > passed)
        format_duration(p->expected_s - passed, buf, size);
    else
        snprintf(buf, size, "?");
    return buf;
}

static void draw_bar(struct progress *p, double share, size_t points, int running)
{
    char left[32], told[96], bar[BAR + 1];
    int full = (int)(share * BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = '\0';
    fprintf(p->out, "\r\033[K[%s] %3.0f%%  %s  %d running  ETA %s", bar, 100 * share,
            count(p, points, "/", told, sizeof told), running, eta(p, share, left, sizeof left));
    fflush(p->out);
    p->drawn = 1;
}

void progress_show(struct progress *p, double done, size_t points, int running)
{
    char left[32], told[96];
    double now = now_s(), share = p->weight > 0 ? done / p->weight : 1;
    share = share > 1 ? 1 : share;
    if (p->quiet)
        return;
    if (p->terminal) {
        if (now - p->shown_s < redraw_s)
            return;
        draw_bar(p, share, points, running);
    } else {
        const int pct = (int)(100 * share), further = pct / PLAIN_STEP > p->shown_pct / PLAIN_STEP;
        const double since = now - p->shown_s;
        if (since < plain_s || (!further && since < quiet_s))
            return;
        p->shown_pct = pct;
        fprintf(p->out, "%d%%  %s, %d running, ETA %s\n", pct,
                count(p, points, " of ", told, sizeof told), running,
                eta(p, share, left, sizeof left));
    }
    p->shown_s = now;
}

void progress_end(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", p->out);
    p->drawn = 0;
    fflush(p->out);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
    va_list args;
    if (p->quiet)
        return;
    progress_end(p);
    va_start(args, fmt);
    vfprintf(p->out, fmt, args);
    va_end(args);
    putc('\n', p->out);
}

/* Until it is cancelled, which it is in one of both calls. */
static void *tell_work(void *unused)
{
    const int terminal = isatty(STDERR_FILENO);
    for (unsigned every = terminal ? 2 : 10, s = every;; s += every) {
        sleep(every);
        dprintf(STDERR_FILENO, terminal ? "\r\033[K  %u s\r" : "  at work, %u s\n", s);
    }
    return unused;
}

void progress_at_work(int begins)
{
    static pthread_t thread;
    static int on;
    if (on) {
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    on = begins && pthread_create(&thread, NULL, tell_work, NULL) == 0;
}
