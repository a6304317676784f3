/* SPDX-License-Identifier: BSD-3-Clause */
/* Which models a report shows: those that lose least, judged by the cells that both chose in; of
 * those over links the ones that predict there. */
#include "reports/sections/links.c" /* the static parts, too */
#include "reports/section_common.h"

#include <math.h>
#include <string.h>

#include "analysis/models/links/links_fit.h"
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
                                     .degradation_pct = loss[k][c],
                                     .counted_pct = loss[k][c] };
            snprintf(s->name, sizeof s->name, "%s", names[k]);
        }
}

static const char *name_of(const struct model *m)
{
    return m ? m->name : "none";
}

/* The names of the models over links that a section shows, where these have times. */
static const char *over_links(const char *const *timed, char *buf, size_t size)
{
    static struct predicted row[8];
    static struct links_place place = { .of = { .mpi = "openmpi", .mapping = "core" } };
    struct report_data d = { .prediction = row, .links_place = &place, .links_places = 1 };
    struct scope scope;
    *buf = '\0';
    for (const struct model *const *m = links_models; *m; m++) {
        double seconds = NAN;
        for (const char *const *t = timed; *t; t++)
            seconds = strcmp(*t, (*m)->name) == 0 ? 1e-6 : seconds;
        row[d.predictions++] =
            (struct predicted){ .model = *m,
                                .point = { .purpose = FOR_STUDY,
                                           .cell = { "bcast", "openmpi", "core", 4, 1, 4, 0, 1024 },
                                           .candidate = { .algorithm = "portable:ring" } },
                                .prediction.seconds = seconds };
    }
    if (!scope_find(&d, &context, &scope))
        return "nothing";
    for (size_t m = 0; m < scope.models; m++)
        snprintf(buf + strlen(buf), size - strlen(buf), "%s ", scope.model[m]->name);
    scope_clear(&scope);
    return buf;
}

static void links_shown(void)
{
    static const char *const star[] = { "links_free", "links_step", NULL },
                             *const all[] = { "links_free", "links_step", "links_step_hops",
                                              "links_queue", NULL },
                             *const none[] = { NULL };
    char buf[200];
    is_str("links_free links_step ", over_links(star, buf, sizeof buf),
           "a model that predicts nothing there has no column");
    is_str("links_free links_step links_step_hops links_queue ", over_links(all, buf, sizeof buf),
           "those that do have one");
    is_str("nothing", over_links(none, buf, sizeof buf), "without predictions nothing is shown");
}

int main(void)
{
    links_shown();
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
