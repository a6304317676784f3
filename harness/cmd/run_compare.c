/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/run_compare.h"

#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/json_print.h"
#include "harness/base/robust.h"
#include "harness/run/child_wait.h"
#include "harness/run/progress.h"

/* Run times in seconds, by turn. */
struct times {
    double with[RUN_COMPARE_MOST], plain[RUN_COMPARE_MOST];
};

int run_compare_check(struct err *err)
{
    if (isatty(STDIN_FILENO) || lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0 || errno == EBADF)
        return 0;
    return err_usage(err, "--compare: standard input is a pipe, which only the first run would get "
                          "(want < FILE or < /dev/null)");
}

/* Puts the file back, as it was before any run; text NULL: there was none. */
static int put_back(const char *path, const char *text, struct err *err)
{
    if (text)
        return fs_write(path, text, err);
    return unlink(path) < 0 && errno != ENOENT ? err_errno(err, "cannot remove '%s'", path) : 0;
}

/* The seconds of one run. input: where its standard input begins. */
static int time_run(const struct run_compare *c, int with, off_t input, double *seconds,
                    struct err *err)
{
    if (input >= 0)
        lseek(STDIN_FILENO, input, SEEK_SET);
    const double began_s = now_s();
    const int status = child_wait(with ? c->command : c->plain, err);
    const int ending = status == 0 ? child_wait_ending() : 0;
    *seconds = now_s() - began_s;
    if (status > 0 || ending) {
        fflush(stdout);
        fprintf(stderr, "collsel run: the run with --mode %s %s: nothing is compared\n",
                with ? c->mode : "off", ending ? "was interrupted" : "failed");
        child_wait_end(ending ? ending : status);
    }
    return status;
}

/* The first of a turn changes, so that neither always finds the machine as the other left it. */
static int time_turns(const struct run_compare *c, const char *learnt, struct times *t,
                      struct err *err)
{
    const off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    for (int i = 0; i < c->turns; i++)
        for (int k = 0; k < 2; k++) {
            const int with = (i + k) % 2;
            double *seconds = with ? &t->with[i] : &t->plain[i];
            if (with && i > 0 && c->learnt && put_back(c->learnt, learnt, err) < 0)
                return -1;
            if (time_run(c, with, input, seconds, err) < 0)
                return -1;
        }
    return 0;
}

static int time_all(const struct run_compare *c, struct times *t, struct err *err)
{
    const int has = c->learnt && fs_exists(c->learnt);
    char *learnt = has ? fs_read(c->learnt, NULL, err) : NULL;
    const int status = has && !learnt ? -1 : time_turns(c, learnt, t, err);
    free(learnt);
    return status;
}

static struct interval ratio_of(const struct times *t, int turns)
{
    double logs[RUN_COMPARE_MOST];
    for (int i = 0; i < turns; i++)
        logs[i] = log(t->with[i] / t->plain[i]);
    struct interval r = robust_interval(STATISTIC_MEAN, logs, (size_t)turns, turns, 0.95);
    return (struct interval){ exp(r.centre), exp(r.low), exp(r.high) };
}

static const char *verdict(const struct interval *ratio)
{
    return ratio->high < 1 ? "faster" : ratio->low > 1 ? "slower" : "no sure difference";
}

static void print_text(const struct run_compare *c, struct times *t, const struct interval *ratio)
{
    const size_t n = (size_t)c->turns;
    fprintf(stderr,
            "collsel run: %d turns: --mode %s %.3f s, off %.3f s (medians); ratio %.3f, 95 %% "
            "interval %.3f to %.3f: %s\n",
            c->turns, c->mode, robust_median(t->with, n), robust_median(t->plain, n), ratio->centre,
            ratio->low, ratio->high, verdict(ratio));
}

static json_t *numbers(const double *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(array, json_real(x[i]));
    return array;
}

int run_compare(const struct run_compare *c, struct err *err)
{
    struct times *t = memory_zeros(1, sizeof *t);
    int status = time_all(c, t, err);
    const struct interval ratio = status == 0 ? ratio_of(t, c->turns) : (struct interval){ 0 };
    if (status == 0 && c->json)
        status = json_print(json_pack("{s:s, s:o, s:o, s:f, s:f, s:f, s:s}", "mode", c->mode,
                                      "mode_s", numbers(t->with, c->turns), "off_s",
                                      numbers(t->plain, c->turns), "ratio", ratio.centre, "low",
                                      ratio.low, "high", ratio.high, "verdict", verdict(&ratio)),
                            err);
    else if (status == 0)
        print_text(c, t, &ratio);
    free(t);
    return status;
}
