/* SPDX-License-Identifier: BSD-3-Clause */
/* What an adaptive plan expects of a library's default: the time of what that release takes by its
 * published decision, not of what another release or library takes. */
#include "analysis/adapt/prior_times.h"

#include <math.h>

#include "workloads/schedules/decision.h"
#include "tests/tap.h"

enum { PROCS = 32 };

static struct point point_of(const char *collective, const char *mpi, const char *algorithm,
                             uint64_t bytes, int id)
{
    struct point p = { .cell = { .nodes = PROCS, .ppn = 1, .procs = PROCS, .bytes = bytes } };
    snprintf(p.cell.collective, NAME_SIZE, "%s", collective);
    snprintf(p.cell.mpi, NAME_SIZE, "%s", mpi);
    snprintf(p.cell.mapping, NAME_SIZE, "node");
    snprintf(p.candidate.algorithm, NAME_SIZE, "%s", algorithm);
    snprintf(p.id, ID_SIZE, "%016x", id);
    return p;
}

/* Seconds of a library's default, of a release ("": not known), and of what a rule takes. */
static void compare(const struct cluster *cluster, const char *collective, uint64_t bytes,
                    const char *mpi, const char *version, const char *rule, double s[2])
{
    static struct study study;
    struct decision d;
    struct point point[2];
    struct native_release release;
    struct prior prior;
    char name[NAME_SIZE];
    s[0] = s[1] = NAN;
    if (!decide(rule, collective, PROCS, bytes, NULL, &d))
        return;
    snprintf(name, sizeof name, "%.8s:default", mpi);
    point[0] = point_of(collective, mpi, strchr(mpi, '-') ? "openmpi:default" : name, bytes, 1);
    snprintf(name, sizeof name, "portable:%.50s", d.algorithm);
    point[1] = point_of(collective, mpi, name, bytes, 2);
    point[1].candidate.segment_bytes = d.segment_bytes;
    point[1].candidate.fanout = d.fanout;
    snprintf(release.mpi, sizeof release.mpi, "%s", mpi);
    snprintf(release.version, sizeof release.version, "%s", version);
    const struct plan plan = {
        .points = point, .n = 2, .releases = &release, .n_releases = *version != 0
    };
    prior_compute(cluster, &study, &plan, &prior);
    for (int i = 0; i < 2; i++)
        s[i] = prior_find(&prior, point[i].id)->seconds;
    prior_free(&prior);
}

int main(void)
{
    static const struct {
        const char *mpi, *version, *rule, *other;
    } release[] = { { "openmpi", "3.1.6", "openmpi31", "openmpi41" },
                    { "openmpi-a", "4.1.4", "openmpi41", "openmpi31" },
                    { "openmpi", "5.0.7", "openmpi41", "openmpi31" },
                    { "openmpi", "6.0.0", "openmpi60", "openmpi31" },
                    { "openmpi", "", "openmpi41", "openmpi31" },
                    { "mpich", "4.2.1", "mpich40", "openmpi41" } };
    static const char *const collective[] = { "bcast", "allgather", "reduce", "allreduce" };
    struct cluster cluster;
    struct err err;
    if (cluster_load("clusters", "gros", &cluster, &err) < 0) {
        ok(0, "%s", err.text);
        return tap_done();
    }
    for (size_t i = 0; i < sizeof release / sizeof *release; i++) {
        size_t known = 0, right = 0, parted = 0;
        for (size_t c = 0; c < 4; c++)
            for (uint64_t bytes = 64; bytes <= 1 << 20; bytes *= 4) {
                double s[2], other[2];
                compare(&cluster, collective[c], bytes, release[i].mpi, release[i].version,
                        release[i].rule, s);
                compare(&cluster, collective[c], bytes, release[i].mpi, release[i].version,
                        release[i].other, other);
                known += isfinite(s[1]);
                right += isfinite(s[1]) && s[0] == s[1];
                parted += isfinite(s[1]) && isfinite(other[1]) && other[1] != s[1];
            }
        ok(known > 10 && parted > 2, "%s %s: of %zu calls another decision takes %zu otherwise",
           release[i].mpi, release[i].version, known, parted);
        is_int((long long)known, (long long)right, "its default is expected as %s decides",
               release[i].rule);
    }
    cluster_free(&cluster);
    return tap_done();
}
