/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"

/* ---- lines ---- */

static struct task_line *add_line(struct job_array *a, const char *name)
{
    struct task_line *l = array_add(&a->lines, &a->n);
    snprintf(l->name, sizeof l->name, "%s", name);
    return l;
}

/* The lines that an earlier submission wrote. */
static int read_tasks(struct job_array *a, const char *jobs, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/%s.tasks", jobs, a->name) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    char *text = fs_read(path, NULL, err);
    int status = text ? 0 : -1;
    for (char *p = text, *end; status == 0 && p && *p; p = end) {
        end = p + strcspn(p, "\n");
        end += *end == '\n' ? (*end = '\0', 1) : 0;
        if (strlen(p) >= LAUNCH_SIZE)
            status = err_set(err, "%s:%zu: '%.40s...' is not a launch", path, a->n + 1, p);
        else
            add_line(a, p);
    }
    free(text);
    return status;
}

/* ---- arrays ---- */

static void name_array(char name[ARRAY_NAME], const struct launch *l, int part)
{
    if (part)
        snprintf(name, ARRAY_NAME, "%.63s-%dn-%d", l->mpi, l->nodes, part);
    else
        snprintf(name, ARRAY_NAME, "%.63s-%dn", l->mpi, l->nodes);
}

/* A part of a launch's group, with the lines that its file has. NULL with *err. */
static struct job_array *add_array(struct job_arrays *all, const struct launch *l, int part,
                                   const char *jobs, struct err *err)
{
    struct job_array *a = array_add(&all->v, &all->n);
    *a = (struct job_array){ .nodes = l->nodes, .part = part };
    memcpy(a->mpi, l->mpi, sizeof a->mpi);
    name_array(a->name, l, part);
    return read_tasks(a, jobs, err) < 0 ? NULL : a;
}

static int of_group(const struct job_array *a, const struct launch *l)
{
    return a->nodes == l->nodes && strcmp(a->mpi, l->mpi) == 0;
}

static size_t group_size(const struct plan *plan, const struct launch *like)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_launches; i++)
        n +=
            plan->launches[i].nodes == like->nodes && strcmp(plan->launches[i].mpi, like->mpi) == 0;
    return n;
}

static int has_file(const struct launch *l, int part, const char *jobs)
{
    char name[ARRAY_NAME], path[PATH_SIZE];
    name_array(name, l, part);
    return fs_path(path, sizeof path, NULL, "%s/%s.tasks", jobs, name) == 0 && fs_exists(path);
}

/* A group's files that are there; where there is none, the first: without a number when all of its
 * launches find room in it. */
static int open_group(struct job_arrays *all, const struct plan *plan, const struct launch *l,
                      const char *jobs, size_t room, struct err *err)
{
    size_t before = all->n;
    for (int part = 0; part == 0 || has_file(l, part, jobs); part++)
        if (has_file(l, part, jobs) && !add_array(all, l, part, jobs, err))
            return -1;
    if (all->n > before)
        return 0;
    return add_array(all, l, group_size(plan, l) > room, jobs, err) ? 0 : -1;
}

/* The line of a launch that Slurm can reach, wherever it stands. */
static struct task_line *find_line(const struct job_arrays *all, const struct launch *l,
                                   size_t room)
{
    for (size_t i = 0; i < all->n; i++) {
        struct job_array *a = &all->v[i];
        for (size_t k = 0; of_group(a, l) && k < a->n && k < room; k++)
            if (strcmp(a->lines[k].name, l->name) == 0)
                return &a->lines[k];
    }
    return NULL;
}

/* An array of the group with room for one more line, or the next. */
static struct job_array *array_with_room(struct job_arrays *all, const struct launch *l,
                                         const char *jobs, size_t room, struct err *err)
{
    int last = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (!of_group(&all->v[i], l))
            continue;
        if (all->v[i].n < room)
            return &all->v[i];
        last = all->v[i].part;
    }
    return add_array(all, l, last + 1, jobs, err);
}

static int place_launch(struct job_arrays *all, const struct plan *plan, const struct launch *l,
                        const char *jobs, size_t room, struct err *err)
{
    int known = 0;
    for (size_t i = 0; i < all->n; i++)
        known |= of_group(&all->v[i], l);
    if (!known && open_group(all, plan, l, jobs, room, err) < 0)
        return -1;
    struct task_line *line = find_line(all, l, room);
    if (!line) {
        struct job_array *a = array_with_room(all, l, jobs, room, err);
        line = a ? add_line(a, l->name) : NULL;
    }
    if (!line)
        return -1;
    line->launch = l;
    return 0;
}

/* By library, then nodes, then part. */
static int array_order(const void *left, const void *right)
{
    const struct job_array *a = left, *b = right;
    int c = strcmp(a->mpi, b->mpi);
    if (!c)
        c = (a->nodes > b->nodes) - (a->nodes < b->nodes);
    if (!c)
        c = (a->part > b->part) - (a->part < b->part);
    return c;
}

int arrays_build(const struct plan *plan, const char *jobs, int max_array,
                 struct job_arrays *arrays, struct err *err)
{
    size_t room = (size_t)max_array - 1;
    *arrays = (struct job_arrays){ 0 };
    for (size_t i = 0; i < plan->n_launches; i++)
        if (place_launch(arrays, plan, &plan->launches[i], jobs, room, err) < 0) {
            arrays_free(arrays);
            return -1;
        }
    if (arrays->n)
        qsort(arrays->v, arrays->n, sizeof *arrays->v, array_order);
    return 0;
}

void array_sum(struct job_array *array, double fallback_s, double most_s)
{
    for (size_t i = 0; i < array->n; i++) {
        const struct task_line *l = &array->lines[i];
        if (!l->todo)
            continue;
        double limit = estimate_limit(&l->estimate, fallback_s, most_s);
        if (array->tasks == 0 || limit > array->limit_s) {
            array->limit_s = limit;
            array->longest = l->estimate;
        }
        array->ppn = l->launch->ppn > array->ppn ? l->launch->ppn : array->ppn;
        array->seconds += l->estimate.seconds + BOUND_START_S;
        array->points += l->points;
        array->tasks++;
    }
}

void array_print_range(FILE *out, const struct job_array *array)
{
    const char *comma = "";
    for (size_t i = 0; i < array->n; i++) {
        size_t last = i;
        if (!array->lines[i].todo)
            continue;
        while (last + 1 < array->n && array->lines[last + 1].todo)
            last++;
        fprintf(out, "%s%zu", comma, i + 1);
        if (last > i)
            fprintf(out, "%s%zu", last > i + 1 ? "-" : ",", last + 1);
        comma = ",";
        i = last;
    }
}

int array_write_tasks(const struct job_array *array, const char *jobs, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/%s.tasks", jobs, array->name) < 0 ||
        fs_begin(&f, path, err) < 0)
        return -1;
    for (size_t i = 0; i < array->n; i++)
        fprintf(f.file, "%s\n", array->lines[i].name);
    return fs_commit(&f, err);
}

void arrays_free(struct job_arrays *arrays)
{
    for (size_t i = 0; i < arrays->n; i++)
        free(arrays->v[i].lines);
    free(arrays->v);
    *arrays = (struct job_arrays){ 0 };
}
