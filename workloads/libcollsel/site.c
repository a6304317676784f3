/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/site.h"

#include <dlfcn.h>

static const char *file_of(const Dl_info *info)
{
    const char *slash = strrchr(info->dli_fname, '/');
    return slash ? slash + 1 : info->dli_fname;
}

static uintptr_t into(const void *site, const void *from)
{
    return (uintptr_t)((const char *)site - (const char *)from);
}

/* Names of files and functions go to terminals and into reports. */
void site_name(const void *site, char text[SITE_NAME])
{
    Dl_info info;
    if (!dladdr(site, &info) || !info.dli_fname)
        snprintf(text, SITE_NAME, "?");
    else if (info.dli_sname)
        snprintf(text, SITE_NAME, "%.30s+0x%" PRIxPTR " (%.15s)", info.dli_sname,
                 into(site, info.dli_saddr), file_of(&info));
    else
        snprintf(text, SITE_NAME, "%.40s+0x%" PRIxPTR, file_of(&info), into(site, info.dli_fbase));
    text_disarm(text);
}

/* FNV-1a. */
static uint64_t mix(uint64_t h, const void *data, size_t n)
{
    for (const unsigned char *c = data; n > 0; n--, c++)
        h = (h ^ *c) * UINT64_C(0x100000001b3);
    return h;
}

uint64_t site_number(const void *site)
{
    Dl_info info;
    const int known = dladdr(site, &info) && info.dli_fname;
    const char *file = known ? file_of(&info) : "?";
    const uint64_t at = known ? into(site, info.dli_fbase) : (uintptr_t)site;
    return mix(mix(UINT64_C(0xcbf29ce484222325), file, strlen(file)), &at, sizeof at);
}
