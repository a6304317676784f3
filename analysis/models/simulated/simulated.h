/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated.h - the model whose predictions are the times of a study's simulated twin. */
#pragma once

#include "analysis/models/model.h"

extern const struct model *const twin_model;
