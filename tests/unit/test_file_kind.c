/* SPDX-License-Identifier: MIT */
/* The detector of file kinds: by text, and with the files around a file. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/file_kind.h"
#include "formats/resource_rows.h"
#include "unit.h"

static const char *const kinds[] = {
    [FILE_UNKNOWN] = "unknown",     [FILE_EMPTY] = "empty",
    [FILE_SUMMARY] = "summary",     [FILE_LOG] = "log",
    [FILE_PROFILE] = "profile",     [FILE_REGIONS] = "regions",
    [FILE_RESOURCES] = "resources", [FILE_MPROF] = "mprof",
    [FILE_FOLDER] = "folder"};

#define SUMMARY "{\"schema\":1,\"pmon\":\"0.1.0\","
#define JSONL "{\"elapsed_s\":0.0,\"cpu_percent\":0.0,\"rss_bytes\":4096}\n"
#define BLOCK "# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)\n"
#define HEAD "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n"
#define REGION "\"A\",\"1718739269730290312\",\"2\"\r\n"
#define NUMBERS "  0.000  0.000  13.801  19.465\n"

static void
test_text(void **state)
{
    static const struct {
        const char *text;
        enum file_kind want;
    } cases[] = {
        {"", FILE_EMPTY},
        {"\n \r\n\t", FILE_EMPTY},
        {"hello\n", FILE_UNKNOWN},
        {"a,b\n", FILE_UNKNOWN},

        {SUMMARY, FILE_SUMMARY},
        {" \n{ \"schema\" : 2 ,\n\"pmon\" : null}", FILE_SUMMARY},
        {"{\"schema\": 1}", FILE_UNKNOWN},
        {"{\"pmon\":\"0.1.0\",\"schema\":1}", FILE_UNKNOWN},
        {"{\"schema\":\"1\",\"pmon\":1}", FILE_UNKNOWN},
        {"[" SUMMARY, FILE_UNKNOWN},
        {"{", FILE_UNKNOWN},

        {JSONL, FILE_LOG},
        {"{\"rss_bytes\":1,\"elapsed_s\":0}\n", FILE_LOG},
        {"{\"elapsed_s\":0.0,\"rss_bytes\":null}\n", FILE_UNKNOWN},
        {"{\"elapsed_s\":0.0,\"rss_by", FILE_UNKNOWN},
        {HEAD, FILE_LOG},
        {"\n\n" HEAD, FILE_LOG},
        {NUMBERS, FILE_LOG},
        {"elapsed_time,nproc,cpu,mem_real,mem_virtual\n", FILE_LOG},
        {"elapsed_time,cpu,mem_real,mem_virtual\n", FILE_LOG},
        {"Starting up command 'true' and attaching to process\n", FILE_LOG},
        {"Attaching to process 12\n", FILE_LOG},
        {"1 2 3\n", FILE_UNKNOWN},

        {"CMDLINE python3 a.py\nMEM 1.0 1718739269.73\n", FILE_MPROF},
        {"MEM 1.0 1718739269.73\n", FILE_MPROF},

        {"\n" BLOCK "1,2,3,4\n", FILE_PROFILE},
        {"  9 function calls in 4.6 seconds\n", FILE_PROFILE},
        {"ncalls,tottime,percall,cumtime,percall,name\n", FILE_PROFILE},
        {"{built-in method\nncalls,tottime,percall\n", FILE_PROFILE},

        {REGION, FILE_REGIONS},
        {"A,1718739269730290312,2\n", FILE_REGIONS},
        {"A,1,2\n", FILE_UNKNOWN},
        {"name,count,total\nA,1,2\n", FILE_UNKNOWN},

        {"1718739269730290312,c,2,3,4,5\n", FILE_RESOURCES},
        {"1718739269730290312,c,2,3,4,5,1,2,3,,6,7,8\n", FILE_RESOURCES},
        {"1,c,2,3,4,5\n", FILE_UNKNOWN},
        {"a,b,c,d,e,f\n", FILE_UNKNOWN},

        /* Names from outside, and output of a profiled program. */
        {"Starting up command '3 function calls' and\n", FILE_LOG},
        {"\"3 function calls\",1718739269730290312,2\n", FILE_REGIONS},
        {"\"ncalls,tottime,\n\",1718739269730290312,2\n", FILE_REGIONS},
        {"1718739269730290312,\"3 function calls\",2,3,4,5\n", FILE_RESOURCES},
        {"CMDLINE 3 function calls\n", FILE_MPROF},
        {NUMBERS "  9 function calls in 4.6 seconds\n", FILE_PROFILE},
        {"\"A\n", FILE_UNKNOWN},
        {"\xff\xfe\x01", FILE_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        enum file_kind kind = file_kind_of_text(cases[i].text);

        if (kind != cases[i].want)
            fail_msg("%s: %s, not %s", cases[i].text, kinds[kind],
                     kinds[cases[i].want]);
    }
}

/* A folder in which each case has its file f, and perhaps f_headers. */
struct place {
    char folder[64];
    char file[128];
    char headers[160];
};

static int
set_up(void **state)
{
    struct place *place = calloc(1, sizeof(*place));
    const char *tmp = getenv("TMPDIR");

    if (place == NULL)
        return -1;
    *state = place;
    snprintf(place->folder, sizeof(place->folder), "%.40s/pmon-unit-XXXXXX",
             tmp != NULL ? tmp : "/tmp");
    return mkdtemp(place->folder) != NULL ? 0 : -1;
}

static void
name_files(struct place *place, const char *name)
{
    unlink(place->file);
    unlink(place->headers);
    snprintf(place->file, sizeof(place->file), "%s/%s", place->folder, name);
    snprintf(place->headers, sizeof(place->headers), "%s_headers", place->file);
}

static int
tear_down(void **state)
{
    struct place *place = *state;

    name_files(place, "none");
    rmdir(place->folder);
    free(place);
    return 0;
}

static void
write_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void
test_file(void **state)
{
    static const struct {
        const char *name;
        const char *text;
        const char *headers; /* NULL: no such file */
        enum file_kind named;
        enum file_kind found;
        int is_summary;
    } cases[] = {
        {"f", "", NULL, FILE_EMPTY, FILE_UNKNOWN, 0},
        {"f", "\n", NULL, FILE_EMPTY, FILE_UNKNOWN, 0},
        {"f", "x", NULL, FILE_UNKNOWN, FILE_UNKNOWN, 0},
        {"f", SUMMARY, NULL, FILE_SUMMARY, FILE_SUMMARY, 0},
        {"f.json", SUMMARY, NULL, FILE_SUMMARY, FILE_SUMMARY, 1},
        {"f.json", "{}", NULL, FILE_UNKNOWN, FILE_UNKNOWN, 0},
        {"f", HEAD, NULL, FILE_LOG, FILE_LOG, 0},
        {"f", JSONL, NULL, FILE_LOG, FILE_LOG, 0},
        {"f", NUMBERS, NULL, FILE_LOG, FILE_UNKNOWN, 0},
        {"f_headers", HEAD, NULL, FILE_LOG, FILE_UNKNOWN, 0},
        {"f", "MEM 1 2\n", NULL, FILE_MPROF, FILE_MPROF, 0},
        {"f", "text\n" BLOCK "1,2,3,4\n", NULL, FILE_PROFILE, FILE_PROFILE, 0},
        {"f", REGION, NULL, FILE_REGIONS, FILE_UNKNOWN, 0},
        {"f", REGION, "state,func_start,duration\n", FILE_REGIONS, FILE_REGIONS,
         0},
        {"f", REGION, "other\n", FILE_REGIONS, FILE_UNKNOWN, 0},
        {"f", "", "state,func_start,duration", FILE_REGIONS, FILE_UNKNOWN, 0},
        {"f", "x", "state,func_start,duration\r\n", FILE_REGIONS, FILE_REGIONS,
         0},
    };
    struct place *place = *state;

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        enum file_kind named = FILE_FOLDER;
        enum file_kind found = FILE_FOLDER;
        struct error error;

        name_files(place, cases[i].name);
        write_text(place->file, cases[i].text, strlen(cases[i].text));
        if (cases[i].headers != NULL)
            write_text(place->headers, cases[i].headers,
                       strlen(cases[i].headers));
        assert_int_equal(file_kind_of(place->file, &named, &error), 0);
        assert_int_equal(file_kind_of_found(place->file, &found, &error), 0);
        if (named != cases[i].named || found != cases[i].found)
            fail_msg("case %zu: named %s, found %s", i, kinds[named],
                     kinds[found]);
        assert_int_equal(file_kind_is_summary(place->file),
                         cases[i].is_summary);
    }
}

/* The block is far behind the beginning that is read. */
static void
test_block_at_end(void **state)
{
    struct place *place = *state;
    static char text[20000];
    enum file_kind kind = FILE_UNKNOWN;
    struct error error;

    memset(text, 'x', sizeof(text));
    memcpy(text + sizeof(text) - strlen(BLOCK), BLOCK, strlen(BLOCK));
    name_files(place, "f");
    write_text(place->file, text, sizeof(text));
    assert_int_equal(file_kind_of(place->file, &kind, &error), 0);
    assert_string_equal(kinds[kind], "profile");
}

static void
test_headers(void **state)
{
    struct place *place = *state;
    const char *extended = resource_rows_header(true);

    name_files(place, "f");
    assert_int_equal(file_kind_by_headers(place->file), FILE_UNKNOWN);
    write_text(place->headers, extended, strlen(extended));
    assert_int_equal(file_kind_by_headers(place->file), FILE_RESOURCES);
    unlink(place->headers);
    assert_int_equal(mkfifo(place->headers, 0600), 0);
    assert_int_equal(file_kind_by_headers(place->file), FILE_UNKNOWN);
    assert_int_equal(file_kind_headers_size("a/b_headers"), 3);
    assert_int_equal(file_kind_headers_size("_headers"), 0);
    assert_int_equal(file_kind_headers_size("b_headers.1"), 0);
}

static void
test_not_regular(void **state)
{
    struct place *place = *state;
    enum file_kind kind = FILE_UNKNOWN;
    struct error error;

    assert_int_equal(file_kind_of(place->folder, &kind, &error), 0);
    assert_string_equal(kinds[kind], "folder");
    name_files(place, "f");
    assert_int_equal(file_kind_of(place->file, &kind, &error), -ENOENT);
    assert_non_null(strstr(error.text, "f: cannot be read: No such file"));
    assert_int_equal(mkfifo(place->file, 0600), 0);
    assert_int_equal(file_kind_of(place->file, &kind, &error), -ESPIPE);
    assert_non_null(strstr(error.text, "not a regular file"));
}

#define FILE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),  FILE_TEST(test_file),
        FILE_TEST(test_block_at_end), FILE_TEST(test_headers),
        FILE_TEST(test_not_regular),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
