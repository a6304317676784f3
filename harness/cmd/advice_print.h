/* SPDX-License-Identifier: BSD-3-Clause */
/* advice_print.h - what collsel ask prints: sentences, CSV or JSON. */
#pragma once

#include "analysis/advise/advice.h"

enum advice_form { ADVICE_SENTENCES, ADVICE_CSV, ADVICE_JSON };

/* Explains `portable:NAME` in times without a library; a sentence without its end. */
extern const char advice_stands_for[];

/* To stdout. brief: a sentence for each cell, without its reason. 0, or -1 with *err. */
int advice_print(const struct advice_table *table, enum advice_form form, int brief,
                 struct err *err);
