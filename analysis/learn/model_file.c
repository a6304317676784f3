/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/model_file.h"

#include "analysis/learn/walked_trust.h"
#include "harness/base/json_print.h"
#include "workloads/schedules/decision.h"

#define SAFE "safe"

enum { MOST_KINDS = 4096 };

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

/* The version of a library, where all sets have the same one: by that it is known what its default
 * runs. */
static void keep_version(const struct training_cells *training, const char *mpi,
                         struct facts *machine)
{
    const char *version = facts_version(&training->set[0].facts, mpi);
    if (!*version || !text_is_plain(version, TEXT_OF_WORDS))
        return;
    for (size_t i = 1; i < training->n; i++)
        if (strcmp(facts_version(&training->set[i].facts, mpi), version) != 0)
            return;
    snprintf(machine->mpi[machine->n_mpis], NAME_SIZE, "%s", mpi);
    snprintf(machine->mpi_version[machine->n_mpis++], NAME_SIZE, "%s", version);
}

static void keep_machine(const struct training_cells *training, struct facts *machine)
{
    const struct facts *facts = &training->set[0].facts;
    *machine = (struct facts){ .simulated = facts->simulated,
                               .sockets = facts->sockets,
                               .cores = facts->cores,
                               .cache_cores = facts->cache_cores };
    memcpy(machine->cluster, facts->cluster, sizeof machine->cluster);
    memcpy(machine->machine, facts->machine, sizeof machine->machine);
    if (facts->simulated)
        memcpy(machine->sim_default, facts->sim_default, sizeof machine->sim_default);
    for (size_t i = 0; i < facts->n_mpis; i++)
        keep_version(training, facts->mpi[i], machine);
}

/* 1: of another cluster than the set before it. */
static int is_other_cluster(const struct model_file *file, size_t i)
{
    return i == 0 || strcmp(file->source[i].cluster, file->source[i - 1].cluster) != 0;
}

void model_file_machines(const struct model_file *file, char *buf, size_t size)
{
    static const char more[] = " and 999999 more";
    size_t n = (size_t)snprintf(buf, size, "times of"), left = 0;
    for (size_t i = 0; i < file->n_sources; i++)
        left += is_other_cluster(file, i);
    for (size_t i = 0; i < file->n_sources; i++) {
        const char *name = file->source[i].cluster;
        if (!is_other_cluster(file, i))
            continue;
        if (n + strlen(name) + 2 + (left > 1 ? sizeof more : 1) > size) {
            snprintf(buf + n, size - n, " and %zu more", left);
            return;
        }
        n += (size_t)snprintf(buf + n, size - n, "%s %s", i ? "," : "", name);
        left--;
    }
}

int model_file_takes(const char *learner)
{
    const struct learner *l = learner_find(learner);
    return strcmp(learner, SAFE) == 0 || (l && !l->hybrid);
}

size_t model_file_voices(const char *learner, const struct learner **who)
{
    size_t n = 0;
    for (const struct learner *const *l = learners; *l && strcmp(learner, SAFE) == 0; l++)
        if (learner_has_voice(*l) && n < MOST_MEMBERS)
            who[n++] = *l;
    if (!n)
        who[n++] = learner_find(learner);
    if (n == 1 && !learner_has_voice(who[0]))
        who[n++] = learner_find("knn");
    who[n] = NULL;
    return n;
}

/* `safe` never overrides the default by what is in the file. */
static void keep_default(struct model_file *f)
{
    f->safe =
        (struct safe){ .problem = &f->evidence,
                       .member = f->member,
                       .n_members = f->n_members,
                       .threshold = memory_zeros(f->evidence.n + 1, sizeof *f->safe.threshold),
                       .beyond = memory_zeros(f->evidence.n + 1, sizeof *f->safe.beyond) };
    for (size_t i = 0; i < f->evidence.n; i++)
        f->safe.threshold[i] = f->safe.beyond[i][0] = f->safe.beyond[i][1] = INFINITY;
}

/* Cells of a subject in which a kind was tried, once or as what runs instead of several others. */
static size_t count_tried(const struct subject *s, size_t kind)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += any_below(k, s->example[i].n, s->example[i].offer[k].kind == kind);
    return n;
}

/* Forgets what was tried in less than half of a subject's cells: as a default, say, that a library
 * takes among few ranks alone. What would be said of it elsewhere is made up. */
static void forget_rare(struct model_file *f, size_t at)
{
    const struct subject *s = &f->evidence.subject[at];
    for (size_t k = 0; k < s->n_kinds; k++)
        for (size_t i = 0; i < f->n_members && 2 * count_tried(s, k) < s->n; i++) {
            struct fitted *fit = &f->member[i].skill[at].fit[k];
            fitted_clear(fit);
            *fit = (struct fitted){ .method = NULL };
        }
}

static int by_place(const void *a, const void *b)
{
    const struct example *x = a, *y = b;
    return cell_compare(&x->cell, &y->cell);
}

/* Forgets the times of a subject's cells, and where several sets have the same cell all but one. */
static void forget_times(struct subject *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        free(s->example[i].offer);
        s->example[i].offer = NULL;
        s->example[i].n = 0;
        s->example[i].by_default = SIZE_MAX;
    }
    qsort(s->example, s->n, sizeof *s->example, by_place);
    for (size_t i = 0; i < s->n; i++)
        if (n == 0 || by_place(&s->example[n - 1], &s->example[i]) != 0)
            s->example[n++] = s->example[i];
    s->n = n;
    subject_sort(s);
}

/* Notes a set that is learnt from. 0: nothing of it was timed. */
static int keep_source(const struct training_set *set, struct model_file *f)
{
    struct model_source s = { .procs = 0 };
    memcpy(s.cluster, set->facts.cluster, sizeof s.cluster);
    memcpy(s.backend, set->facts.backend, sizeof s.backend);
    for (size_t k = 0; k < set->points.n; k++) {
        const struct measured *m = &set->points.row[k];
        if (m->point.experiment != EXP_TIME || !measured_usable(m))
            continue;
        s.points++;
        s.procs = m->point.cell.procs > s.procs ? m->point.cell.procs : s.procs;
    }
    if (s.points)
        *(struct model_source *)array_add(&f->source, &f->n_sources) = s;
    return s.points > 0;
}

/* What is for machines that nobody measured is tried on a cluster that is left out. */
static int check_clusters(const struct training_cells *training, struct err *err)
{
    const char *first = training->set[0].points.cluster;
    for (size_t i = 1; i < training->n; i++)
        if (strcmp(training->set[i].points.cluster, first) != 0)
            return 0;
    return err_set(err,
                   "pretrained: all times are of cluster '%s' (want sets of two clusters or more, "
                   "so that one can be left out to choose settings and intervals)",
                   first);
}

static void know_defaults(struct model_file *f)
{
    for (size_t i = 0; i < f->evidence.n; i++)
        for (size_t k = 0; k < f->evidence.subject[i].n; k++) {
            struct example *l = &f->evidence.subject[i].example[k];
            l->default_runs = problem_default_runs(&f->machine, &l->cell);
        }
}

/* A learner that walks fits nothing: how far it is trusted is learnt, of the defaults that Open MPI
 * 4.1 publishes, whatever the release of each set (published_default.h). */
static void teach_walked(const struct training_cells *training, const struct learner *walked,
                         struct model_file *f)
{
    f->member = memory_zeros(1, sizeof *f->member);
    f->member[f->n_members++].learner = walked;
    f->walks = 1;
    walked_trust_learn(training, &f->evidence, f->member);
    f->machine.n_mpis = 1;
    snprintf(f->machine.mpi[0], NAME_SIZE, "openmpi");
    snprintf(f->machine.mpi_version[0], NAME_SIZE, "4.1");
    keep_default(f);
}

static int teach(const struct learner *const *who, uint64_t seed, struct model_file *f,
                 struct err *err)
{
    f->member = memory_zeros(MOST_MEMBERS, sizeof *f->member);
    for (; who[f->n_members]; f->n_members++)
        if (learnt_make(who[f->n_members], &f->evidence, seed, &f->member[f->n_members], err) < 0)
            return -1;
    if (!f->pretrained)
        safe_make(&f->evidence, f->member, f->n_members, &f->safe);
    else
        keep_default(f);
    for (size_t i = 0; f->pretrained && i < f->evidence.n; i++)
        forget_rare(f, i);
    return 0;
}

int model_file_teach(const struct training_cells *training, const struct learner *const *who,
                     int pretrained, struct model_file *out, struct err *err)
{
    struct training_cells some = { .set = memory_zeros(training->n + 1, sizeof *some.set) };
    *out = (struct model_file){ .pretrained = pretrained };
    for (size_t i = 0; i < training->n; i++)
        if (keep_source(&training->set[i], out))
            some.set[some.n++] = training->set[i]; /* borrowed */
    int status = 0;
    if (some.n && who[0]->walks) {
        keep_machine(&some, &out->machine);
        teach_walked(&some, who[0], out);
    } else if (some.n) {
        const struct holdout inner = problem_inner(&some, pretrained);
        keep_machine(&some, &out->machine);
        problem_make(&some, NULL, &inner, &out->evidence);
        know_defaults(out);
        out->evidence.past = !pretrained;
        /* of a pre-trained file one more: the seed that the one that ships was drawn with */
        status = teach(who, some.set[0].facts.seed + (uint64_t)pretrained, out, err);
    }
    free(some.set);
    if (status < 0)
        model_file_clear(out);
    return status;
}

int model_file_train(const struct training_cells *training, const char *learner,
                     const char *licence, int pretrained, struct model_file *out, struct err *err)
{
    const struct learner *who[MOST_MEMBERS + 1];
    model_file_voices(learner, who);
    if ((pretrained && check_clusters(training, err) < 0) ||
        model_file_teach(training, who, pretrained, out, err) < 0)
        return -1;
    if (!out->evidence.n) {
        model_file_clear(out);
        return err_set(err, "no cell has two candidates with a time");
    }
    snprintf(out->learner, sizeof out->learner, "%s", learner);
    snprintf(out->licence, sizeof out->licence, "%s", licence);
    make_digest(training, out);
    for (size_t i = 0; pretrained && i < out->evidence.n; i++)
        forget_times(&out->evidence.subject[i]);
    return 0;
}

/* ---- writing ---- */

static json_t *save_kinds(const struct subject *s)
{
    json_t *kinds = json_array();
    for (size_t i = 0; i < s->n_kinds; i++)
        json_array_append_new(
            kinds, json_pack("{s:s, s:I, s:i}", "algorithm", s->kind[i].algorithm, "segment_bytes",
                             (json_int_t)s->kind[i].segment_bytes, "fanout", s->kind[i].fanout));
    return kinds;
}

/* [processes, nodes, ppn, root, bytes, kind of the default or -1, then kind and logarithm of its
 * seconds for each candidate] */
static json_t *save_cells(const struct subject *s)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < s->n; i++) {
        const struct example *l = &s->example[i];
        json_t *cell = json_pack("[i, i, i, i, I, i]", l->cell.procs, l->cell.nodes, l->cell.ppn,
                                 l->cell.root, (json_int_t)l->cell.bytes,
                                 l->by_default < s->n_kinds ? (int)l->by_default : -1);
        for (size_t k = 0; k < l->n; k++) {
            json_array_append_new(cell, json_integer((json_int_t)l->offer[k].kind));
            json_array_append_new(cell, json_real(l->offer[k].log_s));
        }
        json_array_append_new(cells, cell);
    }
    return cells;
}

/* [low, high, how often it holds or null, tries], or null. */
static json_t *save_interval(const struct learner_interval *b)
{
    return isnan(b->low) ? json_null()
                         : json_pack("[f, f, o, I]", b->low, b->high, json_number(b->holds),
                                     (json_int_t)b->tries);
}

/* Beyond the largest P, for each doubling. */
static json_t *save_beyond(const struct skill *s)
{
    json_t *beyond = json_array();
    for (int d = 0; d < LEARNER_DOUBLINGS; d++)
        json_array_append_new(beyond, save_interval(&s->beyond[d]));
    return beyond;
}

static json_t *save_thresholds(const double *threshold, size_t n)
{
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(out, json_number(threshold[i]));
    return out;
}

/* {bold, safe by place, pairs of families}, null: never; of a learner that walks. */
static json_t *save_trust(const struct walked_trust *t)
{
    return json_pack("{s:o, s:o, s:o}", "bold", json_number(t->bold), "safe",
                     save_thresholds(t->safe, WALKED_PLACES), "pairs",
                     save_thresholds(t->pair, sizeof t->pair / sizeof *t->pair));
}

static json_t *save_skill(const struct learnt *member, size_t at)
{
    const struct skill *s = &member->skill[at];
    json_t *fits = json_array(), *importance = json_array();
    for (size_t i = 0; i < s->n_kinds; i++)
        json_array_append_new(fits, s->fit[i].method ? fitted_save(&s->fit[i]) : json_null());
    for (size_t i = 0; i < N_FEATURES; i++)
        json_array_append_new(importance, json_number(s->importance[i]));
    return json_pack("{s:s, s:i, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "learner",
                     member->learner->name, "setting", (int)s->setting, "ratio", s->ratio, "cells",
                     (json_int_t)s->examples, "loss", json_number(s->loss), "auc",
                     json_number(s->auc), "gain", save_interval(&s->between), "gain_elsewhere",
                     save_interval(&s->elsewhere), "gain_beyond", save_beyond(s), "importance",
                     importance, "fits", fits, "trust",
                     member->learner->walks ? save_trust(&s->trust) : NULL);
}

static json_t *save_lead(const struct safe_lead *lead)
{
    return lead->learner
               ? json_pack("{s:s, s:f}", "learner", lead->learner->name, "least", lead->least)
               : json_null();
}

/* Who leads between what was measured, and beyond its largest P: of each who leads there where. */
static json_t *save_leads(const struct safe *safe, size_t at)
{
    const struct safe_leads *leads = safe->lead ? &safe->lead[at] : NULL;
    if (!leads)
        return json_null();
    json_t *beyond = json_array();
    for (int several = 0; several < 2; several++)
        for (int d = 0; d < SAFE_DOUBLINGS; d++)
            if (leads->beyond[several][d].learner)
                json_array_append_new(beyond, json_pack("{s:b, s:i, s:o}", "several", several,
                                                        "doublings", d + 1, "lead",
                                                        save_lead(&leads->beyond[several][d])));
    return json_pack("{s:o, s:b, s:o}", "between", save_lead(&leads->between), "network",
                     leads->network, "beyond", beyond);
}

static json_t *save_subject(const struct model_file *f, size_t at)
{
    const struct subject *s = &f->evidence.subject[at];
    json_t *skills = json_array();
    for (size_t i = 0; i < f->n_members; i++)
        json_array_append_new(skills, save_skill(&f->member[i], at));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "collective",
                     s->context.collective, "mpi", s->context.mpi, "mapping", s->context.mapping,
                     "threshold", json_number(f->safe.threshold[at]), "leads",
                     save_leads(&f->safe, at), "kinds", save_kinds(s), "measured", save_cells(s),
                     "skills", skills);
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
    json_t *o =
        json_pack("{s:s, s:i, s:i, s:i, s:s}", "cluster", m->cluster, "sockets", m->sockets,
                  "cores", m->cores, "cache_cores", m->cache_cores, "sim_default", m->sim_default);
    for (size_t i = 0; i < N_MACHINE; i++)
        if (m->machine[i] > 0)
            json_object_set_new(o, machine_names[i], json_real(m->machine[i]));
    json_t *versions = json_object();
    for (size_t i = 0; i < m->n_mpis; i++)
        json_object_set_new(versions, m->mpi[i], json_string(m->mpi_version[i]));
    json_object_set_new(o, "versions", versions);
    return o;
}

static json_t *save_sources(const struct model_file *f)
{
    json_t *sets = json_array();
    for (size_t i = 0; i < f->n_sources; i++)
        json_array_append_new(sets, json_pack("{s:s, s:s, s:i, s:I}", "cluster",
                                              f->source[i].cluster, "backend", f->source[i].backend,
                                              "procs", f->source[i].procs, "points",
                                              (json_int_t)f->source[i].points));
    return sets;
}

static json_t *save_all(const struct model_file *f)
{
    json_t *subjects = json_array();
    for (size_t i = 0; i < f->evidence.n; i++)
        json_array_append_new(subjects, save_subject(f, i));
    json_t *in_sight = f->walks ? json_string(WALKED_IN_SIGHT) : NULL;
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o*}", "schema", MODEL_SCHEMA,
                     "features", feature_list(), "learner", f->learner, "licence", f->licence,
                     "digest", f->digest, "pretrained", f->pretrained, "sets", save_sources(f),
                     "machine", save_machine(&f->machine), "subjects", subjects, "in_sight",
                     in_sight);
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

/* A number, or null: then it is `none`. */
static int take_number(const json_t *json, const char *name, double none, double *out,
                       struct err *err)
{
    const json_t *value = json_object_get(json, name);
    *out = json_is_number(value) ? json_number_value(value) : none;
    return json_is_null(value) || (json_is_number(value) && isfinite(*out))
               ? 0
               : err_set(err, "'%s' is neither a number nor null", name);
}

/* What json_unpack_ex misses, and all that it wants. */
static int tell_lack(const json_error_t *lack, const char *want, struct err *err)
{
    return err_set(err, "%s (want %s)", lack->text, want);
}

static int load_kind(json_t *json, struct candidate *kind, struct err *err)
{
    const char *algorithm;
    json_int_t segment, fanout;
    json_error_t lack;
    if (json_unpack_ex(json, &lack, 0, "{s:s, s:I, s:I}", "algorithm", &algorithm, "segment_bytes",
                       &segment, "fanout", &fanout) < 0)
        return tell_lack(&lack, "algorithm, segment_bytes, fanout", err);
    if (segment < 0 || fanout < 0 || fanout > INT_MAX)
        return err_set(err, "its segment or fan-out is out of range");
    kind->segment_bytes = (uint64_t)segment;
    kind->fanout = (int)fanout;
    return take_name(algorithm, "algorithm", kind->algorithm, err);
}

static int load_kinds(const json_t *kinds, struct subject *s, struct err *err)
{
    const size_t n = json_array_size(kinds);
    for (size_t i = 0; i < n; i++)
        if (load_kind(json_array_get(kinds, i), array_add(&s->kind, &s->n_kinds), err) < 0)
            return err_prefix(err, "kind %zu", i);
    if (n > MOST_KINDS)
        return err_set(err, "%zu kinds (want %d at most)", n, MOST_KINDS);
    return n ? 0 : err_set(err, "a subject without a kind");
}

/* An integer of an array, within limits; -1 - least where it is none. */
static int take_integer(const json_t *array, size_t at, json_int_t least, json_int_t most,
                        json_int_t *out)
{
    const json_t *value = json_array_get(array, at);
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= least && *out <= most ? 0 : -1;
}

static int load_offer(const json_t *array, size_t at, const struct subject *s, struct example *l)
{
    const json_t *log_s = json_array_get(array, at + 1);
    json_int_t kind;
    struct offer *o = array_add(&l->offer, &l->n);
    if (take_integer(array, at, 0, (json_int_t)s->n_kinds - 1, &kind) < 0 || !json_is_number(log_s))
        return -1;
    o->kind = (size_t)kind;
    o->log_s = json_number_value(log_s);
    return fabs(o->log_s) < 100 ? 0 : -1;
}

/* bare: without times. */
static int load_cell(const json_t *array, const struct facts *machine, const struct subject *s,
                     int bare, struct example *l)
{
    json_int_t procs, nodes, ppn, root, bytes, by_default;
    const size_t n = json_array_size(array);
    if ((bare ? n != 6 : n < 8) || n % 2 || take_integer(array, 0, 1, INT_MAX, &procs) < 0 ||
        take_integer(array, 1, 1, procs, &nodes) < 0 ||
        take_integer(array, 2, 1, procs, &ppn) < 0 ||
        take_integer(array, 3, 0, procs - 1, &root) < 0 ||
        take_integer(array, 4, 0, (json_int_t)1 << 50, &bytes) < 0 ||
        take_integer(array, 5, -1, (json_int_t)s->n_kinds - 1, &by_default) < 0)
        return -1;
    l->cell = s->context;
    l->cell.procs = (int)procs;
    l->cell.nodes = (int)nodes;
    l->cell.ppn = (int)ppn;
    l->cell.root = (int)root;
    l->cell.bytes = (uint64_t)bytes;
    l->by_default = by_default < 0 ? SIZE_MAX : (size_t)by_default;
    l->default_runs = problem_default_runs(machine, &l->cell);
    for (size_t at = 6; at < n; at += 2)
        if (load_offer(array, at, s, l) < 0)
            return -1;
    return 0;
}

static int load_cells(const json_t *cells, const struct model_file *f, struct subject *s,
                      struct err *err)
{
    const size_t n = json_array_size(cells);
    for (size_t i = 0; i < n; i++)
        if (load_cell(json_array_get(cells, i), &f->machine, s, f->pretrained,
                      array_add(&s->example, &s->n)) < 0)
            return err_set(
                err,
                "measured cell %zu: a number is missing or out of range (want processes, "
                "nodes, ppn, root, bytes, the default's kind or -1%s)",
                i, f->pretrained ? "" : ", then kind and log of seconds by turns");
    subject_sort(s);
    return n || f->walks ? 0 : err_set(err, "a subject without a measured cell");
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

static int load_fits(const json_t *fits, const struct learner *learner, struct skill *s,
                     struct err *err)
{
    if (json_array_size(fits) != s->n_kinds)
        return err_set(err, "%zu fits (want %zu)", json_array_size(fits), s->n_kinds);
    for (size_t i = 0; i < s->n_kinds; i++) {
        const json_t *fit = json_array_get(fits, i);
        if (!json_is_null(fit) &&
            (fitted_load(fit, &s->fit[i], err) < 0 || check_fit(&s->fit[i], learner, err) < 0))
            return err_prefix(err, "kind %zu", i);
    }
    return 0;
}

/* What is not known is null, or not there. */
static int load_interval(json_t *json, const char *name, struct learner_interval *out,
                         struct err *err)
{
    json_t *holds;
    json_int_t tries;
    *out = (struct learner_interval){ NAN, NAN, NAN, 0 };
    if (!json || json_is_null(json))
        return 0;
    if (json_unpack(json, "[F, F, o, I!]", &out->low, &out->high, &holds, &tries) < 0 ||
        !(out->low <= out->high) || !isfinite(out->high - out->low) || tries < 0)
        return err_set(err, "%s: want low, high, how often it holds, and in how many tries", name);
    out->holds = json_is_number(holds) ? json_number_value(holds) : NAN;
    out->tries = (size_t)tries;
    return out->holds < 0 || out->holds > 1
               ? err_set(err, "%s: holds in a share of %g (want 0 to 1)", name, out->holds)
               : 0;
}

static int load_gain_beyond(const json_t *json, struct skill *s, struct err *err)
{
    if (json && !json_is_null(json) && !json_is_array(json))
        return err_set(err, "gain_beyond: want an array of intervals");
    for (size_t d = 0; d < LEARNER_DOUBLINGS; d++)
        if (load_interval(json_array_get(json, d), "gain_beyond", &s->beyond[d], err) < 0)
            return err_prefix(err, "place %zu", d + 1);
    return 0;
}

static int load_importance(const json_t *importance, struct skill *s, struct err *err)
{
    if (json_array_size(importance) != N_FEATURES)
        return err_set(err, "importance of %zu features (want %d)", json_array_size(importance),
                       N_FEATURES);
    for (size_t i = 0; i < N_FEATURES; i++) {
        const json_t *value = json_array_get(importance, i);
        s->importance[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return 0;
}

/* A threshold, or null: never. */
static int take_threshold(const json_t *value, double *out)
{
    *out = json_is_number(value) ? json_number_value(value) : INFINITY;
    return (json_is_number(value) && *out > 0) || json_is_null(value) ? 0 : -1;
}

static int take_thresholds(const json_t *from, size_t n, double *out)
{
    int status = -(json_array_size(from) != n);
    for (size_t i = 0; i < n; i++)
        status += take_threshold(json_array_get(from, i), &out[i]);
    return status;
}

static int load_trust(json_t *json, struct walked_trust *t, struct err *err)
{
    const json_t *trust = json_object_get(json, "trust");
    const size_t pairs = sizeof t->pair / sizeof *t->pair;
    return take_threshold(json_object_get(trust, "bold"), &t->bold) == 0 &&
                   take_thresholds(json_object_get(trust, "safe"), WALKED_PLACES, t->safe) == 0 &&
                   take_thresholds(json_object_get(trust, "pairs"), pairs, t->pair) == 0
               ? 0
               : err_set(err,
                         "trust: want bold, and safe with %d of them and pairs with %zu, each "
                         "above 0 or null",
                         WALKED_PLACES, pairs);
}

static int load_skill(json_t *json, const struct learner *learner, const struct subject *subject,
                      struct skill *s, struct err *err)
{
    const char *name;
    json_int_t setting, cells;
    const json_t *fits, *importance;
    json_error_t lack;
    s->context = subject->context;
    s->n_kinds = subject->n_kinds;
    s->kind = memory_zeros(s->n_kinds + 1, sizeof *s->kind);
    s->fit = memory_zeros(s->n_kinds + 1, sizeof *s->fit);
    memcpy(s->kind, subject->kind, s->n_kinds * sizeof *s->kind);
    if (json_unpack_ex(json, &lack, 0, "{s:s, s:I, s:b, s:I, s:o, s:o}", "learner", &name,
                       "setting", &setting, "ratio", &s->ratio, "cells", &cells, "importance",
                       &importance, "fits", &fits) < 0)
        return tell_lack(&lack, "learner, setting, ratio, cells, importance, fits", err);
    if (strcmp(name, learner->name) != 0)
        return err_set(err, "it is of learner '%.40s' (want %s)", name, learner->name);
    size_t n_settings = 0;
    while (learner->method->settings[n_settings])
        n_settings++;
    if (setting < 0 || (size_t)setting >= n_settings || cells < 0)
        return err_set(err, "its numbers are out of range");
    s->setting = (size_t)setting;
    s->examples = (size_t)cells;
    return take_number(json, "loss", NAN, &s->loss, err) < 0 ||
                   take_number(json, "auc", NAN, &s->auc, err) < 0 ||
                   load_interval(json_object_get(json, "gain"), "gain", &s->between, err) < 0 ||
                   load_interval(json_object_get(json, "gain_elsewhere"), "gain_elsewhere",
                                 &s->elsewhere, err) < 0 ||
                   load_gain_beyond(json_object_get(json, "gain_beyond"), s, err) < 0 ||
                   load_importance(importance, s, err) < 0 ||
                   (learner->walks && load_trust(json, &s->trust, err) < 0)
               ? -1
               : load_fits(fits, learner, s, err);
}

static int load_skills(const json_t *skills, struct model_file *f, const struct subject *s,
                       struct err *err)
{
    if (json_array_size(skills) != f->n_members)
        return err_set(err, "%zu skills (want %zu)", json_array_size(skills), f->n_members);
    for (size_t i = 0; i < f->n_members; i++) {
        struct learnt *m = &f->member[i];
        struct skill *skill = array_add(&m->skill, &m->n);
        skill->core_s = NAN;
        if (load_skill(json_array_get(skills, i), m->learner, s, skill, err) < 0)
            return err_prefix(err, "%s", m->learner->name);
    }
    return 0;
}

/* One of those who are in the file, or nobody. */
static int load_lead(json_t *json, const struct model_file *f, struct safe_lead *lead,
                     struct err *err)
{
    const char *name;
    if (json_is_null(json))
        return 0;
    if (json_unpack(json, "{s:s, s:F}", "learner", &name, "least", &lead->least) < 0)
        return err_set(err, "a lead lacks learner or least");
    for (size_t i = 0; i < f->n_members; i++)
        if (strcmp(f->member[i].learner->name, name) == 0)
            lead->learner = f->member[i].learner;
    if (!lead->learner || !learner_has_voice(lead->learner))
        return err_set(err, "lead: learner '%.40s' is none that `safe` uses", name);
    return lead->least > 0 ? 0 : err_set(err, "lead: %g is no least gain", lead->least);
}

static int load_beyond(json_t *json, const struct model_file *f, struct safe_leads *leads,
                       struct err *err)
{
    int several, d;
    json_t *lead;
    if (json_unpack(json, "{s:b, s:i, s:o}", "several", &several, "doublings", &d, "lead", &lead) <
            0 ||
        d < 1 || d > SAFE_DOUBLINGS)
        return err_set(err, "leads/beyond: wants several, doublings (1 to %d) and lead",
                       SAFE_DOUBLINGS);
    return load_lead(lead, f, &leads->beyond[several != 0][d - 1], err);
}

/* Files of those who know of none have no such key. */
static int load_leads(json_t *json, const struct model_file *f, const struct subject *s,
                      struct safe_leads *leads, struct err *err)
{
    json_t *between, *beyond;
    safe_leads_place(s, leads);
    if (!json || json_is_null(json))
        return 0;
    if (json_unpack(json, "{s:o, s:b, s:o}", "between", &between, "network", &leads->network,
                    "beyond", &beyond) < 0)
        return err_set(err, "leads lack one of between, network, beyond");
    if (load_lead(between, f, &leads->between, err) < 0)
        return -1;
    for (size_t i = 0; i < json_array_size(beyond); i++)
        if (load_beyond(json_array_get(beyond, i), f, leads, err) < 0)
            return -1;
    return 0;
}

static int load_subject(json_t *json, struct model_file *f, struct subject *s, double *threshold,
                        struct safe_leads *leads, struct err *err)
{
    const char *collective, *mpi, *mapping;
    const json_t *kinds, *cells, *skills;
    json_error_t lack;
    if (json_unpack_ex(json, &lack, 0, "{s:s, s:s, s:s, s:o, s:o, s:o}", "collective", &collective,
                       "mpi", &mpi, "mapping", &mapping, "kinds", &kinds, "measured", &cells,
                       "skills", &skills) < 0)
        return tell_lack(&lack, "collective, mpi, mapping, kinds, measured, skills", err);
    return take_name(collective, "collective", s->context.collective, err) < 0 ||
                   take_name(mpi, "mpi", s->context.mpi, err) < 0 ||
                   take_name(mapping, "mapping", s->context.mapping, err) < 0 ||
                   take_number(json, "threshold", INFINITY, threshold, err) < 0 ||
                   load_kinds(kinds, s, err) < 0 || load_cells(cells, f, s, err) < 0 ||
                   load_leads(json_object_get(json, "leads"), f, s, leads, err) < 0
               ? -1
               : load_skills(skills, f, s, err);
}

static int load_subjects(const json_t *subjects, struct model_file *f, struct err *err)
{
    const size_t n = json_array_size(subjects);
    double *threshold = memory_zeros(n + 1, sizeof *threshold);
    f->safe = (struct safe){ .problem = &f->evidence,
                             .member = f->member,
                             .n_members = f->n_members,
                             .threshold = threshold,
                             .lead = memory_zeros(n + 1, sizeof *f->safe.lead) };
    for (size_t i = 0; i < n; i++) {
        struct subject *s = array_add(&f->evidence.subject, &f->evidence.n);
        if (load_subject(json_array_get(subjects, i), f, s, &threshold[i], &f->safe.lead[i], err) <
            0)
            return err_prefix(err, "subjects/%zu", i);
    }
    safe_look_back(&f->safe);
    return n ? 0 : err_set(err, "subjects: there is none");
}

/* What a node has of something; 0: not known. */
static int take_count(const json_t *machine, const char *name, int *out, struct err *err)
{
    const json_t *value = json_object_get(machine, name);
    const json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;
    if (n < 0 || n > MOST_COUNT)
        return err_set(err, "machine/%s: is no number from 0 to %d", name, MOST_COUNT);
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
    return err_set(err, "machine/%s: is no number above 0", name);
}

static int take_features(const json_t *machine, struct facts *out, struct err *err)
{
    for (size_t i = 0; i < N_MACHINE; i++)
        if (take_feature(machine, machine_names[i], &out->machine[i], err) < 0)
            return -1;
    return 0;
}

/* Files of those who do not say tell nothing of what a library's default runs. */
static int take_versions(const json_t *machine, struct facts *out, struct err *err)
{
    json_t *versions = json_object_get(machine, "versions");
    const char *mpi;
    json_t *value;
    if (versions && !json_is_object(versions))
        return err_set(err, "machine/versions: want an object, a release for each library");
    if (json_object_size(versions) > MAX_MPIS)
        return err_set(err, "machine/versions: of more than %d libraries", MAX_MPIS);
    json_object_foreach(versions, mpi, value)
    {
        const char *text = json_string_value(value);
        const size_t at = out->n_mpis;
        if (take_name(mpi, "machine/versions:", out->mpi[at], err) < 0 ||
            take_name(text ? text : "", "machine/versions:", out->mpi_version[at], err) < 0)
            return -1;
        out->n_mpis++;
    }
    return 0;
}

static int check_machine(const json_t *machine, struct facts *out, struct err *err)
{
    const char *rule = json_string_value(json_object_get(machine, "sim_default"));
    if (!rule || (*rule && !decision_library(rule)))
        return err_set(err, "machine/sim_default: '%.40s' is no rule", rule ? rule : "");
    out->simulated = *rule != '\0';
    snprintf(out->sim_default, sizeof out->sim_default, "%s", rule);
    return take_name(json_text_at(machine, "cluster"), "machine/cluster:", out->cluster, err) < 0 ||
                   take_count(machine, "sockets", &out->sockets, err) < 0 ||
                   take_count(machine, "cores", &out->cores, err) < 0 ||
                   take_count(machine, "cache_cores", &out->cache_cores, err) < 0 ||
                   take_versions(machine, out, err) < 0
               ? -1
               : take_features(machine, out, err);
}

/* How much was timed; older files do not say. */
static int take_timed(const json_t *set, struct model_source *s, struct err *err)
{
    json_int_t procs = 0, points = 0;
    if (json_unpack((json_t *)set, "{s?I, s?I}", "procs", &procs, "points", &points) < 0 ||
        procs < 0 || procs > INT_MAX || points < 0)
        return err_set(err, "procs or points is no number from 0 on");
    s->procs = (int)procs;
    s->points = (size_t)points;
    return 0;
}

/* Files of those who do not say have none, and are not pretrained. */
static int load_sources(const json_t *json, struct model_file *f, struct err *err)
{
    const json_t *sets = json_object_get(json, "sets");
    f->pretrained = json_is_true(json_object_get(json, "pretrained"));
    if (f->pretrained && !json_array_size(sets))
        return err_set(err, "sets: want the sets that it was learnt from, each with its cluster");
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const json_t *set = json_array_get(sets, i);
        struct model_source *s = array_add(&f->source, &f->n_sources);
        if (take_name(json_text_at(set, "cluster"), "cluster", s->cluster, err) < 0 ||
            take_name(json_text_at(set, "backend"), "backend", s->backend, err) < 0 ||
            take_timed(set, s, err) < 0)
            return err_prefix(err, "set %zu", i);
    }
    return 0;
}

static int check_schema(const json_t *json, struct err *err)
{
    const char *schema = json_string_value(json_object_get(json, "schema"));
    if (schema && strcmp(schema, MODEL_SCHEMA) == 0)
        return 0;
    return err_set(err, "schema: '%.40s' (want %s; run `collsel train` again)",
                   schema ? schema : "none", MODEL_SCHEMA);
}

/* Who has learnt, with nothing learnt so far. */
static int prepare_members(const char *learner, struct model_file *f, struct err *err)
{
    const struct learner *member[MOST_MEMBERS + 1];
    if (!model_file_takes(learner))
        return err_set(err, "learner: '%.40s' is none that a file can hold", learner);
    snprintf(f->learner, sizeof f->learner, "%s", learner);
    f->n_members = model_file_voices(learner, member);
    f->walks = learner_walks(learner);
    f->member = memory_zeros(f->n_members, sizeof *f->member);
    for (size_t i = 0; i < f->n_members; i++)
        f->member[i].learner = member[i];
    return 0;
}

static int check_head(json_t *json, struct model_file *f, struct err *err)
{
    const char *learner, *licence, *digest;
    json_t *features, *machine, *ours = feature_list();
    json_error_t lack;
    int status = check_schema(json, err);
    if (status == 0 && json_unpack_ex(json, &lack, 0, "{s:o, s:s, s:s, s:s, s:o}", "features",
                                      &features, "learner", &learner, "licence", &licence, "digest",
                                      &digest, "machine", &machine) < 0)
        status = tell_lack(&lack, "features, learner, licence, digest, machine", err);
    if (status == 0 && !json_equal(features, ours))
        status = err_set(err, "features: it was learnt from others than these %d", N_FEATURES);
    json_decref(ours);
    if (status < 0 || prepare_members(learner, f, err) < 0)
        return -1;
    snprintf(f->licence, sizeof f->licence, "%s", licence);
    text_disarm(f->licence);
    snprintf(f->digest, sizeof f->digest, "%.16s", digest);
    text_disarm(f->digest);
    return load_sources(json, f, err) < 0 ? -1 : check_machine(machine, &f->machine, err);
}

static int load_all(json_t *json, struct model_file *out, struct err *err)
{
    *out = (struct model_file){ .n_members = 0 };
    if (check_head(json, out, err) == 0 &&
        load_subjects(json_object_get(json, "subjects"), out, err) == 0)
        return 0;
    model_file_clear(out);
    return -1;
}

/* ---- files ---- */

int model_file_read(const char *path, struct model_file *out, struct err *err)
{
    json_error_t where;
    *out = (struct model_file){ .n_members = 0 };
    char *text = fs_read_within(path, (size_t)MODEL_MOST_MIB << 20, NULL, err);
    if (!text)
        return -1;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!json)
        return err_set(err, "%s:%d: no JSON: %.200s", path, where.line, where.text);
    const int status = load_all(json, out, err);
    json_decref(json);
    return status == 0 ? 0 : json_file_fail(path, err);
}

/* 0 when a text can be read as a file. */
static int check_text(const char *text, struct err *err)
{
    struct model_file again;
    json_error_t where;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    if (!json)
        return err_set(err, "line %d: no JSON: %.200s", where.line, where.text);
    const int status = load_all(json, &again, err);
    json_decref(json);
    if (status == 0)
        model_file_clear(&again);
    return status;
}

/* Thresholds and leaves are floats, which nine digits hold. */
static const size_t long_form = JSON_INDENT(1) | JSON_REAL_PRECISION(17),
                    short_form = JSON_COMPACT | JSON_REAL_PRECISION(9);

int model_file_write(const struct model_file *file, const char *path, struct err *err)
{
    json_t *json = save_all(file);
    char *text = json ? json_dumps(json, file->pretrained ? short_form : long_form) : NULL;
    int status = 0;
    json_decref(json);
    if (!text)
        return err_set(err, "'%s': what was learnt is no JSON", path);
    if (strlen(text) > (size_t)MODEL_MOST_MIB << 20)
        status = err_set(err,
                         "'%s' would be larger than the %d MiB that are read (learn from fewer "
                         "sets, or by one learner)",
                         path, MODEL_MOST_MIB);
    else if (check_text(text, err) < 0)
        status = err_prefix(err, "'%s' is not written, as it could not be read back", path);
    else
        status = fs_write(path, text, err);
    free(text);
    return status;
}

const struct subject *model_file_subject(const struct model_file *file, const struct cell *cell)
{
    for (size_t i = 0; file->walks && i < file->evidence.n; i++) {
        const struct cell *c = &file->evidence.subject[i].context;
        if (strcmp(c->collective, cell->collective) == 0 && mpi_is(cell->mpi, c->mpi))
            return &file->evidence.subject[i];
    }
    return file->walks ? NULL : problem_subject(&file->evidence, cell);
}

void model_file_clear(struct model_file *file)
{
    for (size_t i = 0; i < file->n_members; i++)
        learnt_clear(&file->member[i]);
    memory_free(file->member, file->source);
    safe_clear(&file->safe);
    problem_clear(&file->evidence);
    *file = (struct model_file){ .n_members = 0 };
}
