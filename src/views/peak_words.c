/* SPDX-License-Identifier: MIT */
/* How a peak is put into words; the one place. */
#include "views/peak_words.h"

#include "base/num.h"
#include "views/human.h"

void
peak_words(struct strbuf *out, int64_t lower_bytes, int64_t upper_bytes,
           enum word word)
{
    if (word == WORD_BETWEEN && upper_bytes != NUM_UNKNOWN) {
        strbuf_puts(out, "between ");
        human_bytes(out, lower_bytes);
        strbuf_puts(out, " and ");
        human_bytes(out, upper_bytes);
        return;
    }
    if (word == WORD_AT_LEAST)
        strbuf_puts(out, "at least ");
    human_bytes(out, lower_bytes);
    if (word == WORD_EXACT)
        strbuf_puts(out, " (exact)");
}

void
peak_words_recording(struct strbuf *out, const struct recording *recording)
{
    if (recording->peak_bytes == NUM_UNKNOWN)
        return;
    strbuf_puts(out, recording->peak_word != WORD_UNKNOWN ? "peak "
                                                          : "largest row ");
    peak_words(out, recording->peak_bytes, recording->peak_upper_bytes,
               recording->peak_word);
}
