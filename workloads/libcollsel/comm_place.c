/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/comm_place.h"

#include "workloads/libcollsel/switches.h"

/* Ranks with the number of rank 0 from the beginning on. */
static int first_run(const uint64_t *node, int procs)
{
    int n = 0;
    while (n < procs && node[n] == node[0])
        n++;
    return n;
}

/* Whether ranks are where the seating has them. */
static int sit_so(const struct seating *s, const uint64_t *node)
{
    for (int a = 0; a < s->procs; a++)
        for (int b = 0; b < a; b++)
            if ((node[a] == node[b]) != (seat_node(s, a) == seat_node(s, b)))
                return 0;
    return 1;
}

static int count_nodes(const uint64_t *node, int procs)
{
    int nodes = 0;
    for (int a = 0; a < procs; a++) {
        int b = 0;
        while (node[b] != node[a])
            b++;
        nodes += b == a;
    }
    return nodes;
}

static struct seating place_seats(const uint64_t *node, int procs)
{
    static const char *const mappings[] = { "core", "node" };
    const int nodes = count_nodes(node, procs);
    const int most[] = { first_run(node, procs), (procs + nodes - 1) / nodes };
    for (int i = 0; i < 2; i++) {
        const struct seating s = {
            .mapping = mappings[i], .nodes = nodes, .ppn = most[i], .procs = procs
        };
        if (seat_check(&s, NULL) == 0 && sit_so(&s, node))
            return s;
    }
    return (struct seating){ .procs = 0 };
}

uint64_t place_node(void)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1];
    int length = 0;
    PMPI_Get_processor_name(name, &length);
    return fs_digest(name, (size_t)length);
}

/* The switches above this node. Hydra hands the words of its own node to all ranks: they count
 * where they end with the name of this one. */
static void find_switches(uint64_t above[SEAT_LEVELS])
{
    char name[MPI_MAX_PROCESSOR_NAME + 1];
    int length = 0;
    const char *path = getenv("SLURM_TOPOLOGY_ADDR");
    const char *node = path ? strrchr(path, '.') : NULL;
    PMPI_Get_processor_name(name, &length);
    name[length] = '\0';
    name[strcspn(name, ".")] = '\0';
    switches_above(node && strcmp(node + 1, name) == 0 ? path : "", above);
}

int *place_in_world(MPI_Comm comm, int procs)
{
    MPI_Group members, world;
    int *mine = memory_zeros(2 * (size_t)procs, sizeof *mine), *theirs = mine + procs;
    PMPI_Comm_group(comm, &members);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < procs; i++)
        theirs[i] = i;
    PMPI_Group_translate_ranks(members, procs, theirs, world, mine);
    PMPI_Group_free(&members);
    PMPI_Group_free(&world);
    return mine;
}

int place_nodes(MPI_Comm comm, const uint64_t *of_world, uint64_t *node)
{
    int procs, status = 0;
    PMPI_Comm_size(comm, &procs);
    int *theirs = place_in_world(comm, procs);
    for (int i = 0; i < procs && status == 0; i++) {
        status = theirs[i] == MPI_UNDEFINED ? -1 : 0;
        node[i] = status == 0 ? of_world[theirs[i]] : 0;
    }
    free(theirs);
    return status;
}

struct comm_shape place_shape(MPI_Comm comm, int procs, const uint64_t *of_world)
{
    struct comm_shape shape = { .procs = procs };
    uint64_t *node = memory_zeros((size_t)procs, sizeof *node);
    const int known = place_nodes(comm, of_world, node) == 0 ? procs : 0;
    qsort(node, (size_t)procs, sizeof *node, array_by_u64);
    for (int first = 0, end; first < known; first = end) {
        for (end = first; end < known && node[end] == node[first]; end++)
            ;
        shape.nodes++;
        shape.ppn = end - first > shape.ppn ? end - first : shape.ppn;
    }
    free(node);
    return shape;
}

/* Not MPI_Comm_dup: attributes of the application would be copied. */
void place_make(struct executor_cache_place *place, MPI_Comm comm)
{
    MPI_Group members;
    PMPI_Comm_group(comm, &members);
    PMPI_Comm_create(comm, members, &place->work);
    PMPI_Group_free(&members);
    PMPI_Comm_set_errhandler(place->work, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm, &place->rank);
    PMPI_Comm_size(comm, &place->procs);
    const int n = 1 + SEAT_LEVELS;
    uint64_t mine[1 + SEAT_LEVELS];
    uint64_t *all = memory_zeros((size_t)place->procs * 2, n * sizeof *all);
    uint64_t *node = all + (size_t)place->procs * (size_t)n, *above = node + place->procs;
    mine[0] = place_node();
    find_switches(mine + 1);
    PMPI_Allgather(mine, n, MPI_UINT64_T, all, n, MPI_UINT64_T, place->work);
    for (int r = 0; r < place->procs; r++) {
        node[r] = all[r * n];
        memcpy(above + (size_t)r * SEAT_LEVELS, all + r * n + 1, SEAT_LEVELS * sizeof *above);
    }
    place->seats = place_seats(node, place->procs);
    place->positions = switches_seat(&place->seats, above);
    free(all);
}

void place_clear(struct executor_cache_place *place)
{
    if (place->procs)
        PMPI_Comm_free(&place->work);
    free(place->positions);
    *place = (struct executor_cache_place){ .procs = 0 };
}
