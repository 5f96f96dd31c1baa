/* SPDX-License-Identifier: MIT */
/*
 * A program that uses libpmon as programs do, and in the ways that go wrong.
 * The first argument says which; the environment switches regions on.  Ends
 * with a line of what pmon_regions_stats() says, where that is of interest.
 */
#include <errno.h>
#include <pmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void
count_signal(int number)
{
    (void)number;
    signals++;
}

static void
say_stats(void)
{
    struct pmon_regions_counts stats;

    pmon_regions_stats(&stats);
    printf("on %d rows %llu lost %llu torn %llu untold %llu error %s\n",
           stats.on, (unsigned long long)stats.rows,
           (unsigned long long)stats.lost, (unsigned long long)stats.torn,
           (unsigned long long)stats.untold,
           stats.error ? strerror(stats.error) : "none");
}

struct job {
    char name[32];
    long count;
};

static void *
make_regions(void *value)
{
    const struct job *job = value;

    for (long i = 0; i < job->count; i++) {
        struct pmon_region region = pmon_region_begin(job->name);

        pmon_region_end(region);
    }
    return NULL;
}

static int
run_threads(const char *prefix, long threads, long count)
{
    pthread_t *ids = calloc((size_t)threads, sizeof(*ids));
    struct job *jobs = calloc((size_t)threads, sizeof(*jobs));

    if (!ids || !jobs)
        return 99;
    for (long i = 0; i < threads; i++) {
        snprintf(jobs[i].name, sizeof(jobs[i].name), "%s%ld", prefix, i);
        jobs[i].count = count;
        if (pthread_create(&ids[i], NULL, make_regions, &jobs[i]) != 0)
            return 99;
    }
    for (long i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    free(ids);
    free(jobs);
    return 0;
}

/* threads N COUNT: t0 … in N threads at once */
static int
threads(long n, long count)
{
    int rc = run_threads("t", n, count);

    pmon_regions_flush();
    say_stats();
    return rc;
}

static int
wait_all(void)
{
    int status, bad = 0;

    while (wait(&status) > 0)
        bad |= status != 0;
    return bad;
}

/* processes N COUNT: N processes of two threads, p<i>t0 and p<i>t1 */
static int
processes(long n, long count)
{
    for (long i = 0; i < n; i++)
        if (fork() == 0) {
            char prefix[32];

            snprintf(prefix, sizeof(prefix), "p%ldt", i);
            exit(run_threads(prefix, 2, count));
        }
    return wait_all();
}

/* forks N COUNT: threads are at it while N children are forked, each of which
 * makes a row and leaves by exit or _exit */
static int
forks(long n, long count)
{
    struct job job = {"thread", count};
    pthread_t ids[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], NULL, make_regions, &job);
    for (long i = 0; i < n; i++) {
        pmon_region_end(pmon_region_begin("parent"));
        if (fork() == 0) {
            pmon_region_end(pmon_region_begin("child"));
            if (i % 2)
                exit(0);
            pmon_regions_flush();
            _exit(0);
        }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
    return wait_all();
}

/* at_fork N: N rows are in the file after a fork, without an orderly exit */
static int
at_fork(long n, long unused)
{
    struct job job = {"before", n};

    (void)unused;
    make_regions(&job);
    if (fork() == 0)
        _exit(0);
    _exit(wait_all());
}

/* raw_fork N: a fork that libc knows nothing of doubles no row either */
static int
raw_fork(long n, long unused)
{
    struct job job = {"before", n};

    (void)unused;
    make_regions(&job);
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) {
        pmon_region_end(pmon_region_begin("child"));
        exit(0);
    }
    return wait_all();
}

/* A region begun before a fork, ended by both; one ended by another thread. */
static void *
end_region(void *value)
{
    pmon_region_end(*(struct pmon_region *)value);
    return NULL;
}

static int
elsewhere(long a, long b)
{
    struct pmon_region region = pmon_region_begin("both");
    pthread_t id;

    (void)a;
    (void)b;
    if (fork() == 0) {
        pmon_region_end(region);
        exit(0);
    }
    wait_all();
    pmon_region_end(region);
    region = pmon_region_begin("handed over");
    pthread_create(&id, NULL, end_region, &region);
    pthread_join(id, NULL);
    return 0;
}

/* thread_end: what a thread left in its buffer is in the file when it ended;
 * this process leaves without more ado */
static int
thread_end(long n, long count)
{
    int rc = run_threads("t", n, count);

    _exit(rc);
}

/* flush N: N rows, a flush and no orderly exit */
static int
flush(long n, long unused)
{
    struct job job = {"flushed", n};

    (void)unused;
    make_regions(&job);
    _exit(pmon_regions_flush() != 0);
}

/* exit N: N rows, exit in the middle of a scope, another row by atexit */
static void
last_row(void)
{
    pmon_region_end(pmon_region_begin("at exit"));
}

static int
leave(long n, long unused)
{
    struct job job = {"left", n};

    (void)unused;
    atexit(last_row);
    make_regions(&job);
    return 0;
}

/* spin N: says so when it begins, ends by being killed */
static int
spin(long n, long unused)
{
    struct job job = {"spin", 1000};

    (void)unused;
    make_regions(&job);
    puts("ready");
    fflush(stdout);
    while (n >= 0)
        make_regions(&job);
    return 0;
}

/* limit BYTES COUNT: COUNT rows where files may have BYTES, signals counted */
static int
limit(long bytes, long count)
{
    struct rlimit most = {(rlim_t)bytes, (rlim_t)bytes};
    struct job job = {"limited", count};

    signal(SIGXFSZ, count_signal);
    signal(SIGPIPE, count_signal);
    if (bytes > 0 && setrlimit(RLIMIT_FSIZE, &most) != 0)
        return 99;
    make_regions(&job);
    pmon_regions_close();
    printf("signals %d\n", (int)signals);
    say_stats();
    return 0;
}

/* pending BYTES COUNT: as limit, the signals blocked and one waiting before */
static int
pending(long bytes, long count)
{
    sigset_t both, now;
    int rc;

    sigemptyset(&both);
    sigaddset(&both, SIGXFSZ);
    sigaddset(&both, SIGPIPE);
    sigprocmask(SIG_BLOCK, &both, NULL);
    raise(SIGPIPE);
    rc = limit(bytes, count);
    sigpending(&now);
    printf("waiting PIPE %d XFSZ %d\n", sigismember(&now, SIGPIPE),
           sigismember(&now, SIGXFSZ));
    return rc;
}

/* errno COUNT: errno is left alone by every call */
static int
keeps_errno(long count, long unused)
{
    struct pmon_regions_counts stats;
    struct job job = {"errno", count};

    (void)unused;
    errno = E2BIG;
    make_regions(&job);
    pmon_region_add("added", 1, 2);
    pmon_regions_flush();
    pmon_regions_stats(&stats);
    pmon_regions_decide();
    pmon_regions_close();
    pmon_regions_open("/dev/null/no folder", "x", 0);
    printf("errno %s\n", strerror(errno));
    return 0;
}

/* switch_off ROUNDS COUNT: only rows made while on are there */
static int
switch_off(long rounds, long count)
{
    struct job on = {"on", count}, off = {"off", count};
    struct pmon_region over = {0};

    for (long i = 0; i < rounds; i++) {
        if (pmon_regions_decide() != 1)
            return 99;
        make_regions(&on);
        over = pmon_region_begin("begun on, ended off");
        pmon_regions_close();
        pmon_region_end(over);
        make_regions(&off);
        over = pmon_region_begin("begun off, ended on");
    }
    pmon_regions_decide();
    pmon_region_end(over);
    return 0;
}

/* switching THREADS COUNT: switched while threads are at it; says how many
 * rows there should be, no more than were begun */
static int
switching(long n, long count)
{
    struct pmon_regions_counts stats;
    const char *dir = getenv("PMON_REGIONS");
    struct job job = {"switched", count};
    pthread_t ids[16];

    for (int i = 0; i < n && i < 16; i++)
        pthread_create(&ids[i], NULL, make_regions, &job);
    for (int i = 0; i < 200; i++) {
        pmon_regions_open(dir, "regions", i % 2 ? PMON_BUFFERED : 0);
        nanosleep(&(struct timespec){0, 100000}, NULL);
        pmon_regions_close();
    }
    for (int i = 0; i < n && i < 16; i++)
        pthread_join(ids[i], NULL);
    pmon_regions_stats(&stats);
    printf("rows %llu\n", (unsigned long long)stats.rows);
    return stats.lost != 0;
}

/* handler COUNT: a signal handler makes regions while the program does */
static volatile sig_atomic_t handled;

static void
region_in_handler(int number)
{
    int saved = errno;

    (void)number;
    pmon_region_end(pmon_region_begin("handler"));
    handled++;
    errno = saved;
}

static int
handler(long count, long unused)
{
    struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = region_in_handler,
                               .sa_flags = SA_RESTART};
    struct job job = {"program", count};

    (void)unused;
    make_regions(&(struct job){"program", 1});
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    make_regions(&job);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("handled %d\n", (int)handled);
    return 0;
}

/* cancel ROUNDS: threads that are cancelled in mid-work leave nothing locked */
static void *
make_regions_for_ever(void *value)
{
    for (;;) {
        make_regions(value);
        pthread_testcancel();
    }
    return NULL;
}

static int
cancel(long rounds, long unused)
{
    struct job job = {"cancelled", 3};

    (void)unused;
    for (long i = 0; i < rounds; i++) {
        pthread_t ids[4];

        for (int k = 0; k < 4; k++)
            pthread_create(&ids[k], NULL, make_regions_for_ever, &job);
        nanosleep(&(struct timespec){0, 200000}, NULL);
        for (int k = 0; k < 4; k++)
            pthread_cancel(ids[k]);
        for (int k = 0; k < 4; k++)
            pthread_join(ids[k], NULL);
    }
    pmon_regions_flush();
    say_stats();
    return 0;
}

/* closed: a program that closes every descriptor and opens others */
static int
closed(long count, long unused)
{
    struct job job = {"closed", count};

    (void)unused;
    make_regions(&job);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (int i = 0; i < 20; i++)
        if (!tmpfile())
            return 99;
    make_regions(&job);
    pmon_regions_flush();
    say_stats();
    return 0;
}

/* names: hostile ones */
static int
names(long a, long b)
{
    static const char *const list[] = {
        "",       "a b",      "a,b",    "say \"x\"", "\"", "a\nb",
        "a\r\nb", "\xc3\xa4", "tab\tx", "=1+1",      "'",  "\\",
    };

    (void)a;
    (void)b;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        pmon_region_add(list[i], 1796007184668093002u, i);
    pmon_region_add(NULL, 1, 2);
    return 0;
}

/* states: the robot's three, as its server goes through them */
static int
states(long a, long b)
{
    (void)a;
    (void)b;
    {
        PMON_REGION_SCOPE("ANALYZING_PROTOCOL");
        {
            PMON_REGION_SCOPE("GETTING_CACHED_ANALYSIS");
        }
    }
    PMON_REGION_SCOPE("RUNNING_PROTOCOL");
    return 0;
}

static const struct {
    const char *name;
    int (*run)(long, long);
} modes[] = {
    {"threads", threads},       {"processes", processes},
    {"forks", forks},           {"elsewhere", elsewhere},
    {"at_fork", at_fork},       {"raw_fork", raw_fork},
    {"thread_end", thread_end}, {"flush", flush},
    {"leave", leave},           {"spin", spin},
    {"limit", limit},           {"pending", pending},
    {"errno", keeps_errno},     {"switch_off", switch_off},
    {"switching", switching},   {"handler", handler},
    {"cancel", cancel},         {"closed", closed},
    {"names", names},           {"states", states},
};

int
main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run(argc > 2 ? atol(argv[2]) : 0,
                                argc > 3 ? atol(argv[3]) : 0);
    fprintf(stderr, "usage: drive MODE [N [COUNT]]\n");
    return 99;
}
