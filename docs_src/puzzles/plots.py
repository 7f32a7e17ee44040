"""Draw what the programs of this folder printed and what ``timings.py`` measured, as SVG files where it is run."""

# matplotlib says the types of a part of what it takes.
# pyright: reportUnknownMemberType=false

import csv
import re
from collections import defaultdict
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

HERE = Path(__file__).parent
mpl.use("svg")
# The same drawing gives the same file: fixed ids in place of chance ones, and no date below.
mpl.rcParams.update(
    {
        "svg.hashsalt": "upheld",
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
)


def save(name: str) -> None:
    """Write the figure that was drawn, and tell its name."""
    plt.tight_layout()
    plt.savefig(f"{name}.svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close()
    print(f"{name}.svg")


def worlds_left(number: int, name: str) -> None:
    """Draw the worlds after each remark that a program printed: a number, and what was said."""
    text = (HERE / f"tutorial{number:03}.txt").read_text("utf-8")
    rows = [(said, int(count)) for count, said in re.findall(r"^ *(\d+)  (\S.*)$", text, re.MULTILINE)]
    remarks, counts = [said for said, _ in rows], [count for _, count in rows]
    plt.figure(figsize=(6, 0.6 + 0.35 * len(rows)))
    bars = plt.barh(range(len(rows)), counts, color="#5c6bc0", log=max(counts) > 20)
    plt.bar_label(bars, padding=3)
    plt.yticks(range(len(rows)), [said if len(said) < 46 else said[:44] + "…" for said in remarks])
    plt.gca().invert_yaxis()
    plt.xlim(0.8 if max(counts) > 20 else 0, max(counts) * (2 if max(counts) > 20 else 1.15))
    plt.xlabel("worlds left")
    save(name)


def running_time(puzzle: str, name: str) -> None:
    """Draw seconds against the number of agents, explicit worlds beside decision diagrams."""
    series: dict[str, list[tuple[int, float]]] = defaultdict(list)
    with (HERE / "timings.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["puzzle"] == puzzle:
                series[row["way"]].append((int(row["n"]), float(row["seconds"])))
    plt.figure(figsize=(5, 3))
    for (way, points), marker in zip(series.items(), "os", strict=True):
        plt.plot([n for n, _ in points], [taken for _, taken in points], marker=marker, markersize=4, label=way)
    plt.yscale("log")
    plt.xlabel(f"{puzzle}, how many")
    plt.ylabel("seconds")
    plt.legend(frameon=False)
    save(name)


worlds_left(1, "muddy-children-worlds")
worlds_left(2, "cheryls-birthday-worlds")
worlds_left(3, "sum-and-product-worlds")
worlds_left(4, "russian-cards-worlds")
worlds_left(6, "drinking-logicians-worlds")
running_time("muddy children", "muddy-children-time")
running_time("dining cryptographers", "dining-cryptographers-time")
