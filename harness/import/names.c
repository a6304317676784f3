/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/names.h"

#include <strings.h>

#include "harness/import/source_text.h"
#include "harness/study/libraries/natives.h"
#include "harness/study/mpi.h"
#include "harness/study/point.h"
#include "workloads/schedules/collectives.h"

/* "BasicLinear", "basic-linear", "basic linear" -> "basic_linear". -1: other characters than
 * letters, digits, blanks and _-.+, nothing, or no room. */
static int name_snake(const char *text, char *buf, size_t size)
{
    size_t n = 0;
    for (const char *s = text; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        const int begins = isupper(c) && s > text &&
                           (islower((unsigned char)s[-1]) || isdigit((unsigned char)s[-1]));
        if (n + 2 >= size)
            return -1;
        if (begins)
            buf[n++] = '_';
        if (isalnum(c))
            buf[n++] = (char)tolower(c);
        else if (c == '_' || c == '-' || c == ' ')
            buf[n++] = '_';
        else if (c == '.' || c == '+')
            buf[n++] = (char)c;
        else
            return -1;
    }
    buf[n] = '\0';
    return n ? 0 : -1;
}

/* Whether two names have the same letters, in whatever case, and whatever joins them. */
static int is_joined(const char *a, const char *b)
{
    static const char joints[] = "_- ";
    for (a += strspn(a, joints), b += strspn(b, joints);
         *a && tolower((unsigned char)*a) == tolower((unsigned char)*b);
         a += 1 + strspn(a + 1, joints), b += 1 + strspn(b + 1, joints))
        continue;
    return !*a && !*b;
}

const char *name_collective(const char *text)
{
    const char *call = text + (tolower((unsigned char)*text) == 'p');
    call = strncasecmp(call, "mpi", 3) == 0 ? call + 3 : text;
    for (const struct collective *c = collectives; c->name; c++) {
        if (is_joined(c->name, call))
            return c->name;
        for (int i = 0; i < MOST_SPELLINGS && c->spelling[i]; i++)
            if (is_joined(c->spelling[i], call))
                return c->name;
    }
    return NULL;
}

int name_library(const char *text, char *buf, size_t size)
{
    static const char *const known[][2] = { { "ompi", "openmpi" },
                                            { "open_mpi", "openmpi" },
                                            { "openmpi", "openmpi" } };
    if (same_word(text, "OpenMPI"))
        text = "openmpi";
    if (strchr(text, '-') && text_is_name(text) && strlen(text) < size &&
        strcmp(mpi_family(text), "other") != 0) { /* an entry: "openmpi-4.1" */
        snprintf(buf, size, "%s", text);
        return 0;
    }
    if (name_snake(text, buf, size) < 0)
        return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i][0], buf) == 0)
            snprintf(buf, size, "%s", known[i][1]);
    return 0;
}

/* NULL: no number of an algorithm. */
static const char *by_id(const char *collective, const char *library, const char *version,
                         double id)
{
    if (!(id >= 0 && id < 1000 && id == floor(id)))
        return NULL;
    return native_by_id(library, version, collective, (int)id);
}

/* Whether a name is this one with '_' where that has '-'. */
static int is_undashed(const char *name, const char *dashed)
{
    size_t i = 0;
    while (dashed[i] && name[i] == (dashed[i] == '-' ? '_' : dashed[i]))
        i++;
    return !dashed[i] && !name[i] && strchr(dashed, '-');
}

/* A name that has '-' where name_snake has made '_' of it: "in-order_binary", of a schedule, or of
 * the library's table alone, "bruck-k-fanout". 1 when there is one. */
static int respell_dashes(const char *collective, const char *library, char *name, size_t size)
{
    const char *found = NULL;
    const struct collective *c = collective_find(collective);
    for (const struct algorithm *a = NULL; c && !found && (a = collective_algorithm(c, a));)
        if (is_undashed(name, a->name))
            found = a->name;
    for (const struct native *n = natives_of(library); n && n->name && !found; n++)
        if (strcmp(n->collective, collective) == 0 && is_undashed(name, n->name))
            found = n->name;
    return found && snprintf(name, size, "%s", found) < (int)size;
}

/* "binary" of a broadcast is "binary_tree" in full. */
static int respell_tree(const char *collective, char *name, size_t size)
{
    char longer[NAME_SIZE];
    const int n = snprintf(longer, sizeof longer, "%.50s_tree", name);
    if ((size_t)n >= size || !algorithm_find(collective, longer))
        return 0;
    memcpy(name, longer, (size_t)n + 1);
    return 1;
}

/* Other spellings of Open MPI's algorithms: with the kind of graph behind the name, or without. */
static void respell(const char *collective, const char *library, char *name, size_t size)
{
    static const char *const as_default[] = { "default", "ignore", "auto" };
    char *tail = strlen(name) > 5 ? name + strlen(name) - 5 : NULL;
    for (size_t i = 0; i < sizeof as_default / sizeof *as_default; i++)
        if (strcmp(name, as_default[i]) == 0) {
            snprintf(name, size, "default");
            return;
        }
    if (algorithm_find(collective, name) || respell_dashes(collective, library, name, size))
        return;
    if (tail && strcmp(tail, "_tree") == 0) {
        *tail = '\0';
        if (!algorithm_find(collective, name))
            *tail = '_';
    } else if (respell_tree(collective, name, size)) {
        return;
    } else if (strcmp(name, "linear") == 0 && algorithm_find(collective, "basic_linear")) {
        snprintf(name, size, "basic_linear");
    }
}

static int is_name(const char *text)
{
    return *text && text_is_plain(text, TEXT_OF_WORDS);
}

int name_algorithm(const char *collective, const char *library, const char *version,
                   const char *text, char *buf, size_t size)
{
    char name[NAME_SIZE];
    double id;
    if (strchr(text, ':'))
        return is_name(text) && snprintf(buf, size, "%s", text) < (int)size ? 0 : -1;
    if (parse_f64(text, &id, NULL) == 0) {
        const char *found = by_id(collective, library, version, id);
        return found && snprintf(buf, size, "%s:%s", library, found) < (int)size ? 0 : -1;
    }
    if (name_snake(text, name, sizeof name) < 0)
        return -1;
    respell(collective, library, name, sizeof name);
    return snprintf(buf, size, "%s:%s", library, name) < (int)size ? 0 : -1;
}
