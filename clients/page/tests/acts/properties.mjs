// SPDX-License-Identifier: Apache-2.0
// Properties of a running component, and its life cycle.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { isLive, openLight, press, shows, until, WAIT, write } from "./common.mjs";

const KEY = "WheelController.SafeRadius", FIELD = `${KEY} in m`;

async function edit(page, doppel) {
  const held = () => Number(execFileSync(doppel, ["param", "get", KEY], { encoding: "utf8" })), first = held();
  const has = (value) => until(page, ([f, v]) => Number(document.querySelector(`[aria-label="${f}"]`)?.value) === v, [FIELD, value]);
  await press(page, "WheelController");
  await has(first);
  await isLive(page);
  await until(page, (f) => !document.querySelector(`[aria-label="${f}"]`).disabled, FIELD);
  await write(page, FIELD, "-7");
  await shows(page, "tr.refused:not([hidden])", /WheelController\.SafeRadius: .*-7 m is out of range, expected 0\.\.\d+ m/);
  assert.equal(held(), first);
  await has(first);
  await write(page, FIELD, "0.31");
  await until(page, (k) => globalThis.doppel.store.properties.get(k).value === 0.31 && !document.querySelector("tr.refused:not([hidden])"), KEY);
  assert.equal(held(), 0.31);
  // the page has the control now: the shell does not
  assert.throws(() => execFileSync(doppel, ["param", "set", KEY, "0.4"], { stdio: "pipe" }), /controls the run/);
  await press(page, `Undo ${KEY}`);
  await until(page, ([k, v]) => globalThis.doppel.store.properties.get(k).value === v, [KEY, first]);
  assert.equal(held(), first);
}

async function save(page, doppel, work) {
  const saved = page.waitForEvent("download", WAIT);
  await press(page, "Save as binding");
  await (await saved).saveAs(`${work}/page.options`);
  execFileSync(doppel, ["param", "save", `${work}/shell.options`]);
  const read = (file) => new Map(fs.readFileSync(`${work}/${file}`, "utf8").trim().split("\n").map((l) => /^--set '(.*?)=(.*)'$/.exec(l).slice(1)).map(([n, v]) => [n, v !== "" && Number.isFinite(Number(v)) ? Number(v) : v]).sort());
  assert.deepEqual(read("page.options"), read("shell.options"));
}

async function life(page) {
  const isIn = (state) => until(page, (s) => globalThis.doppel.store.topics.get("/run/components").at(globalThis.doppel.store.end).find((c) => c.name === "RobotControl").state === s, state);
  const tells = (text) => shows(page, "[aria-label='What came of it']", text);
  await press(page, "RobotControl");
  await press(page, "start RobotControl");
  await tells(/RobotControl: cannot start in state/);
  await press(page, "stop RobotControl");
  await tells(/stop: done/);
  await isIn("INACTIVE");
  await press(page, "stop RobotControl");
  await tells(/RobotControl: cannot stop in state/);
  await press(page, "start RobotControl");
  await tells(/start: done/);
  await isIn("ACTIVE");
}

export async function properties(address, doppel, work) {
  const page = await openLight(address);
  await edit(page, doppel);
  await save(page, doppel, work);
  console.log("properties ok");
  await life(page);
  assert.deepEqual(page.complaints, []);
  console.log("life ok");
}
