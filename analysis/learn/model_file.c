/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/model_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

/* ---- learning ---- */

static void make_digest(const struct training_cells *training, struct model_file *f)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < training->n; i++)
        for (size_t k = 0; k < training->set[i].points.n; k++) {
            const struct measured *m = &training->set[i].points.row[k];
            struct {
                uint64_t before, id;
                double seconds;
            } mixed = { digest, fs_digest(m->point.id, ID_SIZE - 1), m->time.value };
            digest = fs_digest(&mixed, sizeof mixed);
        }
    snprintf(f->digest, sizeof f->digest, "%016llx", (unsigned long long)digest);
}

static struct model_range range_of(const struct subject *s)
{
    struct model_range r = { s->lesson[0].cell.procs, s->lesson[0].cell.procs,
                             s->lesson[0].cell.bytes, s->lesson[0].cell.bytes };
    for (size_t i = 1; i < s->n; i++) {
        const struct cell *c = &s->lesson[i].cell;
        r.least_procs = c->procs < r.least_procs ? c->procs : r.least_procs;
        r.most_procs = c->procs > r.most_procs ? c->procs : r.most_procs;
        r.least_bytes = c->bytes < r.least_bytes ? c->bytes : r.least_bytes;
        r.most_bytes = c->bytes > r.most_bytes ? c->bytes : r.most_bytes;
    }
    return r;
}

int model_file_train(const struct training_cells *training, const struct learner *learner,
                     const char *licence, struct model_file *out, struct err *err)
{
    struct problem problem;
    const struct holdout whole = { .kind = HOLDOUT_PLANNED, .seed = training->set[0].facts.seed };
    const struct holdout inner = problem_inner(&whole, training);
    *out = (struct model_file){ .machine = { .sockets = training->set[0].facts.sockets,
                                             .cores = training->set[0].facts.cores,
                                             .cache_cores = training->set[0].facts.cache_cores } };
    memcpy(out->machine.cluster, training->set[0].facts.cluster, sizeof out->machine.cluster);
    memcpy(out->machine.machine, training->set[0].facts.machine, sizeof out->machine.machine);
    snprintf(out->licence, sizeof out->licence, "%s", licence);
    make_digest(training, out);
    problem_make(training, NULL, &inner, &problem);
    int status = problem.n ? learnt_make(learner, &problem, whole.seed, &out->learnt, err)
                           : err_set(err, "no cell has two candidates with a time");
    out->range = memory_zeros(problem.n + 1, sizeof *out->range);
    for (size_t i = 0; i < problem.n; i++)
        out->range[i] = range_of(&problem.subject[i]);
    problem_clear(&problem);
    if (status < 0)
        model_file_clear(out);
    return status;
}

/* ---- writing ---- */

static json_t *save_kinds(const struct skill *s)
{
    json_t *kinds = json_array();
    for (size_t i = 0; i < s->n_kinds; i++)
        if (s->fit[i].method)
            json_array_append_new(
                kinds, json_pack("{s:s, s:I, s:i, s:o}", "algorithm", s->kind[i].algorithm,
                                 "segment_bytes", (json_int_t)s->kind[i].segment_bytes, "fanout",
                                 s->kind[i].fanout, "fit", fitted_save(&s->fit[i])));
    return kinds;
}

static json_t *save_subject(const struct skill *s, const struct model_range *r)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:b, s:I, s:i, s:i, s:I, s:I, s:o}", "collective",
                     s->context.collective, "mpi", s->context.mpi, "mapping", s->context.mapping,
                     "setting", (int)s->setting, "ratio", s->ratio, "cells",
                     (json_int_t)s->examples, "least_procs", r->least_procs, "most_procs",
                     r->most_procs, "least_bytes", (json_int_t)r->least_bytes, "most_bytes",
                     (json_int_t)r->most_bytes, "kinds", save_kinds(s));
}

static json_t *feature_list(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < N_FEATURES; i++)
        json_array_append_new(list, json_string(feature_name(i)));
    return list;
}

/* What is not known of it is not there. */
static json_t *save_machine(const struct facts *m)
{
    json_t *o = json_pack("{s:s, s:i, s:i, s:i}", "cluster", m->cluster, "sockets", m->sockets,
                          "cores", m->cores, "cache_cores", m->cache_cores);
    for (size_t i = 0; i < N_MACHINE; i++)
        if (m->machine[i] > 0)
            json_object_set_new(o, machine_names[i], json_real(m->machine[i]));
    return o;
}

static json_t *save_all(const struct model_file *f)
{
    json_t *subjects = json_array();
    for (size_t i = 0; i < f->learnt.n; i++)
        json_array_append_new(subjects, save_subject(&f->learnt.skill[i], &f->range[i]));
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:o, s:o}", "schema", MODEL_SCHEMA, "features",
                     feature_list(), "learner", f->learnt.learner->name, "licence", f->licence,
                     "digest", f->digest, "machine", save_machine(&f->machine), "subjects",
                     subjects);
}

int model_file_write(const struct model_file *file, const char *path, struct err *err)
{
    json_t *json = save_all(file);
    char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    if (!text)
        return err_set(err, "'%s': what was learnt is no JSON", path);
    const int status = fs_write(path, text, err);
    free(text);
    return status;
}

/* ---- reading ---- */

enum { MOST_COUNT = 1 << 15 }; /* of sockets, and of cores of one: their product is an int */

static int take_name(const char *text, const char *what, char *out, struct err *err)
{
    if (!*text || strlen(text) >= NAME_SIZE || !text_is_plain(text, TEXT_OF_WORDS))
        return err_set(err, "%s '%.40s' is no name", what, text);
    snprintf(out, NAME_SIZE, "%s", text);
    return 0;
}

static int load_kind(const json_t *json, struct candidate *kind, struct fitted *fit,
                     struct err *err)
{
    const char *algorithm;
    json_int_t segment, fanout;
    json_t *data;
    if (json_unpack((json_t *)json, "{s:s, s:I, s:I, s:o}", "algorithm", &algorithm,
                    "segment_bytes", &segment, "fanout", &fanout, "fit", &data) < 0)
        return err_set(err, "a kind lacks one of algorithm, segment_bytes, fanout, fit");
    if (segment < 0 || fanout < 0 || fanout > INT_MAX)
        return err_set(err, "a kind's segment or fan-out is out of range");
    kind->segment_bytes = (uint64_t)segment;
    kind->fanout = (int)fanout;
    return take_name(algorithm, "algorithm", kind->algorithm, err) < 0 ||
                   fitted_load(data, fit, err) < 0
               ? -1
               : 0;
}

/* A fit is asked as its learner would: one of another learner would be asked wrongly. */
static int check_fit(const struct fitted *fit, const struct learner *learner, struct err *err)
{
    if (fit->k != N_FEATURES)
        return err_set(err, "a fit of %zu features (want %d)", fit->k, N_FEATURES);
    if (fit->method != learner->method || !fit->binary != !learner->classifies)
        return err_set(err, "a fit of %s of %s is none of learner %s", fit->method->name,
                       fit->binary ? "classes" : "times", learner->name);
    return 0;
}

static int load_kinds(const json_t *kinds, const struct learner *learner, struct skill *s,
                      struct err *err)
{
    const size_t n = json_array_size(kinds);
    s->kind = memory_zeros(n + 1, sizeof *s->kind);
    s->fit = memory_zeros(n + 1, sizeof *s->fit);
    for (; s->n_kinds < n; s->n_kinds++) {
        struct fitted *fit = &s->fit[s->n_kinds];
        if (load_kind(json_array_get(kinds, s->n_kinds), &s->kind[s->n_kinds], fit, err) < 0)
            return err_prefix(err, "kind %zu", s->n_kinds);
        if (check_fit(fit, learner, err) == 0)
            continue;
        fitted_clear(fit);
        return err_prefix(err, "kind %zu", s->n_kinds);
    }
    return n ? 0 : err_set(err, "a subject without a kind");
}

static int load_subject(const json_t *json, const struct learner *learner, struct skill *s,
                        struct model_range *r, struct err *err)
{
    const char *collective, *mpi, *mapping;
    json_int_t setting, cells, least_procs, most_procs, least, most;
    json_t *kinds;
    if (json_unpack((json_t *)json, "{s:s, s:s, s:s, s:I, s:b, s:I, s:I, s:I, s:I, s:I, s:o}",
                    "collective", &collective, "mpi", &mpi, "mapping", &mapping, "setting",
                    &setting, "ratio", &s->ratio, "cells", &cells, "least_procs", &least_procs,
                    "most_procs", &most_procs, "least_bytes", &least, "most_bytes", &most, "kinds",
                    &kinds) < 0)
        return err_set(err, "a subject lacks something, or it is of another type");
    if (setting < 0 || setting >= MOST_SETTINGS || cells < 0 || least < 0 || most < least ||
        least_procs < 1 || most_procs < least_procs || most_procs > INT_MAX)
        return err_set(err, "a subject's numbers are out of range");
    s->setting = (size_t)setting;
    s->examples = (size_t)cells;
    s->loss = s->auc = NAN;
    *r = (struct model_range){ (int)least_procs, (int)most_procs, (uint64_t)least, (uint64_t)most };
    return take_name(collective, "collective", s->context.collective, err) < 0 ||
                   take_name(mpi, "mpi", s->context.mpi, err) < 0 ||
                   take_name(mapping, "mapping", s->context.mapping, err) < 0
               ? -1
               : load_kinds(kinds, learner, s, err);
}

static int load_subjects(const json_t *subjects, struct model_file *f, struct err *err)
{
    const size_t n = json_array_size(subjects);
    f->range = memory_zeros(n + 1, sizeof *f->range);
    for (size_t i = 0; i < n; i++) {
        struct skill *s = array_add(&f->learnt.skill, &f->learnt.n);
        if (load_subject(json_array_get(subjects, i), f->learnt.learner, s, &f->range[i], err) < 0)
            return err_prefix(err, "subject %zu", i);
    }
    return n ? 0 : err_set(err, "there is no subject");
}

/* What a node has of something; 0: not known. */
static int take_count(const json_t *machine, const char *name, int *out, struct err *err)
{
    const json_t *value = json_object_get(machine, name);
    const json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;
    if (n < 0 || n > MOST_COUNT)
        return err_set(err, "machine: '%s' is no number from 0 to %d", name, MOST_COUNT);
    *out = (int)n;
    return 0;
}

/* A feature of the machine, where the file has it. */
static int take_feature(const json_t *machine, const char *name, double *out, struct err *err)
{
    const json_t *value = json_object_get(machine, name);
    *out = value ? json_number_value(value) : 0;
    if (!value || (*out > 0 && *out < 1e15))
        return 0;
    return err_set(err, "machine: '%s' is no number above 0", name);
}

static int take_features(const json_t *machine, struct facts *out, struct err *err)
{
    for (size_t i = 0; i < N_MACHINE; i++)
        if (take_feature(machine, machine_names[i], &out->machine[i], err) < 0)
            return -1;
    return 0;
}

static int check_machine(const json_t *machine, struct facts *out, struct err *err)
{
    const char *cluster = json_string_value(json_object_get(machine, "cluster"));
    return take_name(cluster ? cluster : "", "cluster", out->cluster, err) < 0 ||
                   take_count(machine, "sockets", &out->sockets, err) < 0 ||
                   take_count(machine, "cores", &out->cores, err) < 0 ||
                   take_count(machine, "cache_cores", &out->cache_cores, err) < 0
               ? -1
               : take_features(machine, out, err);
}

static int check_head(const json_t *json, struct model_file *f, struct err *err)
{
    const char *schema, *learner, *licence, *digest;
    json_t *features, *machine, *ours = feature_list();
    if (json_unpack((json_t *)json, "{s:s}", "schema", &schema) < 0)
        schema = "none";
    int status = strcmp(schema, MODEL_SCHEMA) == 0
                     ? 0
                     : err_set(err, "schema '%.40s' (want %s)", schema, MODEL_SCHEMA);
    if (status == 0 &&
        json_unpack((json_t *)json, "{s:o, s:s, s:s, s:s, s:o}", "features", &features, "learner",
                    &learner, "licence", &licence, "digest", &digest, "machine", &machine) < 0)
        status = err_set(err, "it lacks one of features, learner, licence, digest, machine");
    if (status == 0 && !json_equal(features, ours))
        status = err_set(err, "it was learnt from other features than these %d", N_FEATURES);
    json_decref(ours);
    if (status < 0)
        return -1;
    f->learnt.learner = learner_find(learner);
    if (!f->learnt.learner || f->learnt.learner->hybrid)
        return err_set(err, "'%.40s' is no learner that a file can hold", learner);
    snprintf(f->licence, sizeof f->licence, "%s", licence);
    text_disarm(f->licence);
    snprintf(f->digest, sizeof f->digest, "%.16s", digest);
    text_disarm(f->digest);
    return check_machine(machine, &f->machine, err);
}

int model_file_read(const char *path, struct model_file *out, struct err *err)
{
    json_error_t where;
    *out = (struct model_file){ .range = NULL };
    char *text = fs_read(path, NULL, err);
    if (!text)
        return -1;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!json)
        return err_set(err, "%s:%d: no JSON: %.200s", path, where.line, where.text);
    int status = check_head(json, out, err);
    if (status == 0)
        status = load_subjects(json_object_get(json, "subjects"), out, err);
    json_decref(json);
    if (status == 0)
        return 0;
    model_file_clear(out);
    return err_prefix(err, "%s", path);
}

void model_file_clear(struct model_file *file)
{
    learnt_clear(&file->learnt);
    free(file->range);
    *file = (struct model_file){ .range = NULL };
}
