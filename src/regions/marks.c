/* SPDX-License-Identifier: MIT */
/* A small CSV file under a lock: name, two starts, the run. */
#include "regions/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "formats/csv_text.h"
#include "host/monitor.h"

/* Which mark is looked for. */
struct wanted {
    const char *name; /* NULL: any */
    const char *run;
    bool is_any_run; /* where the run has none */
    int64_t since_ns;
};

/* A mark that was found, and where its record begins and ends. */
struct found {
    size_t begin;
    size_t end;
    char *name;
    struct region_mark mark;
    bool is_of_run;
};

const char *
marks_run(const char *(*environment)(const char *name))
{
    const char *run = environment("PMON_REGIONS_RUN");

    return run != NULL ? run : "";
}

/* Only a stopped process holds the lock for long. */
static int
lock(int fd, bool waits)
{
    enum { TRIES = 300 };
    int tries = waits ? TRIES : 0;
    struct timespec pause = {.tv_nsec = 10 * NUM_NS_PER_MS};
    int rc;

    for (int i = 0; (rc = file_lock(fd)) == -EWOULDBLOCK && i < tries; i++)
        nanosleep(&pause, NULL);
    return rc;
}

/* Opens and locks the file; opens it again if it was removed meanwhile. */
static int
open_locked(const char *folder, int flags, bool waits)
{
    STRBUF_AUTO path = {0};
    struct stat st;
    int fd;

    strbuf_printf(&path, "%s/.open_regions", folder);
    for (;;) {
        int rc = 0;

        fd = open(strbuf_text(&path),
                  O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, 0666);
        if (fd < 0)
            return -errno;
        if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
            rc = -EINVAL; /* reading it might never end */
        else
            rc = lock(fd, waits);
        if (rc == 0 && fstat(fd, &st) < 0)
            rc = -errno;
        if (rc == 0 && st.st_nlink > 0)
            return fd;
        close(fd);
        if (rc < 0)
            return rc;
    }
}

static int
read_fd(int fd, struct strbuf *text)
{
    enum { MOST = 16 << 20 }; /* a hundred thousand marks */
    struct stat st;

    if (fstat(fd, &st) < 0)
        return -errno;
    return st.st_size > MOST ? -EFBIG : file_read_fd(fd, text, MOST);
}

static void
append_row(struct strbuf *out, const char *run, const char *name,
           const struct region_mark *mark)
{
    csv_text_quote(out, name);
    strbuf_printf(out, ",%lld,%lld,", (long long)mark->start_ns,
                  (long long)mark->start_mono_ns);
    csv_text_quote(out, run);
    strbuf_putc(out, '\n');
}

/* A row that a full disk cuts would spoil the next one: remove its part. */
static int
write_whole(int fd, const struct strbuf *row)
{
    struct stat before;
    int rc;

    if (fstat(fd, &before) < 0)
        return -errno;
    rc = file_write_all(fd, row->text, row->size);
    return rc < 0 && ftruncate(fd, before.st_size) < 0 ? -errno : rc;
}

/* A last row that is torn, as by a power loss, must not spoil the next one. */
static bool
lacks_line_end(int fd)
{
    struct stat st;
    char last;

    return fstat(fd, &st) == 0 && st.st_size > 0 &&
           pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n';
}

int
marks_begin(const char *folder, const char *run, const char *name,
            const struct region_mark *mark, struct error *error)
{
    FD_AUTO fd = open_locked(folder, O_CREAT | O_APPEND, true);
    STRBUF_AUTO row = {0};
    int rc = fd;

    if (fd >= 0 && lacks_line_end(fd))
        strbuf_putc(&row, '\n');
    append_row(&row, run, name, mark);
    if (fd >= 0)
        rc = row.failed ? -ENOMEM : write_whole(fd, &row);
    if (rc < 0)
        return error_set(error, rc, "%s/.open_regions: cannot be written: %s",
                         folder, error_name(rc));
    return 0;
}

static bool
parse_mark(const struct csv_text *csv, struct region_mark *ret_mark)
{
    uint64_t start;
    uint64_t mono;

    if (csv->count != 4 || num_parse_u64(csv_text_field(csv, 1), &start) < 0 ||
        num_parse_u64(csv_text_field(csv, 2), &mono) < 0 || start > INT64_MAX ||
        mono > INT64_MAX)
        return false;
    *ret_mark = (struct region_mark){(int64_t)start, (int64_t)mono};
    return true;
}

/* Finds the last record that is wanted: 0; -ENOENT for none; -ENOMEM. */
static int
find_last(const struct strbuf *text, const struct wanted *wanted,
          struct found *ret_found)
{
    struct csv_text csv;
    size_t begin;
    int rc;

    *ret_found = (struct found){0};
    csv_text_init(&csv, strbuf_text(text), text->size);
    for (begin = 0; (rc = csv_text_next(&csv)) != 1; begin = csv.at) {
        struct region_mark mark;
        bool is_of_run;

        if (rc < 0 || !parse_mark(&csv, &mark) ||
            mark.start_ns < wanted->since_ns ||
            (wanted->name != NULL &&
             strcmp(csv_text_field(&csv, 0), wanted->name) != 0))
            continue;
        is_of_run = strcmp(csv_text_field(&csv, 3), wanted->run) == 0;
        if (!is_of_run && (!wanted->is_any_run || ret_found->is_of_run))
            continue;
        free(ret_found->name);
        *ret_found = (struct found){
            begin, csv.at, strdup(csv_text_field(&csv, 0)), mark, is_of_run};
        if (ret_found->name == NULL) {
            csv_text_done(&csv);
            return -ENOMEM;
        }
    }
    csv_text_done(&csv);
    return ret_found->name != NULL ? 0 : -ENOENT;
}

/* The last mark was taken: removes the file. */

static void
forget(const char *folder)
{
    STRBUF_AUTO path = {0};

    strbuf_printf(&path, "%s/.open_regions", folder);
    unlink(strbuf_text(&path));
}

/*
 * Removes the last record that is wanted from the file.  The caller frees its
 * name.
 */
static int
take(const char *folder, const struct wanted *wanted, struct found *ret_found)
{
    FD_AUTO fd = open_locked(folder, 0, true);
    STRBUF_AUTO text = {0};
    size_t begin;
    size_t end;
    int rc;

    *ret_found = (struct found){0};

    if (fd < 0)
        return fd;
    rc = read_fd(fd, &text);
    if (rc < 0)
        return rc;
    rc = find_last(&text, wanted, ret_found);
    if (rc < 0)
        return rc;
    begin = ret_found->begin;
    end = ret_found->end;
    if (pwrite(fd, text.text + end, text.size - end, (off_t)begin) !=
            (ssize_t)(text.size - end) ||
        ftruncate(fd, (off_t)(text.size - (end - begin))) < 0)
        return -errno;
    if (text.size == end - begin)
        forget(folder);
    return 0;
}

int
marks_end(const char *folder, const char *run, const char *name,
          struct region_mark *ret_mark, struct error *error)
{
    const struct wanted wanted = {.name = name, .run = run, .is_any_run = true};
    struct found found;
    int rc = take(folder, &wanted, &found);

    free(found.name);
    *ret_mark = found.mark;
    if (rc == -ENOENT)
        return error_set(error, rc,
                         "region --end %s: no region of this name is open; "
                         "pmon region --begin opens one",
                         name);
    if (rc < 0)
        return error_set(error, rc, "%s/.open_regions: cannot be read: %s",
                         folder, error_name(rc));
    return 0;
}

/* Whether it is a mark of a run whose pmon has ended: nobody will remove it. */
static bool
is_lost(const struct csv_text *csv, const struct monitor *self)
{
    struct monitor monitor;

    return csv->count == 4 && monitor_parse(csv_text_field(csv, 3), &monitor) &&
           monitor_look(&monitor, self) == MONITOR_GONE;
}

/* Writes back the part of the file's text that is kept. */
static int
write_kept(int fd, const char *folder, const struct strbuf *kept)
{
    if (kept->size == 0)
        forget(folder);
    else if (pwrite(fd, kept->text, kept->size, 0) != (ssize_t)kept->size ||
             ftruncate(fd, (off_t)kept->size) < 0)
        return -errno;
    return 0;
}

int
marks_take_all(const char *folder, const char *run, int64_t since_ns,
               void (*take_mark)(const char *name,
                                 const struct region_mark *mark, void *context),
               void *context)
{
    FD_AUTO fd = open_locked(folder, 0, true);
    STRBUF_AUTO text = {0};
    STRBUF_AUTO kept = {0};
    struct region_mark mark;
    struct csv_text csv;
    size_t begin;
    int rc = fd < 0 ? fd : read_fd(fd, &text);

    if (rc < 0)
        return rc;
    csv_text_init(&csv, strbuf_text(&text), text.size);
    for (begin = 0; (rc = csv_text_next(&csv)) != 1; begin = csv.at)
        if (rc == 0 && parse_mark(&csv, &mark) && mark.start_ns >= since_ns &&
            strcmp(csv_text_field(&csv, 3), run) == 0)
            take_mark(csv_text_field(&csv, 0), &mark, context);
        else
            strbuf_append(&kept, text.text + begin, csv.at - begin);
    csv_text_done(&csv);
    if (kept.failed)
        return -ENOMEM;
    return kept.size < text.size ? write_kept(fd, folder, &kept) : 0;
}

void
marks_remove_lost(const char *folder)
{
    FD_AUTO fd = open_locked(folder, 0, false);
    STRBUF_AUTO text = {0};
    STRBUF_AUTO kept = {0};
    struct monitor self;
    struct csv_text csv;
    size_t begin;
    int rc;

    if (fd < 0 || read_fd(fd, &text) < 0)
        return;
    monitor_init(&self);
    csv_text_init(&csv, strbuf_text(&text), text.size);
    for (begin = 0; (rc = csv_text_next(&csv)) != 1; begin = csv.at)
        if (rc < 0 || !is_lost(&csv, &self))
            strbuf_append(&kept, text.text + begin, csv.at - begin);
    csv_text_done(&csv);
    if (rc < 0 || kept.failed || kept.size == text.size)
        return;
    write_kept(fd, folder,
               &kept); /* if this fails, the next recording does it */
}
