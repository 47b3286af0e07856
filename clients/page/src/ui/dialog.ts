// SPDX-License-Identifier: Apache-2.0
// A question to the user: yes or no, perhaps with numbers that he gives. Enter says yes, Esc no; a key that is still held from before says nothing.
import { h } from "./dom";

export interface Asked { name: string; unit: string; value: number }

/** The numbers by their names; undefined: no. */
export function ask(title: string, text: string, yes: string, fields: Asked[] = []): Promise<Record<string, number> | undefined> {
  return new Promise((done) => {
    let answer: Record<string, number> | undefined;
    const inputs = fields.map((f) => h("input", { value: String(Number(f.value.toPrecision(9))), inputmode: "decimal", "aria-label": `${f.name} in ${f.unit}`, "aria-describedby": "not-so" }));
    const wrong = h("p", { class: "refused", id: "not-so", role: "alert" });
    const submit = (e: Event) => {
      e.preventDefault();
      const values = inputs.map((i) => (i.value.trim() === "" ? NaN : Number(i.value))), bad = values.findIndex((v) => !Number.isFinite(v));
      wrong.textContent = bad < 0 ? "" : `${fields[bad]!.name}: '${inputs[bad]!.value}' is no number in ${fields[bad]!.unit}`;
      if (bad >= 0) { inputs[bad]!.focus(); return; }
      answer = Object.fromEntries(fields.map((f, i) => [f.name, values[i]!]));
      dialog.close();
    };
    const form = h("form", { submit }, h("p", {}, text), h("table", {}, h("tbody", {}, ...fields.map((f, i) => h("tr", {}, h("td", { class: "first" }, f.name), h("td", {}, inputs[i], h("span", { class: "unit" }, ` ${f.unit}`)))))),
      wrong, h("div", { class: "answers" }, h("button", { class: "yes" }, yes), h("button", { type: "button", click: () => dialog.close() }, "Cancel")));
    const dialog: HTMLDialogElement = h("dialog", { "aria-label": title, keydown: (e: KeyboardEvent) => { if (e.repeat && e.key === "Enter") { e.preventDefault(); } }, close: () => { dialog.remove(); done(answer); } }, h("h2", {}, title), form);
    document.body.append(dialog);
    dialog.showModal();
  });
}
