/* SPDX-License-Identifier: MIT */
/*
 * The data of a picture of one run: curves, peak and how exact it is, memory
 * limit, regions.  Filled row by row, from a file or during the run.
 */
#ifndef PMON_MODEL_RECORDING_H
#define PMON_MODEL_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/layers.h"
#include "model/regions.h"
#include "model/row.h"
#include "model/run.h"
#include "model/timeline.h"

enum recording_curve {
    RECORDING_RSS,   /* bytes */
    RECORDING_VMS,   /* bytes */
    RECORDING_PSS,   /* bytes */
    RECORDING_CPU,   /* percent, 100 = one core */
    RECORDING_READ,  /* bytes a second */
    RECORDING_WRITE, /* bytes a second */
    RECORDING_CURVES,
};

/*
 * Whether a value holds until the next row, or covers the time before its row.
 */
static inline bool
recording_holds(enum recording_curve which)
{
    return which <= RECORDING_PSS;
}

/* Slots of each curve: more than a picture has columns. */
enum { RECORDING_SLOTS = 1024 };

struct recording {
    char *name; /* hostile; NULL: none */
    struct timeline curves[RECORDING_CURVES];
    int64_t from_ns; /* rows outside are left out */
    int64_t to_ns;
    int64_t seen_ns; /* of the last row, inside or outside */

    /* From the rows, or the more exact lower bound of a summary. */
    int64_t peak_bytes;
    int64_t peak_upper_bytes; /* NUM_UNKNOWN if unknown */
    int64_t peak_elapsed_ns;  /* likewise */
    enum word peak_word;      /* WORD_UNKNOWN: the largest row */
    int64_t limit_bytes;
    int64_t start_epoch_ns;
    struct regions regions; /* times since the start */
    struct layers layers;   /* of its processes; without keys: none */

    /* The last row with I/O, for the rates. */
    int64_t io_ns;
    double io_read;
    double io_write;
};

/* One row; bytes and totals, negative if unknown. */
struct recording_row {
    int64_t elapsed_ns;
    double cpu_percent;
    double rss_bytes;
    double vms_bytes;
    double pss_bytes;
    double read_bytes;
    double write_bytes;
};

/* Takes only rows from from_ns to to_ns. */
void recording_init(struct recording *recording, int64_t from_ns,
                    int64_t to_ns);
void recording_done(struct recording *recording);

/* 0 or -ENOMEM. */
int recording_push(struct recording *recording,
                   const struct recording_row *row);

/* Takes a row of a run that is measured now. */
int recording_push_row(struct recording *recording, const struct row *row);

/*
 * Sets a peak that is more exact than the rows, and the word for how exact it
 * is.  Ignored if it lies outside of from_ns and to_ns.
 */
void recording_take_peak(struct recording *recording, int64_t bytes,
                         int64_t upper_bytes, int64_t elapsed_ns,
                         enum word word);

/* Call after the last row: finds the peak of the rows. */
void recording_finish(struct recording *recording);

/* The time of the last row, or to_ns if that is earlier; 0 without rows. */
int64_t recording_end(const struct recording *recording);

static inline bool
recording_has(const struct recording *recording, enum recording_curve which)
{
    return recording->curves[which].rows > 0;
}

/* Whether its memory and CPU are drawn in layers. */
static inline bool
recording_is_layered(const struct recording *recording)
{
    return recording->layers.keys != NULL;
}

#endif
