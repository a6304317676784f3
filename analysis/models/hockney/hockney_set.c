/* SPDX-License-Identifier: BSD-3-Clause */
/* hockney_set.c - alpha and beta as a set of parameters. */
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/parameters.h"

static int fit(const struct fit_from *from, const struct parameters *p, void *value,
               struct err *err)
{
    (void)err;
    hockney_fit(from->points, from->facts, parameters_of(p, &gamma_set), from->facts->confidence,
                value);
    return 0;
}

PARAMETER_SET_FILES(hockneys_write, hockneys_clear)

static void print(FILE *out, const void *value)
{
    const struct hockneys *h = value;
    char text[CANDIDATE_TEXT];
    int width = 46;
    for (size_t i = 0; i < h->n; i++)
        width = candidate_width(&h->fit[i].candidate, width);
    fprintf(out, "%-10s %-8s %-7s %-12s %-*s %12s %14s %10s %3s %s\n", "collective", "mpi",
            "mapping", "model", width, "algorithm", "alpha_s", "beta_s_per_byte", "condition", "n",
            "status");
    for (size_t i = 0; i < h->n; i++) {
        const struct hockney *f = &h->fit[i];
        fprintf(out, "%-10s %-8s %-7s %-12s %-*s ", *f->collective ? f->collective : "-", f->mpi,
                f->mapping, f->model, width, candidate_text(&f->candidate, text, sizeof text));
        if (hockney_usable(f))
            fprintf(out, "%12.4g %14.4g %10.3g ", f->alpha, f->beta, f->condition);
        else
            fprintf(out, "%12s %14s %10s ", "-", "-", "-");
        fprintf(out, "%3zu %s%s%s\n", f->n, fit_status_name(f->status), *f->reason ? ": " : "",
                f->reason);
    }
}

const struct parameter_set hockney_set = {
    .name = "hockney",
    .size = sizeof(struct hockneys),
    .fit = fit,
    .write = write_set,
    .print = print,
    .clear = clear_set,
};
