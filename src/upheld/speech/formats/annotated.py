"""The annotated transcript as a tree and back (format ``upheld/annotated-transcript@1``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from upheld.errors import MalformedInput
from upheld.logic.language import plain as p
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.formulas import Atom
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.plain import plain_operation, read_operation
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.turns import Turn
from upheld.speech.formats import fields as f
from upheld.speech.formats.gold_tree import plain_gold, read_gold
from upheld.speech.formats.references import check_agents, check_gold, check_references, check_turns
from upheld.speech.formats.transcript import FORMAT, Transcript

_TOP = (
    "format", "id", "title", "domain", "paradigm", "provenance", "agents", "initial_propositions", "turns", "gold",
    "notes", "paper_turns", "policy",
)  # fmt: skip
_TURN = ("id", "speaker", "session", "at", "audience", "text", "operations", "simultaneous", "thread")
_PROPOSITION = ("id", "text", "kind", "formula", "atom")


def read_annotated(content: object, *, default_id: str = "transcript") -> Transcript:
    """Read a transcript from its tree, with all its references checked.

    A file without ``operations`` is a plain transcript; one without ``agents`` too gets them from its speakers.

    Raises:
        MalformedInput: the tree cannot mean anything; ``key`` says where.
    """
    tree = _known(content, "", _TOP)
    if tree.get("format") != FORMAT:
        raise MalformedInput(f"expected {FORMAT}, found {tree.get('format')!r}", key="format")
    if "turns" not in tree:
        raise MalformedInput("turns is missing")
    turns, threads, is_annotated = _read_turns(tree["turns"])
    agents = _read_agents(tree, turns, is_annotated=is_annotated)
    check_agents(agents)
    initial = p.many_of(_read_proposition)(tree.get("initial_propositions", []), "initial_propositions")
    check_turns(turns, agents)
    check_references(initial, turns)
    gold = read_gold(tree["gold"]) if "gold" in tree else None
    if gold is not None:
        check_gold(gold, turns)
    head = {name: p.as_text(tree.get(name, ""), name) for name in ("title", "domain", "paradigm", "provenance")}
    return Transcript(
        id=p.as_id(tree.get("id", default_id), "id"),
        **head,
        agents=agents,
        initial=initial,
        turns=turns,
        is_annotated=is_annotated,
        gold=gold,
        notes=f.one_or_many(p.as_text)(tree.get("notes", []), "notes"),
        threads=threads,
        extra={name: tree[name] for name in ("paper_turns", "policy") if name in tree},
    )


def plain_annotated(transcript: Transcript) -> f.Tree:
    """Give a transcript as the tree that :func:`read_annotated` reads back, empty keys left out."""
    tree: f.Tree = {"format": FORMAT, "id": transcript.id}
    for name in ("title", "domain", "paradigm", "provenance"):
        tree |= _unless_empty(name, getattr(transcript, name))
    tree |= transcript.extra
    tree |= _unless_empty("notes", list(transcript.notes))
    tree["agents"] = [_plain_agent(agent) for agent in transcript.agents]
    tree |= _unless_empty("initial_propositions", [f.plain_fields(item) for item in transcript.initial])
    tree["turns"] = [_plain_turn(turn, transcript) for turn in transcript.turns]
    if transcript.gold is not None:
        tree["gold"] = plain_gold(transcript.gold)
    return tree


def _known(content: object, key: str, names: tuple[str, ...]) -> Mapping[str, object]:
    tree = p.as_mapping(content, key)
    for name in tree:
        if name not in names:
            raise MalformedInput(f"unknown key; one of {', '.join(names)}", key=f"{key}.{name}" if key else name)
    return tree


def _required(tree: Mapping[str, object], name: str, key: str, read: f.Reader) -> Any:
    if name not in tree:
        raise MalformedInput(f"{name} is missing", key=key)
    return read(tree[name], f"{key}.{name}")


def _optional(tree: Mapping[str, object], key: str) -> Callable[[str, f.Reader, Any], Any]:
    def take(name: str, read: f.Reader, default: Any, /) -> Any:
        return read(tree[name], f"{key}.{name}") if name in tree else default

    return take


def _read_agents(tree: Mapping[str, object], turns: tuple[Turn, ...], *, is_annotated: bool) -> tuple[Agent, ...]:
    if "agents" in tree:
        return p.many_of(_read_agent)(tree["agents"], "agents")
    if is_annotated:
        raise MalformedInput("agents is missing: an annotated transcript lists who takes part")
    return tuple(Agent(id=speaker, name=speaker) for speaker in dict.fromkeys(turn.speaker for turn in turns))


def _read_agent(content: object, key: str) -> Agent:
    tree = _known(content, key, ("id", "name", "role", "kind", "authority", "observes"))
    take = _optional(tree, key)
    return Agent(
        id=AgentId(_required(tree, "id", key, p.as_id)),
        name=take("name", p.as_text, ""),
        role=take("role", p.as_text, ""),
        kind=take("kind", p.member_of(AgentKind), AgentKind.PERSON),
        authority=take("authority", p.as_flag, False),
        observes=frozenset(take("observes", p.many_of(p.as_text), ())),
    )


def _plain_agent(agent: Agent) -> f.Tree:
    tree: f.Tree = {"id": agent.id, **_unless_empty("name", agent.name), **_unless_empty("role", agent.role)}
    tree |= {"kind": agent.kind.value, "authority": agent.authority}
    return tree | _unless_empty("observes", sorted(agent.observes))


def _read_proposition(content: object, key: str) -> Proposition:
    tree = _known(content, key, _PROPOSITION)
    take = _optional(tree, key)
    atom = take("atom", p.as_text, None)
    if atom is not None and "formula" in tree:
        raise MalformedInput("formula and atom exclude each other", key=f"{key}.atom")
    return Proposition(
        id=PropositionId(_required(tree, "id", key, p.as_id)),
        text=take("text", p.as_text, ""),
        kind=take("kind", p.member_of(Kind), Kind.HYPOTHESIS),
        formula=take("formula", p.as_formula, None if atom is None else Atom(atom)),
    )


def _read_turns(content: object) -> tuple[tuple[Turn, ...], dict[TurnId, str], bool]:
    threads: dict[TurnId, str] = {}
    is_annotated = False

    def read(item: object, key: str) -> Turn:
        nonlocal is_annotated
        turn = _read_turn(item, key)
        tree = p.as_mapping(item, key)
        is_annotated = is_annotated or "operations" in tree
        if "thread" in tree:
            threads[turn.id] = p.as_text(tree["thread"], f"{key}.thread")
        return turn

    return p.many_of(read)(content, "turns"), threads, is_annotated


def _read_turn(content: object, key: str) -> Turn:
    tree = _known(content, key, _TURN)
    take = _optional(tree, key)
    audience = take("audience", p.many_of(p.as_id), None)
    return Turn(
        id=TurnId(_required(tree, "id", key, p.as_id)),
        speaker=AgentId(_required(tree, "speaker", key, p.as_id)),
        operations=take("operations", p.many_of(lambda item, place: read_operation(item, key=place)), ()),
        text=take("text", p.as_text, ""),
        audience=None if audience is None else frozenset(audience),
        session=take("session", p.as_text, ""),
        at=take("at", p.as_text, ""),
        simultaneous=take("simultaneous", p.as_text, ""),
    )


def _plain_turn(turn: Turn, transcript: Transcript) -> f.Tree:
    tree: f.Tree = {"id": turn.id, "speaker": turn.speaker}
    tree |= _unless_empty("thread", transcript.threads.get(turn.id, ""))
    for name in ("session", "at", "simultaneous"):
        tree |= _unless_empty(name, getattr(turn, name))
    if turn.audience is not None:
        tree["audience"] = sorted(turn.audience)
    tree |= _unless_empty("text", turn.text)
    if transcript.is_annotated:
        tree["operations"] = [plain_operation(operation) for operation in turn.operations]
    return tree


def _unless_empty(name: str, content: Any) -> f.Tree:
    return {name: content} if content else {}


def without_annotation(transcript: Transcript) -> Transcript:
    """Give the transcript as an interpreter reads it: words only, no operations, no answers."""
    turns = tuple(replace(turn, operations=()) for turn in transcript.turns)
    return replace(transcript, turns=turns, is_annotated=False, gold=None)
