/* SPDX-License-Identifier: BSD-3-Clause */
/* Who wins and what the default loses, in words: every sentence is computed from the study's files.
 */
#include "analysis/measure/equivalent.h"
#include "reports/section_common.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/trace.h"

enum { MOST_WINNERS = 16, MOST_LISTED = 16 };

static void say_grid(FILE *md, const struct grid *g)
{
    if (g->n_procs > MOST_LISTED)
        fprintf(md, "%zu values of P, %d to %d", g->n_procs, g->procs[0], g->procs[g->n_procs - 1]);
    else
        fputs("P\u00a0=\u00a0", md);
    for (size_t i = 0; g->n_procs <= MOST_LISTED && i < g->n_procs; i++)
        fprintf(md, "%s%d", list_separator(i, g->n_procs), g->procs[i]);
    fprintf(md, "; %s%s%s", show_bytes(g->bytes[0]), g->n_bytes > 1 ? " to " : "",
            g->n_bytes > 1 ? show_bytes(g->bytes[g->n_bytes - 1]) : "");
}

/* ---- who wins ---- */

struct winner {
    const char *algorithm;
    size_t cells;
    uint64_t low, high; /* sizes it wins at */
};

static int by_cells(const void *a, const void *b)
{
    const struct winner *x = a, *y = b;
    return by_keys(ascending(y->cells, x->cells), strcmp(x->algorithm, y->algorithm));
}

/* Of no bytes most algorithms send nothing: nobody wins but the clock, save at barriers. */
static int sends_nothing(const struct context *context, uint64_t bytes)
{
    return bytes == 0 && collective_moves(context->collective);
}

/* FNV-1a, a number at a time. */
static void add_pair(const struct traffic *pair, void *arg)
{
    const uint64_t v[] = { (uint64_t)pair->src, (uint64_t)pair->dst, pair->messages, pair->bytes };
    uint64_t *hash = arg;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        *hash = (*hash ^ v[i]) * 1099511628211U;
}

/* Of the messages between every two ranks; 0: the candidate has no schedule. */
static uint64_t traffic_hash(const struct cell *cell, const struct candidate *candidate)
{
    struct schedule s;
    uint64_t hash = 14695981039346656037U;
    if (equivalent_schedule(NULL, cell, candidate, &s, NULL) < 0)
        return 0;
    traffic_each(&s, add_pair, &hash);
    return hash;
}

static int same_messages(const struct cell *cell, const struct candidate *a,
                         const struct candidate *b)
{
    const uint64_t hash = traffic_hash(cell, a);
    return hash && hash == traffic_hash(cell, b);
}

/* 1 when another algorithm of the same library is as fast as the best: to the last digit, or within
 * a hundredth of it and by the same messages under another name. The default is another one in
 * files of others alone: ours runs one of those beside it. */
static int is_tie(const struct report_data *d, const struct measured *r,
                  const struct selection *best)
{
    const char *a = r->point.candidate.algorithm, *b = best->best.algorithm;
    const size_t library = strcspn(a, ":");
    const int is_default = strcmp(algorithm_base_name(a), "default") == 0;
    if (strcmp(a, b) == 0 || strncmp(a, b, library + 1) != 0 || (is_default && !d->imported))
        return 0;
    return r->time.value == best->best_s ||
           (!is_default && r->time.value <= 1.01 * best->best_s &&
            same_messages(&r->point.cell, &r->point.candidate, &best->best));
}

/* Cells of the grid in which somebody ties with the winner. */
static size_t count_ties(const struct report_data *d, const struct context *context,
                         const struct grid *g)
{
    char(*seen)[MOST_BYTES] = memory_zeros(MOST_PROCS, sizeof *seen);
    size_t n = 0;
    for (size_t i = 0; seen && i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (r->point.experiment != EXP_TIME ||
            (r->point.purpose != FOR_STUDY && r->point.purpose != FOR_DEFAULT) ||
            !result_usable(r) || !cell_in(&r->point.cell, context) ||
            r->point.cell.root != g->root || sends_nothing(context, r->point.cell.bytes))
            continue;
        const struct selection *c =
            grid_cell(d, context, g, r->point.cell.procs, r->point.cell.bytes, NULL);
        size_t p = 0, b = 0;
        while (p < g->n_procs && g->procs[p] != r->point.cell.procs)
            p++;
        while (b < g->n_bytes && g->bytes[b] != r->point.cell.bytes)
            b++;
        if (c && p < g->n_procs && b < g->n_bytes && !seen[p][b] && is_tie(d, r, c)) {
            seen[p][b] = 1;
            n++;
        }
    }
    free(seen);
    return n;
}

static size_t find_winners(const struct report_data *d, const struct context *context,
                           const struct grid *g, struct winner *w, size_t *cells)
{
    size_t n = 0;
    *cells = 0;
    for (size_t p = 0; p < g->n_procs; p++)
        for (size_t b = 0; b < g->n_bytes; b++) {
            const struct selection *c = grid_cell(d, context, g, g->procs[p], g->bytes[b], NULL);
            size_t k = 0;
            if (!c || !*c->best.algorithm || sends_nothing(context, g->bytes[b]))
                continue;
            ++*cells;
            while (k < n && strcmp(w[k].algorithm, c->best.algorithm) != 0)
                k++;
            if (k == MOST_WINNERS)
                continue;
            if (k == n)
                w[n++] = (struct winner){ c->best.algorithm, 0, g->bytes[b], g->bytes[b] };
            w[k].cells++;
            w[k].low = g->bytes[b] < w[k].low ? g->bytes[b] : w[k].low;
            w[k].high = g->bytes[b] > w[k].high ? g->bytes[b] : w[k].high;
        }
    qsort(w, n, sizeof *w, by_cells);
    return n;
}

/* 1 where a number of processes has several shapes: nodes and ranks on each. */
static int has_shapes(const struct report_data *d, const struct context *context,
                      const struct grid *g)
{
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i], *first;
        if (!cell_in(&c->cell, context) || c->cell.root != g->root)
            continue;
        first = grid_cell(d, context, g, c->cell.procs, c->cell.bytes, c->name);
        if (first && first->cell.nodes != c->cell.nodes)
            return 1;
    }
    return 0;
}

static void say_winners(struct page *page, const struct context *context, const struct grid *g)
{
    struct winner w[MOST_WINNERS];
    size_t cells, n = find_winners(page->data, context, g, w, &cells);
    const char *label;
    const char *low;
    const char *high;
    if (!n)
        return;
    size_t all = g->n_procs * g->n_bytes;
    if (sends_nothing(context, g->bytes[0])) /* ascending: the others send */
        all -= g->n_procs;
    if (cells < all)
        fprintf(page->md, "- **Fastest.** %zu of the %zu cell%s %s times (", cells, COUNTED(all),
                of_number(all, "has", "have"));
    else
        fprintf(page->md, "- **Fastest.** Of %zu cell%s (", cells, plural(cells));
    say_grid(page->md, g);
    fputs(cells < all ? "). In these " : ") ", page->md);
    for (size_t i = 0; i < n; i++) {
        label = algorithm_label(w[i].algorithm, shows_library(page->data));
        low = show_bytes(w[i].low);
        high = show_bytes(w[i].high);
        fprintf(page->md, "%s%s%s%s %s %zu (%s%s%s)", list_separator(i, n), i ? "" : "**", label,
                i ? "" : "**", i ? "in" : "is fastest in", w[i].cells, low,
                w[i].low == w[i].high ? "" : " to ", w[i].low == w[i].high ? "" : high);
    }
    fputs(".", page->md);
    if (has_shapes(page->data, context, g))
        fputs(" Several numbers of nodes have the same P; one of them is shown here.", page->md);
    const size_t ties = count_ties(page->data, context, g);
    if (ties)
        fprintf(page->md,
                " In %zu of them another algorithm is equally fast: it sends the same messages "
                "under another name, or its time is equal to the last digit. Which of the two is "
                "named there means nothing.",
                ties);
    if (sends_nothing(context, g->bytes[0]))
        fputs(" Cells of 0\u00a0B are not counted, as nothing is sent there.", page->md);
    fputs("\n", page->md);
}

/* ---- what the default loses ---- */

static const char by_default[] = "default";

static struct losses find_losses(const struct report_data *d, const struct context *context)
{
    struct losses l = { .cells = 0 };
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i];
        if (cell_in(&c->cell, context) && strcmp(c->name, by_default) == 0 &&
            c->purpose == FOR_STUDY)
            losses_add(&l, c);
    }
    return l;
}

/* "P = 80: 8 KiB, 512 KiB to 4 MiB; P = 100: ..." of the cells where the loss is above the limit.
 */
static void list_bad(FILE *md, const struct report_data *d, const struct context *context,
                     const struct grid *g)
{
    const char *low;
    const char *high;
    int row = 0;
    for (size_t p = 0; p < g->n_procs; p++) {
        int some = 0;
        for (size_t b = 0; b < g->n_bytes; b++) {
            size_t first = b;
            const struct selection *c;
            while (b < g->n_bytes &&
                   (c = grid_cell(d, context, g, g->procs[p], g->bytes[b], by_default)) &&
                   c->counted_pct > LOSS_MUCH_PCT)
                b++;
            if (b == first)
                continue;
            if (!some++)
                fprintf(md, "%sP\u00a0=\u00a0%d: ", row++ ? "; " : "", g->procs[p]);
            else
                fputs(", ", md);
            low = show_bytes(g->bytes[first]);
            high = show_bytes(g->bytes[b - 1]);
            fprintf(md, "%s%s%s", low, first + 1 == b ? "" : " to ", first + 1 == b ? "" : high);
        }
    }
}

/* "; at worst it loses 30 % (P = 8, 64 KiB: binary where binomial is best)" */
static void say_worst(FILE *md, const struct report_data *d, const struct losses *l)
{
    const struct selection *at = l->worst;
    if (at->counted_pct <= 0.05)
        return;
    fprintf(md, "; at worst it loses %s (P\u00a0=\u00a0%d, %s: %s where %s is best)",
            show_pct(at->counted_pct), at->cell.procs, show_bytes(at->cell.bytes),
            algorithm_label(ran_at(d, &at->cell, &at->chosen), shows_library(d)),
            algorithm_label(at->best.algorithm, shows_library(d)));
}

/* In how many cells it loses much, where, and in how many of them the samples do not tell. */
static void say_bad(FILE *md, const struct report_data *d, const struct context *context,
                    const struct grid *g, const struct losses *l)
{
    if (l->much == l->cells) {
        fprintf(md, " More than %d\u00a0%% are lost in every cell", LOSS_MUCH_PCT);
    } else {
        fprintf(md, " More than %d\u00a0%% are lost in %zu", LOSS_MUCH_PCT, l->much);
        if (g->n_procs <= MOST_LISTED && !has_shapes(d, context, g)) {
            fputs(": ", md);
            list_bad(md, d, context, g);
        }
    }
    fputs(".", md);
    if (l->much_tied)
        fprintf(md, " In %zu of these %zu the runs do not tell it from the best.", l->much_tied,
                l->much);
}

static const char sim_default_path[] = "study/settings/candidates/sim_default/value";

/* 1 where the library did not run, and the rule that stands for it does not know the collective. */
static int lacks_decision(const struct report_data *d, const char *collective)
{
    const char *rule = manifest_text(d, sim_default_path);
    return d->simulated && *rule && strcmp(rule, "none") != 0 && !decision_known(rule, collective);
}

/* Why there is nothing to say of a default that is known to lose something in no cell. */
static void say_nothing(FILE *md, const struct report_data *d, const struct context *context,
                        const struct losses *l)
{
    if (l->one_launch)
        fprintf(md,
                "Not known: of %zu cell%s only one launch says what it loses, and the next may say "
                "something else.\n",
                l->one_launch, plural(l->one_launch));
    else if (lacks_decision(d, context->collective))
        fprintf(md, "There is none: %s has no decision function for %s.\n",
                manifest_text(d, sim_default_path), context->collective);
    else
        fputs("No cell of the study was decided by it.\n", md);
}

static void say_losses(struct page *page, const struct context *context, const struct grid *g,
                       const struct losses *l)
{
    const struct report_data *d = page->data;
    const size_t unknown = cells_unknown(d, context, by_default, "study");
    if (unknown)
        fprintf(page->md,
                "In %zu of %zu cell%s its choice was not %s, so that its loss there is not "
                "known. In the other %zu: ",
                unknown, COUNTED(unknown + l->cells), times_word(d), l->cells);
    fputs("The library’s own choice ", page->md);
    if (l->untold && !(l->worst_pct > 0))
        fputs("loses nothing that the launches tell", page->md);
    else
        fprintf(page->md, "loses %s on average (geometric mean %s)", show_pct(losses_mean(l)),
                show_pct(losses_geomean(l)));
    say_worst(page->md, d, l);
    if (l->tied)
        fprintf(page->md, ". It is the best one, or tied with it, in %zu of %zu cell%s.", l->tied,
                COUNTED(l->cells));
    else
        fprintf(page->md, ". It is the best one in none of %zu cell%s.", l->cells,
                plural(l->cells));
    if (l->much)
        say_bad(page->md, d, context, g, l);
    if (l->untold)
        fprintf(page->md,
                " In %zu cell%s it took longer, but the launches do not tell it from the best: "
                "there its loss counts as 0\u00a0%%.",
                l->untold, plural(l->untold));
    if (l->one_launch)
        fprintf(page->md, " Of %zu more one launch says nothing.", l->one_launch);
    fputs("\n", page->md);
}

static void say_default(struct page *page, const struct context *context, const struct grid *g)
{
    struct losses l = find_losses(page->data, context);
    fputs("- **The default.** ", page->md);
    if (l.cells)
        say_losses(page, context, g, &l);
    else
        say_nothing(page->md, page->data, context, &l);
    losses_clear(&l);
}

/* ---- what to be careful about ---- */

static void say_cautions(struct page *page, const struct context *context)
{
    const struct report_data *d = page->data;
    size_t poor = 0, fits = 0, over = 0, drift = 0;
    for (size_t i = 0; i < d->hockneys; i++) {
        const struct hockney *r = &d->hockney[i];
        const int is_here = fit_in(r->collective, r->mpi, r->mapping, context);
        fits += (size_t)is_here;
        poor += is_here && r->status == FIT_POOR;
    }
    for (size_t i = 0; i < d->results; i++) {
        if (!cell_in(&d->result[i].point.cell, context))
            continue;
        over += oversubscribed(d, &d->result[i].point.cell);
        drift += d->result[i].drift == 1;
    }
    if (!poor && !over && !drift)
        return;
    fputs("- **With care.**", page->md);
    if (poor)
        fprintf(
            page->md,
            " %zu of %zu fits of α and β are poor: r² is below %g, so that they leave more than "
            "half of the spread of the times. What is predicted and chosen by them rests on "
            "little.",
            poor, fits, fit_least_r2);
    if (over)
        fprintf(
            page->md,
            " %zu point%s ran with more ranks than %s %d cores; they are marked oversubscribed.",
            COUNTED(over),
            d->emulated || strcmp(d->backend, "local") == 0 ? "the machine’s" : "a node’s",
            facts_cores(&d->facts));
    if (drift)
        fprintf(page->md, " The machine drifted during the launches of %zu point%s.",
                COUNTED(drift));
    fputs("\n", page->md);
}

static void write_section(struct page *page)
{
    if (!page->data->contexts)
        fputs(
            page->data->imported
                ? "\nThere is nothing to choose from: no algorithm but the library’s default was "
                  "measured.\n"
                : "\nNothing can be compared: `points.csv` has no candidate of the study’s grid.\n",
            page->md);
}

static void write_context(struct page *page, const struct context *context)
{
    struct grid g;
    grid_find(page->data, context, "study", &g);
    if (!g.n_procs || !g.n_bytes) {
        fputs("\nNothing was decided yet: `selection.csv` has no cell of the study.\n", page->md);
        return;
    }
    fputc('\n', page->md);
    say_winners(page, context, &g);
    say_default(page, context, &g);
    say_cautions(page, context);
}

const struct section section_losses = {
    .name = "losses",
    .title = "What the default loses",
    .subject = PAGE_CHOICES,
    .write = write_section,
    .heading = "Summary: ",
    .each = write_context,
};
