/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel cluster new: the file of a machine, from what it says of itself and presets. */
#include <time.h>
#include <unistd.h>

#include "harness/base/json_print.h"
#include "harness/base/subprocess.h"
#include "harness/cmd/options.h"
#include "harness/run/features.h"
#include "harness/study/simulation_costs.h"

/* A cluster file under construction: a value and its source for each key.
 *
 * It starts from a preset (clusters/presets/NAME.ini, cluster files of two nodes);
 * better values replace those of the preset. Keys without a value are not written.
 * Presets have all keys that affect simulated time, so no cost is zero by omission. */

struct cluster_draft {
    char **text;   /* by index of cluster_keys; NULL: not said */
    char **source; /* where it is from; NULL: not said */
};

/* What a preset says of itself, not of the machine that begins with it. */
static int is_own(const char *key)
{
    static const char *const own[] = { "name", "title", "nodes", "sockets", "cores" };
    return any_below(i, sizeof own / sizeof *own, strcmp(key, own[i]) == 0);
}

/* Sets a key's value and its source (NULL: no remark). The key is one of cluster_keys. */
static void cluster_draft_set(struct cluster_draft *draft, const char *key, const char *text,
                              const char *source)
{
    const int i = keys_find(&cluster_keys, key);
    memory_free(draft->text[i], draft->source[i]);
    draft->text[i] = memory_text(text);
    draft->source[i] = source && *source ? memory_text(source) : NULL;
}

/* Starts from the preset, except the keys of the machine
 * itself: name, title, nodes, sockets, cores. */
static void cluster_draft_begin(struct cluster_draft *draft, const struct cluster *preset)
{
    draft->text = memory_zeros(cluster_keys.n, sizeof *draft->text);
    draft->source = memory_zeros(cluster_keys.n, sizeof *draft->source);
    for (size_t i = 0; i < cluster_keys.n; i++) {
        const struct setting *s = &preset->settings.v[i];
        if (s->line > 0 && !is_own(cluster_keys.keys[i].name))
            cluster_draft_set(draft, cluster_keys.keys[i].name, s->text, s->note);
    }
}

/* Writes the file's sections in the order of cluster_keys, and [sources]. */
static void cluster_draft_write(const struct cluster_draft *draft, FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < cluster_keys.n; i++) {
        const struct key *k = &cluster_keys.keys[i];
        if (!draft->text[i])
            continue;
        if (strcmp(section, k->section) != 0)
            fprintf(out, "%s[%s]\n", *section ? "\n" : "", k->section);
        section = k->section;
        fprintf(out, "%s = %s\n", k->name, draft->text[i]);
    }
    fputs("\n[sources]\n", out);
    for (size_t i = 0; i < cluster_keys.n; i++)
        if (draft->text[i] && draft->source[i])
            fprintf(out, "%s = %s\n", cluster_keys.keys[i].name, draft->source[i]);
}

enum { MOST_NODES = 1000000, MOST_SOCKETS = 64, MOST_CORES = 1024, MOST_THREADS = 8 };

static const char *const from_options = "as given to collsel cluster new";

struct input {
    struct options options; /* first, for the common parser */
    const char *name, *link, *partition, *title;
    int nodes, sockets, cores, threads; /* 0: not given */
    int dry_run, json;
    int asked; /* 1: Slurm said what the partition's nodes are */
};

/* ---- what the machine says ---- */

/* A number that was found; 0: it is none. */
static int64_t number_of(const char *text)
{
    int64_t n;
    return parse_i64(text, &n, NULL) == 0 ? n : 0;
}

/* Hardware of this machine goes into the file unless the nodes are said to be others. */
static int is_like_here(const struct input *in, const struct features *here)
{
    const struct {
        const char *key;
        int given;
    } rows[] = { { "sockets", in->sockets }, { "cores", in->cores }, { "threads", in->threads } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < here->n; k++)
            if (rows[i].given && strcmp(here->row[k].key, rows[i].key) == 0 &&
                number_of(here->row[k].value) != rows[i].given)
                return 0;
    return 1;
}

static void take_here(struct cluster_draft *draft, const struct features *here)
{
    char source[FOUND_TEXT + 64];
    for (size_t i = 0; i < here->n; i++) {
        const struct found *f = &here->row[i];
        if (!*f->value)
            continue;
        snprintf(source, sizeof source, "the machine that collsel cluster new ran on: %s",
                 f->source);
        cluster_draft_set(draft, f->key, f->value, source);
    }
}

/* "16|2|32|1": nodes, sockets, cores and threads of the one kind of node of a partition. */
static int read_row(const char *row, struct input *in)
{
    int v[4];
    char rest;
    if (sscanf(row, "%d|%d|%d|%d%c", &v[0], &v[1], &v[2], &v[3], &rest) != 4)
        return -1;
    int *const to[] = { &in->nodes, &in->sockets, &in->cores, &in->threads };
    for (size_t i = 0; i < 4; i++)
        if (!*to[i])
            *to[i] = v[i];
    return 0;
}

/* No Slurm answers: what is missing is asked for, or taken from this machine, as without a
 * partition. */
static void tell_unasked(const struct input *in, const char *why)
{
    fprintf(stderr,
            "--partition %s: its nodes are not known from Slurm: %s; the file names the partition "
            "anyway (--nodes, --sockets, --cores and --threads describe them)\n",
            in->partition, why);
}

/* Asks Slurm what the partition's nodes are; what was given goes before. */
static int ask_slurm(struct input *in, struct err *err)
{
    enum { ANSWER_SECONDS = 20 };
    char out[4096] = "", *save = NULL;
    const char *const args[] = {
        "sinfo", "-h", "-e", "-p", in->partition, "-o", "%D|%X|%Y|%Z", NULL
    };
    const int status =
        run_find("sinfo", NULL, 0) ? run_capture_for(args, ANSWER_SECONDS, out, sizeof out) : -1;
    char *row = strtok_r(out, "\n", &save);
    if (status != 0) {
        tell_unasked(in, status < 0 ? "there is no sinfo here"
                         : row      ? text_disarm(row)
                                    : "sinfo says nothing");
        return 0;
    }
    if (!row)
        return err_usage(err, "--partition: Slurm has no nodes in a partition '%s'", in->partition);
    char *more = strtok_r(NULL, "\n", &save);
    if (more && !(in->nodes && in->sockets && in->cores && in->threads))
        return err_usage(err,
                         "--partition: the nodes of '%s' are not all alike ('%s' and '%s': "
                         "nodes|sockets|cores|threads; want --nodes, --sockets, --cores and "
                         "--threads of those to use)",
                         in->partition, text_disarm(row), text_disarm(more));
    in->asked = !more;
    if (!more && read_row(row, in) < 0)
        return err_set(err,
                       "sinfo -p %s: '%s' is not understood (want nodes|sockets|cores|threads)",
                       in->partition, text_disarm(row));
    return 0;
}

/* The preset that fits the adapter seen here, or NULL. */
static const char *link_of(const struct features *here)
{
    static const struct {
        const char *adapter;
        int speed;
        const char *preset;
    } rows[] = {
        { "ethernet", 10, "10gbe" },  { "ethernet", 25, "25gbe" },  { "ethernet", 100, "100gbe" },
        { "infiniband", 100, "edr" }, { "infiniband", 200, "hdr" }, { "infiniband", 400, "ndr" },
        { "omni-path", 100, "opa" },
    };
    const char *adapter = "";
    double speed = 0;
    for (size_t i = 0; i < here->n; i++) {
        if (strcmp(here->row[i].key, "adapter") == 0)
            adapter = here->row[i].value;
        if (strcmp(here->row[i].key, "link_speed") == 0)
            speed = strtod(here->row[i].value, NULL);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(adapter, rows[i].adapter) == 0 && speed == rows[i].speed)
            return rows[i].preset;
    return NULL;
}

/* ---- questions ---- */

/* Asks on the terminal; an empty answer is the one in brackets. 0, or -1: nobody answers. */
static int ask(const char *question, const char *fallback, char *answer, size_t size)
{
    fprintf(stderr, *fallback ? "%s [%s]: " : "%s: ", question, fallback);
    if (!fgets(answer, (int)size, stdin))
        return -1;
    answer[strcspn(answer, "\n")] = '\0';
    if (!*answer)
        snprintf(answer, size, "%s", fallback);
    return 0;
}

/* A number that is missing: from the terminal. 0, or -1 with *err. */
static int ask_number(const char *question, const char *option, int most, int *value,
                      struct err *err)
{
    char answer[64];
    int64_t n = 0;
    while (!*value) {
        if (!isatty(STDIN_FILENO) || ask(question, "", answer, sizeof answer) < 0)
            return err_usage(err, "%s is missing (1 to %d)", option, most);
        if (parse_i64(answer, &n, NULL) == 0 && n >= 1 && n <= most)
            *value = (int)n;
        else
            fprintf(stderr, "'%s' is not a number from 1 to %d\n", text_disarm(answer), most);
    }
    return 0;
}

static int load_preset(const struct input *in, const char *link, struct cluster *preset,
                       struct err *err)
{
    char dir[PATH_SIZE], path[PATH_SIZE];
    if (fs_path(dir, sizeof dir, err, "%s/presets", in->options.clusters) < 0)
        return -1;
    if (find_ini("preset", dir, link, path, sizeof path, err) < 0)
        return err_prefix(err, "--link");
    if (cluster_load(dir, link, preset, err) < 0)
        return -1;
    if (in->nodes == 1 || preset->link_rate > 0)
        return 0;
    cluster_free(preset);
    return err_usage(err,
                     "--link: '%s' says nothing of a network (want 10gbe, 25gbe, 100gbe, edr, hdr, "
                     "ndr, opa, or another of %s/presets)",
                     link, in->options.clusters);
}

/* The preset of the link: as given, as seen here, or as answered. */
static int find_preset(const struct input *in, const struct features *here, struct cluster *preset,
                       struct err *err)
{
    const char *const seen = link_of(here);
    char answer[KEY_WORD];
    if (in->link)
        return load_preset(in, in->link, preset, err);
    while (isatty(STDIN_FILENO) && ask("Network: 10gbe, 25gbe, 100gbe, edr, hdr, ndr, opa",
                                       seen ? seen : "", answer, sizeof answer) == 0) {
        if (load_preset(in, answer, preset, err) == 0)
            return 0;
        fprintf(stderr, "%s\n", err->text);
        *err = (struct err){ 0 };
    }
    if (seen)
        return load_preset(in, seen, preset, err);
    return err_usage(err,
                     "--link is missing, and no adapter that a preset fits is seen here (want "
                     "10gbe, 25gbe, 100gbe, edr, hdr, ndr, opa, or another of %s/presets; or, "
                     "for this machine alone, no file: --cluster local)",
                     in->options.clusters);
}

/* ---- the file ---- */

static void set_number(struct cluster_draft *draft, const char *key, int value, const char *source)
{
    char text[32];
    snprintf(text, sizeof text, "%d", value);
    cluster_draft_set(draft, key, text, source);
}

/* Memory is measured only where the nodes are like this machine. */
static int fill(struct cluster_draft *draft, const struct input *in, struct features *here,
                struct err *err)
{
    const int like_here = is_like_here(in, here);
    const char *const from = in->asked ? "Slurm's partition, or as given" : from_options;
    char title[KEY_TEXT_MAX];
    snprintf(title, sizeof title, "%s", in->title ? in->title : in->name);
    cluster_draft_set(draft, "name", in->name, NULL);
    cluster_draft_set(draft, "title", text_disarm(title), NULL);
    set_number(draft, "nodes", in->nodes, from);
    if (like_here && features_find("", 0, here, err) < 0)
        return -1;
    if (like_here)
        take_here(draft, here);
    const struct {
        const char *key;
        int value;
    } rows[] = { { "sockets", in->sockets }, { "cores", in->cores }, { "threads", in->threads } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value)
            set_number(draft, rows[i].key, rows[i].value, from);
    if (in->partition)
        cluster_draft_set(draft, "partition", in->partition, NULL);
    if (in->nodes == 1) /* no network */
        cluster_draft_set(draft, "network", "none", NULL);
    return 0;
}

static void head(const struct input *in, FILE *out)
{
    char day[32];
    const time_t now = time(NULL);
    struct tm tm;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &tm));
    fprintf(out,
            "; %s. Written by collsel cluster new on %s. [sources] says of each value where it is "
            "from; what begins with\n"
            "; \"preset\" is of a common machine and not of this one: replace it by a data sheet "
            "or a measurement. Keys: docs/cluster-file.md.\n",
            in->name, day);
}

/* Writes the file whole, and only when it can be loaded and simulated. */
static int write_file(const struct cluster_draft *draft, const struct input *in, const char *path,
                      struct err *err)
{
    struct whole_file f;
    struct cluster c;
    if (fs_mkdirs(in->options.clusters, err) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    head(in, f.file);
    cluster_draft_write(draft, f.file);
    fflush(f.file);
    int status = ferror(f.file) ? 0 : cluster_load("", f.tmp, &c, err);
    if (status == 0 && !ferror(f.file)) {
        status = costs_stated(&c, err);
        cluster_free(&c);
    }
    if (status < 0) {
        err_replace(err, f.tmp, path);
        err_prefix(err, "not written");
        fs_abandon(&f);
        return -1;
    }
    return fs_commit(&f, err);
}

static void say_presets(const struct cluster_draft *draft)
{
    int n = 0;
    for (size_t i = 0; i < cluster_keys.n; i++)
        if (draft->source[i] && strncmp(draft->source[i], "preset", 6) == 0)
            fprintf(stderr, "%s%s", n++ ? ", " : "taken from presets, not from this machine: ",
                    cluster_keys.keys[i].name);
    if (n)
        fputc('\n', stderr);
}

/* The next step: of make where that called, as README has it. */
static void say_next(const struct input *in, const char *path)
{
    struct options next = in->options;
    char words[NEXT_SIZE];
    next.cluster = in->name;
    next.study = "tune";
    fprintf(stderr, "wrote %s; next: ", path);
    if (getenv("MAKELEVEL") && strcmp(in->options.clusters, "clusters") == 0)
        fprintf(stderr, "make tune CLUSTER=%s%s LIBRARY=openmpi-4.1\n", in->name,
                in->partition ? "" : " BACKEND=walk");
    else
        fprintf(stderr, "%s openmpi-4.1\n",
                options_next(&next, "tune", in->partition ? NULL : "walk", words));
}

/* Each key that is written, with its value and where that is from. */
static int print_json(const struct cluster_draft *draft, const char *path, struct err *err)
{
    json_t *keys = json_object();
    for (size_t i = 0; i < cluster_keys.n; i++)
        if (draft->text[i])
            json_object_set_new(
                keys, cluster_keys.keys[i].name,
                json_pack("{s:s, s:s*}", "value", draft->text[i], "source", draft->source[i]));
    return json_print(json_pack("{s:s, s:o}", "output", path, "keys", keys), err);
}

static int finish(const struct cluster_draft *draft, const struct input *in, const char *path,
                  struct err *err)
{
    if (in->dry_run) {
        head(in, stdout);
        cluster_draft_write(draft, stdout);
        return EXIT_DONE;
    }
    if (write_file(draft, in, path, err) < 0)
        return -1;
    say_presets(draft);
    say_next(in, path);
    return in->json ? print_json(draft, path, err) : EXIT_DONE;
}

static int run(const void *input, struct err *err)
{
    struct input in = *(const struct input *)input;
    struct features here = { .n = 0 };
    struct cluster preset;
    struct cluster_draft draft;
    char path[PATH_SIZE];
    if (!text_is_name(in.name))
        return err_usage(err, "'%.60s' is not a name: %s", in.name, TEXT_WANT_NAME);
    if (fs_path(path, sizeof path, err, "%s/%s.ini", in.options.clusters, in.name) < 0)
        return -1;
    if (!in.dry_run && fs_exists(path))
        return err_set(err, "%s is there and not replaced (want another name, or remove it)", path);
    if ((in.partition && ask_slurm(&in, err) < 0) ||
        ask_number("Nodes", "--nodes", MOST_NODES, &in.nodes, err) < 0 ||
        features_find("", -1, &here, err) < 0 || find_preset(&in, &here, &preset, err) < 0)
        return -1;
    cluster_draft_begin(&draft, &preset);
    cluster_free(&preset);
    const int status = fill(&draft, &in, &here, err) < 0 ? -1 : finish(&draft, &in, path, err);
    for (size_t i = 0; i < cluster_keys.n; i++)
        memory_free(draft.text[i], draft.source[i]);
    memory_free(draft.text, draft.source);
    return status;
}

static void take_name(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    if (in->name)
        argp_error(state, "'%s': one NAME is enough", arg);
    in->name = arg;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->name)
        argp_error(state, "NAME is missing");
}

static const struct option_row rows[] = {
    { "nodes", 0, "N", "Nodes there are", .group = 1, OPTION_RANGE(nodes, 1, MOST_NODES) },
    { "sockets", 0, "N", "CPUs of a node (default: as here)", .group = 1,
      OPTION_RANGE(sockets, 1, MOST_SOCKETS) },
    { "cores", 0, "N", "Cores of a CPU (default: as here)", .group = 1,
      OPTION_RANGE(cores, 1, MOST_CORES) },
    { "threads", 0, "N", "Hardware threads of a core (default: as here)", .group = 1,
      OPTION_RANGE(threads, 1, MOST_THREADS) },
    { "link", 0, "PRESET",
      "What joins the nodes: 10gbe, 25gbe, 100gbe, edr, hdr, ndr, opa (clusters/presets/; "
      "default: what is seen here)",
      .group = 1, OPTION_TO(link) },
    { "partition", 0, "NAME", "Slurm partition: sinfo gives its nodes, sockets, cores and threads",
      .group = 1, OPTION_TO(partition) },
    { "title", 0, "TEXT", "One line about it for reports", .group = 1, OPTION_TO(title) },
    { "dry-run", 'n', NULL, "Print the file; write nothing", .group = 1, OPTION_TO(dry_run) },
    { "json", 0, NULL, "Print what was written, and where each value is from, as JSON", .group = 1,
      OPTION_TO(json) },
    { 0 },
};

static struct input asked;

const struct command cmd_new_cluster = {
    .name = "new-cluster",
    .help = "write the file of a machine",
    .words = "NAME",
    .doc = "Writes clusters/NAME.ini: the hardware as this machine shows it or as given, costs "
           "of messages from a preset of the link, each with its source. On a terminal it asks for "
           "missing values; elsewhere they are an error. An existing file is not replaced.",
    .rows = rows,
    .shared = &options_of_study,
    .input = &asked,
    .take_word = take_name,
    .check = check,
    .run = run,
};
