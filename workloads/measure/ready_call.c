/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/ready_call.h"

enum { TAG = 17, LONG_COPY = 65536 }; /* LONG_COPY: bytes; the clock sees one */

/* ---- what differs in a simulation ---- */

#ifdef MPI_IS_smpi
enum { CAN_PRETEND = 1 };

/* Local work costs simulated time. */
static void charge(struct executor *ex, const struct measure_options *o)
{
    executor_charge(ex, &o->charges);
}

static const struct cost_list *copy_costs(const struct measure_options *o)
{
    return &o->charges.copy;
}

static void *allocate(size_t bytes, int share)
{
    return share ? SMPI_SHARED_MALLOC(bytes) : malloc(bytes);
}

static void release(void *buf)
{
    SMPI_SHARED_FREE(buf);
}
#else
enum { CAN_PRETEND = 0 };

static void charge(struct executor *ex, const struct measure_options *o)
{
    (void)ex, (void)o;
}

static const struct cost_list *copy_costs(const struct measure_options *o)
{
    (void)o;
    return NULL;
}

static void *allocate(size_t bytes, int share)
{
    void *buf;
    (void)share;
    if (posix_memalign(&buf, CACHE_PAGE, bytes) != 0)
        return NULL;
    memset(buf, 0, bytes); /* touch every page before anything is timed */
    return buf;
}

static void release(void *buf)
{
    free(buf);
}
#endif

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Bytes of a buffer that a point's collective uses, whatever the algorithm; of TEMP, that its own
 * algorithm does. Of a team on a channel any rank may be one, and all but the root are alike. */
static uint64_t bytes_of(const struct point *p, const struct measure_options *o, enum op_buffer buf,
                         int world_rank)
{
    const int rank = p->channel == CHANNEL_NONE ? world_rank : world_rank > 0;
    const struct collective *c = collective_find(p->cell.collective);
    struct schedule s;
    if (!c || rank >= p->cell.procs)
        return 0;
    if (buf != BUF_TEMP)
        return collective_buffer_bytes(c, buf, p->cell.procs, p->cell.bytes, rank == p->cell.root);
    return measure_options_schedule(o, p, &s, NULL) == 0 ? schedule_temp_bytes(&s, rank) : 0;
}

/* MPI counts bytes in an int. */
static int can_be_counted(const struct point *p)
{
    const struct collective *c = collective_find(p->cell.collective);
    const uint64_t blocks = c && c->uneven ? (uint64_t)p->cell.procs : 1; /* and where they stand */
    return p->cell.bytes <= INT_MAX / blocks && p->gather_bytes <= INT_MAX;
}

static int allocate_all(struct execute_buffers *buffers, const uint64_t want[N_BUFFERS], int share,
                        struct err *err)
{
    for (int b = 0; b < N_BUFFERS; b++) {
        if (b == BUF_TEMP && !share)
            continue; /* executors have their own */
        const uint64_t bytes = (want[b] + GUARD_BYTES + CACHE_PAGE - 1) / CACHE_PAGE * CACHE_PAGE;
        if (!(buffers->at[b] = allocate(bytes, share)))
            return err_set(err, "out of memory for a buffer of %llu bytes",
                           (unsigned long long)bytes);
    }
    return 0;
}

/* Memory for the copies that are timed; a simulation needs none. */
static int allocate_copies(struct arena *arena, const struct point *points, size_t n, int rank,
                           struct err *err)
{
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++)
        if (points[i].experiment == EXP_COPY && can_be_counted(&points[i]))
            most = larger(most, points[i].cell.bytes);
    if (rank > 0 || most == 0 || CAN_PRETEND)
        return 0;
    arena->copies_bytes = copier_memory(most);
    arena->copies = allocate(arena->copies_bytes, 0);
    if (!arena->copies)
        return err_set(err, "out of memory for copies of %llu bytes", (unsigned long long)most);
    return 0;
}

/* Bytes of a rank's buffer in its place of a ring. */
static size_t in_place_of(const struct point *p, enum op_buffer buf, int rank)
{
    const struct collective *c = collective_find(p->cell.collective);
    const uint64_t bytes =
        c ? collective_buffer_bytes(c, buf, p->cell.procs, p->cell.bytes, rank == p->cell.root) : 0;
    return bytes ? cache_rounded((size_t)bytes + GUARD_BYTES, CACHE_LINE) : 0;
}

static size_t place_bytes(const struct point *p, int rank)
{
    size_t bytes = 0;
    for (enum op_buffer b = 0; b < BUF_TEMP; b++)
        bytes += in_place_of(p, b, rank);
    return bytes;
}

/* Bytes that processes of this machine may still have; SIZE_MAX where it does not tell. */
static size_t memory_available(void)
{
    char line[256];
    unsigned long long kib;
    size_t bytes = SIZE_MAX;
    FILE *in = fopen("/proc/meminfo", "re");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
            bytes = (size_t)kib * 1024;
    if (in)
        fclose(in);
    return bytes;
}

/* The ring of the points whose buffers rotate, at most half of the memory there is for all ranks of
 * a node. Without, these points fail and the others do not. */
static void allocate_ring(struct arena *arena, const struct point *points, size_t n, int rank)
{
    size_t most = 0;
    int on_node = 0;
    for (size_t i = 0; i < n; i++) {
        const struct point *p = &points[i];
        if (!cell_is_rotated(&p->cell) || !can_be_counted(p) || rank >= p->cell.procs)
            continue;
        most = larger(most, place_bytes(p, rank));
        on_node = p->cell.ppn > on_node ? p->cell.ppn : on_node;
    }
    if (CAN_PRETEND || !on_node)
        return;
    const size_t wanted = rotation_memory(most), left = memory_available() / (size_t)on_node / 2;
    if (wanted <= left)
        arena->ring = allocate(wanted, 0);
    if (arena->ring)
        arena->ring_bytes = wanted;
    else
        err_set(&arena->no_ring,
                "buffers that rotate want %zu bytes on each rank (%zu is half of what there is "
                "for each)",
                wanted, left);
}

int arena_init(struct arena *arena, const struct point *points, size_t n, int rank,
               const struct measure_options *o, size_t most_calls, struct err *err)
{
    const int share = o->no_check;
    uint64_t want[N_BUFFERS] = { 0 }, closing[N_BUFFERS] = { 0 };
    const int pretends = CAN_PRETEND && share;
    *arena = (struct arena){ .buffers.pretends = pretends,
                             .closing.pretends = pretends,
                             .most_calls = most_calls };
    for (size_t i = 0; i < n; i++) {
        const struct point *p = &points[i];
        if (!can_be_counted(p) || p->experiment == EXP_COPY)
            continue;
        for (enum op_buffer b = 0; b < N_BUFFERS; b++)
            want[b] = larger(want[b], bytes_of(p, o, b, rank));
        want[BUF_DATA] = larger(want[BUF_DATA], p->cell.bytes); /* ping-pong */
        for (enum op_buffer b = 0; b < BUF_TEMP; b++)
            closing[b] =
                larger(closing[b],
                       collective_buffer_bytes(collective_of_fan(FAN_RECEIVE), b, p->cell.procs,
                                               p->gather_bytes, p->cell.root == rank));
    }
    if (allocate_all(&arena->buffers, want, share, err) < 0 ||
        allocate_all(&arena->closing, closing, share, err) < 0)
        return -1;
    allocate_ring(arena, points, n, rank);
    return allocate_copies(arena, points, n, rank, err);
}

static void release_all(struct execute_buffers *buffers)
{
    for (int b = 0; b < N_BUFFERS; b++)
        if (buffers->at[b])
            release(buffers->at[b]);
}

void arena_clear(struct arena *arena)
{
    if (arena->ring)
        release(arena->ring);
    release_all(&arena->buffers);
    release_all(&arena->closing);
    if (arena->copies)
        release(arena->copies);
}

/* ---- what can be called ---- */

static int call_executor(void *state)
{
    return executor_run(state);
}

static int call_barrier(void *state)
{
    return sync_central(state);
}

static int call_library(void *state)
{
    const struct ready_call *t = state;
    return t->native(&t->args);
}

/* Rank 0's message to the last rank and back. */
static int call_pingpong(void *state)
{
    const struct call_args *a = state;
    void *data = a->buffers.at[BUF_DATA];
    const int bytes = (int)a->bytes, last = a->procs - 1;
    int rc = MPI_SUCCESS;
    if (a->rank == 0) {
        rc = MPI_Send(data, bytes, MPI_BYTE, last, TAG, a->comm);
        if (rc == MPI_SUCCESS)
            rc = MPI_Recv(data, bytes, MPI_BYTE, last, TAG, a->comm, MPI_STATUS_IGNORE);
    } else if (a->rank == last) {
        rc = MPI_Recv(data, bytes, MPI_BYTE, 0, TAG, a->comm, MPI_STATUS_IGNORE);
        if (rc == MPI_SUCCESS)
            rc = MPI_Send(data, bytes, MPI_BYTE, 0, TAG, a->comm);
    }
    return rc;
}

/* ---- making a point ready ---- */

static int unusable(struct ready_call *t, const char *status)
{
    t->evidence.status = status;
    return -1;
}

/* The portable algorithm: our own schedule through the executor. */
static int prepare_portable(struct ready_call *t, const struct measure_options *o, struct err *err)
{
    const struct point *p = t->point;
    struct schedule s;
    char name[MOST_NAME + 1];
    if (measure_options_schedule(o, p, &s, err) < 0)
        return unusable(t, "failed");
    t->executor = executor_new(&s, t->team->work, &t->args.buffers, &execute_xor_bytes, err);
    if (!t->executor)
        return unusable(t, "failed");
    charge(t->executor, o);
    t->first = (struct call){ call_executor, t->executor };
    struct evidence *e = &t->evidence;
    *e = (struct evidence){ .status = "ok",
                            .verified = "executed",
                            .ran_segment_bytes = s.alg->segmented ? s.segment_bytes : 0,
                            .ran_fanout = s.fanout };
    snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "portable:%s",
             schedule_name(&s, name, sizeof name));
    if (s.alg != s.asked) {
        e->status = "substituted";
        snprintf(e->reason, sizeof e->reason, "%s runs as %s for these arguments", s.asked->name,
                 s.alg->name);
    }
    return 0;
}

/* The library's own algorithm. */
static int prepare_native(struct ready_call *t, struct err *err)
{
    t->is_native = 1;
    if (native_library.force(t->point, t->team->control, &t->native_comm, err) < 0)
        return unusable(t, "invalid");
    MPI_Comm_set_errhandler(t->native_comm, MPI_ERRORS_RETURN);
    t->args.comm = t->native_comm;
    t->native = call_native(t->collective);
    if (!t->native) {
        err_set(err, "%s is not called here", t->collective->call);
        return unusable(t, "failed");
    }
    call_counts_init(&t->args, t->collective);
    t->first = (struct call){ call_library, t };
    t->proof->source = native_library.counts ? native_library.counts() : NULL;
    if (t->proof->source)
        t->gate = t->proof->source->gate;
    return 0;
}

static int prepare_collective(struct ready_call *t, const struct measure_options *o,
                              struct err *err)
{
    const char *algorithm = t->point->candidate.algorithm;
    t->has_data = 1;
    if (!t->collective) {
        err_set(err, "no collective '%s'", t->point->cell.collective);
        return unusable(t, "failed");
    }
    if (strncmp(algorithm, "portable:", 9) == 0)
        return prepare_portable(t, o, err);
    if (native_owns(algorithm))
        return prepare_native(t, err);
    err_set(err, "'%s' cannot run here (want portable:… or %s:…)", algorithm,
            native_library.library);
    return unusable(t, "failed");
}

/* The closing linear gather (Nuriyev section 4.2), in buffers of its own. */
static int prepare_gather(struct ready_call *t, const struct measure_options *o, struct err *err)
{
    const struct point *p = t->point;
    struct schedule s;
    const struct algorithm *alg = collective_closing(p->cell.collective);
    t->gather_args = t->args;
    t->gather_args.buffers = t->arena->closing;
    t->gather_args.bytes = p->gather_bytes;
    if (!alg || schedule_init(&s, alg, p->cell.procs, p->cell.root, p->gather_bytes, 0, 0, err) < 0)
        return unusable(t, "failed");
    t->gather = executor_new(&s, t->team->work, &t->gather_args.buffers, NULL, err);
    if (!t->gather)
        return unusable(t, "failed");
    charge(t->gather, o);
    t->second = (struct call){ call_executor, t->gather };
    return 0;
}

static void prepare_barrier(struct ready_call *t, struct call *which, int inner)
{
    *which = (struct call){ call_barrier, (void *)&t->team->sync };
    t->inner = inner;
    t->share = 1.0 / inner;
}

static int prepare_pingpong(struct ready_call *t, struct err *err)
{
    if (t->team->procs < 2) {
        err_set(err, "a ping-pong wants 2 ranks");
        return unusable(t, "failed");
    }
    t->args.comm = t->team->work;
    t->args.root = 0;
    t->first = (struct call){ call_pingpong, &t->args };
    t->share = 0.5;
    t->collective = collective_of_fan(FAN_SEND); /* the last rank then has what rank 0 had */
    t->has_data = 1;
    t->evidence.verified = "executed";
    return 0;
}

/* One rank copies; several times where a copy is short beside the clock. */
static void prepare_copy(struct ready_call *t, const struct measure_options *o)
{
    const uint64_t bytes = t->point->cell.bytes;
    t->copier = copier_of(bytes, t->arena->copies, t->arena->copies_bytes, copy_costs(o));
    t->first = (struct call){ copier_run, &t->copier };
    t->inner = bytes < LONG_COPY ? o->inner : 1;
    t->share = 1.0 / t->inner;
    t->evidence.verified = "executed";
}

/* Buffers in the first place of the ring. */
static int prepare_rotation(struct ready_call *t, struct err *err)
{
    const struct point *p = t->point;
    if (CAN_PRETEND || p->experiment != EXP_TIME || !t->arena->ring) {
        err_set(err, "%s",
                CAN_PRETEND      ? "a simulation has no caches"
                : t->arena->ring ? "buffers rotate in plain timings alone"
                                 : t->arena->no_ring.text);
        return unusable(t, "failed");
    }
    t->rotation = rotation_of(t->arena->ring, t->arena->ring_bytes, place_bytes(p, t->team->rank),
                              t->arena->most_calls);
    t->place = rotation_place(&t->rotation, 0);
    char *at = t->place;
    for (enum op_buffer b = 0; b < BUF_TEMP; b++) {
        const size_t bytes = in_place_of(p, b, t->team->rank);
        if (bytes)
            t->args.buffers.at[b] = at;
        at += bytes;
    }
    return 0;
}

static int prepare(struct ready_call *t, const struct measure_options *o, struct err *err)
{
    int status = 0;
    switch (t->point->experiment) {
    case EXP_BARRIER:
        prepare_barrier(t, &t->first, o->inner);
        t->evidence.verified = "executed";
        return 0;
    case EXP_PINGPONG:
        return prepare_pingpong(t, err);
    case EXP_COPY:
        prepare_copy(t, o);
        return 0;
    case EXP_GAMMA:
        status = prepare_collective(t, o, err);
        prepare_barrier(t, &t->second, o->inner);
        return status;
    case EXP_GATHER:
        status = prepare_collective(t, o, err);
        return status < 0 || prepare_gather(t, o, err) < 0 ? -1 : 0;
    default:
        return prepare_collective(t, o, err);
    }
}

int ready_call_init(struct ready_call *t, const struct point *point, const struct team *team,
                    const struct arena *arena, const struct measure_options *o, struct err *err)
{
    *t = (struct ready_call){ .point = point,
                              .team = team,
                              .arena = arena,
                              .collective = collective_find(point->cell.collective),
                              .inner = 1,
                              .share = 1,
                              .on_root = experiment_on_root(point->experiment),
                              .native_comm = MPI_COMM_NULL,
                              .evidence = { .status = "ok", .verified = "unverified" } };
    t->args = (struct call_args){ .buffers = arena->buffers,
                                  .bytes = point->cell.bytes,
                                  .root = point->cell.root,
                                  .rank = team->rank,
                                  .procs = team->procs,
                                  .seed = o->seed,
                                  .comm = MPI_COMM_NULL };
    t->proof = &t->own_proof;
    t->gate = &t->own_gate;
    if (!can_be_counted(point)) {
        err_set(err, "message of %llu bytes (want at most %d)",
                (unsigned long long)point->cell.bytes, INT_MAX);
        return unusable(t, "failed");
    }
    if (cell_is_rotated(&point->cell) && prepare_rotation(t, err) < 0)
        return -1;
    return prepare(t, o, err);
}

/* ---- buffers that rotate ---- */

/* The buffers, in another place. */
static struct execute_buffers buffers_at(const struct ready_call *t, char *place)
{
    struct execute_buffers buffers = t->args.buffers;
    for (enum op_buffer b = 0; b < BUF_TEMP; b++)
        if (in_place_of(t->point, b, t->team->rank))
            buffers.at[b] = place + ((char *)buffers.at[b] - t->place);
    return buffers;
}

void ready_call_next_buffers(struct ready_call *t)
{
    if (!t->rotation.places)
        return;
    char *place = rotation_place(&t->rotation, t->rotation.turns++);
    t->args.buffers = buffers_at(t, place);
    if (t->executor)
        executor_move(t->executor, t->place, t->rotation.stride, place);
    t->place = place;
}

void ready_call_evict(struct ready_call *t, int check)
{
    struct call_args args = t->args;
    for (size_t i = 0; check && i < t->rotation.places; i++) {
        args.buffers = buffers_at(t, rotation_place(&t->rotation, i));
        call_fill(t->collective, &args);
    }
    if (t->rotation.places)
        rotation_chill(&t->rotation);
}

int ready_call_check_places(struct ready_call *t, struct err *err)
{
    struct call_args args = t->args;
    for (size_t i = 0; i < rotation_used(&t->rotation); i++) {
        args.buffers = buffers_at(t, rotation_place(&t->rotation, i));
        if (call_check(t->collective, &args, err) < 0) {
            err_prefix(err, "call %zu", i + 1);
            return unusable(t, "failed");
        }
    }
    return 0;
}

void ready_call_clear(struct ready_call *t)
{
    executor_free(t->executor);
    executor_free(t->gather);
    call_counts_clear(&t->args);
    if (t->native_comm != MPI_COMM_NULL)
        native_library.release(&t->native_comm);
}

/* ---- the pass before timing ---- */

int ready_call_failed(int rc, struct err *err)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int len = sizeof text;
    MPI_Error_string(rc, text, &len);
    /* of a stack of errors, the innermost says what happened */
    text[strcspn(text, "\r")] = '\0';
    while ((len = (int)strlen(text)) && text[len - 1] == '\n')
        text[len - 1] = '\0';
    const char *last = strrchr(text, '\n');
    return err_set(err, "the call failed: %.200s", last ? last + 1 : text);
}

/* With one process or no bytes the libraries return before they choose an algorithm. */
static void judge_native(struct ready_call *t)
{
    struct evidence *e = &t->evidence;
    const struct cell *c = &t->point->cell;
    native_library.judge(t->point, t->team->control, t->native_comm, e);
    if (e->may_vary)
        t->proof->source = NULL;
    if (c->procs > 1 && (c->bytes > 0 || t->collective->source == FROM_NOBODY))
        return;
    *e = (struct evidence){ .status = "ok", .verified = "unverified" };
    if (algorithm_is_default(t->point->candidate.algorithm))
        return;
    e->status = "substituted";
    snprintf(e->reason, sizeof e->reason, "the library runs no algorithm for %s",
             c->procs > 1 ? "no bytes" : "one process");
}

/* A call that went wrong, on this rank; the others are still at work. */
static int call_failed(struct ready_call *t, int rc, struct err *err)
{
    if (rc == MPI_SUCCESS)
        return 0;
    ready_call_failed(rc, err);
    t->evidence.ran_algorithm[0] = '\0';
    return unusable(t, "failed");
}

/* A call outside of timing; what it adds to the counters is what each timed one must. */
static int run_counted(struct ready_call *t, const struct call *call)
{
    proof_begin(t->proof);
    ready_call_count_begin(t);
    const int rc = call->run(call->state);
    *t->gate = 0;
    proof_take(t->proof, t->inner);
    return rc;
}

int ready_call_prove(struct ready_call *t, struct err *err)
{
    if (!t->is_native)
        return 0;
    if (proof_check(t->proof, err) < 0 ||
        (native_library.holds &&
         native_library.holds(t->point, t->native_comm, &t->evidence, err) < 0))
        return unusable(t, "failed");
    return 0;
}

/* The collective, with the data that it is given and leaves where check is set. */
static int probe_first(struct ready_call *t, int check, struct err *err)
{
    /* The library's own choice may set itself up in the first call on a communicator: 6.0's han
     * looks at the nodes by an allreduce, and then leaves the calls to another component. A rank
     * where that call fails takes part in the next one, which the others have begun. */
    const int own = t->is_native && algorithm_is_default(t->point->candidate.algorithm),
              before = own ? t->first.run(t->first.state) : MPI_SUCCESS;
    if (check)
        call_fill(t->collective, &t->args);
    if (t->is_native)
        native_library.watch();
    const int rc = run_counted(t, &t->first);
    if (t->is_native)
        judge_native(t);
    if (call_failed(t, before != MPI_SUCCESS ? before : rc, err) < 0)
        return -1;
    return check && call_check(t->collective, &t->args, err) < 0 ? unusable(t, "failed") : 0;
}

/* What closes it; a gather uses buffers that the collective may have used, so that the data is the
 * gather's own. */
static int probe_second(struct ready_call *t, int check, struct err *err)
{
    const struct collective *closing = t->gather && check ? collective_of_fan(FAN_RECEIVE) : NULL;
    if (!t->second.run)
        return 0;
    if (closing)
        call_fill(closing, &t->gather_args);
    if (call_failed(t, run_counted(t, &t->second), err) < 0)
        return -1;
    return closing && call_check(closing, &t->gather_args, err) < 0 ? unusable(t, "failed") : 0;
}

int ready_call_probe(struct ready_call *t, int check, struct err *err)
{
    const int bystander = t->point->experiment == EXP_PINGPONG && t->team->rank > 0 &&
                          t->team->rank < t->team->procs - 1;
    struct err unused = { 0 };
    check = check && t->has_data && !bystander;
    const int first = probe_first(t, check, err);
    /* wrong data on one rank must not leave the others waiting for it */
    const int second = probe_second(t, check, first < 0 ? &unused : err);
    return first < 0 || second < 0 ? -1 : 0;
}
