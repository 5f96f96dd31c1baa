/* SPDX-License-Identifier: MIT */
/*
 * Loads a summary into a recording: the rows of its log if there is one, its
 * peak.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/plot_load.h"
#include "formats/summary.h"

/* Loads the curve of the summary itself. */
static int
load_series(struct recording *recording, const struct run *run)
{
    const struct run_series *series = &run->series;
    int rc = 0;

    for (size_t i = 0; i < series->count && rc == 0; i++) {
        struct recording_row row = {.elapsed_ns = series->elapsed_ns[i],
                                    .cpu_percent = series->cpu_percent[i],
                                    .rss_bytes = series->rss_bytes[i],
                                    .vms_bytes = -1,
                                    .pss_bytes = -1,
                                    .read_bytes = -1,
                                    .write_bytes = -1};

        rc = recording_push(recording, &row);
    }
    return rc;
}

static int
name_by_summary(struct recording *recording, const struct run *run,
                struct error *error)
{
    STRBUF_AUTO name = {0};

    run_title(&name, run);
    return plot_load_name(recording, strbuf_text(&name), error);
}

/*
 * Loads the rows of the log that the summary names. 0; negative if it has none,
 * with error, or is the log of another run.  A device is not a log.
 */
static int
load_named_log(struct recording *recording, const struct run *run,
               const char *log, struct error *error)
{
    struct log_match match;
    struct stat st;
    int rc;

    if (stat(log, &st) < 0 || access(log, R_OK) < 0)
        return error_set(error, -ENOENT, "%s: its log %s does not exist",
                         run->file, log);
    if (!S_ISREG(st.st_mode))
        return error_set(error, -ENOENT, "%s: its log %s is not a regular file",
                         run->file, log);
    log_match_init(&match, run);
    rc = plot_load_log(recording, log, &match, error);
    if (rc < 0 || log_match_is_same(&match))
        return rc;
    return error_set(error, -ESTALE, "%s: its log %s belongs to another run",
                     run->file, log);
}

/* Loads the rows of the log, or else the summary's own curve. */
static int
load_rows(struct recording *recording, const struct run *run,
          const struct plot_load *load, struct error *error)
{
    FREE_AUTO char *log = summary_find_file(run, run->files.log);

    if (log != NULL) {
        int rc = load_named_log(recording, run, log, error);

        if (rc == 0 && recording_end(recording) > 0)
            return 0;
        if (rc == -ENOMEM)
            return rc;
        if (rc < 0)
            message_print("%s, drawn from the summary", error->text);
        recording_done(recording);
        recording_init(recording, load->from_ns, load->to_ns);
    }
    return load_series(recording, run) < 0 ? error_no_memory(error) : 0;
}

/* With --by, the processes of the file that the summary names. */
static int
load_layers(struct recording *recording, const struct run *run,
            const struct plot_load *load, struct error *error)
{
    FREE_AUTO char *path = summary_find_file(run, run->files.processes);

    if (!load->has_by || path == NULL)
        return 0;
    return plot_load_processes(recording, path, load, error);
}

int
plot_load_summary(struct recording *recording, const char *path,
                  const struct plot_load *load, struct error *error)
{
    FREE_AUTO char *folder = NULL;
    struct run run;
    int rc;

    run_init(&run);
    rc = summary_read(&run, path, error);
    if (run.impossible > 0)
        message_print(SUMMARY_IMPOSSIBLE, path, (long long)run.impossible);
    if (rc == 0)
        rc = load_rows(recording, &run, load, error);
    if (rc == 0)
        rc = load_layers(recording, &run, load, error);
    if (rc == 0)
        rc = name_by_summary(recording, &run, error);
    if (rc == 0) {
        recording->start_epoch_ns = run.time.start_epoch_ns;
        recording->limit_bytes = run.memory.limit_bytes;
        if (run.memory.peak_rss_word != WORD_UNKNOWN)
            recording_take_peak(recording, run.memory.peak_rss_bytes,
                                run.memory.peak_rss_upper_bytes,
                                run.memory.peak_rss_elapsed_ns,
                                run.memory.peak_rss_word);
        folder = summary_find_file(&run, run.files.regions);
    }
    if (rc == 0 && load->regions == NULL && folder != NULL &&
        recording->start_epoch_ns != NUM_UNKNOWN &&
        plot_load_regions(recording, folder, error) < 0)
        message_print("%s; drawn without regions", error->text);
    run_done(&run);
    return rc;
}
