/* SPDX-License-Identifier: MIT */
/* Recognises launchers only by name, which other reads return anyway. */
#include "engine/launchers.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "engine/sampler.h"

/*
 * podman is not a launcher: its containers are its descendants, or pmon's
 * orphans.
 */
static const char *const names[] = {
    "docker", "kubectl", "podman-remote", "srun", "ssh", "systemd-run",
};

unsigned
launchers_find(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(name, names[i]) == 0)
            return i + 1;
    return LAUNCHERS_NONE;
}

const char *
launchers_name(unsigned kind)
{
    return kind == LAUNCHERS_NONE ? NULL : names[kind - 1];
}

void
launchers_take(struct sampler *sampler, const struct member *member)
{
    struct launchers *longest = &sampler->launchers;
    int64_t tick_ns = NUM_NS_PER_S / sampler->source->ticks_per_s;
    int64_t lived_ns =
        sampler->boot_ns - num_mul((int64_t)member->start_ticks, tick_ns);

    if (lived_ns >= longest->lived_ns)
        *longest =
            (struct launchers){member->launcher, member->handle.pid, lived_ns};
}

void
launchers_name_again(struct sampler *sampler, struct member *member,
                     const char *name)
{
    member->launcher = member->is_copy ? 0U : launchers_find(name) & 0xFU;
    if (member->launcher == LAUNCHERS_NONE &&
        sampler->launchers.pid == member->handle.pid)
        sampler->launchers = (struct launchers){0};
}
