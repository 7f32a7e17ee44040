"""The eight operations as the description of the service tells them, made from the language itself.

They describe and do not check: :func:`~upheld.logic.language.plain.read_operation` does that, turn by turn, so that a
batch ends at the turn that is wrong and the place of the mistake is named as in a file.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Annotated, Any, Literal

import pydantic
from pydantic import GetJsonSchemaHandler, StringConstraints, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core.core_schema import CoreSchema, tagged_union_schema

from upheld.faces.server.models.shapes import FormulaText, Shape, Tree
from upheld.logic.language.operations import OPERATION_NAMES, Operation, ResolveMode
from upheld.logic.language.propositions import Kind


class Provenance(Shape):
    """A source outside the conversation: a document, a tool call, a remembered episode."""

    uri: str
    version: str = ""
    span: Annotated[str, pydantic.Field(description="The place in it, in the source's own terms.")] = ""
    method: Annotated[str, pydantic.Field(description="How it was read.")] = ""


_ID: Any = Annotated[str, StringConstraints(pattern=r"^[^~\s]\S*$")]
_LITERAL: Any = Annotated[str, StringConstraints(pattern=r"^~?[^~\s]\S*$")]
_FORMULA: Any = FormulaText

_WRITTEN: dict[str, Any] = {
    "str": str,
    "bool": bool,
    "PropositionId": _ID,
    "PropositionId | None": _ID | None,
    "tuple[PropositionId, ...]": list[_ID],
    "tuple[AgentId, ...]": list[_ID],
    "Literal": _LITERAL,
    "tuple[Literal, ...]": list[_LITERAL],
    "tuple[tuple[Literal, ...], ...]": list[list[_LITERAL]],
    "Kind": Kind,
    "ResolveMode": ResolveMode,
    "Formula | None": _FORMULA | None,
    "Provenance | None": Provenance | str | None,
}
"""How each annotation of the language is written in JSON, as ``plain`` reads it."""


def _model(kind: type[Operation], name: str) -> type[Shape]:
    named: Any = Literal[name]
    told: Any = {each.name: (_WRITTEN[str(each.type)], _default(each)) for each in fields(kind)}
    return create_model(kind.__name__, __base__=Shape, __doc__=kind.__doc__, op=(named, ...), **told)


def _default(field: Field[Any]) -> Any:
    if field.default is MISSING:
        return ...
    return [] if field.default == () else field.default


MODELS: dict[str, type[Shape]] = {name: _model(kind, name) for kind, name in OPERATION_NAMES.items()}
"""The model of each operation, by its name."""


class _Described:
    """Says of a tree which fields it may have, and leaves it a tree."""

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        choices: dict[Any, CoreSchema] = {name: shape.__pydantic_core_schema__ for name, shape in MODELS.items()}
        return handler(tagged_union_schema(choices, "op"))


OperationTree = Annotated[Tree, _Described()]
"""One operation as it is sent and answered."""
