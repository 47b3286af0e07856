// SPDX-License-Identifier: Apache-2.0
// Live runs of other applications and worlds in a real browser: worlds.mjs FOLDER_FOR_PICTURES NAME=ADDRESS...; NAME is a key of WANTED, or "carry".
import assert from "node:assert";
import { browser, open, pixels, settled } from "./browser.mjs";

/** What must be seen: panels by their names, texts that must come, least pixels of amber and blue, layers that are switched. */
const WANTED = {
  hexafloat: { panels: ["Operator's console", "Axes", "Pose and force", "Level in the workspace", "Force, N", "Twin"], texts: [/allowed now: \d of 8/, /Centre, seen from above/], amber: 1500, blue: 20, layers: ["1", "2", "6", "8", "0"] },
  race: { panels: ["Components", "Assembly"], texts: [/Race_chicane/], amber: 60, blue: 0, layers: ["1", "4", "8", "0"] },
  elevator: { panels: ["Calls", "Car", "World by hand", "Assembly"], texts: [/from floor|on its way/, /contactor/], amber: 0, blue: 0, layers: ["8", "j", "0"] },
  plan: { panels: ["Verdicts", "Joints", "Assembly"], texts: [/3 of 4 passed, 1 failed/, /01 brake opens/, /✗\s*02 bolt holds\s*0\.214\s*0\.1 … 0\.2/], amber: 200, blue: 0, layers: ["1", "0"] },
  mechanism: { panels: ["Joints", "Assembly"], texts: [/parts/], amber: 200, blue: 0, layers: ["1", "8", "j", "0"] },
};

// ---- hands in the world, by the keyboard
const WAIT = { timeout: 200000 };
const until = (page, test, arg) => page.waitForFunction(test, arg, WAIT);
const valueOf = (page, robot, path, wanted) => until(page, ([r, p, w]) => { const s = globalThis.doppel.store; return s.topics.get(`/world/${r}/values`)?.at(s.end)?.[p] === w; }, [robot, path, wanted]);
const says = (page, text) => until(page, (t) => document.querySelector("[aria-label='What came of it in the world']")?.textContent.includes(t), text);
const refused = (page, request) => page.evaluate((r) => globalThis.doppel.store.services.get("/world/put").call(r).then(() => "done", (e) => e.message), request);
async function press(page, name) {
  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
}

/** A lift: calls by floor, load, faults; each is seen in the world, and who looks anew sees what is held. */
async function serve(page) {
  await page.waitForSelector("[aria-label='World by hand']", WAIT);
  await press(page, "up call 5");
  await valueOf(page, "elevator", "up_call5/on", true);
  await until(page, () => document.querySelector("button.lamp.lit[aria-label='up call 5'][aria-pressed='true']"));
  await press(page, "car call 2");
  await until(page, () => document.querySelector("button.lamp.lit[aria-label='car call 2']"));
  await page.getByLabel("Load mass in kg").focus();
  for (let i = 0; i < 3; i++) { await page.keyboard.press("ArrowUp"); }
  await valueOf(page, "elevator", "load/present", 30);
  await press(page, /^Curtain press/);
  await says(page, "Curtain press: on");
  await valueOf(page, "elevator", "curtain/on", false);
  await until(page, () => /2 held/.test(document.querySelector("[aria-label='World by hand'] .right").textContent));
  await page.reload();
  await page.waitForSelector(".switch.on[aria-pressed='true']", WAIT);
  await until(page, () => document.querySelector("[aria-label='Load mass in kg']").value === "30");
  await press(page, /^Curtain press/);
  await valueOf(page, "elevator", "curtain/on", true);
  for (const [request, words] of [[{ channel: "elevator/load/mass", value: 5000 }, "takes 0 to 1260 kg, found '5000'"], [{ channel: "elevator/load/mass", value: "much" }, "a number, true or false"],
    [{ channel: "elevator/laod/mass", value: 1 }, "did you mean 'elevator/load/mass'?"], [{ channel: "elevator/contactor/set", value: true }, "is commanded by a Modbus master"],
    [{ channel: "elevator/load/present", value: 1 }, "is an output of the world"]]) { const why = await refused(page, request); assert(why.includes(words), why); }
}

/** A joint is pushed for a time and let go; what is no force is refused. */
async function shove(page) {
  await page.waitForSelector("[aria-label='World by hand']", WAIT);
  const type = async (label, text) => { await page.getByLabel(label).focus(); await page.keyboard.press("Control+a"); await page.keyboard.type(text); };
  await page.getByLabel("What is pushed").selectOption("excavator/boom/apply");
  await type("force in N m", "much");
  await press(page, "Push");
  await says(page, "'much' is no number in N m");
  await type("force in N m", "2000");
  await type("for so many s", "0.5");
  await press(page, "Push");
  await says(page, "Boom apply: 2000 N m for 0.5 s");
  await until(page, () => globalThis.doppel.store.lines.some((l) => /puts excavator\/boom\/apply: 2000 N m/.test(l.text)));
  await until(page, () => { const t = globalThis.doppel.store.topics.get("/run/hands"); return t.at(globalThis.doppel.store.end).length === 0; });
}

const held = (page, n) => until(page, (n) => { const s = globalThis.doppel.store, t = s.topics.get("/run/hands"); return t.message(t.length - 1).length === n; }, n);
/** What is drawn of forces now: their texts; "": nothing. */
const drawn = (page, wanted) => until(page, (w) => {
  const t = globalThis.doppel.store.topics.get("/scene/live"), entities = t ? [...Array(t.length).keys()].flatMap((i) => t.message(i).entities ?? []) : [], last = entities.filter((e) => e.metadata.some((m) => m.value === "force")).at(-1);
  return new RegExp(w).test((last?.texts ?? []).map((x) => x.text).join());
}, wanted);

/** A body is dragged with the pointer: it moves, its force is drawn, it is let go by the hand, and by the world when the page hangs. */
async function drag(page, folder) {
  const type = async (label, text) => { await page.getByLabel(label).focus(); await page.keyboard.press("Control+a"); await page.keyboard.type(text); };
  await page.getByLabel("What is pushed").selectOption("excavator/boom/grip");
  await page.getByLabel("direction").selectOption("up");
  await type("force in N", "-5");
  await press(page, "Push");
  await says(page, "a force above 0 N is expected");
  await type("force in N", "700");
  await type("for so many s", "2");
  await press(page, "Push");
  await says(page, "Boom grip: 700 N for 2 s");
  await drawn(page, "^700 N$");
  await held(page, 0);
  await drawn(page, "^$");
  await page.keyboard.press("h");
  await until(page, () => document.getElementById("drag").getAttribute("aria-pressed") === "true");
  const box = await page.locator(".scene").boundingBox(), isHeld = () => page.evaluate(() => document.querySelector(".scene > canvas").dataset.held !== undefined);
  let at;
  for (let i = 0; i < 400 && !at; i++) {
    at = [box.x + box.width * (0.3 + 0.1 * (i % 5)), box.y + box.height * 0.2 + 6 * Math.floor(i / 5)];
    await page.mouse.move(...at);
    await page.mouse.down();
    if (!(await isHeld())) { await page.mouse.up(); at = undefined; }
  }
  assert(at, "no body is under the pointer");
  await held(page, 1);
  await page.mouse.move(at[0] + 40, at[1] - 60, { steps: 4 });
  await drawn(page, " N$");
  await settled(page);
  if (folder) { await page.screenshot({ path: `${folder}/drag.png` }); }
  await page.mouse.up();
  await held(page, 0);
  await drawn(page, "^$");
  await page.mouse.move(...at);
  await page.mouse.down();
  if (await isHeld()) {
    await held(page, 1);
    const from = await page.evaluate(() => { const s = globalThis.doppel.store, end = s.end, until = performance.now() + 3000; while (performance.now() < until) { /* the page hangs */ } return end; });
    await until(page, (from) => { const t = globalThis.doppel.store.topics.get("/run/hands"); return t.times.some((time, i) => time > from && time < from + 1.5 && t.message(i).length === 0); }, from);
  }
  await page.mouse.up();
  await page.keyboard.press("h");
  await held(page, 0);
}

/** A robot is lifted while the run drives it; where it cannot stand it is not put down. */
async function carry(address) {
  const page = await open(address);
  await page.waitForSelector("[aria-label='World by hand']", WAIT);
  const to = async (x, y, words) => {
    await press(page, "Carry avatar …");
    await page.waitForSelector("dialog[open]", WAIT);
    for (const [label, value] of [["x in m", x], ["y in m", y], ["heading in °", 90]]) { await page.getByLabel(label).fill(String(value)); }
    await page.keyboard.press("Enter");
    await says(page, words);
  };
  await press(page, "Pause");
  await until(page, () => /Resume/.test(document.getElementById("pause").textContent));
  await to(-6.9, 0, "avatar is at −6.90, 0.00 m");
  await until(page, () => { const { frames, end } = globalThis.doppel.store, at = frames.inWorld("office/avatar", end); return at && Math.hypot(at[0] + 6.9, at[1]) < 0.05; });
  await to(-8, 0, "something is in the way");
  assert.deepEqual(page.complaints, []);
  await page.close();
  console.log("carry ok");
}

async function look(name, address, folder) {
  const page = await open(address), { panels, texts, amber, blue, layers } = WANTED[name];
  const shownText = () => page.evaluate(() => document.body.innerText);
  if (name === "elevator") { await serve(page); }
  if (name === "mechanism") { await shove(page); await drag(page, folder); }
  for (const panel of panels) { await page.waitForSelector(`[aria-label="${panel}"]`, { timeout: 60000 }); }
  for (const text of texts) { await page.waitForFunction((t) => new RegExp(t).test(document.body.innerText), text.source, { timeout: 60000 }); }
  await page.waitForFunction(() => globalThis.doppel.store.end - globalThis.doppel.store.first > 1, undefined, { timeout: 60000 });
  if (name === "hexafloat") {
    assert.equal(await page.locator(".states > .present").count(), 1, "one state is present");
    assert.equal(await page.locator(".request").count(), 8);
    assert.equal(await page.locator(".axis .rail").count(), 6);
  }
  if (name === "elevator") { await until(page, () => document.querySelector(".floors .here")); }
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
for (const run of runs) {
  const name = run.slice(0, run.indexOf("=")), address = run.slice(run.indexOf("=") + 1);
  await (name === "carry" ? carry(address) : look(name, address, folder));
}
await browser.close();
