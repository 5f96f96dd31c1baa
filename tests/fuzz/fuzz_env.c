/* SPDX-License-Identifier: MIT */
/* Files of variables, and the settings of pmon watch that they make. */
#include <stdlib.h>

#include "base/num.h"
#include "fuzz/fuzz.h"
#include "watch/env_file.h"
#include "watch/settings.h"

static const char *
nothing(const char *name)
{
    (void)name;
    return NULL;
}

static void
check_settings(const char *path)
{
    STRBUF_AUTO text = {0};
    struct settings settings = {0};
    struct settings flags;
    struct error error = {0};
    char *argv[8];
    int argc;

    strbuf_printf(&text, "--env-prefix\nP_\n--env-file\n%s\n", path);
    argc = fuzz_arguments(text.text, "pmon watch", argv, 8);
    FUZZ_CHECK(settings_parse(&flags, argc, argv, &error) == 0);
    if (settings_make(&settings, &flags, nothing, &error) < 0) {
        fuzz_check_error(&error);
        FUZZ_CHECK(settings.dir == NULL && settings.filters.count == 0);
    } else {
        FUZZ_CHECK(settings.interval_ns >= NUM_NS_PER_S &&
                   settings.interval_ns <= 365 * 86400 * NUM_NS_PER_S);
        FUZZ_CHECK(settings.dir[0] == '/' && settings.filters.count > 0);
        filters_match(&settings.filters, "/usr/bin/python3 -m work");
        settings_done(&settings);
    }
    settings_done(&flags);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct error error = {0};
    struct env_file file;

    if (env_file_parse(&file, text, "file", &error) < 0) {
        fuzz_check_error(&error);
    } else {
        env_file_find(&file, "P_STORAGE_DIR");
        env_file_done(&file);
    }
    check_settings(fuzz_file(data, size));
    free(text);
    return 0;
}
