/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel train: what a learner makes of measurements, as a file to be asked elsewhere. */
#include "analysis/heldout/holdout_trial.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/run/progress.h"

enum { MOST_WITH = 64 };

struct input {
    struct options options; /* first, for the common parser */
    const char *with[MOST_WITH];
    size_t n_with;
    const char *learner, *licence, *output;
    int pretrained, left_out, json;
};

static int find_sets(const struct input *in, char path[][PATH_SIZE], const char **dirs,
                     struct err *err)
{
    for (size_t i = 0; i <= in->n_with; i++) {
        const struct options o = i ? options_beside(&in->options, in->with[i - 1]) : in->options;
        if (options_results(&o, path[i], PATH_SIZE, err) < 0)
            return -1;
        dirs[i] = path[i];
    }
    return 0;
}

/* "log2_bytes 0.61, log2_procs 0.30": features that count for something, the first ones first. */
static void print_importance(const struct learnt *member, const struct skill *s)
{
    int done[N_FEATURES] = { 0 };
    if (isnan(s->importance[0]))
        return;
    printf("    %s, importance (%s):", member->learner->name,
           member->learner->classifies ? "decrease of Gini's impurity"
                                       : "decrease of the variance of logarithms of times");
    for (;;) {
        size_t best = N_FEATURES;
        for (size_t k = 0; k < N_FEATURES; k++)
            if (!done[k] && s->importance[k] >= 0.005 &&
                (best == N_FEATURES || s->importance[k] > s->importance[best]))
                best = k;
        if (best == N_FEATURES)
            break;
        done[best] = 1;
        printf(" %s %.2f", feature_name(best), s->importance[best]);
    }
    puts("");
}

static void print_learnt(const struct model_file *f)
{
    for (size_t i = 0; i < f->evidence.n; i++) {
        const struct subject *s = &f->evidence.subject[i];
        printf("%s %s %s: %s learnt from %zu cell%s\n", s->context.collective, s->context.mpi,
               s->context.mapping, f->learner, COUNTED(s->n));
        for (size_t k = 0; k < f->n_members; k++)
            print_importance(&f->member[k], &f->member[k].skill[i]);
    }
}

/* Of a pretrained file: tells of what no gain is known well enough to override the default. */
static void tell_without_interval(const struct model_file *f)
{
    for (size_t i = 0; f->pretrained && !f->walks && i < f->evidence.n; i++) {
        const struct cell *c = &f->evidence.subject[i].context;
        int known = 0;
        for (size_t k = 0; k < f->n_members; k++)
            known |= !isnan(f->member[k].skill[i].elsewhere.low);
        if (!known)
            fprintf(stderr,
                    "collsel train: %s %s %s: too few choices on the cluster that was left out to "
                    "know how far off they are: the default stays\n",
                    c->collective, c->mpi, c->mapping);
    }
}

static json_t *json_of_member(const struct learnt *member, const struct skill *s)
{
    json_t *o = isnan(s->importance[0]) ? NULL : json_object();
    for (size_t k = 0; o && k < N_FEATURES; k++)
        json_object_set_new(o, feature_name(k), json_number(s->importance[k]));
    return json_pack("{s:s, s:o}", "learner", member->learner->name, "importance",
                     o ? o : json_null());
}

static int print_json(const struct model_file *f, const char *path, struct err *err)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < f->evidence.n; i++) {
        const struct subject *s = &f->evidence.subject[i];
        json_t *members = json_array();
        for (size_t k = 0; k < f->n_members; k++)
            json_array_append_new(members, json_of_member(&f->member[k], &f->member[k].skill[i]));
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:I, s:o}", "collective",
                                              s->context.collective, "mpi", s->context.mpi,
                                              "mapping", s->context.mapping, "cells",
                                              (json_int_t)s->n, "members", members));
    }
    return json_print(
        json_pack("{s:s, s:s, s:o}", "file", path, "learner", f->learner, "learnt", rows), err);
}

/* The cluster files of the sets, which a learner walks. *costs: as many as sets. */
static int find_costs(const struct input *in, struct training_cells *training,
                      struct cluster **costs, struct err *err)
{
    *costs = memory_zeros(training->n + 1, sizeof **costs);
    for (size_t i = 0; i < training->n; i++) {
        const char *name = training->set[i].facts.cluster;
        if (cluster_load(in->options.clusters, name, &(*costs)[i], err) < 0)
            return -1;
        training->set[i].facts.costs = &(*costs)[i];
    }
    return 0;
}

static int write_one(const struct input *in, const struct training_cells *training,
                     const char *path, struct model_file *file, struct err *err)
{
    if (model_file_train(training, in->learner, in->licence, in->pretrained, file, err) < 0)
        return -1;
    const int status = model_file_write(file, path, err);
    if (status < 0)
        model_file_clear(file);
    return status;
}

/* Writes what is learnt without each cluster. */
static int write_without(const struct input *in, const struct training_cells *all, struct err *err)
{
    struct training_cells others = { .set = memory_zeros(all->n + 1, sizeof *others.set) };
    const char *dot = strrchr(in->output, '.');
    const int stem =
        (int)(dot && strcmp(dot, ".json") == 0 ? dot - in->output : (ptrdiff_t)strlen(in->output));
    int status = 0;
    for (size_t i = 0; i < all->n && status == 0; i++) {
        const char *left = all->set[i].facts.cluster;
        char path[PATH_SIZE];
        struct model_file file;
        if (any_below(k, i, strcmp(all->set[k].facts.cluster, left) == 0))
            continue;
        others.n = 0;
        for (size_t k = 0; k < all->n; k++)
            if (strcmp(all->set[k].facts.cluster, left) != 0)
                others.set[others.n++] = all->set[k];
        status = others.n ? fs_path(path, sizeof path, err, "%.*s-without-%s.json", stem,
                                    in->output, left)
                          : err_set(err, "nothing is left (want sets of two clusters or more)");
        if (status == 0 && (status = write_one(in, &others, path, &file, err)) == 0)
            model_file_clear(&file);
        if (status < 0)
            err_prefix(err, "--left-out: without '%s'", left);
    }
    free(others.set); /* its sets are borrowed */
    return status;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char path[MOST_WITH + 1][PATH_SIZE];
    const char *dirs[MOST_WITH + 2] = { NULL };
    struct training_cells training = { .n = 0 };
    struct model_file file;
    if (!model_file_takes(in->learner))
        return err_usage(err,
                         "'%s' is no learner that a file can hold (want safe, nearest, forest, "
                         "boosting, svm, knn, one of the last four with _class, or walked)",
                         in->learner);
    if (find_sets(in, path, dirs, err) < 0)
        return -1;
    struct cluster *costs = NULL;
    progress_at_work(!in->options.quiet);
    int status = holdout_trial_training(dirs, NULL, in->options.doubted, &training, err);
    if (status == 0 && learner_walks(in->learner))
        status = find_costs(in, &training, &costs, err);
    if (status == 0 && in->left_out)
        status = write_without(in, &training, err);
    if (status == 0)
        status = write_one(in, &training, in->output, &file, err);
    progress_at_work(0);
    for (size_t i = 0; costs && i < training.n; i++)
        cluster_free(&costs[i]);
    free(costs);
    training_clear(&training);
    if (status < 0)
        return -1;
    if (in->json)
        status = print_json(&file, in->output, err);
    else if (!in->options.quiet)
        print_learnt(&file);
    if (status == 0 && !in->options.quiet)
        tell_without_interval(&file);
    model_file_clear(&file);
    return status;
}

static void check_licence(const char *arg, struct argp_state *state)
{
    if (strlen(arg) >= LICENCE_SIZE)
        argp_error(state, "--licence: more than %d letters", LICENCE_SIZE - 1);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->output)
        argp_error(state, "--output is missing");
    in->pretrained |= in->learner && learner_walks(in->learner);
    if (!in->learner)
        in->learner = in->pretrained ? "boosting" : "safe";
}

static const struct option_row rows[] = {
    { "output", 0, "FILE", "Where the model goes (JSON)", .group = 1, OPTION_TO(output) },
    { "learner", 0, "NAME",
      "safe (the default: all those that it asks, as `collsel select --holdout` judges it), "
      "nearest, forest, boosting (the default of --pretrained), svm, knn, or one of the last "
      "four with _class: `safe` decides whether what that one learnt is taken; or walked, for "
      "machines that nobody measured: how far the walk of a cluster file is trusted, learnt from "
      "sets of two clusters or more with their cluster files",
      .group = 1, OPTION_TO(learner) },
    { "with", 0, "NAME|DIR", "Learn from this data set, too. May be given again", .group = 1,
      OPTION_SETS_TO(with, n_with, MOST_WITH) },
    { "json", 0, NULL, "Print what was learnt as JSON", .group = 1, OPTION_TO(json) },
    { "licence", 0, "TEXT", "Under which licence the measurements may be used (default: unknown)",
      .group = 1, OPTION_TO(licence), .check = check_licence },
    { "left-out", 0, NULL,
      "Write what is learnt without each cluster, too, to FILE-without-CLUSTER.json: its judgement "
      "there is `collsel select --model`",
      .group = 1, OPTION_TO(left_out) },
    { "pretrained", 0, NULL,
      "For machines that nobody measured, from sets of two clusters or more: settings and "
      "intervals are chosen on one that is left out, and no times are kept in the file, which "
      "is smaller so",
      .group = 1, OPTION_TO(pretrained) },
    { 0 },
};

const struct command cmd_train = {
    .name = "train",
    .help = "learn from measurements, for elsewhere",
    .doc = "Learns from the measurements of a study or data set which algorithm is fastest "
           "where, and writes that to a file for `collsel ask --model`. Run `collsel fit` before.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){ .licence = "unknown" },
    .check = check,
    .run = run,
};
