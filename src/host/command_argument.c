/* SPDX-License-Identifier: MIT */
/*
 * Chooses one argument without knowing the program: what it cannot tell from
 * a secret, it leaves out.
 */
#include "host/command_argument.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"

/* Behind the last dot of a file that a command works on; a blank after each. */
static const char sources[] =
    "S s asm c C cc cpp cxx c++ cu cl h hh hpp f for f77 f90 f95 f03 f08 F F90 "
    "rs go java kt scala py pyx jl R r Rmd pl pm rb lua js mjs ts tsx php sh "
    "m mm ml hs erl ex swift d zig ada adb tex bib ipynb nf smk wdl cwl sql "
    "proto i ii ll bc ";
static const char data_files[] =
    "csv tsv json jsonl yaml yml toml xml html txt md rst log ini cfg conf in "
    "inp dat bin gz bz2 xz zst zip tar tgz 7z h5 hdf5 nc npy npz parquet fa "
    "fasta fq fastq bam sam vcf pdb root sif img iso o a so jar war class mp4 "
    "png jpg svg pdf ";

/* Options whose value may have such a name and is not what is worked on. */
static const char value_options[] =
    "-o --output -MF -MT -MQ -MD -MMD -include --include -imacros -I -L -D -U "
    "-isystem -iquote -idirafter -dumpbase -dumpdir -T -x ";

/* Of these the output says more than the first object. */
static const char linkers[] =
    "ld ld.bfd ld.gold ld.lld lld mold collect2 gold ";

static bool
is_in(const char *list, const char *word, size_t size)
{
    for (const char *at = list; *at != '\0'; at = strchr(at, ' ') + 1)
        if (strncmp(at, word, size) == 0 && at[size] == ' ')
            return true;
    return false;
}

static bool
has_extension(const char *list, const char *argument)
{
    const char *dot = strrchr(path_base(argument), '.');

    return dot != NULL && dot[1] != '\0' &&
           is_in(list, dot + 1, strlen(dot + 1));
}

static bool
has_secret_word(const char *argument)
{
    static const char *const words[] = {
        "passw",   "passphrase", "secret", "credential", "apikey",
        "api_key", "api-key",    "bearer", "token=",     "token:",
        "pwd=",    "auth=",      "key=",
    };

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcasestr(argument, words[i]) != NULL)
            return true;
    return false;
}

/* user:pass@host */
static bool
has_login(const char *argument)
{
    const char *at = strrchr(argument, '@');
    const char *colon = strstr(argument, "://");

    colon = strchr(colon != NULL ? colon + 3 : argument, ':');
    return at != NULL && colon != NULL && colon < at;
}

/*
 * A run of characters without what separates words: from 16 hexadecimal
 * digits on, or from 20 that mix digits, capitals and small letters.
 */
static bool
has_long_run(const char *argument)
{
    enum { HEX = 16, MIXED = 20 };
    int run = 0;
    int hex = 0;
    unsigned kinds = 0;

    for (; *argument != '\0'; argument++) {
        unsigned char c = (unsigned char)*argument;

        hex = isxdigit(c) ? hex + 1 : c == '-' ? hex : 0;
        if (!isalnum(c) && c != '+') {
            run = 0;
            kinds = 0;
        } else {
            run++;
            kinds |= isdigit(c) ? 1U : isupper(c) ? 2U : 4U;
        }
        if (hex >= HEX || (run >= MIXED && kinds == 7U))
            return true;
    }
    return false;
}

bool
command_is_secret(const char *argument)
{
    return has_secret_word(argument) || has_login(argument) ||
           has_long_run(argument) ||
           (strstr(argument, "://") != NULL && strchr(argument, '?') != NULL);
}

static bool
is_option(const char *argument)
{
    return argument[0] == '-' || argument[0] == '@';
}

/* NAME=VALUE; the value may be anything. */
static bool
is_assignment(const char *argument)
{
    return strchr(argument, '=') != NULL;
}

static bool
is_folder(const char *argument)
{
    size_t size = strlen(argument);

    return strspn(argument, "./") == size || argument[size - 1] == '/';
}

/* Whether the argument behind an option may be its value. */
static bool
may_take_value(const char *option)
{
    return option[0] == '-' && option[1] != '\0' && strcmp(option, "--") != 0 &&
           strchr(option, '=') == NULL;
}

/* How well an argument tells what the command works on. */
enum rank { RANK_NONE, RANK_FOLDER, RANK_DATA, RANK_WORK };

/* option: the one right before it; NULL: none. */
static enum rank
rank_of(const char *argument, const char *option)
{
    bool may_be_value = option != NULL && may_take_value(option);

    if (*argument == '\0' || is_option(argument) ||
        strpbrk(argument, " \t\n") != NULL || is_assignment(argument))
        return RANK_NONE;
    if (may_be_value && (has_secret_word(option) ||
                         is_in(value_options, option, strlen(option))))
        return RANK_NONE;
    if (strstr(argument, "://") == NULL && has_extension(sources, argument))
        return has_login(argument) ? RANK_NONE : RANK_WORK;
    if (command_is_secret(argument))
        return RANK_NONE;
    if (may_be_value)
        return has_extension(data_files, argument) ? RANK_DATA : RANK_NONE;
    return is_folder(argument) ? RANK_FOLDER : RANK_WORK;
}

static char *
find_output(char *const *argv)
{
    for (; *argv != NULL; argv++)
        if (strcmp(*argv, "-o") == 0 && argv[1] != NULL)
            return argv[1];
    return NULL;
}

char *
command_find_argument(char *const *argv)
{
    const char *base = path_base(argv[0]);
    char *best = NULL;
    const char *option = NULL;
    enum rank rank = RANK_NONE;
    bool ended = false; /* the options */

    if (is_in(linkers, base, strlen(base)) && find_output(argv + 1) != NULL)
        return find_output(argv + 1);
    for (size_t i = 1; argv[i] != NULL; i++) {
        enum rank other = rank_of(argv[i], option);

        ended |= strcmp(argv[i], "--") == 0;
        option = ended ? NULL : argv[i];
        if (other > rank) {
            best = argv[i];
            rank = other;
        }
    }
    return best;
}
