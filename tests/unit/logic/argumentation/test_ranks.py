"""The dynamic topological order: where a vertex is placed, and what an edge against the order moves."""

from __future__ import annotations

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.argumentation.ranks import GAP, Ranks


class Graph:
    """Edges under edit, with their ranks."""

    def __init__(self) -> None:
        """No vertex."""
        self.out: dict[str, HashTrieSet[str]] = {}
        self.into: dict[str, set[str]] = {}
        self.ranks = Ranks(lambda _: None, HashTrieMap(), self.successors, self.inputs)

    def successors(self, key: str) -> HashTrieSet[str]:
        """What reads a vertex."""
        return self.out.get(key, HashTrieSet())

    def inputs(self, key: str) -> frozenset[str]:
        """What a vertex reads."""
        return frozenset(self.into.get(key, ()))

    def link(self, *edges: str) -> Graph:
        """Add edges such as ``ab``, one at a time."""
        for source, target in edges:
            self.ranks.place(source, ())
            self.into.setdefault(target, set()).add(source)
            self.ranks.place(target, self.into[target])
            self.out[source] = self.successors(source).insert(target)
            self.ranks.connect(source, target)
        return self

    def rank(self, key: str) -> int:
        """The rank of a vertex."""
        return self.ranks.rank(key)


def test_a_vertex_is_placed_just_above_its_inputs_and_keeps_its_place() -> None:
    """Alpern et al. 1990: ranks need not be distinct."""
    graph = Graph().link("ab", "ac", "bd")
    assert [graph.rank(key) for key in "abcd"] == [0, GAP, GAP, 2 * GAP]
    graph.ranks.place("d", ())
    assert graph.rank("d") == 2 * GAP
    assert graph.rank("unplaced") == 0


def test_a_late_attack_on_an_old_claim_lowers_the_attacker_and_moves_nothing_else() -> None:
    """Our promise: what rests on an old claim is not moved each time that the claim is attacked."""
    graph = Graph().link("ab", "bc", "cd")
    before = {key: graph.rank(key) for key in "abcd"}
    graph.link("xb", "xa")
    assert {key: graph.rank(key) for key in "abcd"} == before
    assert graph.rank("x") < graph.rank("a")


def test_a_source_without_room_below_its_target_lifts_the_target_and_what_follows() -> None:
    """Alpern et al. 1990: only the part out of order is moved."""
    graph = Graph().link("ab", "bc", "xy", "yz", "cx")
    order = [graph.rank(key) for key in "abcxyz"]
    assert order == sorted(set(order))
    graph.link("pq")
    assert graph.rank("q") == GAP


def test_a_diamond_out_of_order_is_lifted_once_a_vertex() -> None:
    """Our promise: a vertex that is reached on two ways ends above both."""
    graph = Graph().link("ab", "ac", "bd", "cd", "ce", "ed", "pq", "qa")
    assert graph.rank("q") < graph.rank("a") < graph.rank("c") < graph.rank("e") < graph.rank("d")
    assert graph.rank("b") < graph.rank("d")


def test_an_edge_to_itself_closes_a_ring_of_one() -> None:
    """Our promise: a vertex that reads itself is labelled as a cycle."""
    graph = Graph().link("ab", "bb", "bc")
    assert graph.ranks.ring("b") == {"b"}
    assert graph.rank("a") < graph.rank("b") < graph.rank("c")


def test_a_way_back_closes_a_ring_with_one_rank_and_leaves_side_branches_out() -> None:
    """Our promise: only what lies on the cycle joins the ring; what follows it comes after it."""
    graph = Graph().link("ab", "bc", "bs", "ct", "ca")
    assert graph.ranks.ring("a") == graph.ranks.ring("b") == graph.ranks.ring("c") == frozenset("abc")
    assert graph.ranks.ring("s") == graph.ranks.ring("t") == frozenset()
    assert len({graph.rank(key) for key in "abc"}) == 1
    assert graph.rank("c") < min(graph.rank("s"), graph.rank("t"))


def test_a_ring_is_lifted_and_joined_as_a_whole() -> None:
    """Our promise: the members of a ring never part."""
    graph = Graph().link("ab", "ba", "bc", "pq", "qr", "ra")
    assert graph.ranks.ring("a") == frozenset("ab")
    assert graph.rank("r") < graph.rank("a") == graph.rank("b") < graph.rank("c")
    graph.link("cq")
    assert graph.ranks.ring("p") == frozenset()
    assert {graph.ranks.ring(key) for key in "abcqr"} == {frozenset("abcqr")}


def test_what_was_placed_and_every_ring_can_be_asked_for() -> None:
    """Our promise: an edit without a ring shares the rings of before."""
    graph = Graph().link("ab")
    assert graph.ranks.placed == {"a": 0, "b": GAP}
    assert not graph.ranks.has_rings
    assert not len(graph.ranks.rings)
    graph.link("ba")
    assert graph.ranks.has_rings
    assert dict(graph.ranks.rings) == dict.fromkeys("ab", frozenset("ab"))
