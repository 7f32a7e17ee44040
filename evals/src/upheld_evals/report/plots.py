"""Plots as SVG text, without a library: a few lines, two axes, a legend; the same input gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from upheld_evals.harness.suite import Line, Plot

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 34, 62
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a6d00", "#555555", "#000000")
"""Okabe and Ito's, which people who see few colours can tell apart; the yellow is darkened for white paper."""


class _Axis:
    """Maps values to pixels, evenly or by their logarithm, and says where the ticks are."""

    def __init__(self, values: Sequence[float], *, start: float, end: float, is_log: bool, is_share: bool) -> None:
        self._is_log = is_log
        low, high = (min(values), max(values)) if values else (1.0, 10.0)
        if is_share:
            low, high = 0.0, 1.0
        if low == high:
            low, high = (low / 2, high * 2) if is_log else (low - 0.5, high + 0.5)
        self._low, self._high = self._scaled(low), self._scaled(high)
        self._start, self._end = start, end

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self._is_log else value

    def place(self, value: float) -> float:
        share = (self._scaled(value) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        if self._is_log:
            powers = range(math.floor(self._low), math.ceil(self._high) + 1)
            found = [10.0**power for power in powers if self._low - 1e-9 <= power <= self._high + 1e-9]
            return found or [10**self._low, 10**self._high]
        step = _step((self._high - self._low) / 5)
        first = math.ceil(self._low / step - 1e-9)
        last = math.floor(self._high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _step(rough: float) -> float:
    """Give the next round number: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough * (1 - 1e-9))


def drawn(plot: Plot) -> str:
    """Draw a plot; its title and caption are read out by screen readers."""
    points = [point for line in plot.lines for point in line.points]
    across = _Axis([x for x, _ in points], start=LEFT, end=WIDTH - RIGHT, is_log=plot.is_log_x, is_share=False)
    is_share = bool(points) and not plot.is_log_y and all(0 <= y <= 1 for _, y in points)
    up = _Axis([y for _, y in points], start=HEIGHT - BOTTOM, end=TOP, is_log=plot.is_log_y, is_share=is_share)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" font-size="12">',
        f"<title>{escape(plot.title)}</title>",
        f"<desc>{escape(plot.caption)}</desc>",
        *_grid(across, up),
        *(_line(line, COLOURS[place % len(COLOURS)], across, up) for place, line in enumerate(plot.lines)),
        *_legend(plot.lines),
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 16}" text-anchor="middle">{escape(plot.x)}</text>',
        f'<text x="14" y="{TOP - 14}">{escape(plot.y)}</text>',
        "</svg>",
    ]
    return "\n".join(parts)


def _grid(across: _Axis, up: _Axis) -> list[str]:
    parts: list[str] = []
    for value in up.ticks():
        y = up.place(value)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_label(value)}</text>')
    for value in across.ticks():
        x = across.place(value)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{_label(value)}</text>')
    return parts


def _line(line: Line, colour: str, across: _Axis, up: _Axis) -> str:
    places = [(across.place(x), up.place(y)) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = ' stroke-dasharray="5 4"' if line.is_dashed else ""
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>{dots}'


def _legend(lines: Sequence[Line]) -> list[str]:
    parts: list[str] = []
    for place, line in enumerate(lines):
        x, y = WIDTH - RIGHT + 16, TOP + 18 * place
        dash = ' stroke-dasharray="5 4"' if line.is_dashed else ""
        colour = COLOURS[place % len(COLOURS)]
        parts.append(f'<line x1="{x}" x2="{x + 22}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(f'<text x="{x + 28}" y="{y + 4}" font-size="11">{escape(line.name)}</text>')
    return parts


def _label(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e5 else f"{value:.0e}"
