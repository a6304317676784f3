/* SPDX-License-Identifier: BSD-3-Clause */
/* Cluster and study files: every malformed file of cluster-invalid/ and study-invalid/ gives the
 * message its first line expects ("# expect: text"), and each key type parses at its limits. */
#include <dirent.h>
#include <stdlib.h>

#include "harness/base/fs.h"
#include "harness/study/study.h"
#include "tests/tap.h"
#include "workloads/schedules/decision.h"

static const char dir[] = "tests/harness";

static int is_ini(const struct dirent *d)
{
    return strstr(d->d_name, ".ini") != NULL;
}

static void read_expected(const char *path, char *buf, size_t size)
{
    static const char mark[] = "# expect: ";
    FILE *f = fopen(path, "re");
    buf[0] = '\0';
    if (f && fgets(buf, (int)size, f) && strncmp(buf, mark, sizeof mark - 1) == 0)
        memmove(buf, buf + sizeof mark - 1, strlen(buf) - sizeof mark + 2);
    buf[strcspn(buf, "\n")] = '\0';
    if (f)
        fclose(f);
}

static int load_cluster(const char *path, struct err *err)
{
    struct cluster c;
    int status = cluster_load(dir, path, &c, err);
    if (status == 0)
        cluster_free(&c);
    return status;
}

static int load_study(const char *path, struct err *err)
{
    struct cluster c;
    struct study s;
    if (cluster_load(dir, "tests/harness/four.ini", &c, err) < 0)
        return -1;
    int status = study_load(dir, path, &c, &s, err);
    if (status == 0)
        study_free(&s);
    cluster_free(&c);
    return status;
}

/* The remark on a setting in the file; NULL: none. */
static const char *note_of(const struct settings *settings, const char *name)
{
    return settings->v[keys_find(settings->table, name)].note;
}

/* fx10-512.ini says four things itself; the rest is fx10.ini's. */
static void check_like(void)
{
    struct cluster c, like;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters", "fx10-512", &c, &err) == 0 &&
                cluster_load("clusters", "fx10", &like, &err) == 0,
            "a file that is like another one %s", err.text))
        return;
    is_str("fx10-512", c.name, "has its own name");
    is_int(512, c.nodes, "and nodes");
    is_int(like.cores, c.cores, "the other one's cores");
    is_str(settings_text(&like.settings, "send_cost"), settings_text(&c.settings, "send_cost"),
           "and costs");
    has_str("assumed: 512 of the 768", note_of(&c.settings, "nodes"), "its own notes");
    is_str(note_of(&like.settings, "link_rate"), note_of(&c.settings, "link_rate"),
           "and the other one's of what it took from there");
    is_int(2, c.settings.v[keys_find(c.settings.table, "cores")].line,
           "whose line is that of like");
    cluster_free(&like);
    cluster_free(&c);
}

/* hdr.ini is like edr.ini, which is like node.ini; mri.ini has values whose source table-1.ini
 * tells. */
static void check_chain(void)
{
    struct cluster hdr, node, mri;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters/presets", "hdr", &hdr, &err) == 0 &&
                cluster_load("clusters/presets", "node", &node, &err) == 0 &&
                cluster_load("clusters", "clusters/pml/mri.ini", &mri, &err) == 0,
            "a file that is like one that is like a third %s", err.text))
        return;
    is_str(settings_text(&node.settings, "core_rate"), settings_text(&hdr.settings, "core_rate"),
           "has the third one's rates");
    is_str(note_of(&node.settings, "core_rate"), note_of(&hdr.settings, "core_rate"), "and notes");
    has_str("0.06 ns a byte", note_of(&mri.settings, "reduce_cost"),
            "a value has the note of the file that it is like and that gives no value");
    cluster_free(&mri);
    cluster_free(&node);
    cluster_free(&hdr);
}

static void check_folder(const char *folder, int (*load)(const char *path, struct err *err))
{
    struct dirent **names;
    char path[512], expected[512];
    snprintf(path, sizeof path, "%s/%s", dir, folder);
    int n = scandir(path, &names, is_ini, alphasort);
    ok(n >= 30, "%s has at least 30 files", folder);
    for (int i = 0; i < n; i++) {
        struct err err = { 0 };
        snprintf(path, sizeof path, "%s/%s/%s", dir, folder, names[i]->d_name);
        read_expected(path, expected, sizeof expected);
        int status = load(path, &err);
        if (ok(status < 0 && *expected, "%s is refused", names[i]->d_name)) {
            has_str(expected, err.text, "%s: and the message says why", names[i]->d_name);
            has_str(path, err.text, "%s: and names the file", names[i]->d_name);
            is_int(EXIT_USAGE, err.status, "%s: with status 2", names[i]->d_name);
        }
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

struct row {
    enum key_type type;
    double min, max;
    const char *text;
    int status;
    double value;
};

static const struct row rows[] = {
    { KEY_INT, 1, 10, "1", 0, 1 },
    { KEY_INT, 1, 10, "10", 0, 10 },
    { KEY_INT, 1, 10, "11", -1, 0 },
    { KEY_INT, 1, 10, "0", -1, 0 },
    { KEY_INT, 0, 0, "2147483647", 0, 2147483647 },
    { KEY_INT, 0, 0, "2147483648", -1, 0 },
    { KEY_INT, 0, 0, "-2147483648", 0, -2147483648.0 },
    { KEY_INT, 0, 0, "", -1, 0 },
    { KEY_INT, 0, 0, " 1", -1, 0 },
    { KEY_COUNT, 0, 0, "18446744073709551615", 0, 18446744073709551615.0 },
    { KEY_COUNT, 0, 0, "18446744073709551616", -1, 0 },
    { KEY_BYTES, 0, 1e12, "8K", 0, 8192 },
    { KEY_BYTES, 0, 1e12, "1T", -1, 0 },
    { KEY_BYTES, 0, 1e12, "17179869184G", -1, 0 },
    { KEY_SECONDS, 0, 1, "1s", 0, 1 },
    { KEY_SECONDS, 0, 1, "1.0001s", -1, 0 },
    { KEY_SECONDS, 0, 1, "0", 0, 0 },
    { KEY_RATE, 1e3, 1e13, "1kbps", 0, 1e3 },
    { KEY_RATE, 1e3, 1e13, "10000Gbps", 0, 1e13 },
    { KEY_RATE, 1e3, 1e13, "10001Gbps", -1, 0 },
    { KEY_REAL, 0.5, 0.9999, "0.5", 0, 0.5 },
    { KEY_REAL, 0.5, 0.9999, "1", -1, 0 },
    { KEY_REAL, 0.5, 0.9999, "inf", -1, 0 },
    { KEY_BOOL, 0, 0, "yes", 0, 1 },
    { KEY_BOOL, 0, 0, "no", 0, 0 },
    { KEY_BOOL, 0, 0, "Yes", -1, 0 },
};

static double number(enum key_type type, const void *at)
{
    return type == KEY_INT || type == KEY_BOOL      ? *(const int *)at
           : type == KEY_COUNT || type == KEY_BYTES ? (double)*(const uint64_t *)at
                                                    : *(const double *)at;
}

static void check_values(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *r = &rows[i];
        const struct key key = {
            .section = "s", .name = "k", .type = r->type, .min = r->min, .max = r->max
        };
        char at[64] = { 0 };
        struct err err = { 0 };
        int status = key_parse(&key, r->text, at, &err);
        is_int(r->status, status, "type %d, '%s' %s", r->type, r->text,
               r->status ? "is refused" : "is taken");
        if (r->status == 0)
            is_near(r->value, number(r->type, at), 1e-15, "type %d, '%s': value", r->type, r->text);
    }
}

static void check_lists(void)
{
    const struct key sizes = { .name = "k", .type = KEY_SIZES },
                     costs = { .name = "k", .type = KEY_COSTS },
                     word = { .name = "k", .type = KEY_INTS, .min = 2, .max = 9, .word = "auto" },
                     extents = { .name = "k", .type = KEY_EXTENTS };
    struct size_list s = { 0 };
    struct cost_list c = { 0 };
    struct int_list n = { .n = 3 };
    is_int(0, key_parse(&sizes, "  1K\t2  3M ", &s, NULL), "blanks and tabs separate a list");
    is_int(3, (long long)s.n, "it has three sizes");
    is_int(3 << 20, (long long)s.v[2], "the last is 3 MiB");
    is_int(0, key_parse(&costs, "0:1us:0 64K:2us:0.5ns", &c, NULL), "costs parse");
    is_near(5e-10, c.v[1].seconds_per_byte, 1e-12, "half a nanosecond per byte from 64 KiB on");
    is_int(0, key_parse(&word, "auto", &n, NULL), "a list's word parses");
    is_int(0, (long long)n.n, "and is the empty list");
    is_int(-1, key_parse(&word, "2 10", &n, NULL), "each element is held to the range");
    is_int(0, key_parse(&extents, "8x8x16", &n, NULL), "extents parse");
    ok(n.n == 3 && n.v[1] == 8 && n.v[2] == 16, "two may be alike");
    is_int(0, key_parse(&extents, "", &n, NULL), "none parse");
    is_int(0, (long long)n.n, "and are none");
    is_int(-1, key_parse(&extents, "8x", &n, NULL), "one that is missing is refused");
    is_int(-1, key_parse(&extents, "8 8", &n, NULL), "blanks between them are refused");
}

static void check_overlay(void)
{
    struct cluster c;
    struct study s;
    struct err err = { 0 };
    if (!ok(cluster_load(dir, "tests/harness/four.ini", &c, &err) == 0, "a cluster loads %s",
            err.text))
        return;
    if (ok(study_load(dir, "tests/harness/overlay.ini", &c, &s, &err) == 0, "a study loads %s",
           err.text)) {
        is_int(2, (long long)s.procs.n, "[on four] replaces the process counts");
        is_int(32, s.procs.v[0], "cores: 4 nodes of 2 CPUs of 4 cores");
        is_int(64, s.procs.v[1], "cores*2");
        is_int(64, s.fit_procs.v[0], "fits are at the largest count unless told");
        is_int(10, (long long)s.bytes.n, "ten sizes");
        is_int(4 << 20, (long long)s.bytes.v[9], "up to 4 MiB");
        is_str("cores cores*2", settings_text(&s.settings, "procs"), "the text of a setting");
        is_int(0, s.settings.v[keys_find(&study_keys, "warmup")].line, "a default has no line");
        study_free(&s);
    }
    is_str("a guess", note_of(&c.settings, "link_latency"), "[sources] belong to their key");
    ok(note_of(&c.settings, "link_rate") == NULL, "and not to others");
    cluster_free(&c);
    ok(cluster_load("clusters", "gos", &c, &err) < 0, "an unknown cluster is refused");
    has_str("gros", err.text, "and the known ones are listed");
}

static void put_named(const char *folder, const char *file, const char *text, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, text, name);
        fclose(f);
    }
}

/* A file that is asked for by its name says the same one; a path may lead to another. */
static void check_stems(void)
{
    static const char cluster[] = "[cluster]\nname = %s\nnodes = 2\nsockets = 1\ncores = 1\n",
                      study[] = "[study]\nname = %s\ncollectives = bcast\n[grid]\nprocs = 2\n"
                                "[candidates]\nportable = chain\n";
    char made[] = "/tmp/collsel-config-XXXXXX", path[100];
    struct cluster c;
    struct study s;
    struct err err = { 0 };
    if (!mkdtemp(made))
        return;
    put_named(made, "two.ini", cluster, "tow");
    put_named(made, "small.ini", study, "smal");
    is_int(-1, cluster_load(made, "two", &c, &err), "a cluster that says another name is refused");
    has_str("two.ini:2: name: 'tow' is not the file's name (want two)", err.text, "with its line");
    err = (struct err){ 0 };
    snprintf(path, sizeof path, "%s/two.ini", made);
    if (ok(cluster_load(made, path, &c, &err) == 0, "a path leads to it %s", err.text)) {
        is_int(-1, study_load(made, "small", &c, &s, &err), "so is a study that does");
        has_str("small.ini:2: name: 'smal' is not the file's name (want small)", err.text,
                "with its line");
        put_named(made, "small.ini", study, "small");
        if (ok(study_load(made, "small", &c, &s, &err) == 0, "its own name is right"))
            study_free(&s);
        cluster_free(&c);
    }
    fs_remove_tree(made, NULL);
}

static void check_shipped(void)
{
    static const char *const names[] = { "gros", "grisou", "local" };
    for (size_t i = 0; i < 3; i++) {
        struct cluster c;
        struct study s;
        struct err err = { 0 };
        if (!ok(cluster_load("clusters", names[i], &c, &err) == 0, "clusters/%s.ini loads %s",
                names[i], err.text))
            continue;
        if (ok(study_load("clusters/studies", "bcast", &c, &s, &err) == 0,
               "the study bcast on %s %s", names[i], err.text))
            study_free(&s);
        cluster_free(&c);
    }
}

/* A collective without a study file of its name is studied by that of any. */
static void check_unwritten(void)
{
    struct cluster c;
    struct study s;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters", "gros", &c, &err) == 0, "gros loads %s", err.text))
        return;
    if (ok(study_load("clusters/studies", "exscan", &c, &s, &err) == 0, "exscan needs no file %s",
           err.text)) {
        is_str("exscan", s.name, "it has the collective's name");
        is_str("exscan", settings_text(&s.settings, "collectives"), "and that alone");
        is_int(1, (long long)s.collectives.n, "among its collectives");
        has_str("clusters/studies/any.ini", s.path, "the file is that of any collective");
        has_str("exclusive scan", s.title, "the title says which");
        study_free(&s);
    }
    if (ok(study_load("clusters/studies", "any", &c, &s, &err) == 0, "any loads %s", err.text)) {
        is_int(14, (long long)s.collectives.n, "any is of all collectives that have schedules");
        ok(!s.unwritten, "and is written");
        for (size_t i = 0; i < s.collectives.n; i++)
            ok(decision_known(s.sim_default, s.collectives.v[i]),
               "a simulation of it has a default of %s", s.collectives.v[i]);
        study_free(&s);
    }
    if (ok(study_load("clusters/studies", "bcast", &c, &s, &err) == 0, "bcast loads %s",
           err.text)) {
        has_str("clusters/studies/bcast.ini", s.path,
                "a collective that has a file is read from it");
        study_free(&s);
    }
    is_int(-1, study_load("clusters/studies", "exscam", &c, &s, &err),
           "what is neither is refused");
    has_str("did you mean 'exscan'?", err.text, "and the collective that is near is named");
    is_int(-1, study_load("tests/cli", "exscan", &c, &s, &err), "where there is no file of any");
    has_str("'exscan' is not a study", err.text, "a collective is no study");
    cluster_free(&c);
}

/* Default sizes of the closing gather give way to segments of that size. */
static void check_gather(void)
{
    struct cluster c;
    struct study s;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters", "gros", &c, &err) == 0, "gros loads %s", err.text))
        return;
    if (ok(study_load("clusters/studies", "tests/harness/segment_1k.ini", &c, &s, &err) == 0,
           "a study with a segment of 1 KiB loads %s", err.text)) {
        const uint64_t want[] = { 2304, 6144, 16384, 2048 };
        if (is_int(4, (long long)s.gather_bytes.n, "gathers of four sizes"))
            for (int i = 0; i < 4; i++)
                is_int((long long)want[i], (long long)s.gather_bytes.v[i], "gather %d", i);
        study_free(&s);
    }
    cluster_free(&c);
}

int main(void)
{
    check_values();
    check_gather();
    check_lists();
    check_overlay();
    check_shipped();
    check_unwritten();
    check_stems();
    check_folder("cluster-invalid", load_cluster);
    check_folder("study-invalid", load_study);
    check_like();
    check_chain();
    return tap_done();
}
