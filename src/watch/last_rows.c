/* SPDX-License-Identifier: MIT */
/* Two lists, of this sample and of the last one; reads no clock. */
#include "watch/last_rows.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/num.h"

void
last_rows_begin(struct last_rows *last_rows)
{
    last_rows->next.count = 0;
}

static int
compare(const void *a, const void *b)
{
    const struct last_row *one = a;
    const struct last_row *two = b;

    return (one->pid > two->pid) - (one->pid < two->pid);
}

/* Without memory the process has no figure in its next row. */
static void
push(struct last_rows_list *list, const struct last_row *entry)
{
    if (array_grow(&list->entries, list->count, &list->allocated,
                   sizeof(*list->entries)) == 0)
        list->entries[list->count++] = *entry;
}

int64_t
last_rows_add(struct last_rows *last_rows, const struct last_row *entry)
{
    const struct last_row *last = NULL;
    int64_t cpu_ns;
    int64_t time_ns;

    push(&last_rows->next, entry);
    if (last_rows->last.count > 0)
        last = bsearch(entry, last_rows->last.entries, last_rows->last.count,
                       sizeof(*entry), compare);
    if (last == NULL || last->start_ticks != entry->start_ticks)
        return NUM_UNKNOWN;
    cpu_ns = num_max(0, entry->cpu_ns - last->cpu_ns);
    time_ns = entry->at_ns - last->at_ns;
    if (time_ns <= 0)
        return NUM_UNKNOWN;
    return num_from_double((double)cpu_ns / (double)time_ns * 1e5);
}

void
last_rows_commit(struct last_rows *last_rows)
{
    struct last_rows_list last = last_rows->last;

    if (last_rows->next.count > 0)
        qsort(last_rows->next.entries, last_rows->next.count,
              sizeof(*last_rows->next.entries), compare);
    last_rows->last = last_rows->next;
    last_rows->next = last;
    last_rows->next.count = 0;
}

void
last_rows_done(struct last_rows *last_rows)
{
    free(last_rows->last.entries);
    free(last_rows->next.entries);
    *last_rows = (struct last_rows){0};
}
