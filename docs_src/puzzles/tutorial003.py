from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.formulas import And, Atom, Formula, Knows, KnowsWhether, Not


def world(x: int, y: int) -> frozenset[str]:
    """Two numbers, with their sum and their product."""
    return frozenset({f"x={x}", f"y={y}", f"sum={x + y}", f"product={x * y}"})


def knows_them(agent: str) -> Formula:
    """Whoever knows the sum or the product, and the smaller number, knows both."""
    return And(tuple(KnowsWhether(agent, Atom(f"x={x}")) for x in range(2, 50)))


worlds = {world(x, y) for x in range(2, 50) for y in range(x + 1, 101 - x)}
atoms = frozenset[str]().union(*worlds)
observes = {name: {atom for atom in atoms if atom.startswith(f"{name}=")} for name in ("sum", "product")}
model = PlausibilityModel.among(worlds, observes=observes)
print(f"{len(model.worlds):4}  at first")
for remark, formula in {
    "Sum: I knew that you did not know them": Knows("sum", Not(knows_them("product"))),
    "Product: now I know them": knows_them("product"),
    "Sum: now I know them too": knows_them("sum"),
}.items():
    model = model.announced(formula)
    print(f"{len(model.worlds):4}  {remark}")
print("left:", [sorted(world) for world in model.worlds])
