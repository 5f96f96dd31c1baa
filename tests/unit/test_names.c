/* SPDX-License-Identifier: MIT */
/* Letters in names of files. */
#include <errno.h>

#include "base/file.h"
#include "base/num.h"
#include "host/command_name.h"
#include "host/host.h"
#include "host/names.h"
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

static const char *
none(const char *name)
{
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

/* Of an interpreter the script, and never what follows it. */
static void
test_command_name(void **state)
{
    static const struct {
        const char *argv[8];
        const char *want;
    } cases[] = {
        {{"/usr/bin/train", "--token=secret"}, "train"},
        {{"curl", "https://u:secret@host"}, "curl"},
        {{"python3", "work.py", "secret"}, "python3 work.py"},
        {{"/usr/bin/python3.11", "-u", "dir/work.py"}, "python3.11 work.py"},
        {{"python3", "-W", "ignore", "-Xdev", "work.py"}, "python3 work.py"},
        {{"python3", "-m", "http.server", "secret"}, "python3 -m http.server"},
        {{"python3", "-mtimeit", "secret"}, "python3 -m timeit"},
        {{"python3", "-uc", "secret"}, "python3"},
        {{"python3", "-m"}, "python3"},
        {{"python3", "-"}, "python3"},
        {{"python3"}, "python3"},
        {{"pythonista", "secret"}, "pythonista"},
        {{"sh", "-ec", "secret"}, "sh"},
        {{"bash", "-eo", "pipefail", "run.sh", "secret"}, "bash run.sh"},
        {{"sh", "--", "run.sh"}, "sh run.sh"},
        {{"perl", "-I", "lib", "-w", "a.pl", "secret"}, "perl a.pl"},
        {{"node", "--require", "secret", "app.js"}, "node app.js"},
        {{"node", "--eval", "secret"}, "node"},
        {{"Rscript", "--vanilla", "fit.R", "secret"}, "Rscript fit.R"},
        {{"java", "-cp", "secret", "-jar", "app.jar", "x"},
         "java -jar app.jar"},
        {{"java", "-Dkey=secret", "org.Main", "secret"}, "java org.Main"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        command_name(&out, (char *const *)(uintptr_t)cases[i].argv);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_base),    cmocka_unit_test(test_command_name),
        cmocka_unit_test(test_meminfo),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
