/* SPDX-License-Identifier: MIT */
/*
 * The peak block that stands at the end of a step's profile CSV: an empty
 * line, a header, one line of four figures.  See pmon-formats(5).
 */
#ifndef PMON_FORMATS_PEAK_BLOCK_H
#define PMON_FORMATS_PEAK_BLOCK_H

#include "base/strbuf.h"
#include "formats/psrecord_log.h"

/* Appends the block of a row whose RSS is the peak. */
void peak_block_append(struct strbuf *out, const struct psrecord_row *row);

#endif
