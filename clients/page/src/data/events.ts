// SPDX-License-Identifier: Apache-2.0
// Events of a run, by the words of its log: the same word in log, curve and timeline.
import type { Line, Store } from "./store";

export interface Event { time: number; text: string; isFault: boolean; isChange: boolean }

function wordsOf(line: Line): string {
  const upper = /\b([A-Z][A-Z_]{3,})\b/.exec(line.text.replace(/.*->\s*/, ""));
  if (upper) { return upper[1]!.toLowerCase().replace(/_/g, " "); }
  const words = line.text.split(/[:,;]/)[0]!;
  return words.length > 28 ? `${words.slice(0, 26)}…` : words;
}

/** Notes of people, warnings and errors; of the last two those that follow each other within a second, the first. */
export function eventsOf(store: Store): Event[] {
  const events: Event[] = [];
  for (const line of store.lines) {
    if (line.from === "note") { events.push({ time: line.time, text: line.text, isFault: false, isChange: false }); continue; }
    if (line.level !== "warn" && line.level !== "error") { continue; }
    const before = events[events.length - 1];
    if (before && line.time - before.time < 1) { continue; }
    events.push({ time: line.time, text: wordsOf(line), isFault: line.level === "error", isChange: line.text.includes("->") });
  }
  return events;
}
