// SPDX-License-Identifier: Apache-2.0
// Who may only look: his page sends nothing; what he sends without it is refused, told to the log, and moves nothing.
import assert from "node:assert";
import { allowed, header, MACHINE, openLight, present, press, raw, REQUEST_ENABLE, says, shows, until } from "./common.mjs";

const TOLD = "/MachineControl/values";

export async function look(address) {
  const sent = [], page = await openLight(address, (page) => page.on("websocket", (ws) => ws.on("framesent", (f) => sent.push(f.payload))));
  await until(page, () => document.querySelectorAll(".request").length === 8);
  await header(page, /nobody controls, you look/);
  await press(page, "MachineControl");
  assert.equal(await allowed(page) + await page.locator('.life button[aria-disabled="false"], td input:enabled, td select:enabled').count(), 0);
  assert(await page.locator("#pause").isDisabled() && await page.locator("#control").isHidden());
  await shows(page, ".why", /this address is for looking only/);
  await press(page, "Enable");
  await says(page, "this address is for looking only");
  await press(page, "stop MachineControl");
  await shows(page, "[aria-label='What came of it']", /this address is for looking only/);
  const ops = new Set(sent.map((m) => (typeof m === "string" ? JSON.parse(m).op : "bytes")));
  assert([...ops].every((op) => ["subscribe", "getParameters", "subscribeParameterUpdates"].includes(op)), `who looks sends ${[...ops]}`);

  const client = await raw(address), requests = () => page.evaluate((t) => globalThis.doppel.store.value(t, "requests"), TOLD), before = await requests();
  for (const [send, why] of [
    [() => client.call(MACHINE, "protobuf", REQUEST_ENABLE), /may not call a service: that needs the role control/],
    [() => client.text({ op: "setParameters", id: "x", parameters: [{ name: "ForceFilter.Bypass", value: true }] }), /may not set a parameter: that needs the role control/],
    [() => client.call("/component/stop", "json", '{"component":"MachineControl"}'), /needs the role control/],
    [() => client.call("/run/control", "json", '{"take":true}'), /may not control the run: that needs the role control/],
  ]) {
    send();
    assert.match((await client.answer()).message, why);
  }
  await until(page, () => globalThis.doppel.store.lines.some((l) => /#\d+ asks for .*: refused, that needs the role control/.test(l.text)));
  client.close();
  assert.equal(await requests(), before);
  assert.equal(await present(page), "idle");
  assert.deepEqual(page.complaints, []);
  console.log("look ok");
}
