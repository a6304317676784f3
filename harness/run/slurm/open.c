/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at the Slurm that there is and checks that it can take the study's jobs; submits (slurm.h).
 */

#include "harness/base/subprocess.h"
#include "harness/run/slurm/slurm_command.h"
#include "harness/run/slurm/parse.h"
#include "harness/run/testbed/testbed.h"

enum { OUTPUT_SIZE = 1 << 20, USUAL_MAX_ARRAY = 1001 };

/* Runs a command; as slurm_command. */
static int command(const struct slurm *slurm, const struct argv *words, int seconds, char **out,
                   struct err *err)
{
    return slurm_command(slurm, (const char *const *)(uintptr_t)words->v, seconds, OUTPUT_SIZE, out,
                         err);
}

/* The same for a command that must succeed: its output, or NULL with *err in Slurm's words. */
static char *ask(const struct slurm *slurm, struct argv *words, struct err *err)
{
    char *out, said[SLURM_REASON];
    int status = command(slurm, words, ANSWER_S, &out, err);
    if (status == 0)
        return out;
    if (status > 0) {
        slurm_complaint(out, said, sizeof said);
        err_set(err, "slurmctld does not answer: %s says '%s'", words->v[0], said);
        free(out);
    }
    return NULL;
}

static int ask_config(struct slurm *slurm, struct err *err)
{
    struct argv words = { 0 };
    argv_add(&words, "scontrol");
    argv_add(&words, "show");
    argv_add(&words, "config");
    char *out = ask(slurm, &words, err);
    argv_free(&words);
    int status = out ? slurm_parse_config(out, slurm, err) : -1;
    free(out);
    return status;
}

static int ask_partitions(const struct cluster *cluster, struct slurm *slurm,
                          struct slurm_partition *p, struct err *err)
{
    struct argv words = { 0 };
    argv_add(&words, "sinfo");
    argv_add(&words, "--all");
    argv_add(&words, "--exact");
    argv_add(&words, "--noheader");
    argv_add(&words, "--format=%s", SLURM_SINFO_FORMAT);
    char *out = ask(slurm, &words, err);
    argv_free(&words);
    int status =
        out ? slurm_parse_partition(out, slurm->partition, cluster_node_cores(cluster), p, err)
            : -1;
    free(out);
    return status;
}

/* Accounting is there when a database is configured and sacct has it answer. */
static int has_accounting(const struct slurm *slurm)
{
    struct argv words = { 0 };
    char *out;
    argv_add(&words, "sacct");
    argv_add(&words, "--noheader");
    argv_add(&words, "--parsable2");
    argv_add(&words, "--format=JobID");
    argv_add(&words, "--jobs=1");
    int status = command(slurm, &words, ANSWER_S, &out, NULL);
    argv_free(&words);
    if (status >= 0)
        free(out);
    return status == 0;
}

/* Where a key stands in the cluster file, for messages: "file:line: key", the file alone where the
 * value is the default. */
static int in_file(const struct cluster *cluster, const char *key, struct err *err)
{
    int line = cluster->settings.v ? cluster->settings.v[keys_find(&cluster_keys, key)].line : 0;
    if (line)
        return err_prefix(err, "%s:%d: %s", cluster->path, line, key);
    return err_prefix(err, "%s: %s", cluster->path, key);
}

static int is_given(const struct cluster *cluster, const char *key)
{
    return cluster->settings.v && cluster->settings.v[keys_find(&cluster_keys, key)].line > 0;
}

static int check_time(const struct cluster *cluster, const struct slurm *slurm, const char *key,
                      double seconds, struct err *err)
{
    if (slurm->most_time <= 0 || !is_given(cluster, key) || seconds <= slurm->most_time)
        return 0;
    err_usage(err, "%.0f s is more than partition '%s' allows (MaxTime, %.0f s)", seconds,
              slurm->partition, slurm->most_time);
    return in_file(cluster, key, err);
}

/* What the cluster file says against what Slurm says. */
static int check(const struct cluster *cluster, const struct slurm *slurm,
                 const struct slurm_partition *p, struct err *err)
{
    if (p->nodes < cluster->nodes) {
        err_usage(err, "%d, but partition '%s' has %d", cluster->nodes, slurm->partition, p->nodes);
        return in_file(cluster, "nodes", err);
    }
    if (p->large < cluster->nodes) {
        err_usage(err,
                  "%d sockets of %d cores, but %d of the %d nodes of partition '%s' have fewer "
                  "CPUs than that (the least: %d)",
                  cluster->sockets, cluster->cores, p->nodes - p->large, p->nodes, slurm->partition,
                  p->least_cpus);
        return in_file(cluster, "cores", err);
    }
    if (check_time(cluster, slurm, "time_limit", cluster->time_limit, err) < 0)
        return -1;
    return check_time(cluster, slurm, "most_time", cluster->most_time, err);
}

static int find_slurm(const struct cluster *cluster, struct slurm *slurm, struct err *err)
{
    *slurm = (struct slurm){ 0 };
    if (!*cluster->partition) {
        err_usage(err, "none is named, so there is nothing to submit to (want, in [slurm]: "
                       "partition = NAME)");
        return in_file(cluster, "partition", err);
    }
    snprintf(slurm->partition, sizeof slurm->partition, "%s", cluster->partition);
    if (!run_find("sbatch", NULL, 0))
        return err_set(err, "'sbatch' is not on the PATH (want: Slurm's commands, on a machine "
                            "that may submit)");
    return cluster->emulated ? testbed_conf(cluster->name, slurm->conf, sizeof slurm->conf, err)
                             : 0;
}

int slurm_open(const struct cluster *cluster, struct slurm *slurm, struct err *err)
{
    struct slurm_partition p;
    if (find_slurm(cluster, slurm, err) < 0 || ask_config(slurm, err) < 0)
        return -1;
    if (ask_partitions(cluster, slurm, &p, err) < 0)
        return in_file(cluster, "partition", err);
    slurm->nodes = p.nodes;
    slurm->node_cpus = p.least_cpus;
    slurm->most_time = p.most_time;
    if (check(cluster, slurm, &p, err) < 0)
        return -1;
    slurm->accounting = slurm->accounting && has_accounting(slurm);
    return 0;
}

void slurm_assume(const struct cluster *cluster, struct slurm *slurm)
{
    *slurm = (struct slurm){ .max_array = USUAL_MAX_ARRAY,
                             .nodes = cluster->nodes,
                             .node_cpus = cluster_node_cores(cluster),
                             .assumed = 1 };
    snprintf(slurm->partition, sizeof slurm->partition, "%s", cluster->partition);
}

int slurm_submit(const struct slurm *slurm, const char *script, const char *mark,
                 const char *dependency, char job[JOB_SIZE], struct err *err)
{
    struct argv words = { 0 };
    char *out, said[SLURM_REASON];
    argv_add(&words, "sbatch");
    argv_add(&words, "--parsable");
    if (dependency)
        argv_add(&words, "--dependency=%s", dependency);
    argv_add(&words, "%s", script);
    if (mark)
        argv_add(&words, "%s", mark);
    int status = command(slurm, &words, SUBMIT_S, &out, err);
    argv_free(&words);
    if (status < 0)
        return -1;
    int fine = status == 0 && slurm_parse_job(out, job);
    slurm_complaint(out, said, sizeof said);
    free(out);
    return fine ? 0 : err_set(err, "sbatch refuses '%s': %s", script, said);
}
