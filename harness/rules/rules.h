/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - files of rules that MPI libraries load: what a library's reader makes of one, which
 * rule decides a call, and what is wrong with the file.
 *
 * One row per reader, that is, per way in which a range of releases reads files; adding one is one
 * file here and one line in readers.c. The readers do what the library's own code does, mistakes
 * included: a file that it drops without a word is dropped here with one. Facts by the sources of
 * the releases, held against the live libraries by tests/rules. Nothing here runs MPI. */
#ifndef HARNESS_RULES_RULES_H
#define HARNESS_RULES_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/err.h"
#include "harness/study/point.h"

enum { RULES_TEXT = 400 };

/* Whose call it is: a program's, or one that component han makes in its communicators between
 * nodes, or inside one. */
enum rules_level { RULES_GLOBAL, RULES_INTER, RULES_INTRA };

/* A call: elements of one byte, an operation that commutes, the first rank is the root. */
struct rules_call {
    const char *collective;
    int procs;
    int nodes, ppn; /* 0: not said, as if all were on one node */
    uint64_t bytes; /* per process, as the call names it (of an allgather one rank's block) */
    enum rules_level
        level; /* procs, nodes and ppn are of the program's communicator all the same */
};

enum rules_outcome {
    RULES_OWN,   /* the library's own decision */
    RULES_RUNS,  /* what a rule says */
    RULES_FAILS, /* the call returns an error */
    RULES_HANGS, /* it never returns */
    RULES_DIES,  /* the program ends */
    N_RULES_OUTCOMES
};

/* "own", "rule", "fails", "hangs", "dies". */
extern const char *const rules_outcome_words[];

/* What a reader makes of a call. */
struct rules_answer {
    enum rules_outcome outcome;
    int line;                  /* of the rule that decided; 0: none did */
    uint64_t size;             /* that was compared with the rules */
    long id;                   /* as the rule has it; 0: none */
    char algorithm[NAME_SIZE]; /* by the library's spelling; of its own decision what that is, ""
                                  where nobody here knows */
    long segment_bytes, fanout;
    long requests;        /* under way at a time, where the rule says it; else 0 */
    char runs[NAME_SIZE]; /* what then runs instead, silently; "": nothing else */
    char why[RULES_TEXT];
};

enum rules_severity {
    RULES_NOTE,    /* good to know */
    RULES_WARNING, /* does not do what it says */
    RULES_ERROR,   /* not loaded; or a call fails, hangs or computes wrongly */
    N_RULES_SEVERITIES
};

/* "note", "warning", "error". */
extern const char *const rules_severity_words[];

struct rules_finding {
    int line; /* 0: of the whole file */
    enum rules_severity severity;
    const char *kind; /* a word: "unread", "dead", "fails" ... (docs/tuning-files.md) */
    char text[RULES_TEXT];
};

struct rules_findings {
    struct rules_finding *v; /* owned; by line when they come from rules_open */
    size_t n;
};

/* Adds one. */
void rules_find(struct rules_findings *found, enum rules_severity severity, const char *kind,
                int line, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* A setting that makes a library load a file: its name as the library has it (a parameter of Open
 * MPI's, a variable of MPICH's); value NULL: the file's path, with this ending (NULL: none). off:
 * the value that undoes it where a file of parameters says it for all jobs; NULL: it does nothing
 * without the others. */
struct rules_load {
    const char *name, *value, *off, *ending;
};

/* What is told apart between releases in how they read Open MPI's files of numbers (classic.c). */
struct rules_classic {
    int narrow;    /* all numbers but sizes are cut to 32 bits before they are looked at */
    int versioned; /* a header may name a version, whose rows may have a fifth number */
    int shifted;   /* a block governs the sizes below its number */
};

struct han_release;   /* han.h */
struct rules_choices; /* export.h */
struct rules_made;
struct rules_reader;
struct rules_table;

/* A file as a reader has read it. */
struct rules {
    const struct rules_reader *reader;
    void *read;                  /* the reader's */
    struct rules_findings found; /* what is wrong with it */
    int loaded;                  /* 0: the library drops it, and goes by its own decisions */
    int dies;                    /* line that ends the program when the file is read; 0: none */
};

struct rules_reader {
    const char *name;         /* "openmpi-4.1" */
    const char *help;         /* which files of which releases */
    const char *library;      /* "openmpi": whose algorithms (harness/study/libraries/natives.h) */
    const char *version;      /* a release that reads so, for these */
    const char *from, *below; /* the releases that do: from <= r < below. Others are read otherwise,
                                 or by nobody here. NULL: it is of no library's releases */
    int requests;             /* 1: a rule may say how many requests are under way at a time */
    const char *component;    /* whose files these are, where that is not `tuned`: "han"; or NULL */
    const struct rules_reader *twin; /* reads files of the same release's other component; NULL */
    struct rules_classic classic;    /* of a reader of files of numbers */
    const struct han_release *han;   /* of a reader of han's files; NULL: it is another one */
    const char *sim; /* the name of its own decision in workloads/schedules/decision.h; NULL:
                        none is known */

    /* Reads a text, NUL-terminated: what is found goes to r->found, r->loaded is set. */
    void (*read)(struct rules *r, char *text, size_t len);

    /* What it makes of a call. */
    void (*ask)(const struct rules *r, const struct rules_call *call, struct rules_answer *out);

    void (*clear)(struct rules *r);

    /* Writes a table that such a reader reads (export.h); NULL: that cannot be done. */
    void (*write)(const struct rules_reader *reader, const struct rules_table *t,
                  const char *const *remarks, FILE *out);

    /* A second file that goes with it, by the ending of its name, written from the same table;
     * NULL: one is enough. */
    const char *beside;
    void (*write_beside)(const struct rules_reader *reader, const struct rules_table *t,
                         const char *const *remarks, FILE *out);

    /* 1: it runs whatever has a schedule, timed under any library; its rules have names instead of
     * numbers, and this makes their text, as rules_export does. */
    int schedules;
    char *(*write_choices)(const struct rules_reader *reader, const struct rules_choices *choices,
                           const char *const *remarks, struct rules_made *made, struct err *err);

    /* How a file is loaded (load_lines.h): the settings, up to one without a name, or NULL; what
     * stands before their names in the environment; a file of parameters that may say them for all
     * jobs, or NULL. command: the command line that does it, with %s for the path, where there are
     * no settings. rollback: a line that undoes it, where leaving out the settings is not all. */
    const struct rules_load *load;
    const char *environment, *params, *command, *rollback;
    const char *forcing, *option; /* what begins a command line that forces one algorithm, and what
                                     stands before each setting in it; NULL: there is none */
    int by_name; /* 1: algorithms have names and no numbers, and a file says all, also what the
                    library would decide by itself */
};

extern const struct rules_reader rules_openmpi40, rules_openmpi41, rules_openmpi5, rules_openmpi6,
    rules_openmpi500, rules_han41, rules_han5, rules_han6, rules_mpich40, rules_mpich41,
    rules_mpich42, rules_mpich43, rules_mpich50, rules_libcollsel;

/* All, NULL-terminated. */
extern const struct rules_reader *const rules_readers[];

/* Can files be written for it? */
int rules_reader_writes(const struct rules_reader *reader);

/* By name, or NULL. */
const struct rules_reader *rules_reader_find(const char *name);

/* The reader of a release of a library; none of a component. NULL: nobody here has read how that
 * release reads files, or the version is no number. */
const struct rules_reader *rules_reader_of(const char *library, const char *version);

/* 1 when files of some release of a library are read here. */
int rules_library_known(const char *library);

/* Reads a file as a library would. 0, or -1 with *err and nothing to clear: there is no such file,
 * or it cannot be read. A file that the library drops is read, too (r->loaded). */
int rules_open(const struct rules_reader *reader, const char *path, struct rules *r,
               struct err *err);

/* The text of such a file, to be freed; NULL with *err. */
char *rules_read(const char *path, size_t *len, struct err *err);

/* What rules_open reads, of a text, which stays the caller's. */
void rules_of_text(const struct rules_reader *reader, const char *text, size_t len,
                   struct rules *r);

/* The command line that makes the reader's library run this choice for all calls of the collective,
 * of whatever size, as far as the name of the program: "mpirun --mca ...", to be freed. NULL: there
 * is none, as the release has no such algorithm, or refuses it in this cell. */
char *rules_setting(const struct rules_reader *reader, const struct cell *cell,
                    const struct candidate *choice);

/* What decides a call. */
void rules_ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out);

/* For readers, of a file that is dropped or ends the program: why, with the line, in out->why. */
void rules_tell_unused(const struct rules *r, struct rules_answer *out);

/* Frees what it holds. */
void rules_close(struct rules *r);

#endif
