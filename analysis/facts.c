/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/facts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/number.h"

/* Defaults of the study file, for a manifest that does not say. */
static const double default_tie_pct = 2.5, default_confidence = 0.95;

/* A text at the top level or, failing that, "unknown". */
static void text_of(const json_t *root, const char *key, const char *otherwise, char *buf,
                    size_t size)
{
    const json_t *value = json_object_get(root, key);
    snprintf(buf, size, "%s", json_is_string(value) ? json_string_value(value) : otherwise);
}

/* A number, given as a number or as text. */
static double number_of(const json_t *root, const char *key, double otherwise)
{
    const json_t *value = json_object_get(root, key);
    double v = otherwise;
    if (json_is_number(value))
        v = json_number_value(value);
    else if (json_is_string(value))
        parse_f64(json_string_value(value), &v, NULL);
    return v;
}

static void versions_of(const json_t *root, struct facts *facts)
{
    const char *mpi;
    json_t *version, *all = json_object_get(root, "mpi_versions");
    json_object_foreach(all, mpi, version)
    {
        if (facts->n_mpis == MAX_MPIS || !json_is_string(version))
            continue;
        snprintf(facts->mpi[facts->n_mpis], NAME_SIZE, "%s", mpi);
        snprintf(facts->mpi_version[facts->n_mpis++], NAME_SIZE, "%s", json_string_value(version));
    }
}

int facts_read(const char *dir, struct facts *facts, struct err *err)
{
    char path[PATH_SIZE];
    json_error_t what;
    *facts = (struct facts){ .n_mpis = 0 };
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    char *text = fs_read(path, NULL, err);
    if (!text)
        return -1;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &what);
    free(text);
    if (!json_is_object(root)) {
        json_decref(root);
        return err_set(err, "%s:%d: %s", path, what.line, root ? "is not an object" : what.text);
    }
    text_of(root, "cluster", "unknown", facts->cluster, sizeof facts->cluster);
    text_of(root, "backend", "unknown", facts->backend, sizeof facts->backend);
    text_of(root, "digest", "", facts->digest, sizeof facts->digest);
    const json_t *settings = json_object_get(root, "study_settings");
    facts->tie_pct = number_of(settings, "tie_pct", default_tie_pct);
    facts->confidence = number_of(settings, "confidence", default_confidence);
    facts->seed = (uint64_t)number_of(root, "seed", 1);
    facts->deterministic = strcmp(facts->backend, "sim") == 0;
    versions_of(root, facts);
    json_decref(root);
    return 0;
}

const char *facts_version(const struct facts *facts, const char *mpi)
{
    for (size_t i = 0; i < facts->n_mpis; i++)
        if (strcmp(facts->mpi[i], mpi) == 0)
            return facts->mpi_version[i];
    return "unknown";
}
