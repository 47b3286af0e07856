// SPDX-License-Identifier: Apache-2.0
// All panels, in the order of their places.
import { belief } from "./belief/belief";
import { components } from "./components/components";
import { bothEvents, distances, figures, recordings } from "./compare/compare";
import { cycles } from "./cycles/cycles";
import { details } from "./details/details";
import { graph } from "./graph/graph";
import { layers } from "./layers/layers";
import { log } from "./log/log";
import { plot } from "./plot/plot";
import { recording } from "./recording/recording";
import { scene } from "./scene/scene";
import { timeline } from "./timeline/timeline";
import { transport } from "./transport/transport";
import { twin } from "./twin/twin";

export const PANELS = [transport, recordings, components, layers, scene, graph, figures, twin, belief, plot, details, distances, log, cycles, bothEvents, recording, timeline];
