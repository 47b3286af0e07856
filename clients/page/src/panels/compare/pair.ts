// SPDX-License-Identifier: Apache-2.0
// Two recordings of an application, aligned by run time: what differs in their settings, what is the same, and what they came to.
import { eventsOf } from "../../data/events";
import { bodies, find, twinOf, type Value } from "../../data/facts";
import type { Series } from "../../data/series";
import type { Store } from "../../data/store";
import { h } from "../../ui/dom";
import { any, number } from "../../ui/format";

export interface Difference { key: string; one: string; two: string }
/** A row of the table: texts with their units, and how 2 stands against 1. */
export interface Row { group?: string; name: string; one: string; two: string; unit: string; against: string; isBad?: boolean }
export interface Happened { time: number; text: string; who: "=" | "1" | "2"; level: string }

export function badge(which: "1" | "2"): HTMLElement { return h("span", { class: `badge ${which === "1" ? "one" : "two"}` }, which); }

export function differences(one: Store, two: Store): Difference[] {
  const said = (s: Store, key: string) => any(s.properties.get(key)?.value), list: Difference[] = [];
  for (const key of new Set([...one.properties.keys(), ...two.properties.keys()])) {
    if (said(one, key) !== said(two, key)) { list.push({ key, one: said(one, key), two: said(two, key) }); }
  }
  for (const key of ["application", "binding", "world", "seed", "clock"] as const) {
    if (one.run[key] !== two.run[key]) { list.push({ key, one: one.run[key] || "–", two: two.run[key] || "–" }); }
  }
  return list;
}

/** One word for each: the value of the only setting that differs, else the file. */
export function namesOf(one: Store, two: Store): [string, string] {
  const all = differences(one, two), only = all.length === 1 ? all[0]! : undefined;
  return only ? [only.one, only.two] : [one.run.file, two.run.file].map((f) => f.replace(/\.mcap$/, "")) as [string, string];
}

/** What tells the avatars apart in the 3-D view. */
export function chipsOf(store: Store): (Node | string)[] {
  const [one, two] = namesOf(store, store.other!);
  return [badge("1"), " avatar ", h("span", { class: "dim" }, one), "\u2003", badge("2"), " avatar ", h("span", { class: "dim" }, two)];
}

const seriesOf = (s: Store, v: Value | undefined): Series | undefined => v && s.numbers(v.topic, v.path);

function reduce(series: Series | undefined, from: number, to: number, f: (sum: number, v: number) => number): { sum: number; n: number } {
  let sum = 0, n = 0;
  for (let i = 0; series && i < series.times.length; i++) {
    const v = series.values[i];
    if (typeof v === "number" && series.times[i]! >= from - 1e-9 && series.times[i]! <= to + 1e-9) { sum = f(sum, v); n++; }
  }
  return { sum, n };
}
export const largest = (s: Series | undefined, from: number, to: number) => { const { sum, n } = reduce(s, from, to, (m, v) => Math.max(m, Math.abs(v))); return n ? sum : undefined; };
export const rms = (s: Series | undefined, from: number, to: number) => { const { sum, n } = reduce(s, from, to, (m, v) => m + v * v); return n ? Math.sqrt(sum / n) : undefined; };

/** Millimetres, from a metre on as metres. */
export function length(mm: number | undefined): [string, string] { return mm !== undefined && Math.abs(mm) >= 1000 ? [number(mm / 1000, 2), "m"] : [number(mm, 1), "mm"]; }

export function times(a: number | undefined, b: number | undefined): string {
  const ratio = b! / a!;
  return a === undefined || b === undefined || !(a > 0) || !Number.isFinite(ratio) ? "" : `× ${ratio >= 1000 ? number(Number(ratio.toPrecision(3)), 0).replace(/^(\d)(\d{3})$/, "$1\u2009$2") : ratio >= 10 ? number(ratio, 0) : number(ratio, 2)}`;
}

function plus(a: unknown, b: unknown, decimals: number): string {
  if (typeof a !== "number" || typeof b !== "number") { return ""; }
  return `${b - a > 0 && Number((b - a).toFixed(decimals)) !== 0 ? "+" : ""}${number(b - a, decimals)}`;
}

/** Seconds in which a word held. */
function secondsIn(store: Store, at: Value | undefined, word: string): number | undefined {
  const topic = at && store.topics.get(at.topic);
  if (!topic || !at) { return undefined; }
  let sum = 0;
  for (let i = 1; i < topic.length; i++) { if (topic.message(i - 1)?.[at.path] === word) { sum += topic.times[i]! - topic.times[i - 1]!; } }
  return sum;
}

const wall = (s: Store) => new Set(s.lines.filter((l) => /\btouch/i.test(l.text)).map((l) => l.time)).size;

/** The rows about the distance of robot and avatar. */
function distanceRows(one: Store, two: Store, A: number, B: number): Row[] {
  const twins = [twinOf(one), twinOf(two)], at = (i: number) => (twins[i] ? (i ? two : one).numbers(twins[i]!.distance.topic, twins[i]!.distance.path) : undefined);
  if (!twins[0] || !twins[1]) { return []; }
  const both = (f: (s: Series | undefined, store: Store) => number | undefined, path?: string) => [one, two].map((s, i) => f(path ? s.numbers(twins[i]!.distance.topic, path) : at(i), s)) as [number | undefined, number | undefined];
  const apart = (name: string, [a, b]: [number | undefined, number | undefined]): Row => {
    const [x, unitX] = length(a), [y, unitY] = length(b);
    return { name, one: `${x} ${unitX}`, two: `${y} ${unitY}`, unit: "", against: times(a, b) };
  };
  const angle = both((s) => rms(s, 0, Infinity), "true_heading_deg");
  return [
    apart("at A", both((s) => s?.at(A))), apart("at B", both((s) => s?.at(B))), apart("A → B, largest", both((s) => largest(s, Math.min(A, B), Math.max(A, B)))),
    apart("A → B, RMS", both((s) => rms(s, Math.min(A, B), Math.max(A, B)))), apart("true, RMS of the run", both((s) => rms(s, 0, Infinity), "true_mm")),
    apart("true, at the end", both((s, store) => s?.at(store.end), "true_mm")),
    { name: "true heading, RMS", one: number(angle[0], 2), two: number(angle[1], angle[1]! > 100 ? 1 : 2), unit: "°", against: times(...angle) },
    apart("protection level, end", [one, two].map((s, i) => seriesOf(s, twins[i]!.limit)?.at(s.end)) as [number | undefined, number | undefined]),
  ];
}

function behaviourRows(one: Store, two: Store): Row[] {
  const twins = [twinOf(one), twinOf(two)], rows: Row[] = [], stores = [one, two];
  const add = (name: string, f: (s: Store, i: number) => unknown, decimals: number, unit = "", isBad = false) => {
    const [a, b] = stores.map(f), said = (v: unknown) => (typeof v === "number" ? number(v, decimals) : any(v));
    if (a !== undefined || b !== undefined) { rows.push({ name, one: said(a), two: said(b), unit, against: plus(a, b, decimals), isBad: isBad && b !== a }); }
  };
  const state = (i: number) => twins[i]?.state, last = (s: Store, v: Value | undefined) => v && s.value(v.topic, v.path, s.end);
  add("state at the end", (s, i) => last(s, state(i)), 0, "", true);
  add("diverged", (s, i) => secondsIn(s, state(i), "DIVERGED"), 1, "s");
  add("warnings", (s) => s.lines.filter((l) => l.level === "warn").length, 0);
  add("faults", (s) => s.lines.filter((l) => l.level === "error").length, 0);
  add("touches", wall, 0);
  add("fidelity, at the end", (s, i) => last(s, twins[i]?.fidelity), 2);
  rows.forEach((r, i) => { if (i === 0) { r.group = "behaviour"; } });
  const learnt: [string, string][] = [["scale_left", "robot, left wheel"], ["scale_right", "robot, right wheel"], ["axle_scale", "robot, axle"]], first = rows.length;
  for (const [path, name] of learnt) { add(name, (s) => last(s, find(s, path)), 3); }
  if (rows[first]) { rows[first]!.group = "what was learnt of the robot"; }
  return rows;
}

/** Numbers of summary.json that differ most, for runs without a twin. */
function summaryRows(one: Store, two: Store): Row[] {
  const rows = Object.keys(one.summary).flatMap((key): (Row & { size: number })[] => {
    const a = one.summary[key], b = two.summary[key];
    if (typeof a !== "number" || typeof b !== "number" || a === b || /wall|cpu|first_cycle/.test(key)) { return []; }
    const unit = one.run.units.get(key) ?? "";
    return [{ name: key, one: any(a, unit), two: any(b, unit), unit, against: times(a, b), size: Math.abs(b - a) / (Math.abs(a) + Math.abs(b)) }];
  }).sort((a, b) => b.size - a.size).slice(0, 16);
  if (rows[0]) { rows[0].group = "values at the end that differ most"; }
  return rows;
}

export function tableOf(one: Store, two: Store, A: number, B: number): Row[] {
  const apart = distanceRows(one, two, A, B);
  return apart.length ? [...apart, ...behaviourRows(one, two)] : [...behaviourRows(one, two), ...summaryRows(one, two)];
}

/** How far the robots of both runs are apart at most, in mm: 0 when they drove the same way. */
function pathDifference(one: Store, two: Store): number | undefined {
  const [a, b] = [bodies(one).robot, bodies(two).robot], track = a && one.frames.tracks.get(a);
  let most = 0, n = 0;
  for (let i = 0; track && b && i < track.times.length; i += Math.ceil(track.times.length / 400)) {
    const t = track.times[i]!, p = one.frames.inWorld(a!, t), q = two.frames.inWorld(b, t);
    if (p && q) { most = Math.max(most, Math.hypot(p[0] - q[0], p[1] - q[1]) * 1000); n++; }
  }
  return n ? most : undefined;
}

export function sameRows(one: Store, two: Store): [string, string, string][] {
  const same = [...one.properties].filter(([key, p]) => any(two.properties.get(key)?.value) === any(p.value)).length, rows: [string, string, string][] = [["properties", String(same), ""]];
  for (const key of ["application", "world", "seed"] as const) { if (one.run[key] && one.run[key] === two.run[key]) { rows.push([key, one.run[key].replace(/^seed /, ""), ""]); } }
  const [driven, other] = [one, two].map((s) => { const v = find(s, "driven_m"); return v && s.value(v.topic, v.path, s.end); }), apart = pathDifference(one, two);
  if (typeof driven === "number" && typeof other === "number" && Math.abs(driven - other) < 0.005) { rows.push(["robot drove", number(driven, 2), "m"]); }
  if (apart !== undefined) { rows.push(["largest difference of its path", number(apart, apart < 1 ? 0 : 1), "mm"]); }
  const counts = Object.entries(one.summary).filter(([key, v]) => /\.(commands|scans)$/.test(key) && two.summary[key] === v);
  return [...rows, ...counts.map(([key, v]): [string, string, string] => [key, any(v), ""])];
}

/** Lines of both logs in the order of time: those that both have stand once. */
export function happened(one: Store, two: Store): Happened[] {
  const pick = (s: Store) => s.lines.filter((l) => l.level !== "debug"), rest = pick(two), list: Happened[] = [];
  for (const l of pick(one)) {
    const i = rest.findIndex((o) => Math.abs(o.time - l.time) < 0.06 && o.text === l.text);
    if (i >= 0) { rest.splice(i, 1); }
    list.push({ time: l.time, text: l.text, who: i >= 0 ? "=" : "1", level: l.level });
  }
  return [...list, ...rest.map((l): Happened => ({ time: l.time, text: l.text, who: "2", level: l.level }))].sort((a, b) => a.time - b.time);
}

/** Where A stands to begin with: at the first change of a state, or event, that only one of them has, else after an eighth. */
export function firstDifference(one: Store, two: Store): number {
  const a = eventsOf(one), b = eventsOf(two), differs = [...b.filter((e) => !a.some((o) => o.text === e.text && Math.abs(o.time - e.time) < 1)), ...a.filter((e) => !b.some((o) => o.text === e.text && Math.abs(o.time - e.time) < 1))].sort((p, q) => p.time - q.time);
  return (differs.find((e) => e.isChange) ?? differs[0])?.time ?? one.start + (one.end - one.start) / 8;
}
