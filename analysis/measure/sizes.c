/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/sizes.h"

const char *const size_class_words[N_SIZE_CLASSES + 1] = {
    [SIZE_TO_512] = "to_512",       [SIZE_TO_16K] = "1K-16K", [SIZE_TO_128K] = "32K-128K",
    [SIZE_FROM_256K] = "from_256K", [SIZE_ALL] = "all",
};

enum size_class size_class_of(uint64_t bytes)
{
    static const uint64_t most[] = { 512, 16384, 131072 };
    int c = 0;
    while (c < SIZE_FROM_256K && bytes > most[c])
        c++;
    return (enum size_class)c;
}
