/* SPDX-License-Identifier: MIT */
/* pmon's own lines on stderr; every one begins with `pmon: `. */
#ifndef PMON_BASE_MESSAGE_H
#define PMON_BASE_MESSAGE_H

#include <stddef.h>

/*
 * Prints one line, with prefix and line end, and with control characters
 * replaced.  Gives up if the reader is stuck.
 */
void message_print(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* The same for a text that is no format. */
void message_text(const char *text);

/* Prints whole lines that are already escaped. */
void message_write(const char *text, size_t size);

#endif
