/* SPDX-License-Identifier: BSD-3-Clause */
/* execute.h - runs a communication schedule (schedules/schedule.h) over point-to-point MPI.
 *
 * executor_new() walks my rank's rounds once and lays them out flat: addresses, counts, peers,
 * request slots, and which receives of a round may be posted while the round before is still
 * running. executor_run() then only calls MPI: it allocates nothing, decides nothing and computes
 * no address.
 *
 * An executor owns its arrays and its scratch buffer; it borrows the communicator and the caller's
 * buffers until executor_free(). All messages carry one tag, so runs on one communicator match
 * first in, first out; give it a communicator of its own. Errors of MPI come back as MPI's error
 * codes when the communicator's handler returns (MPI_ERRORS_RETURN). */
#pragma once

#include <mpi.h>

#include "workloads/simulated/simulated_cost.h"
#include "workloads/schedules/schedule.h"

struct executor;

/* Where the schedule's buffers are. A buffer that this rank's schedule does not touch may be NULL;
 * TEMP may be NULL: the executor then has its own. pretends: in a simulation
 * without data checks, local work moves no data, and every message is at its
 * buffer's beginning. in_place: this rank passed MPI_IN_PLACE: its input is in RECV
 * at the start, as MPI defines; in a scatter, the root's part stays in SEND. */
struct execute_buffers {
    void *at[N_BUFFERS];
    int pretends, in_place;
};

/* How OP_REDUCE combines: inout[i] := in[i] op inout[i] over so many bytes (a whole number of
 * elements; the schedule cuts at element boundaries). Where apply is NULL, MPI's own operation. */
struct execute_reduce {
    void (*apply)(void *inout, const void *in, size_t bytes);
    MPI_Datatype type;
    MPI_Op op;
    size_t element_bytes; /* from one element to the next */
};

/* MPI_BXOR of bytes. */
extern const struct execute_reduce execute_xor_bytes;

/* Prepares a checked schedule (schedule_init) for this rank of comm, whose size is s->procs. reduce
 * may be NULL where the schedule reduces nothing. Returns NULL with *err set: sizes differ, an
 * operation outside its buffer, a message above 2 GiB - 1, out of memory. Local: no communication.
 */
struct executor *executor_new(const struct schedule *s, MPI_Comm comm,
                              const struct execute_buffers *buffers,
                              const struct execute_reduce *reduce, struct err *err);

/* In a simulation: local work costs what *charges says (borrowed). */
void executor_charge(struct executor *ex, const struct charges *charges);

/* The caller's buffers within `bytes` bytes from `from` are, from the
 * next run on, at the same offset from `to`. Call it between runs. */
void executor_move(struct executor *ex, const char *from, size_t bytes, char *to);

/* The caller's buffers (all but TEMP) are here from the next run on, each as large as before. */
void executor_place(struct executor *ex, void *const at[N_BUFFERS]);

/* Runs the collective once. Returns MPI_SUCCESS or the first MPI error code. After
 * an error no receive of it is pending, but messages of other ranks may be in
 * flight: replace the communicator before another schedule runs (team_renew). */
int executor_run(struct executor *ex);

/* Frees; NULL is fine. */
void executor_free(struct executor *ex);
