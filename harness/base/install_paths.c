/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/install_paths.h"

#include <unistd.h>

int install_path_program(char *buf, size_t size, struct err *err)
{
    char self[PATH_SIZE];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return err_errno(err, "cannot find this program");
    self[n] = '\0';
    const char *slash = strrchr(self, '/');
    return fs_path(buf, size, err, "%.*s", slash ? (int)(slash - self) : 1, slash ? self : ".");
}

int install_path_find(const char *name, char *path, size_t size)
{
    static const char *const above[] = { "", "/share/collsel" }; /* one directory up, then two */
    char up[PATH_SIZE], *slash;
    if (install_path_program(up, sizeof up, NULL) < 0)
        return 0;
    for (size_t i = 0; i < sizeof above / sizeof *above && (slash = strrchr(up, '/')); i++) {
        *slash = '\0';
        if (fs_path(path, size, NULL, "%s%s/%s", up, above[i], name) == 0 && fs_exists(path))
            return 1;
    }
    return 0;
}
