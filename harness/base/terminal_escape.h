/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal_escape.h - a stream that removes characters a terminal would obey
 * (text_disarm), for printers of other libraries: argp prints words of a command line. */
#pragma once

#include <stdio.h>

/* New lines and tabs stay. One at a time. NULL where there is no memory; fclose leaves `to` open.
 */
FILE *terminal_escape_stream(FILE *to);
