// SPDX-License-Identifier: Apache-2.0
// The operator's console of the six-axis machine, as the tables of docs/reference/machine-control.md say it; control that is exclusive, visible, taken.
import assert from "node:assert";
import fs from "node:fs";
import { open } from "../browser.mjs";
import { allowed, ask, header, MACHINE, openLight, present, press, raw, reaches, REQUEST_ENABLE, says, shows, tabTo, until, write } from "./common.mjs";

/** The run is slow, so that a slow page can ask for something while the machine moves; where only time has to go by it goes at once. */
async function pass(page, wanted) {
  const isSo = () => page.evaluate(() => { const t = globalThis.doppel.store.topics.get("/MachineControl/report"), r = t.message(t.length - 1); return `${r.present} ${r.requests}`; }).then((text) => wanted.test(text));
  const call = (name, request) => page.evaluate(([name, request]) => globalThis.doppel.store.services.get(name).call(request).then(() => true), [name, request]);
  await call("/run/pause", {});
  await call("/run/rate", { rate: 0 });
  for (let i = 0; i < 20 && !(await isSo()); i++) { await call("/run/run_for", { seconds: 0.5 }); await page.waitForTimeout(150); }
  await call("/run/rate", { rate: 0.05 });
  await call("/run/resume", {});
}

/** The two tables: state -> request -> cell. */
function tables(file) {
  const cells = {};
  let head = [];
  for (const line of fs.readFileSync(file, "utf8").split("\n## Faults")[0].split("\n")) {
    const row = line.startsWith("|") ? line.split("|").slice(1, -1).map((c) => c.trim()) : [];
    if (row[0] === "phase" || row[0] === "state") { head = row; continue; }
    if (!row.length || /^-/.test(row[0])) { continue; }
    for (const state of row[0].replace(/^admittance: /, "").split(", ")) {
      row.slice(1).forEach((cell, i) => head[i + 1].split(", ").forEach((request) => { (cells[state] ??= {})[request] = cell === "see below" ? undefined : cell; }));
    }
  }
  return cells;
}

/** Whether a row of a report is what the cell of the table says. */
function fits(row, cell) {
  const [, , sign, rest] = /^([^>=!]*)([>=!])(.*)$/s.exec(row) ?? [], to = /^-> (\w+)/.exec(cell)?.[1];
  if (cell === "so") { return sign === "="; }
  if (cell === "no") { return sign === "!" && rest.length > 5; }
  const isConditional = /, |at rest/.test(cell);
  return sign === ">" ? !to || to === "motion" || rest.split("/").pop() === to : sign === "!" && isConditional && rest.length > 5;
}

/** Of the reports of the last minute those that are not `seen` yet: they are the table's, and the page shows that and nothing else. */
async function checkTable(page, cells, seen) {
  const reports = await page.evaluate(() => { const t = globalThis.doppel.store.topics.get("/MachineControl/report"); return t.times.map((time, i) => ({ time, ...t.message(i) })); }), fresh = [];
  for (const [i, { time, present, requests }] of reports.entries()) {
    const state = present.split("|").pop(), rows = requests.split("|"), key = `${state} ${requests}`;
    if (seen.has(key) || reports[i + 1]?.time === time) { continue; }
    seen.add(key);
    for (const row of rows) {
      const request = /^[a-z]+/.exec(row)[0], cell = cells[state.split("/").pop()]?.[request] ?? cells[state.split("/")[0]]?.[request];
      assert(cell !== undefined && fits(row, cell), `in ${state} the report says "${row}", the table "${cell}"`);
    }
    fresh.push({ time, present: present.split("|").length, requests: JSON.stringify(rows.map((r) => [/^[a-z]+/.exec(r)[0], r.includes(">") ? `→ ${r.split("/").pop().split(">").pop()}` : r.includes("!") ? `no: ${r.slice(r.indexOf("!") + 1)}` : "already so"])) });
  }
  const wrong = await page.evaluate(async (fresh) => {
    const { store } = globalThis.doppel, frame = () => new Promise(requestAnimationFrame), all = (what) => [...document.querySelectorAll(what)];
    const shown = () => JSON.stringify(all(".request").map((b) => [b.querySelector("button").textContent.toLowerCase(), b.querySelector("small").textContent]));
    for (const { time, present, requests } of fresh) {
      while (store.end <= time) { await frame(); }
      store.show(time);
      // who looks at the past asks for nothing
      const isSo = () => shown() === requests && all(".states [aria-current=step]").length === present && all('.request button[aria-disabled="false"]').length === 0;
      for (const end = performance.now() + 20000; !isSo(); await frame()) { if (performance.now() > end) { return `at ${time} s, ${present} states, the page shows ${shown()}, not ${requests}`; } }
    }
    store.show(undefined);
    return "";
  }, fresh);
  assert.equal(wrong, "");
}

const STATES = ["idle", "enabling", "ready", "homing", "position", "stopping", "sync", "run", "fault", "resetting"];

/** Every state but the boot: each is entered and left by the keyboard. */
async function everyState(page, file, folder) {
  const cells = tables(file), seen = new Set();
  await tabTo(page, "Home");
  await page.keyboard.press("Enter");
  await says(page, "Home: no: the axes are off: enable first");
  assert.equal(await present(page), "idle");
  await ask(page, "Enable");
  await reaches(page, "^ready$");
  await header(page, /you control/);
  await ask(page, "Position");
  await write(page, "x in m", "far");
  await shows(page, "dialog", /x: 'far' is no number in m/);
  await write(page, "x in m", "0.03");
  await reaches(page, "motion/position");
  await pass(page, /home>/);
  await ask(page, "Home");
  await reaches(page, "motion/homing");
  await ask(page, "Stop");
  await says(page, "Stop: accepted");
  await reaches(page, "^ready$");
  await ask(page, "Admittance");
  await pass(page, /admittance\/(run|deflect) /);
  await reaches(page, "motion/admittance/(run|deflect)");
  if (folder) {
    for (const theme of ["dark", "light"]) {
      await page.evaluate((t) => { document.documentElement.dataset.theme = t; globalThis.doppel.store.changed(); }, theme);
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${folder}/acts-${theme}.png` });
    }
  }
  await ask(page, "Stop");
  await reaches(page, "^ready$");
  await ask(page, "Home");
  await reaches(page, "motion/homing");
  await ask(page, "Emergency");
  await says(page, "Emergency: accepted");
  await reaches(page, "^fault$");
  await until(page, () => /1 active, 0 cleared/.test(document.body.textContent) && /■ emergency/.test(document.querySelector(".faults")?.textContent));
  await ask(page, "Reset");
  await reaches(page, "^idle$");
  await until(page, () => /0 active, 1 cleared/.test(document.body.textContent));
  await checkTable(page, cells, seen);
  const states = new Set([...seen].map((k) => k.split(" ")[0]));
  for (const state of STATES) { assert([...states].some((s) => s.split("/").pop() === state), `${state} was not seen: ${[...states]}`); }
  console.log("table ok", seen.size, [...states].join(" "));
}

/** Another one sees who controls, may do nothing, takes it, and goes. */
async function twoPages(page, address) {
  const other = await openLight(address), client = await raw(address);
  await header(other, /#\d+ controls/);
  await until(other, () => document.querySelectorAll(".request").length === 8);
  assert.equal(await allowed(other), 0);
  assert(await other.locator("#pause").isDisabled());
  await press(other, "Enable");
  await says(other, "controls: take the control first");
  client.call(MACHINE, "protobuf", REQUEST_ENABLE);
  assert.match((await client.answer()).message, /controls the run/);
  client.close();
  assert.equal(await present(page), "idle");
  console.log("exclusive ok");

  await press(other, "Take control");
  await header(page, /#\d+ controls/);
  assert.equal(await allowed(page), 0);
  await ask(other, "Enable");
  await reaches(page, "^ready$");
  assert.deepEqual(other.complaints, []);
  await other.close();
  await header(page, /nobody controls/);
  await ask(page, "Disable");
  await reaches(page, "^idle$");
  await press(page, "Give back");
  await header(page, /nobody controls/);
  console.log("taken ok");
}

export async function machine(address, file, folder) {
  const page = await (folder ? open : openLight)(address);
  await reaches(page, "^idle$");
  await header(page, /nobody controls/);
  await everyState(page, file, folder);
  await twoPages(page, address);
  assert.deepEqual(page.complaints, []);
}
