/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel schedule: shows any algorithm's schedule, and proves it. */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/walk/link_walk.h"
#include "analysis/walk/stage_walk.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/cmd/schedule_call.h"
#include "harness/study/libraries/spelling.h"
#include "workloads/schedules/draw.h"
#include "workloads/schedules/prove.h"
#include "workloads/schedules/trace.h"
#include "workloads/schedules/two_level.h"

/* What to show: one row of the table below. */
struct view {
    const char *option;
    int (*write)(const struct schedule *s, FILE *out, struct err *err); /* NULL: write_links */
};

struct input {
    const char *collective, *algorithm, *output;
    struct call_words call;
    const char *cluster, *mapping; /* where the ranks are; NULL: not said */
    uint64_t procs, bytes, segment_bytes, fanout, root, ppn;
    int has_procs, has_bytes, prove, list, json;
    const char *view; /* name of its option; NULL: none */
};

/* ---- views ---- */

static void write_pair(const struct traffic *pair, void *arg)
{
    struct csvw *w = arg;
    csvw_i64(w, pair->src);
    csvw_i64(w, pair->dst);
    csvw_u64(w, pair->messages);
    csvw_u64(w, pair->bytes);
    csvw_end(w);
}

static int write_traffic(const struct schedule *s, FILE *out, struct err *err)
{
    static const char *const columns[] = { "src", "dst", "messages", "bytes", NULL };
    struct csvw w = { .file = out };
    csvw_header(&w, columns);
    (void)err;
    traffic_each(s, write_pair, &w);
    return 0;
}

static const char *const op_names[] = { "send", "recv", "copy", "reduce" };
static const char *const buffer_names[] = { "data", "send", "recv", "temp" };

static void write_op(struct csvw *w, int rank, uint64_t k, int phase, const struct op *op)
{
    int is_local = op->kind == OP_COPY || op->kind == OP_REDUCE;
    csvw_i64(w, rank);
    csvw_u64(w, k);
    csvw_i64(w, phase);
    csvw_text(w, op_names[op->kind]);
    if (is_local)
        csvw_text(w, "");
    else
        csvw_i64(w, op->peer);
    csvw_text(w, buffer_names[op->buf]);
    csvw_u64(w, op->offset);
    csvw_u64(w, op->bytes);
    csvw_text(w, is_local ? buffer_names[op->src_buf] : "");
    if (is_local)
        csvw_u64(w, op->src_offset);
    else
        csvw_text(w, "");
    csvw_end(w);
}

static int write_rounds(const struct schedule *s, FILE *out, struct err *err)
{
    static const char *const columns[] = { "rank",        "round",       "phase",  "op",
                                           "peer",        "buffer",      "offset", "bytes",
                                           "from_buffer", "from_offset", NULL };
    struct csvw w = { .file = out };
    struct round round = { 0 };
    (void)err;
    csvw_header(&w, columns);
    for (int rank = 0; rank < s->procs; rank++)
        for (uint64_t k = 0, n = schedule_rounds(s, rank); k < n; k++) {
            schedule_round(s, rank, k, &round);
            for (size_t i = 0; i < round.n; i++)
                write_op(&w, rank, k, round.phase, &round.ops[i]);
        }
    round_free(&round);
    return 0;
}

static int write_stages(const struct schedule *s, FILE *out, struct err *err)
{
    static const char *const columns[] = { "first_stage", "last_stage", "sends", "receives",
                                           "bytes",       "combined",   NULL };
    struct stage_profile profile;
    struct csvw w = { .file = out };
    uint64_t first = 1;
    if (stage_walk(s, &profile, err) < 0)
        return -1;
    csvw_header(&w, columns);
    for (size_t i = 0; i < profile.n_runs; first += profile.runs[i++].stages)
        for (size_t j = 0; j < profile.runs[i].count; j++) {
            const struct stage_load *load = &profile.loads[profile.runs[i].first + j];
            csvw_u64(&w, first);
            csvw_u64(&w, first + profile.runs[i].stages - 1);
            csvw_u64(&w, load->sends);
            csvw_u64(&w, load->receives);
            csvw_u64(&w, load->bytes);
            csvw_u64(&w, load->reduced);
            csvw_end(&w);
        }
    stage_profile_clear(&profile);
    return 0;
}

/* ---- links ---- */

struct link_view {
    struct csvw w;
    const struct topology *topology;
};

static int write_step(void *arg, const struct links_step *step, const struct links_load *load,
                      size_t n)
{
    struct link_view *v = arg;
    char name[TOPOLOGY_NAME];
    for (size_t i = 0; i < n; i++) {
        int from, to;
        topology_ends(v->topology, load[i].link, &from, &to);
        csvw_i64(&v->w, step->phase);
        csvw_u64(&v->w, step->number);
        csvw_i64(&v->w, load[i].link);
        csvw_text(&v->w, topology_link_name(v->topology, load[i].link, name, sizeof name));
        csvw_i64(&v->w, from);
        csvw_i64(&v->w, to);
        csvw_u64(&v->w, load[i].messages);
        csvw_u64(&v->w, load[i].bytes);
        csvw_end(&v->w);
    }
    return 0;
}

static int walk_links(const struct schedule *s, const struct cluster *c, FILE *out, struct err *err)
{
    static const char *const columns[] = { "phase", "step",     "link",  "name", "from",
                                           "to",    "messages", "bytes", NULL };
    static const struct curve none = { 0 };
    static const struct links_costs costs = { .message = &none, .copy = &none };
    struct topology topology;
    struct links_result result;
    struct link_view view = { .w = { .file = out }, .topology = &topology };
    const struct links_watch watch = { &view, write_step };
    if (topology_load(&topology, c, err) < 0)
        return -1;
    struct links_net *net = links_net_new(&topology, c->order, &s->seats, err);
    if (!net)
        return -1;
    csvw_header(&view.w, columns);
    int status = links_walk(net, s, &costs, &watch, &result, err);
    links_net_free(net);
    return status;
}

static int write_links(const struct input *in, const struct schedule *s, FILE *out, struct err *err)
{
    struct cluster cluster;
    if (cluster_load("clusters", in->cluster, &cluster, err) < 0)
        return -1;
    int status = walk_links(s, &cluster, out, err);
    cluster_free(&cluster);
    return status;
}

/* ---- a picture ---- */

/* Starts Graphviz between two files; its complaints go where ours do. */
static int start_dot(FILE *dot, FILE *out, pid_t *pid, struct err *err)
{
    char name[] = "dot", format[] = "-Tsvg", *const argv[] = { name, format, NULL };
    posix_spawn_file_actions_t actions;
    int why = posix_spawn_file_actions_init(&actions);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(&actions, fileno(dot), 0);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
    if (why == 0)
        why = posix_spawnp(pid, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (why == ENOENT)
        return err_set(err, "'dot' is not there (package graphviz; make setup installs it)");
    return why ? err_set(err, "dot: %s", strerror(why)) : 0;
}

/* What was drawn, to out; write errors stay in its flag. Begins with the first byte of from. */
static void copy_drawing(FILE *from, FILE *out)
{
    char part[4096];
    size_t n;
    rewind(from);
    while ((n = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, n, out);
}

/* dot ends with status 0 on a full disk, so it draws into a file of our own. */
static int write_svg(const struct schedule *s, FILE *out, struct err *err)
{
    pid_t pid;
    int ended = 0;
    FILE *dot = tmpfile(), *svg = tmpfile();
    int status = dot && svg ? draw_dot(s, dot, err) : err_errno(err, "a temporary file");
    if (status == 0 && (fflush(dot) != 0 || fseek(dot, 0, SEEK_SET) != 0))
        status = err_errno(err, "a temporary file");
    if (status == 0)
        status = start_dot(dot, svg, &pid, err);
    while (status == 0 && waitpid(pid, &ended, 0) < 0)
        if (errno != EINTR)
            status = err_errno(err, "dot");
    if (status == 0 && (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0))
        status = err_set(err, "dot could not draw the schedule");
    if (status == 0)
        copy_drawing(svg, out);
    if (dot)
        fclose(dot);
    if (svg)
        fclose(svg);
    return status;
}

enum { TEXT_COLUMNS = 200 };

static int write_text(const struct schedule *s, FILE *out, struct err *err)
{
    return draw_text(s, TEXT_COLUMNS, out, err);
}

static const struct view views[] = {
    { "traffic", write_traffic }, { "rounds", write_rounds },
    { "stages", write_stages },   { "links", NULL },
    { "svg", write_svg },         { "text", write_text },
};

/* ---- the list ---- */

/* "2^n ranks, else bruck; 8 KiB and more; group". */
static void write_limits(const struct algorithm *a, FILE *out)
{
    char least[32], most[32];
    const char *before = "  [";
    if (a->needs != ANY_PROCS) {
        fprintf(out, "%s%s, else %s", before, procs_needed_words(a->needs), a->instead);
        before = "; ";
    }
    if (a->least_bytes || a->most_bytes) {
        format_bytes(a->least_bytes, least, sizeof least);
        format_bytes(a->most_bytes, most, sizeof most);
        fprintf(out, a->most_bytes ? "%ssensible from %s to %s" : "%ssensible from %s on", before,
                least, most);
        before = "; ";
    }
    if (a->group) {
        fprintf(out, "%sgroup: %s", before, a->group);
        before = "; ";
    }
    fputs(*before == ';' ? "]\n" : "\n", out);
}

static json_t *json_of_algorithm(const struct algorithm *a)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:I, s:I, s:o}", "collective",
                     algorithm_collective(a)->name, "name", a->name, "help", a->help, "segments",
                     a->segmented, "fanout",
                     a->default_fanout ? json_integer(algorithm_fanout(a)) : json_null(), "needs",
                     json_word(procs_needed_words(a->needs)), "instead",
                     a->instead ? json_string(a->instead) : json_null(), "least_bytes",
                     (json_int_t)a->least_bytes, "most_bytes", (json_int_t)a->most_bytes, "group",
                     a->group ? json_string(a->group) : json_null());
}

/* The next of a collective, or (NULL) of all. */
static const struct algorithm *next_listed(const struct algorithm *a, const char *collective)
{
    do
        a = algorithm_next(a);
    while (a && collective && strcmp(algorithm_collective(a)->name, collective) != 0);
    return a;
}

static int print_list_json(const char *collective, struct err *err)
{
    json_t *all = json_array();
    for (const struct algorithm *a = NULL; (a = next_listed(a, collective));)
        json_array_append_new(all, json_of_algorithm(a));
    return json_print(all, err);
}

static void write_list(const char *collective, FILE *out)
{
    for (const struct algorithm *a = NULL; (a = next_listed(a, collective));) {
        fprintf(out, "%-20s %-42s %-8s %-10s %s", algorithm_collective(a)->name, a->name,
                a->segmented ? "segments" : "-", a->default_fanout ? "fan-out" : "-", a->help);
        write_limits(a, out);
    }
}

/* ---- the proof ---- */

static int show_proof(const struct schedule *s, FILE *out, struct err *err)
{
    struct proof proof;
    const char *ends = s->collective->ends;
    char bytes[32], from[32] = "", name[MOST_NAME + 1];
    if (prove(s, &proof, err) < 0)
        return err_prefix(err, "not proved");
    if (s->collective->rooted)
        snprintf(from, sizeof from, " %s root %d", s->collective->recv.root_only ? "to" : "from",
                 s->root);
    fprintf(out,
            "proved: %s %s among %d process%s%s: %s, nothing "
            "is left over, no deadlock even if every send waits for its receive (%llu messages, "
            "%s, %llu rounds, of all ranks together)\n",
            s->collective->name, schedule_name(s, name, sizeof name), s->procs,
            of_number(s->procs, "", "es"), from,
            ends ? ends : "every rank ends with what it should", (unsigned long long)proof.messages,
            format_bytes(proof.bytes, bytes, sizeof bytes), (unsigned long long)proof.rounds);
    return 0;
}

/* ---- the command line ---- */

/* Parses a whole number up to the largest int. */
static int parse_count(const char *text, uint64_t *value, struct err *err)
{
    if (parse_u64(text, value, err) < 0)
        return -1;
    return *value <= INT_MAX ? 0 : err_usage(err, "'%s' is more than %d", text, INT_MAX);
}

static int parse_ppn(const char *text, uint64_t *value, struct err *err)
{
    if (parse_count(text, value, err) < 0)
        return -1;
    return *value ? 0 : err_usage(err, "want at least 1");
}

static const struct algorithm *find_spelled(const struct input *in, char name[MOST_NAME + 1])
{
    return spelling_schedule(in->collective, in->algorithm, name);
}

/* Names are quoted as err does it: shortened, and without what a terminal would obey. */
static void check_names(const struct input *in, struct argp_state *state)
{
    struct err err = { 0 };
    char name[MOST_NAME + 1];
    if (!collective_has_schedules(in->collective))
        spelling_refuse_collective(in->collective, &err);
    else if (in->algorithm && !find_spelled(in, name))
        spelling_refuse(&in->collective, 1, in->algorithm, &err);
    if (err.status)
        argp_error(state, "%s", err.text);
}

static void check(void *input, struct argp_state *state)
{
    const struct input *in = input;
    if (in->json && !in->list)
        argp_error(state, "--json: is of --list");
    if (in->list && in->algorithm)
        argp_error(state, "--list: '%s' is one argument too many (want COLLECTIVE alone, or none)",
                   in->algorithm);
    if (in->list && in->collective)
        check_names(in, state);
    if (in->list)
        return;
    if (!in->algorithm)
        argp_error(state, "want COLLECTIVE and ALGORITHM (--list shows them)");
    check_names(in, state);
    if (!in->has_procs)
        argp_error(state, "want --procs");
    if (in->procs == 0)
        argp_error(state, "want --procs of at least 1");
    if (!in->has_bytes && !in->call.sizes && collective_moves(in->collective))
        argp_error(state, "want --bytes");
    if (!in->view && !in->prove)
        argp_error(state,
                   "want one of --traffic, --rounds, --stages, --links, --svg, --text, --prove");
}

static void take_cluster(void *input, char *name, struct argp_state *state)
{
    struct input *in = input;
    if (in->cluster && strcmp(in->cluster, name) != 0)
        argp_error(state, "clusters '%s' and '%s': choose one", in->cluster, name);
    in->cluster = name;
}

/* ---- the command ---- */

/* The seats that were asked for; c: the cluster, NULL: any. */
static int seats_on(const struct input *in, const struct cluster *c, struct seating *seats,
                    struct err *err)
{
    const int procs = (int)in->procs;
    struct seating asked = { .mapping = in->mapping ? in->mapping : "core", .procs = procs };
    if (in->ppn || !c) {
        asked.ppn = in->ppn > in->procs ? procs : in->ppn ? (int)in->ppn : 1;
        asked.nodes = (procs - 1) / asked.ppn + 1;
    } else {
        seat_shape(c->nodes, procs, &asked.nodes, &asked.ppn);
    }
    if (seat_check(&asked, err) < 0) {
        err->status = EXIT_USAGE;
        return -1;
    }
    if (c && cluster_holds(c->name, c->nodes, cluster_node_cores(c), procs, asked.nodes, err) < 0)
        return -1;
    *seats = c ? topology_seating(c, asked.mapping, asked.nodes, asked.ppn, procs) : asked;
    return 0;
}

/* The seats of the ranks; of nobody where nothing was said of them. */
static int take_seats(const struct input *in, struct seating *seats, struct err *err)
{
    struct cluster cluster;
    *seats = (struct seating){ .mapping = "core" };
    if (!in->cluster)
        return in->mapping || in->ppn ? seats_on(in, NULL, seats, err) : 0;
    if (cluster_load("clusters", in->cluster, &cluster, err) < 0)
        return -1;
    const int status = seats_on(in, &cluster, seats, err);
    cluster_free(&cluster);
    return status;
}

/* All messages together have to be counted in 64 bits: P messages of the size of the call, or P of
 * each of P blocks, in a few dozen steps at most. */
static int check_total(const struct input *in, struct err *err)
{
    const struct collective *c = collective_find(in->collective);
    const int in_blocks = c->send.amount == AMOUNT_EACH || c->recv.amount == AMOUNT_EACH;
    const double procs = (double)in->procs, most = 0x1p58;
    char text[32];
    if ((double)in->bytes * procs * (in_blocks ? procs : 1) <= most)
        return 0;
    return err_usage(err,
                     "--bytes: %s among %llu processes are too many to count (want 2^58 bytes in "
                     "all at most)",
                     format_bytes(in->bytes, text, sizeof text), (unsigned long long)in->procs);
}

/* *borders: for the caller to free when the schedule is done with. */
static int make_schedule(const struct input *in, struct schedule *s, const uint64_t **borders,
                         struct err *err)
{
    char name[MOST_NAME + 1];
    const struct algorithm *alg = find_spelled(in, name);
    struct schedule_arguments a = { .procs = (int)in->procs,
                                    .root = (int)in->root,
                                    .bytes = in->bytes,
                                    .segment_bytes = in->segment_bytes,
                                    .fanout = (int)in->fanout,
                                    .levels = algorithm_levels(in->algorithm) };
    if (in->root && !collective_of(in->collective)->rooted)
        return err_usage(err, "--root: '%s' has no root", in->collective);
    options_say_ignored(alg, in->segment_bytes != 0, in->fanout != 0);
    if (in->bytes && !collective_moves(in->collective))
        fprintf(stderr, "--bytes is ignored: %s moves none\n", in->collective);
    if (in->call.type && !collective_moves(in->collective))
        fprintf(stderr, "--type is ignored: %s moves nothing\n", in->collective);
    if (check_total(in, err) < 0 ||
        schedule_call_take(&in->call, collective_find(in->collective), &a, err) < 0)
        return -1;
    schedule_call_say(&in->call);
    *borders = a.borders;
    if (take_seats(in, &a.seats, err) < 0)
        return -1;
    return schedule_make(s, alg, &a, err);
}

/* ---- how long it may take ---- */

/* Rounds of all ranks, by those of a few. */
static double count_rounds(const struct schedule *s)
{
    enum { FEW = 16 };
    const int n = s->procs < FEW ? s->procs : FEW;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)schedule_rounds(s, (int)((int64_t)i * s->procs / n));
    return sum / n * s->procs;
}

/* So that nobody waits without a word. */
static void say_long(const struct input *in, const struct schedule *s)
{
    const double rounds = count_rounds(s), per_second = in->prove ? 1e5 : 1e6, said_from_s = 60;
    if (rounds / per_second > said_from_s)
        fprintf(stderr,
                "%s: this schedule has about %.2g rounds of all ranks: at some %.0f a second that "
                "takes %.2g hours\n",
                schedule_called(s).text, rounds, per_second, rounds / per_second / 3600);
}

/* What the file has: the view, or the proof where there is none. */
static int write_to(const struct input *in, const struct schedule *s, FILE *out, struct err *err)
{
    if (!in->view)
        return show_proof(s, out, err);
    const struct view *view = views;
    while (strcmp(view->option, in->view) != 0)
        view++;
    return view->write ? view->write(s, out, err) : write_links(in, s, out, err);
}

static int write_view(const struct input *in, const struct schedule *s, struct err *err)
{
    struct whole_file file;
    if (!in->output) {
        if (write_to(in, s, stdout, err) < 0)
            return -1;
        return fflush(stdout) == 0 && !ferror(stdout) ? 0 : err_errno(err, "standard output");
    }
    if (fs_begin(&file, in->output, err) < 0)
        return -1;
    if (write_to(in, s, file.file, err) < 0) {
        fs_abandon(&file);
        return -1;
    }
    return fs_commit(&file, err);
}

/* 1 when a library has an algorithm that is this one. */
static int is_of_library(const char *library, const struct algorithm *a)
{
    char name[NAME_SIZE];
    for (const struct native *n = natives_of(library); n->name; n++) {
        snprintf(name, sizeof name, "%.10s:%.50s", library, n->name);
        if (native_schedule(n->collective, name) == a)
            return 1;
    }
    return 0;
}

static void say_substituted(const struct schedule *s)
{
    const int in_library = is_of_library("openmpi", s->asked) || is_of_library("mpich", s->asked);
    fprintf(stderr, "for these arguments, %s runs in place of %s%s\n", s->alg->name, s->asked->name,
            in_library ? ", as in the library" : "");
}

static int show_schedule(const struct input *in, const struct schedule *s, struct err *err)
{
    struct err idle = { 0 };
    if (s->alg != s->asked)
        say_substituted(s);
    options_say_not_compared(in->collective, in->algorithm);
    if (two_level_idle(s, &idle) < 0)
        fprintf(stderr, "%s\n", idle.text);
    if (in->prove && prove_check(s, err) < 0)
        return err_prefix(err, "not proved");
    say_long(in, s);
    if (in->prove && in->view && show_proof(s, stderr, err) < 0)
        return -1;
    return write_view(in, s, err);
}

static int show(const struct input *in, struct err *err)
{
    struct schedule s;
    const uint64_t *borders = NULL;
    int status = make_schedule(in, &s, &borders, err);
    if (status == 0)
        status = show_schedule(in, &s, err);
    free((void *)borders);
    return status;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    if (!in->list)
        return show(in, err);
    if (in->json)
        return print_list_json(in->collective, err);
    write_list(in->collective, stdout);
    return EXIT_DONE;
}

static const struct option_row rows[] = {
    { "procs", 'p', "P", "Number of processes (wanted)", .group = 1,
      OPTION_NUMBER_TO(procs, parse_count), .given = INPUT_AT(has_procs) },
    { "bytes", 'm', "SIZE",
      "Message size as the MPI call sees it, e.g. 8K (wanted, but of a barrier)", .group = 1,
      OPTION_NUMBER_TO(bytes, parse_bytes), .given = INPUT_AT(has_bytes) },
    { "segment", 's', "SIZE", "Segment size; 0, the default: one segment", .group = 1,
      OPTION_NUMBER_TO(segment_bytes, parse_bytes) },
    { "fanout", 'k', "K", "Fan-out of a chain, radix of a k-nomial tree; 0: the library's",
      .group = 1, OPTION_NUMBER_TO(fanout, parse_count) },
    { "root", 'r', "RANK", "Root; default 0", .group = 1, OPTION_NUMBER_TO(root, parse_count) },
    { "type", 0, "TYPE",
      "Data type, MPI's name in lower case without MPI_, e.g. double: messages are cut between "
      "elements, and what runs instead follows from their number; default byte",
      .group = 1, OPTION_TO(call.type) },
    { "op", 0, "OP",
      "Operation, e.g. sum; user: one of your own, user_ordered: one that does not commute",
      .group = 1, OPTION_TO(call.op) },
    { "sizes", 0, "LIST",
      "Where the call names the size of each block: these, e.g. 8,0,16K (of alltoallv P times P, "
      "rank 0's first), instead of --bytes; or random, zeros, one_large, of --bytes in the mean",
      .group = 1, OPTION_TO(call.sizes) },
    { "cluster", 0, "CLUSTER",
      "Where the ranks are, for algorithms that want to know: on clusters/CLUSTER.ini (or a path), "
      "as that of --links",
      .group = 1, .take = take_cluster },
    { "mapping", 0, "NAME",
      "core (the default), socket or node: consecutive ranks fill cores, alternate sockets, "
      "alternate nodes",
      .group = 1, OPTION_TO(mapping) },
    { "ppn", 0, "K", "Ranks on a node; the default: one, or as few as the cluster's nodes allow",
      .group = 1, OPTION_NUMBER_TO(ppn, parse_ppn) },
    { "traffic", 0, NULL, "CSV: messages and bytes of every pair of ranks", .group = 2,
      OPTION_CHOICE_TO(view) },
    { "rounds", 0, NULL, "CSV: the operations of every rank, round by round", .group = 2,
      OPTION_CHOICE_TO(view) },
    { "stages", 0, NULL, "CSV: the loads of every stage, as the cost model sees them", .group = 2,
      OPTION_CHOICE_TO(view) },
    { "links", 0, "CLUSTER",
      "CSV: messages and bytes on every link of clusters/CLUSTER.ini (or a path) in every step",
      .group = 2, .take = take_cluster, OPTION_CHOICE_TO(view) },
    { "svg", 0, NULL, "A picture (wants Graphviz)", .group = 2, OPTION_CHOICE_TO(view) },
    { "text", 0, NULL, "A picture of letters: a row per stage, a column per rank; of few processes",
      .group = 2, OPTION_CHOICE_TO(view) },
    { "prove", 0, NULL, "Prove the schedule by symbolic execution first", .group = 2,
      OPTION_TO(prove) },
    { "list", 0, NULL, "List all algorithms, or those of COLLECTIVE", .group = 2, OPTION_TO(list) },
    { "json", 0, NULL, "The list as JSON", .group = 2, OPTION_TO(json) },
    { "output", 'o', "FILE", "Write to FILE instead of standard output", .group = 3,
      OPTION_TO(output) },
    { 0 },
};

static struct input asked;

const struct command cmd_schedule = {
    .name = "schedule",
    .help = "show or prove the schedule of any algorithm",
    .words = "COLLECTIVE ALGORITHM\n--list [COLLECTIVE]",
    .doc = "Shows the communication schedule of an algorithm: sender, receiver, bytes and round of "
           "each message.",
    .rows = rows,
    .input = &asked,
    .check = check,
    .word = { INPUT_AT(collective), INPUT_AT(algorithm) },
    .run = run,
};
