/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.h - records of an application's collectives from all ranks, merged on rank 0:
 * printed for people, and written as JSON (docs/formats.md). Pure. */
#pragma once

#include "workloads/libcollsel/seen.h"
#include "workloads/libcollsel/site.h"

enum { PROFILE_MOST = 4096, PROFILE_CALL = 48 };

/* A call site, as in struct row_site. */
struct sent_site {
    char name[SITE_NAME];
    uint64_t calls;
    int64_t total_ns;
};

/* A row of one rank, as it is sent to rank 0: no pointers. */
struct sent_row {
    union {
        struct row_facts facts;
        struct {
            ROW_FACTS
        };
    };
    char collective[32];
    int is_world; /* its communicator has all ranks, in their order */
    struct sent_site site[ROW_SITES];
    struct row_tried tried[ROW_TRIED];
    double arrival_s[ROW_ARRIVALS]; /* by a clock that all ranks share */
};

/* The same of all ranks, of one communicator or, to be printed, of several alike. */
struct profile_row {
    struct sent_row first;  /* of the first rank with it; calls and times are sums */
    int ranks;              /* that had it */
    int n_of[ROW_ARRIVALS]; /* ranks with a recorded arrival */
    double from_s[ROW_ARRIVALS], to_s[ROW_ARRIVALS];  /* the first and the last of them */
    double base_s[ROW_ARRIVALS], sum_s[ROW_ARRIVALS]; /* one of them; the sum of all others' times
                                                         behind it */
    int alike;                                        /* further communicators; of them all: */
    int skews;                                        /* as profile_skew */
    double skew_s, most_skew_s, wait_s;
};

/* Calls that were not looked at: sums over all ranks. */
struct profile_counted {
    char call[PROFILE_CALL]; /* "MPI_Ibcast" */
    const char *why;         /* borrowed */
    uint64_t calls;
    double time_s;
};

struct profile {
    const char *mpi, *mode; /* borrowed */
    double cost;            /* of star: the share that trials may cost; 0: no bound */
    double start_s;         /* what the library took in MPI_Init */
    int procs;
    double run_s; /* from MPI_Init to MPI_Finalize; 0: not known */
    struct profile_row **v;
    size_t n;
    size_t next;   /* where the next row is likely to be found */
    uint64_t lost; /* calls on some rank without room for a row */
    struct profile_counted *counted;
    size_t n_counted;
};

/* Adds a rank's row. */
void profile_add(struct profile *profile, const struct sent_row *row);

/* Adds calls that were not looked at. */
void profile_count(struct profile *profile, const char *call, const char *why, uint64_t calls,
                   double time_s);

/* Mean and largest time between the first and the last rank's arrival, over
 * the calls recorded by every rank. Returns the number of these calls. */
int profile_skew(const struct profile_row *row, double *mean_s, double *most_s);

/* Seconds of one rank, in the mean, that it waited for the last one to arrive in all calls of a
 * row: estimated by the calls that every rank recorded. At most the time of the calls. -1: not
 * known, or a collective in which a rank need not wait for all others. */
double profile_waiting(const struct profile_row *row);

/* Makes one row of those that differ in the communicator alone, and those are of one kind: as many
 * ranks, on as many nodes, with as many on one at most. MPI_COMM_WORLD stays alone. */
void profile_merge(struct profile *profile);

/* A table with a line for each row, those that took longest first; the share of the run that each
 * collective took; then profile_print_counted. */
void profile_print(const struct profile *profile, FILE *out);

/* A line with the calls that were not looked at; or that there were none. */
void profile_print_counted(const struct profile *profile, FILE *out);

/* The same as one JSON object. */
void profile_json(const struct profile *profile, FILE *out);

/* A text in quotes, as JSON has it. */
void profile_put_text(const char *text, FILE *out);

void profile_clear(struct profile *profile);
