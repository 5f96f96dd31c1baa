/* SPDX-License-Identifier: MIT */
/* Writes rows as JSON: numbers and null alone, so that nothing is escaped. */
#include "formats/jsonl_log.h"

#include "measure/row_metrics.h"

static void
append_value(struct strbuf *out, const struct row_metric *metric, double value)
{
    if (value < 0)
        strbuf_puts(out, "null");
    else if (metric->unit == METRIC_SECONDS)
        strbuf_printf(out, "%.6f", value);
    else if (metric->unit == METRIC_PERCENT)
        strbuf_printf(out, "%.3f", value);
    else
        strbuf_printf(out, "%.0f", value);
}

void
jsonl_log_row(struct strbuf *out, bool with_io, const struct row *row)
{
    const struct row_metric *metric;

    for (size_t i = 0; (metric = row_metric_at(i)) != NULL; i++) {
        if (metric->is_io && !with_io)
            continue;
        strbuf_printf(out, "%s\"%s\":", i == 0 ? "{" : ",", metric->key);
        append_value(out, metric, metric->value(row));
    }
    strbuf_puts(out, "}\n");
}
