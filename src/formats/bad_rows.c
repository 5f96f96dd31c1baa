/* SPDX-License-Identifier: MIT */
/* A broken file, or one that has no rows, does not flood stderr. */
#include "formats/bad_rows.h"

#include <errno.h>

enum { SAID_MOST = 20 };

bool
bad_rows_skip(struct bad_rows *bad, int rc, const struct error *error)
{
    if (rc != -EBADMSG)
        return false;
    if (bad->count < SAID_MOST)
        bad->say(error->text);
    bad->count++;
    return true;
}

void
bad_rows_end(const struct bad_rows *bad, const char *path)
{
    struct error more;

    if (bad->count <= SAID_MOST)
        return;
    error_set(&more, 0, "%s: and %lld more", path,
              (long long)(bad->count - SAID_MOST));
    bad->say(more.text);
}
