/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_print.h - what collsel ask why prints: text for a terminal, or JSON. */
#pragma once

#include "analysis/advise/explain.h"

/* To stdout. dir: the source of the results; columns: largest width of a picture; margin_pct: of
 * the rule. */
void explain_print(const struct explanation *e, const char *dir, int columns, double margin_pct);

/* The same as JSON. 0, or -1 with *err. */
int explain_print_json(const struct explanation *e, const char *dir, int columns, double margin_pct,
                       struct err *err);
