/* SPDX-License-Identifier: BSD-3-Clause */
/* Of reductions: in which cells the fastest algorithm combines in another order than the library's
 * default does, so that floating-point results may differ in their last bits. */
#include "analysis/measure/equivalent.h"
#include "reports/section_common.h"
#include "workloads/schedules/order.h"

/* The order in which a candidate combines among so many ranks, once it has been looked for. */
struct order {
    const struct algorithm *schedule; /* NULL: it has none */
    int procs, fanout;
    enum order_kept kept;
    uint64_t tree;
};

struct orders {
    struct order *row; /* owned */
    size_t n;
};

static struct order order_of(struct orders *orders, const struct algorithm *a, int procs,
                             int64_t fanout)
{
    struct order o = { .schedule = a, .procs = procs, .fanout = fanout > 0 ? (int)fanout : 0 };
    for (size_t i = 0; i < orders->n; i++)
        if (orders->row[i].schedule == a && orders->row[i].procs == procs &&
            orders->row[i].fanout == o.fanout)
            return orders->row[i];
    o.kept = order_find(a, procs, o.fanout, &o.tree);
    *(struct order *)array_add(&orders->row, &orders->n) = o;
    return o;
}

enum bits { BITS_SAME, BITS_MAY_DIFFER, BITS_RANKS, BITS_UNKNOWN, N_BITS };

static const char *const bits_words[N_BITS] = { "the same", "may differ",
                                                "may differ, also from rank to rank", "not known" };

struct rivals {
    const struct measured *usual, *best; /* the default, and the fastest */
    enum bits bits;
};

struct differences {
    const struct context *context;
    struct rivals *cell; /* owned */
    size_t n;
};

static const char *ran(const struct measured *m)
{
    return *m->ran_algorithm ? m->ran_algorithm : m->point.candidate.algorithm;
}

static int64_t fanout_of(const struct measured *m)
{
    return m->ran_fanout > 0 ? m->ran_fanout : m->point.candidate.fanout;
}

static struct order order_where(struct orders *orders, const struct cell *cell,
                                const struct measured *m)
{
    const char *algorithm = ran(m);
    return order_of(orders, *algorithm ? equivalent_find(cell->collective, algorithm) : NULL,
                    cell->procs, fanout_of(m));
}

static enum bits compare(struct orders *orders, const struct rivals *p)
{
    const struct cell *cell = &p->usual->point.cell;
    if (p->usual == p->best)
        return BITS_SAME;
    const struct order a = order_where(orders, cell, p->usual),
                       b = order_where(orders, cell, p->best);
    if (a.kept == ORDER_UNKNOWN || b.kept == ORDER_UNKNOWN)
        return BITS_UNKNOWN;
    if (b.kept == ORDER_RANKS)
        return BITS_RANKS;
    return a.kept == ORDER_ONE && b.kept == ORDER_ONE && a.tree == b.tree ? BITS_SAME
                                                                          : BITS_MAY_DIFFER;
}

static const struct selection *default_of(const struct report_data *d, const struct cell *cell)
{
    size_t n;
    const struct selection *c = choices_at(d, cell, &n);
    return find_below(c, i, n,
                      strcmp(c[i].name, "default") == 0 && *c[i].chosen.algorithm &&
                          *c[i].best.algorithm);
}

static const struct measured *row_of(const struct measured *const *row, size_t n,
                                     const struct candidate *candidate)
{
    for (size_t i = 0; i < n; i++)
        if (candidate_compare(&row[i]->point.candidate, candidate) == 0)
            return row[i];
    return NULL;
}

/* row[0 .. n - 1]: the cell's. */
static void add_cell(struct differences *all, struct orders *orders, const struct report_data *d,
                     const struct measured *const *row, size_t n)
{
    const struct selection *s = default_of(d, &row[0]->point.cell);
    if (!s)
        return;
    struct rivals p = { row_of(row, n, &s->chosen), row_of(row, n, &s->best), BITS_SAME };
    if (!p.usual || !p.best)
        return;
    p.bits = compare(orders, &p);
    all->cell[all->n++] = p;
}

static void find_cells(struct differences *all, struct orders *orders, const struct report_data *d)
{
    size_t n;
    const struct measured **row = section_common_times(d, all->context, &n);
    all->cell = memory_zeros(n + 1, sizeof *all->cell);
    for (size_t i = 0, end; i < n; i = end) {
        end = section_common_cell_end(row, n, i);
        add_cell(all, orders, d, row + i, end - i);
    }
    free(row);
}

/* Numbers of ranks at which the default itself combines in more than one order; counts: at which
 * its order is known. Cells come by procs, then by size. */
static size_t count_changing(const struct differences *all, struct orders *orders, size_t *counts)
{
    size_t changing = 0;
    *counts = 0;
    for (size_t i = 0, end; i < all->n; i = end) {
        const struct cell *cell = &all->cell[i].usual->point.cell;
        int changes = 0, known = 0;
        for (end = i; end < all->n && all->cell[end].usual->point.cell.procs == cell->procs;
             end++) {
            const struct rivals p = { all->cell[i].usual, all->cell[end].usual, BITS_SAME };
            changes |= compare(orders, &p) == BITS_MAY_DIFFER;
            known |= order_where(orders, cell, p.best).kept != ORDER_UNKNOWN;
        }
        changing += changes != 0;
        *counts += known != 0;
    }
    return changing;
}

static void say(struct page *page, const struct differences *all, struct orders *orders)
{
    size_t count[N_BITS] = { 0 }, others = 0, tied = 0, counts;
    for (size_t i = 0; i < all->n; i++)
        if (all->cell[i].best != all->cell[i].usual) {
            others++;
            tied += choice_is_tied(page->data, &all->cell[i].usual->point.cell, "default");
            count[all->cell[i].bits]++;
        }
    fprintf(page->md,
            "\nIn %zu of %zu cell%s the least time is not the library's default's; in %zu of these "
            "the default is tied with it. In %zu of the %zu the fastest "
            "combines, or may combine, in another order than the default does there: a sum of "
            "floating-point numbers may differ in its last bits. In %zu the bits are the same",
            others, COUNTED(all->n), tied, count[BITS_MAY_DIFFER] + count[BITS_RANKS], others,
            count[BITS_SAME]);
    if (count[BITS_RANKS])
        fprintf(page->md, "; in %zu ranks may end with different last bits of one sum",
                count[BITS_RANKS]);
    if (count[BITS_UNKNOWN])
        fprintf(page->md, "; of %zu the order is not known", count[BITS_UNKNOWN]);
    const size_t changing = count_changing(all, orders, &counts);
    if (counts)
        fprintf(
            page->md,
            ".\nThe default itself combines in more than one order over the sizes at %zu of %zu "
            "numbers of processes",
            changing, counts);
    fputs(". `reproducible = yes` in a study leaves out what may change results.\n", page->md);
}

static void put_label(struct table *t, const struct report_data *d, const struct context *context,
                      const char *algorithm)
{
    table_cell(t, algorithm, "%s", origin_label(d, algorithm, context));
}

static void put_table(struct page *page, const struct differences *all)
{
    struct table *t = scoped_table(page, all->context, "bits",
                                   "Bits of the fastest algorithm's result beside the default's");
    table_columns(t, ">procs|P ; >bytes|message size ; <default_ran|the default runs ; "
                     "<best|fastest ; <bits|bits of a floating-point sum ; .root|");
    for (size_t i = 0; i < all->n; i++) {
        const struct rivals *p = &all->cell[i];
        if (p->best == p->usual)
            continue;
        table_cells(t, "%d | %ju B", p->usual->point.cell.procs, p->usual->point.cell.bytes);
        put_label(t, page->data, all->context, ran(p->usual));
        put_label(t, page->data, all->context, ran(p->best));
        table_mark(t, p->bits == BITS_SAME ? MARK_BEST : MARK_NONE);
        table_cells(t, "%s | %d", bits_words[p->bits], p->usual->point.cell.root);
    }
    table_note(t,
               "Orders are those of the schedules, followed element by element among at most "
               "32 ranks (of more ranks, as many of the same kind: a power of two, even, odd). Of "
               "what calls other collectives, as the library chooses them by the size, and of "
               "what changes its order with the size itself, the bits may differ from any.");
    table_fold(t);
    page_table(page, t);
}

static int applies(const struct report_data *d)
{
    return any_below(i, d->choices,
                     strcmp(d->choice[i].name, "default") == 0 && *d->choice[i].chosen.algorithm &&
                         collective_of(d->choice[i].cell.collective)->combines);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    struct orders orders = { NULL, 0 };
    for (size_t i = 0; i < d->contexts; i++) {
        struct differences all = { .context = &d->context[i] };
        if (!collective_of(d->context[i].collective)->combines)
            continue;
        find_cells(&all, &orders, d);
        if (all.n) {
            section_common_heading(page, all.context, "");
            say(page, &all, &orders);
            put_table(page, &all);
        }
        free(all.cell);
    }
    free(orders.row);
}

const struct section section_bits = {
    .name = "bits",
    .title = "Choices that may change results",
    .subject = PAGE_CHOICES,
    .applies = applies,
    .write = write_section,
};
