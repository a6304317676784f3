/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/style.h"

#include "analysis/judge/selectors/selector.h"
#include "reports/gnuplot.h"

/* Names that people know by another word. Any other name is its own label, and its colour and
 * marker follow from its letters. */
static const struct known_style {
    const char *base; /* name without its library */
    const char *label, *code, *colour;
    int marker;
} known_styles[] = {
    { "binomial", "binomial", "Bm", "#0072B2", 7 },
    { "binary_tree", "binary", "Bi", "#D55E00", 9 },
    { "split_binary_tree", "split binary", "SB", "#E69F00", 5 },
    { "chain", "K-chain", "KC", "#009E73", 13 },
    { "pipeline", "pipeline", "Pi", "#56B4E9", 11 },
    { "basic_linear", "linear", "Li", "#7A7A7A", 2 },
    { "knomial", "k-nomial", "Kn", "#332288", 12 },
    { "scatter_allgather", "scatter–allgather", "SA", "#CC79A7", 4 },
    { "scatter_allgather_ring", "scatter–ring allgather", "SR", "#882255", 6 },
    { "scatter_ring_allgather", "scatter–ring allgather", "SR", "#882255", 6 },
    { "scatter_recursive_doubling_allgather", "scatter–doubling allgather", "SD", "#8C8C1E", 8 },
    { "ring", "ring", "Ri", "#56B4E9", 11 },
    { "neighbor", "neighbour exchange", "NE", "#009E73", 13 },
    { "recursive_doubling", "recursive doubling", "RD", "#E69F00", 5 },
    { "bruck", "Bruck", "Br", "#D55E00", 9 },
    { "brucks", "Bruck", "Br", "#D55E00", 9 },
    { "binary", "binary", "Bi", "#D55E00", 9 },
    { "in-order_binary", "in-order binary", "IB", "#332288", 12 },
    { "linear", "linear", "Li", "#7A7A7A", 2 },
    { "rabenseifner", "Rabenseifner", "Ra", "#CC79A7", 4 },
    { "reduce_scatter_gather", "reduce–scatter, gather", "RG", "#882255", 6 },
    { "default", "library default", "De", "#A99BD8", 14 },
    { "central", "barrier", "Ba", "#444444", 1 },
    { "pingpong", "ping-pong", "PP", "#444444", 3 },
};
enum { N_KNOWN = sizeof known_styles / sizeof *known_styles };

/* A channel of the colour of this hue (0 to 6) that is neither pale nor dark. */
static unsigned channel(double hue, double shift)
{
    const double at = fabs(fmod(hue + shift, 6) - 3) - 1; /* 0 and less: none of it; 1: all */
    return (unsigned)(40 + 140 * fmin(fmax(at, 0), 1));
}

static void blanks(char *text)
{
    for (; *text; text++)
        *text = *text == '_' ? ' ' : *text;
}

/* Label, code, colour and marker of a name that no one has given any: "two_trees" is "two trees",
 * "TT". The colour is one of 360 hues by a hash of the name (FNV-1a). */
static void derive_style(const char *base, struct algorithm_style *s)
{
    uint32_t hash = 2166136261U;
    for (const char *p = base; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619U;
    snprintf(s->label, sizeof s->label, "%s", base);
    blanks(s->label);
    const char *second = strchr(s->label, ' ');
    s->code[0] = (char)toupper((unsigned char)s->label[0]);
    if (s->code[0])
        s->code[1] = second ? (char)toupper((unsigned char)second[1]) : s->label[1];
    const double hue = hash % 360 / 60.0;
    snprintf(s->colour, sizeof s->colour, "#%02x%02x%02x", channel(hue, 0), channel(hue, 4),
             channel(hue, 2));
    s->marker = 1 + (int)(hash / 360 % 14);
    s->place = N_KNOWN;
}

static int known_place(const char *base)
{
    int k = 0;
    while (k < N_KNOWN && strcmp(known_styles[k].base, base) != 0)
        k++;
    return k;
}

static int is_level(const char *word)
{
    for (int l = LEVEL_CACHE; l < LEVEL_ALL; l++)
        if (strcmp(level_name((enum level)l), word) == 0)
            return 1;
    return 0;
}

struct code {
    char text[16];
};

/* Of an algorithm in a combination, whose parameters may follow its name. */
static struct code part_code(char *word)
{
    struct code code;
    struct algorithm_style s = { .marker = 0 };
    char *dash = strstr(word, "-k");
    dash = dash ? dash : strstr(word, "-s");
    if (dash)
        *dash = '\0';
    const int k = known_place(word);
    if (k == N_KNOWN)
        derive_style(word, &s);
    snprintf(code.text, sizeof code.text, "%s", k == N_KNOWN ? s.code : known_styles[k].code);
    return code;
}

static void append(char *buf, size_t size, const char *before, const char *text)
{
    const size_t n = strlen(buf);
    snprintf(buf + n, size - n, "%s%s", before, text);
}

/* "chain.8" is "chain (8 requests)", "KC 8". */
static void name_limited(const char *base, struct algorithm_style *s)
{
    char own[sizeof s->label];
    snprintf(own, sizeof own, "%.*s", (int)strcspn(base, "."), base);
    const int k = known_place(own);
    s->label[0] = s->code[0] = '\0';
    append(s->label, sizeof s->label, k == N_KNOWN ? own : known_styles[k].label, " (");
    append(s->label, sizeof s->label, algorithm_levels(base), " requests)");
    append(s->code, sizeof s->code, part_code(own).text, " ");
    append(s->code, sizeof s->code, "", algorithm_levels(base));
}

/* "two_level.socket.binomial.chain-k4" is "two level (socket): binomial + chain-k4", "Bm·KC". No
 * commas: gnuplot reads labels from CSV. */
static void name_combination(const char *base, struct algorithm_style *s)
{
    char text[sizeof s->label], *rest;
    int levels = 0, parts = 0;
    if (algorithm_limit(algorithm_levels(base))) { /* "chain.8" */
        name_limited(base, s);
        return;
    }
    snprintf(text, sizeof text, "%s", base);
    s->label[0] = s->code[0] = '\0';
    append(s->label, sizeof s->label, "", strtok_r(text, ".", &rest));
    for (char *word; (word = strtok_r(NULL, ".", &rest)) != NULL;) {
        if (!parts && is_level(word)) {
            append(s->label, sizeof s->label, levels++ ? " + " : " (", word);
            continue;
        }
        append(s->label, sizeof s->label, parts ? " + " : levels ? "): " : ": ", word);
        append(s->code, sizeof s->code, parts++ ? "·" : "", part_code(word).text);
    }
    blanks(s->label);
}

struct algorithm_style style_of(const char *algorithm)
{
    const char *base = algorithm_base_name(algorithm);
    struct algorithm_style s = { .marker = 0 };
    const int k = known_place(base);
    if (k == N_KNOWN) {
        derive_style(base, &s);
        if (algorithm_levels(base))
            name_combination(base, &s);
        return s;
    }
    s.place = k;
    s.marker = known_styles[k].marker;
    snprintf(s.label, sizeof s.label, "%s", known_styles[k].label);
    snprintf(s.code, sizeof s.code, "%s", known_styles[k].code);
    snprintf(s.colour, sizeof s.colour, "%s", known_styles[k].colour);
    return s;
}

int style_compare(const char *a, const char *b)
{
    return by_keys(style_of(a).place - style_of(b).place, strcmp(a, b));
}

const char *brief(const char *fmt, ...)
{
    enum { PLACES = 64, PLACE_SIZE = 512 };
    static _Thread_local char place[PLACES][PLACE_SIZE];
    static _Thread_local size_t used;
    char *text = place[used++ % PLACES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, PLACE_SIZE, fmt, args);
    va_end(args);
    return text;
}

const char *algorithm_look(const char *algorithm)
{
    const struct algorithm_style s = style_of(algorithm);
    return brief("lc rgb \"%s\" pt %d lw 1.8", s.colour, s.marker);
}

const char *algorithm_label(const char *algorithm, int with_library)
{
    const char *colon = strchr(algorithm, ':');
    const struct algorithm_style s = style_of(algorithm);
    return !*algorithm ? "–"
           : with_library && colon
               ? brief("%s (%.*s)", s.label, (int)(colon - algorithm), algorithm)
               : brief("%s", s.label);
}

struct label {
    const char *name, *label;
};

static const char *find_label(const struct label *labels, const char *name)
{
    for (; labels->name; labels++)
        if (strcmp(labels->name, name) == 0)
            return labels->label;
    return name;
}

const char *model_label(const struct model *model)
{
    return model->label ? model->label : model->name;
}

const char *model_prose(const struct model *model)
{
    return model->prose ? model->prose : model->help;
}

const char *model_colour(const struct model *model)
{
    return model->colour ? model->colour : "#666666";
}

const char *model_look(const struct model *model)
{
    return brief("lc rgb \"%s\" dt %d pt %d lw 1.6", model_colour(model),
                 model->dash ? model->dash : 1, model->marker);
}

const char *selector_label(const char *selector)
{
    const struct model *model = model_find(selector);
    for (size_t i = 0; selectors[i]; i++)
        if (strcmp(selectors[i]->name, selector) == 0)
            return selectors[i]->label;
    const struct learner *learner = learner_find(selector);
    return model ? model_label(model) : learner ? learner->label : selector;
}

const char *purpose_label(const char *purpose)
{
    static const struct label labels[] = {
        { "study", "study grid" },
        { "default", "library default" },
        { "fit", "parameter fit" },
        { "held_bytes", "held-out sizes (× √2)" },
        { "held_procs", "held-out P" },
        { "held_root", "held-out roots" },
        { 0 },
    };
    return find_label(labels, purpose);
}

const char *fit_label(const char *status)
{
    static const struct label labels[] = {
        { "alpha_unidentified", "α unidentified" },
        { "beta_unidentified", "β unidentified" },
        { "beta_negative", "β negative, not used" },
        { "too_few_points", "too few points" },
        { "rank_deficient", "rank deficient" },
        { "not_converged", "not converged" },
        { "poor_fit", "poor fit" },
        { 0 },
    };
    return find_label(labels, status);
}

/* Three significant digits, never an exponent; without trailing zeros where trimmed. */
static void show_number(double v, int trimmed, char *buf, size_t size)
{
    double a = fabs(v);
    int decimals = a >= 99.95 || a == 0 ? 0 : a >= 9.995 ? 1 : 2;
    int n = snprintf(buf, size, "%.*f", decimals, v);
    while (trimmed && decimals && n > 0 && buf[n - 1] == '0')
        buf[--n] = '\0';
    if (trimmed && decimals && n > 0 && buf[n - 1] == '.')
        buf[--n] = '\0';
}

const char *show_bytes(uint64_t bytes)
{
    static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    char number[40];
    double v = (double)bytes;
    size_t u = 0;
    for (; v >= 1024 && u + 1 < sizeof unit / sizeof *unit; u++)
        v /= 1024;
    show_number(v, 1, number, sizeof number);
    return brief("%s\u00a0%s", number, unit[u]);
}

static const char *show_seconds(double seconds, int trimmed)
{
    static const char *const unit[] = { "ns", "µs", "ms", "s" };
    char number[40];
    double v = seconds * 1e9;
    size_t u = 0;
    if (!isfinite(seconds))
        return "–";
    for (; fabs(v) >= 999.5 && u + 1 < sizeof unit / sizeof *unit; u++)
        v /= 1000;
    show_number(v, trimmed, number, sizeof number);
    return brief("%s\u00a0%s", number, unit[u]);
}

const char *show_time(double seconds)
{
    return show_seconds(seconds, 0);
}

const char *show_core_time(double core_s)
{
    const int hours = core_s >= 360;
    const double value = hours ? core_s / 3600 : core_s;
    return brief(value >= 999.5 ? "%.0f\u00a0core-%s" : "%.3g\u00a0core-%s", value,
                 hours ? "hours" : "seconds");
}

const char *show_pct(double pct)
{
    if (!isfinite(pct))
        return "–";
    char number[40];
    int decimals = fabs(pct) < 9.95 ? 1 : 0;
    snprintf(number, sizeof number, "%.*f", decimals, fabs(pct));
    int zero = strspn(number, "0.") == strlen(number);
    return brief("%s%s\u00a0%%", pct < 0 && !zero ? "−" : "", zero ? "0" : number);
}

/* Where a logarithmic axis of bytes has messages of nothing. */
static const double place_of_nothing = 0.5;

void style_gnuplot(FILE *gp)
{
    gnuplot_print(gp, "at_bytes(b) = b > 0 ? b : %g\n", place_of_nothing);
}

const char *candidate_label(const struct candidate *candidate, int with_library)
{
    const uint64_t segment = candidate->segment_bytes;
    return brief("%s%s%s%s", algorithm_label(candidate->algorithm, with_library),
                 segment ? ", " : "", segment ? show_bytes(segment) : "",
                 candidate->fanout ? brief(", fan-out %d", candidate->fanout) : "");
}

const char *rooted_label(const struct cell *cell, const struct candidate *candidate,
                         int with_library)
{
    const char *label = candidate_label(candidate, with_library);
    return cell->root > 0 ? brief("%s, root %d", label, cell->root) : label;
}

double least_positive(double least, double value)
{
    return value > 0 ? fmin(least, value) : least;
}

int panel_factor(uint64_t low, uint64_t high)
{
    return high / (low ? low : 1) > 1024 ? 64 : 8;
}

void axis_bytes(FILE *gp, uint64_t low, uint64_t high, int factor)
{
    const char *comma = "";
    uint64_t v = 1;
    while (v < low)
        v *= 2;
    gnuplot_print(gp, "set logscale x\nset xrange [%.9g:%.9g]\nset xtics (",
                  (low ? (double)low : place_of_nothing) / 1.25,
                  (high ? (double)high : place_of_nothing) * 1.25);
    if (!low) {
        gnuplot_print(gp, "\"0 B\" %g", place_of_nothing);
        comma = ", ";
    }
    for (; v && v <= high; v *= (uint64_t)factor) {
        gnuplot_print(gp, "%s\"%s\" %llu", comma, show_bytes(v), (unsigned long long)v);
        comma = ", ";
    }
    fputs(")\n", gp);
}

void ticks_list(FILE *gp, double low, double high, int labelled)
{
    const char *comma = "";
    if (!(low > 0) || !isfinite(low) || !isfinite(high)) { /* no axis without a value */
        fputs("()", gp);
        return;
    }
    int from = (int)floor(log10(low) + 1e-9), to = (int)ceil(log10(high) - 1e-9);
    int between = to - from <= 2; /* few decades: 2 and 5 get labels too */
    fputc('(', gp);
    for (int e = from; e <= to; e++)
        for (int k = 1; k < 10 && (e < to || k == 1); k++) {
            double v = k * pow(10, e);
            int major = k == 1 || (between && (k == 2 || k == 5));
            gnuplot_print(gp, "%s\"%s\" %.9g%s", comma, major && labelled ? show_seconds(v, 1) : "",
                          v, major ? "" : " 1");
            comma = ", ";
        }
    fputc(')', gp);
}

void ticks_time(FILE *gp, double low, double high, int labelled)
{
    fputs("set ytics ", gp);
    ticks_list(gp, low, high, labelled);
    fputc('\n', gp);
}
