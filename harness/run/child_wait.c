/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/child_wait.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int handed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
enum { N_HANDED_ON = sizeof handed_on / sizeof *handed_on };

/* Handlers get no argument of ours. */
static volatile pid_t attended;
static volatile sig_atomic_t ending; /* the last one that wants an end; 0: none */

/* What a terminal sends the whole group has got already. */
static void hand_on(int signal, siginfo_t *from, void *context)
{
    const int saved = errno;
    (void)context;
    if (signal != SIGUSR1 && signal != SIGUSR2)
        ending = signal;
    if (attended > 0 && from->si_code <= 0)
        kill(attended, signal);
    errno = saved;
}

static void listen_to(struct sigaction before[N_HANDED_ON])
{
    struct sigaction on = { .sa_sigaction = hand_on, .sa_flags = SA_SIGINFO | SA_RESTART };
    sigemptyset(&on.sa_mask);
    for (int i = 0; i < N_HANDED_ON; i++) {
        sigaction(handed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(handed_on[i], &on, NULL);
    }
}

static void restore(const struct sigaction before[N_HANDED_ON])
{
    for (int i = 0; i < N_HANDED_ON; i++)
        sigaction(handed_on[i], &before[i], NULL);
}

/* In the child: the command in its place; why not goes down the pipe. */
static void become(char *const *command, int why, const sigset_t *mask)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(command[0], command);
    const int number = errno;
    if (write(why, &number, sizeof number) < 0)
        _exit(126);
    _exit(127);
}

static int collect(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int child_wait(char *const *command, struct err *err)
{
    struct sigaction before[N_HANDED_ON];
    sigset_t all, mask;
    int why[2], number = 0;
    if (pipe2(why, O_CLOEXEC) < 0)
        return err_errno(err, "pipe");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask); /* until there is somebody to hand them on to */
    const pid_t pid = fork();
    if (pid == 0)
        become(command, why[1], &mask);
    attended = pid;
    ending = 0;
    if (pid > 0)
        listen_to(before);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(why[1]);
    const int failed = pid < 0 || read(why[0], &number, sizeof number) > 0;
    const int saved = pid < 0 ? errno : number;
    close(why[0]);
    const int status = pid > 0 ? collect(pid) : -1;
    attended = 0;
    if (pid > 0)
        restore(before);
    if (!failed)
        return status;
    errno = saved;
    return err_errno(err, "cannot run '%s'", command[0]);
}

int child_wait_ending(void)
{
    return ending;
}

void child_wait_end(int status)
{
    const struct rlimit no_core = { 0, 0 };
    if (WIFSIGNALED(status)) {
        setrlimit(RLIMIT_CORE, &no_core); /* it has left one of its own */
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}
