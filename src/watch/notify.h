/* SPDX-License-Identifier: MIT */
/*
 * Notifies the service manager as sd_notify(3) does, one datagram per message,
 * without a library.
 */
#ifndef PMON_WATCH_NOTIFY_H
#define PMON_WATCH_NOTIFY_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/error.h"

struct notify {
    int fd; /* -1: no service manager listens */
    struct sockaddr_un address;
    socklen_t address_size;
    int64_t
        watchdog_ns; /* time between signs of life; NUM_UNKNOWN: no watchdog */
};

/*
 * Reads NOTIFY_SOCKET, a path or @ and an abstract name, WATCHDOG_USEC and
 * WATCHDOG_PID. 0, or a negative errno with error; then nothing is sent.
 */
int notify_init(struct notify *notify,
                const char *(*environment)(const char *name),
                struct error *error);
void notify_done(struct notify *notify);

/* Sends lines NAME=VALUE; no error if the manager does not listen. */
void notify_send(const struct notify *notify, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
