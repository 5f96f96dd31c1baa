/* SPDX-License-Identifier: MIT */
/* Goes along the curve of the summary with the rows of the log. */
#include "formats/log_match.h"

#include <math.h>

#include "base/num.h"

/* A plain log has thousandths, of seconds and of MiB. */
static const double rounding_s = 0.00051;
static const double rounding_bytes = 1049;

void
log_match_init(struct log_match *match, const struct run *run)
{
    *match = (struct log_match){.run = run};
}

void
log_match_row(struct log_match *match, double elapsed_s, double rss_bytes)
{
    const struct run_series *series = &match->run->series;

    for (; match->at < series->count; match->at++) {
        double point_s = num_seconds(series->elapsed_ns[match->at]);
        double point_bytes = series->rss_bytes[match->at];

        if (point_s > elapsed_s + rounding_s)
            return;
        if (fabs(point_s - elapsed_s) <= rounding_s &&
            fabs(point_bytes - rss_bytes) <= rounding_bytes) {
            match->found++;
            match->at++;
            return;
        }
        match->missed++;
    }
}

bool
log_match_is_same(const struct log_match *match)
{
    return match->found >= match->missed;
}
