/* SPDX-License-Identifier: MIT */
/*
 * One error: a negative errno and one line of text for the user.  Filled where
 * the name of the failing thing is known, printed only by main.
 */
#ifndef PMON_BASE_ERROR_H
#define PMON_BASE_ERROR_H

#include <stdint.h>

enum { ERROR_TEXT_SIZE = 1024 };

/* code is 0 or a negative errno; text is one line without its line end. */
struct error {
    int code;
    char text[ERROR_TEXT_SIZE];
};

/*
 * Fills error (which may be NULL) with code and the formatted text, in which
 * bytes that a terminal would act upon are shown as '?'.  A text that is too
 * long is cut.  Returns code, so that callers can `return error_set(…)`.
 */
int error_set(struct error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What is wrong with a line of a file: `PATH:LINE: WHAT`; returns code. */
int error_in_line(struct error *error, int code, const char *path, int64_t line,
                  const char *what);

/* A file that cannot be read, for the reason of code; returns code. */
int error_unreadable(struct error *error, int code, const char *path);

/* A file that cannot be written, for the reason of code; returns code. */
int error_unwritable(struct error *error, int code, const char *path);

/* Puts `PREFIX: ` before the text of an error; returns its code. */
int error_prefix(struct error *error, const char *prefix);

/* The error for -ENOMEM, which it returns. */
int error_no_memory(struct error *error);

/* The text of an errno, positive or negative, as strerror(3) in C. */
const char *error_name(int code);

#endif
