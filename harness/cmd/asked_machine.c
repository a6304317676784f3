/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/asked_machine.h"

#include <sys/stat.h>

#include "harness/base/install_paths.h"
#include "harness/study/manifest.h"

/* The walk of the machine, as far as walks held on measured ones (ci/first); and what was learnt
 * from walks of clusters/pml (docs/clusters.md). */
static const char *const shipped[] = { "models/first.json", "models/pml.json" };

static int find_shipped(const char *clusters, const char *name, char *path, size_t size)
{
    char installed[PATH_SIZE];
    int n = (int)strlen(clusters);
    while (n > 1 && clusters[n - 1] == '/')
        n--;
    return fs_path(path, size, NULL, "%.*s/%s", n, clusters, name) == 0 &&
           (fs_exists(path) ||
            (fs_path(installed, sizeof installed, NULL, "clusters/%s", name) == 0 &&
             install_path_find(installed, path, size)));
}

const char *asked_model_label(const char *path)
{
    char own[PATH_SIZE], installed[PATH_SIZE];
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        if (fs_path(own, sizeof own, NULL, "clusters/%s", shipped[i]) == 0 &&
            install_path_find(own, installed, sizeof installed) && fs_same(path, installed))
            return strchr(shipped[i], '/') + 1;
    return path;
}

int asked_first_model(const char *clusters, char *path, size_t size)
{
    return find_shipped(clusters, shipped[0], path, size);
}

const struct model_file *asked_model(const char *path, struct err *err)
{
    static struct kept {
        char path[PATH_SIZE];
        struct model_file file;
        struct kept *next;
    } * first;
    for (const struct kept *k = first; k; k = k->next)
        if (strcmp(k->path, path) == 0)
            return &k->file;
    struct kept *k = memory_zeros(1, sizeof *k);
    if (fs_path(k->path, sizeof k->path, err, "%s", path) < 0 ||
        model_file_read(path, &k->file, err) < 0) {
        free(k);
        return NULL;
    }
    k->next = first;
    first = k;
    return &k->file;
}

/* The name of the machine of results or of a model; "": not known. */
static int find_measured(const struct options *o, const char *dir, const char *model,
                         char name[PATH_SIZE], struct err *err)
{
    const struct model_file *file = NULL;
    *name = '\0';
    if (dir && !o->cluster_given)
        return manifest_cluster(dir, name, PATH_SIZE, err);
    if (!dir && !(file = asked_model(model, err)))
        return -1;
    snprintf(name, PATH_SIZE, "%s", dir ? o->cluster : file->machine.cluster);
    return 0;
}

int asked_first(const struct options *o, const char *dir, const char *model,
                const struct model_first **to, struct err *err)
{
    static struct cluster measured;
    static struct model_first first;
    const struct model_file *file;
    char path[PATH_SIZE], name[PATH_SIZE];
    *to = NULL;
    if (!asked_first_model(o->clusters, path, sizeof path))
        return 0;
    cluster_free(&measured);
    if (!(file = asked_model(path, err)) || find_measured(o, dir, model, name, err) < 0)
        return -1;
    const int known = cluster_find(o->clusters, name, &measured, err);
    first = (struct model_first){ .file = file, .costs = known > 0 ? &measured : NULL };
    *to = &first;
    return known < 0 ? -1 : 0;
}

int asked_nothing_measured(const struct options *options, const char *dir)
{
    static const char *const kept[] = { "manifest.json", "samples", "points.csv" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (fs_path(path, sizeof path, NULL, "%s/%s", dir, kept[i]) < 0 || fs_exists(path))
            return 0;
    return !options->dataset;
}

int asked_shipped_model(const char *clusters, const struct advice_question *question, char *path,
                        size_t size, struct err *err)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        if (!find_shipped(clusters, shipped[i], path, size))
            continue;
        const struct model_file *file = asked_model(path, err);
        if (!file)
            return -1;
        if (advice_model_knows(file, question))
            return 1;
    }
    return 0;
}

void asked_machine_check(struct argp_state *state, const struct options *o, const char *model,
                         const char **machine)
{
    if (!model)
        return;
    if (o->dataset)
        argp_error(state, "--model and --dataset are one or the other");
    if (o->study_given || o->backend_given)
        argp_error(state, "--model answers from the times that it was learnt from (want it without "
                          "--study and --backend, which name results)");
    if (o->cluster_given && *machine && strcmp(*machine, o->cluster) != 0)
        argp_error(state,
                   "--cluster %s and --for %s: with --model both name the machine of the question "
                   "(want one)",
                   o->cluster, *machine);
    if (o->cluster_given)
        *machine = o->cluster;
}

int asked_machine(const struct options *options, const char *name, struct facts *facts,
                  struct err *err)
{
    static struct cluster asked; /* what facts->costs points to: one machine for each command */
    cluster_free(&asked);
    if (cluster_load(options->clusters, name, &asked, err) < 0)
        return -1;
    facts_of_cluster(&asked, facts);
    facts->costs = &asked;
    return 0;
}

int asked_measured(const struct options *options, const char *dir, struct facts *facts,
                   struct err *err)
{
    char name[PATH_SIZE];
    return find_measured(options, dir, NULL, name, err) < 0
               ? -1
               : asked_machine(options, name, facts, err);
}

/* A name that is no collective and no mapping is the cluster; a second one is misspelt. */
static enum asked_word name_word(const char *arg, int seen)
{
    const int mapping =
        strcmp(arg, "core") == 0 || strcmp(arg, "socket") == 0 || strcmp(arg, "node") == 0;
    return collective_find(arg)              ? ASKED_COLLECTIVE
           : mapping                         ? ASKED_MAPPING
           : !(seen & 1 << ASKED_CLUSTER)    ? ASKED_CLUSTER
           : !(seen & 1 << ASKED_COLLECTIVE) ? ASKED_COLLECTIVE
                                             : ASKED_MAPPING;
}

enum asked_word asked_word(const char *arg, int *seen, struct argp_state *state)
{
    const int is_number = isdigit((unsigned char)*arg) || *arg == '-',
              is_procs = !(*seen & 1 << ASKED_PROCS) && !strpbrk(arg, "KMGkmgB");
    const enum asked_word word = !is_number ? name_word(arg, *seen)
                                 : is_procs ? ASKED_PROCS
                                            : ASKED_BYTES;
    if (*seen & 1 << word)
        argp_error(state, "'%s' is one argument too many", arg);
    *seen |= 1 << word;
    return word;
}
