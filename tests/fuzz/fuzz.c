/* SPDX-License-Identifier: MIT */
/* Files, texts and checks of the fuzz targets. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/escape.h"

_Noreturn void
fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

/* One for the whole process: an input may end it, which must leave no file. */
static int
memory_file(void)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    return fd;
}

const char *
fuzz_file(const void *data, size_t size)
{
    static char path[64];
    int fd = memory_file();

    FUZZ_CHECK(ftruncate(fd, 0) == 0);
    FUZZ_CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return path;
}

void
fuzz_file_append(const char *text)
{
    int fd = memory_file();
    size_t size = strlen(text);

    FUZZ_CHECK(pwrite(fd, text, size, lseek(fd, 0, SEEK_END)) == (ssize_t)size);
}

char *
fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    FUZZ_CHECK(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

int
fuzz_arguments(char *text, const char *name, char **argv, int most)
{
    int argc = 0;

    argv[argc++] = (char *)(uintptr_t)name;
    for (char *end; *text != '\0' && argc < most - 1; text = end) {
        end = text + strcspn(text, "\n");
        if (*end == '\n')
            *end++ = '\0';
        argv[argc++] = text;
    }
    argv[argc] = NULL;
    return argc;
}

void
fuzz_check_line(const char *line)
{
    size_t size = strlen(line);
    STRBUF_AUTO clean = {0};

    FUZZ_CHECK(size > 0 && size < ERROR_TEXT_SIZE);
    escape_terminal(&clean, line, size);
    FUZZ_CHECK(strcmp(strbuf_text(&clean), line) == 0);
}

void
fuzz_check_error(const struct error *error)
{
    fuzz_check_line(error->text);
}
