/* SPDX-License-Identifier: MIT */
/*
 * Writes rows as JSON: only numbers and null, so nothing needs escaping.  Reads
 * them with jansson.
 */
#include "formats/jsonl_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/num.h"
#include "model/row_fields.h"

static void
append_value(struct strbuf *out, const struct row_field *metric, double value)
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
    const struct row_field *metric;

    for (size_t i = 0; (metric = row_field_at(i)) != NULL; i++) {
        if (metric->is_io && !with_io)
            continue;
        strbuf_printf(out, "%s\"%s\":", i == 0 ? "{" : ",", metric->key);
        append_value(out, metric, metric->value(row));
    }
    strbuf_puts(out, "}\n");
}

static bool
get(const json_t *object, const char *key, double *ret_value)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value))
        return false;
    *ret_value = json_number_value(value);
    return true;
}

/* {"elapsed_s":1.026000,"cpu_percent":2.000,"rss_bytes":46382284,…} */
int
jsonl_log_parse(const char *line, size_t size, struct psrecord_row *ret_row)
{
    json_t *object = json_loadb(line, size, 0, NULL);
    struct psrecord_row row = {.elapsed_s = 0};
    bool is_row = get(object, "elapsed_s", &row.elapsed_s) &&
                  get(object, "rss_bytes", &row.rss_mib);

    row.lacks_cpu = !get(object, "cpu_percent", &row.cpu_percent);
    row.lacks_vms = !get(object, "vms_bytes", &row.vms_mib);
    row.has_io = get(object, "read_bytes", &row.read_bytes) &&
                 get(object, "write_bytes", &row.write_bytes);
    row.has_pss = get(object, "pss_bytes", &row.pss_mib);
    json_decref(object);
    if (!is_row)
        return -EBADMSG;
    row.rss_mib /= (double)NUM_MIB;
    row.vms_mib /= (double)NUM_MIB;
    row.pss_mib /= (double)NUM_MIB;
    *ret_row = row;
    return 0;
}
