/* SPDX-License-Identifier: MIT */
/*
 * Numbers of system calls that are younger than some C libraries; the same on
 * all machines (arch/x86/entry/syscalls/syscall_64.tbl and its like).
 */
#ifndef PMON_BASE_SYSCALLS_H
#define PMON_BASE_SYSCALLS_H

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424 /* Linux 5.1 */
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* Linux 5.3 */
#endif
#ifndef SYS_clone3
#define SYS_clone3 435 /* Linux 5.3 */
#endif

/* clone3(2)'s struct clone_args of Linux 5.5; before, the end must be 0. */
struct clone3_args {
    uint64_t flags;
    uint64_t pidfd; /* int *, where CLONE3_PIDFD is set */
    uint64_t child_tid;
    uint64_t parent_tid;
    uint64_t exit_signal;
    uint64_t stack;
    uint64_t stack_size;
    uint64_t tls;
    uint64_t set_tid;
    uint64_t set_tid_size;
};

#define CLONE3_PIDFD UINT64_C(0x1000) /* CLONE_PIDFD of linux/sched.h */

#endif
