/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share.  A target, tests/fuzz/fuzz_NAME.c, reads its
 * input by one reader of pmon and checks what must hold for any input.  clang's
 * libFuzzer runs it (make fuzz), and replay.c with the seeds in
 * tests/fuzz/corpus/NAME (make check).
 */
#ifndef PMON_TESTS_FUZZ_H
#define PMON_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts where the condition does not hold, in every build. */
#define FUZZ_CHECK(condition) \
    ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

_Noreturn void fuzz_fail(const char *file, int line, const char *what);

/*
 * The path of a regular file in memory with that content, the same at each
 * call.  fuzz_file_append adds to it.
 */
const char *fuzz_file(const void *data, size_t size);
void fuzz_file_append(const char *text);

/* The input with a NUL byte behind it, to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/*
 * The lines of text as arguments behind name, NULL behind the last, at most
 * most of them with both; changes text.  How many there are.
 */
int fuzz_arguments(char *text, const char *name, char **argv, int most);

/* Check that a message is one line of valid UTF-8 without control bytes. */
void fuzz_check_line(const char *line);
void fuzz_check_error(const struct error *error);

#endif
