/* SPDX-License-Identifier: MIT */
/* Writes the peak block; the same bytes for a run and for pmon peak. */
#include "formats/peak_block.h"

void
peak_block_append(struct strbuf *out, const struct psrecord_row *row)
{
    strbuf_puts(out, "\n# Elapsed time,CPU (%),Peak Real (MB),"
                     "Peak Virtual (MB)\n");
    strbuf_printf(out, "%.3f,%.3f,%.3f,%.3f\n", row->elapsed_s,
                  row->cpu_percent, row->rss_mib, row->vms_mib);
}
