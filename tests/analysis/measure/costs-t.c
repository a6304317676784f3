/* SPDX-License-Identifier: BSD-3-Clause */
/* What attempts took: from events in any state of a launch, with the points that the store knows.
 */
#include "analysis/measure/costs.h"

#include <math.h>
#include <string.h>

#include "analysis/measure/result_file.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "tests/analysis/dir.h"
#include "tests/tap.h"

#define FOUR  "openmpi-core-4x1-p4-r1"
#define TWO   "openmpi-core-2x1-p2-r1"
#define EIGHT "openmpi-core-8x2-p16-r1"

static const char header[] = "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n";
static const char outcome_header[] =
    "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,n_rows,n,converged,"
    "checked,elapsed_s,core_s\n";

static void write_text(const char *dir, const char *name, const char *text)
{
    char path[PATH_SIZE];
    struct err err;
    if (fs_path(path, sizeof path, &err, "%s/%s", dir, name) < 0 || fs_write(path, text, &err) < 0)
        diag("%s", err.text);
}

/* An attempt's samples: n points of `seconds` each; ids from `first`. */
static void write_attempt(const char *dir, const char *launch, int attempt, int first, int n,
                          double seconds)
{
    char name[256], text[4096], outcomes[4096];
    int at = snprintf(text, sizeof text, "%s", header);
    int to = snprintf(outcomes, sizeof outcomes, "%s", outcome_header);
    for (int i = 0; i < n; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%016x,0,1e-3,1e-3,1e-3,1e-3,0,0,1\n",
                       (unsigned)(first + i));
        to += snprintf(outcomes + to, sizeof outcomes - (size_t)to,
                       "%016x,ok,,executed,,,,1,1,,1,%g,%g\n", (unsigned)(first + i), seconds,
                       seconds * 4);
    }
    snprintf(name, sizeof name, "samples/%s.a%d-0123abcd.csv", launch, attempt);
    write_text(dir, name, text);
    snprintf(name, sizeof name, "samples/%s.a%d-0123abcd.outcomes.csv", launch, attempt);
    write_text(dir, name, outcomes);
}

static void write_study(const char *dir)
{
    write_text(
        dir, "events.jsonl",
        "{\"t\":\"2026-01-01T00:00:00Z\",\"launch\":\"" FOUR
        "\",\"event\":\"submitted\",\"job\":\"7_1\",\"points\":5}\n"
        "{\"t\":\"2026-01-01T00:00:01Z\",\"launch\":\"" EIGHT
        "\",\"event\":\"cancelled\",\"job\":\"7_2\",\"reason\":\"scancel\"}\n"
        "{\"t\":\"2026-01-01T00:01:00Z\",\"launch\":\"" FOUR
        "\",\"attempt\":1,\"event\":\"started\",\"job\":\"7_1\",\"digest\":\"0123abcd\"}\n"
        "{\"t\":\"2026-01-01T00:02:00Z\",\"launch\":\"" FOUR
        "\",\"event\":\"node_failed\",\"job\":\"7_1\",\"node\":\"n3\",\"elapsed_s\":60,"
        "\"cores\":8,\"reason\":\"n3 went down\"}\n"
        "{\"t\":\"2026-01-01T00:03:00Z\",\"launch\":\"" FOUR
        "\",\"attempt\":2,\"event\":\"started\",\"digest\":\"0123abcd\"}\n"
        "{\"t\":\"2026-01-01T00:04:00Z\",\"launch\":\"" FOUR
        "\",\"attempt\":2,\"event\":\"done\",\"elapsed_s\":10,\"points\":3,\"digest\":\"0123abcd\"}"
        "\n"
        "{\"t\":\"2026-01-01T00:04:30Z\",\"launch\":\"" FOUR
        "\",\"attempt\":2,\"event\":\"timeout\",\"elapsed_s\":99,\"digest\":\"0123abcd\"}\n"
        "{\"t\":\"2026-01-01T00:04:40Z\",\"launch\":\"" TWO
        "\",\"attempt\":1,\"event\":\"started\",\"digest\":\"0123abcd\"}\n"
        "{\"t\":\"2026-01-01T00:04:50Z\",\"launch\":\"" TWO
        "\",\"attempt\":1,\"event\":\"interrupted\",\"reason\":\"killed\"}\n"
        "{\"t\":\"2026-01-01T00:04:50Z\",\"launch\":\"" TWO
        "\",\"attempt\":1,\"event\":\"interrupted\",\"elapsed_s\":10,\"reason\":\"killed\"}\n"
        "{\"t\":\"2026-01-01T00:04:51Z\",\"launch\":\"" TWO
        "\",\"attempt\":1,\"event\":\"timeout\",\"reason\":\"time limit\"}\n"
        "{\"t\":\"2026-01-01T00:05:00Z\",\"launch\":\"" EIGHT
        "\",\"attempt\":1,\"event\":\"started\",\"cores\":32,\"digest\":\"0123abcd\"}\n"
        "{\"t\":\"2026-01-01T00:06:00Z\",\"launch\":\"" EIGHT
        "\",\"attempt\":1,\"event\":\"started\",\"digest\":\"ffffffff\"}\n"
        "not JSON\n"
        "{\"t\":\"2026-01-01T00:07:00Z\",\"launch\":\"\",\"event\":\"excluded\",\"node\":\"n3\"}"
        "\n");
    write_attempt(dir, FOUR, 1, 1, 2, 0.5);
    write_attempt(dir, FOUR, 2, 11, 3, 2);
    write_attempt(dir, EIGHT, 1, 21, 4, 0.25);
}

static void check_rows(const struct costs *c)
{
    if (!is_int(5, (long long)c->n, "one row per attempt, and one for what ended in the queue"))
        return;
    const struct attempt_cost *a = c->row;
    is_str("cancelled", a->outcome, "cancelled before it began");
    is_int(0, a->attempt, "that is no attempt");
    is_near(0, a->core_s, 0, "and took nothing");
    a++;
    is_str("node_failed", a->outcome, "what Slurm says without an attempt closes the open one");
    is_str("n3 went down", a->reason, "with its reason");
    is_str("7_1", a->job, "and keeps the job");
    is_near(480, a->core_s, 1e-9, "60 s of the eight cores allocated");
    is_near(1, a->points_s, 1e-12, "of which two finished points took one second");
    a++;
    is_str("done", a->outcome, "the second attempt is done, whatever is said of it afterwards");
    is_near(40, a->core_s, 1e-9, "without `cores` those of its ranks count");
    is_int(3, (long long)a->points, "three points");
    is_near(6, a->points_s, 1e-12, "of two seconds each");
    a++;
    is_str("timeout", a->outcome, "Slurm's word says why an attempt was interrupted");
    is_str("time limit", a->reason, "with its reason");
    is_near(20, a->core_s, 1e-9, "and changes nothing of what it took, which is told once");
    a++;
    is_str("no_end", a->outcome, "an attempt without an end says so");
    ok(isnan(a->elapsed_s), "its time is not known");
    is_int(4, (long long)a->points, "its finished points are");
    is_near(32, a->core_s, 1e-9, "and count, in all cores that it holds");
}

static void check_file(const char *dir)
{
    static const char *const columns[] = { "launch", "attempt", "elapsed_s", "points_s", NULL };
    char path[PATH_SIZE];
    struct err err;
    double value;
    fs_path(path, sizeof path, &err, "%s/costs.csv", dir);
    struct csv *csv = csv_open(path, columns, &err);
    ok(csv && csv_next(csv, &err) == 1, "costs.csv can be read");
    is_str("", csv_text(csv, csv_column(csv, "attempt")), "no attempt: an empty field");
    while (csv_next(csv, &err) == 1)
        continue;
    csv_close(csv);
    csv = csv_open(path, columns, &err);
    for (int i = 0; i < 5; i++)
        csv_next(csv, &err);
    ok(csv_f64(csv, csv_column(csv, "elapsed_s"), &value, &err) == 0 && isnan(value),
       "a time that is not known: empty too");
    csv_close(csv);
}

static int build(const char *dir, const struct facts *facts, struct costs *costs, struct err *err)
{
    struct store store;
    if (store_open(dir, *facts->digest ? facts->digest : NULL, &store, err) < 0)
        return -1;
    const int status = costs_build(dir, facts, &store, costs, err);
    store_free(&store);
    return status;
}

static void measured(void)
{
    char dir[256];
    struct costs costs;
    struct err err = { 0 };
    struct facts facts = { .digest = "0123abcd", .backend = "emulated" };
    if (!dir_make(dir, sizeof dir))
        return;
    write_study(dir);
    if (is_int(0, build(dir, &facts, &costs, &err), "the costs of a study with mishaps"))
        check_rows(&costs);
    is_int(0, result_write(dir, &cost_schema, facts.backend, costs.row, costs.n, &err),
           "are written");
    check_file(dir);
    costs_clear(&costs);
    facts.simulated = 1;
    is_int(0, build(dir, &facts, &costs, &err), "the same, were it a simulation");
    is_int(1, costs.row[2].cores, "one core computes all ranks");
    ok(isnan(costs.row[2].points_s), "whose clock is not the attempt's");
    is_near(10, costs.row[2].core_s, 1e-9, "so that ten seconds are ten core-seconds");
    costs_clear(&costs);
    dir_remove(dir);
}

static void nothing(void)
{
    char dir[256];
    struct costs costs;
    struct err err = { 0 };
    struct facts facts = { .digest = "" };
    if (!dir_make(dir, sizeof dir))
        return;
    is_int(0, build(dir, &facts, &costs, &err), "a study in which nothing happened");
    is_int(0, (long long)costs.n, "cost nothing");
    costs_clear(&costs);
    dir_remove(dir);
}

int main(void)
{
    measured();
    nothing();
    return tap_done();
}
