/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page says first: what the default loses, what to choose instead, and whose algorithm
 * that is; sentences that hold for equals; an algorithm that nobody has named. */
#include <math.h>

#include "reports/report.h"
#include "reports/style.h"
#include "tests/reports/fixture.h"
#include "tests/tap.h"

static char base[64] = "/tmp/collsel-advice-XXXXXX";

/* Two libraries with the same times. */
static struct fixture two_libraries(const char *name)
{
    struct fixture f = { .backend = "local",
                         .cluster = "local",
                         .n_mpi = 2,
                         .mpi = { "openmpi", "mpich" },
                         .native = 1 };
    snprintf(f.dir, sizeof f.dir, "%s/%s", base, name);
    fixture_write(&f);
    return f;
}

static char *read_below(const struct fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", f->dir, name);
    return fs_read(path, NULL, NULL);
}

static void write_report(const struct fixture *f, const char *what)
{
    const struct report_request request = { .dir = f->dir, .assets = "reports" };
    struct report_result result;
    struct err err = { 0 };
    if (!is_int(0, report_write(&request, &result, &err), "a report of %s", what))
        diag("%s", err.text);
}

/* The default takes 43 % longer in every cell of the study, and is tied in all of them. */
static void test_tied_and_lost(void)
{
    struct fixture f = two_libraries("tied");
    char path[512];
    snprintf(path, sizeof path, "%s/selection.csv", f.dir);
    char *text = read_below(&f, "selection.csv");
    FILE *out = fopen(path, "we");
    fprintf(out, "%.*s\n", (int)strcspn(text, "\n"), text);
    free(text);
    static const char *const selector[] = { "best", "default", "stage", "textbook" };
    for (int k = 0; k < 4; k++)
        fprintf(out,
                "%s,study,bcast,openmpi,core,1,2,2,0,8192,openmpi:binomial,8192,0,%s,,"
                "openmpi:binary_tree,8192,0,1e-3,%s,,,1,0,ok,0,,\n",
                selector[k], k ? "1.43e-3" : "1e-3", k ? "43" : "0");
    fclose(out);
    write_report(&f, "a default that is tied, and loses much");
    char *html = fixture_pages(&f);
    has_str("It is the best one, or tied with it, in 1 of 1 cell. In 1 cell it took "
            "longer, but the launches do not tell it from the best: there its loss counts as 0",
            html, "the sentences do not contradict each other");
    has_str("The library’s own choice loses nothing that the launches tell. It is", html,
            "what nobody can tell is not called 0 %%");
    free(html);
    fixture_clear(f.dir);
}

/* No table of the report knows this algorithm. */
static void test_new_algorithm(void)
{
    struct fixture f = two_libraries("new");
    const struct algorithm_style s = style_of("portable:two_trees");
    struct point p = fixture_make("openmpi", 2, 262144, "portable:two_trees");
    FILE *out = fixture_append(&f, "points.csv");
    fixture_point(out, &f, &p, 1e-3, "ok", "");
    fclose(out);
    out = fixture_append(&f, "selection.csv");
    fputs("best,study,bcast,openmpi,core,1,2,2,0,262144,portable:two_trees,8192,0,1e-3,,"
          "portable:two_trees,8192,0,1e-3,0,,,1,0,ok,0,,\n",
          out);
    fclose(out);
    write_report(&f, "an algorithm that is new");
    is_str("two trees", s.label, "its label is its name");
    is_str("TT", s.code, "its code has the letters of its words");
    ok(strlen(s.colour) == 7 && strcmp(s.colour, style_of("portable:three_trees").colour) != 0,
       "it has a colour, and another one another");
    char *csv = read_below(&f, "report/figures/best-openmpi-core.csv");
    has_str("portable:two_trees,8192,0.001,two trees,TT", csv, "the map of winners shows them");
    free(csv);
    char *gp = read_below(&f, "report/figures/best-openmpi-core.gp");
    has_str(s.colour, gp, "in its colour");
    has_str("\"TT  two trees\"", gp, "with its own entry in the legend");
    free(gp);
    fixture_clear(f.dir);
}

/* A library and a number of processes of which every point was skipped were not measured. */
static void test_skipped(void)
{
    struct fixture f = two_libraries("skipped");
    struct point p = fixture_make("null", 4096, 1024, "null:binomial");
    FILE *out = fixture_append(&f, "points.csv");
    fixture_point(out, &f, &p, NAN, "skipped", "too many processes");
    fclose(out);
    write_report(&f, "a study of which a library was skipped");
    char *md = fixture_pages(&f);
    const char *said = md ? strstr(md, "It rests on") : NULL;
    const size_t n = said ? (size_t)(strstr(said, "</p>") - said) : 0;
    ok(said && memmem(said, n, "MPICH", 5), "what was measured is said");
    ok(said && !memmem(said, n, "planted", 7), "not a library that was skipped");
    ok(said && !memmem(said, n, "4096", 4), "nor its number of processes");
    has_str("of the candidates that have a time in the most cells of the study", md,
            "how the single algorithm is found is said below the table");
    free(md);
    fixture_clear(f.dir);
}

/* How far two colours are apart, 0 to 255 for each of red, green, blue. */
static double distance(const char *a, const char *b)
{
    const unsigned long x = strtoul(a + 1, NULL, 16), y = strtoul(b + 1, NULL, 16);
    double sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const double d = (double)(x >> shift & 255) - (double)(y >> shift & 255);
        sum += d * d;
    }
    return sqrt(sum);
}

/* Every model of the table can be told from every other in one figure, in colour and in grey. */
static void test_models_differ(void)
{
    enum { NEAR = 100 };
    char same[200] = "", near[200] = "";
    size_t n = 0;
    for (size_t i = 0; models[i]; i++, n++)
        for (size_t k = 0; k < i; k++) {
            const struct model *a = models[i], *b = models[k];
            const double apart = distance(model_colour(a), model_colour(b));
            if (!a->colour || strlen(a->colour) != 7 || apart == 0)
                snprintf(same, sizeof same, "%s and %s", b->name, a->name);
            if (apart < NEAR && a->dash == b->dash)
                snprintf(near, sizeof near, "%s and %s", b->name, a->name);
        }
    ok(n > 1, "there are models to compare");
    is_str("", same, "each model has a colour, and no two have one");
    is_str("", near, "those of colours that are near each other have other dashes");
}

/* A combination is told from others by what it combines. */
static void test_combination(void)
{
    const struct algorithm_style s = style_of("portable:two_level.socket.binomial.chain-k4");
    is_str("two level (socket): binomial + chain-k4", s.label,
           "a combination's label has its levels");
    is_str("Bm·KC", s.code, "its code has two letters of each algorithm");
    ok(strcmp(s.colour, style_of("two_level.binomial.ring").colour) != 0,
       "another has another colour");
}

/* What to set on MPICH's page: its algorithms have names and no numbers, and none is promised. */
static void test_numbers(void)
{
    struct fixture f = {
        .backend = "local", .cluster = "local", .n_mpi = 1, .mpi = { "mpich" }, .native = 1
    };
    char path[512];
    snprintf(f.dir, sizeof f.dir, "%s/numbers", base);
    fixture_write(&f);
    char *text = read_below(&f, "manifest.json"), *at = text ? strstr(text, "\"1.0\"") : NULL;
    snprintf(path, sizeof path, "%s/manifest.json", f.dir);
    FILE *out = at ? fopen(path, "we") : NULL;
    if (out) {
        fprintf(out, "%.*s\"%s\"%s", (int)(at - text), text, "4.0.2", at + strlen("\"1.0\""));
        fclose(out);
    }
    free(text);
    write_report(&f, "MPICH alone");
    char *html = fixture_pages(&f);
    ok(html && strstr(html, "Algorithm, segment size: speed-up"),
       "no number is told of where none is shown");
    free(html);
    fixture_clear(f.dir);
}

int main(void)
{
    if (!mkdtemp(base))
        return tap_skip_all("no temporary directory");
    test_tied_and_lost();
    test_new_algorithm();
    test_combination();
    test_skipped();
    test_models_differ();
    test_numbers();
    fixture_clear(base);
    return tap_done();
}
