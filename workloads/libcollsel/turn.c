/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/turn.h"

#include "workloads/clock.h"

static struct row_key key_of(const struct group *group, const struct asked *a,
                             const struct asked_size *size)
{
    struct row_key key = row_key_of((int)a->which, asked_op(a));
    key.members = group->members;
    key.procs = group->procs;
    key.bytes = size->bytes;
    key.own = size->own;
    if (asked_is_rooted(a))
        key.root = a->root == 0 ? ROOT_ZERO : ROOT_OTHER;
    return key;
}

void turn_begin(struct turn *turn, const struct asked *asked)
{
    struct library *lib = library_get();
    struct asked_size size;
    turn->row = NULL;
    if (!lib)
        return;
    struct group *group = library_group(lib, asked->comm);
    if (!group || group->is_inter || asked_size(asked, group->rank, group->procs, &size) < 0)
        return;
    const struct row_key key = key_of(group, asked, &size);
    const struct cell_of_group *cell = group_cell(lib, group, &key);
    if (!cell || !cell->row) {
        lib->rows.lost++;
        return;
    }
    turn->row = cell->row;
    turn->site = asked->site;
    turn->began_ns = clock_now();
}

int turn_end(const struct turn *turn, int rc)
{
    if (turn->row)
        row_record(turn->row, turn->site, turn->began_ns, clock_now());
    return rc;
}
