/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/options.h"

#include <dirent.h>
#include <glob.h>
#include <unistd.h>

#include "analysis/measure/points.h"
#include "harness/run/backends/backend.h"
#include "harness/base/install_paths.h"
#include "harness/cmd/verbs.h"
#include "harness/study/manifest.h"
#include "harness/study/suggest_names.h"

void options_take_unsure(void *input, char *arg, struct argp_state *state)
{
    struct options *o = input;
    (void)arg;
    (void)state;
    o->unsure = o->doubted = 1;
}

static void check_backend(const char *arg, struct argp_state *state)
{
    static const char *const names[] = { "auto", "local", "slurm", "sim", "walk", "kit", "null" };
    char text[SUGGEST_TEXT];
    struct suggest m;
    if (strcmp(arg, "auto") == 0 || backend_find(arg))
        return;
    suggest_init(&m, arg);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        suggest_try(&m, names[i]);
    argp_error(state, "'%s' is not a backend (want auto, local, slurm, sim, walk, kit or null)%s",
               arg, suggest_text(&m, text));
}

/* "10min" and "2h" are that long on all cores of the cluster. Shorter durations are refused: they
 * are taken for the study's budget of a point. Returns the text, or what it says as core time. */
static const char *core_time(const char *text, int cores, char buf[NAME_SIZE])
{
    const char *unit = text + strspn(text, "0123456789.");
    double seconds;
    if ((strcmp(unit, "min") != 0 && strcmp(unit, "h") != 0) ||
        parse_seconds(text, &seconds, NULL) < 0 || !(seconds > 0))
        return text;
    snprintf(buf, NAME_SIZE, "%.17gcore-s", seconds * cores);
    return buf;
}

static void check_budget(const char *arg, struct argp_state *state)
{
    struct err err = { 0 };
    char core[NAME_SIZE];
    double unused;
    if (parse_core_seconds(core_time(arg, 1, core), &unused, &err) < 0)
        argp_error(state, "--budget: %s", err.text);
}

static void check_plan_and_budget(void *input, struct argp_state *state)
{
    const struct options *o = input;
    if (o->core_budget && o->plan && strcmp(o->plan, "full") == 0)
        argp_error(state, "--budget: a full plan measures every point (want --plan adaptive)");
}

#define TO(member)    OPTION_TO_OF(struct options, member)
#define GIVEN(member) .given = 1 + offsetof(struct options, member)

static const struct option_row place_rows[] = {
    { "results", 0, "DIR", "Directory of results (default: results)", .group = 2, TO(results) },
    { "build", 0, "DIR", "Directory of the measuring programs (default: collsel's own)", .group = 2,
      TO(build) },
    { "quiet", 'q', NULL, "No chatter", .group = 2, TO(quiet) },
    { 0 },
};

static const struct option_row study_rows[] = {
    { "cluster", 'c', "NAME",
      "Cluster: clusters/NAME.ini, or a path (default: the only one of clusters, or the one that "
      "is this machine)",
      .group = 1, TO(cluster), GIVEN(cluster_given) },
    { "study", 's', "NAME",
      "Study: clusters/studies/NAME.ini, a collective, or a path (default: " COLLECTIVE_EXAMPLE ", "
      "unless the text above names another)",
      .group = 1, TO(study), GIVEN(study_given) },
    { "backend", 'b', "NAME", "auto, local, slurm, sim, walk, kit or null (default: auto)",
      .group = 1, TO(backend), GIVEN(backend_given), .check = check_backend },
    { "clusters", 0, "DIR", "Directory of cluster files (default: clusters)", .group = 2,
      TO(clusters) },
    { 0 },
};

static const struct option_row dataset_rows[] = {
    { "dataset", 0, "NAME|DIR",
      "Instead of a study: a data set that `collsel import` made, or the path of a "
      "directory with a manifest.json; a path has a slash (./DIR)",
      .group = 1, TO(dataset) },
    { "doubted", 0, NULL,
      "Doubted times count, too: what is less than a call can take on this machine, and means over "
      "ranks of a collective with a root (points.csv, doubt)",
      .group = 1, TO(doubted) },
    { "unsure", 0, NULL, "--doubted, and where rules are made --no-interval, too", .group = 1,
      .take = options_take_unsure },
    { 0 },
};

static const char *const plan_words[] = { "full", "adaptive", NULL };

static const struct option_row plan_rows[] = {
    { "plan", 0, "full|adaptive",
      "Which points are measured: all, or those that may still change what is chosen in a cell, "
      "round by round (default: as the study says)",
      .group = 1, TO(plan), .words = plan_words, .refused = "none" },
    { "budget", 0, "CORE-TIME",
      "The best adaptive plan for so much core time of all points together, as 30core-h, "
      "90core-min, 600core-s, or 10min, 2h of all cores of the cluster: the study's core_budget "
      "(its budget is the seconds of one point)",
      .group = 1, TO(core_budget), .check = check_budget },
    { 0 },
};

const struct option_set options_none = { .rows = NULL };
const struct option_set options_of_place = { .rows = place_rows };
const struct option_set options_of_study = { .rows = study_rows, .next = &options_of_place };
const struct option_set options_of_plan = { plan_rows, check_plan_and_budget, &options_of_study };
const struct option_set options_of_results = { .rows = dataset_rows, .next = &options_of_study };
const struct option_set options_of_report = { .rows = dataset_rows, .next = &options_of_plan };

void options_init(struct options *options)
{
    *options = (struct options){
        .study = COLLECTIVE_EXAMPLE, .backend = "auto", .clusters = "clusters", .results = "results"
    };
}

static int is_digits(const char *text)
{
    text += *text == '-';
    return *text && strspn(text, "0123456789") == strlen(text);
}

int options_take_int(struct argp_state *state, const char *name, const char *arg, int least,
                     int most)
{
    int64_t v = 0;
    if (parse_i64(arg, &v, NULL) < 0 && !is_digits(arg))
        argp_error(state, "--%s: '%s' is not a whole number (want %d to %d)", name, arg, least,
                   most);
    else if (parse_i64(arg, &v, NULL) < 0 || v < least || v > most)
        argp_error(state, "--%s: '%s' is out of range (want %d to %d)", name, arg, least, most);
    return (int)v;
}

void options_take_list(struct argp_state *state, const char *name, char *arg,
                       int (*take)(const char *, uint64_t *, struct err *), uint64_t most,
                       struct options_list *list)
{
    char *item;
    struct err err = { 0 };
    while ((item = strsep(&arg, ","))) {
        if (list->n == list->room)
            argp_error(state, "%s: more than %zu", name, list->room);
        else if (take(item, &list->v[list->n], &err) < 0)
            argp_error(state, "%s: %s", name, err.text);
        else if (list->v[list->n++] > most)
            argp_error(state, "%s: '%s' is out of range (want at most %llu)", name, item,
                       (unsigned long long)most);
    }
}

const char *options_take_collective(struct argp_state *state, const char *arg)
{
    char text[SUGGEST_TEXT], all[COLLECTIVES_TEXT];
    struct suggest m;
    if (collective_find(arg))
        return arg;
    suggest_init(&m, arg);
    meant_collectives(&m);
    argp_error(state, "'%s' is not a collective (want %s)%s", arg, collectives_measured(all),
               suggest_text(&m, text));
    return NULL;
}

const struct rules_reader *options_take_reader(struct argp_state *state, const char *arg,
                                               int writes)
{
    char text[SUGGEST_TEXT], known[320] = "";
    struct suggest m;
    const struct rules_reader *reader = rules_reader_find(arg);
    if (reader && (!writes || rules_reader_writes(reader)))
        return reader;
    suggest_init(&m, arg);
    for (const struct rules_reader *const *r = rules_readers; *r; r++) {
        if (writes && !rules_reader_writes(*r))
            continue;
        suggest_try(&m, (*r)->name);
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "",
                 (*r)->name);
    }
    argp_error(state, "--library: '%s' is none %s (want %s)%s", arg,
               writes ? "that rules can be written for"
                      : "whose rules are known, and no section [mpi NAME] of the cluster",
               known, suggest_text(&m, text));
    return NULL;
}

void options_choose(struct options *o)
{
    if (!o->cluster && cluster_default(o->clusters, o->chosen, sizeof o->chosen, &o->none) == 0)
        o->cluster = o->chosen;
}

int options_cluster(const struct options *o, struct cluster *cluster, struct err *err)
{
    if (o->cluster)
        return cluster_load(o->clusters, o->cluster, cluster, err);
    *err = o->none;
    return -1;
}

int options_load(const struct options *options, struct cluster *cluster, struct study *study,
                 struct err *err)
{
    char dir[PATH_SIZE], core[NAME_SIZE];
    const char *const budget = options->core_budget;
    if (options_cluster(options, cluster, err) < 0)
        return -1;
    if (fs_path(dir, sizeof dir, err, "%s/studies", options->clusters) == 0 &&
        study_load(dir, options->study, cluster, study, err) == 0) {
        if (study_ask(study, budget ? "adaptive" : options->plan,
                      budget ? core_time(budget, cluster_cores(cluster), core) : NULL, err) == 0)
            return 0;
        study_free(study);
    }
    cluster_free(cluster);
    return -1;
}

int options_dir(const struct options *options, const struct cluster *cluster,
                const struct study *study, char *buf, size_t size, struct err *err)
{
    char why[WHY_SIZE];
    const char *suffix = "";
    if (strcmp(options->backend, "walk") == 0)
        suffix = "-walk";
    else if (strcmp(options->backend, "sim") == 0 &&
             backend_choose("auto", cluster, why, NULL)->queued)
        suffix = "-sim";
    return fs_path(buf, size, err, "%s/%s/%s%s", options->results, cluster->name, study->name,
                   suffix);
}

/* 1 when DIR/manifest.json exists. */
static int is_results(const char *dir)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, NULL, "%s/manifest.json", dir) == 0 && fs_exists(path);
}

void options_meant_datasets(struct suggest *m, const char *results)
{
    char pattern[PATH_SIZE];
    glob_t found = { 0 };
    if (fs_path(pattern, sizeof pattern, NULL, "%s/*/*/manifest.json", results) == 0 &&
        glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            char *path = found.gl_pathv[i];
            *strrchr(path, '/') = '\0';
            suggest_try(m, strrchr(path, '/') + 1);
        }
    globfree(&found);
}

/* The clusters that a data set of this name is there of; the last one into dir. */
static int find_dataset(const struct options *o, char *dir, size_t size, struct err *err)
{
    struct dirent **cluster;
    char path[PATH_SIZE], of[256] = "";
    int found = 0;
    struct suggest m;
    const int n = scandir(o->results, &cluster, NULL, alphasort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s'", o->results);
    for (int i = 0; i < n; i++) {
        const char *name = cluster[i]->d_name;
        if (*name != '.' &&
            fs_path(path, sizeof path, NULL, "%s/%s/%s", o->results, name, o->dataset) == 0 &&
            is_results(path)) {
            found++;
            fs_path(dir, size, NULL, "%s", path);
            snprintf(of, sizeof of, "%s", name);
        }
        free(cluster[i]);
    }
    if (n >= 0)
        free(cluster);
    if (found > 1)
        return err_usage(err, "%d clusters have a data set '%s' (give --cluster)", found,
                         o->dataset);
    if (found)
        return manifest_check_dataset(dir, of, o->dataset, err);
    err_usage(err,
              "'%s' is not a data set (run `collsel import --name %s`; a directory's path has a "
              "slash: ./%s)",
              o->dataset, o->dataset, o->dataset);
    suggest_init(&m, o->dataset);
    options_meant_datasets(&m, o->results);
    return suggest_add(&m, err);
}

/* A directory of results says itself of which cluster they are. */
static int check_cluster(const struct options *o, const char *dir, struct err *err)
{
    struct cluster cluster;
    char name[NAME_SIZE];
    if (manifest_cluster(dir, name, sizeof name, err) < 0 || options_cluster(o, &cluster, err) < 0)
        return -1;
    const int same = !*name || strcmp(name, cluster.name) == 0;
    if (!same)
        err_usage(err, "want --cluster %s, or none: '%s' has times of cluster %s, not of %s", name,
                  dir, name, cluster.name);
    cluster_free(&cluster);
    return same ? 0 : -1;
}

static int dataset_dir(const struct options *o, char *buf, size_t size, struct err *err)
{
    struct cluster cluster;
    if (o->study_given || o->backend_given)
        return err_usage(err, "--dataset names the times (want it without --study and --backend)");
    if (strchr(o->dataset, '/')) {
        if (fs_path(buf, size, err, "%s", o->dataset) < 0)
            return -1;
        if (!fs_exists(buf))
            return err_usage(err, "'%s' does not exist", buf);
        if (!is_results(buf))
            return err_usage(err, "'%s' has no manifest.json", buf);
        return o->cluster_given ? check_cluster(o, buf, err) : 0;
    }
    if (!text_is_name(o->dataset))
        return err_usage(err, "'%.60s' is not a data set: %s; or a path with a slash", o->dataset,
                         TEXT_WANT_NAME);
    if (!o->cluster_given)
        return find_dataset(o, buf, size, err);
    if (options_cluster(o, &cluster, err) < 0)
        return -1;
    int status = fs_path(buf, size, err, "%s/%s/%s", o->results, cluster.name, o->dataset);
    if (status == 0 && !is_results(buf))
        status = err_usage(err, "'%s' has no manifest.json (run `collsel import`)", buf);
    if (status == 0)
        status = manifest_check_dataset(buf, cluster.name, o->dataset, err);
    cluster_free(&cluster);
    return status;
}

struct options options_beside(const struct options *options, const char *dataset)
{
    struct options beside = *options;
    beside.dataset = dataset;
    beside.cluster_given = beside.cluster_given && !strchr(dataset, '/');
    beside.study_given = beside.backend_given = 0;
    return beside;
}

int options_results(const struct options *options, char *buf, size_t size, struct err *err)
{
    struct cluster cluster;
    struct study study;
    if (options->dataset)
        return dataset_dir(options, buf, size, err);
    if (options_load(options, &cluster, &study, err) < 0)
        return -1;
    int status = options_dir(options, &cluster, &study, buf, size, err);
    study_free(&study);
    cluster_free(&cluster);
    return status;
}

/* From here, where that avoids a blank that LD_PRELOAD would split the path at. */
static void shorten(char *path)
{
    char here[PATH_SIZE];
    const size_t n = library_splits(path) && getcwd(here, sizeof here) ? strlen(here) : 0;
    if (n && strncmp(path, here, n) == 0 && path[n] == '/')
        memmove(path, path + n + 1, strlen(path + n + 1) + 1);
}

int options_build(const struct options *options, char *buf, size_t size, struct err *err)
{
    if (options->build)
        return fs_path(buf, size, err, "%s", options->build);
    if (install_path_program(buf, size, err) < 0)
        return -1;
    shorten(buf);
    return 0;
}

/* What a page is made of, besides measurements. */
static int check_assets(const char *dir, struct err *err)
{
    static const char *const files[] = { "page.css", "page.js", "page.template",
                                         "reference/nuriyev2021.csv" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (fs_path(path, sizeof path, err, "%s/%s", dir, files[i]) < 0)
            return -1;
        if (!fs_exists(path))
            return err_set(err,
                           "'%s' does not exist (want --assets DIR, with page.css, page.js, "
                           "page.template and reference/)",
                           path);
    }
    return 0;
}

int options_assets(const struct options *options, const char *given, char *buf, size_t size,
                   struct err *err)
{
    static const struct options ours = { .build = NULL };
    const struct options *const beside[] = { options, &ours };
    char build[PATH_SIZE], probe[PATH_SIZE];
    if (given)
        return fs_path(buf, size, err, "%s", given) < 0 ? -1 : check_assets(buf, err);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (options_build(beside[i], build, sizeof build, err) < 0 ||
            fs_path(buf, size, err, "%s/../reports", build) < 0 ||
            fs_path(probe, sizeof probe, err, "%s/page.css", buf) < 0)
            return -1;
        if (fs_exists(probe))
            return check_assets(buf, err);
    }
    if (install_path_find("reports", buf, size))
        return check_assets(buf, err);
    return fs_path(buf, size, err, "reports") < 0 ? -1 : check_assets(buf, err);
}

/* The words as a line for a shell; frees them. */
static const char *show(struct argv *words, char buf[NEXT_SIZE])
{
    char *text = argv_text(words);
    snprintf(buf, NEXT_SIZE, "%s", text ? text : "collsel");
    free(text);
    argv_free(words);
    return buf;
}

void options_argv(const struct options *o, const char *backend, int plans, struct argv *all)
{
    const char *const named = backend ? backend : o->backend;
    const struct {
        const char *option, *value, *fallback;
    } given[] = { { "--cluster", o->dataset && !o->cluster_given ? NULL : o->cluster, NULL },
                  { "--study", o->dataset ? NULL : o->study, NULL },
                  { "--dataset", o->dataset, NULL },
                  { "--backend", o->dataset ? NULL : named, "auto" },
                  { "--clusters", o->clusters, "clusters" },
                  { "--results", o->results, "results" },
                  { "--build", o->build, NULL },
                  { "--plan", plans ? o->plan : NULL, NULL },
                  { "--budget", plans ? o->core_budget : NULL, NULL } };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value &&
            (!given[i].fallback || strcmp(given[i].value, given[i].fallback) != 0)) {
            argv_add(all, "%s", given[i].option);
            argv_add(all, "%s", given[i].value);
        }
}

const char *options_next(const struct options *o, const char *command, const char *backend,
                         char buf[NEXT_SIZE])
{
    struct argv all = { 0 };
    char text[VERB_TEXT];
    const char *verb = verb_of(command, text);
    const size_t n = strcspn(verb, " ");
    argv_add(&all, "collsel");
    argv_add(&all, "%.*s", (int)n, verb);
    if (verb[n])
        argv_add(&all, "%s", verb + n + 1);
    options_argv(o, backend, strcmp(command, "sweep") == 0 || strcmp(command, "submit") == 0, &all);
    return show(&all, buf);
}

const char *options_words(const char *const *words, char buf[NEXT_SIZE])
{
    struct argv all = { 0 };
    for (; *words; words++)
        argv_add(&all, "%s", *words);
    return show(&all, buf);
}

int options_fitted(const struct options *o, const char *dir, struct err *err)
{
    char path[PATH_SIZE], next[NEXT_SIZE];
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "nothing was measured in '%s' (run `%s`)", dir,
                       options_next(o, "report", NULL, next));
    if (fs_path(path, sizeof path, err, "%s/points.csv", dir) < 0)
        return -1;
    return fs_exists(path) ? 0
                           : err_set(err, "'%s' does not exist (run `%s`)", path,
                                     options_next(o, "fit", NULL, next));
}

void options_say_ignored(const struct algorithm *alg, int segment_given, int fanout_given)
{
    if (segment_given && !alg->segmented)
        fprintf(stderr, "--segment is ignored: %s %s cuts no segments\n",
                algorithm_collective(alg)->name, alg->name);
    if (fanout_given && !alg->default_fanout)
        fprintf(stderr, "--fanout is ignored: %s %s has no fan-out\n",
                algorithm_collective(alg)->name, alg->name);
}

void options_say_not_compared(const char *collective, const char *algorithm)
{
    const char *library;
    const struct native *a = native_not_compared(collective, algorithm, &library);
    if (a)
        fprintf(stderr,
                "%s of %s %s: the schedule is from its source, and was not compared with a running "
                "library\n",
                a->name, library, a->from ? a->from : a->below);
}

int options_fail(const char *verb, const struct err *err)
{
    fprintf(stderr, "collsel %s: %s\n", verb, err->text);
    return err->status ? err->status : EXIT_FAILED;
}
