/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - the report of one study: from its files to report/index.html, figures and tables.
 *
 * Reads only the files of docs/formats.md. Written under a temporary name and moved into place when
 * complete, so that a failure leaves the previous report unchanged. */
#pragma once

#include "harness/base/base.h"

struct report_request {
    const char *dir;    /* RESULTS/<cluster>/<study> */
    const char *assets; /* directory of page.css, page.js, page.template, reference/ */
    FILE *tell;         /* stream for a message before drawing starts; NULL: none */
    FILE *brief; /* where the report in short goes, when it is written (brief.h); NULL: none */
    int json;    /* 1: as JSON */
    int doubted; /* 1: doubted times count (points.h) */
};

struct report_result {
    char index[1200];                /* path of the page */
    size_t points;                   /* rows of points.csv */
    char trust[256];                 /* the page's badge as a line of text (trust.h) */
    int lacks_gnuplot, lacks_pandoc; /* 1: not there; no figure is drawn, the prose is plain */
};

/* Writes DIR/report. 0, or -1 with *err. */
int report_write(const struct report_request *request, struct report_result *result,
                 struct err *err);
