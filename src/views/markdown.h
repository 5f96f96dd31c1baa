/* SPDX-License-Identifier: MIT */
/* Hostile texts in GitHub's Markdown. */
#ifndef PMON_VIEWS_MARKDOWN_H
#define PMON_VIEWS_MARKDOWN_H

#include "base/strbuf.h"

/*
 * Appends text so that it stands for itself in a heading or in a cell of a
 * table: what is special becomes an entity, and stands in <code>, where
 * GitHub makes no mention, link or issue of it.  Always one line.
 */
void markdown_text(struct strbuf *out, const char *text);

#endif
