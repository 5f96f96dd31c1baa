/* SPDX-License-Identifier: MIT */
/* A broken file, or one that has no rows, does not flood stderr. */
#include "record/bad_rows.h"

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
