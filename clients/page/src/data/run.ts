// SPDX-License-Identifier: Apache-2.0
// What run.json says: application, binding, components with their properties.
import type { Run, Store } from "./store";

interface Described { value: string; unit?: string; min?: number; max?: number; choices?: string; summary?: string; live?: boolean }
interface End { component: string; port: string }
interface Device { side?: string; properties?: Record<string, Described>; sides?: Device[] }
interface File {
  connections?: { source: End; target: End }[]; values?: { name: string; unit?: string }[];
  application?: string; command?: string[]; clock?: string; seed?: number; world?: string;
  components?: { name: string; class: string; properties?: Record<string, Described>; device?: Device }[];
}

/** Properties of a device and its sides, as "hardware.Port". */
function ofDevice(device: Device | undefined, prefix = ""): [string, Described][] {
  return device ? [...Object.entries(device.properties ?? {}).map(([name, p]): [string, Described] => [prefix + name, p]), ...(device.sides ?? []).flatMap((s) => ofDevice(s, `${prefix}${s.side}.`))] : [];
}

const stem = (path: string) => path.replace(/^.*\//, "").replace(/\.xml$/, "");

function rangeOf(p: Described): string {
  const { min, max } = p;
  return p.choices !== undefined ? p.choices.split("|").join(" or ") : min !== undefined && max !== undefined ? `${min} … ${max}` : min !== undefined ? `≥ ${min}` : max !== undefined ? `≤ ${max}` : "";
}

function option(command: string[], names: string[]): string {
  const at = command.findIndex((word) => names.includes(word));
  return at < 0 ? "" : stem(command[at + 1] ?? "");
}

export function runOf(text: string, store: Store): Run {
  const file = JSON.parse(text) as File, run: Run = { ...store.run };
  run.application = file.application ?? run.application;
  run.clock = file.clock ?? "";
  run.seed = file.seed === undefined ? "" : `seed ${file.seed}`;
  run.world = file.world ? stem(file.world) : "";
  run.binding = option(file.command ?? [], ["--bind", "-b", "--binding"]);
  run.components = (file.components ?? []).map((c) => ({ name: c.name, class: c.class, group: "" }));
  run.connections = (file.connections ?? []).map(({ source, target }) => ({ from: source.component, port: source.port, to: target.component, toPort: target.port }));
  run.units = new Map((file.values ?? []).map((v) => [v.name, v.unit ?? ""]));
  for (const component of file.components ?? []) {
    for (const [name, p] of [...Object.entries(component.properties ?? {}), ...ofDevice(component.device)]) {
      const key = `${component.name}.${name}`, known = store.properties.get(key);
      store.properties.set(key, { component: component.name, name, value: known?.value ?? p.value, unit: p.unit ?? "", range: rangeOf(p), choices: p.choices?.split("|"),
        summary: p.summary ?? "", live: p.live ?? false });
    }
  }
  return run;
}
