/* SPDX-License-Identifier: BSD-3-Clause */
/* expected.h - what is expected of a schedule before it ever ran: a rough number of messages and
 * bytes that go one after the other. Pure. */
#pragma once

#include "workloads/libcollsel/star_sure.h"
#include "workloads/schedules/schedule.h"

/* The larger of two: the longest chain of messages that leads to what the first, middle and last
 * ranks receive last; and what such a rank itself sends or receives. The search is cut after some
 * hundred rounds: each round that is left counts as a message. */
struct star_prior expected_of(const struct schedule *s);
