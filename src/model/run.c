/* SPDX-License-Identifier: MIT */
/* The life cycle of a run, whose values are unknown at first; its curve. */
#include "model/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "model/run_fields.h"

void
run_init(struct run *run)
{
    const struct run_field *field;

    *run = (struct run){0};
    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++)
        run_field_set_number(field, run, (double)NAN);
    run->at_peak.others = NUM_UNKNOWN;
    run->at_peak.others_rss_bytes = NUM_UNKNOWN;
    budgets_init(&run->budgets);
}

static void
free_texts(char **list)
{
    for (char **text = list; text != NULL && *text != NULL; text++)
        free(*text);
    free(list);
}

void
run_at_peak_reset(struct run_at_peak *at_peak)
{
    for (size_t i = 0; i < at_peak->count; i++) {
        free(at_peak->list[i].name);
        free(at_peak->list[i].command);
    }
    free(at_peak->list);
    *at_peak = (struct run_at_peak){.others = NUM_UNKNOWN,
                                    .others_rss_bytes = NUM_UNKNOWN};
}

static const char *const command_kinds[COMMAND_KINDS] = {
    [COMMAND_NAMED] = "command",
    [COMMAND_OTHERS] = "others",
    [COMMAND_UNSAMPLED] = "unsampled",
};

const char *
run_command_kind_name(enum command_kind kind)
{
    return command_kinds[kind];
}

int
run_command_kind_find(const char *name)
{
    for (int i = 0; i < COMMAND_KINDS; i++)
        if (name != NULL && strcmp(command_kinds[i], name) == 0)
            return i;
    return -1;
}

bool
run_has_commands(const struct run *run)
{
    size_t count = 0;

    for (size_t i = 0; i < run->by_command.count; i++)
        count += run->by_command.list[i].kind != COMMAND_UNSAMPLED;
    return count > 1;
}

void
run_by_command_reset(struct run_by_command *by_command)
{
    for (size_t i = 0; i < by_command->count; i++)
        free(by_command->list[i].command);
    free(by_command->list);
    *by_command = (struct run_by_command){0};
}

int
run_set_texts(char ***where, char *const *list)
{
    size_t count = 0;
    char **copy;

    while (list != NULL && list[count] != NULL)
        count++;
    copy = list != NULL ? calloc(count + 1, sizeof(*copy)) : NULL;
    if (list != NULL && copy == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        copy[i] = strdup(list[i]);
        if (copy[i] == NULL) {
            free_texts(copy);
            return -ENOMEM;
        }
    }
    free_texts(*where);
    *where = copy;
    return 0;
}

static void
free_regions(struct run *run)
{
    for (size_t i = 0; i < run->region_count; i++)
        free(run->regions[i].name);
    free(run->regions);
    run->regions = NULL;
    run->region_count = 0;
}

static void
free_tags(struct run_tags *tags)
{
    for (size_t i = 0; i < tags->count; i++) {
        free(tags->list[i].name);
        free(tags->list[i].value);
    }
    free(tags->list);
}

void
run_done(struct run *run)
{
    const struct run_field *field;

    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++)
        if (field->type == FIELD_TEXT)
            run_field_set_text(field, run, NULL);
    free_texts(run->command.argv);
    free_tags(&run->tags);
    run_at_peak_reset(&run->at_peak);
    run_by_command_reset(&run->by_command);
    free_regions(run);
    free(run->series.elapsed_ns);
    free(run->series.cpu_percent);
    free(run->series.rss_bytes);
    *run = (struct run){0};
}

int
run_set_text(char **where, const char *text)
{
    char *copy = text != NULL ? strdup(text) : NULL;

    if (text != NULL && copy == NULL)
        return -ENOMEM;
    free(*where);
    *where = copy;
    return 0;
}

/* Not isalpha(3), which depends on the locale. */
static bool
is_tag_letter(char byte, bool is_first)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' ||
           (!is_first &&
            ((byte >= '0' && byte <= '9') || byte == '-' || byte == '.'));
}

size_t
run_tag_name_size(const char *text)
{
    enum { MOST = 64 };
    size_t size = 0;

    while (is_tag_letter(text[size], size == 0))
        size++;
    return size <= MOST ? size : 0;
}

static struct run_tag *
find_tag(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->tags.count; i++)
        if (strcmp(run->tags.list[i].name, name) == 0)
            return &run->tags.list[i];
    return NULL;
}

const char *
run_tag(const struct run *run, const char *name)
{
    const struct run_tag *tag = find_tag(run, name);

    return tag != NULL ? tag->value : NULL;
}

int
run_set_tag(struct run *run, const char *name, const char *value)
{
    struct run_tags *tags = &run->tags;
    struct run_tag *tag = find_tag(run, name);

    if (tag != NULL)
        return run_set_text(&tag->value, value);
    if (array_grow(&tags->list, tags->count, &tags->allocated,
                   sizeof(*tags->list)) < 0)
        return -ENOMEM;
    tag = &tags->list[tags->count++];
    *tag = (struct run_tag){0};
    if (run_set_text(&tag->name, name) == 0 &&
        run_set_text(&tag->value, value) == 0)
        return 0;
    tags->count--;
    free(tag->name);
    return -ENOMEM;
}

int
run_take_regions(struct run *run, const struct regions *regions)
{
    free_regions(run);
    run->regions = calloc(regions->count + 1, sizeof(*run->regions));
    if (run->regions == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < regions->count; i++) {
        run->regions[i] = regions->stats[i];
        run->regions[i].name = strdup(regions->stats[i].name);
        if (run->regions[i].name == NULL)
            return -ENOMEM;
        run->region_count++;
    }
    return 0;
}

int
run_set_number(struct run *run, int64_t number)
{
    STRBUF_AUTO name = {0};

    strbuf_printf(&name, "%s, run %lld", run->file, (long long)number);
    return name.failed ? -ENOMEM : run_set_text(&run->file, strbuf_text(&name));
}

int
run_series_resize(struct run_series *series, size_t count)
{
    int64_t *elapsed_ns = calloc(count + 1, sizeof(*elapsed_ns));
    double *cpu_percent = calloc(count + 1, sizeof(*cpu_percent));
    double *rss_bytes = calloc(count + 1, sizeof(*rss_bytes));

    if (elapsed_ns == NULL || cpu_percent == NULL || rss_bytes == NULL) {
        free(elapsed_ns);
        free(cpu_percent);
        free(rss_bytes);
        return -ENOMEM;
    }
    free(series->elapsed_ns);
    free(series->cpu_percent);
    free(series->rss_bytes);
    for (size_t i = 0; i < count; i++) {
        elapsed_ns[i] = NUM_UNKNOWN;
        cpu_percent[i] = (double)NAN;
        rss_bytes[i] = (double)NAN;
    }
    *series = (struct run_series){elapsed_ns, cpu_percent, rss_bytes, count};
    return 0;
}

const char *
run_name(const struct run *run)
{
    if (run->command.step != NULL)
        return run->command.step;
    return run->file != NULL ? path_base(run->file) : "";
}

void
run_job_words(struct strbuf *out, const struct run *run)
{
    const struct run_command *command = &run->command;
    const struct {
        const char *word;
        const char *value;
    } parts[] = {
        {"rank", command->tasks != 1 ? command->rank : NULL},
        {"array task", command->array_index},
        {"job", command->job},
    };
    const char *before = "";

    for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
        if (parts[i].value == NULL)
            continue;
        strbuf_printf(out, "%s%s %s", before, parts[i].word, parts[i].value);
        before = ", ";
    }
}

void
run_title(struct strbuf *out, const struct run *run)
{
    STRBUF_AUTO job = {0};

    run_job_words(&job, run);
    strbuf_printf(out, "%s%s%s", run_name(run), job.size > 0 ? ", " : "",
                  strbuf_text(&job));
}

struct run *
run_list_add(struct run_list *runs)
{
    if (array_grow(&runs->list, runs->count, &runs->allocated,
                   sizeof(*runs->list)) < 0)
        return NULL;
    run_init(&runs->list[runs->count]);
    return &runs->list[runs->count++];
}

void
run_list_drop(struct run_list *runs)
{
    run_done(&runs->list[--runs->count]);
}

void
run_list_done(struct run_list *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        run_done(&runs->list[i]);
    free(runs->list);
    *runs = (struct run_list){0};
}

enum { MOST_SLOTS = 512 };

void
series_init(struct series *series, int64_t width_ns)
{
    timeline_init(&series->rss_bytes, MOST_SLOTS, width_ns);
    timeline_init(&series->cpu_percent, MOST_SLOTS, width_ns);
}

void
series_done(struct series *series)
{
    timeline_done(&series->rss_bytes);
    timeline_done(&series->cpu_percent);
}

int
series_push(struct series *series, const struct row *row)
{
    int rc = timeline_push(&series->rss_bytes, row->elapsed_ns,
                           (double)row->rss_bytes);

    return rc < 0 ? rc
                  : timeline_push(&series->cpu_percent, row->elapsed_ns,
                                  row->cpu_percent);
}

int
series_take(const struct series *series, struct run_series *ret_series)
{
    const struct timeline *rss = &series->rss_bytes;
    const struct timeline *cpu = &series->cpu_percent;
    size_t at = 0;

    if (run_series_resize(ret_series, rss->count) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < rss->count && i < cpu->count; i++) {
        if (rss->slots[i].rows == 0)
            continue;
        ret_series->elapsed_ns[at] = rss->slots[i].max_ns;
        ret_series->rss_bytes[at] = rss->slots[i].max;
        ret_series->cpu_percent[at] = cpu->slots[i].max;
        at++;
    }
    ret_series->count = at;
    return 0;
}
