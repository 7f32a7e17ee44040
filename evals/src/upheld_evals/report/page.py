"""One page with everything that a run found: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from upheld_evals.report.plots import drawn
from upheld_evals.report.results import ArmFigures, Report, rows_of, shown
from upheld_evals.report.tables import remarks_of

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-size: 0.85rem; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.7rem; border-bottom: 1px solid #8884; }
thead th { border-bottom: 2px solid #888; }
td { font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1.5rem 0; } figcaption, .quiet { color: #767676; font-size: 0.85rem; }
svg { width: 100%; max-width: 45rem; height: auto; background: #fff; color: #000; }
"""


def page_of(reports: Sequence[Report]) -> str:
    """Give the page of some reports, suite by suite."""
    names = ", ".join(report.run.suite.name for report in reports)
    contents = "".join(f'<li><a href="#{_anchor(each)}">{escape(each.run.suite.name)}</a></li>' for each in reports)
    body = "\n".join(map(_section, reports))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>upheld eval: {escape(names)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>What upheld measures</h1>\n<ul>{contents}</ul>\n{body}\n</body>\n</html>\n"
    )


def _anchor(report: Report) -> str:
    return report.run.suite.name.replace(" ", "-")


def _section(report: Report) -> str:
    suite = report.run.suite
    figures = "\n".join(
        f"<figure>{drawn(plot)}<figcaption>{escape(plot.title)}. {escape(plot.caption)} {_taken(report)}"
        "</figcaption></figure>"
        for plot in report.plots
    )
    return (
        f'<section id="{_anchor(report)}">\n<h2>{escape(suite.name)}</h2>\n<p>{escape(suite.purpose)}</p>\n'
        f'<p class="quiet">{escape(suite.data)}. {_taken(report)} Seed {report.run.seed}.'
        f" {len(report.run.items)} of {len(suite.items)} items. Baseline: {escape(suite.baseline)}."
        " Value, 95 % interval, n.</p>\n"
        f"{_table(report)}\n{figures}\n{_list(remarks_of(report))}\n</section>"
    )


def _taken(report: Report) -> str:
    llms = sorted({each.llm for each in report.arms if each.run.outcomes})
    return f"Taken {escape(report.date)} with upheld {escape(report.upheld)}, {escape(', '.join(llms))}."


def _table(report: Report) -> str:
    arms = [each for each in report.arms if each.measures]
    head = "".join(f"<th>{escape(each.run.arm)}<br><small>{escape(each.llm)}</small></th>" for each in arms)
    by_arm = [_cells(each) for each in arms]
    rows = "\n".join(
        f"<tr><th>{escape(name)}</th><td>{escape(group)}</td>"
        + "".join(f"<td>{escape(cells.get((name, group), ''))}</td>" for cells in by_arm)
        + "</tr>"
        for name, group in rows_of(report)
    )
    return f"<table><thead><tr><th>measure</th><th>of</th>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _cells(arm: ArmFigures) -> dict[tuple[str, str], str]:
    return {(each.name, each.group): shown(each) for each in arm.measures}


def _list(remarks: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(each)}</li>" for each in remarks) + "</ul>"
