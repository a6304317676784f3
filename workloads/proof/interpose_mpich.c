/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
#include "workloads/proof/interpose_mpich.h"

#include <dlfcn.h>
#include <fcntl.h>

#include "workloads/proof/origin.h"

enum { MOST_RANKS = 256, TAG = 23 };
enum { MESSAGES, BYTES, RECEIVERS, N_COUNTERS };

struct ucp_ep;

/* The beginning of UCX's ucp_request_param_t (ucp/api/ucp.h), which is part of its binary
 * interface: bit 3 of the mask says that there is a datatype, whose lowest three bits are 0 where
 * it is contiguous; an element's bytes stand above them. Without one it is bytes. */
struct send_parameters {
    uint32_t mask, flags;
    void *request, *callback;
    uint64_t datatype;
};

enum { HAS_DATATYPE = 1 << 3, DATATYPE_CLASS = 7, DATATYPE_SHIFT = 3 };

typedef void *send_function(struct ucp_ep *ep, const void *buf, size_t count, uint64_t tag,
                            const void *param);

static struct {
    int watching;
    int calls; /* while watching, to any endpoint */
    const struct ucp_ep *last;
    const struct ucp_ep *to[MOST_RANKS];
    uint64_t messages[MOST_RANKS], bytes[MOST_RANKS];
    int strange[MOST_RANKS]; /* some message was of a type whose bytes only MPICH knows */
    int gate;
    uint64_t counters[N_COUNTERS];
} watch;

/* Bytes of a message; SIZE_MAX where they are not known. */
static size_t bytes_of(size_t count, const struct send_parameters *p)
{
    if (!p || !(p->mask & HAS_DATATYPE))
        return count;
    return p->datatype & DATATYPE_CLASS ? SIZE_MAX
                                        : count * (size_t)(p->datatype >> DATATYPE_SHIFT);
}

static void note(const struct ucp_ep *ep, size_t bytes)
{
    watch.calls++;
    watch.last = ep;
    for (int r = 0; r < MOST_RANKS; r++) {
        if (watch.to[r] != ep)
            continue;
        watch.messages[r]++;
        if (bytes == SIZE_MAX)
            watch.strange[r] = 1;
        else
            watch.bytes[r] += bytes;
        return;
    }
}

send_function ucp_tag_send_nbx;

void *ucp_tag_send_nbx(struct ucp_ep *ep, const void *buf, size_t count, uint64_t tag,
                       const void *param)
{
    static send_function *real;
    if (!real) {
        void *at = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
        memcpy(&real, &at, sizeof real);
    }
    const uint64_t open = (uint64_t)watch.gate;
    watch.counters[MESSAGES] += open;
    watch.counters[BYTES] += open * count;
    watch.counters[RECEIVERS] += open * (uint64_t)(uintptr_t)ep * (count + 1);
    if (watch.watching)
        note(ep, bytes_of(count, param));
    return real(ep, buf, count, tag, param);
}

void interpose_watch(void)
{
    memset(watch.messages, 0, sizeof watch.messages);
    memset(watch.bytes, 0, sizeof watch.bytes);
    memset(watch.strange, 0, sizeof watch.strange);
    watch.calls = 0;
    watch.watching = 1;
}

void interpose_stop(void)
{
    watch.watching = 0;
}

void interpose_sent(int rank, uint64_t *messages, uint64_t *bytes)
{
    *messages = watch.messages[rank];
    *bytes = watch.strange[rank] ? UINT64_MAX : watch.bytes[rank];
}

int interpose_is_ours(char *where, size_t size)
{
    return origin_is(dlsym(RTLD_NEXT, "ucp_tag_send_nbx"), "libucp.so", where, size);
}

static const char share_usual[] = "/dev/shm/mpich_shar_tmp";
static const char *share_dir;

void interpose_share_in(const char *dir)
{
    share_dir = dir;
}

/* A new file in our directory, whose path is no longer than that of the template it replaces. */
static int make_shared(char *template)
{
    enum { MOST = 10000 };
    char path[PATH_MAX];
    for (int i = 0; i < MOST; i++) {
        snprintf(path, sizeof path, "%s/%d", share_dir, i);
        if (strlen(path) > strlen(template))
            break;
        const int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0)
            memcpy(template, path, strlen(path) + 1);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    errno = EEXIST;
    return -1;
}

/* MPICH makes its files of shared memory by this function of the C library, in a place that no
 * variable changes. */
int mkstemp(char *template)
{
    static int (*real)(char *template);
    if (!real) {
        void *at = dlsym(RTLD_NEXT, "mkstemp");
        memcpy(&real, &at, sizeof real);
    }
    if (share_dir && strncmp(template, share_usual, sizeof share_usual - 1) == 0) {
        const int fd = make_shared(template);
        if (fd >= 0)
            return fd;
    }
    return real(template);
}

/* What UCX prints of an endpoint: "lane[0]:  3:sysv/memory.0 md[2] ..."; "sysv/memory" of each. */
static void keep_lanes(char *text, char *lanes, size_t size)
{
    lanes[0] = '\0';
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n'), *at = strstr(line, "lane[");
        char *name = at && (!end || at < end) ? strchr(at, ':') : NULL; /* behind "lane[0]" */
        name = name ? strchr(name + 1, ':') : NULL;                     /* behind "3" */
        if (name && (!end || name < end)) {
            const size_t used = strlen(lanes);
            snprintf(lanes + used, size - used, "%s%.*s", used ? " " : "",
                     (int)strcspn(name + 1, ". \n"), name + 1);
        }
        line = end ? end + 1 : NULL;
    }
}

static void lanes_of(const struct ucp_ep *ep, char *lanes, size_t size)
{
    void (*print)(const struct ucp_ep *, FILE *) = NULL;
    void *at = dlsym(RTLD_DEFAULT, "ucp_ep_print_info");
    char *text = NULL;
    size_t len;
    lanes[0] = '\0';
    if (!at || !ep)
        return;
    FILE *out = memory_stream(&text, &len);
    memcpy(&print, &at, sizeof print);
    print(ep, out);
    fclose(out);
    keep_lanes(text, lanes, size);
    free(text);
}

void interpose_print_lanes(FILE *out)
{
    enum { MOST_SETS = 8 };
    char sets[MOST_SETS][256], lanes[256];
    int ranks[MOST_SETS] = { 0 }, n = 0, k;
    for (int r = 0; r < MOST_RANKS; r++) {
        lanes_of(watch.to[r], lanes, sizeof lanes);
        for (k = 0; *lanes && k < n && strcmp(sets[k], lanes) != 0;)
            k++;
        if (!*lanes || k == MOST_SETS)
            continue;
        memcpy(sets[k], lanes, sizeof lanes);
        n += k == n;
        ranks[k]++;
    }
    for (k = 0; k < n; k++)
        fprintf(out, "# in_effect: lanes of UCX to %d of the other ranks=%s\n", ranks[k], sets[k]);
}

static void counter_name(int i, char *buf, size_t size)
{
    static const char *const names[N_COUNTERS] = { "messages", "bytes of messages",
                                                   "in the sum of receivers and sizes" };
    snprintf(buf, size, "%s", names[i]);
}

const struct proof_source *interpose_counts(void)
{
    static const struct proof_source source = { &watch.gate, watch.counters, N_COUNTERS,
                                                counter_name };
    return &source;
}

/* Sends a byte to a rank while the same comes from another; 1 when it was one call. */
static int learn_one(int to, int from, MPI_Comm world)
{
    char byte = 0;
    MPI_Request request;
    MPI_Irecv(&byte, 1, MPI_BYTE, from, TAG, world, &request);
    const char mine = 0;
    interpose_watch();
    MPI_Send(&mine, 1, MPI_BYTE, to, TAG, world);
    interpose_stop();
    const int one = watch.calls == 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    watch.to[to] = watch.last;
    return one;
}

int interpose_learn(MPI_Comm world)
{
    int rank, ranks, seen = 1, all;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    if (ranks > MOST_RANKS)
        return 0;
    for (int hop = 1; hop < ranks; hop++)
        seen &= learn_one((rank + hop) % ranks, (rank + ranks - hop) % ranks, world);
    MPI_Allreduce(&seen, &all, 1, MPI_INT, MPI_LAND, world);
    return all;
}
#endif
