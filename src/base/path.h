/* SPDX-License-Identifier: MIT */
/* Names of files as text; nothing is opened. */
#ifndef PMON_BASE_PATH_H
#define PMON_BASE_PATH_H

/*
 * The base name: the text after the last slash, or all of it if nothing
 * follows.
 */
const char *path_base(const char *path);

#endif
