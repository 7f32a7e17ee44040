"""Operations out of a reply: every name resolved, every field checked, and a fault named so that it can be mended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, cast

from upheld.errors import MalformedInput, UnusableReply
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.operations import OPERATION_NAMES, Hypothesize, Observe, Operation
from upheld.logic.language.plain import Tree, as_mapping, read_operation
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.llm.naming import Naming, in_order
from upheld.speech.interpretation.llm.wire import FIELDS, KINDS, listed, names_in, renamed
from upheld.speech.view import Known, Situation, View

MOST_OPERATIONS = 64
"""Operations of one turn; nobody does more in a breath, and a reply that says so has gone astray."""

_SHOWN = 40
_GROUNDS = ("evidence", "depends_on", "because")
_NAMES = frozenset(OPERATION_NAMES.values())
_GIVEN_BY_NOBODY = frozenset({"formula", "source"})
"""Fields of the language that a reading may not fill: a meaning in logic, and a source outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Who takes part, if anybody said so (else ``None``), and whether tools are ``trusted`` to conclude."""

    kinds: Mapping[AgentId, AgentKind] | None = field(default=None)
    trusted: bool = False

    def is_bound_to_observe(self, speaker: AgentId) -> bool:
        """Tell whether a speaker is a tool whose words are taken for reports and nothing else."""
        return not self.trusted and self.kinds is not None and self.kinds.get(speaker) is AgentKind.TOOL


def roster_of(view: View, *, trusted: bool = False) -> Roster:
    """Give who takes part, if the view knows."""
    agents = view.agents() if isinstance(view, Situation) else ()
    return Roster(kinds={agent.id: agent.kind for agent in agents} if agents else None, trusted=trusted)


def operations_in(
    content: object, turn: Turn, naming: Naming, roster: Roster, *, key: str = "operations"
) -> tuple[tuple[Operation, ...], Naming]:
    """Read the list of operations of one turn, and give what the names mean after it.

    Local names become ids of the turn (``T5.1``). An operation that only puts something forward is moved before the
    one that refers to it, if that is all that is wrong with the order.

    Raises:
        UnusableReply: the message names the field and what is wrong with it.
    """
    if not isinstance(content, list):
        raise UnusableReply(f"{key}: a list of operations was asked for")
    items = cast("list[object]", content)
    if len(items) > MOST_OPERATIONS:
        raise UnusableReply(f"{key}: {len(items)} operations for one turn, {MOST_OPERATIONS} at most")
    trees = [_tree(item, f"{key}[{place}]") for place, item in enumerate(items)]
    introduced = _introduced(trees, naming, key)
    _check_references(trees, introduced, naming, key)
    ordered = in_order(trees, introduced, key)
    named = naming.with_names([_text_of(tree, "id") for _, tree in ordered if _is_new(tree, introduced)], turn.id)
    operations = tuple(_operation(tree, named, roster, turn, f"{key}[{place}]") for place, tree in ordered)
    return operations, named


def field_of(content: object, name: str) -> object:
    """Take one field of the object that a reply is.

    Raises:
        UnusableReply: the reply is no object, or lacks the field.
    """
    if not isinstance(content, Mapping):
        raise UnusableReply(f"a JSON object with {name} was asked for")
    found = cast("Mapping[str, object]", content).get(name)
    if found is None:
        raise UnusableReply(f"{name}: missing")
    return found


def unknown_id(name: str, naming: Naming, key: str) -> UnusableReply:
    """Give the complaint about an id that nobody introduced: it lists those that may be used."""
    if name in naming.lost:
        return UnusableReply(f"{key}: {name!r} is of turn {naming.lost[name]}, which could not be read")
    own = list(naming.given)
    known = [known.proposition.id for known in _last(naming.view.known(), _SHOWN)]
    usable = ", ".join((*known, *own)) or "none: there is nothing yet to refer to"
    return UnusableReply(f"{key}: nobody introduced {name!r}; ids that may be used: {usable}")


def _last(known: Any, most: int) -> list[Known]:
    every: Sequence[Known] = tuple(known)
    return list(islice(every, max(0, len(every) - most), None))


def _tree(item: object, key: str) -> Tree:
    """Take one operation as a tree without the fields that say nothing."""
    try:
        mapping = as_mapping(item, key)
    except MalformedInput as error:
        raise UnusableReply(str(error)) from None
    name = mapping.get("op")
    name = name.casefold().replace("-", "_").replace(" ", "_") if isinstance(name, str) else str(name)
    if name not in _NAMES:
        raise UnusableReply(f"{key}.op: unknown operation {name!r}; one of {', '.join(FIELDS)}")
    said = {
        str(field): listed(name, str(field), content)
        for field, content in mapping.items()
        if not _says_nothing(str(field), content)
    }
    for given in _GIVEN_BY_NOBODY & set(said):
        raise UnusableReply(f"{key}.{given}: not a field of {name}; one of {', '.join(FIELDS[name])}")
    return {**said, "op": name}


def _says_nothing(field: str, content: object) -> bool:
    return content is None or (content == "" and field not in {"target", "op"})


def _text_of(tree: Tree, field: str) -> str:
    content = tree.get(field)
    return content if isinstance(content, str) else ""


def _introduced(trees: list[Tree], naming: Naming, key: str) -> dict[str, int]:
    """Give the names that the operations put forward, with the place of each."""
    introduced: dict[str, int] = {}
    for place, tree in enumerate(trees):
        name = tree.get("id")
        if name is None:
            continue
        where = f"{key}[{place}].id"
        if not isinstance(name, str) or name.startswith("~") or any(char.isspace() for char in name):
            raise UnusableReply(f"{where}: {name!r} is no name: write n1, n2, … for what is new")
        if naming.meant(name) is not None:
            _check_echo(tree, naming, name, where)
        elif name in introduced:
            raise UnusableReply(f"{where}: {name!r} names two new propositions; each gets a name of its own")
        else:
            introduced[name] = place
    return introduced


def _check_echo(tree: Tree, naming: Naming, name: str, where: str) -> None:
    """What is known may be said again under its id, in its words and its kind; anything else is a new proposition."""
    known = naming.view.get(PropositionId(name)) if name not in naming.given else None
    kinds = KINDS.get(tree["op"], ())
    is_said_again = known is not None and known.proposition.kind in kinds
    if known is None or not is_said_again or _folded(known.proposition.text) != _folded(_text_of(tree, "text")):
        raise UnusableReply(f"{where}: {name!r} is taken; a new proposition gets a name of its own: n1, n2, …")


def _folded(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def _is_new(tree: Tree, introduced: Mapping[str, int]) -> bool:
    return tree.get("id") in introduced


def _check_references(trees: list[Tree], introduced: Mapping[str, int], naming: Naming, key: str) -> None:
    for place, tree in enumerate(trees):
        for field_name, content in tree.items():
            for name in names_in(field_name, content):
                where = f"{key}[{place}].{field_name}"
                if name == tree.get("id"):
                    raise UnusableReply(f"{where}: {name!r} is given as its own ground or target")
                if name in introduced:
                    continue
                id = naming.meant(name)
                if id is None:
                    raise unknown_id(name, naming, where)
                if id in naming.unheard:
                    raise UnusableReply(f"{where}: the speaker was never told {name!r}")


def _operation(tree: Tree, naming: Naming, roster: Roster, turn: Turn, key: str) -> Operation:
    """Make an operation of a tree whose references are known to be good."""
    _check_fields(tree, roster, turn, key)
    plain = {name: renamed(name, content, naming.given) for name, content in tree.items()}
    known = naming.view.get(plain["id"]) if "id" in plain else None
    try:
        operation = read_operation(plain, key=key)
    except MalformedInput as error:
        raise UnusableReply(str(error)) from None
    if known is not None and isinstance(operation, Observe | Hypothesize):
        again = known.proposition
        return replace(operation, text=again.text, kind=again.kind, formula=again.formula)
    return operation


_Check = Callable[[Tree, Roster, Turn], Iterator[tuple[str, str]]]


def _check_fields(tree: Tree, roster: Roster, turn: Turn, key: str) -> None:
    for check in _CHECKS:
        for name, complaint in check(tree, roster, turn):
            raise UnusableReply(f"{key}.{name}: {complaint}")


def _has_words(tree: Tree, _: Roster, __: Turn) -> Iterator[tuple[str, str]]:
    is_new = "id" in tree or tree["op"] == "question"
    if is_new and not _text_of(tree, "text").strip():
        yield "text", "missing: what is put forward is said in words that can be understood alone"


def _has_usual_kind(tree: Tree, _: Roster, __: Turn) -> Iterator[tuple[str, str]]:
    kinds = KINDS.get(tree["op"], ())
    if "kind" in tree and kinds and tree["kind"] not in kinds:
        yield "kind", f"{tree['kind']!r} is none of {', '.join(kinds)}"


def _has_ground_apart(tree: Tree, _: Roster, __: Turn) -> Iterator[tuple[str, str]]:
    """Nothing is its own ground, nor the evidence against itself; a decision of its own may rest on its target."""
    target = _text_of(tree, "target").removeprefix("~")
    for name in _apart_from_target(tree):
        if target and target in names_in(name, tree.get(name)):
            yield name, f"{target!r} is the target itself"
    if "depends_on_any" in tree and "id" not in tree and tree["op"] != "resolve":
        yield "depends_on_any", "alternatives need an argument of their own: give it an id"


def _apart_from_target(tree: Tree) -> tuple[str, ...]:
    match tree["op"]:
        case "resolve":
            return ("subsumes",) if "id" in tree else ("subsumes", "depends_on")
        case "undermine":
            return _GROUNDS
        case _:
            return (*_GROUNDS, "replacement", "attacks")


def _has_known_agents(tree: Tree, roster: Roster, _: Turn) -> Iterator[tuple[str, str]]:
    agents = tree.get("dissent")
    if roster.kinds is None or not isinstance(agents, list):
        return
    for agent in cast("list[object]", agents):
        if agent not in roster.kinds:
            yield "dissent", f"{agent!r} is no participant; one of {', '.join(roster.kinds)}"


def _is_fit_for_speaker(tree: Tree, roster: Roster, turn: Turn) -> Iterator[tuple[str, str]]:
    """Text that was retrieved is data: whatever it says, it reports, and nothing is done by it."""
    if roster.is_bound_to_observe(turn.speaker) and tree["op"] != "observe":
        yield "op", f"{turn.speaker} is a tool, and a tool only observes"


_CHECKS: tuple[_Check, ...] = (_has_words, _has_usual_kind, _has_ground_apart, _has_known_agents, _is_fit_for_speaker)
