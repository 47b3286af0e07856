// SPDX-License-Identifier: Apache-2.0
// Before the first motion of hardware the page asks once: who says no sends nothing, who says yes drives.
import assert from "node:assert";
import { button, openLight, press, shows } from "./common.mjs";
import { drive, speed, start, stopsAfter, value } from "./drive.mjs";

export async function hardware(address) {
  const sent = [], page = await openLight(address, (page) => page.on("websocket", (ws) => ws.on("framesent", (f) => { if (typeof f.payload !== "string" || !/"(subscribe|getParameters|subscribeParameterUpdates)"/.test(f.payload)) { sent.push(f.payload); } })));
  const key = async (way) => { for (const k of way === "down" ? ["Shift", "w"] : ["w", "Shift"]) { await page.keyboard[way](k); } }, question = page.getByRole("dialog");

  // a key that is still held from the button before is no answer
  await page.waitForFunction(() => document.getElementById("drive")?.disabled === false);
  await button(page, "Start driving").focus();
  for (let i = 0; i < 3; i++) { await page.keyboard.down("Enter"); }
  await page.keyboard.up("Enter");
  await shows(page, "dialog", /This run moves real hardware/);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await key("down");
  await page.waitForTimeout(1000);
  await key("up");
  assert.equal(await button(page, "Stop driving").count(), 0);
  assert.deepEqual(sent, [], "who said no has sent something");
  assert.equal(await speed(page), 0);
  await shows(page, ".top", /nobody controls/);
  console.log("no ok");

  await start(page);
  await question.getByRole("button", { name: "Drive", exact: true }).press("Enter");
  await button(page, "Stop driving").waitFor();
  const from = await value(page, "/WheelController/values", "x");
  await drive(page, () => key("down"), () => key("up"));
  await page.waitForFunction((x) => { const t = globalThis.doppel.store.topics.get("/WheelController/values"); return Math.abs(t.message(t.length - 1).x - x) > 0.03; }, from);
  const stopped = await stopsAfter(page, () => key("up"));
  console.log("yes ok", stopped.toFixed(3));

  // it asks once
  if (await button(page, "Stop driving").count()) { await press(page, "Stop driving"); }
  await start(page);
  await button(page, "Stop driving").waitFor();
  assert.equal(await question.count(), 0);
  await press(page, "Stop driving");

  // what the run's clock does not do is said, too
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press(" ");
  await shows(page, ".toast", /the run is on the real clock: its time cannot be paused/);
  assert.deepEqual(page.complaints, []);
  console.log("hardware ok");
}
