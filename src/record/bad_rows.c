/* SPDX-License-Identifier: MIT */
/* A broken file, or one that has no rows, does not flood stderr. */
#include "record/bad_rows.h"

#include <errno.h>

#include "base/message.h"

enum { SAID_MOST = 20 };

void
bad_rows_say(struct bad_rows *bad, const struct error *error)
{
    if (bad->count < SAID_MOST)
        message_print("%s", error->text);
    bad->count++;
}

void
bad_rows_end(const struct bad_rows *bad, const char *path)
{
    if (bad->count > SAID_MOST)
        message_print("%s: and %lld more", path,
                      (long long)(bad->count - SAID_MOST));
}

int
region_file_read(const char *path, region_file_take *take, void *context)
{
    struct region_reader reader;
    struct region_row row;
    struct error error = {0};
    struct bad_rows bad = {0};
    int taken = 0;
    int rc = region_reader_open(&reader, path, &error);

    if (rc < 0) {
        message_print("%s", error.text);
        return 0;
    }
    while (taken == 0 &&
           ((rc = region_reader_next(&reader, &row, &error)) == 0 ||
            rc == -EBADMSG)) {
        if (rc == 0)
            taken = take(&row, context);
        else
            bad_rows_say(&bad, &error);
    }
    region_reader_close(&reader);
    bad_rows_end(&bad, path);
    if (rc < 0)
        message_print("%s", error.text);
    return taken;
}
