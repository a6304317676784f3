/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/star_real.h"

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_file.h"
#include "harness/base/memory.h"
#include "harness/base/subprocess.h"
#include "harness/run/application_command.h"
#include "harness/run/backends/backend.h"
#include "harness/run/user_launch.h"
#include "workloads/libcollsel/settings.h"

enum { OUTPUT_SIZE = 1 << 16 };

/* ---- emulated nodes ---- */

/* The launcher reads them; its own words, and what is set already, come first. NULL: the interface
 * of the emulated network. */
static const struct {
    const char *mpi, *name, *value;
} emulated[] = {
    { "openmpi", "OMPI_MCA_pml", "ob1" },
    { "openmpi", "OMPI_MCA_btl", "tcp,self" },
    { "openmpi", "OMPI_MCA_btl_tcp_if_include", NULL },
    { "openmpi", "OMPI_MCA_oob_tcp_if_include", NULL },
    { "openmpi", "OMPI_MCA_mpi_yield_when_idle", "1" }, /* without which nap.so does nothing */
    { "mpich", "UCX_TLS", "tcp,self" },
    { "mpich", "UCX_NET_DEVICES", NULL },
};

static const char preload[] = "LD_PRELOAD=", nap[] = "nap.so";

/* The word of the launcher that preloads something; NULL: there is none. */
static const char *preloading_word(const struct star_real *real)
{
    char *const *word = real->launcher;
    while (*word && !strstr(*word, preload))
        word++;
    return *word;
}

static int prepare_emulated(const struct star_real *real, struct err *err)
{
    char path[PATH_SIZE];
    const char *word = preloading_word(real);
    if (word && !strstr(word, nap))
        return err_set(err, "'%s': ranks on emulated nodes want %s/%s there, too", word,
                       real->programs, nap);
    if (fs_path(path, sizeof path, err, "%s/%s", real->programs, nap) < 0)
        return -1;
    if (!word && !fs_exists(path))
        return err_set(err, "'%s' was not built, without which ranks on emulated nodes spin", path);
    for (size_t i = 0; i < sizeof emulated / sizeof *emulated; i++) {
        const char *value = emulated[i].value ? emulated[i].value : real->cluster->interface;
        if (strcmp(emulated[i].mpi, real->mpi) == 0 && *value)
            setenv(emulated[i].name, value, 0);
    }
    return 0;
}

int star_real_prepare(const struct star_real *real, struct err *err)
{
    const struct user_launch words = { .mpi = real->mpi,
                                       .word = real->launcher,
                                       .here = backend_is_here(real->cluster) };
    struct argv lines = { 0 };
    if (real->cluster->emulated && prepare_emulated(real, err) < 0)
        return -1;
    const int status = user_launch_check(&words, &lines, err);
    argv_free(&lines);
    return status;
}

static void add_nap(const struct star_real *real, struct argv *out)
{
    if (!real->cluster->emulated || preloading_word(real))
        return;
    argv_add(out, "env");
    argv_add(out, "%s%s/%s", preload, real->programs, nap);
}

/* ---- a launch ---- */

static void add_micro(const struct star_real *real, const struct star_row *row, int calls,
                      struct argv *out)
{
    for (char *const *word = real->launcher; *word; word++)
        argv_add(out, "%s", *word);
    add_nap(real, out);
    argv_add(out, "%s/micro", real->programs);
    argv_add(out, "%s", collective_find(row->collective)->call);
    argv_add(out, "%llu", (unsigned long long)row->bytes);
    argv_add(out, "%d", calls);
    argv_add(out, "%.9f", row->compute_s);
    argv_add(out, "%.9f", row->late_s);
}

/* The last line of a text, for an error. */
static const char *last_line(char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    const char *newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

/* The seconds of a call that the program printed. */
static int read_seconds(const struct star_row *row, const char *text, double *seconds,
                        struct err *err)
{
    const char *call = collective_find(row->collective)->call;
    char wrong[16] = "";
    int bytes, calls;
    double turn_s;
    for (const char *at = text; (at = strstr(at, call)) != NULL; at += strlen(call))
        if (sscanf(at + strlen(call), "%d %d %lf %lf%15[ a-z]", &bytes, &calls, seconds, &turn_s,
                   wrong) >= 4)
            return *wrong ? err_set(err, "%s of %d bytes: wrong results", call, bytes) : 0;
    return err_set(err, "micro has not printed its times");
}

static int launch(const struct star_real *real, const struct argv *command,
                  const struct star_row *row, double *seconds, struct err *err)
{
    char *text = memory_zeros(OUTPUT_SIZE, 1);
    const int status =
        run_capture_for((const char *const *)command->v, real->limit_s, text, OUTPUT_SIZE);
    const int failed = status == 128 + SIGALRM
                           ? err_set(err, "still running after %d s: ended", real->limit_s)
                       : status ? err_set(err, "status %d: %.200s", status, last_line(text))
                                : read_seconds(row, text, seconds, err);
    free(text);
    return failed < 0 ? err_prefix(err, "%s of %llu bytes", row->collective,
                                   (unsigned long long)row->bytes)
                      : 0;
}

int star_real_default(const struct star_real *real, struct star_row *row, struct err *err)
{
    struct argv command = { 0 };
    row->compute_s = 0;
    add_micro(real, row, real->calls, &command);
    int status = launch(real, &command, row, &row->default_s, err);
    argv_free(&command);
    row->compute_s = real->compute * row->default_s;
    snprintf(row->default_algorithm, sizeof row->default_algorithm, "%s:default", real->mpi);
    snprintf(row->backend, sizeof row->backend, "%s",
             real->cluster->emulated ? "emulated" : "real");
    return status;
}

/* ---- the library's report ---- */

/* The row of our calls; NULL: there is none among as many ranks. others: the ranks of one that is
 * ours but for them; 0: none is. */
static const json_t *find_row(const json_t *report, const struct star_row *row, int calls,
                              int *others)
{
    size_t i;
    *others = 0;
    const json_t *one;
    json_array_foreach(json_object_get(report, "rows"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "collective"));
        if (!name || strcmp(name, row->collective) != 0 ||
            json_number_at(one, "bytes") != (double)row->bytes ||
            json_number_at(one, "calls") != calls)
            continue;
        if (json_number_at(one, "procs") == row->procs)
            return one;
        *others = (int)json_number_at(one, "procs");
    }
    return NULL;
}

static int candidate_named(const struct repository *r, const char *name)
{
    int i = r->n - 1;
    while (i >= 0 && strcmp(r->v[i].name, name) != 0)
        i--;
    return i;
}

/* The time of a call is from entering to leaving it; what comes behind is in the overheads. */
static void take_row(const json_t *one, const struct repository *repository, struct star_row *row)
{
    const char *ran = json_string_value(json_object_get(one, "algorithm"));
    row->measured = (int)lround(json_number_at(one, "measured"));
    row->monitored = (int)lround(json_number_at(one, "monitored"));
    row->agreements = (int)json_number_at(one, "agreements");
    row->changes = (int)json_number_at(one, "changes");
    row->o_ms_a_s = json_number_at(one, "o_ms_a_s");
    row->o_ms_c_s = json_number_at(one, "o_ms_c_s");
    row->o_ma_s = json_number_at(one, "o_ma_s");
    row->measure_call_s = row->o_ms_c_s + row->o_ms_a_s;
    row->measure_s = row->measure_call_s * row->measured;
    row->monitor_call_s =
        (json_number_at(one, "time_s") - row->o_ms_c_s * row->measured) / row->monitored +
        row->o_ma_s;
    snprintf(row->algorithm, sizeof row->algorithm, "%s", ran ? ran : "");
    *row->static_algorithm = '\0';
    row->static_s = NAN;
    star_row_expect(row, repository, candidate_named(repository, row->algorithm));
}

static int read_report(const char *path, int calls, const struct repository *repository,
                       struct star_row *row, struct err *err)
{
    json_error_t why;
    json_t *report = json_load_file(path, 0, &why);
    if (!report)
        return err_set(err, "%s:%d: %s", path, why.line, why.text);
    int others, status = 0;
    const json_t *one = find_row(report, row, calls, &others);
    if (!one && others)
        status = err_set(err,
                         "%s of %llu bytes ran among %d ranks, not %d (want: a launcher that "
                         "starts as many as --procs says, or the study)",
                         row->collective, (unsigned long long)row->bytes, others, row->procs);
    else if (!one || !(json_number_at(one, "measured") > 0))
        status = err_set(err, "%s: nothing was tuned in %d calls of %llu bytes", row->collective,
                         calls, (unsigned long long)row->bytes);
    if (status == 0)
        take_row(one, repository, row);
    json_decref(report);
    return status;
}

/* ---- with libcollsel ---- */

static void add_variables(const struct star_row *row, const char *report, struct argv *variables)
{
    argv_add(variables, "COLLSEL_MODE=%s", libcollsel_mode_words[LIBCOLLSEL_STAR]);
    argv_add(variables, "COLLSEL_REPOSITORY=%s", repository_words[row->repository]);
    argv_add(variables, "COLLSEL_GROUPS=%d", row->scheme == STAR_ENHANCED);
    argv_add(variables, "COLLSEL_REPORT=%s", report);
}

static int run_tuned(const struct star_real *real, int calls, const char *report,
                     const struct star_row *row, struct err *err)
{
    double seconds;
    struct argv plain = { 0 }, variables = { 0 }, command = { 0 };
    add_micro(real, row, calls, &plain);
    add_variables(row, report, &variables);
    int status = application_command(plain.v, NULL, real->build, &variables, &command, err);
    if (status == 0)
        status = launch(real, &command, row, &seconds, err);
    argv_free(&plain);
    argv_free(&variables);
    argv_free(&command);
    return status;
}

int star_real_tuned(const struct star_real *real, struct star_row *row, struct err *err)
{
    struct repository repository;
    char report[PATH_SIZE];
    const struct collective *collective = collective_find(row->collective);
    const struct schedule_arguments like = { .procs = row->procs,
                                             .bytes = row->bytes,
                                             .element_bytes = star_element_bytes(collective) };
    if (fs_path(report, sizeof report, err, "%s/star-report.json", real->dir) < 0)
        return -1;
    repository_make(&repository, row->repository, real->mpi, collective, &like);
    const int calls = star_most_calls(&repository, row) + real->calls;
    int status = run_tuned(real, calls, report, row, err);
    if (status == 0)
        status = read_report(report, calls, &repository, row, err);
    repository_clear(&repository);
    fs_remove_tree(report, NULL);
    return status;
}
