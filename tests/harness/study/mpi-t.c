/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI entries: whose a name is, sections of a cluster file and of mpi.ini beside it, and what is
 * wrong with them. */
#include "harness/study/mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "tests/tap.h"

static char dir[] = "/tmp/mpi-t.XXXXXX";

static void names(void)
{
    is_str("openmpi", mpi_family("openmpi"), "a library's name is its family");
    is_str("openmpi", mpi_family("openmpi-5.0"), "a name that begins with it is of it");
    is_str("openmpix", mpi_family("openmpix"), "but not without a '-'");
    is_str("intel-2021", mpi_family("intel-2021"), "another library is a family of its own");
    ok(mpi_is("mpich-4.2", "mpich") && !mpi_is("mpich-4.2", "openmpi"),
       "an entry is of one family");
    ok(mpi_is_read("mpich-4.2") && !mpi_is_read("intel-2021") && !mpi_is_read("smpi"),
       "algorithms are known of Open MPI and MPICH");
}

static void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (fs_write(path, text, NULL) < 0)
        abort();
}

static int read_two(const char *cluster, const char *shared, struct mpi_entries *e, struct err *err)
{
    char path[256];
    write_text("c.ini", cluster);
    write_text("mpi.ini", shared);
    snprintf(path, sizeof path, "%s/c.ini", dir);
    return mpi_entries_read(path, e, err);
}

static void sections(void)
{
    struct mpi_entries e;
    struct err err = { 0 };
    is_int(0,
           read_two("[cluster]\nname = c\n[mpi openmpi-5]\nprefix = /opt/a\nenvironment = A=1 B=2\n"
                    "[measure]\nx = y\n",
                    "[mpi openmpi-5]\nprefix = /opt/b\n[mpi mpich-m]\nmodules = mpich/4.2 gcc\n",
                    &e, &err),
           "sections of a cluster file among others, and of mpi.ini (%s)", err.text);
    is_int(2, (long long)e.n, "are entries");
    const struct mpi_entry *own = mpi_entries_find(&e, "openmpi-5");
    const struct mpi_entry *shared = mpi_entries_find(&e, "mpich-m");
    is_str("/opt/a", own ? own->prefix : NULL, "the cluster file's holds before that of mpi.ini");
    is_str("A=1 B=2", own ? own->environment : NULL, "with its environment");
    is_int(3, own ? own->line : 0, "it knows its line");
    is_str("mpich/4.2 gcc", shared ? shared->modules : NULL, "the other one is that of mpi.ini");
    ok(!mpi_entries_find(&e, "openmpi"), "a family is no entry where only others of it are");
    mpi_entries_free(&e);
    is_int(0, read_two("[cluster]\nname = c\n", "", &e, &err), "no section is fine");
    is_int(0, (long long)e.n, "and no entry");
    mpi_entries_free(&e);
}

static void wrong(void)
{
    static const struct {
        const char *cluster, *shared, *says;
    } rows[] = {
        { "[mpi openmpi-5]\nprefix = /a\nprefix = /b\n", "",
          "c.ini:3: key 'prefix' is given twice" },
        { "[mpi openmpi-5]\nprefiks = /a\n", "", "c.ini:2: 'prefiks' is not a key of" },
        { "[mpi openmpi-5]\n\n[cluster]\n", "", "c.ini:1: [mpi openmpi-5]: give prefix" },
        { "[mpi openmpi-5]\nmpicc = /a/mpicc\n", "",
          "c.ini:1: [mpi openmpi-5]: mpirun is missing" },
        { "[mpi openmpi-5]\nprefix = /a\nmpicc = b\nmpirun = c\n", "", "it has both" },
        { "[mpi a23456789a23456789a23456789a23456789a2345]\nprefix = /a\n", "",
          "shorten the name" },
        { "[mpi a/b]\nprefix = /a\n", "", "c.ini:1: [mpi a/b]: " },
        { "[mpi smpi-3]\nprefix = /a\n", "", "c.ini:1: [mpi smpi-3]: take another name" },
        { "[mpi m]\nprefix = /a\nenvironment = A\n", "", "c.ini:3: environment: 'A' is not NAME=" },
        { "[mpi m]\nprefix = /a\n[mpi m]\nprefix = /b\n", "",
          "c.ini:3: section [mpi m] is opened" },
        { "", "[cluster]\nname = c\n", "mpi.ini:1: [cluster] is not a section of this file" },
        { "", "[mpi m]\nprefix = /a\nlib = b\n", "mpi.ini:3: 'lib' is not a key of [mpi m]" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mpi_entries e;
        struct err err = { 0 };
        is_int(-1, read_two(rows[i].cluster, rows[i].shared, &e, &err), "refused: row %zu", i + 1);
        has_str(rows[i].says, err.text, "by file and line: %s", rows[i].says);
    }
}

/* A value that a shell, make or `env` would obey is refused, by the line of its key. */
static void obeyed(void)
{
    static const char *const prefixes[] = { "/opt/my mpi",  "/a;touch x",  "/a\"b", "/a'b",
                                            "/a$(touch x)", "/a`touch x`", "/a\\b", "/a&b",
                                            "/a|b",         "/a=b",        "/a:b",  "/a*",
                                            "/a\n  b" };
    static const struct {
        const char *key, *value, *says;
    } rows[] = {
        { "prefix", "opt/mpi", "prefix: write the whole path, from '/'" },
        { "prefix", "mpi", "prefix: write the whole path, from '/'" },
        { "mpicc", "bin/mpicc", "mpicc: write the whole path" },
        { "mpicc", "mpicc -O2", "mpicc: rename it" },
        { "mpirun", "mpirun;x", "mpirun: rename it" },
        { "modules", "mpi;x", "modules: name modules, blanks between them: 'mpi;x' has a ';'" },
        { "modules", "$(x)", "modules: name modules" },
        { "environment", "A=1;x", "environment: write plain values" },
        { "environment", "A=$(x)", "environment: write plain values" },
        { "environment", "A=$HOME", "environment: write plain values" },
        { "environment", "A=`x`", "environment: write plain values" },
        { "environment", "A=\"1 2\"", "environment: write plain values" },
        { "environment", "A=a\\b", "environment: write plain values" },
        { "environment", "CFLAGS=-O0|x", "environment: write plain values" },
        { "environment", "A=1>x", "environment: write plain values" },
        { "environment", "--split-string=x", "environment: '--split-string=x' is not NAME=VALUE" },
        { "environment", "-i", "environment: '-i' is not" },
        { "environment", "A=1 -uPATH=1", "environment: '-uPATH=1' is not" },
        { "environment", "=1", "environment: '=1' is not" },
        { "environment", "1A=2", "environment: '1A=2' is not" },
        { "environment", "A.B=1", "environment: 'A.B=1' is not" },
    };
    enum { N_PREFIXES = sizeof prefixes / sizeof *prefixes, N = sizeof rows / sizeof *rows };
    char text[256];
    for (size_t i = 0; i < N_PREFIXES + N; i++) {
        const int other = i >= N_PREFIXES;
        struct mpi_entries e;
        struct err err = { 0 };
        snprintf(text, sizeof text, "[mpi m]\n%s = %s\n",
                 other ? rows[i - N_PREFIXES].key : "prefix",
                 other ? rows[i - N_PREFIXES].value : prefixes[i]);
        is_int(-1, read_two("", text, &e, &err), "refused: value %zu", i + 1);
        has_str(other ? rows[i - N_PREFIXES].says : "prefix: rename it, or link to it", err.text,
                "with the remedy first");
        has_str("mpi.ini:2: ", err.text, "by its line");
        is_int(EXIT_USAGE, err.status, "as a usage error");
    }
    struct mpi_entries e;
    struct err err = { 0 };
    is_int(0,
           read_two("",
                    "[mpi m]\nprefix = /home/j\xc3\xbcrg/sw/gcc-12@1,x%y+z\n"
                    "environment = UCX_TLS=^ud,self A_1=a:b/c=d#@[0-4]*?~{}!%+\n",
                    &e, &err),
           "what settings and paths have is taken (%s)", err.text);
    is_str("UCX_TLS=^ud,self A_1=a:b/c=d#@[0-4]*?~{}!%+", e.n ? e.v[0].environment : NULL,
           "as it is");
    mpi_entries_free(&e);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    names();
    sections();
    wrong();
    obeyed();
    fs_remove_tree(dir, NULL);
    return tap_done();
}
