/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel import audit: what looks wrong in a set of measurements. */
#include "analysis/audit/audit.h"
#include "analysis/measure/fitted_study.h"
#include "analysis/measure/imported_points.h"
#include "analysis/measure/result_file.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"

struct input {
    struct options options;
    int csv, json, fail, verbose;
};

/* Findings of one check and severity that are printed; of more, so many and how many there are. */
enum { MOST = 3 };

/* Findings of one kind: n in a row. */
static void print_kind(const struct finding *f, size_t n, int verbose)
{
    const size_t shown = verbose || n <= MOST ? n : MOST;
    size_t points = 0;
    for (size_t i = 0; i < n; i++)
        points += f[i].points;
    if (shown < n)
        printf("%-8s %s: %zu findings, %zu point%s; the %d of most points:\n",
               severity_words[f->severity], audit_check_name(f->check), n, COUNTED(points), MOST);
    for (size_t i = 0; i < shown; i++)
        if (shown < n)
            printf("         %s\n             %s\n", f[i].subject, f[i].evidence);
        else
            printf("%-8s %s: %s\n         %s\n", severity_words[f[i].severity],
                   audit_check_name(f[i].check), f[i].subject, f[i].evidence);
    if (shown < n)
        printf("         and %zu more (audit.csv, or -v)\n", n - shown);
}

static void print_findings(const struct audit *audit, size_t points, int verbose)
{
    size_t count[N_SEVERITY] = { 0 };
    for (size_t i = 0, end; i < audit->n; i = end) {
        const struct finding *f = &audit->finding[i];
        for (end = i; end < audit->n && audit->finding[end].check == f->check &&
                      audit->finding[end].severity == f->severity;
             end++)
            count[f->severity]++;
        print_kind(f, end - i, verbose);
    }
    printf("%zu point%s: %zu finding%s that cannot be right, %zu doubtful, %zu note%s\n", points,
           plural(points), count[AUDIT_WRONG], plural(count[AUDIT_WRONG]), count[AUDIT_DOUBTFUL],
           count[AUDIT_NOTE], plural(count[AUDIT_NOTE]));
}

static int print(const struct input *in, const struct audit *audit, size_t points, struct err *err)
{
    if (in->json)
        return json_print(json_rows(&audit_schema, audit->finding, audit->n), err);
    if (in->csv)
        audit_print_csv(stdout, audit);
    else
        print_findings(audit, points, in->verbose);
    return 0;
}

/* points.csv where fit has written it, else imported.csv. */
static int read_points(const char *dir, const struct facts *facts, struct points *points,
                       struct err *err)
{
    if (facts->imported)
        return imported_points(dir, facts, points, err);
    return fitted_study_has(dir, points_schema.path, err) < 0 ? -1
                                                              : points_read(dir, 0, points, err);
}

/* 1 when something is doubtful or wrong, 0, or -1 with *err. */
static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE];
    struct facts facts;
    struct points points;
    struct audit audit;
    int grave = 0;
    if (options_results(&in->options, dir, sizeof dir, err) < 0 ||
        facts_read(dir, &facts, err) < 0 || read_points(dir, &facts, &points, err) < 0)
        return -1;
    int status = audit_run(&points, &facts, dir, &audit, err);
    if (status == 0) {
        status = print(in, &audit, points.n, err) < 0
                     ? -1
                     : result_write(dir, &audit_schema, facts.backend, audit.finding, audit.n, err);
        grave = audit.n && audit.finding[0].severity >= AUDIT_DOUBTFUL;
        audit_clear(&audit);
    }
    points_clear(&points);
    if (status == 0 && !in->options.quiet)
        fprintf(stderr, "wrote %s/audit.csv\n", dir);
    return status < 0 ? -1 : grave && in->fail ? EXIT_FAILED : EXIT_DONE;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (in->csv && in->json)
        argp_error(state, "--csv and --json: want one of them");
}

static const struct option_row rows[] = {
    { "csv", 0, NULL, "Print the findings as CSV", OPTION_TO(csv) },
    { "json", 0, NULL, "Print the findings as JSON", OPTION_TO(json) },
    { "verbose", 'v', NULL, "Print all findings (default: of many of one kind the first 3)",
      OPTION_TO(verbose) },
    { "fail", 0, NULL, "Exit with 1 where a finding is doubtful or wrong", OPTION_TO(fail) },
    { 0 },
};

const struct command cmd_audit = {
    .name = "audit",
    .help = "say what looks wrong in a set of measurements",
    .doc = "Says what looks wrong in a study's points or in an imported data set: copied "
           "blocks, constant ratios, labels that change nothing, times that fall as the size "
           "grows, outliers, mappings that do not behave like themselves. A finding proves "
           "nothing; it says where to look. Writes audit.csv.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){},
    .check = check,
    .run = run,
};
