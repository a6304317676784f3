/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks sat: hosts, ranks per host, their CPUs; and launches whose placement was not what
 * was asked. */
#include "reports/section_common.h"

static int applies(const struct report_data *d)
{
    return d->n_placed > 0 && !d->simulated;
}

/* Attempts that share library, mapping, nodes and ranks per node. */
struct shape {
    const struct placed *first;
    size_t attempts, hosts;
    char (*host)[HOST_SIZE]; /* of any of them; owned */
    int least, most, fewest_cpus, most_cpus, shared;
    size_t told, as_asked; /* attempts that say how they were judged, and that it was as asked */
};

static int same_shape(const struct placed *a, const struct placed *b)
{
    return strcmp(a->launch.mpi, b->launch.mpi) == 0 &&
           strcmp(a->launch.mapping, b->launch.mapping) == 0 &&
           a->launch.nodes == b->launch.nodes && a->launch.ppn == b->launch.ppn;
}

static int by_number(const void *a, const void *b)
{
    return strverscmp(a, b);
}

/* Adds the hosts of an attempt that are not known yet. */
static void add_hosts(struct shape *s, const struct placed *p)
{
    for (size_t i = 0; i < p->n_hosts; i++) {
        const size_t k = first_below(j, s->hosts, strcmp(s->host[j], p->host[i]) == 0);
        if (k == s->hosts && array_add(&s->host, &s->hosts))
            memcpy(s->host[k], p->host[i], sizeof *s->host);
    }
    if (s->hosts)
        qsort(s->host, s->hosts, sizeof *s->host, by_number);
}

/* The shape of placed[*i] and all that are like it, which stand together; *i is then behind them.
 */
static struct shape next_shape(const struct report_data *d, size_t *i)
{
    const struct placed *first = &d->placed[*i];
    struct shape s = { .first = first,
                       .least = first->least,
                       .fewest_cpus = first->fewest_cpus,
                       .most_cpus = first->most_cpus };
    for (; *i < d->n_placed && same_shape(&d->placed[*i], first); ++*i) {
        const struct placed *p = &d->placed[*i];
        s.attempts++;
        s.least = p->least < s.least ? p->least : s.least;
        s.most = p->most > s.most ? p->most : s.most;
        s.fewest_cpus = p->fewest_cpus < s.fewest_cpus ? p->fewest_cpus : s.fewest_cpus;
        s.most_cpus = p->most_cpus > s.most_cpus ? p->most_cpus : s.most_cpus;
        s.shared |= p->shared;
        s.told += *p->verdict != '\0';
        s.as_asked += strcmp(p->verdict, "as asked") == 0;
        add_hosts(&s, p);
    }
    return s;
}

/* "2", "1 to 2". */
static void put_range(struct table *t, int low, int high)
{
    if (low == high)
        table_cell(t, NULL, "%d", low);
    else
        table_cell(t, NULL, "%d to %d", low, high);
}

static void put_hosts(struct table *t, const struct shape *s)
{
    enum { SHOWN = 4 };
    char *all = NULL, *few = NULL;
    size_t size;
    FILE *a = memory_stream(&all, &size), *b = memory_stream(&few, &size);
    for (size_t i = 0; i < s->hosts; i++) {
        fprintf(a, "%s%s", i ? " " : "", s->host[i]);
        if (i < SHOWN)
            fprintf(b, "%s%s", i ? " " : "", s->host[i]);
    }
    if (s->hosts > SHOWN)
        fprintf(b, " … %s", s->host[s->hosts - 1]);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    table_cell(t, all ? all : "", "%s", few ? few : "");
    memory_free(all, few);
}

static const char *binding(const struct shape *s)
{
    if (!s->most_cpus)
        return "not reported";
    if (s->shared)
        return "shared";
    return s->most > 1 ? "own" : "one rank a host";
}

static void put_verdict(struct table *t, const struct shape *s)
{
    if (!s->told) {
        table_cells(t, "– | –");
        return;
    }
    table_cell(t, NULL, "%zu of %zu", s->as_asked, s->told);
    table_mark(t, s->as_asked < s->told ? MARK_BAD : MARK_NONE);
    table_text(t, s->first->judged);
}

static void put_shapes(struct page *page)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(page, "placement", "Where the ranks ran, as they reported");
    table_columns(
        t, "<mpi|library ; <mapping|mapping ; >nodes|nodes|requested ; >ppn|ranks per "
           "node|requested ; >attempts|attempts ; >n_hosts|hosts|seen ; >ranks_per_host|ranks "
           "per host|seen ; >cpus_per_rank|CPUs per rank|seen ; <binding|CPUs|seen ; "
           "<hosts|names|seen ; >as_asked|as requested|judged ; <judged|by|judged");
    for (size_t i = 0; i < d->n_placed;) {
        struct shape s = next_shape(d, &i);
        table_cells(t, "%s=%s | %s | %d | %d | %zu | %zu", s.first->launch.mpi,
                    mpi_label(s.first->launch.mpi), s.first->launch.mapping, s.first->launch.nodes,
                    s.first->launch.ppn, s.attempts, s.hosts);
        put_range(t, s.least, s.most);
        put_range(t, s.fewest_cpus, s.most_cpus);
        table_text(t, binding(&s));
        put_hosts(t, &s);
        put_verdict(t, &s);
        free(s.host);
    }
    table_note(t,
               "Hosts: of all attempts together. CPUs: “own” where every rank is bound to CPUs "
               "that no other rank of the host may use, else “shared”.%s",
               d->emulated ? " The hosts are namespaces of one machine and share its CPUs." : "");
    page_table(page, t);
}

static void put_invalid(struct page *page)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(page, "invalid-launches", "Launches with invalid points");
    table_columns(t, "<launch|launch ; >attempt|attempt ; >points|invalid points ; <reason|reason");
    for (size_t i = 0; i < d->n_placed; i++) {
        const struct placed *p = &d->placed[i];
        if (!p->invalid)
            continue;
        table_cells(t, "%s | %d | %zu [%d] | %s", p->launch.name, p->attempt, p->invalid, MARK_BAD,
                    *p->verdict && strcmp(p->verdict, "as asked") != 0 ? p->verdict : p->reason);
    }
    page_table_some(page, t);
}

static void write_section(struct page *page)
{
    put_shapes(page);
    put_invalid(page);
}

const struct section section_placement = {
    .name = "placement",
    .title = "Placement",
    .subject = PAGE_QUALITY,
    .applies = applies,
    .write = write_section,
};
