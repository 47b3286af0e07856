/* SPDX-License-Identifier: Apache-2.0 */
#include "foxglove_page.h"

#include <stddef.h>
#include <string.h>

const char foxglove_page_headers[] =
    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src ws://127.0.0.1:* ws://localhost:*; frame-ancestors 'none'; base-uri 'none'\r\n"
    "x-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\ncache-control: "
    "no-store\r\n";

static const char html[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Doppel</title>"
    "<link rel=\"stylesheet\" href=\"/view.css\"><h1 id=\"name\">Doppel</h1>"
    "<p>Open this address in Foxglove or Lichtblick, as a Foxglove WebSocket: "
    "<code id=\"address\"></code></p><p id=\"state\" role=\"status\">connecting</p>"
    "<table><thead><tr><th>topic<th>type<th>per s<tbody id=\"topics\"></table>"
    "<script src=\"/view.js\"></script>\n";

static const char css[] = "body{font:13px/20px system-ui,sans-serif;margin:24px;color:#1b2530}"
                          "td,th{text-align:left;padding:0 16px 0 0}"
                          "td:last-child{text-align:right;font-variant-numeric:tabular-nums}\n";

/* Texts of the run become text nodes, never HTML. */
static const char script[] =
    "'use strict';\n"
    "const token = (/t=([0-9a-f]{32})/.exec(location.hash) || [])[1] || '';\n"
    "const at = (id) => document.getElementById(id);\n"
    "const address = `ws://${location.host}/${token}`;\n"
    "at('address').textContent = address;\n"
    "const rows = new Map();\n"
    "const socket = new WebSocket(address, ['foxglove.websocket.v1']);\n"
    "socket.binaryType = 'arraybuffer';\n"
    "function add(c) {\n"
    "  const row = at('topics').insertRow();\n"
    "  for (const text of [c.topic, c.schemaName, '0']) { row.insertCell().textContent = text; }\n"
    "  rows.set(c.id, { cell: row.cells[2], n: 0 });\n"
    "  socket.send(JSON.stringify({ op: 'subscribe', subscriptions: [{ id: c.id, channelId: c.id "
    "}] "
    "}));\n"
    "}\n"
    "socket.onmessage = (e) => {\n"
    "  if (typeof e.data !== 'string') {\n"
    "    const view = new DataView(e.data);\n"
    "    const row = view.getUint8(0) === 1 && rows.get(view.getUint32(1, true));\n"
    "    if (row) { row.n++; }\n"
    "    return;\n"
    "  }\n"
    "  const m = JSON.parse(e.data);\n"
    "  if (m.op === 'serverInfo') { at('name').textContent = m.name; at('state').textContent = "
    "'connected'; }\n"
    "  if (m.op === 'advertise') { m.channels.forEach(add); }\n"
    "};\n"
    "socket.onclose = () => { at('state').textContent = 'the run has ended, or the address has no "
    "token'; };\n"
    "setInterval(() => { for (const row of rows.values()) { row.cell.textContent = row.n; row.n = "
    "0; "
    "} }, 1000);\n";

static const struct foxglove_page pages[] = {
    {"/", "text/html; charset=utf-8", html},
    {"/view.css", "text/css", css},
    {"/view.js", "text/javascript", script},
};

const struct foxglove_page *foxglove_page_find(const char *path)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(pages[i].path, path) == 0) {
            return &pages[i];
        }
    }
    return NULL;
}
