/* SPDX-License-Identifier: MIT */
/* Units and digits for people; pure functions. */
#include "views/human.h"

#include <signal.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"

void
human_bytes(struct strbuf *out, int64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;

    if (bytes < 1024) {
        strbuf_printf(out, "%lld B", (long long)bytes);
        return;
    }
    while (value >= 999.5 && unit + 1 < ARRAY_SIZE(units)) {
        value /= 1024;
        unit++;
    }
    strbuf_printf(out, "%.*f %s",
                  value < 9.995   ? 2
                  : value < 99.95 ? 1
                                  : 0,
                  value, units[unit]);
}

/* Below a tenth of a second: three digits at most, in ns, µs or ms. */
static void
human_short(struct strbuf *out, int64_t ns)
{
    double us = (double)ns / 1e3;

    if (ns == 0)
        strbuf_puts(out, "0 s");
    else if (ns < 1000)
        strbuf_printf(out, "%lld ns", (long long)ns);
    else if (us < 999.5)
        strbuf_printf(out, "%.*f \xC2\xB5s", us < 99.95 ? 1 : 0, us);
    else
        strbuf_printf(out, "%.*f ms", us < 9950 ? 1 : 0, us / 1e3);
}

void
human_duration(struct strbuf *out, int64_t ns)
{
    double seconds = num_seconds(ns);
    int64_t whole = (ns + NUM_NS_PER_S / 2) / NUM_NS_PER_S;
    int64_t tenths = (ns + 50 * NUM_NS_PER_MS) / (100 * NUM_NS_PER_MS);

    if (ns >= 0 && ns < 99500000)
        human_short(out, ns);
    else if (ns < 995 * NUM_NS_PER_MS)
        strbuf_printf(out, "%.2f s", seconds);
    else if (tenths < 600)
        strbuf_printf(out, "%.1f s", seconds);
    else if (tenths < 36000)
        strbuf_printf(out, "%lld min %lld.%lld s", (long long)tenths / 600,
                      (long long)(tenths % 600) / 10, (long long)tenths % 10);
    else
        strbuf_printf(out, "%lld h %lld min %lld s", (long long)whole / 3600,
                      (long long)(whole % 3600) / 60, (long long)whole % 60);
}

/* Not sigabbrev_np(3), which only glibc 2.32 and newer have. */
static const char *const signal_names[] = {
    [SIGHUP] = "HUP",       [SIGINT] = "INT",       [SIGQUIT] = "QUIT",
    [SIGILL] = "ILL",       [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT",
    [SIGBUS] = "BUS",       [SIGFPE] = "FPE",       [SIGKILL] = "KILL",
    [SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV",     [SIGUSR2] = "USR2",
    [SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM",     [SIGTERM] = "TERM",
    [SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD",     [SIGCONT] = "CONT",
    [SIGSTOP] = "STOP",     [SIGTSTP] = "TSTP",     [SIGTTIN] = "TTIN",
    [SIGTTOU] = "TTOU",     [SIGURG] = "URG",       [SIGXCPU] = "XCPU",
    [SIGXFSZ] = "XFSZ",     [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF",
    [SIGWINCH] = "WINCH",   [SIGPOLL] = "POLL",     [SIGPWR] = "PWR",
    [SIGSYS] = "SYS",
};

void
human_signal(struct strbuf *out, int number)
{
    const int known = (int)(sizeof(signal_names) / sizeof(*signal_names));

    if (number > 0 && number < known && signal_names[number] != NULL)
        strbuf_puts(out, signal_names[number]);
    else
        strbuf_printf(out, "%d", number);
}

void
human_peak(struct strbuf *out, int64_t lower_bytes, int64_t upper_bytes,
           enum word word)
{
    if (word == WORD_BETWEEN && upper_bytes != NUM_UNKNOWN) {
        strbuf_puts(out, "between ");
        human_bytes(out, lower_bytes);
        strbuf_puts(out, " and ");
        human_bytes(out, upper_bytes);
        return;
    }
    if (word == WORD_AT_LEAST)
        strbuf_puts(out, "at least ");
    human_bytes(out, lower_bytes);
    if (word == WORD_EXACT)
        strbuf_puts(out, " (exact)");
}

void
human_peak_recording(struct strbuf *out, const struct recording *recording)
{
    if (recording->peak_bytes == NUM_UNKNOWN)
        return;
    strbuf_puts(out, recording->peak_word != WORD_UNKNOWN ? "peak "
                                                          : "largest row ");
    human_peak(out, recording->peak_bytes, recording->peak_upper_bytes,
               recording->peak_word);
}
