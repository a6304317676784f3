/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_IS_smpi /* which has no MPI_T */
#include "workloads/proof/tool_vars.h"

#include <mpi.h>

enum { TEXT_SIZE = 4096 };

int tool_vars_open(struct err *err)
{
    int provided;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
        return err_set(err, "MPI_T_init_thread failed");
    return 0;
}

static int find(const char *name, int *index, struct err *err)
{
    if (MPI_T_cvar_get_index(name, index) != MPI_SUCCESS)
        return err_set(err, "no control variable '%s'", name);
    return 0;
}

static int describe(const char *name, MPI_Datatype *type, MPI_T_enum *words, char *text,
                    int text_size, struct err *err)
{
    int index, verbosity, bind, scope;
    char own_name[256];
    int name_len = sizeof own_name;
    if (find(name, &index, err) < 0)
        return -1;
    if (MPI_T_cvar_get_info(index, own_name, &name_len, &verbosity, type, words, text, &text_size,
                            &bind, &scope) != MPI_SUCCESS)
        return err_set(err, "control variable '%s' cannot be queried", name);
    return 0;
}

/* Only types that are as wide as int are accepted; Open MPI's booleans are one byte and read as
 * such. */
static int open_handle(const char *name, MPI_T_cvar_handle *handle, MPI_Datatype *type,
                       struct err *err)
{
    int index, count;
    MPI_T_enum words;
    char text[TEXT_SIZE];
    if (describe(name, type, &words, text, sizeof text, err) < 0 || find(name, &index, err) < 0)
        return -1;
    if (MPI_T_cvar_handle_alloc(index, NULL, handle, &count) != MPI_SUCCESS)
        return err_set(err, "control variable '%s' gives no handle", name);
    if (count == 1 && *type != MPI_CHAR)
        return 0;
    MPI_T_cvar_handle_free(handle);
    return err_set(err, "control variable '%s' is not one number", name);
}

static int value_of(MPI_Datatype type, const void *buf)
{
    int wide;
    signed char narrow;
    memcpy(&wide, buf, sizeof wide);
    memcpy(&narrow, buf, sizeof narrow);
    return type == MPI_INT || type == MPI_UNSIGNED ? wide : narrow;
}

int tool_var_read(const char *name, int *value, struct err *err)
{
    MPI_T_cvar_handle handle;
    MPI_Datatype type;
    unsigned char buf[64] = { 0 };
    if (open_handle(name, &handle, &type, err) < 0)
        return -1;
    const int rc = MPI_T_cvar_read(handle, buf);
    MPI_T_cvar_handle_free(&handle);
    if (rc != MPI_SUCCESS)
        return err_set(err, "control variable '%s' cannot be read", name);
    *value = value_of(type, buf);
    return 0;
}

int tool_var_write(const char *name, int value, struct err *err)
{
    MPI_T_cvar_handle handle;
    MPI_Datatype type;
    int seen;
    if (open_handle(name, &handle, &type, err) < 0)
        return -1;
    const int rc = type == MPI_INT ? MPI_T_cvar_write(handle, &value) : MPI_T_ERR_CVAR_SET_NEVER;
    MPI_T_cvar_handle_free(&handle);
    if (rc != MPI_SUCCESS)
        return err_set(err, "control variable '%s' refuses to be written", name);
    if (tool_var_read(name, &seen, err) < 0)
        return -1;
    if (seen != value)
        return err_set(err, "control variable '%s' reads %d after writing %d", name, seen, value);
    return 0;
}

int tool_var_text(const char *name, char *buf, size_t size, struct err *err)
{
    MPI_T_cvar_handle handle;
    MPI_Datatype type;
    MPI_T_enum words;
    char text[TEXT_SIZE], value[2 * TEXT_SIZE] = "";
    int index, count = 0;
    if (describe(name, &type, &words, text, sizeof text, err) < 0 || find(name, &index, err) < 0)
        return -1;
    if (type != MPI_CHAR || MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return err_set(err, "control variable '%s' is no text", name);
    const int fits = count >= 0 && (size_t)count < sizeof value;
    const int rc = fits ? MPI_T_cvar_read(handle, value) : MPI_T_ERR_INVALID;
    MPI_T_cvar_handle_free(&handle);
    if (rc != MPI_SUCCESS)
        return err_set(err, "control variable '%s' cannot be read", name);
    snprintf(buf, size, "%s", value);
    return 0;
}

void tool_var_words(const char *name, void (*visit)(const char *word, void *user), void *user)
{
    MPI_Datatype type;
    MPI_T_enum words;
    char text[TEXT_SIZE];
    int n = 0, value, len = sizeof text;
    if (describe(name, &type, &words, text, sizeof text, NULL) < 0 || words == MPI_T_ENUM_NULL ||
        MPI_T_enum_get_info(words, &n, text, &len) != MPI_SUCCESS)
        return;
    for (int i = 0; i < n; i++) {
        len = sizeof text;
        if (MPI_T_enum_get_item(words, i, &value, text, &len) == MPI_SUCCESS)
            visit(text, user);
    }
}

int tool_var_enum(const char *name, const char *word, int *value, struct err *err)
{
    MPI_Datatype type;
    MPI_T_enum words;
    char text[TEXT_SIZE];
    int n, len;
    if (describe(name, &type, &words, text, sizeof text, err) < 0)
        return -1;
    len = sizeof text;
    if (words == MPI_T_ENUM_NULL || MPI_T_enum_get_info(words, &n, text, &len) != MPI_SUCCESS)
        return err_set(err, "control variable '%s' has no named values", name);
    for (int i = 0; i < n; i++) {
        len = sizeof text;
        if (MPI_T_enum_get_item(words, i, value, text, &len) == MPI_SUCCESS &&
            strcmp(text, word) == 0)
            return 0;
    }
    return err_set(err, "control variable '%s' knows no '%s'", name, word);
}

int tool_var_description(const char *name, char *buf, size_t size, struct err *err)
{
    MPI_Datatype type;
    MPI_T_enum words;
    return describe(name, &type, &words, buf, (int)size, err);
}
#endif
