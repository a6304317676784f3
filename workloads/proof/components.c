/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
#include "workloads/proof/components.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>

#include "harness/base/scratch_dir.h"
#include "harness/base/variable.h"
#include "workloads/proof/origin.h"
#include "workloads/proof/tool_vars.h"

enum { TEXT = 4096, MOST_VALUE = 4096 };

/* Where a value comes from, as Open MPI counts (opal/mca/base/mca_base_var.h, 1.7 to 5). */
enum { SOURCE_DEFAULT, SOURCE_COMMAND, SOURCE_ENV, SOURCE_FILE, SOURCE_SET, SOURCE_OVERRIDE };

typedef int get_value(int index, const void *value, int *source, const char **file);

struct parameter {
    char name[256], value[MOST_VALUE];
    int source;
    const char *file; /* NULL: none */
};

/* MPI_T has no word for where a value comes from; the library itself has. */
static get_value *find_get_value(void)
{
    get_value *get = NULL;
    void *at = dlsym(RTLD_DEFAULT, "mca_base_var_get_value");
    memcpy(&get, &at, sizeof get);
    return get;
}

/* Bytes of a value of any type that the tools' interface knows. */
enum { WIDEST = sizeof(double) };

/* A number or a text. */
static void read_value(int index, MPI_Datatype type, char value[MOST_VALUE])
{
    MPI_T_cvar_handle handle;
    int count, number;
    char *buf = NULL;
    value[0] = '\0';
    if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return;
    if (count > 0 && count <= 1 << 20)
        buf = memory_zeros((size_t)count + 64, WIDEST);
    if (buf && MPI_T_cvar_read(handle, buf) == MPI_SUCCESS) {
        memcpy(&number, buf, sizeof number);
        if (type == MPI_CHAR)
            snprintf(value, MOST_VALUE, "%s", buf);
        else
            snprintf(value, MOST_VALUE, "%d", number);
    }
    free(buf);
    MPI_T_cvar_handle_free(&handle);
}

/* 1 when it is not at its default. */
static int read_parameter(int index, get_value *get, struct parameter *p)
{
    char text[TEXT];
    const void *unused = NULL;
    int name_len = sizeof p->name, text_len = sizeof text, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum words;
    p->file = NULL;
    p->source = SOURCE_DEFAULT;
    if (MPI_T_cvar_get_info(index, p->name, &name_len, &verbosity, &type, &words, text, &text_len,
                            &bind, &scope) != MPI_SUCCESS ||
        get(index, &unused, &p->source, &p->file) != 0 || p->source == SOURCE_DEFAULT)
        return 0;
    read_value(index, type, p->value);
    return 1;
}

static const char *source_name(const struct parameter *p)
{
    static const char *const names[] = { "default", "command line", "environment",
                                         "file",    "set",          "override file" };
    if (p->file && *p->file)
        return p->file;
    return p->source >= 0 && p->source <= SOURCE_OVERRIDE ? names[p->source] : "unknown";
}

/* Calls visit for each that is not at its default; stops at -1. */
static int each_parameter(int (*visit)(const struct parameter *, const struct variable_rule *,
                                       void *),
                          void *user)
{
    struct parameter *p = memory_zeros(1, sizeof *p);
    get_value *get = find_get_value();
    int n = 0, status = 0;
    if (get && tool_vars_open(NULL) == 0)
        MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n && status == 0; i++)
        if (read_parameter(i, get, p))
            status = visit(p, variable_rule_of_parameter(p->name), user);
    free(p);
    return status;
}

struct check {
    const struct launch_facts *facts;
    struct err *err;
};

/* 1 when the launcher gives this value to its ranks by itself. From Open MPI 5.0 on a launcher
 * exports `mca_base_component_path`, the older name of `mca_component_path`. */
static int is_launchers(const struct launch_facts *facts, const struct parameter *p)
{
    char variable[TEXT];
    const char *name =
        strcmp(p->name, "mca_component_path") == 0 ? "mca_base_component_path" : p->name;
    snprintf(variable, sizeof variable, "OMPI_MCA_%.200s", name);
    return p->source == SOURCE_ENV && facts_exported(facts, variable, p->value);
}

static int check_one(const struct parameter *p, const struct variable_rule *rule, void *user)
{
    const struct check *c = user;
    if (!rule || rule->kind != VARIABLE_SELECTS || rule->ours || is_launchers(c->facts, p))
        return 0;
    return err_set(c->err, "%s = %.100s is in effect (from: %.200s): %s", p->name, p->value,
                   source_name(p), rule->why);
}

static int print_one(const struct parameter *p, const struct variable_rule *rule, void *user)
{
    static const char ours[] = SCRATCH_DIR_SHARED "/collsel."; /* another one in each launch */
    if (rule && rule->kind != VARIABLE_HARMLESS && strncmp(p->value, ours, sizeof ours - 1) != 0)
        fprintf(user, "# in_effect: %s=%s (%s)\n", p->name, p->value, source_name(p));
    return 0;
}

struct visit {
    char home[TEXT]; /* of the library, with a slash at its end */
    const char *framework;
    FILE *out;
    struct err *err;
    int n, status;
};

/* "mca_coll_tuned.so": the part behind "mca_", or NULL. */
static const char *component_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && strncmp(slash + 1, "mca_", 4) == 0 ? slash + 5 : NULL;
}

static int check_object(struct dl_phdr_info *info, size_t size, void *user)
{
    struct visit *v = user;
    char path[PATH_MAX];
    (void)size;
    if (!component_of(info->dlpi_name) || !realpath(info->dlpi_name, path) ||
        strncmp(path, v->home, strlen(v->home)) == 0)
        return 0;
    v->status =
        err_set(v->err, "component '%.300s' is not of the library in '%.100s'", path, v->home);
    return 1;
}

/* Components lie below the library's directory. */
static int check_components(struct err *err)
{
    struct visit v = { .err = err };
    char path[TEXT], real[PATH_MAX];
    origin_file("libmpi.so", path, sizeof path);
    if (!*path || !realpath(path, real))
        return 0;
    snprintf(v.home, sizeof v.home, "%.*s", (int)(strrchr(real, '/') + 1 - real), real);
    dl_iterate_phdr(check_object, &v);
    return v.status;
}

static void print_component(struct visit *v, const char *name, int len)
{
    fprintf(v->out, "%s%.*s", v->n++ ? " " : "", len, name);
}

static int print_object(struct dl_phdr_info *info, size_t size, void *user)
{
    struct visit *v = user;
    const char *name = component_of(info->dlpi_name);
    const size_t n = strlen(v->framework);
    (void)size;
    if (name && strncmp(name, v->framework, n) == 0 && name[n] == '_')
        print_component(v, name + n + 1, (int)strcspn(name + n + 1, "."));
    return 0;
}

/* 1 when a component is a part of the library itself, and no object of its own. */
static int is_built_in(const char *framework, const char *name)
{
    char symbol[TEXT];
    Dl_info info;
    snprintf(symbol, sizeof symbol, "mca_%s_%s_component", framework, name);
    const void *at = dlsym(RTLD_DEFAULT, symbol);
    return at && dladdr(at, &info) && info.dli_fname && !component_of(info.dli_fname);
}

/* Most installations from 5.0 on have their components in the library. Of each that is not left out
 * the tools' interface has a category, "ompi_coll_tuned", until the component is closed. */
static void print_built_in(struct visit *v)
{
    const size_t n = strlen(v->framework);
    int categories = 0;
    if (tool_vars_open(NULL) == 0)
        MPI_T_category_get_num(&categories);
    for (int i = 0; i < categories; i++) {
        char name[256], text[TEXT];
        int name_len = sizeof name, text_len = sizeof text, vars, pvars, parts;
        if (MPI_T_category_get_info(i, name, &name_len, text, &text_len, &vars, &pvars, &parts) !=
            MPI_SUCCESS)
            continue;
        const char *part = strchr(name, '_');
        if (part && strncmp(part + 1, v->framework, n) == 0 && part[n + 1] == '_' &&
            is_built_in(v->framework, part + n + 2))
            print_component(v, part + n + 2, (int)strlen(part + n + 2));
    }
}

static void print_components(FILE *out)
{
    static const char *const frameworks[] = { "pml", "btl", "mtl", "coll" };
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
        struct visit v = { .framework = frameworks[i], .out = out };
        fprintf(out, "# in_effect: components of %s=", frameworks[i]);
        dl_iterate_phdr(print_object, &v);
        print_built_in(&v);
        fputs(v.n ? "\n" : "none that can be seen\n", out);
    }
}

int components_check(const struct launch_facts *facts, struct err *err)
{
    struct check check = { facts, err };
    return each_parameter(check_one, &check) < 0 || check_components(err) < 0 ? -1 : 0;
}

void components_print(FILE *out)
{
    each_parameter(print_one, out);
    print_components(out);
}
#endif
