/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/profile.h"

#include "workloads/schedules/collectives.h"

/* ---- putting together ---- */

static struct profile_row *find(struct profile *p, const struct row_key *key)
{
    for (size_t i = 0; i < p->n; i++) {
        const size_t at = (p->next + i) % p->n;
        if (memcmp(&p->v[at]->first.key, key, sizeof *key) == 0) {
            p->next = at + 1;
            return p->v[at];
        }
    }
    return NULL;
}

static void add_arrivals(struct profile_row *to, const struct sent_row *row)
{
    if (row->every != to->first.every)
        return;
    for (int i = 0; i < row->n_arrivals; i++) {
        const double at = row->arrival_s[i];
        if (to->n_of[i]++ == 0)
            to->base_s[i] = to->from_s[i] = to->to_s[i] = at;
        to->sum_s[i] += at - to->base_s[i];
        to->from_s[i] = at < to->from_s[i] ? at : to->from_s[i];
        to->to_s[i] = at > to->to_s[i] ? at : to->to_s[i];
    }
}

/* Ranks may call from different places. */
static void add_site(struct sent_row *to, const struct sent_site *site)
{
    const int kept = to->n_sites < ROW_SITES ? to->n_sites : ROW_SITES;
    for (int i = 0; i < kept; i++)
        if (strcmp(to->site[i].name, site->name) == 0) {
            to->site[i].calls += site->calls;
            to->site[i].total_ns += site->total_ns;
            return;
        }
    if (kept < ROW_SITES)
        to->site[kept] = *site;
    to->n_sites = kept + 1;
}

static void add_sites(struct sent_row *to, const struct sent_row *row)
{
    for (int i = 0; i < row->n_sites && i < ROW_SITES; i++)
        add_site(to, &row->site[i]);
    if (row->n_sites > ROW_SITES)
        to->n_sites = row->n_sites;
}

static void add_counts(struct sent_row *to, const struct sent_row *row)
{
    to->calls += row->calls;
    to->total_ns += row->total_ns;
    to->most_ns = row->most_ns > to->most_ns ? row->most_ns : to->most_ns;
    to->scheduled += row->scheduled;
    to->forced += row->forced;
    to->measured += row->measured;
    to->monitored += row->monitored;
    to->measured_ns += row->measured_ns;
    to->own_measured_ns += row->own_measured_ns;
    to->own_monitored_ns += row->own_monitored_ns;
    to->saved_s += row->saved_s;
    to->saved_half_s += row->saved_half_s;
    to->saved_known &= row->saved_known;
    to->spent_s += row->spent_s;
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
        add_counts(&to->first, row);
        add_sites(&to->first, row);
    }
    to->ranks++;
    add_arrivals(to, row);
}

void profile_count(struct profile *p, const char *call, const char *why, uint64_t calls,
                   double time_s)
{
    p->counted = memory_resize(p->counted, p->n_counted + 1, sizeof *p->counted);
    struct profile_counted *c = &p->counted[p->n_counted++];
    *c = (struct profile_counted){ .why = why, .calls = calls, .time_s = time_s };
    snprintf(c->call, sizeof c->call, "%s", call);
}

int profile_skew(const struct profile_row *row, double *mean_s, double *most_s)
{
    int n = 0;
    *mean_s = row->skew_s;
    *most_s = row->most_skew_s;
    if (row->alike)
        return row->skews;
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

/* "world", a number for its members, or how many there are. */
static const char *communicator(const struct profile_row *row, char buf[24])
{
    if (row->first.is_world)
        return "world";
    if (row->alike)
        snprintf(buf, 24, "%d_alike", 1 + row->alike);
    else
        snprintf(buf, 24, "%08" PRIx64, row->first.key.members & 0xffffffff);
    return buf;
}

/* What one rank of the communicator made, or spent, in the mean. */
static double of_a_rank(const struct profile_row *row, double sum)
{
    return sum / (row->first.key.own ? row->ranks : (1 + row->alike) * row->first.key.procs);
}

static double seconds_of(const struct profile_row *row)
{
    return of_a_rank(row, (double)row->first.total_ns * 1e-9);
}

/* Does every rank wait for every other in it? */
static int waits_for_all(const char *name)
{
    const struct collective *c = collective_find(name);
    return c && !c->rooted && !(c->uneven && c->personal) &&
           (c->source == FROM_EACH || c->source == FROM_ALL || !collective_moves(name));
}

double profile_waiting(const struct profile_row *row)
{
    const int procs = row->first.key.procs;
    double wait_s = 0;
    int n = 0;
    if (row->alike)
        return row->wait_s;
    if (row->first.key.own || !waits_for_all(row->first.collective))
        return -1;
    for (int i = 0; i < ROW_ARRIVALS; i++) {
        if (row->n_of[i] < procs)
            continue;
        wait_s += row->to_s[i] - row->base_s[i] - row->sum_s[i] / procs;
        n++;
    }
    if (!n)
        return -1;
    return fmin(wait_s / n * of_a_rank(row, (double)row->first.calls), seconds_of(row));
}

static int is_alike(const struct profile_row *one, const struct profile_row *other)
{
    const struct sent_row *a = &one->first, *b = &other->first;
    struct row_key of_a = a->key;
    of_a.members = b->key.members;
    return !a->is_world && !b->is_world && memcmp(&of_a, &b->key, sizeof of_a) == 0 &&
           a->nodes == b->nodes && a->ppn == b->ppn && strcmp(a->ran, b->ran) == 0 &&
           strcmp(a->chosen, b->chosen) == 0 && strcmp(a->decided, b->decided) == 0;
}

static void add_alike(struct profile_row *to, const struct profile_row *row)
{
    double mean_s, most_s, other_s, most_other_s;
    const int n = profile_skew(to, &mean_s, &most_s),
              m = profile_skew(row, &other_s, &most_other_s);
    const double wait_s = profile_waiting(to), other_wait_s = profile_waiting(row);
    to->alike++;
    to->skews = n + m;
    to->skew_s = n + m ? (n * mean_s + m * other_s) / (n + m) : 0;
    to->most_skew_s = fmax(most_s, most_other_s);
    to->wait_s =
        wait_s < 0 || other_wait_s < 0 ? -1 : (to->alike * wait_s + other_wait_s) / (1 + to->alike);
    to->ranks += row->ranks;
    add_counts(&to->first, &row->first);
    add_sites(&to->first, &row->first);
}

void profile_merge(struct profile *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct profile_row *row = p->v[i];
        const size_t at = first_below(k, n, is_alike(p->v[k], row));
        if (at == n) {
            p->v[n++] = row;
            continue;
        }
        add_alike(p->v[at], row);
        free(row);
    }
    p->n = n;
    p->next = 0;
}

static int longest_first(const void *a, const void *b)
{
    const double x = seconds_of(*(struct profile_row *const *)a),
                 y = seconds_of(*(struct profile_row *const *)b);
    return ascending(y, x);
}

/* ---- for people ---- */

enum { RAN_WORDS = ROW_NAME + ROW_DECIDED };

static const char *take_words(char words[RAN_WORDS], const char *text)
{
    snprintf(words, RAN_WORDS, "%s", text);
    return words;
}

/* Of star what it has chosen, or "still trying". "portable:ring", "portable:ring, 80 %": so many of
 * its calls were not the library's own; of these "default (ring)", where it is known what that is.
 */
static const char *ran_words(const struct sent_row *r, char words[RAN_WORDS])
{
    const uint64_t n = r->scheduled + r->forced;
    const int percent = (int)(100 * n / (r->calls ? r->calls : 1));
    const size_t library = strspn(r->decided, "abcdefghijklmnopqrstuvwxyz");
    if (r->is_tuned && !*r->chosen)
        return take_words(words, "still trying");
    if (r->is_tuned && (strcmp(r->chosen, "default") != 0 || !*r->decided))
        return take_words(words, r->chosen);
    if (r->is_tuned || (n == 0 && *r->decided))
        snprintf(words, RAN_WORDS, "%.24s (%.100s)", r->is_tuned ? r->chosen : r->ran,
                 r->decided + (r->decided[library] == ':' ? library + 1 : 0));
    else if (n == 0 || n == r->calls)
        snprintf(words, RAN_WORDS, "%s", r->ran);
    else if (percent == 0)
        snprintf(words, RAN_WORDS, "%s, under 1 %%", r->ran);
    else
        snprintf(words, RAN_WORDS, "%s, %d %%", r->ran, percent);
    return words;
}

static void print_row(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    char name[24], skew[24] = "-", nodes[24] = "-", words[RAN_WORDS];
    double mean_s, most_s;
    if (profile_skew(row, &mean_s, &most_s))
        snprintf(skew, sizeof skew, "%.1f", mean_s * 1e6);
    if (r->nodes)
        snprintf(nodes, sizeof nodes, "%dx%d", r->nodes, r->ppn);
    fprintf(out,
            "%-20s %-8s %5d %5s %-12s %-5s %12" PRIu64 " %10.6g %12.6f %10.1f %10s  %-28s %s%s\n",
            r->collective, communicator(row, name), r->key.procs, nodes,
            *r->key.op ? r->key.op : "-", *root_word(&r->key) ? root_word(&r->key) : "-",
            r->key.bytes, of_a_rank(row, (double)r->calls), seconds_of(row),
            (double)r->total_ns * 1e-3 / (double)r->calls, skew, ran_words(r, words),
            r->site[0].name, r->n_sites > 1 ? " and others" : "");
}

/* 0: there was no such call. */
static double per_call_us(int64_t ns, uint64_t calls)
{
    return calls ? (double)ns * 1e-3 / (double)calls : 0;
}

static const char *us_text(int64_t ns, uint64_t calls, char buf[32])
{
    snprintf(buf, 32, calls ? "%.2f" : "-", per_call_us(ns, calls));
    return buf;
}

/* "gained", "lost": the whole interval says so; else "not settled". */
static const char *saved_word(const struct sent_row *r)
{
    return !r->saved_known                 ? "not settled"
           : r->saved_s > r->saved_half_s  ? "gained"
           : r->saved_s < -r->saved_half_s ? "lost"
                                           : "not settled";
}

/* What all calls took, and had taken by the default, both as sums over the run. */
static void print_saved(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    const double spent_s = seconds_of(row), saved_s = of_a_rank(row, r->saved_s),
                 half_s = of_a_rank(row, r->saved_half_s);
    fprintf(out, "; %s: ", saved_word(r));
    if (!r->saved_known)
        fputs("too few turns of the default beside the choice", out);
    else
        fprintf(out, "%.6f s; all by the default: %.6f to %.6f s", spent_s,
                fmax(0, spent_s + saved_s - half_s), spent_s + saved_s + half_s);
}

/* What tuning did, and what it took: the paper's overheads are per call. */
static void print_tuned(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    char own[32], call[32], watch[32];
    if (r->measured + r->monitored == 0)
        return;
    fprintf(out,
            "collsel: star: %s of %" PRIu64
            " bytes: of its calls %.6g tried candidates, %.6g watched %s; "
            "agreements %d, changes %d; us a call: O_MS^a %s, O_MS^c %s, O_MA %s",
            r->collective, r->key.bytes, of_a_rank(row, (double)r->measured),
            of_a_rank(row, (double)r->monitored), *r->chosen ? r->chosen : "the choice",
            r->agreements, r->changes, us_text(r->own_measured_ns, r->measured, own),
            us_text(r->measured_ns, r->measured, call),
            us_text(r->own_monitored_ns, r->monitored, watch));
    print_saved(row, out);
    putc('\n', out);
}

/* Of calls from several places, what each had of them. */
static void print_sites(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    if (r->n_sites < 2)
        return;
    fprintf(out, "collsel: from: %s of %" PRIu64 " bytes:", r->collective, r->key.bytes);
    for (int i = 0; i < r->n_sites && i < ROW_SITES; i++)
        fprintf(out, "%s %s %.6g calls, %.6f s", i ? ";" : "", r->site[i].name,
                of_a_rank(row, (double)r->site[i].calls),
                of_a_rank(row, (double)r->site[i].total_ns * 1e-9));
    fprintf(out, "%s\n", r->n_sites > ROW_SITES ? "; and others" : "");
}

void profile_print_counted(const struct profile *p, FILE *out)
{
    if (!p->n_counted)
        fputs("collsel: all collective calls were seen\n", out);
    for (size_t i = 0; i < p->n_counted; i++) {
        const struct profile_counted *c = &p->counted[i];
        fprintf(out, "%s%" PRIu64 " %s (%s) in %.6f s",
                i ? "; " : "collsel: counted, not looked at, as sums over ranks: ", c->calls,
                c->call, c->why, c->time_s);
    }
    fputs(p->n_counted ? "\n" : "", out);
}

/* What star did in the whole run, in seconds of a rank of MPI_COMM_WORLD. */
struct whole {
    double time_s, trial_s, spent_s, gained_s, half_s;
    int n, known; /* kinds that were tuned; 1: what was saved is known of all */
};

static struct whole whole_of(const struct profile *p)
{
    struct whole w = { .known = 1 };
    for (size_t i = 0; i < p->n; i++) {
        const struct sent_row *r = &p->v[i]->first;
        w.time_s += (double)r->total_ns * 1e-9 / p->procs;
        if (!r->is_tuned)
            continue;
        w.n++;
        w.trial_s += (double)r->measured_ns * 1e-9 / p->procs;
        w.spent_s += r->spent_s / p->procs;
        w.gained_s += r->saved_known ? (r->saved_s + r->spent_s) / p->procs : 0;
        w.half_s += r->saved_known ? r->saved_half_s / p->procs : 0;
        w.known &= r->saved_known || strcmp(r->chosen, "default") == 0;
    }
    return w;
}

static void print_whole(const struct profile *p, FILE *out)
{
    const struct whole w = whole_of(p);
    if (p->cost <= 0 || !p->n)
        return;
    if (w.trial_s <= 0 && w.spent_s <= 0) {
        fprintf(out,
                "collsel: star: nothing was tried: a kind of call must come more than %.0f times, "
                "and %g %% of the time in collectives (%.6f s) must pay for the library's start "
                "(%.6f s) and a trial\n",
                2 / p->cost, 100 * p->cost, w.time_s, p->start_s);
        return;
    }
    fputs("collsel: star: trying cost ", out);
    if (w.spent_s < 0)
        fprintf(out, "nothing (its calls took %.6f s less than the choice)", -w.spent_s);
    else
        fprintf(out, "%.6f s, %.2f %% of the time in collectives (%.6f s)", w.spent_s,
                w.time_s > 0 ? 100 * w.spent_s / w.time_s : 0, w.time_s);
    fprintf(out,
            ", where %g %% of each kind's time and a quarter of its gain are allowed, less the "
            "library's start (%.6f s); calls on trial took %.6f s; its choices gained %.6f s, give "
            "or take %.6f s%s\n",
            100 * p->cost, p->start_s, w.trial_s, w.gained_s, w.half_s,
            w.known ? "" : " (not known of all)");
}

/* The rows of one collective together, in seconds of a rank of MPI_COMM_WORLD. */
struct share {
    const char *collective;
    double time_s, wait_s;
    int is_whole; /* 1: wait_s is of all its rows */
};

static void add_share(struct share *v, size_t *n, const struct profile_row *row, int procs)
{
    const double wait_s = profile_waiting(row),
                 part = (1 + row->alike) * (double)row->first.key.procs / procs;
    const size_t i = first_below(k, *n, strcmp(v[k].collective, row->first.collective) == 0);
    if (i == *n)
        v[(*n)++] = (struct share){ .collective = row->first.collective, .is_whole = 1 };
    v[i].time_s += (double)row->first.total_ns * 1e-9 / procs;
    v[i].wait_s += wait_s > 0 ? wait_s * part : 0;
    v[i].is_whole &= wait_s >= 0;
}

static int more_time_first(const void *a, const void *b)
{
    const double x = ((const struct share *)a)->time_s, y = ((const struct share *)b)->time_s;
    return ascending(y, x);
}

static void print_share(const struct share *s, FILE *out)
{
    fprintf(out, " %s %.3f s", s->collective, s->time_s);
    if (s->is_whole || s->wait_s > 0)
        fprintf(out, ", %s %.3f s of it waiting for late ranks", s->is_whole ? "about" : "at least",
                s->wait_s);
}

/* Where the run's time went, and what is left for other algorithms to save. */
static void print_shares(const struct profile *p, FILE *out)
{
    struct share *v = memory_zeros(p->n + 1, sizeof *v);
    double time_s = 0, left_s = 0;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        add_share(v, &n, p->v[i], p->procs);
    qsort(v, n, sizeof *v, more_time_first);
    for (size_t i = 0; i < n; i++) {
        time_s += v[i].time_s;
        left_s += v[i].time_s - v[i].wait_s;
    }
    if (p->run_s > 0 && n) {
        fprintf(
            out,
            "collsel: of %.3f s between MPI_Init and MPI_Finalize a rank spent %.3f s (%.1f %%) "
            "in these calls:",
            p->run_s, time_s, 100 * time_s / p->run_s);
        for (size_t i = 0; i < n; i++) {
            fputs(i ? ";" : "", out);
            print_share(&v[i], out);
        }
        fprintf(
            out,
            "\ncollsel: without the waiting at most %.3f s (%.1f %% of the run) are left to "
            "save%s\n",
            left_s, 100 * left_s / p->run_s,
            strcmp(p->mode, "trace") != 0 ? ""
            : left_s < 0.01 * p->run_s
                ? ": too little for a search"
                : "; collsel ask --profile REPORT says by what (run --report REPORT); collsel run "
                  "--mode star tries other algorithms at a bounded cost");
    }
    free(v);
}

static void sort(const struct profile *p)
{
    if (p->n)
        qsort(p->v, p->n, sizeof *p->v, longest_first);
}

void profile_print(const struct profile *p, FILE *out)
{
    sort(p);
    fprintf(out, "collsel: %s, %s, %d rank%s: %zu kind%s of collective calls\n", p->mode, p->mpi,
            p->procs, p->procs == 1 ? "" : "s", p->n, p->n == 1 ? "" : "s");
    if (p->n)
        fprintf(out, "%-20s %-8s %5s %5s %-12s %-5s %12s %10s %12s %10s %10s  %-28s %s\n",
                "collective", "comm", "procs", "nodes", "op", "root", "bytes", "calls", "time_s",
                "mean_us", "skew_us", "ran", "called from");
    for (size_t i = 0; i < p->n; i++)
        print_row(p->v[i], out);
    for (size_t i = 0; i < p->n; i++)
        print_sites(p->v[i], out);
    for (size_t i = 0; i < p->n; i++)
        print_tuned(p->v[i], out);
    print_whole(p, out);
    print_shares(p, out);
    for (size_t i = 0; i < p->n; i++)
        if (*p->v[i]->first.declined)
            fprintf(out, "collsel: not run as chosen: %s\n", p->v[i]->first.declined);
    if (p->lost)
        fprintf(out,
                "collsel: %" PRIu64 " calls of more kinds than there is room for are missing\n",
                p->lost);
    profile_print_counted(p, out);
}

/* ---- for programs ---- */

void profile_put_text(const char *text, FILE *out)
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
    profile_put_text(text, out);
    fputs(", ", out);
}

static void put_sites(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    const int kept = r->n_sites < ROW_SITES ? r->n_sites : ROW_SITES;
    fputs("\"sites\": [", out);
    for (int i = 0; i < kept; i++) {
        fputs(i ? ", " : "", out);
        profile_put_text(r->site[i].name, out);
    }
    fputs("], \"site_calls\": [", out);
    for (int i = 0; i < kept; i++)
        fprintf(out, "%s%.10g", i ? ", " : "", of_a_rank(row, (double)r->site[i].calls));
    fputs("], \"site_time_s\": [", out);
    for (int i = 0; i < kept; i++)
        fprintf(out, "%s%.9g", i ? ", " : "", of_a_rank(row, (double)r->site[i].total_ns * 1e-9));
    fprintf(out, "], \"more_sites\": %s", r->n_sites > ROW_SITES ? "true" : "false");
}

static void put_number(const char *name, double value, int is_known, FILE *out)
{
    if (is_known)
        fprintf(out, "\"%s\": %.9g, ", name, value);
    else
        fprintf(out, "\"%s\": null, ", name);
}

/* Of what is never 0. */
static void put_known(const char *name, double value, FILE *out)
{
    put_number(name, value, value > 0, out);
}

static void put_ran(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    put_member("algorithm", !r->is_tuned ? r->ran : *r->chosen ? r->chosen : "still trying", out);
    const struct row_shape *shape = r->is_tuned ? &r->chosen_shape : &r->shape;
    fprintf(out, "\"segment_bytes\": %" PRIu64 ", \"fanout\": %d, ", shape->segment_bytes,
            shape->fanout);
    put_member("default_is", r->decided, out);
    put_member("declined", r->declined, out);
    fprintf(out,
            "\"scheduled\": %.10g, \"forced\": %.10g, \"measured\": %.10g, \"monitored\": %.10g, ",
            of_a_rank(row, (double)r->scheduled), of_a_rank(row, (double)r->forced),
            of_a_rank(row, (double)r->measured), of_a_rank(row, (double)r->monitored));
    fprintf(out, "\"agreements\": %d, \"changes\": %d, ", r->agreements, r->changes);
    put_known("o_ms_a_s", per_call_us(r->own_measured_ns, r->measured) * 1e-6, out);
    put_known("o_ms_c_s", per_call_us(r->measured_ns, r->measured) * 1e-6, out);
    put_known("o_ma_s", per_call_us(r->own_monitored_ns, r->monitored) * 1e-6, out);
    if (r->is_tuned)
        put_member("saved", saved_word(r), out);
    if (r->saved_known)
        fprintf(out, "\"saved_s\": %.9g, \"saved_half_s\": %.9g, ", of_a_rank(row, r->saved_s),
                of_a_rank(row, r->saved_half_s));
    if (r->is_tuned)
        fprintf(out, "\"spent_s\": %.9g, ", of_a_rank(row, r->spent_s));
    put_known("best_s", r->best_s, out);
    put_known("default_s", r->default_s, out);
}

/* Of star: what every candidate took. */
static void put_tried(const struct sent_row *r, FILE *out)
{
    fputs("\"tried\": [", out);
    for (int i = 0; i < r->n_tried; i++) {
        const struct row_tried *t = &r->tried[i];
        fputs(i ? ", [" : "[", out);
        profile_put_text(t->name, out);
        fprintf(out, ", %" PRIu64 ", %d, %.9g, %d]", t->segment_bytes, t->fanout, t->seconds,
                t->calls);
    }
    fputs("], ", out);
}

static void put_row(const struct profile_row *row, FILE *out)
{
    const struct sent_row *r = &row->first;
    char name[24];
    double mean_s, most_s;
    const double wait_s = profile_waiting(row);
    fputs("  {", out);
    put_member("collective", r->collective, out);
    put_member("communicator", communicator(row, name), out);
    put_member("op", r->key.op, out);
    put_member("root", root_word(&r->key), out);
    fprintf(out,
            "\"procs\": %d, \"nodes\": %d, \"ppn\": %d, \"bytes\": %" PRIu64
            ", \"bytes_of_all_ranks\": %s, ",
            r->key.procs, r->nodes, r->ppn, r->key.bytes, r->key.own ? "false" : "true");
    fprintf(out, "\"calls\": %.10g, \"time_s\": %.9g, \"longest_s\": %.9g, ",
            of_a_rank(row, (double)r->calls), seconds_of(row), (double)r->most_ns * 1e-9);
    if (profile_skew(row, &mean_s, &most_s))
        fprintf(out, "\"skew_mean_s\": %.9g, \"skew_longest_s\": %.9g, ", mean_s, most_s);
    else
        fputs("\"skew_mean_s\": null, \"skew_longest_s\": null, ", out);
    put_number("wait_s", wait_s, wait_s >= 0, out);
    put_ran(row, out);
    put_tried(r, out);
    put_sites(row, out);
    putc('}', out);
}

static void put_counted(const struct profile *p, FILE *out)
{
    fputs("\"counted\": [", out);
    for (size_t i = 0; i < p->n_counted; i++) {
        const struct profile_counted *c = &p->counted[i];
        fputs(i ? ", {" : "{", out);
        put_member("call", c->call, out);
        put_member("why", c->why, out);
        fprintf(out, "\"calls\": %" PRIu64 ", \"time_s\": %.9g}", c->calls, c->time_s);
    }
    fputs("], ", out);
}

void profile_json(const struct profile *p, FILE *out)
{
    sort(p);
    fputs("{", out);
    put_member("format", "collsel profile 1", out);
    put_member("mpi", p->mpi, out);
    put_member("mode", p->mode, out);
    fprintf(out, "\"procs\": %d, \"lost_calls\": %" PRIu64 ", ", p->procs, p->lost);
    put_known("run_s", p->run_s, out);
    put_counted(p, out);
    if (p->cost > 0)
        fprintf(out, "\"cost\": %.6g, ", p->cost);
    fputs("\"rows\": [\n", out);
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
    memory_free(p->v, p->counted);
    *p = (struct profile){ .n = 0 };
}
