/* SPDX-License-Identifier: MIT */
/*
 * What getopt_long(3), its errors and --help need of a table of options.  The
 * rows are a program's own; each begins with a struct option_text.
 */
#ifndef PMON_BASE_OPTION_TEXT_H
#define PMON_BASE_OPTION_TEXT_H

#include <getopt.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

struct option_text {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: takes none */
    const char *help;
};

struct option_texts {
    const void *rows;
    size_t row_size;
    int count;
    const char *help; /* the command that prints it, for errors */
    int width;        /* of the first column of that */
};

/*
 * Fills long_options, one more than there are rows, and letters, two for each
 * row and three more.  Parsing stops at the first that is no option.
 */
void option_texts_getopt(const struct option_texts *texts,
                         struct option *long_options, char *letters);

/* The row that getopt_long returned code for; -1 for none. */
int option_texts_find(const struct option_texts *texts, int code);

/* The error for ':' and '?', from optopt and optind; always -EINVAL. */
int option_texts_refuse(const struct option_texts *texts, int code, char **argv,
                        struct error *error);

/* A line for each row. */
void option_texts_help(const struct option_texts *texts, struct strbuf *out);

#endif
