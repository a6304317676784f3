/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/draw.h"
#include "workloads/schedules/trace.h"

enum { MOST_ROWS = 24, MARK = 40, SIZES = 72, BEFORE = 30 };

/* What a rank does in a stage. */
struct doing {
    int sends, receives, to, from;
};

/* Messages by their stage: those of stage k are order[first[k]] to order[first[k + 1] - 1]. */
struct by_stage {
    const struct trace *trace;
    uint64_t stages;
    size_t *order, *first; /* owned */
};

static struct by_stage sort_stages(const struct trace *t)
{
    struct by_stage b = { t, t->phases ? t->last_stage[t->phases - 1] : 0, NULL, NULL };
    b.first = memory_zeros(b.stages + 2, sizeof *b.first);
    b.order = memory_zeros(t->n + 1, sizeof *b.order);
    for (size_t i = 0; i < t->n; i++)
        b.first[t->v[i].stage]++;
    for (uint64_t k = 1; k <= b.stages + 1; k++)
        b.first[k] += b.first[k - 1];
    for (size_t i = t->n; i-- > 0;)
        b.order[--b.first[t->v[i].stage]] = i;
    return b;
}

/* A stage: what its ranks do, and the sizes of its messages. */
struct stage_row {
    struct doing *rank;
    uint64_t least, most;
};

static void read_stage(const struct schedule *s, const struct by_stage *b, uint64_t stage,
                       struct stage_row *row)
{
    memset(row->rank, 0, (size_t)s->procs * sizeof *row->rank);
    row->least = UINT64_MAX;
    row->most = 0;
    for (size_t i = b->first[stage]; i < b->first[stage + 1]; i++) {
        const struct trace_message *m = &b->trace->v[b->order[i]];
        row->rank[m->src].sends++;
        row->rank[m->src].to = m->dst;
        row->rank[m->dst].receives++;
        row->rank[m->dst].from = m->src;
        row->least = m->bytes < row->least ? m->bytes : row->least;
        row->most = m->bytes > row->most ? m->bytes : row->most;
    }
}

/* ">3", "<0", "=3", "7>", ">1<7". Returns buf. */
static const char *mark_of(const struct doing *d, char buf[MARK])
{
    char to[MARK / 2] = "", from[MARK / 2] = "";
    if (d->sends == 1 && d->receives == 1 && d->to == d->from) {
        snprintf(buf, MARK, "=%d", d->to);
        return buf;
    }
    if (d->sends)
        snprintf(to, sizeof to, d->sends == 1 ? ">%d" : "%d>", d->sends == 1 ? d->to : d->sends);
    if (d->receives)
        snprintf(from, sizeof from, d->receives == 1 ? "<%d" : "%d<",
                 d->receives == 1 ? d->from : d->receives);
    snprintf(buf, MARK, "%s%s", to, from);
    return buf;
}

static int widest_mark(const struct schedule *s, const struct by_stage *b)
{
    char mark[MARK];
    struct stage_row row = { .rank = memory_zeros((size_t)s->procs, sizeof *row.rank) };
    int most = snprintf(mark, sizeof mark, "%d", s->procs - 1);
    for (uint64_t k = 1; k <= b->stages; k++) {
        read_stage(s, b, k, &row);
        for (int r = 0; r < s->procs; r++) {
            const int n = (int)strlen(mark_of(&row.rank[r], mark));
            most = n > most ? n : most;
        }
    }
    free(row.rank);
    return most;
}

static void write_head(const struct schedule *s, const struct by_stage *b, FILE *out)
{
    const struct trace *t = b->trace;
    char size[32];
    uint64_t total = 0;
    for (size_t i = 0; i < t->n; i++)
        total += t->v[i].bytes;
    fprintf(out, "%s %s, %d process%s, %s", s->collective->name, schedule_called(s).text, s->procs,
            s->procs == 1 ? "" : "es", format_bytes(s->bytes, size, sizeof size));
    if (s->segments > 1)
        fprintf(out, " in %llu segments of %s", (unsigned long long)s->segments,
                format_bytes(s->segment_bytes, size, sizeof size));
    if (s->fanout)
        fprintf(out, ", fan-out %d", s->fanout);
    if (s->asked != s->alg)
        fprintf(out, " (runs in place of %s for these arguments)", s->asked->name);
    fprintf(out, ": %zu message%s, %s in all, %llu stage%s\n", t->n, t->n == 1 ? "" : "s",
            format_bytes(total, size, sizeof size), (unsigned long long)b->stages,
            b->stages == 1 ? "" : "s");
}

/* A row, of the stages from first to last, which are alike. */
static void write_row(const struct schedule *s, uint64_t first, uint64_t last,
                      const struct stage_row *row, int width, FILE *out)
{
    char mark[MARK], sizes[SIZES], number[48], a[32], b[32];
    int blank = 1; /* before the next mark, so that no line ends with blanks */
    snprintf(sizes, sizeof sizes, "%s%s%s", format_bytes(row->least, a, sizeof a),
             row->least < row->most ? " to " : "",
             row->least < row->most ? format_bytes(row->most, b, sizeof b) : "");
    if (first == last)
        snprintf(number, sizeof number, "%llu", (unsigned long long)first);
    else
        snprintf(number, sizeof number, "%llu-%llu", (unsigned long long)first,
                 (unsigned long long)last);
    fprintf(out, "%7s  %-20s", number, sizes);
    for (int r = 0; r < s->procs; r++) {
        const char *text = mark_of(&row->rank[r], mark);
        const int n = (int)strlen(text);
        if (n)
            fprintf(out, "%*s%s", blank, "", text);
        blank = (n ? 0 : blank) + width + 1 - n;
    }
    fputc('\n', out);
}

static int is_alike(const struct schedule *s, const struct stage_row *a, const struct stage_row *b)
{
    return a->least == b->least && a->most == b->most &&
           memcmp(a->rank, b->rank, (size_t)s->procs * sizeof *a->rank) == 0;
}

/* The stages from the first one on, those that are alike in one row, up to a number of rows.
 * Returns how many stages there stand. */
static uint64_t write_rows(const struct schedule *s, const struct by_stage *b, int width, FILE *out)
{
    struct stage_row row = { .rank = memory_zeros((size_t)s->procs, sizeof *row.rank) };
    struct stage_row next = { .rank = memory_zeros((size_t)s->procs, sizeof *next.rank) };
    uint64_t first = 1, last;
    for (int n = 0; first <= b->stages && n < MOST_ROWS; n++, first = last + 1) {
        read_stage(s, b, first, &row);
        for (last = first; last < b->stages; last++) {
            read_stage(s, b, last + 1, &next);
            if (!is_alike(s, &row, &next))
                break;
        }
        write_row(s, first, last, &row, width, out);
    }
    memory_free(row.rank, next.rank);
    return first - 1;
}

static int write_grid(const struct schedule *s, const struct by_stage *b, int columns, FILE *out,
                      struct err *err)
{
    const int width = widest_mark(s, b), needed = BEFORE + s->procs * (width + 1);
    if (needed > columns)
        return err_usage(err, "a drawing of %d processes is %d columns wide, and there are %d",
                         s->procs, needed, columns);
    write_head(s, b, out);
    fprintf(out, "  stage  %-20s", "each message");
    for (int r = 0; r < s->procs; r++)
        fprintf(out, " %-*d", r + 1 < s->procs ? width : 0, r);
    fputc('\n', out);
    const uint64_t shown = write_rows(s, b, width, out);
    if (shown < b->stages)
        fprintf(out, "%7s  %llu stages more\n", "...", (unsigned long long)(b->stages - shown));
    fputs("         >3: sends to rank 3; <3: receives from it; =3: both; 5>, 5<: so many\n", out);
    return 0;
}

int draw_text(const struct schedule *s, int columns, FILE *out, struct err *err)
{
    struct trace t;
    if (BEFORE + 2 * (int64_t)s->procs > columns)
        return err_usage(err, "a drawing of %d processes does not fit %d columns", s->procs,
                         columns);
    if (trace(s, &t, err) < 0)
        return -1;
    struct by_stage by_stage = sort_stages(&t);
    const int status = write_grid(s, &by_stage, columns, out, err);
    memory_free(by_stage.order, by_stage.first);
    trace_clear(&t);
    return status;
}
