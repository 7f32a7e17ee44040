"""Laws of the ledger's codec, over contents made at random: all eight operations, all connectives, any text."""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from upheld.errors import UnreadableEntry
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.formulas import (
    And,
    Atom,
    Aware,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    ExplicitlyKnows,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    SafelyBelieves,
    Top,
)
from upheld.logic.language.identities import ConversationId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    ResolveMode,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Content, Erasing, Erasure, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.review.contents import (
    Assigned,
    Commented,
    CorrectedClaim,
    Decided,
    Flagged,
    FlaggedClaim,
    FlaggedFinding,
    ReviewOutcome,
)
from upheld.record.ledger.shapes import CONTENT_NAMES

EXAMPLES = int(os.environ.get("UPHELD_EXAMPLES", "1"))
CODEC = Codec()

texts = st.text(max_size=12)
names: SearchStrategy[Any] = st.text(min_size=1, max_size=6)
ids: SearchStrategy[Any] = names.filter(lambda name: not name.startswith("~") and not any(map(str.isspace, name)))
many_ids: SearchStrategy[Any] = st.lists(ids, max_size=2).map(tuple)
flags = st.booleans()
literals = st.builds(Literal, ids, flags)
many_literals: SearchStrategy[Any] = st.lists(literals, max_size=2).map(tuple)
groups: SearchStrategy[Any] = st.lists(texts, max_size=2).map(tuple)
sources = st.none() | st.builds(Provenance, uri=texts, version=texts, span=texts, method=texts)


def _larger(parts: SearchStrategy[Formula]) -> SearchStrategy[Formula]:
    several: SearchStrategy[Any] = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, parts),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, parts, parts),
        st.builds(Iff, parts, parts),
        st.builds(Knows, texts, parts),
        st.builds(KnowsWhether, texts, parts),
        st.builds(SafelyBelieves, texts, parts),
        st.builds(Aware, texts, parts),
        st.builds(ExplicitlyKnows, texts, parts),
        st.builds(Believes, texts, parts, st.none() | parts),
        st.builds(CommonKnowledge, groups, parts),
        st.builds(DistributedKnowledge, groups, parts),
    )


_leaves: SearchStrategy[Formula] = st.builds(Top) | st.builds(Bottom) | st.builds(Atom, texts)
formulas: SearchStrategy[Formula] = st.recursive(_leaves, _larger, max_leaves=6)
maybe_formulas = st.none() | formulas

PARTS: dict[str, SearchStrategy[Any]] = {
    "id": ids,
    "text": texts,
    "kind": st.sampled_from(Kind),
    "formula": maybe_formulas,
    "source": sources,
    "target": ids,
    "on": st.none() | ids,
    "refines": st.none() | ids,
    "replacement": st.none() | ids,
    "issue": st.none() | ids,
    "mode": st.sampled_from(ResolveMode),
    "depends_on_any": st.lists(many_literals, max_size=2).map(tuple),
    **dict.fromkeys(("novel", "specific", "sufficient", "withdrawn"), flags),
    **dict.fromkeys(("depends_on", "evidence", "because", "reopen_if"), many_literals),
    **dict.fromkeys(("contradicts", "supersedes", "reinterprets", "against", "prefers"), many_ids),
    **dict.fromkeys(("explains", "attacks", "subsumes", "dissent", "about"), many_ids),
}
"""How each field of the operations is made; :func:`made` complains about one that is not listed."""


def made(kind: type[Any], **other: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Make operations of one kind, every field filled."""
    return st.builds(kind, **{name: {**PARTS, **other}[name] for name in kind.__dataclass_fields__})


maybe_ids = st.none() | ids
BY_KIND: dict[type[Operation], SearchStrategy[Any]] = {
    Observe: made(Observe),
    Hypothesize: made(Hypothesize),
    Support: made(Support, id=maybe_ids),
    Undermine: made(Undermine, id=maybe_ids),
    Revise: made(Revise),
    ExpandAwareness: made(ExpandAwareness),
    Resolve: made(Resolve, id=maybe_ids, target=literals),
    Question: made(Question, id=maybe_ids),
}
operations: SearchStrategy[Operation] = st.one_of(list(BY_KIND.values()))
retractions: SearchStrategy[Retraction] = st.one_of(
    st.builds(Retract, target=ids),
    st.builds(Falsify, target=ids),
    st.builds(Withdraw, source=texts),
    st.builds(Supersede, older=ids, newer=ids),
)
agents = st.builds(
    Agent,
    id=names,
    name=texts,
    role=texts,
    kind=st.sampled_from(AgentKind),
    authority=flags,
    observes=st.frozensets(texts, max_size=2),
)
propositions = st.builds(Proposition, id=names, text=texts, kind=st.sampled_from(Kind), formula=maybe_formulas)
spans: SearchStrategy[Any] = st.lists(st.integers(0, 99), min_size=2, max_size=2).map(lambda ends: tuple(sorted(ends)))
flagged_claims = st.builds(
    FlaggedClaim,
    span=spans,
    stance=st.sampled_from(Stance),
    modality=st.sampled_from(Modality),
    outcome=st.sampled_from(Outcome),
    findings=st.lists(
        st.builds(
            FlaggedFinding,
            literal=literals,
            outcome=st.sampled_from(Outcome),
            reason=st.none() | st.sampled_from(Reason),
            by=st.none() | names,
            turn=st.none() | names,
            because=many_ids,
            path=many_ids,
            current=maybe_ids,
            policy=texts,
        ),
        max_size=2,
    ).map(tuple),
    matcher=texts,
    abstained=texts,
    disagreements=groups,
)
corrected_claims = st.builds(
    CorrectedClaim,
    span=spans,
    literals=many_literals,
    outcome=st.sampled_from(ReviewOutcome),
    stance=st.sampled_from(Stance),
    modality=st.sampled_from(Modality),
)
STEPS: dict[type[Content], SearchStrategy[Any]] = {
    Flagged: st.builds(
        Flagged,
        flag=names,
        text=st.text(),
        epoch=st.integers(min_value=1),
        outcome=st.sampled_from(Outcome),
        speaker=st.none() | names,
        at=st.none() | names,
        claims=st.lists(flagged_claims, max_size=2).map(tuple),
        abstained=texts,
        by=st.none() | names,
        note=texts,
    ),
    Assigned: st.builds(Assigned, flag=names, to=st.none() | names, by=st.none() | names),
    Decided: st.builds(
        Decided,
        flag=names,
        outcome=st.sampled_from(ReviewOutcome),
        by=names,
        reason=texts,
        claims=st.none() | st.lists(corrected_claims, max_size=2).map(tuple),
    ),
    Commented: st.builds(Commented, flag=names, by=names, text=texts),
}
MADE: dict[type[Content], SearchStrategy[Any]] = {
    **STEPS,
    Opening: st.builds(
        Opening,
        agents=st.lists(agents, max_size=2).map(tuple),
        initial=st.lists(propositions, max_size=2).map(tuple),
        title=texts,
        paradigm=texts,
    ),
    Words: st.builds(
        Words,
        turn=names,
        speaker=names,
        text=st.text(),
        audience=st.none() | st.frozensets(names, max_size=3),
        session=texts,
        at=texts,
        simultaneous=texts,
    ),
    Interpretation: st.builds(
        Interpretation,
        turn=names,
        operations=st.lists(operations, max_size=3).map(tuple),
        interpreter=texts,
        by=st.none() | names,
        reason=texts,
    ),
    Retracted: st.builds(Retracted, retraction=retractions, by=st.none() | names, reason=texts),
    Erasure: st.builds(
        Erasure,
        erased=st.lists(
            st.builds(
                Erasing,
                epoch=st.integers(min_value=1),
                remains=st.none()
                | st.builds(Words, turn=names, speaker=names, audience=st.none() | st.frozensets(names))
                | st.one_of(list(STEPS.values())),
            ),
            max_size=3,
        ).map(tuple),
        by=st.none() | names,
        reason=texts,
    ),
}
contents: SearchStrategy[Content] = st.one_of(list(MADE.values()))
leaves = st.none() | flags | st.integers() | st.floats() | texts
json_values: SearchStrategy[Any] = st.recursive(
    leaves, lambda parts: st.lists(parts, max_size=3) | st.dictionaries(texts, parts, max_size=3), max_leaves=6
)


def decoded(text: str) -> Content:
    """Decode as entry 1 of ``talk``."""
    return CODEC.decode(text, conversation=ConversationId("talk"), epoch=1)


def test_every_kind_of_content_and_operation_is_made() -> None:
    """A law over some kinds only would hold for the wrong reason."""
    assert set(MADE) == set(CONTENT_NAMES)
    assert set(BY_KIND) == set(Operation.__args__)


@settings(max_examples=250 * EXAMPLES, deadline=None)
@given(contents)
def test_reading_undoes_writing(content: Content) -> None:
    """Our promise: decode(encode(c)) = c, so the fold of what was stored is the fold of what was said."""
    assert decoded(CODEC.encode(content)) == content


@settings(max_examples=60 * EXAMPLES, deadline=None)
@given(contents, st.randoms(use_true_random=False))
def test_the_text_does_not_depend_on_the_order_of_keys(content: Content, shuffler: Any) -> None:
    """Our promise: the digest is of what was said; a store that keeps JSON in its own order changes nothing."""
    text = CODEC.encode(content)
    keys = list(json.loads(text).items())
    shuffler.shuffle(keys)
    assert CODEC.sealed(decoded(json.dumps(dict(keys), indent=1))) == CODEC.sealed(content)


@settings(max_examples=60 * EXAMPLES, deadline=None)
@given(contents, contents)
def test_different_contents_have_different_digests(one: Content, other: Content) -> None:
    """Our promise: equal digests mean equal contents."""
    assert (CODEC.sealed(one).digest == CODEC.sealed(other).digest) == (one == other)


@settings(max_examples=60 * EXAMPLES, deadline=None)
@given(contents, st.data())
def test_truncated_text_is_never_taken_for_whole(content: Content, data: st.DataObject) -> None:
    """Our promise: a torn write is damage, not a shorter entry."""
    text = CODEC.encode(content)
    cut = data.draw(st.integers(0, len(text) - 1))
    try:
        decoded(text[:cut])
    except UnreadableEntry:
        return
    raise AssertionError(text[:cut])


@settings(max_examples=120 * EXAMPLES, deadline=None)
@given(contents, json_values, st.data())
def test_whatever_stands_in_a_field_the_reader_reads_or_refuses(
    content: Content, junk: Any, data: st.DataObject
) -> None:
    """Our promise: no other exception than the typed one leaves the codec."""
    tree = json.loads(CODEC.encode(content))
    tree[data.draw(st.sampled_from(sorted(tree)) | texts)] = junk
    try:
        content = decoded(json.dumps(tree))
    except UnreadableEntry:
        return
    assert decoded(CODEC.encode(content)) == content
