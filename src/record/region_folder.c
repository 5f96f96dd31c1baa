/* SPDX-License-Identifier: MIT */
/* Finds region files by their headers, and reads them row by row. */
#include "record/region_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/strbuf.h"
#include "formats/file_kind.h"

static int
read_file(const char *path, region_folder_take *take, void *context)
{
    struct region_reader reader;
    struct region_row row;
    struct error error = {0};
    struct bad_rows bad = {.say = message_text};
    int taken = 0;
    int rc = region_reader_open(&reader, path, &bad, &error);

    if (rc < 0) {
        message_print("%s", error.text);
        return 0;
    }
    while (taken == 0 && (rc = region_reader_next(&reader, &row, &error)) == 0)
        taken = take(&row, context);
    region_reader_close(&reader);
    bad_rows_end(&bad, path);
    if (rc < 0)
        message_print("%s", error.text);
    return taken;
}

/* The step may have left a FIFO there, at which a reader would wait. */
static bool
is_regular(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int
region_folder_read(const char *folder, region_folder_take *take, void *context)
{
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    int rc = 0;

    if (dir == NULL)
        return -errno;
    while (rc == 0 && (entry = readdir(dir)) != NULL) {
        size_t size = file_kind_headers_size(entry->d_name);
        STRBUF_AUTO path = {0};

        if (size == 0)
            continue;
        strbuf_printf(&path, "%s/%.*s", folder, (int)size, entry->d_name);
        if (file_kind_by_headers(strbuf_text(&path)) == FILE_REGIONS &&
            is_regular(strbuf_text(&path)))
            rc = read_file(strbuf_text(&path), take, context);
    }
    closedir(dir);
    return rc;
}
