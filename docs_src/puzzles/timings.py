"""Measure two puzzles on explicit worlds and on decision diagrams, and write ``timings.csv`` where it is run.

``python timings.py 12 40`` goes up to 12 agents on explicit worlds and 40 on diagrams; without arguments it makes a
small run. ``plots.py`` draws what was written.
"""

import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import Formula
from upheld.logic.language.notation import parse_formula

Start = type[PlausibilityModel] | type[KnowledgeStructure]


def muddy_children(start: Start, n: int) -> None:
    """All of n children are muddy: father speaks, and they are silent until they know."""
    names = [f"m{i}" for i in range(n)]
    told = start.over(names, observes={f"c{i}": [name for name in names if name != f"m{i}"] for i in range(n)})
    told = told.announced(joined(" | ", names))
    silence, actual = joined(" & ", [f"~Kw_c{i} m{i}" for i in range(n)]), frozenset(names)
    while not told.holds_at(actual, parse_formula("K_c0 m0")):
        told = told.announced(silence)


def dining_cryptographers(start: Start, n: int) -> None:
    """One of n paid; all say what they see, and none of the others may know who it was."""
    atoms = [atom for i in range(n) for atom in (f"paid{i}", f"coin{i}")]
    sees = {f"d{i}": [f"paid{i}", f"coin{i}", f"coin{(i + 1) % n}"] for i in range(n)}
    told = start.over(atoms, observes=sees)
    told = told.announced(joined(" & ", [f"~(paid{i} & paid{j})" for i, j in itertools.combinations(range(n), 2)]))
    said = [f"(paid{i} <-> (coin{i} <-> coin{(i + 1) % n}))" for i in range(n)]
    told = told.announced(joined(" & ", [each if i == 1 else f"~{each}" for i, each in enumerate(said)]))
    told.extension(joined(" & ", [f"~K_d{i} paid1" for i in range(n) if i != 1]))


def joined(between: str, parts: list[str]) -> Formula:
    """One formula of several."""
    return parse_formula(between.join(parts))


def seconds(puzzle: Callable[[Start, int], None], start: Start, n: int) -> float:
    """The best of five runs."""
    taken: list[float] = []
    for _ in range(5):
        before = time.perf_counter()
        puzzle(start, n)
        taken.append(time.perf_counter() - before)
    return min(taken)


explicit, diagrams = (int(argument) for argument in sys.argv[1:] or ("3", "4"))
ways = {"explicit worlds": (PlausibilityModel, explicit), "decision diagrams": (KnowledgeStructure, diagrams)}
lines = ["puzzle,way,n,seconds"]
for name, puzzle in {"muddy children": muddy_children, "dining cryptographers": dining_cryptographers}.items():
    for way, (start, most) in ways.items():
        # Two atoms for each who dines: explicit worlds have room for fewer.
        largest = most - 4 if puzzle is dining_cryptographers and start is PlausibilityModel else most
        sizes = [n for n in (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 25, 30, 35, 40) if n <= max(3, largest)]
        lines += [f"{name},{way},{n},{seconds(puzzle, start, n):.6f}" for n in sizes]
Path("timings.csv").write_text("\n".join(lines) + "\n", "utf-8")
print("timings.csv:", len(lines) - 1, "sizes")
