/* SPDX-License-Identifier: BSD-3-Clause */
/* stored_rows.c - rows kept as they are, on one scale: what machines and neighbours share. */
#include <math.h>
#include <stdlib.h>

#include "analysis/learn/method.h"
#include "harness/base/memory.h"

/* The mean and standard deviation of a feature where it is known; width 0 where it tells nothing.
 */
static void scale_one(const struct examples *e, size_t feature, struct scaling *out)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        const double v = (double)e->x[i * e->k + feature];
        n += !isnan(v);
        sum += isnan(v) ? 0 : v;
    }
    const double middle = n ? sum / (double)n : 0;
    for (size_t i = 0; i < e->n; i++) {
        const double v = (double)e->x[i * e->k + feature];
        squares += isnan(v) ? 0 : pow(v - middle, 2);
    }
    const double width = n ? sqrt(squares / (double)n) : 0;
    out->middle[feature] = middle;
    out->width[feature] = width > 1e-9 * (1 + fabs(middle)) ? width : 0;
}

void scaling_make(const struct examples *examples, struct scaling *out)
{
    *out = (struct scaling){ .middle = { 0 } };
    for (size_t i = 0; i < examples->k; i++)
        scale_one(examples, i, out);
}

void scaling_apply(const struct scaling *scaling, const float *x, size_t k, double *out)
{
    for (size_t i = 0; i < k; i++)
        out[i] = scaling->width[i] > 0 && !isnan(x[i])
                     ? ((double)x[i] - scaling->middle[i]) / scaling->width[i]
                     : 0;
}

/* ---- JSON ---- */

static json_t *numbers(const double *value, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, json_real(value[i]));
    return array;
}

json_t *stored_save(const struct fitted *fitted)
{
    const struct stored *s = &fitted->stored;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:i, s:i}", "middle",
                     numbers(s->scaling.middle, fitted->k), "width",
                     numbers(s->scaling.width, fitted->k), "x", numbers(s->x, s->n * fitted->k),
                     "y", numbers(s->y, s->n), "weight", numbers(s->weight, s->n), "gamma",
                     s->gamma, "rho", s->rho, "neighbours", s->neighbours, "linear", s->linear);
}

/* n finite numbers, into value. */
static int read_numbers(const json_t *array, const char *name, size_t n, double *value,
                        struct err *err)
{
    if (json_array_size(array) != n)
        return err_set(err, "%s: %zu numbers (want %zu)", name, json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_array_get(array, i);
        if (!json_is_number(v) || !isfinite(json_number_value(v)))
            return err_set(err, "%s: number %zu is none", name, i);
        value[i] = json_number_value(v);
    }
    return 0;
}

int stored_load(const json_t *json, struct fitted *out, struct err *err)
{
    struct stored *s = &out->stored;
    const json_t *middle, *width, *x, *y, *weight;
    if (json_unpack((json_t *)json, "{s:o, s:o, s:o, s:o, s:o, s:F, s:F, s:i, s:i}", "middle",
                    &middle, "width", &width, "x", &x, "y", &y, "weight", &weight, "gamma",
                    &s->gamma, "rho", &s->rho, "neighbours", &s->neighbours, "linear",
                    &s->linear) < 0)
        return err_set(err, "rows lack one of middle, width, x, y, weight, gamma, rho, neighbours, "
                            "linear");
    s->n = json_array_size(y);
    if (!s->n || s->neighbours < 0)
        return err_set(err, "%zu rows, %d neighbours", s->n, s->neighbours);
    s->x = memory_zeros(s->n * out->k, sizeof *s->x);
    s->y = memory_zeros(s->n, sizeof *s->y);
    s->weight = memory_zeros(s->n, sizeof *s->weight);
    return read_numbers(middle, "middle", out->k, s->scaling.middle, err) < 0 ||
                   read_numbers(width, "width", out->k, s->scaling.width, err) < 0 ||
                   read_numbers(x, "x", s->n * out->k, s->x, err) < 0 ||
                   read_numbers(y, "y", s->n, s->y, err) < 0 ||
                   read_numbers(weight, "weight", s->n, s->weight, err) < 0
               ? -1
               : 0;
}
