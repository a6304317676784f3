/* SPDX-License-Identifier: BSD-3-Clause */
/* Applications with and without libcollsel (ci/apps), in the layout of the STAR-MPI paper's Tables
 * 2 to 5 and with its figures beside ours. What is below RESULTS/CLUSTER/apps is on the page of
 * every study of the cluster. */
#include "reports/section_common.h"

enum { SAID_SIZE = 384 };

/* What the section is made of. */
struct material {
    struct page *page;
    struct apps apps;
    struct apps_group *group;
    size_t groups;
    struct reference reference;
};

/* Modes that a table of their own shows, in the paper's words where it has one. */
static const struct shown {
    const char *mode; /* NULL: the group's star */
    const char *key;  /* of columns */
    const char *title;
} modes[] = {
    { NULL, "star", "STAR" },
    { "best", "best", "STAR'" },
    { "table", "static", "STATIC" },
    { "model", "model", "model" },
    { "file", "file", "file of rules" },
    { "star", "ours", "star, all candidates" },
};
enum { STAR, BEST, STATIC, MODEL, RULES, OURS, N_SHOWN };

static int apps_path(const struct report_data *d, char path[PATH_SIZE])
{
    return fs_path(path, PATH_SIZE, NULL, "%s/../apps", d->dir);
}

static int applies(const struct report_data *d)
{
    char path[PATH_SIZE];
    return !d->imported && apps_path(d, path) == 0 && apps_exist(path);
}

static const char *mode_of(const struct material *m, const struct apps_group *g, size_t shown)
{
    const char *star = apps_star(&m->apps, g);
    if (shown == OURS && star && strcmp(star, "star") == 0)
        return NULL; /* it stands for STAR */
    return modes[shown].mode ? modes[shown].mode : star;
}

static struct apps_times times_of(const struct material *m, const struct apps_group *g,
                                  const char *mode, const char *beside)
{
    return apps_times(&m->apps, g, mode ? mode : "", beside);
}

static int can_be_tried(const struct material *m, const struct apps_group *g)
{
    const char *mode[APPS_MOST_MODES];
    const size_t n = apps_modes(&m->apps, g, mode);
    return any_below(i, n, *mode[i]);
}

/* ---- cells ---- */

/* "12.3 (12.1–12.6)"; a single value has no interval. */
static void put_middle(struct table *t, const struct apps_middle *m, int digits)
{
    if (isnan(m->centre))
        table_cell(t, "", "–");
    else if (isnan(m->low))
        table_value(t, m->centre, "%#.*g", digits, m->centre);
    else
        table_value(t, m->centre, "%#.*g (%#.*g–%#.*g)", digits, m->centre, digits, m->low, digits,
                    m->high);
}

/* The median alone: its interval is in the table of modes. */
static void put_seconds(struct table *t, const struct apps_middle *m)
{
    const struct apps_middle alone = { m->centre, NAN, NAN, NAN };
    put_middle(t, &alone, 4);
}

/* What an interval tells, where it is one that can be told by. */
static void mark_ratio(struct table *t, const struct apps_middle *m)
{
    if (m->coverage >= 0.9 && m->high < 1)
        table_mark(t, MARK_BEST);
    else if (m->coverage >= 0.9 && m->low > 1)
        table_mark(t, MARK_BAD);
}

/* The upper end where the median is below it with 90 % or more, as of four rounds it is; NaN: no
 * such end. Claims are judged by it (reference/papers.csv). */
static double upper_of(const struct apps_middle *m)
{
    return (1 + m->coverage) / 2 >= 0.9 ? m->high : NAN;
}

static void put_theirs(struct table *t, double value, int digits)
{
    if (isnan(value))
        table_cell(t, "", "–");
    else
        table_value(t, value, "%.*g", digits, value);
    table_mark(t, MARK_REFERENCE);
}

static void put_their_text(struct table *t, const char *text)
{
    table_cells(t, "%s [%d]", text && *text ? text : "–", MARK_REFERENCE);
}

static void group_columns(struct table *t, int with_steps)
{
    table_columns(t, "<application|program ; <mpi|library ; >ranks|P ; <size|size%s",
                  with_steps ? " ; >steps|steps" : "");
}

/* What was said for a run beside the size: ", WORDS; ranks by COMMAND". The whole command is among
 * the conditions. */
static const char *said_of(const struct apps_group *g, char text[SAID_SIZE])
{
    snprintf(text, SAID_SIZE, "%s%s%s%.100s", *g->arguments ? ", " : "", g->arguments,
             *g->launch ? "; ranks by " : "", g->launch);
    return text;
}

static void put_group(struct table *t, const struct apps_group *g, const struct reference_app *r)
{
    char said[SAID_SIZE];
    const struct apps_run *a = g->first;
    if (r && *r->program)
        table_cell(t, a->application, "%s (%s)", a->application, r->program);
    else
        table_text(t, a->application);
    table_cells(t, "%s=%s | %d", a->mpi, mpi_label(a->mpi), a->ranks);
    table_cell(t, a->size, "%s%s", a->size, said_of(g, said));
}

static void put_steps(struct table *t, const struct apps_run *a)
{
    if (!a->steps)
        table_cell(t, "", "–");
    else if (a->steps == a->of_steps)
        table_value(t, a->steps, "%d", a->steps);
    else
        table_value(t, a->steps, "%d of %d", a->steps, a->of_steps);
}

static void data_columns(struct table *t)
{
    table_columns(t, ".of_steps| ; .arguments| ; .launch|");
}

static void put_data(struct table *t, const struct apps_group *g)
{
    table_cells(t, "%.0f | %s | %s", g->first->of_steps ? g->first->of_steps : NAN, g->arguments,
                g->launch);
}

static const struct reference_app *theirs_of(const struct material *m, const struct apps_group *g)
{
    return reference_apps_find(&m->reference, g->first);
}

/* The paper's row where it is of such calls: its operation, and at most twice or half its size. */
static const struct reference_app *of_kind(const struct reference_app *r,
                                           const struct apps_kind *kind)
{
    const int is_theirs = r && strcmp(r->collective, kind->collective->name) == 0 &&
                          kind->bytes >= r->bytes / 2 && kind->bytes <= 2 * r->bytes;
    return is_theirs ? r : NULL;
}

/* ---- Table 2: what is called ---- */

static void put_call(struct table *t, const struct apps_group *g, const struct apps_kind *kind,
                     const struct reference_app *r)
{
    const struct reference_app *theirs = of_kind(r, kind);
    put_group(t, g, r);
    table_cells(t, "%s=%s | %ju B | %.0f", kind->collective->name, kind->collective->call,
                kind->bytes, (double)kind->bytes);
    put_theirs(t, theirs ? (double)theirs->bytes : NAN, 9);
    table_cells(t, "%.0f | %g %%", kind->calls, 100 * kind->share);
    put_data(t, g);
}

static void put_table_2(const struct material *m)
{
    struct table *t =
        page_table_new(m->page, "apps-calls", "Collective operations in the applications");
    group_columns(t, 0);
    table_columns(
        t,
        "<collective|operation ; >bytes|ours|message size ; >exact_bytes|bytes|message size ; "
        ">paper_bytes|paper|message size ; >calls|calls ; >share_pct|of the time in collectives");
    data_columns(t);
    for (size_t i = 0; i < m->groups; i++) {
        size_t n;
        struct apps_kind *kind = apps_kinds(&m->apps, &m->group[i], &n);
        for (size_t k = 0; k < n; k++)
            put_call(t, &m->group[i], &kind[k], theirs_of(m, &m->group[i]));
        free(kind);
    }
    table_note(t,
               "As libcollsel recorded them while the program ran, not as its source says: "
               "kinds of calls that took a tenth of the time in collectives or more, that with "
               "waiting for others, in a run of mode trace; where there is none, of star, with its "
               "search. Bytes are those of one rank as MPI counts them (of an "
               "all-to-all for each of the others), of an allgatherv the mean over ranks. "
               "paper: Table 2 of Faraj, Yuan & Lowenthal (ICS 2006), where the size is theirs.");
    page_table_some(m->page, t);
}

/* ---- Table 3: what ran ---- */

static const char *short_name(const char *name)
{
    return strncmp(name, "portable:", 9) == 0 ? name + 9 : name;
}

static void put_choice(const struct material *m, struct table *t, const struct apps_group *g,
                       const char *mode, const struct apps_kind *kind)
{
    const struct apps_choice c = apps_choice(&m->apps, g, mode, kind);
    char name[APPLICATION_SAYING + NAME_SIZE];
    if (!c.algorithm) {
        table_cell(t, "", "–");
        return;
    }
    snprintf(name, sizeof name, "%s", short_name(c.algorithm));
    if (strcmp(c.algorithm, "default") == 0 && *c.default_is)
        snprintf(name, sizeof name, "default (%s)", c.default_is);
    if (c.n == c.of)
        table_cell(t, c.algorithm, "%s", name);
    else
        table_cell(t, c.algorithm, "%s, %zu of %zu", name, c.n, c.of);
}

static void choice_columns(struct table *t, const char *key, const char *title)
{
    table_columns(t, "<%s|ours|%s ; <paper_%s|paper|%s", key, title, key, title);
}

static void put_choices(const struct material *m, struct table *t, const struct apps_group *g,
                        const struct apps_kind *kind)
{
    const struct reference_app *all = theirs_of(m, g), *r = of_kind(all, kind);
    const char *usual = apps_default_is(&m->apps, g, kind);
    put_group(t, g, all);
    table_cells(t, "%s=%s | %ju B", kind->collective->name, kind->collective->call, kind->bytes);
    put_choice(m, t, g, apps_star(&m->apps, g), kind);
    put_their_text(t, r ? r->star : "");
    put_choice(m, t, g, "table", kind);
    put_their_text(t, r ? r->fixed : "");
    if (*usual)
        table_text(t, usual);
    else
        table_cell(t, "", "–");
    put_their_text(t, r ? r->usual : "");
    put_choice(m, t, g, "model", kind);
    put_choice(m, t, g, "best", kind);
    put_choice(m, t, g, mode_of(m, g, OURS), kind);
    put_data(t, g);
}

static void put_table_3(const struct material *m)
{
    struct table *t = page_table_new(m->page, "apps-algorithms", "Algorithms that were chosen");
    group_columns(t, 0);
    table_columns(t, "<collective|operation ; >bytes|message size");
    choice_columns(t, "star", "STAR");
    choice_columns(t, "static", "STATIC");
    choice_columns(t, "default", "the default");
    table_columns(t, "<model|model ; <best|STAR'");
    table_columns(t, "<ours|%s", modes[OURS].title);
    data_columns(t);
    for (size_t i = 0; i < m->groups; i++) {
        size_t n;
        struct apps_kind *kind = apps_kinds(&m->apps, &m->group[i], &n);
        for (size_t k = 0; k < n; k++)
            put_choices(m, t, &m->group[i], &kind[k]);
        free(kind);
    }
    table_note(t, "What the last such call of a run ran; where runs differ, in how many of how "
                  "many. STATIC: the mode table, chosen before the program runs. the default: the "
                  "library's own call, where libcollsel knows it; –: not known; of the paper "
                  "MPICH 2's. paper: its Table 3, in its words.");
    page_table_some(m->page, t);
}

/* ---- Table 4: how long it takes ---- */

static void time_columns(struct table *t, size_t shown, int has_paper)
{
    const char *key = modes[shown].key, *title = modes[shown].title;
    table_columns(t, ">%s_s|s|%s ; >%s_ratio|to the default|%s", key, title, key, title);
    if (has_paper)
        table_columns(t, ">paper_%s_s|paper, s|%s ; >paper_%s_ratio|to MPICH|%s", key, title, key,
                      title);
}

static void put_time(const struct material *m, struct table *t, const struct apps_group *g,
                     size_t shown)
{
    const struct apps_times times = times_of(m, g, mode_of(m, g, shown), "default");
    put_seconds(t, &times.time);
    put_middle(t, &times.ratio, 3);
    mark_ratio(t, &times.ratio);
}

static void interval_columns(struct table *t, size_t shown)
{
    const char *key = modes[shown].key;
    table_columns(t,
                  ".%s_mode| ; .%s_rounds| ; .%s_ratio_low| ; .%s_ratio_high| ; .%s_coverage| ; "
                  ".%s_ratio_upper|",
                  key, key, key, key, key, key);
}

static void put_mode_name(struct table *t, const char *mode)
{
    if (mode)
        table_text(t, mode);
    else
        table_cell(t, "", "–");
}

static void put_interval(const struct material *m, struct table *t, const struct apps_group *g,
                         size_t shown)
{
    const char *mode = mode_of(m, g, shown);
    const struct apps_times times = times_of(m, g, mode, "default");
    table_cells(t, "%s | %zu | %.4f | %.4f | %.4f | %.4f", times.rounds ? mode : "", times.pairs,
                times.ratio.low, times.ratio.high, times.ratio.coverage, upper_of(&times.ratio));
}

static void put_times(const struct material *m, struct table *t, const struct apps_group *g)
{
    const struct reference_app *r = theirs_of(m, g);
    const struct apps_times usual = times_of(m, g, "default", "default");
    put_group(t, g, r);
    put_steps(t, g->first);
    put_mode_name(t, apps_star(&m->apps, g));
    put_time(m, t, g, STAR);
    put_theirs(t, r ? r->star_s : NAN, 5);
    put_theirs(t, r ? r->star_s / r->usual_s : NAN, 3);
    put_time(m, t, g, STATIC);
    put_theirs(t, r ? r->fixed_s : NAN, 5);
    put_theirs(t, r ? r->fixed_s / r->usual_s : NAN, 3);
    put_time(m, t, g, OURS);
    put_time(m, t, g, MODEL);
    put_seconds(t, &usual.time);
    put_theirs(t, r ? r->usual_s : NAN, 5);
    table_number(t, (double)usual.rounds, 0);
    put_data(t, g);
    for (size_t k = 0; k < N_SHOWN; k++)
        put_interval(m, t, g, k);
}

static void put_table_4(const struct material *m)
{
    struct table *t = page_table_new(m->page, "apps-times", "How long the programs take");
    group_columns(t, 1);
    table_columns(t, "<star_is|mode|%s", modes[STAR].title);
    time_columns(t, STAR, 1);
    time_columns(t, STATIC, 1);
    time_columns(t, OURS, 0);
    time_columns(t, MODEL, 0);
    table_columns(
        t, ">default_s|s|the default ; >paper_default_s|paper, s|the default ; >rounds|rounds");
    data_columns(t);
    for (size_t k = 0; k < N_SHOWN; k++)
        interval_columns(t, k);
    for (size_t i = 0; i < m->groups; i++)
        if (can_be_tried(m, &m->group[i]))
            put_times(m, t, &m->group[i]);
    table_note(
        t, "s: the time of the steps, median over rounds; STAR's has its overhead in it. to the "
           "default: the median over rounds of the ratio to the default's time in the same "
           "round; below 1 is faster. In parentheses: the order statistics that the median is "
           "between, with 95 %% or what so few rounds give: 94 %% of five, 75 %% of three, 50 "
           "%% of two; one round has no interval. Intervals of seconds are in the last table. "
           "Green and red: an interval of 90 %% or more that leaves 1 out. –: no run with a "
           "time. paper: its Table 4, of all steps.");
    page_table_some(m->page, t);
}

/* ---- Table 5: what star costs ---- */

static void put_cost(const struct material *m, struct table *t, const struct apps_group *g)
{
    const struct reference_app *r = theirs_of(m, g);
    const char *star = apps_star(&m->apps, g);
    const struct apps_times with = times_of(m, g, star, "table"),
                            fixed = times_of(m, g, "table", NULL),
                            without = times_of(m, g, "best", "table"),
                            cost = times_of(m, g, star, "best");
    const int has_paper = r && !isnan(r->best_s);
    put_group(t, g, r);
    put_steps(t, g->first);
    put_seconds(t, &with.time);
    put_theirs(t, has_paper ? r->star_s : NAN, 5);
    put_seconds(t, &fixed.time);
    put_theirs(t, has_paper ? r->fixed_s : NAN, 5);
    put_seconds(t, &without.time);
    put_theirs(t, has_paper ? r->best_s : NAN, 5);
    put_middle(t, &with.ratio, 3);
    put_middle(t, &without.ratio, 3);
    put_middle(t, &cost.ratio, 3);
    put_theirs(t, has_paper ? r->star_s / r->best_s : NAN, 3);
    put_data(t, g);
    table_cells(t, "%.4f | %.4f | %.4f | %zu", without.ratio.low, without.ratio.high,
                upper_of(&without.ratio), without.rounds);
}

static void put_table_5(const struct material *m)
{
    struct table *t =
        page_table_new(m->page, "apps-overhead", "STAR with and without its overhead");
    group_columns(t, 1);
    table_columns(t, ">star_s|s|STAR ; >paper_star_s|paper, s|STAR ; >static_s|s|STATIC ; "
                     ">paper_static_s|paper, s|STATIC ; >best_s|s|STAR' ; >paper_best_s|paper, "
                     "s|STAR' ; >star_to_static|STAR|to STATIC ; >best_to_static|STAR'|to STATIC ; "
                     ">star_to_best|ours|STAR to STAR' ; >paper_star_to_best|paper|STAR to STAR'");
    data_columns(t);
    table_columns(
        t, ".best_to_static_low| ; .best_to_static_high| ; .best_to_static_upper| ; .rounds|");
    for (size_t i = 0; i < m->groups; i++) {
        const struct apps_group *g = &m->group[i];
        const struct apps_times without = times_of(m, g, "best", NULL);
        if (without.rounds && apps_star(&m->apps, g))
            put_cost(m, t, g);
    }
    table_note(t, "STAR': what a run of the first mode of star chose before the rounds, as a "
                  "table, so without trying and watching. Ratios are of the same rounds, as above. "
                  "paper: its Table 5, which has three programs.");
    page_table_some(m->page, t);
}

/* ---- every mode ---- */

static void put_mode(const struct material *m, struct table *t, const struct apps_group *g,
                     const char *mode)
{
    const struct apps_times times = times_of(m, g, mode, "default");
    put_group(t, g, theirs_of(m, g));
    put_steps(t, g->first);
    table_cells(t, "%s | %zu | %zu [%d]", *mode ? mode : "–", times.rounds, times.wrong,
                times.wrong ? MARK_BAD : MARK_NONE);
    put_middle(t, &times.time, 4);
    put_middle(t, &times.ratio, 4);
    mark_ratio(t, &times.ratio);
    table_cells(t, "%g %% | %.2e | %s", 100 * times.ratio.coverage, times.deviation, times.reason);
    put_data(t, g);
    table_cells(t, "%.9f | %.9f | %.9f | %.9f | %zu | %zu", times.time.low, times.time.high,
                times.ratio.low, times.ratio.high, times.pairs, times.skipped);
}

static void put_table_of_modes(const struct material *m)
{
    struct table *t = page_table_new(m->page, "apps-modes", "Every mode, and what went wrong");
    group_columns(t, 1);
    table_columns(t,
                  "<mode|mode ; >rounds|rounds ; >wrong|wrong ; >steps_s|s ; >ratio|to the default "
                  "; >coverage_pct|interval covers ; >deviation|results apart ; <reason|why not");
    data_columns(t);
    table_columns(t, ".low_s| ; .high_s| ; .ratio_low| ; .ratio_high| ; .pairs| ; .skipped|");
    for (size_t i = 0; i < m->groups; i++) {
        const char *mode[APPS_MOST_MODES];
        const size_t n = apps_modes(&m->apps, &m->group[i], mode);
        for (size_t k = 0; k < n; k++)
            put_mode(m, t, &m->group[i], mode[k]);
    }
    table_note(t, "rounds: runs that ended with the results of the run without the library; wrong: "
                  "others that ran, whose times do not count. results apart: the largest "
                  "difference of any number of the results from that run's, relative; 0: all "
                  "equal. default: without the library; trace: it records alone; file: without "
                  "it, the MPI library itself with a file of rules.");
    table_fold(t);
    page_table_some(m->page, t);
}

/* ---- the section ---- */

static void say_crowded(const struct material *m)
{
    for (size_t i = 0; i < m->apps.dirs; i++)
        if (*m->apps.dir[i].crowded && !*m->apps.dir[i].emulated) {
            fputs(" **More ranks than cores**: ranks take turns, and times are as much of that as "
                  "of the algorithms.",
                  m->page->md);
            return;
        }
}

static void say_launch(const struct material *m)
{
    int launch = 0, files = 0;
    for (size_t i = 0; i < m->apps.dirs; i++) {
        launch |= *m->apps.dir[i].launch != '\0';
        files |= *m->apps.dir[i].files != '\0';
    }
    if (launch)
        fputs(" Runs whose ranks another command started stand in separate rows.", m->page->md);
    if (files)
        fputs(" A mode that was given another file than in the first of these runs has the first "
              "digits of its SHA-256 behind its name, and counts as another mode.",
              m->page->md);
}

static void say_arguments(const struct material *m)
{
    for (size_t i = 0; i < m->apps.dirs; i++)
        if (*m->apps.dir[i].arguments) {
            fputs(" Where a size is followed by words, these were given to the programs, too: more "
                  "calculation or less between messages that are as long.",
                  m->page->md);
            return;
        }
}

static void say_text(FILE *md, const char *key, const char *text)
{
    if (!*text)
        return;
    fprintf(md, "; %s: ", key);
    escape_code(md, text);
}

/* What was exported, and where that is not so of all of its parts. */
static void say_environment(FILE *md, const struct apps_dir *dir)
{
    const int same = dir->parts_set >= dir->parts && !strstr(dir->environment, " | ");
    if (same || !*dir->environment) {
        say_text(md, "exported", dir->environment);
        return;
    }
    fprintf(md, "; **exported, not alike in all %zu parts** (in %zu of them something)", dir->parts,
            dir->parts_set);
    say_text(md, "these are", dir->environment);
}

/* Runs of ci/apps and rounds: what the times rest on. */
static void say_conditions(const struct material *m)
{
    FILE *md = m->page->md;
    const struct apps *a = &m->apps;
    int shortened = 0;
    for (size_t i = 0; i < a->runs; i++)
        shortened |= a->run[i].steps != a->run[i].of_steps;
    fprintf(md, "\n%zu run%s of `ci/apps`, whose rounds are taken together:\n\n", a->dirs,
            plural(a->dirs));
    for (size_t i = 0; i < a->dirs; i++) {
        fputs("- ", md);
        escape_code(md, a->dir[i].name);
        fputs(": ", md);
        escape_markdown(md, *a->dir[i].started ? a->dir[i].started : "date not known");
        fputs(strchr(a->dir[i].commit, ',') ? ", commits " : ", commit ", md);
        escape_markdown(md, *a->dir[i].commit ? a->dir[i].commit : "unknown");
        if (*a->dir[i].emulated) {
            fputs("; emulated: ", md);
            escape_markdown(md, a->dir[i].emulated);
        }
        if (*a->dir[i].crowded) {
            fputs("; more ranks than cores: ", md);
            escape_markdown(md, a->dir[i].crowded);
        }
        say_text(md, "ranks started by", a->dir[i].launch);
        say_text(md, "given", a->dir[i].files);
        say_environment(md, &a->dir[i]);
        fputs("\n", md);
    }
    if (shortened)
        fputs("\nFewer steps than the size has were made where the table says so: messages are as "
              "long, but the calls in which star tries weigh more than in all of the steps.\n",
              md);
}

static void write_all(const struct material *m)
{
    fputs("\nReal programs ran as they are and with libcollsel before their MPI (`ci/apps`), in "
          "rounds that run each mode once:\n\n"
          "- **the default**: without the library.\n"
          "- **STAR** tunes while the program runs. `star:paper` tries the paper's candidates and "
          "chooses by its rule; `star` tries all that there are, the library's own call with them, "
          "and chooses by ours.\n"
          "- **STAR'**: what star chose, as a table from the start, so without its overhead.\n"
          "- **STATIC** (mode `table`): a table that was made before.\n"
          "- **model**: what a trained model chooses.\n\n",
          m->page->md);
    if (m->page->data->emulated)
        fputs("**These times are emulated**: real MPI and TCP over shaped links, the ranks share "
              "this machine's cores. ",
              m->page->md);
    fputs("Figures of the paper stand beside ours, and enter nothing that is computed.",
          m->page->md);
    say_crowded(m);
    say_arguments(m);
    say_launch(m);
    fputs("\n", m->page->md);
    put_table_4(m);
    put_table_5(m);
    put_table_3(m);
    put_table_2(m);
    put_table_of_modes(m);
    say_conditions(m);
}

/* Where the section's numbers come from, whatever those of the study do. */
static void name_origin(struct report_data *d, const struct apps *apps)
{
    d->emulated = any_below(i, apps->dirs, *apps->dir[i].emulated);
    d->simulated = 0;
    snprintf(d->backend, sizeof d->backend, "%s",
             d->emulated ? "emulated"
             : d->here   ? "local"
                         : "real");
    if (strcmp(d->backend, "real") == 0)
        snprintf(d->backend_label, sizeof d->backend_label, "measured");
    else
        backend_words(d->backend, d->backend_label, sizeof d->backend_label, NULL);
    snprintf(d->backend_title, sizeof d->backend_title, "%.*s", (int)strcspn(d->backend_label, ":"),
             d->backend_label);
}

static int read_all(struct material *m, struct err *err)
{
    char path[PATH_SIZE];
    if (apps_path(m->page->data, path) < 0)
        return err_set(err, "'%s' is too long a path", m->page->data->dir);
    if (apps_read(path, m->page->data->cluster, &m->apps, err) < 0)
        return -1;
    m->group = apps_groups(&m->apps, &m->groups);
    m->reference = page_reference(m->page, &reference_apps_schema);
    return 0;
}

static void write_section(struct page *page)
{
    const struct report_data *study = page->data;
    struct report_data ours = *study;
    struct material m = { .page = page };
    struct err err = { 0 };
    if (read_all(&m, &err) < 0) {
        page_fail(page, &err);
    } else {
        name_origin(&ours, &m.apps);
        page->data = &ours;
        write_all(&m);
        page->data = study;
    }
    apps_clear(&m.apps);
    memory_free(m.group, m.reference.row);
}

const struct section section_apps = {
    .name = "apps",
    .title = "Applications with and without the library",
    .subject = PAGE_PAPERS,
    .applies = applies,
    .write = write_section,
};
