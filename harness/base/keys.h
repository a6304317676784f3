/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.h - strict INI files over a table of keys (inih reads the syntax).
 *
 * One row per key gives its section, name, type, unit, default, range and help. Parsing, range
 * checks, the reference page and the dump of the resolved settings all come from the row. Unknown
 * sections and keys, doubled ones, values out of range and missing required keys are errors with
 * file and line and exit status 2.
 *
 * A file may have overlay sections, "[on gros]": keys by their bare name that hold only where the
 * overlay is selected; and a notes section, "[sources]", with the origin of values.
 * A file may inherit: "like = NAME" in the table's first section takes all missing
 * keys, except the name, from NAME.ini in the same directory, which may inherit
 * itself, up to four files. Values of a file, also in an overlay, override inherited ones.
 *
 * A line that starts with a blank continues the value before it. '#' and ';' start comment lines,
 * " ;" a comment at the end of a line.
 *
 * Values go to plain structs by offset; nothing is owned but struct settings. */
#pragma once

#include "harness/base/base.h"

/* The syntax of an INI file, over inih: its entries in order, with their lines.
 * What they mean is keys.h. */

enum { INI_WORD = 64 }; /* of a section or a name, with its end */

/* "key = value" of a file, or the opening of a section (name is empty). */
struct ini_entry {
    char section[INI_WORD], name[INI_WORD];
    char *value;
    int line;
};

struct ini_entries {
    struct ini_entry *v;
    size_t n;
};

/* Reads a file. A line that starts with a blank continues the value before it. 0, or -1 with *err =
 * "file:line: ..." (no such file, a NUL byte, neither [section] nor key = value, a name or a value
 * that is too long) and nothing to free. */
int ini_entries_read(const char *path, struct ini_entries *entries, struct err *err);

void ini_entries_free(struct ini_entries *entries);

enum { KEY_WORD = 64, KEY_TEXT_MAX = 512, KEY_LIST_MAX = 64 };

/* Each type names what its offset points to. */
enum key_type {
    KEY_TEXT,    /* char[KEY_TEXT_MAX]: anything */
    KEY_NAME,    /* char[KEY_WORD]: letters, digits, '_', '-', '.' */
    KEY_STEM,    /* char[KEY_WORD]: a name that paths are made of (text_is_name) */
    KEY_CHOICE,  /* char[KEY_WORD]: one of choices */
    KEY_BOOL,    /* int: yes or no */
    KEY_INT,     /* int */
    KEY_COUNT,   /* uint64_t */
    KEY_BYTES,   /* uint64_t: 8K */
    KEY_SECONDS, /* double: 20us */
    KEY_RATE,    /* double, bits per second: 25Gbps */
    KEY_REAL,    /* double */
    KEY_NAMES,   /* struct name_list; each one of choices where there are any */
    KEY_INTS,    /* struct int_list; no two alike */
    KEY_EXTENTS, /* struct int_list: 2x3x4 */
    KEY_SIZES,   /* struct size_list */
    KEY_COSTS,   /* struct cost_list: from-bytes:seconds:seconds-per-byte */
    KEY_FACTORS, /* struct factor_list: from-bytes:factor */
    KEY_PAIRS    /* struct pair_list: name:number */
};

struct name_list {
    size_t n;
    char v[KEY_LIST_MAX][KEY_WORD];
};
struct int_list {
    size_t n;
    int v[KEY_LIST_MAX];
};
/* The largest of a list; 0 of an empty one. */
int int_list_largest(const struct int_list *list);
struct size_list {
    size_t n;
    uint64_t v[KEY_LIST_MAX];
};
/* From this many bytes on a message costs seconds + bytes x seconds_per_byte. */
struct cost {
    uint64_t from_bytes;
    double seconds, seconds_per_byte;
};
struct cost_list {
    size_t n;
    struct cost v[KEY_LIST_MAX];
};
struct factor {
    uint64_t from_bytes;
    double factor;
};
struct factor_list {
    size_t n;
    struct factor v[KEY_LIST_MAX];
};
struct pair {
    char name[KEY_WORD];
    int value;
};
struct pair_list {
    size_t n;
    struct pair v[KEY_LIST_MAX];
};

struct key {
    const char *section, *name;
    enum key_type type;
    const char *unit;     /* for people; may be NULL */
    const char *fallback; /* default as text; NULL: required */
    double min, max;      /* of a number or of each in a list; both 0: no limits */
    const char *choices;  /* "star|tree|torus"; NULL: any */
    const char *word;     /* a keyword instead of a value: gives 0, "" or an empty list */
    const char *help;     /* one line */
    size_t offset;        /* into the target struct */
};

struct key_table {
    const char *what;    /* "cluster file" */
    const char *overlay; /* "on": sections "[on NAME]" are allowed; NULL: none */
    const char *notes;   /* "sources": a section of remarks by key name; NULL: none */
    const char *apart;   /* "mpi": sections "[mpi NAME]" have a reader of their own; NULL: none */
    const struct key *keys;
    size_t n;
    size_t target_size;
};

/* The text behind every key of a loaded file, in the order of the table. Owned; settings_free. */
struct setting {
    char *text; /* as given, or the default */
    char *note; /* from the notes section, or NULL */
    int line;   /* 0: the default; of "like" where the text comes from that file */
};
struct settings {
    const struct key_table *table;
    struct setting *v;
};

/* Reads a file into *target (table->target_size bytes) and the texts into *settings. overlay is the
 * name whose overlay section holds, or NULL. Returns 0, or -1 with *err = "file:line: ..." and
 * nothing to free. */
int keys_load(const struct key_table *table, const char *path, const char *overlay, void *target,
              struct settings *settings, struct err *err);

/* Parses one value of one key into *at, with its range. Errors without a place. */
int key_parse(const struct key *key, const char *text, void *at, struct err *err);

/* Index of a key by its bare name, or -1. */
int keys_find(const struct key_table *table, const char *name);

/* The text of a setting by the key's bare name; "" when there is no such key. */
const char *settings_text(const struct settings *settings, const char *name);

/* Puts another text behind a key of a loaded file, and its value into the file's target; the key is
 * there. Returns 0, or -1 with *err. */
int settings_replace(struct settings *settings, void *target, const char *name, const char *text,
                     struct err *err);

/* Prints "[section]" and "key = value" lines, defaults marked, with their notes. */
void settings_print(FILE *out, const struct settings *settings);

/* Prints the reference page (Markdown) of a table. */
void keys_reference(FILE *out, const struct key_table *table);

void settings_free(struct settings *settings);
