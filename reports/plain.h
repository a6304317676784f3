/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.h - prose as HTML without pandoc: headings and paragraphs; inside a paragraph Markdown
 * stays as it is. All text is escaped. */
#pragma once

#include "harness/base/base.h"

/* Writes the prose. Marks of tables and figures become what pandoc makes of them (render.c). */
void plain_write(const char *markdown, FILE *out);
