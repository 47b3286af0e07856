// SPDX-License-Identifier: Apache-2.0
// The numbers of one field over time, taken from a topic as its messages come.
import { pick, type Topic } from "./topic";

export class Series {
  times: number[] = [];
  values: (number | null)[] = [];
  private taken = 0;
  private low = Infinity;
  private high = -Infinity;

  constructor(readonly topic: Topic, readonly path: string, readonly factor = 1) {}

  /** Takes what is new. */
  take(): this {
    const { topic } = this, kept = topic.dropped;
    if (this.taken < kept) { this.taken = kept; }
    const gone = this.times.length - (this.taken - kept);
    if (gone > 0) {
      this.times.splice(0, gone);
      this.values.splice(0, gone);
    }
    // the newest may have been replaced by a newer one
    const n = this.times.length;
    if (n > 0 && this.times[n - 1] !== topic.times[n - 1]) {
      this.times.pop();
      this.values.pop();
      this.taken--;
    }
    for (let i = this.taken - kept; i < topic.length; i++, this.taken++) {
      const value = pick(topic.message(i), this.path);
      this.times.push(topic.times[i]!);
      const n = typeof value === "number" ? value * this.factor : typeof value === "boolean" ? Number(value) : null;
      this.values.push(n);
      if (n !== null) { this.low = Math.min(this.low, n); this.high = Math.max(this.high, n); }
    }
    return this;
  }

  /** Least and greatest so far; 0 0: there was none. */
  span(): [number, number] { return this.low <= this.high ? [this.low, this.high] : [0, 0]; }

  /** The newest number at a time; undefined: none. */
  at(time: number): number | undefined {
    const value = this.values[this.topic.after(time) - 1];
    return value ?? undefined;
  }
}
