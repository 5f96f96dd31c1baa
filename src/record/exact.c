/* SPDX-License-Identifier: MIT */
/*
 * --exact: the step's own control group, its figures, and a message that says
 * which figures are missing and what would help.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "proc/source.h"
#include "record/recorder_state.h"

static const int64_t members_every_ns = NUM_NS_PER_S;

void
recorder_look_around(struct recorder *recorder)
{
    if (recorder->looked_ns != 0)
        return;
    recorder->looked_ns = recorder_monotonic(recorder);
    host_look(&recorder->host);
    cgroup_place_init(&recorder->place, recorder->options.attach_pid);
    recorder->oom_kills = cgroup_oom_kills(&recorder->place);
    if (recorder->options.attach_pid != 0)
        recorder->limit_bytes = cgroup_memory_limit(&recorder->place);
    /*
     * A step starts with pmon's affinity.  Without memory the load is unknown.
     */
    load_init(&recorder->load, &recorder->place, recorder->options.attach_pid,
              "/proc");
}

/* Whether the user has a systemd that could make a delegated group. */
static bool
has_manager(const struct recorder *recorder)
{
    const char *folder = recorder->context->environment("XDG_RUNTIME_DIR");
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

/* Appends a command that works here, if there is one. */
static void
append_way_out(const struct recorder *recorder, struct strbuf *text)
{
    if (recorder->exact.leaf.missing == CGROUP_MISSING_PLACE)
        strbuf_puts(text, "; start pmon as its only process");
    else if (recorder->place.unified != NULL &&
             is_service(recorder->place.unified))
        strbuf_puts(text, "; add Delegate=yes to that unit");
    else if (has_manager(recorder))
        strbuf_printf(text,
                      "; use systemd-run %s--scope -p Delegate=yes pmon "
                      "--exact -- COMMAND",
                      geteuid() == 0 ? "" : "--user ");
}

/* Appends which figure is missing, why, and how to get it. */
static void
append_missing(const struct recorder *recorder, struct strbuf *text)
{
    const char *group = recorder->place.unified;

    if (recorder->exact.leaf.missing == CGROUP_MISSING_NOTHING)
        return;
    strbuf_puts(text, "; charged memory is unknown: ");
    switch (recorder->exact.leaf.missing) {
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
                      error_name(recorder->exact.leaf.missing_rc));
        break;
    }
    append_way_out(recorder, text);
}

void
recorder_exact_begin(struct recorder *recorder)
{
    STRBUF_AUTO text = {0};
    struct error error = {0};
    int rc;

    if (!recorder->options.exact)
        return;
    recorder_look_around(recorder);
    rc = cgroup_leaf_init(&recorder->exact.leaf, &recorder->place, &error);
    if (rc == 0) {
        rc = cgroup_leaf_enter(&recorder->exact.leaf, &recorder->place,
                               recorder->child.pid);
        if (rc < 0) {
            error_set(&error, rc, "the step cannot enter its control group: %s",
                      error_name(rc));
            cgroup_leaf_remove(&recorder->exact.leaf, &recorder->place, NULL);
        }
    }
    if (rc < 0) {
        strbuf_printf(&text, "%s; figures are those without --exact",
                      error.text);
        append_way_out(recorder, &text);
    } else {
        strbuf_printf(&text, "the step ran in its own control group%s",
                      recorder->exact.leaf.cpu_fd >= 0
                          ? ", which counted the CPU of every process"
                          : "");
        append_missing(recorder, &text);
    }
    snprintf(recorder->exact.note, sizeof(recorder->exact.note), "%s",
             strbuf_text(&text));
}

/*
 * A member that the group does not list has left the group, or has ended since
 * the list was read.
 */
static void
look_for_leavers(struct recorder *recorder)
{
    const struct tree *tree = &recorder->measure.sampler.tree;
    struct proc_stat stat;

    for (size_t i = 0; i < tree->count && !recorder->exact.has_left_group;
         i++) {
        const struct member *member = tree->list[i];

        if (!member->in_group && sampler_is_counted(member))
            recorder->exact.has_left_group =
                !cgroup_leaf_holds(&recorder->exact.leaf, member->handle.pid) &&
                proc_look(&recorder->live.source, member->handle.pid, &stat) &&
                stat.start_ticks == member->start_ticks &&
                !proc_has_ended(&stat);
    }
}

void
recorder_exact_take(struct recorder *recorder, int64_t now_ns)
{
    STRBUF_AUTO pids = {0};
    struct cgroup_cpu cpu;

    if (recorder->exact.leaf.cpu_fd >= 0) {
        cgroup_leaf_cpu(&recorder->exact.leaf, &cpu);
        measure_take_cgroup_cpu(&recorder->measure, &cpu);
    }
    if (now_ns < recorder->exact.members_at_ns ||
        cgroup_leaf_pids(&recorder->exact.leaf, &pids) < 0)
        return;
    recorder->exact.members_at_ns = now_ns + members_every_ns;
    measure_take_cgroup_members(&recorder->measure, strbuf_text(&pids));
    look_for_leavers(recorder);
}

void
recorder_exact_fill(struct recorder *recorder)
{
    static const char has_left_note[] =
        "the step ran in its own control group; a process has left it, and "
        "its usage elsewhere is not counted";
    struct run_memory *memory = &recorder->run.memory;
    /* The CPU time shows only who has left the hierarchy that counts it. */
    bool has_left_cpu = recorder->exact.leaf.unified != NULL &&
                        measure_has_left_cgroup(&recorder->measure);

    if (recorder->exact.note[0] == '\0')
        return;
    memory->oom_kills = num_max(memory->oom_kills,
                                cgroup_leaf_oom_kills(&recorder->exact.leaf));
    memory->cgroup_peak_bytes = cgroup_leaf_memory_peak(&recorder->exact.leaf);
    memory->cgroup_peak_word = WORD_EXACT;
    if (recorder->exact.has_left_group || has_left_cpu)
        memcpy(recorder->exact.note, has_left_note, sizeof(has_left_note));
    if (recorder->exact.has_left_group ||
        (has_left_cpu && recorder->exact.leaf.memory == NULL)) {
        memory->cgroup_peak_word = WORD_AT_LEAST;
        if (memory->oom_kills == 0)
            memory->oom_kills = NUM_UNKNOWN;
    }
    if (memory->cgroup_peak_bytes == NUM_UNKNOWN)
        memory->cgroup_peak_word = WORD_UNKNOWN;
}

void
recorder_exact_end(struct recorder *recorder)
{
    struct error error = {0};

    if (cgroup_leaf_remove(&recorder->exact.leaf, &recorder->place, &error) < 0)
        recorder_say(recorder, "%s", error.text);
}
