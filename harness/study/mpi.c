/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/mpi.h"

#include "harness/base/keys.h"
#include "harness/base/suggest.h"

static const char *const families[] = {
    "openmpi", "mpich", "smpi", "walk", "null", "nccl", "rccl"
};

const char *mpi_family(const char *entry)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const size_t n = strlen(families[i]);
        if (strncmp(entry, families[i], n) == 0 && (entry[n] == '\0' || entry[n] == '-'))
            return families[i];
    }
    return entry;
}

int mpi_is(const char *entry, const char *family)
{
    return strcmp(mpi_family(entry), family) == 0;
}

int mpi_is_read(const char *entry)
{
    return mpi_is(entry, "openmpi") || mpi_is(entry, "mpich");
}

#define KEY(field_, more_, remedy_, help_)                                                         \
    {                                                                                              \
#field_, help_, more_, remedy_, offsetof(struct mpi_entry, field_),                        \
            sizeof((struct mpi_entry *)0)->field_                                                  \
    }
#define PATH_KEY(field_, help_)                                                                    \
    KEY(field_, "/._-+@,%", "rename it, or link to it by a plain path", help_)

const struct mpi_key mpi_keys[] = {
    PATH_KEY(prefix, "where it is installed: PREFIX/bin holds mpicc and mpirun"),
    PATH_KEY(mpicc, "in place of a prefix: its compiler, a path or a name on PATH"),
    PATH_KEY(mpirun, "its launcher, likewise"),
    KEY(modules, "/._-+@: ", "name modules, blanks between them",
        "modules to load first, blanks between them; then mpicc and mpirun are looked for"),
    KEY(environment, " \t!#%*+,-./:=?@[]^_{}~",
        "write plain values, or set it in a module: nothing is expanded or unquoted here",
        "what to set for its launches and builds: NAME=VALUE, blanks between them; values are "
        "literal"),
    { .name = NULL },
};

static const char section[] = "mpi ";

static const struct mpi_key *key_of(const char *name)
{
    for (const struct mpi_key *k = mpi_keys; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

static int unknown_key(const struct ini_entry *e, struct err *err)
{
    struct suggest m;
    err_usage(err, "'%s' is not a key of [%s] (want prefix, mpicc, mpirun, modules, environment)",
              e->name, e->section);
    suggest_init(&m, e->name);
    for (const struct mpi_key *k = mpi_keys; k->name; k++)
        suggest_try(&m, k->name);
    return suggest_add(&m, err);
}

/* The words are NAME=VALUE: `env` would take another one for an option or a program. */
static int check_environment(const char *text, struct err *err)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    for (const char *p = text + strspn(text, " \t"); *p; p += strspn(p, " \t")) {
        const size_t n = strcspn(p, " \t"), name = strspn(p, letters);
        if (name == 0 || p[name] != '=' || isdigit((unsigned char)*p))
            return err_usage(err, "environment: '%.*s' is not NAME=VALUE", (int)(n < 60 ? n : 60),
                             p);
        p += n;
    }
    return 0;
}

static int check_value(const struct mpi_key *k, const char *value, struct err *err)
{
    for (const unsigned char *p = (const unsigned char *)value; *p; p++)
        if (*p < 128 && !isalnum(*p) && !strchr(k->more, *p))
            return err_usage(err, "%s: %s: '%.100s' has a '%c'", k->name, k->remedy, value, *p);
    if (k->size == MPI_PATH && strcmp(k->name, "modules") != 0 && *value != '/' &&
        (strchr(value, '/') || strcmp(k->name, "prefix") == 0))
        return err_usage(err, "%s: write the whole path, from '/': '%.100s' is none", k->name,
                         value);
    return strcmp(k->name, "environment") == 0 ? check_environment(value, err) : 0;
}

/* A name makes directories and columns: letters, digits, '.', '-', '_'. */
static int check_name(const char *name, struct err *err)
{
    if (!text_is_name(name))
        return err_usage(err, "[mpi %.60s]: %s", name, TEXT_WANT_NAME);
    if (strlen(name) > MPI_NAME_MOST)
        return err_usage(err, "[mpi %.60s]: shorten the name (want at most %d letters)", name,
                         MPI_NAME_MOST);
    if (mpi_family(name) != name && !mpi_is_read(name))
        return err_usage(err, "[mpi %s]: take another name; '%s' is the simulator's or a test's",
                         name, mpi_family(name));
    return 0;
}

static int take_value(struct mpi_entry *to, const struct ini_entry *e, struct err *err)
{
    const struct mpi_key *k = key_of(e->name);
    if (!k)
        return unknown_key(e, err);
    char *at = (char *)to + k->offset;
    if (*at)
        return err_usage(err, "key '%s' is given twice", e->name);
    if (strlen(e->value) >= k->size)
        return err_usage(err, "%s: the value is too long (want less than %zu bytes)", e->name,
                         k->size);
    memcpy(at, e->value, strlen(e->value) + 1);
    return check_value(k, e->value, err);
}

static struct mpi_entry *find(struct mpi_entries *all, const char *name)
{
    return find_below(all->v, i, all->n, strcmp(all->v[i].name, name) == 0);
}

/* Opens a section: the entry that it fills. NULL with *err. */
static struct mpi_entry *open_section(struct mpi_entries *all, const struct ini_entry *e,
                                      const char *path, struct err *err)
{
    const char *name = e->section + strlen(section);
    if (check_name(name, err) < 0)
        return NULL;
    if (find(all, name)) {
        err_usage(err, "section [%s] is opened twice (first in line %d)", e->section,
                  find(all, name)->line);
        return NULL;
    }
    struct mpi_entry *to = array_add(&all->v, &all->n);
    *to = (struct mpi_entry){ .line = e->line };
    snprintf(to->name, sizeof to->name, "%.63s", name);
    snprintf(to->path, sizeof to->path, "%.511s", path);
    return to;
}

/* A prefix, or a compiler with its launcher, or modules that bring them. */
static int check_whole(const struct mpi_entry *m, struct err *err)
{
    if (*m->prefix && (*m->mpicc || *m->mpirun))
        return err_usage(err, "[mpi %s]: give prefix, or mpicc and mpirun; it has both", m->name);
    if (!*m->mpicc != !*m->mpirun)
        return err_usage(err, "[mpi %s]: %s is missing (mpicc and mpirun belong together)", m->name,
                         *m->mpicc ? "mpirun" : "mpicc");
    if (!*m->prefix && !*m->mpicc && !*m->modules)
        return err_usage(err, "[mpi %s]: give prefix, or mpicc and mpirun, or modules", m->name);
    return 0;
}

static int take_file(struct mpi_entries *all, const struct ini_entries *file, const char *path,
                     int others_too, struct err *err)
{
    struct mpi_entry *to = NULL;
    for (size_t i = 0; i < file->n; i++) {
        const struct ini_entry *e = &file->v[i];
        if (strncmp(e->section, section, strlen(section)) != 0) {
            if (others_too)
                continue;
            err_usage(err, "[%s] is not a section of this file (want [mpi NAME] alone)",
                      e->section);
            return err_prefix(err, "%s:%d", path, e->line);
        }
        to = *e->name ? find(all, e->section + strlen(section)) : open_section(all, e, path, err);
        if (!to || (*e->name && take_value(to, e, err) < 0))
            return err_prefix(err, "%s:%d", path, e->line);
    }
    for (size_t i = 0; i < all->n; i++)
        if (check_whole(&all->v[i], err) < 0)
            return err_prefix(err, "%s:%d", path, all->v[i].line);
    return 0;
}

/* The entries of a file; none where there is no such file. */
static int read_file(const char *path, int others_too, struct mpi_entries *all, struct err *err)
{
    struct ini_entries file = { 0 };
    *all = (struct mpi_entries){ 0 };
    if (!fs_exists(path))
        return 0;
    if (ini_entries_read(path, &file, err) < 0)
        return -1;
    const int status = take_file(all, &file, path, others_too, err);
    ini_entries_free(&file);
    if (status < 0)
        mpi_entries_free(all);
    return status;
}

int mpi_entries_read(const char *cluster_path, struct mpi_entries *entries, struct err *err)
{
    char path[PATH_SIZE];
    struct mpi_entries shared;
    const char *slash = strrchr(cluster_path, '/');
    if (fs_path(path, sizeof path, err, "%.*smpi.ini", slash ? (int)(slash + 1 - cluster_path) : 0,
                cluster_path) < 0 ||
        read_file(path, 0, &shared, err) < 0)
        return -1;
    if (read_file(cluster_path, 1, entries, err) < 0) {
        mpi_entries_free(&shared);
        return -1;
    }
    for (size_t i = 0; i < shared.n; i++)
        if (!find(entries, shared.v[i].name)) {
            struct mpi_entry *added = array_add(&entries->v, &entries->n);
            *added = shared.v[i];
        }
    mpi_entries_free(&shared);
    return 0;
}

const struct mpi_entry *mpi_entries_find(const struct mpi_entries *entries, const char *name)
{
    return find_below(entries->v, i, entries->n, strcmp(entries->v[i].name, name) == 0);
}

CLEARS(mpi_entries_free, mpi_entries, it->v)

static int names(const char *name, size_t n, const char *entry)
{
    return strlen(entry) == n && strncmp(entry, name, n) == 0;
}

int mpi_is_listed(const char *list, const char *entry)
{
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
        if (names(p, strcspn(p, ","), entry) || names(p, strcspn(p, ","), mpi_family(entry)))
            return 1;
    return 0;
}
