/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/seen.h"

struct row_key row_key_of(int which, const char *op)
{
    struct row_key key;
    memset(&key, 0, sizeof key);
    key.which = which;
    for (size_t i = 0; op[i] && i + 1 < sizeof key.op; i++) /* of every call: no formats */
        key.op[i] = op[i];
    return key;
}

struct row *seen_find(struct seen *rows, const struct row_key *key)
{
    for (size_t i = 0; i < rows->n; i++)
        if (memcmp(&rows->v[i]->key, key, sizeof *key) == 0)
            return rows->v[i];
    if (rows->n == SEEN_MOST)
        return NULL;
    struct row *row = rows->v[rows->n] = memory_zeros(1, sizeof *row);
    row->number = (uint32_t)rows->n++;
    row->key = *key;
    row->every = 1;
    snprintf(row->ran, sizeof row->ran, "default");
    return row;
}

/* NULL: it is one more than are kept. */
static struct row_site *find_site(struct row *row, const void *at)
{
    const int kept = row->n_sites < ROW_SITES ? row->n_sites : ROW_SITES;
    for (int i = 0; i < kept; i++)
        if (row->site[i].at == at)
            return &row->site[i];
    row->n_sites = kept + 1;
    if (kept == ROW_SITES)
        return NULL;
    row->site[kept].at = at;
    return &row->site[kept];
}

static void record_site(struct row *row, const void *at, int64_t ns)
{
    struct row_site *site = find_site(row, at);
    if (site) {
        site->calls++;
        site->total_ns += ns;
    }
}

/* Every rank of the communicator keeps the same calls, since all count the same. */
static void record_arrival(struct row *row, int64_t began_ns)
{
    if ((row->calls & (row->every - 1)) != 0) /* every: 2^k */
        return;
    if (row->n_arrivals == ROW_ARRIVALS) {
        for (int i = 0; i < ROW_ARRIVALS / 2; i++)
            row->arrival[i] = row->arrival[2 * i];
        row->n_arrivals = ROW_ARRIVALS / 2;
        row->every *= 2;
    }
    row->arrival[row->n_arrivals++] = began_ns;
}

void row_record(struct row *row, const void *site, int64_t began_ns, int64_t ended_ns)
{
    const int64_t ns = ended_ns - began_ns;
    record_site(row, site, ns);
    record_arrival(row, began_ns);
    row->calls++;
    row->total_ns += ns;
    row->most_ns = ns > row->most_ns ? ns : row->most_ns;
}

void seen_add_event(struct seen *rows, const struct row *row, int64_t began_ns, int64_t ended_ns)
{
    static __thread uint32_t thread __attribute__((tls_model("initial-exec"))); /* from 1 on */
    if (!rows->most_events || row->number >= rows->n || rows->v[row->number] != row)
        return;
    if (!thread)
        thread = ++rows->threads;
    if (rows->n_events == rows->most_events)
        rows->lost_events++;
    else
        *(struct event *)array_add(&rows->event, &rows->n_events) =
            (struct event){ row->number, thread - 1, began_ns, ended_ns - began_ns };
}

void row_try(struct row *row, const struct row_tried *tried)
{
    if (!row->tried)
        row->tried = memory_zeros(ROW_TRIED, sizeof *row->tried);
    if (row->n_tried == ROW_TRIED)
        return;
    int at = row->n_tried++;
    for (; at > 0 && row->tried[at - 1].seconds > tried->seconds; at--)
        row->tried[at] = row->tried[at - 1];
    row->tried[at] = *tried;
}

void seen_clear(struct seen *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        memory_free(rows->v[i]->tried, rows->v[i]);
    free(rows->event);
    *rows = (struct seen){ .n = 0 };
}
