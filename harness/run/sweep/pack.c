/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/pack.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/install_paths.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/lock.h"
#include "harness/run/slurm/jobfile.h"
#include "harness/run/sweep/launch_command.h"
#include "harness/run/sweep/tasks.h"
#include "harness/study/plan/plan_build.h"

/* Words of a launch that are known there alone. */
#define BASE    "@BASE@"
#define BUILD   "@BUILD@"
#define RESULTS "results"

enum { TAR_S = 600, FEWEST_SOURCES = 100 };

struct packing {
    const struct sweep_request *req;
    const char *archive;
    struct sweep sweep;
    struct sweep_request asked;
    struct sweep_result counted;
    struct pack_result *result;
    char top[PATH_SIZE];           /* the temporary directory */
    char kit[PATH_SIZE];           /* the kit below it */
    char name[2 * NAME_SIZE + 32]; /* of the kit's directory */
    struct err *err;
};

static int copy(const char *from, const char *to, struct err *err)
{
    struct stat st;
    size_t len;
    char *text = fs_read(from, &len, err);
    int status = text ? fs_write(to, text, err) : -1;
    free(text);
    if (status == 0 && stat(from, &st) == 0 && (st.st_mode & S_IXUSR) && chmod(to, 0755) < 0)
        status = err_errno(err, "%s", to);
    return status;
}

/* What workloads/mpi.mk builds, and what that includes. */
static const char *const sources[] = {
    "workloads/mpi.mk",        "workloads/mpi-asked", "workloads/[!ak]*/*.[ch]", // but apps, kit
    "harness/base/*.[ch]",     "harness/study/*.h",   "harness/study/point.c",
    "harness/study/records.c",
};

/* The directory of the sources: this program's own, or as installed. */
static int find_sources(char *dir, size_t size, struct err *err)
{
    static const char one[] = "workloads/measure/measure.c";
    if (!install_path_find(one, dir, size))
        return err_set(err,
                       "the sources of the measuring program are not beside this program (want "
                       "one in its source tree, or one that make install put there)");
    dir[strlen(dir) - strlen(one) - 1] = '\0';
    return 0;
}

static int copy_sources(struct packing *p)
{
    char from[PATH_SIZE - 64], pattern[PATH_SIZE], to[PATH_SIZE];
    size_t n = 0;
    int status = find_sources(from, sizeof from, p->err);
    for (size_t i = 0; status == 0 && i < sizeof sources / sizeof *sources; i++) {
        glob_t found = { 0 };
        snprintf(pattern, sizeof pattern, "%s/%s", from, sources[i]);
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t k = 0; status == 0 && k < found.gl_pathc; k++, n++)
                status = fs_path(to, sizeof to, p->err, "%s/src/%s", p->kit,
                                 found.gl_pathv[k] + strlen(from) + 1) < 0
                             ? -1
                             : copy(found.gl_pathv[k], to, p->err);
        globfree(&found);
    }
    if (status == 0 && n < FEWEST_SOURCES)
        status = err_set(p->err, "'%s' holds %zu source files (want at least %d)", from, n,
                         FEWEST_SOURCES);
    static const char *const own[] = { "Makefile", "run.sh", "README" };
    for (size_t i = 0; status == 0 && i < sizeof own / sizeof *own; i++) {
        snprintf(pattern, sizeof pattern, "%s/workloads/kit/%s", from, own[i]);
        status = fs_path(to, sizeof to, p->err, "%s/%s", p->kit, own[i]) < 0
                     ? -1
                     : copy(pattern, to, p->err);
    }
    return status;
}

static FILE *open_file(struct packing *p, struct whole_file *f, const char *fmt, const char *name)
{
    char path[PATH_SIZE], below[PATH_SIZE / 2];
    snprintf(below, sizeof below, fmt, name); // NOLINT: fmt is ours
    if (fs_path(path, sizeof path, p->err, "%s/%s", p->kit, below) < 0 ||
        fs_begin(f, path, p->err) < 0)
        return NULL;
    return f->file;
}

/* A word for the shell, in which a mark stands for a variable. */
static void put_word(FILE *out, const char *word)
{
    static const struct {
        const char *mark, *variable;
    } marks[] = { { BASE, "base" }, { BUILD, "build" } };
    const size_t n = sizeof marks / sizeof *marks;
    putc('"', out);
    while (*word) {
        const size_t i =
            first_below(k, n, strncmp(word, marks[k].mark, strlen(marks[k].mark)) == 0);
        if (i < n) {
            fprintf(out, "${%s}", marks[i].variable);
            word += strlen(marks[i].mark);
            continue;
        }
        if (strchr("\"$`\\", *word))
            putc('\\', out);
        putc(*word++, out);
    }
    putc('"', out);
}

/* What is told of this machine is not of that one: run.sh says it there. */
static int is_of_here(const char *fact)
{
    static const char *const keys[] = { "mpi_version=", "compiler=", "host=",    "kernel=",
                                        "cpu=",         "started=",  "launcher=" };
    return any_below(i, sizeof keys / sizeof *keys, strncmp(fact, keys[i], strlen(keys[i])) == 0);
}

/* The function that starts it; its arguments are facts, "key=value". */
static void put_start(FILE *out, const struct argv *args, const struct argv *env)
{
    fputs("start() {\n    for fact; do set -- \"$@\" --provenance \"$fact\"; shift; done\n    exec "
          "env",
          out);
    for (size_t i = 0; i < env->n; i++) {
        if (strstr(env->v[i], "_AS_ROOT")) /* run.sh, where root runs that */
            continue;
        putc(' ', out);
        put_word(out, env->v[i]);
    }
    for (size_t i = 0; i < args->n; i++) {
        if (i + 1 < args->n && strcmp(args->v[i], "--provenance") == 0 &&
            is_of_here(args->v[i + 1])) {
            i++;
            continue;
        }
        fputs(i == 0 || strncmp(args->v[i], "--", 2) == 0 ? " \\\n        " : " ", out);
        if (i == 0 && strncmp(args->v[i], "mpirun", 6) == 0)
            fputs("\"$mpirun\"", out); /* whatever it is called there */
        else
            put_word(out, args->v[i]);
    }
    fputs(" \\\n        \"$@\"\n}\n", out);
}

static int write_start(struct packing *p, const struct task *t)
{
    const struct launch *l = t->launch;
    struct argv args = { 0 }, env = { 0 };
    struct whole_file f;
    FILE *out = NULL;
    const int attempts = store_attempts(p->req->dir, l->name, p->err);
    int status = attempts < 0 ? -1 : command_make(&p->sweep, t, BASE, &args, &env);
    if (status == 0)
        status = (out = open_file(p, &f, "launches/%s.sh", l->name)) ? 0 : -1;
    if (status == 0) {
        fprintf(out, "# %s: %d ranks on %d nodes, at most %d on each; %zu point%s\n", l->name,
                l->procs, l->nodes, l->ppn, COUNTED(t->left));
        fprintf(out, "family=%s nodes=%d ppn=%d procs=%d before=%d build=$PWD/build\n",
                mpi_family(l->mpi), l->nodes, l->ppn, l->procs,
                attempts); /* before: attempts that are at home */
        put_start(out, &args, &env);
        status = fs_commit(&f, p->err);
    }
    argv_free(&args);
    argv_free(&env);
    return status;
}

static int write_launch(struct packing *p, const struct task *t)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, p->err, "%s/launches/%s.csv", p->kit, t->launch->name) < 0 ||
                   plan_write_launch(&p->sweep.plan, t->launch, t->todo, path, p->err) < 0
               ? -1
               : write_start(p, t);
}

static int write_conf(struct packing *p)
{
    const struct study *s = p->req->study;
    struct whole_file f;
    FILE *out = open_file(p, &f, "%s", "kit.conf");
    if (!out)
        return -1;
    fprintf(
        out,
        "# What this kit is of, and its limits in seconds. Lines of this file come home with "
        "the results.\nformat=1\ncluster=%s\nstudy=%s\ndigest=%s\nrelease=%s\npoint_limit=%.0f\n"
        "launch_limit=%.0f\nretries=%d\n",
        p->req->cluster->name, s->name, p->sweep.provenance.digest, p->req->release, s->point_limit,
        s->launch_limit, p->req->retries);
    return fs_commit(&f, p->err);
}

static int write_list(struct packing *p)
{
    struct whole_file f;
    FILE *out = open_file(p, &f, "%s", "launches.txt");
    if (!out)
        return -1;
    for (size_t i = 0; i < p->sweep.n_tasks; i++) {
        const struct launch *l = p->sweep.tasks[i].launch;
        if (p->sweep.tasks[i].left)
            fprintf(out, "sh run.sh %s   # %d node%s, %d rank%s on each at most\n", l->name,
                    l->nodes, l->nodes > 1 ? "s" : "", l->ppn, l->ppn > 1 ? "s" : "");
    }
    return fs_commit(&f, p->err);
}

/* The array of all launches on so many nodes; how many there are, or -1. */
static long write_job(struct packing *p, int nodes)
{
    const struct cluster *c = p->req->cluster;
    struct whole_file list, job;
    char name[32];
    long n = 0;
    int ppn = 1;
    snprintf(name, sizeof name, "%d-nodes", nodes);
    FILE *out = open_file(p, &list, "tasks/%s", name);
    if (!out)
        return -1;
    for (size_t i = 0; i < p->sweep.n_tasks; i++) {
        const struct launch *l = p->sweep.tasks[i].launch;
        if (!p->sweep.tasks[i].left || l->nodes != nodes)
            continue;
        fprintf(out, "%s\n", l->name);
        ppn = l->ppn > ppn ? l->ppn : ppn;
        n++;
    }
    if (fs_commit(&list, p->err) < 0 || !(out = open_file(p, &job, "jobs/%s.sbatch", name)))
        return -1;
    jobfile_put_first_line(out, c);
    fprintf(out,
            "# Every launch on %d node%s: sbatch jobs/%s.sbatch, in the kit's directory, "
            "after make.\n#SBATCH --job-name=collsel-%s\n#SBATCH --nodes=%d\n#SBATCH "
            "--ntasks-per-node=%d\n#SBATCH --array=1-%ld\n#SBATCH --time=%.0f\n#SBATCH "
            "--output=results/launches/%%x-%%A_%%a.out\n%s",
            nodes, nodes > 1 ? "s" : "", name, name, nodes, ppn, n, c->time_limit / 60,
            c->exclusive ? "#SBATCH --exclusive\n#SBATCH --mem=0\n" : "");
    jobfile_put_site(out, c, c->exclude);
    jobfile_put_extra(out, c->extra);
    fputs("\nset -e\ncd \"${SLURM_SUBMIT_DIR:-.}\"\n", out);
    jobfile_put_lines(out, c);
    fprintf(out, "exec sh run.sh \"$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" tasks/%s)\"\n", name);
    return fs_commit(&job, p->err) < 0 ? -1 : n;
}

static int is_first_of_nodes(const struct packing *p, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (p->sweep.tasks[k].left &&
            p->sweep.tasks[k].launch->nodes == p->sweep.tasks[i].launch->nodes)
            return 0;
    return p->sweep.tasks[i].left > 0;
}

static int write_kit(struct packing *p)
{
    char logs[PATH_SIZE];
    if (copy_sources(p) < 0 || write_conf(p) < 0 || write_list(p) < 0 ||
        fs_path(logs, sizeof logs, p->err, "%s/" RESULTS "/launches", p->kit) < 0 ||
        fs_mkdirs(logs, p->err) < 0)
        return -1;
    for (size_t i = 0; i < p->sweep.n_tasks; i++) {
        const struct task *t = &p->sweep.tasks[i];
        if (t->left && write_launch(p, t) < 0)
            return -1;
        if (is_first_of_nodes(p, i) && write_job(p, t->launch->nodes) < 0)
            return -1;
        p->result->launches += t->left > 0;
        p->result->points += t->left;
    }
    return 0;
}

/* The archive under a new name, then its own: one that is there is replaced whole. */
static int write_archive(struct packing *p)
{
    char fresh[PATH_SIZE], said[1024] = "";
    if (fs_replaceable(p->archive, p->err) < 0 ||
        fs_path(fresh, sizeof fresh, p->err, "%s.new", p->archive) < 0)
        return -1;
    const char *const args[] = { "tar", "-C", p->top, "-czf", fresh, p->name, NULL };
    if (run_capture_for(args, TAR_S, said, sizeof said) != 0) {
        unlink(fresh);
        return err_set(p->err, "tar cannot write '%s': %.300s", fresh,
                       *said ? said : "it said nothing");
    }
    return rename(fresh, p->archive) < 0 ? err_errno(p->err, "%s", p->archive) : 0;
}

/* A kit builds one MPI of a library, and a release is of one library. */
static int check_pair(struct packing *p, const char *mpi, const char *other)
{
    if (strcmp(mpi, other) == 0)
        return 0;
    if (strcmp(mpi_family(mpi), mpi_family(other)) == 0)
        return err_usage(p->err,
                         "study '%s' has %s and %s, and a kit builds one %s (want a study of each)",
                         p->req->study->name, mpi, other, mpi_family(mpi));
    return strcmp(p->req->release, "unknown") == 0
               ? 0
               : err_usage(p->err,
                           "--release %s: of %s or of %s? (want a study of one of them, or no "
                           "--release)",
                           p->req->release, mpi, other);
}

/* Something must be known to start each launch, and to place its ranks as asked. */
static int check_launchers(struct packing *p)
{
    const struct plan *plan = &p->sweep.plan;
    for (size_t i = 0; i < plan->n_launches; i++) {
        const struct library *l = library_find(plan->launches[i].mpi);
        const struct launcher *launcher =
            l ? library_launcher(l, p->req->release, 1, p->req->cluster, p->err) : NULL;
        if (!l)
            return err_set(p->err, "'%s' is not an MPI library", plan->launches[i].mpi);
        for (size_t k = 0; k < i; k++)
            if (check_pair(p, plan->launches[k].mpi, plan->launches[i].mpi) < 0)
                return -1;
        if (!launcher ||
            launcher_takes_shape(launcher, &plan->launches[i], p->req->cluster, p->err) < 0)
            return -1;
    }
    return 0;
}

static int write_manifest(struct packing *p)
{
    const struct sweep_request *r = p->req;
    struct run_record record = { .command = r->command, .example = "", .status = "submitted" };
    utc_now(record.started, sizeof record.started);
    return manifest_write(r->dir, r->cluster, r->study, backend_kit.name,
                          "backend kit: collsel measure pack", &p->sweep.plan, &p->sweep.provenance,
                          &record, p->err);
}

/* What the study lacks, as a sweep would see it, and what it is measured by. */
static int plan_kit(struct packing *p)
{
    struct sweep *s = &p->sweep;
    const struct sweep_request *r = p->req;
    if (plan_build(r->cluster, r->study, backend_kit.name, &s->plan, p->err) < 0 ||
        check_launchers(p) < 0 ||
        provenance_collect(&p->asked, &s->plan, PROVENANCE_HERE, &s->provenance, p->err) < 0 ||
        fs_mkdirs(r->dir, p->err) < 0 || (s->lock = lock_take(r->dir, p->err)) < 0 ||
        tasks_make(s) < 0)
        return -1;
    p->result->planned = s->plan.n_launches;
    memcpy(p->result->digest, s->provenance.digest, sizeof p->result->digest);
    double weight;
    if (tasks_left(s, &weight) == 0)
        return err_set(p->err, "'%s' lacks nothing that could be measured: %zu point%s %s finished",
                       r->dir, COUNTED(p->counted.finished),
                       of_number(p->counted.finished, "is", "are"));
    return plan_write(&s->plan, r->dir, p->err) < 0 ? -1 : write_manifest(p);
}

static int make_place(struct packing *p)
{
    snprintf(p->name, sizeof p->name, "collsel-kit-%s-%s", p->req->cluster->name,
             p->req->study->name);
    if (fs_path(p->top, sizeof p->top, p->err, "%s/.pack-%ld", p->req->dir, (long)getpid()) < 0 ||
        fs_path(p->kit, sizeof p->kit, p->err, "%s/%s", p->top, p->name) < 0)
        return -1;
    return fs_mkdirs(p->kit, p->err);
}

int pack_write(const struct sweep_request *request, const char *archive, struct pack_result *result,
               struct err *err)
{
    struct packing *p = memory_zeros(1, sizeof *p);
    struct err own = { 0 };
    *result = (struct pack_result){ 0 };
    p->req = request;
    p->archive = archive;
    p->result = result;
    p->err = err ? err : &own;
    p->asked = *request;
    p->asked.backend = &backend_kit;
    p->asked.quiet = 1;
    p->sweep.req = &p->asked;
    p->sweep.result = &p->counted;
    p->sweep.err = p->err;
    p->sweep.lock = -1;
    progress_start(&p->sweep.progress, stderr, 1, 0, 0);
    int status = plan_kit(p);
    if (status == 0)
        status = make_place(p);
    p->asked.dir = RESULTS; /* there */
    p->asked.build = BUILD;
    if (status == 0)
        status = write_kit(p) < 0 ? -1 : write_archive(p);
    if (*p->top)
        fs_remove_tree(p->top, NULL);
    tasks_free(&p->sweep);
    plan_free(&p->sweep.plan);
    provenance_free(&p->sweep.provenance);
    if (p->sweep.lock >= 0)
        close(p->sweep.lock);
    free(p);
    return status;
}
