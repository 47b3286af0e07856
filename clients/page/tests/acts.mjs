// SPDX-License-Identifier: Apache-2.0
// What a person does to a run by the page, by the keyboard alone: acts.mjs SCENARIO ADDRESS [MORE].
import { browser } from "./browser.mjs";
import { folder } from "./acts/folder.mjs";
import { gamepad } from "./acts/gamepad.mjs";
import { hardware } from "./acts/hardware.mjs";
import { look } from "./acts/look.mjs";
import { machine } from "./acts/machine.mjs";
import { properties } from "./acts/properties.mjs";
import { traces } from "./acts/traces.mjs";
import { wrong } from "./acts/wrong.mjs";

const [scenario, ...rest] = process.argv.slice(2), begun = performance.now();
await { folder, gamepad, hardware, look, machine, properties, traces, wrong }[scenario](...rest);
console.log(scenario, ((performance.now() - begun) / 1000).toFixed(1), "s");
await browser.close();
