/* SPDX-License-Identifier: MIT */
/* Hostile texts in GitHub's Markdown. */
#ifndef PMON_VIEWS_MARKDOWN_H
#define PMON_VIEWS_MARKDOWN_H

#include "base/strbuf.h"

/*
 * Appends text, escaped for a heading or a table cell: special characters
 * become entities, inside <code>, where GitHub creates no mentions, links or
 * issue references.  Always one line.
 */
void markdown_text(struct strbuf *out, const char *text);

#endif
