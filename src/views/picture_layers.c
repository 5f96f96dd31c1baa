/* SPDX-License-Identifier: MIT */
/*
 * The layers of a run: data, areas and legend.  Each area reaches down to zero
 * and is drawn over the one above it, so that no seams show between them.
 */
#include "base/escape.h"
#include "views/picture_page.h"

bool
page_is_layered(const struct page *page, size_t run, unsigned which)
{
    return recording_is_layered(&page->runs[run]) &&
           (which == RECORDING_RSS || which == RECORDING_CPU);
}

/* Okabe and Ito's without black, a violet, and grey for the others. */
static const char *
layer_colour(size_t layer)
{
    static const char *const colours[LAYERS_ALL] = {
        "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9",
        "#D55E00", "#F0E442", "#6A4C93", "#BBBBBB"};

    return colours[layer < LAYERS_ALL ? layer : LAYERS_MOST];
}

/* A column for the top of each layer, from below. */
static void
append_row(struct strbuf *out, const struct page *page,
           const struct layers *layers, enum layers_kind kind, int64_t at_ns,
           const double *values)
{
    double scale = kind == LAYERS_CPU ? 1 : page->memory.scale;
    double sum = 0;

    strbuf_printf(out, "%.7g", (double)at_ns / page->time.scale);
    for (size_t i = 0; i < layers->used[kind]; i++) {
        sum += values[layers->order[kind][i]];
        strbuf_printf(out, " %.6g", sum / scale);
    }
    strbuf_putc(out, '\n');
}

void
page_layers_data(struct strbuf *out, const struct page *page, size_t run,
                 unsigned which)
{
    const struct layers *layers = &page->runs[run].layers;
    enum layers_kind kind = page_layers_kind(which);

    if (layers->used[kind] == 0)
        return;
    strbuf_printf(out, "$l%zu_%d << EOD\n", run, (int)kind);
    for (size_t i = 1; i < layers->count; i++) {
        int64_t begin_ns;
        int64_t end_ns;
        const double *values =
            layers_values(layers, kind, i, &begin_ns, &end_ns);

        append_row(out, page, layers, kind, begin_ns, values);
        append_row(out, page, layers, kind, end_ns, values);
    }
    strbuf_puts(out, "EOD\n");
}

void
page_layers_plot(struct strbuf *out, const struct page *page, size_t run,
                 unsigned which)
{
    const struct layers *layers = &page->runs[run].layers;
    enum layers_kind kind = page_layers_kind(which);

    for (size_t i = layers->used[kind]; i > 0; i--) {
        size_t layer = layers->order[kind][i - 1];
        STRBUF_AUTO label = {0};

        strbuf_printf(out,
                      "$l%zu_%d using 1:%zu with filledcurves y1=0 "
                      "fc rgb '%s' fs solid 1.0 noborder, ",
                      run, (int)kind, i + 1, layer_colour(layer));
        layer_keys_label(layers->keys, layer, &label);
        escape_terminal(page->titles, strbuf_text(&label), label.size);
        strbuf_printf(page->titles, ": %s\n",
                      kind == LAYERS_CPU ? "CPU" : "RSS");
    }
}

/* Whether a layer has any area in the picture. */
static bool
is_drawn(const struct page *page, size_t layer)
{
    for (size_t run = 0; run < page->count; run++) {
        const struct layers *layers = &page->runs[run].layers;

        for (int kind = 0; kind < LAYERS_KINDS; kind++)
            for (size_t i = 0; i < layers->used[kind]; i++)
                if (layers->order[kind][i] == layer &&
                    page->picture->shows[kind == LAYERS_CPU ? RECORDING_CPU
                                                            : RECORDING_RSS])
                    return true;
    }
    return false;
}

void
page_layers_legend(const struct page *page, page_layer_entry *entry,
                   void *context)
{
    const struct layer_keys *keys = NULL;

    for (size_t run = 0; run < page->count && keys == NULL; run++)
        keys = page->runs[run].layers.keys;
    for (size_t layer = 0; keys != NULL && layer < LAYERS_ALL; layer++) {
        STRBUF_AUTO label = {0};

        if (!is_drawn(page, layer))
            continue;
        layer_keys_label(keys, layer, &label);
        entry(context, layer_colour(layer), strbuf_text(&label));
    }
}
