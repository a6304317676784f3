/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/advice_print.h"

#include "harness/base/json_print.h"
#include "reports/section_common.h"

/* How often intervals like this one hold, or why nobody knows. */
static void print_share(const struct advice *a)
{
    const char *where = a->elsewhere                           ? "on machines left out"
                        : a->evidence == EVIDENCE_EXTRAPOLATED ? "at fewer processes"
                                                               : "in cells kept out";
    if (!isnan(a->longer_holds_pct) && a->longer_tries)
        printf("; by %zu tries %s at least %.0f %% of such intervals hold", a->longer_tries, where,
               floor(a->longer_holds_pct));
    else if (a->longer_tries)
        printf("; how often it holds is not known: %zu tries %s are too few or differ too much",
               a->longer_tries, where);
    else if (isnan(a->longer_holds_pct))
        printf("; how often it holds is not known: it was not tried");
}

static void print_gain(const struct advice_table *t, const struct advice *a)
{
    char plain[32];
    if (!isnan(a->estimate_s))
        printf("; estimated by a walk: %s", format_seconds(a->estimate_s, plain, sizeof plain));
    if (isnan(a->longer_pct))
        return;
    if (algorithm_is_default(a->take.algorithm) || a->longer_pct == 0)
        return;
    printf("; %sspeed-up over the default: %s", a->evidence == EVIDENCE_MEASURED ? "" : "expected ",
           format_times(a->longer_pct, plain, sizeof plain));
    if (!isfinite(a->longer_low_pct) || !isfinite(a->longer_high_pct)) {
        printf(a->evidence == EVIDENCE_MEASURED && t->simulated ? "" : " (no interval is known)");
        return;
    }
    printf(" (%s to ", format_times(a->longer_low_pct, plain, sizeof plain));
    fputs(format_times(a->longer_high_pct, plain, sizeof plain), stdout);
    print_share(a);
    printf(")");
}

static void print_nearest(const struct advice *a)
{
    char bytes[32], doublings[16];
    if (a->evidence == EVIDENCE_MEASURED || !a->nearest.procs)
        return;
    snprintf(doublings, sizeof doublings, "%.2g", a->doublings);
    printf("; %s", a->evidence == EVIDENCE_EXTRAPOLATED
                       ? "extrapolated: beyond the processes, nodes or sizes that were seen"
                       : "interpolated");
    printf("; nearest cell that was learnt from: P = %d on %d node%s, %s, %s doubling%s away",
           a->nearest.procs, a->nearest.nodes, plural((size_t)a->nearest.nodes),
           format_bytes(a->nearest.bytes, bytes, sizeof bytes), doublings,
           strcmp(doublings, "1") == 0 ? "" : "s");
}

/* What is said of more nodes than there are is said of another machine than this one. */
static void print_room(const struct advice_table *t, const struct advice *a)
{
    if (t->machine_nodes > 0 && a->cell.nodes > t->machine_nodes)
        printf("; %s has %d node%s: so many processes have no room there", t->machine,
               t->machine_nodes, plural((size_t)t->machine_nodes));
    if (t->machine_cores > 0 && a->cell.ppn > t->machine_cores)
        printf("; %s has %d core%s a node, fewer than the %d processes", t->machine,
               t->machine_cores, plural((size_t)t->machine_cores), a->cell.ppn);
}

/* What its own times say of a cell, by the word for times of that backend; else the word. */
static const char *own_word(const struct advice_table *t, const struct advice *a, const char *word)
{
    return a->evidence == EVIDENCE_MEASURED && strcmp(word, "measured") == 0
               ? backend_word(t->backend)
               : word;
}

static void print_sentence(const struct advice_table *t, const struct advice *a, int brief)
{
    char text[CANDIDATE_TEXT], bytes[32];
    const struct cell *c = &a->cell;
    printf("%s %s %s P = %d on %d node%s, %s: %s", c->collective, c->mpi, c->mapping, c->procs,
           c->nodes, plural((size_t)c->nodes), format_bytes(c->bytes, bytes, sizeof bytes),
           candidate_text(&a->take, text, sizeof text));
    print_gain(t, a);
    if (!brief) {
        const int is_said = strcmp(a->selector, "default") == 0; /* by the reason */
        printf("\n    %s%s%s", is_said ? "" : own_word(t, a, a->selector), is_said ? "" : ": ",
               a->reason);
        print_nearest(a);
        print_room(t, a);
    }
    puts("");
}

const char advice_stands_for[] =
    "portable:NAME is collsel's schedule of the library's algorithm NAME, where it has one; no "
    "library ran for these times";

/* 1 where a schedule stands for what no library ran. */
static int takes_portable(const struct advice_table *t)
{
    int takes = 0;
    for (size_t i = 0; t->simulated && i < t->n; i++)
        takes |= strncmp(t->row[i].take.algorithm, "portable:", strlen("portable:")) == 0;
    return takes;
}

/* A row, with what is said of it by the backend. */
struct told {
    struct advice a;
    int extrapolated;
    char selector[NAME_SIZE], evidence[NAME_SIZE];
};

static int has_tries(const void *row)
{
    return ((const struct told *)row)->a.longer_tries > 0;
}

static int has_nearest(const void *row)
{
    return ((const struct told *)row)->a.nearest.procs > 0;
}

static const struct schema_column columns[] = {
    COLUMN(told, NAME, "collective", a.cell.collective, "", ""),
    COLUMN(told, NAME, "mpi", a.cell.mpi, "", ""),
    COLUMN(told, NAME, "mapping", a.cell.mapping, "", ""),
    COLUMN(told, INT, "nodes", a.cell.nodes, "", ""),
    COLUMN(told, INT, "ppn", a.cell.ppn, "", ""),
    COLUMN(told, INT, "procs", a.cell.procs, "", ""),
    COLUMN(told, COUNT, "bytes", a.cell.bytes, "", ""),
    COLUMN(told, NAME, "algorithm", a.take.algorithm, "", ""),
    COLUMN(told, COUNT, "segment_bytes", a.take.segment_bytes, "", ""),
    COLUMN(told, INT, "fanout", a.take.fanout, "", ""),
    COLUMN(told, REAL, "default_longer_pct", a.longer_pct, "", ""),
    COLUMN(told, INT, "extrapolated", extrapolated, "", ""),
    COLUMN(told, REAL, "default_longer_low_pct", a.longer_low_pct, "", ""),
    COLUMN(told, REAL, "default_longer_high_pct", a.longer_high_pct, "", ""),
    COLUMN(told, REAL, "default_longer_holds_pct", a.longer_holds_pct, "", ""),
    COLUMN(told, COUNT, "default_longer_tries", a.longer_tries, "", "", .given = has_tries),
    COLUMN(told, NAME, "selector", selector, "", ""),
    COLUMN(told, NAME, "evidence", evidence, "", ""),
    COLUMN(told, INT, "nearest_procs", a.nearest.procs, "", "", .given = has_nearest),
    COLUMN(told, INT, "nearest_nodes", a.nearest.nodes, "", "", .given = has_nearest),
    COLUMN(told, COUNT, "nearest_bytes", a.nearest.bytes, "", "", .given = has_nearest),
    COLUMN(told, REAL, "doublings", a.doublings, "", ""),
    COLUMN(told, TEXT, "reason", a.reason, "", ""),
    COLUMN(told, REAL, "estimate_s", a.estimate_s, "", ""),
};

static const struct schema told_schema = { .path = "", SCHEMA_COLUMNS(told, columns) };

static struct told row_of(const struct advice_table *t, const struct advice *a)
{
    struct told r = { .a = *a, .extrapolated = a->evidence == EVIDENCE_EXTRAPOLATED };
    snprintf(r.selector, sizeof r.selector, "%s", own_word(t, a, a->selector));
    snprintf(r.evidence, sizeof r.evidence, "%s",
             own_word(t, a, advice_evidence_words[a->evidence]));
    return r;
}

static int print_json(const struct advice_table *table, struct err *err)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < table->n; i++) {
        const struct told r = row_of(table, &table->row[i]);
        json_t *one = json_rows(&told_schema, &r, 1);
        json_object_set_new(json_array_get(one, 0), "extrapolated", json_boolean(r.extrapolated));
        json_array_extend(rows, one);
        json_decref(one);
    }
    return json_print(rows, err);
}

static void print_csv(const struct advice_table *table)
{
    struct csvw w = { .file = stdout };
    schema_header(&w, &told_schema);
    for (size_t i = 0; i < table->n; i++) {
        const struct told r = row_of(table, &table->row[i]);
        schema_row(&w, &told_schema, &r);
    }
}

int advice_print(const struct advice_table *table, enum advice_form form, int brief,
                 struct err *err)
{
    if (form == ADVICE_JSON)
        return print_json(table, err);
    if (form == ADVICE_CSV)
        print_csv(table);
    for (size_t i = 0; form == ADVICE_SENTENCES && i < table->n; i++)
        print_sentence(table, &table->row[i], brief);
    if (form == ADVICE_SENTENCES && takes_portable(table))
        puts(advice_stands_for);
    return 0;
}
