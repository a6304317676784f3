/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/result_file.h"

#include <unistd.h>

#include "harness/base/parallel.h"

int result_write_each(const char *dir, const struct schema *schema, const char *backend, size_t n,
                      void (*put)(struct csvw *w, const void *user, size_t i), const void *user,
                      struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    struct csvw w;
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0 ||
        schema_begin(schema, path, backend, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        put(&w, user, i);
    return fs_commit(&f, err);
}

/* Rows that one thread turns into text in one go; lots whose text is in memory at one time. */
enum { LOT = 512, LOTS = 64 };

struct writing {
    const struct schema *schema;
    size_t n, next; /* rows; the first that is not written yet */
    void (*make)(size_t i, void *row, const void *user);
    const void *user;
    struct csvw w;
    char *text[LOTS];
    size_t size[LOTS];
};

static void make_lot(size_t k, void *user)
{
    struct writing *g = user;
    const size_t first = g->next + k * LOT;
    struct csvw w = g->w;
    void *row = memory_zeros(1, g->schema->row_size);
    w.file = memory_stream(&g->text[k], &g->size[k]);
    for (size_t i = first; i < first + LOT && i < g->n; i++) {
        g->make(i, row, g->user);
        schema_row(&w, g->schema, row);
    }
    if (fclose(w.file) != 0)
        memory_ends();
    free(row);
}

int result_write_made(const char *dir, const struct schema *schema, const char *backend, size_t n,
                      void (*make)(size_t i, void *row, const void *user), const void *user,
                      struct err *err)
{
    struct writing g = { .schema = schema, .n = n, .make = make, .user = user };
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0 ||
        schema_begin(schema, path, backend, &f, &g.w, err) < 0)
        return -1;
    for (size_t lots; g.next < n; g.next += lots * LOT) {
        lots = (n - g.next + LOT - 1) / LOT;
        lots = lots < LOTS ? lots : LOTS;
        parallel_for(lots, make_lot, &g);
        for (size_t k = 0; k < lots; k++) {
            fwrite(g.text[k], 1, g.size[k], f.file);
            free(g.text[k]);
        }
    }
    return fs_commit(&f, err);
}

/* Rows that are there. */
struct made {
    const char *rows;
    size_t size;
};

static void copy_row(size_t i, void *row, const void *user)
{
    const struct made *m = user;
    memcpy(row, m->rows + i * m->size, m->size);
}

int result_write(const char *dir, const struct schema *schema, const char *backend,
                 const void *rows, size_t n, struct err *err)
{
    const struct made made = { rows, schema->row_size };
    return result_write_made(dir, schema, backend, n, copy_row, &made, err);
}

int result_write_some(const char *dir, const struct schema *schema, const char *backend,
                      const void *rows, size_t n, struct err *err)
{
    char path[PATH_SIZE];
    if (n)
        return result_write(dir, schema, backend, rows, n, err);
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0)
        return -1;
    return unlink(path) == 0 || errno == ENOENT ? 0 : err_errno(err, "cannot remove '%s'", path);
}
