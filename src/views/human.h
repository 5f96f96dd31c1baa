/* SPDX-License-Identifier: MIT */
/* Figures as people read them. */
#ifndef PMON_VIEWS_HUMAN_H
#define PMON_VIEWS_HUMAN_H

#include <stdint.h>

#include "base/strbuf.h"

/* `512 B`, `44.2 MiB`, `3.12 GiB`: three digits, powers of 1024. */
void human_bytes(struct strbuf *out, int64_t bytes);

/* `4.2 ms`, `0.53 s`, `12.3 s`, `2 min 3.4 s`, `1 h 2 min 3 s`. */
void human_duration(struct strbuf *out, int64_t ns);

/* `KILL` for 9; the number where it has no name. */
void human_signal(struct strbuf *out, int number);

#endif
