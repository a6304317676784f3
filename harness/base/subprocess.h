/* SPDX-License-Identifier: BSD-3-Clause */
/* subprocess.h - starts other programs and ends them reliably.
 *
 * Every job runs under a keeper: a small process between us and it that is the reaper of all its
 * descendants. On our request, or when we die for any reason, the keeper ends the whole tree:
 * MPI launchers put their ranks in sessions and process groups of their own. */
#pragma once

#include <sys/types.h>

#include "harness/base/argv.h"

/* A running job. */
struct child {
    pid_t keeper;
    pid_t pid;         /* of the program itself */
    int life;          /* closing it kills the tree */
    int output;        /* the job's stderr, non-blocking; -1 once closed */
    int exited;        /* status holds */
    int status;        /* exit status 0 to 255, or 128 + signal */
    int keeper_signal; /* the keeper itself was killed by it; 0: it was not */
};

/* Starts a program; its standard output goes to log_fd, its standard error can be read from
 * child->output. env: what to add to the environment, a name without "=": what to take out. hold: a
 * descriptor (of a lock) that stays open until the whole tree is dead, even if we die first; -1:
 * none. Returns 0, or -1 with *err; a missing program gives exit status 127 later. */
int run_start(const struct argv *args, const struct argv *env, int log_fd, int hold,
              struct child *child, struct err *err);

/* The signal that an exit status stands for (129 to 192), or 0: it is a status: launchers end with
 * 255, too. */
int run_signal(int status);

/* Ends the tree: sends SIGTERM to the program and after two seconds SIGKILL to
 * all processes; removes their own shared memory files. Then the keeper ends;
 * run_wait collects it, and kills the processes that a killed keeper left. */
void run_kill(struct child *child);

/* Collects a keeper that has ended: 1 when it has, 0 when it still runs. block: wait for it. */
int run_wait(struct child *child, int block);

/* Runs a short command, at most ten seconds, and keeps its standard output and error. Returns its
 * exit status, or -1 when it could not be run. args ends with NULL. */
int run_capture(const char *const *args, char *out, size_t size);

/* The same with another limit. A command beyond it is killed with all its descendants, and gives
 * 128 + SIGALRM. */
int run_capture_for(const char *const *args, int seconds, char *out, size_t size);

/* 1 when a program of this name is on the PATH (its path in buf, when given). */
int run_find(const char *program, char *buf, size_t size);
