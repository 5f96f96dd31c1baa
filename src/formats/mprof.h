/* SPDX-License-Identifier: MIT */
/*
 * The .dat files of mprof (memory_profiler): a CMDLINE, MEM rows, CHLD rows of
 * children that belong to the MEM row before them, FUNC rows of functions.
 */
#ifndef PMON_FORMATS_MPROF_H
#define PMON_FORMATS_MPROF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/bad_rows.h"
#include "formats/row_file.h"

/*
 * The content of MEM rows.  The file does not say: with -M it is only the
 * process, with -C -M also its children.
 */
enum mprof_children {
    MPROF_CHILDREN_NONE, /* no CHLD rows */
    MPROF_CHILDREN_APART,
    MPROF_CHILDREN_WITHIN,
    MPROF_CHILDREN_UNCLEAR, /* treated as within: the sum is at least that */
};

/* The message about MPROF_CHILDREN_UNCLEAR, with the path. */
#define MPROF_UNCLEAR                                                \
    "%s: whether MEM has the children in it (mprof -C) is unclear; " \
    "taken as if it has"

enum mprof_kind { MPROF_MEMORY, MPROF_FUNCTION };

struct mprof_row {
    enum mprof_kind kind;
    int64_t run;         /* from 1: a file may have several runs */
    int64_t epoch_ns;    /* of the row, or of the function's start */
    double rss_bytes;    /* of the process and its children */
    const char *name;    /* of the function, valid until the next row */
    int64_t duration_ns; /* of the function */
};

struct mprof_reader {
    struct row_file rows;
    struct bad_rows *bad; /* the caller's */
    enum mprof_children children;
    int64_t run;
    bool has_run;    /* a MEM row was seen since its CMDLINE */
    bool has_memory; /* a sum is pending until its last CHLD row */
    struct mprof_row memory;
    bool has_function; /* a function was read while a sum was pending */
    struct mprof_row function;
    char *name; /* of it */
};

int mprof_open(struct mprof_reader *reader, const char *path,
               struct bad_rows *bad, struct error *error);
void mprof_close(struct mprof_reader *reader);

/*
 * The next good row: 0; 1 at the end; a negative errno is final.
 */
int mprof_next(struct mprof_reader *reader, struct mprof_row *ret_row,
               struct error *error);

#endif
