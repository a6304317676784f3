/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - checks of external text: valid names, and removal of control characters.
 *
 * Names go into paths, scripts and pages. They are checked here, for all files and options. */
#pragma once

/* 1 when text is a name, as the stem of a file may be one: 1 to 63 letters, digits, '_', '-' and
 * '.', not beginning with '.' or '-'. */
int text_is_name(const char *text);

/* For the error message of an invalid name. */
#define TEXT_WANT_NAME "want 1 to 63 letters, digits, '_', '-', '.'; no '.' or '-' at the beginning"

/* Characters besides letters and digits: in words of our files, and in lists of nodes and jobs. */
#define TEXT_OF_WORDS "_-.:+"
#define TEXT_OF_LISTS TEXT_OF_WORDS "[],%"

/* 1 when text has nothing but letters, digits and the characters of `more`. */
int text_is_plain(const char *text, const char *more);

/* Control characters (of ASCII, and those that UTF-8 writes as C2 80 to C2 9F) become '?': a
 * terminal or a script that is given them would obey. Returns text. */
char *text_disarm(char *text);
