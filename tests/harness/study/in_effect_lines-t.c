/* SPDX-License-Identifier: BSD-3-Clause */
/* What launches say of their library, counted over the heads of samples files. */
#include "harness/study/in_effect_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/fs.h"
#include "tests/tap.h"

static char dir[] = "/tmp/in_effect-t.XXXXXX";

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/samples/%s", dir, name);
    if (fs_write(path, text, NULL) < 0)
        abort();
}

static void is_count(const char *mpi, const char *value, size_t files, size_t same, size_t other,
                     const char *message)
{
    struct in_effect_count c;
    struct err err = { 0 };
    is_int(0, in_effect_count(dir, mpi, IN_EFFECT_RULES, value, &c, &err), "files are read");
    ok(c.files == files && c.same == same && c.other == other, "%s (%zu, %zu, %zu)", message,
       c.files, c.same, c.other);
}

int main(void)
{
    char samples[256];
    if (!mkdtemp(dir))
        abort();
    is_count("mpich", "/a", 0, 0, 0, "no directory has none");
    snprintf(samples, sizeof samples, "%s/samples", dir);
    if (fs_mkdirs(samples, NULL) < 0)
        abort();
    put("mpich-core-1x2-p2-r1.a1-0123abcd.csv",
        "# in_effect: library=/x\n# in_effect: file of rules=/a\npoint\n");
    put("mpich-core-1x2-p2-r2.a1-0123abcd.csv", "# in_effect: file of rules=/a b\npoint\n");
    put("mpich-core-1x2-p2-r3.a1-0123abcd.csv",
        "# host: x\npoint\n# in_effect: file of rules=/a\n");
    put("mpich-5-core-1x2-p2-r1.a1-0123abcd.csv", "# in_effect: file of rules=/a\npoint\n");
    put("mpich-core-1x2-p2-r1.a1-0123abcd.outcomes.csv", "# in_effect: file of rules=/a\npoint\n");
    is_count("mpich", "/a", 3, 1, 1, "heads count, whole values, of samples of that entry");
    is_count("mpich-5", "/a", 1, 1, 0, "another entry has its own");
    fs_remove_tree(dir, NULL);
    return tap_done();
}
