/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.h - calls of the application that the library counts and times, and does not look at.
 * One set for the process; any thread may call. */
#pragma once

#include <mpi.h>

#include "harness/base/base.h"
#include "workloads/libcollsel/mpi_calls.h"

/* A function of MPI is a kind of call in a form: the first kinds are those of call_args_which. */
#define COUNTED_KIND(KIND, Name, name, SHAPE) COUNTED_##KIND,
enum counted_kind { MPI_CALLS(COUNTED_KIND) N_COUNTED_KINDS };

enum counted_form {
    FORM_PLAIN,
    FORM_I,    /* MPI_Ibcast */
    FORM_INIT, /* MPI_Bcast_init: its starts are counted */
    FORM_PLAIN_C,
    FORM_I_C,
    FORM_INIT_C,
    N_FORMS
};

enum counted_why {
    WHY_FORM,    /* its kind and form say it */
    WHY_INTER,   /* on an intercommunicator */
    WHY_WRONG,   /* wrong arguments */
    WHY_PMPI,    /* called by its other name */
    WHY_SESSION, /* MPI_Init was not called */
    N_WHYS
};

struct counted {
    uint64_t calls, ns; /* ns: from the call's begin to its end, or to the end of what it began */
};

enum { N_COUNTED = N_WHYS * N_FORMS * N_COUNTED_KINDS };

/* Who called, by the address behind the call. */
enum caller {
    CALLER_MPI,     /* the MPI library, or this one */
    CALLER_FORTRAN, /* a library of the MPI library's for another language */
    CALLER_OTHER    /* the application, or a tool */
};
enum caller counted_caller(const void *site);

/* The time; 0: calls are not counted now. */
int64_t counted_begin(void);

/* After a call that began then. *request: what the call has begun; NULL: it has ended. */
void counted_end(enum counted_why why, enum counted_form form, enum counted_kind kind,
                 int64_t began_ns, MPI_Request *request);

/* Requests before a call that may end some of them. Small: on the stack. */
struct waited {
    MPI_Request few[16], *v; /* NULL: none of interest */
    int64_t began_ns;
};
void waited_begin(struct waited *waited, int n, const MPI_Request *requests);

/* After it: n have ended, at these places (NULL: the first ones). */
void waited_end(struct waited *waited, int n, const int *places);

/* In place of it, after a call that failed: of n those have ended that are MPI_REQUEST_NULL now. */
void waited_failed(struct waited *waited, int n, const MPI_Request *requests);

/* In place of waited_end: n persistent ones have started; one is freed if that went well. */
void waited_started(struct waited *waited, int n);
void waited_freed(struct waited *waited, int ok);

/* One more session of MPI, or (-1) one less: the number of them. */
int counted_sessions(int more);

/* What was counted so far, in N_COUNTED of them; what has not ended has no time. */
const struct counted *counted_all(void);

/* Its function and the reason for entry i of them. */
void counted_name(int i, char name[48], const char **why);
