/* SPDX-License-Identifier: BSD-3-Clause */
/* What became of the points: counts of each status with reasons, precision, drift. */
#include "reports/section_common.h"

static const char *const statuses[] = { "ok",      "substituted", "skipped", "failed",
                                        "timeout", "invalid",     "missing" };
enum { N_STATUSES = sizeof statuses / sizeof *statuses };

/* experiment, status: NULL, any. */
static size_t count_status(const struct report_data *d, const char *experiment, const char *status)
{
    size_t n = 0;
    for (size_t i = 0; i < d->results; i++)
        n += (!experiment ||
              strcmp(experiment_words[d->result[i].point.experiment], experiment) == 0) &&
             (!status || strcmp(point_status_words[d->result[i].status], status) == 0);
    return n;
}

static void put_counts(struct page *page)
{
    static const char *const experiments[][2] = {
        { "time", "times of collectives" },
        { "gather", "α, β experiments" },
        { "gamma", "γ experiments" },
        { "barrier", "barriers" },
        { "pingpong", "ping-pong" },
        { "fanout", "fan-out" },
        { "fanin", "fan-in" },
        { "copy", "copies in memory" },
        { NULL, "all" },
    };
    struct table *t = page_table_new(page, "statuses", "Points by status");
    table_columns(t, "<experiment|experiment");
    for (size_t k = 0; k < N_STATUSES; k++)
        table_columns(t, ">%s|%s", statuses[k], statuses[k]);
    for (size_t e = 0; e < sizeof experiments / sizeof *experiments; e++) {
        if (e > 4 && experiments[e][0] && !count_status(page->data, experiments[e][0], NULL))
            continue; /* what only some studies have */
        table_cell(t, experiments[e][0] ? experiments[e][0] : "all", "%s", experiments[e][1]);
        for (size_t k = 0; k < N_STATUSES; k++) {
            size_t n = count_status(page->data, experiments[e][0], statuses[k]);
            table_cells(t, "%zu [%d]", n, n && k > 1 ? MARK_FAIR : MARK_NONE);
        }
    }
    table_note(t,
               "Substituted: the library ran another algorithm than the requested one; the time is "
               "that of the one that ran. Invalid: the time is proved not to belong to this "
               "point. Missing: there is no time yet.");
    page_table(page, t);
}

/* A status with a reason and how many points have it. */
struct reason {
    const struct measured *first;
    size_t n;
};

static void put_reasons(struct page *page)
{
    enum { MOST = 40 };
    struct reason seen[MOST];
    size_t n = 0, more = 0;
    const struct report_data *d = page->data;
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        size_t k = 0;
        if (r->status == POINT_OK)
            continue;
        while (
            k < n &&
            (seen[k].first->status != r->status || strcmp(seen[k].first->reason, r->reason) != 0 ||
             strcmp(seen[k].first->point.candidate.algorithm, r->point.candidate.algorithm) != 0))
            k++;
        if (k == MOST)
            more++;
        else if (k == n)
            seen[n++] = (struct reason){ r, 1 };
        else
            seen[k].n++;
    }
    if (!n)
        return;
    struct table *t = page_table_new(page, "reasons", "Points that are not ok, and why");
    table_columns(t, "<status|status ; <algorithm|algorithm ; <reason|reason ; >points|points");
    for (size_t k = 0; k < n; k++)
        table_cells(t, "%s | %s | %s | %zu", point_status_words[seen[k].first->status],
                    seen[k].first->point.candidate.algorithm,
                    *seen[k].first->reason ? seen[k].first->reason : "none given", seen[k].n);
    if (more)
        table_note(t, "and %zu point%s with other reasons: see points.csv.", COUNTED(more));
    page_table(page, t);
}

static void say_precision(struct page *page)
{
    const struct report_data *d = page->data;
    size_t applied = 0, converged = 0, dependent = 0, not_normal = 0, usable = 0;
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (!result_usable(r))
            continue;
        usable++;
        applied += r->converged >= 0;
        converged += r->converged == 1;
        dependent += r->time.independent == 0;
        not_normal += r->time.normal == 0;
    }
    const char *precision = manifest_text(d, "study/settings/measure/precision/value");
    if (!usable && count_doubted(d))
        fprintf(page->md,
                "\nNone of %zu time%s counts: all are doubted (`--doubted` takes them).\n",
                COUNTED(count_doubted(d)));
    else if (!usable)
        fputs("\nNo point has a time.\n", page->md);
    else if (d->imported)
        fputs(
            "\nThese times were measured by others. They are of many iterations each; the times of "
            "single calls are not known. Intervals are over runs, where there are three or more.\n",
            page->md);
    else if (!applied)
        fprintf(page->md,
                "\nThe %s is deterministic: one sample is the value, so that confidence "
                "intervals, independence and normality do not apply.\n",
                strcmp(d->backend, "walk") == 0 ? "walk" : "simulation");
    else {
        fprintf(page->md,
                "\nOf %zu measured points, %zu reached the wanted precision (half-width of the "
                "interval over launches at most ",
                usable, converged);
        escape_markdown(page->md, precision);
        fprintf(page->md,
                " of the time). In %zu the samples are not independent of each other, in %zu they "
                "are not normally distributed; read the intervals of these points with care.\n",
                dependent, not_normal);
    }
}

/* Medians over points of both components of the spread, and what ran beside. */
static void say_spread(struct page *page)
{
    const struct report_data *d = page->data;
    size_t n = 0, once = 0, beside = 0;
    double *between = memory_zeros(2 * (d->results + 1), sizeof *between);
    double *within = between + d->results + 1;
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        once += result_usable(r) && r->time.launches == 1;
        beside += result_usable(r) && r->disturbed > 0;
        if (!result_usable(r) || !(r->time.between_rel >= 0) || !(r->time.within_rel >= 0))
            continue;
        between[n] = r->time.between_rel;
        within[n++] = r->time.within_rel;
    }
    if (n)
        fprintf(
            page->md,
            "\nLaunches of a point differ by %s (standard deviation), its calls within a launch "
            "by %s, both in the median over %zu point%s.\n",
            show_pct(100 * stats_median(between, n)), show_pct(100 * stats_median(within, n)),
            COUNTED(n));
    if (once && !d->simulated && !d->imported)
        fprintf(page->md,
                "\n%zu point%s %s measured in one launch: they have no interval (column "
                "`interval`).\n",
                COUNTED(once), of_number(once, "was", "were"));
    if (beside)
        fprintf(page->md,
                "\nBeside calls of %zu point%s something else ran; where enough others were left, "
                "they do not count (column `disturbed`).\n",
                COUNTED(beside));
    free(between);
}

static void say_drift(struct page *page)
{
    const struct report_data *d = page->data;
    size_t drift = 0, watched = 0;
    int procs = 0;
    for (size_t i = 0; i < d->results; i++) {
        watched += d->result[i].drift >= 0;
        if (d->result[i].drift == 1 && !drift++)
            procs = d->result[i].point.cell.procs;
    }
    if (drift)
        fprintf(
            page->md,
            "\n**Drift:** in the launches of %zu point%s the sentinel, one point measured again "
            "and again, changed: the machine was not equally fast all the time (first seen at "
            "P = %d). Their column `drift` in `points.csv` is 1.\n",
            COUNTED(drift), procs);
    else if (watched && !d->simulated && !d->imported)
        fputs("\nNo drift: the sentinel points, which are measured again and again, kept their "
              "times.\n",
              page->md);
}

/* Of calls that began in windows of a global clock. */
static void say_windows(struct page *page)
{
    const struct report_data *d = page->data;
    double precision = INFINITY, error_s = 0;
    uint64_t late = 0, calls = 0;
    size_t coarse = 0;
    char text[32];
    parse_f64(manifest_text(d, "study/settings/measure/precision/value"), &precision, NULL);
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (!(r->clock_error_s > 0))
            continue;
        error_s = fmax(error_s, r->clock_error_s);
        late += r->late;
        calls += r->time.n + r->late;
        coarse += result_usable(r) && r->clock_error_s > precision * r->time.value;
    }
    if (!(error_s > 0))
        return;
    fprintf(page->md,
            "\nCalls began in windows of a global clock, which two ranks read with at most %s "
            "between them. %llu of %llu calls were left out, since a rank came after their "
            "window's start.\n",
            format_seconds(error_s, text, sizeof text), (unsigned long long)late,
            (unsigned long long)calls);
    if (coarse)
        fprintf(page->md,
                "\n**At %zu point%s the clock's error is more than the precision wanted**; their "
                "`reason` in `points.csv` says so.\n",
                COUNTED(coarse));
}

/* ---- what was timed once, under several names ---- */

static int order(double a, double b)
{
    return ascending(a, b);
}

/* Order by cell, by what ran there, and by its time. */
static int compare_ran(const struct measured *a, const struct measured *b)
{
    const struct candidate x = { .segment_bytes = (uint64_t)a->ran_segment_bytes,
                                 .fanout = (int)a->ran_fanout };
    const struct candidate y = { .segment_bytes = (uint64_t)b->ran_segment_bytes,
                                 .fanout = (int)b->ran_fanout };
    return by_keys(order(a->point.experiment, b->point.experiment),
                   order((double)a->point.gather_bytes, (double)b->point.gather_bytes),
                   cell_compare(&a->point.cell, &b->point.cell),
                   strcmp(a->ran_algorithm, b->ran_algorithm), candidate_compare(&x, &y),
                   order((double)a->time.n, (double)b->time.n), order(a->time.value, b->time.value),
                   order(a->time.max, b->time.max));
}

static int by_ran(const void *left, const void *right)
{
    return compare_ran(*(const struct measured *const *)left,
                       *(const struct measured *const *)right);
}

/* Points whose samples are those of another one: the same ran, and the times are equal to the last
 * digit. */
static void say_same(struct page *page)
{
    const struct report_data *d = page->data;
    const struct measured **all = memory_zeros(d->results + 1, sizeof *all);
    size_t n = 0, same = 0;
    for (size_t i = 0; i < d->results && !d->imported; i++)
        if (result_usable(&d->result[i]) && *d->result[i].ran_algorithm)
            all[n++] = &d->result[i];
    qsort(all, n, sizeof *all, by_ran);
    for (size_t i = 0, end; i < n; i = end) {
        int substituted = 0;
        for (end = i; end < n && compare_ran(all[i], all[end]) == 0; end++)
            substituted |= all[end]->status == POINT_SUBSTITUTED;
        same += substituted ? end - i - 1 : 0;
    }
    free(all);
    if (same)
        fprintf(page->md,
                "\n%zu point%s %s their time from another point of their cell: the same ran at "
                "both, at one of them in place of the requested one, and was timed once.\n",
                COUNTED(same), of_number(same, "has", "have"));
}

static void write_section(struct page *page)
{
    put_counts(page);
    put_reasons(page);
    say_same(page);
    say_precision(page);
    say_spread(page);
    say_windows(page);
    say_drift(page);
}

const struct section section_quality = {
    .name = "quality",
    .title = "What became of the points",
    .subject = PAGE_QUALITY,
    .write = write_section,
};
