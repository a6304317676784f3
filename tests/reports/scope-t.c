/* SPDX-License-Identifier: BSD-3-Clause */
/* Which models a report shows: those that lose least, judged by the cells that both chose in. */
#include "reports/scope.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

enum { CELLS = 8 };

static struct selection choice[4 * CELLS];
static struct report_data data = { .choice = choice };
static const struct context context = { .collective = "bcast",
                                        .mpi = "openmpi",
                                        .mapping = "core" };

static const char *const names[] = { "best", "stage", "channel_walk", "links_step" };

/* What the selectors lose in each cell, in percent; NaN: it did not choose. */
static void plant(const double loss[4][CELLS])
{
    data.choices = 0;
    for (size_t c = 0; c < CELLS; c++)
        for (size_t k = 0; k < 4; k++) {
            struct selection *s = &choice[data.choices++];
            *s = (struct selection){ .purpose = FOR_STUDY,
                                     .cell = { .collective = "bcast",
                                               .mpi = "openmpi",
                                               .mapping = "core",
                                               .nodes = 1,
                                               .ppn = 8,
                                               .procs = 8,
                                               .bytes = 1u << c },
                                     .status = isnan(loss[k][c]) ? SELECT_NO_CHOICE : SELECT_OK,
                                     .degradation_pct = loss[k][c] };
            snprintf(s->name, sizeof s->name, "%s", names[k]);
        }
}

static const char *name_of(const struct model *m)
{
    return m ? m->name : "none";
}

int main(void)
{
    const double few[4][CELLS] = { { 0 },
                                   { NAN, NAN, NAN, NAN, NAN, NAN, NAN, 1 },
                                   { 5, 5, 5, 5, 90, 90, 90, 90 },
                                   { 9, 9, 9, 9, NAN, NAN, NAN, NAN } };
    plant(few);
    is_str("channel_walk", name_of(main_model(&data, &context)),
           "one cell is not enough; of the two others that which loses less where both chose");
    const struct model *taken[2] = { main_model(&data, &context) };
    taken[1] = next_model(&data, &context, taken, 1);
    is_str("links_step", name_of(taken[1]), "then the other");
    ok(!next_model(&data, &context, taken, 2), "and no more");
    const double paper[4][CELLS] = { { 0 },
                                     { 50, 50, 50, 50, NAN, NAN, NAN, NAN },
                                     { 5, 5, 5, 5, 5, 5, 5, 5 },
                                     { 1, 1, 1, 1, 1, 1, 1, 1 } };
    plant(paper);
    taken[0] = main_model(&data, &context);
    is_str("stage", name_of(taken[0]), "the paper's, where it chose in half of the cells");
    is_str("links_step", name_of(next_model(&data, &context, taken, 1)),
           "beside it the one that loses least, not the next of the table");
    return tap_done();
}
