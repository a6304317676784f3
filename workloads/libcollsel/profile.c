/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* ---- putting together ---- */

static struct profile_row *find(struct profile *p, const struct row_key *key)
{
    for (size_t i = 0; i < p->n; i++)
        if (memcmp(&p->v[i]->first.key, key, sizeof *key) == 0)
            return p->v[i];
    return NULL;
}

static void add_arrivals(struct profile_row *to, const struct sent_row *row)
{
    if (row->every != to->first.every)
        return;
    for (int i = 0; i < row->n_arrivals; i++) {
        const double at = row->arrival_s[i];
        if (to->n_of[i]++ == 0)
            to->from_s[i] = to->to_s[i] = at;
        to->from_s[i] = at < to->from_s[i] ? at : to->from_s[i];
        to->to_s[i] = at > to->to_s[i] ? at : to->to_s[i];
    }
}

void profile_add(struct profile *p, const struct sent_row *row)
{
    struct profile_row *to = find(p, &row->key);
    if (!to && p->n == PROFILE_MOST) {
        p->lost += row->calls;
        return;
    }
    if (!to) {
        p->v = memory_resize(p->v, p->n + 1, sizeof *p->v);
        to = p->v[p->n++] = memory_zeros(1, sizeof *to);
        to->first = *row;
    } else {
        to->first.calls += row->calls;
        to->first.total_ns += row->total_ns;
        if (row->most_ns > to->first.most_ns)
            to->first.most_ns = row->most_ns;
    }
    to->ranks++;
    add_arrivals(to, row);
}

int profile_skew(const struct profile_row *row, double *mean_s, double *most_s)
{
    int n = 0;
    *mean_s = *most_s = 0;
    for (int i = 0; i < ROW_ARRIVALS && !row->first.key.own; i++) {
        const double skew_s = row->to_s[i] - row->from_s[i];
        if (row->n_of[i] < row->first.key.procs)
            continue;
        n++;
        *mean_s += skew_s;
        *most_s = skew_s > *most_s ? skew_s : *most_s;
    }
    *mean_s /= n ? n : 1;
    return n;
}

static const char *root_word(const struct row_key *key)
{
    static const char *const words[] = {
        [ROOT_NONE] = "", [ROOT_ZERO] = "0", [ROOT_OTHER] = "other"
    };
    return words[key->root];
}

/* "world", or a number for its members. */
static const char *communicator(const struct sent_row *row, char buf[24])
{
    if (row->is_world)
        return "world";
    snprintf(buf, 24, "%08" PRIx64, row->key.members & 0xffffffff);
    return buf;
}

/* What one rank of the communicator made, or spent, in the mean. */
static double of_a_rank(const struct profile_row *row, double sum)
{
    return sum / (row->first.key.own ? row->ranks : row->first.key.procs);
}

static double seconds_of(const struct profile_row *row)
{
    return of_a_rank(row, (double)row->first.total_ns * 1e-9);
}

static int longest_first(const void *a, const void *b)
{
    const double x = seconds_of(*(struct profile_row *const *)a),
                 y = seconds_of(*(struct profile_row *const *)b);
    return (x < y) - (x > y);
}

/* ---- for people ---- */

static void print_row(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    char name[24], skew[24] = "-";
    double mean_s, most_s;
    if (profile_skew(row, &mean_s, &most_s))
        snprintf(skew, sizeof skew, "%.1f", mean_s * 1e6);
    fprintf(out, "%-20s %-8s %5d %-12s %-5s %12" PRIu64 " %10.6g %12.6f %10.1f %10s  %s%s\n",
            r->collective, communicator(r, name), r->key.procs, *r->key.op ? r->key.op : "-",
            *root_word(&r->key) ? root_word(&r->key) : "-", r->key.bytes,
            of_a_rank(row, (double)r->calls), seconds_of(row),
            (double)r->total_ns * 1e-3 / (double)r->calls, skew, r->site[0],
            r->n_sites > 1 ? " and others" : "");
}

void profile_print(const struct profile *p, FILE *out)
{
    if (p->n)
        qsort(p->v, p->n, sizeof *p->v, longest_first);
    fprintf(out, "collsel: %s, %s, %d rank%s: %zu kind%s of collective calls\n", p->mode, p->mpi,
            p->procs, p->procs == 1 ? "" : "s", p->n, p->n == 1 ? "" : "s");
    if (p->n)
        fprintf(out, "%-20s %-8s %5s %-12s %-5s %12s %10s %12s %10s %10s  %s\n", "collective",
                "comm", "procs", "op", "root", "bytes", "calls", "time_s", "mean_us", "skew_us",
                "called from");
    for (size_t i = 0; i < p->n; i++)
        print_row(p->v[i], out);
    if (p->lost)
        fprintf(out,
                "collsel: %" PRIu64 " calls of more kinds than there is room for are missing\n",
                p->lost);
}

/* ---- for programs ---- */

static void put_text(const char *text, FILE *out)
{
    putc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c > '~')
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void put_member(const char *name, const char *text, FILE *out)
{
    fprintf(out, "\"%s\": ", name);
    put_text(text, out);
    fputs(", ", out);
}

static void put_sites(const struct sent_row *r, FILE *out)
{
    const int kept = r->n_sites < ROW_SITES ? r->n_sites : ROW_SITES;
    fputs("\"sites\": [", out);
    for (int i = 0; i < kept; i++) {
        fputs(i ? ", " : "", out);
        put_text(r->site[i], out);
    }
    fprintf(out, "], \"more_sites\": %s", r->n_sites > ROW_SITES ? "true" : "false");
}

static void put_row(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    char name[24];
    double mean_s, most_s;
    fputs("  {", out);
    put_member("collective", r->collective, out);
    put_member("communicator", communicator(r, name), out);
    put_member("op", r->key.op, out);
    put_member("root", root_word(&r->key), out);
    fprintf(out, "\"procs\": %d, \"bytes\": %" PRIu64 ", \"bytes_of_all_ranks\": %s, ",
            r->key.procs, r->key.bytes, r->key.own ? "false" : "true");
    fprintf(out, "\"calls\": %.10g, \"time_s\": %.9g, \"longest_s\": %.9g, ",
            of_a_rank(row, (double)r->calls), seconds_of(row), (double)r->most_ns * 1e-9);
    if (profile_skew(row, &mean_s, &most_s))
        fprintf(out, "\"skew_mean_s\": %.9g, \"skew_longest_s\": %.9g, ", mean_s, most_s);
    else
        fputs("\"skew_mean_s\": null, \"skew_longest_s\": null, ", out);
    put_sites(r, out);
    putc('}', out);
}

void profile_json(const struct profile *p, FILE *out)
{
    fputs("{", out);
    put_member("format", "collsel profile 1", out);
    put_member("mpi", p->mpi, out);
    put_member("mode", p->mode, out);
    fprintf(out, "\"procs\": %d, \"lost_calls\": %" PRIu64 ", \"rows\": [\n", p->procs, p->lost);
    for (size_t i = 0; i < p->n; i++) {
        put_row(p->v[i], out);
        fputs(i + 1 < p->n ? ",\n" : "\n", out);
    }
    fputs("]}\n", out);
}

void profile_clear(struct profile *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->v[i]);
    free(p->v);
    *p = (struct profile){ .n = 0 };
}
