/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory of our own: shared by who joins, gone with the last one, cleared away when its holder
 * was killed; what is another's, open to others, or has no lock in it is left alone, and another
 * number taken. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/scratch_dir.h"
#include "tests/tap.h"

enum { ROUNDS = 300, TAKERS = 4 };

static char base[] = "/tmp/scratch_dir-XXXXXX";

static void put(const char *dir, const char *name)
{
    char path[PATH_SIZE];
    struct err err = { 0 };
    if (fs_path(path, sizeof path, &err, "%s/%s", dir, name) < 0 || fs_write(path, "x", &err) < 0)
        diag("%s", err.text);
}

static int is_there(const char *name)
{
    char path[PATH_SIZE];
    struct stat st;
    return fs_path(path, sizeof path, NULL, "%s/%s", base, name) == 0 && lstat(path, &st) == 0;
}

/* Something of this number that is none of ours. */
static void takes_another(long number, const char *what)
{
    struct scratch_dir first, second;
    char next[32];
    snprintf(next, sizeof next, "collsel.%ld", number + (1L << 22));
    scratch_dir_take(&first, base, number);
    scratch_dir_take(&second, base, number);
    has_str(next, first.path, "%s: another number is taken", what);
    is_str(first.path, second.path, "%s: by all the same", what);
    scratch_dir_drop(&first);
    scratch_dir_drop(&second);
    ok(!is_there(next), "%s: and removed", what);
}

static void check_sharing(void)
{
    struct scratch_dir first, second;
    scratch_dir_take(&first, base, 7);
    ok(*first.path, "a directory is made");
    scratch_dir_take(&second, base, 7);
    ok(*second.path, "another joins");
    put(first.path, "segment");
    scratch_dir_clear_away(base);
    ok(is_there("collsel.7/segment"), "nobody clears it away while it is held");
    scratch_dir_drop(&first);
    ok(is_there("collsel.7/segment"), "nor does the first who lets go");
    scratch_dir_drop(&second);
    ok(!is_there("collsel.7"), "the last one does");
}

/* A process that takes a directory, leaves files in it and is killed. */
static void leave(long number)
{
    int pair[2];
    char byte = 0;
    if (pipe(pair) < 0)
        return;
    const pid_t pid = fork();
    if (pid == 0) {
        struct scratch_dir dir;
        scratch_dir_take(&dir, base, number);
        if (*dir.path) {
            put(dir.path, "segment");
            put(dir.path, "ompi.host.0/pid.1/contact.txt");
        }
        if (write(pair[1], &byte, 1) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    if (read(pair[0], &byte, 1) == 1)
        kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(pair[0]);
    close(pair[1]);
}

static void check_killed(void)
{
    struct scratch_dir dir;
    leave(8);
    ok(is_there("collsel.8/ompi.host.0/pid.1/contact.txt"), "what is killed leaves its files");
    scratch_dir_take(&dir, base, 9);
    ok(*dir.path, "the next one");
    ok(!is_there("collsel.8"), "clears them away");
    scratch_dir_drop(&dir);
    leave(8);
    scratch_dir_take(&dir, base, 8);
    ok(*dir.path, "so does one of the same number");
    ok(!is_there("collsel.8/segment") && is_there("collsel.8/lock"), "and has it for itself");
    scratch_dir_drop(&dir);
}

static void check_others(void)
{
    char path[PATH_SIZE], other[PATH_SIZE];
    struct scratch_dir dir;
    snprintf(path, sizeof path, "%s/collsel.10", base);
    snprintf(other, sizeof other, "%s/elsewhere", base);
    mkdir(path, 0700);
    put(path, "thesis.tex");
    scratch_dir_clear_away(base);
    ok(is_there("collsel.10/thesis.tex"), "without a lock in it a directory is not ours");
    put(path, "lock");
    chmod(path, 0755);
    scratch_dir_clear_away(base);
    ok(is_there("collsel.10/thesis.tex"), "nor is one that others may enter");
    takes_another(10, "open to others");
    chmod(path, 0700);
    snprintf(path, sizeof path, "%s/collsel.10/lock", base);
    unlink(path);
    takes_another(10, "of ours, with files and no lock");
    ok(is_there("collsel.10/thesis.tex"), "and its files stay");
    mkdir(other, 0700);
    put(other, "lock");
    put(other, "thesis.tex");
    snprintf(path, sizeof path, "%s/collsel.11", base);
    ok(symlink(other, path) == 0, "a link in the place of one");
    scratch_dir_clear_away(base);
    ok(is_there("elsewhere/thesis.tex"), "is not followed");
    takes_another(11, "a link");
    put(base, "collsel.12");
    scratch_dir_clear_away(base);
    ok(is_there("collsel.12"), "a file of such a name stays");
    takes_another(12, "a file");
    scratch_dir_take(&dir, "/no/such/directory", 1);
    is_str("", dir.path, "where nothing can be made there is none");
    scratch_dir_drop(&dir);
}

/* What a stranger could put in the place of one that we have, where he may rename in its parent. */
static void check_swapped(void)
{
    char aside[PATH_SIZE], other[PATH_SIZE];
    struct scratch_dir dir;
    snprintf(aside, sizeof aside, "%s/aside", base);
    snprintf(other, sizeof other, "%s/elsewhere", base);
    scratch_dir_take(&dir, base, 14);
    ok(rename(dir.path, aside) == 0 && symlink(other, dir.path) == 0, "a link in its place");
    scratch_dir_drop(&dir);
    ok(is_there("elsewhere/thesis.tex"), "is not followed when it is dropped");
    scratch_dir_take(&dir, base, 15);
    ok(rename(dir.path, aside) < 0 && fs_remove_tree(aside, NULL) == 0 &&
           rename(dir.path, aside) == 0 && rename(other, dir.path) == 0,
       "a directory that has a lock of its own in its place");
    scratch_dir_drop(&dir);
    ok(is_there("collsel.15/thesis.tex"), "is not emptied when it is dropped");
    fs_remove_tree(aside, NULL);
}

/* Another user's: root can look into it, others cannot. */
static void check_users(void)
{
    enum { NOBODY = 65534 };
    char path[PATH_SIZE];
    int raw;
    if (geteuid() != 0) {
        skip("only root can be two users", "directories of another user");
        return;
    }
    snprintf(path, sizeof path, "%s/collsel.16", base);
    ok(mkdir(path, 0700) == 0 && chown(path, NOBODY, NOBODY) == 0, "another user's directory");
    put(path, "lock");
    takes_another(16, "another user's");
    scratch_dir_clear_away(base);
    ok(is_there("collsel.16/lock"), "it stays");
    ok(chown(path, 0, 0) == 0 && chmod(base, 0777) == 0, "one of root's");
    const pid_t pid = fork();
    if (pid == 0) {
        struct scratch_dir dir;
        if (setuid(NOBODY) < 0)
            _exit(1);
        scratch_dir_take(&dir, base, 16);
        const int taken = strstr(dir.path, "/collsel.4194320") != NULL;
        scratch_dir_drop(&dir);
        _exit(taken ? 0 : 2);
    }
    ok(waitpid(pid, &raw, 0) == pid && raw == 0, "one that it cannot look into: another number");
    ok(!is_there("collsel.4194320"), "which is removed");
    fs_remove_tree(path, NULL);
}

/* One that was stopped while it removed it. */
static void check_stopped(void)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/collsel.17", base);
    mkdir(path, 0700);
    put(path, "lock");
    snprintf(path, sizeof path, "%s/collsel.17/lock", base);
    const int fd = open(path, O_RDWR);
    ok(fd >= 0 && flock(fd, LOCK_EX) == 0, "somebody has it to himself, and does not let go");
    alarm(60);
    takes_another(17, "stopped");
    alarm(0);
    close(fd);
}

static int locks_work = 1, vanishes;

/* In place of the C library's: there are file systems that have no locks, and others who remove a
 * directory just before we lock it. */
int flock(int fd, int operation)
{
    if (vanishes && (operation & LOCK_SH)) {
        char path[PATH_SIZE];
        vanishes = 0;
        snprintf(path, sizeof path, "%s/collsel.21", base);
        fs_remove_tree(path, NULL);
    }
    if (locks_work)
        return (int)syscall(SYS_flock, fd, operation);
    errno = ENOLCK;
    return -1;
}

static void check_without_locks(void)
{
    struct scratch_dir dir;
    locks_work = 0;
    scratch_dir_take(&dir, base, 18);
    locks_work = 1;
    is_str("", dir.path, "where nothing can be locked there is none");
    ok(!is_there("collsel.18"), "and nothing is left");
    umask(0777);
    scratch_dir_take(&dir, base, 19);
    umask(022);
    scratch_dir_drop(&dir);
    ok(!is_there("collsel.19"), "nor where the mask lets us into nothing");
}

static void check_vanishing(void)
{
    struct scratch_dir dir;
    vanishes = 1;
    scratch_dir_take(&dir, base, 21);
    ok(!vanishes && is_there("collsel.21/lock"), "one that goes before it is locked is made again");
    scratch_dir_drop(&dir);
}

static void check_relative(void)
{
    struct scratch_dir dir;
    char here[PATH_SIZE];
    ok(getcwd(here, sizeof here) && chdir(base) == 0, "from a relative path");
    scratch_dir_take(&dir, ".", 20);
    ok(*dir.path == '/' && is_there("collsel.20"), "comes an absolute one: %s", dir.path);
    scratch_dir_drop(&dir);
    ok(chdir(here) == 0 && !is_there("collsel.20"), "and is removed from elsewhere");
}

/* Several take and drop one directory while another clears away: each that has it sees its files
 * stay. */
static void check_races(void)
{
    pid_t pids[TAKERS];
    int bad = 0, raw;
    for (int k = 0; k < TAKERS; k++) {
        pids[k] = fork();
        for (int i = 0; pids[k] == 0 && i < ROUNDS; i++) {
            struct scratch_dir dir;
            char name[32], path[PATH_SIZE];
            snprintf(name, sizeof name, "file%d", k);
            scratch_dir_take(&dir, base, 13);
            if (!strstr(dir.path, "/collsel.13"))
                _exit(1);
            put(dir.path, name);
            scratch_dir_clear_away(base);
            snprintf(path, sizeof path, "%s/%s", dir.path, name);
            if (access(path, F_OK) < 0)
                _exit(2);
            scratch_dir_drop(&dir);
        }
        if (pids[k] == 0)
            _exit(0);
    }
    for (int k = 0; k < TAKERS; k++)
        if (waitpid(pids[k], &raw, 0) < 0 || raw != 0)
            bad++;
    is_int(0, bad, "%d take, clear away and drop one directory %d times: nobody's file goes",
           TAKERS, ROUNDS);
    ok(!is_there("collsel.13"), "and nothing is left");
}

int main(void)
{
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    check_sharing();
    check_killed();
    check_others();
    check_swapped();
    check_users();
    check_stopped();
    check_without_locks();
    check_vanishing();
    check_relative();
    check_races();
    fs_remove_tree(base, NULL);
    return tap_done();
}
