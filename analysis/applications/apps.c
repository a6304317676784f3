/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/applications/apps.h"

#include <dirent.h>
#include <gsl/gsl_cdf.h>

static const char *const status_words[] = { "ok", "differs", "failed", "skipped", NULL };

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(apps_run, NAME, "mpi", mpi, "", "openmpi, mpich"),
    COLUMN(apps_run, NAME, "application", application, "", "of workloads/apps/applications.txt"),
    COLUMN(apps_run, NAME, "size", size, "", "of these: small, medium, paper, paper-b"),
    COLUMN(apps_run, INT, "ranks", ranks, "", "of the application", .least = 1, .most = INT32_MAX),
    COLUMN(apps_run, INT, "steps", steps, "", "that it makes (`-k` allows fewer than all); empty: it has no such option", COLUMN_NONE(0), .optional = 1, .least = 1, .most = INT32_MAX),
    COLUMN(apps_run, INT, "of_steps", of_steps, "", "of the whole size", COLUMN_NONE(0), .optional = 1, .least = 1, .most = INT32_MAX),
    COLUMN(apps_run, NAME, "mode", mode, "", "empty: the application could not be tried at all"),
    COLUMN(apps_run, INT, "round", round, "", "0: a run before the rounds, which does not count", COLUMN_NONE(-1), .most = INT32_MAX),
    COLUMN(apps_run, WORD, "status", status, "", "`differs`: another result than without the library, or no time", .words = status_words),
    COLUMN(apps_run, REAL, "steps_s", steps_s, "s", "of its steps as it tells them itself, else from start to end", COLUMN_SECONDS),
    COLUMN(apps_run, REAL, "wall_s", wall_s, "s", "from start to end", COLUMN_SECONDS),
    COLUMN(apps_run, REAL, "deviation", deviation, "", "the largest of any number of its results from the first run's, relative to the larger one, or to 1 where both are smaller", .most = 1000000000),
    COLUMN(apps_run, TEXT, "reason", reason, "", "why it is not ok"),
};
/* clang-format on */

SCHEMA(apps_schema, apps_run, columns, "runs.csv", "One row per run of a program by `ci/apps`.",
       .appended = 1);

/* ---- lines before the header ---- */

/* The rest of a line, or its first word, as a text that is kept whole. */
static int take_text(const char *at, int is_word, char *to, size_t size, struct err *err)
{
    const size_t n = strcspn(at, is_word ? " \t\r\n" : "\r\n");
    if (n >= size)
        return err_set(err, "'%.40s...' is longer than %zu bytes", at, size - 1);
    snprintf(to, size, "%.*s", (int)n, at);
    text_disarm(to);
    return 0;
}

/* The word behind a key, blank before it; none is fine. */
static int take_word(const char *line, const char *key, char *to, size_t size, struct err *err)
{
    const char *at = strstr(line, key);
    return at ? take_text(at + strlen(key), 1, to, size, err) : 0;
}

/* 1 when the list has this item. */
static int has_item(const char *list, const char *between, const char *item)
{
    const size_t n = strlen(item);
    for (const char *at = list; at; at = strstr(at, between)) {
        at += at == list ? 0 : strlen(between);
        if (strncmp(at, item, n) == 0 && (!at[n] || strncmp(at + n, between, strlen(between)) == 0))
            return 1;
    }
    return 0;
}

/* One more item of a list, where it is another one. More than there is room for are three dots. */
static void add_item(const char *item, const char *between, char *list, size_t size)
{
    static const char more[] = "...";
    const size_t n = strlen(list), gap = n ? strlen(between) : 0;
    if (!*item || has_item(list, between, item) || has_item(list, between, more))
        return;
    const int fits = n + gap + strlen(item) + strlen(between) + sizeof more <= size;
    snprintf(list + n, size - n, "%s%s", n ? between : "", fits ? item : more);
}

/* A line about one part, which was run without a break (ci/apps -g). */
static int take_part(const char *line, struct apps_dir *dir, struct err *err)
{
    char commit[NAME_SIZE] = "";
    if (take_word(line, "# commit=", commit, sizeof commit, err) < 0)
        return -1;
    add_item(commit, ", ", dir->commit, sizeof dir->commit);
    dir->parts++;
    return *dir->started ? 0 : take_word(line, " started=", dir->started, sizeof dir->started, err);
}

/* Of the part before it: each may have been started with others. */
static int take_environment(const char *words, struct apps_dir *dir, struct err *err)
{
    char text[1024];
    if (take_text(words, 0, text, sizeof text, err) < 0)
        return -1;
    add_item(text, " | ", dir->environment, sizeof dir->environment);
    dir->parts_set++;
    return 0;
}

/* What a line is, its beginning says: the words of another are the user's. */
static int take_line(const char *line, struct apps_dir *dir, struct err *err)
{
    const struct {
        const char *begins;
        char *to;
        size_t size;
    } texts[] = { { "# arguments: ", dir->arguments, sizeof dir->arguments },
                  { "# launch: ", dir->launch, sizeof dir->launch },
                  { "# files: ", dir->files, sizeof dir->files },
                  { "# emulated: ", dir->emulated, sizeof dir->emulated },
                  { "# oversubscribed: ", dir->crowded, sizeof dir->crowded } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strncmp(line, texts[i].begins, strlen(texts[i].begins)) == 0)
            return take_text(line + strlen(texts[i].begins), 0, texts[i].to, texts[i].size, err);
    if (strncmp(line, "# environment: ", 15) == 0)
        return take_environment(line + 15, dir, err);
    return strncmp(line, "# commit=", 9) == 0 ? take_part(line, dir, err) : 0;
}

/* Only the first line names the cluster. */
static int take_first(const char *line, struct apps_dir *dir, struct err *err)
{
    if (strncmp(line, "# collsel apps ", 15) != 0 ||
        take_word(line, " cluster=", dir->cluster, sizeof dir->cluster, NULL) < 0 ||
        !text_is_name(dir->cluster))
        return err_set(err, "no results of ci/apps (want '# collsel apps 2; cluster=NAME')");
    return 0;
}

/* The lines before the header, and how many there are of all. */
static int read_lines(FILE *file, struct apps_dir *dir, size_t *lines, struct err *err)
{
    char line[1024];
    int is_head = 1, is_new = 1;
    for (*lines = 0; fgets(line, sizeof line, file);) {
        const int is_whole = strchr(line, '\n') != NULL;
        *lines += (size_t)is_new;
        is_head &= !is_new || *lines == 1 || *line == '#';
        if (is_head && *line == '#' && !is_whole && !feof(file))
            return err_set(err, "longer than %zu bytes", sizeof line - 2);
        if (is_head && (*lines == 1 ? take_first(line, dir, err) : take_line(line, dir, err)) < 0)
            return -1;
        if (*lines > APPS_MOST_RUNS)
            return err_set(err, "more than %d rows (want them in another directory)",
                           APPS_MOST_RUNS);
        is_new = is_whole;
    }
    return *lines ? 0 : take_first("", dir, err);
}

static int read_head(const char *path, struct apps_dir *dir, struct err *err)
{
    FILE *file;
    size_t lines = 0;
    if (fs_open_existing(path, &file, err) < 0)
        return -1;
    const int status = read_lines(file, dir, &lines, err);
    fclose(file);
    return status < 0 ? err_prefix(err, "%s:%zu", path, lines ? lines : 1) : 0;
}

/* ---- reports of runs ---- */

static int takes_calls(const struct apps_run *run)
{
    return run->status == APPS_OK && *run->mode && run->round >= 0 &&
           strcmp(run->mode, "default") != 0 && strcmp(run->mode, "file") != 0;
}

/* DIR/reports/MPI-APPLICATION-MODE-ROUND.json, where there is one. */
static int read_calls(struct apps *apps, size_t at, struct err *err)
{
    const struct apps_run *run = &apps->run[at];
    char path[PATH_SIZE], mode[NAME_SIZE];
    snprintf(mode, sizeof mode, "%s", run->mode);
    for (char *c = mode; (c = strchr(c, ':')) != NULL;)
        *c = '-';
    if (fs_path(path, sizeof path, err, "%s/reports/%s-%s-%s-%d.json", apps->dir[run->dir].path,
                run->mpi, run->application, mode, run->round) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    struct application_profile *profile = application_profile_read(path, err);
    if (!profile)
        return -1;
    size_t n;
    const struct application_kind *kind = application_kinds(profile, &n);
    const double all_s = application_time(profile);
    for (size_t i = 0; i < n; i++)
        *array_add(&apps->call, &apps->calls) =
            (struct apps_call){ .run = at, .share = kind[i].time_s / all_s, .kind = kind[i] };
    application_profile_free(profile);
    return 0;
}

/* ---- all directories ---- */

static int same_group(const struct apps_run *a, const struct apps_run *b)
{
    return a->ranks == b->ranks && a->steps == b->steps && a->of_steps == b->of_steps &&
           strcmp(a->mpi, b->mpi) == 0 && strcmp(a->application, b->application) == 0 &&
           strcmp(a->size, b->size) == 0;
}

/* A row that is there twice would count twice. What ran before the rounds may have been tried again
 * (ci/apps -g). */
static int check_once(const struct apps *apps, size_t from, const char *path, struct err *err)
{
    for (size_t i = from; i < apps->runs; i++)
        for (size_t k = from; k < i; k++) {
            const struct apps_run *a = &apps->run[i], *b = &apps->run[k];
            if (a->round > 0 && a->round == b->round && strcmp(a->mode, b->mode) == 0 &&
                same_group(a, b))
                return err_set(err, "%s: row %zu is of the same run as row %zu", path, i - from + 1,
                               k - from + 1);
        }
    return 0;
}

static int same_run(const struct apps_run *a, const struct apps_run *b)
{
    return a->round > 0 && a->round == b->round && a->status == b->status &&
           a->steps_s == b->steps_s && a->wall_s == b->wall_s && strcmp(a->mode, b->mode) == 0 &&
           same_group(a, b);
}

/* Rows of a directory that was copied under another name would count as further rounds. */
static int check_copy(const struct apps *apps, size_t from, const char *path, struct err *err)
{
    const struct apps_dir *dir = &apps->dir[apps->dirs - 1];
    for (size_t i = from; i < apps->runs && *dir->started; i++)
        for (size_t k = 0; k < from; k++) {
            const struct apps_dir *other = &apps->dir[apps->run[k].dir];
            if (same_run(&apps->run[i], &apps->run[k]) &&
                strcmp(dir->started, other->started) == 0 &&
                strcmp(dir->arguments, other->arguments) == 0)
                return err_set(err,
                               "%s: row %zu is in '%s', too, which started at the same time, %s "
                               "(want each run once)",
                               path, i - from + 1, other->name, dir->started);
        }
    return 0;
}

static int read_dir(struct apps *apps, const char *path, struct err *err)
{
    size_t n;
    const size_t from = apps->runs;
    struct apps_run *row = schema_read(&apps_schema, path, &n, err);
    if (!row)
        return -1;
    for (size_t i = 0; i < n; i++) {
        row[i].dir = apps->dirs - 1;
        text_disarm(row[i].reason);
        *array_add(&apps->run, &apps->runs) = row[i];
    }
    free(row);
    if (check_once(apps, from, path, err) < 0 || check_copy(apps, from, path, err) < 0)
        return -1;
    for (size_t i = from; i < apps->runs; i++)
        if (takes_calls(&apps->run[i]) && read_calls(apps, i, err) < 0)
            return -1;
    return 0;
}

static int add_dir(struct apps *apps, const char *dir, const char *name, const char *cluster,
                   struct err *err)
{
    char path[PATH_SIZE];
    struct apps_dir *added = array_add(&apps->dir, &apps->dirs);
    snprintf(added->name, sizeof added->name, "%s", name);
    if (fs_path(added->path, sizeof added->path, err, "%s/%s", dir, name) < 0 ||
        fs_path(path, sizeof path, err, "%s/%s", added->path, apps_schema.path) < 0 ||
        read_head(path, added, err) < 0)
        return -1;
    if (strcmp(added->cluster, cluster) != 0)
        return err_set(err, "%s:1: of the cluster '%s' (want '%s', of which this directory is)",
                       path, added->cluster, cluster);
    return read_dir(apps, added->path, err);
}

/* The digest of the file that a mode was given; "": of none, or not known. */
static void given_to(const struct apps *apps, const struct apps_run *run, char digest[NAME_SIZE])
{
    char key[NAME_SIZE + 2];
    snprintf(key, sizeof key, "%s=", run->mode);
    const char *at = strstr(apps->dir[run->dir].files, key);
    digest[0] = '\0';
    if (at && strcspn(at + strlen(key), " ") < 32)
        snprintf(digest, NAME_SIZE, "%.*s", (int)strcspn(at + strlen(key), " "), at + strlen(key));
}

/* 1 where all is alike that must be for times to be compared. */
static int are_together(const struct apps *apps, const struct apps_run *a, const struct apps_run *b)
{
    const struct apps_dir *x = &apps->dir[a->dir], *y = &apps->dir[b->dir];
    return same_group(a, b) && strcmp(x->arguments, y->arguments) == 0 &&
           strcmp(x->launch, y->launch) == 0;
}

static int takes_file(const char *mode)
{
    return strcmp(mode, "table") == 0 || strcmp(mode, "file") == 0 || strcmp(mode, "model") == 0;
}

/* The first run of the mode that this one is compared with: itself, or one before it. */
static const struct apps_run *first_of_mode(const struct apps *apps, size_t at)
{
    const struct apps_run *run = apps->run;
    while (strcmp(run->mode, apps->run[at].mode) != 0 || !are_together(apps, run, &apps->run[at]))
        run++;
    return run;
}

/* Runs by different files are no rounds of one mode: of a group the first directory's keeps the
 * name. */
static void part_modes(struct apps *apps)
{
    for (size_t i = 0; i < apps->runs; i++) {
        char first[NAME_SIZE], own[NAME_SIZE], mode[NAME_SIZE];
        struct apps_run *run = &apps->run[i];
        if (!takes_file(run->mode))
            continue;
        given_to(apps, first_of_mode(apps, i), first);
        given_to(apps, run, own);
        snprintf(mode, sizeof mode, "%s", run->mode);
        if (strcmp(own, first) != 0)
            snprintf(run->mode, sizeof run->mode, "%.8s (%.32s)", mode,
                     *own ? own : "no file named");
    }
}

static int has_runs(const char *dir, const char *name)
{
    char path[PATH_SIZE];
    return *name != '.' &&
           fs_path(path, sizeof path, NULL, "%s/%s/%s", dir, name, apps_schema.path) == 0 &&
           fs_exists(path);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int apps_exist(const char *dir)
{
    const struct dirent *e;
    int found = 0;
    DIR *d = opendir(dir);
    if (!d)
        return errno != ENOENT; /* who reads it gets the reason */
    while (!found && (e = readdir(d)))
        found = has_runs(dir, e->d_name);
    closedir(d);
    return found;
}

int apps_read(const char *dir, const char *cluster, struct apps *apps, struct err *err)
{
    struct dirent **entry;
    *apps = (struct apps){ .dirs = 0 };
    const int n = scandir(dir, &entry, NULL, by_name);
    if (n < 0)
        return err_errno(err, "'%s'", dir);
    int status = 0;
    for (int i = 0; i < n; i++) {
        if (status == 0 && has_runs(dir, entry[i]->d_name))
            status = add_dir(apps, dir, entry[i]->d_name, cluster, err);
        free(entry[i]);
    }
    free(entry);
    if (status < 0)
        apps_clear(apps);
    part_modes(apps);
    return status;
}

CLEARS(apps_clear, apps, it->dir, it->run, it->call)

/* ---- what is compared ---- */

static int is_in(const struct apps *apps, const struct apps_run *run,
                 const struct apps_group *group)
{
    return are_together(apps, run, group->first);
}

struct apps_group *apps_groups(const struct apps *apps, size_t *n)
{
    struct apps_group *group = NULL;
    *n = 0;
    for (size_t i = 0; i < apps->runs; i++) {
        const size_t k = first_below(j, *n, is_in(apps, &apps->run[i], &group[j]));
        if (k < *n)
            continue;
        struct apps_group *added = array_add(&group, n);
        const struct apps_dir *dir = &apps->dir[apps->run[i].dir];
        *added = (struct apps_group){ &apps->run[i], dir->arguments, dir->launch };
    }
    return group;
}

size_t apps_modes(const struct apps *apps, const struct apps_group *group,
                  const char *mode[APPS_MOST_MODES])
{
    size_t n = 0;
    for (size_t i = 0; i < apps->runs && n < APPS_MOST_MODES; i++) {
        size_t k = 0;
        if (!is_in(apps, &apps->run[i], group))
            continue;
        while (k < n && strcmp(mode[k], apps->run[i].mode) != 0)
            k++;
        if (k == n)
            mode[n++] = apps->run[i].mode;
    }
    return n;
}

/* How surely the median of a distribution is between the k-th smallest and the k-th largest of n
 * values: 1 - 2 P(fewer than k of n tosses are heads). */
static double coverage_of(size_t n, size_t k)
{
    return k ? 1 - 2 * gsl_cdf_binomial_P((unsigned)k - 1, 0.5, (unsigned)n) : 1;
}

struct apps_middle apps_middle_of(double *value, size_t n)
{
    struct apps_middle m = { NAN, NAN, NAN, NAN };
    size_t k = 1;
    if (n == 0)
        return m;
    stats_sort(value, n);
    m.centre = stats_quantile(value, n, 0.5);
    if (n == 1)
        return m;
    while (k + 1 <= n / 2 && coverage_of(n, k + 1) >= 0.95)
        k++;
    m.low = value[k - 1];
    m.high = value[n - k];
    m.coverage = coverage_of(n, k);
    return m;
}

static int has_time(const struct apps_run *run)
{
    return run->status == APPS_OK && run->round > 0 && run->steps_s > 0;
}

/* The time of another mode in the same round; NaN: it has none. */
static double time_beside(const struct apps *apps, const struct apps_run *run, const char *mode)
{
    for (size_t i = 0; mode && i < apps->runs; i++) {
        const struct apps_run *r = &apps->run[i];
        if (r->dir == run->dir && r->round == run->round && has_time(r) &&
            strcmp(r->mode, mode) == 0 && same_group(r, run))
            return r->steps_s;
    }
    return NAN;
}

static void count_run(const struct apps_run *run, struct apps_times *t)
{
    t->wrong += run->status == APPS_FAILED || run->status == APPS_DIFFERS;
    t->skipped += run->status == APPS_SKIPPED;
    if (run->status != APPS_OK && !*t->reason)
        t->reason = run->reason;
}

struct apps_times apps_times(const struct apps *apps, const struct apps_group *group,
                             const char *mode, const char *beside)
{
    struct apps_times t = { .reason = "", .deviation = NAN };
    double *time = memory_zeros(apps->runs, sizeof *time),
           *ratio = memory_zeros(apps->runs, sizeof *ratio);
    for (size_t i = 0; i < apps->runs; i++) {
        const struct apps_run *r = &apps->run[i];
        if (strcmp(r->mode, mode) != 0 || !is_in(apps, r, group))
            continue;
        count_run(r, &t);
        if (!has_time(r))
            continue;
        const double other = time_beside(apps, r, beside);
        time[t.rounds++] = r->steps_s;
        if (other > 0)
            ratio[t.pairs++] = r->steps_s / other;
        t.deviation = fmax(t.deviation, r->deviation);
    }
    t.time = apps_middle_of(time, t.rounds);
    t.ratio = apps_middle_of(ratio, t.pairs);
    memory_free(time, ratio);
    return t;
}

const char *apps_star(const struct apps *apps, const struct apps_group *group)
{
    const char *mode[APPS_MOST_MODES], *star = NULL;
    const size_t n = apps_modes(apps, group, mode);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(mode[i], "star:paper") == 0)
            return mode[i];
        if (strcmp(mode[i], "star") == 0 || (!star && strncmp(mode[i], "star:", 5) == 0))
            star = mode[i];
    }
    return star;
}

/* ---- what is called ---- */

/* Whose record is taken first: of what changes nothing, then of what tried much. */
static int rank_of_mode(const char *mode)
{
    return strcmp(mode, "trace") == 0 ? 0 : strncmp(mode, "star", 4) == 0 ? 1 : 2;
}

/* The run whose record tells what the group calls; its index, or apps->runs: none. */
static size_t recorded_run(const struct apps *apps, const struct apps_group *group)
{
    size_t best = apps->runs;
    for (size_t i = 0; i < apps->calls; i++) {
        const size_t at = apps->call[i].run;
        if (is_in(apps, &apps->run[at], group) &&
            (best == apps->runs ||
             rank_of_mode(apps->run[at].mode) < rank_of_mode(apps->run[best].mode)))
            best = at;
    }
    return best;
}

static int is_of_kind(const struct apps_call *call, const struct apps_kind *kind)
{
    return call->kind.collective == kind->collective && call->kind.procs == kind->procs &&
           call->kind.bytes == kind->bytes;
}

/* All kinds of a run: those on several communicators, or by several operations, are one. */
static struct apps_kind *kinds_of_run(const struct apps *apps, size_t run, size_t *n)
{
    struct apps_kind *kind = NULL;
    *n = 0;
    for (size_t i = 0; i < apps->calls; i++) {
        const struct apps_call *c = &apps->call[i];
        size_t k = 0;
        if (c->run != run)
            continue;
        while (k < *n && !is_of_kind(c, &kind[k]))
            k++;
        if (k == *n)
            *(struct apps_kind *)array_add(&kind, n) = (struct apps_kind){
                .collective = c->kind.collective, .procs = c->kind.procs, .bytes = c->kind.bytes
            };
        kind[k].calls += c->kind.calls;
        kind[k].share += c->share;
    }
    return kind;
}

static int by_share(const void *a, const void *b)
{
    const struct apps_kind *x = a, *y = b;
    return ascending(y->share, x->share);
}

struct apps_kind *apps_kinds(const struct apps *apps, const struct apps_group *group, size_t *n)
{
    struct apps_kind *kind = kinds_of_run(apps, recorded_run(apps, group), n);
    if (*n)
        qsort(kind, *n, sizeof *kind, by_share);
    while (*n > 1 && !(kind[*n - 1].share >= 0.1))
        --*n;
    return kind;
}

/* Of such calls of a run those that took most: several communicators, or operations, may have made
 * some. NULL: none was recorded. */
static const struct apps_call *main_call(const struct apps *apps, size_t run,
                                         const struct apps_kind *kind)
{
    const struct apps_call *most = NULL;
    for (size_t i = 0; i < apps->calls; i++) {
        const struct apps_call *c = &apps->call[i];
        if (c->run == run && is_of_kind(c, kind) && (!most || c->share > most->share))
            most = c;
    }
    return most;
}

/* The same where the run is a round of the mode. */
static const struct apps_call *call_of_round(const struct apps *apps, size_t run,
                                             const struct apps_group *group, const char *mode,
                                             const struct apps_kind *kind)
{
    const struct apps_run *r = &apps->run[run];
    if (r->round < 1 || strcmp(r->mode, mode) != 0 || !is_in(apps, r, group))
        return NULL;
    return main_call(apps, run, kind);
}

struct apps_choice apps_choice(const struct apps *apps, const struct apps_group *group,
                               const char *mode, const struct apps_kind *kind)
{
    struct apps_choice choice = { .default_is = "" };
    for (size_t i = 0; mode && i < apps->runs; i++) {
        const struct apps_call *c = call_of_round(apps, i, group, mode, kind);
        size_t n = 0;
        if (!c)
            continue;
        choice.of++;
        for (size_t k = 0; k < apps->runs; k++) {
            const struct apps_call *o = call_of_round(apps, k, group, mode, kind);
            n += o && strcmp(o->kind.algorithm, c->kind.algorithm) == 0;
        }
        if (n > choice.n) {
            choice.n = n;
            choice.algorithm = c->kind.algorithm;
            choice.default_is = c->kind.default_is;
        }
    }
    return choice;
}

const char *apps_default_is(const struct apps *apps, const struct apps_group *group,
                            const struct apps_kind *kind)
{
    for (size_t i = 0; i < apps->calls; i++) {
        const struct apps_call *c = &apps->call[i];
        if (is_of_kind(c, kind) && *c->kind.default_is && is_in(apps, &apps->run[c->run], group))
            return c->kind.default_is;
    }
    return "";
}
