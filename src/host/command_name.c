/* SPDX-License-Identifier: MIT */
/* Reads an interpreter's own options as far as its script. */
#include "host/command_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "host/names.h"

/* How an interpreter takes its options. */
struct interpreter {
    const char *name;
    bool has_version;        /* digits and dots may follow the name */
    const char *code;        /* letters before code: `-c` */
    const char *module;      /* letters before what stands for a script */
    const char *values;      /* letters before a value */
    const char *long_code;   /* words, with a blank behind each: `--eval ` */
    const char *long_values; /* likewise */
};

static const struct interpreter interpreters[] = {
    {"python", true, "c", "m", "WX", "", "--check-hash-based-pycs "},
    {"pypy", true, "c", "m", "WX", "", ""},
    {"sh", false, "c", "", "oO", "", "--rcfile --init-file "},
    {"bash", false, "c", "", "oO", "", "--rcfile --init-file "},
    {"dash", false, "c", "", "o", "", ""},
    {"ksh", false, "c", "", "o", "", ""},
    {"zsh", false, "c", "", "o", "", ""},
    {"perl", true, "eE", "", "I", "", ""},
    {"ruby", true, "e", "", "rICE", "", ""},
    {"node", false, "ep", "", "rC", "--eval --print ",
     "--require --import --loader --experimental-loader --env-file "},
    {"nodejs", false, "ep", "", "rC", "--eval --print ",
     "--require --import --loader --experimental-loader --env-file "},
    {"Rscript", false, "e", "", "", "", ""},
    {"julia", false, "eE", "", "pLtJCH", "--eval --print ",
     "--load --procs --threads "},
    {"lua", true, "e", "", "l", "", ""},
    {"php", true, "r", "f", "dcz", "--run ", "--define --php-ini "},
    {"tclsh", true, "", "", "", "", ""},
    {"octave", false, "", "", "p", "--eval ", "--path "},
};

static const struct interpreter *
find(const char *base)
{
    for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++) {
        size_t size = strlen(interpreters[i].name);
        const char *rest = base + size;

        if (strncmp(base, interpreters[i].name, size) != 0)
            continue;
        if (interpreters[i].has_version)
            rest += strspn(rest, "0123456789.");
        if (*rest == '\0')
            return &interpreters[i];
    }
    return NULL;
}

/* Whether a word is in a list that has a blank behind each. */
static bool
is_listed(const char *list, const char *word)
{
    size_t size = strlen(word);
    const char *at = list;

    while ((at = strstr(at, word)) != NULL) {
        if ((at == list || at[-1] == ' ') && at[size] == ' ')
            return true;
        at += size;
    }
    return false;
}

/* The meaning of one option; for combined letters, the first that decides. */
enum found { FOUND_NOTHING, FOUND_VALUE, FOUND_CODE, FOUND_MODULE };

static enum found
read_option(const struct interpreter *interpreter, const char *option,
            char *ret_letter, const char **ret_rest)
{
    if (option[1] == '-') {
        *ret_rest = "";
        if (is_listed(interpreter->long_code, option))
            return FOUND_CODE;
        return is_listed(interpreter->long_values, option) ? FOUND_VALUE
                                                           : FOUND_NOTHING;
    }
    for (const char *at = option + 1; *at != '\0'; at++) {
        *ret_letter = *at;
        *ret_rest = at + 1;
        if (strchr(interpreter->code, *at) != NULL)
            return FOUND_CODE;
        if (strchr(interpreter->module, *at) != NULL)
            return FOUND_MODULE;
        if (strchr(interpreter->values, *at) != NULL)
            return FOUND_VALUE;
    }
    return FOUND_NOTHING;
}

static void
append_script(struct strbuf *out, const char *before, const char *script)
{
    strbuf_puts(out, before);
    strbuf_puts(out, path_base(script));
}

/* java has words behind one dash. */
static void
name_java(struct strbuf *out, char *const *argv)
{
    static const char values[] = "-cp -classpath --class-path -p "
                                 "--module-path --add-modules --source ";

    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, "-jar") == 0 && argv[1] != NULL) {
            append_script(out, " -jar ", argv[1]);
            return;
        }
        if (**argv != '-') {
            append_script(out, " ", *argv);
            return;
        }
        if (is_listed(values, *argv) && argv[1] != NULL)
            argv++;
    }
}

static void
name_script(struct strbuf *out, const struct interpreter *interpreter,
            char *const *argv)
{
    for (; *argv != NULL; argv++) {
        char letter = '\0';
        const char *rest = "";

        if ((*argv)[0] != '-' && (*argv)[0] != '+') {
            append_script(out, " ", *argv);
            return;
        }
        if (strcmp(*argv, "-") == 0)
            return;
        if (strcmp(*argv, "--") == 0) {
            if (argv[1] != NULL)
                append_script(out, " ", argv[1]);
            return;
        }
        switch (read_option(interpreter, *argv, &letter, &rest)) {
        case FOUND_CODE:
            return;
        case FOUND_MODULE:
            if (*rest == '\0' && argv[1] != NULL)
                rest = argv[1];
            if (*rest != '\0') {
                strbuf_printf(out, " -%c", letter);
                append_script(out, " ", rest);
            }
            return;
        case FOUND_VALUE:
            if (*rest == '\0' && argv[1] != NULL)
                argv++;
            break;
        case FOUND_NOTHING:
        default:
            break;
        }
    }
}

void
command_name(struct strbuf *out, char *const *argv)
{
    const char *base = path_base(argv[0]);
    const struct interpreter *interpreter = find(base);

    strbuf_puts(out, base);
    if (strcmp(base, "java") == 0)
        name_java(out, argv + 1);
    else if (interpreter != NULL)
        name_script(out, interpreter, argv + 1);
}
