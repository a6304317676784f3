/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/argv.h"

void argv_add(struct argv *argv, const char *fmt, ...)
{
    va_list args;
    array_room(&argv->v, &argv->room, argv->n + 2);
    va_start(args, fmt);
    argv->v[argv->n++] = memory_print(fmt, args);
    va_end(args);
    argv->v[argv->n] = NULL;
}

static int is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,=+@%^";
    return *word && word[strspn(word, plain)] == '\0';
}

static void put_quoted(FILE *out, const char *word)
{
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}

char *argv_text(const struct argv *argv)
{
    char *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    for (size_t i = 0; i < argv->n; i++) {
        if (i)
            putc(' ', out);
        if (is_plain(argv->v[i]))
            fputs(argv->v[i], out);
        else
            put_quoted(out, argv->v[i]);
    }
    fclose(out);
    return text;
}

void argv_free(struct argv *argv)
{
    for (size_t i = 0; i < argv->n; i++)
        free(argv->v[i]);
    free(argv->v);
    *argv = (struct argv){ 0 };
}
