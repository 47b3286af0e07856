/* SPDX-License-Identifier: Apache-2.0 */
#include "foxglove_page.h"

#include <stdlib.h>
#include <string.h>

const char foxglove_page_headers[] =
    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "font-src 'self'; img-src data:; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
    "frame-ancestors 'none'; base-uri 'none'\r\n"
    "x-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\ncache-control: "
    "no-store\r\n";

/* Of dist.S: each file from its first byte to the one after its last. */
extern const char foxglove_dist_html[], foxglove_dist_html_end[];
extern const char foxglove_dist_js[], foxglove_dist_js_end[];
extern const char foxglove_dist_css[], foxglove_dist_css_end[];
extern const char foxglove_dist_font[], foxglove_dist_font_end[];
extern const char foxglove_dist_licences[], foxglove_dist_licences_end[];

static const struct {
    const char *path, *type, *begin, *end;
} dist[] = {
    {"/", "text/html; charset=utf-8", foxglove_dist_html, foxglove_dist_html_end},
    {"/page.js", "text/javascript", foxglove_dist_js, foxglove_dist_js_end},
    {"/page.css", "text/css", foxglove_dist_css, foxglove_dist_css_end},
    {"/page.woff2", "font/woff2", foxglove_dist_font, foxglove_dist_font_end},
    {"/licences.txt", "text/plain; charset=utf-8", foxglove_dist_licences,
     foxglove_dist_licences_end},
};
enum { N_DIST = sizeof dist / sizeof dist[0] };

static struct foxglove_page pages[N_DIST];

const struct foxglove_page *foxglove_page_find(const char *path)
{
    for (size_t i = 0; i < N_DIST; i++) {
        if (strcmp(dist[i].path, path) == 0) {
            pages[i] = (struct foxglove_page){dist[i].path, dist[i].type, dist[i].begin,
                                              (size_t)(dist[i].end - dist[i].begin)};
            return &pages[i];
        }
    }
    return NULL;
}

void foxglove_page_keep(struct foxglove_kept *kept, const char *name, const void *data, size_t n)
{
    static const char *const paths[] = {"/run.json", "/recording.mcap", "/recording2.mcap"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        bool has_room = kept->n < sizeof kept->pages / sizeof kept->pages[0];
        void *copy = has_room && strcmp(name, paths[i] + 1) == 0 ? malloc(n + 1) : NULL;
        if (copy) {
            memcpy(copy, data, n);
            kept->copies[kept->n] = copy;
            kept->pages[kept->n++] =
                (struct foxglove_page){paths[i], "application/octet-stream", copy, n};
        }
    }
}

const struct foxglove_page *foxglove_page_find_kept(const struct foxglove_kept *kept,
                                                    const char *path)
{
    for (size_t i = 0; i < kept->n; i++) {
        if (strcmp(kept->pages[i].path, path) == 0) {
            return &kept->pages[i];
        }
    }
    return NULL;
}

void foxglove_page_finish(struct foxglove_kept *kept)
{
    for (size_t i = 0; i < kept->n; i++) {
        free(kept->copies[i]);
    }
    kept->n = 0;
}
