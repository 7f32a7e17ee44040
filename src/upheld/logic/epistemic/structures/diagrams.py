"""Boolean functions as reduced ordered decision diagrams: the one place that knows the library underneath.

Sources: Bryant 1986, *Graph-based algorithms for Boolean function manipulation*; the library is OxiDD (Husung and
others 2024). Each variable has a primed twin right below it, so that a relation between worlds stays small (Burch,
Clarke, McMillan, Dill and Hwang 1990).
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from upheld.errors import LimitExceeded, MissingExtra

NODES = 1 << 23
"""Most nodes that one family of structures may need at a time; memory is taken as they are made (16 bytes each)."""

_CACHES = ((8, 1 << 10), (24, 1 << 16), (64, 1 << 18))
_LARGEST_CACHE = 1 << 21


class Diagram(Protocol):
    """A Boolean function; equal functions of one family are equal objects (``==``), in constant time.

    Two diagrams of different families must not meet in one operation: the library ends the process.
    """

    def __invert__(self) -> Diagram:
        """Give the negation."""
        ...

    def __and__(self, other: Diagram, /) -> Diagram:
        """Give the conjunction."""
        ...

    def __or__(self, other: Diagram, /) -> Diagram:
        """Give the disjunction."""
        ...

    def imp(self, other: Diagram, /) -> Diagram:
        """Give the implication."""
        ...

    def equiv(self, other: Diagram, /) -> Diagram:
        """Give the equivalence."""
        ...

    def ite(self, then: Diagram, otherwise: Diagram, /) -> Diagram:
        """Give the choice between two by this one."""
        ...

    def exists(self, variables: Diagram, /) -> Diagram:
        """Quantify over the variables of a cube."""
        ...

    def apply_exists(self, operator: object, other: Diagram, variables: Diagram, /) -> Diagram:
        """Combine and quantify in one pass."""
        ...

    def substitute(self, substitution: object, /) -> Diagram:
        """Replace variables, all at once."""
        ...

    def cofactors(self) -> tuple[Diagram, Diagram] | None:
        """Give the function with its topmost variable true, and false."""
        ...

    def node_var(self) -> int | None:
        """Give the topmost variable."""
        ...

    def node_count(self) -> int:
        """Give the size in nodes."""
        ...

    def sat_count(self, variables: int, /) -> int:
        """Count the valuations of that many variables, exactly."""
        ...


class _Library(Protocol):
    """The calls that are used of the library's table of nodes."""

    def add_vars(self, additional: int, /) -> range: ...
    def var(self, number: int, /) -> Diagram: ...
    def true(self) -> Diagram: ...
    def false(self) -> Diagram: ...
    def gc(self) -> int: ...
    def num_inner_nodes(self) -> int: ...


class Diagrams:
    """The table of nodes that a family of structures shares, with its variables by name.

    Variables are only ever added: what an abandoned structure called a variable, another may call so again.
    """

    def __init__(self, *, expected: int, nodes: int = NODES) -> None:
        """Size the cache for the variables that are ``expected``; ``nodes`` is the limit of the table.

        Raises:
            MissingExtra: the library is not installed.
        """
        cache = next((size for most, size in _CACHES if expected <= most), _LARGEST_CACHE)
        try:
            library, util = import_module("oxidd.bcdd"), import_module("oxidd.util")
        except ImportError as error:
            raise MissingExtra("epistemic", needed_for="a knowledge structure") from error
        # One thread: the structures of a conversation are small, and a pool for each would not be.
        self._table = cast("_Library", library.BCDDManager(nodes, cache, 1))
        self._conjunction = cast("object", util.BooleanOperator.AND)
        self._substitution = cast("Callable[[list[tuple[int, Diagram]]], object]", library.BCDDSubstitution)
        self._numbers: dict[str, int] = {}
        self.limit = nodes
        self.top = self._table.true()
        self.bottom = self._table.false()

    def __len__(self) -> int:
        """Give the number of nodes in the table, those of no further use included."""
        return self._table.num_inner_nodes()

    def number(self, name: str) -> int:
        """Give the place of a variable in the order; made at the end when it is new. Its twin comes right after."""
        if name not in self._numbers:
            self._numbers[name] = self._table.add_vars(2).start
        return self._numbers[name]

    def variable(self, name: str) -> Diagram:
        """Give the function that is the variable."""
        return self._table.var(self.number(name))

    def cube(self, names: Iterable[str], *, primed: bool = False) -> Diagram:
        """Give the conjunction of variables, or of their twins, in which quantification names them."""
        numbers = sorted((self.number(name) + primed for name in names), reverse=True)
        return functools.reduce(lambda whole, number: self._table.var(number) & whole, numbers, self.top)

    def priming(self, names: Iterable[str]) -> object:
        """Give the substitution of variables by their twins."""
        return self._substitution([(self.number(name), self._table.var(self.number(name) + 1)) for name in names])

    def renaming(self, names: Mapping[str, str]) -> object:
        """Give the substitution of variables by others."""
        return self._substitution([(self.number(old), self.variable(new)) for old, new in names.items()])

    def some(self, one: Diagram, other: Diagram, variables: Diagram) -> Diagram:
        """Give where a conjunction can be made true by choice of the variables: the relational product."""
        return one.apply_exists(self._conjunction, other, variables)

    def all_of(self, parts: Sequence[Diagram]) -> Diagram:
        """Give the conjunction, folded in a balanced way."""
        return self._folded(parts, self.top, lambda one, other: one & other)

    def any_of(self, parts: Sequence[Diagram]) -> Diagram:
        """Give the disjunction, folded in a balanced way."""
        return self._folded(parts, self.bottom, lambda one, other: one | other)

    def _folded(
        self, parts: Sequence[Diagram], neutral: Diagram, join: Callable[[Diagram, Diagram], Diagram]
    ) -> Diagram:
        row = list(parts)
        while len(row) > 1:
            pairs = [join(one, other) for one, other in zip(row[::2], row[1::2], strict=False)]
            row = [*pairs, *row[len(pairs) * 2 :]]
        return row[0] if row else neutral

    def collect(self) -> None:
        """Free the nodes that nothing refers to any more."""
        # What failed half-way is held by the frames of its exception until Python has looked for cycles.
        gc.collect()
        self._table.gc()


_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


class OfFamily(Protocol):
    """Whatever lives in a table of nodes."""

    @property
    def diagrams(self) -> Diagrams:
        """Give the table."""
        ...


def within_limits(method: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
    """Let a method of an :class:`OfFamily` run again on a cleaned table when it was full, and then give up.

    Raises:
        LimitExceeded: the table is full all the same. Nothing was changed.
    """

    @functools.wraps(method)
    def limited(*args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        try:
            return method(*args, **kwargs)
        except MemoryError:
            diagrams = cast("OfFamily", cast("tuple[Any, ...]", args)[0]).diagrams
        diagrams.collect()
        try:
            return method(*args, **kwargs)
        except MemoryError as error:
            raise LimitExceeded(f"more than {diagrams.limit} nodes of decision diagrams are needed") from error

    return limited
