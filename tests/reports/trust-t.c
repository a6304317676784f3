/* SPDX-License-Identifier: BSD-3-Clause */
/* The badge beside a page's title: every level comes out where it should, and says why; and the
 * digest by which the page names its script. */
#include "reports/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sha256.h"
#include "tests/tap.h"

enum { POINTS = 20 };

/* What is planted in a study of 20 points. */
struct badge {
    const char *claim, *backend;
    int precise, once, drifted, untimed; /* points */
    const char *source;                  /* of a cost; NULL: none is stated */
    enum trust_level level;
    const char *says;
};

static const struct badge studies[] = {
    { "measured, all precise", "local", 20, 0, 0, 0, NULL, TRUST_FIRM,
      "■■■</span> Measured: firm</strong> <span>20 of 20 points within the wanted precision "
      "(±2.5\u00a0%); no drift<" },
    { "through Slurm, nine in ten precise", "slurm", 18, 0, 2, 0, NULL, TRUST_FIRM,
      "18 of 20 points within the wanted precision (±2.5\u00a0%); drift at 2<" },
    { "fewer than nine in ten", "local", 17, 0, 0, 0, NULL, TRUST_CARE,
      "■■□</span> Measured: with care" },
    { "one in ten drifts, and one more", "local", 20, 0, 3, 0, NULL, TRUST_CARE, "drift at 3<" },
    { "a point is missing", "local", 19, 0, 0, 1, NULL, TRUST_CARE,
      "; 1 of 20 points are missing" },
    { "half of them precise", "local", 10, 10, 0, 0, NULL, TRUST_CARE,
      "10 of 20 points within the wanted precision (±2.5\u00a0%); 10 timed in one launch, without "
      "an "
      "interval" },
    { "fewer than half", "local", 9, 11, 0, 0, NULL, TRUST_GUIDE,
      "<strong>Noise rules here.</strong> 9 of 20 timed points have the wanted precision." },
    { "more than half drift", "slurm", 20, 0, 11, 0, NULL, TRUST_GUIDE,
      "<strong>Drift rules here.</strong> The speed of the machine changed during the "
      "launches of 11 of 20 points" },
    { "both", "emulated", 0, 20, 20, 0, NULL, TRUST_GUIDE,
      "<strong>Noise and drift rule here.</strong>" },
    { "nothing has a time", "local", 0, 0, 0, 20, NULL, TRUST_GUIDE, "no point has a time" },
    { "emulated is no machine", "emulated", 20, 0, 0, 0, NULL, TRUST_CARE,
      "■■□</span> Emulated: with care" },
    { "nor is what others measured ours", "imported", 20, 0, 0, 0, NULL, TRUST_CARE,
      "■■□</span> Imported: with care</strong> <span>20 of 20 points with an interval over "
      "runs within ±10\u00a0%<" },
    { "imported, with wide intervals", "imported", 9, 0, 0, 0, NULL, TRUST_GUIDE,
      "9 of 20 timed points have the wanted precision. A gain or loss counts only where its "
      "interval excludes zero. </p>" },
    { "imported, of one run", "imported", 0, 20, 0, 0, NULL, TRUST_GUIDE,
      "20 timed in one run, without an interval</span></a></p>\n<div class=\"banner "
      "rule\"><p><strong>Nothing tells the noise here.</strong> Each time is of one run" },
    { "simulated, costs with a source", "sim", 0, 0, 0, 0, "data sheet", TRUST_CARE,
      "■■□</span> Simulated: with care</strong> <span>an estimate without interval; all of its "
      "costs "
      "have a source" },
    { "simulated, assumed", "sim", 0, 0, 0, 0, "assumed: as elsewhere", TRUST_GUIDE,
      "■□□</span> Simulated: a guide only</strong> <span>an estimate without interval; 3 of its 3 "
      "costs are typical values" },
    { "simulated, a preset's", "sim", 0, 0, 0, 0, "preset: 25gbe", TRUST_GUIDE,
      "3 of its 3 costs" },
    { "simulated, of nothing stated", "sim", 0, 0, 0, 0, NULL, TRUST_GUIDE,
      "an estimate without interval<" },
    { "walked", "walk", 0, 0, 0, 0, "data sheet", TRUST_GUIDE, "Walked: a guide only" },
    { "planted", "null", 0, 0, 0, 0, "data sheet", TRUST_GUIDE, "Planted: a guide only" },
    { "of a backend that nobody knows", "other", 0, 0, 0, 0, NULL, TRUST_GUIDE, "a guide only" },
};

/* A cost, one that has its source from it, and one that has it from that one. */
static json_t *costs(const char *source)
{
    return json_pack("{s:{s:{s:s, s:b, s:s}}, s:{s:{s:s, s:b, s:s}, s:{s:s, s:b, s:s}}}", "network",
                     "link_latency", "value", "1us", "default", 0, "source", source, "messages",
                     "send_cost", "value", "0:1us", "default", 0, "source",
                     "as link_latency: the same", "recv_cost", "value", "0:1us", "default", 0,
                     "source", "as send_cost");
}

static struct report_data planted(const struct badge *s, int points)
{
    struct report_data d = { .results = (size_t)points };
    char label[96];
    d.result = calloc((size_t)points, sizeof *d.result);
    snprintf(d.backend, sizeof d.backend, "%s", s->backend);
    backend_words(s->backend, label, sizeof label, &d.simulated);
    d.emulated = strcmp(s->backend, "emulated") == 0;
    d.imported = strcmp(s->backend, "imported") == 0;
    d.manifest = json_pack("{s:{s:{s:{s:{s:s}}}}, s:{s:o}}", "study", "settings", "measure",
                           "precision", "value", "0.025", "cluster", "settings",
                           s->source ? costs(s->source) : json_object());
    for (int i = 0; i < points && d.result; i++) {
        struct measured *m = &d.result[i];
        const int timed = i >= s->untimed;
        m->status = timed ? POINT_OK : POINT_MISSING;
        m->time.value = timed ? 1e-6 : NAN;
        m->converged = d.simulated ? -1 : points - 1 - i < s->precise;
        m->time.launches = i < s->once ? 1 : 5;
        m->time.rel_ci = i < s->once ? NAN : points - 1 - i < s->precise ? 0.02 : 0.2;
        m->drift = d.simulated ? -1 : points - 1 - i < s->drifted;
    }
    return d;
}

static void test_badge(const struct badge *badge, int points)
{
    struct report_data d = planted(badge, points);
    struct trust t;
    char *text = NULL;
    size_t size = 0;
    trust_judge(&d, &t);
    is_str(trust_word(badge->level), trust_word(t.level), "%s: %s", badge->claim,
           trust_word(badge->level));
    FILE *out = open_memstream(&text, &size);
    trust_badge(out, &d);
    fclose(out);
    has_str(badge->says, text, "and says so");
    free(text);
    free(d.result);
    json_decref(d.manifest);
}

static void test_levels(void)
{
    static const struct badge few = { "one in two hundred precise",
                                      "local",
                                      1,
                                      0,
                                      0,
                                      0,
                                      NULL,
                                      TRUST_GUIDE,
                                      "<span>1 of 200 points within the wanted precision" };
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++)
        test_badge(&studies[i], POINTS);
    test_badge(&few, 10 * POINTS);
}

/* FIPS 180-4's examples, and lengths about the ends of blocks (by another program: openssl). */
static void test_digest(void)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        { "", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" },
        { "abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=" },
    };
    char digest[SHA256_BASE64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_str(rows[i].wanted, sha256_base64(rows[i].text, strlen(rows[i].text), digest),
               "the digest of %zu bytes", strlen(rows[i].text));
}

int main(void)
{
    test_levels();
    test_digest();
    return tap_done();
}
