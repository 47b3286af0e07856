// SPDX-License-Identifier: Apache-2.0
// What the page promises of recordings and of steering, in a real browser: acceptance.mjs DOPPEL RUN.mcap ADDRESS_OF_IT OTHER.mcap ADDRESS_OF_BOTH
// REPORT.html [--viewers]. It starts runs of its own.
import { McapIndexedReader } from "@mcap/core";
import { decompress } from "fzstd";
import assert from "node:assert";
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import { chromium } from "playwright-core";

const [doppel, file, recorded, otherFile, pair, report] = process.argv.slice(2);
const launch = () => chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-precise-memory-info", "--js-flags=--expose-gc"] });
const browser = await launch();
/** How many times slower than alone this machine is now. */
const share = () => Math.max(1, os.loadavg()[0] / os.cpus().length);
const begun = performance.now(), done = (what) => console.log(`${what} ok`, ((performance.now() - begun) / 1000).toFixed(1));

async function open(address, options = {}, from = browser) {
  const page = await from.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "dark", ...options }), own = new URL(address);
  page.complaints = [];
  page.on("console", (m) => { if (["error", "warning"].includes(m.type()) && !options.mayFail) { page.complaints.push(m.text()); } });
  page.on("pageerror", (e) => page.complaints.push(String(e.stack)));
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url()) && (own.protocol === "file:" ? r.url() !== address : new URL(r.url()).origin !== own.origin)) { page.complaints.push(`asks ${r.url()}`); } });
  await page.goto(address);
  await page.waitForSelector("body[data-ready]", { timeout: 120000 });
  return page;
}
const drawn = (page) => page.evaluate(() => new Promise((go) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(go))), 200)));
const number = (text) => Number(text.replace("−", "-").replace(/[^\d.-]/g, ""));

/** [time, value] of a field, by the file's own reader. */
async function read(path, topic, field) {
  const bytes = fs.readFileSync(path), values = [];
  const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.subarray(Number(at), Number(at + n))) };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: { zstd: (from, size) => decompress(from, new Uint8Array(Number(size))) } });
  for await (const m of reader.readMessages({ topics: [topic] })) { values.push([Number(m.logTime) / 1e9, JSON.parse(new TextDecoder().decode(m.data))[field]]); }
  return (t) => values.filter(([at]) => at <= t).pop()[1];
}

// ---- without WebGL all but the 3-D view works
const flat = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-3d-apis"] }), plain = await flat.newPage();
await plain.goto(recorded);
await plain.waitForSelector("body[data-ready]", { timeout: 120000 });
assert.match(await plain.locator(".scene").innerText(), /No 3-D view/);
await plain.waitForFunction(() => /\d/.test(document.getElementById("distance")?.textContent ?? ""));
await flat.close();
done("no WebGL");

// ---- one recording: cursors, plots, selection, graph
let page = await open(recorded);
const distance = await read(file, "/Synchronizer/values", "distance_mm");
await page.evaluate(() => { globalThis.doppel.store.select("Synchronizer"); });
await page.getByRole("tab", { name: "values" }).click();
await drawn(page);
// by the keyboard: the field begins a plot of its own, since its unit differs
await page.getByRole("button", { name: "Plot distance_mm" }).focus();
await page.keyboard.press("Enter");
// by the mouse: one of the same unit joins it
await page.locator("tr.field", { hasText: "rms_5s_mm" }).dragTo(page.locator(".box").nth(1));
await drawn(page);
assert.deepEqual(await page.locator(".box").nth(1).locator("tbody button").allTextContents(), ["━ distance_mm", "╌ rms_5s_mm"]);
await page.mouse.move(700, 300);
await page.evaluate(() => document.activeElement.blur());
for (const [key, t] of [["a", 5.005], ["b", 9.505]]) {
  await page.evaluate((t) => globalThis.doppel.store.show(t), t);
  await page.keyboard.press(key);
}
await drawn(page);
const cells = (await page.locator(".box").nth(1).locator("tbody tr").first().locator("td").allTextContents()).slice(1).map(number);
assert.deepEqual(cells.slice(0, 3), [distance(9.505), distance(5.005), distance(9.505)].map((v) => Number(v.toFixed(1))));
assert(Math.abs(cells[3] - (distance(9.505) - distance(5.005))) < 0.0501, `B − A is ${cells[3]}`);
assert.equal(await page.locator(".timeline small:not([role])").textContent(), "A → B 4.50 s");
await page.getByRole("slider", { name: "Cursor A" }).focus();
await page.keyboard.press("ArrowRight");
assert(Math.abs(await page.evaluate(() => globalThis.doppel.store.marks.A) - 5.105) < 1e-6);
await page.locator("#plot select").selectOption("A to B");
await page.getByRole("button", { name: "x/y" }).nth(1).click();
await drawn(page);
await page.locator(".box canvas.xy").nth(1).waitFor({ timeout: 5000 });
// the cursor has values while the pointer moves
await page.locator(".box .u-over").first().hover({ position: { x: 40, y: 30 } });
await drawn(page);
assert(await page.evaluate(() => globalThis.doppel.store.hover < globalThis.doppel.store.time));
await page.mouse.move(700, 300);
await page.locator(".box").nth(1).locator("tbody button").first().click();
await page.locator(".log button", { hasText: "Localizer" }).first().click();
await drawn(page);
assert.equal(await page.getByRole("option", { name: "Localizer" }).getAttribute("aria-selected"), "true", "a line of the log selects its component");
await page.evaluate(() => globalThis.doppel.store.show(20));
await page.getByRole("tab", { name: "Graph" }).click();
await page.locator(".node").first().waitFor();
assert.equal(await page.locator(".node").count(), 6);
assert.equal(await page.locator(".node.chosen").getAttribute("aria-label"), "Localizer");
assert.match((await page.locator(".edge").allTextContents()).join(" "), /scan 10 Hz/);
await page.locator(".node").first().click();
await drawn(page);
assert.equal(await page.locator(".row.chosen").getAttribute("aria-label"), await page.locator(".node").first().getAttribute("aria-label"));
await page.keyboard.press("g");
done("cursors");

// every control has a name; at 200 % all of them are there and none lies on another; contrast of both themes
const protocol = await page.context().newCDPSession(page), CONTROLS = new Set(["button", "slider", "combobox", "searchbox", "textbox", "switch", "tab", "option", "link", "checkbox"]);
const { nodes } = await protocol.send("Accessibility.getFullAXTree"), controls = nodes.filter((n) => !n.ignored && CONTROLS.has(n.role?.value));
assert(controls.length > 60, `${controls.length} controls`);
assert.deepEqual(controls.filter((n) => !n.name?.value?.trim()).map((n) => n.role.value), []);
const reached = () => page.evaluate(() => [...document.querySelectorAll("button:not(:disabled), select, input")].filter((e) => e.checkVisibility() && !e.matches(".log button")).map((e) => {
  e.scrollIntoView({ block: "center" });
  const r = e.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2, at = document.elementFromPoint(x, y);
  return { name: e.getAttribute("aria-label") ?? e.textContent, ok: at !== null && (e === at || e.contains(at) || at.contains(e) && at.matches("label") || e.matches("input[type=range], .flag")), inside: r.left >= -1 && r.right <= innerWidth + 1 };
}));
/** When nothing appears or goes any more: on a busy machine panels come late. */
async function settledControls() {
  for (let seen = "", i = 0; i < 20; i++) {
    const now = await reached(), names = now.map((c) => c.name).join("|");
    if (names === seen) { return now; }
    seen = names;
    await drawn(page);
  }
  assert.fail("controls come and go");
}
const before = (await settledControls()).map((c) => c.name).sort();
await page.setViewportSize({ width: 720, height: 450 });
await drawn(page);
const after = await settledControls();
assert.deepEqual(after.map((c) => c.name).sort(), before, "controls are lost at 200 %");
assert.deepEqual(after.filter((c) => !c.ok || !c.inside).map((c) => c.name), [], "controls lie under others at 200 %");
await page.setViewportSize({ width: 1024, height: 700 });
await drawn(page);
assert(await page.locator("#stop").evaluate((e) => e.getBoundingClientRect().right <= innerWidth), "STOP leaves a small window");
await page.setViewportSize({ width: 1440, height: 900 });
for (const theme of ["light", "dark"]) {
  await page.keyboard.press("t");
  const worst = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement), light = (name) => { const hex = style.getPropertyValue(`--${name}`).trim().slice(1), n = parseInt(hex.length === 3 ? hex.replace(/./g, "$&$&") : hex, 16); return [16, 8, 0].map((s) => ((n >> s) & 255) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0); };
    return Math.min(...["bg0", "bg1", "bg2"].flatMap((b) => ["text", "dim"].map((t) => { const [p, q] = [light(b), light(t)].sort((x, y) => y - x); return (p + 0.05) / (q + 0.05); })));
  });
  assert(worst >= 4.5, `contrast ${worst} in the ${theme} theme`);
}
assert.deepEqual(page.complaints, []);
await page.close();
done("access");

// ---- two recordings, and one that needs no server
page = await open(pair);
await drawn(page);
assert.equal((await page.locator(".sides").first().textContent()).trim(), "1adaptive2none");
const [one, two] = [await read(file, "/Synchronizer/values", "distance_mm"), await read(otherFile, "/Synchronizer/values", "distance_mm")];
const [A, B] = await page.evaluate(() => [globalThis.doppel.store.marks.A, globalThis.doppel.store.marks.B]), said = (v) => (v >= 1000 ? `${(v / 1000).toFixed(2)} m` : `${v.toFixed(1)} mm`);
const rows = Object.fromEntries(await page.locator(".figures tbody tr").evaluateAll((all) => all.map((r) => [r.cells[0].textContent, [...r.cells].slice(1).map((c) => c.textContent)])));
assert.deepEqual([rows["at A"].slice(0, 2), rows["at B"].slice(0, 2)], [[said(one(A)), said(two(A))], [said(one(B)), said(two(B))]]);
await page.evaluate(() => globalThis.doppel.store.show(7));
await drawn(page);
assert.match(await page.locator(".figures tbody tr").nth(1).textContent(), new RegExp(`at B${said(one(7))}`), "B is the time that is shown");
assert.equal(await page.locator(".log.both button").filter({ has: page.locator(".badge") }).count() > 0, true);
assert.deepEqual(page.complaints, []);
await page.close();
page = await open(`file://${report}`);
await drawn(page);
assert.match(await page.locator("#distance").textContent(), /mm/);
assert.deepEqual(page.complaints, []);
await page.close();
done("two recordings, report");

// ---- a run that is steered
process.on("SIGTERM", () => process.exit(1));
function start(port) {
  const child = spawn(doppel, ["run", "patrol", "--bind", "twin", "--clock", "sim", "--seed", "3", "--quiet", "--rate", "4", "--view", String(port)], { stdio: ["ignore", "pipe", "pipe"] });
  process.on("exit", () => child.kill("SIGKILL"));
  child.address = new Promise((go) => { let text = ""; for (const from of [child.stdout, child.stderr]) { from.on("data", (d) => { text += d; const found = /view: (http\S+)/.exec(text); if (found) { go(found[1]); } }); } });
  return child;
}
const run = start(0), address = await run.address;
page = await open(address, { mayFail: true });
await page.waitForFunction(() => globalThis.doppel.store.time > 1 && globalThis.doppel.store.topics.get("/run/state")?.length && !document.getElementById("pause").disabled);
const state = () => page.evaluate(() => globalThis.doppel.store.topics.get("/run/state").at(Infinity)), press = (id) => page.locator(`#${id}`).click();
const settles = async (wanted) => { await page.waitForFunction((w) => globalThis.doppel.store.topics.get("/run/state").at(Infinity)?.state === w, wanted, { timeout: 20000 }); };
await press("pause");
await settles("paused");
const from = (await state()).time_s;
await page.waitForTimeout(400);
assert.equal((await state()).time_s, from, "time goes on while it is paused");
for (let i = 1; i <= 3; i++) {
  await press("step");
  await page.waitForFunction((t) => Math.abs(globalThis.doppel.store.topics.get("/run/state").at(Infinity).time_s - t) < 1e-9, from + i * 0.01, { timeout: 10000 }).catch(async () => assert.fail(`step ${i}: ${(await state()).time_s} after ${from}`));
}
await press("run-for");
await page.waitForFunction((t) => { const s = globalThis.doppel.store.topics.get("/run/state").at(Infinity); return s.state === "paused" && s.time_s > t + 1; }, from, { timeout: 30000 });
assert(Math.abs((await state()).time_s - from - 10.03) < 1e-9, `run for 10 s: ${(await state()).time_s} after ${from + 0.03}`);
await page.evaluate(() => { for (let i = 0; i < 100; i++) { document.getElementById("pause").click(); } });
await page.waitForTimeout(1500);
const last = (await state()).state;
assert.match(await page.locator("#pause").textContent(), last === "paused" ? /Resume/ : /Pause/, `the run is ${last}`);
const t0 = await page.evaluate(() => globalThis.doppel.store.end);
await page.waitForTimeout(500);
assert.equal(await page.evaluate(() => globalThis.doppel.store.end) > t0, last === "running", "the button says what the run does");
if (last === "paused") { await press("pause"); }
// a note by keys alone: in the log, and over the timeline
await page.keyboard.press("n");
await page.keyboard.type("a noise");
await page.keyboard.press("Enter");
await page.waitForFunction(() => globalThis.doppel.store.lines.some((l) => l.from === "note" && l.text === "a noise"), undefined, { timeout: 20000 });
assert.equal(await page.locator(".track .note").count(), 0, "the line for the note stays");
await page.waitForTimeout(300);
assert.equal((await state()).state, "running", "a note changes the run");
done("steering");

// ten viewers, and one that reads nothing: the run keeps its pace, its memory and the script of a page stay as they are. Of two
// processors without a GPU they take minutes: on demand, with --viewers. In a browser of its own: where pages with 3-D views were closed before,
// a garbage collection that is asked for does not return
if (process.argv.includes("--viewers")) {
  const fresh = await launch(), page = await open(address, { mayFail: true }, fresh);
  await page.waitForFunction(() => globalThis.doppel.store.services.has("/run/rate"), undefined, { timeout: 100000 });
  await page.evaluate(() => globalThis.doppel.store.services.get("/run/control").call({ take: true }));
  const socketAddress = address.replace(/^http:\/\/([^/]+)\/#t=([0-9a-f]+).*/, "ws://$1/$2"), resident = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${run.pid}/status`, "utf8"))[1]);
  const { hostname, port, pathname } = new URL(socketAddress);
  const slow = net.connect(Number(port), hostname, () => slow.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n`));
  await new Promise((go) => slow.once("data", go));
  const wanted = Buffer.from(JSON.stringify({ op: "subscribe", subscriptions: Array.from({ length: 20 }, (_, i) => ({ id: i + 1, channelId: i + 1 })) })), head = Buffer.alloc(8);
  head.writeUInt16BE(0x81fe, 0);
  head.writeUInt16BE(wanted.length, 2);
  slow.write(Buffer.concat([head, wanted])); // with a mask of zeros
  slow.pause();
  // in a process of their own, as other people's browsers are
  const crowd = await (await browser.newContext()).newPage();
  await crowd.goto(new URL("/nothing", address).href);
  await crowd.evaluate((address) => { globalThis.others = Array.from({ length: 9 }, () => { const s = new WebSocket(address, ["foxglove.websocket.v1"]); s.binaryType = "arraybuffer"; s.n = 0; s.onmessage = (e) => { if (typeof e.data === "string") { const m = JSON.parse(e.data); if (m.op === "advertise") { s.send(JSON.stringify({ op: "subscribe", subscriptions: m.channels.filter((c) => !c.topic.startsWith("/world/")).map((c) => ({ id: c.id, channelId: c.id })) })); } } else { s.n++; } }; return s; }); }, socketAddress);
  // what a page keeps is full after 60 s: quickly there, then at the pace of the world
  const rate = (rate) => page.evaluate((rate) => globalThis.doppel.store.services.get("/run/rate").call({ rate }), rate);
  const since = await page.evaluate(() => globalThis.doppel.store.end);
  await rate(20);
  await page.waitForFunction((since) => globalThis.doppel.store.end > since + 66, since, { timeout: 100000 });
  done("ten viewers come");
  await rate(1);
  await page.waitForTimeout(500);
  // time of the script by the clock of its thread, second by second: 8 ms a frame of a screen with 60 Hz. (Where the processor draws, frames are
  // few, and what arrives between two of them is more.) The heap against the messages that are kept
  const measure = () => page.evaluate(() => { globalThis.gc(); return [performance.memory.usedJSHeapSize, [...globalThis.doppel.store.topics.values()].reduce((n, t) => n + t.length, 0)]; });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(() => { globalThis.frames = 0; const count = () => { globalThis.frames++; requestAnimationFrame(count); }; count(); });
  const script = async () => [(await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "ScriptDuration").value * 1000, await page.evaluate(() => globalThis.frames)];
  const memory = [await measure(), resident()], paced = [performance.now(), await page.evaluate(() => globalThis.doppel.store.end)], costs = [], frames = [];
  for (let i = 0, was = await script(); i < 8; i++) {
    await page.waitForTimeout(1000);
    const now = await script();
    costs.push(now[0] - was[0]);
    frames.push(now[1] - was[1]);
    was = now;
  }
  const grown = [await measure(), resident()], pace = (await page.evaluate(() => globalThis.doppel.store.end) - paced[1]) / ((performance.now() - paced[0]) / 1000), typical = costs.toSorted((a, b) => a - b)[4];
  console.log(`script ${costs.map((c) => c.toFixed(1)).join(" ")} ms a second, ${frames.join(" ")} frames, heap ${memory[0].join()} to ${grown[0].join()}, run ${(memory[1] / 1e3).toFixed(0)} to ${(grown[1] / 1e3).toFixed(0)} MB, pace ${pace.toFixed(2)}, load ${share().toFixed(1)}`);
  assert(typical < 8 * 60, `script takes ${typical} ms a second`);
  assert(grown[0][0] < memory[0][0] * 1.2 + 2e6 + Math.max(0, grown[0][1] - memory[0][1]) * 1500, `the heap grew from ${memory[0]} to ${grown[0]}`);
  assert(grown[1] < memory[1] + 20000, `the run grew from ${memory[1]} to ${grown[1]} kB`);
  assert(pace > 0.9 || pace > 1.5 / share(), `the run has ${pace} of its pace`);
  assert(await crowd.evaluate(() => globalThis.others.every((s) => s.readyState === 1 && s.n > 100)), "nine others are served");
  assert.equal(await page.evaluate(() => globalThis.doppel.store.epoch), 0, "what the page has kept is lost");
  await crowd.context().close();
  await fresh.close();
  slow.destroy();
  done("viewers");
}

// the run is killed, and another begins at its port: the page says what to do, and shows no robot as live
run.kill("SIGKILL");
await page.waitForFunction(() => /lost/.test(document.getElementById("top").textContent), undefined, { timeout: 5000 * share() });
assert(await page.locator("#pause").isDisabled());
const again = start(new URL(address).port);
await again.address;
await page.waitForFunction(() => /open the address that it has printed/.test(document.getElementById("top").textContent), undefined, { timeout: 5000 * share() });
again.kill("SIGINT");
await new Promise((go) => again.once("exit", go));
assert.deepEqual(page.complaints, []);
done("restart");
await browser.close();
