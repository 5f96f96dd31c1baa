/* SPDX-License-Identifier: MIT */
/* Loads each kind of file into a struct recording. */
#include "commands/plot_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/message.h"
#include "base/num.h"
#include "formats/file_kind.h"
#include "formats/log_figures.h"
#include "formats/log_reader.h"
#include "formats/mprof.h"
#include "record/process_file.h"
#include "record/region_folder.h"

int
plot_load_name(struct recording *recording, const char *name,
               struct error *error)
{
    free(recording->name);
    recording->name = strdup(name);
    return recording->name != NULL ? 0 : error_no_memory(error);
}

/* ---- logs ---- */

static int
take_row(struct recording *recording, const struct psrecord_row *row)
{
    struct recording_row taken = {
        .elapsed_ns = num_from_double(row->elapsed_s * (double)NUM_NS_PER_S),
        .cpu_percent = row->lacks_cpu ? -1 : row->cpu_percent,
        .rss_bytes = row->rss_mib * (double)NUM_MIB,
        .vms_bytes = row->lacks_vms ? -1 : row->vms_mib * (double)NUM_MIB,
        .pss_bytes = row->has_pss ? row->pss_mib * (double)NUM_MIB : -1,
        .read_bytes = row->has_io ? row->read_bytes : -1,
        .write_bytes = row->has_io ? row->write_bytes : -1};

    return recording_push(recording, &taken);
}

/* Drops the previous run of a file with several runs. */
static void
begin_again(struct recording *recording, struct log_match *match)
{
    struct recording before = *recording;

    recording_init(recording, before.from_ns, before.to_ns);
    recording->start_epoch_ns = before.start_epoch_ns;
    recording->name = before.name;
    before.name = NULL;
    recording_done(&before);
    if (match != NULL)
        log_match_init(match, match->run);
}

static void
say_runs(const char *path, int64_t runs)
{
    if (runs > 1)
        message_print(
            "%s: has %lld runs, one after the other; the last is drawn", path,
            (long long)runs);
}

int
plot_load_log(struct recording *recording, const char *path,
              struct log_match *match, struct error *error)
{
    struct log_reader reader;
    struct psrecord_row row;
    struct bad_rows bad = {.say = message_text};
    int64_t run = 1;
    int rc = log_reader_open(&reader, path, &bad, error);

    if (rc < 0)
        return rc;
    while ((rc = log_reader_next(&reader, &row, error)) == 0) {
        if (reader.run != run)
            begin_again(recording, match);
        run = reader.run;
        if (match != NULL)
            log_match_row(match, row.elapsed_s, row.rss_mib * (double)NUM_MIB);
        if (take_row(recording, &row) < 0) {
            rc = error_no_memory(error);
            break;
        }
    }
    log_reader_close(&reader);
    bad_rows_end(&bad, path);
    say_runs(path, run);
    return rc < 0 ? rc : 0;
}

/* ---- regions ---- */

struct region_context {
    struct recording *recording;
    int64_t end_ns; /* of the run */
};

/* Takes a row that began during the run. */
static int
take_region(const struct region_row *row, void *context)
{
    const struct region_context *into = context;
    struct recording *recording = into->recording;
    int64_t start_ns = row->start_ns - recording->start_epoch_ns;

    if (start_ns < 0 || start_ns > into->end_ns)
        return 0;
    return regions_add(&recording->regions, row->name, start_ns,
                       row->duration_ns, true);
}

int
plot_load_regions(struct recording *recording, const char *folder,
                  struct error *error)
{
    struct region_context context = {recording, recording_end(recording)};
    int rc = region_folder_read(folder, take_region, &context);

    if (rc == -ENOMEM)
        return error_no_memory(error);
    if (rc < 0)
        return error_unreadable(error, rc, folder);
    return 0;
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
    struct bad_rows bad = {.say = message_text};
    int64_t run = 1;
    int rc = mprof_open(&reader, path, &bad, error);

    if (rc < 0)
        return rc;
    if (reader.children == MPROF_CHILDREN_UNCLEAR)
        message_print(MPROF_UNCLEAR, path);
    while ((rc = mprof_next(&reader, &row, error)) == 0) {
        if (row.run != run) {
            begin_again(recording, NULL);
            recording->start_epoch_ns = NUM_UNKNOWN;
        }
        run = row.run;
        if (take_mprof(recording, &row) < 0) {
            rc = error_no_memory(error);
            break;
        }
    }
    mprof_close(&reader);
    bad_rows_end(&bad, path);
    say_runs(path, run);
    return rc < 0 ? rc : 0;
}

/* ---- processes ---- */

int
plot_load_processes(struct recording *recording, const char *path,
                    const struct plot_load *load, struct error *error)
{
    struct layers *layers = &recording->layers;
    int rc;

    layers_init(layers, load->keys, load->from_ns, load->to_ns);
    rc = process_file_count(layers, path, error);
    recording->seen_ns = num_max(recording->seen_ns, layers->tick_ns);
    return rc;
}

int
plot_load_layers(struct recording *runs, size_t count, struct layer_keys *keys,
                 struct error *error)
{
    int rc = layer_keys_choose(keys) < 0 ? error_no_memory(error) : 0;

    for (size_t i = 0; i < count && rc == 0; i++) {
        bool has_curves = recording_has(&runs[i], RECORDING_RSS);

        if (!recording_is_layered(&runs[i]))
            continue;
        rc = process_file_fill(&runs[i].layers, has_curves ? NULL : &runs[i],
                               error);
        recording_finish(&runs[i]);
    }
    return rc;
}

/* Whether the file had what was asked for. */
static int
check_rows(const struct recording *recording, const char *path,
           const struct plot_load *load, struct error *error)
{
    if (load->has_by && !recording_is_layered(recording))
        return error_set(error, -ENODATA,
                         "%s: has no rows of processes; record them with pmon "
                         "--processes FILE",
                         path);
    if (recording_has(recording, RECORDING_RSS) || recording->layers.ticks > 0)
        return 0;
    return error_set(error, -ENODATA, "%s: has no rows%s", path,
                     load->from_ns > 0 || load->to_ns < INT64_MAX
                         ? " between --from and --to"
                         : "");
}

/*
 * Finds the kind of a file.  The error for a file that plot does not read names
 * the command that does.
 */
static int
find_kind(const char *path, enum file_kind *ret_kind, struct error *error)
{
    int rc = file_kind_of(path, ret_kind, error);

    if (rc < 0)
        return rc;
    switch (*ret_kind) {
    case FILE_REGIONS:
        return error_set(error, -EINVAL,
                         "%s: not a log; to draw the regions of a folder over "
                         "a log, use --regions FOLDER",
                         path);
    case FILE_RESOURCES:
    case FILE_PROFILE:
        return error_set(error, -EINVAL,
                         "%s: not a log; pmon report prints a table of it",
                         path);
    case FILE_FOLDER: /* its files are loaded one by one */
    case FILE_UNKNOWN:
        return error_set(error, -EINVAL, "%s: not a log, summary or mprof file",
                         path);
    case FILE_LOG:
    case FILE_EMPTY:
    case FILE_MPROF:
    case FILE_PROCESSES:
    case FILE_SUMMARY:
    default:
        return 0;
    }
}

int
plot_load(struct recording *recording, const char *path,
          const struct plot_load *load, struct error *error)
{
    enum file_kind kind = FILE_UNKNOWN;
    int rc;

    recording_init(recording, load->from_ns, load->to_ns);
    recording->start_epoch_ns = load->start_epoch_ns;
    rc = plot_load_name(recording, path_base(path), error);
    if (rc == 0)
        rc = find_kind(path, &kind, error);
    if (rc < 0)
        return rc;
    if (kind == FILE_SUMMARY)
        rc = plot_load_summary(recording, path, load, error);
    else if (kind == FILE_MPROF)
        rc = load_mprof(recording, path, error);
    else if (kind == FILE_PROCESSES)
        rc = plot_load_processes(recording, path, load, error);
    else
        rc = plot_load_log(recording, path, NULL, error);
    if (rc < 0)
        return rc;
    recording_finish(recording);
    rc = check_rows(recording, path, load, error);
    if (rc < 0 || load->regions == NULL)
        return rc;
    if (recording->start_epoch_ns == NUM_UNKNOWN)
        return error_set(error, -EINVAL,
                         "%s: has no absolute time: --regions needs "
                         "--start EPOCH, in seconds",
                         path);
    return plot_load_regions(recording, load->regions, error);
}
