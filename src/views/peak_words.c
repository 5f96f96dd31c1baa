/* SPDX-License-Identifier: MIT */
/* One phrase, for pictures, charts and legends alike. */
#include "views/peak_words.h"

#include <string.h>

#include "base/num.h"
#include "views/human.h"

void
peak_words(struct strbuf *out, const struct recording *recording)
{
    const char *word = recording->peak_word;

    if (recording->peak_bytes == NUM_UNKNOWN)
        return;
    if (word == NULL) {
        strbuf_puts(out, "largest row ");
        human_bytes(out, recording->peak_bytes);
        return;
    }
    strbuf_puts(out, "peak ");
    if (strcmp(word, "exact") == 0) {
        human_bytes(out, recording->peak_bytes);
        strbuf_puts(out, " (exact)");
        return;
    }
    strbuf_printf(out, "%s ", word);
    human_bytes(out, recording->peak_bytes);
    if (recording->peak_upper_bytes != NUM_UNKNOWN &&
        strcmp(word, "between") == 0) {
        strbuf_puts(out, " and ");
        human_bytes(out, recording->peak_upper_bytes);
    }
}
