/* SPDX-License-Identifier: MIT */
/* Errors as data: formats the one line; never prints and never exits. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

int
error_set(struct error *error, int code, const char *format, ...)
{
    va_list args;

    if (error == NULL)
        return code;

    error->code = code;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    escape_terminal_in_place(error->text);
    return code;
}

int
error_in_line(struct error *error, int code, const char *path, int64_t line,
              const char *what)
{
    return error_set(error, code, "%s:%lld: %s", path, (long long)line, what);
}

int
error_unreadable(struct error *error, int code, const char *path)
{
    if (code == -ENOENT && strcmp(path, "-") == 0)
        return error_set(error, code,
                         "-: no such file; standard input is /dev/stdin");
    return error_set(error, code, "%s: cannot be read: %s", path,
                     error_name(code));
}

int
error_unwritable(struct error *error, int code, const char *path)
{
    return error_set(error, code, "%s: cannot be written: %s", path,
                     error_name(code));
}

int
error_prefix(struct error *error, const char *prefix)
{
    struct error bare = *error;

    return error_set(error, bare.code, "%s: %s", prefix, bare.text);
}

int
error_no_memory(struct error *error)
{
    return error_set(error, -ENOMEM, "out of memory");
}

const char *
error_name(int code)
{
    /* pmon never calls setlocale(3), so this is the text in C */
    return strerror(abs(code));
}
