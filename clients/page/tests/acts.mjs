// SPDX-License-Identifier: Apache-2.0
// What a person does to a run by the page, by the keyboard alone: acts.mjs SCENARIO ADDRESS [MORE]; SCENARIO is a name of the table at the end.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { browser, open } from "./browser.mjs";

const WAIT = { timeout: Number(process.env.ACTS_WAIT_MS ?? 200000) };
const until = (page, test, arg) => page.waitForFunction(test, arg, WAIT);

/** Walks by Tab to a button or a field, forwards or back, as a person would. */
async function tabTo(page, wanted, role = "button, input, select") {
  for (let i = 0; i < 400; i++) {
    const way = await page.evaluate(([wanted, role]) => {
      const nameOf = (e) => e.getAttribute("aria-label") ?? e.textContent.trim(), at = document.activeElement;
      if (at.matches(role) && nameOf(at) === wanted) { return "there"; }
      const to = [...document.querySelectorAll(role)].find((e) => nameOf(e) === wanted && e.checkVisibility());
      return to ? (at.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab") : "missing";
    }, [wanted, role]);
    if (way === "there") { return; }
    if (way === "missing") { await page.waitForTimeout(100); } else { await page.keyboard.press(way); }
  }
  assert.fail(`the Tab key does not reach ${wanted}`);
}
async function press(page, wanted) { await tabTo(page, wanted); await page.keyboard.press("Enter"); }

// ---- properties and life cycle
async function properties(address, doppel, work) {
  const page = await open(address), key = "WheelController.SafeRadius", field = `${key} in m`;
  const held = () => Number(execFileSync(doppel, ["param", "get", key], { encoding: "utf8" })), first = held();
  const type = async (text) => { await tabTo(page, field); await page.keyboard.press("Control+a"); await page.keyboard.type(text); await page.keyboard.press("Enter"); };
  const shows = (value) => until(page, ([f, v]) => Number(document.querySelector(`[aria-label="${f}"]`)?.value) === v, [field, value]);
  await press(page, "WheelController");
  await shows(first);
  await until(page, (f) => globalThis.doppel.store.link === "live" && !document.querySelector(`[aria-label="${f}"]`).disabled, field);
  await type("-7");
  await until(page, () => /WheelController\.SafeRadius: .*-7 m is out of range, expected 0\.\.\d+ m/.test(document.querySelector("tr.refused:not([hidden])")?.textContent));
  assert.equal(held(), first);
  await shows(first);
  await type("0.31");
  await until(page, (k) => globalThis.doppel.store.properties.get(k).value === 0.31 && !document.querySelector("tr.refused:not([hidden])"), key);
  assert.equal(held(), 0.31);
  // the page has the control now: the shell does not
  assert.throws(() => execFileSync(doppel, ["param", "set", key, "0.4"], { stdio: "pipe" }), /controls the run/);
  await press(page, `Undo ${key}`);
  await until(page, ([k, v]) => globalThis.doppel.store.properties.get(k).value === v, [key, first]);
  assert.equal(held(), first);

  const saved = page.waitForEvent("download", WAIT);
  await press(page, "Save as binding");
  await (await saved).saveAs(`${work}/page.options`);
  execFileSync(doppel, ["param", "save", `${work}/shell.options`]);
  const read = (file) => new Map(fs.readFileSync(`${work}/${file}`, "utf8").trim().split("\n").map((l) => /^--set '(.*?)=(.*)'$/.exec(l).slice(1)).map(([n, v]) => [n, v !== "" && Number.isFinite(Number(v)) ? Number(v) : v]).sort());
  assert.deepEqual(read("page.options"), read("shell.options"));
  console.log("properties ok");

  const isIn = (state) => until(page, (s) => globalThis.doppel.store.topics.get("/run/components").at(globalThis.doppel.store.end).find((c) => c.name === "RobotControl").state === s, state);
  const tells = (text) => until(page, (t) => document.querySelector("[aria-label='What came of it']")?.textContent.includes(t), text);
  await press(page, "RobotControl");
  await press(page, "start RobotControl");
  await tells("RobotControl: cannot start in state");
  await press(page, "stop RobotControl");
  await tells("stop: done");
  await isIn("INACTIVE");
  await press(page, "stop RobotControl");
  await tells("RobotControl: cannot stop in state");
  await press(page, "start RobotControl");
  await tells("start: done");
  await isIn("ACTIVE");
  assert.deepEqual(page.complaints, []);
  console.log("life ok");
}

const [scenario, ...rest] = process.argv.slice(2);
await { properties }[scenario](...rest);
await browser.close();
