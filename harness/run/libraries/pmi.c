/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/libraries/pmi.h"

#include "harness/base/subprocess.h"

static void add_known(char known[PMI_LIST], const char *word, size_t n)
{
    const size_t used = strlen(known);
    if (used + n + 3 < PMI_LIST)
        snprintf(known + used, PMI_LIST - used, "%s%.*s", used ? ", " : "", (int)n, word);
}

/* The version of a family's name: "pmix_v5" of "pmix": 5; the family itself counts most; -1: it is
 * none of it. */
static long version_of(const char *word, size_t n, const char *family)
{
    const size_t len = strlen(family);
    if (n < len || strncmp(word, family, len) != 0)
        return -1;
    if (n == len)
        return 1L << 30;
    if (strncmp(word + len, "_v", 2) != 0 || !isdigit((unsigned char)word[len + 2]))
        return -1;
    return strtol(word + len + 2, NULL, 10);
}

/* Slurm 20.11 ("srun: MPI types are...") to 26.05: a headline, names on lines of their own, behind
 * "available:" versions. */
int pmi_choose(const char *listed, const char *family, char name[PMI_NAME], char known[PMI_LIST])
{
    static const char head[] = " types are...", speaker[] = "srun:", versions[] = "available:";
    long best = -1;
    const char *p = strstr(listed, head);
    snprintf(name, PMI_NAME, "%s", family);
    known[0] = '\0';
    if (!p)
        return -1;
    p += strcspn(p, "\n");
    while (*p) {
        p += strspn(p, " \t\r\n,");
        const size_t n = strcspn(p, " \t\r\n,");
        if (!n || strncmp(p, speaker, sizeof speaker - 1) == 0) {
            p += n;
            continue;
        }
        const long version = version_of(p, n, family);
        const char *rest = strstr(p, versions);
        if (strncmp(p, "specific ", strlen("specific ")) == 0 && rest) {
            p = rest + strlen(versions); /* "specific pmix plugin versions available: pmix_v4" */
            continue;
        }
        if (version > best && n < PMI_NAME) {
            best = version;
            snprintf(name, PMI_NAME, "%.*s", (int)n, p);
        }
        add_known(known, p, n);
        p += n;
    }
    return best >= 0;
}

int pmi_ask(const char *family, char name[PMI_NAME], char known[PMI_LIST])
{
    enum { ANSWER_SECONDS = 10 };
    char out[4096] = "";
    const char *const list[] = { "srun", "--mpi=list", NULL };
    if (run_find("srun", NULL, 0))
        run_capture_for(list, ANSWER_SECONDS, out, sizeof out);
    return pmi_choose(out, family, name, known);
}
