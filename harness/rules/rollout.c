/* SPDX-License-Identifier: BSD-3-Clause */
/* rollout.c - each form is a header of comments with the way back, then a block for each file. */
#include "harness/rules/rollout.h"

#include "harness/rules/load_lines.h"

/* ---- what is said ---- */

void rollout_each(const struct rollout *r, const struct rollout_file *file,
                  void (*take)(const struct rollout_setting *s, FILE *out), FILE *out)
{
    for (const struct rules_load *load = file->reader->load; load->name; load++) {
        int unwanted = !load->ending != !file->ending;
        for (size_t i = 0; i < r->n && load->value && *load->value == '^'; i++) {
            const struct rules_reader *other = r->file[i].reader;
            unwanted |= other->component && strcmp(other->component, load->value + 1) == 0;
        }
        const struct rollout_setting s = { file, load };
        if (!unwanted)
            take(&s, out);
    }
}

static const char *value_of(const struct rollout_setting *s)
{
    return s->load->value ? s->load->value : s->file->path;
}

/* The settings' variables of the environment. */
static const char *variable_of(const struct rollout_setting *s, char buf[RULES_LOAD_NAME])
{
    return rules_load_variable(s->file->reader, s->load, buf);
}

/* ---- words as their readers quote them ---- */

static void put_escaped(FILE *out, const char *text, const char *special)
{
    putc('"', out);
    for (; *text; text++) {
        if (strchr(special, *text))
            putc('\\', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void put_lua(FILE *out, const char *text)
{
    put_escaped(out, text, "\"\\");
}

static void put_tcl(FILE *out, const char *text)
{
    put_escaped(out, text, "\"\\$[]{}");
}

static void put_shell(FILE *out, const char *text)
{
    char *quoted = rules_load_quoted(text);
    fputs(quoted, out);
    free(quoted);
}

/* A comment for each file, and what is common to all forms. */
static void put_head(const struct rollout *r, const char *mark, const char *what, FILE *out)
{
    fprintf(out, "%s %s: files of rules for collectives of MPI, written by collsel rules write.\n",
            mark, what);
    for (size_t i = 0; i < r->n; i++)
        fprintf(out, "%s   %s, for %s\n", mark, r->file[i].path, r->file[i].reader->help);
}

static const char opt_out[] = "A job goes without by " ROLLOUT_OPT_OUT "=off in its environment";

/* The variable that names a file: it has the file's path where these lines have set it. */
static const char *file_variable(const struct rollout_file *f, char buf[RULES_LOAD_NAME])
{
    const struct rules_load *load = f->reader->load;
    while (load->value || !load->ending != !f->ending)
        load++;
    return rules_load_variable(f->reader, load, buf);
}

/* ---- modules ---- */

static void lua_setting(const struct rollout_setting *s, FILE *out)
{
    char name[RULES_LOAD_NAME];
    fprintf(out, " { \"%s\", ", variable_of(s, name));
    put_lua(out, value_of(s));
    fputs(" },", out);
}

static const char lua_use[] =
    "-- What a job has set itself stays, also when the module is unloaded.\n"
    "local function wanted(path, file, settings)\n"
    "    local ours = os.getenv(file) == path\n"
    "    if mode() == \"unload\" then return ours end\n"
    "    if mode() ~= \"load\" then return true end\n"
    "    if os.getenv(\"" ROLLOUT_OPT_OUT "\") == \"off\" then return false end\n"
    "    for i = 1, #settings do\n"
    "        local name = settings[i][1]\n"
    "        if not ours and os.getenv(name) then\n"
    "            LmodMessage(\"collsel: left out, as \" .. name .. \" is set already: \" .. path)\n"
    "            return false\n"
    "        end\n"
    "    end\n"
    "    if isFile(path) then return true end\n"
    "    LmodMessage(\"collsel: left out, as it is not there: \" .. path)\n"
    "end\n"
    "local function use(path, file, settings)\n"
    "    if not wanted(path, file, settings) then return end\n"
    "    for i = 1, #settings do setenv(settings[i][1], settings[i][2]) end\n"
    "end\n";

static void write_lua(const struct rollout *r, FILE *out)
{
    char name[RULES_LOAD_NAME];
    put_head(r, "--", "Module of Lmod", out);
    fprintf(out,
            "-- Under a name that ends in .lua, below a directory of MODULEPATH. %s, before the "
            "module is loaded.\n-- To take it back: unload the module, and remove this file.\n"
            "whatis(\"Files of rules for collectives of MPI\")\n"
            "help(\"MPI's collectives by the rules of this site. Before loading, " ROLLOUT_OPT_OUT
            "=off goes without.\")\n%s",
            opt_out, lua_use);
    for (size_t i = 0; i < r->n; i++) {
        fputs("use(", out);
        put_lua(out, r->file[i].path);
        fprintf(out, ", \"%s\", {", file_variable(&r->file[i], name));
        rollout_each(r, &r->file[i], lua_setting, out);
        fputs(" })\n", out);
    }
}

static void tcl_setting(const struct rollout_setting *s, FILE *out)
{
    char name[RULES_LOAD_NAME];
    fprintf(out, " %s ", variable_of(s, name));
    put_tcl(out, value_of(s));
}

/* The modes of a switch are those of 3.2, which says remove for unload. */
static const char tcl_use[] =
    "# What a job has set itself stays, also when the module is unloaded.\n"
    "proc wanted {path file settings} {\n"
    "    set how [module-info mode]\n"
    "    set ours [expr {[info exists ::env($file)] && $::env($file) eq $path}]\n"
    "    if {[lsearch \"unload remove switch1 switch3\" $how] >= 0} {\n        return $ours\n    "
    "}\n"
    "    if {[lsearch \"load switch2\" $how] < 0} {\n        return 1\n    }\n"
    "    if {[info exists ::env(" ROLLOUT_OPT_OUT ")] && $::env(" ROLLOUT_OPT_OUT
    ") eq \"off\"} {\n        return 0\n    }\n"
    "    foreach {name value} $settings {\n"
    "        if {!$ours && [info exists ::env($name)]} {\n"
    "            puts stderr \"collsel: left out, as $name is set already: $path\"\n"
    "            return 0\n        }\n    }\n"
    "    if {[file readable $path]} {\n        return 1\n    }\n"
    "    puts stderr \"collsel: left out, as it is not there: $path\"\n    return 0\n}\n"
    "proc use {path file settings} {\n"
    "    if {[wanted $path $file $settings]} {\n"
    "        foreach {name value} $settings {\n            setenv $name $value\n        }\n"
    "    }\n}\n";

static void write_tcl(const struct rollout *r, FILE *out)
{
    char name[RULES_LOAD_NAME];
    fputs("#%Module1.0\n", out);
    put_head(r, "#", "Module of Environment Modules, and of Lmod", out);
    fprintf(out,
            "# Below a directory of MODULEPATH. %s, before the module is loaded.\n"
            "# To take it back: unload the module, and remove this file.\n"
            "module-whatis \"Files of rules for collectives of MPI\"\n"
            "proc ModulesHelp {} {\n    puts stderr \"MPI's collectives by the rules of this site. "
            "Before loading, " ROLLOUT_OPT_OUT "=off goes without.\"\n}\n%s",
            opt_out, tcl_use);
    for (size_t i = 0; i < r->n; i++) {
        fputs("use ", out);
        put_tcl(out, r->file[i].path);
        fprintf(out, " %s [list", file_variable(&r->file[i], name));
        rollout_each(r, &r->file[i], tcl_setting, out);
        fputs("]\n", out);
    }
}

/* ---- lines of shell: exports, and a task prolog, from which Slurm takes what it prints ---- */

static void put_name(const struct rollout_setting *s, FILE *out)
{
    char name[RULES_LOAD_NAME];
    fprintf(out, " %s", variable_of(s, name));
}

/* Its name where it is set. */
static void put_if_set(const struct rollout_setting *s, FILE *out)
{
    char name[RULES_LOAD_NAME];
    fprintf(out, "${%s+ %s}", variable_of(s, name), name);
}

static void put_assignment(const struct rollout_setting *s, FILE *out)
{
    put_name(s, out);
    putc('=', out);
    put_shell(out, value_of(s));
}

static void put_not_ours(const struct rollout_file *f, FILE *out)
{
    char name[RULES_LOAD_NAME];
    fprintf(out, "[ \"${%s-}\" != ", file_variable(f, name));
    put_shell(out, f->path);
    fputs(" ]", out);
}

/* What differs between the two forms. */
struct shell_words {
    const char *unset, *set, *own, *end, *missing;
};

static void put_lines(const struct rollout *r, const struct shell_words *w, FILE *out)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct rollout_file *f = &r->file[i];
        fputs("if [ \"${" ROLLOUT_OPT_OUT "-}\" = off ]; then\n    ", out);
        put_not_ours(f, out);
        fprintf(out, " || %s", w->unset);
        rollout_each(r, f, put_name, out);
        fputs("\nelif ", out);
        put_not_ours(f, out);
        fputs(" && [ -n \"", out);
        rollout_each(r, f, put_if_set, out);
        fprintf(out, "\" ]; then\n    %s \"", w->own);
        rollout_each(r, f, put_if_set, out);
        fputs("\" ", out);
        put_shell(out, f->path);
        fprintf(out, "%s\nelif [ -r ", w->end);
        put_shell(out, f->path);
        fprintf(out, " ]; then\n    %s", w->set);
        rollout_each(r, f, put_assignment, out);
        fprintf(out, "\nelse\n    %s ", w->missing);
        put_shell(out, f->path);
        fprintf(out, "%s\nfi\n", w->end);
    }
}

static void write_env(const struct rollout *r, FILE *out)
{
    static const struct shell_words words = {
        .unset = "unset",
        .set = "export",
        .own = "printf 'collsel: left out, as this is set already:%s: %s\\n'",
        .missing = "printf 'collsel: left out, as it cannot be read: %s\\n'",
        .end = " >&2",
    };
    put_head(r, "#", "Exports", out);
    fprintf(out,
            "# To be read by a shell (`. FILE`, or below /etc/profile.d) before srun or mpirun. "
            "What is set already stays. %s.\n# To take it back: remove this file; what a shell "
            "has already: %s=off, and read it again.\n",
            opt_out, ROLLOUT_OPT_OUT);
    put_lines(r, &words, out);
}

static void write_prolog(const struct rollout *r, FILE *out)
{
    static const struct shell_words words = {
        .unset = "printf 'unset %s\\n'",
        .set = "printf 'export %s\\n'",
        .own = ":",
        .missing = "[ \"${SLURM_PROCID:-0}\" != 0 ] || printf 'print collsel: left out, as it "
                   "cannot be read: %s\\n'",
        .end = "",
    };
    fputs("#!/bin/sh\n", out);
    put_head(r, "#", "Task prolog of Slurm", out);
    fprintf(
        out,
        "# TaskProlog=THIS in slurm.conf, executable, on every node; or srun --task-prolog=THIS. "
        "What a job has set itself stays.\n# %s.\n# To take it back: remove the line of "
        "slurm.conf, `scontrol reconfigure`.\n",
        opt_out);
    put_lines(r, &words, out);
    fputs("exit 0\n", out);
}

/* ---- Open MPI's file of parameters ---- */

static void param_setting(const struct rollout_setting *s, FILE *out)
{
    fprintf(out, "%s = %s\n", s->load->name, value_of(s));
}

static void param_off(const struct rollout_setting *s, FILE *out)
{
    char name[RULES_LOAD_NAME];
    if (s->load->off)
        fprintf(out, " %s=%s", variable_of(s, name), s->load->off);
}

static void write_params(const struct rollout *r, FILE *out)
{
    put_head(r, "#", "Parameters of Open MPI", out);
    fprintf(
        out,
        "# Lines for PREFIX/etc/%s of the Open MPI that the rules are for, on every node, or for "
        "~/.openmpi/mca-params.conf.\n# A job goes without by variables of its environment:",
        r->file[0].reader->params);
    for (size_t i = 0; i < r->n; i++)
        rollout_each(r, &r->file[i], param_off, out);
    fputs("\n# To take it back: remove these lines.\n", out);
    for (size_t i = 0; i < r->n; i++)
        rollout_each(r, &r->file[i], param_setting, out);
}

/* ---- the table ---- */

static const struct rollout_form module = { "module", "modulefile of Lmod (Lua)", write_lua, 0 },
                                 tcl = { "tcl",
                                         "modulefile of Environment Modules, which Lmod reads, too",
                                         write_tcl, 0 },
                                 params = { "params", "lines of openmpi-mca-params.conf",
                                            write_params, 1 },
                                 env = { "env", "exports, for shells and srun", write_env, 0 },
                                 prolog = { "prolog", "task prolog of Slurm", write_prolog, 0 },
                                 test = { "test", "a job that tests what was rolled out",
                                          rollout_write_test, 0 };

const struct rollout_form *const rollout_forms[] = { &module, &tcl,  &params, &env,
                                                     &prolog, &test, NULL };

const struct rollout_form *rollout_form_find(const char *name)
{
    return named_row(rollout_forms, name);
}

/* ---- what cannot be said ---- */

static int same_place(const struct rollout_file *f, const struct rollout_file *other)
{
    const struct rules_reader *a = f->reader, *b = other->reader;
    return strcmp(a->library, b->library) == 0 && !f->ending == !other->ending &&
           strcmp(a->component ? a->component : "", b->component ? b->component : "") == 0;
}

static int check_path(const struct rollout_form *form, const struct rollout_file *f,
                      struct err *err)
{
    const size_t len = strlen(f->path);
    for (const char *c = f->path; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return err_usage(err, "'%s': a control character in a path (want none)", f->path);
    if (*f->path != '/')
        return err_usage(err, "'%s' is no absolute path (want --install-path DIR)", f->path);
    if (f->reader->params && strstr(f->path, ":~/"))
        return err_usage(err, "'%s': Open MPI takes ':~/' in it for a home (want another path)",
                         f->path);
    if (form->params && f->path[len - 1] == ' ')
        return err_usage(err,
                         "'%s' ends with a blank, which a file of parameters cannot say (want "
                         "another path)",
                         f->path);
    return 0;
}

static int check_file(const struct rollout_form *form, const struct rollout *r, size_t at,
                      struct err *err)
{
    const struct rollout_file *f = &r->file[at];
    if (!f->reader->load)
        return err_usage(err, "'%s' is for %s: no library loads it (want collsel run --table)",
                         f->path, f->reader->name);
    if (form->params && !f->reader->params)
        return err_usage(err,
                         "'%s': %s reads no file of parameters (want --as module, tcl, env or "
                         "prolog)",
                         f->path, f->reader->library);
    for (size_t i = 0; i < at; i++)
        if (strcmp(r->file[i].path, f->path) == 0)
            return err_usage(err, "'%s': two files of this name (want names that differ)", f->path);
        else if (same_place(&r->file[i], f))
            return err_usage(err, "'%s' and '%s' are both for %s (want one of them)",
                             r->file[i].path, f->path, f->reader->library);
    return check_path(form, f, err);
}

char *rollout_make(const struct rollout_form *form, const struct rollout *r, struct err *err)
{
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < r->n; i++)
        if (check_file(form, r, i, err) < 0)
            return NULL;
    FILE *out = memory_stream(&text, &size);
    form->write(r, out);
    fclose(out);
    return text;
}
