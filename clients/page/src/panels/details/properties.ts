// SPDX-License-Identifier: Apache-2.0
// The properties of a component: those that may change while the run goes on are fields, with unit and range, the reason of a refusal, and undo.
import { takeIfFree, whyNot } from "../../data/control";
import type { Property, Store } from "../../data/store";
import { h, setText, setValue } from "../../ui/dom";
import { any } from "../../ui/format";

export interface PropertyRow { rows: HTMLElement[]; update(): void }

const textOf = (value: unknown) => (value === undefined || value === null ? "" : String(value));

export function propertyRow(store: Store, p: Property): PropertyRow {
  const value = h("td", { class: "num" }), row = h("tr", { title: p.summary }, h("td", {}, p.name), value, h("td", { class: "num dim small" }, p.range));
  if (p.live && !store.isRecording) { return editableRow(store, p, row, value); }
  return { rows: [row], update: () => setValue(value, any(p.value === "" ? undefined : p.value), p.unit) };
}

/** What a field was before, and why its last value was refused: also of one that is made anew. */
const memory = new Map<string, { before: unknown[]; said: string }>();

function editableRow(store: Store, p: Property, row: HTMLElement, cell: HTMLElement): PropertyRow {
  const key = `${p.component}.${p.name}`, kept = memory.get(`${p.component}.${p.name}`) ?? { before: [], said: "" }, { before } = kept, label = `${key}${p.unit ? ` in ${p.unit}` : ""}`;
  const said = h("td", { colspan: "3", role: "alert" }), below = h("tr", { class: "refused" }, said);
  memory.set(key, kept);
  const set = async (wanted: unknown) => {
    const held = p.value;
    try {
      await takeIfFree(store);
      await store.setProperty!(key, wanted);
      kept.said = "";
      return held;
    } catch (why) {
      kept.said = `${(why as Error).message}${p.range && !/expected/.test((why as Error).message) ? ` (${p.range}${p.unit ? ` ${p.unit}` : ""})` : ""}`;
      throw why;
    } finally { input.value = textOf(p.value); store.changed(); }
  };
  const change = () => {
    const text = input.value.trim(), n = Number(text);
    set(text !== "" && Number.isFinite(n) && typeof p.value === "number" ? n : text).then((held) => before.push(held)).catch(() => undefined);
  };
  const choices = p.choices ?? (/^(true|false)$/.test(textOf(p.value)) ? ["true", "false"] : undefined);
  const input = choices ? h("select", { "aria-label": label, change }, ...choices.map((c) => h("option", { value: c }, c))) : h("input", { "aria-label": label, change });
  const undo = h("button", { class: "icon", "aria-label": `Undo ${key}`, click: () => { set(before.at(-1)).then(() => { before.pop(); input.focus(); }).catch(() => undefined); } }, "↶");
  cell.append(undo, input, h("span", { class: "unit" }, ` ${p.unit}`));
  return { rows: [row, below], update: () => {
    if (document.activeElement !== input) { input.value = textOf(p.value); }
    input.disabled = whyNot(store) !== "";
    input.title = whyNot(store) || p.summary;
    undo.disabled = input.disabled;
    undo.hidden = before.length === 0;
    undo.title = `back to ${textOf(before.at(-1))}`;
    setText(said, kept.said);
    below.hidden = kept.said === "";
  } };
}

/** As `doppel param save` writes them: `xargs -a FILE doppel run APP` has them again. */
export function saveProperties(store: Store) {
  const lines = [...store.properties.values()].map((p) => [`${p.component}.${p.name}`, textOf(p.value)] as const).filter(([, text]) => text !== "" && !text.includes("\n"));
  const text = lines.map(([name, value]) => `--set '${name}=${value.replaceAll("'", "'\"'\"'")}'\n`).join("");
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: `${store.run.application || "run"}.options` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
