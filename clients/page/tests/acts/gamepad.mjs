// SPDX-License-Identifier: Apache-2.0
// A gamepad that the browser tells of: its dead man's button, held, let go, from before; it is pulled out, and comes back; one of an unknown layout.
import assert from "node:assert";
import { button, openLight, press, shows } from "./common.mjs";
import { drive, moves, speed, start, stopsAfter } from "./drive.mjs";

/** A gamepad of the test: navigator.getGamepads tells of it. */
const plug = () => {
  globalThis.pad = { id: "pad of the test", index: 0, connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })) };
  navigator.getGamepads = () => [globalThis.pad.connected ? globalThis.pad : null, null, null, null];
};

export async function gamepad(address) {
  const page = await openLight(address, (page) => page.addInitScript(plug));
  const set = (held, forward) => page.evaluate(([held, forward]) => { globalThis.pad.buttons[4] = { pressed: held, value: Number(held) }; globalThis.pad.axes[1] = -forward; }, [held, forward]);
  const hold = () => set(true, 1), letGo = () => set(false, 1), go = () => drive(page, hold, letGo);
  const connect = (on, told) => page.evaluate(([on, told]) => { globalThis.pad.connected = on; if (told) { globalThis.dispatchEvent(new Event(on ? "gamepadconnected" : "gamepaddisconnected")); } }, [on, told]);
  const stands = async (what, ms = 1000) => assert(!(await moves(page, ms)), what);

  // neither the stick alone drives, nor a button that was held before
  await hold();
  await start(page);
  await button(page, "Stop driving").waitFor();
  await stands("a button that is held from before drives");
  await letGo();
  await stands("the stick alone drives");
  await go();
  const released = await stopsAfter(page, letGo);
  assert(released < 0.5, `let go: it stops after ${released} s`);
  console.log("held ok", released.toFixed(3));

  for (const told of [true, false]) {
    await go();
    const lost = await stopsAfter(page, () => connect(false, told));
    assert(lost < 0.5, `pulled out: it stops after ${lost} s`);
    await connect(true, told);
    await stands("a gamepad that comes back with its button held drives");
    await letGo();
    console.log("pulled out ok", lost.toFixed(3));
  }

  await page.evaluate(() => { globalThis.pad.mapping = ""; });
  await hold();
  await shows(page, "[aria-label='Drive by hand'] .empty", /does not know the buttons of this gamepad, which does not drive: pad of the test/);
  await stands("a gamepad of an unknown layout drives");
  await press(page, "Stop driving");
  assert.equal(await speed(page), 0);
  assert.deepEqual(page.complaints, []);
  console.log("gamepad ok");
}
