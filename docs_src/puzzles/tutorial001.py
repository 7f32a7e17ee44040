from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.notation import parse_formula

FATHER = "m_alice | m_bob | m_carol"
NOBODY_KNOWS = "~Kw_alice m_alice & ~Kw_bob m_bob & ~Kw_carol m_carol"
TWO_KNOW = "K_alice m_alice & K_bob m_bob & ~Kw_carol m_carol"

muddy = {"m_alice", "m_bob", "m_carol"}
model = PlausibilityModel.over(muddy, observes={child: muddy - {f"m_{child}"} for child in ("alice", "bob", "carol")})
print(f"{len(model.worlds):4}  at first")
for said in (FATHER, NOBODY_KNOWS, TWO_KNOW):
    model = model.announced(parse_formula(said))
    print(f"{len(model.worlds):4}  {said}")
print("muddy:", [sorted(world) for world in model.worlds])

# Thirty children, all of them muddy: a billion worlds, so a knowledge structure.
names = [f"m{i}" for i in range(30)]
seen = {f"c{i}": [name for name in names if name != f"m{i}"] for i in range(30)}
structure = KnowledgeStructure.over(names, observes=seen)
print("thirty children:", structure.count_worlds())
structure = structure.announced(parse_formula(" | ".join(names)))
silence = parse_formula(" & ".join(f"~Kw_c{i} m{i}" for i in range(30)))
rounds = 1
while not structure.holds_at(names, parse_formula("K_c0 m0")):
    structure, rounds = structure.announced(silence), rounds + 1
print(f"known in round {rounds}:", structure.count_worlds())
