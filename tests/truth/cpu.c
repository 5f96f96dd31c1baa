/* SPDX-License-Identifier: MIT */
/*
 * Workloads whose CPU time is known: in short children, in children that
 * nobody waits for, in threads, and without a leader.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000

/* What a child that may not be waited for says of itself. */
struct told {
    int64_t cpu_ns;
};

/*
 * One after the other; each runs until it has used burn_ms since its fork.
 * Where the parent reaps nothing, the pipe's end tells that a child is over.
 */
static void
run_children(long count, long burn_ms, enum child_reaping reaping,
             struct told *told)
{
    for (long i = 0; i < count; i++) {
        int over[2];
        pid_t child;

        child_pipe(over);
        child = child_fork(true);
        if (child == 0) {
            use_burn_to_ns(burn_ms * NS_PER_MS);
            told[i].cpu_ns = use_cpu_ns();
            _exit(0);
        }
        close(over[1]);
        child_hear(over[0]);
        close(over[0]);
        if (reaping == CHILD_WAITED)
            child_wait(child, NULL);
    }
}

static int
children_of(int argc, char **argv, enum child_reaping reaping, long rest_ms)
{
    long count = arg_number(argc, argv, 1, 40, 100000);
    long burn_ms = arg_number(argc, argv, 2, 50, MS_MAX);
    size_t size = (size_t)(count + 1) * sizeof(struct told);
    struct told *told = use_shared(size);
    int64_t sum_ns = 0;

    child_set_reaping(reaping);
    truth_ready();
    run_children(count, burn_ms, reaping, told);
    for (long i = 0; i < count; i++)
        sum_ns += told[i].cpu_ns;
    truth_int("children", count);
    truth_int("burnt_ns", sum_ns);
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return 0;
}

static int
children(int argc, char **argv)
{
    return children_of(argc, argv, CHILD_WAITED,
                       arg_number(argc, argv, 3, 0, MS_MAX));
}

static int
unwaited(int argc, char **argv)
{
    static const char *const ways[] = {"ignore", "nocldwait", NULL};
    int way = arg_choice(argc, argv, 3, ways);

    return children_of(argc, argv, way ? CHILD_NOCLDWAIT : CHILD_IGNORED,
                       arg_number(argc, argv, 4, 0, MS_MAX));
}

/* What a second thread has to do. */
struct task {
    pthread_t leader;
    long mib;
    long burn_ms;
    long rest_ms;
    bool fork;
};

static void *
task_fork(void *argument)
{
    const struct task *task = argument;
    pid_t child = child_fork(true);

    if (child == 0) {
        use_work("child", task->mib, task->burn_ms, task->rest_ms, -1);
        _exit(0);
    }
    child_wait(child, NULL);
    return NULL;
}

static int
thread_child(int argc, char **argv)
{
    struct task task = {
        .mib = arg_number(argc, argv, 1, 300, MIB_MAX),
        .burn_ms = arg_number(argc, argv, 2, 1000, MS_MAX),
        .rest_ms = arg_number(argc, argv, 3, 0, MS_MAX),
    };
    pthread_t thread;

    errno = pthread_create(&thread, NULL, task_fork, &task);
    if (errno)
        arg_die("pthread_create");
    pthread_join(thread, NULL);
    truth_cpu("");
    return 0;
}

/* The process ends with this thread, whose leader has ended before. */
static void *
task_alone(void *argument)
{
    struct task *task = argument;

    pthread_join(task->leader, NULL);
    truth_int("leader_gone_ns", use_elapsed_ns());
    if (task->fork) {
        task_fork(task);
        truth_cpu("");
    } else {
        use_work("", task->mib, task->burn_ms, task->rest_ms, -1);
    }
    _exit(0);
}

static int
leader_exit(int argc, char **argv)
{
    static const char *const ways[] = {"thread", "child", NULL};
    static struct task task; /* outlives the leader's stack */
    pthread_t thread;

    task.leader = pthread_self();
    task.mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    task.burn_ms = arg_number(argc, argv, 2, 1000, MS_MAX);
    task.rest_ms = arg_number(argc, argv, 3, 0, MS_MAX);
    task.fork = arg_choice(argc, argv, 4, ways) == 1;
    errno = pthread_create(&thread, NULL, task_alone, &task);
    if (errno)
        arg_die("pthread_create");
    pthread_exit(NULL);
}

/* Threads that begin together, once all are there. */
struct together {
    pthread_barrier_t barrier;
    int64_t until_ns;
};

static void *
burn_together(void *argument)
{
    struct together *together = argument;

    pthread_barrier_wait(&together->barrier);
    use_burn_until_ns(together->until_ns);
    return NULL;
}

static int
threads(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 512, 30000);
    long ms = arg_number(argc, argv, 2, 2000, MS_MAX);
    struct together together;
    pthread_t *ids = calloc((size_t)count + 1, sizeof(*ids));
    pthread_attr_t attr;

    if (!ids)
        arg_die("calloc");
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 65536);
    pthread_barrier_init(&together.barrier, NULL, (unsigned)count + 1);
    for (long i = 0; i < count; i++) {
        errno = pthread_create(&ids[i], &attr, burn_together, &together);
        if (errno)
            arg_die("pthread_create");
    }
    truth_int("threads", count + 1);
    truth_int("all_begin_ns", use_elapsed_ns());
    together.until_ns = use_elapsed_ns() + ms * NS_PER_MS;
    truth_int("all_end_ns", together.until_ns);
    truth_ready();
    pthread_barrier_wait(&together.barrier);
    for (long i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
    truth_cpu("");
    free(ids);
    return 0;
}

const struct workload cpu_workloads[] = {
    {"children", "[COUNT [BURN_MS [REST_MS]]]",
     "T10: waited children one after the other, BURN_MS of CPU each (40 50)",
     children, false},
    {"unwaited", "[COUNT [BURN_MS [ignore|nocldwait [REST_MS]]]]",
     "T13: the same from a parent that lets the kernel reap them", unwaited,
     false},
    {"thread-child", "[MIB [BURN_MS [REST_MS]]]",
     "T7: a second thread forks a child that holds and burns (300 1000)",
     thread_child, false},
    {"leader-exit", "[MIB [BURN_MS [REST_MS [thread|child]]]]",
     "T8: the leader ends, a thread (or its child) works on (200 1000)",
     leader_exit, false},
    {"threads", "[COUNT [MS]]",
     "T26: one process, COUNT threads that run for MS (512 2000)", threads,
     false},
    {NULL, NULL, NULL, NULL, false},
};
