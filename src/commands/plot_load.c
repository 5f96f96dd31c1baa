/* SPDX-License-Identifier: MIT */
/* Each kind of file becomes a struct recording. */
#include "commands/plot_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "commands/bad_rows.h"
#include "commands/say.h"
#include "formats/file_kind.h"
#include "formats/jsonl_log.h"
#include "formats/log_reader.h"
#include "formats/mprof.h"
#include "formats/region_folder.h"
#include "formats/region_rows.h"
#include "formats/summary_file.h"
#include "measure/metrics.h"
#include "place/names.h"

/* 31 years: what is later is no time since a start. */
static const double most_s = 1e9;

static int
set_name(struct recording *recording, const char *name, struct error *error)
{
    free(recording->name);
    recording->name = strdup(name);
    return recording->name != NULL ? 0
                                   : error_set(error, -ENOMEM, "out of memory");
}

/* ---- logs ---- */

static int
take_row(struct recording *recording, const struct psrecord_row *row)
{
    struct recording_row taken = {
        .elapsed_ns = (int64_t)(row->elapsed_s * (double)NUM_NS_PER_S + 0.5),
        .cpu_percent = row->cpu_percent,
        .rss_bytes = row->rss_mib * (double)NUM_MIB,
        .vms_bytes = row->vms_mib * (double)NUM_MIB,
        .pss_bytes = row->has_pss ? row->pss_mib * (double)NUM_MIB : -1,
        .read_bytes = row->has_io ? row->read_bytes : -1,
        .write_bytes = row->has_io ? row->write_bytes : -1};

    return recording_push(recording, &taken);
}

static int
load_log(struct recording *recording, const char *path, struct error *error)
{
    struct log_reader reader;
    struct psrecord_row row;
    struct bad_rows bad = {0};
    int rc = log_reader_open(&reader, path, error);

    if (rc < 0)
        return rc;
    while ((rc = log_reader_next(&reader, &row, error)) == 0 ||
           rc == -EBADMSG) {
        if (rc == 0 && (row.elapsed_s < 0 || row.elapsed_s > most_s))
            rc = error_set(error, -EBADMSG,
                           "%s:%lld: has no time of 0 to 10^9 s, skipped", path,
                           (long long)reader.line_number);
        if (rc == -EBADMSG) {
            bad_rows_say(&bad, error);
        } else if (take_row(recording, &row) < 0) {
            rc = error_set(error, -ENOMEM, "out of memory");
            break;
        }
    }
    log_reader_close(&reader);
    bad_rows_end(&bad, path);
    return rc < 0 ? rc : 0;
}

/* ---- regions ---- */

struct region_context {
    struct recording *recording;
    int64_t end_ns; /* of the run */
};

static int
load_regions(const char *path, void *context)
{
    const struct region_context *into = context;
    struct recording *recording = into->recording;
    struct region_reader reader;
    struct region_row row;
    struct error error = {0};
    struct bad_rows bad = {0};
    int rc = region_reader_open(&reader, path, &error);

    if (rc < 0) {
        say("%s", error.text);
        return 0;
    }
    while ((rc = region_reader_next(&reader, &row, &error)) != 1) {
        int64_t start_ns;

        if (rc < 0) {
            bad_rows_say(&bad, &error);
            continue;
        }
        start_ns = row.start_ns - recording->start_epoch_ns;
        if (start_ns < 0 || start_ns > into->end_ns)
            continue;
        if (regions_add(&recording->regions, row.name, start_ns,
                        row.duration_ns, true) < 0)
            break;
    }
    region_reader_close(&reader);
    bad_rows_end(&bad, path);
    return rc == 1 ? 0 : -ENOMEM;
}

/* The regions of a folder that began within the run. */
static int
load_folder(struct recording *recording, const char *folder,
            struct error *error)
{
    struct region_context context = {recording, recording_end(recording)};
    int rc = region_folder_each(folder, load_regions, &context);

    if (rc == -ENOMEM)
        return error_set(error, rc, "out of memory");
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be read: %s", folder,
                         error_name(rc));
    return 0;
}

/* ---- summaries ---- */

static int64_t
seconds_of(const struct summary_file *file, const char *group, const char *key)
{
    double value;

    if (!summary_file_number(file, group, key, &value) || value < 0 ||
        value > 9e9)
        return NUM_UNKNOWN;
    return (int64_t)(value * 1e9 + 0.5);
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
        row.elapsed_ns = (int64_t)(elapsed_s * 1e9 + 0.5);
        if (elapsed_s >= 0 && elapsed_s <= most_s)
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
        return 0;
    strbuf_puts(&name, step);
    if (rank != NULL)
        strbuf_printf(&name, ", rank %s", rank);
    return set_name(recording, strbuf_text(&name), error);
}

/* Rows of the log where there is one, else the summary's own curve. */
static int
load_rows(struct recording *recording, const struct summary_file *file,
          struct error *error)
{
    FREE_AUTO char *log = summary_file_path(file, "log");
    int rc = -ENOENT;

    if (log != NULL && access(log, R_OK) == 0)
        rc = load_log(recording, log, error);
    else if (log != NULL)
        say("%s: its log %s is not there, drawn from the summary", file->path,
            log);
    if (rc < 0 && rc != -ENOENT)
        say("%s; drawn from the summary", error->text);
    if (rc == 0 && recording_end(recording) > 0)
        return 0;
    return load_series(recording, file) < 0
               ? error_set(error, -ENOMEM, "out of memory")
               : 0;
}

static int
load_summary(struct recording *recording, const char *path,
             const struct plot_load *load, struct error *error)
{
    FREE_AUTO char *folder = NULL;
    struct summary_file file;
    int rc = summary_file_open(&file, path, error);

    if (rc < 0)
        return rc;
    rc = name_by_summary(recording, &file, error);
    if (rc == 0)
        rc = load_rows(recording, &file, error);
    if (rc == 0) {
        recording->start_epoch_ns = seconds_of(&file, "time", "start_epoch_s");
        recording->limit_bytes = bytes_of(&file, "limit_bytes");
        take_peak(recording, &file);
        folder = summary_file_path(&file, "regions");
    }
    if (rc == 0 && load->regions == NULL && folder != NULL &&
        recording->start_epoch_ns != NUM_UNKNOWN &&
        load_folder(recording, folder, error) < 0)
        say("%s; drawn without regions", error->text);
    summary_file_close(&file);
    return rc;
}

/* ---- mprof ---- */

static int
take_mprof(struct recording *recording, const struct mprof_row *row)
{
    struct recording_row taken = {.cpu_percent = -1,
                                  .vms_bytes = -1,
                                  .pss_bytes = -1,
                                  .read_bytes = -1,
                                  .write_bytes = -1};

    if (recording->start_epoch_ns == NUM_UNKNOWN)
        recording->start_epoch_ns = row->epoch_ns;
    if (row->kind == MPROF_FUNCTION)
        return regions_add(
            &recording->regions, row->name,
            num_max(row->epoch_ns - recording->start_epoch_ns, 0),
            row->duration_ns, true);
    taken.elapsed_ns = num_max(row->epoch_ns - recording->start_epoch_ns, 0);
    taken.rss_bytes = row->rss_bytes;
    return recording_push(recording, &taken);
}

static int
load_mprof(struct recording *recording, const char *path, struct error *error)
{
    struct mprof_reader reader;
    struct mprof_row row;
    struct bad_rows bad = {0};
    int rc = mprof_open(&reader, path, error);

    if (rc < 0)
        return rc;
    while ((rc = mprof_next(&reader, &row, error)) == 0 || rc == -EBADMSG) {
        if (rc == -EBADMSG) {
            bad_rows_say(&bad, error);
        } else if (take_mprof(recording, &row) < 0) {
            rc = error_set(error, -ENOMEM, "out of memory");
            break;
        }
    }
    mprof_close(&reader);
    bad_rows_end(&bad, path);
    return rc < 0 ? rc : 0;
}

/* What else pmon reads, and who reads it; 0 for what plot should read. */
static int
check_kind(const char *path, struct error *error)
{
    enum file_kind kind;
    int rc = file_kind_of(path, &kind, error);

    if (rc < 0)
        return rc;
    switch (kind) {
    case FILE_FOLDER:
        return error_set(error, -EISDIR,
                         "%s: is a folder; name the files in it", path);
    case FILE_REGIONS:
        return error_set(error, -EINVAL,
                         "%s: is no log; if it has regions, --regions FOLDER "
                         "draws them over one",
                         path);
    case FILE_RESOURCES:
    case FILE_PROFILE:
        return error_set(error, -EINVAL,
                         "%s: is no log; pmon report makes a table of it",
                         path);
    case FILE_LOG:
    case FILE_MPROF:
    case FILE_SUMMARY:
    case FILE_UNKNOWN:
    default:
        return 0;
    }
}

int
plot_load(struct recording *recording, const char *path,
          const struct plot_load *load, struct error *error)
{
    int rc;

    recording_init(recording, load->from_ns, load->to_ns);
    recording->start_epoch_ns = load->start_epoch_ns;
    rc = set_name(recording, names_base(path), error);
    if (rc == 0)
        rc = check_kind(path, error);
    if (rc < 0)
        return rc;
    if (summary_file_is_one(path) && !jsonl_log_is_one(path))
        rc = load_summary(recording, path, load, error);
    else if (mprof_is_one(path))
        rc = load_mprof(recording, path, error);
    else
        rc = load_log(recording, path, error);
    if (rc < 0)
        return rc;
    recording_finish(recording);
    if (!recording_has(recording, RECORDING_RSS))
        return error_set(error, -ENODATA, "%s: has no rows%s", path,
                         load->from_ns > 0 || load->to_ns < INT64_MAX
                             ? " between --from and --to"
                             : "");
    if (load->regions == NULL)
        return 0;
    if (recording->start_epoch_ns == NUM_UNKNOWN)
        return error_set(error, -EINVAL,
                         "%s: has no absolute time: --regions needs "
                         "--start EPOCH, in seconds",
                         path);
    return load_folder(recording, load->regions, error);
}
