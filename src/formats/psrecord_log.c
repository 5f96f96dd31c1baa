/* SPDX-License-Identifier: MIT */
/*
 * Writer and reader of psrecord's plain and csv logs, to the byte, and writer
 * of the peak block.
 */

#include "formats/psrecord_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static const char plain_header[] =
    "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)";
static const char plain_header_io[] =
    "  Read count  Write count   Read bytes  Write bytes ";
static const char csv_header[] = "elapsed_time,nproc,cpu,mem_real,mem_virtual";
static const char csv_header_io[] =
    ",read_count,write_count,read_bytes,write_bytes";

void
psrecord_log_header(struct strbuf *out, enum log_format format, bool with_io)
{
    strbuf_puts(out, format == LOG_PLAIN ? plain_header : csv_header);
    if (with_io)
        strbuf_puts(out, format == LOG_PLAIN ? plain_header_io : csv_header_io);
    strbuf_putc(out, '\n');
}

/*
 * value / unit as %12.3f prints it: rounded to nearest, ties to even.  With
 * integers only, because printing doubles takes half of the time of a row.
 */
static void
append_fixed(struct strbuf *out, int64_t value, int64_t unit)
{
    enum { WIDTH = 12, DIGITS = 24 };
    char text[DIGITS];
    size_t at = sizeof(text);
    int64_t whole = value / unit;
    int64_t rest = value % unit * 1000;
    int64_t parts = rest / unit;

    rest %= unit;
    if (2 * rest > unit || (2 * rest == unit && parts % 2 == 1))
        parts++;
    whole += parts / 1000;
    parts %= 1000;
    for (int i = 0; i < 3; i++, parts /= 10)
        text[--at] = (char)('0' + parts % 10);
    text[--at] = '.';
    do
        text[--at] = (char)('0' + whole % 10);
    while ((whole /= 10) > 0);
    while (at > sizeof(text) - WIDTH)
        text[--at] = ' ';
    strbuf_append(out, text + at, sizeof(text) - at);
}

/*        1.026        2.000       44.234       50.488 */
static void
append_plain(struct strbuf *out, bool with_io, const struct row *row)
{
    append_fixed(out, num_max(row->elapsed_ns, 0), NUM_NS_PER_S);
    strbuf_putc(out, ' ');
    if (row->cpu_percent < 1e6 && row->cpu_percent >= 0)
        append_fixed(out, num_from_double(row->cpu_percent * 1e6), 1000000);
    else
        strbuf_printf(out, "%12.3f", row->cpu_percent);
    strbuf_putc(out, ' ');
    append_fixed(out, num_max(row->rss_bytes, 0), NUM_MIB);
    strbuf_putc(out, ' ');
    append_fixed(out, num_max(row->vms_bytes, 0), NUM_MIB);
    for (int i = 0; with_io && i < PROC_IO_FIELDS; i++)
        strbuf_printf(out, " %12lld", (long long)row->io.value[i]);
}

static void
append_csv(struct strbuf *out, bool with_io, const struct row *row)
{
    strbuf_printf(out, "%.6f,%lld,%.3f,%.6f,%.6f", num_seconds(row->elapsed_ns),
                  (long long)row->processes, row->cpu_percent,
                  num_mib(row->rss_bytes), num_mib(row->vms_bytes));
    for (int i = 0; with_io && i < PROC_IO_FIELDS; i++)
        strbuf_printf(out, ",%lld", (long long)row->io.value[i]);
}

void
psrecord_log_row(struct strbuf *out, enum log_format format, bool with_io,
                 const struct row *row)
{
    if (format == LOG_PLAIN)
        append_plain(out, with_io, row);
    else
        append_csv(out, with_io, row);
    strbuf_putc(out, '\n');
}

/* A finite number without blanks around it. */
static bool
parse_number(const char *text, double *ret_value)
{
    char *end;

    if (*text == '\0' || *text == ' ' || *text == '\t')
        return false;
    *ret_value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*ret_value);
}

/*
 * Reads numbers separated by blanks.  Returns how many; -1 for a bad one, or if
 * there are more than room.
 */
static int
parse_numbers(char *text, double *values, int room)
{
    char *state = NULL;
    int count = 0;

    for (char *word = strtok_r(text, " \t", &state); word != NULL;
         word = strtok_r(NULL, " \t", &state))
        if (count == room || !parse_number(word, &values[count++]))
            return -1;
    return count;
}

static bool
begins_with(const char *line, size_t size, const char *text)
{
    size_t length = strlen(text);

    return size >= length && memcmp(line, text, length) == 0;
}

static bool
is_blank_line(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (line[i] != ' ' && line[i] != '\t')
            return false;
    return true;
}

static enum psrecord_line
parse_plain(char *text, struct psrecord_row *row)
{
    enum { FEW = 4, MOST = 8 };
    double values[MOST];
    int count = parse_numbers(text, values, MOST);

    if (count != FEW && count != MOST)
        return PSRECORD_BAD;
    row->elapsed_s = values[0];
    row->cpu_percent = values[1];
    row->rss_mib = values[2];
    row->vms_mib = values[3];
    if (count == MOST) {
        row->has_io = true;
        row->read_bytes = values[6];
        row->write_bytes = values[7];
    }
    return PSRECORD_ROW;
}

/* Ends text at its first comma; returns the next field, or NULL. */
static char *
cut_field(char *text)
{
    char *comma = strchr(text, ',');

    if (comma == NULL)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

static enum psrecord_line
parse_csv(char *text, const struct psrecord_layout *layout,
          struct psrecord_row *row)
{
    double *const values[PSRECORD_COLUMNS] = {
        [PSRECORD_ELAPSED] = &row->elapsed_s,
        [PSRECORD_CPU] = &row->cpu_percent,
        [PSRECORD_RSS] = &row->rss_mib,
        [PSRECORD_VMS] = &row->vms_mib,
        [PSRECORD_READ_BYTES] = &row->read_bytes,
        [PSRECORD_WRITE_BYTES] = &row->write_bytes,
    };
    int count = 0;

    for (char *next; text != NULL; text = next) {
        next = cut_field(text);
        count++;
        for (int i = 0; i < PSRECORD_COLUMNS; i++)
            if (layout->place[i] == count && !parse_number(text, values[i]))
                return PSRECORD_BAD;
        if (*text == '\0')
            return PSRECORD_BAD;
    }
    if (count != layout->columns)
        return PSRECORD_BAD;
    row->lacks_cpu = layout->place[PSRECORD_CPU] == 0;
    row->lacks_vms = layout->place[PSRECORD_VMS] == 0;
    row->has_io = layout->place[PSRECORD_READ_BYTES] > 0 &&
                  layout->place[PSRECORD_WRITE_BYTES] > 0;
    return PSRECORD_ROW;
}

/* elapsed_time,nproc,cpu,mem_real,mem_virtual */
static bool
parse_csv_header(char *text, struct psrecord_layout *ret_layout)
{
    static const char *const names[PSRECORD_COLUMNS] = {
        [PSRECORD_ELAPSED] = "elapsed_time",
        [PSRECORD_CPU] = "cpu",
        [PSRECORD_RSS] = "mem_real",
        [PSRECORD_VMS] = "mem_virtual",
        [PSRECORD_READ_BYTES] = "read_bytes",
        [PSRECORD_WRITE_BYTES] = "write_bytes",
    };
    struct psrecord_layout layout = {.format = LOG_CSV};

    for (char *next; text != NULL; text = next) {
        next = cut_field(text);
        layout.columns++;
        /* Rows of single processes, in a file of --processes. */
        if (strcmp(text, "pid") == 0)
            return false;
        for (int i = 0; i < PSRECORD_COLUMNS; i++)
            if (layout.place[i] == 0 && strcmp(text, names[i]) == 0)
                layout.place[i] = layout.columns;
    }
    if (layout.place[PSRECORD_ELAPSED] == 0 || layout.place[PSRECORD_RSS] == 0)
        return false;
    *ret_layout = layout;
    return true;
}

/* Starting up command 'sleep 0.3' and attaching to process */
static bool
is_talk(const char *line, size_t size)
{
    return begins_with(line, size, "Starting up command '") ||
           begins_with(line, size, "Attaching to process ") ||
           begins_with(line, size, "Process finished (");
}

enum psrecord_line
psrecord_log_parse(const char *line, size_t size,
                   struct psrecord_layout *layout, struct psrecord_row *ret_row)
{
    enum psrecord_line kind;
    struct psrecord_row row = {0};
    char text[512];

    if (size > 0 && line[size - 1] == '\r')
        size--;
    if (begins_with(line, size, "# Elapsed time ")) {
        *layout = (struct psrecord_layout){.format = LOG_PLAIN};
        return PSRECORD_HEADER;
    }
    if (is_blank_line(line, size))
        return PSRECORD_EMPTY;
    if (is_talk(line, size))
        return PSRECORD_TALK;
    if (size >= sizeof(text) || memchr(line, '\0', size) != NULL)
        return PSRECORD_BAD;
    memcpy(text, line, size);
    text[size] = '\0';
    if (parse_csv_header(text, layout))
        return PSRECORD_HEADER;
    memcpy(text, line, size);
    kind = layout->format == LOG_CSV ? parse_csv(text, layout, &row)
                                     : parse_plain(text, &row);
    if (kind == PSRECORD_ROW)
        *ret_row = row;
    return kind;
}

void
psrecord_log_peak(struct strbuf *out, const struct psrecord_row *row)
{
    strbuf_puts(out, "\n# Elapsed time,CPU (%),Peak Real (MB),"
                     "Peak Virtual (MB)\n");
    strbuf_printf(out, "%.3f,%.3f,%.3f,%.3f\n", row->elapsed_s,
                  row->cpu_percent, row->rss_mib, row->vms_mib);
}
