/* SPDX-License-Identifier: BSD-3-Clause */
/* import_formats.c - the table of formats, in the order in which they are asked whether they know a
 * file. */
#include "harness/import/import.h"

extern const struct import_format format_tallone, format_osu, format_imb, format_reprompi,
    format_pico, format_csv, format_profile, format_nccl;

const struct import_format *const import_formats[] = {
    &format_tallone, &format_osu, &format_imb, &format_reprompi, &format_pico, &format_profile,
    &format_nccl,    &format_csv, NULL,
};

const struct import_format *import_format_find(const char *name)
{
    return named_row(import_formats, name);
}
