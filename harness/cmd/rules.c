/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel rules: what an MPI library makes of a file of rules, and what is wrong with it. */
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/rules/rule_choices.h"
#include "harness/run/libraries/mpi_library.h"
#include "harness/study/manifest.h"
#include "reports/section_common.h"

enum { MOST_ASKED = CHOICE_TABLE_RULES_PROCS };

struct input {
    struct options options; /* first, for the common parser */
    const char *path, *collective;
    const char *entry; /* whose release is asked for; NULL: a reader was named */
    const struct rules_reader *reader;
    char installed[VERSION_SIZE]; /* the release that is installed here, where it was asked for */
    struct options_list procs, bytes;
    uint64_t proc[MOST_ASKED], byte[MOST_ASKED];
    int nodes, ppn, json, table;
    struct rules_conversion to; /* its table */
    int level;                  /* enum rules_level */
};

/* ---- what is printed ---- */

static void print_parameters(const struct rules_answer *a)
{
    if (a->segment_bytes)
        printf(", segments of %ld bytes", a->segment_bytes);
    if (a->fanout)
        printf(", fan-out %ld", a->fanout);
    if (a->requests)
        printf(", requests at a time %ld", a->requests);
}

static void print_answer(const struct rules_reader *reader, const struct rules_call *call,
                         const struct rules_answer *a)
{
    char bytes[32];
    printf("%s P = %d, %s: ", call->collective, call->procs,
           format_bytes(call->bytes, bytes, sizeof bytes));
    if (a->outcome == RULES_OWN)
        printf("%s's own decision%s%s", reader->library, *a->algorithm ? ", which is " : "",
               a->algorithm);
    else if (*a->algorithm && a->id)
        printf("%s (%ld)", a->algorithm, a->id);
    else if (*a->algorithm)
        printf("%s", a->algorithm);
    else if (a->id)
        printf("algorithm %ld", a->id);
    else
        printf("no algorithm");
    print_parameters(a);
    if (*a->runs)
        printf("; runs as %s for these arguments", a->runs);
    if (a->outcome > RULES_RUNS)
        printf("; %s", rules_outcome_words[a->outcome]);
    printf("\n    %s\n", a->why);
}

static void print_finding(const char *path, const struct rules_finding *f)
{
    if (f->line)
        printf("%s:%d: ", path, f->line);
    else
        printf("%s: ", path);
    printf("%s: %s [%s]\n", rules_severity_words[f->severity], f->text, f->kind);
}

static json_t *json_of_finding(const struct rules_finding *f)
{
    return json_pack("{s:i, s:s, s:s, s:s}", "line", f->line, "severity",
                     rules_severity_words[f->severity], "kind", f->kind, "text", f->text);
}

static json_t *json_of_answer(const struct rules_call *call, const struct rules_answer *a)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:I, s:I, s:s, s:i, s:I, s:s, s:I, s:I, s:I, s:s, s:s}",
                     "collective", call->collective, "procs", call->procs, "nodes", call->nodes,
                     "ppn", call->ppn, "bytes", (json_int_t)call->bytes, "size",
                     (json_int_t)a->size, "outcome", rules_outcome_words[a->outcome], "line",
                     a->line, "id", (json_int_t)a->id, "algorithm", a->algorithm, "segment_bytes",
                     (json_int_t)a->segment_bytes, "fanout", (json_int_t)a->fanout, "requests",
                     (json_int_t)a->requests, "runs", a->runs, "why", a->why);
}

/* ---- the command ---- */

/* A node without a process does not count. */
static struct rules_call call_of(const struct input *in, size_t p, size_t m)
{
    const int procs = (int)in->proc[p], nodes = in->nodes < procs ? in->nodes : procs;
    struct rules_call call = { in->collective, procs, nodes, in->ppn, in->byte[m], in->level };
    if (in->nodes && !in->ppn)
        call.ppn = (procs + nodes - 1) / nodes;
    if (in->ppn && !in->nodes)
        call.nodes = (procs + in->ppn - 1) / in->ppn;
    return call;
}

static int print_json(const struct input *in, const struct rules *r, struct err *err)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:b, s:o, s:o}", "file", in->path, "library",
                          in->reader->name, "installed", in->installed, "loaded", r->loaded,
                          "findings", json_array(), "answers", json_array());
    for (size_t i = 0; o && i < r->found.n; i++)
        json_array_append_new(json_object_get(o, "findings"), json_of_finding(&r->found.v[i]));
    for (size_t p = 0; o && in->collective && p < in->procs.n; p++)
        for (size_t m = 0; m < in->bytes.n; m++) {
            const struct rules_call call = call_of(in, p, m);
            struct rules_answer answer;
            rules_ask(r, &call, &answer);
            json_array_append_new(json_object_get(o, "answers"), json_of_answer(&call, &answer));
        }
    return json_print(o, err);
}

static void print_answers(const struct input *in, const struct rules *r)
{
    for (size_t p = 0; p < in->procs.n; p++)
        for (size_t m = 0; m < in->bytes.n; m++) {
            const struct rules_call call = call_of(in, p, m);
            struct rules_answer answer;
            rules_ask(r, &call, &answer);
            print_answer(in->reader, &call, &answer);
        }
}

static void print_findings(const struct input *in, const struct rules *r)
{
    size_t n[N_RULES_SEVERITIES] = { 0 };
    for (size_t i = 0; i < r->found.n; i++) {
        n[r->found.v[i].severity]++;
        print_finding(in->path, &r->found.v[i]);
    }
    printf("%s: %s by %s", in->path, r->loaded ? "loaded" : "not used", in->reader->name);
    if (*in->installed)
        printf(" (%s %s is installed here)", in->entry, in->installed);
    printf("; %zu error%s, %zu warning%s, %zu note%s\n", n[RULES_ERROR], plural(n[RULES_ERROR]),
           n[RULES_WARNING], plural(n[RULES_WARNING]), n[RULES_NOTE], plural(n[RULES_NOTE]));
}

/* 1 where something in the file is an error. */
static void tell_clamp(const struct input *in)
{
    for (size_t i = 0; i < in->procs.n; i++)
        if ((uint64_t)in->nodes > in->proc[i])
            fprintf(stderr,
                    "collsel rules: --nodes %d: P = %d is used with %d nodes, one rank each\n",
                    in->nodes, (int)in->proc[i], (int)in->proc[i]);
}

static int print_table(const struct input *in, struct err *err)
{
    struct rules_conversion table = in->to;
    table.wanted = (struct rules_procs){ in->proc, in->procs.n };
    table.nodes = in->nodes;
    table.element_bytes = table.element_bytes ? table.element_bytes : 1;
    if (rules_convert(in->path, in->reader, "made by collsel rules --table", &table, err) < 0)
        return -1;
    fputs(table.text, stdout);
    puts("# end"); /* a reader of a pipe knows by it that the table is whole */
    rules_conversion_clear(&table);
    return EXIT_DONE;
}

static int show(const void *input, struct err *err)
{
    const struct input *in = input;
    struct rules r;
    if (in->table)
        return print_table(in, err);
    if (rules_open(in->reader, in->path, &r, err) < 0)
        return -1;
    tell_clamp(in);
    int status = 0;
    if (in->json)
        status = print_json(in, &r, err);
    else if (in->collective)
        print_answers(in, &r);
    else
        print_findings(in, &r);
    if (status == 0)
        status =
            any_below(i, r.found.n, r.found.v[i].severity == RULES_ERROR) ? EXIT_FAILED : EXIT_DONE;
    rules_close(&r);
    return status;
}

/* ---- parsing ---- */

/* A reader by its name; another one, of a library or an entry, when the cluster is known. */
static void take_library(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    const int asks = mpi_is_read(arg) && !rules_reader_find(arg);
    in->entry = asks ? arg : NULL;
    in->reader = asks ? NULL : options_take_reader(state, arg, 0);
}

/* The reader of the release that an entry has, or that is installed under a library's name. */
static void ask_installed(struct input *in, struct argp_state *state)
{
    char build[PATH_SIZE];
    struct cluster cluster;
    const int named = strcmp(mpi_family(in->entry), in->entry) != 0;
    options_choose(&in->options);
    const int known = (named || in->options.cluster_given) &&
                      options_cluster(&in->options, &cluster, &in->options.none) == 0;
    if (in->options.cluster_given && !known)
        argp_error(state, "--cluster: %s", in->options.none.text);
    const char *family = mpi_family(in->entry), *release = in->entry + strlen(family);
    const int is_entry = known && mpi_entries_find(&cluster.mpis, in->entry);
    if (named && !is_entry)
        in->reader = rules_reader_of(family, release + (*release == '-'));
    if (named && !is_entry && !in->reader)
        options_take_reader(state, in->entry, 0);
    if (in->reader) {
        if (known)
            cluster_free(&cluster);
        return;
    }
    library_version(known ? &cluster : NULL, in->entry,
                    options_build(&in->options, build, sizeof build, NULL) < 0 ? NULL : build,
                    in->installed, sizeof in->installed);
    in->reader = rules_reader_of(mpi_family(in->entry), in->installed);
    if (known)
        cluster_free(&cluster);
    if (in->reader)
        return;
    if (in->installed[0] >= '0' && in->installed[0] <= '9')
        argp_error(state,
                   "--library: %s %s is installed here: how that release reads files nobody here "
                   "has read (want one by name)",
                   in->entry, in->installed);
    else
        argp_error(state, "--library: the release of %s here is not known (want its name)",
                   in->entry);
}

/* Refuses nodes of which all numbers of processes leave some empty, and too few for one number. */
static void check_nodes(const struct input *in, struct argp_state *state)
{
    const uint64_t nodes = (uint64_t)in->nodes, room = nodes * (uint64_t)in->ppn;
    uint64_t most = 0;
    for (size_t i = 0; i < in->procs.n; i++)
        most = in->proc[i] > most ? in->proc[i] : most;
    for (size_t i = 0; i < in->procs.n; i++)
        if (most < nodes || (room && room < in->proc[i]))
            argp_error(state, "there are no %llu processes on %d nodes%s",
                       (unsigned long long)in->proc[i], in->nodes,
                       in->ppn ? ", so few on one" : "");
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (in->entry)
        ask_installed(in, state);
    if (!in->path)
        argp_error(state, "want a FILE of rules, or write, check, verify, stale");
    else if (!in->reader)
        argp_error(state, "--library is wanted: whose rules they are, such as openmpi-5");
    else if (!in->table && (!in->collective != !in->procs.n || !in->collective != !in->bytes.n))
        argp_error(state, "--collective, --procs and --bytes are wanted together");
    if (in->collective && in->reader && in->reader->component && !in->nodes && !in->ppn)
        argp_error(state, "--nodes or --ppn is wanted: on one node nobody asks component %s",
                   in->reader->component);
    if (!in->collective && (in->level || (in->nodes && !in->table) || in->ppn))
        argp_error(state, "--nodes, --ppn and --level are of a call (want --collective, too)");
    if ((in->to.device || in->to.element_bytes) && !(in->table && in->reader && in->reader->beside))
        argp_error(state, "--device and --element are for --table of MPICH's files");
    if (in->table && (in->collective || in->bytes.n || in->json))
        argp_error(state, "--table prints all rules as a table (without --collective, --bytes and "
                          "--json)");
    if (in->level && in->reader && !in->reader->component)
        argp_error(state, "--level is of files of component han");
    for (size_t i = 0; i < in->procs.n; i++)
        if (!in->proc[i])
            argp_error(state, "--procs: '0' is out of range (want 1 to %d)", 1 << 28);
    check_nodes(in, state);
}

static const char *const levels[] = { "global_communicator", "inter_node", "intra_node", NULL };

static const struct option_row rows[] = {
    { "library", 0, "NAME",
      "Whose reader: openmpi-4.0, openmpi-4.1, openmpi-5.0.0 (before 5.0.7), openmpi-5, openmpi-6, "
      "openmpi-4.1-han, openmpi-5-han, openmpi-6-han, mpich-4.0, mpich-4.1, mpich-4.2, "
      "mpich-4.3[-gpu], mpich-5.0[-gpu], libcollsel; openmpi, mpich: of the release that is "
      "installed here; a section [mpi NAME] of the cluster file: of that MPI",
      .take = take_library },
    { "cluster", 'c', "NAME", "Cluster whose file has the section (as elsewhere)",
      OPTION_TO(options.cluster), .given = 1 + offsetof(struct input, options.cluster_given) },
    { "clusters", 0, "DIR", "Directory of cluster files (default: clusters)",
      OPTION_TO(options.clusters) },
    { "collective", 0, "NAME", "Ask what calls of this collective get (with --procs and --bytes)",
      OPTION_COLLECTIVE_TO(collective) },
    { "procs", 'p', "P,...", "Processes", OPTION_LIST_TO(procs, parse_u64, 1 << 28) },
    { "bytes", 'm', "BYTES,...", "Message sizes per process, as the call names them",
      OPTION_LIST_TO(bytes, parse_bytes, (uint64_t)1 << 50) },
    { "nodes", 0, "N", "Nodes (default: one; of files of han --nodes or --ppn is wanted)",
      OPTION_RANGE(nodes, 1, 1 << 24) },
    { "ppn", 0, "K", "Most processes on a node", OPTION_RANGE(ppn, 1, 1 << 24) },
    { "level", 0, "NAME",
      "Of han: whose call it is: the program's (global_communicator, the default), or one that "
      "han makes between nodes (inter_node) or inside one (intra_node)",
      OPTION_TO(level), .words = levels, .refused = "none" },
    { "table", 0, NULL,
      "Print what the file says as a table of libcollsel, for 2 to 1024 processes, or those of "
      "--procs",
      OPTION_TO(table) },
    { "device", 0, "FILE", "With --table: the file of MPICH's device, which decides before",
      OPTION_TO(to.device) },
    { "element", 0, "BYTES", "With --table: size of an element, as MPICH counts some (default: 1)",
      OPTION_NUMBER_TO(to.element_bytes, parse_bytes) },
    { "json", 0, NULL, "Findings and answers as JSON", OPTION_TO(json) },
    { 0 },
};

static struct input asked = { .procs = { asked.proc, MOST_ASKED, 0 },
                              .bytes = { asked.byte, MOST_ASKED, 0 } };

const struct command cmd_rules = {
    .name = "rules",
    .help = "what an MPI library makes of a file of rules",
    .words = "FILE",
    .doc = "Reads a file of rules as the named release of an MPI library would. Without "
           "--collective: what is wrong with it, line by line. With it: which algorithm a call "
           "gets, and which line decides. Exits with 1 where the file is not loaded, or a rule "
           "of it makes calls fail or hang.",
    .rows = rows,
    .shared = &options_none,
    .input = &asked,
    .check = check,
    .word = { INPUT_AT(path) },
    .run = show,
};
