/* SPDX-License-Identifier: MIT */
/* Shared by the commands that print tables. */
#ifndef PMON_COMMANDS_FORMS_H
#define PMON_COMMANDS_FORMS_H

#include "base/error.h"
#include "base/option_table.h"

struct json_t;

/* The choices of --format by enum form; forms_without_csv for compare. */
extern const char *const forms_all[];
extern const char *const forms_without_csv[];

/* Prints usage and options on stdout.  EXIT_SUCCESS or negative. */
int forms_print_help(const struct option_table *table, struct error *error);

/* Prints on stdout; the JSON is freed.  0 or negative. */
int forms_print(struct strbuf *out, struct error *error);
int forms_print_json(struct json_t *root, struct error *error);

#endif
