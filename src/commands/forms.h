/* SPDX-License-Identifier: MIT */
/* What the commands that print tables have in common. */
#ifndef PMON_COMMANDS_FORMS_H
#define PMON_COMMANDS_FORMS_H

#include <stdbool.h>

#include "base/error.h"
#include "views/sheet.h"

struct option;

/* --format.  0 or -EINVAL. */
int forms_parse(const char *value, bool has_csv, enum form *ret_form,
                struct error *error);

/* The error for getopt_long's '?' or ':'. */
int forms_say_option(const char *command, int code, char **argv,
                     const struct option *options, struct error *error);

/* Prints on stdout; the JSON is freed.  0 or negative. */
int forms_print(struct strbuf *out, const char *command, struct error *error);
int forms_print_json(struct json_t *root, const char *command,
                     struct error *error);

#endif
