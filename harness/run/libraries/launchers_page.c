/* SPDX-License-Identifier: BSD-3-Clause */
/* launchers_page.c - the table of launchers for people, in Markdown. */
#include <string.h>

#include "harness/run/libraries/launchers.h"

static void print_versions(FILE *out, const struct launcher *l)
{
    if (l->from && l->below)
        fprintf(out, "%s up to %s", l->from, l->below);
    else if (l->from)
        fprintf(out, "from %s on", l->from);
    else
        fprintf(out, "%s%s", l->below ? "below " : "any", l->below ? l->below : "");
}

static void print_row(FILE *out, const struct launcher *l)
{
    fprintf(out, "| %s | ", l->library);
    print_versions(out, l);
    fprintf(out, " | %s | %s | ", strcmp(l->name, "local") == 0 ? "here" : l->name, l->what);
    if (strcmp(l->name, "local") == 0)
        fprintf(out, "%s | ", launcher_state_name(l->state));
    else
        fprintf(out, "%s; emulated: %s | ", launcher_state_name(l->state),
                launcher_state_name(l->emulated_state));
    fprintf(out, "%s |\n", l->note);
}

static void print_words(FILE *out, const char *when, const char *words)
{
    if (words)
        fprintf(out, "| %s | `%s` |\n", when, words);
}

static void print_details(FILE *out, const struct launcher *l)
{
    static const char *const bound[] = { "mapping core", "mapping socket", "mapping node" };
    static const char *const crowded[] = { "core, not bound", "socket, not bound",
                                           "node, not bound" };
    fprintf(out, "\n### %s ", l->library);
    print_versions(out, l);
    fprintf(out, ", %s: %s\n\n| when | words |\n|---|---|\n",
            strcmp(l->name, "local") == 0 ? "here" : l->name, l->what);
    print_words(out, "environment", l->env);
    print_words(out, "environment, as root", l->env_root);
    print_words(out, "environment, emulated nodes", l->env_emulated);
    print_words(out, "environment, with an interface", l->env_interface);
    print_words(out, "always", l->start);
    print_words(out, "`{pmi}`", l->pmi);
    for (int k = 0; k < N_MAPPINGS; k++)
        print_words(out, bound[k], l->bound[k]);
    for (int k = 0; k < N_MAPPINGS; k++)
        print_words(out, crowded[k], l->crowded[k]);
    print_words(out, "emulated nodes", l->emulated);
    print_words(out, "with an interface", l->interface);
    print_words(out, "always", l->settings);
    print_words(out, "not bound, where it was built", l->preload);
    print_words(out, "`{preload}`", l->preloaded);
    print_words(out, "`{preload}` with emulated nodes", l->preloaded_emulated);
}

void launchers_page(FILE *out)
{
    fprintf(out, "| library | versions | launcher | what it is | known | on what, or why not |\n"
                 "|---|---|---|---|---|---|\n");
    for (const struct launcher *l = launchers; l->library; l++)
        print_row(out, l);
    for (const struct launcher *l = launchers; l->library; l++)
        if (l->start)
            print_details(out, l);
}
