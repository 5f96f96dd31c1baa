/* SPDX-License-Identifier: MIT */
/* Letters in names of files. */
#include <errno.h>

#include "base/file.h"
#include "base/num.h"
#include "host/host.h"
#include "host/names.h"
#include "model/run.h"
#include "unit.h"

static const char *
slurm(const char *name)
{
    if (strcmp(name, "SLURM_PROCID") == 0)
        return "3";
    if (strcmp(name, "SLURM_JOB_ID") == 0)
        return "99";
    if (strcmp(name, "SLURM_ARRAY_TASK_ID") == 0)
        return "a/7";
    return NULL;
}

/* Variables with characters that a name must not have. */
static const char *
hostile(const char *name)
{
    static const char *const pairs[][2] = {
        {"UP", "../up"},      {"ROOT", "/etc/passwd"},  {"DOTS", ".."},
        {"HIDDEN", ".x"},     {"LINE", "a\nb\x1b\x7f"}, {"BRANCH", "feature/x"},
        {"UTF8", "\xC3\xA9"}, {"PERCENT", "%p"},        {"A B", "blank"},
        {"EMPTY", ""},
    };

    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
        if (strcmp(name, pairs[i][0]) == 0)
            return pairs[i][1];
    return NULL;
}

static void
test_variables(void **state)
{
    static const struct {
        const char *pattern;
        const char *want;
        const char *want_text; /* where slashes are kept */
    } cases[] = {
        {"%{BRANCH}.txt", "feature_x.txt", "feature/x.txt"},
        {"d/%{UP}", "d/_._up", "d/../up"},
        {"%{ROOT}", "_etc_passwd", "/etc/passwd"},
        {"%{DOTS}/m", "_./m", "../m"},
        {"d/%{DOTS}", "d/_.", "d/.."},
        {"m%{DOTS}", "m..", "m.."},
        {"%{HIDDEN}", "_x", ".x"},
        {"%{LINE}", "a_b__", "a\nb\x1b\x7f"},
        {"%{UTF8}", "\xC3\xA9", "\xC3\xA9"},
        {"%{PERCENT}%s", "%ps", "%ps"},
        {"%{A B}", "blank", "blank"},
        {"%%{UP}", "%{UP}", "%{UP}"},
        {"{UP}", "{UP}", "{UP}"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct names names = {.host = "h", .step = "s", .environment = hostile};
        STRBUF_AUTO path = {0};
        STRBUF_AUTO text = {0};
        struct error error;

        assert_int_equal(
            names_expand(&names, cases[i].pattern, "--log", &path, &error), 0);
        assert_string_equal(strbuf_text(&path), cases[i].want);
        names.keeps_slashes = true;
        assert_int_equal(
            names_expand(&names, cases[i].pattern, "--tag", &text, &error), 0);
        assert_string_equal(strbuf_text(&text), cases[i].want_text);
    }
}

static const char *
none(const char *name)
{
    if (strcmp(name, "EMPTY") == 0)
        return "";
    return strcmp(name, "PMI_RANK") == 0 ? "" : NULL;
}

static void
test_letters(void **state)
{
    static const struct {
        const char *pattern;
        const char *want;
    } cases[] = {
        {"m.txt", "m.txt"},    {"%h-%p-%s.txt", "node_1-42-a_b.txt"},
        {"100%%", "100%"},     {"%r.%j.%a", "3.99.a_7"},
        {"dir/%s", "dir/a_b"}, {"", ""},
    };
    struct names names = {
        .host = "node/1", .pid = 42, .step = "a/b", .environment = slurm};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};
        struct error error;

        assert_int_equal(
            names_expand(&names, cases[i].pattern, "--log", &out, &error), 0);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

static void
test_errors(void **state)
{
    static const struct {
        const char *pattern;
        const char *part;
    } cases[] = {
        {"m%x", "--log m%x: % may be followed by h (host)"},
        {"m%", "--log m%: % may be followed by"},
        {"m%r", "FLUX_TASK_RANK, SLURM_PROCID"},
        {"m%a", "LSB_JOBINDEX"},
        {"m%{X}",
         "--log m%{X}: the variable X is not set; export it, or leave %{X} "
         "out"},
        {"m%{EMPTY}", "--log m%{EMPTY}: the variable EMPTY is empty; "},
        {"m%{", "--log m%{: %{ needs the name of a variable and }"},
        {"m%{}", "--log m%{}: %{ needs the name of a variable and }"},
        {"m%{X", "--log m%{X: %{ needs the name of a variable and }"},
    };
    struct names names = {.host = "h", .step = "s", .environment = none};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};
        struct error error = {0};

        assert_int_equal(
            names_expand(&names, cases[i].pattern, "--log", &out, &error),
            -EINVAL);
        assert_non_null(strstr(error.text, cases[i].part));
    }
}

/* The environment of test_jobs: NAME=VALUE, then NULL. */
static const char *const *variables;

static const char *
of_variables(const char *name)
{
    size_t size = strlen(name);

    for (const char *const *at = variables; *at != NULL; at++)
        if (strncmp(*at, name, size) == 0 && (*at)[size] == '=')
            return *at + size + 1;
    return NULL;
}

/* The text after NAME of --step, and the number of tasks. */
static void
test_jobs(void **state)
{
    static const struct {
        const char *variables[8];
        const char *step; /* as --step gave it; NULL: without it */
        const char *pattern;
        const char *want;
        int64_t tasks;
    } cases[] = {
        {{NULL}, "s", "m_%s.txt", "m_s.txt", NUM_UNKNOWN},
        {{"SLURM_PROCID=3", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=4"},
         "s",
         "m_%s.txt",
         "m_s_rank3.txt",
         4},
        {{"SLURM_PROCID=0", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=1"},
         "s",
         "m_%s.txt",
         "m_s.txt",
         1},
        /* a batch script of four tasks: SLURM_NTASKS is not of a step */
        {{"SLURM_PROCID=0", "SLURM_NTASKS=4"}, "s", "m_%s", "m_s", 1},
        {{"SLURM_PROCID=0", "SLURM_STEP_ID=0"},
         "s",
         "m_%s",
         "m_s_rank0",
         NUM_UNKNOWN},
        {{"SLURM_PROCID=0", "OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=4"},
         "s",
         "m_%s",
         "m_s_rank2",
         4},
        {{"PMI_RANK=1", "PMI_SIZE=1"}, "s", "m_%s", "m_s", 1},
        {{"PMI_RANK=1", "PMI_SIZE=x"}, "s", "m_%s", "m_s_rank1", NUM_UNKNOWN},
        {{"PMIX_RANK=0"}, "s", "m_%s", "m_s_rank0", NUM_UNKNOWN},
        {{"PMIX_RANK=0", "PMIX_NAMESPACE=slurm.pmix.9.0",
          "SLURM_STEP_NUM_TASKS=1"},
         "s",
         "m_%s",
         "m_s",
         1},
        {{"PMIX_RANK=0", "PMIX_NAMESPACE=prterun-1", "SLURM_STEP_NUM_TASKS=1"},
         "s",
         "m_%s",
         "m_s_rank0",
         NUM_UNKNOWN},
        {{"MV2_COMM_WORLD_RANK=1", "MV2_COMM_WORLD_SIZE=2"},
         "s",
         "m_%s",
         "m_s_rank1",
         2},
        {{"FLUX_TASK_RANK=1", "FLUX_JOB_SIZE=2"}, "s", "%s", "s_rank1", 2},
        {{"SLURM_ARRAY_TASK_ID=7"}, "s", "m_%s", "m_s_task7", NUM_UNKNOWN},
        {{"SLURM_ARRAY_TASK_ID=0"}, "s", "m_%s", "m_s_task0", NUM_UNKNOWN},
        {{"SGE_TASK_ID=undefined"}, "s", "m_%s", "m_s", NUM_UNKNOWN},
        {{"LSB_JOBINDEX=0"}, "s", "m_%s", "m_s", NUM_UNKNOWN},
        {{"PMI_RANK=3", "PMI_SIZE=4", "SLURM_ARRAY_TASK_ID=7"},
         "s",
         "m_%s.txt",
         "m_s_rank3_task7.txt",
         4},
        /* the letters already name these */
        {{"PMI_RANK=3", "PMI_SIZE=4"}, "s_%r", "m_%s.txt", "m_s.txt", 4},
        {{"PMI_RANK=3", "PMI_SIZE=4"}, "s", "m_%r_%s.txt", "m_3_s.txt", 4},
        {{"PMI_RANK=3", "PMI_SIZE=4"}, "s", "d_%p/m_%s.txt", "d_42/m_s.txt", 4},
        {{"PMI_RANK=3", "PMI_SIZE=4"}, "s%%r", "%s", "s_rank3", 4},
        {{"PMI_RANK=3", "PMI_SIZE=4", "SLURM_ARRAY_TASK_ID=7"},
         "s_%a",
         "%s",
         "s_rank3",
         4},
        /* ranks share a folder */
        {{"PMI_RANK=3", "PMI_SIZE=4"}, "s", "%s/m_%s", "s/m_s_rank3", 4},
        {{"PMI_RANK=3", "PMI_SIZE=4"}, NULL, "m_%s.txt", "m_s.txt", 4},
        {{"PMI_RANK=../3", "PMI_SIZE=4"}, "s", "%s", "s_rank.._3", 4},
        /* the first attempt of a job has no count */
        {{"SLURM_JOB_ID=9"}, "s", "%{SLURM_RESTART_COUNT}", "0", NUM_UNKNOWN},
        {{"SLURM_JOB_ID=9", "SLURM_RESTART_COUNT=2"},
         "s",
         "%{SLURM_RESTART_COUNT}",
         "2",
         NUM_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct names names = {.host = "h",
                              .pid = 42,
                              .step = "s",
                              .step_pattern = cases[i].step,
                              .environment = of_variables};
        STRBUF_AUTO out = {0};
        struct error error;

        variables = cases[i].variables;
        assert_int_equal(
            names_expand(&names, cases[i].pattern, "--log", &out, &error), 0);
        assert_string_equal(strbuf_text(&out), cases[i].want);
        assert_int_equal(names_tasks(&names), cases[i].tasks);
    }
}

static void
test_base(void **state)
{
    (void)state;
    assert_string_equal(path_base("/usr/bin/env"), "env");
    assert_string_equal(path_base("env"), "env");
    assert_string_equal(path_base("dir/"), "dir/");
    assert_string_equal(path_base(""), "");
}

static void
test_meminfo(void **state)
{
    static const char text[] = "MemTotal:       24683656 kB\n"
                               "MemAvailable:   24158640 kB\n";

    (void)state;
    assert_int_equal(host_parse_meminfo(text, "MemAvailable"),
                     INT64_C(24158640) * 1024);
    assert_int_equal(host_parse_meminfo(text, "SwapTotal"), NUM_UNKNOWN);
    assert_int_equal(host_parse_meminfo("", "MemTotal"), NUM_UNKNOWN);
}

/* Valid names of tags; a tag that is given twice. */
static void
test_tag_names(void **state)
{
    static const struct {
        const char *text;
        size_t want;
    } cases[] = {
        {"nodes=1", 5},
        {"_a.b-C9=", 7},
        {"a", 1},
        {"=1", 0},
        {"", 0},
        {"1a=1", 0},
        {"-a=1", 0},
        {"a b=1", 1},
        {"a/b", 1},
        {"\xC3\xA9=1", 0},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=",
         64},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=",
         0},
    };
    struct run run;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_int_equal(run_tag_name_size(cases[i].text), cases[i].want);
    run_init(&run);
    assert_null(run_tag(&run, "a"));
    assert_int_equal(run_set_tag(&run, "a", "1"), 0);
    assert_int_equal(run_set_tag(&run, "b", "2"), 0);
    assert_int_equal(run_set_tag(&run, "a", "3"), 0);
    assert_int_equal(run.tags.count, 2);
    assert_string_equal(run_tag(&run, "a"), "3");
    assert_string_equal(run_tag(&run, "b"), "2");
    run_done(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_variables), cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_base),      cmocka_unit_test(test_meminfo),
        cmocka_unit_test(test_tag_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
