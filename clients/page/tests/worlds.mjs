// SPDX-License-Identifier: Apache-2.0
// Live runs of other applications and worlds in a real browser: worlds.mjs FOLDER_FOR_PICTURES NAME=ADDRESS...; NAME is a key of WANTED.
import assert from "node:assert";
import { browser, open, pixels, settled } from "./browser.mjs";

/** What must be seen: panels by their names, texts that must come, least pixels of amber and blue, layers that are switched. */
const WANTED = {
  hexafloat: { panels: ["Operator's console", "Axes", "Pose and force", "Level in the workspace", "Force, N", "Twin"], texts: [/allowed now: \d of 8/, /Centre, seen from above/], amber: 1500, blue: 20, layers: ["1", "2", "6", "8", "0"] },
  race: { panels: ["Components", "Assembly"], texts: [/Race_chicane/], amber: 60, blue: 0, layers: ["1", "4", "8", "0"] },
  elevator: { panels: ["Calls", "Car", "Assembly"], texts: [/from floor|on its way/, /contactor/], amber: 0, blue: 0, layers: ["8", "j", "0"] },
  plan: { panels: ["Verdicts", "Joints", "Assembly"], texts: [/3 of 4 passed, 1 failed/, /01 brake opens/, /✗\s*02 bolt holds\s*0\.214\s*0\.1 … 0\.2/], amber: 200, blue: 0, layers: ["1", "0"] },
  mechanism: { panels: ["Joints", "Assembly"], texts: [/parts/], amber: 200, blue: 0, layers: ["1", "8", "j", "0"] },
};

async function look(name, address, folder) {
  const page = await open(address), { panels, texts, amber, blue, layers } = WANTED[name];
  const shownText = () => page.evaluate(() => document.body.innerText);
  for (const panel of panels) { await page.waitForSelector(`[aria-label="${panel}"]`, { timeout: 60000 }); }
  for (const text of texts) { await page.waitForFunction((t) => new RegExp(t).test(document.body.innerText), text.source, { timeout: 60000 }); }
  await page.waitForFunction(() => globalThis.doppel.store.end - globalThis.doppel.store.first > 1, undefined, { timeout: 60000 });
  if (name === "hexafloat") {
    assert.equal(await page.locator(".states > .present").count(), 1, "one state is present");
    assert.equal(await page.locator(".request").count(), 8);
    assert.equal(await page.locator(".axis .rail").count(), 6);
  }
  if (name === "elevator") { await page.waitForFunction(() => document.querySelectorAll(".lamp.lit").length > 0 && document.querySelector(".floors .here"), undefined, { timeout: 60000 }); }
  await settled(page);
  if (folder) { await page.screenshot({ path: `${folder}/${name}.png` }); }
  assert(!/undefined|NaN|\[object/.test(await shownText()), `a text of ${name} is no text`);
  for (const column of ["left", "right"]) { assert(await page.evaluate((id) => document.getElementById(id).lastElementChild.getBoundingClientRect().bottom >= document.getElementById(id).getBoundingClientRect().bottom - 2, column), `the ${column} column of ${name} ends empty`); }
  // the picture stands: a time is shown, and the camera is the user's
  const at = await page.locator(".scene").boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height - 40);
  await page.mouse.down();
  await page.mouse.up();
  if (name === "plan") {
    await page.getByRole("listitem").filter({ hasText: "02 bolt holds" }).press("Enter");
    await page.waitForFunction(() => /failed, 2\.000 s/.test(document.body.innerText) && /angle is 0\.21\d*, expected 0\.1 to 0\.2/.test(document.body.innerText));
    assert.equal(await page.evaluate(() => document.querySelectorAll(".verdicts .verdict.bad").length), 2, "the step that has failed, and its number");
    assert.equal(await page.getByRole("list", { name: "Steps" }).getByRole("listitem").count(), 3, "the next begins; what comes later is not there yet");
    await page.evaluate(() => globalThis.doppel.store.show(globalThis.doppel.store.end));
  } else if (!(await page.locator("#pause").isDisabled())) {
    await page.locator("#pause").click();
    await page.waitForFunction(() => /Resume/.test(document.getElementById("pause").textContent));
  }
  await page.evaluate(() => globalThis.doppel.store.show(globalThis.doppel.store.end - 0.3));
  await settled(page);
  const first = await pixels(page);
  assert(first.amber >= amber && first.blue >= blue, `${name}: ${first.amber} amber and ${first.blue} blue pixels`);
  for (const key of layers) {
    const before = (await pixels(page)).png;
    await page.keyboard.press(key);
    await settled(page);
    assert(!before.equals((await pixels(page)).png), `${name}: layer ${key} changes nothing`);
    await page.keyboard.press(key);
    await settled(page);
  }
  if (panels.includes("Assembly")) {
    const before = (await pixels(page)).png;
    await page.locator(".branch button.icon").first().click();
    await settled(page);
    assert(!before.equals((await pixels(page)).png), `${name}: what is hidden is still there`);
  }
  assert.deepEqual(page.complaints, []);
  await page.close();
  console.log(`${name} ok`, first.amber, first.blue);
}

const [folder, ...runs] = process.argv.slice(2);
for (const run of runs) { await look(run.slice(0, run.indexOf("=")), run.slice(run.indexOf("=") + 1), folder); }
await browser.close();
