/* SPDX-License-Identifier: MIT */
/* The peak of a drawn run, with its word. */
#ifndef PMON_VIEWS_PEAK_WORDS_H
#define PMON_VIEWS_PEAK_WORDS_H

#include "base/strbuf.h"
#include "model/recording.h"

/*
 * `peak at least 70.9 MiB`, `peak 1.20 GiB (exact)`; of a bare log, which
 * knows its rows alone, `largest row 70.9 MiB`.  Nothing without a peak.
 */
void peak_words(struct strbuf *out, const struct recording *recording);

#endif
