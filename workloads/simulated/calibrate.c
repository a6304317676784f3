/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c - times messages between ranks 0 and 1 of an MPI job, for ci/calibrate, which makes a
 * cluster file's [messages] from them. See usage(); what is timed stands at each exchange.
 *
 * Files in DIR, rows "operation,bytes,start_s,duration_s" in the order of measuring, as SimGrid's
 * calibration program writes them (github.com/Ezibenroc/platform-calibration): PingPong.csv,
 * Isend.csv, Recv.csv; Stream.csv, whose duration is that of a message among many; and
 * Exchange.csv, messages both ways at once beside half of a round trip. All
 * durations are rank 0's. The sizes come in another random order in every repetition, so that a
 * disturbance hits all alike. */
#include <unistd.h>

#include "harness/base/rng.h"
#include "workloads/clocks/clock.h"
#include "workloads/proof/native.h"

enum { TAG = 5, STREAM_BYTES = 1 << 22, MOST_STREAM = 256 };

struct calibration {
    uint64_t largest, sizes, reps;
    double pause_s; /* rank 0 waits so long before each exchange */
    const char *dir;

    int rank;
    tick start;
    char *buf, *back;
    struct whole_file pingpong, isend, recv, stream, exchange; /* rank 0's */
};

static void usage(FILE *out)
{
    fputs("usage: calibrate DIR [LARGEST [SIZES [REPETITIONS [PAUSE]]]]\n"
          "under mpirun with two ranks, on two nodes, or on one for its loopback: times messages\n"
          "of SIZES (100) sizes from 1 byte to LARGEST (1M), REPETITIONS (20) times each, with a\n"
          "PAUSE (0s) before each; writes DIR/PingPong.csv, Isend.csv, Recv.csv, Stream.csv,\n"
          "Exchange.csv for ci/calibrate\n",
          out);
}

/* ---- messages ---- */

static void send(const struct calibration *c, int bytes, int to)
{
    MPI_Send(c->buf, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void receive(const struct calibration *c, int bytes, int from)
{
    MPI_Recv(c->buf, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void row(const struct calibration *c, struct whole_file *f, const char *operation, int bytes,
                tick from, double seconds)
{
    fprintf(f->file, "%s,%d,%.9f,%.9e\n", operation, bytes, clock_span_s(c->start, from), seconds);
}

static void wait_s(double seconds)
{
    if (seconds > 0)
        usleep((useconds_t)(seconds * 1e6 + 0.5));
}

/* A message to rank 1 and one of the same size back; keep: as rows. Returns the round trip in
 * seconds. */
static double pingpong(struct calibration *c, int bytes, int keep)
{
    if (c->rank == 1) {
        receive(c, bytes, 0);
        send(c, bytes, 0);
        return 0;
    }
    const tick begun = clock_now();
    send(c, bytes, 1);
    const tick sent = clock_now();
    receive(c, bytes, 1);
    const tick received = clock_now();
    if (keep) {
        row(c, &c->pingpong, "MPI_Send", bytes, begun, clock_span_s(begun, sent));
        row(c, &c->pingpong, "MPI_Recv", bytes, sent, clock_span_s(sent, received));
    }
    return clock_span_s(begun, received);
}

/* The start alone of a non-blocking send; an empty message back ends the exchange. */
static void isend(struct calibration *c, int bytes)
{
    MPI_Request request;
    if (c->rank == 1) {
        receive(c, bytes, 0);
        send(c, 0, 0);
        return;
    }
    const tick begun = clock_now();
    MPI_Isend(c->buf, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
    const tick started = clock_now();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    receive(c, 0, 1);
    row(c, &c->isend, "MPI_Isend", bytes, begun, clock_span_s(begun, started));
}

/* The receive of a message that has arrived: rank 0 asks for it and sleeps for three round trips.
 */
static void recv_arrived(struct calibration *c, int bytes, double round_trip_s)
{
    if (c->rank == 1) {
        receive(c, 0, 0);
        send(c, bytes, 0);
        return;
    }
    send(c, 0, 1);
    wait_s(3 * round_trip_s + 100e-6);
    const tick begun = clock_now();
    receive(c, bytes, 1);
    row(c, &c->recv, "MPI_Recv", bytes, begun, clock_span_s(begun, clock_now()));
}

/* Messages to rank 1 one after the other, 4 MiB of them but at most 256, and an empty one back: the
 * time of each when the link is busy. */
static void stream(struct calibration *c, int bytes)
{
    MPI_Request request[MOST_STREAM];
    MPI_Status status[MOST_STREAM];
    const int n = bytes > STREAM_BYTES / 2             ? 2
                  : STREAM_BYTES / bytes > MOST_STREAM ? MOST_STREAM
                                                       : STREAM_BYTES / bytes;
    if (c->rank == 1) {
        for (int i = 0; i < n; i++)
            receive(c, bytes, 0);
        send(c, 0, 0);
        return;
    }
    const tick begun = clock_now();
    for (int i = 0; i < n; i++)
        MPI_Isend(c->buf, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request[i]);
    MPI_Waitall(n, request, status);
    receive(c, 0, 1);
    row(c, &c->stream, "Stream", bytes, begun, clock_span_s(begun, clock_now()) / n);
}

/* Both ranks are here, and the pause is over. */
static void get_ready(struct calibration *c)
{
    if (c->rank == 1) {
        send(c, 0, 0);
        return;
    }
    receive(c, 0, 1);
    wait_s(c->pause_s);
}

/* Both ranks send to each other at once. Where that takes longer than one way, the two messages
 * wait for each other: in the processor, on a link of half duplex, or in the library. The
 * time is rank 0's, from the barrier to the end of its own two messages. */
static void exchange(struct calibration *c, int bytes)
{
    const double round_trip_s = pingpong(c, bytes, 0);
    get_ready(c);
    MPI_Barrier(MPI_COMM_WORLD);
    const tick begun = clock_now();
    MPI_Sendrecv(c->buf, bytes, MPI_BYTE, !c->rank, TAG, c->back, bytes, MPI_BYTE, !c->rank, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double seconds = clock_span_s(begun, clock_now());
    if (c->rank == 1)
        return;
    row(c, &c->exchange, "Half", bytes, begun, round_trip_s / 2);
    row(c, &c->exchange, "MPI_Sendrecv", bytes, begun, seconds);
}

/* ---- the run ---- */

/* 1 byte to largest in constant logarithmic steps, none twice; returns how many. */
static size_t make_sizes(const struct calibration *c, int *size)
{
    size_t n = 0;
    for (uint64_t i = 0; i < c->sizes; i++) {
        const double share = c->sizes > 1 ? (double)i / (double)(c->sizes - 1) : 1;
        const int bytes = (int)lround(pow((double)c->largest, share));
        if (n == 0 || bytes > size[n - 1])
            size[n++] = bytes;
    }
    return n;
}

static void measure(struct calibration *c, int bytes)
{
    get_ready(c);
    const double round_trip_s = pingpong(c, bytes, 1);
    get_ready(c);
    isend(c, bytes);
    get_ready(c);
    recv_arrived(c, bytes, round_trip_s);
}

static void measure_all(struct calibration *c)
{
    int *size = memory_zeros((size_t)c->sizes + 1, sizeof *size);
    struct rng rng;
    const size_t n = make_sizes(c, size);
    rng_init(&rng, 1);
    measure(c, size[n - 1]); /* connects, and is the first row of each file */
    for (uint64_t rep = 0; rep < c->reps; rep++) {
        rng_shuffle(&rng, size, n, sizeof *size);
        for (size_t i = 0; i < n; i++)
            measure(c, size[i]);
    }
    for (uint64_t bytes = 1024; bytes <= c->largest; bytes *= 4)
        for (int rep = 0; rep < 3; rep++) {
            get_ready(c);
            stream(c, (int)bytes);
        }
    for (uint64_t bytes = 65536; bytes <= c->largest; bytes *= 2)
        for (int rep = 0; rep < 9; rep++) {
            get_ready(c);
            exchange(c, (int)bytes);
        }
    free(size);
}

/* ---- files and arguments ---- */

static int begin(struct whole_file *f, const char *dir, const char *name, struct err *err)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, err, "%s/%s.csv", dir, name) < 0 ? -1
                                                                       : fs_begin(f, path, err);
}

static int begin_files(struct calibration *c, struct err *err)
{
    return c->rank == 0 && (fs_mkdirs(c->dir, err) < 0 ||
                            begin(&c->pingpong, c->dir, "PingPong", err) < 0 ||
                            begin(&c->isend, c->dir, "Isend", err) < 0 ||
                            begin(&c->recv, c->dir, "Recv", err) < 0 ||
                            begin(&c->stream, c->dir, "Stream", err) < 0 ||
                            begin(&c->exchange, c->dir, "Exchange", err) < 0)
               ? -1
               : 0;
}

static int commit_files(struct calibration *c, struct err *err)
{
    return c->rank == 0 && (fs_commit(&c->pingpong, err) < 0 || fs_commit(&c->isend, err) < 0 ||
                            fs_commit(&c->recv, err) < 0 || fs_commit(&c->stream, err) < 0 ||
                            fs_commit(&c->exchange, err) < 0)
               ? -1
               : 0;
}

static int within(const char *name, uint64_t value, uint64_t most, struct err *err)
{
    return value >= 1 && value <= most
               ? 0
               : err_usage(err, "%s %llu is out of range (want 1 to %llu)", name,
                           (unsigned long long)value, (unsigned long long)most);
}

static int parse(struct calibration *c, int argc, char **argv, struct err *err)
{
    if (argc < 2 || argc > 6)
        return err_usage(err, "%d arguments (want DIR [LARGEST [SIZES [REPETITIONS [PAUSE]]]])",
                         argc - 1);
    c->dir = argv[1];
    if ((argc > 2 && parse_bytes(argv[2], &c->largest, err) < 0) ||
        (argc > 3 && parse_u64(argv[3], &c->sizes, err) < 0) ||
        (argc > 4 && parse_u64(argv[4], &c->reps, err) < 0) ||
        (argc > 5 && parse_seconds(argv[5], &c->pause_s, err) < 0))
        return err_usage(err, "%s", err->text);
    return within("LARGEST", c->largest, 1 << 28, err) < 0 ||
                   within("SIZES", c->sizes, 10000, err) < 0 ||
                   within("REPETITIONS", c->reps, 100000, err) < 0
               ? -1
               : 0;
}

/* All ranks parse the same arguments, so all stop alike. */
static int run(int argc, char **argv, struct err *err)
{
    struct calibration c = { .largest = 1 << 20, .sizes = 100, .reps = 20, .start = clock_now() };
    int ranks, failed;
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (parse(&c, argc, argv, err) < 0)
        return -1;
    if (ranks != 2)
        return err_usage(err, "%d ranks (want 2)", ranks);
    c.buf = memory_zeros(2, (size_t)c.largest);
    c.back = c.buf + c.largest;
    failed = begin_files(&c, err) < 0;
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!failed) {
        measure_all(&c);
        failed = commit_files(&c, err) < 0;
    }
    free(c.buf);
    return failed ? -1 : 0;
}

int main(int argc, char **argv)
{
    struct err err = { 0 };
    int rank;
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int status =
        run(argc, argv, &err) < 0 ? (err.status ? err.status : EXIT_FAILED) : EXIT_DONE;
    if (status != EXIT_DONE && rank == 0) {
        fprintf(stderr, "calibrate: %s\n", err.text);
        if (status == EXIT_USAGE)
            usage(stderr);
    }
    MPI_Finalize();
    return status;
}
