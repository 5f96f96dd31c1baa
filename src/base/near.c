/* SPDX-License-Identifier: MIT */
/* The distance of Damerau and Levenshtein, for names of options. */
#include "base/near.h"

#include <string.h>

enum { LONGEST = 40, MOST_SLIPS = 2 };

static unsigned
least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned
distance(const char *text, size_t size, const char *name, size_t length)
{
    unsigned rows[LONGEST + 1][LONGEST + 1];

    for (unsigned i = 0; i <= size; i++)
        rows[i][0] = i;
    for (unsigned k = 0; k <= length; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= size; i++)
        for (size_t k = 1; k <= length; k++) {
            unsigned wrong = text[i - 1] != name[k - 1];

            rows[i][k] = least(least(rows[i - 1][k], rows[i][k - 1]) + 1,
                               rows[i - 1][k - 1] + wrong);
            if (i > 1 && k > 1 && text[i - 1] == name[k - 2] &&
                text[i - 2] == name[k - 1])
                rows[i][k] = least(rows[i][k], rows[i - 2][k - 2] + 1);
        }
    return rows[size][length];
}

void
near_init(struct near *near, const char *word)
{
    *near = (struct near){.word = word + strspn(word, "-")};
    near->size = strcspn(near->word, "=");
}

void
near_try(struct near *near, const char *name)
{
    size_t length = strlen(name);
    unsigned most = length < 5 ? 1 : MOST_SLIPS;
    unsigned slips;

    if (near->size > 0 && strncmp(near->word, name, near->size) == 0) {
        if (near->begun_count < 2)
            near->begun[near->begun_count] = name;
        near->begun_count++;
    }
    if (near->size < 3 || near->size > LONGEST || length > LONGEST)
        return;
    slips = distance(near->word, near->size, name, length);
    if (slips > most || (near->best != NULL && slips >= near->distance))
        return;
    near->best = name;
    near->distance = slips;
}

void
near_append_option(const struct near *near, struct strbuf *out)
{
    if (near->begun_count > 2)
        strbuf_printf(out, "; --%s, --%s or another?", near->begun[0],
                      near->begun[1]);
    else if (near->begun_count == 2)
        strbuf_printf(out, "; --%s or --%s?", near->begun[0], near->begun[1]);
    else if (near->best != NULL)
        strbuf_printf(out, "; did you mean --%s?", near->best);
}
