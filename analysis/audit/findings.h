/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.h - what an audit found: what was seen, where and how much of it. It proves nothing. */
#ifndef ANALYSIS_AUDIT_FINDINGS_H
#define ANALYSIS_AUDIT_FINDINGS_H

#include <stddef.h>

#include "analysis/measure/study_facts.h"

/* How bad: worth knowing; doubtful: the numbers may mean something else than their label;
 * wrong: they cannot be what they are said to be. */
enum severity { AUDIT_NOTE, AUDIT_DOUBTFUL, AUDIT_WRONG, N_SEVERITY };

struct audit_data;

/* What looks for one kind of finding. */
struct audit_check {
    const char *name;
    void (*run)(struct audit_data *data);
    int of_measured; /* 1: looks for what no measuring gives; computed times may have it, and are
                        left alone */
};

struct finding {
    const struct audit_check *check;
    enum severity severity;
    char subject[256];  /* the labels concerned */
    char evidence[384]; /* which points, which numbers */
    size_t points;      /* concerned */
    double value;       /* the number that it rests on, as the check says; NaN: none */
};

struct audit {
    const struct facts *facts;
    struct finding *finding; /* the gravest first */
    size_t n;
};

/* Room for one finding more, all of it 0 but for the check. */
struct finding *finding_new(struct audit *audit, const struct audit_check *check);

/* Several findings of one check and severity about the same labels become one, that with the most
 * points, which says how many there were; the gravest come first. */
void findings_settle(struct audit *audit);

/* "note", "doubtful", "wrong", all of them ended by NULL; a check's name. */
extern const char *const severity_words[];
const char *severity_name(enum severity severity);
const char *audit_check_name(const struct audit_check *check);

/* Frees what it holds. */
void audit_clear(struct audit *audit);

#endif
