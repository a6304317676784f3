/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.h - the findings of an audit: evidence, place and number of points. No proof. */
#pragma once

#include <stddef.h>

#include "analysis/measure/study_facts.h"

/* How serious. note: worth knowing; doubtful: the numbers may not be what
 * their label states; wrong: they cannot be what their label states. */
enum severity { AUDIT_NOTE, AUDIT_DOUBTFUL, AUDIT_WRONG, N_SEVERITY };

struct audit_data;

/* A check: finds one kind of problem. */
struct audit_check {
    const char *name;
    void (*run)(struct audit_data *data);
    int of_measured; /* 1: the pattern is impossible in measured
                        times only; computed times are not checked */
};

struct finding {
    const struct audit_check *check;
    enum severity severity;
    char subject[256];  /* the labels concerned */
    char evidence[384]; /* which points, which numbers */
    size_t points;      /* concerned */
    double value;       /* the number that the check reports; NaN: none */
};

struct audit {
    const struct facts *facts;
    struct finding *finding; /* the gravest first */
    size_t n;
};

/* Appends a finding: all fields 0 except the check. */
struct finding *finding_new(struct audit *audit, const struct audit_check *check);

/* Merges findings of one check and severity about the same labels: the finding
 * with the most points stays and states their number. Sorts the gravest first. */
void findings_settle(struct audit *audit);

/* "note", "doubtful", "wrong", all of them ended by NULL; a check's name. */
extern const char *const severity_words[];
const char *audit_check_name(const struct audit_check *check);

/* Frees what it holds. */
void audit_clear(struct audit *audit);
