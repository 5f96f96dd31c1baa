/* SPDX-License-Identifier: MIT */
/* Folders of outputs. */
#ifndef PMON_BASE_FOLDER_H
#define PMON_BASE_FOLDER_H

/* Makes the folder, and those above it, as mkdir -p.  0 or negative errno. */
int folder_make(const char *path);

#endif
