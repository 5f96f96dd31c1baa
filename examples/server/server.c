/* SPDX-License-Identifier: MIT */
/*
 * A server that records its states; README.md has the protocol.
 *
 *     cc -D_GNU_SOURCE server.c -o server -pthread \
 *         $(pkg-config --cflags --libs libpmon)
 */
#include <errno.h>
#include <pmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ANALYSES = 64, NAME_BYTES = 128 };

/* What the clients' threads share. */
struct server {
    const char *dir;
    int seed; /* the style of this run */
    int listening;
    pthread_mutex_t lock; /* of what follows */
    char analyzed[ANALYSES][NAME_BYTES];
    int analyses;
};

struct client {
    struct server *server;
    int fd;
};

static void
work(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static int
tracking_on(const struct server *server)
{
    return server->seed
               ? pmon_regions_open(server->dir, "robot_context_data", PMON_SEED)
               : pmon_regions_open(server->dir, "robot_activity_data", 0);
}

static int
find_analysis(struct server *server, const char *name)
{
    int found = 0;

    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < server->analyses && !found; i++)
        found = strcmp(server->analyzed[i], name) == 0;
    pthread_mutex_unlock(&server->lock);
    return found;
}

static void
keep_analysis(struct server *server, const char *name)
{
    pthread_mutex_lock(&server->lock);
    if (server->analyses < ANALYSES)
        snprintf(server->analyzed[server->analyses++], NAME_BYTES, "%s", name);
    pthread_mutex_unlock(&server->lock);
}

static void
analyze(struct server *server, const char *name, FILE *reply)
{
    if (find_analysis(server, name)) {
        PMON_REGION_SCOPE("GETTING_CACHED_ANALYSIS");

        work(1);
        fprintf(reply, "cached %s\n", name);
    } else {
        PMON_REGION_SCOPE("ANALYZING_PROTOCOL");

        work(20);
        keep_analysis(server, name);
        fprintf(reply, "analyzed %s\n", name);
    }
}

static void
run(struct server *server, const char *name, FILE *reply)
{
    PMON_REGION_SCOPE("RUNNING_PROTOCOL");

    /* left early, and recorded all the same */
    if (!find_analysis(server, name)) {
        fprintf(reply, "error: analyze %s first\n", name);
        return;
    }
    work(50);
    fprintf(reply, "ran %s\n", name);
}

static void
set_tracking(struct server *server, const char *value, FILE *reply)
{
    int rc = 0;

    if (strcmp(value, "on") == 0) {
        rc = tracking_on(server);
    } else if (strcmp(value, "off") == 0) {
        pmon_regions_close();
    } else {
        fprintf(reply, "error: tracking on or off\n");
        return;
    }
    if (rc < 0)
        fprintf(reply, "error: %s: %s\n", server->dir, strerror(-rc));
    else
        fprintf(reply, "tracking %s\n", value);
}

static int
style_path(const struct server *server, char *path, size_t bytes)
{
    return snprintf(path, bytes, "%s/style", server->dir) < (int)bytes;
}

static void
set_style(const struct server *server, const char *value, FILE *reply)
{
    char path[4096];
    FILE *file;
    int written;

    if (strcmp(value, "quoted") != 0 && strcmp(value, "seed") != 0) {
        fprintf(reply, "error: style quoted or seed\n");
        return;
    }
    file = style_path(server, path, sizeof(path)) ? fopen(path, "w") : NULL;
    written = file && fprintf(file, "%s\n", value) > 0;
    if (file && fclose(file) != 0)
        written = 0;
    if (written)
        fprintf(reply, "style %s: needs a restart\n", value);
    else
        fprintf(reply, "error: %s: %s\n", server->dir, strerror(errno));
}

static void
say_status(const struct server *server, FILE *reply)
{
    struct pmon_regions_counts stats;

    pmon_regions_stats(&stats);
    fprintf(reply, "tracking %s, style %s, %llu recorded, %llu lost\n",
            stats.on ? "on" : "off", server->seed ? "seed" : "quoted",
            (unsigned long long)stats.rows, (unsigned long long)stats.lost);
}

/* Returns 0 when the server is to end. */
static int
answer(struct server *server, char *line, FILE *reply)
{
    char *value = strchr(line, ' ');

    if (value)
        *value++ = '\0';
    else
        value = line + strlen(line);
    if (strcmp(line, "analyze") == 0 && *value)
        analyze(server, value, reply);
    else if (strcmp(line, "run") == 0 && *value)
        run(server, value, reply);
    else if (strcmp(line, "tracking") == 0)
        set_tracking(server, value, reply);
    else if (strcmp(line, "style") == 0)
        set_style(server, value, reply);
    else if (strcmp(line, "status") == 0)
        say_status(server, reply);
    else if (strcmp(line, "quit") == 0)
        return 0;
    else
        fprintf(reply, "error: analyze, run, tracking, style, status, quit\n");
    return 1;
}

/* Whether the line was longer than there is room for; its rest is left out. */
static int
is_too_long(const char *line, FILE *requests)
{
    int c;

    if (strlen(line) + 1 < NAME_BYTES || strchr(line, '\n'))
        return 0;
    do
        c = getc(requests);
    while (c != '\n' && c != EOF);
    return 1;
}

static void *
serve(void *value)
{
    struct client *client = value;
    FILE *requests = fdopen(client->fd, "r");
    FILE *replies = fdopen(dup(client->fd), "w");
    char line[NAME_BYTES];
    int go_on = 1;

    while (go_on && requests && replies &&
           fgets(line, sizeof(line), requests)) {
        if (is_too_long(line, requests)) {
            fprintf(replies, "error: the line is too long\n");
        } else {
            line[strcspn(line, "\r\n")] = '\0';
            go_on = answer(client->server, line, replies);
        }
        fflush(replies);
    }
    if (!go_on) /* wakes accept() */
        shutdown(client->server->listening, SHUT_RDWR);
    if (replies)
        fclose(replies);
    if (requests)
        fclose(requests);
    free(client);
    return NULL;
}

static int
listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || strlen(path) >= sizeof(address.sun_path))
        return -1;
    strcpy(address.sun_path, path);
    unlink(path);
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(fd, 8) != 0)
        return -1;
    return fd;
}

static void
serve_all(struct server *server)
{
    int fd;

    while ((fd = accept4(server->listening, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        struct client *client = malloc(sizeof(*client));
        pthread_t thread;

        if (client)
            *client = (struct client){server, fd};
        if (!client || pthread_create(&thread, NULL, serve, client) != 0) {
            free(client);
            close(fd);
            continue;
        }
        pthread_detach(thread);
    }
}

static void
read_style(struct server *server)
{
    char path[4096], line[16] = "";
    FILE *file =
        style_path(server, path, sizeof(path)) ? fopen(path, "r") : NULL;

    if (!file)
        return;
    if (fgets(line, sizeof(line), file))
        server->seed = strcmp(line, "seed\n") == 0;
    fclose(file);
}

/* Sends each line to the server and prints the answers. */
static int
ask(const char *path, char **lines)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FILE *requests, *replies;
    char line[2 * NAME_BYTES];

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    if (fd < 0 ||
        connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        perror(path);
        return 1;
    }
    requests = fdopen(dup(fd), "w");
    replies = fdopen(fd, "r");
    for (; requests && replies && *lines; lines++) {
        fprintf(requests, "%s\n", *lines);
        fflush(requests);
        if (!fgets(line, sizeof(line), replies))
            return lines[1] != NULL; /* it has ended: quit was the last */
        fputs(line, stdout);
    }
    return 0;
}

static int
serve_at(struct server *server, const char *path)
{
    signal(SIGPIPE, SIG_IGN); /* a client may leave before its answer */
    server->listening = listen_at(path);
    if (server->listening < 0) {
        perror(path);
        return 1;
    }
    printf("listening\n");
    fflush(stdout);
    serve_all(server);
    unlink(path);
    return 0;
}

static void
begin_tracking(const struct server *server, int off, int by_environment)
{
    int rc = 0;

    if (off)
        pmon_regions_close();
    else if (by_environment)
        rc = pmon_regions_decide();
    else
        rc = tracking_on(server);
    if (rc < 0)
        fprintf(stderr, "server: states are not recorded: %s\n", strerror(-rc));
}

int
main(int argc, char **argv)
{
    struct server server = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const char *style = NULL;
    int off = 0;
    int by_environment = 0;
    int i = 1;

    if (argc > 3 && strcmp(argv[1], "--ask") == 0)
        return ask(argv[2], argv + 3);
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--off") == 0)
            off = 1;
        else if (strcmp(argv[i], "--env") == 0)
            by_environment = 1;
        else if (strcmp(argv[i], "--style") == 0 && i + 1 < argc)
            style = argv[++i];
        else
            break;
    }
    if (argc - i != 2 ||
        (style && strcmp(style, "quoted") != 0 && strcmp(style, "seed") != 0)) {
        fprintf(stderr, "usage: server [--style quoted|seed] [--off | --env] "
                        "DIR SOCKET\n"
                        "       server --ask SOCKET LINE...\n");
        return 2;
    }
    server.dir = argv[i];
    read_style(&server);
    if (style)
        server.seed = strcmp(style, "seed") == 0;
    if (mkdir(server.dir, 0777) != 0 && errno != EEXIST) {
        perror(server.dir);
        return 1;
    }
    begin_tracking(&server, off, by_environment);
    return serve_at(&server, argv[i + 1]);
}
