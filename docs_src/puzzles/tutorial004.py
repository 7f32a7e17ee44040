from itertools import combinations

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.notation import parse_formula

CARDS = "0123456"
hands = [frozenset(hand) for hand in combinations(CARDS, 3)]
deals = [
    frozenset({f"a{card}" for card in anne} | {f"b{card}" for card in bill})
    | {f"c{card}" for card in set(CARDS) - anne - bill}
    for anne in hands
    for bill in hands
    if not anne & bill
]
own = {name: [f"{name[0]}{card}" for card in CARDS] for name in ("anne", "bill", "cath")}
model = PlausibilityModel.among(deals, observes=own)

BILL_KNOWS = " & ".join(f"Kw_bill a{card}" for card in CARDS)
CATH_DOES_NOT = " & ".join(f"(~c{card} -> ~Kw_cath a{card} & ~Kw_cath b{card})" for card in CARDS)
ANNE = " | ".join("(" + " & ".join(f"a{card}" for card in hand) + ")" for hand in ("012", "034", "056", "135", "246"))
LOOSE = " | ".join("(" + " & ".join(f"a{card}" for card in hand) + ")" for hand in ("012", "034", "056"))

print(f"{len(model.worlds):4}  at first")
said = model.announced(parse_formula(ANNE))
print(f"{len(said.worlds):4}  Anne: I have 012, 034, 056, 135 or 246")
for what, claim in {"Bill knows all": BILL_KNOWS, "Cath knows no card": CATH_DOES_NOT}.items():
    print(f"      common knowledge that {what}:", said.extension(parse_formula(f"C ({claim})")) == said.worlds)
answered = said.announced(parse_formula("c6"))
print(f"{len(answered.worlds):4}  Bill: Cath has 6")
print(
    "      common knowledge that Cath knows no card:",
    answered.extension(parse_formula(f"C ({CATH_DOES_NOT})")) == answered.worlds,
)

loose = model.announced(parse_formula(LOOSE))
print("Anne, careless: I have 012, 034 or 056")
print("      Cath knows no card:", loose.extension(parse_formula(CATH_DOES_NOT)) == loose.worlds)
