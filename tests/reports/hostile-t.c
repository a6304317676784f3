/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that somebody else hands over: no text in them is run by gnuplot, by the page or by who
 * opens a table, and what should be a name and is none is refused. */
#include "reports/gnuplot.h"

#include <jansson.h>

#include "harness/base/subprocess.h"
#include "reports/report.h"
#include "reports/sha256.h"
#include "reports/table.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-hostile-XXXXXX";

static int write_report(const struct fixture *f, struct err *err)
{
    struct report_request request = { .dir = f->dir, .assets = "reports" };
    struct report_result result;
    return report_write(&request, &result, err);
}

static struct fixture planted(const char *name)
{
    struct fixture f = { .backend = "sim", .cluster = "gros", .n_mpi = 1, .mpi = { "smpi" } };
    snprintf(f.dir, sizeof f.dir, "%s/%s", base, name);
    fixture_write(&f);
    return f;
}

/* Puts a text at "a/b/c" of the manifest. */
static void plant(const struct fixture *f, const char *at, const char *text)
{
    char path[512], key[64];
    snprintf(path, sizeof path, "%s/manifest.json", f->dir);
    json_t *root = json_load_file(path, 0, NULL), *o = root;
    for (; strchr(at, '/'); at = strchr(at, '/') + 1) {
        snprintf(key, sizeof key, "%.*s", (int)strcspn(at, "/"), at);
        if (!json_object_get(o, key))
            json_object_set_new(o, key, json_object());
        o = json_object_get(o, key);
    }
    json_object_set_new(o, at, json_string(text));
    json_dump_file(root, path, 0);
    json_decref(root);
}

/* What writing a text gives. */
static char *written(void (*write)(FILE *, const char *), const char *text)
{
    char *buf = NULL;
    size_t size;
    FILE *out = open_memstream(&buf, &size);
    write(out, text);
    fclose(out);
    return buf;
}

static void to_title(FILE *out, const char *text)
{
    gnuplot_print(out, "# %s\nset title \"%.200s, %s %% %d\" font \"x\"\n", text, text, text, -7);
}

static void test_script(void)
{
    static const char evil[] = "`touch evil`\"; system 'touch evil' \\@data\n!touch evil\n";
    char path[256], *script = written(to_title, evil);
    is_str("# `touch evil`\"; system 'touch evil' @data!touch evil\n"
           "set title \"\\140touch evil\\140\\\"; system 'touch evil' \\\\\\100data!touch evil, "
           "\\140touch evil\\140\\\"; system 'touch evil' \\\\\\100data!touch evil % -7\" font "
           "\"x\"\n",
           script, "a text between quotes, and in a comment, stays a text");
    snprintf(path, sizeof path, "%s/evil.gp", base);
    fs_write(path, script, NULL);
    free(script);
    snprintf(path, sizeof path, "cd %s && gnuplot evil.gp", base);
    const char *const args[] = { "sh", "-c", path, NULL };
    char said[256];
    if (!run_find("gnuplot", NULL, 0)) {
        skip("no gnuplot", "gnuplot runs nothing of it");
        return;
    }
    is_int(0, run_capture(args, said, sizeof said), "gnuplot takes the script");
    snprintf(path, sizeof path, "%s/evil", base);
    ok(!fs_exists(path), "and runs nothing of it");
}

static void test_code(void)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = { { "n3", "`n3`" },
                 { "a`b", "`` a`b ``" },
                 { "```{=html}\n<b>", "```` ```{=html} <b> ````" },
                 { "", "`  `" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = written(escape_code, rows[i].text);
        is_str(rows[i].wanted, text, "a code span of '%s' ends where it should", rows[i].text);
        free(text);
    }
}

/* One page of a report of such texts. */
static void check_page(const struct fixture *f, const char *name)
{
    char path[512];
    fs_path(path, sizeof path, NULL, "%s/report/%s.html", f->dir, name);
    char *page = fs_read(path, NULL, NULL);
    const char *script = page ? strstr(page, "<script") : NULL;
    ok(script && strncmp(script, "<script>(function", 17) == 0 && !strstr(script + 1, "<script") &&
           !strstr(page, "<img"),
       "has none in the page %s but the page's own", name);
    ok(page && !strstr(page, "onclick=\"") && !strstr(page, "data-onclick"), "nor attributes");
    ok(page && !strchr(page, 033), "nor control characters");
    has_str("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'", page ? page : "",
            "and the page forbids the browser to run any");
    char digest[SHA256_BASE64], wanted[64];
    const char *end = script ? strstr(script, "</script>") : NULL;
    const size_t begin = strlen("<script>");
    snprintf(wanted, sizeof wanted, "script-src 'sha256-%s'\"",
             end ? sha256_base64(script + begin, (size_t)(end - script) - begin, digest) : "");
    has_str(wanted, page ? page : "", "but the one whose digest it names");
    free(page);
}

/* Texts that may hold anything. */
static void test_texts(void)
{
    static const char evil[] = "x`<script>alert(1)</script>`{=html} <img src=x onerror=alert(1)> "
                               "[z]{onclick=alert(1)} ${body}";
    static const char *const at[] = { "cluster/settings/cluster/title/value",
                                      "cluster/settings/network/order/value",
                                      "study/settings/study/title/value",
                                      "study/settings/measure/precision/value",
                                      "mpi/smpi/version",
                                      "backend/why",
                                      "machine/cpu",
                                      "tool/commit" };
    const struct fixture f = planted("texts");
    struct err err = { 0 };
    char path[512];
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        plant(&f, at[i], evil);
    fs_path(path, sizeof path, NULL, "%s/events.jsonl", f.dir);
    fs_write(path,
             "{\"launch\": \"l1\", \"event\": \"timeout\", \"reason\": "
             "\"<script>alert(1)</script> \\u001b]0;x\\u0007\"}\n",
             NULL);
    is_int(0, write_report(&f, &err), "a manifest with scripts in its texts: %s", err.text);
    static const char *const pages[] = { "index", "choices", "quality", "machine" };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        check_page(&f, pages[i]);
}

/* What goes into scripts and paths. */
static void test_names(void)
{
    static const char *const at[] = { "cluster/settings/cluster/name/value",
                                      "study/settings/study/name/value",
                                      "import/dataset",
                                      "backend/name",
                                      "digest",
                                      "mpi/`touch evil`/version" };
    static const char *const evil[] = {
        "x\"; system 'touch evil'; #", "`touch evil`", "a\n!b", "..", "../x", "-rf", "a/b"
    };
    const struct fixture f = planted("names");
    char path[512];
    fs_path(path, sizeof path, NULL, "%s/manifest.json", f.dir);
    char *fine = fs_read(path, NULL, NULL);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (size_t k = 0; k < sizeof evil / sizeof *evil; k++) {
            struct err err = { 0 };
            plant(&f, at[i], evil[k]);
            is_int(-1, write_report(&f, &err), "%s '%s' is refused", at[i], evil[k]);
            has_str("manifest.json:1: ", err.text, "with the file");
            has_str("is not a name", err.text, "and why");
            ok(!strchr(err.text, '\n'), "in one line");
            fs_write(path, fine, NULL);
        }
    free(fine);
}

static void test_events(void)
{
    static const char *const keys[] = { "launch", "event", "point", "job", "node" };
    const struct fixture f = planted("events");
    char path[512], line[300], wanted[64];
    fs_path(path, sizeof path, NULL, "%s/events.jsonl", f.dir);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct err err = { 0 };
        snprintf(line, sizeof line,
                 "{\"launch\": \"l1\", \"event\": \"started\"}\n{\"event\": \"excluded\", \"%s\": "
                 "\"<b>\"}\n",
                 keys[i]);
        fs_write(path, line, NULL);
        is_int(-1, write_report(&f, &err), "an event whose %s is no name is refused", keys[i]);
        snprintf(wanted, sizeof wanted, "events.jsonl:2: %s: '<b>' is not a name", keys[i]);
        has_str(wanted, err.text, "with file and line");
    }
}

int main(void)
{
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    test_script();
    test_code();
    test_texts();
    test_names();
    test_events();
    fixture_clear(base);
    return tap_done();
}
