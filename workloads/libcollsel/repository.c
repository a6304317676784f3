/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/repository.h"

#include "workloads/libcollsel/expected.h"

enum { SEGMENT = 32768, OWN_GROUP = 1000 };

const char *const repository_words[] = { "full", "native", "paper", NULL };

/* ---- the paper's: groups end with NULL, lists with an empty group ---- */

enum { MOST_GROUPS = 7, MOST_IN_GROUP = 10 };

struct published {
    const char *call;
    const char *group[MOST_GROUPS][MOST_IN_GROUP];
    int limited; /* this group is tried up to `most` bytes; 0: none is limited */
    uint64_t most;
};

#define RINGS                                                                                      \
    { "ring_light_barrier", "pair_light_barrier" },                                                \
    {                                                                                              \
        "ring_mpi_barrier", "pair_mpi_barrier"                                                     \
    }

static const struct published published[] = {
    { .call = "MPI_Alltoall",
      .group = { { "simple" },
                 { "recursive_doubling", "2d_mesh", "3d_mesh", "modified_bruck" },
                 { "pairwise", "mpich_pairwise" },
                 RINGS,
                 { "topology_light_barrier", "topology_mpi_barrier" } },
      .limited = 1,
      .most = 256 },
    { .call = "MPI_Allgather",
      .group = { { "simple" },
                 { "recursive_doubling", "2d_mesh", "3d_mesh", "bruck" },
                 { "direct_ring", "pair" },
                 RINGS,
                 { "topology_ring" } } },
    { .call = "MPI_Allgatherv",
      .group = { { "simple" },
                 { "mpich_recursive_doubling", "2d_mesh", "3d_mesh", "bruck" },
                 { "direct_ring", "pair" },
                 RINGS,
                 { "topology_ring" } } },
    { .call = "MPI_Allreduce",
      .group = { { "allgather_recursive_doubling", "allgather_2d_mesh", "allgather_3d_mesh",
                   "allgather_bruck", "allgather_ring" },
                 { "halving_recursive_doubling", "halving_simple", "halving_2d_mesh",
                   "halving_3d_mesh", "halving_bruck", "halving_ring", "halving_ring_light_barrier",
                   "halving_ring_mpi_barrier", "halving_topology_ring" },
                 { "alltoall_ring_topology_ring", "alltoall_ring_light_barrier_topology_ring",
                   "alltoall_ring_mpi_barrier_topology_ring", "alltoall_ring_ring",
                   "alltoall_ring_light_barrier_ring_light_barrier",
                   "alltoall_ring_mpi_barrier_ring_mpi_barrier" } } },
};

/* ---- adding ---- */

static void append(struct repository *r, const struct choice *choice, int group)
{
    if (r->n == r->room) {
        r->room = 2 * r->room + 16;
        r->v = memory_resize(r->v, (size_t)r->room, sizeof *r->v);
        r->group = memory_resize(r->group, (size_t)r->room, sizeof *r->group);
    }
    r->v[r->n] = *choice;
    r->group[r->n++] = group;
}

static int is_sensible(const struct algorithm *alg, uint64_t bytes)
{
    return bytes >= alg->least_bytes && (!alg->most_bytes || bytes <= alg->most_bytes);
}

/* By the library's own name, where it is one of its own: its schedule sends the same messages. */
static void name_own(const struct algorithm *alg, const char *library, char name[CHOICE_NAME])
{
    static const char mpichs[] = "mpich_";
    const size_t n = strncmp(alg->name, mpichs, sizeof mpichs - 1) == 0 ? sizeof mpichs - 1 : 0;
    if (library && strcmp(library, n ? "mpich" : "openmpi") == 0)
        snprintf(name, CHOICE_NAME, "%s:%s", library, alg->name + n);
    else
        snprintf(name, CHOICE_NAME, "portable:%s", alg->name);
}

/* Unless another one would run instead, or it cannot. library: it runs its own code; NULL: all are
 * schedules. */
static void add(struct repository *r, const struct algorithm *alg, int group, const char *library,
                const struct schedule_arguments *like)
{
    struct choice choice = { .alg = alg };
    struct schedule s;
    struct schedule_arguments a = *like;
    if (alg->segmented && a.bytes > SEGMENT)
        choice.segment_bytes = a.segment_bytes = SEGMENT;
    name_own(alg, library, choice.name);
    if (is_sensible(alg, a.bytes) && schedule_make(&s, alg, &a, NULL) == 0 && s.alg == alg)
        append(r, &choice, group);
}

static void add_group(struct repository *r, const struct collective *c, const char *const *names,
                      int group, const struct schedule_arguments *a)
{
    for (int k = 0; k < MOST_IN_GROUP && names[k]; k++) {
        const struct algorithm *alg = algorithm_find(c->name, names[k]);
        if (alg)
            add(r, alg, group, NULL, a);
    }
}

static void add_published(struct repository *r, const struct collective *c,
                          const struct schedule_arguments *a)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        for (int g = 0; strcmp(published[i].call, c->call) == 0 && g < MOST_GROUPS; g++)
            if (!published[i].limited || g != published[i].limited || a->bytes <= published[i].most)
                add_group(r, c, published[i].group[g], g, a);
}

/* A number for a row's group: that of the first row with the word, and of its own where it has
 * none. */
static int group_of(const struct collective *c, const struct algorithm *alg)
{
    const struct algorithm *first = NULL;
    for (int i = 0; (first = collective_algorithm(c, first)); i++) {
        if (first == alg || (alg->group && first->group && strcmp(alg->group, first->group) == 0))
            return i + 1;
    }
    return OWN_GROUP;
}

static void add_rows(struct repository *r, const struct collective *c, const char *native,
                     const struct schedule_arguments *a)
{
    struct choice own;
    choice_find(&own, c->name, "default", NULL);
    append(r, &own, 0);
    for (const struct algorithm *row = NULL; (row = collective_algorithm(c, row));)
        if (!row->combine && (!native || !row->group))
            add(r, row, group_of(c, row), native, a);
}

void repository_make(struct repository *r, enum repository_kind kind, const char *library,
                     const struct collective *c, const struct schedule_arguments *arguments)
{
    *r = (struct repository){ .n = 0 };
    if (!c->rows[0])
        return;
    if (kind == REPOSITORY_PAPER)
        add_published(r, c, arguments);
    else
        add_rows(r, c, kind == REPOSITORY_NATIVE ? library : NULL, arguments);
}

static int schedule_of_choice(struct schedule *s, const struct choice *choice,
                              const struct schedule_arguments *arguments)
{
    struct schedule_arguments a = *arguments;
    a.segment_bytes = choice->segment_bytes;
    a.fanout = choice->fanout;
    a.levels = choice_levels(choice);
    return schedule_make(s, choice->alg, &a, NULL);
}

void repository_of_choices(struct repository *r, const struct choice *const *choices, size_t n,
                           const struct collective *c, const struct schedule_arguments *arguments)
{
    struct choice own;
    *r = (struct repository){ .n = 0 };
    choice_find(&own, c->name, "default", NULL);
    append(r, &own, 0);
    for (size_t i = 0; i < n; i++) {
        struct schedule s;
        if (choices[i]->alg && schedule_of_choice(&s, choices[i], arguments) == 0 &&
            s.alg == s.asked)
            append(r, choices[i], (int)i + 1);
    }
    if (r->n == 1)
        repository_clear(r);
}

enum star_judge repository_judge(enum repository_kind kind)
{
    return kind == REPOSITORY_PAPER ? STAR_FASTEST : STAR_SURE;
}

/* A rank sends and receives, all ranks at once: the number of steps of a small allreduce. */
static double steps_to_agree(int procs)
{
    int steps = 0;
    while (1 << steps < procs)
        steps++;
    return steps;
}

struct star_prior *repository_expect(const struct repository *r, int is_ordered,
                                     const struct schedule_arguments *arguments)
{
    struct star_prior *prior = memory_zeros((size_t)r->n, sizeof *prior);
    prior[0].steps = steps_to_agree(arguments->procs);
    for (int i = 1; i < r->n; i++) {
        struct schedule s;
        schedule_of_choice(&s, &r->v[i], arguments);
        prior[i] = is_ordered && i > 1 ? prior[1] : expected_of(&s);
    }
    return prior;
}

CLEARS(repository_clear, repository, it->v, it->group)
