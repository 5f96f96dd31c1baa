/* SPDX-License-Identifier: MIT */
/*
 * Programs that know what they used, one function each, called by name:
 * workload NAME [ARGS].  The tables are put together in workload.c.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#define MIB ((size_t)1 << 20)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* The exit statuses of a workload that could not do what it is for. */
#define EXIT_HARNESS 99
#define EXIT_NO_SIGNAL 98
/* This machine, or the rights at hand, do not allow it. */
#define EXIT_CANNOT 97

/*
 * One workload.  argv[0] of run is its name, the arguments follow.  One that
 * is free has no deadline: it becomes another program, or reports what a
 * deadline would change.
 */
struct workload {
    const char *name;
    const char *args;
    const char *help;
    int (*run)(int argc, char **argv);
    bool free;
};

/* Each ends with an entry without a name. */
extern const struct workload memory_workloads[];
extern const struct workload overlap_workloads[];
extern const struct workload cpu_workloads[];
extern const struct workload tree_workloads[];
extern const struct workload daemon_workloads[];
extern const struct workload names_workloads[];
extern const struct workload signals_workloads[];
extern const struct workload launch_workloads[];
extern const struct workload fingerprint_workloads[];
extern const struct workload reparent_workloads[];
extern const struct workload threads_workloads[];
extern const struct workload reuse_workloads[];
extern const struct workload pages_workloads[];

/* arg.c: the arguments; what is wrong ends the program with EXIT_HARNESS. */

/* Says what failed, and why if errno is set; leaves with EXIT_HARNESS. */
_Noreturn void arg_die(const char *what);

/* argv[i] as a number between 0 and max; fallback where there is none. */
long arg_number(int argc, char **argv, int i, long fallback, long max);

/* The place of argv[i] in words (NULL at its end); 0 where there is none. */
int arg_choice(int argc, char **argv, int i, const char *const words[]);

/* What follows the first "--"; never empty. */
char **arg_command(int argc, char **argv);

/* INT, SIGINT or 2 as a number; 0 for none known. */
int arg_signal(const char *text);

/* The short name of a signal, "INT"; NULL for one without a name here. */
const char *arg_signal_name(int signal);

/* truth.c: what is told to the checker. */

/* Appends "key=value" to the file that TRUTH_OUT names, if any. */
void truth_text(const char *key, const char *value);

void truth_int(const char *key, int64_t value);

/* The same with "prefix" and "key" joined by a dot; no dot without prefix. */
void truth_int_of(const char *prefix, const char *key, int64_t value);

/* The value with its bytes as hexadecimal digits. */
void truth_hex_of(const char *prefix, const char *key, const char *value);

/* self_cpu_ns and children_cpu_ns (waited for) up to now. */
void truth_cpu(const char *prefix);

/* Writes a byte to TRUTH_READY: a descriptor's number, or a file or FIFO. */
void truth_ready(void);

/* Waits for a byte from TRUTH_GO (as above), if it is set. */
void truth_go(void);

/* use.c: to use memory and CPU, and to know how much. */

/* What mapped memory consists of. */
enum use_pages {
    USE_SMALL_PAGES,
    USE_HUGE_PAGES,
};

int64_t use_clock_ns(clockid_t clock);

/* CPU time of this process, of all its threads. */
int64_t use_cpu_ns(void);

int64_t use_rusage_ns(const struct rusage *usage);

/* The time since main began, on CLOCK_MONOTONIC. */
int64_t use_elapsed_ns(void);

/* The absolute time of use_start(). */
int64_t use_start_epoch_ns(void);

/* To be called once, first. */
void use_start(void);

void use_sleep_ms(long ms);

/* Until use_elapsed_ns() has this value. */
void use_sleep_until_ns(int64_t elapsed_ns);

/* Runs until the calling thread has used this much CPU time more. */
void use_burn_ms(long ms);

/* Runs until the process has used this much CPU time since its start. */
void use_burn_to_ns(int64_t process_cpu_ns);

/* Runs until use_elapsed_ns() has this value. */
void use_burn_until_ns(int64_t elapsed_ns);

/* New private memory, every page of it written. */
void *use_memory(size_t bytes, enum use_pages pages);

void use_free(void *memory, size_t bytes);

/* Memory that children share; zeroed. */
void *use_shared(size_t bytes);

/*
 * VmRSS or VmHWM of this process in bytes; -1 when unknown.  Read through the
 * calling thread: the leader's file has neither when the leader has ended.
 */
int64_t use_status_bytes(const char *key);

/*
 * Holds memory, burns CPU, rests, frees; writes pid, touched_bytes,
 * hwm_bytes and the CPU time up to its end.  Where ready is no descriptor
 * (-1) truth_ready() is called when the memory is held, else a byte written.
 */
void use_work(const char *prefix, long mib, long burn_ms, long rest_ms,
              int ready);

/* child.c: processes and how they wait for each other. */

/* Ends this process after a bounded time, by ALRM, or KILL if stopped. */
void child_deadline(void);

/*
 * fork(2) with a deadline for the child; one that is tied ends by KILL when
 * the thread that made it does.
 */
pid_t child_fork(bool tied);

/* Waits for pid; its status, and its rusage where usage is not NULL. */
int child_wait(pid_t pid, struct rusage *usage);

/* A status of wait as a shell has it: 128 + n for a signal. */
int child_exit_status(int status);

/* A close-on-exec pipe. */
void child_pipe(int ends[2]);

void child_tell(int fd);

/* Waits for a byte; false when the other end was closed instead. */
bool child_hear(int fd);

/* stdin, stdout and stderr on /dev/null. */
void child_null_streams(void);

/* SIGCHLD as a careless parent sets it. */
enum child_reaping {
    CHILD_WAITED,
    CHILD_IGNORED,
    CHILD_NOCLDWAIT,
};

void child_set_reaping(enum child_reaping reaping);

/* The path of this program; a buffer of its own, never freed. */
const char *child_self(void);

/*
 * Becomes this program again with the given argv and, in the environment,
 * the words that it shall take for its arguments.
 */
_Noreturn void child_become(const char *path, char *const argv[],
                            const char *words);

#endif
