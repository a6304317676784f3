/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/cluster_draft.h"

#include <string.h>

#include "harness/base/memory.h"

/* What a preset says of itself, not of the machine that begins with it. */
static int is_own(const char *key)
{
    static const char *const own[] = { "name", "title", "nodes", "sockets", "cores" };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(key, own[i]) == 0)
            return 1;
    return 0;
}

void cluster_draft_begin(struct cluster_draft *draft, const struct cluster *preset)
{
    draft->text = memory_zeros(cluster_keys.n, sizeof *draft->text);
    draft->source = memory_zeros(cluster_keys.n, sizeof *draft->source);
    for (size_t i = 0; i < cluster_keys.n; i++) {
        const struct setting *s = &preset->settings.v[i];
        if (s->line > 0 && !is_own(cluster_keys.keys[i].name))
            cluster_draft_set(draft, cluster_keys.keys[i].name, s->text, s->note);
    }
}

void cluster_draft_set(struct cluster_draft *draft, const char *key, const char *text,
                       const char *source)
{
    const int i = keys_find(&cluster_keys, key);
    memory_free(draft->text[i], draft->source[i]);
    draft->text[i] = memory_text(text);
    draft->source[i] = source && *source ? memory_text(source) : NULL;
}

void cluster_draft_write(const struct cluster_draft *draft, FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < cluster_keys.n; i++) {
        const struct key *k = &cluster_keys.keys[i];
        if (!draft->text[i])
            continue;
        if (strcmp(section, k->section) != 0)
            fprintf(out, "%s[%s]\n", *section ? "\n" : "", k->section);
        section = k->section;
        fprintf(out, "%s = %s\n", k->name, draft->text[i]);
    }
    fputs("\n[sources]\n", out);
    for (size_t i = 0; i < cluster_keys.n; i++)
        if (draft->text[i] && draft->source[i])
            fprintf(out, "%s = %s\n", cluster_keys.keys[i].name, draft->source[i]);
}

void cluster_draft_free(struct cluster_draft *draft)
{
    for (size_t i = 0; i < cluster_keys.n; i++)
        memory_free(draft->text[i], draft->source[i]);
    memory_free(draft->text, draft->source);
}
