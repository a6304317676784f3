/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting programs: output, exit statuses, and that a whole tree of processes dies, also one that
 * has left its session and lost its parent. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/subprocess.h"
#include "tests/tap.h"

static void start_holding(struct child *child, const char *script, int hold)
{
    struct argv args = { 0 }, env = { 0 };
    struct err err = { 0 };
    argv_add(&args, "sh");
    argv_add(&args, "-c");
    argv_add(&args, "%s", script);
    argv_add(&env, "COLLSEL_TEST=value of a variable");
    if (run_start(&args, &env, 1, hold, child, &err) < 0)
        diag("%s", err.text);
    argv_free(&args);
    argv_free(&env);
}

static void start(struct child *child, const char *script)
{
    start_holding(child, script, -1);
}

/* What the child writes to its standard error, up to the first newline. */
static void read_line(const struct child *child, char *buf, size_t size)
{
    struct pollfd p = { .fd = child->output, .events = POLLIN };
    size_t used = 0;
    while (used + 1 < size && poll(&p, 1, 5000) > 0 && read(child->output, buf + used, 1) == 1)
        if (buf[used++] == '\n')
            break;
    buf[used] = '\0';
    buf[strcspn(buf, "\n")] = '\0';
}

static void check_status(const char *script, int wanted)
{
    struct child child;
    start(&child, script);
    run_wait(&child, 1);
    is_int(wanted, child.status, "'%s' ends with %d", script, wanted);
    close(child.output);
}

/* Dead, or a zombie that somebody else has yet to collect. */
static int is_gone(pid_t pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*d %*s %c", &state) != 1)
        state = 'X';
    if (f)
        fclose(f);
    return state == 'X' || state == 'Z';
}

static void check_tree(void)
{
    struct child child;
    char line[64];
    start(&child, "setsid sh -c 'sleep 1000 & echo $! >&2; sleep 1000' & wait");
    read_line(&child, line, sizeof line);
    pid_t orphan = (pid_t)strtol(line, NULL, 10);
    ok(orphan > 1 && kill(orphan, 0) == 0, "a grandchild in a session of its own runs");
    is_int(0, run_wait(&child, 0), "its job runs");
    run_kill(&child);
    is_int(1, run_wait(&child, 1), "the job is killed");
    ok(is_gone(orphan), "and the grandchild with it");
    is_int(128 + SIGKILL, child.status, "its status says so");
    close(child.output);
}

/* A driver that dies without a word: its jobs die as well. */
static void check_death(void)
{
    int pair[2];
    char line[64] = "";
    if (pipe(pair) < 0)
        return;
    pid_t driver = fork();
    if (driver == 0) {
        struct child child;
        start(&child, "sleep 1000 & echo $! >&2; wait");
        read_line(&child, line, sizeof line);
        if (write(pair[1], line, sizeof line) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    pid_t job = read(pair[0], line, sizeof line) > 0 ? (pid_t)strtol(line, NULL, 10) : -1;
    ok(job > 1 && kill(job, 0) == 0, "a job of another driver runs");
    kill(driver, SIGKILL);
    int gone = 0;
    for (int i = 0; i < 100 && !gone; i++) {
        usleep(20000);
        gone = is_gone(job);
    }
    ok(gone, "kill -9 of the driver: the job is gone");
}

/* A launcher is told to end before it is killed. */
static void check_grace(void)
{
    struct child child;
    char line[64];
    start(&child, "trap 'echo good bye >&2; exit' TERM; echo up >&2; sleep 1000 & wait");
    read_line(&child, line, sizeof line);
    run_kill(&child);
    read_line(&child, line, sizeof line);
    is_str("good bye", line, "a program that is ended may say good bye");
    run_wait(&child, 1);
    is_int(128 + SIGKILL, child.status, "and counts as killed");
    close(child.output);
    start(&child, "trap '' TERM; echo $$ >&2; while :; do sleep 1; done");
    read_line(&child, line, sizeof line);
    run_kill(&child);
    run_wait(&child, 1);
    ok(is_gone((pid_t)strtol(line, NULL, 10)), "one that does not listen is killed");
    close(child.output);
}

/* A keeper that is killed: what it kept is dead before anything else is started. */
static void check_keeper(void)
{
    struct child child;
    char line[64];
    start(&child, "setsid sh -c 'sleep 1000 & echo $! >&2; sleep 1000' & wait");
    read_line(&child, line, sizeof line);
    const pid_t orphan = (pid_t)strtol(line, NULL, 10);
    struct child other;
    start(&other, "sleep 1000");
    kill(child.keeper, SIGKILL);
    is_int(1, run_wait(&child, 1), "a keeper that is killed");
    is_int(128 + SIGKILL, child.status, "counts as a job that was");
    ok(is_gone(orphan), "and leaves nothing alive");
    is_int(0, run_wait(&other, 0), "another job goes on");
    run_kill(&other);
    run_wait(&other, 1);
    close(child.output);
    close(other.output);
}

/* Somebody has stopped the keeper: a job that is to end does. */
static void check_stopped(void)
{
    struct child child;
    char line[64];
    start(&child, "echo $$ >&2; exec sleep 1000");
    read_line(&child, line, sizeof line);
    kill(child.keeper, SIGSTOP);
    run_kill(&child);
    alarm(60);
    run_wait(&child, 1);
    alarm(0);
    ok(is_gone((pid_t)strtol(line, NULL, 10)),
       "a keeper that was stopped ends its job all the same");
    close(child.output);
}

/* A lock that the keeper holds is held as long as anything of the job lives. */
static void check_hold(void)
{
    struct child child;
    char line[64], byte;
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return;
    start_holding(&child, "trap 'sleep 0.3; exit' TERM; echo up >&2; sleep 1000 & wait", pair[1]);
    close(pair[1]);
    read_line(&child, line, sizeof line);
    run_kill(&child);
    is_int(0, read(pair[0], &byte, 1), "what the keeper holds is let go");
    ok(is_gone(child.pid), "when the job is dead");
    run_wait(&child, 1);
    close(child.output);
    close(pair[0]);
}

/* Maps a file of shared memory, says so, and waits. */
static int map_shared(const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, 4096) < 0 ||
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
        return 1;
    fputs("mapped\n", stderr);
    for (;;)
        pause();
}

/* Shared memory of what was killed goes with it; what nobody of the job mapped stays. */
static void check_shared(const char *self)
{
    struct child child;
    char line[64], script[512], ours[64], other[80];
    snprintf(ours, sizeof ours, "/dev/shm/collsel-run-t.%ld", (long)getpid());
    snprintf(other, sizeof other, "%s.other", ours);
    snprintf(script, sizeof script, "trap '' TERM; %s %s", self, ours);
    fclose(fopen(other, "we"));
    start(&child, script);
    read_line(&child, line, sizeof line);
    is_str("mapped", line, "a job has a file of shared memory");
    run_kill(&child);
    run_wait(&child, 1);
    ok(access(ours, F_OK) < 0, "which is gone with it");
    ok(access(other, F_OK) == 0, "another's stays");
    unlink(ours);
    unlink(other);
    close(child.output);
}

static void check_words(void)
{
    struct argv args = { 0 };
    argv_add(&args, "a b");
    argv_add(&args, "--x=%d", 3);
    argv_add(&args, "it's");
    char *text = argv_text(&args);
    is_str("'a b' --x=3 'it'\\''s'", text, "words are quoted as a shell wants them");
    free(text);
    argv_free(&args);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return map_shared(argv[1]);
    struct child child;
    char line[64], out[64];
    check_words();
    start(&child, "echo \"$COLLSEL_TEST\" >&2");
    read_line(&child, line, sizeof line);
    is_str("value of a variable", line, "a job gets its environment, and we its standard error");
    run_wait(&child, 1);
    is_int(0, child.status, "and ends well");
    close(child.output);
    check_status("exit 3", 3);
    check_status("kill -9 $$", 128 + SIGKILL);
    check_status("exec /no/such/program", 127);
    is_int(SIGKILL, run_signal(128 + SIGKILL), "137 stands for a signal");
    is_int(0, run_signal(128), "128 does not");
    is_int(64, run_signal(192), "192 is the last that does");
    is_int(0, run_signal(193), "193 does not");
    is_int(0, run_signal(255), "255, a launcher's, does not");
    check_tree();
    check_death();
    check_grace();
    check_stopped();
    check_keeper();
    check_hold();
    check_shared(argv[0]);
    const char *const echo[] = { "echo", "4.1.4", NULL }, *const none[] = { "/no/such/program",
                                                                            NULL };
    is_int(0, run_capture(echo, out, sizeof out), "a short command");
    is_str("4.1.4\n", out, "and its output");
    is_int(-1, run_capture(none, out, sizeof out), "one that is not there");
    ok(run_find("sh", NULL, 0), "sh is on the PATH");
    ok(!run_find("no-such-program", NULL, 0), "other things are not");
    return tap_done();
}
