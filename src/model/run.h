/* SPDX-License-Identifier: MIT */
/*
 * A run: all that is known about a step, measured now or read from a summary or
 * a log.  The engine fills it, formats write and read it, views show it.  Plain
 * data that owns its memory.
 *
 * Unknown values are NUM_UNKNOWN (integers), NAN (percentages), 0 (choices)
 * or NULL (texts), never 0 for a number.  model/run_fields.h lists every
 * scalar once, with its key and unit.
 */
#ifndef PMON_MODEL_RUN_H
#define PMON_MODEL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/budgets.h"
#include "model/regions.h"
#include "model/row.h"
#include "model/timeline.h"

/* How exact a figure is. */
enum word { WORD_UNKNOWN, WORD_EXACT, WORD_BETWEEN, WORD_AT_LEAST };

/* Where the peak was seen. */
enum peak_source {
    PEAK_SOURCE_UNKNOWN,
    PEAK_SAMPLED,
    PEAK_HIGH_WATER_MARK,
    PEAK_RUSAGE,
};

/* How the run ended. */
enum reason {
    REASON_UNKNOWN,
    REASON_RUNNING,
    REASON_EXITED,
    REASON_SIGNALED,
    REASON_NOT_FOUND,
    REASON_NOT_EXECUTABLE,
    REASON_MAX_TIME,
    REASON_MAX_RSS,
    REASON_MAX_CPU_TIME,
    REASON_MIN_FREE,
    REASON_DETACHED,
    REASON_LOST, /* of a reader: pmon was killed; never written */
};

/* Whose memory limit is in force. */
enum limit_source { LIMIT_SOURCE_UNKNOWN, LIMIT_OF_HOST, LIMIT_OF_CGROUP };

/* The command of the step, and its job. */
struct run_command {
    char **argv; /* NULL-terminated, or NULL */
    char *cwd;
    char *step;
    char *rank;
    int64_t tasks; /* of the launcher that gave the rank */
    char *job;
    char *array_index;
    char *job_step; /* of Slurm */
    int64_t pid;
};

/* A tag of --tag; tags are in the order of the first of each name. */
struct run_tag {
    char *name;
    char *value; /* hostile */
};

enum { RUN_TAGS = 32 }; /* the most tags of a run */

struct run_tags {
    struct run_tag *list;
    size_t count;
    size_t allocated;
};

struct run_host {
    char *name;
    char *kernel;
    char *cpu_model;
    int64_t cores;
    int64_t mem_total_bytes;
    int64_t mem_available_min_bytes;
};

/* The process that records the run, to recognise a run that was lost. */
struct run_monitor {
    int64_t pid;
    int64_t start_ticks;   /* since boot, as in proc_pid_stat(5) */
    int64_t pid_namespace; /* the inode of /proc/self/ns/pid */
    char *boot_id;
};

struct run_outcome {
    enum reason reason;
    int64_t exit_status; /* of the step */
    int64_t signal;      /* that ended the step */
    int64_t pmon_status;
    int64_t survivors;
};

struct run_time {
    int64_t start_epoch_ns;
    int64_t wall_ns;
    int64_t suspended_ns;
};

struct run_cpu {
    int64_t user_ns;
    int64_t system_ns;
    int64_t total_ns;
    enum word total_word;
    double mean_percent; /* 100 = one core */
    double max_percent;
};

struct run_memory {
    int64_t peak_rss_bytes; /* the lower bound */
    int64_t peak_rss_upper_bytes;
    enum word peak_rss_word;
    enum peak_source peak_rss_source;
    int64_t peak_rss_elapsed_ns;
    int64_t peak_rss_processes;
    int64_t peak_rss_shared_counted; /* 1: shared pages count several times */
    int64_t peak_rss_without_copies_bytes;
    int64_t sampled_peak_rss_bytes;
    int64_t largest_process_rss_bytes;
    int64_t mean_rss_bytes; /* of a log, weighted by time */
    int64_t peak_vms_bytes;
    int64_t peak_pss_bytes;
    enum word peak_pss_word;
    int64_t peak_pss_anon_bytes; /* the three parts of PSS */
    int64_t peak_pss_file_bytes;
    int64_t peak_pss_shmem_bytes;
    int64_t pss_unreadable; /* processes, the most in one read */
    int64_t peak_swap_bytes;
    int64_t cgroup_peak_bytes;
    enum word cgroup_peak_word;
    char *cgroup_note; /* result of --exact; NULL: not requested */
    int64_t limit_bytes;
    enum limit_source limit_source;
    int64_t oom_kills;
};

struct run_processes {
    int64_t seen;
    int64_t max_alive;
    int64_t max_threads;
};

/* A process that was alive at the peak. */
struct run_process {
    int64_t pid;
    char *name;    /* hostile, as the next */
    char *command; /* NULL: unknown */
    int64_t rss_bytes;
    int64_t age_ns;
};

struct run_at_peak {
    struct run_process *list; /* the largest processes, largest first */
    size_t count;
    int64_t others; /* processes that are not in the list */
    int64_t others_rss_bytes;
};

/* The subject of a row of by_command. */
enum command_kind {
    COMMAND_NAMED,
    COMMAND_OTHERS,    /* commands beyond the largest */
    COMMAND_UNSAMPLED, /* use that no sample saw */
    COMMAND_KINDS,
};

/* The use of all processes of one command. */
struct run_command_use {
    enum command_kind kind;
    char *command; /* hostile; NULL: no single command */
    int64_t count; /* processes; one that execs counts for each command */
    int64_t cpu_ns;
    int64_t largest_rss_bytes; /* of one process */
    int64_t peak_rss_bytes;    /* of all at one moment */
    int64_t first_ns;          /* when it was seen, since the start */
    int64_t last_ns;
};

struct run_by_command {
    struct run_command_use *list; /* largest CPU time first; adds up to it */
    size_t count;
};

struct run_io {
    int64_t read_bytes;
    int64_t write_bytes;
    int64_t read_calls;
    int64_t write_calls;
    int64_t minor_faults;
    int64_t major_faults;
    enum word word; /* of all figures here */
};

/* The source of the pressure. */
enum pressure_source {
    PRESSURE_SOURCE_UNKNOWN,
    PRESSURE_OF_HOST,
    PRESSURE_OF_CGROUP,
};

/* What slowed the step down. */
struct run_load {
    double cpus_allowed;    /* by affinity and quota */
    double cpu_quota_cores; /* NAN: none */
    int64_t throttled_ns;   /* summed over processors */
    int64_t throttled_periods;
    int64_t pressure_cpu_ns; /* in which some task waited */
    int64_t pressure_memory_ns;
    int64_t pressure_io_ns;
    enum pressure_source pressure_source;
    int64_t steal_ns;           /* of the machine, summed over processors */
    int64_t voluntary_switches; /* it waited for something */
    int64_t involuntary_switches;
};

/* Paths as given; NULL if not requested. */
struct run_files {
    char *log;
    char *log_format; /* plain, csv or jsonl */
    char *processes;
    char *profile;
    char *plot;
    char *regions;
};

/* How well the run was sampled, and pmon's own cost. */
struct run_quality {
    int64_t interval_ns; /* NUM_UNKNOWN: auto */
    int64_t achieved_interval_ns;
    int64_t longest_gap_ns;
    int64_t rows;
    int64_t missed_ticks;
    int64_t skipped_processes;
    int64_t unsampled_processes;
    int64_t impossible_cpu_rows;
    int64_t monitor_cpu_ns;
    int64_t monitor_peak_rss_bytes;
};

/* The curve of a run: count points, each array of that length. */
struct run_series {
    int64_t *elapsed_ns;
    double *cpu_percent; /* NAN: unknown */
    double *rss_bytes;
    size_t count;
};

struct run {
    char *file;         /* the file that it was read from; NULL: measured now */
    int64_t impossible; /* values of that file that no figure can have */
    bool has_twin;      /* other runs have the same name */
    struct run_command command;
    struct run_tags tags;
    struct run_host host;
    struct run_monitor monitor;
    struct run_outcome outcome;
    struct run_time time;
    struct run_cpu cpu;
    struct run_memory memory;
    struct run_processes processes;
    struct run_at_peak at_peak;
    struct run_by_command by_command;
    struct run_io io;
    struct run_load load;
    struct region_stats *regions; /* region_count of them */
    size_t region_count;
    struct budgets budgets;
    struct run_files files;
    struct run_quality quality;
    struct run_series series;
    /* The row of the largest RSS; the last of equal ones, as in psrecord. */
    struct row peak_row;
};

/* Nothing is known yet: the state of a step that was not started. */
void run_init(struct run *run);

/* Frees what the run owns; a run of zeros is accepted. */
void run_done(struct run *run);

/* Replaces a text by a copy; NULL makes it unknown.  0 or -ENOMEM. */
int run_set_text(char **where, const char *text);

/* The same for a list that ends with NULL; list NULL makes it unknown. */
int run_set_texts(char ***where, char *const *list);

/*
 * The length of the name of a tag at text: letters, digits, `_`, `-` and `.`,
 * at most 64, beginning with a letter or `_`; 0 for none.
 */
size_t run_tag_name_size(const char *text);

/* The value of a tag; NULL: the run has none of that name. */
const char *run_tag(const struct run *run, const char *name);

/* Copies a tag; a value of the same name is replaced.  0 or -ENOMEM. */
int run_set_tag(struct run *run, const char *name, const char *value);

/* Names the run by its number, from 1, in a file that has several. */
int run_set_number(struct run *run, int64_t number);

/* Frees the list: the processes at the peak are unknown. */
void run_at_peak_reset(struct run_at_peak *at_peak);

/* The name of a kind in a summary; the kind of a name, or -1. */
const char *run_command_kind_name(enum command_kind kind);
int run_command_kind_find(const char *name);

/* Whether more than one command has run. */
bool run_has_commands(const struct run *run);

/* Frees the list: the use by command is unknown. */
void run_by_command_reset(struct run_by_command *by_command);

/* Copies the statistics of regions.  0 or -ENOMEM. */
int run_take_regions(struct run *run, const struct regions *regions);

/* Room for count points, all unknown.  0 or -ENOMEM. */
int run_series_resize(struct run_series *series, size_t count);

/* The name of the step, or else the base name of the file; "" for neither. */
const char *run_name(const struct run *run);

/*
 * Appends `rank 3, array task 7, job 991`, as far as they are known; the rank
 * of the only task is left out.  Hostile text.
 */
void run_job_words(struct strbuf *out, const struct run *run);

/* `sim, rank 3, job 991`; hostile text. */
void run_title(struct strbuf *out, const struct run *run);

/* Runs in the order in which they were read. */
struct run_list {
    struct run *list;
    size_t count;
    size_t allocated;
};

/* A new run at the end of the list, initialised; NULL without memory. */
struct run *run_list_add(struct run_list *runs);

/* Removes the last run. */
void run_list_drop(struct run_list *runs);

void run_list_done(struct run_list *runs);

/*
 * The curve of a run while it is made: slots by time, each with the largest
 * RSS, and the largest CPU %.
 */
struct series {
    struct timeline rss_bytes;
    struct timeline cpu_percent;
};

/* width_ns is the expected interval of rows. */
void series_init(struct series *series, int64_t width_ns);
void series_done(struct series *series);

/* 0 or -ENOMEM, with the row left out. */
int series_push(struct series *series, const struct row *row);

/* Replaces the points of a run.  0 or -ENOMEM. */
int series_take(const struct series *series, struct run_series *ret_series);

#endif
