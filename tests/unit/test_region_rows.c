/* SPDX-License-Identifier: MIT */
/* CSV records, headers and rows of regions. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/num.h"
#include "formats/csv_text.h"
#include "formats/region_rows.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)

/* Text with NUL bytes in it. */
#define TEXT(literal) literal, sizeof(literal) - 1

/* ---- CSV ---- */

/* All records as `line:field|field;`, a bad one as `line:!;`. */
static void
render(struct strbuf *out, const char *text, size_t size)
{
    struct csv_text csv;
    int rc;

    csv_text_init(&csv, text, size);
    while ((rc = csv_text_next(&csv)) != 1) {
        strbuf_printf(out, "%lld:%s", (long long)csv.line, rc < 0 ? "!" : "");
        for (size_t i = 0; i < csv.count; i++)
            strbuf_printf(out, "%s%s", i > 0 ? "|" : "",
                          csv_text_field(&csv, i));
        strbuf_putc(out, ';');
        assert_null(csv_text_field(&csv, csv.count));
        if (rc != 0)
            assert_int_equal(rc, -EBADMSG);
    }
    assert_int_equal(csv_text_next(&csv), 1);
    csv_text_done(&csv);
}

static void
test_csv_records(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        const char *want;
    } cases[] = {
        {TEXT(""), ""},
        {TEXT("a,b,c\n"), "1:a|b|c;"},
        {TEXT("a,b,c\r\nd\r\n"), "1:a|b|c;2:d;"},
        {TEXT("\"a\",\"1\",\"2\"\r\n"), "1:a|1|2;"},
        {TEXT("\"a\",1,\"2\"\n"), "1:a|1|2;"},
        {TEXT("\"a,b\",1\n"), "1:a,b|1;"},
        {TEXT("\"say \"\"x\"\"\",1\n"), "1:say \"x\"|1;"},
        {TEXT("\"\"\"\",\"\"\n"), "1:\"|;"},
        {TEXT("a\"b,1\n"), "1:a\"b|1;"},
        {TEXT(",,\n"), "1:||;"},
        {TEXT("\n\na\n"), "1:;2:;3:a;"},
        /* a line end in a field counts as a line */
        {TEXT("\"a\nb\",1\nc,2\n"), "1:a\nb|1;3:c|2;"},
        {TEXT("\"a\r\nb\",1\r\nc,2\r\n"), "1:a\r\nb|1;3:c|2;"},
        /* torn at the end of the file: no line end */
        {TEXT("a,1\nb,2"), "1:a|1;2:!;"},
        {TEXT("a,1\n\"b\",\"2\""), "1:a|1;2:!;"},
        {TEXT("a,1\n\"b\",\"2"), "1:a|1;2:!;"},
        {TEXT("a,1\n\"b"), "1:a|1;2:!;"},
        {TEXT("a,1\nb,2\r"), "1:a|1;2:!;"},
        /* torn, and the next process has ended the line */
        {TEXT("\"A\",\"12\r\n\"B\",\"1\"\r\n"), "1:!;2:B|1;"},
        {TEXT("\"A\r\n\"B\",\"1\"\r\n"), "1:!;2:B|1;"},
        {TEXT("\"\r\n\"B\",\"1\"\r\n"), "1:!;2:B|1;"},
        {TEXT("\"A\",\"12\r\n\"\",\"1\"\r\n"), "1:!;2:|1;"},
        {TEXT("\"A\",\"12\r\n\"B\",\"1"), "1:!;2:!;"},
        /* torn, and the next row follows at once: both are lost */
        {TEXT("\"A\",\"12\"B\",\"1\"\n\"C\",\"3\"\n"), "1:!;2:C|3;"},
        /* malformed: the line after it is read again */
        {TEXT("\"a\"b,1\nc,2\n"), "1:!;2:c|2;"},
        {TEXT("a\rb,1\nc,2\n"), "1:!;2:c|2;"},
        {TEXT("\"a,1\nb,2\nc,3\n"), "1:!;2:b|2;3:c|3;"},
        {TEXT("\"a\nb\",1\n\"c\"x\nd,2\n"), "1:a\nb|1;3:!;4:d|2;"},
        /* the most fields allowed, and one more */
        {TEXT("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n"),
         "1:1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16;"},
        {TEXT("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\na\n"), "1:!;2:a;"},
        /* blocks of zeros, as a crash of the machine leaves them */
        {TEXT("\0\0\"A\",\"1\"\n\"B\",\"2\"\n"), "1:!;2:B|2;"},
        {TEXT("\"A\0b\",\"1\"\n\"B\",\"2\"\n"), "1:!;2:B|2;"},
        {TEXT("\"A\",\"1\0002\"\n\"B\",\"2\"\n"), "1:!;2:B|2;"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO got = {0};

        render(&got, cases[i].text, cases[i].size);
        assert_string_equal(strbuf_text(&got), cases[i].want);
    }
}

static void
test_csv_quoting(void **state)
{
    static const struct {
        const char *name;
        const char *quoted;
    } cases[] = {
        {"", "\"\""},
        {"a b", "\"a b\""},
        {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"\"", "\"\"\"\""},
        {"a\nb", "\"a\nb\""},
        {"a\r\nb", "\"a\r\nb\""},
        {"\xFF\x1B[2J", "\"\xFF\x1B[2J\""},
        {"'; rm", "\"'; rm\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO text = {0};
        struct csv_text csv;

        csv_text_quote(&text, cases[i].name);
        assert_string_equal(strbuf_text(&text), cases[i].quoted);

        /* it is read back as it was */
        strbuf_puts(&text, ",1\r\n");
        csv_text_init(&csv, strbuf_text(&text), text.size);
        assert_int_equal(csv_text_next(&csv), 0);
        assert_int_equal(csv.count, 2);
        assert_string_equal(csv_text_field(&csv, 0), cases[i].name);
        csv_text_done(&csv);
    }
}

/* ---- region files ---- */

static void
test_headers(void **state)
{
    static const struct {
        const char *text;
        bool want;
    } cases[] = {
        {"state,func_start,duration", true},
        {"state_name,function_start_time,duration", true},
        {"state_id,function_start_time,duration", true},
        {"state,func_start,duration\n", true},
        {"state,func_start,duration\r\n", true},
        {"", false},
        {"\n", false},
        {"state,func_start,duration,more", false},
        {"state,func_start,duratio", false},
        {"State,func_start,duration", false},
        {"state_id,func_start,duration", false},
        {"\"state\",\"func_start\",\"duration\"", false},
        {"state,func_start,duration\nmore\n", false},
        {"query_time,command,running_since,user_cpu_time,system_cpu_time,"
         "memory_percent",
         false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_int_equal(
            region_rows_is_header(cases[i].text, strlen(cases[i].text)),
            cases[i].want);
}

/* A file with a name of its own; the folder is the caller's. */
struct rows_file {
    char path[128];
    struct region_reader reader;
    struct bad_rows bad;
};

static char said[200]; /* of the last bad row */

static void
say(const char *line)
{
    snprintf(said, sizeof(said), "%s", line);
}

static int
make_file(void **state)
{
    struct rows_file *file = test_calloc(1, sizeof(*file));
    const char *folder = getenv("TMPDIR");
    int fd;

    file->bad.say = say;
    snprintf(file->path, sizeof(file->path), "%.100s/regions.XXXXXX",
             folder != NULL ? folder : "/tmp");
    fd = mkstemp(file->path);
    *state = file;
    if (fd < 0)
        return -1;
    close(fd);
    return 0;
}

static int
remove_file(void **state)
{
    struct rows_file *file = *state;

    region_reader_close(&file->reader);
    unlink(file->path);
    test_free(file);
    return 0;
}

static void
fill(const struct rows_file *file, const char *text)
{
    FILE *stream = fopen(file->path, "w");

    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
    assert_int_equal(fclose(stream), 0);
}

static void
test_rows(void **state)
{
    struct rows_file *file = *state;
    struct error error = {0};
    struct region_row row;
    char want[200];

    fill(file, "\"ANALYZING\",\"1796007184668093002\",\"50306869\"\r\n"
               "CALIBRATING,1718739269730290312,14028043893\r\n"
               "\"a\r\nb\",\"0\",\"0\"\n"
               "no row\n"
               "\"\",\"9223372036854775807\",\"9223372036854775807\"\r\n"
               "torn,1,2");
    assert_int_equal(
        region_reader_open(&file->reader, file->path, &file->bad, &error), 0);
    assert_int_equal(region_reader_next(&file->reader, &row, &error), 0);
    assert_string_equal(row.name, "ANALYZING");
    assert_int_equal(row.start_ns, 1796007184668093002);
    assert_int_equal(row.duration_ns, 50306869);
    assert_int_equal(region_reader_next(&file->reader, &row, &error), 0);
    assert_string_equal(row.name, "CALIBRATING");
    assert_int_equal(row.start_ns, 1718739269730290312);
    assert_int_equal(row.duration_ns, 14028043893);
    assert_int_equal(region_reader_next(&file->reader, &row, &error), 0);
    assert_string_equal(row.name, "a\r\nb");
    assert_int_equal(row.start_ns, 0);

    /* the line counts those within names */
    assert_int_equal(region_reader_next(&file->reader, &row, &error), 0);
    snprintf(want, sizeof(want), "%s:5: not a region row, skipped", file->path);
    assert_string_equal(said, want);
    assert_string_equal(row.name, "");
    assert_int_equal(row.duration_ns, INT64_MAX);
    assert_int_equal(region_reader_next(&file->reader, &row, &error), 1);
    snprintf(want, sizeof(want), "%s:7: not a region row, skipped", file->path);
    assert_string_equal(said, want);
    assert_int_equal(file->bad.count, 2);
}

static void
test_bad_rows(void **state)
{
    static const char *const bad[] = {
        "a\n",
        "a,1\n",
        "a,1,2,3\n",
        "a,,2\n",
        "a,1,\n",
        "a,-1,2\n",
        "a,1,-2\n",
        "a,+1,2\n",
        "a, 1,2\n",
        "a,1,2 \n",
        "a,1.5,2\n",
        "a,1e9,2\n",
        "a,0x1,2\n",
        "a,9223372036854775808,2\n",
        "a,1,9223372036854775808\n",
        "a,99999999999999999999999,2\n",
        "state,func_start,duration\n",
        "\n",
    };
    struct rows_file *file = *state;
    struct error error = {0};
    struct region_row row;

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        char text[128];

        snprintf(text, sizeof(text), "%sgood,1,2\n", bad[i]);
        fill(file, text);
        assert_int_equal(
            region_reader_open(&file->reader, file->path, &file->bad, &error),
            0);
        assert_int_equal(region_reader_next(&file->reader, &row, &error), 0);
        assert_string_equal(row.name, "good");
        assert_int_equal(file->bad.count, i + 1);
        assert_int_equal(region_reader_next(&file->reader, &row, &error), 1);
        region_reader_close(&file->reader);
    }
    unlink(file->path);
    assert_int_equal(
        region_reader_open(&file->reader, file->path, &file->bad, &error),
        -ENOENT);
    assert_non_null(strstr(error.text, file->path));
}

#define FILE_TEST(test) \
    cmocka_unit_test_setup_teardown(test, make_file, remove_file)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_records), cmocka_unit_test(test_csv_quoting),
        cmocka_unit_test(test_headers),     FILE_TEST(test_rows),
        FILE_TEST(test_bad_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
