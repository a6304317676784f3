/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/launch_facts.h"

#include "harness/base/base.h"

int facts_same_line(const char *line, const char *text)
{
    for (; *line && *text; line++, text++)
        if (*line != *text && !(*line == ' ' && (unsigned char)*text < ' ') &&
            !(*line == '?' && (unsigned char)*text >= 0x7f))
            return 0;
    return *line == *text;
}

int facts_exported(const struct launch_facts *facts, const char *name, const char *value)
{
    static const char mark[] = "exported=";
    const size_t skip = sizeof mark - 1, n = strlen(name);
    for (int i = 0; i < facts->n; i++) {
        const char *line = facts->v[i] + skip;
        if (strncmp(facts->v[i], mark, skip) == 0 && strncmp(line, name, n) == 0 &&
            line[n] == '=' && (!value || facts_same_line(line + n + 1, value)))
            return 1;
    }
    return 0;
}
