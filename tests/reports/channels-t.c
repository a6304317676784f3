/* SPDX-License-Identifier: BSD-3-Clause */
/* The section of the channels, of planted lines and thresholds. */
#include "reports/report.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-report-XXXXXX";

static void write_channels(const struct fixture *f)
{
    FILE *out = fixture_open(f, "fit/channels.csv");
    fputs("mpi,channel,alpha_s,beta_s_per_byte,alpha_stderr,beta_stderr,r2,median_error,"
          "worst_error,robust_alpha_s,robust_beta_s_per_byte,robust_median,robust_worst,n,"
          "most_procs,rendezvous_bytes,reduce_rendezvous_bytes,status\n"
          "smpi,core,1e-6,1e-9,0,0,1,0.01,0.02,1e-6,1e-9,0.01,0.02,11,61,16384,65536,ok\n"
          "smpi,node,2e-6,2e-9,0,0,1,0.01,0.02,2e-6,2e-9,0.01,0.02,11,257,2048,,ok\n",
          out);
    fclose(out);
}

static char *read_below(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/report/%s", f->dir, name);
    return fs_read(path, NULL, NULL);
}

int main(void)
{
    struct err err = { .text = "" };
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    struct fixture f = { .backend = "sim", .cluster = "planted", .n_mpi = 1, .mpi = { "smpi" } };
    snprintf(f.dir, sizeof f.dir, "%s/planted", base);
    fixture_write(&f);
    write_channels(&f);
    FILE *out = fixture_open(&f, "fit/channel_gamma.csv");
    fputs("mpi,channel,procs,bytes,gamma,gamma_slowest,measured_gamma\n"
          "smpi,core,2,1024,1,1,0.6\nsmpi,core,4,1024,2,2,1.9\n"
          "smpi,node,2,1024,1,1,1\nsmpi,node,64,1024,9,9,9\n",
          out);
    fclose(out);
    struct report_request request = { .dir = f.dir, .assets = "reports" };
    struct report_result result;
    is_int(0, report_write(&request, &result, &err), "a report: %s", err.text);

    char *csv = read_below(&f, "tables/channels.csv");
    has_str(",most_procs,rendezvous_bytes,reduce_rendezvous_bytes,n,", csv,
            "both thresholds are columns");
    has_str(",61,16384,65536,11,ok", csv, "of channel core both are there, in bytes");
    has_str(",257,2048,,11,ok", csv, "a fan-in's that was not seen is empty");
    free(csv);
    char *md = read_below(&f, "tables/channels.md");
    has_str("| 61 | 16\u00a0KiB | 64\u00a0KiB | 11 |", md, "for readers in KiB");
    has_str("| 257 | 2\u00a0KiB | – | 11 |", md, "and as a dash");
    free(md);
    char *gp = read_below(&f, "figures/channels-gamma.gp");
    const char *at = gp ? strstr(gp, "set title \"core\"") : NULL;
    while (at && at > gp && strncmp(at, "set xtics", 9) != 0)
        at--;
    ok(at && strncmp(at, "set xtics 1\n", 12) == 0, "few processes: no ticks at halves");
    at = gp ? strstr(gp, "set title \"node\"") : NULL;
    while (at && at > gp && strncmp(at, "set xtics", 9) != 0)
        at--;
    ok(at && strncmp(at, "set xtics autofreq\n", 19) == 0, "many: ticks as they fit");
    free(gp);
    fixture_clear(base);
    return tap_done();
}
