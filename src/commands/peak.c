/* SPDX-License-Identifier: MIT */
/* Finds the row with the largest RSS of a log; the last of equal ones. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "commands/commands.h"
#include "commands/forms.h"
#include "commands/standard_input.h"
#include "formats/file_kind.h"
#include "formats/log_reader.h"
#include "formats/psrecord_log.h"

static const struct option_row rows[] = {
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_table table = {
    .usage = "usage: pmon peak LOG...\n\n"
             "Prints the peak of each log of pmon or psrecord, ready to be "
             "appended to a\n"
             "profile: pmon peak memory_log.txt >> profile.csv\n",
    .command = "pmon peak",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
};

/* Does not check a pipe, because the bytes that it read would be lost. */
static int
check_kind(const char *path, struct error *error)
{
    enum file_kind kind;
    int rc = file_kind_of(path, &kind, error);

    if (rc == -ESPIPE || (rc == 0 && (kind == FILE_LOG || kind == FILE_EMPTY)))
        return 0;
    if (rc == 0 && kind == FILE_FOLDER)
        rc = error_unreadable(error, -EISDIR, path);
    return rc < 0 ? rc
                  : error_set(error, -EINVAL,
                              "%s: not a log of pmon or psrecord", path);
}

/*
 * Finds the row with the largest RSS. 0, 1 if the log has no rows, or negative.
 */
static int
find_peak(const char *path, struct psrecord_row *ret_peak, struct error *error)
{
    struct log_reader reader;
    struct psrecord_row row;
    struct bad_rows bad = {.say = message_text};
    bool found = false;
    int64_t run = 1;
    int rc = check_kind(path, error);

    if (rc == 0)
        rc = log_reader_open(&reader, path, &bad, error);
    if (rc < 0)
        return rc;
    while ((rc = log_reader_next(&reader, &row, error)) == 0) {
        if (row.lacks_cpu || row.lacks_vms) {
            rc = error_set(error, -EINVAL,
                           "%s: has no column %s, which a peak block needs",
                           path, row.lacks_cpu ? "cpu" : "mem_virtual");
            break;
        }
        found = found && reader.run == run;
        run = reader.run;
        if (!found || row.rss_mib >= ret_peak->rss_mib)
            *ret_peak = row;
        found = true;
    }
    log_reader_close(&reader);
    bad_rows_end(&bad, path);
    if (rc < 0)
        return rc;
    if (run > 1)
        message_print(
            "%s: has %lld runs, one after the other; the peak is that of the "
            "last",
            path, (long long)run);
    return found ? 0 : 1;
}

static int
print_peak(const char *path)
{
    STRBUF_AUTO block = {0};
    struct error error = {0};
    struct psrecord_row peak;
    int rc = find_peak(path, &peak, &error);

    if (rc != 0) {
        if (rc == 1)
            message_print("%s: has no rows", path);
        else
            message_print("%s", error.text);
        return EXIT_FAILURE;
    }
    psrecord_log_peak(&block, &peak);
    fwrite(strbuf_text(&block), 1, block.size, stdout);
    return EXIT_SUCCESS;
}

int
peak_command(int argc, char **argv, const struct context *context,
             struct error *error)
{
    struct option_line line;
    int status = EXIT_SUCCESS;
    int rc = option_table_parse(&table, NULL, argc, argv, &line, error);

    (void)context;
    if (rc == OPTION_HELP)
        return forms_print_help(&table, error);
    if (rc < 0)
        return rc;
    if (line.count == 0)
        return error_set(error, -EINVAL,
                         "peak: a log is missing: pmon peak LOG...");
    rc = standard_input_prepare(line.operands, error);
    if (rc < 0)
        return rc;
    for (int i = 0; i < line.count; i++)
        if (print_peak(line.operands[i]) != EXIT_SUCCESS)
            status = EXIT_FAILURE;
    return status;
}
