/* SPDX-License-Identifier: MIT */
/* Reads region files and prints a line for each name. */
#include "commands/report.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "commands/say.h"
#include "formats/region_rows.h"
#include "measure/regions.h"
#include "views/human.h"
#include "views/table.h"

static const char usage[] =
    "usage: pmon report FILE...\n\n"
    "Prints for each name of a region file how often it was open and how "
    "long:\n"
    "count, total, mean, shortest, longest, median and 95th percentile.\n";

static void
add_duration(struct table *table, int64_t ns)
{
    STRBUF_AUTO text = {0};

    human_duration(&text, ns);
    table_cell(table, strbuf_text(&text));
}

static void
print_regions(const struct regions *regions)
{
    static const char *const headings[] = {"region", "count", "total", "mean",
                                           "min",    "p50",   "p95",   "max"};
    enum { COLUMNS = sizeof(headings) / sizeof(headings[0]) };
    struct table table;
    STRBUF_AUTO out = {0};

    table_init(&table, COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++)
        table_cell(&table, headings[i]);
    for (size_t i = 0; i < regions->count; i++) {
        const struct region_stats *stats = &regions->stats[i];
        char count[24];

        snprintf(count, sizeof(count), "%lld", (long long)stats->count);
        table_cell(&table, stats->name);
        table_cell(&table, count);
        add_duration(&table, stats->total_ns);
        add_duration(&table, stats->mean_ns);
        add_duration(&table, stats->min_ns);
        add_duration(&table, stats->p50_ns);
        add_duration(&table, stats->p95_ns);
        add_duration(&table, stats->max_ns);
    }
    table_text(&table, &out);
    table_done(&table);
    fwrite(strbuf_text(&out), 1, out.size, stdout);
}

/* Adds all rows of a file; *ret_bad when one was none. */
static int
read_regions(const char *path, struct regions *regions, bool *ret_bad,
             struct error *error)
{
    struct region_reader reader;
    struct region_row row;
    int rc = region_reader_open(&reader, path, error);

    if (rc < 0)
        return rc;
    while ((rc = region_reader_next(&reader, &row, error)) != 1) {
        if (rc < 0) {
            say("%s", error->text);
            *ret_bad = true;
        } else if (regions_add(regions, row.name, row.start_ns, row.duration_ns,
                               true) < 0) {
            rc = error_set(error, -ENOMEM, "out of memory");
            break;
        }
    }
    region_reader_close(&reader);
    return rc == -ENOMEM ? rc : 0;
}

static int
report(char **paths, struct regions *regions, struct error *error)
{
    bool is_bad = false;
    int rc = 0;

    for (; *paths != NULL && rc == 0; paths++)
        rc = read_regions(*paths, regions, &is_bad, error);
    if (rc == 0 && regions_summarize(regions, NULL) < 0)
        rc = error_set(error, -ENOMEM, "out of memory");
    if (rc < 0)
        return rc;
    if (regions->count > 0)
        print_regions(regions);
    return is_bad || regions->count == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
report_command(int argc, char **argv, const struct context *context,
               struct error *error)
{
    struct regions regions;
    int rc;

    (void)context;
    if (argc > 1 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }
    if (argc < 2 || argv[1][0] == '-')
        return error_set(error, -EINVAL,
                         "report: as in pmon report FILE... "
                         "(pmon report --help)");
    regions_init(&regions);
    rc = report(argv + 1, &regions, error);
    regions_done(&regions);
    if (rc >= 0 && fflush(stdout) != 0)
        return error_set(error, -errno, "report: cannot write: %s",
                         error_name(errno));
    return rc;
}
