/* SPDX-License-Identifier: MIT */
/* The summary: bytes written, values read back, and its words. */
#include <unistd.h>

#include <jansson.h>

#include "base/num.h"
#include "formats/summary.h"
#include "model/run_fields.h"
#include "unit.h"

/* If nothing is known of a run, all values are null or empty. */
static void
test_summary_unknown(void **state)
{
    struct run run;
    STRBUF_AUTO out = {0};
    const char *group;
    json_t *groups;
    json_t *root;

    (void)state;
    run_init(&run);
    assert_int_equal(summary_write(&out, &run), 0);
    run_done(&run);
    root = json_loads(strbuf_text(&out), 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_object_size(root), 19);
    json_object_foreach(root, group, groups)
    {
        const char *key;
        json_t *value;

        if (!json_is_object(groups) || strcmp(group, "series") == 0 ||
            strcmp(group, "at_peak") == 0)
            continue;
        json_object_foreach(groups, key, value)
        {
            assert_string_equal(json_is_null(value) ? "null" : key, "null");
        }
    }
    json_decref(root);
}

static void
test_summary_hostile(void **state)
{
    char *argv[] = {(char[]){"a\"b\n\xFF\033"}, NULL};
    struct run run;
    STRBUF_AUTO out = {0};
    json_t *command;
    json_t *root;

    (void)state;
    run_init(&run);
    assert_int_equal(run_set_texts(&run.command.argv, argv), 0);
    assert_int_equal(run_set_text(&run.command.step, "\xC3"), 0);
    assert_int_equal(summary_write(&out, &run), 0);
    run_done(&run);
    root = json_loads(strbuf_text(&out), 0, NULL);
    assert_non_null(root);
    command = json_object_get(root, "command");
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(command, "argv"), 0)),
        "a\"b\n\xEF\xBF\xBD\033");
    assert_string_equal(json_string_value(json_object_get(command, "step")),
                        "\xEF\xBF\xBD");
    json_decref(root);
}

/* Every scalar is read back as it was written. */
static void
test_summary_round_trip(void **state)
{
    const struct run_field *field;
    struct error error = {0};
    STRBUF_AUTO out = {0};
    STRBUF_AUTO path = {0};
    struct run run;
    struct run back;
    FILE *file;

    (void)state;
    run_init(&run);
    run_init(&back);
    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++) {
        run_field_set_number(field, &run,
                             field->unit == UNIT_BOOL ? 1 : (double)i + 0.5);
        if (field->group != NULL)
            assert_int_equal(run_field_set_text(field, &run,
                                                field->choices != NULL
                                                    ? field->choices[1]
                                                    : field->key),
                             0);
    }
    assert_int_equal(summary_write(&out, &run), 0);
    strbuf_printf(&path, "round_trip.%d.json", (int)getpid());
    file = fopen(strbuf_text(&path), "w");
    assert_non_null(file);
    fputs(strbuf_text(&out), file);
    fclose(file);
    assert_int_equal(summary_read(&back, strbuf_text(&path), &error), 0);
    unlink(strbuf_text(&path));
    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++) {
        if (field->group == NULL)
            continue;
        if (run_field_text(field, &run) != NULL)
            assert_string_equal(run_field_text(field, &back),
                                run_field_text(field, &run));
        else if (field->type != FIELD_TEXTS)
            assert_float_equal(run_field_number(field, &back),
                               run_field_number(field, &run), 0.001);
    }
    run_done(&run);
    run_done(&back);
}

/* by_command is read back, except for rows that say nothing. */
static void
test_summary_by_command(void **state)
{
    static const char text[] =
        "{\"schema\": 1, \"pmon\": \"1\", \"processes\": {\"by_command\": ["
        "{\"kind\": \"command\", \"command\": \"a)\\n\", \"count\": 2,"
        " \"cpu_s\": 1.000000001, \"largest_rss_bytes\": 5,"
        " \"peak_rss_bytes\": null, \"first_s\": 0, \"last_s\": 0.5},"
        "{\"kind\": \"command\", \"command\": null}, 7,"
        "{\"kind\": \"unheard\"}, {\"kind\": \"unsampled\"}]}}";
    struct error error = {0};
    STRBUF_AUTO path = {0};
    STRBUF_AUTO out = {0};
    struct run run;
    FILE *file;

    (void)state;
    run_init(&run);
    strbuf_printf(&path, "by_command.%d.json", (int)getpid());
    file = fopen(strbuf_text(&path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(summary_read(&run, strbuf_text(&path), &error), 0);
    unlink(strbuf_text(&path));
    assert_int_equal(run.by_command.count, 2);
    assert_string_equal(run.by_command.list[0].command, "a)\n");
    assert_int_equal(run.by_command.list[0].cpu_ns, 1000000001);
    assert_int_equal(run.by_command.list[0].largest_rss_bytes, 5);
    assert_int_equal(run.by_command.list[0].peak_rss_bytes, NUM_UNKNOWN);
    assert_int_equal(run.by_command.list[0].last_ns, 500000000);
    assert_int_equal(run.by_command.list[1].kind, COMMAND_UNSAMPLED);
    assert_int_equal(run.by_command.list[1].count, NUM_UNKNOWN);
    assert_int_equal(summary_write(&out, &run), 0);
    assert_non_null(strstr(strbuf_text(&out), "\"command\": \"a)\\n\""));
    run_done(&run);
}

static void
test_words(void **state)
{
    (void)state;
    assert_string_equal(word_name(WORD_AT_LEAST), "at least");
    assert_string_equal(peak_source_name(PEAK_HIGH_WATER_MARK),
                        "high_water_mark");
    assert_string_equal(reason_name(REASON_NOT_FOUND), "not_found");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary_unknown),
        cmocka_unit_test(test_summary_hostile),
        cmocka_unit_test(test_summary_round_trip),
        cmocka_unit_test(test_summary_by_command),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
