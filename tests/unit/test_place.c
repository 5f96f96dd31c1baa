/* SPDX-License-Identifier: MIT */
/* Control groups as recorded on other machines: folders of small files. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/num.h"
#include "host/cgroup.h"
#include "unit.h"

/* A tree of folders as version 2 shows it. */
struct tree {
    char top[64];
    char middle[96];
    char leaf[128];
};

static void
put(const char *folder, const char *file, const char *text)
{
    char path[256];
    FILE *out;

    snprintf(path, sizeof(path), "%s/%s", folder, file);
    out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static int
setup(void **state)
{
    struct tree *tree = calloc(1, sizeof(*tree));

    strcpy(tree->top, "/tmp/pmon-cgroup.XXXXXX");
    if (mkdtemp(tree->top) == NULL)
        return -1;
    snprintf(tree->middle, sizeof(tree->middle), "%s/job", tree->top);
    snprintf(tree->leaf, sizeof(tree->leaf), "%s/step", tree->middle);
    mkdir(tree->middle, 0755);
    mkdir(tree->leaf, 0755);
    *state = tree;
    return 0;
}

static int
teardown(void **state)
{
    struct tree *tree = *state;
    char command[128];

    snprintf(command, sizeof(command), "rm -r '%s'", tree->top);
    free(tree);
    return system(command) != 0;
}

static void
test_limit(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->leaf,
                                 .unified_mount = tree->top};

    assert_int_equal(cgroup_memory_limit(&place), NUM_UNKNOWN);
    put(tree->leaf, "memory.max", "max\n");
    assert_int_equal(cgroup_memory_limit(&place), NUM_UNKNOWN);
    put(tree->middle, "memory.max", "2147483648\n");
    assert_int_equal(cgroup_memory_limit(&place), INT64_C(2147483648));
    put(tree->leaf, "memory.max", "1073741824\n");
    assert_int_equal(cgroup_memory_limit(&place), INT64_C(1073741824));
}

static void
test_limit_old(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.memory = tree->leaf,
                                 .memory_mount = tree->top};

    put(tree->leaf, "memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(cgroup_memory_limit(&place), NUM_UNKNOWN);
    put(tree->middle, "memory.limit_in_bytes", "536870912\n");
    assert_int_equal(cgroup_memory_limit(&place), 536870912);
}

/* The group with the least room, wherever it is on the way up. */
static void
test_room(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->leaf,
                                 .unified_mount = tree->top};

    assert_int_equal(cgroup_memory_room(&place), NUM_UNKNOWN);
    put(tree->leaf, "memory.max", "max\n");
    put(tree->leaf, "memory.current", "1000\n");
    assert_int_equal(cgroup_memory_room(&place), NUM_UNKNOWN);
    put(tree->middle, "memory.max", "5000\n");
    put(tree->middle, "memory.current", "4000\n");
    assert_int_equal(cgroup_memory_room(&place), 1000);
    put(tree->middle, "memory.stat",
        "anon 1\nfile 9\nactive_file 2\ninactive_file 500\n");
    assert_int_equal(cgroup_memory_room(&place), 1500);
    put(tree->leaf, "memory.max", "1200\n");
    assert_int_equal(cgroup_memory_room(&place), 200);
    put(tree->leaf, "memory.current", "1300\n");
    assert_int_equal(cgroup_memory_room(&place), 0);
}

static void
test_room_old(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.memory = tree->leaf,
                                 .memory_mount = tree->top};

    put(tree->leaf, "memory.limit_in_bytes", "9223372036854771712\n");
    put(tree->leaf, "memory.usage_in_bytes", "1000\n");
    assert_int_equal(cgroup_memory_room(&place), NUM_UNKNOWN);
    put(tree->middle, "memory.limit_in_bytes", "5000\n");
    put(tree->middle, "memory.usage_in_bytes", "4000\n");
    put(tree->middle, "memory.stat",
        "inactive_file 7\ntotal_inactive_file 500\n");
    assert_int_equal(cgroup_memory_room(&place), 1500);
}

static void
test_kills(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->leaf, .memory = tree->middle};

    assert_int_equal(cgroup_oom_kills(&place), NUM_UNKNOWN);
    put(tree->middle, "memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n");
    assert_int_equal(cgroup_oom_kills(&place), 7);
    put(tree->leaf, "memory.events", "oom 0\noom_kill 2\n");
    assert_int_equal(cgroup_oom_kills(&place), 2);
}

/* In a session memory is counted for a group above, as on 6.1 by ssh. */
static void
test_kills_above(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->leaf,
                                 .unified_mount = tree->top};

    put(tree->top, "memory.events", "oom 9\noom_kill 9\n");
    put(tree->middle, "memory.events",
        "low 0\nhigh 0\nmax 40\noom 3\noom_kill 3\noom_group_kill 0\n");
    assert_int_equal(cgroup_oom_kills(&place), 3);
}

/* Files of another group are not read as those of the own one. */
static void
test_outside(void **state)
{
    static const char mounts[] =
        "35 25 0:30 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,x\n";
    static const struct {
        const char *groups;
        const char *unified;
    } rows[] = {
        {"0::/../other.service\n", NULL},
        {"0::/../../user.slice\n", NULL},
        {"0::/..\n", NULL},
        {"0::/..x\n", "/sys/fs/cgroup/..x"},
        {"0::/\n", "/sys/fs/cgroup"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct cgroup_place place;

        assert_int_equal(cgroup_place_parse(&place, rows[i].groups, mounts), 0);
        if (rows[i].unified == NULL)
            assert_null(place.unified);
        else
            assert_string_equal(place.unified, rows[i].unified);
        cgroup_place_done(&place);
    }
}

static void
add_folder(char *path, size_t size, const char *folder, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

/* A unit is delegated if systemd says so, and so are groups below it. */
static void
test_delegated(void **state)
{
    struct tree *tree = *state;
    char unit[160];
    char inner[192];

    if (geteuid() != 0)
        SKIP_TEST("what a user owns is delegated");
    add_folder(unit, sizeof(unit), tree->middle, "x.service");
    add_folder(inner, sizeof(inner), unit, "pmon-12");
    assert_false(cgroup_is_delegated(unit, tree->top));
    assert_false(cgroup_is_delegated(inner, tree->top));
    if (setxattr(tree->middle, "user.delegate", "1", 1, 0) < 0)
        SKIP_TEST("no extended attributes in this file system");
    assert_false(cgroup_is_delegated(inner, tree->top));
    assert_int_equal(setxattr(unit, "user.delegate", "1", 1, 0), 0);
    assert_true(cgroup_is_delegated(unit, tree->top));
    assert_true(cgroup_is_delegated(inner, tree->top));
    /* No systemd, no container: nobody may divide the root group. */
    assert_false(cgroup_is_delegated(tree->top, tree->top));
    put(tree->top, "cgroup.type", "domain\n");
    assert_true(cgroup_is_delegated(tree->top, tree->top));
}

/* The step's group is below the own group, so every limit of that applies. */
static void
test_leaf_below(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->leaf,
                                 .unified_mount = tree->top};
    struct cgroup_leaf leaf;
    struct error error;

    put(tree->middle, "cgroup.subtree_control", "memory pids\n");
    assert_int_equal(cgroup_leaf_init(&leaf, &place, &error), 0);
    assert_int_equal(strncmp(leaf.unified, tree->leaf, strlen(tree->leaf)), 0);
    assert_int_equal(leaf.unified[strlen(tree->leaf)], '/');
    assert_int_equal(cgroup_leaf_remove(&leaf, &place, NULL), 0);
}

/* Why charged memory is unknown, by the files in the folders. */
static void
test_leaf_missing(void **state)
{
    static const struct {
        const char *unit;
        const char *controllers;
        bool is_counted;
        bool has_peak;
        enum cgroup_missing missing;
    } rows[] = {
        {"a.service", "cpuset pids\n", false, false, CGROUP_MISSING_CONTROLLER},
        {"b.service", "cpuset memory pids\n", false, false,
         CGROUP_MISSING_DELEGATION},
        {"c.service", "memory\n", true, false, CGROUP_MISSING_PEAK},
        {"d.service", "memory\n", true, true, CGROUP_MISSING_NOTHING},
        /* Delegated, as there is no systemd; plain folders take no process. */
        {"job_7", "memory\n", false, false, CGROUP_MISSING_OTHER},
    };
    struct tree *tree = *state;

    if (geteuid() != 0)
        SKIP_TEST("what a user owns is delegated");
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char unit[160];
        struct cgroup_place place = {.unified = unit,
                                     .unified_mount = tree->top};
        struct cgroup_leaf leaf;
        struct error error;

        add_folder(unit, sizeof(unit), tree->middle, rows[i].unit);
        put(unit, "cgroup.controllers", rows[i].controllers);
        assert_int_equal(cgroup_leaf_init(&leaf, &place, &error), 0);
        put(leaf.unified, "cgroup.procs", "");
        if (rows[i].is_counted)
            put(leaf.unified, "memory.current", "4096\n");
        if (rows[i].has_peak)
            put(leaf.unified, "memory.peak", "8192\n");
        assert_int_equal(cgroup_leaf_enter(&leaf, &place, getpid()), 0);
        assert_int_equal(leaf.missing, rows[i].missing);
        assert_null(leaf.self);
        cgroup_leaf_remove(&leaf, &place, NULL);
    }
}

/* Processes in a group that the step has made are in the step's group. */
static void
test_leaf_inner(void **state)
{
    struct tree *tree = *state;
    struct cgroup_leaf leaf = {.unified = tree->middle, .cpu_fd = -1};
    STRBUF_AUTO pids = {0};

    put(tree->middle, "cgroup.procs", "12\n");
    put(tree->leaf, "cgroup.procs", "34\n56\n");
    assert_int_equal(cgroup_leaf_pids(&leaf, &pids), 0);
    assert_string_equal(strbuf_text(&pids), "12\n34\n56\n");
}

static void
test_leaf_files(void **state)
{
    struct tree *tree = *state;
    struct cgroup_leaf leaf = {.unified = tree->leaf, .cpu_fd = -1};
    STRBUF_AUTO pids = {0};

    assert_int_equal(cgroup_leaf_memory_peak(&leaf), NUM_UNKNOWN);
    put(tree->leaf, "memory.peak", "123456789\n");
    put(tree->leaf, "cgroup.procs", "12\n34\n");
    assert_int_equal(cgroup_leaf_memory_peak(&leaf), 123456789);
    assert_int_equal(cgroup_leaf_pids(&leaf, &pids), 0);
    assert_string_equal(strbuf_text(&pids), "12\n34\n");
}

/* No right to make a group: the error names the folder, nothing is left. */
static void
test_leaf_refused(void **state)
{
    struct cgroup_place place = {.unified = (char[]){"/proc/self"},
                                 .unified_mount = (char[]){"/proc"}};
    struct cgroup_leaf leaf;
    struct error error = {0};

    (void)state;
    assert_at_most(cgroup_leaf_init(&leaf, &place, &error), -1);
    assert_non_null(strstr(error.text, "/proc/self"));
    assert_null(leaf.unified);
    place = (struct cgroup_place){0};
    assert_int_equal(cgroup_leaf_init(&leaf, &place, &error), -ENOENT);
    assert_string_equal(error.text, "no control groups are mounted here");
}

#define STAGED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_limit),
        STAGED(test_limit_old),
        STAGED(test_room),
        STAGED(test_room_old),
        STAGED(test_kills),
        STAGED(test_kills_above),
        cmocka_unit_test(test_outside),
        STAGED(test_delegated),
        STAGED(test_leaf_below),
        STAGED(test_leaf_missing),
        STAGED(test_leaf_inner),
        STAGED(test_leaf_files),
        cmocka_unit_test(test_leaf_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
