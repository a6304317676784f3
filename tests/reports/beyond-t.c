/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page says of portable schedules against the best of the library, and of what each
 * candidate wants. */
#include <stdlib.h>
#include <string.h>

#include "reports/report.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-beyond-XXXXXX";

static char *read_below(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    return fs_read(path, NULL, NULL);
}

static struct fixture fixture_of(const char *name, const char *backend, int native)
{
    struct fixture f = { .backend = backend,
                         .cluster = "gros",
                         .n_mpi = 1,
                         .mpi = { strcmp(backend, "sim") == 0 ? "smpi" : "openmpi" },
                         .native = native };
    snprintf(f.dir, sizeof f.dir, "%s/%s", base, name);
    fixture_write(&f);
    return f;
}

static void add_time(FILE *out, const struct fixture *f, const char *algorithm, int procs,
                     uint64_t bytes, double s)
{
    struct point p = fixture_make(f->mpi[0], procs, bytes, algorithm);
    fixture_point(out, f, &p, s, "ok", "");
}

static void write_it(const struct fixture *f, const char *what)
{
    const struct report_request request = { .dir = f->dir, .assets = "reports" };
    struct report_result result;
    struct err err = { 0 };
    if (!is_int(0, report_write(&request, &result, &err), "the page of %s is written", what))
        diag("%s", err.text);
}

/* Of Open MPI's trees the faster one takes 60.48, 120 and 142 us; a Bine tree half of the second.
 */
static void test_simulated(void)
{
    struct fixture f = fixture_of("sim", "sim", 0);
    FILE *out = fixture_append(&f, "points.csv");
    add_time(out, &f, "portable:bine", 8, 1024, 60.48e-6);
    add_time(out, &f, "portable:bine", 8, 8192, 70.96e-6);
    add_time(out, &f, "portable:mpich_binomial", 8, 65536, 1e-6);
    fclose(out);
    write_it(&f, "a simulation");
    char *csv = read_below(&f, "report/tables/beyond.csv");
    has_str("8,1024,portable:binomial,6.048e-05,portable:bine,6.048e-05,0,tied,0", csv,
            "as fast as the library's best is tied");
    has_str("8,8192,portable:binary_tree,0.00014192,portable:bine,7.096e-05,100,faster,0", csv,
            "half of the time is a gain of 100 %%, as everywhere");
    ok(!strstr(csv, "65536"), "a schedule of MPICH's is a library's, too");
    free(csv);
    char *html = fixture_pages(&f);
    has_str("In 1 of 2 cells the best portable schedule is significantly faster", html,
            "one sentence counts");
    has_str("2.00 times at most (P = 8, 8\u00a0KiB); in 1 the two are tied", html,
            "... and says where it gains most");
    free(html);
    char *md = read_below(&f, "report/tables/beyond.md");
    has_str("gain", md, "the table shows it to people, too");
    free(md);
    fixture_clear(f.dir);
}

/* Of a real library the same schedule by our executor is the rival; the default is the library's.
 */
static void test_real(void)
{
    struct fixture f = fixture_of("real", "local", 1);
    FILE *out = fixture_append(&f, "points.csv");
    add_time(out, &f, "openmpi:han", 8, 65536, 1e-3);
    add_time(out, &f, "openmpi:default", 4, 1 << 20, 1e-3);
    add_time(out, &f, "portable:binomial", 4, 1 << 20, 2e-3);
    fclose(out);
    write_it(&f, "a real library");
    char *csv = read_below(&f, "report/tables/beyond.csv");
    has_str("4,1048576,openmpi:default,0.001,portable:binomial,0.002,-50,one launch", csv,
            "the default is the library's; a single launch does not tell");
    has_str("2,1024,openmpi:binomial,6.048e-05,portable:binomial,6.048e-05,0,", csv,
            "all cells are there");
    free(csv);
    fixture_clear(f.dir);
}

int main(void)
{
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    test_simulated();
    test_real();
    fixture_clear(base);
    return tap_done();
}
