/* SPDX-License-Identifier: MIT */
/*
 * The commands or the processes of files of --processes, and which of them a
 * stacked picture names: at most eight, by their share of memory or of CPU
 * time, whichever is larger.  The rest is one layer, the others.
 */
#ifndef PMON_MODEL_LAYER_KEYS_H
#define PMON_MODEL_LAYER_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum layers_by { LAYERS_BY_COMMAND, LAYERS_BY_PROCESS };
enum layers_kind { LAYERS_MEMORY, LAYERS_CPU, LAYERS_KINDS };

enum {
    LAYERS_MOST = 8,              /* that have a name */
    LAYERS_ALL = LAYERS_MOST + 1, /* including the others, the last */
};

struct layer_key {
    size_t name;               /* of the names */
    int64_t pid;               /* by process */
    int64_t most_bytes;        /* of one row, which gives the name */
    double area[LAYERS_KINDS]; /* bytes or cores, over ns */
    int layer;                 /* after layer_keys_choose */
};

struct layer_keys {
    enum layers_by by;
    char **names; /* each command once; hostile */
    size_t names_count;
    size_t names_allocated;
    size_t *table; /* of names by hash: index + 1; 0: empty */
    size_t table_size;

    struct layer_key *list;
    size_t count;
    size_t allocated;

    char *labels[LAYERS_MOST]; /* of the layers, hostile */
    size_t labelled;
    size_t others; /* keys without a layer */
};

void layer_keys_init(struct layer_keys *keys, enum layers_by by);
void layer_keys_done(struct layer_keys *keys);

/*
 * Finds the key of a row: that of its command, or a new one for a process. 0 or
 * -ENOMEM.
 */
int layer_keys_find(struct layer_keys *keys, int64_t pid, const char *command,
                    size_t *ret_key);

/* Names a process by the command of its largest row. */
int layer_keys_name(struct layer_keys *keys, size_t key, const char *command,
                    int64_t rss_bytes);

/*
 * Call when all areas are known: chooses the layers and labels them. 0 or
 * -ENOMEM.
 */
int layer_keys_choose(struct layer_keys *keys);

/* Appends the label of a layer (hostile), or the number of others. */
void layer_keys_label(const struct layer_keys *keys, size_t layer,
                      struct strbuf *out);

#endif
