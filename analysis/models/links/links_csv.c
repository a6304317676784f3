/* SPDX-License-Identifier: BSD-3-Clause */
/* links_csv.c - the files of links_fit.h. */
#include <unistd.h>

#include "analysis/models/links/links_fit.h"
#include "analysis/measure/result_file.h"

enum { MOST_COLUMNS = 64 };

/* The columns of a point, then more; returns how many. */
static size_t columns_after_point(const char *const *more, const char **all)
{
    size_t n = 0;
    for (size_t i = 0; point_columns[i] && n < MOST_COLUMNS - 1; i++)
        all[n++] = point_columns[i];
    for (size_t i = 0; more[i] && n < MOST_COLUMNS - 1; i++)
        all[n++] = more[i];
    all[n] = NULL;
    return n;
}

/* "2x3x4"; "" where there are no extents. */
static const char *shape_of(const struct topology *t, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (int j = 0; j < t->net.dims && used < size; j++)
        used += (size_t)snprintf(buf + used, size - used, "%s%d", j ? "x" : "", t->net.extent[j]);
    return buf;
}

static int write_platforms(const char *dir, const struct contentions *c, struct err *err)
{
    static const char *const columns[] = {
        "mpi",
        "mapping",
        "topology",
        "shape",
        "order",
        "nodes",
        "link_rate_bytes_per_s",
        "ping_hops",
        "ping_latency_s",
        "latency_scale",
        "scale_points",
        "sizes",
        "copy_sizes",
        "cache_sizes",
        "core_sizes",
        "socket_sizes",
        NULL,
    };
    const struct topology *t = &c->facts.topology;
    struct whole_file f;
    struct csvw w;
    char shape[64];
    if (result_begin(dir, "fit/links_platform.csv", columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < c->n_platforms; i++) {
        const struct links_platform *p = &c->platform[i];
        csvw_text(&w, p->mpi);
        csvw_text(&w, p->mapping);
        csvw_text(&w, topology_kind_name(t->net.kind));
        csvw_text(&w, shape_of(t, shape, sizeof shape));
        csvw_text(&w, *c->facts.order ? c->facts.order : "in_order");
        csvw_i64(&w, t->net.nodes);
        csvw_f64(&w, t->net.link_rate);
        csvw_i64(&w, p->hops);
        csvw_f64(&w, p->latency);
        csvw_f64(&w, p->latency_scale);
        csvw_u64(&w, p->scale_points);
        csvw_u64(&w, p->message.n);
        csvw_u64(&w, p->copy.n);
        csvw_u64(&w, p->inside[CHANNEL_CACHE].n);
        csvw_u64(&w, p->inside[CHANNEL_CORE].n);
        csvw_u64(&w, p->inside[CHANNEL_SOCKET].n);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

static int write_rows(const char *dir, const struct contentions *c, struct err *err)
{
    static const char *const more[] = { "steps",     "collisions", "link_bytes", "hops",
                                        "network_s", "alone_s",    "latency_s",  "copy_s",
                                        "queue_s",   "flow_s",     NULL };
    const char *all[MOST_COLUMNS];
    struct whole_file f;
    struct csvw w;
    columns_after_point(more, all);
    if (result_begin(dir, "fit/links.csv", all, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < c->n; i++) {
        const struct links_result *r = &c->row[i].result;
        point_write(&w, &c->row[i].point);
        csvw_u64(&w, r->steps);
        csvw_u64(&w, r->collisions);
        csvw_f64(&w, r->link_bytes);
        csvw_i64(&w, r->hops);
        csvw_f64(&w, r->network_s);
        csvw_f64(&w, r->alone_s);
        csvw_f64(&w, r->latency_s);
        csvw_f64(&w, r->copy_s);
        csvw_f64(&w, r->queue_s);
        csvw_f64(&w, r->flow_s);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

static int write_links(const char *dir, const struct contentions *c, struct err *err)
{
    static const char *const more[] = {
        "link",     "name",       "from",           "to",          "rate_bytes_per_s",
        "messages", "link_bytes", "worst_messages", "worst_bytes", NULL
    };
    const struct topology *t = &c->facts.topology;
    const char *all[MOST_COLUMNS];
    struct whole_file f;
    struct csvw w;
    char name[TOPOLOGY_NAME];
    columns_after_point(more, all);
    if (result_begin(dir, "fit/links_links.csv", all, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < c->n_links; i++) {
        const struct links_link *l = &c->link[i];
        int from, to;
        topology_ends(t, l->link, &from, &to);
        point_write(&w, &c->row[l->row].point);
        csvw_i64(&w, l->link);
        csvw_text(&w, topology_link_name(t, l->link, name, sizeof name));
        csvw_i64(&w, from);
        csvw_i64(&w, to);
        csvw_f64(&w, topology_rate(t, l->link));
        csvw_u64(&w, l->messages);
        csvw_u64(&w, l->bytes);
        csvw_u64(&w, l->worst_messages);
        csvw_u64(&w, l->worst_bytes);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

/* What an earlier fit has left. */
static int remove_all(const char *dir, struct err *err)
{
    static const char *const names[] = { "links_platform", "links","links_links" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (fs_path(path, sizeof path, err, "%s/fit/%s.csv", dir, names[i]) < 0)
            return -1;
        if (fs_exists(path) && unlink(path) < 0)
            return err_errno(err, "%s", path);
    }
    return 0;
}

int contentions_write(const char *dir, const struct contentions *c, struct err *err)
{
    if (c->n_platforms == 0)
        return remove_all(dir, err);
    if (write_platforms(dir, c, err) < 0 || write_rows(dir, c, err) < 0)
        return -1;
    return write_links(dir, c, err);
}
