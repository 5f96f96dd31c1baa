/* SPDX-License-Identifier: MIT */
/* Finds region files by their headers; opens none of them. */
#include "formats/region_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "formats/region_rows.h"

/* The step may have left a FIFO there, at which a reader would wait. */
static bool
is_regular(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

enum { HEADER_MOST = 4096 }; /* one line */

static int
take_entry(const char *folder, const char *entry,
           int (*take)(const char *path, void *context), void *context)
{
    static const char suffix[] = "_headers";
    size_t size = strlen(entry);
    STRBUF_AUTO path = {0};
    STRBUF_AUTO header = {0};

    if (size <= sizeof(suffix) - 1 ||
        strcmp(entry + size - (sizeof(suffix) - 1), suffix) != 0)
        return 0;
    strbuf_printf(&path, "%s/%s", folder, entry);
    if (!is_regular(strbuf_text(&path)) ||
        file_read_most(strbuf_text(&path), &header, HEADER_MOST) < 0 ||
        !region_rows_is_header(strbuf_text(&header), header.size))
        return 0;
    path.text[path.size - (sizeof(suffix) - 1)] = '\0';
    return is_regular(path.text) ? take(path.text, context) : 0;
}

int
region_folder_each(const char *folder,
                   int (*take)(const char *path, void *context), void *context)
{
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    int rc = 0;

    if (dir == NULL)
        return -errno;
    while (rc == 0 && (entry = readdir(dir)) != NULL)
        rc = take_entry(folder, entry->d_name, take, context);
    closedir(dir);
    return rc;
}
