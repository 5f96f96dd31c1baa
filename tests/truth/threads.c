/* SPDX-License-Identifier: MIT */
/*
 * Threads that come, go, fork and exec: what one thread does is the whole
 * process's, whichever of them the monitor looks at.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000
#define COUNT_MAX 1000000
/* Long enough for a few ticks of 100 ms. */
#define SEEN_MS 350

static pthread_t
start(void *(*run)(void *), void *argument)
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 65536);
    errno = pthread_create(&thread, &attr, run, argument);
    if (errno)
        arg_die("pthread_create");
    pthread_attr_destroy(&attr);
    return thread;
}

/* Has a child, so that its children are looked at, and stays a while. */
static void *
first_thread(void *argument)
{
    pid_t child = child_fork(true);

    (void)argument;
    if (child == 0)
        _exit(0);
    child_wait(child, NULL);
    use_burn_ms(20);
    use_sleep_ms(SEEN_MS);
    return NULL;
}

struct load {
    const char *prefix;
    long mib;
    long burn_ms;
    long rest_ms;
};

static void *
child_thread(void *argument)
{
    const struct load *load = argument;
    pid_t child = child_fork(true);

    if (child == 0) {
        use_work(load->prefix, load->mib, load->burn_ms, load->rest_ms, -1);
        _exit(0);
    }
    child_wait(child, NULL);
    return NULL;
}

/*
 * One thread takes another's place between two ticks: as many as before, and
 * the new one has a child.
 */
static int
thread_swap(int argc, char **argv)
{
    struct load load = {
        .prefix = "child",
        .mib = arg_number(argc, argv, 1, 200, MIB_MAX),
        .burn_ms = arg_number(argc, argv, 2, 300, MS_MAX),
        .rest_ms = arg_number(argc, argv, 3, 700, MS_MAX),
    };

    pthread_join(start(first_thread, NULL), NULL);
    pthread_join(start(child_thread, &load), NULL);
    truth_cpu("");
    return 0;
}

/* By a thread that is not the leader: it gets the leader's id. */
static void *
exec_thread(void *argument)
{
    static char name[] = "exec-thread";
    char *again[] = {name, NULL};
    char words[96];
    const struct load *load = argument;

    use_sleep_ms(SEEN_MS);
    snprintf(words, sizeof(words), "work %ld %ld %ld", load->mib, load->burn_ms,
             load->rest_ms);
    child_become(child_self(), again, words);
}

static int
thread_exec(int argc, char **argv)
{
    static const char *const ways[] = {"leader-lives", "leader-gone", NULL};
    static struct load load; /* outlives the leader's stack */
    int way;

    load.mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    load.burn_ms = arg_number(argc, argv, 2, 300, MS_MAX);
    load.rest_ms = arg_number(argc, argv, 3, 500, MS_MAX);
    way = arg_choice(argc, argv, 4, ways);
    start(exec_thread, &load);
    if (way == 1)
        pthread_exit(NULL);
    for (;;)
        pause();
}

static void *
burn_thread(void *argument)
{
    const long *burn_us = argument;
    int64_t until =
        use_clock_ns(CLOCK_THREAD_CPUTIME_ID) + *burn_us * INT64_C(1000);

    while (use_clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
        continue;
    return NULL;
}

static int
thread_churn(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 2000, COUNT_MAX);
    long burn_us = arg_number(argc, argv, 2, 200, MS_MAX);

    truth_ready();
    for (long i = 0; i < count; i++)
        pthread_join(start(burn_thread, &burn_us), NULL);
    truth_int("threads", count);
    truth_cpu("");
    return 0;
}

/* COUNT threads at once, each with a child. */
static int
thread_crowd(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 64, 10000);
    struct load load = {
        .prefix = "child",
        .mib = arg_number(argc, argv, 2, 5, MIB_MAX),
        .rest_ms = arg_number(argc, argv, 3, 1000, MS_MAX),
    };
    pthread_t *ids = calloc((size_t)count + 1, sizeof(*ids));

    if (!ids)
        arg_die("calloc");
    for (long i = 0; i < count; i++)
        ids[i] = start(child_thread, &load);
    truth_int("processes", count + 1);
    for (long i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
    free(ids);
    truth_cpu("");
    return 0;
}

const struct workload threads_workloads[] = {
    {"thread-swap", "[MIB [BURN_MS [REST_MS]]]",
     "T38: one thread takes another's place and forks (200 300 700)",
     thread_swap, false},
    {"thread-exec", "[MIB [BURN_MS [REST_MS [leader-lives|leader-gone]]]]",
     "T39: a thread that is not the leader execs work (200 300 500)",
     thread_exec, false},
    {"thread-churn", "[COUNT [BURN_US]]",
     "T40: COUNT threads one after the other (2000 200)", thread_churn, false},
    {"thread-crowd", "[COUNT [MIB [REST_MS]]]",
     "T41: COUNT threads at once, each with a child (64 5 1000)", thread_crowd,
     false},
    {NULL, NULL, NULL, NULL, false},
};
