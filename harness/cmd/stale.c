/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel rules stale: what has changed since something was measured, or a file of rules was made.
 */
#include "harness/base/json_print.h"
#include "harness/cmd/tuned_file.h"
#include "harness/run/stale.h"
#include "harness/study/manifest.h"

struct input {
    struct options options; /* first, for the common parser */
    const char *file;       /* of rules; NULL: the study's results */
    int json;
};

static void print_change(const struct stale_change *c)
{
    printf("  %-13s %s", c->part, c->what);
    if (*c->was || *c->is)
        printf(": was '%s', is '%s'", c->was, c->is);
    if (!c->matters)
        printf(" (does not matter: %s)", c->why);
    else if (*c->why)
        printf(" (%s)", c->why);
    puts("");
}

static void print_text(const struct stale *s, const char *dir)
{
    printf("%s, measured until %s, digest %s:\n", dir,
           *s->measured ? s->measured : "a time that is not said", s->digest);
    for (size_t i = 0; i < s->n; i++)
        print_change(&s->row[i]);
    if (s->elsewhere)
        puts("  (kernel, processor and link of the nodes are not compared: jobs run there, not "
             "here)");
    if (s->matters)
        printf("stale: %zu change%s\n", s->matters, of_number(s->matters, " matters", "s matter"));
    else
        puts("nothing that matters has changed");
}

static int print_json(const struct stale *s, const char *dir, struct err *err)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->n; i++) {
        const struct stale_change *c = &s->row[i];
        json_array_append_new(rows,
                              json_pack("{s:s, s:s, s:o, s:o, s:b, s:o}", "part", c->part, "what",
                                        c->what, "was", json_word(c->was), "is", json_word(c->is),
                                        "matters", c->matters, "why", json_word(c->why)));
    }
    return json_print(json_pack("{s:s, s:o, s:s, s:b, s:b, s:o}", "results", dir, "measured",
                                json_word(s->measured), "digest", s->digest, "stale",
                                s->matters > 0, "nodes_not_seen", s->elsewhere, "changes", rows),
                      err);
}

/* Exit status 1 where something that matters has changed. */
static int tell(const struct input *in, struct stale *s, const char *dir, struct err *err)
{
    int status = 0;
    if (in->json)
        status = print_json(s, dir, err);
    else
        print_text(s, dir);
    if (status == 0)
        status = s->matters ? EXIT_FAILED : EXIT_DONE;
    stale_clear(s);
    return status;
}

/* dir: of the results; NULL: where the options have them. */
static int compare(const struct input *in, const char *dir, const struct stale_head *head,
                   struct err *err)
{
    struct cluster cluster;
    struct study study;
    struct stale stale;
    char own[PATH_SIZE], build[PATH_SIZE], why[WHY_SIZE];
    if (options_load(&in->options, &cluster, &study, err) < 0)
        return -1;
    const struct backend *b = backend_choose(in->options.backend, &cluster, why, err);
    int status = b ? 0 : -1;
    if (status == 0 && !dir)
        status = options_dir(&in->options, &cluster, &study, own, sizeof own, err);
    if (status == 0)
        status = options_build(&in->options, build, sizeof build, err);
    const struct sweep_request request = {
        .cluster = &cluster, .study = &study, .backend = b, .dir = dir ? dir : own, .build = build
    };
    if (status == 0)
        status = stale_of_study(&request, &stale, err);
    if (status == 0 && head)
        stale_add_head(head, &stale);
    if (status == 0)
        status = tell(in, &stale, request.dir, err);
    study_free(&study);
    cluster_free(&cluster);
    return status;
}

static size_t last_line(const char *text)
{
    size_t n = 1;
    for (; *text; text++)
        n += *text == '\n' && text[1];
    return n;
}

/* A file that was cut off has its head all the same. */
static int check_whole(const char *path, struct err *err)
{
    size_t len;
    struct rules file;
    char *text = rules_read(path, &len, err);
    if (!text)
        return -1;
    const struct rules_reader *reader = tuned_file_reader(text);
    int status = 0;
    if (reader) {
        rules_of_text(reader, text, len, &file);
        if (!file.loaded || !len || !strchr("\n }", text[len - 1]))
            status = err_set(err,
                             "%s:%zu: it is not as it was written: cut off, or changed; %s does "
                             "not load it (`collsel rules` says why; export it again)",
                             path, last_line(text), reader->name);
        rules_close(&file);
    }
    free(text);
    return status;
}

/* What a head names is found from where the file was made. */
static int check_there(const struct input *in, const struct stale_head *head, struct err *err)
{
    if (*head->from == '/' || fs_exists(head->from))
        return 0;
    return err_set(err,
                   "%s: it was made of '%s', which is not there below this directory (want: call "
                   "it where `collsel rules write` or `collsel rules verify` was called)",
                   in->file, head->from);
}

/* By the head of a file of rules: the study whose results it names. */
static int compare_file(const struct input *in, struct err *err)
{
    struct input study = *in;
    struct stale_head head;
    struct stale stale;
    char cluster_file[PATH_SIZE], study_file[PATH_SIZE], backend[NAME_SIZE];
    if (stale_head_read(in->file, &head, err) < 0 || check_whole(in->file, err) < 0 ||
        check_there(in, &head, err) < 0)
        return -1;
    const int measured = stale_files(head.from, cluster_file, study_file, err);
    if (measured < 0 || manifest_backend(head.from, backend, sizeof backend, err) < 0)
        return err_prefix(err, "%s", in->file);
    if (!measured) {
        if (stale_of_dataset(head.from, &stale, err) < 0)
            return -1;
        stale_add_head(&head, &stale);
        return tell(in, &stale, head.from, err);
    }
    study.options.cluster = cluster_file;
    study.options.study = study_file;
    study.options.backend = strcmp(backend, "emulated") == 0 ? "slurm" : backend;
    return compare(&study, head.from, &head, err);
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    return in->file ? compare_file(in, err) : compare(in, NULL, NULL, err);
}

static const struct option_row rows[] = {
    { "json", 0, NULL, "The same as JSON", OPTION_TO(json) },
    { 0 },
};

const struct command cmd_stale = {
    .name = "stale",
    .help = "what has changed since it was measured",
    .words = "[FILE]",
    .doc = "Says what has changed since a study was measured, or since FILE, rules that "
           "`collsel rules write` or `collsel rules verify` wrote, was made of one: libraries and "
           "their versions, kernel, processor and link of this machine, the cluster file and the "
           "study file key by key, the environment of launches, their digest. Exits with 1 where "
           "something changed that matters to the times, or FILE was cut off or is no longer read "
           "as rules; a rule in it that was edited is not seen. Results that FILE names by a "
           "relative path are looked for below the working directory. Writes nothing.",
    .word = { INPUT_AT(file) },
    .rows = rows,
    .shared = &options_of_study,
    .input = &(struct input){},
    .run = run,
};
