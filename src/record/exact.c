/* SPDX-License-Identifier: MIT */
/*
 * --exact: the step's own control group, what it tells, and in words what it
 * cannot tell and what would help.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "record/recorder_state.h"
#include "base/message.h"
#include "proc/look.h"

static const int64_t members_every_ns = NUM_NS_PER_S;

void
run_look_around(struct run *run)
{
    if (run->has_looked)
        return;
    run->has_looked = true;
    host_look(&run->host);
    cgroup_place_init(&run->place, run->options.attach_pid);
    run->oom_kills = cgroup_oom_kills(&run->place);
}

/* Whether the user has a systemd that could make a delegated group. */
static bool
has_manager(const struct run *run)
{
    const char *folder = run->context->environment("XDG_RUNTIME_DIR");
    STRBUF_AUTO path = {0};

    if (geteuid() == 0)
        return access("/run/systemd/system", F_OK) == 0;
    if (folder == NULL)
        return false;
    strbuf_printf(&path, "%s/systemd/private", folder);
    return access(strbuf_text(&path), F_OK) == 0;
}

static bool
is_service(const char *group)
{
    static const char type[] = ".service";
    size_t size = strlen(group);

    return size >= sizeof(type) - 1 &&
           strcmp(group + size - (sizeof(type) - 1), type) == 0;
}

/* A way out that works here, if there is one. */
static void
append_way_out(const struct run *run, struct strbuf *text)
{
    if (run->leaf.missing == CGROUP_MISSING_PLACE)
        strbuf_puts(text, "; start pmon as its only process");
    else if (run->place.unified != NULL && is_service(run->place.unified))
        strbuf_puts(text, "; add Delegate=yes to that unit");
    else if (has_manager(run))
        strbuf_printf(text,
                      "; use systemd-run %s--scope -p Delegate=yes pmon "
                      "--exact -- COMMAND",
                      geteuid() == 0 ? "" : "--user ");
}

/* Which figure is missing, why, and how to get it. */
static void
append_missing(const struct run *run, struct strbuf *text)
{
    const char *group = run->place.unified;

    if (run->leaf.missing == CGROUP_MISSING_NOTHING)
        return;
    strbuf_puts(text, "; charged memory is not known: ");
    switch (run->leaf.missing) {
    case CGROUP_MISSING_NOTHING:
        break;
    case CGROUP_MISSING_DELEGATION:
        strbuf_printf(text, "%s is not delegated", group);
        break;
    case CGROUP_MISSING_CONTROLLER:
        strbuf_printf(text, "%s has no memory controller",
                      group != NULL ? group : "cgroup version 1");
        break;
    case CGROUP_MISSING_PLACE:
        strbuf_printf(text, "%s holds processes other than pmon", group);
        break;
    case CGROUP_MISSING_PEAK:
        strbuf_puts(text, "memory.peak needs Linux 5.19");
        return;
    case CGROUP_MISSING_OTHER:
        strbuf_printf(text, "memory cannot be enabled in %s: %s", group,
                      error_name(run->leaf.missing_rc));
        break;
    }
    append_way_out(run, text);
}

void
run_exact_begin(struct run *run)
{
    STRBUF_AUTO text = {0};
    struct error error = {0};
    int rc;

    if (!run->options.exact)
        return;
    run_look_around(run);
    rc = cgroup_leaf_init(&run->leaf, &run->place, &error);
    if (rc == 0) {
        rc = cgroup_leaf_enter(&run->leaf, &run->place, run->child.pid);
        if (rc < 0) {
            error_set(&error, rc, "the step cannot enter its group: %s",
                      error_name(rc));
            cgroup_leaf_remove(&run->leaf, &run->place, NULL);
        }
    }
    if (rc < 0) {
        strbuf_printf(&text, "%s; figures as without --exact", error.text);
        append_way_out(run, &text);
    } else {
        strbuf_printf(&text, "own control group%s",
                      run->leaf.cpu_fd >= 0 ? ": CPU of every process" : "");
        append_missing(run, &text);
    }
    snprintf(run->exact_note, sizeof(run->exact_note), "%s",
             strbuf_text(&text));
}

/*
 * A member that the group does not list has left it, or has ended since the
 * list was read.
 */
static void
look_for_leavers(struct run *run)
{
    const struct members *members = &run->measure.sampler.members;
    struct proc_stat stat;

    for (size_t i = 0; i < members->count && !run->has_left_group; i++) {
        const struct member *member = members->list[i];

        if (!member->in_group && sampler_is_counted(member))
            run->has_left_group =
                !cgroup_leaf_holds(&run->leaf, member->handle.pid) &&
                proc_look(&run->live.source, member->handle.pid, &stat) &&
                stat.start_ticks == member->start_ticks &&
                !proc_has_ended(&stat);
    }
}

void
run_exact_take(struct run *run, int64_t now_ns)
{
    STRBUF_AUTO pids = {0};
    struct cgroup_cpu cpu;

    if (run->leaf.cpu_fd >= 0) {
        cgroup_leaf_cpu(&run->leaf, &cpu);
        measure_take_cgroup_cpu(&run->measure, &cpu);
    }
    if (now_ns < run->members_at_ns || cgroup_leaf_pids(&run->leaf, &pids) < 0)
        return;
    run->members_at_ns = now_ns + members_every_ns;
    measure_take_cgroup_members(&run->measure, strbuf_text(&pids));
    look_for_leavers(run);
}

void
run_exact_fill(struct run *run)
{
    static const char has_left_note[] =
        "own control group; a process of the step has left it, and what it "
        "uses elsewhere is not counted";
    struct summary_memory *memory = &run->summary.memory;
    /* Time tells of the hierarchy that the CPU comes from. */
    bool has_left_cpu =
        run->leaf.unified != NULL && measure_has_left_cgroup(&run->measure);

    if (run->exact_note[0] == '\0')
        return;
    memory->oom_kills =
        num_max(memory->oom_kills, cgroup_leaf_oom_kills(&run->leaf));
    memory->cgroup_peak_bytes = cgroup_leaf_memory_peak(&run->leaf);
    memory->cgroup_peak_word = WORD_EXACT;
    if (run->has_left_group || has_left_cpu)
        memcpy(run->exact_note, has_left_note, sizeof(has_left_note));
    if (run->has_left_group || (has_left_cpu && run->leaf.memory == NULL)) {
        memory->cgroup_peak_word = WORD_AT_LEAST;
        if (memory->oom_kills == 0)
            memory->oom_kills = NUM_UNKNOWN;
    }
    memory->cgroup_note = run->exact_note;
}

void
run_exact_end(struct run *run)
{
    struct error error = {0};

    if (cgroup_leaf_remove(&run->leaf, &run->place, &error) < 0)
        say("%s", error.text);
}
