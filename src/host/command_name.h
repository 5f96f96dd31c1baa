/* SPDX-License-Identifier: MIT */
/*
 * The name of a command as people look for it: `train`, and with an
 * interpreter its script, `python3 work.py`.
 */
#ifndef PMON_HOST_COMMAND_NAME_H
#define PMON_HOST_COMMAND_NAME_H

#include "base/strbuf.h"

/*
 * Appends the base name of argv[0]; of a known interpreter also the base name
 * of its script, or `-m MODULE`; nothing for code on the command line.  No
 * other argument, since those may be secrets.
 */
void command_name(struct strbuf *out, char *const *argv);

#endif
