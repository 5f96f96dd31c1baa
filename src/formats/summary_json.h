/* SPDX-License-Identifier: MIT */
/* The summary file: one JSON object, see pmon-formats(5). */
#ifndef PMON_FORMATS_SUMMARY_JSON_H
#define PMON_FORMATS_SUMMARY_JSON_H

#include "base/strbuf.h"
#include "engine/summary.h"
#include "host/host.h"
#include "host/monitor.h"

/* What a run was asked to do; all texts are the caller's, NULL: not known. */
struct run_facts {
    char *const *argv; /* NULL-terminated, or NULL */
    const char *cwd;
    const char *step;
    const char *rank;
    const char *job;
    int64_t pid; /* NUM_UNKNOWN before the fork */
    struct monitor monitor;
    const char *log;
    const char *log_format;
    const char *profile;
    const char *plot;
    const char *regions;
};

/* Appends the object and a line end.  0 or -ENOMEM. */
int summary_json_append(struct strbuf *out, const struct summary *summary,
                        const struct host *host, const struct run_facts *facts);

#endif
