// SPDX-License-Identifier: Apache-2.0
// A note that a person writes into a run: a line over the timeline, sent by Enter, given up by Escape.
import type { Store } from "../../data/store";
import { h } from "../../ui/dom";
import { toast } from "../../ui/toast";

export function writeNote(store: Store, track: HTMLElement) {
  const service = store.services.get("/run/note"), from = document.activeElement as HTMLElement | null;
  if (!service || track.querySelector(".note")) { return; }
  const line = h("input", { class: "note", type: "text", maxlength: "200", placeholder: "note for the log and the recording: Enter writes it", "aria-label": "Note", blur: () => line.remove(),
    keydown: (e: KeyboardEvent) => {
      if (e.key !== "Enter" || line.value.trim() === "") { return; }
      e.preventDefault(); // or it would press the button that has the focus next
      service.call({ text: line.value.trim() }).catch((why: Error) => toast(why.message));
      line.blur();
      from?.focus();
    } });
  track.append(line);
  line.focus();
}
