/* SPDX-License-Identifier: MIT */
/* Reads a file of --processes into the layers of a picture. */
#ifndef PMON_RECORD_PROCESS_FILE_H
#define PMON_RECORD_PROCESS_FILE_H

#include "base/error.h"
#include "model/layers.h"
#include "model/recording.h"

/*
 * The first pass, after layers_init: finds the keys and their areas.  Reports
 * and skips bad rows; takes the last of several runs. 0, or a negative errno
 * with error.
 */
int process_file_count(struct layers *layers, const char *path,
                       struct error *error);

/*
 * The second pass over the same file, when the keys are chosen. recording
 * (NULL: none) gets the sums over the processes as its curves of RSS and CPU.
 */
int process_file_fill(struct layers *layers, struct recording *recording,
                      struct error *error);

#endif
