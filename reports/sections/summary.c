/* SPDX-License-Identifier: BSD-3-Clause */
/* What the numbers are, and how sure, before any of them is told. */
#include "reports/section_common.h"

/* What the numbers are not. */
static void say_backend(struct page *page)
{
    const struct report_data *d = page->data;
    if (d->emulated)
        fprintf(page->md,
                "::: {.banner}\nThese results are **%s**, not measured on the machine: the "
                "libraries and their TCP are real, the network is one of shaped links. What that "
                "means stands under [The machine and the study](#platform).\n:::\n\n",
                d->backend_label);
    else if (d->simulated)
        fprintf(page->md,
                "::: {.banner}\nThese results are **%s**%s. What was assumed stands under [The "
                "machine and the study](#platform).\n:::\n\n",
                d->backend_label,
                strstr(d->backend_label, "not measured") ? "" : ", not measured on the machine");
}

/* A copy that takes no time, as in a simulation, has one all the same: 0 s. */
static int has_time(const struct measured *r)
{
    return result_usable(r) || (r->point.experiment == EXP_COPY &&
                                point_status_succeeded(r->status) && r->time.value == 0);
}

static void say_done(struct page *page)
{
    const struct report_data *d = page->data;
    size_t usable = 0, planned, missing;
    const size_t doubted = count_doubted(d);
    for (size_t i = 0; i < d->results; i++)
        usable += has_time(&d->result[i]);
    count_points(d, &planned, &missing);
    if (missing)
        fprintf(page->md,
                "::: {.banner}\n**Not complete: %zu of %zu point%s so far.** What has no time "
                "yet may change what follows.\n:::\n\n",
                planned - missing, COUNTED(planned));
    if (d->imported)
        fprintf(page->md, "%zu point%s %s [imported](#imported)", COUNTED(usable + doubted),
                of_number(usable + doubted, "was", "were"));
    if (d->imported && doubted)
        fprintf(page->md, "; the times of %zu of them are doubted and do not count", doubted);
    if (d->imported)
        fputs(".\n", page->md);
    else if (usable == planned)
        fprintf(page->md, "%zu point%s %s planned, and all have a time.\n", COUNTED(usable),
                of_number(usable, "was", "were"));
    else
        fprintf(page->md,
                "%zu point%s %s planned and %zu of them have a time; the others are counted "
                "[below](#quality).\n",
                COUNTED(planned), of_number(planned, "was", "were"), usable);
    if (!d->imported && planned < d->results)
        fprintf(page->md,
                "%zu more were left out, each for a reason, and are [skipped](#quality).\n",
                d->results - planned);
}

/* How sure the times are, and what to do where they are not: before any loss is told. */
static void say_noise(struct page *page)
{
    const struct report_data *d = page->data;
    size_t usable = 0, once = 0, wide = 0, between = 0;
    double *spread = memory_zeros(d->results + 1, sizeof *spread);
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (!result_usable(r))
            continue;
        usable++;
        once += r->time.launches == 1;
        wide += r->time.launches > 1 && r->converged == 0;
        if (r->time.between_rel >= 0)
            spread[between++] = r->time.between_rel;
    }
    if (usable && !d->simulated && !d->imported) {
        if (between)
            fprintf(page->md, "\nThe same point differs from launch to launch by %s in the median.",
                    show_pct(100 * stats_median(spread, between)));
        if (wide)
            fprintf(page->md,
                    " Of %zu of %zu point%s the interval over launches is wider than wanted; "
                    "losses below count only where the launches of both points say so.",
                    wide, COUNTED(usable));
        if (once)
            fprintf(page->md,
                    "%s%zu of %zu point%s %s measured in one launch: how far another launch would "
                    "differ is not known, and nothing is said to be faster or slower by them. More "
                    "launches: `repeats` of the study file, then `collsel measure` again.",
                    between ? " " : "\n", once, COUNTED(usable), of_number(usable, "was", "were"));
        fputs(between || once ? "\n" : "", page->md);
    }
    free(spread);
}

static void say_mishaps(struct page *page)
{
    const struct report_data *d = page->data;
    size_t mended = 0;
    for (size_t i = 0; i < d->mishaps; i++)
        mended += d->mishap[i].mended == 1;
    if (!d->mishaps && !d->n_excluded)
        return;
    fprintf(page->md, "\n%zu [mishap%s](#mishaps) befell the launches; ", d->mishaps,
            plural(d->mishaps));
    if (mended == d->mishaps)
        fputs("what was left undone was done later.", page->md);
    else if (d->mishaps == 1)
        fputs("what it left undone was not done later.", page->md);
    else
        fprintf(page->md, "%zu of them left something that was not done later.",
                d->mishaps - mended);
    for (size_t i = 0; i < d->n_excluded; i++) {
        fputs(i ? list_separator(i, d->n_excluded) : " Excluded nodes: ", page->md);
        escape_code(page->md, d->excluded[i].of.node);
    }
    fputs(d->n_excluded ? ".\n" : "\n", page->md);
}

/* Times that do not count. */
static void say_doubted(struct page *page)
{
    const struct report_data *d = page->data;
    const size_t i = first_below(k, d->results, d->result[k].doubt != DOUBT_NONE);
    if (i == d->results)
        return;
    fputs("\n", page->md);
    doubts_say(page->md, d);
    fputs("; [named below](#doubts), with what the default loses without and with them.\n",
          page->md);
}

static void write_section(struct page *page)
{
    say_backend(page);
    say_done(page);
    say_doubted(page);
    say_mishaps(page);
    say_noise(page);
}

const struct section section_summary = {
    .name = "summary",
    .title = "Summary",
    .subject = PAGE_CHOICES,
    .write = write_section,
};
