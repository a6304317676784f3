/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/proof/native.h"

int native_owns(const char *algorithm)
{
    const size_t n = strlen(native_library.library);
    if (n == 0)
        return strncmp(algorithm, "portable:", 9) != 0 && strchr(algorithm, ':') != NULL;
    return strncmp(algorithm, native_library.library, n) == 0 && algorithm[n] == ':';
}
