/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_found.h - what reading a file of rules finds, for tests of readers. */
#pragma once

#include <string.h>

#include "harness/rules/rules.h"
#include "tests/tap.h"

/* The first finding of a kind is on this line; -1: there is none. */
static void finds(int line, const char *kind, const struct rules_reader *reader, const char *text,
                  const char *what)
{
    struct rules r;
    int seen = -1;
    rules_of_text(reader, text, strlen(text), &r);
    for (size_t i = r.found.n; i-- > 0;)
        if (strcmp(r.found.v[i].kind, kind) == 0)
            seen = r.found.v[i].line;
    is_int(line, seen, "%s: %s (%s)", reader->name, what, kind);
    rules_close(&r);
}

static void loads(int wanted, const struct rules_reader *reader, const char *text, const char *what)
{
    struct rules r;
    rules_of_text(reader, text, strlen(text), &r);
    is_int(wanted, r.loaded, "%s: %s", reader->name, what);
    rules_close(&r);
}
