/* SPDX-License-Identifier: MIT */
/*
 * --live: a status line in the last row of the terminal.  That row does not
 * scroll (DECSTBM), so the output of the step and of pmon scrolls above it.  At
 * the end it is erased.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/message.h"
#include "base/num.h"
#include "record/recorder_state.h"
#include "views/human.h"

enum { LEAST_ROWS = 4, LEAST_COLUMNS = 20 };

static const int64_t every_ns = NUM_NS_PER_S / 4;

#define SAVE "\0337"    /* cursor and colours: DECSC */
#define RESTORE "\0338" /* DECRC */
#define MAKE_ROOM                                               \
    "\033D\033[A" /* scrolls when the cursor is in the last row \
                   */
#define ALL_SCROLLS "\033[r"
#define ERASE "\033[0m\033[K"
#define ERASE_BELOW "\033[0m\033[J"

/* The size of the terminal; false without one, or if another job has it. */
static bool
take_size(struct winsize *window)
{
    return tcgetpgrp(STDERR_FILENO) == getpgrp() &&
           ioctl(STDERR_FILENO, TIOCGWINSZ, window) == 0 &&
           window->ws_row >= LEAST_ROWS && window->ws_col >= LEAST_COLUMNS;
}

void
recorder_live_prepare(struct recorder *recorder)
{
    const char *term = recorder->context->environment("TERM");

    recorder->live_line.is_on = recorder->options.live &&
                                isatty(STDERR_FILENO) && term != NULL &&
                                *term != '\0' && strcmp(term, "dumb") != 0;
}

/* `pmon: 12.3 s  CPU 185 %  RSS 70.9 MiB  peak 80.1 MiB  3 processes` */
static void
append_status(struct strbuf *out, const struct recorder *recorder,
              const struct row *row)
{
    strbuf_puts(out, "pmon: ");
    human_duration(out, row->elapsed_ns);
    strbuf_printf(out, "  CPU %.0f %%  RSS ", row->cpu_percent);
    human_bytes(out, row->rss_bytes);
    strbuf_puts(out, "  peak ");
    human_bytes(out, recorder->live_line.peak_bytes);
    strbuf_printf(out, "  %lld process%s", (long long)row->processes,
                  row->processes == 1 ? "" : "es");
}

/* Removes whole figures from the end until the line fits. */
static void
fit(struct strbuf *status, size_t most)
{
    size_t size = status->size;

    while (size > most) {
        do
            size--;
        while (size > 0 && strncmp(status->text + size, "  ", 2) != 0);
    }
    status->size = size;
    status->text[size] = '\0';
}

/*
 * Lets all rows scroll again, and erases the status line.  After a change of
 * size the terminal has moved or wrapped the line: it is below the cursor.
 */
static void
append_hide(struct strbuf *out, const struct recorder_live *live,
            const struct winsize *window)
{
    if (live->rows == window->ws_row && live->columns == window->ws_col)
        strbuf_printf(out, SAVE ALL_SCROLLS "\033[%d;1H" ERASE RESTORE,
                      live->rows);
    else
        strbuf_puts(out, SAVE ALL_SCROLLS RESTORE ERASE_BELOW RESTORE);
}

void
recorder_live_row(struct recorder *recorder, const struct row *row)
{
    struct recorder_live *live = &recorder->live_line;
    int64_t now_ns;
    struct winsize window;
    STRBUF_AUTO status = {0};
    STRBUF_AUTO out = {0};

    if (!live->is_on || !recorder->is_recording ||
        (recorder_root_has_ended(recorder) && recorder->phase != PHASE_WAITING))
        return;
    live->peak_bytes = num_max(live->peak_bytes, row->rss_bytes);
    now_ns = recorder_monotonic(recorder);
    if (now_ns < live->next_ns || !take_size(&window))
        return;
    live->next_ns = now_ns + every_ns;
    append_status(&status, recorder, row);
    if (status.failed)
        return;
    fit(&status, (size_t)window.ws_col - 1);
    if (live->is_shown &&
        (live->rows != window.ws_row || live->columns != window.ws_col)) {
        append_hide(&out, live, &window);
        live->is_shown = false;
    }
    live->rows = window.ws_row;
    live->columns = window.ws_col;
    if (!live->is_shown)
        strbuf_printf(&out, MAKE_ROOM SAVE "\033[1;%dr" RESTORE,
                      live->rows - 1);
    strbuf_printf(&out, SAVE "\033[%d;1H" ERASE "%s" RESTORE, live->rows,
                  strbuf_text(&status));
    live->is_shown = true;
    message_write(strbuf_text(&out), out.size);
}

void
recorder_live_hide(struct recorder *recorder)
{
    struct recorder_live *live = &recorder->live_line;
    struct winsize window = {.ws_row = (unsigned short)live->rows,
                             .ws_col = (unsigned short)live->columns};
    STRBUF_AUTO out = {0};

    if (!live->is_shown)
        return;
    live->is_shown = false;
    if (tcgetpgrp(STDERR_FILENO) != getpgrp() && tcgetpgrp(STDERR_FILENO) > 0 &&
        !recorder_root_has_ended(recorder))
        return;
    ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
    append_hide(&out, live, &window);
    message_write(strbuf_text(&out), out.size);
}
