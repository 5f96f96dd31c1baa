/* SPDX-License-Identifier: MIT */
/* The one place where lists grow. */
#include "base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int
array_grow(void *where, size_t count, size_t *allocated, size_t size)
{
    enum { LEAST = 16 };
    size_t wanted = *allocated < LEAST ? LEAST : *allocated * 2;
    void *list;

    if (count < *allocated)
        return 0;
    if (wanted > SIZE_MAX / 2 / size)
        return -ENOMEM;
    /* The list has some type; its pointer is copied as bytes. */
    memcpy(&list, where, sizeof(list));
    list = realloc(list, wanted * size);
    if (list == NULL)
        return -ENOMEM;
    memcpy(where, &list, sizeof(list));
    *allocated = wanted;
    return 0;
}
