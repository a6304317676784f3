/* SPDX-License-Identifier: BSD-3-Clause */
/* Per cell, what the best schedule that is not the library's gains over the best that the library
 * can be made to run, its own choice among them. */
#include "reports/section_common.h"

/* The times of a cell: the best of either side, and whether what the slower loses is tied; STAT_NA:
 * not known. */
struct rivals {
    const struct measured *own, *other;
    int tied;
};

/* One context: its cells that have both. */
struct beyond {
    const struct context *context;
    struct rivals *cell; /* owned */
    size_t n;
};

/* In a release whose algorithms the schedules are. */
static int has_native(const char *library, const char *collective, const char *name)
{
    const struct native *a = native_find(library, collective, name);
    return a && native_compared(library, a);
}

/* In a simulation, where no library runs: a schedule that sends what a library's algorithm of the
 * same name does. Else what the library itself ran. */
static int is_library(const struct report_data *d, const struct point *p,
                      const struct context *context)
{
    static const char prefix[][9] = { "mpich_", "openmpi_" };
    const char *name = algorithm_base_name(p->candidate.algorithm);
    if (!d->simulated)
        return is_own(&p->candidate, context);
    if (strncmp(name, prefix[0], strlen(prefix[0])) == 0)
        return has_native("mpich", p->cell.collective, name + strlen(prefix[0]));
    if (strncmp(name, prefix[1], strlen(prefix[1])) == 0)
        name += strlen(prefix[1]);
    return algorithm_is_default(p->candidate.algorithm) ||
           has_native("openmpi", p->cell.collective, name);
}

static void keep_faster(const struct measured **best, const struct measured *r)
{
    if (!*best || r->time.value < (*best)->time.value)
        *best = r;
}

/* Adds the cell of row[0 .. n - 1] where both sides have a time. */
static void add_cell(struct beyond *b, const struct report_data *d,
                     const struct measured *const *row, size_t n)
{
    struct rivals cell = { NULL, NULL, STAT_NA };
    for (size_t i = 0; i < n; i++)
        if (is_library(d, &row[i]->point, b->context))
            keep_faster(&cell.own, row[i]);
        else if (is_portable(row[i]->point.candidate.algorithm))
            keep_faster(&cell.other, row[i]);
    if (cell.own && cell.other)
        b->cell[b->n++] = cell;
}

static void find_cells(struct beyond *b, const struct report_data *d)
{
    size_t n;
    const struct measured **row = section_common_times(d, b->context, &n);
    b->cell = memory_zeros(n + 1, sizeof *b->cell);
    for (size_t i = 0, end; i < n; i = end) {
        end = section_common_cell_end(row, n, i);
        add_cell(b, d, row + i, end - i);
    }
    free(row);
}

/* By how much longer the library's best takes; below 0: lost. */
static double gain_of(const struct rivals *cell)
{
    return longer_pct(cell->own->time.value, cell->other->time.value);
}

/* What the slower of the two loses is tied, or not. */
static void judge_cells(struct beyond *b, const struct report_data *d)
{
    struct page_judge judge;
    page_judge_open(d, &judge);
    for (size_t i = 0; i < b->n; i++) {
        struct rivals *c = &b->cell[i];
        const int own_slower = gain_of(c) > 0;
        c->tied =
            page_judge_tied(&judge, own_slower ? c->own : c->other, own_slower ? c->other : c->own);
    }
    page_judge_close(&judge);
}

static const char *verdict_of(const struct rivals *cell)
{
    if (cell->tied == STAT_NA)
        return "one launch does not tell";
    return cell->tied ? "tied" : gain_of(cell) > 0 ? "faster" : "slower";
}

/* "In 12 of 30 cells ... (most: 41 % at P = 64, 8 KiB); in 4 more the two are tied." */
static void say_savings(struct page *page, const struct beyond *b)
{
    size_t faster = 0, tied = 0;
    char median[32], times[32];
    const struct rivals *most = NULL;
    double logs = 0, *won = memory_zeros(b->n + 1, sizeof *won);
    for (size_t i = 0; i < b->n; i++) {
        const double pct = gain_of(&b->cell[i]);
        const char *verdict = verdict_of(&b->cell[i]);
        logs += log(b->cell[i].other->time.value / b->cell[i].own->time.value);
        tied += strcmp(verdict, "tied") == 0;
        if (strcmp(verdict, "faster") != 0)
            continue;
        won[faster++] = pct;
        most = !most || pct > gain_of(most) ? &b->cell[i] : most;
    }
    stats_sort(won, faster);
    fprintf(page->md,
            "\nIn %zu of %zu cell%s the best portable schedule is significantly faster than the "
            "best that the library can run",
            faster, COUNTED(b->n));
    if (most)
        fprintf(page->md, ": %s times in the median of these, %s times at most (P = %d, %s)",
                format_times(stats_quantile(won, faster, 0.5), median, sizeof median),
                format_times(gain_of(most), times, sizeof times), most->own->point.cell.procs,
                show_bytes(most->own->point.cell.bytes));
    fprintf(
        page->md,
        "; in %zu the two are tied. Over all cells its time is %.2f times the library's best, in "
        "geometric mean.\n",
        tied, exp(logs / (double)b->n));
    free(won);
}

static void put_side(struct table *t, const struct report_data *d, const struct context *context,
                     const struct measured *m)
{
    if (algorithm_is_default(m->point.candidate.algorithm))
        table_cell(t, m->point.candidate.algorithm, "the default");
    else if (d->simulated)
        table_cell(t, m->point.candidate.algorithm, "%s", candidate_label(&m->point.candidate, 0));
    else
        table_cell(t, m->point.candidate.algorithm, "%s",
                   origin_label(d, m->point.candidate.algorithm, context));
    table_time(t, m->time.value);
}

static void put_table(struct page *page, const struct beyond *b)
{
    const struct report_data *d = page->data;
    struct table *t = scoped_table(page, b->context, "beyond",
                                   "The best portable schedule against the best of the library");
    table_columns(
        t, ">procs|P ; >bytes|message size ; <library_algorithm|algorithm|the library's best ; "
           ">library_s|time|the library's best ; <portable_algorithm|algorithm|the best portable ; "
           ">portable_s|time|the best portable ; >gain_pct|gain ; <verdict| ; .root|");
    for (size_t i = 0; i < b->n; i++) {
        const struct rivals *cell = &b->cell[i];
        const char *verdict = verdict_of(cell);
        table_cells(t, "%d | %ju B", cell->own->point.cell.procs, cell->own->point.cell.bytes);
        put_side(t, d, b->context, cell->own);
        put_side(t, d, b->context, cell->other);
        table_cells(t, "%g %% [%d] | %s | %d", gain_of(cell),
                    strcmp(verdict, "faster") == 0 ? MARK_BEST : MARK_NONE, verdict,
                    cell->own->point.cell.root);
    }
    table_note(t,
               "Gain: how much longer the library's best takes than the best portable schedule; "
               "below 0 that loses. Faster or slower: %s; else tied.",
               d->simulated ? "by more than the study's ties"
                            : "the interval of what the slower loses, over the launches that "
                              "measured both, does not reach 0");
    char openmpi[NATIVES_COMPARED_TEXT], mpich[NATIVES_COMPARED_TEXT];
    if (d->simulated)
        table_note(t,
                   "In a simulation the library's are the schedules of Open MPI %s and of MPICH "
                   "%s; portable ones are those that neither has.",
                   natives_compared_text("openmpi", openmpi),
                   natives_compared_text("mpich", mpich));
    page_table(page, t);
}

/* Both sides are there somewhere; cheap, as every page asks. */
static int applies(const struct report_data *d)
{
    for (size_t k = 0; k < d->contexts; k++) {
        int own = 0, other = 0;
        for (size_t i = 0; i < d->results && !(own && other); i++)
            if (section_common_is_time(&d->result[i], &d->context[k])) {
                const int library = is_library(d, &d->result[i].point, &d->context[k]);
                own |= library;
                other |= !library && is_portable(d->result[i].point.candidate.algorithm);
            }
        if (own && other)
            return 1;
    }
    return 0;
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    for (size_t i = 0; i < d->contexts; i++) {
        struct beyond b = { .context = &d->context[i] };
        find_cells(&b, d);
        judge_cells(&b, d);
        if (b.n) {
            section_common_heading(page, b.context, "");
            say_savings(page, &b);
            put_table(page, &b);
        }
        free(b.cell);
    }
}

const struct section section_beyond = {
    .name = "beyond",
    .title = "Beyond the library",
    .subject = PAGE_CHOICES,
    .applies = applies,
    .write = write_section,
};
