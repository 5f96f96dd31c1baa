/* SPDX-License-Identifier: MIT */
/* Logs and peak block: bytes written, lines read. */
#include <errno.h>

#include <jansson.h>

#include "base/num.h"
#include "formats/jsonl_log.h"
#include "formats/psrecord_log.h"
#include "unit.h"

static const struct row sample = {
    .elapsed_ns = 1026000000,
    .cpu_percent = 2,
    .rss_bytes = 46382284,
    .vms_bytes = 52940504,
    .processes = 3,
    .io.value = {1, 22, 333, 4444},
};

static void
test_write(void **state)
{
    static const struct {
        enum log_format format;
        bool with_io;
        const char *want;
    } cases[] = {
        {LOG_PLAIN, false,
         "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n"
         "       1.026        2.000       44.234       50.488\n"},
        {LOG_PLAIN, true,
         "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)"
         "  Read count  Write count   Read bytes  Write bytes \n"
         "       1.026        2.000       44.234       50.488"
         "            1           22          333         4444\n"},
        {LOG_CSV, false,
         "elapsed_time,nproc,cpu,mem_real,mem_virtual\n"
         "1.026000,3,2.000,44.233593,50.487999\n"},
        {LOG_CSV, true,
         "elapsed_time,nproc,cpu,mem_real,mem_virtual,"
         "read_count,write_count,read_bytes,write_bytes\n"
         "1.026000,3,2.000,44.233593,50.487999,1,22,333,4444\n"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        psrecord_log_header(&out, cases[i].format, cases[i].with_io);
        psrecord_log_row(&out, cases[i].format, cases[i].with_io, &sample);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

/* A row without I/O. */
#define ROW(elapsed, cpu, rss, vms)                               \
    {                                                             \
        .elapsed_s = elapsed, .cpu_percent = cpu, .rss_mib = rss, \
        .vms_mib = vms                                            \
    }

/* The integers of a plain row are those that %12.3f would print. */
static void
test_plain_digits(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 200000; i++) {
        struct row row = {.elapsed_ns = i * 7919 * 1001,
                          .cpu_percent = (double)i / 797,
                          .rss_bytes = i * 4096,
                          .vms_bytes = i * i * 4096 * 3};
        STRBUF_AUTO out = {0};
        char want[80];

        psrecord_log_row(&out, LOG_PLAIN, false, &row);
        snprintf(want, sizeof(want), "%12.3f %12.3f %12.3f %12.3f\n",
                 num_seconds(row.elapsed_ns), row.cpu_percent,
                 num_mib(row.rss_bytes), num_mib(row.vms_bytes));
        if (strcmp(strbuf_text(&out), want) != 0)
            assert_string_equal(strbuf_text(&out), want);
    }
}

static void
test_jsonl(void **state)
{
    struct row row = sample;
    STRBUF_AUTO out = {0};

    (void)state;
    row.rss_unique_bytes = 5;
    row.pss_bytes = NUM_UNKNOWN;
    row.threads = 4;
    row.minor_faults = 7;
    row.major_faults = NUM_UNKNOWN;
    row.cpu_ns = 1500000000;
    jsonl_log_row(&out, true, &row);
    assert_string_equal(
        strbuf_text(&out),
        "{\"elapsed_s\":1.026000,\"cpu_percent\":2.000,\"cpu_s\":1.500000,"
        "\"rss_bytes\":46382284,\"rss_without_copies_bytes\":5,"
        "\"vms_bytes\":52940504,\"pss_bytes\":null,\"processes\":3,"
        "\"threads\":4,\"minor_faults\":7,\"major_faults\":null,\"read_calls\":"
        "1,\"write_calls\":22,"
        "\"read_bytes\":333,\"write_bytes\":4444}\n");
}

static void
test_read(void **state)
{
    static const struct {
        enum log_format format;
        const char *line;
        enum psrecord_line kind;
        struct psrecord_row row;
    } cases[] = {
        {LOG_PLAIN, "       1.026        2.000       44.234       50.488",
         PSRECORD_ROW, ROW(1.026, 2, 44.234, 50.488)},
        {LOG_PLAIN,
         "1 2 3 4 5 6 7 8",
         PSRECORD_ROW,
         {1, 2, 3, 4, true, 7, 8, false, 0, false, false}},
        {LOG_PLAIN, "1\t2\t3\t4\r", PSRECORD_ROW, ROW(1, 2, 3, 4)},
        {LOG_PLAIN, "1 2 3", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "1 2 3 4 5", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "1 2 3 4x", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "1 2 3 nan", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "hello", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "", PSRECORD_EMPTY, ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "# Elapsed time   CPU (%)", PSRECORD_HEADER,
         ROW(0, 0, 0, 0)},
        {LOG_PLAIN, "Process finished (0.36 seconds)", PSRECORD_TALK,
         ROW(0, 0, 0, 0)},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct psrecord_layout layout = {.format = cases[i].format};
        struct psrecord_row row = {0};

        assert_int_equal(psrecord_log_parse(cases[i].line,
                                            strlen(cases[i].line), &layout,
                                            &row),
                         cases[i].kind);
        assert_int_equal(layout.format, cases[i].format);
        assert_double_equal(row.elapsed_s, cases[i].row.elapsed_s);
        assert_double_equal(row.cpu_percent, cases[i].row.cpu_percent);
        assert_double_equal(row.rss_mib, cases[i].row.rss_mib);
        assert_double_equal(row.vms_mib, cases[i].row.vms_mib);
        assert_int_equal(row.has_io, cases[i].row.has_io);
        assert_double_equal(row.read_bytes, cases[i].row.read_bytes);
        assert_double_equal(row.write_bytes, cases[i].row.write_bytes);
    }
}

/* The columns of a csv log are found by their names. */
static void
test_read_csv(void **state)
{
    static const char usual[] = "elapsed_time,nproc,cpu,mem_real,mem_virtual";
    static const char newer[] = "elapsed_time,cpu,mem_real,mem_virtual";
    static const char other[] = "note,mem_real,write_bytes,elapsed_time,"
                                "read_bytes";
    static const struct {
        const char *header;
        const char *line;
        enum psrecord_line kind;
        struct psrecord_row row;
    } cases[] = {
        {usual, "0.5,3,99.5,1.5,2.5", PSRECORD_ROW, ROW(0.5, 99.5, 1.5, 2.5)},
        {usual, "0.5,3,99.5,1.5", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {usual, "0.5,,99.5,1.5,2.5", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {usual, "0.5,3,99.5,1.5,", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {usual, "0.5,3,99.5,1.5,2.5,6", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {usual, "0.5,3,99.5,inf,2.5", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {newer, "0.5,99.5,1.5,2.5\r", PSRECORD_ROW, ROW(0.5, 99.5, 1.5, 2.5)},
        {newer, "0.5,3,99.5,1.5,2.5", PSRECORD_BAD, ROW(0, 0, 0, 0)},
        {other,
         "x,1.5,4,0.5,3",
         PSRECORD_ROW,
         {.elapsed_s = 0.5,
          .rss_mib = 1.5,
          .has_io = true,
          .read_bytes = 3,
          .write_bytes = 4,
          .lacks_cpu = true,
          .lacks_vms = true}},
        {"cpu,mem_real", "1,2", PSRECORD_BAD, ROW(0, 0, 0, 0)},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct psrecord_layout layout = {0};
        struct psrecord_row row = {0};

        psrecord_log_parse(cases[i].header, strlen(cases[i].header), &layout,
                           &row);
        assert_int_equal(psrecord_log_parse(cases[i].line,
                                            strlen(cases[i].line), &layout,
                                            &row),
                         cases[i].kind);
        assert_memory_equal(&row, &cases[i].row, sizeof(row));
    }
}

static void
test_read_jsonl(void **state)
{
    struct row row = sample;
    struct psrecord_row got;
    STRBUF_AUTO out = {0};

    (void)state;
    row.pss_bytes = 3 * NUM_MIB;
    jsonl_log_row(&out, true, &row);
    assert_int_equal(jsonl_log_parse(strbuf_text(&out), out.size - 1, &got), 0);
    assert_double_equal(got.elapsed_s, 1.026);
    assert_double_equal(got.cpu_percent, 2);
    assert_true(got.has_pss);
    assert_double_equal(got.pss_mib, 3);
    assert_true(got.has_io);
    assert_int_equal(got.write_bytes, 4444);
    strbuf_reset(&out);
    row.pss_bytes = NUM_UNKNOWN;
    jsonl_log_row(&out, false, &row);
    assert_int_equal(jsonl_log_parse(strbuf_text(&out), out.size - 1, &got), 0);
    assert_false(got.has_pss);
    assert_false(got.has_io);
    assert_int_equal(jsonl_log_parse(strbuf_text(&out), out.size - 3, &got),
                     -EBADMSG);
    assert_int_equal(jsonl_log_parse("{}", 2, &got), -EBADMSG);
}

static void
test_block(void **state)
{
    struct psrecord_row row = ROW(3.045, 66.5, 166.449, 178.801);
    STRBUF_AUTO out = {0};

    (void)state;
    psrecord_log_peak(&out, &row);
    assert_string_equal(
        strbuf_text(&out),
        "\n# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)\n"
        "3.045,66.500,166.449,178.801\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write),    cmocka_unit_test(test_plain_digits),
        cmocka_unit_test(test_jsonl),    cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_csv), cmocka_unit_test(test_read_jsonl),
        cmocka_unit_test(test_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
