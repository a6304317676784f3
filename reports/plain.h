/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.h - prose as HTML without pandoc: headings, paragraphs and a table of contents; inside a
 * paragraph Markdown stays as it is. All text is escaped. */
#ifndef REPORTS_PLAIN_H
#define REPORTS_PLAIN_H

#include <stdio.h>

/* Writes the template with what stands in it for the contents ($toc$) and the prose ($body$).
 * Marks of tables and figures become what pandoc makes of them (render.c). */
void plain_write(const char *template, const char *markdown, FILE *out);

#endif
