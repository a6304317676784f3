/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/draw.h"

#include "harness/base/number.h"
#include "workloads/schedules/collectives.h"
#include "workloads/schedules/trace.h"

/* All lengths in CSS pixels. */
enum {
    MARGIN = 36,
    TITLE_HEIGHT = 84,
    LEGEND_HEIGHT = 92,
    MIN_WIDTH = 600,
    RADIUS = 14,
    CHAR_WIDTH = 6, /* of the small letters of labels, about */
    LEVEL_GAP = 80,
    HEADING = 34,
    ROW = 40,
    MAX_ROWS = 8,
    STAGE_COLUMN = 76,
    LABEL_SIZE = 64,
};

/* All messages of a phase from one rank to another. */
struct link {
    int src, dst;
    uint64_t first, last; /* stages */
    uint64_t bytes;
};

enum shape { SHAPE_OUT, SHAPE_IN, SHAPE_STEPS }; /* a tree from the root, to the root, or neither */

struct node {
    int first_child, next_sibling; /* ranks; -1: none */
    int link;                      /* to or from its parent; -1: none */
    double across, depth;          /* in leaves and levels; then x and y */
};

struct panel {
    enum shape shape;
    int phase;
    struct link *links;
    size_t n_links;
    struct node *nodes; /* trees only */
    int leaves, levels, sideways;
    double width, height, gap; /* gap between leaves, or columns */
    int label_chars;
    int has_sizes; /* links carry different numbers of bytes, so labels show them */
};

struct picture {
    const struct schedule *s;
    FILE *out;
    struct trace trace;
    struct panel *panels;
    int n_panels;
    double width, height;
    uint64_t stages;
    struct err *err;
};

static int out_of_memory(struct picture *p)
{
    return err_set(p->err, "out of memory while drawing %s", p->s->alg->name);
}

/* ---- what is to be drawn ---- */

/* Joins the messages of each pair. In order of the first message sent, so that children keep
 * theirs. */
static void collect_links(const struct trace *t, struct panel *panel)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct trace_message *m = &t->v[i];
        struct link *link = NULL;
        if (m->phase != panel->phase)
            continue;
        for (size_t j = panel->n_links; !link && j-- > 0 && panel->links[j].src == m->src;)
            link = panel->links[j].dst == m->dst ? &panel->links[j] : NULL;
        if (!link) {
            link = &panel->links[panel->n_links++];
            *link = (struct link){ m->src, m->dst, m->stage, m->stage, 0 };
        }
        link->last = m->stage;
        link->bytes += m->bytes;
    }
}

static int sizes_differ(const struct panel *panel)
{
    for (size_t i = 1; i < panel->n_links; i++)
        if (panel->links[i].bytes != panel->links[0].bytes)
            return 1;
    return 0;
}

/* The end of a link that is the child when the links form a tree of that shape. */
static int child_of(const struct link *link, enum shape shape)
{
    return shape == SHAPE_OUT ? link->dst : link->src;
}

static int parent_of(const struct link *link, enum shape shape)
{
    return shape == SHAPE_OUT ? link->src : link->dst;
}

static const struct link *link_to_parent(const struct panel *panel, enum shape shape, int rank)
{
    for (size_t i = 0; i < panel->n_links; i++)
        if (child_of(&panel->links[i], shape) == rank)
            return &panel->links[i];
    return NULL;
}

/* As many links as a tree has, and from every rank they lead to the root. */
static int is_tree(const struct picture *p, const struct panel *panel, enum shape shape)
{
    if (panel->n_links != (size_t)p->s->procs - 1)
        return 0;
    for (int rank = 0; rank < p->s->procs; rank++) {
        int at = rank;
        for (int hops = 0; at != p->s->root; hops++) {
            const struct link *link = link_to_parent(panel, shape, at);
            if (!link || hops == p->s->procs)
                return 0;
            at = parent_of(link, shape);
        }
    }
    return 1;
}

static void link_children(const struct picture *p, struct panel *panel)
{
    for (int rank = 0; rank < p->s->procs; rank++)
        panel->nodes[rank] = (struct node){ .first_child = -1, .next_sibling = -1, .link = -1 };
    for (size_t i = panel->n_links; i-- > 0;) { /* backwards: the first sent becomes the first */
        int child = child_of(&panel->links[i], panel->shape);
        struct node *parent = &panel->nodes[parent_of(&panel->links[i], panel->shape)];
        panel->nodes[child].link = (int)i;
        panel->nodes[child].next_sibling = parent->first_child;
        parent->first_child = child;
    }
}

/* Leaves side by side, parents above the middle of their children. Depth of recursion: the tree's.
 */
static void place(struct panel *panel, int rank, int depth)
{
    struct node *node = &panel->nodes[rank];
    node->depth = depth;
    if (depth + 1 > panel->levels)
        panel->levels = depth + 1;
    if (node->first_child < 0) {
        node->across = panel->leaves++;
        return;
    }
    int last = node->first_child;
    for (int child = node->first_child; child >= 0; child = panel->nodes[child].next_sibling) {
        place(panel, child, depth + 1);
        last = child;
    }
    node->across = (panel->nodes[node->first_child].across + panel->nodes[last].across) / 2;
}

/* ---- words ---- */

static void stage_label(const struct panel *panel, const struct link *link, char *text)
{
    char size[32];
    size_t len = 0;
    if (link->first == link->last)
        len = (size_t)snprintf(text, LABEL_SIZE, "%llu", (unsigned long long)link->last);
    else
        len = (size_t)snprintf(text, LABEL_SIZE, "%llu–%llu", (unsigned long long)link->first,
                               (unsigned long long)link->last);
    if (panel->has_sizes && len < LABEL_SIZE)
        snprintf(text + len, LABEL_SIZE - len, " · %s",
                 format_bytes(link->bytes, size, sizeof size));
}

/* Letters of a UTF-8 text. */
static int count_letters(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static int longest_label(const struct panel *panel)
{
    int longest = 1;
    for (size_t i = 0; i < panel->n_links; i++) {
        char text[LABEL_SIZE];
        stage_label(panel, &panel->links[i], text);
        int n = count_letters(text);
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* ---- layout ---- */

static double max_of(double a, double b)
{
    return a > b ? a : b;
}

static void layout_tree(struct picture *p, struct panel *panel)
{
    double label = panel->label_chars * CHAR_WIDTH;
    place(panel, p->s->root, 0);
    panel->sideways = panel->levels > panel->leaves + panel->leaves / 2 + 2;
    double level = panel->sideways ? max_of(2 * RADIUS + 24, label + 20) : LEVEL_GAP;
    panel->gap = panel->sideways ? 2 * RADIUS + 26 : max_of(2 * RADIUS + 10, label + 12);
    if (!panel->sideways && panel->leaves > 12)
        level += panel->leaves * 1.5; /* a wide fan needs height */
    double across = (panel->leaves - 1) * panel->gap, along = (panel->levels - 1) * level;
    panel->width = (panel->sideways ? along : across) + 2 * RADIUS + label;
    panel->height = HEADING + (panel->sideways ? across : along) + 2 * RADIUS + 46;
    for (int rank = 0; rank < p->s->procs; rank++) {
        struct node *node = &panel->nodes[rank];
        node->across *= panel->gap;
        node->depth *= level;
    }
}

static uint64_t first_stage_of(const struct picture *p, const struct panel *panel)
{
    return panel->phase == 0 ? 1 : p->trace.last_stage[panel->phase - 1] + 1;
}

static int rows_of(const struct picture *p, const struct panel *panel)
{
    return (int)(p->trace.last_stage[panel->phase] + 1 - first_stage_of(p, panel));
}

/* From the last rank to the first or back: drawn dashed, and not counted as far. */
static int wraps_around(const struct picture *p, const struct trace_message *m)
{
    return p->s->procs > 2 && abs(m->src - m->dst) == p->s->procs - 1;
}

/* Arrows that span many columns need height to be told apart. */
static double row_height(const struct picture *p, const struct panel *panel, int row)
{
    uint64_t stage = first_stage_of(p, panel) + (uint64_t)row;
    int span = 1;
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_message *m = &p->trace.v[i];
        if (m->stage == stage && m->phase == panel->phase && !wraps_around(p, m) &&
            abs(m->src - m->dst) > span)
            span = abs(m->src - m->dst);
    }
    return span > 16 ? ROW + 15 * 5 : ROW + (span - 1) * 5;
}

static int shown_rows(const struct picture *p, const struct panel *panel)
{
    int rows = rows_of(p, panel);
    return rows > MAX_ROWS + 1 ? MAX_ROWS : rows;
}

static void layout_steps(struct picture *p, struct panel *panel)
{
    int procs = p->s->procs, shown = shown_rows(p, panel);
    panel->gap = procs <= 8 ? 60 : procs <= 16 ? 48 : procs <= 32 ? 36 : 32;
    panel->width = 2 * STAGE_COLUMN + (procs - 1) * panel->gap + 2 * RADIUS;
    panel->height = HEADING + 2 * RADIUS + 30 + (shown < rows_of(p, panel) ? ROW : 0);
    for (int row = 0; row < shown; row++)
        panel->height += row_height(p, panel, row);
}

static int make_panel(struct picture *p, int phase)
{
    struct panel *panel = &p->panels[phase];
    panel->phase = phase;
    panel->links = calloc(p->trace.n + 1, sizeof *panel->links);
    panel->nodes = calloc((size_t)p->s->procs, sizeof *panel->nodes);
    if (!panel->links || !panel->nodes)
        return out_of_memory(p);
    collect_links(&p->trace, panel);
    panel->has_sizes = sizes_differ(panel);
    panel->shape = is_tree(p, panel, SHAPE_OUT)  ? SHAPE_OUT
                   : is_tree(p, panel, SHAPE_IN) ? SHAPE_IN
                                                 : SHAPE_STEPS;
    panel->label_chars = longest_label(panel);
    if (panel->shape == SHAPE_STEPS) {
        layout_steps(p, panel);
    } else {
        link_children(p, panel);
        layout_tree(p, panel);
    }
    return 0;
}

static int lay_out(struct picture *p)
{
    p->n_panels = p->trace.phases;
    p->panels = calloc((size_t)p->n_panels + 1, sizeof *p->panels);
    if (!p->panels)
        return out_of_memory(p);
    p->width = MIN_WIDTH;
    p->height = TITLE_HEIGHT + LEGEND_HEIGHT;
    for (int i = 0; i < p->n_panels; i++) {
        if (make_panel(p, i) < 0)
            return -1;
        p->width = max_of(p->width, p->panels[i].width);
        p->height += p->panels[i].height;
    }
    p->width += 2 * MARGIN;
    p->stages = p->n_panels ? p->trace.last_stage[p->n_panels - 1] : 0;
    return 0;
}

/* ---- ink ---- */

struct rgb {
    double r, g, b;
};

/* From early (deep blue) to late (sand), readable when printed in grey: lightness rises all along.
 */
static const struct rgb scale[] = {
    { 38, 70, 124 }, { 42, 120, 142 }, { 64, 166, 136 }, { 148, 203, 108 }, { 243, 225, 119 },
};

static struct rgb colour_at(double t)
{
    enum { LAST = sizeof scale / sizeof *scale - 1 };
    double at = t * LAST;
    int i = at >= LAST ? LAST - 1 : (int)at;
    double f = at - i;
    return (struct rgb){ scale[i].r + f * (scale[i + 1].r - scale[i].r),
                         scale[i].g + f * (scale[i + 1].g - scale[i].g),
                         scale[i].b + f * (scale[i + 1].b - scale[i].b) };
}

/* Where a stage lies between the first (0) and the last (1) of the picture. */
static double stage_fraction(const struct picture *p, uint64_t stage)
{
    return p->stages > 1 ? (double)(stage - 1) / (double)(p->stages - 1) : 0;
}

static int has_root(const struct picture *p)
{
    return collective_is_rooted(p->s->alg->collective);
}

/* t: when it has everything, from 0 to 1; negative where that is not shown. */
static void draw_rank(const struct picture *p, double x, double y, int rank, double t)
{
    struct rgb c = t < 0 ? (struct rgb){ 96, 112, 128 } : colour_at(t);
    int is_root = has_root(p) && rank == p->s->root;
    if (is_root)
        c = (struct rgb){ 192, 66, 34 };
    fprintf(p->out, "<circle cx='%.1f' cy='%.1f' r='%d' fill='rgb(%.0f,%.0f,%.0f)'/>", x, y, RADIUS,
            c.r, c.g, c.b);
    fprintf(p->out, "<text class='rank' x='%.1f' y='%.1f' style='fill:%s'>%d</text>\n", x, y + 4,
            is_root || t < 0.6 ? "#fff" : "#1c2733", rank);
}

static void draw_heading(const struct picture *p, const struct panel *panel, double top)
{
    static const char *const words[] = { "tree from the root", "tree to the root", "step by step" };
    char size[32];
    fprintf(p->out, "<text class='heading' x='%d' y='%.1f'>", MARGIN, top + 14);
    if (p->n_panels > 1)
        fprintf(p->out, "Phase %d: ", panel->phase + 1);
    fprintf(p->out, "%s", words[panel->shape]);
    if (!panel->has_sizes && panel->n_links && panel->shape != SHAPE_STEPS)
        fprintf(p->out, ", %s along every edge",
                format_bytes(panel->links[0].bytes, size, sizeof size));
    fprintf(p->out, "</text>\n");
}

/* ---- trees ---- */

static void node_at(const struct picture *p, const struct panel *panel, int rank, double top,
                    double *x, double *y)
{
    const struct node *node = &panel->nodes[rank];
    double left = (p->width - panel->width) / 2 + RADIUS + panel->label_chars * CHAR_WIDTH / 2.0;
    double upper = top + HEADING + RADIUS + 14;
    *x = left + (panel->sideways ? node->depth : node->across);
    *y = upper + (panel->sideways ? node->across : node->depth);
}

/* A curve from parent to child, or back for a tree to the root; the arrow stops at the circle. */
static void draw_edge(const struct picture *p, const struct panel *panel, int child, double top)
{
    const struct link *link = &panel->links[panel->nodes[child].link];
    double x0, y0, x1, y1;
    node_at(p, panel, parent_of(link, panel->shape), top, &x0, &y0);
    node_at(p, panel, child, top, &x1, &y1);
    int inward = panel->shape == SHAPE_IN;
    double near = RADIUS + (inward ? 8 : 1), far = RADIUS + (inward ? 1 : 8);
    fprintf(p->out, "<path class='edge' %s='url(#head)' d='",
            inward ? "marker-start" : "marker-end");
    if (panel->sideways)
        fprintf(p->out, "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f'/>\n", x0 + near, y0,
                (x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1 - far, y1);
    else
        fprintf(p->out, "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f'/>\n", x0, y0 + near, x0,
                (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1 - far);
}

static void draw_tree_node(const struct picture *p, const struct panel *panel, int rank, double top)
{
    const struct node *node = &panel->nodes[rank];
    char text[LABEL_SIZE];
    double x, y;
    node_at(p, panel, rank, top, &x, &y);
    double t = node->link < 0 ? 0 : stage_fraction(p, panel->links[node->link].last);
    draw_rank(p, x, y, rank, t);
    if (node->link < 0)
        return;
    stage_label(panel, &panel->links[node->link], text);
    /* Below a leaf there is room; else on the edge that comes in. */
    int below = node->first_child < 0 && !panel->sideways;
    double up = panel->sideways ? 5 : 13;
    fprintf(p->out, "<text class='label' x='%.1f' y='%.1f'>%s</text>\n", x,
            below ? y + RADIUS + 12 : y - RADIUS - up, text);
}

static void draw_tree(const struct picture *p, const struct panel *panel, double top)
{
    for (int rank = 0; rank < p->s->procs; rank++)
        if (panel->nodes[rank].link >= 0)
            draw_edge(p, panel, rank, top);
    for (int rank = 0; rank < p->s->procs; rank++)
        draw_tree_node(p, panel, rank, top);
}

/* ---- steps ---- */

static double column_at(const struct picture *p, const struct panel *panel, int rank)
{
    return (p->width - panel->width) / 2 + STAGE_COLUMN + RADIUS + rank * panel->gap;
}

static void draw_row_label(const struct picture *p, const struct panel *panel, uint64_t stage,
                           double y)
{
    uint64_t least = UINT64_MAX, most = 0;
    char a[32], b[32];
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_message *m = &p->trace.v[i];
        if (m->stage != stage || m->phase != panel->phase)
            continue;
        least = m->bytes < least ? m->bytes : least;
        most = m->bytes > most ? m->bytes : most;
    }
    double left = column_at(p, panel, 0) - RADIUS, right = column_at(p, panel, p->s->procs - 1);
    fprintf(p->out,
            "<text class='note' style='text-anchor:end' x='%.1f' y='%.1f'>stage %llu</text>",
            left - 8, y, (unsigned long long)stage);
    fprintf(p->out, "<text class='note' x='%.1f' y='%.1f'>", right + RADIUS + 8, y);
    if (least == most)
        fprintf(p->out, "%s</text>\n", format_bytes(most, a, sizeof a));
    else
        fprintf(p->out, "%s … %s</text>\n", format_bytes(least, a, sizeof a),
                format_bytes(most, b, sizeof b));
}

static void draw_message(const struct picture *p, const struct panel *panel,
                         const struct trace_message *m, double upper, double height)
{
    double x0 = column_at(p, panel, m->src), x1 = column_at(p, panel, m->dst);
    fprintf(p->out, "<path class='%s' marker-end='url(#tip)' d='M%.1f %.1fL%.1f %.1f'/>\n",
            wraps_around(p, m) ? "message far" : "message", x0, upper + 5, x1 + (x1 > x0 ? -3 : 3),
            upper + height - 6);
}

/* One stage: its band, its words, the ranks' lines, the messages. */
static void draw_row(const struct picture *p, const struct panel *panel, int row, double upper,
                     double height)
{
    uint64_t stage = first_stage_of(p, panel) + (uint64_t)row;
    double left = column_at(p, panel, 0) - RADIUS - 4;
    double right = column_at(p, panel, p->s->procs - 1) + RADIUS + 4;

    fprintf(p->out, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='4' fill='%s'/>\n", left,
            upper, right - left, height, row % 2 ? "#fff" : "#f1f4f8");
    draw_row_label(p, panel, stage, upper + height / 2 + 4);
    for (int rank = 0; rank < p->s->procs; rank++)
        fprintf(p->out, "<path class='life' d='M%.1f %.1fv%.1f'/>\n", column_at(p, panel, rank),
                upper, height);
    for (size_t i = 0; i < p->trace.n; i++)
        if (p->trace.v[i].phase == panel->phase && p->trace.v[i].stage == stage)
            draw_message(p, panel, &p->trace.v[i], upper, height);
}

static void draw_steps(const struct picture *p, const struct panel *panel, double top)
{
    int rows = rows_of(p, panel), shown = shown_rows(p, panel);
    double upper = top + HEADING + 2 * RADIUS + 8;

    for (int rank = 0; rank < p->s->procs; rank++)
        draw_rank(p, column_at(p, panel, rank), top + HEADING + RADIUS, rank, -1);
    for (int row = 0; row < shown; row++) {
        double height = row_height(p, panel, row);
        draw_row(p, panel, row, upper, height);
        upper += height;
    }
    if (shown < rows)
        fprintf(
            p->out,
            "<text class='note' x='%.1f' y='%.1f'>… and %d more stages, up to stage %llu</text>\n",
            column_at(p, panel, 0), upper + 22, rows - shown,
            (unsigned long long)p->trace.last_stage[panel->phase]);
}

/* ---- frame ---- */

static const char style[] =
    "<style>\n"
    "text { font-family: 'Source Sans 3', 'Helvetica Neue', Helvetica, Arial, sans-serif; "
    "fill: #1c2733 }\n"
    ".title { font-size: 21px; font-weight: 600 }\n"
    ".arguments { font-size: 13px; fill: #4a5a6a }\n"
    ".heading { font-size: 13px; font-weight: 600; fill: #4a5a6a }\n"
    ".rank { font-size: 11.5px; font-weight: 600; text-anchor: middle }\n"
    ".label { font-size: 10.5px; fill: #4a5a6a; text-anchor: middle; paint-order: stroke; "
    "stroke: #fff; stroke-width: 5px; stroke-linejoin: round }\n"
    ".note { font-size: 11.5px; fill: #4a5a6a }\n"
    ".edge { fill: none; stroke: #9aa8b7; stroke-width: 1.4 }\n"
    ".life { stroke: #cdd6df; stroke-width: 1 }\n"
    ".message { fill: none; stroke: #2a6f8e; stroke-width: 1.3 }\n"
    ".far { stroke-dasharray: 4 4; stroke: #9aa8b7 }\n"
    "</style>\n"
    "<defs><marker id='head' viewBox='0 0 8 8' refX='2' refY='4' markerWidth='7' markerHeight='7' "
    "orient='auto-start-reverse'><path d='M0 0L8 4L0 8Z' fill='#9aa8b7'/></marker>\n"
    "<marker id='tip' viewBox='0 0 8 8' refX='6' refY='4' markerWidth='6' markerHeight='6' "
    "orient='auto'><path d='M0 0L8 4L0 8Z' fill='#2a6f8e'/></marker></defs>\n";

static void draw_title(const struct picture *p)
{
    const struct schedule *s = p->s;
    char bytes[32], segment[32];
    fprintf(p->out, "<text class='title' x='%d' y='%d'>%s · %s</text>\n", MARGIN, 38,
            s->alg->collective, s->alg->name);
    fprintf(p->out, "<text class='arguments' x='%d' y='%d'>%d processes, ", MARGIN, 60, s->procs);
    if (has_root(p))
        fprintf(p->out, "root %d, ", s->root);
    fputs(format_bytes(s->bytes, bytes, sizeof bytes), p->out);
    if (s->segments > 1)
        fprintf(p->out, " in %llu segments of %s", (unsigned long long)s->segments,
                format_bytes(s->segment_bytes, segment, sizeof segment));
    if (s->fanout)
        fprintf(p->out, ", fan-out %d", s->fanout);
    if (s->asked != s->alg)
        fprintf(p->out, " (runs in place of %s for these arguments)", s->asked->name);
    fprintf(p->out, "</text>\n");
}

/* A sum of bytes, rounded to what one can read. */
static void write_total(FILE *out, uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    fprintf(out, value < 100 && unit ? "%.3g %s" : "%.0f %s", value, units[unit]);
}

static void draw_legend(const struct picture *p)
{
    double y = p->height - LEGEND_HEIGHT + 24;
    uint64_t total = 0;
    for (size_t i = 0; i < p->trace.n; i++)
        total += p->trace.v[i].bytes;

    fprintf(p->out, "<path d='M%d %.1fH%.1f' stroke='#dde4eb'/>\n", MARGIN, y - 16,
            p->width - MARGIN);
    if (has_root(p))
        fprintf(p->out,
                "<circle cx='%d' cy='%.1f' r='7' fill='rgb(192,66,34)'/>"
                "<text class='note' x='%d' y='%.1f'>root</text>\n",
                MARGIN + 7, y + 2, MARGIN + 20, y + 6);
    for (int i = 0; i < 40; i++) {
        struct rgb c = colour_at(i / 39.0);
        fprintf(p->out,
                "<rect x='%.1f' y='%.1f' width='3.3' height='12' fill='rgb(%.0f,%.0f,%.0f)'/>",
                MARGIN + 66 + i * 3.0, y - 4, c.r, c.g, c.b);
    }
    fprintf(p->out, "\n<text class='note' x='%d' y='%.1f'>last message in stage 1 … %llu</text>\n",
            MARGIN + 196, y + 6, (unsigned long long)p->stages);
    fprintf(p->out,
            "<text class='note' x='%d' y='%.1f'>Number at an edge: the stages in which its "
            "messages travel (first–last). Arrow: from sender to receiver.</text>\n",
            MARGIN, y + 28);
    fprintf(p->out, "<text class='note' x='%d' y='%.1f'>", MARGIN, y + 48);
    fprintf(p->out, "%zu message%s, ", p->trace.n, p->trace.n == 1 ? "" : "s");
    write_total(p->out, total);
    fprintf(p->out, " in all, %llu stage%s.</text>\n", (unsigned long long)p->stages,
            p->stages == 1 ? "" : "s");
}

static void draw_all(const struct picture *p)
{
    fprintf(p->out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.0f "
            "%.0f'>\n<title>%s %s</title>\n",
            p->width, p->height, p->width, p->height, p->s->alg->collective, p->s->alg->name);
    fputs(style, p->out);
    fputs("<rect width='100%' height='100%' fill='#fff'/>\n", p->out);
    draw_title(p);
    double top = TITLE_HEIGHT;
    for (int i = 0; i < p->n_panels; i++) {
        draw_heading(p, &p->panels[i], top);
        if (p->panels[i].shape == SHAPE_STEPS)
            draw_steps(p, &p->panels[i], top);
        else
            draw_tree(p, &p->panels[i], top);
        top += p->panels[i].height;
    }
    draw_legend(p);
    fputs("</svg>\n", p->out);
}

int draw_svg(const struct schedule *s, FILE *out, struct err *err)
{
    struct picture p = { .s = s, .out = out, .err = err };
    if (s->procs > DRAW_MAX_PROCS)
        return err_usage(err, "a picture of %d processes would not be readable (at most %d)",
                         s->procs, DRAW_MAX_PROCS);
    if (trace(s, &p.trace, err) < 0)
        return -1;
    int status = lay_out(&p);
    if (status == 0)
        draw_all(&p);
    for (int i = 0; p.panels && i < p.n_panels; i++) {
        free(p.panels[i].links);
        free(p.panels[i].nodes);
    }
    free(p.panels);
    trace_clear(&p.trace);
    return status;
}
