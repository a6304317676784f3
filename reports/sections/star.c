/* SPDX-License-Identifier: BSD-3-Clause */
/* STAR-MPI's micro-benchmark (collsel star), in the layout of the paper's Tables 1, 6 and 7 and
 * with its figures beside ours; and the choice that a benchmark makes before beside that made while
 * the application runs. */
#include "reports/section_common.h"

static const char table_1[] = "Table 1", tables_6_7[] = "Tables 6 and 7", figure_5[] = "Figure 5";

/* What the section is made of. */
struct material {
    struct page *page;
    const char *cluster;
    struct star_row *row;
    size_t n;
    struct reference reference;
};

static int applies(const struct report_data *d)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, NULL, "%s/%s", d->dir, star_schema.path) == 0 &&
           fs_exists(path);
}

static void put_ms(struct table *t, double seconds)
{
    table_scaled(t, seconds, 1e3, seconds < 0.01 ? 3 : seconds < 1 ? 1 : 0);
}

static void put_their_ms(struct table *t, double seconds)
{
    if (isnan(seconds))
        table_cell(t, "", "–");
    else
        table_cell(t, NULL, seconds < 1 ? "%.4g" : "%.0f", seconds * 1e3);
    table_mark(t, MARK_REFERENCE);
}

static void put_algorithm(struct table *t, const char *name)
{
    const char *colon = strchr(name, ':');
    table_cell(t, name, "%s", colon && strncmp(name, "portable:", 9) == 0 ? colon + 1 : name);
}

static void cell_columns(struct table *t)
{
    table_columns(t, "<collective|operation ; >bytes|message size");
}

static void put_cell(struct table *t, const struct star_row *r)
{
    table_cells(t, "%s | %ju B", r->collective, r->bytes);
}

static void data_columns(struct table *t)
{
    table_columns(t, ".procs| ; .repository| ; .late_s|");
}

static void put_data(struct table *t, const struct star_row *r)
{
    table_cells(t, "%d | %s | %.9f", r->procs, star_repository(r), r->late_s);
}

/* What the paper's tables are of: its own algorithms, and ranks that come together. */
static int is_the_papers(const struct star_row *r)
{
    return (r->repository == REPOSITORY_PAPER) && !(r->late_s > 0);
}

/* The same cell by the other scheme. */
static const struct star_row *other_scheme(const struct material *m, const struct star_row *r)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct star_row *o = &m->row[i];
        if (o->scheme != r->scheme && o->procs == r->procs && o->bytes == r->bytes &&
            o->repository == r->repository && !(o->late_s > r->late_s) &&
            !(o->late_s < r->late_s) && strcmp(o->collective, r->collective) == 0)
            return o;
    }
    return NULL;
}

static void scheme_columns(struct table *t, const char *scheme)
{
    table_columns(t,
                  ">%s_calls|calls|%s ; >paper_%s_calls|paper|%s ; >%s_measure_s|ms|%s ; "
                  ">paper_%s_measure_ms|paper|%s ; <%s_algorithm|algorithm|%s ; "
                  "<paper_%s_algorithm|paper|%s",
                  scheme, scheme, scheme, scheme, scheme, scheme, scheme, scheme, scheme, scheme,
                  scheme, scheme);
}

static void put_scheme(const struct material *m, struct table *t, const struct star_row *r)
{
    const struct reference_star_row *theirs =
        r ? reference_star_find(&m->reference, table_1, m->cluster, r) : NULL;
    table_cells(t, "%.0f | %.0f [%d]", r ? r->measured : NAN, theirs ? theirs->measured : NAN,
                MARK_REFERENCE);
    put_ms(t, r ? r->measure_s : NAN);
    put_their_ms(t, theirs ? theirs->measure_s : NAN);
    put_algorithm(t, r ? r->algorithm : "–");
    table_cells(t, "%s [%d]", theirs ? theirs->algorithm : "–", MARK_REFERENCE);
}

static void put_table_1(const struct material *m)
{
    struct table *t = page_table_new(m->page, "star-schemes",
                                     "Measure_Select without groups (basic) and with (enhanced)");
    cell_columns(t);
    scheme_columns(t, star_scheme_words[STAR_BASIC]);
    scheme_columns(t, star_scheme_words[STAR_ENHANCED]);
    data_columns(t);
    for (size_t i = 0; i < m->n; i++) {
        const struct star_row *r = &m->row[i], *other = other_scheme(m, r);
        if (!is_the_papers(r) || (r->scheme != STAR_BASIC && other))
            continue;
        put_cell(t, r);
        put_scheme(m, t, r->scheme == STAR_BASIC ? r : NULL);
        put_scheme(m, t, r->scheme == STAR_BASIC ? other : r);
        put_data(t, r);
    }
    table_note(t, "calls: of Measure_Select; ms: all of these, mean over ranks. paper: Table 1 of "
                  "Faraj, Yuan & Lowenthal (ICS 2006), in its words.");
    page_table_some(m->page, t);
}

static void pair_columns(struct table *t, const char *key, const char *title)
{
    table_columns(t, ">%s|ms|%s ; >paper_%s|paper|%s", key, title, key, title);
}

static void put_pays(struct table *t, const struct star_row *r)
{
    const double after = star_pays_after(r);
    if (isfinite(after))
        table_number(t, ceil(after), 0);
    else
        table_cell(t, "", isnan(after) ? "–" : "never");
}

/* A row of the paper's own loop in groups, with the paper's figures for it (NULL: it has none);
 * NULL: row i is another. */
static const struct star_row *in_groups(const struct material *m, size_t i, const char *table,
                                        const struct reference_star_row **theirs)
{
    const struct star_row *r = &m->row[i];
    if (!is_the_papers(r) || r->scheme != STAR_ENHANCED)
        return NULL;
    *theirs = reference_star_find(&m->reference, table, m->cluster, r);
    return r;
}

static void put_table_6(const struct material *m)
{
    struct table *t =
        page_table_new(m->page, "star-stages", "Time of a call in both stages, in groups");
    cell_columns(t);
    pair_columns(t, "default_s", "the default");
    pair_columns(t, "measure_call_s", "Measure_Select");
    pair_columns(t, "monitor_call_s", "Monitor_Adapt");
    table_columns(
        t, "<algorithm|chosen ; >gain_pct|saved of the default ; >pays_after|pays after, calls");
    data_columns(t);
    for (size_t i = 0; i < m->n; i++) {
        const struct reference_star_row *theirs;
        const struct star_row *r = in_groups(m, i, tables_6_7, &theirs);
        if (!r)
            continue;
        put_cell(t, r);
        put_ms(t, r->default_s);
        put_their_ms(t, theirs ? theirs->default_s : NAN);
        put_ms(t, r->measure_call_s);
        put_their_ms(t, theirs ? theirs->measure_call_s : NAN);
        put_ms(t, r->monitor_call_s);
        put_their_ms(t, theirs ? theirs->monitor_call_s : NAN);
        put_algorithm(t, r->algorithm);
        table_cells(t, "%g %% [%d]", r->saved_pct, r->saved_pct > 0 ? MARK_BEST : MARK_BAD);
        put_pays(t, r);
        put_data(t, r);
    }
    table_note(t, "the default: the library's own choice, in the same loop without star; of the "
                  "paper MPICH 2's. pays after: calls, those of Measure_Select with them, after "
                  "which less time has passed than with the default alone. saved: in percent of "
                  "the default's time, as in the paper; losses and gains elsewhere are in percent "
                  "of the shorter time.");
    page_table_some(m->page, t);
}

static void put_table_7(const struct material *m)
{
    struct table *t = page_table_new(m->page, "star-overheads", "Overheads of a call, in groups");
    cell_columns(t);
    pair_columns(t, "o_ms_a_s", "O_MS^a");
    pair_columns(t, "o_ms_c_s", "O_MS^c");
    pair_columns(t, "o_ma_s", "O_MA");
    data_columns(t);
    for (size_t i = 0; i < m->n; i++) {
        const struct reference_star_row *theirs;
        const struct star_row *r = in_groups(m, i, tables_6_7, &theirs);
        if (!r)
            continue;
        put_cell(t, r);
        table_scaled(t, r->o_ms_a_s, 1e3, 4);
        put_their_ms(t, theirs ? theirs->o_ms_a_s : NAN);
        put_ms(t, r->o_ms_c_s);
        put_their_ms(t, theirs ? theirs->o_ms_c_s : NAN);
        table_scaled(t, r->o_ma_s, 1e3, 4);
        put_their_ms(t, theirs ? theirs->o_ma_s : NAN);
        put_data(t, r);
    }
    table_note(t, "O_MS^a: the library's own work in Measure_Select; O_MS^c: the collective then, "
                  "whatever was tried; O_MA: the library's own work in Monitor_Adapt. Walked, the "
                  "library's work is the allreduce alone by which ranks agree.");
    table_fold(t);
    page_table_some(m->page, t);
}

static void put_figure_5(const struct material *m)
{
    struct table *t =
        page_table_new(m->page, "star-whole", "A call, mean of 500 from the first on");
    cell_columns(t);
    pair_columns(t, "whole_call_s", "star");
    pair_columns(t, "default_s", "the default");
    table_columns(t, ">speedup|the default takes ; >paper_speedup|paper");
    data_columns(t);
    for (size_t i = 0; i < m->n; i++) {
        const struct reference_star_row *theirs;
        const struct star_row *r = in_groups(m, i, figure_5, &theirs);
        if (!r)
            continue;
        put_cell(t, r);
        put_ms(t, star_whole_call(r));
        put_their_ms(t, theirs ? theirs->whole_call_s : NAN);
        put_ms(t, r->default_s);
        put_their_ms(t, theirs ? theirs->default_s : NAN);
        table_cells(t, "%g %% | %g %% [%d]", r->speedup_pct,
                    theirs ? 100 * (theirs->default_s / theirs->whole_call_s - 1) : NAN,
                    MARK_REFERENCE);
        put_data(t, r);
    }
    table_note(t,
               "%d calls, reckoned from both stages' means; the default takes so much longer. "
               "The paper prints Figure 5 (alltoall on Lemieux, beside its native MPI) for "
               "256 KiB only.",
               STAR_WHOLE);
    table_fold(t);
    page_table_some(m->page, t);
}

static void put_static(const struct material *m)
{
    struct table *t = page_table_new(
        m->page, "star-static", "The fastest where all ranks come together, and star's choice");
    cell_columns(t);
    table_columns(
        t, ">late|last rank later by ; <static_algorithm|algorithm|fastest where all come together "
           "; >static_s|ms in the loop|fastest where all come together ; <algorithm|algorithm|star "
           "; >monitor_call_s|ms in the loop|star ; >longer_pct|the former takes longer by");
    data_columns(t);
    for (size_t i = 0; i < m->n; i++) {
        const struct star_row *r = &m->row[i];
        if (!*r->static_algorithm || r->scheme != STAR_ENHANCED)
            continue;
        put_cell(t, r);
        table_time(t, r->late_s);
        put_algorithm(t, r->static_algorithm);
        put_ms(t, r->static_s);
        put_algorithm(t, r->algorithm);
        put_ms(t, r->monitor_call_s);
        table_pct(t, 100 * (r->static_s / r->monitor_call_s - 1));
        put_data(t, r);
    }
    table_note(t,
               "A call in the loop, where ranks come as the call before has left them; with what "
               "they wait for a late one. Of star in Monitor_Adapt, with what it adds.");
    page_table_some(m->page, t);
}

static void write_section(struct page *page)
{
    struct err err = { 0 };
    struct material m = { .page = page, .cluster = page->data->cluster };
    m.reference = page_reference(page, &reference_star_schema);
    m.row = schema_read_any(&star_schema, page->data->dir, &m.n, &err);
    if (m.row) {
        put_table_1(&m);
        put_table_6(&m);
        put_static(&m);
        put_table_7(&m);
        put_figure_5(&m);
    } else {
        page_fail(page, &err);
    }
    memory_free(m.row, m.reference.row);
}

const struct section section_star = {
    .name = "star",
    .title = "Tuned while the application runs: STAR-MPI",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .intro =
        "\nThe micro-benchmark of the STAR-MPI paper: a loop of computation and one collective, "
        "tuned while it runs (`collsel star`). Measure_Select tries every candidate ten times, "
        "or, in groups, one of each group and then the rest of the best one; Monitor_Adapt runs "
        "the fastest and watches it. Figures of the paper stand beside ours, and enter nothing "
        "that is computed.\n",
    .write = write_section,
};
