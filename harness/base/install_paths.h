/* SPDX-License-Identifier: BSD-3-Clause */
/* install_paths.h - paths of files that come with the program: clusters, studies, presets, the
 * model, the parts of the page. In the tree that it was built in they are in the directory above
 * the build's; installed (ci/install) the program is PREFIX/lib/collsel/collsel, and they are below
 * PREFIX/share/collsel. */
#pragma once

#include "harness/base/base.h"

/* The directory in which this program lies, links resolved. 0, or -1 with *err. */
int install_path_program(char *buf, size_t size, struct err *err);

/* The path of a file or directory by its name in the tree, "clusters/studies". 1; 0: there is
 * none. */
int install_path_find(const char *name, char *path, size_t size);
