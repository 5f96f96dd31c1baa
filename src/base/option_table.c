/* SPDX-License-Identifier: MIT */
/* Command line → settings by a table; reads argv and nothing else. */
#include "base/option_table.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/near.h"
#include "base/num.h"

/* Codes of long options begin above all letters; given has a bit for each. */
enum { OPERAND = 1, FIRST_CODE = 256, MOST_ROWS = 64 };

static void *
member_of(const struct option_row *row, void *settings)
{
    return (char *)settings + row->where;
}

/* 1e9 is a number to Python and awk, but not to pmon. */
static const char *
exponent_hint(const struct option_row *row, const char *value)
{
    size_t digits = strspn(value, "0123456789.");

    return row->kind != OPTION_CHOICE && row->kind != OPTION_WORD &&
                   digits > 0 && (value[digits] == 'e' || value[digits] == 'E')
               ? "; not with an exponent"
               : "";
}

static int
take_number(const struct option_row *row, void *settings, const char *value)
{
    int64_t number = 0;
    uint64_t count = 0;
    int rc;

    if (row->kind == OPTION_COUNT) {
        rc = num_parse_u64(value, &count);
        if (rc == 0 && count > INT64_MAX)
            rc = -ERANGE;
        number = (int64_t)count;
    } else {
        rc = row->kind == OPTION_SIZE ? num_parse_size(value, &number)
                                      : num_parse_time(value, &number);
    }
    if (rc < 0 || number < row->least || (row->most > 0 && number > row->most))
        return -EINVAL;
    *(int64_t *)member_of(row, settings) = number;
    return 0;
}

static int
take_choice(const struct option_row *row, void *settings, const char *value)
{
    for (int i = 0; row->choices[i] != NULL; i++) {
        const char *choice = row->choices[i];

        if (*choice == '\0' ||
            (row->kind == OPTION_WORD ? strcasecmp(choice, value)
                                      : strcmp(choice, value)) != 0)
            continue;
        *(int *)member_of(row, settings) = i;
        return 0;
    }
    return -EINVAL;
}

/* `plain, csv or jsonl` */
static void
append_choices(const struct option_row *row, struct strbuf *out)
{
    const char *last = NULL;

    for (int i = 0; row->choices[i] != NULL; i++) {
        if (*row->choices[i] == '\0')
            continue;
        if (last != NULL)
            strbuf_printf(out, "%s%s", out->size > 0 ? ", " : "", last);
        last = row->choices[i];
    }
    strbuf_printf(out, "%s%s", out->size > 0 ? " or " : "",
                  last != NULL ? last : "");
}

static int
take_value(const struct option_row *row, void *settings, const char *value,
           struct error *error)
{
    switch (row->kind) {
    case OPTION_TIME:
    case OPTION_SIZE:
    case OPTION_COUNT:
        return take_number(row, settings, value);
    case OPTION_CHOICE:
    case OPTION_WORD:
        return take_choice(row, settings, value);
    case OPTION_CALL:
        return row->take(row, settings, value, error);
    case OPTION_FLAG:
    case OPTION_FLAG_OFF:
    case OPTION_TEXT:
    case OPTION_NAME:
    case OPTION_OUTPUT:
    case OPTION_HELP:
    case OPTION_VERSION:
    default:
        *(const char **)member_of(row, settings) = value;
        return 0;
    }
}

int
option_row_take(const struct option_row *row, const char *label, void *settings,
                const char *value, struct error *error)
{
    STRBUF_AUTO choices = {0};
    const char *allowed = row->allowed;
    int rc = take_value(row, settings, value, error);

    if (rc != -EINVAL || (row->kind == OPTION_CALL && allowed == NULL))
        return rc;
    if (row->choices != NULL) {
        append_choices(row, &choices);
        allowed = strbuf_text(&choices);
    }
    return error_set(error, rc, "%s%.64s: must be %s%s", label, value, allowed,
                     exponent_hint(row, value));
}

static int
take(const struct option_row *row, void *settings, const char *value,
     struct error *error)
{
    char label[64];

    if (row->argument == NULL) {
        *(bool *)member_of(row, settings) = row->kind == OPTION_FLAG;
        return 0;
    }
    if ((row->kind == OPTION_NAME || row->kind == OPTION_OUTPUT) &&
        (*value == '\0' || strcmp(value, "--") == 0))
        return error_set(error, -EINVAL, "--%s needs %s", row->name,
                         row->argument);
    if (row->kind == OPTION_OUTPUT && strcmp(value, "-") == 0)
        return error_set(
            error, -EINVAL,
            "--%s -: not a file name; for standard output use /dev/stdout",
            row->name);
    snprintf(label, sizeof(label), "--%s ", row->name);
    return option_row_take(row, label, settings, value, error);
}

/* Fills what getopt_long(3) needs: a row more than there are, and letters. */
static void
fill(const struct option_table *table, struct option *long_options,
     char *letters)
{
    /* Stop at the first operand, or return each in its place as code 1. */
    *letters++ = table->is_mixed ? '-' : '+';
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (int i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];

        long_options[i] = (struct option){
            .name = row->name,
            .has_arg = row->argument != NULL ? required_argument : no_argument,
            .val = FIRST_CODE + i};
        if (row->letter == 0)
            continue;
        *letters++ = row->letter;
        if (row->argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
    long_options[table->count] = (struct option){0};
}

/* The row of a code of getopt_long(3); -1 for none. */
static int
index_of(const struct option_table *table, int code)
{
    for (int i = 0; i < table->count; i++)
        if (code == FIRST_CODE + i ||
            (code != 0 && code == table->rows[i].letter))
            return i;
    return -1;
}

/* The error for ':' and '?', from optopt and optind. */
static int
refuse(const struct option_table *table, int code, char **argv,
       struct error *error)
{
    int at = index_of(table, optopt);
    STRBUF_AUTO hint = {0};
    struct near near;

    if (at >= 0 && code == ':')
        return error_set(error, -EINVAL, "--%s needs %s", table->rows[at].name,
                         table->rows[at].argument);
    if (at >= 0)
        return error_set(error, -EINVAL, "--%s takes no value",
                         table->rows[at].name);
    if (optopt != 0)
        return error_set(error, -EINVAL, "-%c: no such option (%s --help)",
                         optopt, table->command);
    near_init(&near, argv[optind - 1]);
    for (int i = 0; i < table->count; i++)
        near_try(&near, table->rows[i].name);
    near_append_option(&near, &hint);
    return error_set(error, -EINVAL, "%.64s: no such option%s (%s --help)",
                     argv[optind - 1], strbuf_text(&hint), table->command);
}

/*
 * Whether the option affects others.  A flag that was switched off again does
 * not, nor does the first of several choices, which is the default.
 */
static const struct option_row *
find_set(const struct option_table *table, void *settings, uint64_t given,
         const char *name)
{
    const struct option_row *row = option_table_find(table, name, strlen(name));
    const void *member;

    if (row == NULL || (given >> (row - table->rows) & 1) == 0)
        return NULL;
    member = member_of(row, settings);
    if (row->kind == OPTION_FLAG && !*(const bool *)member)
        return NULL;
    if (row->kind == OPTION_CHOICE && *(const int *)member == 0)
        return NULL;
    return row;
}

static int
check(const struct option_table *table, void *settings, uint64_t given,
      struct error *error)
{
    const struct option_pair *pair;

    for (pair = table->excludes; pair != NULL && pair->name != NULL; pair++)
        if (find_set(table, settings, given, pair->name) != NULL &&
            find_set(table, settings, given, pair->other) != NULL)
            return error_set(error, -EINVAL,
                             "--%s cannot be combined with --%s", pair->name,
                             pair->other);
    for (pair = table->needs; pair != NULL && pair->name != NULL; pair++) {
        const struct option_row *row =
            find_set(table, settings, given, pair->name);
        const struct option_row *other =
            option_table_find(table, pair->other, strlen(pair->other));

        if (row == NULL || (given >> (other - table->rows) & 1) != 0)
            continue;
        return error_set(error, -EINVAL, "--%s%s%s needs --%s%s%s", row->name,
                         row->argument != NULL ? " " : "",
                         row->argument != NULL ? row->argument : "",
                         other->name, other->argument != NULL ? " " : "",
                         other->argument != NULL ? other->argument : "");
    }
    return 0;
}

int
option_table_parse(const struct option_table *table, void *settings, int argc,
                   char **argv, struct option_line *ret_line,
                   struct error *error)
{
    struct option long_options[MOST_ROWS + 1];
    char letters[2 * MOST_ROWS + 3];
    uint64_t given = 0;
    int mixed = 0; /* operands that stood before an option */
    int code;
    int rc;

    *ret_line = (struct option_line){0};
    fill(table, long_options, letters);
    opterr = 0;
    optind = 0;
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) !=
           -1) {
        int at = index_of(table, code);

        if (code == OPERAND) {
            argv[++mixed] = optarg;
            continue;
        }
        if (at < 0)
            return refuse(table, code, argv, error);
        if (table->rows[at].kind == OPTION_HELP ||
            table->rows[at].kind == OPTION_VERSION)
            return (int)table->rows[at].kind;
        rc = take(&table->rows[at], settings, optarg, error);
        if (rc < 0)
            return rc;
        given |= UINT64_C(1) << at;
    }
    rc = check(table, settings, given, error);
    if (rc < 0)
        return rc;
    /* Move those to the others; argv[optind - 1] and before are done with. */
    if (mixed > 0)
        memmove(argv + optind - mixed, argv + 1, (size_t)mixed * sizeof(*argv));
    optind -= mixed;
    *ret_line = (struct option_line){
        .operands = argv + optind,
        .count = argc - optind,
        .is_dashed = optind > 1 && strcmp(argv[optind - 1], "--") == 0,
        .given = given};
    return 0;
}

bool
option_table_has(const struct option_table *table,
                 const struct option_line *line, const char *name)
{
    const struct option_row *row = option_table_find(table, name, strlen(name));

    return row != NULL && (line->given >> (row - table->rows) & 1) != 0;
}

const struct option_row *
option_table_find(const struct option_table *table, const char *name,
                  size_t size)
{
    for (int i = 0; i < table->count; i++)
        if (strlen(table->rows[i].name) == size &&
            memcmp(table->rows[i].name, name, size) == 0)
            return &table->rows[i];
    return NULL;
}

/* `-l, --log FILE` */
static int
print_left(const struct option_row *row, char *text, size_t size)
{
    return snprintf(text, size, "%c%c%s --%s%s%s", row->letter != 0 ? '-' : ' ',
                    row->letter != 0 ? row->letter : ' ',
                    row->letter != 0 ? "," : " ", row->name,
                    row->argument != NULL ? " " : "",
                    row->argument != NULL ? row->argument : "");
}

void
option_table_help(const struct option_table *table, struct strbuf *out)
{
    enum { MOST_WIDTH = 27 };
    char left[64];
    int width = 0;

    for (int i = 0; i < table->count; i++) {
        int size = print_left(&table->rows[i], left, sizeof(left));

        width = size > width ? size : width;
    }
    if (width > MOST_WIDTH)
        width = MOST_WIDTH; /* a longer row moves its help to the right */
    strbuf_printf(out, "%s\nOptions:\n", table->usage);
    for (int i = 0; i < table->count; i++) {
        print_left(&table->rows[i], left, sizeof(left));
        strbuf_printf(out, "  %-*s  %s\n", width, left, table->rows[i].help);
    }
    if (table->notes != NULL)
        strbuf_printf(out, "\n%s", table->notes);
}
