/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel rules write: a file of rules for an MPI library, from measurements or from a model. */
#include <sys/stat.h>

#include "harness/base/json_print.h"
#include "harness/cmd/asked_machine.h"
#include "harness/cmd/recommend_others.h"
#include "harness/cmd/tuned_file.h"
#include "harness/cmd/tuning_options.h"
#include "harness/rules/rollout.h"
#include "harness/run/progress.h"
#include "harness/study/manifest.h"
#include "harness/study/simulation_costs.h"
#include "reports/trust.h"
#include "reports/section_common.h"

/* ---- deploys our rules files in one of several forms (harness/rules/rollout.h) ---- */

/* A file of parameters, say, has a site's other lines. */
static int check_not_others(const char *output, struct err *err)
{
    char *text = fs_exists(output) ? fs_read(output, NULL, err) : memory_text("");
    const int ours = text && (!*text || strstr(text, "collsel"));
    free(text);
    return ours    ? 0
           : !text ? -1
                   : err_set(err,
                             "'%s' is there, and not written by collsel (want another --output, "
                             "and its lines added by hand)",
                             output);
}

static int put(const struct rollout_form *form, const struct rollout *r, const char *output,
               struct err *err)
{
    char *text = rollout_make(form, r, err);
    int status = text && (!output || check_not_others(output, err) == 0) ? 0 : -1;
    if (status == 0 && output)
        status = fs_write(output, text, err);
    else if (status == 0 && fputs(text, stdout) < 0)
        status = err_errno(err, "cannot print it");
    if (status == 0 && output && strncmp(text, "#!", 2) == 0 && chmod(output, 0755) < 0)
        status = err_errno(err, "%s", output);
    if (status == 0 && output)
        fprintf(stderr, "wrote %s\n", output);
    free(text);
    return status;
}

/* Prints the form for new rules that will be stored at path; beside: the
 * text of the second file next to it, or NULL. 0, or -1 with *err. */
static int rollout_of_text(const struct rollout_form *form, const struct rules_reader *reader,
                           const char *path, const char *text, const char *beside, struct err *err)
{
    char second[PATH_SIZE];
    struct rollout r = { { { reader, path, NULL, text, strlen(text) } }, 1 };
    if (beside) {
        if (fs_path(second, sizeof second, err, "%s%s", path, reader->beside) < 0)
            return -1;
        r.file[r.n++] =
            (struct rollout_file){ reader, second, reader->beside, beside, strlen(beside) };
    }
    return put(form, &r, NULL, err);
}

/* Reads one, and whether it would be loaded. Its text is the caller's, also after an error. */
static int read_file(const char *path, struct rollout_file *out, char **text, struct err *err)
{
    struct rules rules;
    *text = rules_read(path, &out->len, err);
    if (!*text)
        return -1;
    out->text = *text;
    out->reader = tuned_file_reader(*text);
    if (!out->reader)
        return err_set(err,
                       "%s: its head does not say whose rules they are (want a file of `collsel "
                       "rules write` or `collsel rules verify`)",
                       path);
    rules_of_text(out->reader, *text, out->len, &rules);
    const int loaded = rules.loaded;
    rules_close(&rules);
    return loaded ? 0
                  : err_set(err, "%s: %s would not load it (`collsel rules` says why)", path,
                            out->reader->name);
}

/* What goes beside one that was read; its text and its path are the caller's, as there. */
static int read_beside(const char *path, const struct rollout_file *of, struct rollout_file *out,
                       char at[PATH_SIZE], char **text, struct err *err)
{
    char own[PATH_SIZE];
    const char *ending = of->reader->beside;
    *out = (struct rollout_file){ of->reader, at, ending, NULL, 0 };
    if (fs_path(own, sizeof own, err, "%s%s", path, ending) < 0 ||
        fs_path(at, PATH_SIZE, err, "%s%s", of->path, ending) < 0)
        return -1;
    *text = rules_read(own, &out->len, err);
    out->text = *text;
    return *text ? 0 : err_prefix(err, "%s: what goes beside it", path);
}

/* Writes to output (NULL: prints) the form for existing files, each for the reader named in its
 * head, to be stored in the directory install (NULL: where they are). 0, or -1 with *err: a file or
 * its second file is missing, it has no head of ours, or its reader would not load it. */
static int rollout_of_files(const struct rollout_form *form, const char *const *path, size_t n,
                            const char *install, const char *output, struct err *err)
{
    char *text[ROLLOUT_FILES] = { NULL }, at[ROLLOUT_FILES][PATH_SIZE];
    struct rollout r = { .n = 0 };
    int status = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        struct rollout_file *f = &r.file[r.n];
        tuned_file_path(path[i], install, at[r.n]);
        f->path = at[r.n];
        status = read_file(path[i], f, &text[r.n], err);
        r.n++;
        if (status == 0 && f->reader->beside) {
            status = read_beside(path[i], f, &r.file[r.n], at[r.n], &text[r.n], err);
            r.n++;
        }
    }
    if (status == 0)
        status = put(form, &r, output, err);
    for (size_t i = 0; i < r.n; i++)
        free(text[i]);
    return status;
}

enum { MOST_ASKED = 64, MOST_COLLECTIVES = 32 };

struct input {
    struct tuning_input tuning; /* first, for the common parser */
    const char *model, *output;
    const char *machine; /* cluster that the rules are for; NULL: the one that was measured */
    const struct rollout_form *form; /* to roll out in; NULL: the rules alone are written */
    const char *file[ROLLOUT_FROM];  /* of rules that are there already: to be rolled out */
    size_t n_files;
    int json;
    const char *collective[MOST_COLLECTIVES + 1];
    size_t n_collectives;
    uint64_t proc[MOST_ASKED], byte[MOST_ASKED];
    struct options_list procs, bytes;
};

/* ---- the command ---- */

/* 1 when both say the same of two cells of a collective ("COLLECTIVE P = 8, size 64: WHAT: WHY").
 */
static int same_reason(const char *a, const char *b)
{
    const char *why_a = strstr(a, ": "), *why_b = strstr(b, ": ");
    return why_a && why_b && strcmp(why_a, why_b) == 0 && strcspn(a, " ") == strcspn(b, " ") &&
           strncmp(a, b, strcspn(a, " ")) == 0;
}

/* What no rule can say, each reason once, by its first cell. */
static void tell_left(const struct rules_findings *told)
{
    for (size_t i = 0; i < told->n; i++) {
        size_t before = 0, more = 0;
        while (before < i && !same_reason(told->v[before].text, told->v[i].text))
            before++;
        if (before < i)
            continue;
        for (size_t k = i + 1; k < told->n; k++)
            more += same_reason(told->v[i].text, told->v[k].text);
        fprintf(stderr, "left to the default: %s", told->v[i].text);
        if (more)
            fprintf(stderr, " (and so in %zu other cell%s)", more, plural(more));
        fputc('\n', stderr);
    }
}

static void tell(const struct tuning_question *q, const struct tuning *t,
                 const struct rules_made *made, const char *trust)
{
    char margin[32], most[32];
    fprintf(
        stderr,
        "%zu cell%s: in %zu something gains more than %s %%; the default stays in %zu (best, or "
        "tied), %zu (the gain may be less), %zu (not known)\n",
        t->cells, plural(t->cells), t->chosen, format_plain(q->margin_pct, margin, sizeof margin),
        t->best, t->margin, t->unknown);
    if (t->expected)
        fprintf(stderr, "in %zu of these the gain is expected, by the times of other cells\n",
                t->expected);
    if (t->kept)
        fprintf(stderr,
                "%zu of those choices are as fast as the fastest within %.3g %%, and stand in a "
                "neighbouring cell\n",
                t->kept, t->tie_pct);
    if (t->ordered + t->disordered)
        fprintf(
            stderr,
            "one order of combining in %zu cell%s: %s times slower in the mean than without, %s "
            "times at most; among %zu numbers of processes nothing keeps one\n",
            COUNTED(t->ordered),
            format_times(t->ordered ? mean_longer_pct(t->ordered_pct, t->ordered) : 0, margin,
                         sizeof margin),
            format_times(t->ordered_most_pct, most, sizeof most), t->disordered);
    if (t->other_release)
        fprintf(stderr,
                "the default that was beaten is that of %s: that of %s may decide otherwise\n",
                t->default_of, q->reader->name);
    tell_left(&made->told);
    if (made->ruled)
        fprintf(stderr,
                "%zu rule%s in %zu block%s, for %zu cell%s; read back in %zu call%s as intended\n",
                COUNTED(made->rules), made->blocks, plural(made->blocks), made->ruled,
                plural(made->ruled), COUNTED(made->replayed));
    if (made->ruled && trust)
        fprintf(stderr, "how far to trust these times: %s\n", trust);
}

/* All there is to say, so that it is said also where the rest is quiet. */
static void tell_nothing(const struct tuning_question *q, const struct tuning *t,
                         const char *output)
{
    const size_t choices = t->chosen + t->ordered;
    char margin[32];
    fputs("there is nothing to set: ", stderr);
    if (choices)
        fprintf(stderr, "none of %zu choice%s can be said by a file for %s, or has to be", choices,
                plural(choices), q->reader->name);
    else
        fprintf(stderr, "in none of %zu cell%s something gains more than %s %% for sure",
                COUNTED(t->cells), format_plain(q->margin_pct, margin, sizeof margin));
    if (!choices && t->unknown)
        fprintf(stderr, " (in %zu the gain, or how certain it is, is not known%s)", t->unknown,
                q->unsure ? "" : ": --no-interval");
    fputs("; no file is written\n", stderr);
    tuned_file_tell_old(output, stderr);
}

/* How the file is loaded: by lines that a user types, or as a site rolls it out. */
static int tell_use(const struct input *in, const struct rules_reader *reader, const char *text,
                    const char *beside, struct err *err)
{
    char path[PATH_SIZE];
    tuned_file_path(in->output, in->tuning.install, path);
    if (!in->tuning.options.quiet)
        tuned_file_tell_use(reader, in->output, in->tuning.install, stderr);
    return in->form ? rollout_of_text(in->form, reader, path, text, beside, err) : 0;
}

/* What tell and tell_nothing say. */
static int print_json(const struct input *in, const struct tuning_question *q,
                      const struct tuning *t, const struct rules_made *made, struct err *err)
{
    json_t *left = json_array();
    for (size_t i = 0; i < made->told.n; i++)
        json_array_append_new(left, json_string(made->told.v[i].text));
    return json_print(
        json_pack("{s:s, s:o, s:f, s:I, s:{s:I, s:I, s:I, s:I}, s:I, s:I, s:I, s:I, s:o}",
                  "library", q->reader->name, "output",
                  made->ruled ? json_string(in->output) : json_null(), "margin_pct", q->margin_pct,
                  "cells", (json_int_t)t->cells, "verdicts", "set", (json_int_t)t->chosen, "best",
                  (json_int_t)t->best, "margin", (json_int_t)t->margin, "unknown",
                  (json_int_t)t->unknown, "rules", (json_int_t)made->rules, "blocks",
                  (json_int_t)made->blocks, "cells_with_rule", (json_int_t)made->ruled, "read_back",
                  (json_int_t)made->replayed, "left", left),
        err);
}

static int write_tuning(const struct input *in, const struct tuning_question *q, const char *from,
                        const struct cluster *cluster, const struct tuning *t, struct err *err)
{
    struct rules_made made;
    char *trust = in->model ? NULL : trust_of_results(from, q->doubted, NULL);
    const struct tuned_file file = { .options = &in->tuning.options,
                                     .cluster = cluster,
                                     .question = q,
                                     .from = from,
                                     .is_model = in->model != NULL,
                                     .trust = trust,
                                     .output = in->output,
                                     .install = in->tuning.install };
    char *text = tuned_file_make(&file, t, &made, err);
    int status = !text ? -1 : made.ruled ? tuned_file_write(&file, t, text, &made, err) : 0;
    if (status == 0 && !in->tuning.options.quiet)
        tell(q, t, &made, trust);
    if (status == 0 && made.ruled && in->output)
        status = tell_use(in, q->reader, text, made.beside, err);
    if (status == 0 && !made.ruled && !in->json)
        tell_nothing(q, t, in->output);
    if (status == 0 && in->json)
        status = print_json(in, q, t, &made, err);
    memory_free(text, trust);
    rules_made_clear(&made);
    return status;
}

/* The cluster of the times, whose file names MPI entries. 0: there is no file of it here; -1 with
 * *err: it cannot be read. */
static int find_cluster(const struct input *in, const char *from, struct cluster *cluster,
                        struct err *err)
{
    const struct options *o = &in->tuning.options;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s", o->cluster);
    if (in->model)
        return 0;
    if (o->dataset && !o->cluster_given && manifest_cluster(from, name, sizeof name, err) < 0)
        return -1;
    return cluster_find(o->clusters, name, cluster, err);
}

static int choose_and_write(const struct input *in, const struct tuning_question *q,
                            const char *from, struct err *err)
{
    struct tuning tuning;
    struct cluster cluster;
    if ((in->model ? tuning_of_model(from, q, &tuning, err)
                   : tuning_of_results(from, q, &tuning, err)) < 0)
        return -1;
    tuning_options_tell_undecided(&tuning);
    const int known = find_cluster(in, from, &cluster, err);
    const int status =
        known < 0 ? -1 : write_tuning(in, q, from, known ? &cluster : NULL, &tuning, err);
    if (known > 0)
        cluster_free(&cluster);
    tuning_clear(&tuning);
    return status;
}

/* Numbers of processes that a machine has room for, and sizes, where none are given. */
static void choose_cells(const struct facts *machine, struct input *in)
{
    const uint64_t node = (uint64_t)machine->sockets * (uint64_t)machine->cores,
                   all = node * (uint64_t)(machine->nodes > 0 ? machine->nodes : 1);
    const int procs = !in->procs.n, bytes = !in->bytes.n;
    for (uint64_t p = 2; procs && p <= all && in->procs.n < MOST_ASKED; p *= 2)
        in->procs.v[in->procs.n++] = p;
    for (uint64_t m = 4; bytes && m <= 4 << 20; m *= 4)
        in->bytes.v[in->bytes.n++] = m;
}

/* Where nothing was measured, in no other study either, the model that ships chooses, about the
 * cluster that is meant, for the library that it knows. 0: it does not. */
static int use_shipped(struct input *in, const char *dir)
{
    static char path[PATH_SIZE];
    const struct options *o = &in->tuning.options;
    const struct rules_reader *reader = in->tuning.question.reader;
    if (!asked_nothing_measured(o, dir) || recommend_tell_others(dir, 0, NULL, NULL) || !reader ||
        reader->component || (!reader->schedules && !mpi_is(reader->library, "openmpi")) ||
        in->tuning.question.reproducible || !asked_first_model(o->clusters, path, sizeof path))
        return 0;
    in->model = path;
    in->machine = in->machine ? in->machine : o->cluster;
    if (!o->quiet)
        fprintf(stderr,
                "collsel rules write: nothing was measured in '%s': the model that ships (%s) "
                "answers for %s; no gain has an interval, and without --no-interval nothing is "
                "set\n",
                dir, asked_model_label(path), in->machine);
    return 1;
}

static int run(const void *input, struct err *err)
{
    struct input own = *(const struct input *)input, *in = &own;
    struct tuning_question q = in->tuning.question;
    struct facts machine;
    char dir[PATH_SIZE];
    if (in->n_files)
        return rollout_of_files(in->form, in->file, in->n_files, in->tuning.install, in->output,
                                err);
    q.collectives = in->n_collectives ? in->collective : NULL;
    if (!in->model && options_results(&in->tuning.options, dir, sizeof dir, err) < 0)
        return -1;
    const int shipped = !in->model && use_shipped(in, dir);
    if (in->machine && asked_machine(&in->tuning.options, in->machine, &machine, err) < 0)
        return -1;
    if (shipped && costs_stated(machine.costs, err) < 0)
        return -1;
    if (shipped)
        choose_cells(&machine, in);
    q.machine = in->machine ? &machine : NULL;
    if (!shipped &&
        asked_first(&in->tuning.options, in->model ? NULL : dir, in->model, &q.first, err) < 0)
        return -1;
    q.procs = in->procs.v;
    q.n_procs = in->procs.n;
    q.bytes = in->bytes.v;
    q.n_bytes = in->bytes.n;
    const char *from = in->model ? in->model : dir;
    q.reader = tuning_options_reader(&in->tuning, from, err);
    if (!q.reader)
        return -1;
    progress_at_work(!in->tuning.options.quiet);
    const int status = choose_and_write(in, &q, from, err);
    progress_at_work(0);
    return status;
}

/* ---- parsing ---- */

static void take_collectives(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    char *item;
    while ((item = strsep(&arg, ","))) {
        if (options_take_collective(state, item) && in->n_collectives < MOST_COLLECTIVES)
            in->collective[in->n_collectives++] = item;
    }
}

static void check_ascending(struct argp_state *state, const char *name,
                            const struct options_list *list)
{
    for (size_t i = 1; i < list->n; i++)
        if (list->v[i] <= list->v[i - 1])
            argp_error(state, "%s: numbers must ascend", name);
    if (list->n && !list->v[0] && strcmp(name, "--procs") == 0)
        argp_error(state, "--procs: '0' is out of range (want 1 to %d)", 1 << 24);
}

static void take_form(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    in->form = rollout_form_find(arg);
    if (!in->form)
        argp_error(state, "--as: '%s' is no form (want module, tcl, params, env, prolog or test)",
                   arg);
}

/* The head of the file says how to load it by its name, in lines. */
static void check_output(const char *output, struct argp_state *state)
{
    for (const char *c = output; c && *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            argp_error(state,
                       "--output, --from: a control character in the name (want none: the file's "
                       "head names it)");
}

/* What is there is rolled out as it is: nothing is chosen. */
static void check_rollout(const struct input *in, struct argp_state *state)
{
    if (in->n_files && !in->form)
        argp_error(state, "--from: wants --as FORM: how to roll it out");
    else if (in->n_files && (in->model || in->tuning.question.mpi || in->tuning.library ||
                             in->tuning.question.reader || in->tuning.options.study_given ||
                             in->tuning.options.dataset))
        argp_error(state, "--from: the file is there: nothing is chosen, so that it takes no "
                          "results, --model or --library");
    else if (in->form && !in->n_files && !in->output)
        argp_error(state, "--as: wants --output FILE for the rules, or --from FILE of rules that "
                          "are there");
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    check_rollout(in, state);
    check_output(in->output, state);
    if (in->json && (!in->output || in->form))
        argp_error(state, "--json: wants --output FILE for the rules, and no --as");
    if (in->n_files)
        return;
    asked_machine_check(state, &in->tuning.options, in->model, &in->machine);
    const struct rules_reader *reader = in->tuning.question.reader; /* NULL: by the measurements */
    const int schedules = reader && reader->schedules;
    if (in->model && !reader)
        argp_error(state, "--model: wants --library with a release");
    else if (in->tuning.question.mpi && in->model && !schedules)
        argp_error(state, "--mpi: a model says nothing of one MPI's times (want it without)");
    else if (in->tuning.question.reproducible &&
             (in->model || schedules || (reader && reader->component)))
        argp_error(state, "--reproducible is for files of algorithms, by times that were measured");
    else if (in->model && reader && reader->component)
        argp_error(state, "--model: files of component %s go by times that were measured",
                   reader->component);
    else if (in->model && (!in->procs.n || !in->bytes.n))
        argp_error(state, "--model: wants --procs and --bytes beside it");
    else if (in->tuning.question.likely && (!in->model || !schedules))
        argp_error(state, "--likely: is of --model and --library libcollsel");
    check_ascending(state, "--procs", &in->procs);
    check_ascending(state, "--bytes", &in->bytes);
}

static void take_from(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    if (in->n_files == ROLLOUT_FROM)
        argp_error(state, "--from: '%s' is one file too many (want at most %d)", arg, ROLLOUT_FROM);
    check_output(arg, state);
    in->file[in->n_files++] = arg;
}

static const struct option_row rows[] = {
    { "model", 0, "FILE", "Choices of what `collsel train` wrote, instead of a study or data set",
      OPTION_TO(model) },
    { "for", 0, "CLUSTER",
      "Rules for this cluster, not for the one that was measured: none of its cells counts as "
      "measured (with --model --cluster says the same)",
      OPTION_TO(machine) },
    { "collective", 0, "NAME,...", "These alone (default: all with times)",
      .take = take_collectives },
    { "procs", 'p', "P,...", "Cells of these processes (default: those that were measured)",
      OPTION_LIST_TO(procs, parse_u64, 1 << 24) },
    { "bytes", 'm', "BYTES,...", "Cells of these sizes (default: those that were measured)",
      OPTION_LIST_TO(bytes, parse_bytes, (uint64_t)1 << 50) },
    { "reproducible", 0, NULL,
      "Of collectives that combine, what keeps one order of combining for all sizes, also where "
      "the default is faster: results are the same to the bit",
      OPTION_TO(tuning.question.reproducible) },
    { "likely", 0, "N",
      "libcollsel, of a model: behind each choice the N likeliest, 0 to 3, which star tries",
      OPTION_RANGE(tuning.question.likely, 0, ADVICE_LIKELY) },
    { "output", 0, "FILE",
      "Where the rules go, whole or not at all (default: printed); with --from what rolls them out",
      OPTION_TO(output) },
    { "json", 0, NULL, "With --output: print what was decided as JSON", OPTION_TO(json) },
    { "as", 0, "FORM",
      "Prints besides how to roll them out: module (Lmod), tcl (Environment Modules), params "
      "(openmpi-mca-params.conf), env (exports), prolog (of Slurm's tasks), or test, a job that "
      "tests all that",
      .take = take_form },
    { "from", 0, "FILE",
      "With --as: rolls out rules that are there already; of several libraries at once where it is "
      "given again",
      .take = take_from },
    { 0 },
};

static struct input asked = { .tuning.question = TUNING_QUESTION_DEFAULT,
                              .procs = { asked.proc, MOST_ASKED, 0 },
                              .bytes = { asked.byte, MOST_ASKED, 0 } };

const struct command cmd_export = {
    .name = "export",
    .help = "a file of rules that an MPI library loads",
    .doc = "Writes a file of rules that an MPI library loads: in each cell what `collsel ask` "
           "says, among the library's own algorithms; where no gain is sure, the library decides. "
           "The file is read back as the library would read it. Its head has the lines that load "
           "it. Where there is nothing to set, it says so, writes no file and ends with 0. --as "
           "also prints what a site puts on its nodes so that jobs load the file; --from does "
           "that with files that are there.",
    .rows = rows,
    .shared = &options_of_tuning,
    .input = &asked,
    .check = check,
    .run = run,
};
