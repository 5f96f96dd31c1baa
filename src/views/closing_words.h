/* SPDX-License-Identifier: MIT */
/*
 * The lines that pmon prints on stderr after a run: at most eight, each
 * beginning with `pmon:`, for people and for a CI log.
 */
#ifndef PMON_VIEWS_CLOSING_WORDS_H
#define PMON_VIEWS_CLOSING_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/run.h"
#include "model/survivors.h"

struct closing_facts {
    const char *name; /* step or command; hostile */
    bool is_quiet;    /* reports only survivors */
    bool is_verbose;
    int64_t root_ns;       /* from the start to the end of the root */
    int64_t recorded_ns;   /* from the start to the last row */
    const char *log;       /* NULL: none was asked for */
    bool log_failed;       /* it is not whole; said already */
    int64_t log_rows;      /* written */
    const char *processes; /* NULL: not asked for */
    bool processes_failed;
    const char *profile; /* the block was appended to it */
    const char *summary; /* NULL: none */
    const char *plot;    /* NULL: none was drawn */
    bool has_blocks;     /* where this is read, Unicode is shown */
    int columns;         /* of the window; 0: none */
    const struct survivors *survivors;
    const struct survivors *ended; /* processes to be ended; NULL: none */
    const char *exact_note;        /* NULL: --exact was not asked for */
    int64_t mem_total_bytes;       /* of the machine */
};

void closing_words(struct strbuf *out, const struct run *run,
                   const struct closing_facts *facts);

#endif
