/* SPDX-License-Identifier: MIT */
/*
 * The layout of a picture, in dots from the top left; used only by picture*.c.
 */
#ifndef PMON_VIEWS_PICTURE_PAGE_H
#define PMON_VIEWS_PICTURE_PAGE_H

#include "views/lanes.h"
#include "views/picture.h"
#include "views/ticks.h"

enum {
    PAGE_WIDTH = 960,
    PAGE_LANE = 18,  /* height of a row of regions */
    PAGE_ROW = 20,   /* of the legend */
    PAGE_FONT = 14,  /* type of axes */
    PAGE_SMALL = 13, /* of labels */
    PAGE_TINY = 12,  /* of regions */
    PAGE_LARGE = 17, /* of the title */
    PAGE_COLOURS = 7,
};

enum panel_kind { PANEL_MEMORY, PANEL_CPU, PANEL_IO };

struct panel {
    enum panel_kind kind;
    bool has_cpu; /* on an axis of its own, at the right */
    size_t first; /* run */
    size_t count; /* runs in it */
    double left;
    double right;
    double top; /* of the plot; its regions stand above */
    double bottom;
    struct lanes *lanes; /* of each run; NULL: no regions here */
};

struct page {
    const struct picture *picture;
    const struct recording *runs;
    size_t count;
    size_t *colours; /* of each run; PAGE_COLOURS: grey */
    double height;
    double left;       /* of every panel */
    double right_axis; /* room for an axis at the right */
    int legend_rows;
    int64_t from_ns;
    int64_t to_ns;
    struct ticks time;
    struct ticks memory;
    struct ticks cpu;
    struct ticks io;
    double memory_top; /* in units of the ticks */
    double cpu_top;
    double io_top;
    struct panel *panels;
    size_t panel_count;
    struct strbuf *titles; /* a line for each thing that is plotted */
};

/* 0 or -ENOMEM; page_done in both cases. */
int page_init(struct page *page, const struct picture *picture,
              const struct recording *runs, size_t count);
void page_done(struct page *page);

/* Whether several runs share a panel, so that colours tell runs apart. */
bool page_is_overlaid(const struct page *page);

/* The data of a curve, and the corners of its steps where it is filled. */
void page_data(struct strbuf *out, const struct page *page, size_t run,
               unsigned which);
bool page_is_filled(const struct page *page, unsigned which);

/*
 * Whether a curve of CPU or I/O is drawn as means over page_mean_ns, since
 * those of many overlaid runs would hide each other.
 */
bool page_has_means(const struct page *page, const struct timeline *curve,
                    unsigned which);
int64_t page_mean_ns(const struct page *page);

/* Dots from the left of the picture; at ends where outside of the panel. */
double page_x(const struct page *page, const struct panel *panel,
              int64_t elapsed_ns);

/* Dots from the top for a value in bytes on the memory axis. */
double page_memory_y(const struct page *page, const struct panel *panel,
                     double bytes);

/* Width of a text in dots, roughly and rather too much. */
double page_text_width(const char *text, int font_size);

/* How many characters of a text fit into so many dots. */
size_t page_text_most(const char *text, int font_size, double dots);

/* A size of type in dots as gnuplot's terminal counts it. */
double page_font(const struct page *page, int font_size);

/*
 * Of more overlaid runs than there are colours, those with the largest peaks
 * have a colour and a name, and the others are thin grey lines.
 */
bool page_is_named(const struct page *page, size_t run);
const char *page_run_colour(const struct page *page, size_t run);

/* Those of regions, which the curves of one run do not have; of several. */
const char *page_region_colour(size_t number);
#define PAGE_SEVERAL_COLOUR "#888888"

/* A text (hostile) at x, y, and a box behind all else; in dots. */
void page_put_text(struct strbuf *out, const struct page *page, double x,
                   double y, const char *align, int font_size, const char *text,
                   bool is_boxed);
void page_put_box(struct strbuf *out, const struct page *page, double left,
                  double top, double right, double bottom, const char *colour,
                  double solid);

/*
 * The regions of a run on so many dots: of overlaid runs in one lane each.  0
 * or -ENOMEM.
 */
int page_lanes(const struct page *page, size_t run, double width,
               struct lanes *ret_lanes);

/*
 * Whether a curve is drawn in layers, by command or process; the data of the
 * layers, their areas, and the colour of each.
 */
static inline enum layers_kind
page_layers_kind(unsigned which)
{
    return which == RECORDING_CPU ? LAYERS_CPU : LAYERS_MEMORY;
}
bool page_is_layered(const struct page *page, size_t run, unsigned which);
void page_layers_data(struct strbuf *out, const struct page *page, size_t run,
                      unsigned which);
void page_layers_plot(struct strbuf *out, const struct page *page, size_t run,
                      unsigned which);

/* Calls entry for each layer of the picture, with its label (hostile). */
typedef void page_layer_entry(void *context, const char *colour,
                              const char *label);
void page_layers_legend(const struct page *page, page_layer_entry *entry,
                        void *context);

/* Appends the legend; if out is NULL, only counts its rows. */
int page_legend(const struct page *page, struct strbuf *out);

/* Title, bands, lanes, peak and limit: labels and objects of one panel. */
void page_marks(const struct page *page, const struct panel *panel,
                struct strbuf *out);

#endif
