"""Fill ``::: module`` lines of a page with what the module's public names say about themselves.

A generator of our own, and not a plug-in: it is a page long, needs nothing installed beside mkdocs, and a name without
a docstring stops the build here as it does in the tests.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from enum import Enum, EnumMeta
from types import ModuleType
from typing import Any


class Verbatim(str):
    """Text that shows as it stands where Python would put quotes around it."""

    __slots__ = ()
    __repr__ = str.__str__


MARK = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace each mark of a page (the hook that mkdocs calls)."""
    return MARK.sub(lambda match: module_page(importlib.import_module(match.group(1))), markdown)


def module_page(module: ModuleType) -> str:
    """One section a public name, in the order of the source or of ``__all__``."""
    return "\n\n".join(section for name in public_names(module) for section in described(module, name))


def public_names(module: ModuleType) -> list[str]:
    """What ``__all__`` lists, or else every class and function that the module itself defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    members = vars(module).items()
    return [name for name, value in members if not name.startswith("_") and is_defined_in(value, module)]


def is_defined_in(value: Any, module: ModuleType) -> bool:
    """Tell whether a class or function comes from this module, not from one that it imports."""
    return (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__ == module.__name__


def described(module: ModuleType, name: str) -> Iterator[str]:
    """Heading, signature, docstring, and for a class its public methods."""
    value = getattr(module, name)
    yield f"### `{name}`"
    yield f"```python\n{signature(name, value)}\n```"
    yield documentation(name, value)
    if inspect.isclass(value) and not isinstance(value, EnumMeta):
        yield from methods(value)


def methods(owner: type) -> Iterator[str]:
    """Signature and docstring of each public method that the class itself defines."""
    for name, member in vars(owner).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        yield f"#### `{owner.__name__}.{name}`"
        if not isinstance(member, property):
            yield f"```python\n{signature(name, function)}\n```"
        yield documentation(f"{owner.__name__}.{name}", function)


def signature(name: str, value: Any) -> str:
    """How a name is called, one parameter a line when it would not fit on one."""
    if isinstance(value, EnumMeta):
        return f"{name}: " + " | ".join(repr(member.value) for member in value)  # type: ignore[attr-defined]
    if not callable(value):
        return name
    try:
        found = as_written(inspect.signature(value))
    except ValueError:
        return name
    flat = f"{name}{found}"
    if len(flat) <= 100:
        return flat
    inner = ",\n".join(f"    {parameter}" for parameter in found.parameters.values())
    return f"{name}(\n{inner},\n)"


def as_written(found: inspect.Signature) -> inspect.Signature:
    """The same signature, with annotations and defaults as the source has them and not as ``repr`` gives them."""
    parameters = [
        parameter.replace(annotation=unquoted(parameter.annotation), default=named(parameter.default))
        for parameter in found.parameters.values()
    ]
    return found.replace(parameters=parameters, return_annotation=unquoted(found.return_annotation))


def unquoted(annotation: Any) -> Any:
    """An annotation that was kept as text, without quotes."""
    return Verbatim(annotation) if isinstance(annotation, str) else annotation


def named(default: Any) -> Any:
    """A default that is an enum's member, by the name that the source uses."""
    return Verbatim(f"{type(default).__name__}.{default.name}") if isinstance(default, Enum) else default


def documentation(name: str, value: Any) -> str:
    """The docstring as Markdown; a name without one stops the build."""
    text = inspect.getdoc(value)
    if not text:
        raise ValueError(f"{name} has no docstring")
    return re.sub(r"^::$\n", "", text, flags=re.MULTILINE)
