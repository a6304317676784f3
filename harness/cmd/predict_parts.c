/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_parts.c - the stage walk and the formulas of one cell, with given or fitted parameters.
 */
#include <math.h>
#include <stdio.h>

#include "analysis/measure/equivalent.h"
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/walk/closed.h"
#include "analysis/walk/stage_walk.h"
#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "harness/cmd/predict.h"
#include "harness/study/libraries/spelling.h"
#include "workloads/schedules/collectives.h"

/* Rounds of all ranks that are walked: about a minute of one core. */
static const uint64_t MOST_ROUNDS = 200000000;

/* ---- parameters ---- */

/* What the models are evaluated with. */
struct parameters_used {
    struct gamma gamma; /* borrows */
    double alpha, beta;
    double old_alpha, old_beta;  /* of ping-pong; NaN: none */
    double combine, old_combine; /* s/byte, beside either alpha and beta */
    int among_models; /* 1: the textbook's time stands in the table of all models, below */
    char from[4096 + 256];
};

static struct cell_query_row row_of(const struct hockney *f)
{
    return (struct cell_query_row){ f->collective, f->mpi, f->mapping, &f->candidate };
}

/* The fit of the algorithm: the library may be left out, and segment and fan-out, when not given,
 * are the fit's. */
static const struct hockney *matching_fit(const struct input *in, const struct hockneys *fits)
{
    for (size_t i = 0; i < fits->n; i++) {
        const struct cell_query_row row = row_of(&fits->fit[i]);
        if (cell_query_fits(&in->asked, &row))
            return &fits->fit[i];
    }
    return NULL;
}

static int describe_missing(const struct input *in, const char *dir, const struct hockneys *fits,
                            struct err *err)
{
    char what[PATH_SIZE + 64];
    struct cell_query_row *row = memory_zeros(fits->n + 1, sizeof *row);
    size_t n = 0;
    for (size_t i = 0; i < fits->n; i++)
        if (*fits->fit[i].collective) /* the ping-pong has none */
            row[n++] = row_of(&fits->fit[i]);
    snprintf(what, sizeof what, "%s/fit/hockney.csv: has no fit", dir);
    cell_query_describe(&in->asked, what, row, n, err);
    free(row);
    return -1;
}

/* Takes alpha, beta and gamma of what runs from a fit. */
static int from_fit(const char *dir, const struct hockney *f, const struct gamma_models *gammas,
                    const struct hockneys *fits, struct parameters_used *p, struct err *err)
{
    const struct hockney *old = hockney_pingpong(fits, f->mpi, f->mapping);
    if (!gamma_for(gammas, f->mpi, f->mapping, f->collective, &p->gamma) || !hockney_usable(f))
        return err_set(err, "%s/fit: '%s' has no parameters (%s%s%s)", dir, f->candidate.algorithm,
                       fit_status_name(f->status), *f->reason ? ": " : "", f->reason);
    p->alpha = f->alpha;
    p->beta = f->beta;
    if (hockney_usable(old)) {
        p->old_alpha = old->alpha;
        p->old_beta = old->beta;
    }
    snprintf(p->from, sizeof p->from, "%s/fit, %s, mapping %s, status %s", dir, f->mpi, f->mapping,
             fit_status_name(f->status));
    return 0;
}

/* ---- printing ---- */

static void print_line(const char *what, double t, double a, double b, const char *note)
{
    char text[32];
    printf("%-12s %12s  T = %.9g s", what, format_seconds(t, text, sizeof text), t);
    if (!isnan(a))
        printf("  A = %.9g  B = %.9g bytes", a, b);
    printf("  %s\n", note);
}

/* More rounds than it is reasonable to walk; says so. */
static int is_too_long(const char *what, const struct schedule *s)
{
    uint64_t all = 0, most = 0;
    for (int r = 0; r < s->procs; r++) {
        const uint64_t rounds = schedule_rounds(s, r);
        all = rounds > UINT64_MAX - all ? UINT64_MAX : all + rounds;
        most = rounds > most ? rounds : most;
    }
    if (all <= MOST_ROUNDS && most <= STAGE_MOST_ROUNDS)
        return 0;
    printf("%-12s %12s  %llu rounds of all ranks, %llu of one (walked are up to %llu and %d)\n",
           what, "left out", (unsigned long long)all, (unsigned long long)most,
           (unsigned long long)MOST_ROUNDS, STAGE_MOST_ROUNDS);
    return 1;
}

static int print_walk(const struct schedule *s, const struct parameters_used *p, struct err *err)
{
    struct stage_profile profile;
    double a, b;
    char note[96];
    if (is_too_long("walker", s))
        return 0;
    if (stage_walk(s, &profile, err) < 0)
        return -1;
    int linear =
        stage_coefficients(&profile, &p->gamma, fmax(p->alpha, 0), fmax(p->beta, 0), &a, &b);
    snprintf(note, sizeof note, "%llu stage%s%s", (unsigned long long)profile.stages,
             profile.stages == 1 ? "" : "s",
             linear ? "" : "; A and B hold for this alpha and beta only");
    double t = stage_time(&profile, &p->gamma, p->alpha, p->beta) +
               p->combine * stage_reduced(&profile, &p->gamma, fmax(p->alpha, 0), fmax(p->beta, 0));
    print_line("walker", t, a, b, note);
    stage_profile_clear(&profile);
    return 0;
}

/* otherwise: in the place of the time where alpha is NaN. */
static void print_closed(const char *what, enum closed_kind kind, const struct schedule *s,
                         const struct gamma *gamma, double alpha, double beta, double combine,
                         const char *otherwise)
{
    const struct closed_form *form = closed_find(kind, s);
    if (!form) {
        printf("%-12s %12s\n", what, "no formula");
        return;
    }
    struct closed_line line = { 0, 0, 0 };
    if (s->procs > 1 && (s->bytes > 0 || !collective_moves(s->collective->name)))
        line = form->line(s, gamma);
    char note[512];
    snprintf(note, sizeof note, "%s [%s]", form->formula, form->source);
    if (isnan(alpha))
        printf("%-12s %12s  A = %.9g  B = %.9g bytes  %s\n", what, otherwise, line.a, line.b, note);
    else
        print_line(what,
                   closed_time(kind, s, gamma, alpha, beta) +
                       combine * closed_combined(kind, s, gamma),
                   line.a, line.b, note);
}

static int print_all(const struct input *in, const struct schedule *s,
                     const struct parameters_used *p, struct err *err)
{
    char bytes[32], segment[32];
    printf("%s %s: %d process%s, %s in %llu segment%s of %s", in->asked.collective,
           in->asked.algorithm, s->procs, s->procs == 1 ? "" : "es",
           format_bytes(s->bytes, bytes, sizeof bytes), (unsigned long long)s->segments,
           s->segments == 1 ? "" : "s",
           format_bytes(s->segments > 1 ? s->segment_bytes : s->bytes, segment, sizeof segment));
    if (collective_is_rooted(in->asked.collective))
        printf(", root %d", s->root);
    putchar('\n');
    if (s->fanout)
        printf("%-12s %d\n", "fan-out", s->fanout);
    if (s->alg != s->asked)
        printf("%-12s %s (the library substitutes it here)\n", "runs", s->alg->name);
    printf("%-12s alpha = %.9g s, beta = %.9g s/byte, from %s\n", "parameters", p->alpha, p->beta,
           p->from);
    if (print_walk(s, p, err) < 0)
        return -1;
    print_closed("closed form", CLOSED_STAGE, s, &p->gamma, p->alpha, p->beta, p->combine, "");
    print_closed(hockney_pingpong_model->name, CLOSED_TEXTBOOK, s, NULL,
                 p->among_models ? NAN : p->old_alpha, p->old_beta, p->old_combine,
                 p->among_models ? "below" : "no ping-pong");
    return 0;
}

int predict_facts(const char *dir, struct facts *facts, struct err *err)
{
    char path[PATH_SIZE];
    *facts = (struct facts){ .imported = 0 };
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    return fs_exists(path) ? facts_read(dir, facts, err) : 0;
}

/* ---- from the command line ---- */

/* f: the fit that is of the algorithm, which names it as results do; NULL: there is none. */
static int make_schedule(const struct input *in, const struct hockney *f, struct schedule *s,
                         struct err *err)
{
    const struct cell_query *a = &in->asked;
    struct candidate c = { .segment_bytes = a->segment_bytes, .fanout = a->fanout };
    struct cell cell = { .procs = a->procs, .root = a->root, .bytes = a->bytes };
    char name[MOST_NAME + 1];
    snprintf(cell.collective, NAME_SIZE, "%.60s", a->collective);
    if (!f && !spelling_schedule(a->collective, a->algorithm, name))
        return spelling_refuse(&a->collective, 1, a->algorithm, err);
    snprintf(c.algorithm, NAME_SIZE, "%s", f ? f->candidate.algorithm : name);
    return equivalent_schedule(NULL, &cell, &c, s, err);
}

int predict_given(const struct input *in, struct err *err)
{
    struct schedule s;
    const double combine = isnan(in->combine) ? 0 : in->combine;
    struct parameters_used p = { .gamma = in->sends.gamma,
                                 .alpha = in->alpha,
                                 .beta = in->beta,
                                 .combine = combine,
                                 .old_combine = combine,
                                 .old_alpha = in->alpha,
                                 .old_beta = in->beta,
                                 .from = "the command line" };
    if (in->receives.given)
        p.gamma.receives = &in->receives.gamma;
    return make_schedule(in, NULL, &s, err) < 0 ? -1 : print_all(in, &s, &p, err);
}

/* What combining takes beside the ping-pong's alpha and beta, as for predictions.csv; the stage
 * model's ones contain it. */
static int take_combining(const struct input *in, const char *dir, struct parameters_used *p,
                          struct err *err)
{
    struct facts facts;
    if (predict_facts(dir, &facts, err) < 0)
        return -1;
    p->old_combine = isnan(in->combine) ? facts.combine_s_per_byte : in->combine;
    return 0;
}

/* With a fit's segment and fan-out where none were given; a substitute's parameters are its own. */
static int predict_with(const struct input *given, const char *dir,
                        const struct gamma_models *gammas, const struct hockneys *fits,
                        int among_models, struct err *err)
{
    struct input in = *given;
    struct schedule s;
    char runs[NAME_SIZE];
    struct parameters_used p = { .old_alpha = NAN, .old_beta = NAN, .among_models = among_models };
    const struct hockney *f = matching_fit(&in, fits);
    if (f && !in.asked.segment_given)
        in.asked.segment_bytes = f->candidate.segment_bytes;
    if (f && !in.asked.fanout_given)
        in.asked.fanout = f->candidate.fanout;
    if (make_schedule(&in, f, &s, err) < 0)
        return -1;
    if (s.alg != s.asked) {
        in.asked.fanout_given = 0;
        in.asked.algorithm = equivalent_name(given->asked.algorithm, &s, runs, sizeof runs);
        f = matching_fit(&in, fits);
        if (!f)
            return describe_missing(&in, dir, fits, err);
        in.asked.algorithm = given->asked.algorithm;
    }
    if (!f)
        return describe_missing(&in, dir, fits, err);
    if (from_fit(dir, f, gammas, fits, &p, err) < 0 || take_combining(&in, dir, &p, err) < 0)
        return -1;
    return print_all(&in, &s, &p, err);
}

int predict_parts(const struct input *in, const char *dir, int among_models, struct err *err)
{
    struct gamma_models gammas = { .n = 0 };
    struct hockneys fits = { .n = 0 };
    int status = gamma_models_read(dir, &gammas, err);
    if (status == 0)
        status = hockneys_read(dir, &fits, err);
    if (status == 0 && among_models)
        predict_with(in, dir, &gammas, &fits, 1, &(struct err){ .text = "" });
    else if (status == 0)
        status = predict_with(in, dir, &gammas, &fits, 0, err);
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    return status;
}
