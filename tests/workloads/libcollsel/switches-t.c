/* SPDX-License-Identifier: BSD-3-Clause */
/* switches-t.c - what a batch system says of switches becomes the tree that schedules are made
 * from, however nodes are numbered. */
#include "workloads/libcollsel/switches.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "workloads/schedules/tree_phases.h"

/* One rank a node on the nodes of these paths. The list, to be freed; NULL: nothing is known. */
static int *seat(const char *const *path, int n, struct seating *seats)
{
    uint64_t above[16 * SEAT_LEVELS];
    *seats = (struct seating){ .mapping = "core", .nodes = n, .ppn = 1, .procs = n };
    for (int i = 0; i < n; i++)
        switches_above(path[i], above + (size_t)i * SEAT_LEVELS);
    return switches_seat(seats, above);
}

static void test_tree(void)
{
    static const char *const path[] = { "core.a.n1", "core.b.n2", "core.a.n3",
                                        "core.c.n4", "core.b.n5", "core.a.n6" };
    struct seating seats;
    int *listed = seat(path, 6, &seats);
    ok(listed != NULL, "three leaf switches of three, two and one node");
    is_int(3, seats.network.group[0], "... the largest gives their room");
    int wrong = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            wrong += (listed[i] / 3 == listed[j] / 3) != (path[i][5] == path[j][5]) ||
                     (listed[i] == listed[j]) != (i == j);
    is_int(0, wrong,
           "... nodes are below one switch where their paths say so, each in a place of its own");
    const struct seat_tree *t = seat_tree_of(&seats);
    is_int(3, t ? t->subtrees : 0, "... the root has three subtrees");
    is_int(3, t ? t->before[1] : 0, "... of which the largest has three ranks");
    free(listed);
}

static void test_levels(void)
{
    static const char *const path[] = { "x.a.n0", "y.a.n1", "x.b.n2", "x.a.n3", "y.c.n4" };
    struct seating seats;
    int *listed = seat(path, 5, &seats);
    ok(listed != NULL, "two levels of switches");
    is_int(2, seats.network.group[0], "... two nodes on a leaf");
    is_int(4, seats.network.group[1], "... two leaves below each switch above");
    is_int(1, listed[0] / 2 == listed[3] / 2 && listed[0] / 4 == listed[2] / 4,
           "... x has its own");
    is_int(0, listed[0] / 4 == listed[1] / 4, "... leaf a below y is another than leaf a below x");
    free(listed);
}

static void test_unknown(void)
{
    static const char *const none[] = { "n0", "n1" };
    static const char *const some[] = { "a.n0", "n1" };
    struct seating seats;
    ok(!seat(none, 2, &seats), "paths without a switch say nothing");
    ok(!seat(some, 2, &seats), "nor do those of some of the ranks");
    is_int(0, seats.network.group[0], "... and seats stay as they were");
}

int main(void)
{
    test_tree();
    test_levels();
    test_unknown();
    return tap_done();
}
