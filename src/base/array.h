/* SPDX-License-Identifier: MIT */
/* Arrays: their size, and growing ones. */
#ifndef PMON_BASE_ARRAY_H
#define PMON_BASE_ARRAY_H

#include <stddef.h>

/* Elements of an array whose size the compiler knows. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room for one more element of size bytes in the list that *where (a
 * pointer to the list's pointer) leads to: doubles it when count has reached
 * *allocated.  0, or -ENOMEM with the list unchanged.
 */
int array_grow(void *where, size_t count, size_t *allocated, size_t size);

#endif
