// SPDX-License-Identifier: Apache-2.0
// The parameters of a file as a form: a value that is none, or out of its range, is refused at its field with unit and range.
import { h } from "../../ui/dom";

export interface Parameter { name: string; value: string; unit: string; min: string; max: string; summary: string }

/** "2 to 32 floors"; "": any number. */
function rangeOf({ min, max, unit }: Parameter): string {
  return `${min && max ? `${min} to ${max}` : min ? `at least ${min}` : max ? `at most ${max}` : "a number"}${unit ? ` ${unit}` : ""}`;
}

function whyNot(p: Parameter, text: string): string {
  const value = text.trim() === "" ? NaN : Number(text), low = p.min === "" ? -Infinity : Number(p.min), high = p.max === "" ? Infinity : Number(p.max);
  return Number.isFinite(value) && !(value < low) && !(value > high) ? "" : `${p.name}: '${text}' is not ${rangeOf(p)}`;
}

/** Only what was changed is handed to `save`, which tells what came of it. */
export function makeForm(file: string, parameters: Parameter[], save: (name: string, values: Record<string, number>) => Promise<string>): HTMLElement {
  const fields = parameters.map((p) => ({ p, input: h("input", { value: p.value, inputmode: "decimal", "aria-label": `${p.name}${p.unit ? ` in ${p.unit}` : ""}`, title: rangeOf(p), "aria-describedby": "form-says" }) }));
  const name = h("input", { value: file.replace(/\.xml$/, "_mine.xml"), "aria-label": "Name of the new file" }), said = h("p", { id: "form-says", role: "alert", "aria-label": "What came of the form" });
  const say = (text: string, isWrong: boolean) => { said.textContent = text; said.className = isWrong ? "refused" : ""; };
  const submit = (e: Event) => {
    e.preventDefault();
    const wrong = fields.map(({ p, input }) => ({ why: whyNot(p, input.value), input })).find(({ why }) => why);
    if (wrong) { say(wrong.why, true); wrong.input.focus(); return; }
    const values = Object.fromEntries(fields.filter(({ p, input }) => Number(input.value) !== Number(p.value)).map(({ p, input }) => [p.name, Number(input.value)]));
    save(name.value.trim(), values).then((text) => say(text, false), (why: Error) => say(why.message, true));
  };
  return h("form", { submit, "aria-label": `Parameters of ${file}` }, h("table", {}, h("tbody", {}, ...fields.map(({ p, input }) => h("tr", {}, h("td", { class: "first" }, p.name), h("td", {}, input, h("span", { class: "unit" }, ` ${p.unit}`)), h("td", { class: "dim" }, p.summary))))),
    h("div", { class: "answers" }, name, h("button", {}, "Save as a new file")), said);
}
