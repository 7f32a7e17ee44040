from itertools import combinations

from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.notation import parse_formula


def table(n: int) -> KnowledgeStructure:
    """Who paid, if anybody did, and a coin between each two; each sees the own purse and two coins."""
    atoms = [atom for i in range(n) for atom in (f"paid{i}", f"coin{i}")]
    sees = {f"d{i}": [f"paid{i}", f"coin{i}", f"coin{(i + 1) % n}"] for i in range(n)}
    one_at_most = " & ".join(f"~(paid{i} & paid{j})" for i, j in combinations(range(n), 2))
    return KnowledgeStructure.over(atoms, observes=sees, law=parse_formula(one_at_most))


def statements(n: int, payer: int) -> str:
    """All coins show tails. Each says whether the coins differ, and the payer says the contrary."""
    said = [f"(paid{i} <-> (coin{i} <-> coin{(i + 1) % n}))" for i in range(n)]
    return " & ".join(each if i == payer else f"~{each}" for i, each in enumerate(said))


for n in (3, 10, 40):
    start = table(n)
    after = start.announced(parse_formula(statements(n, payer=1)))
    somebody = " | ".join(f"paid{i}" for i in range(n))
    nobody_knows = " & ".join(f"~K_d{i} paid1" for i in range(n) if i != 1)
    print(f"{start.count_worlds():14}  {n} at the table")
    print(f"{after.count_worlds():14}  after what they say")
    print("  all know that one of them paid:", after.is_valid(parse_formula(f"C ({somebody})")))
    print("  and no other knows who:", after.is_valid(parse_formula(f"paid1 -> {nobody_knows}")))
