/* SPDX-License-Identifier: BSD-3-Clause */
/* The last steps of a page: gnuplot draws all figures (two processes), pandoc turns the prose into
 * HTML, and the marks in it are replaced by tables and figures. Without gnuplot a figure is its
 * data and the script that draws it; without pandoc the prose is plain (plain.h). */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/copied_setting.h"
#include "reports/plain.h"
#include "reports/section_common.h"
#include "reports/sha256.h"
#include "reports/svg.h"
#include "reports/trust.h"

/* So many bytes of them in a page: it says of others that they are in selection.csv. */
enum { MOST_TEXT = 32 * 1024 };

struct told {
    FILE *out;
    struct page *page;
    const struct report_data *data;
    const struct rules_reader *reader; /* of the context; NULL: none */
    const struct measured **row;       /* that have a time, cell after cell, the fastest first */
    size_t rows;
    struct candidate *candidate; /* of the context, each once */
    size_t candidates;
};

static int by_time(const void *left, const void *right)
{
    const struct measured *const *a = left, *const *b = right;
    return by_keys(cell_compare(&(*a)->point.cell, &(*b)->point.cell),
                   ascending((*a)->time.value, (*b)->time.value));
}

static void find_rows(struct told *t)
{
    t->row = memory_zeros(t->data->results + 1, sizeof *t->row);
    for (size_t i = 0; i < t->data->results; i++)
        if (result_usable(&t->data->result[i]) && t->data->result[i].point.experiment == EXP_TIME)
            t->row[t->rows++] = &t->data->result[i];
    qsort(t->row, t->rows, sizeof *t->row, by_time);
}

/* The first row of a cell; t->rows: there is none. */
static size_t first_row(const struct told *t, const struct cell *cell)
{
    const size_t at = sorted_below(i, t->rows, cell_compare(&t->row[i]->point.cell, cell) >= 0);
    return at < t->rows && cell_compare(&t->row[at]->point.cell, cell) == 0 ? at : t->rows;
}

/* The number of a candidate, which is told the first time. */
static size_t number_of(struct told *t, const struct cell *cell, const struct candidate *c)
{
    for (size_t i = 0; i < t->candidates; i++)
        if (candidate_equal(&t->candidate[i], c))
            return i;
    *(struct candidate *)array_add(&t->candidate, &t->candidates) = *c;
    fputs("A\t", t->out);
    escape_html(t->out, candidate_label(c, shows_library(t->data)));
    fprintf(t->out, "\t%zu\n", setting_number(t->page, t->reader, cell, c));
    return t->candidates - 1;
}

static void put_time(const struct told *t, size_t number, const struct measured *m)
{
    if (!m) {
        fputs("\t-", t->out);
        return;
    }
    fprintf(t->out, "\t%zu:%.4g", number, 1e6 * m->time.value);
    if (isfinite(m->time.rel_ci))
        fprintf(t->out, ":%.2g:%zu:%zu", 100 * m->time.rel_ci, m->time.launches, m->time.n);
    else if (!t->data->simulated)
        fprintf(t->out, "::%zu:%zu", m->time.launches, m->time.n);
}

/* The cell of a row of selection.csv, and of the default's row there (NULL: none). */
static void put_cell(struct told *t, const struct selection *best, const struct selection *usual)
{
    const struct measured *told[3] = { 0 };
    size_t number[3] = { 0 }, i = first_row(t, &best->cell);
    for (; i < t->rows && cell_compare(&t->row[i]->point.cell, &best->cell) == 0; i++) {
        const struct measured *m = t->row[i];
        const int by_default = usual && candidate_equal(&m->point.candidate, &usual->chosen);
        const int other =
            !told[0] || !candidate_equal(&m->point.candidate, &told[0]->point.candidate);
        if (!told[1] && other &&
            strcmp(algorithm_base_name(m->point.candidate.algorithm), "default") != 0)
            told[told[0] != NULL] = m;
        if (!told[2] && by_default)
            told[2] = m;
    }
    if (!told[0])
        return;
    for (size_t k = 0; k < 3; k++)
        if (told[k])
            number[k] = number_of(t, &best->cell, &told[k]->point.candidate);
    fprintf(t->out, "%d\t%llu", best->cell.procs, (unsigned long long)best->cell.bytes);
    for (size_t k = 0; k < 3; k++)
        put_time(t, number[k], told[k]);
    fputc('\n', t->out);
}

static int same_place(const struct cell *a, const struct cell *b)
{
    return a->procs == b->procs && a->bytes == b->bytes;
}

/* The first cell of each place in the grid: the choices stand in that order. */
static void put_context(struct told *t, const struct context *context)
{
    const struct report_data *d = t->data;
    const struct selection *before = NULL;
    fputs("C", t->out);
    const char *const name[] = { context->collective, mpi_label(context->mpi), context->mapping,
                                 context->mpi };
    for (size_t i = 0; i < 4; i++) {
        fputc('\t', t->out);
        escape_html(t->out, name[i]);
    }
    fputc('\n', t->out);
    t->candidates = 0;
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i], *usual = NULL;
        size_t n;
        if (!cell_in(&c->cell, context) || strcmp(c->name, "best") != 0 ||
            (before && same_place(&before->cell, &c->cell)))
            continue;
        if (ftell(t->out) >= MOST_TEXT) {
            fputs("X\n", t->out);
            return;
        }
        before = c;
        const struct selection *all = choices_at(d, &c->cell, &n);
        for (size_t k = 0; k < n && !usual; k++)
            if (strcmp(all[k].name, "default") == 0 && cell_equal(&all[k].cell, &c->cell))
                usual = &all[k];
        put_cell(t, c, usual);
    }
}

/* Writes the element, with the page's settings (copied_setting.h).
 * Adds the settings of its candidates to these. */
static void cells_put(FILE *out, struct page *page)
{
    char *text = NULL;
    size_t size = 0;
    const struct report_data *d = page->data;
    struct told t = { .out = memory_stream(&text, &size), .page = page, .data = d };
    find_rows(&t);
    for (size_t i = 0; i < d->contexts; i++) {
        t.reader = d->has_facts ? tuning_reader(&d->facts, d->context[i].mpi) : NULL;
        put_context(&t, &d->context[i]);
    }
    for (size_t i = 0; i < page->settings; i++) {
        fputs("S\t", t.out);
        escape_html(t.out, page->setting[i]);
        fputc('\n', t.out);
    }
    fclose(t.out);
    fprintf(out, "<pre id=\"cells\" hidden>\n%s</pre>\n", text);
    memory_free(t.row, t.candidate, text);
}

enum { MOST_PROGRAMS = 4, MOST_INLINE = 1 << 16 /* bytes of a drawing in the page itself */ };

static int start(const char *const *args, const char *dir, const char *log, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int status = posix_spawn_file_actions_addchdir_np(&actions, dir);
    if (status == 0)
        status = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (status == 0)
        status =
            posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (status == 0)
        status = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    char **argv;
    memcpy(&argv, &args, sizeof argv); /* posix_spawn changes neither */
    if (status == 0)
        status = posix_spawnp(pid, args[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

/* The first line that is no warning; else the first; "" of nothing. Cuts the text there. */
static const char *complaint(char *said)
{
    const char *first = NULL;
    for (char *line = said; line && *line;) {
        char *end = strchrnul(line, '\n');
        char *next = *end ? end + 1 : end;
        *end = '\0';
        first = first ? first : line;
        if (*line && !strstr(line, "warning:"))
            return line;
        line = next;
    }
    return first ? first : "";
}

/* Waits; 0 when it ended well, else -1 with what it said. */
static int finish(const char *const *args, pid_t pid, const char *dir, const char *log,
                  struct err *err)
{
    char path[PATH_SIZE];
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return err_errno(err, "%s", args[0]);
    if (fs_path(path, sizeof path, err, "%s/%s", dir, log) < 0)
        return -1;
    char *said = fs_read(path, NULL, NULL);
    unlink(path);
    int fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!fine)
        err_set(err, "%s failed in '%.300s': %.400s", args[0], dir,
                said && *said ? complaint(said) : "it said nothing");
    free(said);
    return fine ? 0 : -1;
}

/* Runs programs side by side in a directory, waits, and fails with what they said. Each args ends
 * with NULL. */
static int run_together(const char *const *const *programs, size_t n, const char *dir,
                        struct err *err)
{
    pid_t pid[MOST_PROGRAMS];
    char log[MOST_PROGRAMS][32];
    int status = 0;
    size_t started = 0;
    for (; status == 0 && started < n && started < MOST_PROGRAMS; started++) {
        const char *const *args = programs[started];
        snprintf(log[started], sizeof log[started], "run-%zu.log", started);
        int why = start(args, dir, log[started], &pid[started]);
        if (why == ENOENT)
            status = err_set(err, "'%s' is not there (make setup installs it)", args[0]);
        else if (why)
            status = err_set(err, "%s: %s", args[0], strerror(why));
        if (status < 0)
            break;
    }
    for (size_t i = 0; i < started; i++)
        if (finish(programs[i], pid[i], dir, log[i], status == 0 ? err : NULL) < 0)
            status = -1;
    return status;
}

static int draw(const struct page *page, struct err *err)
{
    char dir[PATH_SIZE];
    const char **args[2];
    char *names = NULL;
    size_t n[2] = { 0 }, most = page->slots + 2;
    args[0] = memory_zeros(most, sizeof(char *));
    args[1] = memory_zeros(most, sizeof(char *));
    names = memory_zeros(page->slots + 1, SLOT_KEY);
    int status = fs_path(dir, sizeof dir, err, "%s/figures", page->dir);
    size_t figures = 0;
    for (size_t i = 0; status == 0 && i < page->slots; i++) {
        if (page->slot[i].html)
            continue;
        char *name = names + i * SLOT_KEY;
        snprintf(name, SLOT_KEY, "%s.gp", slot_name(&page->slot[i]));
        size_t k = figures++ % 2;
        if (n[k] == 0)
            args[k][n[k]++] = "gnuplot";
        args[k][n[k]++] = name;
    }
    const char *const *both[2] = { (const char *const *)args[0], (const char *const *)args[1] };
    if (status == 0 && figures && page->lacks_gnuplot)
        figures = 0;
    if (status == 0 && figures)
        status = run_together(both, figures > 1 ? 2 : 1, dir, err);
    memory_free(args[0], args[1], names);
    return status;
}

static void put_caption(const struct slot *s, FILE *out)
{
    escape_html(out, s->caption);
    fprintf(out, " (");
    escape_html(out, s->origin);
    fprintf(out, ")");
}

static void put_undrawn(const struct slot *s, FILE *out)
{
    fputs("<figcaption>Not drawn, as gnuplot was not there: ", out);
    put_caption(s, out);
    fputs("</figcaption>\n", out);
}

/* The drawing itself in the page, with its caption: a large one as an image of the file beside it;
 * folded: its caption, behind which that stands. */
static int put_drawing(const struct page *page, const struct slot *s, FILE *out, struct err *err)
{
    char path[PATH_SIZE], file[SLOT_KEY + 16];
    if (fs_path(path, sizeof path, err, "%s/figures/%s.svg", page->dir, slot_name(s)) < 0)
        return -1;
    char *svg = fs_read(path, NULL, err);
    if (!svg)
        return -1;
    snprintf(file, sizeof file, "figures/%s.svg", slot_name(s));
    if (s->aside) {
        fputs("<details><summary>", out);
        put_caption(s, out);
        fputs("</summary>", out);
    }
    fputs("<div class=\"scroll paper\">", out);
    if (s->aside || strlen(svg) > MOST_INLINE)
        svg_image(out, svg, file, s->caption);
    else
        svg_inline(out, svg, (size_t)(s - page->slot), s->caption);
    fputs(s->aside ? "</div></details>\n" : "</div>\n<figcaption>", out);
    if (!s->aside) {
        put_caption(s, out);
        fputs("</figcaption>\n", out);
    }
    free(svg);
    return 0;
}

static int put_figure(const struct page *page, const struct slot *s, FILE *out, struct err *err)
{
    static const char *const ending[] = { "svg", "pdf", "gp", "csv" };
    static const char *const label[] = { "SVG", "PDF", "gnuplot script", "data (CSV)" };
    fprintf(out, "<figure id=\"figure-%s\"%s>", slot_name(s), s->marks ? s->marks : "");
    if (page->lacks_gnuplot)
        put_undrawn(s, out);
    else if (put_drawing(page, s, out, err) < 0)
        return -1;
    fputs("<p class=\"files\">", out);
    for (size_t i = page->lacks_gnuplot ? 2 : 0; i < 4; i++)
        fprintf(out, "<a href=\"figures/%s.%s\">%s</a> ", slot_name(s), ending[i], label[i]);
    fputs("</p></figure>\n", out);
    return 0;
}

/* A file of the assets, to be freed. */
static char *read_asset(const struct page *page, const char *name, struct err *err)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, err, "%s/%s", page->assets, name) < 0
               ? NULL
               : fs_read(path, NULL, err);
}

/* Turns page.md into page.html, the body alone. Texts from files stand in the prose: nothing in it
 * may be HTML. */
static int convert(const struct page *page, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/page.md", page->dir) < 0 ||
        fs_write(path, page->text, err) < 0)
        return -1;
    if (page->lacks_pandoc) {
        if (fs_path(path, sizeof path, err, "%s/page.html", page->dir) < 0 ||
            fs_begin(&f, path, err) < 0)
            return -1;
        plain_write(page->text, f.file);
        return fs_commit(&f, err);
    }
    static const char from[] =
        "--from=markdown-implicit_figures+smart-raw_html-raw_attribute-raw_tex-native_divs"
        "-native_spans-markdown_in_html_blocks-bracketed_spans-inline_code_attributes"
        "-link_attributes-fenced_code_attributes";
    const char *const args[] = { "pandoc",         from,
                                 "--to=html5",     "--wrap=none",
                                 "--section-divs", "--output=page.html",
                                 "page.md",        NULL };
    const char *const *one = args;
    return run_together(&one, 1, page->dir, err);
}

static const struct slot *find_slot(const struct page *page, const char *key, size_t len)
{
    return find_below(page->slot, i, page->slots,
                      strlen(page->slot[i].key) == len &&
                          strncmp(page->slot[i].key, key, len) == 0);
}

static int put_style(const struct page *page, FILE *out, struct err *err)
{
    char *css = read_asset(page, "page.css", err);
    if (!css)
        return -1;
    fprintf(out, "<style>\n%s</style>", css);
    free(css);
    return 0;
}

/* The script without what only its readers want: blanks that begin lines, and comments that do. To
 * be freed. */
static char *read_script(const struct page *page, struct err *err)
{
    char *script = read_asset(page, "page.js", err), *to = script;
    for (const char *p = script; p && *p;) {
        p += strspn(p, " \n");
        const char *comment = strncmp(p, "/*", 2) == 0 ? strstr(p, "*/") : NULL;
        const size_t n = comment ? 0 : strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n');
        memmove(to, p, n);
        to += n;
        p = comment ? comment + 2 : p + n;
    }
    if (script)
        *to = '\0';
    return script;
}

/* Nothing is loaded but drawings beside the page, and no script runs but the page's own, which is
 * known by its digest: whatever a text from a file holds. */
static int put_policy(const struct page *page, FILE *out, struct err *err)
{
    char digest[SHA256_BASE64], *script = read_script(page, err);
    if (!script)
        return -1;
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'; img-src 'self' data:; script-src 'sha256-%s'\">",
            sha256_base64(script, strlen(script), digest));
    free(script);
    return 0;
}

/* What the script tells of cells, and the script: the page says all that it says without it. */
static int put_script(struct page *page, FILE *out, struct err *err)
{
    char *script = read_script(page, err);
    if (!script)
        return -1;
    cells_put(out, page);
    fprintf(out, "<script>%s</script>", script);
    free(script);
    return 0;
}

/* By page_subject. */
static const struct page_file {
    const char *file, *title;
} subjects[PAGE_SUBJECTS] = {
    [PAGE_CHOICES] = { "choices.html", "Choices" },
    [PAGE_SELECTORS] = { "selectors.html", "Selectors" },
    [PAGE_MODELS] = { "models.html", "Models" },
    [PAGE_QUALITY] = { "quality.html", "Quality" },
    [PAGE_MACHINE] = { "machine.html", "Machine" },
    [PAGE_PAPERS] = { "papers.html", "Papers" },
    [PAGE_INDEX] = { "index.html", "Overview" },
};

/* One page of the report. */
struct sheet {
    size_t subject;    /* page_subject */
    const char *prose; /* of all pages, as HTML */
    char *text; /* the finished page, but for links to other pages; NULL: it has no section */
    size_t size;
};

static void put_title(const struct page *page, const struct sheet *sheet, FILE *out)
{
    fputs("<title>", out);
    escape_html(out, page->data->cluster);
    fputs(", ", out);
    escape_html(out, page->data->study);
    if (sheet->subject != PAGE_INDEX)
        fprintf(out, " · %s", subjects[sheet->subject].title);
    fputs(" · collsel</title>", out);
}

/* The first section of a subject, or of a later one; parts: there is none. */
static size_t first_part(const struct page *page, size_t subject)
{
    const size_t i = first_below(k, page->parts, !(page->part[k].subject < subject));
    return i;
}

static int has_parts(const struct page *page, size_t subject)
{
    return subject == PAGE_INDEX || first_part(page, subject) < first_part(page, subject + 1);
}

/* The way to all pages. */
static void put_pages(const struct page *page, const struct sheet *sheet, FILE *out)
{
    fputs("<nav id=\"pages\" aria-label=\"Pages\">", out);
    for (size_t i = 0; i < PAGE_SUBJECTS; i++) {
        const size_t k = i ? i - 1 : PAGE_INDEX;
        if (has_parts(page, k))
            fprintf(out, "<a href=\"%s\"%s>%s</a>\n", subjects[k].file,
                    k == sheet->subject ? " aria-current=\"page\"" : "", subjects[k].title);
    }
    fputs("</nav>", out);
}

static void put_parts(const struct page *page, size_t subject, const char *file, FILE *out)
{
    fputs("<ul>\n", out);
    for (size_t i = first_part(page, subject); i < first_part(page, subject + 1); i++)
        fprintf(out, "<li><a href=\"%s#%s\">%s</a></li>\n", file, page->part[i].name,
                page->part[i].title);
    fputs("</ul>\n", out);
}

/* The sections of the page; of index.html those of all pages. */
static void put_contents(const struct page *page, const struct sheet *sheet, FILE *out)
{
    const int is_index = sheet->subject == PAGE_INDEX;
    fprintf(out, "<nav id=\"toc\"><details><summary>%s</summary><div>\n",
            is_index ? "All sections" : "Contents");
    if (!is_index)
        put_parts(page, sheet->subject, "", out);
    for (size_t k = 0; is_index && k < PAGE_INDEX; k++)
        if (has_parts(page, k)) {
            fprintf(out, "<a href=\"%s\">%s</a>", subjects[k].file, subjects[k].title);
            put_parts(page, k, subjects[k].file, out);
        }
    fputs("</div></details></nav>", out);
}

static void put_header(const struct page *page, FILE *out)
{
    const struct report_data *d = page->data;
    const char *title = manifest_text(d, "study/settings/study/title/value");
    size_t planned, missing;
    fputs("<header>\n<h1>", out);
    escape_html(out, *title && strcmp(title, "unknown") != 0 ? title : d->study);
    fputs("</h1>\n<p class=\"subtitle\">", out);
    const int titled = *d->title && strcmp(d->title, "unknown") != 0;
    if (titled)
        escape_html(out, d->title);
    fprintf(out, "%scluster <code>", titled ? " · " : "");
    escape_html(out, d->cluster);
    fputs("</code> · ", out);
    escape_html(out, d->backend_label);
    count_points(d, &planned, &missing);
    if (missing)
        fprintf(out, " · <strong>%zu of %zu point%s so far</strong>", planned - missing,
                COUNTED(planned));
    fputs("</p>\n", out);
    trust_badge(out, d);
    if (page->lacks_gnuplot || page->lacks_pandoc)
        fprintf(out,
                "<p class=\"subtitle\">made without %s%s%s: install what is missing and run "
                "<code>collsel report</code> again</p>",
                page->lacks_gnuplot ? "gnuplot, so no figure is drawn" : "",
                page->lacks_gnuplot && page->lacks_pandoc ? ", and without " : "",
                page->lacks_pandoc ? "pandoc, so the text is plain" : "");
    fputs("</header>", out);
}

/* What stands where something belongs: in the template, and in the prose that pandoc turned into
 * HTML. */
static const struct slot_mark {
    const char *open, *close;
} marks[] = { { "<!--", "-->" }, { "<p><code>@", "@</code></p>" } };

/* The first mark of a slot in html, and in *kind which it is; NULL: no more. */
static const char *find_mark(const char *html, const struct slot_mark **kind)
{
    const char *first = NULL;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t len = strlen(marks[i].open);
        const char *at = strstr(html, marks[i].open);
        while (at && strncmp(at + len, "slot-", 5) != 0)
            at = strstr(at + 1, marks[i].open);
        if (at && (!first || at < first)) {
            first = at;
            *kind = &marks[i];
        }
    }
    return first;
}

static int fill(struct page *page, const struct sheet *sheet, const char *html, FILE *out,
                struct err *err);

/* Where the third of more than six parts of a section begins, and how many come from there; NULL:
 * there are fewer. */
static const char *more_parts(const char *at, const char *end, size_t *n)
{
    static const char part[] = "class=\"level3\"";
    const char *third = NULL;
    *n = 0;
    for (; (at = memmem(at, (size_t)(end - at), part, sizeof part - 1)); at++)
        if (++*n == 3)
            third = at;
    while (third && *third != '<')
        third--;
    *n -= third ? 2 : 0;
    return *n > 4 ? third : NULL;
}

/* A section's prose: below its heading all is folded away, save in the first of a page; and of many
 * parts all but two. */
static void fold(FILE *out, const char *at, size_t size, int open)
{
    static const char heading[] = "<h2", behind[] = "</h2>", last[] = "</section>";
    const char *from = memmem(at, size, heading, sizeof heading - 1);
    const char *to = memmem(at, size, behind, sizeof behind - 1);
    size_t end = size;
    while (end > sizeof last && strncmp(at + end - (sizeof last - 1), last, sizeof last - 1) != 0)
        end--;
    end -= sizeof last - 1;
    if (!from || !to || to + sizeof behind - 1 > at + end) {
        fwrite(at, 1, size, out);
        return;
    }
    to += sizeof behind - 1;
    fwrite(at, 1, (size_t)(from - at), out);
    fprintf(out, "<details class=\"part\"%s><summary>%.*s</summary>", open ? " open" : "",
            (int)(to - from), from);
    size_t n;
    const char *more = more_parts(to, at + end, &n);
    fwrite(to, 1, (size_t)((more ? more : at + end) - to), out);
    if (more)
        fprintf(out,
                "<details class=\"more\"><summary>%zu more; “Show only …” above finds "
                "one</summary>%.*s</details>",
                n, (int)(at + end - more), more);
    fprintf(out, "</details>%.*s", (int)(size - end), at + end);
}

/* Where a section begins in the prose; its end behind the last one. */
static const char *part_begin(const struct page *page, const char *prose, size_t i)
{
    char open[NAME_SIZE + 32];
    if (i < page->parts)
        snprintf(open, sizeof open, "<section id=\"%.60s\"", page->part[i].name);
    const char *at = i < page->parts ? strstr(prose, open) : NULL;
    return at ? at : prose + strlen(prose);
}

static int put_main(struct page *page, const struct sheet *sheet, FILE *out, struct err *err)
{
    char *prose = NULL;
    size_t size = 0;
    const size_t first = first_part(page, sheet->subject);
    FILE *folded = memory_stream(&prose, &size);
    for (size_t i = first; i < first_part(page, sheet->subject + 1); i++) {
        const char *at = part_begin(page, sheet->prose, i);
        fold(folded, at, (size_t)(part_begin(page, at, i + 1) - at), i == first);
    }
    fclose(folded);
    const int status = fill(page, sheet, prose, out, err);
    free(prose);
    return status;
}

/* On the first page, for links as of when there was one page: tables and figures of the others. */
static void put_moved(const struct sheet *sheet, FILE *out)
{
    const struct sheet *all = sheet - sheet->subject;
    for (size_t k = 0; sheet->subject == PAGE_INDEX && k < PAGE_INDEX; k++) {
        fprintf(out, "<template data-page=\"%s\">", subjects[k].file);
        for (const char *at = all[k].text; at && (at = strstr(at, " id=\"")); at++)
            if (strncmp(at + 5, "table-", 6) == 0 || strncmp(at + 5, "figure-", 7) == 0)
                fprintf(out, "%.*s ", (int)strcspn(at + 5, "\""), at + 5);
        fputs("</template>\n", out);
    }
}

static int put_slot(struct page *page, const struct sheet *sheet, const char *key, size_t len,
                    FILE *out, struct err *err)
{
    const struct slot *s = find_slot(page, key, len);
    if (s && s->html)
        fputs(s->html, out);
    else if (s)
        return put_figure(page, s, out, err);
    else if (strncmp(key, "slot-main", 9) == 0)
        return put_main(page, sheet, out, err);
    else if (strncmp(key, "slot-style", 10) == 0)
        return put_style(page, out, err);
    else if (strncmp(key, "slot-policy", 11) == 0)
        return put_policy(page, out, err);
    else if (strncmp(key, "slot-script", 11) == 0)
        return put_script(page, out, err);
    else if (strncmp(key, "slot-title", 10) == 0)
        put_title(page, sheet, out);
    else if (strncmp(key, "slot-header", 11) == 0)
        put_header(page, out);
    else if (strncmp(key, "slot-pages", 10) == 0)
        put_pages(page, sheet, out);
    else if (strncmp(key, "slot-class", 10) == 0)
        fprintf(out, "%.*s", (int)strcspn(subjects[sheet->subject].file, "."),
                subjects[sheet->subject].file);
    else if (strncmp(key, "slot-moved", 10) == 0)
        put_moved(sheet, out);
    else if (strncmp(key, "slot-contents", 13) == 0)
        put_contents(page, sheet, out);
    return 0;
}

/* Copies html to out with every mark replaced by what belongs there. */
static int fill(struct page *page, const struct sheet *sheet, const char *html, FILE *out,
                struct err *err)
{
    const struct slot_mark *kind = NULL;
    int status = 0;
    const char *mark;
    while (status == 0 && (mark = find_mark(html, &kind))) {
        const char *key = mark + strlen(kind->open), *end = strstr(key, kind->close);
        if (!end)
            break;
        fwrite(html, 1, (size_t)(mark - html), out);
        html = end + strlen(kind->close);
        status = put_slot(page, sheet, key, (size_t)(end - key), out, err);
    }
    fputs(html, out);
    return status;
}

/* The sheet that has an element of this name, its own first; its own if none has. */
static size_t sheet_with(const struct sheet *sheet, size_t own, const char *name, size_t len)
{
    char id[160];
    snprintf(id, sizeof id, " id=\"%.*s\"", (int)(len > 120 ? 120 : len), name);
    if (strstr(sheet[own].text, id))
        return own;
    for (size_t k = 0; k < PAGE_SUBJECTS; k++)
        if (sheet[k].text && strstr(sheet[k].text, id))
            return k;
    return own;
}

/* Writes a finished page, in which links to elements of another one name its file. */
static int write_sheet(const struct page *page, const struct sheet *sheet, size_t own,
                       struct err *err)
{
    static const char open[] = "<a href=\"#";
    const char *text = sheet[own].text, *link;
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/%s", page->dir, subjects[own].file) < 0 ||
        fs_begin(&f, path, err) < 0)
        return -1;
    for (; (link = strstr(text, open)); text = link) {
        link += sizeof open - 1;
        const size_t k = sheet_with(sheet, own, link, strcspn(link, "\""));
        fwrite(text, 1, (size_t)(link - 1 - text), f.file);
        fprintf(f.file, "%s#", k == own ? "" : subjects[k].file);
    }
    fputs(text, f.file);
    return fs_commit(&f, err);
}

static int fill_sheets(struct page *page, const char *template, const char *prose,
                       struct sheet *sheet, struct err *err)
{
    int status = 0;
    for (size_t k = 0; status == 0 && k < PAGE_SUBJECTS; k++) {
        if (!has_parts(page, k))
            continue;
        sheet[k].subject = k;
        sheet[k].prose = prose;
        FILE *out = memory_stream(&sheet[k].text, &sheet[k].size);
        status = fill(page, &sheet[k], template, out, err);
        fclose(out);
    }
    return status;
}

static int assemble(struct page *page, struct err *err)
{
    char path[PATH_SIZE], *template = read_asset(page, "page.template", err);
    struct sheet sheet[PAGE_SUBJECTS] = { { .subject = 0 } };
    int status = template ? fs_path(path, sizeof path, err, "%s/page.html", page->dir) : -1;
    char *prose = status == 0 ? fs_read(path, NULL, err) : NULL;
    status = prose ? fill_sheets(page, template, prose, sheet, err) : -1;
    for (size_t k = 0; k < PAGE_SUBJECTS; k++)
        if (status == 0 && sheet[k].text)
            status = write_sheet(page, sheet, k, err);
    for (size_t k = 0; k < PAGE_SUBJECTS; k++)
        free(sheet[k].text);
    if (prose)
        unlink(path);
    memory_free(prose, template);
    return status;
}

int page_finish(struct page *page, struct err *err)
{
    int status = 0;
    if (fflush(page->md) != 0)
        status = err_errno(err, "report");
    if (page->failed) {
        *err = page->err;
        status = -1;
    }
    if (status == 0 && (draw(page, err) < 0 || convert(page, err) < 0 || assemble(page, err) < 0))
        status = -1;
    page_abandon(page);
    return status;
}
