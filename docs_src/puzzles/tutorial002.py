from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.notation import parse_formula

DATES = """May 15, May 16, May 19, June 17, June 18, July 14, July 16, August 14, August 15, August 17"""
worlds = [frozenset(date.split()) for date in DATES.split(", ")]
months = {"May", "June", "July", "August"}
days = frozenset[str]().union(*worlds) - months


def date_known_to(agent: str) -> str:
    """That the agent knows, of each month and each day, whether it is the one."""
    return "(" + " & ".join(f"Kw_{agent} {atom}" for atom in sorted(months | days)) + ")"


model = PlausibilityModel.among(worlds, observes={"albert": months, "bernard": days})
print(f"{len(model.worlds):4}  at first")
for remark, formula in {
    "Albert: I do not know, but I know that Bernard does not know either": (
        f"~{date_known_to('albert')} & K_albert ~{date_known_to('bernard')}"
    ),
    "Bernard: at first I did not know, but I know now": date_known_to("bernard"),
    "Albert: then I know too": date_known_to("albert"),
}.items():
    model = model.announced(parse_formula(formula))
    print(f"{len(model.worlds):4}  {remark}")
print("left:", [" ".join(sorted(world, key=str.isdigit)) for world in model.worlds])
