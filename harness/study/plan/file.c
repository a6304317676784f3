/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"
#include "harness/study/plan.h"

static void write_header(struct csvw *w)
{
    csvw_text(w, "launch");
    csvw_header(w, point_columns);
}

static void write_row(struct csvw *w, const char *launch, const struct point *point)
{
    csvw_text(w, launch);
    point_write(w, point);
    csvw_end(w);
}

int plan_write_launch(const struct plan *plan, const struct launch *launch, const char *todo,
                      const char *path, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    write_header(&w);
    for (size_t i = launch->first; i < launch->first + launch->n; i++)
        if (!todo || todo[i])
            write_row(&w, launch->name, &plan->points[i]);
    return fs_commit(&f, err);
}

static int write_skipped(const struct plan *plan, const char *path, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    for (const char *const *c = point_columns; *c; c++)
        csvw_text(&w, *c);
    csvw_text(&w, "reason");
    csvw_end(&w);
    for (size_t i = 0; i < plan->n_skipped; i++) {
        point_write(&w, &plan->skipped[i].point);
        csvw_text(&w, plan->skipped[i].reason);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

int plan_write(const struct plan *plan, const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    write_header(&w);
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        for (size_t i = l->first; i < l->first + l->n; i++)
            write_row(&w, l->name, &plan->points[i]);
    }
    for (size_t i = 0; i < plan->n_skipped; i++)
        write_row(&w, "", &plan->skipped[i].point);
    if (fs_commit(&f, err) < 0 || fs_path(path, sizeof path, err, "%s/skipped.csv", dir) < 0)
        return -1;
    return write_skipped(plan, path, err);
}

/* A point belongs to its launch's library, mapping and world. */
static int check_member(const struct csv *csv, const struct launch *l, const struct point *p,
                        struct err *err)
{
    if (strcmp(l->mpi, p->cell.mpi) != 0)
        return csv_fail(csv, err, "mpi: '%s' is not the launch's ('%s')", p->cell.mpi, l->mpi);
    if (strcmp(l->mapping, p->cell.mapping) != 0)
        return csv_fail(csv, err, "mapping: '%s' is not the launch's ('%s')", p->cell.mapping,
                        l->mapping);
    if (l->nodes != p->cell.nodes || l->ppn != p->cell.ppn)
        return csv_fail(csv, err, "nodes: %d of %d ranks are not the launch's (%d of %d)",
                        p->cell.nodes, p->cell.ppn, l->nodes, l->ppn);
    if (p->cell.procs > l->procs)
        return csv_fail(csv, err, "procs: %d are more than the launch has (%d)", p->cell.procs,
                        l->procs);
    return 0;
}

struct plan_reader {
    struct csv *csv;
    struct plan *plan;
    int launch_column;
    struct err *err;
};

static int new_launch(struct plan_reader *r, const char *name)
{
    struct plan *p = r->plan;
    if (plan_launch(p, name))
        return csv_fail(r->csv, r->err, "launch: rows of '%s' do not stand together", name);
    struct launch *l = array_add(&p->launches, &p->n_launches);
    if (!l)
        return err_set(r->err, "out of memory");
    if (launch_parse(name, l, r->err) < 0)
        return err_prefix(r->err, "%s:%zu: launch", csv_path(r->csv), csv_line(r->csv));
    l->first = p->n;
    return 0;
}

static int doubled(const struct plan *plan, const struct launch *l, const char *id)
{
    for (size_t i = l->first; i < l->first + l->n; i++)
        if (strcmp(plan->points[i].id, id) == 0)
            return 1;
    return 0;
}

static int read_row(struct plan_reader *r)
{
    struct plan *p = r->plan;
    struct point point;
    const char *name = csv_text(r->csv, r->launch_column);
    if (point_read(r->csv, &point, r->err) < 0)
        return -1;
    if (!*name) {
        struct skipped *s = array_add(&p->skipped, &p->n_skipped);
        if (s)
            s->point = point;
        return s ? 0 : err_set(r->err, "out of memory");
    }
    if ((p->n_launches == 0 || strcmp(p->launches[p->n_launches - 1].name, name) != 0) &&
        new_launch(r, name) < 0)
        return -1;
    struct launch *l = &p->launches[p->n_launches - 1];
    if (check_member(r->csv, l, &point, r->err) < 0)
        return -1;
    if (doubled(p, l, point.id))
        return csv_fail(r->csv, r->err, "point: '%s' stands twice in launch '%s'", point.id, name);
    struct point *added = array_add(&p->points, &p->n);
    if (!added)
        return err_set(r->err, "out of memory");
    *added = point;
    l->n++;
    return 0;
}

int plan_read(const char *path, struct plan *plan, struct err *err)
{
    *plan = (struct plan){ 0 };
    struct csv *csv = csv_open(path, point_required, err);
    if (!csv)
        return -1;
    struct plan_reader r = {
        .csv = csv, .plan = plan, .err = err, .launch_column = csv_column(csv, "launch")
    };
    int more = r.launch_column < 0 ? err_set(err, "%s: column 'launch' is missing", path) : 1;
    while (more > 0 && (more = csv_next(csv, err)) > 0)
        if (read_row(&r) < 0)
            more = -1;
    if (more == 0 && csv_truncated(csv))
        more = err_set(err, "%s: the last line is cut short", path);
    csv_close(csv);
    if (more < 0)
        plan_free(plan);
    return more;
}
