// SPDX-License-Identifier: Apache-2.0
// Pictures of recordings that `doppel view` serves: pictures.mjs FILE ADDRESS SECONDS [light].
import { browser, open, settled } from "./browser.mjs";

const [file, address, seconds, theme] = process.argv.slice(2), page = await open(address, theme === "light" ? "light" : "dark");
await page.evaluate((t) => globalThis.doppel.store.show(t), Number(seconds));
await settled(page);
await page.evaluate(() => document.dispatchEvent(new CustomEvent("camera", { detail: "fit" })));
await settled(page);
await page.screenshot({ path: file });
for (const complaint of page.complaints) { console.error(complaint); }
await browser.close();
