/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/clocks/clock_line.h"

#include "harness/base/base.h"

static const double least_base_s = 0.1; /* shorter, an offset's error looks like a drift */

struct clock_visit clock_visit_of(double sent_s, double other_s, double received_s)
{
    const double middle_s = sent_s + (received_s - sent_s) / 2;
    return (struct clock_visit){ middle_s, other_s - middle_s, received_s - sent_s };
}

static double weight(const struct clock_visit *v)
{
    return 1 / (v->rtt_s + 1e-9);
}

static double base_of(const struct clock_line *l)
{
    double first = INFINITY, last = -INFINITY;
    for (int i = 0; i < l->n; i++) {
        first = fmin(first, l->visits[i].local_s);
        last = fmax(last, l->visits[i].local_s);
    }
    return last - first;
}

static void fit(struct clock_line *l)
{
    double sum = 0, at = 0, offset = 0, square = 0, product = 0;
    for (int i = 0; i < l->n; i++) {
        const double w = weight(&l->visits[i]);
        sum += w;
        at += w * (l->visits[i].local_s - l->visits[0].local_s);
        offset += w * l->visits[i].offset_s;
    }
    l->at_s = l->visits[0].local_s + at / sum;
    l->offset_s = offset / sum;
    l->drift = 0;
    for (int i = 0; i < l->n; i++) {
        const double w = weight(&l->visits[i]), dt = l->visits[i].local_s - l->at_s;
        square += w * dt * dt;
        product += w * dt * (l->visits[i].offset_s - l->offset_s);
    }
    if (l->n >= 3 && base_of(l) >= least_base_s)
        l->drift = product / square;
}

void clock_line_add(struct clock_line *l, const struct clock_visit *visit)
{
    l->visits[l->next] = *visit;
    l->next = (l->next + 1) % CLOCK_VISITS;
    l->n += l->n < CLOCK_VISITS;
    fit(l);
    l->residual_s = 0;
    for (int i = 0; i < l->n; i++) {
        const struct clock_visit *v = &l->visits[i];
        l->residual_s =
            fmax(l->residual_s, fabs(clock_line_other(l, v->local_s) - v->local_s - v->offset_s));
    }
}

double clock_line_other(const struct clock_line *l, double local_s)
{
    return local_s + l->offset_s + l->drift * (local_s - l->at_s);
}

double clock_line_local(const struct clock_line *l, double other_s)
{
    return l->at_s + (other_s - l->offset_s - l->at_s) / (1 + l->drift);
}
