/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_facts.h - what the harness says of a launch. Pure. */
#ifndef WORKLOADS_MEASURE_LAUNCH_FACTS_H
#define WORKLOADS_MEASURE_LAUNCH_FACTS_H

/* "KEY=VALUE" each: `given`, a line of the environment that
 * it was started in, and `launcher`, the command with the variables that it sets; `exported`, what
 * the launcher gives to its ranks by itself. */
struct launch_facts {
    const char *const *v;
    int n;
};

/* 1 when the launcher gives this variable to its ranks by itself (facts `exported`); value: it must
 * be the same, NULL: it may be another one. */
int facts_exported(const struct launch_facts *facts, const char *name, const char *value);

/* Is a line of the harness this text? It writes lines with what is not plain text made plain. */
int facts_same_line(const char *line, const char *text);

#endif
