"""Content as JSON text, and text of older, newer and damaged schemas."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from upheld.errors import MalformedInput, UnreadableEntry
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.formulas import And, Atom, Not
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.plain import Tree
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.turns import Supersede
from upheld.record.ledger.chain import digest_of
from upheld.record.ledger.codec import SCHEMAS, Codec
from upheld.record.ledger.entry import Content, Erased, Erasing, Erasure, Interpretation, Opening, Retracted, Words

CODEC = Codec()


def decoded(text: str, codec: Codec = CODEC) -> Content:
    """Decode as entry 7 of ``talk``."""
    return codec.decode(text, conversation=ConversationId("talk"), epoch=7)


def test_the_text_is_canonical_json() -> None:
    """Demanded by RFC 8785: sorted keys, no white space, no needless escapes; defaults are left out."""
    words = Words(turn=TurnId("T1"), speaker=AgentId("bob"), text="Grüß\n", audience=frozenset(map(AgentId, "zaé")))
    assert CODEC.encode(words) == (
        '{"audience":["a","z","é"],"kind":"words","schema":1,"speaker":"bob","text":"Grüß\\n","turn":"T1"}'
    )


def test_each_kind_of_content_has_a_pinned_text() -> None:
    """Our promise: a release that writes another text for the same content has to raise the schema number."""
    agents = (Agent(id=AgentId("bot"), kind=AgentKind.ASSISTANT, authority=True, observes=frozenset({"q", "p"})),)
    initial = (
        Proposition(id=PropositionId("h1"), text="Cooling.", kind=Kind.HYPOTHESIS, formula=Not(Atom("p"))),
        Proposition(id=PropositionId("o1"), text="Hot.", kind=Kind.FACT),
    )
    operations = (Observe(id=PropositionId("o2"), text="x", formula=And((Atom("p"), Atom("a b")))),)
    supersede = Supersede(older=PropositionId("o1"), newer=PropositionId("o2"))
    texts: dict[Content, str] = {
        Opening(agents=agents, initial=initial, title="A talk", paradigm="diagnostic"): (
            '{"agents":[{"authority":true,"id":"bot","kind":"assistant","observes":["p","q"]}],'
            '"initial":[{"formula":"~p","id":"h1","kind":"hypothesis","text":"Cooling."},'
            '{"id":"o1","kind":"fact","text":"Hot."}],'
            '"kind":"opening","paradigm":"diagnostic","schema":1,"title":"A talk"}'
        ),
        Interpretation(turn=TurnId("T1"), operations=operations, by=AgentId("ann"), reason="misread"): (
            '{"by":"ann","kind":"interpretation","operations":[{"formula":"p & \\"a b\\"","id":"o2","op":"observe",'
            '"text":"x"}],"reason":"misread","schema":1,"turn":"T1"}'
        ),
        Retracted(retraction=supersede, reason="newer"): (
            '{"kind":"retracted","reason":"newer","retraction":{"act":"supersede","newer":"o2","older":"o1"},"schema":1}'
        ),
    }
    remains = Words(turn=TurnId("T1"), speaker=AgentId("bob"))
    erasure = Erasure(erased=(Erasing(epoch=Epoch(2), remains=remains), Erasing(epoch=Epoch(3))), reason="asked for")
    texts[erasure] = (
        '{"erased":[{"epoch":2,"remains":{"speaker":"bob","turn":"T1"}},{"epoch":3}],'
        '"kind":"erasure","reason":"asked for","schema":1}'
    )
    for content, text in texts.items():
        assert CODEC.encode(content) == text
        assert decoded(text) == content


def test_nobody_and_everybody_are_different_audiences() -> None:
    """Demanded by semantics, section 8: without an audience all hear; an empty one hears nothing."""
    for audience in (None, frozenset[AgentId]()):
        words = Words(turn=TurnId("T1"), speaker=AgentId("bob"), audience=audience)
        assert decoded(CODEC.encode(words)) == words


def test_what_is_sealed_has_been_read_back() -> None:
    """Our promise: the digest is the SHA-256 of the text."""
    words = Words(turn=TurnId("T1"), speaker=AgentId("bob"), text="ü")
    sealed = CODEC.sealed(words)
    assert sealed.content == words
    assert sealed.digest == digest_of(sealed.text) == sha256(sealed.text.encode()).hexdigest()


@pytest.mark.parametrize(
    "content",
    [
        Words(turn=TurnId(""), speaker=AgentId("bob")),
        Words(turn=TurnId("T1"), speaker=AgentId("bob"), text="\udc80"),
        Interpretation(turn=TurnId("T1"), operations=(Observe(id=PropositionId("o 1"), text="x"),)),
        Interpretation(turn=TurnId("T1"), operations=(Observe(id=PropositionId("o"), text="x", formula=And(())),)),
    ],
    ids=["no turn", "lone surrogate", "white space in an id", "formula without a written form"],
)
def test_what_could_not_be_read_back_is_not_sealed(content: Content) -> None:
    """Our promise: an append-only ledger must not take in what it can never give back."""
    with pytest.raises(MalformedInput):
        CODEC.sealed(content)


# A worked example. Schema 1 of ``words`` called the text ``utterance``; schema 2 wrote the audience as one string,
# parted by commas; schema 3 is today's.


def _with_text(tree: Tree) -> Tree:
    return {**{name: value for name, value in tree.items() if name != "utterance"}, "text": tree["utterance"]}


def _with_listed_audience(tree: Tree) -> Tree:
    return {**tree, "audience": tree["audience"].split(",")} if "audience" in tree else tree


THIRD = Codec(
    schemas={**SCHEMAS, "words": 3},
    upcasts={("words", 1): _with_text, ("words", 2): _with_listed_audience},
)


def test_what_was_erased_has_no_text() -> None:
    """Our promise: what stands in the place of an erased content is made by the reader, and never written."""
    erased = Erased(turn=TurnId("T1"), reason="asked for", by=None, at="2026-01-01")
    with pytest.raises(MalformedInput, match="erased"):
        CODEC.sealed(erased)


def test_a_salt_changes_the_digest_alone() -> None:
    """Our promise: the digest is the SHA-256 of salt and text, so that whoever has both can confirm it."""
    words = Words(turn=TurnId("T1"), speaker=AgentId("bob"), text="ü")
    salted, plain = CODEC.sealed(words, salt="5a17"), CODEC.sealed(words)
    assert (salted.content, salted.text) == (plain.content, plain.text)
    assert salted.digest == sha256(b"5a17" + plain.text.encode()).hexdigest() != plain.digest


def test_older_text_is_lifted_step_by_step() -> None:
    """Our promise: each step knows two schemas; the reader climbs them, from wherever the text begins."""
    expected = Words(turn=TurnId("T1"), speaker=AgentId("bob"), text="hi", audience=frozenset(map(AgentId, "ab")))
    first = '{"audience":"a,b","kind":"words","schema":1,"speaker":"bob","turn":"T1","utterance":"hi"}'
    second = '{"audience":"a,b","kind":"words","schema":2,"speaker":"bob","text":"hi","turn":"T1"}'
    assert decoded(first, THIRD) == decoded(second, THIRD) == decoded(THIRD.encode(expected), THIRD) == expected


def test_other_kinds_are_not_lifted() -> None:
    """Our promise: schema numbers belong to a kind of content."""
    opening = Opening(title="A talk")
    assert decoded(CODEC.encode(opening), THIRD) == opening


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"words","schema":1,"speaker":"bob","turn":"T1"}',
        '{"audience":7,"kind":"words","schema":2,"speaker":"bob","turn":"T1"}',
        '{"audience":null,"kind":"words","schema":3,"speaker":"bob","turn":"T1"}',
    ],
    ids=["a step misses its field", "a step meets a wrong type", "a reader meets a wrong type"],
)
def test_older_text_that_is_damaged_is_an_unreadable_entry(text: str) -> None:
    """Our promise: whatever a step stumbles over, the caller sees one typed error."""
    with pytest.raises(UnreadableEntry, match="entry 7 of conversation 'talk'"):
        decoded(text, THIRD)


def test_a_step_that_nobody_wrote_is_an_unreadable_entry() -> None:
    """Our promise: a gap in the steps is said, not skipped."""
    with pytest.raises(UnreadableEntry, match="talk"):
        decoded('{"kind":"words","schema":1,"speaker":"bob","turn":"T1"}', Codec(schemas={**SCHEMAS, "words": 2}))


def test_a_newer_schema_is_an_unreadable_entry() -> None:
    """Our promise: an older program neither guesses nor drops; it says what to do."""
    with pytest.raises(UnreadableEntry, match="schema 3 of 'words' is newer than 1: upgrade"):
        decoded(THIRD.encode(Words(turn=TurnId("T1"), speaker=AgentId("bob"))))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Expecting value"),
        ('{"kind":"words","schema":1,"spea', "Unterminated"),
        ("[" * 200_000, "recursion"),
        ("[]", "expected a mapping, found a list"),
        ("{}", "unknown kind None"),
        ('{"kind":["words"],"schema":1}', "unknown kind"),
        ('{"kind":"thoughts","schema":1}', "unknown kind 'thoughts'; one of opening, words"),
        ('{"kind":"opening"}', "None is no schema number"),
        ('{"kind":"opening","schema":true}', "True is no schema number"),
        ('{"kind":"opening","schema":0}', "0 is no schema number"),
        ('{"kind":"opening","schema":"1"}', "'1' is no schema number"),
        ('{"kind":"words","schema":1,"turn":"T1"}', "words.speaker: missing"),
        ('{"kind":"words","schema":1,"turn":"","speaker":"b"}', "words.turn: an id is not empty"),
        (
            '{"kind":"words","schema":1,"turn":"T1","speaker":"b","text":1}',
            "words.text: expected text, found the number 1",
        ),
        ('{"kind":"words","schema":1,"turn":"T1","speaker":"b","tone":"x"}', "words.tone: unknown key"),
        ('{"kind":"opening","schema":1,"agents":{}}', "opening.agents: expected a list, found a mapping"),
        ('{"kind":"opening","schema":1,"agents":[7]}', r"opening.agents\[0\]: expected a mapping, found the number 7"),
        ('{"kind":"opening","schema":1,"agents":[{"id":"a","kind":"cat"}]}', "'cat' is none of person"),
        (
            '{"kind":"opening","schema":1,"agents":[{"id":"a","authority":1}]}',
            "expected true or false, found the number 1",
        ),
        ('{"kind":"opening","schema":1,"agents":[{"id":"a","age":1}]}', r"opening.agents\[0\].age: unknown key"),
        ('{"kind":"opening","schema":1,"initial":[{"id":"h","text":"x"}]}', r"opening.initial\[0\].kind: missing"),
        (
            '{"kind":"opening","schema":1,"initial":[{"id":"h","text":"x","kind":"fact","formula":"p &"}]}',
            "a formula is missing",
        ),
        (
            '{"kind":"interpretation","schema":1,"turn":"T1","operations":[{"op":"sing"}]}',
            r"interpretation.operations\[0\].op: unknown operation 'sing'",
        ),
        ('{"kind":"erasure","schema":1,"erased":[{"epoch":0}]}', r"erasure.erased\[0\].epoch: expected a whole number"),
        ('{"kind":"erasure","schema":1,"erased":[{"epoch":true}]}', "expected a whole number from 1 on, found True"),
        ('{"kind":"erasure","schema":1,"erased":[{"epoch":1,"who":"x"}]}', r"erased\[0\].who: unknown key"),
        (
            '{"kind":"erasure","schema":1,"erased":[{"epoch":1,"remains":{"turn":"T1","speaker":"b","x":1}}]}',
            r"erased\[0\].remains.x: unknown key",
        ),
        ('{"kind":"erased","schema":1}', "unknown kind 'erased'"),
        ('{"kind":"retracted","schema":1,"retraction":{"act":"sigh"}}', "retracted.retraction.act: unknown act"),
    ],
)
def test_damaged_text_is_an_unreadable_entry_that_says_where(text: str, why: str) -> None:
    """Our promise: conversation, epoch and the place in the entry are named."""
    with pytest.raises(UnreadableEntry, match=f"(?s)entry 7 of conversation 'talk': .*{why}"):
        decoded(text)


def test_every_kind_has_a_schema_and_every_older_one_a_step() -> None:
    """Our promise: the shipped registry has no gap."""
    for name, present in CODEC.schemas.items():
        assert all((name, older) in CODEC.upcasts for older in range(1, present))
        assert json.loads(CODEC.encode(Opening()))["schema"] == CODEC.schemas["opening"]
