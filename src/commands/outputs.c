/* SPDX-License-Identifier: MIT */
/* Names, opens, writes and closes the files of a run. */
#include "commands/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/num.h"
#include "formats/jsonl_log.h"
#include "formats/psrecord_log.h"

/* How long a stuck reader may delay the end. */
static const int64_t close_wait_ns = 2 * NUM_NS_PER_S;
/* How long a FIFO's reader may take to come. */
static const int64_t reader_wait_ns = 3 * NUM_NS_PER_S;
/* How long another pmon may hold the lock of a profile CSV. */
static const int64_t lock_wait_ns = 10 * NUM_NS_PER_S;
/* File times are the kernel's coarse clock, which runs behind. */
static const int64_t coarse_ns = 20 * NUM_NS_PER_MS;

static int
expand(const struct names *names, const char *pattern, const char *option,
       char **ret_path, struct error *error)
{
    STRBUF_AUTO out = {0};
    int rc;

    free(*ret_path);
    *ret_path = NULL;
    if (pattern == NULL)
        return 0;
    rc = names_expand(names, pattern, option, &out, error);
    if (rc < 0)
        return rc;
    *ret_path = strbuf_steal(&out);
    return *ret_path != NULL ? 0 : error_set(error, -ENOMEM, "out of memory");
}

/* DIR/PREFIX_NAME.SUFFIX of --step, where no file option was given. */
static int
expand_of_step(const struct options *options, const struct names *names,
               const char *prefix, const char *suffix, char **ret_path,
               struct error *error)
{
    STRBUF_AUTO pattern = {0};

    if (options->step == NULL || *ret_path != NULL)
        return 0;
    if (options->results != NULL)
        strbuf_printf(&pattern, "%s/", options->results);
    strbuf_printf(&pattern, "%s_%%s.%s", prefix, suffix);
    return expand(names, strbuf_text(&pattern), "--results", ret_path, error);
}

static int
make_results(const struct options *options, const struct names *names,
             struct error *error)
{
    FREE_AUTO char *path = NULL;
    int rc = expand(names, options->results, "--results", &path, error);

    if (rc < 0 || path == NULL)
        return rc;
    rc = folder_make(path);
    if (rc < 0)
        return error_set(error, rc, "--results %s: cannot be made: %s", path,
                         error_name(rc));
    return 0;
}

/* What names a file that is not there yet: its folder, and its own name. */
static bool
is_same_new(const char *a, const char *b)
{
    FREE_AUTO char *one = strdup(a);
    FREE_AUTO char *two = strdup(b);
    struct stat one_folder;
    struct stat two_folder;

    if (one == NULL || two == NULL ||
        strcmp(names_base(a), names_base(b)) != 0 ||
        stat(dirname(one), &one_folder) < 0 ||
        stat(dirname(two), &two_folder) < 0)
        return strcmp(a, b) == 0;
    return one_folder.st_dev == two_folder.st_dev &&
           one_folder.st_ino == two_folder.st_ino;
}

static bool
is_same(const char *a, const char *b)
{
    struct stat one;
    struct stat two;
    bool one_exists;
    bool two_exists;

    if (a == NULL || b == NULL)
        return false;
    one_exists = stat(a, &one) == 0;
    two_exists = stat(b, &two) == 0;
    if (one_exists && two_exists)
        return S_ISREG(one.st_mode) && one.st_dev == two.st_dev &&
               one.st_ino == two.st_ino;
    return one_exists == two_exists && is_same_new(a, b);
}

static int
check_distinct(const struct outputs *outputs, struct error *error)
{
    const char *twice = NULL;

    if (is_same(outputs->log_path, outputs->profile_path) ||
        is_same(outputs->log_path, outputs->summary_path) ||
        is_same(outputs->log_path, outputs->plot_path))
        twice = outputs->log_path;
    if (is_same(outputs->profile_path, outputs->summary_path) ||
        is_same(outputs->profile_path, outputs->plot_path))
        twice = outputs->profile_path;
    if (is_same(outputs->summary_path, outputs->plot_path))
        twice = outputs->summary_path;
    if (twice == NULL)
        return 0;
    return error_set(error, -EINVAL,
                     "%s: two outputs on one file, give each its own", twice);
}

int
outputs_name(struct outputs *outputs, const struct options *options,
             const struct names *names, struct error *error)
{
    int rc = expand(names, options->log, "--log", &outputs->log_path, error);

    outputs->log_format = options->log_format;
    outputs->with_io = options->include_io;
    if (rc == 0)
        rc = expand(names, options->append_peak, "--append-peak",
                    &outputs->profile_path, error);
    if (rc == 0)
        rc = expand(names, options->summary, "--summary",
                    &outputs->summary_path, error);
    if (rc == 0)
        rc = expand(names, options->plot, "--plot", &outputs->plot_path, error);
    if (rc == 0)
        rc = expand_of_step(options, names, "memory_log", "txt",
                            &outputs->log_path, error);
    if (rc == 0)
        rc = expand_of_step(options, names, "profile", "csv",
                            &outputs->profile_path, error);
    if (rc == 0)
        rc = expand_of_step(options, names, "summary", "json",
                            &outputs->summary_path, error);
    if (rc == 0)
        rc = check_distinct(outputs, error);
    if (rc == 0 && names->pid != 0)
        rc = make_results(options, names, error);
    return rc;
}

/* A standard stream that was closed is pmon's own /dev/null by now. */
static int
check_descriptor(const struct outputs *outputs, const char *path,
                 struct error *error)
{
    int fd = sink_named_descriptor(path);

    if (fd < 0 || fd > STDERR_FILENO ||
        (outputs->closed_streams >> fd & 1) == 0)
        return 0;
    return error_set(error, -EBADF, "%s: is closed", path);
}

/* Whether a file can be made in the folder of path. */
static int
check_folder(const char *path)
{
    FREE_AUTO char *copy = strdup(path);
    const char *folder;
    struct stat st;

    if (copy == NULL)
        return -ENOMEM;
    folder = dirname(copy);
    if (stat(folder, &st) < 0)
        return -errno;
    if (!S_ISDIR(st.st_mode))
        return -ENOTDIR;
    return access(folder, W_OK | X_OK) < 0 ? -errno : 0;
}

int
outputs_check_writable(const char *path, bool in_place, struct error *error)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    int rc = 0;

    if (sink_named_descriptor(path) >= 0)
        return 0;
    if (exists && S_ISDIR(st.st_mode))
        return error_set(error, -EISDIR, "%s: is a folder", path);
    if (exists && access(path, W_OK) < 0)
        rc = -errno;
    if (rc == 0 && (!exists || (S_ISREG(st.st_mode) && !in_place)))
        rc = check_folder(path);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be written: %s", path,
                         error_name(rc));
    return 0;
}

static int
check_output(const struct outputs *outputs, const char *path, bool in_place,
             struct error *error)
{
    int rc = check_descriptor(outputs, path, error);

    return rc < 0 ? rc : outputs_check_writable(path, in_place, error);
}

/* Opens the log; while a FIFO has no reader it asks whether to go on. */
static int
open_log(struct outputs *outputs, bool (*interrupted)(void *context),
         void *context)
{
    struct timespec pause = {.tv_nsec = 20 * NUM_NS_PER_MS};
    int rc;

    while ((rc = sink_open(&outputs->log, outputs->log_path, 0)) == -ENXIO) {
        if (interrupted(context))
            return -EINTR;
        nanosleep(&pause, NULL);
    }
    return rc;
}

static int
begin_log(struct outputs *outputs, struct error *error)
{
    int rc;

    strbuf_reset(&outputs->line);
    if (outputs->log_format != LOG_JSONL)
        psrecord_log_header(&outputs->line, outputs->log_format,
                            outputs->with_io);
    outputs->has_header = true;
    rc = sink_write(&outputs->log, strbuf_text(&outputs->line),
                    outputs->line.size);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be written: %s",
                         outputs->log_path, error_name(rc));
    return 0;
}

int
outputs_open(struct outputs *outputs, bool (*interrupted)(void *context),
             void *context, struct error *error)
{
    int rc = 0;

    if (outputs->profile_path != NULL)
        rc = check_output(outputs, outputs->profile_path, true, error);
    if (rc == 0 && outputs->summary_path != NULL)
        rc = check_output(outputs, outputs->summary_path, false, error);
    if (rc == 0 && outputs->plot_path != NULL)
        rc = check_output(outputs, outputs->plot_path, false, error);
    if (rc < 0 || outputs->log_path == NULL)
        return rc;

    rc = check_descriptor(outputs, outputs->log_path, error);
    if (rc < 0)
        return rc;
    rc = open_log(outputs, interrupted, context);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be written: %s",
                         outputs->log_path, error_name(rc));
    rc = check_distinct(outputs, error);
    if (rc < 0)
        return rc;
    if (sink_lock(&outputs->log) < 0)
        return error_set(error, -EWOULDBLOCK,
                         "another pmon writes %s: use %%p, %%r or %%a",
                         outputs->log_path);
    /* An empty file may be begun: what goes wrong is found in time. */
    if (!outputs->log.is_regular || outputs->log.size == 0)
        rc = begin_log(outputs, error);
    return rc;
}

int
outputs_begin(struct outputs *outputs, struct error *error)
{
    int rc;

    if (outputs->log.fd < 0 || outputs->has_header)
        return 0;
    rc = sink_truncate(&outputs->log);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be emptied: %s",
                         outputs->log_path, error_name(rc));
    return begin_log(outputs, error);
}

void
outputs_abandon(struct outputs *outputs)
{
    if (outputs->log.fd < 0)
        return;
    sink_take_back(&outputs->log);
    if (outputs->log.was_made && outputs->log.is_regular)
        unlink(outputs->log_path);
    sink_close(&outputs->log, 0);
}

static const char *
reason_of(int rc)
{
    return rc == -EAGAIN ? "its reader is too slow" : error_name(rc);
}

int
outputs_row(struct outputs *outputs, const struct row *row, struct error *error)
{
    int failed = outputs->log.failed;
    int rc;

    if (outputs->log.fd < 0)
        return 0;
    strbuf_reset(&outputs->line);
    if (outputs->log_format == LOG_JSONL)
        jsonl_log_row(&outputs->line, outputs->with_io, row);
    else
        psrecord_log_row(&outputs->line, outputs->log_format, outputs->with_io,
                         row);
    rc = sink_write(&outputs->log, strbuf_text(&outputs->line),
                    outputs->line.size);
    if (rc == 0)
        outputs->rows++;
    if (rc == 0 || failed < 0)
        return 0;
    return error_set(error, rc, "%s: %s; the step goes on, later rows are lost",
                     outputs->log_path, error_name(rc));
}

int
outputs_end_log(struct outputs *outputs, struct error *error)
{
    int failed = outputs->log.failed;
    bool is_removed;
    int rc;

    if (outputs->log.fd < 0)
        return 0;
    is_removed = sink_is_removed(&outputs->log);
    rc = sink_close(&outputs->log, close_wait_ns);
    outputs->log.failed = is_removed ? -ENOENT : rc;
    if (is_removed)
        return error_set(error, -ENOENT,
                         "%s: was removed while the step ran, its rows are "
                         "lost",
                         outputs->log_path);
    if (rc == 0 || failed < 0)
        return 0;
    return error_set(error, rc, "%s: %s; its last %zu bytes are lost",
                     outputs->log_path, reason_of(rc), outputs->log.lost);
}

/* A FIFO's reader may come a little later. */
static int
open_profile(struct sink *sink, const char *path,
             const struct clock_source *clock)
{
    struct timespec pause = {.tv_nsec = 10 * NUM_NS_PER_MS};
    int64_t begin_ns = clock_now(clock, CLOCK_MONOTONIC);
    int rc;

    while ((rc = sink_open(sink, path, O_APPEND)) == -ENXIO &&
           clock_now(clock, CLOCK_MONOTONIC) - begin_ns < reader_wait_ns)
        nanosleep(&pause, NULL);
    return rc;
}

/* Tries for the lock; a note where it is not to be had. */
static void
lock_profile(struct sink *sink, const char *path,
             const struct clock_source *clock, struct strbuf *notes)
{
    struct timespec pause = {.tv_nsec = 10 * NUM_NS_PER_MS};
    int64_t begin_ns = clock_now(clock, CLOCK_MONOTONIC);

    while (sink_lock(sink) == -EWOULDBLOCK) {
        if (clock_now(clock, CLOCK_MONOTONIC) - begin_ns >= lock_wait_ns) {
            strbuf_printf(notes,
                          "%s: locked by another process for 10 s, "
                          "appended without the lock\n",
                          path);
            return;
        }
        nanosleep(&pause, NULL);
    }
}

/* Notes what the user should know of the file before the block. */
static void
look_at_profile(const struct sink *sink, const char *path,
                int64_t start_epoch_ns, struct strbuf *notes)
{
    struct stat st;
    int64_t changed_ns;

    if (!sink->is_regular || fstat(sink->fd, &st) < 0)
        return;
    changed_ns = st.st_mtim.tv_sec * NUM_NS_PER_S + st.st_mtim.tv_nsec;
    if (sink->was_made)
        strbuf_printf(notes, "%s: was not there, made with the peak alone\n",
                      path);
    else if (st.st_size > 0 && changed_ns + coarse_ns < start_epoch_ns)
        strbuf_printf(notes, "%s is older than this run\n", path);
}

static bool
lacks_line_end(const struct sink *sink, const char *path)
{
    FD_AUTO fd = -1;
    struct stat st;
    char last;

    if (!sink->is_regular || fstat(sink->fd, &st) < 0 || st.st_size == 0)
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n';
}

int
outputs_append_peak(struct outputs *outputs, const char *block, size_t size,
                    int64_t start_epoch_ns, struct strbuf *notes,
                    struct error *error)
{
    const char *path = outputs->profile_path;
    STRBUF_AUTO text = {0};
    struct sink sink;
    int rc = open_profile(&sink, path, outputs->clock);

    if (rc == 0) {
        lock_profile(&sink, path, outputs->clock, notes);
        look_at_profile(&sink, path, start_epoch_ns, notes);
        if (lacks_line_end(&sink, path))
            strbuf_putc(&text, '\n');
        strbuf_append(&text, block, size);
        rc = sink_write(&sink, strbuf_text(&text), text.size);
        if (sink_close(&sink, close_wait_ns) < 0 && rc == 0)
            rc = sink.failed;
    }
    if (rc == 0)
        return 0;
    return error_set(error, rc, "%s: the peak cannot be appended: %s", path,
                     error_name(rc));
}

static int
write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, text, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -ENOSPC;
        text += done;
        size -= (size_t)done;
    }
    return 0;
}

/* A new file beside path, to be renamed to it. */
static int
write_beside(const char *path, const char *text, size_t size)
{
    STRBUF_AUTO temporary = {0};
    FD_AUTO fd = -1;
    int rc;

    strbuf_printf(&temporary, "%s.%d.tmp", path, (int)getpid());
    fd = open(strbuf_text(&temporary),
              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return -errno;
    rc = write_all(fd, text, size);
    if (rc == 0 && rename(strbuf_text(&temporary), path) < 0)
        rc = -errno;
    if (rc < 0)
        unlink(strbuf_text(&temporary));
    return rc;
}

static int
write_through(const char *path, const char *text, size_t size)
{
    struct sink sink;
    int rc = sink_open(&sink, path, 0);

    if (rc < 0)
        return rc;
    sink_write(&sink, text, size);
    return sink_close(&sink, close_wait_ns);
}

int
outputs_write_file(const char *path, const char *text, size_t size)
{
    FREE_AUTO char *target = NULL;
    struct stat st;

    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_through(path, text, size);
    /* A link stays one: what it leads to is replaced. */
    target = realpath(path, NULL);
    return write_beside(target != NULL ? target : path, text, size);
}

int
outputs_write_summary(struct outputs *outputs, const char *text, size_t size,
                      struct error *error)
{
    const char *path = outputs->summary_path;
    int rc;

    if (path == NULL)
        return 0;
    rc = outputs_write_file(path, text, size);
    if (rc == 0)
        return 0;
    return error_set(error, rc, "%s: the summary cannot be written: %s", path,
                     error_name(rc));
}

void
outputs_done(struct outputs *outputs)
{
    sink_close(&outputs->log, 0);
    free(outputs->log_path);
    free(outputs->profile_path);
    free(outputs->summary_path);
    free(outputs->plot_path);
    strbuf_done(&outputs->line);
    *outputs = (struct outputs){.log.fd = -1};
}
