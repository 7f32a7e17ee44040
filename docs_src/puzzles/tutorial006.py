from upheld.logic.epistemic.exports.problems import Announced, Problem, Question, is_answered_yes
from upheld.logic.epistemic.exports.smcdel import read_smcdel, write_smcdel
from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.notation import parse_formula

ALL = "wants_a & wants_b & wants_c"
own = {"ann": ["wants_a"], "bob": ["wants_b"], "cat": ["wants_c"]}
model = PlausibilityModel.over({"wants_a", "wants_b", "wants_c"}, observes=own)
print(f"{len(model.worlds):4}  at first")
for remark, formula in {
    "Ann: I do not know": f"~Kw_ann ({ALL})",
    "Bob: I do not know": f"~Kw_bob ({ALL})",
    "Cat: yes": f"K_cat ({ALL})",
}.items():
    model = model.announced(parse_formula(formula))
    print(f"{len(model.worlds):4}  {remark}")

problem = Problem(
    vocabulary=("wants_a", "wants_b", "wants_c"),
    observes={agent: tuple(seen) for agent, seen in own.items()},
    questions=(
        Question(
            announcements=(
                Announced(formula=parse_formula(f"~Kw_ann ({ALL})")),
                Announced(formula=parse_formula(f"~Kw_bob ({ALL})")),
            ),
            formula=parse_formula(f"Kw_cat ({ALL})"),
        ),
    ),
)
text = write_smcdel(problem)
print(text, end="")
print("reads back:", read_smcdel(text) == problem)
print("valid:", is_answered_yes(problem, problem.questions[0]))
