/* SPDX-License-Identifier: MIT */
/*
 * A program of a few pages and no library: it sleeps for REST_NS and ends with
 * status 0.  What it has is far less than what a child of pmon has before its
 * exec.
 */
#ifndef REST_NS
#define REST_NS 50000000
#endif
#if defined(__x86_64__)
#define CALL(number, first)                            \
    __asm__ volatile("syscall"                         \
                     : "=a"(got)                       \
                     : "a"(number), "D"(first), "S"(0) \
                     : "rcx", "r11", "memory")
enum { SLEEP = 35, EXIT = 231 };
#elif defined(__aarch64__)
#define CALL(number, first)                                                 \
    do {                                                                    \
        register long x8 __asm__("x8") = (number);                          \
        register long x0 __asm__("x0") = (long)(first);                     \
        register long x1 __asm__("x1") = 0;                                 \
        __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory"); \
        got = x0;                                                           \
    } while (0)
enum { SLEEP = 101, EXIT = 94 };
#else
#error "no system calls known for this machine"
#endif

void
_start(void)
{
    long time[2] = {0, REST_NS}; /* seconds, nanoseconds */
    long got;

    CALL(SLEEP, time);
    CALL(EXIT, 0);
    (void)got;
    for (;;)
        ;
}
