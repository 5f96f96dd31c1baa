/* SPDX-License-Identifier: MIT */
/* Datagrams to NOTIFY_SOCKET. */
#include "watch/notify.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"

/* Half of the manager's timeout, as sd_watchdog_enabled(3) advises. */
static int64_t
watchdog_interval(const char *(*environment)(const char *name))
{
    const char *usec = environment("WATCHDOG_USEC");
    const char *whose = environment("WATCHDOG_PID");
    uint64_t value;
    int pid;

    if (whose != NULL && (num_parse_pid(whose, &pid) < 0 || pid != getpid()))
        return NUM_UNKNOWN;
    if (usec == NULL || num_parse_u64(usec, &value) < 0 || value == 0 ||
        value > INT64_MAX / NUM_NS_PER_US)
        return NUM_UNKNOWN;
    return num_max((int64_t)value * NUM_NS_PER_US / 2, NUM_NS_PER_MS);
}

int
notify_init(struct notify *notify, const char *(*environment)(const char *name),
            struct error *error)
{
    const char *path = environment("NOTIFY_SOCKET");
    struct timeval patience = {.tv_sec = 2};
    size_t size = path != NULL ? strlen(path) : 0;

    *notify = (struct notify){.fd = -1, .watchdog_ns = NUM_UNKNOWN};
    if (size == 0)
        return 0;
    if ((path[0] != '/' && path[0] != '@') || size < 2 ||
        size >= sizeof(notify->address.sun_path))
        return error_set(
            error, -EINVAL,
            "NOTIFY_SOCKET=%.200s: must be an absolute path, or @ and "
            "a name, of up to %zu bytes",
            path, sizeof(notify->address.sun_path) - 1);
    notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (notify->fd < 0)
        return error_set(error, -errno, "NOTIFY_SOCKET=%.200s: %s", path,
                         error_name(errno));
    setsockopt(notify->fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
               sizeof(patience));
    notify->address.sun_family = AF_UNIX;
    memcpy(notify->address.sun_path, path, size);
    if (path[0] == '@')
        notify->address.sun_path[0] = '\0';
    notify->address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
                                       size + (path[0] == '/' ? 1 : 0));
    notify->watchdog_ns = watchdog_interval(environment);
    return 0;
}

void
notify_done(struct notify *notify)
{
    cleanup_close(&notify->fd);
}

void
notify_send(const struct notify *notify, const char *format, ...)
{
    char text[2048];
    va_list args;

    if (notify->fd < 0)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    sendto(notify->fd, text, strlen(text), MSG_NOSIGNAL,
           (const struct sockaddr *)&notify->address, notify->address_size);
}
