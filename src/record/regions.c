/* SPDX-License-Identifier: MIT */
/*
 * --regions: switches libpmon on for the step, follows the open regions of its
 * processes, and collects the rows at the end.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "record/recorder_state.h"
#include "record/region_folder.h"
#include "regions/environment.h"
#include "regions/marks.h"

enum {
    MOST_SLOTS = 32768,
    UNENDED_MOST = 4096,
};

/* Processes that were never sampled may also have ended. */
static const int64_t look_every_ns = 100 * NUM_NS_PER_MS;

/* Expands the name of the folder; the pid is not known yet. */
static int
name_folder(const struct recorder *recorder, char **ret_name,
            struct error *error)
{
    STRBUF_AUTO name = {0};
    int rc = names_expand_early(&recorder->names, recorder->options.regions,
                                "--regions", &name, error);

    if (rc < 0)
        return rc;
    *ret_name = strbuf_steal(&name);
    return *ret_name != NULL ? 0 : error_no_memory(error);
}

int
recorder_regions_prepare(struct recorder *recorder, struct error *error)
{
    STRBUF_AUTO table = {0};
    int64_t width_ns = recorder->options.interval_ns != NUM_UNKNOWN
                           ? recorder->options.interval_ns
                           : 20 * NUM_NS_PER_MS;
    STRBUF_AUTO name = {0};
    int rc;

    if (recorder->options.regions == NULL)
        return 0;
    rc = regions_check_environment(recorder->context, error);
    if (rc < 0)
        return rc;
    rc = name_folder(recorder, &recorder->regions.name, error);
    if (rc < 0)
        return rc;
    rc = folder_make(recorder->regions.name);
    if (rc == 0 && access(recorder->regions.name, W_OK | X_OK) < 0)
        rc = -errno;
    if (rc == 0)
        recorder->regions.folder = realpath(recorder->regions.name, NULL);
    if (recorder->regions.folder == NULL)
        return error_set(
            error, rc < 0 ? rc : -errno, "--regions %s: cannot be created: %s",
            recorder->options.regions, error_name(rc < 0 ? rc : errno));
    region_samples_init(&recorder->regions.samples, MOST_SLOTS, width_ns);
    monitor_init(&recorder->monitor);
    monitor_append(&name, &recorder->monitor);
    rc = open_regions_init(&recorder->regions.open);
    if (rc == 0)
        strbuf_printf(&table, "/proc/%d/fd/%d", (int)getpid(),
                      recorder->regions.open.fd);
    else if (!recorder->options.is_quiet)
        recorder_say(recorder,
                     "--regions: a region will be lost if its process is "
                     "killed inside it: %s%s",
                     error_name(rc),
                     rc == -EFBIG ? "; ulimit -f allows more" : "");
    /* The table of a pmon around this one has that pmon's regions. */
    unsetenv("PMON_REGIONS_OPEN");
    if (setenv("PMON_REGIONS", recorder->regions.folder, 1) < 0 ||
        setenv("PMON_REGIONS_RUN", strbuf_text(&name), 1) < 0 ||
        (rc == 0 && setenv("PMON_REGIONS_OPEN", strbuf_text(&table), 1) < 0))
        return error_no_memory(error);
    return 0;
}

static void
keep_unended(struct recorder *recorder, const char *name, int64_t start_ns,
             int64_t end_ns)
{
    struct recorder_regions *regions = &recorder->regions;
    struct unended_region region = {NULL, start_ns, end_ns};

    if (regions->unended_count == UNENDED_MOST) {
        regions->unended_left++;
        return;
    }
    region.name = strdup(name);
    if (region.name == NULL ||
        array_grow(&regions->unended, regions->unended_count,
                   &regions->unended_allocated, sizeof(region)) < 0)
        free(region.name);
    else
        regions->unended[regions->unended_count++] = region;
}

/* Closes the regions that ended processes (all: any) have left open. */
static void
take_unended(struct recorder *recorder, bool all)
{
    int64_t now_ns = clock_now(recorder->context->clock, CLOCK_REALTIME);
    struct open_region region;
    uint64_t at = 0;

    while (open_regions_take(&recorder->regions.open, &recorder->live.source,
                             all, &at, &region) == 0)
        keep_unended(recorder, region.name, region.start_ns, now_ns);
}

void
recorder_regions_row(struct recorder *recorder, const struct row *row)
{
    int64_t gone = recorder->measure.sampler.tree.ended;

    if (recorder->regions.folder == NULL)
        return;
    region_samples_push(&recorder->regions.samples, row);
    if (gone == recorder->regions.gone &&
        row->elapsed_ns < recorder->regions.look_ns)
        return;
    recorder->regions.gone = gone;
    recorder->regions.look_ns = row->elapsed_ns + look_every_ns;
    take_unended(recorder, false);
}

/*
 * Takes a row that began during the run.  Without memory the region is missing,
 * and the run goes on.
 */
static int
take_row(const struct region_row *row, void *context)
{
    struct recorder *recorder = context;

    if (row->start_ns >= recorder->start_epoch_ns)
        regions_add(&recorder->regions.regions, row->name,
                    row->start_ns - recorder->start_epoch_ns, row->duration_ns,
                    true);
    return 0;
}

/* Adds regions that were never ended, unless a row says that they were. */
static void
add_unended(struct recorder *recorder)
{
    struct recorder_regions *regions = &recorder->regions;

    for (size_t i = 0; i < regions->unended_count; i++) {
        const struct unended_region *one = &regions->unended[i];
        int64_t start_ns = one->start_ns - recorder->start_epoch_ns;

        if (start_ns >= 0 &&
            !regions_has(&regions->regions, one->name, start_ns))
            regions_add(&regions->regions, one->name, start_ns,
                        one->end_ns - one->start_ns, false);
    }
}

static void
take_mark(const char *name, const struct region_mark *mark, void *context)
{
    struct recorder *recorder = context;

    keep_unended(recorder, name, mark->start_ns,
                 clock_now(recorder->context->clock, CLOCK_REALTIME));
}

/* Takes marks of `pmon region --begin` without an end. */
static void
take_marks(struct recorder *recorder)
{
    const struct recorder_regions *regions = &recorder->regions;
    int rc = marks_take_all(regions->folder,
                            marks_run(recorder->context->environment),
                            recorder->start_epoch_ns, take_mark, recorder);

    if (rc < 0 && rc != -ENOENT)
        recorder_say(recorder, "--regions %s: open regions cannot be read: %s",
                     regions->name, error_name(rc));
}

void
recorder_regions_collect(struct recorder *recorder)
{
    struct recorder_regions *regions = &recorder->regions;
    int rc;

    if (regions->folder == NULL)
        return;
    take_unended(recorder, false);
    take_unended(recorder, true);
    take_marks(recorder);
    marks_remove_lost(regions->folder);
    rc = region_folder_read(regions->folder, take_row, recorder);
    if (rc < 0)
        recorder_say(recorder, "--regions %s: cannot be read: %s",
                     regions->name, error_name(rc));
    if (regions->unended_left > 0)
        recorder_say(recorder,
                     "--regions %s: %lld more regions were not ended and are "
                     "not counted",
                     regions->name, (long long)regions->unended_left);
    add_unended(recorder);
    if (rc < 0 && regions->regions.count == 0)
        return; /* regions stay unknown, not empty */
    if (regions_summarize(&regions->regions, &regions->samples) == 0)
        run_take_regions(&recorder->run, &regions->regions);
}

void
recorder_regions_done(struct recorder *recorder)
{
    struct recorder_regions *regions = &recorder->regions;

    for (size_t i = 0; i < regions->unended_count; i++)
        free(regions->unended[i].name);
    free(regions->unended);
    free(regions->folder);
    free(regions->name);
    regions_done(&regions->regions);
    region_samples_done(&regions->samples);
    open_regions_done(&regions->open);
}
