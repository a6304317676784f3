/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel.c - the program: its streams, and that what it prints has arrived. What is typed is in
 * harness/cmd/verbs.c, the work of each command in a file beside it. */
#include "harness/cmd/verbs.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Where one of the first three streams was closed, the first file that is opened would take its
 * place, and what is printed would go into that. Nothing can be written to what stands there now.
 */
static void hold_streams(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDONLY);
    if (fd > STDERR_FILENO)
        close(fd);
}

static int checked; /* 1: it was looked whether what was printed has arrived */

/* What was printed must have arrived. */
static int end_with(int status)
{
    checked = 1;
    errno = 0; /* what an earlier flush met is no longer known */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "collsel: cannot write what it prints%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return status == EXIT_DONE ? EXIT_FAILED : status;
}

/* A command's --help, and its usage errors, end the program by themselves. */
static void end_of_help(int status, void *unused)
{
    (void)unused;
    if (!checked && end_with(status) != status)
        _exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
    hold_streams();
    on_exit(end_of_help, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error with its path */
    return end_with(verbs_run(argc, argv));
}
