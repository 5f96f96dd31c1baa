/* SPDX-License-Identifier: MIT */
/*
 * Text that came from a process is hostile: it may hold line ends, escape
 * sequences and invalid UTF-8.  There is one function for each kind of output.
 */
#ifndef PMON_BASE_ESCAPE_H
#define PMON_BASE_ESCAPE_H

#include <stddef.h>

struct strbuf;

/*
 * Length in bytes (1 to 4) of the valid UTF-8 character at text, of which size
 * bytes may be read; 0 for another byte.  Overlong forms, surrogates and values
 * above U+10FFFF are invalid (Unicode 15, table 3-7).
 */
size_t escape_utf8_length(const char *text, size_t size);

/* Appends text with each byte of invalid UTF-8 as U+FFFD: for JSON. */
void escape_utf8(struct strbuf *out, const char *text, size_t size);

/*
 * Appends text as a field of a CSV, in quotes where it needs them (a comma, a
 * quote, a line end, or nothing at all in it).  A text that a spreadsheet
 * would take for a formula, which begins with = + - or @, gets a ' before it.
 */
void escape_csv(struct strbuf *out, const char *text);

/*
 * Appends text as one word of a POSIX shell: unchanged if nothing in it is
 * special, else in single quotes.
 */
void escape_shell(struct strbuf *out, const char *text);

/*
 * Appends text for a terminal or a log: control characters (C0, DEL, C1, the
 * Unicode line ends and direction marks) and invalid UTF-8 become '?', so that
 * the text cannot move the cursor or begin a line.  So does the bracket of ##[,
 * which may begin a command to a GitHub runner.
 */
void escape_terminal(struct strbuf *out, const char *text, size_t size);

/* The same in place; the text never grows. */
void escape_terminal_in_place(char *text);

/*
 * Text that is about to be printed: makes sure that no line is a command to a
 * GitHub runner.  If a line begins with ::, the first colon becomes '?'.
 */
void escape_lines(struct strbuf *text);

#endif
