/* SPDX-License-Identifier: BSD-3-Clause */
/* slot.h - internal to page.c and render.c: replacement of a mark in the page. Owned by the
 * page. */
#pragma once

#include <string.h>

enum { SLOT_KEY = 160 };

struct slot {
    char key[SLOT_KEY]; /* slot-table-NAME, slot-figure-NAME */
    char *html;         /* of a table; NULL: the figure of this name */
    char *caption;      /* of a figure */
    char *origin;       /* of a figure: where its numbers come from, "simulated by SimGrid SMPI" */
    int aside;          /* 1: a figure loaded from its file when opened */
    char *marks;        /* of a figure: attributes for the page's script; NULL: none */
};

/* The NAME part. */
static inline const char *slot_name(const struct slot *s)
{
    return strchr(s->key + strlen("slot-"), '-') + 1;
}
