/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/suggest.h"

static int letter(char c)
{
    return c == '-' ? '_' : tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t suggest_changes(const char *a, const char *b)
{
    size_t row[3][SUGGEST_NAME]; /* of the last three letters of a, by letters of b */
    const size_t n = strnlen(a, SUGGEST_NAME - 1), k = strnlen(b, SUGGEST_NAME - 1);
    for (size_t j = 0; j <= k; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *before = row[(i - 1) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= k; j++) {
            const int x = letter(a[i - 1]), y = letter(b[j - 1]);
            now[j] = least(before[j - 1] + (x != y), least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && x == letter(b[j - 2]) && y == letter(a[i - 2]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return row[n % 3][k];
}

void suggest_init(struct suggest *m, const char *word)
{
    *m = (struct suggest){ .n_longer = 0 };
    snprintf(m->word, sizeof m->word, "%.63s", word);
}

/* 1 when the word is the name and a finer release: openmpi-5.0.3. */
static int is_release_of(const char *word, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(word, name, n) == 0 && word[n] == '.' && isdigit((unsigned char)word[n + 1]);
}

void suggest_try(struct suggest *m, const char *name)
{
    if (m->list && text_is_plain(name, TEXT_OF_WORDS ",=@%/"))
        fprintf(m->list, "%s\n", name);
    const size_t n = strlen(m->word),
                 changes = is_release_of(m->word, name) ? 0 : suggest_changes(m->word, name);
    if (changes * 3 <= n && (!*m->name || changes < m->changes)) {
        m->changes = changes;
        snprintf(m->name, sizeof m->name, "%.63s", name);
    }
    if (n > 1 && strncmp(name, m->word, n) == 0 && strcmp(name, m->longer) != 0) {
        m->n_longer++;
        snprintf(m->longer, sizeof m->longer, "%.63s", name);
    }
}

const char *suggest_name(const struct suggest *m)
{
    if (*m->name)
        return m->name;
    return m->n_longer == 1 ? m->longer : NULL;
}

const char *suggest_text(const struct suggest *m, char buf[SUGGEST_TEXT])
{
    const char *name = suggest_name(m);
    buf[0] = '\0';
    if (name)
        snprintf(buf, SUGGEST_TEXT, "; did you mean '%s'?", name);
    return buf;
}

int suggest_add(const struct suggest *m, struct err *err)
{
    char text[SUGGEST_TEXT];
    if (!err)
        return -1;
    const size_t n = strlen(err->text);
    suggest_text(m, text);
    if (n + strlen(text) < sizeof err->text)
        memcpy(err->text + n, text, strlen(text) + 1);
    return -1;
}
