/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - rules files of MPI libraries: models how a library reads a file, finds the
 * rule that decides a call, and finds errors in the file.
 *
 * One row per reader, that is, per file syntax of a range of releases; a new reader is one file
 * here and one line in readers.c. The readers behave like the library's code, mistakes included;
 * but a file that the library drops silently is reported here. Facts are from the sources of the
 * releases, compared with the live libraries by tests/rules. Nothing here runs MPI. */
#pragma once

#include "harness/study/point.h"

enum { RULES_TEXT = 400 };

/* Origin of a call: the program, or component han in
 * its communicators between nodes or inside a node. */
enum rules_level { RULES_GLOBAL, RULES_INTER, RULES_INTRA };

/* A call: an operation that commutes, the first rank is the root. */
struct rules_call {
    const char *collective;
    int procs;
    int nodes, ppn; /* 0: not known, treated as one node */
    uint64_t bytes; /* per process, as the call names it (of an allgather one rank's block) */
    enum rules_level level; /* procs, nodes and ppn always refer to the program's communicator */
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

/* The answer of a reader to a call. */
struct rules_answer {
    enum rules_outcome outcome;
    int line;                  /* of the rule that decided; 0: none did */
    uint64_t size;             /* that was compared with the rules */
    long id;                   /* as the rule has it; 0: none */
    char algorithm[NAME_SIZE]; /* in the library's spelling; for its own
                                  decision the algorithm, "" if not known */
    long segment_bytes, fanout;
    long requests;        /* concurrent requests, if the rule limits them; else 0 */
    char runs[NAME_SIZE]; /* algorithm that silently runs instead; "": none */
    int by_element;       /* 1: the size of an element may have decided */
    char why[RULES_TEXT];
};

enum rules_severity {
    RULES_NOTE,    /* good to know */
    RULES_WARNING, /* has another effect than written */
    RULES_ERROR,   /* not loaded; or a call fails, hangs or gives wrong results */
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
 * MPI's, a variable of MPICH's); value NULL: the file's path, with this
 * ending (NULL: none). off: the value in a parameter file that undoes
 * it for all jobs; NULL: it has no effect without the others. */
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
    int loaded;                  /* 0: the library drops it and uses its own decisions */
    int dies;                    /* line that ends the program when the file is read; 0: none */
    uint64_t element_bytes;      /* of the calls that are asked about */
    const struct rules *device;  /* of MPICH: of a file that decides before; NULL: none. Borrowed */
};

struct rules_reader {
    const char *name;         /* "openmpi-4.1" */
    const char *help;         /* which files of which releases */
    const char *library;      /* "openmpi": of the algorithms (harness/study/libraries/natives.h) */
    const char *version;      /* a release with this reader, for its algorithms */
    const char *from, *below; /* releases with this reader: from <= r < below. Others have
                                 another reader or none. NULL: not of a library's releases */
    int requests;             /* 1: a rule may limit concurrent requests */
    const char *component;    /* component of the files, if not `tuned`: "han"; or NULL */
    const struct rules_reader *twin; /* reader of the release's other component; NULL */
    struct rules_classic classic;    /* of a reader of files of numbers */
    const struct han_release *han;   /* of a reader of han's files; NULL: it is another one */
    const char *sim; /* the name of its own decision in workloads/schedules/decision.h; NULL:
                        none is known */

    /* Reads a text, NUL-terminated: what is found goes to r->found, r->loaded is set. */
    void (*read)(struct rules *r, char *text, size_t len);

    /* The decision for a call. */
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

    /* 1: runs any algorithm with a schedule, timed under any library. Its rules have
     * names instead of numbers; write_choices makes their text, as rules_export does. */
    int schedules;
    char *(*write_choices)(const struct rules_reader *reader, const struct rules_choices *choices,
                           const char *const *remarks, struct rules_made *made, struct err *err);

    /* How to load a file (load_lines.h). load: the settings, ended by one without a name, or
     * NULL. environment: prefix of their names in the environment. params: a parameter file
     * for all jobs, or NULL. command: the command line, with %s for the path, if there are no
     * settings. rollback: a line that undoes it, if leaving out the settings is not enough. */
    const struct rules_load *load;
    const char *environment, *params, *command, *rollback;
    const char *forcing, *option; /* begin of a command line that forces one algorithm, and
                                     the option before each of its settings; NULL: none */
    int by_name;                  /* 1: algorithms have names without numbers, and a file
                                     decides everything, also the library's own decisions */
};

extern const struct rules_reader rules_openmpi40, rules_openmpi41, rules_openmpi5, rules_openmpi6,
    rules_openmpi500, rules_han41, rules_han5, rules_han6, rules_mpich40, rules_mpich41,
    rules_mpich42, rules_mpich43, rules_mpich50, rules_mpich43gpu, rules_mpich50gpu,
    rules_libcollsel;

/* All, NULL-terminated. */
extern const struct rules_reader *const rules_readers[];

/* Can files be written for it? */
int rules_reader_writes(const struct rules_reader *reader);

/* By name, or NULL. */
const struct rules_reader *rules_reader_find(const char *name);

/* The reader of a release of a library, not of a component, nor of an accelerator's memory. NULL:
 * no reader covers that release, or the version is no number. */
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

/* The command line, up to the program's name, that forces this choice for all calls
 * of the collective and all sizes in the reader's library: "mpirun --mca ...", to
 * be freed. NULL: the release has no such algorithm, or refuses it in this cell. */
char *rules_setting(const struct rules_reader *reader, const struct cell *cell,
                    const struct candidate *choice);

/* Finds the decision for a call. */
void rules_ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out);

/* For readers: explains in out->why, with the line, why a file is dropped or ends the program. */
void rules_tell_unused(const struct rules *r, struct rules_answer *out);

void rules_close(struct rules *r);
