/* SPDX-License-Identifier: BSD-3-Clause */
/* section_common.h - common to all sections: the grid of a context, names and headings per
 * context, the reference figures at hand. */
#pragma once

#include "reports/reference.h"
#include "reports/section.h"
#include "reports/style.h"

/* With more contexts (collectives, libraries, mappings)
 * than this, minor figures are loaded from their files. */
enum { MANY_CONTEXTS = 4 };

enum { MOST_PROCS = 512, MOST_BYTES = 128, MOST_SERIES = 48 };

/* Process counts and sizes that occur, ascending. */
struct grid {
    int procs[MOST_PROCS];
    size_t n_procs;
    uint64_t bytes[MOST_BYTES];
    size_t n_bytes;
    int root;        /* the study's (smallest) root */
    int legend_rows; /* of a heat map; 0: two at most */
};

/* The cells of selection.csv in a context: of one purpose, or of any (NULL). */
void grid_find(const struct report_data *data, const struct context *context, const char *purpose,
               struct grid *grid);

/* The best row of the cell, or any selector's; NULL where the cell was not decided. */
const struct selection *grid_cell(const struct report_data *data, const struct context *context,
                                  const struct grid *grid, int procs, uint64_t bytes,
                                  const char *selector);

/* Cells of a purpose with a best candidate but no time of
 * the selector's choice: its loss there is not known. */
size_t cells_unknown(const struct report_data *data, const struct context *context,
                     const char *selector, const char *purpose);

/* The comparable model with the least loss, except the n taken ones.
 * Two models are compared on the cells in which both chose; models
 * that use the times of these cells come last. NULL: none is left. */
const struct model *next_model(const struct report_data *data, const struct context *context,
                               const struct model *const *taken, size_t n);

/* The model whose choices are shown beside the default's: the first of the table where it can be
 * compared (the paper's), else next_model. NULL: no model chose. */
const struct model *main_model(const struct report_data *data, const struct context *context);

/* Tells by the study's samples whether a loss is tied, as everywhere (judge_loss). A page is
 * written all the same where samples cannot be read: then nothing tells. */
struct page_judge {
    struct judge judge;
    int works; /* what it needs could be read */
};

/* Opens the study's samples; a simulation and an imported set have none and need none. Where they
 * cannot be read there is no error: page_judge_tied then says that it is not known. */
void page_judge_open(const struct report_data *data, struct page_judge *judge);

void page_judge_close(struct page_judge *judge);

/* 1: tied, 0: slower for certain; STAT_NA: not known. */
int page_judge_tied(const struct page_judge *judge, const struct measured *chosen,
                    const struct measured *best);

/* The number of a context among the study's, by which the page's script knows it; -1:
 * none of them. */
int context_number(const struct report_data *data, const struct context *context);

/* "table3", or "table3-openmpi-core" where there are several contexts,
 * "table3-COLLECTIVE-openmpi-core" where there are several collectives. A text of `brief`
 * (style.h), as are all below, or base. */
const char *scoped_name(const struct report_data *data, const struct context *context,
                        const char *base);

/* page_table_new and figure_begin (page.h) of a context: name and caption are scoped. */
struct table *scoped_table(const struct page *page, const struct context *context, const char *base,
                           const char *caption, ...) __attribute__((format(printf, 4, 5)));
void scoped_figure(struct figure *f, struct page *page, const struct context *context,
                   const char *base, int width, int height, const char *const *columns,
                   const char *title);

/* 1 when a row timed a candidate in a cell of the context. */
int section_common_is_time(const struct measured *row, const struct context *context);

/* The rows that did, those of a cell one after the other, by candidate. *n of them; to be freed. */
const struct measured **section_common_times(const struct report_data *data,
                                             const struct context *context, size_t *n);

/* The end of the cell of row i. */
size_t section_common_cell_end(const struct measured *const *row, size_t n, size_t i);

/* Writes "### Open MPI, mapping `core`" where there are several contexts. */
void section_common_heading(struct page *page, const struct context *context, const char *prefix);

/* "broadcast" for a collective; its name if it has no word. */
const char *collective_word(const char *collective);

/* "MPI_Bcast"; without MPI_ of a library that is no MPI. */
const char *context_call(const struct context *context);

/* 1 where the label of an algorithm needs its library: there are several, or portable schedules. */
int shows_library(const struct report_data *data);

/* 1 when the algorithm is a schedule of ours over a library's point-to-point calls. */
int is_portable(const char *algorithm);

/* 1 when the algorithm is one of the context's library: neither portable nor another library's. */
int is_own(const struct candidate *candidate, const struct context *context);

/* As algorithm_label, with where it comes from: "binomial, native", "binomial, portable"; of
 * another library that one's name. Of a simulation, which has no library, the label alone. */
const char *origin_label(const struct report_data *data, const char *algorithm,
                         const struct context *context);

/* The adjective for times of a backend: "simulated", "emulated", "planted",
 * "measured"; and for those of the study, where d->emulated counts, too. */
const char *backend_word(const char *backend);
const char *times_word(const struct report_data *data);

/* "Open MPI", "MPICH", "SMPI". */
const char *mpi_label(const char *mpi);

/* "gros, simulated by SimGrid SMPI, Open MPI, mapping core" for titles inside figures: safe
 * within a gnuplot string. */
const char *section_common_title(const struct report_data *data, const struct context *context);

/* What a paper has printed, from the assets: the file of a schema. An error sticks in the page and
 * there is none. Its row is to be freed. */
struct reference page_reference(struct page *page, const struct schema *schema);

/* Those of them that are of a context's collective: the paper printed broadcasts. */
const struct reference *scoped_reference(const struct reference *reference,
                                         const struct context *context);

/* One curve of a figure: an algorithm with one segment size. Borrows the name. */
struct series {
    const char *algorithm;
    uint64_t segment_bytes;
};

/* Adds a candidate's series to the n (at most MOST_SERIES) there are, unless it is among them.
 * Returns how many there are then. */
size_t series_add(struct series *series, size_t n, const struct candidate *candidate);

/* Sorts them in the order of all legends: that of the table of styles. */
void series_sort(struct series *series, size_t n);

/* For people; with the segment where the algorithm has several. */
const char *series_label(const struct series *series, size_t n, size_t k, int with_library);

/* gnuplot's dash type: dashed for portable ones beside native ones, and one more for each before it
 * that has the same marker (the same algorithm with another segment), so that colour never stands
 * alone. */
int series_dash(const struct report_data *data, const struct series *series, size_t k);

/* Index into procs that is nearest to wanted, the larger of two. n >= 1. */
size_t nearest(const int *procs, size_t n, int wanted);

/* "a", "a and b", "a, b and c". Writes the i-th separator of n. */
const char *list_separator(size_t i, size_t n);

/* Adds notes below a table that explain the marks of its
 * models (chosen_mark, no_test_mark), if it has any. */
struct table;
void note_marks(struct table *t);

/* 1 when a selector's choice in a cell of the study is the best or
 * not significantly slower: the meaning of "tied" on a page. */
int choice_is_tied(const struct report_data *data, const struct cell *cell, const char *selector);

enum { MOST_KINDS = 8, MOST_SIZES = 3 };

/* A collective of a library. */
struct kind {
    char collective[NAME_SIZE], mpi[NAME_SIZE];
};

/* 1 when the cell is of it. */
int is_kind(const struct cell *cell, const struct kind *kind);

/* 1 when the regression is over enough process counts to be drawn; the study has one. */
int regression_is_drawn(const struct regression_row *row);
int regressions_apply(const struct report_data *data);

/* The collectives and libraries that have; returns how many (at most MOST_KINDS). */
size_t regression_kinds(const struct report_data *data, struct kind *kind);

/* Up to MOST_SIZES of its message sizes, ascending: small, middle, large. */
size_t regression_sizes(const struct report_data *data, const struct kind *kind, uint64_t *bytes);

/* "latency-COLLECTIVE-8", with the library where there are several; bytes 0: of all sizes. */
const char *regression_name(const struct report_data *data, const struct kind *kind,
                            const char *base, uint64_t bytes);
