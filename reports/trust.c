/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/trust.h"

#include "harness/study/simulation_costs.h"
#include "reports/section_common.h"

/* Half of an interval over the time, of runs of which nobody asked for a precision. */
static const double IMPORTED_PRECISION = 0.1;

const char *trust_word(enum trust_level level)
{
    static const char *const words[] = { "a guide only", "with care", "firm" };
    return words[level];
}

/* The setting of a key of the cluster file, whatever section it is in; NULL: none. */
static json_t *find_setting(const struct report_data *d, const char *key)
{
    json_t *all = json_object_get(json_object_get(d->manifest, "cluster"), "settings"), *in;
    const char *section;
    json_object_foreach(all, section, in)
    {
        if (json_object_get(in, key))
            return json_object_get(in, key);
    }
    return NULL;
}

/* 1 when nobody measured or read the value for this machine: a preset's, assumed, a default; or "as
 * KEY", whose own source says so. Sources that name each other are followed so far. */
static int is_guess(const struct report_data *d, json_t *setting, int further)
{
    const char *source = json_string_value(json_object_get(setting, "source"));
    char key[NAME_SIZE];
    if (json_is_true(json_object_get(setting, "default")))
        return 1;
    if (!source)
        return 0;
    if (strncmp(source, "preset", 6) == 0 || strncmp(source, "assumed", 7) == 0)
        return 1;
    if (strncmp(source, "as ", 3) != 0 || !further)
        return 0;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(source + 3, " :;,."), source + 3);
    json_t *same = find_setting(d, key);
    return same && is_guess(d, same, further - 1);
}

static void count_costs(const struct report_data *d, struct trust *t)
{
    const char *key;
    for (size_t i = 0; (key = costs_key(i)); i++) {
        json_t *setting = find_setting(d, key);
        t->costs += setting != NULL;
        t->guessed += setting && is_guess(d, setting, 4);
    }
}

static void count_all(const struct report_data *d, struct trust *t)
{
    count_points(d, &t->planned, &t->missing);
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        if (!result_usable(r))
            continue;
        t->timed++;
        t->precise += d->imported ? r->time.rel_ci <= IMPORTED_PRECISION : r->converged == 1;
        t->once += r->time.launches == 1;
        t->watched += r->drift >= 0;
        t->drifted += r->drift == 1;
    }
    if (d->simulated)
        count_costs(d, t);
}

static enum trust_level level_of(const struct report_data *d, const struct trust *t)
{
    if (!t->timed || t->noisy || t->drifting)
        return TRUST_GUIDE;
    if (d->simulated)
        return strcmp(d->backend, "sim") == 0 && t->costs && !t->guessed ? TRUST_CARE : TRUST_GUIDE;
    return !d->emulated && !d->imported && !t->missing && 10 * t->precise >= 9 * t->timed &&
                   10 * t->drifted <= t->timed
               ? TRUST_FIRM
               : TRUST_CARE;
}

void trust_judge(const struct report_data *d, struct trust *t)
{
    *t = (struct trust){ 0 };
    count_all(d, t);
    t->noisy = !d->simulated && 2 * t->precise < t->timed;
    t->drifting = !d->simulated && 2 * t->drifted > t->timed;
    t->level = level_of(d, t);
}

static const char *kind(const struct report_data *d)
{
    return d->imported ? "imported" : times_word(d);
}

/* Its text is plain: the page and the terminal both take it as it is. */
static void put_precision(FILE *out, const struct report_data *d, const struct trust *t)
{
    double precision = NAN;
    fprintf(out, "%zu of %zu point%s ", t->precise, COUNTED(t->timed));
    if (d->imported)
        fprintf(out, "with an interval over runs within ±%.0f\u00a0%%", 100 * IMPORTED_PRECISION);
    else
        fputs("within the wanted precision", out);
    if (!d->imported && parse_f64(manifest_text(d, "study/settings/measure/precision/value"),
                                  &precision, NULL) == 0)
        fprintf(out, " (±%.3g\u00a0%%)", 100 * precision);
    if (t->once)
        fprintf(out, "; %zu timed in one %s, without an interval", t->once,
                d->imported ? "run" : "launch");
    if (t->drifted)
        fprintf(out, "; drift at %zu", t->drifted);
    else if (t->watched && !d->imported)
        fputs("; no drift", out);
}

static void put_costs(FILE *out, const struct trust *t)
{
    fputs("an estimate without interval", out);
    if (t->guessed)
        fprintf(out, "; %zu of its %zu costs are typical values, not this machine's", t->guessed,
                t->costs);
    else
        fputs(t->costs ? "; all of its costs have a source" : "", out);
}

static void put_grounds(FILE *out, const struct report_data *d, const struct trust *t)
{
    const size_t doubted = count_doubted(d);
    if (!t->timed && doubted)
        fprintf(out, "none of %zu time%s counts: all are doubted", COUNTED(doubted));
    else if (!t->timed)
        fputs("no point has a time", out);
    else if (d->simulated)
        put_costs(out, t);
    else
        put_precision(out, d, t);
    if (t->missing)
        fprintf(out, "; %zu of %zu point%s %s missing", t->missing, COUNTED(t->planned),
                of_number(t->planned, "is", "are"));
    if (t->timed && doubted)
        fprintf(out, "; %zu more time%s %s doubted, and do not count", COUNTED(doubted),
                of_number(doubted, "is", "are"));
}

/* A warning above all gains and losses. */
static void put_ruling(FILE *out, const struct report_data *d, const struct trust *t)
{
    if (!t->timed || (!t->noisy && !t->drifting))
        return;
    if (d->imported && t->once == t->timed) {
        fprintf(out,
                "<div class=\"banner rule\"><p><strong>Nothing tells the noise here.</strong> Each "
                "time is of one run: no gain and no loss below has an interval. </p></div>\n");
        return;
    }
    fprintf(out, "<div class=\"banner rule\"><p><strong>%s%s%s here.</strong> ",
            t->noisy ? "Noise" : "", t->noisy && t->drifting ? " and drift rule" : "",
            t->drifting ? t->noisy ? "" : "Drift rules" : " rules");
    if (t->noisy)
        fprintf(out,
                "%zu of %zu timed point%s have the wanted precision. A gain or loss counts only "
                "where its interval excludes zero. ",
                t->precise, COUNTED(t->timed));
    if (t->drifting)
        fprintf(out, "The speed of the machine changed during the launches of %zu of %zu point%s. ",
                t->drifted, COUNTED(t->timed));
    fputs(d->imported ? "</p></div>\n"
                      : "Use a quieter machine or more launches (<code>repeats</code> in the study "
                        "file).</p></div>\n",
          out);
}

void trust_badge(FILE *out, const struct report_data *d)
{
    struct trust t;
    trust_judge(d, &t);
    static const char *const bars[] = { "■□□", "■■□", "■■■" };
    fprintf(out,
            "<p class=\"trust t%d\"><a href=\"#quality\"><strong><span aria-hidden=\"true\">%s"
            "</span> %c%s: %s</strong> <span>",
            (int)t.level, bars[t.level], toupper((unsigned char)*kind(d)), kind(d) + 1,
            trust_word(t.level));
    put_grounds(out, d, &t);
    fputs("</span></a></p>\n", out);
    put_ruling(out, d, &t);
}

char *trust_plain(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        const size_t wide = strlen("\u00a0");
        const int space = strncmp(from, "\u00a0", wide) == 0;
        *to = *from;
        if (space)
            *to = ' ';
        from += space ? wide : 1;
    }
    *to = '\0';
    return text_disarm(text); /* a manifest's words go to terminals */
}

char *trust_text(const struct report_data *d)
{
    struct trust t;
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    trust_judge(d, &t);
    fprintf(out, "%s, %s; ", kind(d), trust_word(t.level));
    put_grounds(out, d, &t);
    fclose(out);
    return trust_plain(text);
}

char *trust_of_results(const char *dir, int doubted, struct err *err)
{
    struct report_data d = { 0 };
    struct points points;
    char *text = NULL;
    snprintf(d.dir, sizeof d.dir, "%s", dir);
    if (points_read(dir, doubted, &points, err) < 0)
        return NULL;
    d.result = points.row;
    d.results = points.n;
    if (manifest_read(&d, err) == 0)
        text = trust_text(&d);
    json_decref(d.manifest);
    points_clear(&points);
    return text;
}
