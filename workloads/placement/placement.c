/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/placement/placement.h"

/* Ranks r < s agree when they share a host exactly if they were meant to share a node. */
static int check_pair(const struct seating *s, int r, int t, const struct place *places,
                      struct err *err)
{
    const int meant = seat_node(s, r) == seat_node(s, t);
    if (meant == (strcmp(places[r].host, places[t].host) == 0))
        return 0;
    if (meant)
        return err_set(err, "placement: ranks %d and %d are on '%s' and '%s' (want one node)", r, t,
                       places[r].host, places[t].host);
    return err_set(err, "placement: ranks %d and %d are both on '%s' (want two nodes)", r, t,
                   places[r].host);
}

static int check_hosts(const struct seating *s, const struct place *places, struct err *err)
{
    for (int t = 1; t < s->procs; t++)
        for (int r = 0; r < t; r++)
            if (check_pair(s, r, t, places, err) < 0)
                return -1;
    return 0;
}

/* The name up to its domain, of length *n. */
static const char *nth_host(const char *hosts, int n, size_t *length)
{
    while (hosts && n-- > 0) {
        hosts = strchr(hosts, ',');
        hosts += hosts != NULL;
    }
    *length = hosts ? strcspn(hosts, ".,") : 0;
    return hosts;
}

static int is_host(const char *host, const char *name, size_t length)
{
    return strcspn(host, ".") == length && strncmp(host, name, length) == 0;
}

/* A host that has another name than its node (an alias) cannot be judged. */
static int is_listed(const char *hosts, const char *host)
{
    size_t length;
    const char *name;
    for (int k = 0; (name = nth_host(hosts, k, &length)) != NULL; k++)
        if (is_host(host, name, length))
            return 1;
    return 0;
}

static int check_order(const struct placement *asked, const struct place *places, struct err *err)
{
    const struct seating *s = &asked->seating;
    for (int r = 0; r < s->procs; r++) {
        size_t length;
        const char *name = nth_host(asked->hosts, seat_node(s, r), &length);
        if (name && !is_host(places[r].host, name, length) &&
            is_listed(asked->hosts, places[r].host))
            return err_set(err, "placement: rank %d is on '%s' (want '%.*s', node %d)", r,
                           places[r].host, (int)length, name, seat_node(s, r));
    }
    return 0;
}

/* The ranks of a node in order, as they are looked at. */
struct filling {
    int previous; /* rank; -1: none yet */
    int changes;  /* from one socket to another */
};

/* Is the socket what the mapping wants beside the ranks before it on the node? */
static int judge_socket(const struct seating *s, int rank, const struct place *places,
                        struct filling *f, struct err *err)
{
    const struct place *p = &places[rank];
    const int last = f->previous < 0 ? -1 : places[f->previous].socket;
    if (p->socket < 0 || p->sockets < 2 || last < 0)
        return 0;
    if (strcmp(s->mapping, "socket") == 0)
        return p->socket != last
                   ? 0
                   : err_set(err,
                             "placement: rank %d is on socket %d as rank %d before it (want "
                             "another)",
                             rank, p->socket, f->previous);
    f->changes += p->socket != last;
    if (f->changes >= p->sockets)
        return err_set(err, "placement: rank %d is back on socket %d (want sockets filled in turn)",
                       rank, p->socket);
    if (p->socket != last && s->sockets == p->sockets && seat_local(s, rank) % s->cores)
        return err_set(err,
                       "placement: rank %d is on socket %d, rank %d on %d, which is not full "
                       "(want its %d cores filled)",
                       rank, p->socket, f->previous, last, s->cores);
    return 0;
}

static int judge_core(const struct seating *s, int rank, const struct place *places,
                      struct err *err)
{
    const struct place *p = &places[rank];
    if (p->n_cores > 1)
        return err_set(err,
                       "placement: rank %d is not bound: it may run on CPUs %s (want one core)",
                       rank, p->cpus);
    for (int r = 0; r < rank; r++)
        if (seat_node(s, r) == seat_node(s, rank) && p->core >= 0 && places[r].core == p->core &&
            places[r].socket == p->socket)
            return err_set(err,
                           "placement: ranks %d and %d are both on core %d of socket %d (want two "
                           "cores)",
                           r, rank, p->core, p->socket);
    return 0;
}

static int check_cores(const struct placement *asked, const struct place *places, struct err *err)
{
    const struct seating *s = &asked->seating;
    for (int node = 0; node < s->nodes; node++) {
        struct filling f = { -1, 0 };
        for (int r = 0; r < s->procs; r++) {
            if (seat_node(s, r) != node)
                continue;
            if ((asked->bound && judge_core(s, r, places, err) < 0) ||
                judge_socket(s, r, places, &f, err) < 0)
                return -1;
            f.previous = r;
        }
    }
    return 0;
}

int placement_check(const struct placement *asked, const struct place *places, struct err *err)
{
    if (seat_check(&asked->seating, err) < 0)
        return err_prefix(err, "placement");
    if (check_hosts(&asked->seating, places, err) < 0 || check_order(asked, places, err) < 0)
        return -1;
    return check_cores(asked, places, err);
}

const char *placement_judged(const struct placement *asked, const struct place *places)
{
    return !asked->bound            ? "hosts (ranks are not bound)"
           : places[0].n_cores == 0 ? "hosts (the system does not say what a core is)"
                                    : "hosts and cores";
}

/* A number of /sys about a CPU, or -1. */
static int topology_of(int cpu, const char *what)
{
    char path[128];
    int value;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
    FILE *f = fopen(path, "re");
    if (!f)
        return -1;
    if (fscanf(f, "%d", &value) != 1)
        value = -1;
    fclose(f);
    return value;
}

/* A core of the machine, by the system's numbers. */
struct core {
    int package, id;
};

static struct core core_of(int cpu)
{
    return (struct core){ topology_of(cpu, "physical_package_id"), topology_of(cpu, "core_id") };
}

static int by_number(const void *left, const void *right)
{
    const struct core *a = left, *b = right;
    return by_keys(ascending(a->package, b->package), ascending(a->id, b->id));
}

/* Sorts, and leaves each core once: hardware threads share one. */
static size_t unique(struct core *cores, size_t n)
{
    size_t kept = 0;
    qsort(cores, n, sizeof *cores, by_number);
    for (size_t i = 0; i < n; i++)
        if (!kept || by_number(&cores[kept - 1], &cores[i]) != 0)
            cores[kept++] = cores[i];
    return kept;
}

/* Number of packages before one's own, and of cores before it on its own. */
static void locate(const struct core *all, size_t n, const struct core *own, struct place *place)
{
    place->socket = place->core = 0;
    for (size_t i = 0; i < n && by_number(&all[i], own) < 0; i++) {
        const int other = all[i].package != own->package;
        place->socket += other && (i == 0 || all[i - 1].package != all[i].package);
        place->core += !other;
    }
}

/* The cores of the machine and, in own, those of a set; the caller frees *all. Numbers are not
 * known: both are empty. */
static void list_cores(const cpu_set_t *set, struct core **all, size_t *n_all, struct core **own,
                       size_t *n_own)
{
    static const size_t most = CPU_SETSIZE;
    *all = memory_zeros(2 * most, sizeof **all);
    *own = *all + most;
    *n_all = *n_own = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        const struct core c = core_of(cpu);
        if (c.package < 0 || c.id < 0)
            continue;
        (*all)[(*n_all)++] = c;
        if (CPU_ISSET(cpu, set))
            (*own)[(*n_own)++] = c;
    }
    *n_all = unique(*all, *n_all);
    *n_own = unique(*own, *n_own);
}

static void fill_cores(const cpu_set_t *set, struct place *place)
{
    struct core *all, *own;
    size_t n_all, n_own;
    list_cores(set, &all, &n_all, &own, &n_own);
    if (n_own > 0) {
        for (size_t i = 0; i < n_all; i++)
            place->sockets += i == 0 || all[i].package != all[i - 1].package;
        place->n_cores = (int)n_own;
        locate(all, n_all, &own[0], place);
        if (n_own > 1)
            place->core = -1;
        if (own[0].package != own[n_own - 1].package)
            place->socket = -1;
    }
    free(all);
}

/* The CPUs as a list, "0-3,8". */
static void list_cpus(const cpu_set_t *set, char *buf, size_t size)
{
    size_t used = 0;
    for (int first = 0; first < CPU_SETSIZE; first++) {
        int last = first;
        if (!CPU_ISSET(first, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        const char *comma = used ? "," : "";
        const int n = first == last
                          ? snprintf(buf + used, size - used, "%s%d", comma, first)
                          : snprintf(buf + used, size - used, "%s%d-%d", comma, first, last);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
        first = last;
    }
}

void placement_here(struct place *place)
{
    cpu_set_t set;
    place->cpus[0] = '\0';
    place->n_cores = place->sockets = 0;
    place->socket = place->core = -1;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    list_cpus(&set, place->cpus, sizeof place->cpus);
    fill_cores(&set, place);
}

/* The core of the l-th rank of a node: the l-th; by sockets, one of each socket in turn. */
static struct core core_for(const struct core *own, size_t n, int by_sockets, size_t l)
{
    for (size_t place = 0, seen = 0; by_sockets && place < n; place++)
        for (size_t i = 0, before = 0; i < n; i++) {
            before = i && own[i].package == own[i - 1].package ? before + 1 : 0;
            if (before == place && seen++ == l)
                return own[i];
        }
    return own[l];
}

void placement_bind(const struct seating *seating, int rank, const cpu_set_t *allowed)
{
    struct core *all, *own;
    size_t n_all, n_own;
    cpu_set_t set = *allowed;
    const size_t l = (size_t)seat_local(seating, rank);
    list_cores(&set, &all, &n_all, &own, &n_own);
    if (l < n_own) {
        const struct core mine = core_for(own, n_own, strcmp(seating->mapping, "socket") == 0, l);
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
            const struct core c = core_of(cpu);
            if (by_number(&c, &mine) != 0)
                CPU_CLR(cpu, &set);
        }
        sched_setaffinity(0, sizeof set, &set);
    }
    free(all);
}
