/* SPDX-License-Identifier: BSD-3-Clause */
/* What Slurm's commands print: outputs captured from 22.05.8 (tests/fake/slurm/captured/), and
 * variants made by hand after the manuals of 20.11 to 24.05. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/run/slurm/parse.h"
#include "tests/tap.h"

#define CAPTURED "tests/fake/slurm/captured/"

static void check_times(void)
{
    static const struct {
        const char *text;
        double seconds; /* -1: not a time */
    } rows[] = {
        { "infinite", 0 },
        { "UNLIMITED", 0 },
        { "30", 1800 },
        { "10:00", 600 },
        { "1:30:00", 5400 },
        { "12:00:00", 43200 },
        { "1-00:00:00", 86400 },
        { "2-12:00:00", 216000 },
        { "7-00", 604800 },
        { "1-02:30", 95400 },
        { "", -1 },
        { "n/a", -1 },
        { "10:00x", -1 },
        { "INVALID", -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double seconds = -1;
        int status = slurm_parse_time(rows[i].text, &seconds);
        is_near(rows[i].seconds, status == 0 ? seconds : -1, 1e-12, "'%s' is %g s", rows[i].text,
                rows[i].seconds);
    }
}

struct wanted {
    const char *name;
    int nodes, large, least_cpus;
    double most_time;
};

static void check_partitions(const char *text, int cpus, const struct wanted *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct slurm_partition p = { 0 };
        struct err err = { 0 };
        if (!is_int(0, slurm_parse_partition(text, rows[i].name, cpus, &p, &err),
                    "partition '%s' is found", rows[i].name))
            diag("%s", err.text);
        is_int(rows[i].nodes, p.nodes, "it has %d nodes", rows[i].nodes);
        is_int(rows[i].large, p.large, "%d of them with %d CPUs", rows[i].large, cpus);
        is_int(rows[i].least_cpus, p.least_cpus, "the least has %d", rows[i].least_cpus);
        is_near(rows[i].most_time, p.most_time, 1e-12, "its longest time");
    }
}

static void check_captured_partitions(void)
{
    static const struct wanted rows[] = { { "subm", 4, 4, 1, 0 },
                                          { "long", 2, 2, 1, 216000 },
                                          { "debug", 3, 3, 1, 1800 },
                                          { "hidden", 1, 1, 1, 5400 },
                                          { "empty", 0, 0, 0, 600 } };
    char *text = fs_read(CAPTURED "sinfo-partitions-22.05.8.txt", NULL, NULL);
    if (!ok(text != NULL, "a captured sinfo"))
        return;
    struct slurm_partition p;
    struct err err = { 0 };
    check_partitions(text, 1, rows, sizeof rows / sizeof rows[0]);
    ok(slurm_parse_partition(text, "sub", 1, &p, &err) < 0, "the beginning of a name is no name");
    is_int(EXIT_USAGE, err.status, "but wrong usage");
    is_str("'sub' is not a partition here (want subm, long, debug, hidden, empty)", err.text,
           "and the known ones are named");
    free(text);
}

/* By hand: nodes of several sizes, "+" where sinfo took sizes together, a warning, a row that is
 * longer than we asked for. */
static void check_made_partitions(void)
{
    static const char text[] = "sinfo: warning: something is deprecated\n"
                               "batch|3-00:00:00|10|36\n"
                               "batch|3-00:00:00|2|128\r\n"
                               "batch|3-00:00:00|5|16+\n"
                               "gpu|1-00:00:00|4|64|more\n"
                               "gpu|1-00:00:00|4|64";
    static const struct wanted rows[] = { { "batch", 17, 12, 16, 259200 },
                                          { "gpu", 4, 4, 64, 86400 } };
    struct slurm_partition p;
    struct err err = { 0 };
    check_partitions(text, 36, rows, sizeof rows / sizeof rows[0]);
    ok(slurm_parse_partition("", "batch", 1, &p, &err) < 0, "no partition at all is an error");
    has_str("sinfo lists no partition", err.text, "that says so");
}

static void check_config(void)
{
    struct slurm s = { 0 };
    struct err err = { 0 };
    char *text = fs_read(CAPTURED "scontrol-config-22.05.8.txt", NULL, NULL);
    if (!ok(text && slurm_parse_config(text, &s, &err) == 0, "a captured configuration"))
        return;
    is_int(200, s.max_array, "MaxArraySize");
    is_str("22.05.8", s.version, "the version");
    is_int(0, s.accounting, "and no accounting");
    free(text);
    static const char *const later[] = { "24.11.5", "26.05.5" };
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        char path[256];
        static const struct wanted pair[] = { { "pair", 4, 4, 2, 0 } };
        snprintf(path, sizeof path, CAPTURED "%s/scontrol-config.txt", later[i]);
        text = fs_read(path, NULL, NULL);
        ok(text && slurm_parse_config(text, &s, &err) == 0, "that of %s", later[i]);
        is_str(later[i], s.version, "tells its version");
        ok(s.max_array > 1, "and its longest array: %d", s.max_array);
        free(text);
        snprintf(path, sizeof path, CAPTURED "%s/sinfo-partitions.txt", later[i]);
        text = fs_read(path, NULL, NULL);
        if (ok(text != NULL, "its partitions"))
            check_partitions(text, 2, pair, 1);
        free(text);
    }
    static const struct {
        const char *text;
        int max_array, accounting; /* max_array 0: an error */
        const char *version, *claim;
    } rows[] = {
        { "MaxArraySize=1001\nSLURM_VERSION=20.11.9\nAccountingStorageType=accounting_storage/"
          "slurmdbd\n",
          1001, 1, "20.11.9", "no blanks" },
        { "AccountingStorageType   = (null)\nMaxArraySize            = 4000001\nSLURM_VERSION      "
          "     "
          "= 24.05.2\n",
          4000001, 0, "24.05.2", "24.05 without accounting" },
        { "MaxArraySize            = 0\nSLURM_VERSION           = 22.05.8\n", 0, 0, "",
          "no job arrays" },
        { "MaxArraySize            = 1001\n", 0, 0, "", "no version" },
        { "", 0, 0, "", "nothing" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int status = slurm_parse_config(rows[i].text, &s, &err);
        is_int(rows[i].max_array ? 0 : -1, status, "configuration: %s", rows[i].claim);
        if (!rows[i].max_array)
            continue;
        is_int(rows[i].max_array, s.max_array, "its MaxArraySize");
        is_int(rows[i].accounting, s.accounting, "its accounting");
        is_str(rows[i].version, s.version, "its version");
    }
}

/* Captured from 22.05.8 but for those marked. */
static void check_words(void)
{
    static const struct {
        const char *text, *job, *complaint; /* job "": none */
    } rows[] = {
        { "12\n", "12", "nothing" },
        { "12;fluffy\n", "12", "nothing" }, /* by the manual: a federation */
        { "sbatch: warning: can't run 1 processes on 2 nodes\n4711\n", "4711",
          "nothing" }, /* made */
        { "sbatch: error: invalid partition specified: nosuch\n"
          "sbatch: error: Batch job submission failed: Invalid partition name specified\n",
          "",
          "invalid partition specified: nosuch; Batch job submission failed: Invalid partition "
          "name specified" },
        { "sbatch: unrecognized option '--frob'\nTry \"sbatch --help\" for more information\n", "",
          "unrecognized option '--frob'" },
        { "sinfo: error: ClusterName needs to be specified\n"
          "sinfo: fatal: Unable to process configuration file\n",
          "", "ClusterName needs to be specified; Unable to process configuration file" },
        { "12 jobs are too many\n", "", "12 jobs are too many" }, /* made */
        { "", "", "nothing" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char job[JOB_SIZE] = "", said[SLURM_REASON];
        is_int(*rows[i].job != '\0', slurm_parse_job(rows[i].text, job), "answer %zu %s a job", i,
               *rows[i].job ? "names" : "does not name");
        is_str(rows[i].job, job, "which one");
        slurm_complaint(rows[i].text, said, sizeof said);
        is_str(rows[i].complaint, said, "and what it complains of");
    }
    char small[20];
    slurm_complaint(rows[3].text, small, sizeof small);
    is_str("invalid partition s", small, "a complaint that does not fit is cut");
}

int main(void)
{
    check_times();
    check_captured_partitions();
    check_made_partitions();
    check_config();
    check_words();
    return tap_done();
}
