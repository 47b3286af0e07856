// SPDX-License-Identifier: Apache-2.0
// What the page must do, in a real browser: page.mjs RUN.mcap ADDRESS_OF_RECORDING ADDRESS_OF_RUN [FOLDER_FOR_PICTURES].
import { McapIndexedReader } from "@mcap/core";
import { decompress } from "fzstd";
import assert from "node:assert";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import { browser, open, pixels, settled } from "./browser.mjs";

const [file, recorded, live, folder] = process.argv.slice(2);
// the machine's browser has started, and has read its own files
await (await open(recorded)).close();

// ---- a recording
const page = await open(recorded);
// 2 s on a processor of its own; one that n programs share gets n times that
const share = Math.max(1, os.loadavg()[0] / os.cpus().length);
assert(page.readyMs < 2000 * share, `the page comes after ${page.readyMs} ms`);
await settled(page);
const seen = await pixels(page);
assert(seen.amber > 300 && seen.blue > 200, `robot and avatar are seen: ${seen.amber} amber and ${seen.blue} blue pixels`);
if (folder) { await page.screenshot({ path: `${folder}/patrol.png` }); }
console.log("seen ok", page.readyMs, page.readMs, seen.amber, seen.blue);

// the pose at a time is that of the file, read by its own reader
const bytes = fs.readFileSync(file);
const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.subarray(Number(at), Number(at + n))) };
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: { zstd: (from, size) => decompress(from, new Uint8Array(Number(size))) } });
const values = [], places = [];
for await (const m of reader.readMessages({ topics: ["/Localizer/values"] })) { places.push([Number(m.logTime) / 1e9, JSON.parse(new TextDecoder().decode(m.data))]); }
for await (const m of reader.readMessages({ topics: ["/Synchronizer/values"] })) { values.push([Number(m.logTime) / 1e9, JSON.parse(new TextDecoder().decode(m.data))]); }
for (const t of [3.005, 12.345, 25.5]) {
  const [, own] = values.filter(([at]) => at <= t).pop();
  await page.evaluate((t) => globalThis.doppel.store.show(t), t);
  await settled(page);
  const shown = await page.evaluate(() => ({ x: globalThis.doppel.store.value("/Synchronizer/values", "avatar_x"), text: document.getElementById("distance").textContent, basis: document.getElementById("basis").textContent, pose: globalThis.doppel.store.frames.inWorld("base_link", globalThis.doppel.store.time) }));
  assert.equal(shown.x, own.avatar_x);
  const [, place] = places.filter(([at]) => at <= t).pop(), words = { told: /^the start is as told/, proven: /^proven: /, followed: /^proven before/ }[place.basis];
  assert.match(shown.basis, words, `at ${t} s the place is ${place.basis}`);
  assert(shown.text.startsWith(own.distance_mm.toFixed(1)), `at ${t} s: ${shown.text}, recorded ${own.distance_mm}`);
  assert(Math.hypot(shown.pose[0] - own.real_x, shown.pose[1] - own.real_y) < 0.02, `the robot stands at ${shown.pose.slice(0, 2)}, recorded ${own.real_x} ${own.real_y}`);
}
console.log("time ok");

// each layer that shows something differs in pixels when it is switched, and comes back
await page.keyboard.press("End");
await settled(page);
for (const key of ["1", "2", "3", "4", "5", "8", "0"]) {
  const before = (await pixels(page)).png;
  await page.keyboard.press(key);
  await settled(page);
  const off = (await pixels(page)).png;
  assert(!before.equals(off), `layer ${key} changes nothing`);
  await page.keyboard.press(key);
  await settled(page);
}
await page.keyboard.press("6");
await settled(page);
assert(await page.locator(".lens").isHidden(), "the lens stays");
await page.keyboard.press("6");
console.log("layers ok");

// keys, names
await page.keyboard.press("?");
assert(await page.getByRole("dialog", { name: "Keys of this page" }).isVisible());
await page.keyboard.press("Escape");
await page.keyboard.press("t");
assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
await settled(page);
if (folder) { await page.screenshot({ path: `${folder}/patrol-light.png` }); }
await page.keyboard.press("t");
await page.keyboard.press("/");
await page.keyboard.type("INIT");
await settled(page);
assert.equal(await page.locator(".log button").count(), values.length ? 2 : 0);
await page.keyboard.press("Escape");
const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=img], [tabindex]")].filter((e) => !e.getAttribute("aria-label") && !e.textContent.trim() && !e.labels?.length).map((e) => e.outerHTML));
assert.deepEqual(nameless, []);
const tour = new Set();
for (let i = 0; i < 60; i++) {
  await page.keyboard.press("Tab");
  tour.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()));
}
for (const name of ["Synchronizer", "laser", "Top", "Time that is shown"]) { assert(tour.has(name), `the Tab key does not reach ${name}: ${[...tour].join(", ")}`); }
assert(await page.locator("#stop").isDisabled());
assert.deepEqual(page.complaints, []);
await page.close();
console.log("keys ok");

// ---- a live run
const now = await open(live);
await now.waitForFunction(() => globalThis.doppel.store.time > 3 && document.getElementById("distance"), undefined, { timeout: 60000 });
await settled(now);
const running = await pixels(now);
assert(running.amber > 200, `the robot is seen: ${running.amber} amber pixels`);
assert.equal(await now.evaluate(() => globalThis.doppel.store.run.application), "Patrol");
await now.evaluate(() => globalThis.doppel.store.show(1.5));
await settled(now);
const says = (words) => now.waitForFunction((w) => document.getElementById("live").textContent === w, words, { timeout: 20000 });
await says("Back to live");
await now.locator("#live").click();
await says("Live");
if (!(await now.locator("#pause").isDisabled())) {
  await now.locator("#pause").click();
  await now.waitForFunction(() => /Resume/.test(document.getElementById("pause").textContent));
  const at = await now.evaluate(() => globalThis.doppel.store.end);
  await settled(now);
  assert.equal(await now.evaluate(() => globalThis.doppel.store.end), at, "time goes on while it is paused");
  await now.locator("#pause").click();
  await now.waitForFunction((at) => globalThis.doppel.store.end > at + 0.2, at);
  console.log("pause ok");
}
if (folder) { await now.screenshot({ path: `${folder}/live.png` }); }
assert.deepEqual(now.complaints, []);
console.log("live ok");

// ---- who has no token, or asks with another Host
const ask = (address, headers) => new Promise((done) => { const u = new URL(address); http.get({ host: u.hostname, port: u.port, path: u.pathname, headers }, (a) => { a.resume(); done(a); }); });
const origin = new URL(recorded).origin, token = /r=([0-9a-f]+)/.exec(recorded)[1];
assert.equal((await ask(`${origin}/recording.mcap`)).statusCode, 403);
assert.equal((await ask(`${origin}/recording.mcap`, { authorization: `Bearer ${"0".repeat(32)}` })).statusCode, 403);
assert.equal((await ask(`${origin}/recording.mcap`, { authorization: `Bearer ${token}`, host: "evil.example" })).statusCode, 404);
assert.equal((await ask(`${origin}/recording.mcap`, { authorization: `Bearer ${token}` })).statusCode, 200);
for (const path of ["/../run.json", "/page.js/x", "/run.json"]) { assert.equal((await ask(`${origin}${path}`)).statusCode, 404, path); }
const policy = (await ask(`${origin}/`)).headers["content-security-policy"];
assert(/default-src 'none'; script-src 'self'; style-src 'self'/.test(policy) && !/unsafe/.test(policy), policy);
console.log("access ok");
await browser.close();
