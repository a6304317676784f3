/* SPDX-License-Identifier: BSD-3-Clause */
/* Releases side by side: of each family of which the study has several entries, what the next one's
 * default changes. The same test as `collsel compare` (analysis/verify/compare.h). */
#include "analysis/verify/compare.h"
#include "reports/section.h"
#include "reports/style.h"

enum { MOST_CELLS = 40 };

static void count_pair(size_t before, size_t after, void *to)
{
    (void)before;
    (void)after;
    ++*(size_t *)to;
}

static int applies(const struct report_data *d)
{
    size_t pairs = 0;
    if (d->has_facts)
        compare_releases(&d->facts, count_pair, &pairs);
    return pairs > 0;
}

static void put_collective(struct table *t, const struct compare *c, const char *collective)
{
    const struct compare_sum s = compare_sum_up(c, collective);
    table_cells(t, "%s | %zu | %zu | %zu | %zu | %.1f", collective, s.cells, s.n[COMPARE_SLOWER],
                s.n[COMPARE_FASTER], s.n[COMPARE_UNSURE] + s.n[COMPARE_UNTESTED], s.change_pct);
}

static void put_summary(struct page *page, const struct compare *c, const char *name,
                        const char *pair)
{
    struct table *t = page_table_new(page, name, "What changes from %.400s", pair);
    table_columns(t, "<collective|collective ; >cells|cells ; >slower|slower|by more than 10 %% ; "
                     ">faster|faster|by more than 9.09 %% ; >unsure|unsure|by as much ; "
                     ">mean_pct|geometric mean|of changes (%%)");
    for (size_t i = 0; i < c->n; i++)
        if (compare_is_first(c, i))
            put_collective(t, c, c->row[i].cell.collective);
    if (c->doubted)
        table_note(t, "Left out: %zu time%s that %s doubted (`--doubted` takes them).", c->doubted,
                   plural(c->doubted), of_number(c->doubted, "is", "are"));
    if (c->crowded)
        table_note(t, "More ranks than cores in %zu cell%s of %zu: %s.", COUNTED(c->crowded), c->n,
                   compare_of_crowded);
    page_table(page, t);
}

static void put_cell(struct table *t, const struct compare_row *r)
{
    char label[CANDIDATE_TEXT];
    const struct candidate *const ran[] = { &r->ran_before, &r->ran_after };
    table_cells(t, "%s | %s | %d | %ju B | %g s | %g s | %.1f", r->cell.collective, r->cell.mapping,
                r->cell.procs, r->cell.bytes, r->before_s, r->after_s, r->change_pct);
    for (size_t i = 0; i < 2; i++)
        table_cell(t, ran[i]->algorithm, "%s",
                   *ran[i]->algorithm ? candidate_text(ran[i], label, sizeof label) : "not known");
}

static void put_cells(struct page *page, const struct compare *c, const char *name,
                      const char *pair)
{
    size_t shown = 0;
    struct table *t = page_table_new(page, name, "Cells that change for sure from %.400s", pair);
    table_columns(t, "<collective|collective ; <mapping|mapping ; >procs|P ; >bytes|message size ; "
                     ">before_s|before ; >after_s|after ; >change_pct|change (%%) ; "
                     "<ran_before|before|what ran ; <ran_after|after|what ran");
    for (size_t i = 0; i < c->n && shown < MOST_CELLS; i++)
        if (c->row[i].verdict == COMPARE_SLOWER || c->row[i].verdict == COMPARE_FASTER) {
            put_cell(t, &c->row[i]);
            shown++;
        }
    const size_t all = c->verdicts[COMPARE_SLOWER] + c->verdicts[COMPARE_FASTER];
    if (shown < all)
        table_note(t, "The gravest losses of %zu cell%s.", COUNTED(all));
    page_table_some(page, t);
}

struct pairs {
    struct page *page;
    const struct facts *facts;
};

static void put_pair(size_t before, size_t after, void *to)
{
    const struct pairs *pairs = to;
    struct page *page = pairs->page;
    const struct report_data *d = page->data;
    const struct facts *f = pairs->facts;
    const struct points points = { .row = d->result, .n = d->results };
    const struct compare_side was = { &points, f, f->mpi[before] },
                              is = { &points, f, f->mpi[after] };
    struct compare c = { .n = 0 };
    char pair[2 * NAME_SIZE + 160];
    compare_add(&c, &was, &is);
    compare_judge(&c, &compare_usual);
    snprintf(pair, sizeof pair, "%s (%.60s) to %s (%.60s)", was.mpi, f->mpi_version[before], is.mpi,
             f->mpi_version[after]);
    if (c.n) {
        put_summary(page, &c, brief("releases%zu-%zu", before, after), pair);
        put_cells(page, &c, brief("released%zu-%zu", before, after), pair);
    } else {
        fprintf(page->md, "From %s: no cell has a time of both defaults.\n\n", pair);
    }
    compare_clear(&c);
}

static void write_section(struct page *page)
{
    struct pairs pairs = { page, &page->data->facts };
    compare_releases(&page->data->facts, put_pair, &pairs);
}

const struct section section_releases = {
    .name = "releases",
    .title = "Releases side by side",
    .subject = PAGE_MACHINE,
    .applies = applies,
    .intro =
        "What an upgrade gains or loses: the default of each release beside that of the next one "
        "here, by Welch’s t over launches, corrected for all cells together at 1 % (`collsel "
        "compare`). An algorithm named by *what ran* is what the library said, or what its "
        "published rules say.\n\n",
    .write = write_section,
};
