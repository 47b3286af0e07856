// SPDX-License-Identifier: Apache-2.0
// The sheet of keys.
import { h } from "./dom";
import { LAYERS } from "./layers";

const KEYS: [string, string][] = [
  ["space", "pause and go on"], ["→ ←", "a step forward, back"], ["End", "back to live, or to the end"], ["1 … 9, 0, j", `layers: ${LAYERS.map((l) => l.name).join(", ")}`],
  ["f", "the camera follows the robot"], ["c", "next camera"], ["a b", "cursor A, B at the time that is shown"], ["n", "write a note into the run"], ["h", "drag bodies of a world"], ["g", "graph of the components"], ["⇧ W A S D", "drive, after control was taken; also arrows"], ["/", "find in the log"], ["t", "light or dark"], ["Esc Esc", "STOP ROBOT"], ["?", "this sheet"],
];

export function showHelp() {
  const close = h("button", { click: () => sheet.close() }, "Close");
  const sheet: HTMLDialogElement = h("dialog", { "aria-label": "Keys of this page", close: () => sheet.remove() }, h("h2", {}, "Keys of this page"),
    h("table", {}, h("tbody", {}, ...KEYS.map(([key, what]) => h("tr", {}, h("td", { class: "first" }, h("span", { class: "key" }, key)), h("td", {}, what))))), close);
  document.body.append(sheet);
  sheet.showModal();
}
