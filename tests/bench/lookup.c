/* SPDX-License-Identifier: BSD-3-Clause */
/* lookup.c - what it takes to find what runs for a call: among the kinds of calls of a
 * communicator, of which there are 64, and in a table of 600 rows, which is asked once for each
 * kind. Linked with the objects of the preloaded library. Prints the nanoseconds of either in the
 * fastest block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/clocks/clock.h"
#include "workloads/libcollsel/process_state.h"

enum { KINDS = 64, BLOCKS = 200, CALLS = 2000, ROWS = 600 };

static struct row_key key_of(int i)
{
    struct row_key key = row_key_of(CALL_ARGS_BCAST, "");
    key.bytes = 64 * (uint64_t)i;
    key.procs = 16;
    return key;
}

/* By turns, so that none is the last one's. */
static double time_cells(struct group *group, const struct row_key *keys, uintptr_t *sum)
{
    const int64_t began = clock_now();
    for (int i = 0; i < CALLS; i++)
        *sum += (uintptr_t)group_cell(group, &keys[i % KINDS]);
    return (double)(clock_now() - began) / CALLS;
}

static double time_table(const struct choice_table *table, uintptr_t *sum)
{
    const int64_t began = clock_now();
    for (int i = 0; i < CALLS / 10; i++)
        *sum += (uintptr_t)choice_table_find(table, "bcast", &(struct comm_shape){ .procs = 16 },
                                             100 * (uint64_t)(i % ROWS));
    return (double)(clock_now() - began) / (CALLS / 10);
}

static struct choice_table *make_table(void)
{
    static char text[ROWS * 80];
    struct err err = { 0 };
    int n = snprintf(text, sizeof text, "%s\n", CHOICE_TABLE_HEADER);
    for (int i = 0; i < ROWS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "bcast,2,64,%d,%d,portable:binomial,,\n",
                      100 * i, 100 * i + 99);
    return choice_table_parse(text, (size_t)n, "table", &err);
}

int main(void)
{
    static struct group group;
    static struct row_key keys[KINDS];
    struct choice_table *table = make_table();
    double cell_ns = 1e9, table_ns = 1e9;
    uintptr_t sum = 0;
    for (int i = 0; i < KINDS; i++)
        keys[i] = key_of(i);
    for (int b = 0; b < BLOCKS; b++) {
        const double c = time_cells(&group, keys, &sum), t = time_table(table, &sum);
        cell_ns = c < cell_ns ? c : cell_ns;
        table_ns = t < table_ns ? t : table_ns;
    }
    printf("%.1f %.1f\n", cell_ns, table_ns);
    choice_table_free(table);
    return sum == 0;
}
