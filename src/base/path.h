/* SPDX-License-Identifier: MIT */
/* Names of files as text; nothing is opened. */
#ifndef PMON_BASE_PATH_H
#define PMON_BASE_PATH_H

/* What follows the last slash; all of it where there is no other name. */
const char *path_base(const char *path);

#endif
