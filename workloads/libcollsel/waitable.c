/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/waitable.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "harness/base/array.h"

static int has(const struct waitable *w, pid_t pid, int code)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->v[i].pid == pid && w->v[i].code == code)
            return 1;
    return 0;
}

/* Who is no child of ours is an error, and not added. */
static void add(struct waitable *w, idtype_t type, pid_t pid, int stops)
{
    siginfo_t child = { .si_pid = 0 };
    const int wanted = WEXITED | (stops ? WSTOPPED | WCONTINUED : 0);
    if (waitid(type, (id_t)pid, &child, wanted | WNOHANG | WNOWAIT) < 0 || child.si_pid == 0 ||
        has(w, child.si_pid, child.si_code))
        return;
    *(struct waitable_child *)array_add(&w->v, &w->n) =
        (struct waitable_child){ child.si_pid, child.si_code };
}

struct waitable waitable_now(int stops)
{
    struct waitable w = { .n = 0 };
    add(&w, P_ALL, 0, stops);
    DIR *processes = w.n ? opendir("/proc") : NULL;
    const struct dirent *entry;
    while (processes && (entry = readdir(processes)) != NULL) {
        const long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0)
            add(&w, P_PID, (pid_t)pid, stops);
    }
    if (processes)
        closedir(processes);
    return w;
}

int waitable_more(const struct waitable *before, const struct waitable *now)
{
    for (size_t i = 0; i < now->n; i++)
        if (!has(before, now->v[i].pid, now->v[i].code))
            return 1;
    return 0;
}

void waitable_free(struct waitable *w)
{
    free(w->v);
    *w = (struct waitable){ .n = 0 };
}
