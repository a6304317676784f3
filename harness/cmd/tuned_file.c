/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/tuned_file.h"

#include <signal.h>
#include <unistd.h>

#include "harness/base/json_print.h"
#include "harness/base/subprocess.h"
#include "harness/cmd/asked_machine.h"
#include "harness/rules/load_lines.h"
#include "harness/run/libraries/built.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/libraries/mpi_library.h"
#include "harness/study/manifest.h"

/* Loads a rules file once in the installed library: the measuring program calls every collective
 * with it and checks the results (workloads/measure/measure.c). */

/* The library to test with. Borrowed. */
struct try_rules {
    const struct rules_reader *reader;
    const struct cluster *cluster; /* cluster with the entry; NULL: the library's own name */
    const char *entry;             /* of the reader's library: "openmpi", "openmpi-5" */
    const char *build;             /* directory of the measuring programs */
    FILE *chatter;                 /* stream for messages on builds; NULL: none */
};

enum { RANKS = 4, PATIENCE_S = 120, SAID = 400, TRIES = 3 };

/* MPICH's algorithms in a node's memory wait without giving up the core, of which there are fewer
 * than ranks: its others take their place. No file of ours speaks of them. */
static const char *const spinning[] = { "MPIR_CVAR_BARRIER_POSIX_INTRA_ALGORITHM=mpir",
                                        "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM=mpir",
                                        "MPIR_CVAR_REDUCE_POSIX_INTRA_ALGORITHM=mpir",
                                        "MPIR_CVAR_ALLREDUCE_POSIX_INTRA_ALGORITHM=mpir", NULL };

/* The variables that load a file (path NULL: of none), and the words that start ranks, each of
 * which does what our measuring program does by that option; nothing else is set. */
static int make_command(const struct try_rules *in, const char *path, const char *option,
                        struct argv *args, struct err *err)
{
    static const struct cluster here;
    static const struct launch few = {
        .mapping = "core", .nodes = 1, .ppn = RANKS, .procs = RANKS
    };
    const struct rules_reader *reader = in->reader;
    const struct library *library = library_find(reader->library);
    char program[PATH_SIZE], name[RULES_LOAD_NAME], value[PATH_SIZE];
    struct argv words = { 0 };
    struct installed mpi;
    library_look(in->cluster, in->entry, in->build, &mpi);
    library_program(in->cluster, in->entry, in->build, program, sizeof program);
    const struct launcher *launcher = library_launcher(library, mpi.version, 0, &here, err);
    if (!launcher) {
        installed_free(&mpi);
        return -1;
    }
    struct launcher plain = *launcher;
    plain.settings = plain.env = NULL;
    const struct job job = { .launch = &few,
                             .cluster = &here,
                             .program = program,
                             .build = in->build,
                             .crowded = 1,
                             .launcher = &plain,
                             .mpi = &mpi };
    argv_add(args, "env");
    for (const char *const *quiet = spinning; reader->by_name && *quiet; quiet++)
        argv_add(args, "%s", *quiet);
    for (const struct rules_load *s = reader->load; path && s->name; s++)
        argv_add(args, "%s=%s", rules_load_variable(reader, s, name),
                 rules_load_value(s, path, value));
    launcher_command(&plain, &job, &words, args);
    for (size_t i = 0; i < words.n; i++)
        argv_add(args, "%s", words.v[i]);
    argv_add(args, "%s", option);
    argv_free(&words);
    installed_free(&mpi);
    return 0;
}

/* The first lines of what was printed, in one. */
static void first_words(char *out, char said[SAID])
{
    size_t n = 0;
    char *line, *rest = out;
    said[0] = '\0';
    while ((line = strsep(&rest, "\n")) && n + 1 < SAID)
        if (line[strspn(line, " \t=-")])
            n += (size_t)snprintf(said + n, SAID - n, "%s%s", n ? "; " : "", text_disarm(line));
}

/* Runs the command; returns its status. MPICH's launcher, where ranks end at once, may lose what
 * they print, or end by SIGPIPE as it passes its input on: then once more, at most TRIES times. */
static int run_job(const struct argv *args, char *out, size_t size)
{
    int status, tries = 0;
    do
        status = run_capture_for((const char *const *)args->v, PATIENCE_S, out, size);
    while (++tries < TRIES && !*out && (status == 0 || status == 128 + SIGPIPE));
    return status;
}

/* Does a launcher start ranks here at all? On login nodes of some sites none does. */
static int starts_ranks(const struct try_rules *in, char *why)
{
    struct argv args = { 0 };
    struct err err = { 0 };
    char out[1 << 14], said[SAID];
    if (make_command(in, NULL, "--library", &args, &err) < 0) {
        snprintf(why, REASON_SIZE, "%.150s", err.text);
        return 0;
    }
    const int status = run_job(&args, out, sizeof out);
    argv_free(&args);
    if (status == 0 && strstr(out, "library: "))
        return 1;
    first_words(out, said);
    snprintf(why, REASON_SIZE, "%s starts no job of %d ranks here (status %d): %.80s", in->entry,
             RANKS, status, said);
    return 0;
}

/* 1 when the entry is installed here in a release of the reader's, with our measuring
 * program (built if the cluster names the entry), and its launcher starts it; else
 * why (REASON_SIZE) gets the cause. version (VERSION_SIZE): the installed release. */
static int try_rules_here(const struct try_rules *in, char *version, char *why)
{
    const struct rules_reader *reader = in->reader;
    snprintf(version, VERSION_SIZE, "unknown");
    if (in->cluster)
        built_update(in->cluster, in->entry, in->build, in->chatter);
    if (!library_ready(in->cluster, in->entry, in->build, why))
        return 0;
    library_version(in->cluster, in->entry, in->build, version, VERSION_SIZE);
    if (*version >= '0' && *version <= '9' && version_within(version, reader->from, reader->below))
        return starts_ranks(in, why);
    snprintf(why, REASON_SIZE, "%s %s is installed here, of another release", in->entry, version);
    return 0;
}

/* Starts a small job with the file at that path and its second file: a few seconds.
 * 0; or -1 with *err: the library's message, or the failed call. *apart 1: the
 * library treats each rank as alone on its node, though all are on this one. */
static int try_rules(const struct try_rules *in, const char *path, int *apart, struct err *err)
{
    struct argv args = { 0 };
    char out[1 << 14], said[SAID];
    if (make_command(in, path, "--try", &args, err) < 0)
        return -1;
    const int status = run_job(&args, out, sizeof out);
    argv_free(&args);
    *apart = strstr(out, "each rank on another node") != NULL;
    if (status == 0 && strstr(out, "tried "))
        return 0;
    if (status == 128 + SIGALRM)
        return err_set(err, "a program that loads it does not end within %d s", PATIENCE_S);
    first_words(out, said);
    return err_set(err, "a program that loads it fails (status %d): %s", status, said);
}

enum { MOST_REMARKS = 48 };

struct remarks {
    char *line[MOST_REMARKS + 1]; /* owned; ends with NULL */
    size_t n;
};

static void remark(struct remarks *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void remark(struct remarks *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (r->n < MOST_REMARKS)
        r->line[r->n++] = text_disarm(memory_print(fmt, args)); /* a line stays one */
    va_end(args);
}

void tuned_file_path(const char *output, const char *install, char path[PATH_SIZE])
{
    char here[PATH_SIZE];
    const char *slash = output ? strrchr(output, '/') : NULL;
    snprintf(path, PATH_SIZE, "%s", output ? output : "FILE");
    if (install) {
        const size_t len = strlen(install);
        fs_path(path, PATH_SIZE, NULL, "%s%s%s", install, install[len - 1] == '/' ? "" : "/",
                slash    ? slash + 1
                : output ? output
                         : "FILE");
    } else if (output && *output != '/' && getcwd(here, sizeof here) &&
               fs_path(path, PATH_SIZE, NULL, "%s/%s", here, output) < 0)
        snprintf(path, PATH_SIZE, "%s", output);
}

/* What a head begins with, and is known by. */
static const char begins[] = "Rules for ";

const struct rules_reader *tuned_file_reader(const char *text)
{
    char line[256];
    for (const struct rules_reader *const *r = rules_readers; *r; r++) {
        snprintf(line, sizeof line, "%s%s", begins, (*r)->help);
        const char *at = strstr(text, line), *end = at ? at + strlen(line) : NULL;
        if (at && (*end == '\n' || *end == '"' || !*end))
            return *r;
    }
    return NULL;
}

static void remark_loading(const struct rules_reader *reader, const char *path, struct remarks *r)
{
    struct argv lines = { 0 };
    char *back = rules_load_back(reader);
    rules_load_lines(reader, path, &lines);
    remark(r, "To load it:");
    for (size_t i = 0; i < lines.n; i++)
        remark(r, "  %s", lines.v[i]);
    remark(r, "To roll back:");
    remark(r, "  %s", back);
    argv_free(&lines);
    free(back);
}

/* 1 when the gain of a choice has one: times that are walked or simulated, or of one launch, have
 * none. */
static int has_interval(const struct tuning *t)
{
    return any_below(i, t->cells,
                     t->cell[i].verdict == TUNING_CHOSEN && isfinite(t->cell[i].low_pct));
}

/* Of a model: what it was learnt from, for which machine it was asked, and how far to trust that.
 */
static void remark_model(const struct tuned_file *f, const struct tuning *t, struct remarks *r)
{
    if (f->question->machine)
        remark(r, "for %s, without any time of it", t->machine);
    if (!f->is_model)
        return;
    remark(r, "learnt from %s; licence of the times: %s",
           *t->sources ? t->sources : "times that the file does not describe", t->licence);
    remark(r,
           "how far to trust these times: no cell was measured for this file%s; a study "
           "of the machine itself tells what its rules gain",
           t->simulated ? ", and no library ran: the times are simulated" : "");
}

/* In which library the file is tried: the entry whose times these are, where the cluster names it,
 * else what is called as its library is. 0: in none. */
static int where_to_try(const struct tuned_file *f, const struct tuning *t, char build[PATH_SIZE],
                        struct try_rules *in)
{
    const struct rules_reader *reader = f->question->reader;
    const int named = f->cluster && mpi_is(t->mpi, reader->library) &&
                      mpi_entries_find(&f->cluster->mpis, t->mpi);
    *in = (struct try_rules){ .reader = reader,
                              .cluster = named ? f->cluster : NULL,
                              .entry = named ? t->mpi : reader->library,
                              .build = build,
                              .chatter = f->options->quiet ? NULL : stderr };
    return !f->untried && f->output && reader->load &&
           options_build(f->options, build, PATH_SIZE, NULL) == 0;
}

/* A file that a library of its releases did not load is not written. */
static void remark_tried(const struct tuned_file *f, const struct tuning *t, struct remarks *r)
{
    char build[PATH_SIZE], version[VERSION_SIZE], why[REASON_SIZE];
    struct try_rules in;
    if (!where_to_try(f, t, build, &in))
        return;
    if (try_rules_here(&in, version, why))
        remark(r, "loaded once by %s %s, in a job of four ranks that calls every collective",
               in.entry, version);
    else
        remark(r, "not tried: %s", why);
}

/* The lines that load the file leave han out in all cells; those without a rule lose it, too. */
static void remark_left(const struct tuned_file *f, const struct tuning *t, struct remarks *r)
{
    static const char what[] = "leaving han out (coll = ^han)";
    char mean[32], most[32];
    const struct tuning_left *l = &t->left;
    const size_t unknown = l->cells - l->known;
    if (!rules_load_excludes(f->question->reader, "han"))
        return;
    if (f->is_model || t->simulated || t->other_release)
        remark(r,
               "%s: what it costs nobody has measured, as this release, han in place, did not run",
               what);
    else if (!l->cells)
        remark(r,
               "%s: costs nothing in these cells, as han serves the default of none without a rule",
               what);
    else if (l->known)
        remark(r,
               "%s: in %zu cell%s without a rule han serves the default, and tuned takes %s times "
               "as long in the mean, %s at most (%s P = %d, size %" PRIu64 ")",
               what, COUNTED(l->known), format_times(l->mean_pct, mean, sizeof mean),
               format_times(l->most_pct, most, sizeof most), l->most.collective, l->most.procs,
               l->most.bytes);
    if (unknown)
        remark(r,
               "%s: in %zu %scells without a rule that han serves, what it costs was not measured "
               "(openmpi = tuned in a study measures it)",
               what, unknown, l->known ? "more " : "");
}

/* What is known of the intervals between the cells, which rules govern, too. */
static void remark_reach(const struct tuning *t, const struct rule_interval_counts *told,
                         struct remarks *r)
{
    const struct rule_interval *reach = &t->reach;
    if (t->ordered)
        remark(r, "the cost of one order of combining was not checked between the cells");
    if (!told->intervals)
        return;
    remark(r,
           "between the cells: of %zu interval%s up to the next size or the next processes %zu end "
           "early, as the choice is slower in the next cell or in a probe, or not known there, and "
           "%zu, as another algorithm would run",
           COUNTED(told->intervals), told->cut, told->constrained);
    if (reach->walked)
        remark(r,
               "%zu were probed by the walk of %s, which is no measurement; %zu without a probe "
               "end at their cell",
               told->probed, t->machine, told->unprobed);
    else if (reach->probed_core_s > 0)
        remark(r,
               "%zu were probed by %s, for %.3g %% of the core time of the study; %zu without a "
               "probe end at their cell",
               told->probed, t->simulated ? "computing, as the cells were" : "measurement",
               100 * reach->probed_core_s / reach->spent_core_s, told->unprobed);
    else
        remark(
            r,
            reach->n
                ? "nothing was measured inside them: the others are judged by their two "
                  "ends alone (`collsel measure --probe` measures inside)"
                : "no time was measured or walked inside them: the choices were not checked there");
}

static void make_remarks(const struct tuned_file *f, const struct tuning *t,
                         const struct rule_interval_counts *told, struct remarks *r)
{
    char margin[32], build[PATH_SIZE], made[256] = "collsel", path[PATH_SIZE], digest[16] = "";
    const struct rules_reader *reader = f->question->reader;
    if (options_build(f->options, build, sizeof build, NULL) == 0)
        manifest_describe(build, made, sizeof made);
    if (f->is_model || manifest_digest(f->from, digest, NULL) < 0)
        digest[0] = '\0';
    tuned_file_path(f->output, f->install, path);
    remark(r, "%s%s", begins, reader->help);
    remark(r, "made by %s", made);
    const char *const mpi = t->simulated || strcmp(t->mpi, reader->library) == 0 ? "" : t->mpi;
    remark(r, "from %s: times of %s%s%s%s%s%s, mapping %s%s%s", asked_model_label(f->from),
           t->cluster, t->more ? " and others" : "", *mpi ? ", " : "", mpi,
           *digest ? ", manifest " : "", digest, t->mapping,
           *t->version ? ", library version " : "", t->version);
    remark_model(f, t, r);
    remark(r, "in %zu of %zu cell%s another %s than the library's default gains more than %s %%%s",
           t->chosen, COUNTED(t->cells), reader->component ? "component" : "algorithm",
           format_plain(f->question->margin_pct, margin, sizeof margin),
           has_interval(t) ? ", at the lower end of the interval" : "");
    if (t->expected)
        remark(r, "in %zu of them the gain is estimated from the times of other cells, not timed",
               t->expected);
    if (t->kept)
        remark(r, "in %zu of them what is as fast within %.3g %%, as in a neighbouring cell",
               t->kept, t->tie_pct);
    if (t->ordered)
        remark(
            r,
            "--reproducible: in %zu cell%s of collectives that combine one order of combining for "
            "all sizes, of operations that commute; among %zu numbers of processes nothing keeps "
            "one",
            COUNTED(t->ordered), t->disordered);
    if (f->trust)
        remark(r, "how far to trust these times: %s", f->trust);
    if (t->other_release)
        remark(r, "the default that was beaten is that of %s, not of the release named above",
               t->default_of);
    if (reader->beside && !*t->version)
        remark(r, "the gain is over MPICH's algorithms without its device's collectives, whose "
                  "times were not measured");
    if (f->question->unsure)
        remark(r, "(--no-interval: gains without an interval count as they are)");
    for (size_t i = 0; i < t->n_undecided; i++)
        remark(r, "no rules of %s: %s", t->undecided[i].collective, t->undecided[i].why);
    for (size_t i = 0; f->more && f->more[i]; i++)
        remark(r, "%s", f->more[i]);
    remark_reach(t, told, r);
    remark_left(f, t, r);
    remark_tried(f, t, r);
    remark(r, "elsewhere, and beyond the cells, the library decides%s",
           reader->beside ? ", its device first" : "");
    remark_loading(reader, path, r);
}

char *tuned_file_make(const struct tuned_file *file, const struct tuning *tuning,
                      struct rules_made *made, struct err *err)
{
    struct remarks r = { .n = 0 };
    struct rules_choices fine;
    struct rule_interval_counts told = { .intervals = 0 };
    rule_interval_refine(&tuning->reach, file->question->reader, &tuning->choices, &fine, &told);
    make_remarks(file, tuning, &told, &r);
    char *text =
        rules_export(file->question->reader, &fine, (const char *const *)r.line, made, err);
    rules_choices_clear(&fine);
    for (size_t i = 0; i < r.n; i++)
        free(r.line[i]);
    return text;
}

/* A file, the one beside it, and where they are until they were tried. */
struct written {
    const char *ending; /* NULL: there is none beside it */
    char path[PATH_SIZE], beside[PATH_SIZE], tmp[PATH_SIZE], tmp_beside[PATH_SIZE];
};

static int name_written(const struct tuned_file *f, const struct rules_made *made,
                        struct written *w, struct err *err)
{
    w->ending = made->beside ? f->question->reader->beside : NULL;
    const char *const ending = w->ending ? w->ending : "";
    if (fs_path(w->path, PATH_SIZE, err, "%s", f->output) < 0 ||
        fs_path(w->beside, PATH_SIZE, err, "%s%s", f->output, ending) < 0 ||
        fs_path(w->tmp, PATH_SIZE, err, "%s.new%ld", f->output, (long)getpid()) < 0)
        return -1;
    if (fs_replaceable(w->path, err) < 0 || fs_replaceable(w->beside, err) < 0)
        return -1;
    return fs_path(w->tmp_beside, PATH_SIZE, err, "%s%s", w->tmp, ending);
}

/* Both, of which the second comes first: nobody finds the one without the other. */
static int put_in_place(const struct written *w, struct err *err)
{
    if ((w->ending && rename(w->tmp_beside, w->beside) < 0) || rename(w->tmp, w->path) < 0)
        return err_errno(err, "'%s'", w->path);
    return 0;
}

/* Loaded once, where that can be. */
static int try_written(const struct tuned_file *f, const struct tuning *t, const struct written *w,
                       struct err *err)
{
    char build[PATH_SIZE], path[PATH_SIZE], version[VERSION_SIZE], why[REASON_SIZE];
    struct try_rules in;
    int apart;
    if (!where_to_try(f, t, build, &in))
        return 0;
    if (!try_rules_here(&in, version, why)) {
        if (!f->options->quiet)
            fprintf(stderr, "not tried: %s\n", why);
        return 0;
    }
    tuned_file_path(w->tmp, NULL, path);
    if (try_rules(&in, path, &apart, err) < 0)
        return err_prefix(err, "%s %s: not written: '%s'", in.entry, version, f->output);
    if (!f->options->quiet)
        fprintf(stderr, "%s %s has loaded it, in a job of four ranks that calls every collective\n",
                in.entry, version);
    if (apart && in.reader->by_name)
        fprintf(stderr,
                "warning: %s %s treats each rank here as alone on its node: rules for several "
                "ranks on a node do not apply\n",
                in.entry, version);
    return 0;
}

/* Reads the notes beside the results on the files that were made of them (docs/formats.md,
 * rules.json); *all stays NULL where none are kept. 0, or -1 with *err. */
static int read_notes(const struct tuned_file *f, char path[PATH_SIZE], json_t **all,
                      struct err *err)
{
    *all = NULL;
    if (f->is_model || f->untried)
        return 0;
    if (fs_path(path, PATH_SIZE, err, "%s/rules.json", f->from) < 0 ||
        json_file_read(path, all, err) < 0)
        return err_prefix(err, "remove what lists the files of rules of these results");
    *all = *all ? *all : json_object();
    return 0;
}

/* Notes which file was made for a library, and what verify said of it, for the page. Nothing is
 * noted where that cannot be written: the file is what counts. */
static void note_written(const struct tuned_file *f, const struct tuning *t, const char *path,
                         json_t *all)
{
    char file[PATH_SIZE], now[32];
    const struct rules_reader *r = f->question->reader;
    const int own = t->simulated || strcmp(t->mpi, r->library) == 0;
    char *library = memory_text_of("%s%s%s", r->name, own ? "" : " of ", own ? "" : t->mpi);
    tuned_file_path(f->output, NULL, file);
    json_object_set_new(all, library,
                        json_pack("{s:s, s:s, s:s, s:s*}", "library", library, "file", file,
                                  "written", utc_now(now, sizeof now), "verified", f->verified));
    char *text = json_dumps(all, JSON_INDENT(1));
    if (text)
        fs_write(path, text, NULL);
    memory_free(library, text);
}

static int write_files(const struct tuned_file *f, const struct tuning *t, const char *text,
                       const struct rules_made *made, struct err *err)
{
    char notes[PATH_SIZE];
    json_t *all;
    struct written w;
    if (read_notes(f, notes, &all, err) < 0)
        return -1;
    if (name_written(f, made, &w, err) < 0) {
        json_decref(all);
        return -1;
    }
    int status = fs_write(w.tmp, text, err);
    if (status == 0 && w.ending)
        status = fs_write(w.tmp_beside, made->beside, err);
    if (status == 0)
        status = try_written(f, t, &w, err);
    if (status == 0)
        status = put_in_place(&w, err);
    if (status == 0 && all)
        note_written(f, t, notes, all);
    json_decref(all);
    if (status < 0) {
        err_replace(err, w.tmp, w.path);
        unlink(w.tmp);
        if (w.ending)
            unlink(w.tmp_beside);
        return -1;
    }
    if (!f->options->quiet)
        fprintf(stderr, "wrote %s%s%s\n", w.path, w.ending ? " and " : "",
                w.ending ? w.beside : "");
    return 0;
}

int tuned_file_write(const struct tuned_file *file, const struct tuning *tuning, const char *text,
                     const struct rules_made *made, struct err *err)
{
    if (file->output)
        return write_files(file, tuning, text, made, err);
    if (made->beside)
        fprintf(stderr, "a second file, for the device, goes with it: --output writes both\n");
    return fputs(text, stdout) < 0 ? err_errno(err, "cannot write the rules") : 0;
}

void tuned_file_tell_old(const char *output, FILE *out)
{
    if (output && fs_exists(output))
        fprintf(out, "'%s' is of an earlier time, and stays as it is\n", output);
}

/* "cp FILE FILE.ch4 /opt/tuning/", where it lies elsewhere. */
static void tell_copy(const struct rules_reader *reader, const char *output, const char *install,
                      FILE *out)
{
    char here[PATH_SIZE], there[PATH_SIZE];
    struct argv words = { 0 };
    tuned_file_path(output, NULL, here);
    tuned_file_path(output, install, there);
    if (!output || strcmp(here, there) == 0)
        return;
    argv_add(&words, "cp");
    argv_add(&words, "%s", output);
    if (reader->beside)
        argv_add(&words, "%s%s", output, reader->beside);
    argv_add(&words, "%s", install);
    char *text = argv_text(&words);
    fprintf(out, "first, so that each node finds it there:\n  %s\n", text);
    free(text);
    argv_free(&words);
}

void tuned_file_tell_use(const struct rules_reader *reader, const char *output, const char *install,
                         FILE *out)
{
    char *back = rules_load_back(reader), path[PATH_SIZE];
    struct argv lines = { 0 };
    tuned_file_path(output, install, path);
    tell_copy(reader, output, install, out);
    rules_load_lines(reader, path, &lines);
    fputs("to load it:\n", out);
    for (size_t i = 0; i < lines.n; i++)
        fprintf(out, "  %s\n", lines.v[i]);
    fprintf(out, "to roll back:\n  %s\n", back);
    argv_free(&lines);
    free(back);
}
