/* SPDX-License-Identifier: MIT */
/* Letters in the order of the layers; the others are dots. */
#include "views/chart_layers.h"

#include <stddef.h>

static const char *
letter_of(size_t layer, bool is_ascii)
{
    static const char *const letters[LAYERS_MOST] = {"A", "B", "C", "D",
                                                     "E", "F", "G", "H"};

    if (layer < LAYERS_MOST)
        return letters[layer];
    return is_ascii ? "." : "\xC2\xB7";
}

/* The values of the stretch with the largest sum; NULL without one. */
static const double *
largest_within(const struct layers *layers, enum layers_kind kind,
               const struct chart_cell *cell)
{
    const double *largest = NULL;

    for (size_t i = 1; i < layers->count; i++) {
        int64_t begin_ns;
        int64_t end_ns;
        const double *values =
            layers_values(layers, kind, i, &begin_ns, &end_ns);

        if (begin_ns < cell->end_ns && end_ns > cell->begin_ns &&
            (largest == NULL || layers_sum(values) > layers_sum(largest)))
            largest = values;
    }
    return largest;
}

const char *
chart_layers_letter(const struct layers *layers, enum layers_kind kind,
                    const struct chart_cell *cell, bool is_ascii)
{
    const double *values = largest_within(layers, kind, cell);
    double middle = (cell->low + cell->high) / 2;
    double sum = 0;
    double top;

    if (values == NULL)
        return NULL;
    top = layers_sum(values);
    if (top < middle && (cell->low > 0 || top <= 0))
        return NULL;
    if (middle > top)
        middle = top / 2;
    for (size_t i = 0; i < layers->used[kind]; i++) {
        sum += values[layers->order[kind][i]];
        if (sum >= middle)
            return letter_of(layers->order[kind][i], is_ascii);
    }
    return NULL;
}

/* Whether a layer has any area. */
static bool
is_used(const struct layers *layers, size_t layer)
{
    for (int kind = 0; kind < LAYERS_KINDS; kind++)
        for (size_t i = 0; i < layers->used[kind]; i++)
            if (layers->order[kind][i] == layer)
                return true;
    return false;
}

void
chart_layers_legend(struct strbuf *out, struct cells *cells,
                    const struct layers *layers, int left, bool is_ascii)
{
    enum { GAP = 3 };
    int at = left;

    for (size_t layer = 0; layer < LAYERS_ALL; layer++) {
        STRBUF_AUTO text = {0};
        int width;

        if (!is_used(layers, layer))
            continue;
        strbuf_printf(&text, "%s ", letter_of(layer, is_ascii));
        layer_keys_label(layers->keys, layer, &text);
        width = cells_width(strbuf_text(&text));
        if (at > left && at + width > cells->width) {
            cells_append(cells, out);
            cells_clear(cells);
            at = left;
        }
        at = cells_put_most(cells, at, cells->width - at, strbuf_text(&text)) +
             GAP;
    }
    cells_append(cells, out);
    cells_clear(cells);
}
