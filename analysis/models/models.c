/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/models.h"

#include <math.h>
#include <string.h>

#include "analysis/models/channel/channel_calibrate.h"
#include "analysis/models/channel/channel_models.h"
#include "analysis/models/regression/carried.h"
#include "analysis/measure/equivalent.h"
#include "analysis/walk/closed.h"
#include "analysis/walk/stage.h"

static const char *const names[N_PREDICT_STATUS] = {
    [PREDICT_OK] = "ok",
    [PREDICT_NO_SCHEDULE] = "no_schedule",
    [PREDICT_NO_GAMMA] = "no_gamma",
    [PREDICT_NO_FIT] = "no_fit",
    [PREDICT_NO_FORMULA] = "no_formula",
    [PREDICT_NOT_POSITIVE] = "not_positive",
    [PREDICT_EXTRAPOLATED] = "extrapolated",
};

const char *predict_status_name(enum predict_status status)
{
    return names[status];
}

int predict_status_parse(const char *name, enum predict_status *status)
{
    for (int i = 0; i < N_PREDICT_STATUS; i++) {
        if (strcmp(names[i], name) == 0) {
            *status = (enum predict_status)i;
            return 0;
        }
    }
    return -1;
}

int prediction_usable(const struct prediction *prediction)
{
    return prediction->status == PREDICT_OK || prediction->status == PREDICT_EXTRAPOLATED;
}

/* What runs, as the study's experiments name it: a substitute has its own fit. Its segment and
 * fan-out are the candidate's where it takes any. */
static struct candidate what_runs(const struct candidate *asked, const struct schedule *s)
{
    struct candidate c = *asked;
    equivalent_name(asked->algorithm, s, c.algorithm, sizeof c.algorithm);
    if (s->alg == s->asked)
        return c;
    c.segment_bytes = s->alg->segmented ? asked->segment_bytes : 0;
    c.fanout = s->alg->default_fanout;
    return c;
}

/* Seconds from the walk, or a status. */
static enum predict_status walk(const struct schedule *s, const struct gamma *gamma, double alpha,
                                double beta, double *seconds)
{
    struct stage_profile profile;
    struct err err;
    if (stage_walk(s, &profile, &err) < 0)
        return PREDICT_NO_SCHEDULE;
    *seconds = stage_time(&profile, gamma, alpha, beta);
    stage_profile_clear(&profile);
    return PREDICT_OK;
}

static enum predict_status derived(const struct parameters *p, const struct cell *cell,
                                   const struct candidate *candidate, const struct schedule *s,
                                   double *seconds)
{
    struct candidate runs = what_runs(candidate, s);
    const struct hockney *fit =
        hockney_find(p->fits, cell->collective, cell->mpi, cell->mapping, &runs);
    struct gamma gamma;
    if (!gamma_for(p->gammas, cell->mpi, cell->mapping, cell->collective, &gamma))
        return PREDICT_NO_GAMMA;
    if (!hockney_usable(fit))
        return PREDICT_NO_FIT;
    return walk(s, &gamma, fit->alpha, fit->beta, seconds);
}

static enum predict_status traditional(const struct parameters *p, const struct cell *cell,
                                       const struct candidate *candidate, const struct schedule *s,
                                       double *seconds)
{
    (void)candidate;
    const struct hockney *fit = hockney_traditional(p->fits, cell->mpi, cell->mapping);
    if (!closed_find(CLOSED_TRADITIONAL, s))
        return PREDICT_NO_FORMULA;
    if (!hockney_usable(fit))
        return PREDICT_NO_FIT;
    *seconds = closed_time(CLOSED_TRADITIONAL, s, NULL, fit->alpha, fit->beta);
    if (p->facts)
        *seconds += p->facts->combine_s_per_byte * closed_combined(CLOSED_TRADITIONAL, s, NULL);
    return PREDICT_OK;
}

static enum predict_status event(const struct parameters *p, const struct cell *cell,
                                 const struct candidate *candidate, const struct schedule *s,
                                 double *seconds)
{
    struct candidate runs = what_runs(candidate, s);
    struct loggp_result result;
    struct err err;
    if (!p->events)
        return PREDICT_NO_FIT;
    const struct loggp_platform *at = loggp_platform_find(p->events, cell->mpi, cell->mapping);
    const struct loggp_fit *fit = loggp_fit_find(p->events, cell, &runs);
    if (!loggp_platform_usable(at) || !loggp_fit_usable(fit))
        return PREDICT_NO_FIT;
    if (loggp_walk(s, &at->costs, loggp_place_of(cell), fit->scale, &result, &err) < 0)
        return PREDICT_NO_SCHEDULE;
    *seconds = result.clock.time;
    return PREDICT_OK;
}

static int has_simulation(const struct parameters *p)
{
    return p->against && strcmp(p->against->points.backend, "sim") == 0;
}

static enum predict_status simulated(const struct parameters *p, const struct cell *cell,
                                     const struct candidate *candidate, const struct schedule *s,
                                     double *seconds)
{
    (void)s;
    const struct point point = { .experiment = EXP_TIME, .cell = *cell, .candidate = *candidate };
    const struct measured *twin = has_simulation(p) ? against_find(p->against, &point) : NULL;
    if (!twin || !measured_usable(twin))
        return PREDICT_NO_FIT;
    *seconds = twin->time.mean;
    return PREDICT_OK;
}

static enum predict_status by_dummies(const struct parameters *p, const struct cell *cell,
                                      const struct candidate *candidate, const struct schedule *s,
                                      enum regression_method method, double *seconds)
{
    const struct candidate runs = s ? what_runs(candidate, s) : *candidate;
    const struct regression_fit *fit = regressions_find(p->dummies, method, cell, &runs);
    struct regression_prediction prediction;
    if (!fit || regression_predict(p->dummies, fit, cell, &prediction) < 0)
        return PREDICT_NO_FIT;
    *seconds = prediction.seconds;
    return prediction.extrapolated ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

static enum predict_status dummy(const struct parameters *p, const struct cell *cell,
                                 const struct candidate *candidate, const struct schedule *s,
                                 double *seconds)
{
    return by_dummies(p, cell, candidate, s, REGRESSION_HUBER, seconds);
}

static enum predict_status regression_ls(const struct parameters *p, const struct cell *cell,
                                       const struct candidate *candidate, const struct schedule *s,
                                       double *seconds)
{
    return by_dummies(p, cell, candidate, s, REGRESSION_LS, seconds);
}

static enum predict_status regression_mm(const struct parameters *p, const struct cell *cell,
                                        const struct candidate *candidate, const struct schedule *s,
                                        double *seconds)
{
    return by_dummies(p, cell, candidate, s, REGRESSION_MM, seconds);
}

static int has_dummies(const struct parameters *p)
{
    return p->dummies && regressions_usable(p->dummies);
}

static enum predict_status regression_carried(const struct parameters *p, const struct cell *cell,
                                         const struct candidate *candidate,
                                         const struct schedule *s, double *seconds)
{
    const struct candidate runs = s ? what_runs(candidate, s) : *candidate;
    struct carried_time time;
    const enum predict_status status = carried_predict(p, cell, &runs, &time);
    *seconds = time.seconds;
    return status;
}

static int has_carried(const struct parameters *p)
{
    return p->carried && p->dummies;
}

static int has_contention(const struct parameters *p)
{
    return p->contentions && p->contentions->n_platforms > 0;
}

/* What the ping-pong between nodes says nothing of: messages within nodes; where only some steps
 * have no others, and of more bytes than it had, its curve is carried on. */
static enum predict_status link_status(const struct links_result *r, double most_bytes,
                                        double measured_bytes)
{
    if (r->steps > 0 && r->local_steps == r->steps)
        return PREDICT_NO_FIT;
    return r->local_steps > 0 || most_bytes > measured_bytes ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

/* One of the sums of the contention walk; colliding: it asks for t(C M). */
static enum predict_status walk_links(const struct parameters *p, const struct cell *cell,
                                      const struct candidate *candidate, const struct schedule *s,
                                      double (*sum)(const struct links_result *),
                                      int colliding, double *seconds)
{
    struct links_result result;
    if (!has_contention(p) || links_of(p->contentions, cell, candidate, s, &result) < 0)
        return PREDICT_NO_FIT;
    *seconds = sum(&result);
    if (!isfinite(*seconds))
        return PREDICT_NO_FIT;
    const double most =
        colliding ? fmax((double)result.largest, result.link_bytes) : (double)result.largest;
    return link_status(&result, most, links_measured_bytes(p->contentions, cell));
}

static enum predict_status contention(const struct parameters *p, const struct cell *cell,
                                      const struct candidate *candidate, const struct schedule *s,
                                      double *seconds)
{
    return walk_links(p, cell, candidate, s, links_seconds, 1, seconds);
}

static enum predict_status no_collisions(const struct parameters *p, const struct cell *cell,
                                         const struct candidate *candidate,
                                         const struct schedule *s, double *seconds)
{
    return walk_links(p, cell, candidate, s, links_alone_seconds, 0, seconds);
}

static enum predict_status links_step_hops(const struct parameters *p, const struct cell *cell,
                                           const struct candidate *candidate,
                                           const struct schedule *s, double *seconds)
{
    return walk_links(p, cell, candidate, s, links_step_hops_seconds, 1, seconds);
}

static enum predict_status links_queue(const struct parameters *p, const struct cell *cell,
                                            const struct candidate *candidate,
                                            const struct schedule *s, double *seconds)
{
    return walk_links(p, cell, candidate, s, links_queue_seconds, 0, seconds);
}

static enum predict_status links_flow(const struct parameters *p, const struct cell *cell,
                                           const struct candidate *candidate,
                                           const struct schedule *s, double *seconds)
{
    return walk_links(p, cell, candidate, s, links_flow_seconds, 0, seconds);
}

/* Flows are walked where links lead through other nodes. */
static int has_flows(const struct parameters *p)
{
    return has_contention(p) && p->contentions->facts.topology.net.kind != TOPOLOGY_STAR &&
           p->contentions->facts.topology.net.kind != TOPOLOGY_TREE;
}

static const struct model model_derived = {
    .name = "stage",
    .help = "stage walk of the implementation's schedule; alpha and beta per algorithm",
    .predict = derived,
};
static const struct model model_event = {
    .name = "loggp",
    .help =
        "event walk of the implementation's schedule; latency and gap apart, scales per algorithm",
    .predict = event,
};
static const struct model model_traditional = {
    .name = "textbook",
    .help = "textbook formula; alpha and beta from ping-pong",
    .predict = traditional,
};

static const struct model model_simulated = {
    .name = "simulated",
    .help = "the same messages in a simulation of the cluster",
    .applies = has_simulation,
    .predict = simulated,
};

static const struct model model_dummy = {
    .name = "regression",
    .help = "regression over P with dummies for sockets or nodes, Huber",
    .without_schedule = 1,
    .fitted = 1,
    .applies = has_dummies,
    .predict = dummy,
};
static const struct model model_dummy_plain = {
    .name = "regression_ls",
    .help = "the same by least squares",
    .without_schedule = 1,
    .fitted = 1,
    .applies = has_dummies,
    .predict = regression_ls,
};
static const struct model model_dummy_robust = {
    .name = "regression_mm",
    .help = "the same by an MM-estimator, for times with many outliers",
    .without_schedule = 1,
    .fitted = 1,
    .applies = has_dummies,
    .predict = regression_mm,
};
static const struct model model_dummy_carried = {
    .name = "regression_carried",
    .help =
        "the regression, carried to sockets and nodes that it has not seen by a model of messages",
    .without_schedule = 1,
    .fitted = 1,
    .applies = has_carried,
    .predict = regression_carried,
};

static const struct model model_contention = {
    .name = "links_step",
    .help = "messages of a step routed, t(C M) from ping-pong, memory copies (Sugiyama et al.)",
    .applies = has_contention,
    .predict = contention,
};
static const struct model model_no_collisions = {
    .name = "links_free",
    .help = "the same with C = 1",
    .applies = has_contention,
    .predict = no_collisions,
};
static const struct model model_contention_hops = {
    .name = "links_step_hops",
    .help = "contention, and the latency of the longest route of each step",
    .applies = has_contention,
    .predict = links_step_hops,
};
static const struct model model_contention_queue = {
    .name = "links_queue",
    .help = "links carry messages one after the other, each rank going on when it can (ours)",
    .applies = has_contention,
    .predict = links_queue,
};
static const struct model model_contention_flow = {
    .name = "links_flow",
    .help = "messages as flows that share links, each rank going on when it can (ours)",
    .applies = has_flows,
    .predict = links_flow,
};

const struct model *const models[] = {
    &model_derived,
    &model_event,
    &model_simulated,
    &model_traditional,
    &model_dummy,
    &model_dummy_plain,
    &model_dummy_robust,
    &model_channel,
    &model_channel_event,
    &model_channel_calibrated,
    &model_no_collisions,
    &model_contention,
    &model_contention_hops,
    &model_dummy_carried,
    &model_contention_queue,
    &model_contention_flow,
    NULL,
};

const struct model *model_find(const char *name)
{
    for (const struct model *const *m = models; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
}

struct prediction model_predict(const struct model *model, const struct parameters *p,
                                const struct cell *cell, const struct candidate *candidate)
{
    struct prediction out = { .seconds = NAN, .status = PREDICT_NO_SCHEDULE };
    struct schedule s;
    const int known = equivalent_schedule(cell, candidate, &s, NULL) == 0;
    if (!known && !model->without_schedule)
        return out;
    if (known)
        equivalent_name(candidate->algorithm, &s, out.algorithm, sizeof out.algorithm);
    double seconds = NAN;
    out.status = model->predict(p, cell, candidate, known ? &s : NULL, &seconds);
    if (prediction_usable(&out) && !(seconds > 0))
        out.status = PREDICT_NOT_POSITIVE;
    if (prediction_usable(&out))
        out.seconds = seconds;
    return out;
}
