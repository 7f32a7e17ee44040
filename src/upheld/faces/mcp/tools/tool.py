"""What a tool is: its fields are its arguments, its docstring is what a language model is told of it."""

from __future__ import annotations

import inspect
import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, ValidationError

from upheld.errors import MalformedInput
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.models.shapes import Shape

ConversationId = Annotated[str, Field(min_length=1, max_length=200, description="Name of the conversation.")]
At = Annotated[str, Field(max_length=200, description="Ask as of right after this turn; now, if left out.")]
ClaimId = Annotated[str, Field(min_length=1, max_length=200, description="Id of a claim, such as o9.")]

Schema = dict[str, Any]
"""A JSON Schema."""


class Tool(Shape):
    """One call of a tool; a subclass is a tool.

    It calls what HTTP calls (:mod:`upheld.faces.server.routes`), so that both give the same answers and hold the same
    limits.
    """

    heading: ClassVar[str]
    gives: ClassVar[type[Shape]]
    """What an answer looks like."""
    needs: ClassVar[Role] = Role.READER
    """The role that may call it; whoever may only read changes nothing."""
    takes_back: ClassVar[bool] = False
    """Whether something that stood may not stand afterwards by that alone."""

    @abstractmethod
    def answer(self, visit: Visit) -> Shape:
        """Do it. Raises what the library raises; then nothing was changed."""

    @classmethod
    def called(cls) -> str:
        """Give the name of the tool."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def told(cls) -> str:
        """Give what a language model is told: when to call it, and what comes back."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def taken(cls, *, conversation: str = "") -> Schema:
        """Give the schema of the arguments; a conversation that is meant anyway need not be named."""
        schema = cls.model_json_schema()
        schema.pop("description", None)
        properties: Schema = schema.setdefault("properties", {})
        if conversation and issubclass(cls, InConversation):
            properties["conversation"] = properties["conversation"] | {"default": conversation}
            schema["required"] = [name for name in schema["required"] if name != "conversation"]
        return schema

    @classmethod
    def given(cls) -> Schema:
        """Give the schema of the answer."""
        return cls.gives.model_json_schema(mode="serialization")

    @classmethod
    def read(cls, arguments: Mapping[str, Any], *, conversation: str = "") -> Self:
        """Read arguments.

        Raises:
            MalformedInput: they do not fit the schema; each that does not is named.
        """
        meant = {"conversation": conversation} if conversation and issubclass(cls, InConversation) else {}
        try:
            return cls.model_validate({**meant, **arguments})
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            # What was sent is not sent back: it may be long, or private.
            named = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found]
            raise MalformedInput("; ".join(named)) from None


class InConversation(Tool):
    """A call about one conversation."""

    conversation: ConversationId
