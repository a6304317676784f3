/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/jobfile.h"

#include "harness/base/argv.h"

enum {
    WARN_S = 60
}; /* before its time limit a task is told, so that it can say so; a fifth of a
      limit below five minutes */

int jobfile_check(const struct jobfile *f, struct err *err)
{
    const char *const paths[] = { f->cwd, f->program, f->clusters, f->results, f->build, f->jobs };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (strpbrk(paths[i], "\\\n\r"))
            return err_usage(err,
                             "the path '%.200s' has a backslash or the end of a line in it, which "
                             "sbatch files cannot hold",
                             paths[i]);
    return 0;
}

/* Words for the shell; the list is empty then. */
static void put_words(FILE *out, struct argv *words)
{
    char *text = argv_text(words);
    fputs(text ? text : "", out);
    free(text);
    argv_free(words);
}

static void put_shell(FILE *out, const char *word)
{
    struct argv one = { 0 };
    argv_add(&one, "%s", word);
    put_words(out, &one);
}

/* A word for sbatch, as a value: in double quotes where it is not plain. */
static void put_value(FILE *out, const char *value)
{
    int plain = *value && !strpbrk(value, " \t'\"\\#");
    if (plain) {
        fputs(value, out);
        return;
    }
    putc('"', out);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            putc('\\', out);
        putc(*value, out);
    }
    putc('"', out);
}

/* --output and --error take %A and the like, so a path's own '%' is doubled. */
static void put_output(FILE *out, const char *dir, const char *name)
{
    char path[2 * PATH_SIZE];
    size_t n = 0;
    for (const char *p = dir; *p && n + 2 < sizeof path; p++) {
        if (*p == '%')
            path[n++] = '%';
        path[n++] = *p;
    }
    snprintf(path + n, sizeof path - n, "/%s", name);
    fputs("#SBATCH --output=", out);
    put_value(out, path);
    putc('\n', out);
}

static void put_option(FILE *out, const char *name, const char *value)
{
    if (!*value)
        return;
    fprintf(out, "#SBATCH --%s=", name);
    put_value(out, value);
    putc('\n', out);
}

void jobfile_put_extra(FILE *out, const char *extra)
{
    int open = 0;
    for (const char *p = extra + strspn(extra, " \t"); *p; p += strspn(p, " \t")) {
        size_t n = strcspn(p, " \t");
        if (*p == '-' || !open)
            fprintf(out, "%s#SBATCH", open ? "\n" : "");
        fprintf(out, " %.*s", (int)n, p);
        open = 1;
        p += n;
    }
    if (open)
        putc('\n', out);
}

void jobfile_print_time(FILE *out, double seconds)
{
    long minutes = lround(seconds / 60);
    fprintf(out, "%ld:%02ld:00", minutes / 60, minutes % 60);
}

/* Where the time limit comes from. */
static void put_limit(FILE *out, const struct jobfile *f, const struct job_array *a)
{
    char text[32];
    const struct estimate *e = &a->longest;
    double free_s = estimate_limit(e, f->cluster->time_limit, 0);
    fputs("# Time limit: ", out);
    if (e->unknown)
        fprintf(out, "nothing is known of %zu point%s, so the cluster file's time_limit\n",
                COUNTED(e->unknown));
    else
        fprintf(out, "%g x %s + %d s to start, at least %d min, for the longest task\n",
                BOUND_SAFETY, format_duration(e->seconds, text, sizeof text), BOUND_START_S,
                ESTIMATE_LEAST_S / 60);
    fprintf(out, "#   (its points: %zu as they took before, %zu from a simulation, %zu at most)\n",
            e->measured, e->simulated, e->bounded);
    if (e->doubled)
        fprintf(out, "#   doubled %d time%s: it ran out of time before it finished a point\n",
                e->doubled, plural(e->doubled));
    if (a->limit_s < free_s)
        fprintf(out,
                "#   cut to what a job may ask for: what does not fit is for the next submit\n");
}

static void put_by_hand(FILE *out, const struct jobfile *f, const char *name, const char *rest)
{
    fputs("# By hand:  ", out);
    if (*f->conf) {
        fputs("SLURM_CONF=", out);
        put_shell(out, f->conf);
        putc(' ', out);
    }
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.sbatch", f->jobs, name);
    fputs("sbatch ", out);
    put_shell(out, path);
    fprintf(out, "%s\n", rest);
}

static void put_comment(FILE *out, const struct jobfile *f, const struct job_array *a)
{
    fprintf(out, "# Cluster %s, study %s: measures with %s on %d node%s.\n", f->cluster->name,
            f->study->name, a->mpi, a->nodes, plural(a->nodes));
    fprintf(out,
            "# Task i measures what the launch in line i of %s.tasks still lacks: %zu of %zu\n",
            a->name, a->tasks, a->n);
    fprintf(out, "# launches, %zu point%s when this was written. Nothing is measured twice.\n",
            COUNTED(a->points));
    put_by_hand(out, f, a->name, "   (--array=2: only line 2)");
    put_limit(out, f, a);
    fputs("# Written by `collsel measure submit`, which writes it anew.\n", out);
}

void jobfile_put_site(FILE *out, const struct cluster *c, const char *exclude)
{
    put_option(out, "partition", c->partition);
    put_option(out, "account", c->account);
    put_option(out, "qos", c->qos);
    put_option(out, "reservation", c->reservation);
    put_option(out, "constraint", c->constraint);
    put_option(out, "exclude", exclude);
}

void jobfile_exclude(const struct jobfile *f, char *buf, size_t size)
{
    const char *always = f->cluster->exclude;
    snprintf(buf, size, "%s%s%s", always, *always && *f->exclude ? "," : "", f->exclude);
}

static void put_site(FILE *out, const struct jobfile *f)
{
    char all[2 * KEY_TEXT_MAX];
    jobfile_exclude(f, all, sizeof all);
    jobfile_put_site(out, f->cluster, all);
}

/* Whole nodes: every core a task, so that any number of ranks up to that can be started; shared
 * nodes: as many as the largest launch has ranks. */
static void put_nodes(FILE *out, const struct jobfile *f, const struct job_array *a)
{
    int cores = cluster_node_cores(f->cluster);
    int tasks = f->cluster->exclusive ? cores : a->ppn < cores ? a->ppn : cores;
    fprintf(out, "#SBATCH --nodes=%d\n#SBATCH --ntasks=%d\n#SBATCH --ntasks-per-node=%d\n",
            a->nodes, a->nodes * tasks, tasks);
    if (f->cluster->exclusive)
        fputs("#SBATCH --exclusive\n#SBATCH --mem=0\n", out);
    if (f->mixed_nodes)
        fprintf(out, "#SBATCH --mincpus=%d\n", cores);
}

static void put_options(FILE *out, const struct jobfile *f, const struct job_array *a)
{
    char name[ARRAY_NAME + 16];
    fprintf(out, "#SBATCH --job-name=collsel-%s-%s-%s\n#SBATCH --array=", f->cluster->name,
            f->study->name, a->name);
    array_print_range(out, a);
    if (f->throttle)
        fprintf(out, "%%%d", f->throttle);
    putc('\n', out);
    put_nodes(out, f, a);
    fputs("#SBATCH --time=", out);
    jobfile_print_time(out, a->limit_s);
    putc('\n', out);
    put_site(out, f);
    fprintf(out,
            "#SBATCH --requeue\n#SBATCH --open-mode=append\n"
            "#SBATCH --signal=B:USR1@%.0f\n",
            fmin(WARN_S, a->limit_s / 5));
    snprintf(name, sizeof name, "%s-%%A_%%a.out", a->name);
    put_output(out, f->jobs, name);
    jobfile_put_extra(out, f->cluster->extra);
}

void jobfile_put_first_line(FILE *out, const struct cluster *c)
{
    fprintf(out, "#!/bin/bash%s\n", *c->modules ? " -l" : "");
}

/* Environment Modules 3.2 end with 0 where they could not load one, and print FILE(LINE):ERROR:N:
 * what is loaded already they load again without a word. */
static const char load_each[] =
    "; do\n"
    "    module load \"$module\" && case $(module load \"$module\" 2>&1) in *:ERROR:*) false ;; "
    "esac ||\n"
    "        { echo \"collsel: cannot load module '$module' on $(uname -n): mend modules in "
    "[slurm] of the cluster file\" >&2; exit 1; }\n"
    "done\n";

void jobfile_put_lines(FILE *out, const struct cluster *c)
{
    struct argv modules = { 0 };
    if (*c->setup)
        fprintf(out, "%s\n", c->setup);
    for (const char *p = c->modules + strspn(c->modules, " \t"); *p; p += strspn(p, " \t")) {
        const size_t n = strcspn(p, " \t");
        argv_add(&modules, "%.*s", (int)n, p);
        p += n;
    }
    if (!modules.n)
        return;
    fputs("for module in ", out);
    put_words(out, &modules);
    fputs(load_each, out);
}

/* What comes before the work, the same for every job. The site's own lines run without -u: profile
 * and module scripts seldom bear it. */
static void put_setup(FILE *out, const struct jobfile *f)
{
    fputs("\nset -e\n", out);
    if (*f->conf) {
        fputs("export SLURM_CONF=", out);
        put_shell(out, f->conf);
        putc('\n', out);
    }
    fputs("cd ", out);
    put_shell(out, f->cwd);
    putc('\n', out);
    jobfile_put_lines(out, f->cluster);
    fputs("set -u\n", out);
}

/* A cluster or study by its name where that leads to the file it was read from. */
static void add_ini(struct argv *args, const char *option, const char *dir, const char *name,
                    const char *path)
{
    char usual[PATH_SIZE];
    snprintf(usual, sizeof usual, "%.4000s/%.63s.ini", dir, name);
    argv_add(args, "%s", option);
    argv_add(args, "%s", strcmp(usual, path) == 0 ? name : path);
}

/* "COLLSEL VERB --clusters DIR ...": the options that all verbs share. verb: as the shell reads it.
 */
static void put_command(FILE *out, const struct jobfile *f, const char *verb)
{
    struct argv args = { 0 };
    char studies[PATH_SIZE];
    snprintf(studies, sizeof studies, "%.4000s/studies", f->clusters);
    put_shell(out, f->program);
    fprintf(out, " %s \\\n        ", verb);
    argv_add(&args, "--clusters");
    argv_add(&args, "%s", f->clusters);
    add_ini(&args, "--cluster", f->clusters, f->cluster->name, f->cluster->path);
    if (f->study->unwritten) {
        argv_add(&args, "--study");
        argv_add(&args, "%s", f->study->name);
    } else {
        add_ini(&args, "--study", studies, f->study->name, f->study->path);
    }
    put_words(out, &args);
    fputs(" \\\n        ", out);
    argv_add(&args, "--results");
    argv_add(&args, "%s", f->results);
    argv_add(&args, "--build");
    argv_add(&args, "%s", f->build);
    put_words(out, &args);
}

/* The options of a task that is no `collsel task`. */
static void put_task(FILE *out, const struct argv *task)
{
    struct argv options = { 0 };
    for (size_t i = 1; i < task->n; i++)
        argv_add(&options, "%s", task->v[i]);
    fputs(" \\\n        ", out);
    put_words(out, &options);
}

void jobfile_write_array(FILE *out, const struct jobfile *f, const struct job_array *array)
{
    char tasks[PATH_SIZE];
    snprintf(tasks, sizeof tasks, "%s/%s.tasks", f->jobs, array->name);
    jobfile_put_first_line(out, f->cluster);
    put_comment(out, f, array);
    put_options(out, f, array);
    put_setup(out, f);
    fputs("\nlaunch=$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" ", out);
    put_shell(out, tasks);
    fputs(")\nexec ", out);
    put_command(out, f, f->task ? f->task->v[0] : "task");
    if (f->task)
        put_task(out, f->task);
    fputs(" \\\n        --launch \"$launch\"", out);
    if (!f->task)
        fprintf(out, " --digest %s --retries %d", f->digest, f->retries);
    if (strcmp(f->study->plan, "adaptive") == 0)
        fputs(" --plan adaptive", out);
    if (*f->study->core_budget)
        fputs(" --budget ", out), put_shell(out, f->study->core_budget);
    putc('\n', out);
}

static void put_collect_options(FILE *out, const struct jobfile *f)
{
    double limit = f->cluster->time_limit;
    if (f->most_s > 0)
        limit = fmin(limit, 60 * fmax(1, floor(f->most_s / 60)));
    fprintf(out,
            "#SBATCH --job-name=collsel-%s-%s-collect\n"
            "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --time=",
            f->cluster->name, f->study->name);
    jobfile_print_time(out, 60 * ceil(limit / 60));
    putc('\n', out);
    put_site(out, f);
    fputs("#SBATCH --requeue\n#SBATCH --open-mode=append\n", out);
    put_output(out, f->jobs, "collect-%j.out");
    jobfile_put_extra(out, f->cluster->extra);
}

void jobfile_write_collect(FILE *out, const struct jobfile *f)
{
    jobfile_put_first_line(out, f->cluster);
    fprintf(out,
            "# Cluster %s, study %s: accounts for the tasks that Slurm ended, then fits, selects\n"
            "# and reports what was measured. Measures nothing itself.\n",
            f->cluster->name, f->study->name);
    put_by_hand(out, f, "collect", "");
    fputs("# Written by `collsel measure submit`, which writes it anew.\n", out);
    put_collect_options(out, f);
    put_setup(out, f);
    fputs("\ncollsel() {\n    ", out);
    put_command(out, f, "\"$@\"");
    fprintf(out, "\n}\nstatus=0\ncollsel measure collect --retries %d || status=$?\n", f->retries);
    fputs("collsel fit\n"
          "collsel select\n"
          "collsel report --as-is\n"
          "exit \"$status\"\n",
          out);
}

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
        c = ascending(a->nodes, b->nodes);
    if (!c)
        c = ascending(a->part, b->part);
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
