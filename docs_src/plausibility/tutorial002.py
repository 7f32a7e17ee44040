from upheld.logic.epistemic.abduction import abduce
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.notation import format_formula, parse_formula

base = OrderedBase().announce("e1", parse_formula("door_open -> alarm"))
base = base.announce("e2", parse_formula("alarm"))
base = base.announce("e3", parse_formula("~alarm"))
print("quarantined:", base.quarantined(), "- without e2:", base.without_entries(["e2"]).quarantined())

base = OrderedBase().upgrade("u1", parse_formula("rain"), Mode.RADICAL)
base = base.upgrade("u2", parse_formula("wet"), Mode.CONSERVATIVE)  # lifts the best wet worlds: those in which it rains
base = base.upgrade("u3", parse_formula("~rain"), Mode.RADICAL)
print("B wet:", base.believes(parse_formula("wet")), "- B rain:", base.believes(parse_formula("rain")))
base = base.without_entries(["u3"])
print("without u3, B rain:", base.believes(parse_formula("rain")))
print("without u1 too, B rain:", base.without_entries(["u1"]).believes(parse_formula("rain")))

base = (
    OrderedBase()
    .announce("h1", parse_formula("h1 -> fuse & (fuse -> dark)"))
    .announce("h2", parse_formula("h2 -> moon"))
)
base = base.announce("o1", parse_formula("dark"))
found = abduce(
    base, parse_formula("dark"), [parse_formula("h1"), parse_formula("h2"), parse_formula("dark")], owners=["o1"]
)
print("explain it:", [format_formula(each) for each in found])
print("asked after its announcement:", abduce(base, parse_formula("dark"), [parse_formula("h1")]))
