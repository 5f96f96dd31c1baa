/* SPDX-License-Identifier: MIT */
/*
 * Picks the workload by its name.  Nothing is printed on stdout unless asked
 * for; what is known of the run goes to the file that TRUTH_OUT names.
 */
#include "workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 16

static const struct workload *const tables[] = {
    memory_workloads,   overlap_workloads, cpu_workloads,
    tree_workloads,     daemon_workloads,  names_workloads,
    signals_workloads,  launch_workloads,  fingerprint_workloads,
    reparent_workloads, threads_workloads, reuse_workloads,
    pages_workloads,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static const struct workload *
find(const char *name)
{
    for (size_t i = 0; i < TABLES; i++)
        for (const struct workload *at = tables[i]; at->name; at++)
            if (strcmp(at->name, name) == 0)
                return at;
    return NULL;
}

static int
list(void)
{
    puts("usage: workload NAME [ARGS]");
    for (size_t i = 0; i < TABLES; i++)
        for (const struct workload *at = tables[i]; at->name; at++)
            printf("  %s %s\n      %s\n", at->name, at->args, at->help);
    puts("\nTRUTH_OUT=FILE gets key=value lines, TRUTH_READY=FILE|FD a byte "
         "when it is\nready, TRUTH_GO=FILE|FD is waited for; "
         "TRUTH_DEADLINE=SECONDS ends all (120).");
    return fflush(stdout) == 0 ? 0 : EXIT_HARNESS;
}

/*
 * A program that was started with any argv takes its arguments from the
 * environment: words[0] is left free, the number of all is returned.
 */
static int
take_words(char *text, char **words)
{
    char *rest = NULL;
    int count = 1;

    for (char *word = strtok_r(text, " ", &rest); word && count < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return count;
}

int
main(int argc, char **argv)
{
    const char *again = getenv("WORKLOAD_ARGS");
    const struct workload *workload;
    char *words[WORDS_MAX + 1] = {NULL};

    use_start();
    if (again) {
        argc = take_words(strdup(again), words);
        argv = words;
        unsetenv("WORKLOAD_ARGS");
    }
    if (argc < 2 || strcmp(argv[1], "--help") == 0)
        return list();
    workload = find(argv[1]);
    if (!workload) {
        errno = 0;
        arg_die(argv[1]);
    }
    if (!again && !workload->free) {
        truth_int("pid", getpid());
        truth_int("start_epoch_ns", use_start_epoch_ns());
    }
    if (!workload->free)
        child_deadline();
    return workload->run(argc - 1, argv + 1);
}
