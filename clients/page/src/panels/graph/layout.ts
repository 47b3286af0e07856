// SPDX-License-Identifier: Apache-2.0
// Places the components of a graph in columns: who gives stands left of who takes, as far as no circle forbids it.

export interface Edge { from: string; to: string; ports: string[] }
export interface Place { column: number; row: number }

/** Edges that do not close a circle, going through them from the first component on. */
function withoutCircles(names: string[], edges: Edge[]): Edge[] {
  const state = new Map<string, "open" | "done">(), kept: Edge[] = [];
  const visit = (name: string) => {
    state.set(name, "open");
    for (const edge of edges.filter((e) => e.from === name)) {
      if (state.get(edge.to) === "open") { continue; }
      kept.push(edge);
      if (!state.has(edge.to)) { visit(edge.to); }
    }
    state.set(name, "done");
  };
  names.forEach((name) => { if (!state.has(name)) { visit(name); } });
  return kept;
}

export function layout(names: string[], edges: Edge[]): Map<string, Place> {
  const forward = withoutCircles(names, edges), column = new Map(names.map((n) => [n, 0]));
  for (let i = 0; i < names.length; i++) {
    for (const { from, to } of forward) { column.set(to, Math.max(column.get(to) ?? 0, (column.get(from) ?? 0) + 1)); }
  }
  const columns: string[][] = [], row = new Map<string, number>();
  for (const name of names) { (columns[column.get(name)!] ??= []).push(name); }
  const number = (list: string[]) => list.forEach((n, i) => row.set(n, i - (list.length - 1) / 2));
  columns.forEach(number);
  for (let pass = 0; pass < 6; pass++) {
    for (const list of columns) {
      const middle = (name: string) => { const near = edges.flatMap((e) => (e.from === name ? [e.to] : e.to === name ? [e.from] : [])); return near.length ? near.reduce((sum, n) => sum + row.get(n)!, 0) / near.length : row.get(name)!; };
      const heights = new Map(list.map((n) => [n, middle(n)]));
      number(list.sort((a, b) => heights.get(a)! - heights.get(b)!));
    }
  }
  return new Map(names.map((n) => [n, { column: column.get(n)!, row: row.get(n)! }]));
}
