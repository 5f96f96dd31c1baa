/* SPDX-License-Identifier: MIT */
/*
 * What a region costs: begin and end, off, buffered and written, beside an
 * empty loop, the clock readings and the write that it cannot do without, and
 * what other programs print: each argument is a command whose output lines
 * "NS LABEL" become rows too.  Prints a Markdown table of medians; the rounds
 * of all are interleaved, for the machine's speed drifts.
 */
#include <fcntl.h>
#include <limits.h>
#include <pmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    ROUNDS = 31,
    BATCH = 200, /* regions that fit into a buffer */
    ROWS = 16,
};

#define NAME "ANALYZING_PROTOCOL"

static char dir[PATH_MAX];
static int row_fd;

static double
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Keeps the compiler from taking a loop out. */
static void
barrier(void)
{
    __asm__ volatile("" ::: "memory");
}

static void
empty(void)
{
    barrier();
}

static void
clocks(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_gettime(CLOCK_MONOTONIC, &now);
}

static void
one_write(void)
{
    static const char row[] =
        "\"" NAME "\",\"1796007184668093002\",\"50306869\"\r\n";

    if (write(row_fd, row, sizeof(row) - 1) < 0)
        abort();
}

static void
region(void)
{
    struct pmon_region begun = pmon_region_begin(NAME);

    pmon_region_end(begun);
}

static inline double
time_calls(void (*call)(void), long count)
{
    double start = now_ns();

    for (long i = 0; i < count; i++) {
        call();
        barrier();
    }
    return (now_ns() - start) / (double)count;
}

/* One function for each, so that the call is inlined into its loop. */
static double
time_empty(void)
{
    return time_calls(empty, 1000000);
}

static double
time_clocks(void)
{
    return time_calls(clocks, 20000);
}

static double
time_off(void)
{
    pmon_regions_close();
    return time_calls(region, 1000000);
}

static double
time_buffered(void)
{
    double ns;

    pmon_regions_open(dir, "buffered", PMON_BUFFERED);
    time_calls(region, BATCH);
    pmon_regions_flush();
    ns = time_calls(region, BATCH);
    pmon_regions_close();
    return ns;
}

static double
time_buffered_and_written(void)
{
    double ns;

    pmon_regions_open(dir, "flushed", PMON_BUFFERED);
    ns = time_calls(region, 100000);
    pmon_regions_close();
    return ns;
}

static double
time_written(void)
{
    double ns;

    pmon_regions_open(dir, "written", 0);
    ns = time_calls(region, 5000);
    pmon_regions_close();
    return ns;
}

static double
time_write(void)
{
    return time_calls(one_write, 5000);
}

struct row {
    char label[100];
    const char *budget;
    double (*run)(void);
    double ns[ROUNDS];
    int rounds;
};

static struct row rows[ROWS] = {
    {.label = "empty loop", .run = time_empty},
    {.label = "two clock readings", .run = time_clocks},
    {.label = "region, off", .budget = "1 ns", .run = time_off},
    {.label = "region, buffered", .budget = "100 ns", .run = time_buffered},
    {.label = "region, buffered, its share of the writes included",
     .run = time_buffered_and_written},
    {.label = "write(2) of a row", .run = time_write},
    {.label = "region, written", .budget = "one write", .run = time_written},
};

static struct row *
row_find(const char *label)
{
    for (int i = 0; i < ROWS; i++) {
        if (!rows[i].label[0])
            snprintf(rows[i].label, sizeof(rows[i].label), "%s", label);
        if (strcmp(rows[i].label, label) == 0)
            return &rows[i];
    }
    fprintf(stderr, "regions: too many labels\n");
    exit(1);
}

static void
run_command(const char *command)
{
    FILE *lines = popen(command, "r");
    char line[200];

    while (lines && fgets(line, sizeof(line), lines)) {
        char *label;
        double ns = strtod(line, &label);
        struct row *row;

        if (label == line)
            continue;
        line[strcspn(line, "\n")] = '\0';
        row = row_find(label + strspn(label, " "));
        if (row->rounds < ROUNDS)
            row->ns[row->rounds++] = ns;
    }
    if (!lines || pclose(lines) != 0)
        fprintf(stderr, "regions: %s failed\n", command);
}

static void
empty_files(void)
{
    static const char *const names[] = {"buffered", "flushed", "written",
                                        "row"};
    char path[PATH_MAX + 16];

    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
        if (truncate(path, 0) != 0)
            continue;
    }
}

static void
remove_files(void)
{
    static const char *const names[] = {
        "buffered", "buffered_headers", "flushed", "flushed_headers",
        "written",  "written_headers",  "row",
    };
    char path[PATH_MAX + 32];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
        unlink(path);
    }
    rmdir(dir);
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void
print_table(void)
{
    double clocks_ns = 0;

    printf("| begin and end | median ns | x two clock readings | budget |\n"
           "|---|---:|---:|---|\n");
    for (int i = 0; i < ROWS && rows[i].rounds > 0; i++)
        qsort(rows[i].ns, (size_t)rows[i].rounds, sizeof(double), compare);
    clocks_ns = rows[1].ns[rows[1].rounds / 2];
    for (int i = 0; i < ROWS && rows[i].rounds > 0; i++) {
        double ns = rows[i].ns[rows[i].rounds / 2];

        printf("| %s | %.2f | %.2f | %s |\n", rows[i].label, ns, ns / clocks_ns,
               rows[i].budget ? rows[i].budget : "");
    }
}

int
main(int argc, char **argv)
{
    const char *tmp = getenv("TMPDIR");
    char path[PATH_MAX + 16];

    snprintf(dir, sizeof(dir), "%s/pmon-bench-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        perror(dir);
        return 1;
    }
    snprintf(path, sizeof(path), "%s/row", dir);
    row_fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ROWS && rows[i].run; i++)
            rows[i].ns[rows[i].rounds++] = rows[i].run();
        empty_files();
        for (int i = 1; i < argc && round % 6 == 0; i++)
            run_command(argv[i]);
    }
    remove_files();
    print_table();
    return 0;
}
