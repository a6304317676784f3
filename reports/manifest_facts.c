/* SPDX-License-Identifier: BSD-3-Clause */
/* manifest_facts.c - what manifest.json tells a report: whose results these are, and of which
 * backend. */
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/json_file.h"
#include "harness/study/manifest.h"
#include "reports/data.h"

const char *manifest_text(const struct report_data *data, const char *path)
{
    json_t *o = data->manifest;
    while (o && *path) {
        char key[NAME_SIZE];
        size_t len = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)len, path);
        o = json_object_get(o, key);
        path += len + (path[len] == '/');
    }
    return json_is_string(o) && *json_string_value(o) ? json_string_value(o) : "unknown";
}

const char *backend_words(const char *backend, char *buf, size_t size, int *simulated)
{
    static const struct {
        const char *name, *label;
        int simulated;
    } known[] = {
        { "local", "measured on this machine", 0 },
        { "slurm", "measured through Slurm", 0 },
        { "kit", "measured by a kit, on the cluster itself", 0 },
        { "emulated",
          "emulated: real MPI and TCP over shaped links between namespaces of one machine", 0 },
        { "sim", "simulated by SimGrid SMPI", 1 },
        { "walk", "walked: estimated by a model of this network; nothing was run", 1 },
        { "null", "planted, not measured", 1 },
        { "imported", "measured by others, imported", 0 },
    };
    size_t k = 0, n = sizeof known / sizeof *known;
    while (k < n && strcmp(known[k].name, backend) != 0)
        k++;
    if (k < n)
        snprintf(buf, size, "%s", known[k].label);
    else
        snprintf(buf, size, "backend %s", backend);
    if (simulated)
        *simulated = k == n || known[k].simulated;
    return buf;
}

int manifest_read(struct report_data *d, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/manifest.json", d->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (nothing was measured yet)", path);
    if (manifest_known(d->dir, err) < 0)
        return -1;
    if (json_file_read(path, &d->manifest, err) < 0)
        return -1;
    json_disarm(d->manifest);
    snprintf(d->cluster, sizeof d->cluster, "%.63s",
             manifest_text(d, "cluster/settings/cluster/name/value"));
    snprintf(d->title, sizeof d->title, "%.511s",
             manifest_text(d, "cluster/settings/cluster/title/value"));
    d->imported = strcmp(manifest_text(d, "backend/name"), "imported") == 0;
    snprintf(d->study, sizeof d->study, "%.63s",
             manifest_text(d, d->imported ? "import/dataset" : "study/settings/study/name/value"));
    snprintf(d->backend, sizeof d->backend, "%s", manifest_text(d, "backend/name"));
    d->cores = (int)json_integer_value(json_object_get(
        json_object_get(json_object_get(d->manifest, "cluster"), "resolved"), "node_cores"));
    d->emulated = strcmp(d->backend, "emulated") == 0;
    backend_words(d->backend, d->backend_label, sizeof d->backend_label, &d->simulated);
    snprintf(d->backend_title, sizeof d->backend_title, "%.*s", (int)strcspn(d->backend_label, ":"),
             d->backend_label);
    return 0;
}
