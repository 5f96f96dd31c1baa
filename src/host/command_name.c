/* SPDX-License-Identifier: MIT */
/* Reads an interpreter's own options as far as its script. */
#include "host/command_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "host/command_argument.h"

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

/* The interpreter whose base name is size bytes at base; NULL: none. */
static const struct interpreter *
find(const char *base, size_t size)
{
    for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++) {
        size_t known = strlen(interpreters[i].name);

        if (known > size || memcmp(base, interpreters[i].name, known) != 0)
            continue;
        if (interpreters[i].has_version)
            known += strspn(base + known, "0123456789.");
        if (known == size)
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

/* The meaning of one option, and what follows its letter; for combined letters,
 * the first that decides. */
enum found { FOUND_NOTHING, FOUND_VALUE, FOUND_CODE, FOUND_MODULE };

static enum found
read_option(const struct interpreter *interpreter, char *option,
            char *ret_letter, char **ret_rest)
{
    *ret_rest = option + strlen(option);
    if (option[1] == '-') {
        if (is_listed(interpreter->long_code, option))
            return FOUND_CODE;
        return is_listed(interpreter->long_values, option) ? FOUND_VALUE
                                                           : FOUND_NOTHING;
    }
    for (char *at = option + 1; *at != '\0'; at++) {
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

/* The script of an interpreter, and the words that go before it. */
struct script {
    const char *before;
    char *text; /* NULL: none */
};

/* java has words behind one dash. */
static struct script
find_class(char *const *argv)
{
    static const char values[] = "-cp -classpath --class-path -p "
                                 "--module-path --add-modules --source ";

    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, "-jar") == 0 && argv[1] != NULL)
            return (struct script){" -jar ", argv[1]};
        if (**argv != '-')
            return (struct script){" ", *argv};
        if (is_listed(values, *argv) && argv[1] != NULL)
            argv++;
    }
    return (struct script){0};
}

static struct script
find_script(const struct interpreter *interpreter, char *const *argv)
{
    for (; *argv != NULL; argv++) {
        char letter = '\0';
        char *rest = *argv;

        if ((*argv)[0] != '-' && (*argv)[0] != '+')
            return (struct script){" ", *argv};
        if (strcmp(*argv, "-") == 0)
            break;
        if (strcmp(*argv, "--") == 0)
            return (struct script){" ", argv[1]};
        switch (read_option(interpreter, *argv, &letter, &rest)) {
        case FOUND_CODE:
            return (struct script){0};
        case FOUND_MODULE:
            if (*rest == '\0' && argv[1] != NULL)
                rest = argv[1];
            if (*rest == '\0')
                return (struct script){0};
            return (struct script){letter == 'm' ? " -m " : " -f ", rest};
        case FOUND_VALUE:
            if (*rest == '\0' && argv[1] != NULL)
                argv++;
            break;
        case FOUND_NOTHING:
        default:
            break;
        }
    }
    return (struct script){0};
}

/* Of argv[0]: a login shell begins with a dash. */
static const char *
base_of(const char *text)
{
    return path_base(*text == '-' && text[1] != '\0' ? text + 1 : text);
}

/* False where argv[0] is not an interpreter. */
static bool
read_script(char *const *argv, struct script *ret_script)
{
    const char *base = base_of(argv[0]);
    const struct interpreter *interpreter = find(base, strlen(base));

    if (strcmp(base, "java") == 0)
        *ret_script = find_class(argv + 1);
    else if (interpreter != NULL)
        *ret_script = find_script(interpreter, argv + 1);
    else
        return false;
    return true;
}

void
command_arguments(char *const *argv, char *shown[3])
{
    struct script script = {" ", NULL};

    if (!read_script(argv, &script))
        script.text = command_find_argument(argv);
    shown[0] = argv[0] + (base_of(argv[0]) - argv[0]);
    shown[1] = script.text;
    shown[2] = NULL;
}

/*
 * A process may have written a title there: `nginx: master process`.  Such a
 * title is argv[0] and says more than a name, perhaps too much.
 */
static void
append_base(struct strbuf *out, const char *text)
{
    const char *end = strstr(text, ": ");
    STRBUF_AUTO name = {0};

    strbuf_append(&name, text,
                  end != NULL ? (size_t)(end - text) : strlen(text));
    strbuf_puts(out, base_of(strbuf_text(&name)));
    out->failed |= name.failed;
}

void
command_name(struct strbuf *out, char *const *argv)
{
    struct script script;

    append_base(out, argv[0]);
    if (!read_script(argv, &script) || script.text == NULL)
        return;
    strbuf_puts(out, script.before);
    strbuf_puts(out, path_base(script.text));
}

void
command_label(struct strbuf *out, char *const *argv)
{
    struct script script = {" ", NULL};

    append_base(out, argv[0]);
    if (!read_script(argv, &script))
        script.text = command_find_argument(argv);
    if (script.text == NULL)
        return;
    strbuf_puts(out, script.before);
    strbuf_puts(out, script.text);
}

void
command_group(struct strbuf *out, const char *label)
{
    size_t size = strcspn(label, " ");
    const char *rest = label + size;

    strbuf_append(out, label, size);
    if (*rest == '\0' || (find(label, size) == NULL &&
                          (size != 4 || memcmp(label, "java", 4) != 0)))
        return;
    if (rest[1] == '-') {
        size = 1 + strcspn(rest + 1, " ");
        strbuf_append(out, rest, size);
        rest += size;
    }
    if (*rest != '\0')
        strbuf_printf(out, " %s", path_base(rest + 1));
}

size_t
command_split(char *text, size_t size, char **argv, size_t room)
{
    char *end = text + size;
    size_t count = 0;

    for (; text < end && count + 1 < room; text += strlen(text) + 1)
        argv[count++] = text;
    argv[count] = NULL;
    return count;
}
