/* SPDX-License-Identifier: MIT */
/* Figures as people read them. */
#ifndef PMON_VIEWS_HUMAN_H
#define PMON_VIEWS_HUMAN_H

#include <stdint.h>

#include "base/strbuf.h"
#include "model/recording.h"
#include "model/run.h"

/* `512 B`, `44.2 MiB`, `3.12 GiB`: three digits, powers of 1024. */
void human_bytes(struct strbuf *out, int64_t bytes);

/* `4.2 ms`, `0.53 s`, `12.3 s`, `2 min 3.4 s`, `1 h 2 min 3 s`. */
void human_duration(struct strbuf *out, int64_t ns);

/* `KILL` for 9; the number where it has no name. */
void human_signal(struct strbuf *out, int number);

/*
 * Appends `44.2 MiB (exact)`, `at least 44.2 MiB`, or `between 44.2 MiB and
 * 50.0 MiB`; upper_bytes may be NUM_UNKNOWN.
 */
void human_peak(struct strbuf *out, int64_t lower_bytes, int64_t upper_bytes,
                enum word word);

/*
 * Appends `peak ` and the phrase, or `largest row 44.2 MiB` if the peak is
 * known only from rows; nothing if it is unknown.
 */
void human_peak_recording(struct strbuf *out,
                          const struct recording *recording);

#endif
