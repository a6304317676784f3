/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.h - the three drawings of the first page as SVG, in the colours of the page: they follow
 * it into the dark. Drawn here, as they must be there without gnuplot. */
#pragma once

#include "reports/brief.h"

/* Who wins where: processes up, message size to the right, a panel for each context, of those where
 * most is to be gained. */
void picture_winners(FILE *out, const struct report_data *data, const struct brief *brief);

/* How many times slower the default is, by context: mean, greatest, and between. */
void picture_losses(FILE *out, const struct report_data *data, const struct brief *brief);

/* How sure: the shares of the cells, by context. */
void picture_sure(FILE *out, const struct report_data *data, const struct brief *brief);
