/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/choice_table.h"

enum { COLLECTIVE, PROCS_FROM, PROCS_TO, BYTES_FROM, BYTES_TO, ALGORITHM, SEGMENT, FANOUT, FIELDS };
enum { NODES = FIELDS, PPN, PLACED_FIELDS }; /* where the header has them */

struct table_row {
    const struct collective *collective;
    uint64_t procs_from, procs_to, bytes_from, bytes_to;
    uint64_t nodes, ppn; /* 0: whatever they are */
    struct choice choice;
};

struct choice_table {
    struct table_row *row;
    size_t n;
    int fields; /* of a line */
};

/* A number; where nothing stands, another one. */
static int take(const char *text, uint64_t missing, uint64_t *out, struct err *err)
{
    *out = missing;
    return *text ? parse_u64(text, out, err) : 0;
}

static int take_numbers(char *const field[PLACED_FIELDS], struct table_row *row, struct err *err)
{
    uint64_t fanout = 0;
    if (take(field[PROCS_FROM], 0, &row->procs_from, err) < 0 ||
        take(field[PROCS_TO], UINT64_MAX, &row->procs_to, err) < 0 ||
        take(field[BYTES_FROM], 0, &row->bytes_from, err) < 0 ||
        take(field[BYTES_TO], UINT64_MAX, &row->bytes_to, err) < 0 ||
        take(field[SEGMENT], 0, &row->choice.segment_bytes, err) < 0 ||
        take(field[FANOUT], 0, &fanout, err) < 0 || take(field[NODES], 0, &row->nodes, err) < 0 ||
        take(field[PPN], 0, &row->ppn, err) < 0)
        return -1;
    if (fanout > 1 << 20)
        return err_usage(err, "fanout: %s (want at most %d)", field[FANOUT], 1 << 20);
    row->choice.fanout = (int)fanout;
    if (row->procs_from > row->procs_to || row->bytes_from > row->bytes_to)
        return err_usage(err, "a range that ends before it begins");
    return 0;
}

static int take_row(char *line, int fields, struct table_row *row, struct err *err)
{
    char none[] = "", *field[PLACED_FIELDS] = { [NODES] = none, [PPN] = none };
    int n = 0;
    for (char *one; (one = strsep(&line, ",")) != NULL; n++)
        if (n < fields)
            field[n] = one;
    if (n != fields)
        return err_usage(err, "%d fields (want %d)", n, fields);
    row->collective = collective_find(field[COLLECTIVE]);
    if (!row->collective || !row->collective->rows[0])
        return err_usage(err, "'%s' is no collective that has schedules", field[COLLECTIVE]);
    if (choice_find(&row->choice, row->collective->name, field[ALGORITHM], err) < 0)
        return -1;
    return take_numbers(field, row, err);
}

static int take_lines(struct choice_table *table, char *text, int *number, struct err *err)
{
    int seen = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        const size_t length = strlen(line);
        ++*number;
        if (length && line[length - 1] == '\r')
            line[length - 1] = '\0';
        if (*line == '#' || *line == '\0')
            continue;
        const int is_placed = !seen && strcmp(line, CHOICE_TABLE_PLACED) == 0;
        if (!seen && !is_placed && strcmp(line, CHOICE_TABLE_HEADER) != 0)
            return err_usage(err, "want the header " CHOICE_TABLE_HEADER "[,nodes,ppn]");
        if (!seen)
            table->fields = is_placed ? PLACED_FIELDS : FIELDS;
        if (seen) {
            struct table_row *row = array_add(&table->row, &table->n);
            if (take_row(line, table->fields, row, err) < 0)
                return -1;
            row->choice.line = *number;
        }
        seen = 1;
    }
    return seen ? 0
                : err_usage(err, "the file ends here (want the header " CHOICE_TABLE_HEADER ")");
}

/* What stands behind a NUL nobody would read. */
static int check_nul(const char *text, size_t length, int *line, struct err *err)
{
    const char *nul = memchr(text, '\0', length);
    if (!nul)
        return 0;
    for (*line = 1; text < nul; text++)
        *line += *text == '\n';
    return err_usage(err, "a NUL character (want text)");
}

struct choice_table *choice_table_read(const char *text, size_t length, int *line, struct err *err)
{
    struct choice_table *table = memory_zeros(1, sizeof *table);
    char *own = memory_text(text);
    *line = 0;
    int status = check_nul(text, length, line, err);
    if (status == 0)
        status = take_lines(table, own, line, err);
    free(own);
    if (status == 0)
        return table;
    choice_table_free(table);
    if (err)
        err->status = EXIT_FAILED; /* the file is wrong, not the command line */
    return NULL;
}

struct choice_table *choice_table_parse(const char *text, size_t length, const char *name,
                                        struct err *err)
{
    int line;
    struct choice_table *table = choice_table_read(text, length, &line, err);
    if (!table)
        err_prefix(err, "%s:%d", name, line);
    return table;
}

int choice_table_has(const struct choice_table *table, const char *collective)
{
    return any_below(i, table->n, strcmp(table->row[i].collective->name, collective) == 0);
}

static int is_placed_so(const struct table_row *row, const struct comm_shape *shape)
{
    return (!row->nodes || row->nodes == (uint64_t)shape->nodes) &&
           (!row->ppn || row->ppn == (uint64_t)shape->ppn);
}

size_t choice_table_list(const struct choice_table *table, const char *collective,
                         const struct comm_shape *shape, uint64_t bytes, const struct choice **out,
                         size_t room)
{
    const uint64_t p = (uint64_t)shape->procs;
    size_t n = 0;
    for (size_t i = 0; i < table->n && n < room; i++) {
        const struct table_row *row = &table->row[i];
        if (row->procs_from <= p && p <= row->procs_to && row->bytes_from <= bytes &&
            bytes <= row->bytes_to && is_placed_so(row, shape) &&
            strcmp(row->collective->name, collective) == 0)
            out[n++] = &row->choice;
    }
    return n;
}

const struct choice *choice_table_find(const struct choice_table *table, const char *collective,
                                       const struct comm_shape *shape, uint64_t bytes)
{
    const struct choice *choice = NULL;
    choice_table_list(table, collective, shape, bytes, &choice, 1);
    return choice;
}

void choice_table_free(struct choice_table *table)
{
    if (table)
        free(table->row);
    free(table);
}
