/* SPDX-License-Identifier: MIT */
/* The label of a process, from its name and arguments, without secrets. */
#include "host/command_argument.h"
#include "host/command_name.h"
#include "unit.h"

struct argv_case {
    const char *argv[12];
    const char *want;
};

static void
check_cases(void (*function)(struct strbuf *out, char *const *argv),
            const struct argv_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        STRBUF_AUTO out = {0};

        function(&out, (char *const *)(uintptr_t)cases[i].argv);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

/* The script of an interpreter, and never its arguments. */
static void
test_command_name(void **state)
{
    static const struct argv_case cases[] = {
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
    check_cases(command_name, cases, ARRAY_SIZE(cases));
}

/* Labels that distinguish processes, without secrets. */
static void
test_command_label(void **state)
{
    static const struct argv_case cases[] = {
        /* A source file, rather than the folder of an option. */
        {{"/usr/lib/gcc/cc1", "-quiet", "-I", ".", "-I", "../src", "-MD",
          "src/a.d", "-D", "HAVE_CONFIG_H", "../src/a.c", "-quiet"},
         "cc1 ../src/a.c"},
        {{"gcc", "-I", ".", "-g", "-c", "-o", "x.o", "x.c"}, "gcc x.c"},
        {{"gcc", "-c", "x.c", "-o", "x.o"}, "gcc x.c"},
        {{"g++", "-DA=b", "-MF", "x.cpp", "-O2", "y.cpp"}, "g++ y.cpp"},
        {{"as", "-I", ".", "--64", "-o", "a.o", "/tmp/cc12.s"},
         "as /tmp/cc12.s"},
        {{"ld", "-plugin", "x.so", "-o", "prog", "crt1.o", "a.o"}, "ld prog"},
        {{"/usr/lib/collect2", "-o", ".libs/prog", "a.o"},
         "collect2 .libs/prog"},
        {{"ld", "a.o"}, "ld a.o"},
        /* The value of an option is not the input. */
        {{"train", "--epochs", "10", "data.csv"}, "train data.csv"},
        {{"tar", "-xzf", "a.tar.gz", "-C", "dir"}, "tar a.tar.gz"},
        {{"make", "-C", "build", "-j", "4", "check"}, "make check"},
        {{"make", "-j4"}, "make"},
        {{"head", "-n", "5"}, "head"},
        {{"cat", "--", "-x", "y"}, "cat y"},
        {{"prog", "--rate=3", "in.dat"}, "prog in.dat"},
        {{"git", "clone", "https://host/x.git"}, "git clone"},
        {{"find", ".", "-name", "x"}, "find ."},
        {{"ls", "/tmp/", "file"}, "ls file"},
        {{"sleep", "5"}, "sleep 5"},
        {{"dd", "if=/dev/zero", "of=x", "bs=1M"}, "dd"},
        {{"prog", "", "a b", "c\nd", "e"}, "prog e"},
        {{"prog"}, "prog"},
        {{""}, ""},
        {{"dir/"}, "dir/"},
        {{"-bash"}, "bash"},
        {{"-"}, "-"},
        /* A title is better than a name. */
        {{"nginx: master process /usr/sbin/nginx -g secret"}, "nginx"},
        {{"/usr/sbin/sshd: user [priv]"}, "sshd"},
        /* The script of an interpreter, and nothing after it. */
        {{"/usr/bin/python3", "-u", "dir/work.py", "--key=secret", "x"},
         "python3 dir/work.py"},
        {{"python3", "-m", "http.server", "x"}, "python3 -m http.server"},
        {{"python3", "-c", "secret", "x.py"}, "python3"},
        {{"sh", "-c", "secret"}, "sh"},
        {{"-sh", "-c", "secret"}, "sh"},
        {{"java", "-jar", "lib/app.jar", "x"}, "java -jar lib/app.jar"},
        /* Hostile. */
        {{"a)b\033[1m", "c\033d"}, "a)b\033[1m c\033d"},
    };

    (void)state;
    check_cases(command_label, cases, ARRAY_SIZE(cases));
}

static void
test_command_secrets(void **state)
{
    static const char *const secrets[] = {
        "token=abc",
        "TOKEN:abc",
        "my-password",
        "Passwd",
        "api_key",
        "client-secret",
        "user:pass@host",
        "https://user:pass@host/x",
        "postgres://u:p@h/db",
        "https://host/hook?sig=1",
        "0123456789abcdef",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "8f14e45f-ceea-467f-a0e6-0f2a3c5d7e91",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.x",
        "https://hooks.host/T00/B00/aZ09bY18cX27dW36eV45",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1a",
    };
    static const char *const others[] = {
        "data",
        "tokenizer",
        "x86_64-linux-gnu",
        "/usr/lib/gcc/x86_64-linux-gnu/12/crt1.o",
        "user@host:dir",
        "git@github.com:owner/repo",
        "https://host/file",
        "results_20261201-153059",
        "a_rather_long_name_of_a_configuration",
        "host:8080",
        "-",
        "",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(secrets); i++) {
        const char *const argv[] = {"prog", secrets[i], NULL};
        const char *const before[] = {"prog", "-p", secrets[i], "end", NULL};
        STRBUF_AUTO out = {0};

        if (!command_is_secret(secrets[i]))
            fail_msg("not a secret: %s", secrets[i]);
        command_label(&out, (char *const *)(uintptr_t)argv);
        assert_string_equal(strbuf_text(&out), "prog");
        command_label(&out, (char *const *)(uintptr_t)before);
        assert_string_equal(strbuf_text(&out), "progprog end");
    }
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        if (command_is_secret(others[i]))
            fail_msg("a secret: %s", others[i]);
}

/* The value of an option, whatever it looks like. */
static void
test_command_secret_options(void **state)
{
    static const struct argv_case cases[] = {
        {{"prog", "--password", "hunter2"}, "prog"},
        {{"prog", "--password", "hunter2.py"}, "prog"},
        {{"mysql", "-p", "hunter2", "db"}, "mysql db"},
        {{"curl", "-u", "me:pass", "https://host/x"}, "curl https://host/x"},
        {{"env", "KEY=abc", "PATH=x", "prog"}, "env prog"},
        {{"prog", "@response"}, "prog"},
        {{"prog", "test_password.py"}, "prog test_password.py"},
    };

    (void)state;
    check_cases(command_label, cases, ARRAY_SIZE(cases));
}

/* Labels of one program have the same group, which is its name. */
static void
test_command_group(void **state)
{
    static const struct {
        const char *label;
        const char *want;
    } cases[] = {
        {"cc1 src/a.c", "cc1"},
        {"cc1", "cc1"},
        {"python3 dir/work.py", "python3 work.py"},
        {"python3.11 work.py", "python3.11 work.py"},
        {"python3 -m http.server", "python3 -m http.server"},
        {"python3 a b.py", "python3 a b.py"},
        {"python3", "python3"},
        {"java -jar lib/app.jar", "java -jar app.jar"},
        {"javac lib/A.java", "javac"},
        {"sh", "sh"},
        {"sh -", "sh -"},
        {"pythonista x", "pythonista"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        command_group(&out, cases[i].label);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

static void
test_command_arguments(void **state)
{
    char base[] = "/usr/bin/python3";
    char module[] = "-mtimeit";
    char secret[] = "secret";
    char *argv[] = {base, module, secret, NULL};
    char *shown[3];

    (void)state;
    command_arguments(argv, shown);
    assert_string_equal(shown[0], "python3");
    assert_string_equal(shown[1], "timeit");
    assert_null(shown[2]);
    argv[1] = NULL;
    command_arguments(argv, shown);
    assert_null(shown[1]);
}

static void
test_command_split(void **state)
{
    char text[] = "a\0\0b";
    char *argv[4];
    char *few[2];

    (void)state;
    assert_int_equal(command_split(text, sizeof(text), argv, 4), 3);
    assert_string_equal(argv[1], "");
    assert_string_equal(argv[2], "b");
    assert_null(argv[3]);
    assert_int_equal(command_split(text, sizeof(text), few, 2), 1);
    assert_null(few[1]);
    assert_int_equal(command_split(text, 0, argv, 4), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_name),
        cmocka_unit_test(test_command_label),
        cmocka_unit_test(test_command_secrets),
        cmocka_unit_test(test_command_secret_options),
        cmocka_unit_test(test_command_group),
        cmocka_unit_test(test_command_arguments),
        cmocka_unit_test(test_command_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
