/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory of our own: shared by who joins, gone with the last one, cleared away when its holder
 * was killed; what is another's, open to others, or has no lock in it is left alone. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/own_dir.h"
#include "tests/tap.h"

enum { ROUNDS = 300, TAKERS = 4 };

static char base[] = "/tmp/own_dir-XXXXXX";

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

static void check_sharing(void)
{
    struct own_dir first, second;
    struct err err = { 0 };
    is_int(0, own_dir_take(&first, base, 7, &err), "a directory is made");
    is_int(0, own_dir_take(&second, base, 7, &err), "another joins");
    put(first.path, "segment");
    own_dir_clear_away(base);
    ok(is_there("collsel.7/segment"), "nobody clears it away while it is held");
    own_dir_drop(&first);
    ok(is_there("collsel.7/segment"), "nor does the first who lets go");
    own_dir_drop(&second);
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
        struct own_dir dir;
        if (own_dir_take(&dir, base, number, NULL) == 0) {
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
    struct own_dir dir;
    struct err err = { 0 };
    leave(8);
    ok(is_there("collsel.8/ompi.host.0/pid.1/contact.txt"), "what is killed leaves its files");
    is_int(0, own_dir_take(&dir, base, 9, &err), "the next one");
    ok(!is_there("collsel.8"), "clears them away");
    own_dir_drop(&dir);
    leave(8);
    is_int(0, own_dir_take(&dir, base, 8, &err), "so does one of the same number");
    ok(!is_there("collsel.8/segment") && is_there("collsel.8/lock"), "and has it for itself");
    own_dir_drop(&dir);
}

static void check_others(void)
{
    char path[PATH_SIZE], other[PATH_SIZE];
    struct own_dir dir;
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/collsel.10", base);
    snprintf(other, sizeof other, "%s/elsewhere", base);
    mkdir(path, 0700);
    put(path, "thesis.tex");
    own_dir_clear_away(base);
    ok(is_there("collsel.10/thesis.tex"), "without a lock in it a directory is not ours");
    put(path, "lock");
    chmod(path, 0755);
    own_dir_clear_away(base);
    ok(is_there("collsel.10/thesis.tex"), "nor is one that others may enter");
    is_int(-1, own_dir_take(&dir, base, 10, &err), "such a one is not taken");
    has_str("/collsel.10' is not a directory of ours", err.text, "and named");
    mkdir(other, 0700);
    put(other, "lock");
    put(other, "thesis.tex");
    snprintf(path, sizeof path, "%s/collsel.11", base);
    ok(symlink(other, path) == 0, "a link in the place of one");
    own_dir_clear_away(base);
    ok(is_there("elsewhere/thesis.tex"), "is not followed");
    is_int(-1, own_dir_take(&dir, base, 11, &err), "nor taken");
    put(base, "collsel.12");
    own_dir_clear_away(base);
    ok(is_there("collsel.12"), "a file of such a name stays");
    is_int(-1, own_dir_take(&dir, base, 12, &err), "and is refused");
    is_int(0, own_dir_take(&dir, "/no/such/directory", 1, &err), "where nothing can be made");
    is_str("", dir.path, "there is none");
    own_dir_drop(&dir);
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
            struct own_dir dir;
            char name[32], path[PATH_SIZE];
            snprintf(name, sizeof name, "file%d", k);
            if (own_dir_take(&dir, base, 13, NULL) < 0 || !*dir.path)
                _exit(1);
            put(dir.path, name);
            own_dir_clear_away(base);
            snprintf(path, sizeof path, "%s/%s", dir.path, name);
            if (access(path, F_OK) < 0)
                _exit(2);
            own_dir_drop(&dir);
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
    check_races();
    fs_remove_tree(base, NULL);
    return tap_done();
}
