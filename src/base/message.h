/* SPDX-License-Identifier: MIT */
/* pmon's own lines on stderr; every one begins with `pmon: `. */
#ifndef PMON_BASE_MESSAGE_H
#define PMON_BASE_MESSAGE_H

#include <stddef.h>

/*
 * Prints one line, prefix and line end added, bytes that a terminal would act
 * upon replaced.  Gives up on a reader that is stuck.
 */
void message_print(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Prints text as it is: whole lines, escaped already. */
void message_write(const char *text, size_t size);

#endif
