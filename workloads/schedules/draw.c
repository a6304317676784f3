/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/draw.h"

#include "workloads/schedules/trace.h"

enum { MAX_ROWS = 8, COLOURS = 9 };

/* All messages of a phase from one rank to another. */
struct link {
    int src, dst;
    uint64_t first, last; /* stages */
    uint64_t bytes;
};

enum shape { SHAPE_OUT, SHAPE_IN, SHAPE_STEPS }; /* a tree from the root, to the root, or neither */

struct picture {
    const struct schedule *s;
    FILE *out;
    struct trace trace;
    struct link *link; /* of the phase that is drawn */
    size_t links;
};

/* ---- what is to be drawn ---- */

/* Joins the messages of each pair, in order of the first message sent, so that children keep
 * theirs. */
static void collect_links(struct picture *p, int phase)
{
    p->links = 0;
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_message *m = &p->trace.v[i];
        struct link *link = NULL;
        if (m->phase != phase)
            continue;
        for (size_t j = p->links; !link && j-- > 0 && p->link[j].src == m->src;)
            link = p->link[j].dst == m->dst ? &p->link[j] : NULL;
        if (!link) {
            link = &p->link[p->links++];
            *link = (struct link){ m->src, m->dst, m->stage, m->stage, 0 };
        }
        link->last = m->stage;
        link->bytes += m->bytes;
    }
}

/* The link between a rank and its parent; NULL: it has none. */
static const struct link *link_up(const struct picture *p, enum shape shape, int rank)
{
    return find_below(p->link, i, p->links,
                      (shape == SHAPE_OUT ? p->link[i].dst : p->link[i].src) == rank);
}

/* How many links lie between a rank and the root; -1: they do not lead there. */
static int depth_of(const struct picture *p, enum shape shape, int rank)
{
    int hops = 0;
    for (; rank != p->s->root; hops++) {
        const struct link *link = link_up(p, shape, rank);
        if (!link || hops == p->s->procs)
            return -1;
        rank = shape == SHAPE_OUT ? link->src : link->dst;
    }
    return hops;
}

/* As many links as a tree has, and from every rank they lead to the root. *depth: its levels. */
static int is_tree(const struct picture *p, enum shape shape, int *depth)
{
    *depth = 0;
    if (p->links + 1 != (size_t)p->s->procs)
        return 0;
    for (int rank = 0; rank < p->s->procs; rank++) {
        const int hops = depth_of(p, shape, rank);
        if (hops < 0)
            return 0;
        *depth = hops > *depth ? hops : *depth;
    }
    return 1;
}

static enum shape shape_of(const struct picture *p, int *depth)
{
    if (is_tree(p, SHAPE_OUT, depth))
        return SHAPE_OUT;
    return is_tree(p, SHAPE_IN, depth) ? SHAPE_IN : SHAPE_STEPS;
}

/* ---- words ---- */

static int has_root(const struct picture *p)
{
    return p->s->collective->rooted;
}

static uint64_t all_stages(const struct picture *p)
{
    return p->trace.phases ? p->trace.last_stage[p->trace.phases - 1] : 0;
}

static void write_bytes(FILE *out, uint64_t bytes)
{
    char text[32];
    fputs(format_bytes(bytes, text, sizeof text), out);
}

static void write_title(const struct picture *p)
{
    const struct schedule *s = p->s;
    char name[MOST_NAME + 1];
    uint64_t total = 0;
    for (size_t i = 0; i < p->trace.n; i++)
        total += p->trace.v[i].bytes;
    fprintf(p->out, "label=\"%s · %s\\l%d processes, ", s->collective->name,
            schedule_name(s, name, sizeof name), s->procs);
    if (has_root(p))
        fprintf(p->out, "root %d, ", s->root);
    write_bytes(p->out, s->bytes);
    if (s->segments > 1) {
        fprintf(p->out, " in %llu segments of ", (unsigned long long)s->segments);
        write_bytes(p->out, s->segment_bytes);
    }
    if (s->fanout)
        fprintf(p->out, ", fan-out %d", s->fanout);
    if (s->asked != s->alg)
        fprintf(p->out, " (runs in place of %s for these arguments)", s->asked->name);
    fprintf(p->out, "\\l%zu message%s, ", p->trace.n, p->trace.n == 1 ? "" : "s");
    write_bytes(p->out, total);
    fprintf(p->out,
            " in all, %llu stage%s. Arrow: from sender to receiver, with the stages in which its "
            "messages travel.\\lDark: the last message comes early; light: late.%s\\l\"\n",
            (unsigned long long)all_stages(p), all_stages(p) == 1 ? "" : "s",
            has_root(p) ? " Red: the root." : "");
}

/* ---- trees ---- */

/* A rank, coloured by the stage in which it has everything. */
static void write_rank(const struct picture *p, int phase, int rank, uint64_t stage)
{
    const uint64_t last = all_stages(p);
    const int late = last > 1 && stage ? (int)((stage - 1) * (COLOURS - 1) / (last - 1)) : 0;
    const int colour = COLOURS - late;
    fprintf(p->out, "p%dr%d [label=\"%d\" class=\"rank\" ", phase, rank, rank);
    if (has_root(p) && rank == p->s->root)
        fputs("fillcolor=\"#c04222\" fontcolor=white]\n", p->out);
    else
        fprintf(p->out, "fillcolor=%d fontcolor=%s]\n", colour, colour > 5 ? "white" : "black");
}

static void write_tree(const struct picture *p, int phase, enum shape shape)
{
    int sizes_differ = 0;
    for (size_t i = 1; i < p->links; i++)
        sizes_differ |= p->link[i].bytes != p->link[0].bytes;
    fprintf(p->out, "label=\"tree %s the root", shape == SHAPE_OUT ? "from" : "to");
    if (!sizes_differ && p->links) {
        fputs(", ", p->out);
        write_bytes(p->out, p->link[0].bytes);
        fputs(" along every edge", p->out);
    }
    fputs("\"\n", p->out);
    for (int rank = 0; rank < p->s->procs; rank++) {
        const struct link *up = link_up(p, shape, rank);
        write_rank(p, phase, rank, rank == p->s->root || !up ? 0 : up->last);
    }
    for (size_t i = 0; i < p->links; i++) {
        const struct link *l = &p->link[i];
        const int parent = shape == SHAPE_OUT ? l->src : l->dst;
        fprintf(p->out, "p%dr%d -> p%dr%d [class=\"edge\"%s label=\"%llu", phase, parent, phase,
                parent == l->src ? l->dst : l->src, shape == SHAPE_IN ? " dir=back" : "",
                (unsigned long long)l->first);
        if (l->last > l->first)
            fprintf(p->out, "–%llu", (unsigned long long)l->last);
        if (sizes_differ) {
            fputs(" · ", p->out);
            write_bytes(p->out, l->bytes);
        }
        fputs("\"]\n", p->out);
    }
}

/* ---- steps: a column per rank, a row per stage ---- */

/* The ranks side by side, with what the row is on the left. */
static void write_row(const struct picture *p, int phase, uint64_t row, const char *label)
{
    fprintf(p->out,
            "{ rank=same p%ds%llu [shape=plaintext style=\"\" fixedsize=false label=\"%s\"]\n",
            phase, (unsigned long long)row, label);
    for (int rank = 0; rank < p->s->procs; rank++)
        if (row)
            fprintf(p->out, "p%ds%lluc%d [shape=point width=0.05]\n", phase,
                    (unsigned long long)row, rank);
        else
            fprintf(p->out, "p%ds0c%d [label=\"%d\" class=\"rank\" fillcolor=6 fontcolor=white]\n",
                    phase, rank, rank);
    fprintf(p->out, "p%ds%llu", phase, (unsigned long long)row);
    for (int rank = 0; rank < p->s->procs; rank++)
        fprintf(p->out, " -> p%ds%lluc%d", phase, (unsigned long long)row, rank);
    fputs(" [style=invis] }\n", p->out);
}

static void write_stage(const struct picture *p, int phase, uint64_t stage, uint64_t row)
{
    uint64_t least = UINT64_MAX, most = 0;
    char label[96], a[32], b[32];
    const unsigned long long above = row - 1, here = row;
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_message *m = &p->trace.v[i];
        if (m->stage != stage || m->phase != phase)
            continue;
        least = m->bytes < least ? m->bytes : least;
        most = m->bytes > most ? m->bytes : most;
        fprintf(
            p->out,
            "p%ds%lluc%d -> p%ds%lluc%d [class=\"message\" color=\"#2a6f8e\" constraint=false]\n",
            phase, above, m->src, phase, here, m->dst);
    }
    format_bytes(most, a, sizeof a);
    snprintf(label, sizeof label, "stage %llu\\n%s%s%s", (unsigned long long)stage,
             least < most ? format_bytes(least, b, sizeof b) : "", least < most ? " … " : "", a);
    write_row(p, phase, row, label);
    for (int rank = 0; rank < p->s->procs; rank++)
        fprintf(p->out, "p%ds%lluc%d -> p%ds%lluc%d [arrowhead=none color=\"#cdd6df\" weight=99]\n",
                phase, above, rank, phase, here, rank);
    fprintf(p->out, "p%ds%llu -> p%ds%llu [style=invis weight=99]\n", phase, above, phase, here);
}

static void write_steps(const struct picture *p, int phase)
{
    const uint64_t first = phase ? p->trace.last_stage[phase - 1] + 1 : 1;
    const uint64_t rows = p->trace.last_stage[phase] + 1 - first;
    const uint64_t shown = rows > MAX_ROWS + 1 ? MAX_ROWS : rows;
    fputs("label=\"step by step", p->out);
    if (shown < rows)
        fprintf(p->out, "; %llu more stages are not drawn", (unsigned long long)(rows - shown));
    fputs("\"\n", p->out);
    write_row(p, phase, 0, "");
    for (uint64_t row = 1; row <= shown; row++)
        write_stage(p, phase, first + row - 1, row);
}

/* ---- all ---- */

static const char head[] =
    "digraph schedule {\n"
    "graph [labelloc=t labeljust=l fontname=\"sans-serif\" fontsize=13 nodesep=0.15 ranksep=0.4]\n"
    "node [shape=circle style=filled colorscheme=ylgnbu9 penwidth=0 fontname=\"sans-serif\" "
    "fontsize=11 width=0.36 fixedsize=true]\n"
    "edge [color=\"#9aa8b7\" fontname=\"sans-serif\" fontsize=9 fontcolor=\"#4a5a6a\" "
    "arrowsize=0.6]\n";

static void write_all(struct picture *p)
{
    int depth;
    fputs(head, p->out);
    write_title(p);
    for (int phase = 0; phase < p->trace.phases; phase++) {
        collect_links(p, phase);
        const enum shape shape = shape_of(p, &depth);
        if (phase == 0 && p->trace.phases == 1 && shape != SHAPE_STEPS && depth > p->s->procs / 2)
            fputs("rankdir=LR\n", p->out); /* a chain reads from left to right */
        fprintf(p->out, "subgraph cluster_%d { color=\"#dde4eb\" fontcolor=\"#4a5a6a\"\n", phase);
        if (shape == SHAPE_STEPS)
            write_steps(p, phase);
        else
            write_tree(p, phase, shape);
        fputs("}\n", p->out);
    }
    fputs("}\n", p->out);
}

int draw_dot(const struct schedule *s, FILE *out, struct err *err)
{
    struct picture p = { .s = s, .out = out };
    if (s->procs > DRAW_MAX_PROCS)
        return err_usage(err, "a picture of %d processes would not be readable (at most %d)",
                         s->procs, DRAW_MAX_PROCS);
    if (trace(s, &p.trace, err) < 0)
        return -1;
    p.link = memory_zeros(p.trace.n + 1, sizeof *p.link);
    write_all(&p);
    free(p.link);
    trace_clear(&p.trace);
    return 0;
}
