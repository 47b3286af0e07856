// SPDX-License-Identifier: Apache-2.0
// A folder of benches, plans and machines: an elevator of nine floors is made by its form, by the keyboard alone, and passes its plan.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { openLight, press, shows, until, WAIT } from "./common.mjs";

const SAYS = "[aria-label='What came of the form']", RUN = "[aria-label='What is run']";

/** Fills a field by its name. */
async function fill(page, label, text) {
  await page.getByLabel(label, { exact: true }).press("Control+a", WAIT);
  await page.keyboard.type(text);
}

async function make(page, doppel, folder, file, name) {
  await press(page, `Parameters of ${file}`);
  await until(page, (f) => document.querySelector(`form[aria-label="Parameters of ${f}"]`), file);
  for (const [label, text, words] of [["FLOORS", "40", /FLOORS: '40' is not 2 to 32/], ["FLOORS", "nine", /FLOORS: 'nine' is not 2 to 32/], ["FLOORS", " ", /FLOORS: ' ' is not/], ["HEIGHT in m", "1", /HEIGHT: '1' is not 2 to 10 m/]]) {
    await fill(page, "FLOORS", "9");
    await fill(page, label, text);
    await page.keyboard.press("Enter");
    await shows(page, SAYS, words);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), label);
  }
  await fill(page, "FLOORS", "9");
  await fill(page, "HEIGHT in m", "3.2");
  for (const [wrong, words] of [["../nine.xml", /name: found '\.\.\/nine\.xml', expected letters/], [file, /there is such a file: take another name/]]) {
    await fill(page, "Name of the new file", wrong);
    await page.keyboard.press("Enter");
    await shows(page, SAYS, words);
  }
  await fill(page, "Name of the new file", name);
  await page.keyboard.press("Enter");
  await shows(page, SAYS, new RegExp(`${name} is saved and checked`));
  assert.equal(fs.readFileSync(`${folder}/${name}`, "utf8"), fs.readFileSync(`${folder}/${file}`, "utf8").replace('name="FLOORS" value="12"', 'name="FLOORS" value="9"'));
  assert.match(execFileSync(doppel, ["check", `${folder}/${name}`], { encoding: "utf8" }), /0 errors, 0 warnings/);
}

/** A limit that follows from another parameter is judged with what is in the form. */
async function scale(page, folder) {
  await press(page, "Parameters of scale.xml");
  await until(page, () => document.querySelector('form[aria-label="Parameters of scale.xml"]'));
  await fill(page, "M in kg", "7");
  await page.keyboard.press("Enter");
  await shows(page, SAYS, /M: found 7, expected 1 to 6 kg/);
  await fill(page, "N", "4");
  await page.keyboard.press("Enter");
  await shows(page, SAYS, /scale_mine\.xml is saved and checked/);
  assert.match(fs.readFileSync(`${folder}/scale_mine.xml`, "utf8"), /name="N" value="4"[^]*name="M" value="7"/);
}

async function run(page, file, step, words, end) {
  if (step) { await fill(page, `Step of ${file}`, step); }
  await press(page, `Run ${file}`);
  await shows(page, ".folder .lines li", words);
  await shows(page, RUN, end);
}

export async function folder(address, doppel, path) {
  const page = await openLight(address);
  await shows(page, ".folder td", /tower\.xml/);
  await make(page, doppel, path, "elevator_shaft.xml", "nine_shaft.xml");
  await make(page, doppel, path, "tower.xml", "nine.xml");
  await scale(page, path);
  await run(page, "nine.xml", "04 to the top, empty", /^ok {3}04 to the top, empty/, /nine\.xml: as expected/);
  await shows(page, ".folder .lines li", /1 run: 1 step passed, 0 failed, 81 skipped/);
  await page.getByLabel("World of tower.xml", { exact: true }).selectOption("nine_shaft.xml");
  await run(page, "tower.xml", "04 to the top, empty", /^ok {3}04 to the top, empty/, /tower\.xml: as expected/);
  assert.match(JSON.parse(fs.readFileSync(`${path}/results-tower/summary.json`, "utf8")).world, /nine_shaft\.xml$/);
  await run(page, "wrong.xml", "", /^FAIL wrong: differs: /, /wrong\.xml: not as expected/);
  assert.ok(await page.locator(".folder .lines .bad").count() > 0);
  await press(page, "Open the result");
  await until(page, () => /^http:\/\/127\.0\.0\.1:\d+\/#r=[0-9a-f]{32}&n=run\.mcap$/.test(document.querySelector(".folder a")?.href));
  const result = await openLight(await page.evaluate(() => document.querySelector(".folder a").href));
  await until(result, () => globalThis.doppel.store.link === "recording" && globalThis.doppel.store.topics.has("/RobotControl/values"));
  assert.deepEqual([...page.complaints, ...result.complaints], []);
}
