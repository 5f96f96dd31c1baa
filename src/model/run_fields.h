/* SPDX-License-Identifier: MIT */
/*
 * Every scalar of a run, once: its member of struct run, its group and key in
 * the summary, its unit, its option name and its label.  The initial unknown
 * values, the reader and writer of summaries, --fail-over, report columns, and
 * the checks of schema and manual all use this table.
 */
#ifndef PMON_MODEL_RUN_FIELDS_H
#define PMON_MODEL_RUN_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/run.h"

enum unit {
    UNIT_TEXT,
    UNIT_BOOL,
    UNIT_COUNT,
    UNIT_SECONDS,
    UNIT_BYTES,
    UNIT_PERCENT,
};

/* How a field is stored. */
enum field_type {
    FIELD_TEXT,    /* char * */
    FIELD_TEXTS,   /* char **, NULL-terminated */
    FIELD_INTEGER, /* int64_t */
    FIELD_NS,      /* int64_t; seconds outside of pmon */
    FIELD_PERCENT, /* double; a number of cores as well */
    FIELD_CHOICE,  /* an enum, of which 0 means unknown */
};

struct run_field {
    const char *group; /* of the summary; NULL: not in it */
    const char *key;
    enum field_type type;
    enum unit unit;
    size_t offset;
    const char *const *choices; /* names by value, then NULL; [0] is NULL */
    const char *name;           /* as --fail-over calls it; NULL: not offered */
    const char *label;          /* as people call it */
    size_t word;                /* offset of its enum word; 0: it has none */
    bool is_usual;              /* shown by compare by default */
};

/* At least as many as there are fields, for lists by index. */
enum { RUN_FIELDS = 128 };

/* The field at index; NULL beyond the last. */
const struct run_field *run_field_at(size_t index);

/* The field at an offset in struct run; never NULL for one of the table. */
const struct run_field *run_field_of(size_t offset);
#define RUN_FIELD(member) run_field_of(offsetof(struct run, member))

/* The index in the table; -1: no field has that option name of size bytes. */
int run_field_find(const char *name, size_t size);

/* Appends the option names, with commas between. */
void run_field_names(struct strbuf *out);

/* The value in the field's unit (seconds for ns); NAN: unknown, or a text. */
double run_field_number(const struct run_field *field, const struct run *run);

/*
 * Sets a value in the field's unit; NAN and impossible values make it unknown.
 */
void run_field_set_number(const struct run_field *field, struct run *run,
                          double number);

/* The text, or the name of the choice; NULL: unknown, or a number. */
const char *run_field_text(const struct run_field *field,
                           const struct run *run);

/* Takes a text, or the choice of that name.  0 or -ENOMEM. */
int run_field_set_text(const struct run_field *field, struct run *run,
                       const char *text);

/* The name of a figure's word; NULL if it has none, or if it is unknown. */
const char *run_field_word(const struct run_field *field,
                           const struct run *run);

/* The names of the choices, for words of views. */
const char *word_name(enum word word);
const char *peak_source_name(enum peak_source source);
const char *reason_name(enum reason reason);

/*
 * The group after another one (NULL: the first) in the order of the table; NULL
 * after the last.
 */
const char *run_fields_next_group(const char *group);

#endif
