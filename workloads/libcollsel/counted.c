/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/counted.h"

#include <dlfcn.h>

#include "workloads/libcollsel/process_state.h"

_Static_assert((int)COUNTED_ALLTOALLW == (int)N_ASKED, "kinds in the order of call_args_which");

static struct counted all[N_COUNTED];
static int sessions;

static int index_of(enum counted_why why, enum counted_form form, enum counted_kind kind)
{
    return ((int)why * N_FORMS + (int)form) * N_COUNTED_KINDS + (int)kind;
}

static void add(int i, uint64_t calls, int64_t ns)
{
    __atomic_fetch_add(&all[i].calls, calls, __ATOMIC_RELAXED);
    __atomic_fetch_add(&all[i].ns, (uint64_t)ns, __ATOMIC_RELAXED);
}

static const void *base_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* Open MPI's Fortran layers are libmpi_mpifh, libmpi_usempif08 ...; its components mca_... */
static enum caller ask_caller(const void *site)
{
    Dl_info info;
    if (!dladdr(site, &info) || !info.dli_fname)
        return CALLER_OTHER;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    if (info.dli_fbase == base_of((const void *)&all) || strncmp(name, "mca_", 4) == 0 ||
        info.dli_fbase == base_of(dlsym(RTLD_NEXT, "PMPI_Init")))
        return CALLER_MPI;
    return strncmp(name, "libmpi", 6) == 0 ? CALLER_FORTRAN : CALLER_OTHER;
}

/* The last answers are kept, each with its address in one word. */
enum caller counted_caller(const void *site)
{
    enum { KEPT = 64 };
    static uintptr_t kept[KEPT];
    const uintptr_t at = (uintptr_t)site;
    uintptr_t *slot = &kept[(at ^ at >> 7) % KEPT];
    const uintptr_t had = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (had >> 2 == at)
        return (enum caller)(had & 3);
    const enum caller who = ask_caller(site);
    __atomic_store_n(slot, at << 2 | (uintptr_t)who, __ATOMIC_RELAXED);
    return who;
}

int counted_sessions(int more)
{
    return __atomic_add_fetch(&sessions, more, __ATOMIC_RELAXED);
}

int64_t counted_begin(void)
{
    return library_get() || counted_sessions(0) > 0 ? clock_now() : 0;
}

/* What a call has begun. Two may have the same request: MPICH gives one to all that have ended
 * before it returns them. */
struct pending {
    MPI_Request request;
    int index;             /* in all */
    int is_persistent;     /* stays when it has ended */
    int64_t began_ns;      /* 0: a persistent one that is not under way */
    struct pending *after; /* in its list */
};

enum { LISTS = 256 };
static struct pending *pending[LISTS];
static int n_pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct pending **list_of(MPI_Request request)
{
    const uint64_t h = (uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15);
    return &pending[h >> 56];
}

/* Where the pointer to the first of a request is: one that is under way, or not. */
static struct pending **find(MPI_Request request, int under_way)
{
    struct pending **p = list_of(request);
    while (*p && ((*p)->request != request || ((*p)->began_ns != 0) != under_way))
        p = &(*p)->after;
    return p;
}

static void drop(struct pending **p)
{
    struct pending *gone = *p;
    *p = gone->after;
    free(gone);
    __atomic_fetch_sub(&n_pending, 1, __ATOMIC_RELAXED);
}

void counted_end(enum counted_why why, enum counted_form form, enum counted_kind kind,
                 int64_t began_ns, MPI_Request *request)
{
    if (!began_ns)
        return;
    const int i = index_of(library_get() ? why : WHY_SESSION, form, kind);
    const int is_persistent = form == FORM_INIT || form == FORM_INIT_C;
    if (!request) {
        add(i, 1, clock_now() - began_ns);
        return;
    }
    struct pending *p = memory_zeros(1, sizeof *p);
    *p = (struct pending){ *request, i, is_persistent, is_persistent ? 0 : began_ns, NULL };
    add(i, !is_persistent, 0);
    pthread_mutex_lock(&lock);
    struct pending **list = list_of(*request);
    p->after = *list;
    *list = p;
    __atomic_fetch_add(&n_pending, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void waited_begin(struct waited *w, int n, const MPI_Request *requests)
{
    w->v = NULL;
    if (n <= 0 || !requests || __atomic_load_n(&n_pending, __ATOMIC_RELAXED) == 0)
        return;
    const size_t few = sizeof w->few / sizeof *w->few;
    w->v = (size_t)n <= few ? w->few : memory_zeros((size_t)n, sizeof *w->v);
    memcpy(w->v, requests, (size_t)n * sizeof *w->v);
    w->began_ns = clock_now();
}

static void clear(struct waited *w)
{
    if (w->v != w->few)
        free(w->v);
}

void waited_end(struct waited *w, int n, const int *places)
{
    if (!w->v)
        return;
    if (!n) {
        clear(w);
        return;
    }
    const int64_t now = clock_now();
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n; i++) {
        struct pending **p = find(w->v[places ? places[i] : i], 1);
        if (!*p)
            continue;
        add((*p)->index, 0, now - (*p)->began_ns);
        (*p)->began_ns = 0;
        if (!(*p)->is_persistent)
            drop(p);
    }
    pthread_mutex_unlock(&lock);
    clear(w);
}

void waited_failed(struct waited *w, int n, const MPI_Request *requests)
{
    int *places = w->v ? memory_zeros((size_t)n, sizeof *places) : NULL, ended = 0;
    for (int i = 0; places && i < n; i++)
        if (w->v[i] != MPI_REQUEST_NULL && requests[i] == MPI_REQUEST_NULL)
            places[ended++] = i;
    waited_end(w, ended, places);
    free(places);
}

void waited_started(struct waited *w, int n)
{
    if (!w->v)
        return;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n; i++) {
        struct pending *p = *find(w->v[i], 0);
        if (!p)
            continue;
        p->began_ns = w->began_ns;
        add(p->index, 1, 0);
    }
    pthread_mutex_unlock(&lock);
    clear(w);
}

void waited_freed(struct waited *w, int ok)
{
    if (!w->v)
        return;
    pthread_mutex_lock(&lock);
    struct pending **p = find(w->v[0], 0);
    if (ok && *p)
        drop(p);
    pthread_mutex_unlock(&lock);
    clear(w);
}

const struct counted *counted_all(void)
{
    return all;
}

static const char *reason(enum counted_form form, enum counted_kind kind)
{
    return form >= FORM_PLAIN_C        ? "large counts"
           : form == FORM_I            ? "does not block"
           : form == FORM_INIT         ? "persistent"
           : kind == COUNTED_ALLTOALLW ? "a type for each rank"
           : kind > COUNTED_ALLTOALLW  ? "neighbours"
                                       : "";
}

void counted_name(int i, char name[48], const char **why)
{
#define COUNTED_WORDS(KIND, Name, name, SHAPE) { #Name, #name },
    static const char *const words[][2] = { MPI_CALLS(COUNTED_WORDS) };
    static const char *const reasons[N_WHYS] = { [WHY_INTER] = "intercommunicator",
                                                 [WHY_WRONG] = "wrong arguments",
                                                 [WHY_PMPI] = "called by its name with P",
                                                 [WHY_SESSION] = "without MPI_Init" };
    const enum counted_kind kind = (enum counted_kind)(i % N_COUNTED_KINDS);
    const enum counted_form form = (enum counted_form)(i / N_COUNTED_KINDS % N_FORMS);
    const int is_large = form >= FORM_PLAIN_C, plain = (int)form % FORM_PLAIN_C;
    snprintf(name, 48, "MPI_%s%s%s%s", plain == FORM_I ? "I" : "", words[kind][plain == FORM_I],
             plain == FORM_INIT ? "_init" : "", is_large ? "_c" : "");
    *why = i < N_FORMS * N_COUNTED_KINDS ? reason(form, kind)
                                         : reasons[i / (N_FORMS * N_COUNTED_KINDS)];
}
