/* SPDX-License-Identifier: MIT */
/* The lines below the tables of pmon compare. */
#include <string.h>

#include "base/escape.h"
#include "commands/compare_state.h"
#include "model/rank_test.h"
#include "views/markdown.h"

/* In Markdown each note is a paragraph. */
static void
begin_note(struct compare *compare)
{
    if (compare->form == FORM_MARKDOWN && compare->notes.size > 0)
        strbuf_putc(&compare->notes, '\n');
}

static void
put_name(struct compare *compare, const char *name)
{
    if (compare->form == FORM_MARKDOWN)
        markdown_text(&compare->notes, name);
    else
        escape_terminal(&compare->notes, name, strlen(name));
}

void
compare_note_key(struct compare *compare, struct compare_key key)
{
    begin_note(compare);
    put_name(compare, key.step);
    if (key.rank != NULL) {
        strbuf_puts(&compare->notes, ", rank ");
        put_name(compare, key.rank);
    }
    if (key.array_index != NULL) {
        strbuf_puts(&compare->notes, ", array task ");
        put_name(compare, key.array_index);
    }
    if (key.tag != NULL) {
        strbuf_printf(&compare->notes, ", %s ", compare->tag);
        put_name(compare, key.tag);
    }
    strbuf_puts(&compare->notes, ": ");
}

/* Notes each pair of numbers of runs once. */
void
compare_note_untested(struct compare *compare,
                      const struct compare_spread *spread,
                      const struct compare_verdict *verdict)
{
    STRBUF_AUTO note = {0};

    if (!verdict->is_untested)
        return;
    strbuf_printf(&note,
                  "too few runs to test (%zu and %zu: p can be no less than "
                  "%.2g)",
                  spread[SIDE_BASE].count, spread[SIDE_NEW].count,
                  verdict->p_least);
    if (strstr(strbuf_text(&compare->notes), strbuf_text(&note)) != NULL)
        return;
    begin_note(compare);
    strbuf_puts(&compare->notes, strbuf_text(&note));
    strbuf_printf(&compare->notes,
                  "; %zu and %zu, or %d and 1, can be tested\n",
                  compare_enough(compare->alpha),
                  compare_enough(compare->alpha), RANK_TEST_Z_VALUES);
}
