/* SPDX-License-Identifier: MIT */
/* One string → words, as a POSIX shell splits it (XCU 2.2 and 2.3). */
#ifndef PMON_BASE_SHELL_WORDS_H
#define PMON_BASE_SHELL_WORDS_H

#include <stddef.h>

/* {0} is an empty one. */
struct shell_words {
    char **list; /* count words and a NULL */
    size_t count;
    char *text; /* what they point into */
};

/*
 * Splits text at blanks; quotes and backslashes are taken as a shell takes
 * them.  0, with ret_words the caller's; 1 when more is asked for than that,
 * so that only a shell can run it: an operator, an expansion, a pattern, a
 * comment, a line end or an assignment, outside quotes; -EINVAL when a quote
 * is not closed; -ENOMEM.
 */
int shell_words_split(const char *text, struct shell_words *ret_words);

void shell_words_done(struct shell_words *words);

#endif
