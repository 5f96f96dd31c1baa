/* SPDX-License-Identifier: MIT */
/* Logs: psrecord's plain and csv, and jsonl; and the figures of their rows. */
#include <errno.h>
#include <math.h>

#include "formats/log_figures.h"
#include "formats/log_reader.h"
#include "fuzz/fuzz.h"

static void
check_row(const struct psrecord_row *row)
{
    const double values[] = {row->elapsed_s,  row->rss_mib,     row->vms_mib,
                             row->read_bytes, row->write_bytes, row->pss_mib};

    FUZZ_CHECK(isfinite(row->cpu_percent));
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        FUZZ_CHECK(isfinite(values[i]) && values[i] >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct log_figures figures;
    struct log_reader reader;
    struct psrecord_row row;
    struct bad_rows bad = {.say = fuzz_check_line};
    struct error error = {0};
    struct run run;
    int64_t rows = 0;
    int64_t last_run = 0;
    int rc;

    run_init(&run);
    log_figures_init(&figures);
    FUZZ_CHECK(log_reader_open(&reader, path, &bad, &error) == 0);
    while ((rc = log_reader_next(&reader, &row, &error)) == 0) {
        check_row(&row);
        FUZZ_CHECK(reader.run == last_run || reader.run == last_run + 1);
        last_run = reader.run;
        rows++;
        log_figures_push(&figures, &row);
    }
    FUZZ_CHECK(rc == 1 || rc == -EINVAL);
    FUZZ_CHECK(log_figures_take(&figures, path, &run) == 0);
    FUZZ_CHECK(run.quality.rows == rows);
    FUZZ_CHECK(log_figures_extend(&figures, &run) == 0);
    log_reader_close(&reader);
    log_figures_done(&figures);
    run_done(&run);
    return 0;
}
