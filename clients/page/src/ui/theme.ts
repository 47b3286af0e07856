// SPDX-License-Identifier: Apache-2.0
// The 14 colours of a theme. They are in style.css; canvases read them here.

const NAMES = ["bg0", "bg1", "bg2", "line", "text", "dim", "real", "avatar", "danger", "ok", "wall", "object", "floor", "band"] as const;
export type Theme = Record<(typeof NAMES)[number], string> & { isLight: boolean };

export const theme = {} as Theme;
const listeners = new Set<() => void>();

function read() {
  const style = getComputedStyle(document.documentElement);
  for (const name of NAMES) { theme[name] = style.getPropertyValue(`--${name}`).trim(); }
  theme.isLight = document.documentElement.dataset.theme === "light";
}

export function onTheme(f: () => void) { listeners.add(f); }

export function setTheme(name: "dark" | "light") {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("theme", name); } catch { /* a page from a file may have no storage */ }
  read();
  listeners.forEach((f) => f());
}

export function startTheme() {
  let kept: string | null = null;
  try { kept = localStorage.getItem("theme"); } catch { /* as above */ }
  setTheme((kept ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark")) === "light" ? "light" : "dark");
}
