# SPDX-License-Identifier: Apache-2.0
"""Charts over time as SVG: panels one above the other with one time axis; readable on light and dark pages."""
import math

WIDTH, LEFT, RIGHT, TOP, GAP, BOTTOM = 820, 74, 16, 62, 26, 44
POINTS = 400  # of a line, at most

STYLE = """<style>
svg{--page:#ffffff;--ink:#202124;--soft:#5f6368;--grid:#e3e6ea;--mark:#b80672;
--reference:#5f6368;--given:#c26401;--planned:#1a73e8;--measured:#188038;--ratio:#9334e6}
@media (prefers-color-scheme:dark){svg{--page:#15181c;--ink:#e8eaed;--soft:#a5abb3;--grid:#32373e;--mark:#ff7ac6;
--reference:#a5abb3;--given:#ffa94d;--planned:#7ab2ff;--measured:#6ecf8a;--ratio:#c79bff}}
.page{fill:var(--page)}.grid{stroke:var(--grid);stroke-width:1}.zero{stroke:var(--soft);stroke-width:1}
text{font:11px sans-serif;fill:var(--soft)}.label{font-size:12px;fill:var(--ink)}.title{font:600 14px sans-serif;fill:var(--ink)}
.mark{stroke:var(--mark);stroke-width:1;stroke-dasharray:3 3}.marked{fill:var(--mark)}
path{fill:none;stroke-width:1.6;stroke-linejoin:round}
.reference{stroke:var(--reference);stroke-dasharray:6 4}.given{stroke:var(--given);stroke-width:1.2}
.planned{stroke:var(--planned)}.measured{stroke:var(--measured)}.ratio{stroke:var(--ratio)}
circle.planned{fill:var(--planned);stroke:none}circle.ratio{fill:var(--ratio);stroke:none}
circle.given{fill:var(--given);stroke:none}circle.reference{fill:var(--reference);stroke:none}
</style>"""


def step_of(span, about):
    """A round step that divides a span into about so many parts."""
    raw = span / about
    power = 10.0 ** math.floor(math.log10(raw))
    return power * next(m for m in (1, 2, 5, 10) if m * power >= raw)


def ticks(low, high, about):
    step = step_of(high - low, about)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [(k * step, f"{k * step + 0.0:.{digits}f}") for k in range(first, last + 1)]


def thin(t, values):
    """At most POINTS points; of each part the one farthest from zero, so that no peak is lost."""
    n = max(1, math.ceil(len(t) / POINTS))
    if n == 1:
        return list(zip(t, values))
    points = []
    for i in range(0, len(t), n):
        part = [(a, v) for a, v in zip(t[i:i + n], values[i:i + n]) if math.isfinite(v)]
        points.append(max(part, key=lambda p: abs(p[1])) if part else (t[i], math.nan))
    return points


def range_of(panel):
    if "range" in panel:
        return panel["range"]
    kept = panel.get("clip_to")
    values = [v for name, line, _ in panel["series"] if not kept or name in kept for v in line if math.isfinite(v)]
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    room = 0.08 * (high - low)
    return low - room, high + room


class Panel:
    def __init__(self, panel, top, t):
        self.panel, self.top, self.t = panel, top, t
        self.low, self.high = range_of(panel)
        self.height = panel["height"]
        self.parts = []

    def x(self, t):
        return LEFT + (WIDTH - LEFT - RIGHT) * (t - self.t[0]) / (self.t[-1] - self.t[0])

    def y(self, value):
        return self.top + self.height * (self.high - value) / (self.high - self.low)

    def axes(self, scale):
        bottom, right = self.top + self.height, WIDTH - RIGHT
        for value, text in ticks(self.low, self.high, 5 if self.height > 150 else 3):
            y = self.y(value)
            kind = "zero" if abs(value) < 1e-12 else "grid"
            self.parts.append(f'<line class="{kind}" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
            self.parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text.replace("-", "&#8722;")}</text>')
        for value, _ in ticks(scale * self.t[0], scale * self.t[-1], 8):
            x = self.x(value / scale)
            self.parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{self.top}" y2="{bottom}"/>')
        x = self.x(0)
        self.parts.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{self.top}" y2="{bottom}"/>')
        self.parts.append(f'<text class="label" x="{LEFT}" y="{self.top - 7}">{self.panel["label"]}</text>')
        if "limit" in self.panel:
            y = self.y(self.panel["limit"])
            self.parts.append(f'<line class="mark" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')

    def line(self, values, kind):
        points = thin(self.t, values)
        pieces, pen = [], "M"
        for t, value in points:
            if not math.isfinite(value):
                pen = "M"
                continue
            pieces.append(f"{pen}{self.x(t):.1f} {self.y(value):.1f}")
            pen = "L"
        self.parts.append(f'<path class="{kind}" d="{"".join(pieces)}"/>')
        if len(points) <= 40 and kind != "measured":
            for t, value in points:
                if math.isfinite(value) and self.low <= value <= self.high:
                    self.parts.append(f'<circle class="{kind}" cx="{self.x(t):.1f}" cy="{self.y(value):.1f}" r="2.4"/>')

    def drawn(self, number, scale):
        self.axes(scale)
        clip = f"panel{number}"
        head = (f'<clipPath id="{clip}"><rect x="{LEFT}" y="{self.top}" width="{WIDTH - LEFT - RIGHT}" '
                f'height="{self.height}"/></clipPath>')
        self.parts = [head] + self.parts + [f'<g clip-path="url(#{clip})">']
        for _, values, kind in self.panel["series"]:
            self.line(values, kind)
        return self.parts + ["</g>"]


def legend(panels):
    x, parts = LEFT, []
    for name, _, kind in [s for panel in panels for s in panel["series"] if s[0]]:
        parts.append(f'<path class="{kind}" d="M{x} 38h26"/><text class="label" x="{x + 32}" y="42">{name}</text>')
        x += 32 + 6 * len(name) + 26
    parts.append(f'<line class="mark" x1="{x + 10}" x2="{x + 10}" y1="30" y2="46"/><text class="label" x="{x + 18}" y="42">fault; limit</text>')
    return parts


def chart(title, t, panels):
    """`panels`: label, height, series of (legend or None, values, class), and if need be limit, range and clip_to (the series that make the
    range). All values lie over the times `t` in s."""
    milliseconds = t[-1] - t[0] < 0.1
    scale = 1000.0 if milliseconds else 1.0
    top, parts = TOP + 12, []
    for number, panel in enumerate(panels):
        parts += Panel(panel, top, t).drawn(number, scale)
        top += panel["height"] + GAP
    bottom = top - GAP
    for value, text in ticks(scale * t[0], scale * t[-1], 8):
        x = LEFT + (WIDTH - LEFT - RIGHT) * (value / scale - t[0]) / (t[-1] - t[0])
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{text.replace("-", "&#8722;")}</text>')
    unit = "ms" if milliseconds else "s"
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text class="label" x="{middle:.0f}" y="{bottom + 34}" text-anchor="middle">time since the fault, {unit}</text>')
    height = bottom + BOTTOM
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
            f"<title>{title}</title>", STYLE, '<rect class="page" width="100%" height="100%"/>',
            f'<text class="title" x="{LEFT}" y="20">{title}</text>']
    return "\n".join(head + legend(panels) + parts + ["</svg>"]) + "\n"
