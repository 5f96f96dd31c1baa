/* SPDX-License-Identifier: MIT */
/* One phrase for a peak, in closing lines, pictures, charts and legends. */
#ifndef PMON_VIEWS_PEAK_WORDS_H
#define PMON_VIEWS_PEAK_WORDS_H

#include <stdint.h>

#include "base/strbuf.h"
#include "model/recording.h"
#include "model/run.h"

/*
 * Appends `44.2 MiB (exact)`, `at least 44.2 MiB`, or `between 44.2 MiB and
 * 50.0 MiB`; upper_bytes may be NUM_UNKNOWN.
 */
void peak_words(struct strbuf *out, int64_t lower_bytes, int64_t upper_bytes,
                enum word word);

/*
 * Appends `peak ` and the phrase, or `largest row 44.2 MiB` if the peak is
 * known only from rows; nothing if it is unknown.
 */
void peak_words_recording(struct strbuf *out,
                          const struct recording *recording);

#endif
