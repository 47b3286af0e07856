// SPDX-License-Identifier: Apache-2.0
// Numbers as texts: decimals fixed by unit, so that nothing jitters.

const DECIMALS: Record<string, number> = { mm: 1, um: 1, "µm": 1, m: 2, "m/s": 2, deg: 2, "°": 2, rad: 3, "rad/s": 2, N: 0, "N m": 2, s: 2, ms: 1, "%": 1, V: 1, A: 1 };

export function decimalsOf(unit: string, value: number): number { return DECIMALS[unit] ?? (Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3); }

export function number(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) { return "–"; }
  const text = Math.abs(value).toFixed(decimals), [whole, part] = text.split(".") as [string, string?];
  const spaced = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u2009") : whole;
  return (value < 0 && Number(text) !== 0 ? "−" : "") + spaced + (part ? `.${part}` : "");
}

/** Any value of a message, without its unit. */
export function any(value: unknown, unit = ""): string {
  if (typeof value === "number") { return number(value, decimalsOf(unit, value)); }
  if (typeof value === "boolean") { return value ? "yes" : "no"; }
  if (value === null || value === undefined || value === "") { return "–"; }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** 01:00.150 */
export function clock(seconds: number, decimals = 3): string {
  const t = Math.max(0, seconds), m = Math.floor(t / 60), s = (t - m * 60).toFixed(decimals);
  return `${String(m).padStart(2, "0")}:${s.padStart(decimals > 0 ? decimals + 3 : 2, "0")}`;
}

/** A duration with a unit that fits: "423 µs", "45.6 ms". */
export function duration(ms: number): string { return ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : ms < 1000 ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`; }
