/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_facts.h - facts on a launch from the harness. Pure. */
#pragma once

/* "KEY=VALUE" each. `given`: a line of its environment; `launcher`: the command with the variables
 * that it sets; `exported`: a variable that the launcher itself gives to its ranks. */
struct launch_facts {
    const char *const *v;
    int n;
};

/* 1 when the launcher itself gives this variable to its ranks (facts
 * `exported`), with this value; value NULL: with any value. */
int facts_exported(const struct launch_facts *facts, const char *name, const char *value);

/* 1 when a line of the harness equals this text. The harness replaces special characters. */
int facts_same_line(const char *line, const char *text);
