/* SPDX-License-Identifier: Apache-2.0 */
#include "report_interactive.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/gateway.h>
#include <doppel/output.h>

#include "bag.h"
#include "bag_folder.h"
#include "bytes.h"
#include "common.h"
#include "fields.h"
#include "outputs.h"

#define PATH_BYTES 4096
#define RUNS_MAX   2

static int fail(const struct dpl_diag *why, int code)
{
    char text[DPL_DIAG_TEXT_MAX + PATH_BYTES];
    dpl_diag_format_cause(why, text, sizeof text);
    fprintf(stderr, "doppel report: %s\n", text);
    return code;
}

static void add_file(struct dpl_bytes *page, const struct dpl_kept_file *file)
{
    dpl_bytes_add(page, file->data, file->n);
}

/* The style sheet with the font in the place of its address. */
static void add_style(struct dpl_bytes *page, const struct dpl_kept_file *style,
                      const struct dpl_kept_file *font)
{
    static const char address[] = "./page.woff2";
    const char *from = style->data, *at = memmem(from, style->n, address, sizeof address - 1);
    size_t before = at ? (size_t)(at - from) : style->n;
    dpl_bytes_text(page, "<style>");
    dpl_bytes_add(page, from, before);
    if (at) {
        dpl_bytes_text(page, "data:font/woff2;base64,");
        dpl_bytes_base64(page, font->data, font->n);
        before += sizeof address - 1;
        dpl_bytes_add(page, from + before, style->n - before);
    }
    dpl_bytes_text(page, "</style>\n");
}

static void add_text(struct dpl_bytes *page, const char *text)
{
    static const char *const signs[] = {['&'] = "&amp;", ['<'] = "&lt;", ['"'] = "&quot;"};
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *sign = c < DPL_COUNT(signs) ? signs[c] : NULL;
        dpl_bytes_add(page, sign ? sign : text, sign ? strlen(sign) : 1);
    }
}

static void add_recording(struct dpl_bytes *page, const struct bag *bag)
{
    const char *slash = strrchr(bag->file, '/');
    dpl_bytes_text(page, "<script type=\"text/plain\" class=\"recording\" data-name=\"");
    add_text(page, cli_clean(slash ? slash + 1 : bag->file));
    dpl_bytes_text(page, "\">");
    dpl_bytes_base64(page, bag->bytes, bag->n);
    dpl_bytes_text(page, "</script>\n");
}

/* The texts come before the script that reads them; it asks nobody for anything. */
static int make_page(struct dpl_bytes *page, const struct bag *bags, size_t n, const char *title,
                     struct dpl_diag *reterr)
{
    const struct dpl_gateway *gateway;
    struct dpl_kept_file script, style, font;
    int r = dpl_gateway_load("foxglove", &gateway, reterr);
    if (r < 0) {
        return r;
    }
    if (!gateway->page || !gateway->page("/page.js", &script) ||
        !gateway->page("/page.css", &style) || !gateway->page("/page.woff2", &font)) {
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){0}, "there is no page in the gateway");
    }
    dpl_bytes_text(
        page,
        "<!doctype html>\n<html lang=\"en\" data-theme=\"dark\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<meta "
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; img-src data:\">\n<title>");
    add_text(page, title ? title : "Doppel");
    dpl_bytes_text(page, "</title>\n");
    add_style(page, &style, &font);
    dpl_bytes_text(page, "</head>\n<body>\n");
    for (size_t i = 0; i < n; i++) {
        add_recording(page, &bags[i]);
    }
    dpl_bytes_text(page, "<script type=\"module\">");
    add_file(page, &script);
    dpl_bytes_text(page, "</script>\n</body>\n</html>\n");
    return page->failed ? dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory") : 0;
}

static int write_page(const struct dpl_bytes *page, const char *path)
{
    struct dpl_diag why = {0};
    struct dpl_output output;
    if (dpl_output_open(&output, path, &why) < 0) {
        return fail(&why, DPL_EXIT_BAD_INPUT);
    }
    fwrite(page->data, 1, page->n, output.stream);
    return dpl_output_close(&output, &why) < 0 ? fail(&why, DPL_EXIT_FAULT) : DPL_EXIT_DONE;
}

/* Beside the run: DIR/dashboard.html, FILE.html. */
static void name_output(const char *run, const char *file, char *ret_path, size_t size)
{
    bool is_folder = strcmp(run, file) != 0 || !bag_is(run);
    const char *end = strrchr(run, '.');
    int n = end && strcmp(end, ".mcap") == 0 ? (int)(end - run) : (int)strlen(run);
    snprintf(ret_path, size, is_folder ? "%.*s/dashboard.html" : "%.*s.html", n, run);
}

/* A text about the output, the runs, or "": done. */
static int make(const char *const *runs, char files[][PATH_BYTES], struct bag *bags, size_t n,
                const char *output, const char *title)
{
    struct dpl_diag why = {0};
    struct dpl_bytes page = {0};
    struct cli_path inputs[RUNS_MAX], target = {"--output", output};
    char path[PATH_BYTES + 16];
    for (size_t i = 0; i < n; i++) {
        inputs[i] = (struct cli_path){"the run", files[i]};
        if (bag_open_run(runs[i], files[i], PATH_BYTES, &bags[i], &why) < 0) {
            return fail(&why, DPL_EXIT_BAD_INPUT);
        }
    }
    name_output(runs[0], files[0], path, sizeof path);
    if (output && cli_check_outputs("report", &target, 1, inputs, n) < 0) {
        return DPL_EXIT_USAGE;
    }
    int code = make_page(&page, bags, n, title, &why) < 0
                   ? fail(&why, DPL_EXIT_BAD_INPUT)
                   : write_page(&page, output ? output : path);
    if (code == DPL_EXIT_DONE && !output) {
        fprintf(stderr, "page: %s\n", path);
    }
    dpl_bytes_finish(&page);
    return code;
}

int report_interactive(const char *const *runs, size_t n, const char *output, const char *title)
{
    char files[RUNS_MAX][PATH_BYTES];
    struct bag bags[RUNS_MAX] = {0};
    int code = make(runs, files, bags, n, output, title);
    for (size_t i = 0; i < n; i++) {
        bag_close(&bags[i]);
    }
    return code;
}
