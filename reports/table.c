/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/table.h"

#include "reports/style.h"

enum {
    WIDE_CELL = 32,  /* bytes; longer cells may be broken into lines */
    FOLD_ROWS = 20,  /* a table of more is folded away */
    PAGE_ROWS = 300, /* of more the page has the first alone */
    FIRST_ROWS = 100
};
enum {
    LATEX_WIDE = 40, /* characters; columns with longer cells have them broken into lines */
    LATEX_RUN = 20,  /* bytes of a word that may be broken behind them */
    LATEX_ROWS = 45  /* on a page */
};

struct column {
    char *key, *group, *title;
    enum align align;
    size_t most; /* characters of a cell */
};

struct cell_text {
    char *shown, *raw; /* raw NULL: as shown */
    enum mark mark;
    size_t setting; /* 0: none */
    int aside;      /* 1, of the first in a row: the row is in the files alone */
};

struct note {
    char *text, *at; /* at: the table of the page that has said it; NULL: none has */
};

struct table {
    char *name, *caption, *backend, *label;
    struct column *column;
    size_t columns;
    struct cell_text *cell;
    size_t cells;
    struct note *note;
    size_t notes;
    int folded;
    size_t aside;         /* rows that are in the files alone */
    int context;          /* -1: of none */
    const char *glossary; /* docs/glossary.md; NULL: none */
};

static char *keep(const char *text)
{
    return text ? memory_text(text) : NULL;
}

struct table *table_new(const char *name, const char *caption, const char *backend,
                        const char *backend_label)
{
    struct table *t = memory_zeros(1, sizeof *t);
    t->name = keep(name);
    t->caption = keep(caption);
    t->backend = keep(backend);
    t->label = keep(backend_label);
    t->context = -1;
    return t;
}

int table_has(const struct table *t, const char *text)
{
    int has = strstr(t->caption, text) != NULL;
    for (size_t i = 0; i < t->columns && !has; i++)
        has = strstr(t->column[i].title, text) != NULL;
    for (size_t i = 0; i < t->cells && !has; i++)
        has = strstr(t->cell[i].shown, text) != NULL;
    return has;
}

void table_free(struct table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->columns; i++)
        memory_free(t->column[i].key, t->column[i].group, t->column[i].title);
    for (size_t i = 0; i < t->cells; i++)
        memory_free(t->cell[i].shown, t->cell[i].raw);
    for (size_t i = 0; i < t->notes; i++)
        memory_free(t->note[i].text, t->note[i].at);
    memory_free(t->column, t->cell, t->note, t->name, t->caption, t->backend, t->label, t);
}

void table_columns(struct table *t, const char *fmt, ...)
{
    static const char between[] = " ; ";
    va_list args;
    va_start(args, fmt);
    char *all = memory_print(fmt, args);
    va_end(args);
    for (char *text = all, *next; text; text = next) {
        next = strstr(text, between);
        if (next) {
            *next = '\0';
            next += strlen(between);
        }
        char *rest = text + 1;
        const char *key = strsep(&rest, "|"), *title = strsep(&rest, "|");
        *array_add(&t->column, &t->columns) =
            (struct column){ .key = keep(key),
                             .group = keep(rest),
                             .title = keep(title),
                             .align = *text == '<'   ? ALIGN_LEFT
                                      : *text == '>' ? ALIGN_RIGHT
                                                     : ALIGN_DATA };
    }
    free(all);
}

static size_t characters(const char *text)
{
    size_t n = 0;
    for (const char *p = text ? text : ""; *p; p++)
        n += ((unsigned char)*p & 0xc0) != 0x80;
    return n;
}

static void take_cell(struct table *t, char *shown, const char *raw)
{
    struct column *c = t->columns ? &t->column[t->cells % t->columns] : NULL;
    if (c && characters(shown) > c->most)
        c->most = characters(shown);
    *array_add(&t->cell, &t->cells) = (struct cell_text){ .shown = shown, .raw = keep(raw) };
}

static void add_cell(struct table *t, const char *shown, const char *raw)
{
    take_cell(t, keep(shown), raw);
}

void table_text(struct table *t, const char *text)
{
    add_cell(t, text, NULL);
}

void table_cell(struct table *t, const char *raw, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    take_cell(t, memory_print(fmt, args), raw);
    va_end(args);
}

void table_value(struct table *t, double value, const char *fmt, ...)
{
    char raw[40] = "";
    va_list args;
    if (isfinite(value))
        snprintf(raw, sizeof raw, "%.9g", value);
    va_start(args, fmt);
    take_cell(t, memory_print(fmt, args), raw);
    va_end(args);
}

/* A typographic minus, as the dash of a missing value is one too. */
static void add_number(struct table *t, const char *digits, double value)
{
    const int minus = *digits == '-';
    table_value(t, value, "%s%s", minus ? "−" : "", digits + minus);
}

void table_number(struct table *t, double value, int decimals)
{
    char text[64];
    if (!isfinite(value)) {
        table_cell(t, "", "–");
        return;
    }
    snprintf(text, sizeof text, "%.*f", decimals, value);
    if (strspn(text, "-0.") == strlen(text))
        snprintf(text, sizeof text, "%.*f", decimals, 0.0);
    add_number(t, text, value);
}

void table_scaled(struct table *t, double value, double factor, int decimals)
{
    if (isfinite(value))
        table_value(t, value, "%.*f", decimals, value * factor);
    else
        table_cell(t, "", "–");
}

void table_pct(struct table *t, double pct)
{
    table_value(t, pct, "%s", show_pct(pct));
}

void table_bytes(struct table *t, uint64_t bytes)
{
    char raw[40];
    snprintf(raw, sizeof raw, "%llu", (unsigned long long)bytes);
    table_cell(t, raw, "%s", show_bytes(bytes));
}

void table_time(struct table *t, double seconds)
{
    table_value(t, seconds, "%s", show_time(seconds));
}

/* 3.2e-09 -> "3.2 × 10⁻⁹". */
static void show_power(struct table *t, const char *text, const char *e, double value)
{
    static const char *const power[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
    char shown[96];
    int exponent = (int)strtol(e + 1, NULL, 10);
    int n =
        snprintf(shown, sizeof shown, "%s%.*s × 10%s", *text == '-' ? "−" : "",
                 (int)(e - text - (*text == '-')), text + (*text == '-'), exponent < 0 ? "⁻" : "");
    char digits[16];
    snprintf(digits, sizeof digits, "%d", abs(exponent));
    for (const char *d = digits; *d; d++)
        n += snprintf(shown + n, sizeof shown - (size_t)n, "%s", power[*d - '0']);
    table_value(t, value, "%s", shown);
}

void table_scientific(struct table *t, double value, int digits)
{
    char text[64];
    double size = fabs(value);
    if (!isfinite(value)) {
        table_cell(t, "", "–");
        return;
    }
    if (value == 0 || (size >= 0.01 && size < 10000)) {
        const int whole = size >= pow(10, digits) - 0.5; /* where %g turns to powers of ten */
        snprintf(text, sizeof text, whole ? "%.*f" : "%.*g", whole ? 0 : digits, value);
        add_number(t, text, value);
        return;
    }
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    show_power(t, text, strchr(text, 'e'), value);
}

void table_mark(struct table *t, enum mark mark)
{
    if (t && t->cells)
        t->cell[t->cells - 1].mark = mark;
}

void table_setting(struct table *t, size_t number)
{
    if (t->cells)
        t->cell[t->cells - 1].setting = number;
}

/* One of table_cells' cells, of len characters; its arguments are taken from args. */
static void next_cell(struct table *t, const char *cell, size_t len, va_list *args)
{
    static const struct {
        const char *text;
        enum { TEXT, PAIR, INT, SIZE, PCT, TIME, BYTES, DASH } kind;
    } kinds[] = { { "%s", TEXT },   { "%s=%s", PAIR }, { "%d", INT },      { "%zu", SIZE },
                  { "%g %%", PCT }, { "%g s", TIME },  { "%ju B", BYTES }, { "–", DASH } };
    enum { N_KINDS = sizeof kinds / sizeof *kinds };
    const size_t k = first_below(
        i, N_KINDS, !((strlen(kinds[i].text) != len || strncmp(kinds[i].text, cell, len) != 0)));
    if (k == N_KINDS) { /* %.DIGITSf, %.DIGITSf*FACTOR, %.DIGITSe */
        const int digits = cell[2] - '0';
        const double value = va_arg(*args, double);
        if (cell[3] == 'e')
            table_scientific(t, value, digits);
        else if (cell[4] == '*')
            table_scaled(t, value, strtod(cell + 5, NULL), digits);
        else
            table_number(t, value, digits);
        return;
    }
    const char *raw = kinds[k].kind == PAIR ? va_arg(*args, const char *) : NULL;
    switch (kinds[k].kind) {
    case TEXT:
    case PAIR:
        add_cell(t, va_arg(*args, const char *), raw);
        break;
    case INT:
        table_number(t, va_arg(*args, int), 0);
        break;
    case SIZE:
        table_number(t, (double)va_arg(*args, size_t), 0);
        break;
    case PCT:
        table_pct(t, va_arg(*args, double));
        break;
    case TIME:
        table_time(t, va_arg(*args, double));
        break;
    case BYTES:
        table_bytes(t, va_arg(*args, uintmax_t));
        break;
    case DASH:
        add_cell(t, "–", "");
    }
}

void table_cells(struct table *t, const char *fmt, ...)
{
    static const char between[] = " | ", mark[] = " [%d]";
    va_list args;
    va_start(args, fmt);
    for (const char *cell = fmt; cell;) {
        const char *next = strstr(cell, between), *end = next ? next : cell + strlen(cell);
        const int marked = (size_t)(end - cell) > strlen(mark) &&
                           strncmp(end - strlen(mark), mark, strlen(mark)) == 0;
        next_cell(t, cell, (size_t)(end - cell) - (marked ? strlen(mark) : 0), &args);
        if (marked)
            table_mark(t, (enum mark)va_arg(args, int));
        cell = next ? next + strlen(between) : NULL;
    }
    va_end(args);
}

void table_of_context(struct table *t, int context)
{
    t->context = context;
}

void table_explain(struct table *t, const char *glossary)
{
    t->glossary = glossary;
}

void table_fold_behind(struct table *t, int context)
{
    t->folded |= t->context > context;
}

void table_fold(struct table *t)
{
    t->folded = 1;
}

void table_row_aside(struct table *t)
{
    t->cell[t->cells - t->columns].aside = 1;
    t->aside++;
}

size_t table_notes(const struct table *t)
{
    return t->notes;
}

const char *table_note_text(const struct table *t, size_t i)
{
    return t->note[i].text;
}

void table_note_at(struct table *t, size_t i, const char *table)
{
    t->note[i].at = keep(table);
}

void table_note(struct table *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    *(struct note *)array_add(&t->note, &t->notes) = (struct note){ memory_print(fmt, args), NULL };
    va_end(args);
}

size_t table_rows(const struct table *t)
{
    return t->columns ? t->cells / t->columns : 0;
}

const char *table_name(const struct table *t)
{
    return t->name;
}

void escape_markdown(FILE *out, const char *text)
{
    for (const char *p = text ? text : ""; *p; p++) {
        if (*p == '\n' || *p == '\r') {
            fputc(' ', out);
            continue;
        }
        if (strchr("\\`*_{}[]()#+!|<>$~^\"'@", *p) || (strchr("-.", *p) && p[1] == *p))
            fputc('\\', out);
        fputc(*p, out);
    }
}

/* The fence is longer than any run of backquotes within. */
void escape_code(FILE *out, const char *text)
{
    size_t most = 0, run = 0;
    for (const char *p = text; *p; p++) {
        run = *p == '`' ? run + 1 : 0;
        most = run > most ? run : most;
    }
    const char *space = most || !*text ? " " : "";
    for (size_t i = 0; i <= most; i++)
        putc('`', out);
    fputs(space, out);
    for (const char *p = text; *p; p++)
        putc((unsigned char)*p < ' ' ? ' ' : *p, out);
    fputs(space, out);
    for (size_t i = 0; i <= most; i++)
        putc('`', out);
}

void escape_html(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
    for (const char *p = text ? text : "", *at; *p; p++)
        if ((at = strchr(special, *p)))
            fputs(entity[at - special], out);
        else
            fputc(*p, out);
}

/* What LaTeX with utf8 input does not set by itself. */
static const struct symbol {
    const char *utf8, *latex;
} symbols[] = {
    { "α", "$\\alpha$" },  { "β", "$\\beta$" },   { "γ", "$\\gamma$" },   { "µ", "\\textmu{}" },
    { "×", "$\\times$" },  { "−", "$-$" },        { "–", "--" },          { "±", "$\\pm$" },
    { "≥", "$\\geq$" },    { "≤", "$\\leq$" },    { "√", "$\\surd$" },    { "…", "\\ldots{}" },
    { "→", "$\\to$" },     { "≈", "$\\approx$" }, { "\u00a0", "~" },      { "\u202f", "\\," },
    { "∞", "$\\infty$" },  { "·", "$\\cdot$" },   { "‡", "$\\ddagger$" }, { "’", "'" },
    { "†", "$\\dagger$" }, { "σ", "$\\sigma$" },  { "Σ", "$\\Sigma$" },   { "“", "``" },
    { "”", "''" },         { "₀", "$_0$" },       { "₁", "$_1$" },        { "₂", "$_2$" },
    { "₃", "$_3$" },       { "ᵢ", "$_i$" },
};
static const struct symbol raised[] = {
    { "⁻", "-" }, { "⁰", "0" }, { "¹", "1" }, { "²", "2" }, { "³", "3" }, { "⁴", "4" },
    { "⁵", "5" }, { "⁶", "6" }, { "⁷", "7" }, { "⁸", "8" }, { "⁹", "9" },
};

/* Writes the symbol of the table at p; returns its length in bytes, 0 where there is none. */
static size_t put_symbol(FILE *out, const struct symbol *table, size_t n, const char *p)
{
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(table[i].utf8);
        if (strncmp(p, table[i].utf8, len) != 0)
            continue;
        if (out)
            fputs(table[i].latex, out);
        return len;
    }
    return 0;
}

/* The symbol or the run of raised digits at p. */
static size_t latex_symbol(FILE *out, const char *p)
{
    enum {
        N_SYMBOLS = sizeof symbols / sizeof *symbols,
        N_RAISED = sizeof raised / sizeof *raised
    };
    size_t len = 0, step;
    if (!put_symbol(NULL, raised, N_RAISED, p))
        return put_symbol(out, symbols, N_SYMBOLS, p);
    fputs("$^{", out);
    while ((step = put_symbol(out, raised, N_RAISED, p + len)))
        len += step;
    fputs("}$", out);
    return len;
}

/* How many bytes the character at p has that no table here knows: of the letters of Latin script it
 * is set as it is, any other as "?", as LaTeX would stop at it. 0: it is ASCII. */
static size_t latex_letter(FILE *out, const char *p)
{
    const unsigned char lead = (unsigned char)*p;
    size_t n = 1;
    if (lead < 0x80)
        return 0;
    while (((unsigned char)p[n] & 0xc0) == 0x80)
        n++;
    if (lead >= 0xc3 && lead <= 0xc5 && n == 2)
        fwrite(p, 1, n, out);
    else
        putc('?', out);
    return n;
}

static void escape_latex(FILE *out, const char *text)
{
    for (const char *p = text ? text : ""; *p; p++) {
        size_t len = (unsigned char)*p >= 0x80 ? latex_symbol(out, p) : 0;
        len = len ? len : latex_letter(out, p);
        if (len)
            p += len - 1;
        else if (*p == '\\')
            fputs("\\textbackslash{}", out);
        else if (*p == '~')
            fputs("\\textasciitilde{}", out);
        else if (*p == '^')
            fputs("\\textasciicircum{}", out);
        else if (*p == '<' || *p == '>')
            fprintf(out, "\\text%s{}", *p == '<' ? "less" : "greater");
        else if (strchr("&%$#_{}", *p))
            fprintf(out, "\\%c", *p);
        else
            fputc(*p == '\n' || *p == '\r' ? ' ' : *p, out);
    }
}

static int check(const struct table *t, FILE *out, struct err *err)
{
    if (!out)
        return err_set(err, "table '%s': no file to write to", t->name);
    if (!t->columns || t->cells % t->columns)
        return err_set(err, "table '%s': %zu cells do not fill rows of %zu", t->name, t->cells,
                       t->columns);
    return 0;
}

/* Columns that people see: those before the first that is only data. */
static size_t seen_columns(const struct table *t)
{
    const size_t n = first_below(i, t->columns, t->column[i].align == ALIGN_DATA);
    return n;
}

/* Number of columns from c on that share its group; 1 where it has none. */
static size_t span(const struct table *t, size_t c)
{
    size_t n = 1;
    const char *group = t->column[c].group;
    while (group && c + n < seen_columns(t) && t->column[c + n].group &&
           strcmp(t->column[c + n].group, group) == 0)
        n++;
    return n;
}

static int grouped(const struct table *t)
{
    return any_below(c, seen_columns(t), t->column[c].group);
}

static void caption(const struct table *t, FILE *out, void (*escape)(FILE *, const char *))
{
    escape(out, t->caption);
    if (t->label) {
        escape(out, " (");
        escape(out, t->label);
        escape(out, ")");
    }
}

int table_write_markdown(const struct table *t, FILE *out, struct err *err)
{
    if (check(t, out, err) < 0)
        return -1;
    for (size_t c = 0; c < seen_columns(t); c++) {
        fputs(c ? " | " : "| ", out);
        if (t->column[c].group) {
            escape_markdown(out, t->column[c].group);
            fputs(": ", out);
        }
        escape_markdown(out, t->column[c].title);
    }
    fputs(" |\n", out);
    for (size_t c = 0; c < seen_columns(t); c++)
        fputs(t->column[c].align == ALIGN_RIGHT ? "|---:" : "|:---", out);
    fputs("|\n", out);
    for (size_t i = 0; i < t->cells; i++) {
        if (i % t->columns >= seen_columns(t))
            continue;
        const char *bold = t->cell[i].mark == MARK_BEST ? "**" : "";
        fputs(i % t->columns ? " | " : "| ", out);
        fputs(bold, out);
        escape_markdown(out, t->cell[i].shown);
        fputs(bold, out);
        if (i % t->columns + 1 == seen_columns(t))
            fputs(" |\n", out);
    }
    fputs("\nTable: ", out);
    caption(t, out, escape_markdown);
    fputc('\n', out);
    for (size_t i = 0; i < t->notes; i++) {
        fputc('\n', out);
        escape_markdown(out, t->note[i].text);
        fputc('\n', out);
    }
    return 0;
}

static void latex_groups(const struct table *t, FILE *out)
{
    for (size_t c = 0; c < seen_columns(t); c += span(t, c)) {
        fprintf(out, "%s\\multicolumn{%zu}{c}{", c ? " & " : "", span(t, c));
        escape_latex(out, t->column[c].group);
        fputc('}', out);
    }
    fputs(" \\\\\n", out);
    for (size_t c = 0; c < seen_columns(t); c += span(t, c))
        if (t->column[c].group)
            fprintf(out, "\\cmidrule(lr){%zu-%zu}", c + 1, c + span(t, c));
    fputc('\n', out);
}

/* 1 when a column has texts that are broken into lines. */
static int latex_wraps(const struct table *t, size_t c)
{
    return t->column[c].align == ALIGN_LEFT && t->column[c].most > LATEX_WIDE;
}

/* One text of such a column: paths and the like may be broken, too, at signs and after so many
 * letters. */
static void latex_wrapped(FILE *out, const char *text)
{
    char piece[LATEX_RUN + 1];
    size_t n = 0;
    for (const char *p = text ? text : ""; *p; p++) {
        piece[n++] = *p;
        piece[n] = '\0';
        const int whole = ((unsigned char)p[1] & 0xc0) != 0x80; /* a character ends here */
        if (whole && (n >= LATEX_RUN - 4 || strchr(" /_=,:;|-", *p))) {
            escape_latex(out, piece);
            fputs(*p == ' ' ? "" : "\\discretionary{}{}{}", out);
            n = 0;
        }
    }
    escape_latex(out, n ? piece : "");
}

static void latex_row(const struct table *t, FILE *out, size_t first)
{
    for (size_t c = 0; c < seen_columns(t); c++) {
        const struct cell_text *cell = &t->cell[first + c];
        const int bold = cell->mark == MARK_BEST;
        fputs(c ? " & " : "", out);
        fputs(bold ? "\\textbf{" : "", out);
        (latex_wraps(t, c) ? latex_wrapped : escape_latex)(out, cell->shown);
        fputs(bold ? "}" : "", out);
    }
    fputs(" \\\\\n", out);
}

static void latex_head(const struct table *t, FILE *out)
{
    fputs("\\begin{tabular}{", out);
    for (size_t c = 0; c < seen_columns(t); c++)
        fputs(t->column[c].align == ALIGN_RIGHT ? "r"
              : latex_wraps(t, c) ? ">{\\raggedright\\arraybackslash}p{0.5\\linewidth}"
                                  : "l",
              out);
    fputs("}\n\\toprule\n", out);
    if (grouped(t))
        latex_groups(t, out);
    for (size_t c = 0; c < seen_columns(t); c++) {
        fputs(c ? " & " : "", out);
        escape_latex(out, t->column[c].title);
    }
    fputs(" \\\\\n\\midrule\n", out);
}

/* The rows from first on that stand on one page. */
static void latex_part(const struct table *t, FILE *out, size_t first)
{
    const size_t rows = table_rows(t);
    fputs("\\begin{table}\n\\centering\n\\caption{", out);
    caption(t, out, escape_latex);
    fputs(first ? ", continued}\n" : "}\n", out);
    if (!first)
        fprintf(out, "\\label{tab:%s}\n", t->name);
    fputs("\\collselfit{%\n", out);
    latex_head(t, out);
    for (size_t i = first; i < rows && i < first + LATEX_ROWS; i++)
        latex_row(t, out, i * t->columns);
    fputs("\\bottomrule\n\\end{tabular}}\n", out);
    for (size_t i = 0; i < t->notes && first + LATEX_ROWS >= rows; i++) {
        fputs("\\par\\footnotesize ", out);
        escape_latex(out, t->note[i].text);
        fputc('\n', out);
    }
    fputs("\\end{table}\n", out);
}

int table_write_latex(const struct table *t, FILE *out, struct err *err)
{
    if (check(t, out, err) < 0)
        return -1;
    fputs("% wants \\usepackage{array,booktabs,graphicx,textcomp} and UTF-8 input; what is wider "
          "than "
          "a line, or higher than a page, is made smaller\n"
          "\\providecommand{\\collselfit}[1]{\\sbox0{#1}%\n"
          "\\ifdim\\wd0>\\linewidth\\sbox0{\\resizebox{\\linewidth}{!}{\\usebox0}}\\fi\n"
          "\\ifdim\\dimexpr\\ht0+\\dp0>0.8\\textheight\\sbox0{\\resizebox*{!}{0.8\\textheight}"
          "{\\usebox0}}\\fi\n\\usebox0}\n",
          out);
    for (size_t first = 0; first == 0 || first < table_rows(t); first += LATEX_ROWS)
        latex_part(t, out, first);
    return 0;
}

int table_write_csv(const struct table *t, FILE *out, struct err *err)
{
    if (check(t, out, err) < 0)
        return -1;
    struct csvw w = { .file = out };
    for (size_t c = 0; c < t->columns; c++)
        csvw_text(&w, t->column[c].key);
    csvw_text(&w, "backend");
    csvw_end(&w);
    for (size_t i = 0; i < t->cells; i++) {
        csvw_text(&w, t->cell[i].raw ? t->cell[i].raw : t->cell[i].shown);
        if ((i + 1) % t->columns == 0) {
            csvw_text(&w, t->backend ? t->backend : "");
            csvw_end(&w);
        }
    }
    return 0;
}

/* 1 when the page's script looks for a column of this key: what a row is of, or sizes from there
 * on. */
static int is_told(const char *key)
{
    static const char *const keys[] = { "collective", "mpi", "mapping", "procs", "bytes" };
    const size_t i = first_below(k, sizeof keys / sizeof *keys, strcmp(key, keys[k]) == 0);
    return i < sizeof keys / sizeof *keys ||
           (strncmp(key, "from_", 5) == 0 && key[5 + strspn(key + 5, "0123456789")] == '\0');
}

/* The page has said of its backend what a colon begins. */
static void caption_html(const struct table *t, FILE *out)
{
    escape_html(out, t->caption);
    if (!t->label)
        return;
    char label[96];
    snprintf(label, sizeof label, "%.*s", (int)strcspn(t->label, ":"), t->label);
    fputs(" (", out);
    escape_html(out, label);
    fputs(")", out);
}

/* As title of a heading: what the glossary says of its word, or of the same without an s. */
static void put_meaning(const struct table *t, FILE *out, const char *word)
{
    const size_t n = strlen(word), less = n - (n && word[n - 1] == 's');
    for (const char *row = t->glossary; row && (row = strstr(row, "\n| ")); row += 3) {
        const char *to = strstr(row + 3, " | ");
        for (const char *w = row + 3; to && w < to; w += strcspn(w, ",|") + 2) {
            const size_t len = strcspn(w, ",|") - (w + strcspn(w, ",|") > to);
            if ((len != n && len != less) || strncmp(w, word, len) != 0)
                continue;
            char *text = memory_text_of("%.*s", (int)strcspn(to + 3, "|\n") - 1, to + 3);
            fputs(" title=\"", out);
            escape_html(out, text);
            fputs("\"", out);
            free(text);
            return;
        }
    }
}

static void html_head(const struct table *t, FILE *out)
{
    if (grouped(t)) {
        fputs("<tr class=\"groups\">", out);
        for (size_t c = 0; c < seen_columns(t); c += span(t, c)) {
            fprintf(out, "<th colspan=\"%zu\">", span(t, c));
            escape_html(out, t->column[c].group);
            fputs("</th>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("<tr>", out);
    for (size_t c = 0; c < seen_columns(t); c++) {
        fprintf(out, "<th scope=\"col\"%s",
                t->column[c].align == ALIGN_RIGHT ? " class=\"r\"" : "");
        if (is_told(t->column[c].key))
            fprintf(out, " data-k=\"%s\"", t->column[c].key);
        put_meaning(t, out, t->column[c].title);
        fputc('>', out);
        escape_html(out, t->column[c].title);
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
}

/* Whether a new group begins at this column, for a little space there. */
static int group_begins(const struct table *t, size_t c)
{
    const char *a = c ? t->column[c - 1].group : NULL, *b = t->column[c].group;
    return c > 0 && (a || b) && (!a || !b || strcmp(a, b) != 0);
}

/* Without its end, which the next cell or row implies, and without quotes about one class: of
 * thousands of cells that is a tenth of a page. */
static void html_cell(const struct table *t, FILE *out, size_t i)
{
    static const char *const mark[] = { "", "best", "fair", "bad", "ref" };
    size_t c = i % t->columns;
    int wide = t->cell[i].shown && strlen(t->cell[i].shown) > WIDE_CELL;
    char class[32];
    const int n =
        snprintf(class, sizeof class, "%s%s%s%s%s", t->column[c].align == ALIGN_RIGHT ? "" : " l",
                 *mark[t->cell[i].mark] ? " " : "", mark[t->cell[i].mark],
                 group_begins(t, c) ? " g" : "", wide ? " w" : "");
    fputs("<td", out);
    if (n)
        fprintf(out, strchr(class + 1, ' ') ? " class=\"%s\"" : " class=%s", class + 1);
    if (t->cell[i].setting)
        fprintf(out, " data-s=\"%zu\"", t->cell[i].setting);
    fputc('>', out);
    escape_html(out, t->cell[i].shown);
}

/* Rows that the page may show. */
static size_t rows_here(const struct table *t)
{
    return table_rows(t) - t->aside;
}

static void html_rows(const struct table *t, FILE *out)
{
    const size_t most = rows_here(t) > PAGE_ROWS ? FIRST_ROWS : PAGE_ROWS;
    for (size_t row = 0, n = 0; row < table_rows(t) && n < most; row++) {
        const size_t first = row * t->columns;
        if (t->cell[first].aside)
            continue;
        fputs("<tr>", out);
        for (size_t c = 0; c < seen_columns(t); c++)
            html_cell(t, out, first + c);
        fputs("\n", out);
        n++;
    }
    if (!rows_here(t))
        fprintf(out, "<tr><td colspan=\"%zu\">none</td></tr>\n", seen_columns(t));
}

/* Notes that another table of the page has are a link to it. */
static void html_notes(const struct table *t, FILE *out)
{
    const char *at = NULL;
    if (rows_here(t) > PAGE_ROWS)
        fprintf(out,
                "<p class=\"note\">The first %d of %zu rows; all are in the files below.</p>\n",
                FIRST_ROWS, rows_here(t));
    for (size_t i = 0; i < t->notes; i++) {
        at = t->note[i].at ? t->note[i].at : at;
        if (t->note[i].at)
            continue;
        fputs("<p class=\"note\">", out);
        escape_html(out, t->note[i].text);
        fputs("</p>\n", out);
    }
    if (at)
        fprintf(out, "<p class=\"note\"><a href=\"#table-%s\">How to read it</a></p>\n", at);
}

int table_write_html(const struct table *t, FILE *out, struct err *err)
{
    if (check(t, out, err) < 0)
        return -1;
    const int empty = t->aside && !rows_here(t),
              folded = t->folded || empty || rows_here(t) > FOLD_ROWS;
    /* "p": what a row is of stays in sight where the table is moved sideways */
    const char *open = t->columns && strcmp(t->column[0].key, "procs") == 0
                           ? "<div class=\"scroll\"><table class=\"p\">"
                           : "<div class=\"scroll\"><table>";
    fprintf(out, "<div class=\"table\" id=\"table-%s\"", t->name);
    if (t->context >= 0)
        fprintf(out, " data-c=\"%d\"", t->context);
    fprintf(out, ">\n%s%s", folded ? "<details><summary>" : open, folded ? "" : "\n<caption>");
    caption_html(t, out);
    if (empty)
        fputs(": none", out);
    else if (folded && rows_here(t))
        fprintf(out, " · %zu row%s", rows_here(t), rows_here(t) == 1 ? "" : "s");
    if (folded)
        fprintf(out, "</summary>\n%s\n<thead>\n", open);
    else
        fputs("</caption>\n<thead>\n", out);
    html_head(t, out);
    fputs("</thead>\n<tbody>\n", out);
    html_rows(t, out);
    fputs("</tbody>\n</table></div>\n", out);
    html_notes(t, out);
    fputs(folded ? "</details></div>\n" : "</div>\n", out);
    return 0;
}
