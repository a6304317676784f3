/* SPDX-License-Identifier: BSD-3-Clause */
/* classic.c - Open MPI's files of numbers (coll_tuned_dynamic_rules_filename), as 4.0 to 5.0 read
 * them, and 6.0 what is no JSON (ompi/mca/coll/tuned/coll_tuned_dynamic_file.c).
 *
 * The library takes one number after the other (openmpi_scan.h). Any mistake drops the whole file,
 * and nothing is said of it. */
#include "harness/rules/export.h"
#include "harness/rules/openmpi_scan.h"

/* Numbers, one after the other. */
struct numbers {
    struct scan scan;
    struct rules *r;
    const struct rules_classic *dialect; /* the reader's */
    int version;
};

static int drop(struct numbers *n, const char *fmt, const char *what, long value, long most)
{
    char text[RULES_TEXT];
    snprintf(text, sizeof text, fmt, what, value, most);
    rules_find(&n->r->found, RULES_ERROR, "unread", n->scan.line,
               "%s: the whole file is dropped, silently, and nothing in it is used", text);
    return -1;
}

static void note_cut(struct numbers *n, const char *what, long read, long value)
{
    if (value != read)
        rules_find(&n->r->found, RULES_WARNING, "octal", n->scan.line,
                   "%s: %ld is cut to 32 bits, which are %ld", what, read, value);
}

/* The next number, which the reader wants to be at least 0. */
static int take(struct numbers *n, const char *what, long *value)
{
    if (!scan_number(&n->scan, value))
        return drop(n, "the file ends where %s is wanted", what, 0, 0);
    if (*value < 0)
        return drop(n, "%s is %ld, and less than 0", what, *value, 0);
    return 0;
}

/* The same of a number that is kept in 32 bits; 4.0 cuts it before it looks. */
static int take_int(struct numbers *n, const char *what, long *value)
{
    long read = 0;
    const int status = take(n, what, &read);
    *value = (long)(int)read;
    if (status == 0)
        note_cut(n, what, read, *value);
    if (status == 0 && n->dialect->narrow && *value < 0)
        return drop(n, "%s is %ld, and less than 0", what, *value, 0);
    return status;
}

/* The same of a count, which 4.0 alone keeps in 32 bits. */
static int take_count(struct numbers *n, const char *what, long *value)
{
    return n->dialect->narrow ? take_int(n, what, value) : take(n, what, value);
}

/* Is the next character, behind blanks of this line, one of a number? As the library peeks. */
static int digit_follows(struct numbers *n)
{
    int c;
    do
        c = fgetc(n->scan.in);
    while (c == ' ' || c == '\t');
    ungetc(c, n->scan.in);
    return c >= '0' && c <= '9';
}

static int read_row(struct numbers *n, struct rules_row *row, int first)
{
    long size;
    if (take(n, "the size of a message", &size) < 0)
        return -1;
    *row = (struct rules_row){ .line = n->scan.line, .written = (uint64_t)size };
    if (take_int(n, "the number of an algorithm", &row->id) < 0 ||
        take_int(n, "a fan-out", &row->fanout) < 0 ||
        take(n, "a segment size", &row->segment_bytes) < 0)
        return -1;
    if (n->scan.line != row->line)
        rules_find(&n->r->found, RULES_WARNING, "shape", row->line,
                   "a rule of four numbers begins here and ends on line %d: are there as many as "
                   "the counts above say?",
                   n->scan.line);
    if (n->version > 1 && digit_follows(n) &&
        take_int(n, "a number of requests", &row->requests) < 0)
        return -1;
    if (first && size) {
        n->scan.line = row->line;
        return drop(n, "%s is %ld, and must be 0", "the size of the first rule of a block", size,
                    0);
    }
    return 0;
}

static int read_block(struct numbers *n, const char *collective, struct rules_table *t)
{
    long procs, rows;
    if (take_int(n, "a number of processes", &procs) < 0)
        return -1;
    const size_t at = t->n;
    array_add(&t->block, &t->n);
    t->block[at].line = n->scan.line;
    t->block[at].collective = collective;
    t->block[at].written = procs;
    if (take_count(n, "the number of rules", &rows) < 0)
        return -1;
    for (long i = 0; i < rows; i++) {
        struct rules_block *b = &t->block[at];
        if (read_row(n, array_add(&b->row, &b->n), i == 0) < 0)
            return -1;
    }
    return 0;
}

static int read_collective(struct numbers *n, struct rules_table *t)
{
    long id, blocks;
    if (take_count(n, "the number of a collective", &id) < 0)
        return -1;
    if (id >= OPENMPI_COLLECTIVES)
        return drop(n, "%s is %ld: the last one is %ld", "the number of a collective", id,
                    OPENMPI_COLLECTIVES - 1);
    const char *collective = rules_collective_name(id);
    /* A collective that stands there again takes the place of the one before. */
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->block[i].collective, collective) == 0)
            t->block[i].replaced = n->scan.line;
    if (take_count(n, "the number of communicator sizes", &blocks) < 0)
        return -1;
    for (long i = 0; i < blocks; i++)
        if (read_block(n, collective, t) < 0)
            return -1;
    return 0;
}

static int read_all(struct numbers *n, struct rules_table *t)
{
    long n_blocks;
    n->version = 1;
    if (n->dialect->versioned && fscanf(n->scan.in, "rule-file-version-%d", &n->version) != 1)
        n->version = 1;
    if (take_count(n, "the number of collectives", &n_blocks) < 0)
        return -1;
    if (n_blocks > OPENMPI_COLLECTIVES)
        return drop(n, "%s is %ld: there are %ld", "the number of collectives", n_blocks,
                    OPENMPI_COLLECTIVES);
    for (long i = 0; i < n_blocks; i++)
        if (read_collective(n, t) < 0)
            return -1;
    return 0;
}

/* ---- what governs what ---- */

/* The rows of a block: the last one whose size is not larger than the message's, of those before
 * the first that is larger. */
static void range_rows(struct rules_block *b)
{
    uint64_t highest = 0;
    for (size_t i = 0; i < b->n; i++) {
        struct rules_row *row = &b->row[i];
        highest = row->written > highest ? row->written : highest;
        row->least = i ? highest : 0;
        row->most = i + 1 == b->n ? UINT64_MAX : b->row[i + 1].written - 1;
        if (i + 1 < b->n && b->row[i + 1].written <= row->least) { /* it never decides */
            row->least = 1;
            row->most = 0;
        }
    }
}

/* The same of the n blocks of a collective; the first one also governs what lies below it. */
static void range_blocks(struct rules_block *b, size_t n)
{
    int64_t highest = 0;
    for (size_t i = 0; i < n; i++) {
        highest = b[i].written > highest ? b[i].written : highest;
        b[i].least = i ? highest : 0;
        b[i].most = i + 1 == n ? INT_MAX : b[i + 1].written - 1;
        if (!i && n > 1 && b[1].written <= b[0].written)
            b[i].most = b[0].written - 1;
    }
}

/* As 6.0: a block ends below its number, and the last one does not end. */
static void shift_blocks(struct rules_block *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        b[i].least = i ? b[i - 1].most + 1 : 0;
        b[i].most = i + 1 == n ? INT_MAX : b[i].written - 1;
    }
}

/* Its rows: each ends before the next, and the first that fits counts. */
static void shift_rows(struct rules_block *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->row[i].least = b->row[i].written;
        b->row[i].most = i + 1 < b->n ? b->row[i + 1].written - 1 : UINT64_MAX;
    }
}

static void set_ranges(struct rules_table *t)
{
    for (size_t i = 0, end; i < t->n; i = end) {
        const char *of = t->block[i].collective;
        for (end = i + 1; end < t->n && t->block[end].replaced == t->block[i].replaced &&
                          strcmp(t->block[end].collective, of) == 0;)
            end++;
        if (t->shifted)
            shift_blocks(&t->block[i], end - i);
        else
            range_blocks(&t->block[i], end - i);
    }
    for (size_t i = 0; i < t->n; i++)
        if (t->shifted)
            shift_rows(&t->block[i]);
        else
            range_rows(&t->block[i]);
}

/* What stands behind the last rule. */
static void note_rest(struct numbers *n)
{
    long value;
    if (scan_number(&n->scan, &value))
        rules_find(&n->r->found, RULES_WARNING, "ignored", n->scan.line,
                   "%ld stands behind the last rule: it and all that follows is ignored", value);
}

void rules_classic_read(struct rules *r, char *text, size_t len)
{
    struct numbers n = { .r = r, .dialect = &r->reader->classic };
    struct rules_table *t = memory_zeros(1, sizeof *t);
    r->read = t;
    t->shifted = n.dialect->shifted;
    scan_begin(&n.scan, text, len, &r->found);
    r->loaded = len > 0 && read_all(&n, t) == 0;
    if (!len)
        rules_find(&r->found, RULES_ERROR, "unread", 1, "the file is empty: nothing is used");
    if (r->loaded) {
        note_rest(&n);
        set_ranges(t);
        rules_table_lint(r);
    }
    fclose(n.scan.in);
}

const struct rules_load rules_load_tuned[] = {
    { "coll_tuned_use_dynamic_rules", "1", "0", NULL },
    { "coll_tuned_dynamic_rules_filename", NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL },
};

const struct rules_load rules_load_without_han[] = {
    { "coll", "^han", "", NULL },
    { "coll_tuned_use_dynamic_rules", "1", "0", NULL },
    { "coll_tuned_dynamic_rules_filename", NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL },
};

const struct rules_reader rules_openmpi40 = {
    TUNED_ALONE_READER("openmpi-4.0", "4.0.7", "4.0", "4.1"),
    .help = "Open MPI 4.0, tuned: numbers (classic)",
    .read = rules_classic_read,
    .write = rules_write_classic,
    .classic.narrow = 1,
};

const struct rules_reader rules_openmpi41 = {
    TUNED_ALONE_READER("openmpi-4.1", "4.1.4", "4.1", "5"),
    .help = "Open MPI 4.1, tuned: numbers (classic)",
    .read = rules_classic_read,
    .write = rules_write_classic,
    .sim = "openmpi41",
    .twin = &rules_han41,
};

/* Its text is read as in 4.1; whose rules are asked, and what they name, is as from 5.0.7 on. */
const struct rules_reader rules_openmpi500 = {
    TUNED_HAN_READER("openmpi-5.0.0", "5.0.6", "5", "5.0.7"),
    .help = "Open MPI 5.0.0 to 5.0.6, tuned: numbers (classic)",
    .read = rules_classic_read,
    .write = rules_write_classic,
    .sim = "openmpi41",
};

const struct rules_reader rules_openmpi5 = {
    TUNED_HAN_READER("openmpi-5", "5.0.7", "5.0.7", "6"),
    .help = "Open MPI 5.0 from 5.0.7 on, tuned: numbers (classic), version 1 or 2",
    .read = rules_classic_read,
    .write = rules_write_classic,
    .classic.versioned = 1,
    .requests = 1,
    .sim = "openmpi41",
    .twin = &rules_han5,
};
