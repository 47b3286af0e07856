// SPDX-License-Identifier: Apache-2.0
// Hands of a person on a run, in a real browser: hands.mjs drive ADDRESS MOMENTS.json [FOLDER_FOR_PICTURES], look ADDRESS.
import { chromium } from "playwright-core";
import assert from "node:assert";
import fs from "node:fs";
import { browser, open, settled } from "./browser.mjs";
import { proxyTo } from "./proxy.mjs";

const [what, address, ...rest] = process.argv.slice(2), WAIT = { timeout: 90000 };
const value = (page, topic, path) => page.evaluate(([t, p]) => { const all = globalThis.doppel.store.topics.get(t); return all?.message(all.length - 1)?.[p]; }, [topic, path]);
/** Waits for a value; true when it has come. */
async function until(page, topic, path, test, seconds = 90) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await page.waitForTimeout(50)) { if (test(await value(page, topic, path))) { return true; } }
  return false;
}

async function take(page) {
  await page.waitForFunction(() => document.getElementById("drive")?.disabled === false, undefined, WAIT);
  if ((await page.locator("#drive").textContent()) === "Start driving") { await page.locator("#drive").click(); }
}

/** Drives; a page that was too slow to answer has let go, and its user takes control again. */
async function press(page, key) {
  for (let i = 0; i < 20; i++) {
    await take(page);
    for (const k of ["Shift", key]) { await page.keyboard.down(k); }
    if (await until(page, "/Teleop/values", "v", (v) => v > 0.1, 10)) { return; }
    await letGo(page, key);
  }
  assert.fail("it does not drive");
}

async function letGo(page, key) { for (const k of [key, "Shift"]) { await page.keyboard.up(k); } }

async function drive(moments, folder) {
  const proxy = await proxyTo(address), told = [];
  const page = await open(proxy.address), watcher = await open(address);
  const stands = async (p) => assert(await until(p, "/Teleop/values", "v", (v) => v === 0), "it does not stop");
  const drives = async (p) => assert(await until(p, "/Teleop/values", "v", (v) => v > 0.1), "it does not drive"); // a watcher that is behind saw it stand before
  const note = (name) => told.push({ name, ...proxy.last });

  // keys alone move nothing
  await page.waitForSelector("#drive", WAIT);
  await page.keyboard.down("w");
  await settled(page);
  assert.equal(await value(page, "/Teleop/values", "v"), 0);
  await page.keyboard.up("w");
  const from = await value(page, "/WheelController/values", "x");
  await press(page, "w");
  assert(await until(page, "/WheelController/values", "x", (x) => Math.abs(x - from) > 0.05), "it stays where it is");
  await page.waitForFunction(() => /you drive/.test(document.querySelector(".top").textContent), undefined, WAIT);
  await watcher.waitForFunction(() => /127\.0\.0\.1#\d+ controls/.test(document.querySelector(".top").textContent), undefined, WAIT); // who else looks sees who drives
  if (folder) { await page.screenshot({ path: `${folder}/drive.png` }); }
  await letGo(page, "w");
  await stands(page);
  note("let go");
  console.log("keys ok");

  // the focus goes: a person who looks at another window does not drive
  await press(page, "ArrowUp");
  await page.evaluate(() => globalThis.dispatchEvent(new Event("blur")));
  await stands(page);
  await letGo(page, "ArrowUp");
  note("blur");
  console.log("focus ok");

  // the network stands still: nothing that waits in it drives the robot later
  await press(page, "w");
  await drives(watcher);
  proxy.stalls = true;
  note("stall");
  await stands(watcher);
  await page.waitForFunction(() => document.getElementById("drive").getAttribute("aria-pressed") === "false", undefined, WAIT);
  proxy.go();
  await page.waitForFunction(() => document.getElementById("drive").disabled === false, undefined, WAIT);
  await settled(page);
  await letGo(page, "w");
  told.at(-1).until = await page.evaluate(() => globalThis.doppel.store.end);
  console.log("stall ok");
  if (folder) { await page.keyboard.press("t"); await settled(page); await page.screenshot({ path: `${folder}/drive-light.png` }); }
  assert.deepEqual(page.complaints, []);
  await page.close();

  // another page drives, and its browser is killed
  const server = await chromium.launchServer({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  const doomed = await (await chromium.connect(server.wsEndpoint())).newPage({ viewport: { width: 1000, height: 700 } });
  await doomed.goto(proxy.address);
  await press(doomed, "w");
  await drives(watcher);
  process.kill(-server.process().pid, "SIGKILL"); // with all processes of its group: none is left to let go
  await stands(watcher);
  note("killed");
  console.log("kill ok");
  await watcher.close();
  proxy.close();
  fs.writeFileSync(moments, JSON.stringify(told));
}

/** Who may only look is told why he may not drive. */
async function look() {
  const page = await open(address);
  await page.waitForSelector("#drive", WAIT);
  await page.waitForFunction(() => globalThis.doppel.store.role === "look", undefined, WAIT);
  await settled(page);
  assert(await page.locator("#drive").isDisabled());
  assert.match(await page.locator("#drive").getAttribute("title"), /for looking only/);
  // a page that asks nevertheless is refused
  await page.evaluate(() => globalThis.doppel.store.publish("/Teleop/velocity", new Uint8Array([0x10, 1])));
  await page.waitForFunction(() => globalThis.doppel.store.lines.some((l) => /may not publish: that needs the role control/.test(l.text)), undefined, WAIT);
  assert.equal(await value(page, "/Teleop/values", "v"), 0);
  await page.close();
  console.log("look ok");
}

await { drive, look }[what](...rest);
await browser.close();
