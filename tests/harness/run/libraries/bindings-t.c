/* SPDX-License-Identifier: BSD-3-Clause */
/* bindings-t.c - do the libraries put the ranks where seat.h says, with the words of the table of
 * launchers? Asked of the libraries themselves, on machines that they are told of, with nothing
 * started: Open MPI maps on simulated nodes and prints its map (slots, which Slurm gives, come from
 * --host there); hydra's proxies all run here, bind on a synthetic topology and print that. */
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/seat.h"
#include "harness/run/libraries/mpi_library.h"
#include "harness/base/subprocess.h"
#include "harness/run/libraries/launchers.h"
#include "tests/tap.h"

enum { MOST_RANKS = 64, OUTPUT = 1 << 17, PATIENCE_S = 300 };

static const char *const mappings[] = { "core", "socket", "node" };

struct machine {
    int sockets, cores; /* of a node, of a socket */
    char synthetic[64]; /* as hwloc takes it */
    char xml[64];       /* the same in a file */
};

/* What a library says of one rank. */
struct told {
    int node, socket, core;
};

static int write_xml(struct machine *m, const char *dir)
{
    hwloc_topology_t t;
    snprintf(m->synthetic, sizeof m->synthetic, "pack:%d core:%d pu:1", m->sockets, m->cores);
    snprintf(m->xml, sizeof m->xml, "%s/%dx%d.xml", dir, m->sockets, m->cores);
    if (hwloc_topology_init(&t) < 0)
        return -1;
    const int status = hwloc_topology_set_synthetic(t, m->synthetic) < 0 ||
                               hwloc_topology_load(t) < 0 ||
                               hwloc_topology_export_xml(t, m->xml, 0) < 0
                           ? -1
                           : 0;
    hwloc_topology_destroy(t);
    return status;
}

/* Runs words (and more of them) and gives what they print; free() it. */
static char *run(const struct argv *args)
{
    char *out = calloc(1, OUTPUT);
    if (out && run_capture_for((const char *const *)args->v, PATIENCE_S, out, OUTPUT) < 0)
        out[0] = '\0';
    return out;
}

/* Names a new line at each of the words' blanks. */
static void add_all(struct argv *args, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        argv_add(args, "%s", words[i]);
}

/* ---- Open MPI ---- */

/* "[./B/./.][./././.]" is core 1 of socket 0; -1: not one core. */
static int parse_map(const char *text, struct told *t)
{
    int socket = -1, core = 0, found = 0;
    for (text = strchr(text, ':'); *text && *text != '\n'; text++) {
        if (*text == '[') {
            socket++;
            core = 0;
        } else if (*text == '/') {
            core++;
        } else if (*text == 'B') {
            t->socket = socket;
            t->core = core;
            found++;
        }
    }
    return found == 1 ? 0 : -1;
}

/* Reads --display-devel-map. A rank whose object to be mapped by is what it is bound to is printed
 * as unbound: it is bound in place, to its locale. Returns how many ranks were understood. */
static int parse_openmpi(char *out, struct told *told, int most)
{
    int node = -1, rank = -1, n = 0;
    struct told locale = { -1, -1, -1 }, bound = locale;
    char *at, *save = NULL;
    for (char *line = strtok_r(out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if ((at = strstr(line, "Data for node: nodeA")) != NULL)
            node = (int)strtol(at + 20, NULL, 10);
        else if ((at = strstr(line, "Data for proc: [[")) != NULL && (at = strstr(at, "],")))
            rank = (int)strtol(at + 2, NULL, 10);
        else if ((at = strstr(line, "Locale:")) != NULL) {
            if (parse_map(at, &locale) < 0)
                locale.core = -1;
        } else if ((at = strstr(line, "Binding: ")) != NULL && rank >= 0 && rank < most) {
            const int in_place = strstr(at, "UNBOUND") != NULL;
            if (in_place ? locale.core < 0 : parse_map(at, &bound) < 0)
                continue;
            told[rank] = in_place ? locale : bound;
            told[rank].node = node;
            n++;
        }
    }
    return n;
}

static int ask_openmpi(const struct machine *m, const struct job *job, struct told *told)
{
    const struct launch *l = job->launch;
    struct argv own = { 0 }, env = { 0 };
    char hosts[512] = "";
    size_t used = 0;
    int n = 0;
    for (int i = 0; i < l->nodes; i++)
        used += (size_t)snprintf(hosts + used, sizeof hosts - used, "%snodeA%d:%d", i ? "," : "", i,
                                 l->ppn);
    launcher_command(job->launcher, job, &own, &env);
    /* 4.1.4's simulator takes one structure for another, and crashes where a pointer in it happens
     * to end in a zero byte. A crash, or half an answer, is none: the heap is moved a little and it
     * is asked again. */
    for (int tries = 0; n != l->procs && tries < 50; tries++) {
        const char *const simulated[] = { "--mca",
                                          "ras",
                                          "simulator",
                                          "--mca",
                                          "ras_simulator_topo_files",
                                          m->xml,
                                          "--do-not-launch",
                                          "--display-devel-map",
                                          "--host",
                                          hosts,
                                          "--mca",
                                          "ras_simulator_num_nodes" };
        struct argv args = { 0 };
        argv_add(&args, "env");
        add_all(&args, (const char *const *)env.v, env.n);
        argv_add(&args, "%s", own.v[0]);
        add_all(&args, simulated, sizeof simulated / sizeof simulated[0]);
        argv_add(&args, "%d", l->nodes);
        argv_add(&args, "--mca");
        argv_add(&args, "orte_no_such_parameter");
        argv_add(&args, "%0*d", 24 * tries + 1, 0);
        add_all(&args, (const char *const *)own.v + 1, own.n - 1);
        char *out = run(&args);
        n = parse_openmpi(out, told, l->procs);
        free(out);
        argv_free(&args);
    }
    argv_free(&own);
    argv_free(&env);
    return n;
}

/* ---- MPICH ---- */

/* Reads "process 1 binding: 0100" (of each node; local numbers) and "rank 5 of 2410" (proxies). */
static int parse_hydra(char *out, const struct machine *m, struct told *told, int most)
{
    int binding[MOST_RANKS], proxies[MOST_RANKS], proxy_of[MOST_RANKS];
    int n_proxies = 0, n = 0, where, seen[MOST_RANKS] = { 0 };
    char *save = NULL;
    memset(binding, -1, sizeof binding);
    memset(proxy_of, -1, sizeof proxy_of);
    for (char *line = strtok_r(out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char bits[256];
        int who, proxy, is_one = 1;
        if (sscanf(line, "process %d binding: %255[01]", &who, bits) == 2 && who < MOST_RANKS) {
            where = (int)strcspn(bits, "1");
            is_one = strchr(bits + where, '1') && !strchr(bits + where + 1, '1');
            binding[who] = !is_one || (binding[who] >= 0 && binding[who] != where) ? -2 : where;
        } else if (sscanf(line, "rank %d of %d", &who, &proxy) == 2 && who < most) {
            proxy_of[who] = proxy;
        }
    }
    for (int r = 0; r < most; r++) {
        int k = 0;
        while (k < n_proxies && proxies[k] != proxy_of[r])
            k++;
        if (proxy_of[r] < 0)
            continue;
        if (k == n_proxies)
            proxies[n_proxies++] = proxy_of[r];
        const int pu = binding[seen[k]++];
        if (pu >= 0) {
            told[r] = (struct told){ k, pu / m->cores, pu % m->cores };
            n++;
        }
    }
    return n;
}

/* Nodes are numbered in the order of their first ranks: hydra's proxies have no other names here.
 */
static int ask_hydra(const struct machine *m, const struct job *job, struct told *told)
{
    const struct launch *l = job->launch;
    struct argv args = { 0 }, own = { 0 }, env = { 0 };
    char hosts[512] = "";
    size_t used = 0;
    launcher_command(job->launcher, job, &own, &env);
    argv_add(&args, "env");
    argv_add(&args, "HWLOC_SYNTHETIC=%s", m->synthetic);
    argv_add(&args, "HYDRA_TOPO_DEBUG=1");
    add_all(&args, (const char *const *)env.v, env.n);
    argv_add(&args, "%s", own.v[0]);
    for (int i = 0; i < l->nodes; i++)
        used += (size_t)snprintf(hosts + used, sizeof hosts - used, "%sh%d", i ? "," : "", i + 1);
    add_all(&args, (const char *const[]){ "-launcher", "fork", "-hosts", hosts }, 4);
    add_all(&args, (const char *const *)own.v + 1, own.n - 2);
    const char *const program[] = { "sh", "-c", "echo rank $PMI_RANK of $PPID" };
    add_all(&args, program, 3);
    int n = 0; /* its proxies' lines may run into each other: an answer cut short is asked again */
    for (int tries = 0; n != l->procs && tries < 50; tries++) {
        char *out = run(&args);
        n = parse_hydra(out, m, told, l->procs);
        free(out);
    }
    argv_free(&args);
    argv_free(&own);
    argv_free(&env);
    return n;
}

/* ---- both against the table ---- */

struct asked {
    const struct launcher *launcher;
    int (*ask)(const struct machine *m, const struct job *job, struct told *told);
};

static void compare(const struct asked *a, const struct machine *m, const char *mapping, int nodes,
                    int ppn, int procs)
{
    const struct cluster cluster = { .nodes = nodes };
    struct launch launch = { .nodes = nodes, .ppn = ppn, .procs = procs };
    const struct job job = { .launch = &launch,
                             .cluster = &cluster,
                             .program = "/bin/true",
                             .build = "BUILD",
                             .launcher = a->launcher };
    const struct seating seating = { mapping,    nodes,    ppn, procs,
                                     m->sockets, m->cores, 0,   { .group = { 0 } } };
    struct told told[MOST_RANKS];
    char wanted[64] = "", seen[64] = "";
    memset(told, -1, sizeof told);
    snprintf(launch.mapping, sizeof launch.mapping, "%s", mapping);
    const int n = a->ask(m, &job, told);
    for (int r = 0; r < procs && strcmp(wanted, seen) == 0; r++) {
        const struct seat s = seat_of(&seating, r);
        snprintf(wanted, sizeof wanted, "rank %d: node %d socket %d core %d", r, s.node, s.socket,
                 s.core);
        snprintf(seen, sizeof seen, "rank %d: node %d socket %d core %d", r, told[r].node,
                 told[r].socket, told[r].core);
    }
    ok(n == procs && strcmp(wanted, seen) == 0, "%s %s: %s, %d x %d, %d ranks, %d sockets of %d",
       a->launcher->library, a->launcher->name, mapping, nodes, ppn, procs, m->sockets, m->cores);
    if (strcmp(wanted, seen) != 0)
        diag("wanted %s\n#   seen %s", wanted, seen);
}

struct shape {
    int machine, nodes, ppn, procs;
};

static const struct shape shapes[] = {
    { 0, 4, 1, 4 },  { 0, 4, 2, 8 },  { 0, 4, 2, 7 },   { 0, 4, 3, 12 },  { 0, 3, 3, 7 },
    { 0, 4, 8, 32 }, { 0, 4, 9, 33 }, { 0, 4, 16, 64 }, { 0, 1, 16, 16 }, { 0, 1, 5, 5 },
    { 1, 5, 4, 18 }, { 1, 2, 8, 15 }, { 2, 3, 6, 17 },
};

/* Every third shape, others with the next mapping; with COLLSEL_LONG all. */
static void check_library(const char *name, const char *launcher,
                          int (*ask)(const struct machine *, const struct job *, struct told *),
                          const struct machine *machines, int local)
{
    const struct cluster cluster = { .nodes = 1 };
    char version[64], word[64];
    snprintf(word, sizeof word, "mpirun.%s", name);
    library_version(&cluster, name, "build", version, sizeof version);
    const struct asked a = { launcher_find(name, version, launcher, &cluster, NULL), ask };
    if (!run_find(word, NULL, 0) || !a.launcher ||
        (strcmp(name, "openmpi") == 0 && strncmp(version, "4.1.", 4) != 0)) {
        skip("not installed, or another version", "%s %s", name, launcher);
        return;
    }
    for (int k = 0; k < N_MAPPINGS; k++)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            if ((!local || shapes[i].nodes == 1) &&
                (getenv("COLLSEL_LONG") || (i + (size_t)k) % 3 == 0))
                compare(&a, &machines[shapes[i].machine], mappings[k], shapes[i].nodes,
                        shapes[i].ppn, shapes[i].procs);
}

/* "MCW rank 1 bound to socket 0[core 1[hwt 0]]: [./B]" of each rank; from Open MPI 5.0 on "Rank 1
 * bound to package[0][core:1]". */
static int parse_report(char *out, struct told *told, int most)
{
    int n = 0, rank;
    char *save = NULL;
    for (char *line = strtok_r(out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *at = strstr(line, "] Rank ");
        struct told t = { 0 };
        int from = 0;
        if (at &&
            sscanf(at, "] Rank %d bound to package[%d][core:%n", &rank, &t.socket, &from) == 2 &&
            from > 0 && rank < most) {
            at += from + (at[from] == 'L'); /* logical, as 6.0 says */
            t.core = (int)strtol(at, NULL, 10);
            told[rank] = t;
            n++;
            continue;
        }
        at = strstr(line, "MCW rank ");
        const char *map = strstr(line, "]: [");
        if (!at || !map || sscanf(at, "MCW rank %d bound", &rank) != 1 || rank >= most)
            continue;
        told[rank].node = 0;
        n += parse_map(map, &told[rank]) == 0;
    }
    return n;
}

/* Really started, really bound, on this machine. */
static int ask_here(const struct machine *m, const struct job *job, struct told *told)
{
    struct argv args = { 0 }, own = { 0 }, env = { 0 };
    (void)m;
    launcher_command(job->launcher, job, &own, &env);
    argv_add(&args, "env");
    add_all(&args, (const char *const *)env.v, env.n);
    argv_add(&args, "%s", own.v[0]);
    argv_add(&args, "--report-bindings");
    add_all(&args, (const char *const *)own.v + 1, own.n - 1);
    char *out = run(&args);
    const int n = parse_report(out, told, job->launch->procs);
    free(out);
    argv_free(&args);
    argv_free(&own);
    argv_free(&env);
    return n;
}

static void check_here(void)
{
    struct cluster cluster;
    if (cluster_load("clusters", "local", &cluster, NULL) < 0 || cluster.threads > 1 ||
        !run_find("mpirun.openmpi", NULL, 0)) {
        skip("no Open MPI here, or cores of several threads", "bindings on this machine");
        return;
    }
    const struct machine here = { cluster.sockets, cluster.cores, "", "" };
    const struct asked a = { launcher_find("openmpi", "4.1", "local", &cluster, NULL), ask_here };
    const int cores = cluster_node_cores(&cluster), most = cores < 4 ? cores : 4;
    for (int k = 0; k < N_MAPPINGS; k++)
        compare(&a, &here, mappings[k], 1, most, most);
    cluster_free(&cluster);
}

int main(void)
{
    struct machine machines[] = { { 2, 8, "", "" }, { 4, 2, "", "" }, { 1, 6, "", "" } };
    char dir[] = "/tmp/bindings.XXXXXX", path[80];
    if (!mkdtemp(dir))
        return tap_skip_all("no temporary directory");
    for (int i = 0; i < 3; i++)
        ok(write_xml(&machines[i], dir) == 0, "a machine of %d sockets", machines[i].sockets);
    check_library("openmpi", "local", ask_openmpi, machines, 1);
    check_library("openmpi", "mpirun", ask_openmpi, machines, 0);
    check_here();
    check_library("mpich", "local", ask_hydra, machines, 1);
    check_library("mpich", "mpirun", ask_hydra, machines, 0);
    for (int i = 0; i < 3; i++)
        unlink(machines[i].xml);
    snprintf(path, sizeof path, "%s", dir);
    rmdir(path);
    return tap_done();
}
