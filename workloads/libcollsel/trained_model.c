/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/trained_model.h"

#include "workloads/clocks/clock.h"
#include "workloads/libcollsel/ask_program.h"
#include "workloads/libcollsel/site.h"

/* ---- asking ---- */

enum { WORDS = 24, NUMBER = 12 };
static const int64_t SLOW_NS = 10000000000; /* so long nobody waits for a failure again */

/* The command that is run: `word` ends with NULL. */
struct question {
    const char *word[WORDS];
    char procs[NUMBER], nodes[NUMBER], ppn[NUMBER];
};

static void fill_question(const struct libcollsel_settings *s, const struct comm_shape *shape,
                          int quiet, struct question *q)
{
    int n = 0;
    snprintf(q->procs, NUMBER, "%d", shape->procs);
    snprintf(q->nodes, NUMBER, "%d", shape->nodes);
    snprintf(q->ppn, NUMBER, "%d", shape->ppn);
    const char *const always[] = { s->program, "ask",    "--table", "--model", s->model,
                                   "-p",       q->procs, "--nodes", q->nodes,  "--ppn",
                                   q->ppn,     "--mpi",  MPI_NAME };
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        q->word[n++] = always[i];
    if (s->mode == LIBCOLLSEL_STAR) {
        q->word[n++] = "--likely";
        q->word[n++] = "3";
    }
    if (s->machine) {
        q->word[n++] = "--for";
        q->word[n++] = s->machine;
    }
    if (quiet)
        q->word[n++] = "-q";
    q->word[n] = NULL;
}

/* NULL with *err. */
static char *ask_once(const struct libcollsel_settings *s, const struct comm_shape *shape,
                      int quiet, struct err *err)
{
    struct question q;
    fill_question(s, shape, quiet, &q);
    return ask_program(q.word, err);
}

/* Who has failed so often is not asked again, nor who has let us wait: an application may make
 * thousands of communicators. */
static char *ask(struct models *models, const struct libcollsel_settings *s,
                 const struct comm_shape *shape, struct err *err)
{
    if (models->failures < MODEL_FAILURES) {
        const int64_t began_ns = clock_now();
        models->failed = (struct err){ .text = "" };
        char *text = ask_once(s, shape, models->n > 0, &models->failed);
        if (text && *models->failed.text) {
            fprintf(stderr, "collsel: %s; its answer is used\n", models->failed.text);
            models->failures = MODEL_FAILURES;
        }
        if (text)
            return text;
        models->failures += clock_now() - began_ns < SLOW_NS ? 1 : MODEL_FAILURES;
    }
    *err = models->failed;
    return NULL;
}

/* ---- tables ---- */

static struct model_known *find(struct models *models, const struct comm_shape *shape)
{
    for (size_t i = 0; i < models->n; i++) {
        const struct comm_shape *s = &models->v[i].shape;
        if (s->procs == shape->procs && s->nodes == shape->nodes && s->ppn == shape->ppn)
            return &models->v[i];
    }
    return NULL;
}

/* What rank 0 tells the others. */
struct told {
    int length; /* -1: why not */
    struct err err;
};

/* The text that the first rank knows, or asks for, on all ranks; to be freed. */
static char *share(struct models *models, const struct model_known *known,
                   const struct comm_shape *shape, const struct libcollsel_settings *s,
                   MPI_Comm comm, struct err *err)
{
    struct told told = { .length = -1 };
    char *text = NULL;
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        text = known ? memory_text(known->text) : ask(models, s, shape, &told.err);
        told.length = text ? (int)strlen(text) : -1;
    }
    PMPI_Bcast(&told, (int)sizeof told, MPI_BYTE, 0, comm);
    if (told.length < 0) {
        *err = told.err;
        return NULL;
    }
    if (rank > 0)
        text = memory_zeros((size_t)told.length + 1, 1);
    PMPI_Bcast(text, told.length, MPI_BYTE, 0, comm);
    return text;
}

/* Keeps it; where no room is left, or another table of the shape is kept, the caller does. Takes
 * the text. */
static const struct choice_table *keep(struct models *models, const struct comm_shape *shape,
                                       char *text, struct choice_table **own, struct err *err)
{
    struct choice_table *table = choice_table_parse(text, strlen(text), "the model's table", err);
    if (!table || models->n == MODEL_SHAPES || find(models, shape)) {
        free(text);
        *own = table;
        return table;
    }
    *(struct model_known *)array_add(&models->v, &models->n) =
        (struct model_known){ .shape = *shape, .text = text, .table = table };
    return table;
}

/* Of no text 0. */
static uint64_t number_of(const char *text)
{
    return text ? fs_digest(text, strlen(text)) : 0;
}

/* Do all ranks know the same text? They may have it from ranks that read different files. */
static int all_know(const char *text, MPI_Comm comm)
{
    const uint64_t mine[2] = { number_of(text), ~number_of(text) };
    uint64_t least[2];
    PMPI_Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, comm);
    return least[0] != 0 && least[0] == ~least[1];
}

static const struct choice_table *table_of(struct models *models,
                                           const struct libcollsel_settings *s,
                                           const struct comm_shape *shape, MPI_Comm comm,
                                           struct choice_table **own, struct err *err)
{
    const struct model_known *known = find(models, shape);
    *own = NULL;
    if (all_know(known ? known->text : NULL, comm))
        return known->table;
    if (models->is_closed && models->n > 0) {
        err_set(err, "the model was not used: with MPI_THREAD_MULTIPLE it is for communicators "
                     "of the shape of MPI_COMM_WORLD alone");
        return NULL;
    }
    char *text = share(models, known, shape, s, comm, err);
    if (!text || !known || strcmp(text, known->text) != 0)
        return text ? keep(models, shape, text, own, err) : NULL;
    free(text);
    return known->table;
}

int models_begin(struct models *models, const struct libcollsel_settings *settings, MPI_Comm comm,
                 const struct comm_shape *shape, struct err *err)
{
    struct choice_table *own;
    return table_of(models, settings, shape, comm, &own, err) ? 0 : -1;
}

const struct choice_table *models_table(struct models *models,
                                        const struct libcollsel_settings *settings, MPI_Comm comm,
                                        const struct comm_shape *shape, struct choice_table **own,
                                        struct err *err)
{
    if (shape->nodes > 0)
        return table_of(models, settings, shape, comm, own, err);
    *own = NULL;
    err_set(err, "the model was not used: where a rank is that MPI_COMM_WORLD has not is not "
                 "known");
    return NULL;
}

void models_clear(struct models *models)
{
    for (size_t i = 0; i < models->n; i++) {
        free(models->v[i].text);
        choice_table_free(models->v[i].table);
    }
    free(models->v);
    *models = (struct models){ .n = 0 };
}
