from upheld.logic.argumentation.framework import framework_of, without
from upheld.logic.argumentation.postulates import forward_cone, is_admissible, is_conflict_free, self_defending_core
from upheld.logic.argumentation.semantics.extensions import extensions
from upheld.logic.argumentation.semantics.names import Semantics

framework = framework_of(["a", "b", "c", "d"], [("c", "b"), ("b", "a")])
(before,) = extensions(framework, Semantics.PREFERRED).extensions
left, kept = without(framework, {"c"}), before - {"c"}

print("before:", sorted(before), "kept:", sorted(kept))
print("preferred afterwards:", *map(sorted, extensions(left, Semantics.PREFERRED).extensions))
print(
    "T1 conflict-free:", is_conflict_free(kept, left), "- T2 admissible, which is asked for:", is_admissible(kept, left)
)
print("T3 self-defending core:", sorted(self_defending_core(kept, left)))
print("T4 not reached:", sorted(set(left.arguments) - forward_cone({"c"}, framework)))
