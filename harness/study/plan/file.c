/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.csv and skipped.csv, written and read (plan.h). */
#include "harness/base/id_set.h"
#include "harness/study/plan.h"

/* A row of plan.csv; struct skipped is one of skipped.csv. */
struct plan_row {
    struct point point;
    char launch[LAUNCH_SIZE];
};

static const struct schema_column plan_columns[] = {
    COLUMN(plan_row, NAME, "launch", launch, "",
           "`<mpi>-<mapping>-<nodes>x<ppn>-p<procs>[-c<chunk>]-r<repeat>`, `procs` the size of its "
           "MPI_COMM_WORLD; empty: it cannot be measured here (skipped.csv)"),
    POINT_COLUMNS(plan_row, point),
    CONDITION_COLUMNS(plan_row, point.cell),
};

static const struct schema_column skipped_columns[] = {
    POINT_COLUMNS(skipped, point),
    COLUMN(skipped, TEXT, "reason", reason, "", "why the point cannot be measured here"),
    CONDITION_COLUMNS(skipped, point.cell),
};

SCHEMA(plan_schema, plan_row, plan_columns, "plan.csv",
       "One row per point and launch, in the order of measuring (shuffled within a launch, seed in "
       "`manifest.json`).",
       .check = point_check_row);

SCHEMA(skipped_schema, skipped, skipped_columns, "skipped.csv",
       "The points of plan.csv that are in no launch.", .check = point_check_row);

static void write_row(struct csvw *w, const char *launch, const struct point *point)
{
    struct plan_row r = { .point = *point };
    snprintf(r.launch, sizeof r.launch, "%s", launch);
    schema_row(w, &plan_schema, &r);
}

int plan_write_launch(const struct plan *plan, const struct launch *launch, const char *todo,
                      const char *path, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (schema_begin(&plan_schema, path, NULL, &f, &w, err) < 0)
        return -1;
    for (size_t i = launch->first; i < launch->first + launch->n; i++)
        if (!todo || todo[i])
            write_row(&w, launch->name, &plan->points[i]);
    return fs_commit(&f, err);
}

int plan_write(const struct plan *plan, const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    struct csvw w;
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0 ||
        schema_begin(&plan_schema, path, NULL, &f, &w, err) < 0)
        return -1;
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        for (size_t i = l->first; i < l->first + l->n; i++)
            write_row(&w, l->name, &plan->points[i]);
    }
    for (size_t i = 0; i < plan->n_skipped; i++)
        write_row(&w, "", &plan->skipped[i].point);
    if (fs_commit(&f, err) < 0 || fs_path(path, sizeof path, err, "%s/skipped.csv", dir) < 0)
        return -1;
    return schema_write(&skipped_schema, path, plan->skipped, plan->n_skipped, err);
}

/* A point belongs to its launch's library, mapping and world. */
static int check_member(const struct launch *l, const struct point *p, struct err *err)
{
    if (strcmp(l->mpi, p->cell.mpi) != 0)
        return err_set(err, "mpi: '%s' is not the launch's ('%s')", p->cell.mpi, l->mpi);
    if (strcmp(l->mapping, p->cell.mapping) != 0)
        return err_set(err, "mapping: '%s' is not the launch's ('%s')", p->cell.mapping,
                       l->mapping);
    if (l->nodes != p->cell.nodes || l->ppn != p->cell.ppn)
        return err_set(err, "nodes: %d of %d ranks are not the launch's (%d of %d)", p->cell.nodes,
                       p->cell.ppn, l->nodes, l->ppn);
    if (p->cell.procs > l->procs)
        return err_set(err, "procs: %d are more than the launch has (%d)", p->cell.procs, l->procs);
    return 0;
}

static int new_launch(struct plan *p, const char *name, struct err *err)
{
    if (plan_launch(p, name))
        return err_set(err, "launch: rows of '%s' do not stand together", name);
    struct launch *l = array_add(&p->launches, &p->n_launches);
    if (launch_parse(name, l, err) < 0)
        return err_prefix(err, "launch");
    l->first = p->n;
    return 0;
}

/* seen: the points of the launch at hand. */
static int take_row(struct plan *p, const struct plan_row *row, struct id_set *seen,
                    struct err *err)
{
    if (!*row->launch) {
        array_add(&p->skipped, &p->n_skipped)->point = row->point;
        return 0;
    }
    if (p->n_launches == 0 || strcmp(p->launches[p->n_launches - 1].name, row->launch) != 0) {
        id_set_clear(seen);
        if (new_launch(p, row->launch, err) < 0)
            return -1;
    }
    struct launch *l = &p->launches[p->n_launches - 1];
    if (check_member(l, &row->point, err) < 0)
        return -1;
    if (!id_set_add(seen, strtoull(row->point.id, NULL, 16)))
        return err_set(err, "point: '%s' stands twice in launch '%s'", row->point.id, row->launch);
    *array_add(&p->points, &p->n) = row->point;
    l->n++;
    return 0;
}

int plan_read(const char *path, struct plan *plan, struct err *err)
{
    struct schema_reader in;
    struct plan_row row;
    struct id_set seen = { 0 };
    int got;
    *plan = (struct plan){ 0 };
    if (schema_open(&in, &plan_schema, path, err) < 0)
        return -1;
    while ((got = schema_next(&in, &row, err)) == 1)
        if (take_row(plan, &row, &seen, err) < 0) {
            got = schema_fail(&in, err);
            break;
        }
    schema_close(&in);
    id_set_clear(&seen);
    if (got < 0)
        plan_free(plan);
    return got;
}
