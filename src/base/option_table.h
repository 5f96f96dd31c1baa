/* SPDX-License-Identifier: MIT */
/*
 * The options of a command as rows of a table: parsed, checked against each
 * other, and printed by --help, with the same wording for all commands.
 */
#ifndef PMON_BASE_OPTION_TABLE_H
#define PMON_BASE_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

/* How a value is taken, and the type of the member that it is stored in. */
enum option_kind {
    OPTION_FLAG,     /* bool, set to true */
    OPTION_FLAG_OFF, /* bool, set to false */
    OPTION_TEXT,     /* const char *, any text */
    OPTION_NAME,     /* const char *, not empty */
    OPTION_OUTPUT,   /* const char *, a file to write; not empty, not `-` */
    OPTION_TIME,     /* int64_t, nanoseconds from least to most */
    OPTION_SIZE,     /* int64_t, bytes from least to most */
    OPTION_COUNT,    /* int64_t from least to most */
    OPTION_CHOICE,   /* an enum: the index in choices */
    OPTION_WORD,     /* likewise, in upper or lower case */
    OPTION_CALL,     /* whatever take makes of it */
    OPTION_HELP,     /* ends the parsing */
    OPTION_VERSION,  /* ends the parsing */
};

/* Texts are static. */
struct option_row {
    const char *name;     /* without dashes */
    char letter;          /* 0: none */
    const char *argument; /* NULL: takes none */
    const char *help;
    enum option_kind kind;
    size_t where;        /* offset of the member in the command's settings */
    int64_t least;       /* of a time, size or count */
    int64_t most;        /* 0: no limit */
    const char *allowed; /* the values that are taken, for errors */
    const char *const *choices; /* ends with NULL; "" is an index not offered */

    /*
     * 0, -EINVAL for a value that is not allowed, or another negative errno.
     * Sets the error by itself where allowed is NULL, and for other codes.
     */
    int (*take)(const struct option_row *row, void *settings, const char *value,
                struct error *error);
};

/* Names of two options; a list of them ends with {0}. */
struct option_pair {
    const char *name;
    const char *other;
};

struct option_table {
    const char *usage;   /* what --help prints above the options */
    const char *notes;   /* and below them; NULL: nothing */
    const char *command; /* that prints the help, for errors */
    const struct option_row *rows;
    int count;
    const struct option_pair *excludes; /* NULL: none */
    const struct option_pair *needs;    /* name needs other; NULL: none */
    bool is_mixed;                      /* options may follow operands */
};

/* A command line that was parsed. */
struct option_line {
    char **operands; /* of argv, ends with NULL */
    int count;       /* of operands */
    bool is_dashed;  /* `--` stands before the first; not where is_mixed */
    uint64_t given;  /* a bit for each row */
};

/*
 * Parses argv into settings; moves operands to its end.  0; the kind
 * OPTION_HELP or OPTION_VERSION when that was asked for, and nothing else
 * counts; or a negative errno with error.  ret_line is empty unless 0.
 */
int option_table_parse(const struct option_table *table, void *settings,
                       int argc, char **argv, struct option_line *ret_line,
                       struct error *error);

/* Whether the option was given. */
bool option_table_has(const struct option_table *table,
                      const struct option_line *line, const char *name);

/* The row of that name, of size bytes; NULL for none. */
const struct option_row *option_table_find(const struct option_table *table,
                                           const char *name, size_t size);

/* Appends usage, a line for each option, and notes. */
void option_table_help(const struct option_table *table, struct strbuf *out);

/*
 * Takes one value by a row with an argument.  0, or a negative errno with
 * error, which names the value by the label, as `--interval ` or `VARIABLE=`.
 */
int option_row_take(const struct option_row *row, const char *label,
                    void *settings, const char *value, struct error *error);

#endif
