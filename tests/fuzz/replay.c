/* SPDX-License-Identifier: MIT */
/*
 * Runs a target without libFuzzer: on each seed of its corpus, and on each
 * seed cut at every byte, as a torn file is.  TAP; a fault ends the process.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "fuzz/fuzz.h"

static void
replay(const char *folder, const char *name)
{
    STRBUF_AUTO path = {0};
    STRBUF_AUTO text = {0};

    strbuf_printf(&path, "%s/%s", folder, name);
    FUZZ_CHECK(file_read_all(strbuf_text(&path), &text) == 0 && text.size > 0);
    for (size_t size = text.size + 1; size-- > 0;) {
        /* Of its own, so that a read behind it is noticed. */
        FREE_AUTO char *cut = malloc(size > 0 ? size : 1);

        FUZZ_CHECK(cut != NULL);
        memcpy(cut, text.text, size);
        LLVMFuzzerTestOneInput((const uint8_t *)cut, size);
    }
}

static int
is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int
main(int argc, char **argv)
{
    const char *target = path_base(argv[0]);
    const char *source = getenv("srcdir");
    STRBUF_AUTO folder = {0};
    struct dirent **list;
    int count;

    if (strncmp(target, "fuzz_", strlen("fuzz_")) == 0)
        target += strlen("fuzz_");
    if (argc > 1)
        strbuf_puts(&folder, argv[1]);
    else
        strbuf_printf(&folder, "%s/tests/fuzz/corpus/%s",
                      source != NULL ? source : ".", target);
    count = scandir(strbuf_text(&folder), &list, is_seed, alphasort);
    if (count <= 0) {
        printf("Bail out! %s: holds no seeds\n", strbuf_text(&folder));
        return EXIT_FAILURE;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        replay(strbuf_text(&folder), list[i]->d_name);
        printf("ok %d - %s: %s, whole and cut at each byte\n", i + 1, target,
               list[i]->d_name);
        fflush(stdout);
        free(list[i]);
    }
    free(list);
    return EXIT_SUCCESS;
}
