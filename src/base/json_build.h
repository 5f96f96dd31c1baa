/* SPDX-License-Identifier: MIT */
/*
 * Builds JSON so that running out of memory is noticed: a value that lacks a
 * part becomes NULL, and so does everything that contains it.  Plain jansson
 * would omit the key.
 */
#ifndef PMON_BASE_JSON_BUILD_H
#define PMON_BASE_JSON_BUILD_H

#include <errno.h>

#include <jansson.h>

#include "base/strbuf.h"

/* Takes over value, which is NULL if memory ran out. */
static inline void
json_build_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) == 0)
        return;
    json_decref(*object);
    *object = NULL;
}

static inline void
json_build_add(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

static inline int
json_build_take(const char *text, size_t size, void *context)
{
    struct strbuf *out = (struct strbuf *)context;

    strbuf_append(out, text, size);
    return out->failed ? -1 : 0;
}

/*
 * Appends the text and a line end, and drops the reference: 0 or -ENOMEM.  Does
 * not use json_dumps, which returns a truncated text if its buffer cannot grow.
 */
static inline int
json_build_print(json_t *root, size_t flags, struct strbuf *out)
{
    int rc = root != NULL
                 ? json_dump_callback(root, json_build_take, out, flags)
                 : -1;

    json_decref(root);
    strbuf_putc(out, '\n');
    return rc < 0 || out->failed ? -ENOMEM : 0;
}

#endif
