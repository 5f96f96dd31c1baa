/* SPDX-License-Identifier: MIT */
/* Goes along the curve of the summary with the rows of the log. */
#include "formats/log_match.h"

#include <math.h>

/* A plain log has thousandths, of seconds and of MiB. */
static const double rounding_s = 0.00051;
static const double rounding_bytes = 1049;

void
log_match_init(struct log_match *match, const struct summary_file *summary)
{
    *match = (struct log_match){.summary = summary};
}

void
log_match_row(struct log_match *match, double elapsed_s, double rss_bytes)
{
    size_t count = summary_file_series_count(match->summary);

    for (; match->at < count; match->at++) {
        double point_s;
        double point_percent;
        double point_bytes;

        summary_file_series(match->summary, match->at, &point_s, &point_percent,
                            &point_bytes);
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
