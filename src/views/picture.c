/* SPDX-License-Identifier: MIT */
/*
 * The script: terminal, data, and a plot command for each panel.  Then the
 * titles in the SVG that gnuplot has made of it.
 */
#include "views/picture.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/escape.h"
#include "views/picture_page.h"

/* So few are drawn as points too. */
enum { FEW_ROWS = 40 };

struct style {
    const char *name;
    const char *colour;
    const char *dash;
    const char *fill; /* NULL: a line alone */
};

static const struct style styles[RECORDING_CURVES] = {
    [RECORDING_RSS] = {"RSS", "#0072B2", "1", "#56B4E9"},
    [RECORDING_VMS] = {"VMS", "#009E73", "(8,4)", NULL},
    [RECORDING_PSS] = {"PSS", "#CC79A7", "(3,3)", NULL},
    [RECORDING_CPU] = {"CPU", "#D55E00", "1", NULL},
    [RECORDING_READ] = {"read", "#56B4E9", "1", NULL},
    [RECORDING_WRITE] = {"written", "#E69F00", "(8,4)", NULL},
};

int
picture_format_of(const char *path, enum picture_format *ret_format)
{
    static const struct {
        const char *ending;
        enum picture_format format;
    } endings[] = {
        {".svg", PICTURE_SVG}, {".png", PICTURE_PNG}, {".pdf", PICTURE_PDF}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < ARRAY_SIZE(endings); i++)
        if (strcasecmp(dot, endings[i].ending) == 0) {
            *ret_format = endings[i].format;
            return 0;
        }
    return -EINVAL;
}

void
picture_quote(struct strbuf *out, const char *text, size_t most)
{
    STRBUF_AUTO plain = {0};
    size_t length;
    size_t shown = 0;

    escape_terminal(&plain, text, strlen(text));
    strbuf_putc(out, '\'');
    for (const char *at = strbuf_text(&plain); *at != '\0'; at += length) {
        length = escape_utf8_length(at, strlen(at));
        if (shown++ == most) {
            strbuf_puts(out, "\xE2\x80\xA6");
            break;
        }
        /*
         * gnuplot takes '' for a quote, but not at the beginning of a string.
         */
        if (*at == '\'')
            strbuf_puts(out, "\xE2\x80\x99");
        else
            strbuf_append(out, at, length);
    }
    strbuf_putc(out, '\'');
}

static void
append_terminal(struct strbuf *out, const struct page *page)
{
    static const char svg[] = "set terminal svg noenhanced size %d,%d fixed "
                              "font 'sans-serif,%g' background '#ffffff'\n";
    static const char png[] = "set terminal pngcairo noenhanced size %d,%d "
                              "font 'sans,%g' fontscale 1.5 linewidth 1.5 "
                              "pointscale 1.5 background '#ffffff'\n";
    static const char pdf[] = "set terminal pdfcairo noenhanced size "
                              "%.3fin,%.3fin font 'sans,%g' fontscale 0.75 "
                              "linewidth 1 background '#ffffff'\n";
    double font = page_font(page, PAGE_FONT);
    int height = (int)(page->height + 0.5);

    strbuf_puts(out, "# gnuplot THIS_FILE > PICTURE\n"
                     "reset session\n"
                     "set encoding utf8\n");
    if (page->picture->format == PICTURE_SVG)
        strbuf_printf(out, svg, PAGE_WIDTH, height, font);
    else if (page->picture->format == PICTURE_PNG)
        strbuf_printf(out, png, PAGE_WIDTH * 3 / 2, height * 3 / 2, font);
    else
        strbuf_printf(out, pdf, PAGE_WIDTH / 96.0, height / 96.0, font);
}

/* ---- titles ---- */

/* A name as a part of one line. */
static void
add_name(struct strbuf *titles, const char *name)
{
    if (name != NULL)
        escape_terminal(titles, name, strlen(name));
}

/* The picture's own, or the names of its runs. */
static void
add_picture_title(const struct page *page)
{
    if (page->picture->title != NULL)
        add_name(page->titles, page->picture->title);
    for (size_t i = 0; page->picture->title == NULL && i < page->count; i++) {
        strbuf_puts(page->titles, i > 0 ? ", " : "");
        add_name(page->titles, page->runs[i].name);
    }
    strbuf_putc(page->titles, '\n');
}

/* Of one thing that is plotted: `RSS`, of several runs `train.txt: RSS`. */
static void
add_title(const struct page *page, size_t run, unsigned which)
{
    if (page->count > 1) {
        add_name(page->titles, page->runs[run].name);
        strbuf_puts(page->titles, ": ");
    }
    strbuf_printf(page->titles, "%s\n", styles[which].name);
}

/* ---- curves ---- */

/* The area below a curve, and the band between least and most of a slot. */
static void
append_fills(struct strbuf *out, const struct page *page, size_t run,
             unsigned which, const char *axes)
{
    const struct timeline *curve = &page->runs[run].curves[which];
    bool is_overlaid = page_is_overlaid(page);
    bool is_dense =
        timeline_is_dense(curve) && !page_has_means(page, curve, which);
    const char *colour =
        is_overlaid ? page_run_colour(page, run) : styles[which].colour;

    if (page_is_filled(page, which)) {
        strbuf_printf(out,
                      "$d%zu_%u%s using 1:%d axes %s with filledcurves y1=0 "
                      "fc rgb '%s' fs transparent solid %s noborder, ",
                      run, which, is_dense ? "" : "s", is_dense ? 3 : 2, axes,
                      is_overlaid ? colour : styles[which].fill,
                      is_overlaid ? "0.10" : "0.40");
        add_title(page, run, which);
    }
    if (is_dense) {
        strbuf_printf(out,
                      "$d%zu_%u using 1:2:3 axes %s with filledcurves "
                      "fc rgb '%s' fs transparent solid 0.30 noborder, ",
                      run, which, axes, colour);
        add_title(page, run, which);
    }
}

/* One curve: what is filled below it, its line, and its rows if they are few */
static void
append_curve(struct strbuf *out, const struct page *page,
             const struct panel *panel, size_t run, unsigned which)
{
    const struct timeline *curve = &page->runs[run].curves[which];
    bool is_overlaid = page_is_overlaid(page);
    bool is_dense =
        timeline_is_dense(curve) && !page_has_means(page, curve, which);
    const char *colour =
        is_overlaid ? page_run_colour(page, run) : styles[which].colour;
    const char *axes =
        panel->kind == PANEL_MEMORY && which == RECORDING_CPU ? "x1y2" : "x1y1";

    append_fills(out, page, run, which, axes);
    strbuf_printf(out,
                  "$d%zu_%u using 1:%d axes %s with %s lc rgb '%s' lw %s "
                  "dt %s, ",
                  run, which,
                  !is_dense                    ? 2
                  : styles[which].fill != NULL ? 3
                                               : 4,
                  axes,
                  is_dense                 ? "lines"
                  : recording_holds(which) ? "steps"
                                           : "fsteps",
                  colour,
                  !page_is_named(page, run) ? "0.8"
                  : which == RECORDING_CPU  ? "1.3"
                  : which == RECORDING_PSS  ? "2"
                                            : "1.5",
                  styles[which].dash);
    add_title(page, run, which);
    if (curve->rows > FEW_ROWS)
        return;
    strbuf_printf(out,
                  "$d%zu_%u using 1:2 axes %s with points pt 7 ps 0.35 "
                  "lc rgb '%s', ",
                  run, which, axes, colour);
    add_title(page, run, which);
}

static bool
is_in_panel(const struct panel *panel, unsigned which)
{
    if (which == RECORDING_CPU)
        return panel->has_cpu || panel->kind == PANEL_CPU;
    return panel->kind == (which >= RECORDING_READ ? PANEL_IO : PANEL_MEMORY);
}

static void
append_y_axis(struct strbuf *out, const struct page *page,
              const struct panel *panel)
{
    double top = panel->kind == PANEL_MEMORY ? page->memory_top
                 : panel->kind == PANEL_CPU  ? page->cpu_top
                                             : page->io_top;
    double step = panel->kind == PANEL_MEMORY ? page->memory.step
                  : panel->kind == PANEL_CPU  ? page->cpu.step
                                              : page->io.step;

    strbuf_printf(out, "set yrange [0:%.6g]\nset ytics %.6g\n", top, step);
    if (panel->has_cpu)
        strbuf_printf(out,
                      "set border 11\nset y2range [0:%.6g]\nset y2tics %.6g\n",
                      page->cpu_top, page->cpu.step);
    else
        strbuf_puts(out, "set border 3\nunset y2tics\n");
}

/* Those of the runs that have a name and a colour, or of the others. */
static void
append_curves(struct strbuf *out, const struct page *page,
              const struct panel *panel, bool is_named)
{
    for (size_t run = panel->first; run < panel->first + panel->count; run++)
        for (unsigned i = 0; i < RECORDING_CURVES; i++)
            if (page->picture->shows[i] && is_in_panel(panel, i) &&
                page_is_named(page, run) == is_named &&
                recording_has(&page->runs[run], i)) {
                if (page_is_layered(page, run, i))
                    page_layers_plot(out, page, run, i);
                else
                    append_curve(out, page, panel, run, i);
            }
}

static void
append_panel(struct strbuf *out, const struct page *page, size_t number)
{
    const struct panel *panel = &page->panels[number];
    double unit = page->time.scale;

    strbuf_puts(out, "unset label\nunset object\nunset arrow\n");
    strbuf_printf(out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  panel->left / PAGE_WIDTH, panel->right / PAGE_WIDTH,
                  1 - panel->top / page->height,
                  1 - panel->bottom / page->height);
    strbuf_printf(out, "set xrange [%.9g:%.9g]\nset xtics %.9g\n",
                  (double)page->from_ns / unit, (double)page->to_ns / unit,
                  page->time.step);
    append_y_axis(out, page, panel);
    page_marks(page, panel, out);
    strbuf_puts(out, "plot ");
    append_curves(out, page, panel, false);
    append_curves(out, page, panel, true);
    /* only axes if no run has the curve */
    strbuf_puts(out, "NaN notitle\n");
    strbuf_puts(page->titles, "axes\n");
}

int
picture_script(struct strbuf *out, struct strbuf *titles,
               const struct picture *picture, const struct recording *runs,
               size_t count)
{
    struct page page;
    int rc = page_init(&page, picture, runs, count);

    page.titles = titles;
    if (rc == 0) {
        add_picture_title(&page);
        append_terminal(out, &page);
        for (size_t run = 0; run < count; run++)
            for (unsigned i = 0; i < RECORDING_CURVES; i++)
                if (picture->shows[i] && recording_has(&runs[run], i))
                    page_data(out, &page, run, i);
        strbuf_puts(out, "unset key\n"
                         "set border lc rgb '#555555'\n"
                         "set tics nomirror out scale 0.6\n"
                         "set format '%g'\n"
                         "set grid ytics lc rgb '#dddddd' lt 1 lw 0.5 back\n"
                         "set style textbox opaque noborder "
                         "fillcolor rgb '#ffffff' margins 0.4,0.3\n"
                         "set multiplot\n");
        for (size_t i = 0; i < page.panel_count; i++)
            append_panel(out, &page, i);
        strbuf_puts(out, "unset multiplot\n");
    }
    page_done(&page);
    return rc < 0 || out->failed || titles->failed ? -ENOMEM : 0;
}

/*
 * ---- names in gnuplot's SVG ----
 *
 * A browser shows them as the title of the page and as tooltips; gnuplot's own
 * are "Gnuplot" and columns of data.
 */

/* One line of titles, as text of XML; moves on to the next. */
static void
append_title(struct strbuf *out, const char **titles)
{
    for (; **titles != '\0' && **titles != '\n'; (*titles)++)
        switch (**titles) {
        case '&':
            strbuf_puts(out, "&amp;");
            break;
        case '<':
            strbuf_puts(out, "&lt;");
            break;
        case '>':
            strbuf_puts(out, "&gt;");
            break;
        default:
            strbuf_putc(out, **titles);
        }
    *titles += **titles == '\n' ? 1 : 0;
}

int
picture_title_svg(struct strbuf *svg, const struct strbuf *titles)
{
    static const char begin[] = "<title>";
    static const char end[] = "</title>";
    const char *title = strbuf_text(titles);
    const char *from = strbuf_text(svg);
    const char *at;
    STRBUF_AUTO out = {0};

    while (*title != '\0' && (at = strstr(from, begin)) != NULL) {
        const char *rest = strstr(at, end);

        if (rest == NULL)
            break;
        at += strlen(begin);
        strbuf_append(&out, from, (size_t)(at - from));
        append_title(&out, &title);
        from = rest;
    }
    strbuf_puts(&out, from);
    strbuf_reset(svg);
    strbuf_append(svg, strbuf_text(&out), out.size);
    return out.failed || svg->failed ? -ENOMEM : 0;
}
