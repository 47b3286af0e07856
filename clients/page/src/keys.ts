// SPDX-License-Identifier: Apache-2.0
// Keys of the whole page; they are off while a text is typed.
import { stopRobot } from "./panels/transport/transport";
import { setMark } from "./panels/timeline/cursors";
import type { Context } from "./panels/panel";
import { showHelp } from "./ui/help";
import { LAYERS } from "./ui/layers";
import { setTheme } from "./ui/theme";
import { toast } from "./ui/toast";

export function keys({ store, layers }: Context) {
  let escapedAt = -Infinity;
  const click = (id: string) => {
    const button = document.getElementById(id) as HTMLButtonElement | null;
    if (button?.disabled) { toast(button.title); } else { button?.click(); }
  };
  const does: Record<string, () => void> = {
    " ": () => click("pause"), ArrowRight: () => (store.isRecording ? store.show(store.time + 0.1) : click("step")), ArrowLeft: () => store.show(store.time - 0.1),
    End: () => click("live"), f: () => document.dispatchEvent(new CustomEvent("camera", { detail: "follow" })), c: () => document.dispatchEvent(new CustomEvent("camera", { detail: "next" })),
    "/": () => document.getElementById("find")?.focus(), t: () => setTheme(document.documentElement.dataset.theme === "light" ? "dark" : "light"), "?": showHelp,
    a: () => setMark(store, "A"), b: () => setMark(store, "B"), n: () => click("note"), h: () => click("drag"), g: () => { store.view = store.view === "graph" ? "scene" : "graph"; store.changed(); },
    ...Object.fromEntries(LAYERS.map((l) => [l.key, () => layers.toggle(l.name)])),
  };
  document.addEventListener("keydown", (e) => {
    const at = e.target as HTMLElement, isTyping = at.matches("input:not([type=range]), select, textarea");
    if (e.key === "Escape") {
      if (e.timeStamp - escapedAt < 600) { stopRobot(store); }
      escapedAt = e.timeStamp;
      if (isTyping) { at.blur(); }
      return;
    }
    if (isTyping || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) { return; }
    if (e.key === " " && at.matches("button")) { return; }
    if (at.matches("input[type=range]") && !["ArrowLeft", "ArrowRight"].includes(e.key) && e.key.startsWith("Arrow")) { return; }
    const act = does[e.key];
    if (act) { e.preventDefault(); act(); }
  });
}
