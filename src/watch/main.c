/* SPDX-License-Identifier: MIT */
/* pmon-watch: parses the command line, prints the one error. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/context.h"
#include "base/message.h"
#include "config.h"
#include "watch/watch.h"

static const char *
environment(const char *name)
{
    return getenv(name);
}

/* Opens closed standard streams, so that no file of rows gets number 2. */
static void
fill_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* The list of this build; NULL with error without one. */
static struct process_list *
open_list(int proc_fd, struct error *error)
{
    struct process_list *list;
    int rc = -ENOMEM;

#ifdef WATCH_LIBPROC2
    list = lists_libproc2_new(&rc);
#else
    list = lists_scan_new(proc_fd);
#endif
    (void)proc_fd;
    if (list == NULL)
        error_set(error, rc, "processes cannot be listed: %s", error_name(rc));
    return list;
}

static void
print_help(void)
{
    STRBUF_AUTO help = {0};

    option_table_help(&settings_table, &help);
    fputs(strbuf_text(&help), stdout);
}

static int
run(const struct settings *flags, int proc_fd, struct error *error)
{
    struct process_list *list = open_list(proc_fd, error);
    struct watch watch;
    int rc;

    if (list == NULL)
        return error->code;
    rc = watch_init(&watch, flags, list, proc_fd, &clock_system, environment,
                    error);
    if (rc == 0)
        watch_run(&watch);
    watch_done(&watch);
    return rc;
}

int
main(int argc, char **argv)
{
    FD_AUTO proc_fd = -1;
    struct settings flags;
    struct error error = {0};
    int rc;

    fill_streams();
    proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    rc = settings_parse(&flags, argc, argv, &error);
    if (rc == OPTION_HELP) {
        print_help();
        rc = 0;
    } else if (rc == OPTION_VERSION) {
        struct process_list *list = open_list(proc_fd, &error);

        if (list != NULL) {
            printf("pmon-watch %s (%s)\n", PACKAGE_VERSION, list->name);
            list->free(list);
        }
        rc = list != NULL ? 0 : error.code;
    } else if (rc == 0) {
        rc = run(&flags, proc_fd, &error);
    }
    settings_done(&flags);
    if (rc == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        rc = error_unwritable(&error, -errno, "standard output");
    if (rc == 0)
        return EXIT_SUCCESS;
    message_print("%s", error.text[0] != '\0' ? error.text : error_name(rc));
    return STATUS_TROUBLE;
}
