// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: a real browser, a page that may not complain, and the pixels of its 3-D view.
import { chromium } from "playwright-core";
import { inflateSync } from "node:zlib";

export const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing", "--disable-accelerated-2d-canvas"] });

/** A page that may neither complain nor ask anybody but its server. `before`: called with it before it asks for anything. */
export async function open(address, colorScheme = "dark", before = () => undefined) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme }), origin = new URL(address).origin;
  page.complaints = [];
  await before(page);
  page.on("console", (m) => { if ((m.type() === "error" || m.type() === "warning") && !/GPU stall due to ReadPixels/.test(m.text())) { page.complaints.push(m.text()); } });
  page.on("pageerror", (e) => page.complaints.push(String(e.stack)));
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url()) && new URL(r.url()).origin !== origin) { page.complaints.push(`asks ${r.url()}`); } });
  await page.goto(address);
  await page.waitForSelector("#stop", { timeout: 120000 });
  await page.waitForSelector("body[data-ready]", { timeout: 120000 });
  page.readyMs = Number(await page.evaluate(() => document.body.dataset.shownMs)); // from the start of the navigation to the first picture of all panels
  page.readMs = await page.evaluate(() => performance.now());
  return page;
}

/** Pixels of a picture of the 3-D view: PNG of 8 bits a channel, without interlace. */
export async function pixels(page) {
  const png = await page.locator(".scene > canvas").first().screenshot();
  let at = 8, head, parts = [];
  while (at < png.length) {
    const n = png.readUInt32BE(at), kind = png.toString("latin1", at + 4, at + 8), data = png.subarray(at + 8, at + 8 + n);
    if (kind === "IHDR") { head = data; }
    if (kind === "IDAT") { parts.push(data); }
    at += 12 + n;
  }
  const width = head.readUInt32BE(0), step = head[9] === 6 ? 4 : 3, raw = inflateSync(Buffer.concat(parts)), rows = [];
  for (let y = 0, from = 0; from < raw.length; y++, from += 1 + width * step) {
    const row = Buffer.from(raw.subarray(from + 1, from + 1 + width * step)), before = rows[y - 1];
    for (let i = 0; i < row.length; i++) {
      const a = i >= step ? row[i - step] : 0, b = before ? before[i] : 0, c = before && i >= step ? before[i - step] : 0, p = a + b - c;
      const nearest = Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c) ? a : Math.abs(p - b) <= Math.abs(p - c) ? b : c;
      row[i] = (row[i] + [0, a, b, (a + b) >> 1, nearest][raw[from]]) & 255;
    }
    rows.push(row);
  }
  const count = (fits) => rows.reduce((n, row) => { for (let i = 0; i < row.length; i += step) { n += Number(fits(row[i], row[i + 1], row[i + 2])); } return n; }, 0);
  return { png, amber: count((r, g, b) => r > 180 && g > 110 && g < 200 && b < 90), blue: count((r, g, b) => r < 130 && g > 120 && b > 190) };
}

export const settled = (page) => page.waitForTimeout(700);
