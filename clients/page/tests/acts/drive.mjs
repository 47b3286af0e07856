// SPDX-License-Identifier: Apache-2.0
// A robot that is driven by the page, for the scenarios of acts.mjs.
import assert from "node:assert";
import { button, press, WAIT } from "./common.mjs";

export const value = (page, topic, path) => page.evaluate(([t, p]) => { const all = globalThis.doppel.store.topics.get(t); return all?.message(all.length - 1)?.[p]; }, [topic, path]);
export const speed = (page) => value(page, "/Teleop/values", "v");

/** Whether the robot is told to move before that time has gone. */
export async function moves(page, ms) {
  for (const end = performance.now() + ms; performance.now() < end; await page.waitForTimeout(40)) { if (await speed(page) > 0.1) { return true; } }
  return false;
}

export async function start(page) {
  await page.waitForFunction(() => document.getElementById("drive")?.disabled === false, undefined, WAIT);
  await press(page, "Start driving");
}

/** Drives by `hold`; a page that was too slow to answer has let go, and its user begins again. */
export async function drive(page, hold, letGo) {
  for (let i = 0; i < 20; i++) {
    if (await button(page, "Start driving").count()) { await start(page); await button(page, "Stop driving").waitFor(WAIT); }
    await hold();
    if (await moves(page, 8000)) { return; }
    await letGo();
  }
  assert.fail("it does not drive");
}

/** Seconds of the run's time from what is done now until the robot is told to stand. */
export async function stopsAfter(page, what) {
  const from = await page.evaluate(() => globalThis.doppel.store.end);
  await what();
  await page.waitForFunction((from) => { const t = globalThis.doppel.store.topics.get("/Teleop/values"); return t.times.some((time, i) => time > from && t.message(i).v === 0); }, from, WAIT);
  return page.evaluate((from) => { const t = globalThis.doppel.store.topics.get("/Teleop/values"); return t.times.find((time, i) => time > from && t.message(i).v === 0) - from; }, from);
}
