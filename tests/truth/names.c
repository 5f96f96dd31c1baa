/* SPDX-License-Identifier: MIT */
/*
 * T9: processes with names that break parsers, files and terminals: as comm,
 * as argv, and both by exec through a link of that name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000
#define COMM_MAX 16

enum method {
    BY_COMM,
    BY_ARGV,
    BY_EXEC,
};

static const char *const methods[] = {"comm", "argv", "exec", NULL};

static const struct {
    const char *id;
    const char *name;
} names[] = {
    {"state", "a b) R 1 2"},
    {"paren", "x)y"},
    {"open", "("},
    {"empty", ""},
    {"utf8", "\303\244\303\266\303\274\303\237\303\251\303\250\342\202\254"},
    {"newline", "a\nb"},
    {"percent", "%s%n%d"},
    {"escape", "\033[31mred\033[0m"},
    {"title", "\033]0;title\007"},
    {"cut", "abcdefghijklmn\303\251"},
    {"ff", "\377"},
    {"zombie", "foo) Z 1 ("},
    {"blank", " "},
    {"tab", "a\tb"},
    {"return", "a\rb"},
    {"delete", "a\177b"},
    {"csi8", "\23331mred"},
    {"rtl", "\342\200\256abc"},
    {"surrogate", "\355\240\200"},
    {"overlong", "\300\257"},
    {"csv", "a\"b,c;d"},
    {"markdown", "|*_`<b>"},
    {"formula", "=1+1"},
    {"option", "-rf"},
    {"shell", "$(id)`id`"},
    {"backslash", "a\\nb\\"},
    {"slash", "a/b"},
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static size_t
find(const char *id)
{
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(names[i].id, id) == 0)
            return i;
    errno = 0;
    arg_die(id);
}

static void
set_comm(const char *name)
{
    if (prctl(PR_SET_NAME, name) < 0)
        arg_die("PR_SET_NAME");
}

/* The folder is removed by the program that comes after the exec. */
static void
make_link(char *path, size_t size, const char *name)
{
    const char *folder = getenv("TMPDIR");
    size_t length;

    snprintf(path, size, "%s/names.XXXXXX",
             folder && *folder ? folder : "/tmp");
    if (!mkdtemp(path))
        arg_die(path);
    length = strlen(path);
    snprintf(path + length, size - length, "/%s", name);
    if (symlink(child_self(), path) < 0)
        arg_die(path);
}

static void
remove_link(void)
{
    char path[4096];
    char *slash;

    snprintf(path, sizeof(path), "%s", (const char *)getauxval(AT_EXECFN));
    slash = strrchr(path, '/');
    if (!slash || !strstr(path, "/names."))
        return;
    unlink(path);
    *slash = '\0';
    rmdir(path);
}

/* Works under the name that it has by now. */
static int
work_as(size_t which, long mib, long burn_ms, long rest_ms)
{
    char comm[COMM_MAX] = {0};

    prctl(PR_GET_NAME, comm);
    truth_hex_of(names[which].id, "comm", comm);
    use_work(names[which].id, mib, burn_ms, rest_ms, -1);
    return 0;
}

/* Takes the name and works; returns where no exec was needed. */
static int
name_take(size_t which, enum method method, const long numbers[3])
{
    const char *name = names[which].name;
    bool link = method == BY_EXEC && *name && !strchr(name, '/');
    char path[4096];
    char words[128];
    char copy[64];
    char *hostile[] = {copy, copy, NULL};

    if (method == BY_COMM) {
        set_comm(name);
        return work_as(which, numbers[0], numbers[1], numbers[2]);
    }
    if (link)
        make_link(path, sizeof(path), name);
    else
        snprintf(path, sizeof(path), "%s", child_self());
    snprintf(copy, sizeof(copy), "%s", name);
    /* What no file can be called is set after the exec. */
    snprintf(words, sizeof(words), "name-held %s %s %ld %ld %ld",
             names[which].id, link || method == BY_ARGV ? "as-is" : "set",
             numbers[0], numbers[1], numbers[2]);
    child_become(path, hostile, words);
}

static int
name_held(int argc, char **argv)
{
    static const char *const ways[] = {"as-is", "set", NULL};
    size_t which;

    if (argc < 2)
        arg_die("no name");
    which = find(argv[1]);
    remove_link();
    if (arg_choice(argc, argv, 2, ways) == 1)
        set_comm(names[which].name);
    return work_as(which, arg_number(argc, argv, 3, 0, MIB_MAX),
                   arg_number(argc, argv, 4, 0, MS_MAX),
                   arg_number(argc, argv, 5, 0, MS_MAX));
}

static int
name(int argc, char **argv)
{
    const long numbers[] = {
        arg_number(argc, argv, 3, 20, MIB_MAX),
        arg_number(argc, argv, 4, 100, MS_MAX),
        arg_number(argc, argv, 5, 200, MS_MAX),
    };

    if (argc < 2) {
        for (size_t i = 0; i < NAMES; i++)
            puts(names[i].id);
        return fflush(stdout) == 0 ? 0 : EXIT_HARNESS;
    }
    return name_take(find(argv[1]),
                     (enum method)arg_choice(argc, argv, 2, methods), numbers);
}

/* One child for each name, all at once. */
static int
all_names(int argc, char **argv)
{
    enum method method = (enum method)arg_choice(argc, argv, 1, methods);
    const long numbers[] = {
        arg_number(argc, argv, 2, 8, MIB_MAX),
        arg_number(argc, argv, 3, 30, MS_MAX),
        arg_number(argc, argv, 4, 500, MS_MAX),
    };
    int failed = 0;

    for (size_t i = 0; i < NAMES; i++)
        if (child_fork(true) == 0)
            _exit(name_take(i, method, numbers));
    for (size_t i = 0; i < NAMES; i++)
        failed |= child_wait(-1, NULL);
    truth_int("names", (int64_t)NAMES);
    truth_cpu("");
    return failed ? EXIT_HARNESS : 0;
}

const struct workload names_workloads[] = {
    {"name", "[ID [comm|argv|exec [MIB [BURN_MS [REST_MS]]]]]",
     "T9: works under that name; without ID prints them all (20 100 200)", name,
     false},
    {"names", "[comm|argv|exec [MIB [BURN_MS [REST_MS]]]]",
     "T9: a child for every name, at the same time (8 30 500)", all_names,
     false},
    {"name-held", "ID as-is|set MIB BURN_MS REST_MS",
     "what name becomes by exec", name_held, false},
    {NULL, NULL, NULL, NULL, false},
};
