/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel papers: what the papers claim beside what comes out here. */
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/study/manifest.h"
#include "reports/papers.h"

struct input {
    struct options options; /* first, for the common parser */
    const char *assets;     /* NULL: ours */
    const char *output;     /* NULL: RESULTS/papers */
    int commands, json, strict;
};

static void print_one(const struct paper_claim *c, const struct paper_verdict *v)
{
    printf("%-12s %-16s %-14s", c->paper, c->item, paper_status_text(v->status));
    if (!isnan(v->ours))
        printf(" ours %.3g", v->ours);
    if (!isnan(v->other))
        printf(" beside %.3g", v->other);
    if (!isnan(v->ours) && *c->unit)
        printf(" %s", c->unit);
    if (*c->theirs)
        printf("%s theirs %s", isnan(v->ours) ? "" : ",", c->theirs);
    if (*v->backend)
        printf(" (%s%s%s%s)", v->backend, *v->shipped ? ", shipped: " : "", v->shipped,
               !v->stale     ? ""
               : *v->shipped ? "; stale: its inputs have changed since"
                             : ", another commit's times");
    printf(": %s\n", c->claim);
    if (*v->reason)
        printf("    %s\n", v->reason);
    if (*v->shipped)
        printf("    anew: %s\n", c->command);
}

/* Is there a command that makes what the claim lacks? */
static int is_missing(const struct papers *papers, size_t i)
{
    const struct paper_verdict *v = &papers->verdict[i];
    return v->status == PAPER_NOT_MADE && !*v->dir && *papers->claim[i].command;
}

/* A study stands in several claims: its command once. */
static void print_commands(const struct papers *papers)
{
    for (size_t i = 0; i < papers->n; i++) {
        size_t k = 0;
        if (!is_missing(papers, i))
            continue;
        while (k < i && (!is_missing(papers, k) ||
                         strcmp(papers->claim[k].command, papers->claim[i].command) != 0))
            k++;
        if (k == i)
            puts(papers->claim[i].command);
    }
}

static int print_json(const struct papers *papers, struct err *err)
{
    json_t *claims = json_array();
    for (size_t i = 0; i < papers->n; i++) {
        const struct paper_claim *c = &papers->claim[i];
        const struct paper_verdict *v = &papers->verdict[i];
        json_array_append_new(
            claims,
            json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:o}",
                      "paper", c->paper, "item", c->item, "claim", c->claim, "theirs",
                      json_word(c->theirs), "ours", json_number(v->ours), "beside",
                      json_number(v->other), "unit", json_word(c->unit), "status",
                      paper_status_text(v->status), "backend", json_word(v->backend), "reason",
                      json_word(v->reason), "command", json_word(c->command), "commit",
                      json_word(v->commit), "stale", v->stale, "shipped", json_word(v->shipped)));
    }
    return json_print(claims, err);
}

static int tell(const struct input *in, const struct papers *papers, const char *assets,
                struct err *err)
{
    char dir[PATH_SIZE], counted[160];
    if (in->commands) {
        print_commands(papers);
        return 0;
    }
    if (fs_path(dir, sizeof dir, err, "%s%s", in->output ? in->output : in->options.results,
                in->output ? "" : "/papers") < 0 ||
        papers_write(papers, assets, dir, err) < 0)
        return -1;
    if (in->json)
        return print_json(papers, err);
    if (!in->options.quiet)
        for (size_t i = 0; i < papers->n; i++)
            print_one(&papers->claim[i], &papers->verdict[i]);
    if (papers_stale(papers))
        printf("%zu of these verdicts rest%s on times of another commit than this program's, or of "
               "inputs that have changed\n",
               papers_stale(papers), of_number(papers_stale(papers), "s", ""));
    if (papers_shipped(papers))
        printf("%zu of these verdicts rest%s on results that ship\n", papers_shipped(papers),
               of_number(papers_shipped(papers), "s", ""));
    printf("%s\n%s/index.html\n", papers_counted(papers, counted, sizeof counted), dir);
    return 0;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char assets[PATH_SIZE], build[PATH_SIZE], commit[64];
    struct papers papers;
    if (options_build(&in->options, build, sizeof build, err) < 0 ||
        options_assets(&in->options, in->assets, assets, sizeof assets, err) < 0 ||
        papers_read(assets, &papers, err) < 0)
        return -1;
    manifest_commit(build, commit, sizeof commit);
    int status = papers_judge(&papers, in->options.results, assets, commit, err);
    if (status == 0)
        status = tell(in, &papers, assets, err);
    const size_t open = status == 0 && in->strict ? papers_count(&papers, PAPER_NOT_MADE) : 0;
    if (open)
        status = err_set(err,
                         "%zu of %zu claim%s %s not made (want what `collsel papers --commands` "
                         "prints, or no --strict)",
                         open, COUNTED(papers.n), of_number(open, "is", "are"));
    papers_clear(&papers);
    return status < 0 ? -1 : EXIT_DONE;
}

static const struct option_row rows[] = {
    { "assets", 0, "DIR", "Directory of page.css and reference/", OPTION_TO(assets) },
    { "commands", 0, NULL, "Only print, one a line, the commands that make what is not there yet",
      OPTION_TO(commands) },
    { "json", 0, NULL, "Print every claim and its verdict as JSON", OPTION_TO(json) },
    { "output", 0, "DIR", "Where to write (default: RESULTS/papers)", OPTION_TO(output) },
    { "strict", 0, NULL, "Status 1 where a claim is not made", OPTION_TO(strict) },
    { 0 },
};

const struct command cmd_papers = {
    .name = "papers",
    .help = "what the papers say, and what comes out here",
    .doc = "Shows every table and figure of the implemented papers that applies: theirs, ours, and "
           "whether that reproduces it. Computes nothing: it looks at what studies have left below "
           "the results, then at those that ship, and says which command makes what is missing. "
           "`make papers` makes all that takes no longer than minutes. Status 0 whatever the "
           "verdicts are: a paper that is not reproduced is a result.",
    .rows = rows,
    .shared = &options_of_place,
    .input = &(struct input){},
    .run = run,
};
