// SPDX-License-Identifier: Apache-2.0
// All panels, in the order of their places.
import { assembly } from "./assembly/assembly";
import { axes } from "./axes/axes";
import type { Panel } from "./panel";
import { belief } from "./belief/belief";
import { calls } from "./calls/calls";
import { car } from "./car/car";
import { components } from "./components/components";
import { bothEvents, distances, figures, recordings } from "./compare/compare";
import { console_ } from "./console/console";
import { curves } from "./curves/curves";
import { cycles } from "./cycles/cycles";
import { drive } from "./drive/drive";
import { details } from "./details/details";
import { folder } from "./folder/folder";
import { graph } from "./graph/graph";
import { hands } from "./hands/hands";
import { layers } from "./layers/layers";
import { log } from "./log/log";
import { plot } from "./plot/plot";
import { recording } from "./recording/recording";
import { scene } from "./scene/scene";
import { six } from "./six/six";
import { timeline } from "./timeline/timeline";
import { transport } from "./transport/transport";
import { twin } from "./twin/twin";
import { verdicts } from "./verdicts/verdicts";

export const PANELS = [transport, recordings, folder, verdicts, calls, components, drive, axes, hands, assembly, layers, scene, graph, curves, console_, six, figures, twin, belief, car, plot, details, distances,
  log, cycles, bothEvents, recording, timeline];

/** What is shown of two recordings. */
export const OF_TWO: readonly Panel[] = [transport, recordings, layers, scene, graph, figures, distances, bothEvents, timeline];
