/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/sizes.h"

const char *const size_class_words[N_SIZE_CLASSES + 1] = {
    [SIZE_TO_512] = "to_512",       [SIZE_TO_16K] = "1K-16K", [SIZE_TO_128K] = "32K-128K",
    [SIZE_FROM_256K] = "from_256K", [SIZE_ALL] = "all",
};

static const struct {
    const char *title;
    uint64_t most; /* bytes */
} classes[N_SIZE_CLASSES] = {
    [SIZE_TO_512] = { "≤ 512 B", 512 },        [SIZE_TO_16K] = { "1–16 KiB", 16384 },
    [SIZE_TO_128K] = { "32–128 KiB", 131072 }, [SIZE_FROM_256K] = { "≥ 256 KiB", UINT64_MAX },
    [SIZE_ALL] = { "all sizes", UINT64_MAX },
};

const char *size_class_title(enum size_class c)
{
    return classes[c].title;
}

enum size_class size_class_of(uint64_t bytes)
{
    int c = 0;
    while (bytes > classes[c].most)
        c++;
    return (enum size_class)c;
}
