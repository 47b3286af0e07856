// SPDX-License-Identifier: Apache-2.0
// What a visitor does wrong, each answered in words that he sees: a table of what he does and the text that comes.
import assert from "node:assert";
import { browser } from "../browser.mjs";
import { proxyTo } from "../proxy.mjs";
import { ask, isLive, openLight, press, raw, reaches, shows, write } from "./common.mjs";
import { drive, speed, start, stopsAfter } from "./drive.mjs";

const SAID = "[aria-label='What came of the last request']", LIFE = "[aria-label='What came of it']", PROPERTY = "tr.refused:not([hidden])", DRIVE = "[aria-label='Drive by hand'] .empty", TOAST = ".toast";
const FIELD = "WheelController.SafeRadius in m";
const down = async (page) => { for (const k of ["Shift", "w"]) { await page.keyboard.down(k); } }, up = async (page) => { for (const k of ["w", "Shift"]) { await page.keyboard.up(k); } };
const free = (page) => page.evaluate(() => document.activeElement.blur());
const go = async (page) => { await free(page); await drive(page, () => down(page), () => up(page)); };
const takes = (other) => other.call("/run/control", "json", '{"take":true}');

/** Of the machine: what, who does it, where the answer stands, the answer. */
const MACHINE = [
  ["asks for what its state forbids", (page) => press(page, "Home"), SAID, /^Home: no: the axes are off: enable first$/],
  ["asks for what is so", (page) => press(page, "Disable"), SAID, /^Disable: already so$/],
  ["makes a step while it runs", async (page) => { await free(page); await page.keyboard.press("ArrowRight"); }, TOAST, /^pause the run first$/],
  ["starts what runs", async (page) => { await press(page, "MachineControl"); await press(page, "start MachineControl"); }, LIFE, /MachineControl: cannot start in state ACTIVE/],
  ["asks while he looks at the past", async (page) => { await page.evaluate(() => globalThis.doppel.store.show(globalThis.doppel.store.end - 0.5)); await press(page, "Enable"); }, SAID, /^Enable: this is what held then: back to live to ask for something$/],
  ["gives a target that is no number", async (page) => { await page.evaluate(() => globalThis.doppel.store.show(undefined)); await ask(page, "Enable"); await reaches(page, "^ready$"); await ask(page, "Position"); await write(page, "z in m", "up"); }, "dialog .refused", /^z: 'up' is no number in m$/],
  ["gives a target that it cannot reach", (page) => write(page, "z in m", "0.9"), SAID, /^Position: accepted, but then: .*outside of the planner's workspace/],
  ["asks while another one controls", async (page, other) => { takes(other); await shows(page, ".top", /#\d+ controls/); await press(page, "Disable"); }, SAID, /^Disable: .*#\d+ controls: take the control first$/],
  ["pauses while another one controls", async (page) => { await free(page); await page.keyboard.press(" "); }, TOAST, /#\d+ controls: take the control first$/],
];

/** Of a robot that is driven by hand. */
const ROBOT = [
  ["presses keys before he drives", down, DRIVE, /^Start first: then hold Shift/],
  ["gives a value out of range", async (page) => { await up(page); await press(page, "WheelController"); await write(page, FIELD, "-7"); }, PROPERTY, /^WheelController\.SafeRadius: .*-7 m is out of range, expected 0\.\.\d+ m/],
  ["gives a word for a number", (page) => write(page, FIELD, "wide"), PROPERTY, /^WheelController\.SafeRadius: .*'?wide'? .*\(0 … \d+ m\)$/],
  ["gives nothing for a number", (page) => write(page, FIELD, " "), PROPERTY, /^WheelController\.SafeRadius: .*\(0 … \d+ m\)$/],
  ["drives without the dead man's switch", async (page) => { await start(page); await page.keyboard.down("w"); }, DRIVE, /^Hold Shift or this button, and press W A S D/],
  ["drives while another one takes control", async (page, other) => { await page.keyboard.up("w"); await go(page); takes(other); }, DRIVE, /#\d+ controls: take the control first$/],
];

/** The same, behind a network that stands still. */
const LOST = [
  ["loses the network while he drives", async (page, proxy) => { await go(page); proxy.stalls = true; }, TOAST, /^the run does not answer: let go, and start again$/],
  ["stops a robot that is not there", async (page, proxy) => { await up(page); proxy.cut(); await shows(page, ".top", /the run is lost, trying again/); for (const k of ["Escape", "Escape"]) { await page.keyboard.press(k); } }, TOAST, /^no robot is connected: nothing is stopped$/],
  ["drives when the run is lost", () => undefined, DRIVE, /^no run is connected$/],
];

async function each(rows, page, more) {
  for (const [what, does, where, text] of rows) {
    await page.evaluate(() => document.querySelector(".toast")?.remove());
    await does(page, more);
    await shows(page, where, text).catch(async () => assert.fail(`${what}: ${JSON.stringify(await page.locator(where).allTextContents())}, expected ${text}`));
    console.log(`${what}: ${JSON.stringify((await page.locator(where).allTextContents()).join(" "))}`);
  }
}

export async function wrong(machine, robot) {
  let page = await openLight(machine);
  await reaches(page, "^idle$");
  const others = [await raw(machine), await raw(robot)];
  await each(MACHINE, page, others[0]);
  assert.deepEqual(page.complaints, []);
  await page.close();

  page = await openLight(robot);
  await isLive(page);
  await each(ROBOT, page, others[1]);
  await up(page);
  await stopsAfter(page, () => undefined);
  await page.close();
  others.forEach((o) => o.close());

  const proxy = await proxyTo(robot);
  page = await openLight(proxy.address);
  await isLive(page);
  await each(LOST, page, proxy);
  await page.close();

  // an address that another run has printed, and none
  for (const [address, where, text] of [[robot.replace(/#t=.*/, `#t=${"0".repeat(32)}`), ".top", /the run is gone; another one is here: open the address that it has printed/], [robot.replace(/#.*/, ""), ".top", /the address has no token: open the one that the run has printed/]]) {
    page = await browser.newPage();
    await page.goto(address);
    await shows(page, where, text);
    await page.close();
  }
  console.log("wrong ok");
}
