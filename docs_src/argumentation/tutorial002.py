from upheld.logic.argumentation.framework import framework_of
from upheld.logic.argumentation.semantics.acceptance import credulously_accepted, sceptically_accepted
from upheld.logic.argumentation.semantics.explaining import why_out
from upheld.logic.argumentation.semantics.extensions import extensions
from upheld.logic.argumentation.semantics.names import Semantics

# Roll back or ship a hotfix, each against the other; either way there is a release. Three reports deny each other.
framework = framework_of(
    ["rollback", "hotfix", "release", "mail", "phone", "board"],
    [("rollback", "hotfix"), ("hotfix", "rollback"), ("mail", "phone"), ("phone", "board"), ("board", "mail")],
    {"release": [["rollback"], ["hotfix"]]},
)

for semantics in Semantics:
    found = [sorted(extension) for extension in extensions(framework, semantics).extensions]
    print(f"{semantics}: {len(found)}", *found[:2])

some = credulously_accepted(framework, "hotfix", Semantics.PREFERRED)
every = sceptically_accepted(framework, "hotfix", Semantics.PREFERRED)
print(
    "hotfix: in some", some.is_accepted, "- in every", every.is_accepted, "- without it:", sorted(every.witness or ())
)
print("release: in every", sceptically_accepted(framework, "release", Semantics.PREFERRED).is_accepted)

for argument, semantics in (("mail", Semantics.GROUNDED), ("mail", Semantics.PREFERRED), ("hotfix", Semantics.STABLE)):
    if why := why_out(framework, argument, semantics):
        print(f"why not {argument} ({semantics}): {why.cause}", *why.circle, *why.unanswered)
