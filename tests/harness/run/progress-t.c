/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress where there is no terminal: lines for a log. */
#include "harness/run/progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "tests/tap.h"

/* As if the last line were so long ago. */
static void wait_s(struct progress *p, double seconds)
{
    p->shown_s -= seconds;
    p->started_s -= seconds;
}

static void test_plain(void)
{
    char *text = NULL;
    size_t size;
    struct progress p;
    FILE *file = tmpfile();
    progress_start(&p, file, 0, 100, 200);
    p.terminal = 0;
    wait_s(&p, 6);
    progress_show(&p, 9, 18, 2);
    is_int(0, ftell(file), "below a tenth nothing is told for ten seconds");
    wait_s(&p, 1);
    progress_show(&p, 12, 24, 2);
    wait_s(&p, 6);
    progress_show(&p, 17, 34, 2);
    wait_s(&p, 61);
    progress_show(&p, 17, 34, 2);
    wait_s(&p, 61);
    progress_show(&p, 18, 36, 1);
    wait_s(&p, 61);
    p.failed = 64;
    progress_show(&p, 50, 36, 1);
    p.terminal = 1;
    wait_s(&p, 61);
    progress_show(&p, 50, 36, 1);
    progress_end(&p);
    rewind(file);
    FILE *copy = memory_stream(&text, &size);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, copy);
    fclose(copy);
    fclose(file);
    has_str("12%  24 of 200 points, 2 running", text, "a tenth more is a line");
    has_str("17%  34 of 200", text, "and so are ten seconds");
    has_str("18%  36 of 200 points, 1 running", text,
            "a line says how far it is, not how many tenths");
    has_str("50%  36 of 200 points, 64 failed, 1 running", text,
            "what was given up is done, and no point");
    has_str("50%  36/200 points, 64 failed  1 running", text, "on a terminal, too");
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    is_int(4, lines, "there are no other lines");
    free(text);
}

static void test_quiet(void)
{
    struct progress p;
    FILE *file = tmpfile();
    progress_start(&p, file, 1, 100, 200);
    wait_s(&p, 3600);
    progress_show(&p, 50, 100, 2);
    progress_say(&p, "chatter");
    progress_end(&p);
    is_int(0, ftell(file), "who wants quiet is told nothing");
    fclose(file);
}

/* What counts no points says that it is at work, until it ends. */
static void test_at_work(void)
{
    char text[64] = "";
    FILE *file = tmpfile();
    const int usual = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    progress_at_work(1);
    for (int tries = 0; tries < 600 && lseek(fileno(file), 0, SEEK_END) == 0; tries++)
        usleep(100000);
    progress_at_work(0);
    dup2(usual, STDERR_FILENO);
    close(usual);
    rewind(file);
    is_str("  at work, 10 s\n", fgets(text, sizeof text, file) ? text : "",
           "without a terminal ten seconds are a line");
    fclose(file);
}

int main(void)
{
    test_at_work();
    test_plain();
    test_quiet();
    return tap_done();
}
