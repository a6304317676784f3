/* SPDX-License-Identifier: BSD-3-Clause */
/* How algorithms are written: one spelling for command lines and study files. */
#include "harness/study/libraries/spelling.h"

#include <string.h>

#include "harness/study/libraries/natives.h"
#include "harness/study/point.h"
#include "tests/tap.h"

static void names_schedules(void)
{
    static const struct {
        const char *collective, *text, *wanted; /* NULL: it names none */
    } rows[] = {
        { "allgather", "ring", "ring" },
        { "allgather", "portable:ring", "ring" },
        { "allgather", "openmpi:ring", "ring" },
        { "allgather", "mpich:ring", "mpich_ring" },
        { "allgather", "mpich:k_brucks", "mpich_k_brucks" },
        { "barrier", "mpich:k_dissemination", "mpich_k_dissemination" },
        { "allgather", "brucks", "mpich_brucks" },
        { "allgather", "portable:brucks", "mpich_brucks" },
        { "allgather", "mpich_brucks", "mpich_brucks" },
        { "allgather", "portable:mpich_brucks", "mpich_brucks" },
        { "allgather", "mpich:brucks", "mpich_brucks" },
        { "allgather", "mpich:bruck", NULL },
        { "allgather", "openmpi:direct-messaging", "simple" },
        { "allgather", "openmpi:bruck-k-fanout", "bruck_k" },
        { "allgather", "openmpi:brucks", NULL },
        { "allgather", "mpich:mpich_brucks", NULL },
        { "bcast", "mpich:binomial", "mpich_binomial" },
        { "scan", "openmpi:recursive_doubling", "openmpi_recursive_doubling" },
        { "allreduce", "openmpi:bine", NULL },
        { "allreduce", "portable:bine", "bine" },
        { "allreduce", "openmpi:tuned", NULL },
        { "allreduce", "openmpi:default", NULL },
        { "allreduce", "mpich:ring", "mpich_ring" }, /* not Open MPI's of the name */
        { "allreduce", "mpich:ccl", NULL },
        { "reduce", "openmpi:chain.8", "chain.8" },
        { "reduce", "mpich:chain.8", NULL },
        { "reduce", "chain.0", NULL },
        { "bcast", "portable:two_level.binomial.chain", "two_level.binomial.chain" },
        { "bcast", "openmpi:two_level.binomial.chain", NULL },
        { "bcast", "lam:binomial", NULL },
        { "bcast", "", NULL },
        { "bcast", ":", NULL },
        { "bcast", ":binomial", NULL },
        { "bcast", "openmpi:", NULL },
        { "bogus", "binomial", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[MOST_NAME + 1] = "";
        const struct algorithm *a = spelling_schedule(rows[i].collective, rows[i].text, name);
        ok(rows[i].wanted ? a && strcmp(name, rows[i].wanted) == 0 : !a, "%s '%s' is %s (%s)",
           rows[i].collective, rows[i].text, rows[i].wanted ? rows[i].wanted : "none",
           a ? name : "none");
    }
}

/* Whatever a spelling names is what the plan and the models take by that name. */
static void agrees_with_natives(void)
{
    static const char *const libraries[] = { "openmpi", "mpich" };
    int differ = 0, n = 0;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        for (const struct native *native = natives_of(libraries[i]); native->name; native++, n++) {
            char text[NAME_SIZE], name[MOST_NAME + 1] = "";
            snprintf(text, sizeof text, "%.10s:%.50s", libraries[i], native->name);
            const struct algorithm *a = spelling_schedule(native->collective, text, name);
            differ += a != native_schedule(native->collective, text) ||
                      (a && algorithm_find(native->collective, name) != a);
        }
    ok(n > 100 && differ == 0, "of %d natives the schedule is that of their results", n);
}

static void fits(void)
{
    ok(spelling_fits("allgather", "mpich:brucks", "brucks"), "a name fits whatever library");
    ok(spelling_fits("allgather", "portable:mpich_brucks", "brucks"), "a short name, too");
    ok(spelling_fits("allgather", "portable:mpich_brucks", "portable:brucks"), "... of ours");
    ok(!spelling_fits("allgather", "mpich:brucks", "portable:brucks"), "not of a library");
    ok(!spelling_fits("allgather", "portable:bruck", "brucks"), "another one does not");
    ok(spelling_fits("bcast", "intel:knomial", "intel:knomial"), "an imported library's own");
    ok(spelling_fits("bcast", "openmpi:default", "default"), "nor what has no schedule");
    ok(spelling_within("mpich", "mpich:ring") && !spelling_within("mpich", "openmpi:ring") &&
           strcmp(spelling_within("mpich", "ring"), "ring") == 0,
       "a library's key takes its own names with it and without");
}

/* Refused, with this in the message. */
static void says(const char *collective, const char *text, const char *wanted)
{
    struct err err = { 0 };
    char name[MOST_NAME + 1];
    ok(!spelling_schedule(collective, text, name) &&
           spelling_refuse(&collective, 1, text, &err) == -1 && err.status == EXIT_USAGE &&
           strstr(err.text, wanted),
       "%s '%s' says \"%s\": %s", collective, text, wanted, err.text);
}

static void means(const char *collective, const char *text, const char *wanted)
{
    struct err err = { 0 };
    char part[128], name[MOST_NAME + 1];
    spelling_refuse(&collective, 1, text, &err);
    snprintf(part, sizeof part, "; did you mean '%s'?", wanted ? wanted : "");
    ok(wanted ? strstr(err.text, part) && spelling_schedule(collective, wanted, name)
              : !strstr(err.text, "did you mean"),
       "%s '%s' may mean %s: %s", collective, text, wanted ? wanted : "nothing", err.text);
}

static void refusals(void)
{
    says("bcast", "nope", "'nope' is not an algorithm of bcast (collsel schedule --list bcast");
    says("allreduce", "openmpi:allgather_reduce", "is the library's own, and has no schedule");
    says("bcast", "lam:binomial", "'lam' is no library (want portable, openmpi or mpich)");
    says("bogus", "binomial", "'bogus' is not a collective");
    says("bcast", "two_level.binomail.chain",
         "'binomail' is not an algorithm of bcast; did you mean 'binomial'?");
    says("allreduce", "two_level.rng.ring", "'rng' is not an algorithm of reduce or allreduce");
    says("bcast", "two_level.binomial", "want 2 algorithms of bcast with dots between");
    says("bcast", "two_level.binomial.", "want 2 algorithms of bcast with dots between");
    says("bcast", "two_level.board.chain.chain", "'board' is not a level (want cache, socket");
    says("bcast", "three_level.node.swich.chain.chain.chain", "'swich' is not a level");
    says("bcast", "three_level.node.chain.chain.chain", "1 level is named (want 2, or none)");
    says("bcast", "three_level.node.socket.chain.chain.chain", "levels go from small to large");
    says("bcast", "two_level.chain-k0.binomial", "'-k0' is no fan-out (want -k1 to");
    says("bcast", "two_level.chain-s0.binomial", "'-s0' is no segment size (want -s1 or more)");
    says("bcast", "two_level.chain-k2-k4.binomial", "'chain-k2': -k is there twice");
    says("bcast", "two_level.binomial-k4.binomial", "'binomial' takes no fan-out (-k)");
    says("bcast", "two_level.binomial.basic_linear-s8K", "'basic_linear' takes no segments (-s)");
    says("reduce", "chain.0", "'chain.0': '0' requests at a time (want 1 to 1024)");
    says("bcast", "binomial.4", "nothing is named behind binomial");
}

static void suggestions(void)
{
    means("bcast", "binomail", "binomial");
    means("bcast", "openmpi:chian", "openmpi:chain");
    means("bcast", "portable:pipelin", "portable:pipeline");
    means("bcast", "mpich:quux", NULL);
    means("allgather", "mpich:bruck", "mpich:brucks");
    means("allgather", "brukcs", "brucks");
    /* what would be refused, too, is not meant */
    means("allreduce", "openmpi:tuned", NULL);
    means("barrier", "mpich:k_disemination", "mpich:k_dissemination");
    means("allreduce", "openmpi:allgather_reduce", NULL);
    means("allreduce", "openmpi:bine", NULL);
}

int main(void)
{
    names_schedules();
    agrees_with_natives();
    fits();
    refusals();
    suggestions();
    return tap_done();
}
