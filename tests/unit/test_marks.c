/* SPDX-License-Identifier: MIT */
/* Marks of open regions, and the table of regions that processes have open. */
#include <stdio.h>
#include <unistd.h>

#include "regions/marks.h"
#include "regions/open_regions.h"
#include "unit.h"

enum { FOLDER_SIZE = 128 };

static int
make_folder(void **state)
{
    const char *parent = getenv("TMPDIR");
    char *folder = test_calloc(1, FOLDER_SIZE);

    snprintf(folder, FOLDER_SIZE, "%.100s/marks.XXXXXX",
             parent != NULL ? parent : "/tmp");
    *state = folder;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int
remove_folder(void **state)
{
    char path[FOLDER_SIZE + 16];

    snprintf(path, sizeof(path), "%s/.open_regions", (char *)*state);
    unlink(path);
    rmdir(*state);
    test_free(*state);
    return 0;
}

/* A torn row is skipped, but not the next one. */
static void
test_marks_behind_torn(void **state)
{
    static const char *const torn[] = {
        "\"A",        "\"A\"",          "\"A\",1",
        "\"A\",1,2,", "\"A\",1,2,\"ru", "\"A\",1,2,\"r\"",
        "\"say \"\"", "\"\"",
    };
    const struct region_mark mark = {.start_ns = 5, .start_mono_ns = 6};

    for (size_t i = 0; i < ARRAY_SIZE(torn); i++) {
        struct region_mark found = {0};
        struct error error = {0};
        char path[FOLDER_SIZE + 16];
        FILE *file;

        snprintf(path, sizeof(path), "%s/.open_regions", (char *)*state);
        file = fopen(path, "w");
        assert_non_null(file);
        fputs(torn[i], file);
        fclose(file);
        assert_int_equal(marks_begin(*state, "r", "B", &mark, &error), 0);
        assert_int_equal(marks_end(*state, "r", "B", &found, &error), 0);
        assert_int_equal(found.start_ns, 5);
        assert_int_equal(found.start_mono_ns, 6);
    }
}

/* The table of open regions may be set up in any memory. */
static void
test_open_regions_done(void **state)
{
    struct open_regions open;

    (void)state;
    memset(&open, 0xff, sizeof(open));
    assert_int_equal(open_regions_init(&open), 0);
    open_regions_done(&open);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_marks_behind_torn, make_folder,
                                        remove_folder),
        cmocka_unit_test(test_open_regions_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
