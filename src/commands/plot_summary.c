/* SPDX-License-Identifier: MIT */
/* A summary becomes a recording: its log where that is there, its peak. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/plot_load.h"
#include "engine/metrics.h"
#include "host/names.h"

static int64_t
seconds_of(const struct summary_file *file, const char *group, const char *key)
{
    double value;

    if (!summary_file_number(file, group, key, &value))
        return NUM_UNKNOWN;
    return num_from_double(value * (double)NUM_NS_PER_S);
}

static int64_t
bytes_of(const struct summary_file *file, const char *key)
{
    int64_t value;

    return summary_file_integer(file, "memory", key, &value) && value >= 0
               ? value
               : NUM_UNKNOWN;
}

static void
take_peak(struct recording *recording, const struct summary_file *file)
{
    static const enum word words[] = {WORD_EXACT, WORD_BETWEEN, WORD_AT_LEAST};
    const char *word = summary_file_text(file, "memory", "peak_rss_word");

    for (size_t i = 0; word != NULL && i < sizeof(words) / sizeof(words[0]);
         i++)
        if (strcmp(word, metrics_word(words[i])) == 0)
            recording_take_peak(
                recording, bytes_of(file, "peak_rss_bytes"),
                bytes_of(file, "peak_rss_upper_bytes"),
                seconds_of(file, "memory", "peak_rss_elapsed_s"),
                metrics_word(words[i]));
}

/* The curve that stands in the summary itself. */
static int
load_series(struct recording *recording, const struct summary_file *file)
{
    static const double most_s = 1e9; /* 31 years, as in a log */
    size_t count = summary_file_series_count(file);
    int rc = 0;

    for (size_t i = 0; i < count && rc == 0; i++) {
        struct recording_row row = {.vms_bytes = -1,
                                    .pss_bytes = -1,
                                    .read_bytes = -1,
                                    .write_bytes = -1};
        double elapsed_s;

        summary_file_series(file, i, &elapsed_s, &row.cpu_percent,
                            &row.rss_bytes);
        row.elapsed_ns = num_from_double(elapsed_s * (double)NUM_NS_PER_S);
        if (elapsed_s <= most_s && row.elapsed_ns != NUM_UNKNOWN)
            rc = recording_push(recording, &row);
    }
    return rc;
}

static int
name_by_summary(struct recording *recording, const struct summary_file *file,
                struct error *error)
{
    const char *step = summary_file_text(file, "command", "step");
    const char *rank = summary_file_text(file, "command", "rank");
    STRBUF_AUTO name = {0};

    if (step == NULL)
        return plot_load_name(recording, names_base(file->path), error);
    strbuf_puts(&name, step);
    if (rank != NULL)
        strbuf_printf(&name, ", rank %s", rank);
    return plot_load_name(recording, strbuf_text(&name), error);
}

/*
 * The rows of the log that the summary names: 0, or negative where there are
 * none, said in error, or the log is another run's; a device is none.
 */
static int
load_named_log(struct recording *recording, const struct summary_file *file,
               const char *log, struct error *error)
{
    struct log_match match;
    struct stat st;
    int rc;

    if (stat(log, &st) < 0 || access(log, R_OK) < 0)
        return error_set(error, -ENOENT, "%s: its log %s is not there",
                         file->path, log);
    if (!S_ISREG(st.st_mode))
        return error_set(error, -ENOENT, "%s: its log %s is no file",
                         file->path, log);
    log_match_init(&match, file);
    rc = plot_load_log(recording, log, &match, error);
    if (rc < 0 || log_match_is_same(&match))
        return rc;
    return error_set(error, -ESTALE, "%s: its log %s is of another run",
                     file->path, log);
}

/* Rows of the log where there is one, else the summary's own curve. */
static int
load_rows(struct recording *recording, const struct summary_file *file,
          const struct plot_load *load, struct error *error)
{
    FREE_AUTO char *log = summary_file_path(file, "log");

    if (log != NULL) {
        int rc = load_named_log(recording, file, log, error);

        if (rc == 0 && recording_end(recording) > 0)
            return 0;
        if (rc == -ENOMEM)
            return rc;
        if (rc < 0)
            message_print("%s, drawn from the summary", error->text);
        recording_done(recording);
        recording_init(recording, load->from_ns, load->to_ns);
    }
    return load_series(recording, file) < 0
               ? error_set(error, -ENOMEM, "out of memory")
               : 0;
}

int
plot_load_summary(struct recording *recording, const char *path,
                  const struct plot_load *load, struct error *error)
{
    FREE_AUTO char *folder = NULL;
    struct summary_file file;
    int rc = summary_file_open(&file, path, error);

    if (rc < 0)
        return rc;
    if (file.impossible > 0)
        message_print(SUMMARY_IMPOSSIBLE, path, (long long)file.impossible);
    rc = load_rows(recording, &file, load, error);
    if (rc == 0)
        rc = name_by_summary(recording, &file, error);
    if (rc == 0) {
        recording->start_epoch_ns = seconds_of(&file, "time", "start_epoch_s");
        recording->limit_bytes = bytes_of(&file, "limit_bytes");
        take_peak(recording, &file);
        folder = summary_file_path(&file, "regions");
    }
    if (rc == 0 && load->regions == NULL && folder != NULL &&
        recording->start_epoch_ns != NUM_UNKNOWN &&
        plot_load_regions(recording, folder, error) < 0)
        message_print("%s; drawn without regions", error->text);
    summary_file_close(&file);
    return rc;
}
