from collections.abc import Iterable

from upheld import Conversation

talk = Conversation(agents={"eva": "editor", "tom": "reporter"})
talk.observe("tom", "o1", "The mayor's office confirms the date.")
talk.observe("tom", "o2", "The contract names the date.")
talk.observe("tom", "o3", "The contract is signed.")
talk.observe("eva", "o4", "The opening is on the fifth of May.", depends_on_any=[["o1"], ["o2", "o3"]])
talk.observe("eva", "o5", "The invitations can be printed.", depends_on=["o4"])


def sets(found: Iterable[Iterable[object]]) -> list[list[str]]:
    """Give sets as sorted lists of ids, so that they print the same each time."""
    return sorted(sorted(map(str, each)) for each in found)


print("environments:", sets(talk.environments("o5").found))
why = talk.explain("o5")
print("breaks it alone:", sorted(why.breaks_if), "- together:", sets(why.breaks_if_together))

talk.observe("tom", "o6", "The hall is booked for the fifth of May by others.", contradicts=["o4"])
print("status:", talk.status("o4").standing, "- clash:", [each.claims for each in talk.nogoods()])
found = talk.culprits("o4", "o6")
print("nogoods:", sets(found.nogoods))
print("suspects:", [(str(each.assumption), each.nogoods) for each in found.ranked])
print("any of these would resolve it:", sets(found.retractions))
