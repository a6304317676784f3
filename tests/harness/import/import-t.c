/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged sources: what exactly is taken and what is set aside, and why. All content is made up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/import/import.h"
#include "harness/import/map.h"
#include "harness/import/names.h"
#include "harness/import/file_pattern.h"
#include "harness/import/import_run.h"
#include "tests/tap.h"
#include "workloads/schedules/collectives.h"

/* Two nodes of 2 x 64 cores. */
static const char cluster_text[] =
    "[cluster]\nname = made-up\nnodes = 2\nsockets = 2\ncores = 64\nthreads = 1\ncpu = none\n";

#define OSU_TITLE "# OSU MPI Broadcast Latency Test v7.3\n# Datatype: MPI_CHAR.\n"
#define OSU_HEAD  "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
#define TALLONE   "algorithm,cores,iterations,size,latency,min,max\n"
#define IMB_HEAD  "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"

/* A damaged file: line `line` is set aside for `why` (ASIDE_NOT: nothing is). */
struct damaged {
    const char *what, *name, *text;
    size_t len; /* 0: strlen */
    size_t taken, repeated, set_aside;
    enum aside why;
    size_t line;
};

/* Rows of a table by Tallone, of which so many are taken; and one is left out. */
#define TAKES(what, rows, taken)                                                                   \
    {                                                                                              \
        what, "bcast_core.csv", TALLONE rows, 0, taken, 0, 0, 0, 0                                 \
    }
#define LEAVES(what, rows, taken, why, line)                                                       \
    {                                                                                              \
        what, "bcast_core.csv", TALLONE rows, 0, taken, 0, 1, why, line                            \
    }

static const struct damaged cases[] = {
    /* ---- nothing wrong ---- */
    TAKES("a clean table", "1,8,1000,1,2.5,1.0,4.0\n", 1),
    TAKES("numbers written 1.0", "1.0,8.0,1000.0,1.0,2.5,1.0,4.0\n", 1),
    LEAVES("half an algorithm", "1.5,8,1000,1,2.5,1.0,4.0\n", 0, ASIDE_NAME, 2),
    { "CRLF", "bcast_core.csv",
      "algorithm,cores,iterations,size,latency,min,max\r\n1,8,1000,1,2.5,1.0,4.0\r\n", 0, 1, 0, 0,
      0, 0 },
    { "a mark of UTF-8", "bcast_core.csv", "\xef\xbb\xbf" TALLONE "1,8,1000,1,2.5,1.0,4.0\n", 0, 1,
      0, 0, 0, 0 },
    TAKES("blank lines", "\n1,8,1000,1,2.5,1.0,4.0\n   \n\n", 1),
    TAKES("the fastest rank rounds to nothing", "1,8,1000,1,2.5,0.00,4.0\n", 1),
    TAKES("a mean that rounds above the maximum", "1,8,1000,1,2.51,2.50,2.50\n", 1),
    /* ---- cut, joined, repeated ---- */
    { "an empty file", "bcast_core.csv", "", 0, 0, 0, 1, ASIDE_MISSING, 1 },
    { "a header alone", "bcast_core.csv", TALLONE, 0, 0, 0, 0, 0, 0 },
    { "no header", "bcast_core.csv", "1,8,1000,1,2.5,1.0,4.0\n", 0, 0, 0, 1, ASIDE_HEADER, 1 },
    LEAVES("a cut last line", "1,8,1000,1,2.5,1.0,4.0\n1,8,1000,2,2.5,1.0,4", 1, ASIDE_CUT, 3),
    LEAVES("a line cut in the middle", "1,8,1000,1,2.5\n1,8,1000,2,2.5,1.0,4.0\n", 1, ASIDE_FIELDS,
           2),
    LEAVES("a column too many", "1,8,1000,1,2.5,1.0,4.0,9\n", 0, ASIDE_FIELDS, 2),
    LEAVES("two lines in one", "1,8,1000,1,2.5,1.0,4.01,8,1000,2,2.5,1.0,4.0\n", 0, ASIDE_FIELDS,
           2),
    LEAVES("a second header", "1,8,1000,1,2.5,1.0,4.0\n" TALLONE "1,8,1000,2,2.5,1.0,4.0\n", 2,
           ASIDE_HEADER, 3),
    { "a repeated row", "bcast_core.csv",
      TALLONE "1,8,1000,1,2.5,1.0,4.0\n1,8,1000,1,2.5,1.0,4.0\n", 0, 1, 1, 0, 0, 0 },
    TAKES("a second run", "1,8,1000,1,2.5,1.0,4.0\n1,8,1000,1,2.6,1.0,4.0\n", 2),
    { "a repeated row written otherwise", "bcast_core.csv",
      TALLONE "1,8,1000,1,2.5,1.0,4.0\n1,8.0,1000,1.0,2.50,1,4\n", 0, 1, 1, 0, 0, 0 },
    { "the same numbers of two receivers", "p2p.csv",
      "mapby,size,latency,iterations,p50,p95,p99,recv\n"
      "cache,1,0.14,1000,0.14,0.15,0.16,1\ncache,1,0.14,1000,0.14,0.15,0.16,2\n",
      0, 2, 0, 0, 0, 0 },
    /* ---- values ---- */
    LEAVES("a missing size", "1,8,1000,,2.5,1.0,4.0\n", 0, ASIDE_MISSING, 2),
    LEAVES("a missing time", "1,8,1000,1,,1.0,\n", 0, ASIDE_MISSING, 2),
    LEAVES("no number of processes", "1,,1000,1,2.5,1.0,4.0\n", 0, ASIDE_MISSING, 2),
    LEAVES("NaN", "1,8,1000,1,nan,1.0,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("-nan", "1,8,1000,1,2.5,1.0,-nan\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("infinity", "1,8,1000,1,2.5,1.0,inf\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a negative time", "1,8,1000,1,-2.5,1.0,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a time of zero", "1,8,1000,1,0.00,0.00,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a time below a nanosecond", "1,8,1000,1,2.5,1.0,4e-5\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("two hours", "1,8,1000,1,2.5,1.0,7.2e9\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a huge time", "1,8,1000,1,2.5,1.0,4e12\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a number beyond all numbers", "1,8,1000,1,2.5,1.0,1e999\n", 0, ASIDE_NUMBER, 2),
    LEAVES("a negative size", "1,8,1000,-1,2.5,1.0,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a huge size", "1,8,1000,99999999999999,2.5,1.0,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("half a byte", "1,8,1000,1.5,2.5,1.0,4.0\n", 0, ASIDE_NUMBER, 2),
    LEAVES("no process", "1,0,1000,1,2.5,1.0,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("no iteration", "1,8,0,1,2.5,1.0,4.0\n", 0, ASIDE_IMPOSSIBLE, 2),
    LEAVES("a word for a number", "1,8,1000,1,fast,1.0,4.0\n", 0, ASIDE_NUMBER, 2),
    { "a decimal comma", "bcast_core.csv",
      "algorithm;cores;iterations;size;latency;min;max\n1;8;1000;1;2,5;1,0;4,0\n", 0, 0, 0, 1,
      ASIDE_NUMBER, 2 },
    LEAVES("a unit in a cell", "1,8,1000,1,2.5,1.0,4.0ms\n", 0, ASIDE_UNIT, 2),
    LEAVES("a size with a unit", "1,8,1000,8K,2.5,1.0,4.0\n", 0, ASIDE_UNIT, 2),
    LEAVES("the minimum above the mean", "1,8,1000,1,2.5,3.0,4.0\n", 0, ASIDE_ORDER, 2),
    LEAVES("the mean above the maximum", "1,8,1000,1,5.0,1.0,4.0\n", 0, ASIDE_ORDER, 2),
    { "percentiles that fall", "p2p.csv",
      "mapby,size,latency,iterations,p50,p95,p99,recv\ncache,1,0.14,1000,0.34,0.15,0.16,1\n", 0, 0,
      0, 1, ASIDE_ORDER, 2 },
    { "the 95th percentile above the 99th", "p2p.csv",
      "mapby,size,latency,iterations,p50,p95,p99,recv\ncache,1,0.14,1000,0.14,0.19,0.16,1\n", 0, 0,
      0, 1, ASIDE_ORDER, 2 },
    { "the minimum above the maximum, no mean", "osu.txt",
      OSU_TITLE "# Size  Min Latency(us)   Max Latency(us)\n1 3.00 2.00\n", 0, 0, 0, 1, ASIDE_ORDER,
      4 },
    LEAVES("more processes than cores", "1,257,1000,1,2.5,1.0,4.0\n", 0, ASIDE_PLACE, 2),
    LEAVES("an algorithm that there is not", "77,8,1000,1,2.5,1.0,4.0\n", 0, ASIDE_NAME, 2),
    { "a channel that there is not", "p2p.csv",
      "mapby,size,latency,iterations,p50,p95,p99,recv\nmoon,1,0.14,1000,0.14,0.15,0.16,1\n", 0, 0,
      0, 1, ASIDE_NAME, 2 },
    /* ---- bytes ---- */
    { "a NUL within a line", "bcast_core.csv",
      TALLONE "1,8,10\0"
              "00,1,2.5,1.0,4.0\n1,8,1000,2,2.5,1.0,4.0\n",
      sizeof(TALLONE) - 1 + 24 + 23, 1, 0, 1, ASIDE_UNREADABLE, 2 },
    LEAVES("Latin-1", "1,8,1000,1,2.5,1.0,4.0\xb5s\n", 0, ASIDE_UNREADABLE, 2),
    LEAVES("a control character", "1,8,1000,1,2.5\x1b,1.0,4.0\n", 0, ASIDE_UNREADABLE, 2),
    LEAVES("a quote that does not end", "1,8,1000,1,\"2.5,1.0,4.0\n", 0, ASIDE_FIELDS, 2),
    { "UTF-16 with a mark", "osu.txt",
      "\xff\xfe#\0 \0O\0S\0U\0 \0M\0P\0I\0 \0B\0r\0o\0a\0d\0c\0a\0s\0t\0 \0L\0a\0t\0e\0n\0c\0y\0 "
      "\0T\0e\0s\0t\0\n\0#\0 \0S\0i\0z\0e\0 \0 \0A\0v\0g\0 \0L\0a\0t\0e\0n\0c\0y\0(\0u\0s\0)\0\n"
      "\0001\0 \0002\0.\0005\0\n\0",
      2 + 2 * (33 + 24 + 6), 1, 0, 0, 0, 0 },
    /* ---- OSU ---- */
    { "OSU --full", "osu.txt", OSU_TITLE OSU_HEAD "1    2.50    1.00    4.00    1000\n", 0, 1, 0, 0,
      0, 0 },
    { "OSU percentiles", "osu.txt",
      OSU_TITLE "# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations  P50 Tail "
                "Lat(us)  P95 Tail Lat(us)  P99 Tail Lat(us)\n"
                "1 2.50 1.00 4.00 1000 2.40 2.90 3.00\n",
      0, 1, 0, 0, 0, 0 },
    { "OSU in milliseconds", "osu.txt", OSU_TITLE "# Size  Avg Latency(ms)\n1 2.50\n", 0, 1, 0, 0,
      0, 0 },
    { "OSU in a unit that there is not", "osu.txt",
      OSU_TITLE "# Size  Avg Latency(ticks)\n1 2.50\n", 0, 0, 0, 1, ASIDE_UNIT, 4 },
    { "OSU without a unit", "osu.txt", OSU_TITLE "# Size  Avg Latency\n1 2.50\n", 0, 0, 0, 1,
      ASIDE_UNIT, 4 },
    { "OSU without a header", "osu.txt", OSU_TITLE "1 2.50\n", 0, 0, 0, 1, ASIDE_HEADER, 3 },
    { "a warning among OSU's rows", "osu.txt",
      OSU_TITLE OSU_HEAD "Warning: Permanently added 'n1'\n1 2.50 1.00 4.00 1000\n", 0, 1, 0, 1,
      ASIDE_OTHER, 4 },
    { "OSU's row without its last columns", "osu.txt", OSU_TITLE OSU_HEAD "1 2.50 1.00\n", 0, 0, 0,
      1, ASIDE_FIELDS, 4 },
    { "OSU bandwidth", "osu.txt",
      "# OSU MPI Bandwidth Test v7.3\n# Size      Bandwidth (MB/s)\n1  12.5\n", 0, 0, 0, 1,
      ASIDE_OTHER, 3 },
    { "a collective that is not blocking", "osu.txt",
      "# OSU MPI Non-blocking Broadcast Latency Test v7.3\n# Size  Overall(us)  Compute(us)\n1 2 "
      "1\n",
      0, 0, 0, 1, ASIDE_OTHER, 3 },
    { "osu_latency", "osu.txt",
      "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n0  0.21\n1  0.22\n", 0, 2, 0, 0,
      0, 0 },
    { "osu_barrier", "osu.txt",
      "# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)  Min Latency(us)  Max Latency(us)  "
      "Iterations\n 2.50  1.00  4.00  1000\n",
      0, 1, 0, 0, 0, 0 },
    { "OSU's one-sided put", "osu.txt",
      "# OSU MPI_Put Latency Test v7.3\n# Size          Latency (us)\n1  0.22\n", 0, 0, 0, 1,
      ASIDE_OTHER, 3 },
    { "OSU between accelerators", "osu.txt",
      "# OSU MPI-CUDA Broadcast Latency Test v7.3\n# Size  Avg Latency(us)\n1  0.22\n", 0, 0, 0, 1,
      ASIDE_OTHER, 3 },
    { "OSU of another library than MPI", "osu.txt",
      "# OSU OpenSHMEM Broadcast Latency Test v7.3\n# Size  Avg Latency(us)\n1  0.22\n", 0, 0, 0, 1,
      ASIDE_OTHER, 3 },
    /* ---- Intel ---- */
    { "ReproMPI's table, a call that is none of ours, and a row cut short", "reprompi.txt",
      "#Command-Line Arguments: mpibenchmark\n#@nprocs=2\n#@datatype_size_bytes=4\n"
      "#@clocksync=HCA3O\n  test count total_nrep valid_nrep mean_sec median_sec min_sec\n"
      "  MPI_Bcast 8 100 100 0.0000003057 0.0000002900 0.0000002300\n"
      "  GL_Bcast_as_x 8 100 100 0.0000003057 0.0000002900 0.0000002300\n"
      "  MPI_Bcast 16 100 100 0.0000003057\n",
      0, 1, 0, 2, ASIDE_FIELDS, 8 },
    { "ReproMPI's table of elements whose size is no number", "reprompi.txt",
      "#@nprocs=2\n#@datatype_size_bytes=four\n#@clocksync=HCA3O\n"
      "  test count valid_nrep mean_sec\n  MPI_Bcast 8 100 0.0000003057\n",
      0, 0, 0, 1, ASIDE_MISSING, 5 },
    { "IMB, two numbers of processes", "imb.txt",
      "# Benchmarking Bcast\n# #processes = 2\n# ( 2 additional processes waiting in "
      "MPI_Barrier)\n" IMB_HEAD
      "   1  1000  0.61  0.98  0.78\n\n# Benchmarking Bcast\n# #processes = 4\n" IMB_HEAD
      "   1  1000  0.71  1.98  1.78\n",
      0, 2, 0, 0, 0, 0 },
    { "IMB PingPong", "imb.txt",
      "# Benchmarking PingPong\n# #processes = 2\n   #bytes #repetitions      t[usec]   "
      "Mbytes/sec\n"
      "  8  1000  0.61  13.1\n",
      0, 1, 0, 0, 0, 0 },
    { "an IMB benchmark that is none of ours", "imb.txt",
      "# Benchmarking Sendrecv\n# #processes = 2\n" IMB_HEAD "  8  1000  0.61 0.7 0.65\n", 0, 0, 0,
      1, ASIDE_OTHER, 4 },
    { "IMB out of memory", "imb.txt",
      "# Benchmarking Bcast\n# #processes = 2\n" IMB_HEAD
      "  8  1000  0.61 0.7 0.65\n  4194304 out-of-mem.; needed X= 0.2 GB\n",
      0, 1, 0, 1, ASIDE_MISSING, 5 },
    { "a whole file of IMB 2.3", "imb.txt",
      "#---\n# Intel (R) MPI Benchmark Suite V2.3, MPI-1 part\n#---\n# Date : Fri\n"
      "# Benchmarking Barrier\n# ( #processes = 6 )\n#---\n  #repetitions  t_min[usec]  t_max[usec]"
      "  t_avg[usec]\n  1000  2.93  2.95  2.94\n",
      0, 1, 0, 0, 0, 0 },
    { "IMB, ranks in a grid, and a size that took too long", "imb.txt",
      "# Calling sequence was: \n\n# IMB-MPI1 -map 2x4 -off_cache 39,64 -mem 2.3G Bcast \n"
      "# Benchmarking Bcast \n# #processes = 8; rank order (rowwise): \n#     0    4    1\n# \n"
      "#-----\n" IMB_HEAD "  0  1000  0.01  0.05  0.02\n  8  1000  0.61 0.7 0.65\n"
      "  4194304 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use "
      "\"-time X\"\n\n\n# All processes entering MPI_Finalize\n\n",
      0, 2, 0, 1, ASIDE_MISSING, 12 },
    { "IMB, more bytes than an int holds", "imb.txt",
      "# Benchmarking Allgather\n# #processes = 2\n" IMB_HEAD
      "  2147483648 int-overflow.; The production rank*size caused int overflow\n",
      0, 0, 0, 1, ASIDE_MISSING, 4 },
    { "IMB, two groups at once, then all ranks", "imb.txt",
      "# Benchmarking Multi-Bcast \n# ( 2 groups of 2 processes each running simultaneous ) \n"
      "# Group  0:     0    1\n#\n# Group  1:     2    3\n#\n"
      "        Group       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n\n"
      "            0            8         1000         0.61         0.71         0.65\n"
      "# Benchmarking Bcast \n# #processes = 4 \n" IMB_HEAD "  8  1000  0.81 0.9 0.85\n",
      0, 1, 0, 1, ASIDE_OTHER, 9 },
    { "IMB that checks its data", "imb.txt",
      "# Benchmarking Allreduce \n# #processes = 4 \n"
      "  #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n"
      "  8  1000  0.61  0.7  0.65  0.00\n  16  1000  0.61  0.7  0.65  3.50\n",
      0, 1, 0, 1, ASIDE_DATA, 5 },
    { "IMB's non-blocking broadcast", "imb.txt",
      "# Benchmarking Ibcast \n# #processes = 4 \n  #bytes #repetitions t_ovrl[usec] t_pure[usec] "
      "t_CPU[usec]  overlap[%]\n  8  1000  5.61  2.7  2.65  0.00\n",
      0, 0, 0, 1, ASIDE_OTHER, 4 },
    { "IMB's bandwidths, then a benchmark named with a colon", "imb.txt",
      "# Benchmarking Uniband \n# #processes = 4 \n  #bytes #repetitions   Mbytes/sec      "
      "Msg/sec\n"
      "  8  1000  12.5  1000\n# Benchmarking: AllreduceMT\n# #processes = 4\n" IMB_HEAD
      "  8  1000  0.61  0.7  0.65\n",
      0, 0, 0, 2, ASIDE_OTHER, 8 },
    { "a job's complaint among IMB's rows", "imb.txt",
      "module load intel\n# Benchmarking Bcast\n# #processes = 4\n" IMB_HEAD
      "  1  1000  0.61  0.98  0.78\nmpirun noticed that process rank 3 exited on signal 11.\n",
      0, 1, 0, 2, ASIDE_OTHER, 6 },
    { "IMB's rows wrapped by a mail", "imb.txt",
      "# Benchmarking Bcast\n# #processes = 4\n" IMB_HEAD "  1  1000  0.61  0.98\n0.78\n", 0, 0, 0,
      2, ASIDE_FIELDS, 5 },
    { "OSU that checks its data", "osu.txt",
      OSU_TITLE "# Size       Avg Latency(us)        Validation\n1  2.50  Pass\n2  2.51  Fail\n", 0,
      1, 0, 1, ASIDE_DATA, 5 },
};

/* ---- files ---- */

static char dir[64];

static const char *put(const char *name, const void *data, size_t len)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "we");
    if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0)
        diag("cannot write %s", path);
    return path;
}

/* What the files of the tests do not tell. */
static struct import_options usual(const char *format)
{
    struct import_options o = { .format = import_format_find(format) };
    o.constants.text[ROLE_MPI] = "openmpi";
    o.constants.text[ROLE_MAPPING] = "core";
    o.constants.text[ROLE_PROCS] = "8";
    o.constants.text[ROLE_ALGORITHM] = "chain";
    return o;
}

/* Rows of a table with these columns (--map), of which this is known (--set); both in writable
 * copies. */
static struct import_options mapped(const char *columns, const char *known)
{
    struct import_options o = { .format = import_format_find("csv") };
    struct err err = { 0 };
    static char map[128], set[128];
    snprintf(map, sizeof map, "%s", columns);
    snprintf(set, sizeof set, "%s", known);
    is_int(0, map_parse(map, &o, &err), "--map %s: %s", columns, err.text);
    is_int(0, map_set(set, &o, &err), "--set %s: %s", known, err.text);
    return o;
}

/* Imports files that are there, on a cluster of this text (NULL: the usual), and removes them. */
static int import_paths(const struct import_options *o, const char *cluster, char **paths, size_t n,
                        struct import_result *result, struct err *err)
{
    char of[256], results[96];
    cluster = cluster ? cluster : cluster_text;
    snprintf(of, sizeof of, "%s", put("made-up.ini", cluster, strlen(cluster)));
    snprintf(results, sizeof results, "%s/results", dir);
    const struct import_request request = { .options = o,
                                            .paths = paths,
                                            .n_paths = n,
                                            .cluster = of,
                                            .clusters = "clusters",
                                            .results = results,
                                            .dataset = "d",
                                            .build = ".",
                                            .command = "test" };
    const int status = import_run(&request, result, err);
    for (size_t i = 0; i < n; i++)
        unlink(paths[i]);
    return status;
}

/* Files that are imported together: names and texts in turns, NULL last. */
static int import_files(const struct import_options *o, const char *cluster,
                        const char *const *files, struct import_result *result, struct err *err)
{
    static char path[12][256];
    char *paths[12];
    size_t n = 0;
    for (; files[2 * n]; n++) {
        paths[n] = path[n];
        snprintf(path[n], sizeof *path, "%s",
                 put(files[2 * n], files[2 * n + 1], strlen(files[2 * n + 1])));
    }
    return import_paths(o, cluster, paths, n, result, err);
}

static int import_bytes(const struct import_options *o, const char *name, const void *data,
                        size_t len, struct import_result *result, struct err *err)
{
    char path[256], *paths[] = { path };
    snprintf(path, sizeof path, "%s", put(name, data, len));
    return import_paths(o, NULL, paths, 1, result, err);
}

static int import_text(const struct import_options *o, const char *name, const char *text,
                       struct import_result *result, struct err *err)
{
    return import_bytes(o, name, text, strlen(text), result, err);
}

/* ---- tests ---- */

static void check_damaged(const struct damaged *d)
{
    char format[16];
    snprintf(format, sizeof format, "%.*s", (int)strcspn(d->name, "."), d->name);
    const struct import_options o = usual(strstr(d->name, ".txt") ? format : "tallone");
    struct import_result r;
    struct err err = { 0 };
    size_t len = d->len ? d->len : strlen(d->text);
    if (import_bytes(&o, d->name, d->text, len, &r, &err) < 0) {
        ok(0, "%s: %s", d->what, err.text);
        return;
    }
    const struct imported_row *aside = NULL;
    for (size_t i = 0; i < r.job.rows.n; i++)
        if (r.job.rows.row[i].status == ROW_SET_ASIDE)
            aside = &r.job.rows.row[i];
    ok(r.taken == d->taken && r.repeated == d->repeated && r.set_aside == d->set_aside,
       "%s: %zu taken, %zu repeated, %zu set aside", d->what, d->taken, d->repeated, d->set_aside);
    if (r.taken != d->taken || r.repeated != d->repeated || r.set_aside != d->set_aside)
        import_print(stdout, &r);
    if (d->set_aside) {
        is_str(aside_words(d->why), aside ? aside_words(aside->why) : NULL, "%s: why", d->what);
        is_int((long long)d->line, aside ? (long long)aside->line : 0, "%s: line", d->what);
        ok(aside && aside->reason && *aside->reason, "%s: with a reason", d->what);
    }
    import_result_clear(&r);
}

static void check_point(void)
{
    struct import_options o = usual("tallone");
    struct import_result r;
    struct err err = { 0 };
    static const char text[] = TALLONE "5,206,1000,1024.0,5.24,1.07,12.97\n";
    is_int(0, import_text(&o, "bcast_core.csv", text, &r, &err), "a row: %s", err.text);
    const struct imported_row *row = r.job.rows.row;
    const struct point *p = &row->point;
    is_str("openmpi:binary_tree", p->candidate.algorithm, "Open MPI's number has its name");
    is_int(206, p->cell.procs, "processes");
    is_int(2, p->cell.nodes, "two nodes are filled one after the other");
    is_int(128, p->cell.ppn, "the first to the brim");
    is_int(1024, (long long)p->cell.bytes, "bytes");
    is_near(12.97e-6, row->max_s, 1e-12, "the slowest rank, in seconds");
    is_near(5.24e-6, row->mean_s, 1e-12, "the mean over ranks");
    is_near(1.07e-6, row->min_s, 1e-12, "the fastest");
    is_int(1000, (long long)row->iterations, "iterations");
    is_int(FOR_STUDY, p->purpose, "a candidate");
    import_result_clear(&r);
    static const char node[] = TALLONE "0,7,1000,1024,5.24,1.07,12.97\n";
    import_text(&o, "reduce_node.csv", node, &r, &err);
    p = &r.job.rows.row->point;
    is_str("reduce", p->cell.collective, "the file's name tells the collective");
    is_str("node", p->cell.mapping, "and the mapping");
    is_int(4, p->cell.ppn, "seven ranks on two nodes in turns: four on one");
    is_str("openmpi:default", p->candidate.algorithm, "number 0 is the default");
    is_int(FOR_DEFAULT, p->purpose, "for comparison");
    import_result_clear(&r);
}

/* One clean row and all its numbers, by hand: NAN and 0 where nothing is told. */
struct valued {
    const char *what, *format, *name, *text, *set;
    double max_us, mean_us, min_us, median_us, p95_us, p99_us;
    int procs, nodes, ppn; /* a ping-pong is of the first ranks of a full launch */
    long long bytes, iterations;
};

#define PICO                                                                                       \
    "system,timestamp,test_id,collective,algorithm,nnodes,ppn,mpi_lib,mpi_lib_version,"            \
    "gpu_awareness,notes,datatype,array_dim,buffer_bytes,n_iter,min_ns,p10_ns,median_ns,mean_ns,"  \
    "p90_ns,max_ns,n_kept,mean_kept_ns,median_kept_ns\n"

static const struct valued clean[] = {
    { "tallone", "tallone", "bcast_node.csv", TALLONE "1,9,1000,64,2.5,1.25,4.75\n", NULL, 4.75,
      2.5, 1.25, NAN, NAN, NAN, 9, 2, 5, 64, 1000 },
    { "a tallone table of a collective with _ in its name", "tallone", "reduce_scatter_core.csv",
      TALLONE "1,9,1000,64,2.5,1.25,4.75\n", NULL, 4.75, 2.5, 1.25, NAN, NAN, NAN, 9, 1, 9, 64,
      1000 },
    { "a tallone ping-pong", "tallone", "p2p.csv",
      "mapby,size,latency,iterations,p50,p95,p99,recv\nnode,256,1.75,1000,1.5,2.25,3.25,130\n",
      NULL, NAN, 1.75, NAN, 1.5, 2.25, 3.25, 2, 2, 128, 256, 1000 },
    { "OSU with percentiles", "osu", "osu.txt",
      OSU_TITLE "# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations  P50 Tail "
                "Lat(us)  P95 Tail Lat(us)  P99 Tail Lat(us)\n"
                "16 2.50 1.25 4.75 1000 2.25 2.75 3.25\n",
      NULL, 4.75, 2.5, 1.25, 2.25, 2.75, 3.25, 8, 1, 8, 16, 1000 },
    { "OSU in milliseconds", "osu", "osu.txt", OSU_TITLE "# Size  Avg Latency(ms)\n32 2.50\n",
      "nodes=2,ppn=4", NAN, 2500, NAN, NAN, NAN, NAN, 8, 2, 4, 32, 0 },
    { "IMB", "imb", "imb.txt",
      "# Benchmarking Bcast\n# #processes = 4\n" IMB_HEAD "  128  500  1.25  4.75  2.50\n", NULL,
      4.75, 2.5, 1.25, NAN, NAN, NAN, 4, 1, 4, 128, 500 },
    { "IMB's ping-pong", "imb", "imb.txt",
      "# Benchmarking PingPong\n# #processes = 2\n  #bytes #repetitions  t[usec]  Mbytes/sec\n"
      "  8  1000  0.75  13.1\n",
      NULL, NAN, 0.75, NAN, NAN, NAN, NAN, 2, 1, 2, 8, 1000 },
    { "PICO", "pico", "pico.csv",
      PICO "made-up,t,0,bcast,chain_ompi,2,3,OMPI,4.1,no,null,int32,16,64,20,1000,1500,2000,2600,"
           "4000,9000,16,2500.0,2250.0\n",
      NULL, 2.5, NAN, NAN, 2.25, NAN, NAN, 6, 2, 3, 64, 16 },
    { "a table in microseconds and MiB", "csv", "t.csv", "m,t,u\n2,2.5,4.75\n",
      "collective=bcast,map", 4.75, 2.5, NAN, NAN, NAN, NAN, 8, 1, 8, 2097152, 0 },
    { "OSU's reduce-scatter, whose size is that of all blocks", "osu", "osu.txt",
      "# OSU MPI Reduce_scatter Latency Test v7.3\n# Size  Avg Latency(us)\n64 2.50\n", NULL, NAN,
      2.5, NAN, NAN, NAN, NAN, 8, 1, 8, 8, 0 },
    { "Intel's", "imb", "imb.txt",
      "# Benchmarking Reduce_scatter\n# #processes = 4\n" IMB_HEAD "  128  500  1.25  4.75  2.50\n",
      NULL, 4.75, 2.5, 1.25, NAN, NAN, NAN, 4, 1, 4, 32, 500 },
    { "mapped by node", "osu", "osu.txt", OSU_TITLE "# Size  Avg Latency(us)\n8 2.50\n",
      "mapping=node", NAN, 2.5, NAN, NAN, NAN, NAN, 8, 2, 4, 8, 0 },
};

static void is_time(double want_us, double s, const char *what, const char *of)
{
    if (isnan(want_us))
        ok(isnan(s), "%s: no %s", what, of);
    else
        is_near(want_us * 1e-6, s, 1e-15, "%s: %s", what, of);
}

static void check_clean(const struct valued *v)
{
    struct import_options o = usual(v->format);
    struct import_result r;
    struct err err = { 0 };
    char set[64], map[] = "bytes=m:MiB,mean_s=t:us,max_s=u:us";
    if (v->set && strcmp(v->format, "csv") == 0) {
        map_parse(map, &o, &err);
        o.constants.text[ROLE_COLLECTIVE] = "bcast";
    } else if (v->set) {
        o.constants.text[ROLE_MAPPING] = NULL;
        snprintf(set, sizeof set, "%s%s", v->set, strstr(v->set, "mapping") ? "" : ",mapping=core");
        map_set(set, &o, &err);
    }
    if (strcmp(v->format, "pico") == 0)
        o.constants.text[ROLE_PROCS] = NULL; /* the table tells */
    if (import_text(&o, v->name, v->text, &r, &err) < 0) {
        ok(0, "%s: %s", v->what, err.text);
        return;
    }
    const struct imported_row *row = r.job.rows.row;
    is_int(1, (long long)r.taken, "%s: taken", v->what);
    if (r.taken == 1) {
        is_time(v->max_us, row->max_s, v->what, "max");
        is_time(v->mean_us, row->mean_s, v->what, "mean");
        is_time(v->min_us, row->min_s, v->what, "min");
        is_time(v->median_us, row->median_s, v->what, "median");
        is_time(v->p95_us, row->p95_s, v->what, "p95");
        is_time(v->p99_us, row->p99_s, v->what, "p99");
        is_int(v->procs, row->point.cell.procs, "%s: processes", v->what);
        is_int(v->nodes, row->point.cell.nodes, "%s: nodes", v->what);
        is_int(v->ppn, row->point.cell.ppn, "%s: ranks per node", v->what);
        is_int(v->bytes, (long long)row->point.cell.bytes, "%s: bytes", v->what);
        is_int(v->iterations, (long long)row->iterations, "%s: iterations", v->what);
    } else {
        import_print(stdout, &r);
    }
    import_result_clear(&r);
}

/* A root that is no rank; a digit of another script in UTF-16, which is no digit of ours. */
static void check_refused(void)
{
    struct import_options o = usual("osu");
    struct import_result r;
    struct err err = { 0 };
    static const char text[] = OSU_TITLE OSU_HEAD "1    2.50    1.00    4.00    1000\n";
    char set[] = "root=8", twice[] = "procs=9";
    map_set(set, &o, &err);
    import_text(&o, "osu.txt", text, &r, &err);
    is_int(1, (long long)r.set_aside, "root 8 of 8 processes");
    import_result_clear(&r);
    is_int(-1, map_set(twice, &o, &err), "--set tells a role twice");
    has_str("procs is given twice ('8' and '9')", err.text, "which is said");
    static const char wide[] =
        "\xff\xfe#\0 \0O\0S\0U\0 \0M\0P\0I\0 \0B\0r\0o\0a\0d\0c\0a\0s\0t\0 \0"
        "L\0a\0t\0e\0n\0c\0y\0 \0T\0e\0s\0t\0\n\0#\0 \0S\0i\0z\0e\0 \0 \0A\0v\0g\0 \0"
        "L\0a\0t\0e\0n\0c\0y\0(\0u\0s\0)\0\n\0"
        "1\x06 \0002\0.\0005\0\n";
    o.constants.text[ROLE_ROOT] = NULL;
    import_bytes(&o, "osu.txt", wide, sizeof wide, &r, &err);
    is_int(0, (long long)r.taken, "a digit of another script is none");
    is_int(1, (long long)r.set_aside, "and its row is set aside");
    import_result_clear(&r);
}

static void check_runs(void)
{
    struct import_options o = usual("tallone");
    struct import_result r;
    struct err err = { 0 };
    static const char text[] = TALLONE "1,8,1000,1,2.5,1.0,4.0\n1,8,1000,1,2.6,1.0,4.0\n"
                                       "1,8,1000,1,2.5,1.0,4.0\n1,8,1000,1,2.7,1.0,4.0\n"
                                       "1,8,1000,1,2.6,1.0,4.0\n";
    static const int runs[] = { 0, 1, 0, 2, 1 };
    import_text(&o, "bcast_core.csv", text, &r, &err);
    for (size_t i = 0; i < 5 && i < r.job.rows.n; i++)
        is_int(runs[i], r.job.rows.row[i].run, "row %zu: run", i);
    is_int(3, (long long)r.taken, "three runs");
    is_int(1, (long long)r.points, "of one point");
    has_str("the numbers of line 2", r.job.rows.row[2].reason, "what a row repeats is said");
    import_result_clear(&r);
}

/* Rows of two runs in their own files, told by the files' text. */
static void is_rows(const struct import_options *o, const char *const *files, long long taken,
                    long long repeated, const char *what)
{
    struct import_result r;
    struct err err = { 0 };
    if (import_files(o, NULL, files, &r, &err) < 0) {
        ok(0, "%s: %s", what, err.text);
        return;
    }
    is_int(taken, (long long)r.taken, "%s: taken", what);
    is_int(repeated, (long long)r.repeated, "%s: repeated", what);
    import_result_clear(&r);
}

/* Ten runs of a benchmark print equal times now and then; a file that was copied is equal
 * throughout. */
static void check_files(void)
{
    struct import_options o = usual("osu");
    static const char one[] = OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n2 2.60 1.00 4.00 1000\n";
    static const char other[] = OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n2 2.70 1.00 4.00 1000\n";
    static const char both[] =
        OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n2 2.60 1.00 4.00 1000\n" OSU_TITLE OSU_HEAD
                           "1 2.50 1.00 4.00 1000\n2 2.70 1.00 4.00 1000\n";
    static const char same[] =
        OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n2 2.60 1.00 4.00 1000\n" OSU_TITLE OSU_HEAD
                           "1 2.50 1.00 4.00 1000\n2 2.60 1.00 4.00 1000\n";
    static const char single[] = OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n";
    static const char *const runs[] = { "a.txt", one, "b.txt", other, NULL };
    static const char *const copies[] = { "a.txt", one, "b.txt", other, "c.txt", one, NULL };
    static const char *const blocks[] = { "a.txt", both, NULL };
    static const char *const again[] = { "a.txt", same, NULL };
    static const char *const singles[] = { "a.txt", single, "b.txt", single, NULL };
    is_rows(&o, runs, 4, 0, "equal rows of two files are two runs");
    is_rows(&o, copies, 4, 2, "a file that is there twice counts once");
    is_rows(&o, blocks, 4, 0, "two blocks of a file are two runs");
    is_rows(&o, again, 2, 2, "but equal throughout one");
    is_rows(&o, singles, 2, 0, "one row proves no copy");
}

/* --set nodes is a bound, and the mapping fills the nodes; a column of nodes says what was. */
static void check_bound(void)
{
    static const struct {
        const char *set;
        int nodes, ppn;
    } row[] = {
        { "nodes=2,mapping=core,procs=64", 1, 64 },
        { "nodes=2,mapping=socket,procs=64", 1, 64 },
        { "nodes=2,mapping=core,procs=200", 2, 128 },
        { "nodes=2,mapping=node,procs=64", 2, 32 },
        { "nodes=2,mapping=node,procs=1", 1, 1 },
        { "nodes=2,ppn=4,mapping=core,procs=8", 2, 4 },
        { "nodes=2,ppn=4,mapping=core,procs=4", 1, 4 },
        { "nodes=1,mapping=node,procs=64", 1, 64 },
    };
    static const char text[] = OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n";
    static const char *const osu[] = { "osu.txt", text, NULL };
    struct import_result r;
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct import_options o = { .format = import_format_find("osu") };
        char set[80];
        snprintf(set, sizeof set, "mpi=openmpi,algorithm=chain,%s", row[i].set);
        map_set(set, &o, &err);
        if (import_files(&o, NULL, osu, &r, &err) < 0) {
            ok(0, "%s: %s", row[i].set, err.text);
            continue;
        }
        is_int(row[i].nodes, r.job.rows.row[0].point.cell.nodes, "%s: nodes", row[i].set);
        is_int(row[i].ppn, r.job.rows.row[0].point.cell.ppn, "%s: ranks per node", row[i].set);
        import_result_clear(&r);
    }
    const struct import_options o =
        mapped("bytes=m,nodes=N,max_s=t:us",
               "collective=bcast,mpi=openmpi,algorithm=chain,mapping=core,procs=8");
    static const char *const table[] = { "t.csv", "m,N,t\n8,2,1.5\n", NULL };
    is_int(0, import_files(&o, NULL, table, &r, &err), "a column of nodes: %s", err.text);
    is_int(2, r.job.rows.row[0].point.cell.nodes, "is what was");
    is_int(4, r.job.rows.row[0].point.cell.ppn, "with as many ranks on each");
    import_result_clear(&r);
}

/* What a cluster file leaves out is not this machine's. */
static void check_cluster(void)
{
    static const char *const text[] = {
        "[cluster]\nname = x\nnodes = 2\nsockets = 2\n",
        "[cluster]\nname = x\nnodes = 2\ncores = 2\n",
        "[cluster]\nname = x\nsockets = 2\ncores = 2\n",
    };
    static const char *const missing[] = { "'cores'", "'sockets'", "'nodes'" };
    static const char *const osu[] = { "osu.txt", OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n",
                                       NULL };
    struct import_options o = usual("");
    struct import_result r;
    for (size_t i = 0; i < 3; i++) {
        struct err err = { 0 };
        is_int(-1, import_files(&o, text[i], osu, &r, &err), "a cluster file without %s",
               missing[i]);
        is_int(EXIT_USAGE, err.status, "is wrong usage");
        has_str(missing[i], err.text, "which is named");
    }
    struct err err = { 0 };
    is_int(
        0,
        import_files(&o, "[cluster]\nname = x\nnodes = 2\nsockets = 2\ncores = 8\n", osu, &r, &err),
        "one without threads and CPU will do: %s", err.text);
    is_str("unknown", r.cluster.cpu, "and the CPU is not this machine's");
    import_result_clear(&r);
}

/* Tables of different columns in one set. */
static void check_tables(void)
{
    const struct import_options o =
        mapped("bytes=size,procs=P,max_s=max:us,mean_s=t:us,algorithm=alg,channel=mapby",
               "collective=bcast,mpi=openmpi,mapping=core");
    struct import_result r;
    struct err err = { 0 };
    static const char *const files[] = {
        "a.csv",   "#P,size,alg,t,max\n8,1,chain,2.5,3.5\n", /* with a mark before the header */
        "b.csv",   "P,size,alg,t\n8,2,chain,2.25\n",         /* without one of the times */
        "p2p.csv", "mapby,size,t\ncache,1,0.25\nnode,1,1.25\n",
        NULL
    };
    if (import_files(&o, NULL, files, &r, &err) < 0) {
        ok(0, "tables of different columns: %s", err.text);
        return;
    }
    is_int(4, (long long)r.taken, "tables of different columns form one set");
    is_int(0, (long long)r.set_aside, "without a row set aside");
    const struct imported_row *row = r.job.rows.row;
    is_near(3.5e-6, row[0].max_s, 1e-12, "the first has the slowest rank");
    ok(isnan(row[1].max_s), "the second has not");
    is_int(EXP_PINGPONG, row[2].point.experiment, "channels without algorithms are ping-pongs");
    is_int(CHANNEL_CACHE, row[2].point.channel, "on the channel that they name");
    is_int(1, row[2].point.cell.nodes, "within a node");
    is_int(2, row[3].point.cell.nodes, "or between two");
    import_result_clear(&r);
    static const char *const bare[] = { "c.csv", "size,alg,t\n2,chain,2.25\n", NULL };
    is_int(-1, import_files(&o, NULL, bare, &r, &err), "what every row needs is asked for");
    has_str("'procs'", err.text, "by its name");
}

/* One line of PICO's own tables: collective, buffer, algorithm, nodes, ranks per node, GPU, date.
 */
static char *pico_line(char *buf, size_t size, const char *collective, int elements,
                       const char *algorithm, const char *nodes, const char *gpu, const char *when)
{
    snprintf(buf, size,
             "x,%s,0,%s,%s,%s,1,OMPI,4.1,%s,null,int32,%d,%d,20,1000,1500,2000,2600,"
             "4000,9000,16,2500.0,2250.0\n",
             when, collective, algorithm, nodes, gpu, elements, 4 * elements);
    return buf;
}

static void check_pico(void)
{
    static const char big[] = "[cluster]\nname = x\nnodes = 64\nsockets = 1\ncores = 8\n";
    static const struct {
        const char *collective, *algorithm, *nodes;
        int elements, procs;
        long long bytes; /* -1: set aside */
        const char *named;
    } row[] = {
        { "BCAST", "chain_ompi", "8", 64, 8, 256, "openmpi:chain" },
        { "ALLREDUCE", "ring_over", "8", 64, 8, 256, "pico:ring" },
        { "ALLGATHER", "ring_ompi", "8", 64, 8, 32, "openmpi:ring" },
        { "ALLTOALL", "bine_over", "8", 64, 8, 32, "pico:bine" },
        { "GATHER", "bine_over", "8", 65, 8, 32, "pico:bine" }, /* 65 / 8 elements are 8 */
        { "SCATTER", "bine_over", "8", 64, 8, 32, "pico:bine" },
        { "REDUCE_SCATTER", "default_ompi", "8", 64, 8, 32, "openmpi:default" },
        { "REDUCE_SCATTER", "default_ompi", "8", 4, 8, -1, "" },
        { "ALLGATHER", "default-default", "2x2x2", 64, 8, 32, "openmpi:default" },
        { "BCAST", "default-binomial", "4x4x4", 64, 64, 256, "openmpi:binomial" },
        { "BCAST", "default-binomial", "4x4y4", 64, 0, -1, "" },
    };
    struct import_result r;
    struct err err = { 0 };
    char line[400], text[1200];
    const char *const files[] = { "pico.csv", text, NULL };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct import_options o = { .format = import_format_find("pico") };
        snprintf(text, sizeof text, "%s%s", PICO,
                 pico_line(line, sizeof line, row[i].collective, row[i].elements, row[i].algorithm,
                           row[i].nodes, "no", "t"));
        if (import_files(&o, big, files, &r, &err) < 0) {
            ok(0, "%s: %s", row[i].collective, err.text);
            continue;
        }
        const struct imported_row *got = r.job.rows.row;
        is_int(row[i].bytes >= 0, (long long)r.taken, "%s of %s nodes", row[i].collective,
               row[i].nodes);
        if (row[i].bytes >= 0) {
            is_int(row[i].bytes, (long long)got->point.cell.bytes, "%s: bytes of one rank",
                   row[i].collective);
            is_int(row[i].procs, got->point.cell.procs, "%s: processes", row[i].collective);
            is_str(row[i].named, got->point.candidate.algorithm, "%s: algorithm",
                   row[i].collective);
        }
        import_result_clear(&r);
    }
}

/* Rows of one point on two dates, and from two kinds of memory. */
static void check_conditions(void)
{
    static const struct {
        const char *gpu[2], *when[2], *where[3];
        long long taken; /* -1: refused */
        const char *says;
    } row[] = {
        { { "no", "no" }, { "d1", "d2" }, { NULL }, -1, "'d1' (1 row), 'd2' (1 row)" },
        { { "no", "no" }, { "d1", "d2" }, { "timestamp=d2" }, 1, NULL },
        { { "no", "no" }, { "d1", "d2" }, { "timestamp=d1", "timestamp=d2" }, 2, NULL },
        { { "no", "no" }, { "d1", "d2" }, { "timestamp=*" }, 2, NULL },
        { { "no", "yes" }, { "d1", "d1" }, { NULL }, -1, "--where: want gpu_awareness=VALUE" },
        { { "no", "yes" },
          { "d1", "d2" },
          { "timestamp=*" },
          -1,
          "several values of 'gpu_awareness'" },
        { { "no", "yes" }, { "d1", "d2" }, { "timestamp=*", "gpu_awareness=yes" }, 1, NULL },
        { { "no", "no" },
          { "d1", "d1" },
          { "weather=fine" },
          -1,
          "pico.csv:1: the table has no column 'weather'" },
    };
    struct import_result r;
    char one[400], two[400], text[1600], where[2][40];
    const char *const files[] = { "pico.csv", text, NULL };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct import_options o = { .format = import_format_find("pico") };
        struct err err = { 0 };
        for (size_t k = 0; row[i].where[k]; k++) {
            snprintf(where[k], sizeof *where, "%s", row[i].where[k]);
            map_where(where[k], &o, &err);
        }
        pico_line(one, sizeof one, "bcast", 64, "a", "2", row[i].gpu[0], row[i].when[0]);
        pico_line(two, sizeof two, "bcast", 64, "a", "2", row[i].gpu[1], row[i].when[1]);
        snprintf(text, sizeof text, "%s%s%s", PICO, one, two);
        const int status = import_files(&o, NULL, files, &r, &err);
        if (row[i].taken < 0) {
            ok(status < 0 && err.status == EXIT_USAGE, "case %zu is refused", i);
            has_str(row[i].says, err.text, "and it is said what to choose from");
        } else if (ok(status == 0, "case %zu: %s", i, err.text)) {
            is_int(row[i].taken, (long long)r.taken, "rows that are wanted");
        }
        if (status == 0)
            import_result_clear(&r);
    }
}

static void check_map(void)
{
    const struct import_options o =
        mapped("bytes=Size:KiB,procs=P,max_s=t max:ms,algorithm=Alg,mapping=core",
               "collective=bcast,mpi=openmpi");
    struct import_result r;
    struct err err = { 0 };
    static const char text[] = "Alg\tP\tt max\tSize\n\"BasicLinear\"\t4\t1.5\t2\n"
                               "BasicLinear\t4\t#\tOSU\nbinary-tree\t4\t1.25\t2\n";
    is_int(0, import_text(&o, "any.csv", text, &r, &err), "tab-separated: %s", err.text);
    is_int(2, (long long)r.taken, "two rows");
    is_near(1.5e-3, r.job.rows.row[0].max_s, 1e-12, "milliseconds are seconds");
    is_int(2048, (long long)r.job.rows.row[0].point.cell.bytes, "KiB are bytes");
    is_str("openmpi:basic_linear", r.job.rows.row[0].point.candidate.algorithm, "a spelling");
    is_str("openmpi:binary_tree", r.job.rows.row[2].point.candidate.algorithm, "another");
    ok(isnan(r.job.rows.row[0].mean_s), "what is not told is not there");
    import_result_clear(&r);
}

/* A column that counts is there twice: no row below is taken, whichever was meant. */
static void check_doubled(void)
{
    const struct import_options o = mapped("bytes=m,procs=P,max_s=us:us,algorithm=a",
                                           "collective=bcast,mpi=openmpi,mapping=core");
    struct import_result r;
    struct err err = { 0 };
    static const char text[] = "a,P,m,us,us\nchain,4,8,1.5,2.5\na,P,m,us,x,x\nchain,4,8,3,1,2\n";
    is_int(0, import_text(&o, "any.csv", text, &r, &err), "a header twice: %s", err.text);
    is_int(1, (long long)r.taken,
           "of a header with a column twice no row is taken, of the next one");
    is_near(3e-6, r.job.rows.row[r.job.rows.n - 1].max_s, 1e-15,
            "though, columns may be doubled "
            "that do not count");
    has_str("the header has the column 'us' twice", r.job.rows.row[0].reason, "and which is said");
    is_int(1, (long long)r.job.rows.row[0].line, "with its line");
    import_result_clear(&r);
}

static void check_usage(void)
{
    static const char *const bad[] = { "max_s=max",       "max_s=max:parsecs",
                                       "height=x",        "bytes",
                                       "bytes=size:ell",  "mean_s=a:us,mean_s=b:us",
                                       "bytes=x,bytes=y", "mapping=core,mapping=where" };
    struct import_result r;
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct import_options o = { .n_map = 0 };
        char text[64];
        snprintf(text, sizeof text, "%s", bad[i]);
        ok(map_parse(text, &o, &err) < 0 && err.status == EXIT_USAGE, "--map %s: %s", bad[i],
           err.text);
    }
    struct import_options o = usual("");
    static const char text[] = OSU_TITLE OSU_HEAD "1 2.50 1.00 4.00 1000\n";
    o.constants.text[ROLE_PROCS] = NULL;
    is_int(-1, import_text(&o, "x.txt", text, &r, &err), "nobody tells processes");
    is_int(EXIT_USAGE, err.status, "which is wrong usage");
    has_str("'procs'", err.text, "and named");
    o.format = import_format_find("csv");
    is_int(-1, import_text(&o, "x.csv", text, &r, &err), "csv without a map");
    is_int(EXIT_USAGE, err.status, "is wrong usage");
    o = usual("");
    is_int(-1, import_text(&o, "x.txt", "hello\n", &r, &err), "a file that no format knows");
}

static void check_pattern(void)
{
    struct source_row told = { .text = { NULL } };
    struct err err = { 0 };
    char *words = NULL;
    is_int(0,
           pattern_match("osu-{collective}-{algorithm}.txt", "a/b/osu-broadcast-binary-tree.txt",
                         &told, &words, &err),
           "a name fits: %s", err.text);
    is_str("broadcast", told.text[ROLE_COLLECTIVE], "the first takes as little as it can");
    is_str("binary-tree", told.text[ROLE_ALGORITHM], "the last what is left");
    free(words);
    words = NULL;
    told = (struct source_row){ .text = { NULL } };
    is_int(0, pattern_match("{mapping}/{*}_{procs}.txt", "x/core/run_64.txt", &told, &words, &err),
           "directories count, too");
    is_str("core", told.text[ROLE_MAPPING], "a directory tells");
    is_str("64", told.text[ROLE_PROCS], "and the name");
    free(words);
    words = NULL;
    char long_name[201], many[80] = "";
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    for (int i = 0; i < 12; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "{*}a");
    snprintf(many + strlen(many), sizeof many - strlen(many), "{procs}b");
    is_int(-1, pattern_match(many, long_name, &told, &words, &err),
           "many braces end in time that is not exponential");
    is_int(-1, pattern_match("{procs}.txt", "a.csv", &told, &words, &err), "a name that does not");
    is_int(-1, path_pattern_check("plain", &err), "a pattern tells something");
    is_int(-1, path_pattern_check("{speed}", &err), "that there is");
    is_int(-1, path_pattern_check("{procs", &err), "and ends");
}

static void check_names(void)
{
    char buf[NAME_SIZE];
    is_str("bcast", name_collective("Broadcast"), "Broadcast");
    is_str("reduce_scatter", name_collective("REDUCE_SCATTER"), "REDUCE_SCATTER");
    for (const struct collective *c = collectives; c->name; c++) {
        char call[64], fortran[64];
        snprintf(call, sizeof call, "P%s", c->call);
        snprintf(fortran, sizeof fortran, "mpi_%s_", c->name);
        is_str(c->name, name_collective(c->call), "%s", c->call);
        is_str(c->name, name_collective(c->call + 4), "%s", c->call + 4);
        is_str(c->name, name_collective(call), "%s", call);
        is_str(c->name, name_collective(fortran), "%s", fortran);
    }
    static const char *const spelt[][2] = {
        { "ReduceScatterBlock", "reduce_scatter_block" },
        { "reduce-scatter", "reduce_scatter" },
        { "ALL_TO_ALL", "alltoall" },
        { "AllGatherV", "allgatherv" },
        { "mpi bcast", "bcast" },
        { "All-to-All Personalized Exchange", "alltoall" },
        { "AllReduce", "allreduce" },
    };
    for (size_t i = 0; i < sizeof spelt / sizeof *spelt; i++)
        is_str(spelt[i][1], name_collective(spelt[i][0]), "%s", spelt[i][0]);
    static const char *const none[] = {
        "dance", "", "MPI_", "MPI_Ibcast", "Bcast_init", "MPI_Send"
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        is_str(NULL, name_collective(none[i]), "no collective: '%s'", none[i]);
    name_library("OMPI", buf, sizeof buf);
    is_str("openmpi", buf, "OMPI");
    name_library("Open MPI", buf, sizeof buf);
    is_str("openmpi", buf, "Open MPI");
    name_library("CRAY_MPICH", buf, sizeof buf);
    is_str("cray_mpich", buf, "CRAY_MPICH");
    static const char *const spelled[][2] = {
        { "binomial-tree", "openmpi:binomial" },
        { "Default", "openmpi:default" },
        { "ignore", "openmpi:default" },
        { "split_binary", "openmpi:split_binary_tree" },
        { "linear", "openmpi:basic_linear" },
        { "portable:chain", "portable:chain" },
        { "3", "openmpi:pipeline" },
        { "3.0", "openmpi:pipeline" },
    };
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
        name_algorithm("bcast", "openmpi", "", spelled[i][0], buf, sizeof buf);
        is_str(spelled[i][1], buf, "bcast %s", spelled[i][0]);
    }
    name_algorithm("reduce", "openmpi", "", "in-order_binary", buf, sizeof buf);
    is_str("openmpi:in-order_binary", buf, "a name with a dash");
    name_algorithm("reduce_scatter", "openmpi", "", "Non-Overlapping", buf, sizeof buf);
    is_str("openmpi:non-overlapping", buf, "in other letters");
    is_int(-1, name_algorithm("bcast", "mpich", "", "3", buf, sizeof buf),
           "numbers are Open MPI's alone");
    is_int(-1, name_algorithm("bcast", "openmpi", "", "a/b", buf, sizeof buf), "a name is a word");
}

/* The numbers of Open MPI's algorithms, of every collective that has any, by release. */
static void check_numbers(void)
{
    static const struct {
        const char *collective, *version, *number, *name; /* NULL: no such number */
    } numbers[] = {
        { "bcast", "4.1.5", "9", "openmpi:scatter_allgather_ring" },
        { "bcast", "4.1.5", "10", NULL },
        { "reduce", "4.1.5", "7", "openmpi:rabenseifner" },
        { "reduce", "4.1.5", "8", NULL },
        { "reduce", "6.0.0", "8", "openmpi:knomial" },
        { "allreduce", "4.1.5", "5", "openmpi:segmented_ring" },
        { "allreduce", "5.0.9", "7", NULL },
        { "allreduce", "6.0.0", "7", "openmpi:allgather_reduce" },
        { "allgather", "4.1.5", "2", "openmpi:bruck" },
        { "allgather", "6.0.0", "2", "openmpi:bruck-k-fanout" },
        { "allgather", "", "2", "openmpi:bruck" },
        { "allgather", "4.1.5", "7", NULL },
        { "allgather", "5.0.9", "7", "openmpi:sparbit" },
        { "allgather", "unknown", "7", "openmpi:sparbit" },
        { "allgatherv", "4.1.5", "1", "openmpi:gatherv_bcast" },
        { "allgatherv", "5.0.9", "6", "openmpi:sparbit" },
        { "alltoall", "4.1.5", "4", "openmpi:linear_sync" },
        { "alltoall", "4.1.5", "0", "openmpi:default" },
        { "alltoallv", "4.1.5", "2", "openmpi:pairwise" },
        { "gather", "4.1.5", "2", "openmpi:binomial" },
        { "scatter", "4.1.5", "3", "openmpi:linear_nb" },
        { "reduce_scatter", "4.1.5", "4", "openmpi:butterfly" },
        { "reduce_scatter_block", "4.1.5", "2", "openmpi:recursive_doubling" },
        { "barrier", "4.1.5", "6", "openmpi:tree" },
        { "barrier", "4.1.5", "7", NULL },
        { "scan", "4.1.5", "2", "openmpi:recursive_doubling" },
        { "exscan", "4.1.5", "1", "openmpi:linear" },
        { "gatherv", "4.1.5", "1", NULL },
        { "bcast", "4.1.5", "-1", NULL },
        { "bcast", "4.1.5", "2.5", NULL },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char buf[NAME_SIZE] = "";
        const int status = name_algorithm(numbers[i].collective, "openmpi", numbers[i].version,
                                          numbers[i].number, buf, sizeof buf);
        is_str(numbers[i].name, status == 0 ? buf : NULL, "%s of Open MPI %s's %s",
               numbers[i].number, numbers[i].version, numbers[i].collective);
    }
}

static void check_large(void)
{
    char *text = NULL;
    size_t len = 0;
    struct import_options o = usual("tallone");
    struct import_result r;
    struct err err = { 0 };
    FILE *f = open_memstream(&text, &len);
    fputs(TALLONE, f);
    for (int i = 0; i < 70000; i++)
        fprintf(f, "1,%d,1000,%d,%d.25,1.0,90000.5\n", 2 + i % 250, 1 << i % 17, 2 + i % 35000);
    fclose(f);
    is_int(0, import_text(&o, "bcast_core.csv", text, &r, &err), "70,000 rows");
    is_int(70000, (long long)(r.taken + r.repeated), "all of them");
    import_result_clear(&r);
    free(text);
}

int main(void)
{
    char command[128];
    snprintf(dir, sizeof dir, "/tmp/collsel-import.%ld", (long)getpid());
    mkdir(dir, 0700);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_damaged(&cases[i]);
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
        check_clean(&clean[i]);
    check_point();
    check_refused();
    check_runs();
    check_files();
    check_bound();
    check_cluster();
    check_tables();
    check_pico();
    check_conditions();
    check_map();
    check_doubled();
    check_usage();
    check_pattern();
    check_names();
    check_numbers();
    check_large();
    static const char *const made[] = { "results/made-up/d/imported.csv",
                                        "results/made-up/d/manifest.json",
                                        "results/made-up/d",
                                        "results/made-up",
                                        "results",
                                        "made-up.ini",
                                        "" };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(command, sizeof command, "%s/%s", dir, made[i]);
        remove(command);
    }
    return tap_done();
}
