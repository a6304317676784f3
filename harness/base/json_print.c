/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/json_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_word(const char *text)
{
    return *text ? json_string(text) : json_null();
}

static json_t *json_of_value(const struct schema_value *v)
{
    switch (v->kind) {
    case VALUE_TEXT:
        return json_word(v->text);
    case VALUE_INT:
        return json_integer(v->number);
    case VALUE_COUNT:
        return json_integer((json_int_t)v->count);
    case VALUE_REAL:
        return json_number(v->real);
    default:
        return json_null();
    }
}

static json_t *json_row(const struct schema *schema, const void *row)
{
    json_t *o = json_object();
    for (size_t i = 0; o && i < schema->n_columns; i++) {
        const struct schema_value v = schema_value(schema, &schema->columns[i], row);
        if (json_object_set_new(o, schema->columns[i].name, json_of_value(&v)) < 0) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}

json_t *json_rows(const struct schema *schema, const void *rows, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; all && i < n; i++)
        if (json_array_append_new(
                all, json_row(schema, (const char *)rows + i * schema->row_size)) < 0) {
            json_decref(all);
            return NULL;
        }
    return all;
}

int json_print(json_t *o, struct err *err)
{
    char *text = o ? json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(o);
    if (!text)
        return err_set(err, "no JSON of this: a text in it is not UTF-8");
    puts(text);
    free(text);
    return 0;
}
