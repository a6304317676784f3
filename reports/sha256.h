/* SPDX-License-Identifier: BSD-3-Clause */
/* sha256.h - the digest that allows the page's script in the browser (FIPS 180-4; Content
 * Security Policy Level 3, 6.7.3). Not for secrets. */
#pragma once

#include "harness/base/base.h"

enum { SHA256_BASE64 = 45 }; /* 44 characters and the end */

/* Writes the SHA-256 of the bytes, in base64 with padding (RFC 4648). Returns buf. */
const char *sha256_base64(const void *data, size_t len, char buf[SHA256_BASE64]);
