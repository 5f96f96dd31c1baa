/* SPDX-License-Identifier: MIT */
/*
 * Times fork + exec + wait of several commands in turn, from a process so
 * small that its own fork costs little.  With a stamp file: the time from the
 * moment that `steps stamp` wrote there until the command had returned.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

enum { COMMANDS_MAX = 16 };

/* The commands, one after the other, each ended by NULL. */
struct launches {
    long count;
    const char *stamp_path;
    int null_fd;
    int commands;
    char **argv[COMMANDS_MAX];
    int64_t *took_ns[COMMANDS_MAX];
};

_Noreturn static void
die(const char *what)
{
    fprintf(stderr, "launches: %s: %s\n", what,
            errno ? strerror(errno) : "bad value");
    exit(2);
}

static int64_t
now_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
        die("clock_gettime");
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int64_t
read_stamp(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int64_t stamp_ns;

    if (fd < 0 || read(fd, &stamp_ns, sizeof(stamp_ns)) != sizeof(stamp_ns))
        die(path);
    close(fd);
    return stamp_ns;
}

static int64_t
launch(const struct launches *launches, char **argv)
{
    int64_t begin_ns = now_ns();
    pid_t pid = fork();
    int64_t end_ns;
    int status;

    if (pid < 0)
        die("fork");
    if (pid == 0) {
        dup2(launches->null_fd, STDOUT_FILENO);
        dup2(launches->null_fd, STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            die("waitpid");
    end_ns = now_ns();
    errno = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        die(argv[0]);
    if (launches->stamp_path != NULL)
        begin_ns = read_stamp(launches->stamp_path);
    return end_ns - begin_ns;
}

static int
by_value(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

static void
report(const struct launches *launches)
{
    size_t count = (size_t)launches->count;

    for (int i = 0; i < launches->commands; i++) {
        int64_t *took_ns = launches->took_ns[i];

        qsort(took_ns, count, sizeof(*took_ns), by_value);
        printf("least_ns.%d=%lld\n", i, (long long)took_ns[0]);
        printf("median_ns.%d=%lld\n", i, (long long)took_ns[count / 2]);
        printf("p90_ns.%d=%lld\n", i, (long long)took_ns[count * 9 / 10]);
        printf("most_ns.%d=%lld\n", i, (long long)took_ns[count - 1]);
    }
}

/* Splits what follows the first `::` at each `::`. */
static void
take_commands(struct launches *launches, char **argv)
{
    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, "::") != 0)
            continue;
        *argv = NULL;
        if (launches->commands == COMMANDS_MAX || argv[1] == NULL)
            die("::");
        launches->took_ns[launches->commands] =
            calloc((size_t)launches->count, sizeof(int64_t));
        if (launches->took_ns[launches->commands] == NULL)
            die("memory");
        launches->argv[launches->commands++] = argv + 1;
    }
}

int
main(int argc, char **argv)
{
    struct launches launches = {.null_fd = open("/dev/null", O_WRONLY)};
    int option;

    while ((option = getopt(argc, argv, "+s:")) == 's')
        launches.stamp_path = optarg;
    if (option == -1 && optind < argc)
        launches.count = strtol(argv[optind], NULL, 10);
    if (launches.count < 1) {
        fputs(
            "usage: launches [-s STAMP] COUNT :: COMMAND... [:: COMMAND...]\n",
            stderr);
        return 2;
    }
    take_commands(&launches, argv + optind + 1);
    for (long turn = 0; turn < launches.count; turn++)
        for (int i = 0; i < launches.commands; i++)
            launches.took_ns[i][turn] = launch(&launches, launches.argv[i]);
    report(&launches);
    return 0;
}
