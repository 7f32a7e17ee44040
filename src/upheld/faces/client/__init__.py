"""A client of the service: what does a program elsewhere tell and ask? Needs ``upheld[client]``."""

from upheld.errors import MissingExtra

try:
    from upheld.faces.client.asynchronous import AsyncClient
    from upheld.faces.client.client import Client
except ModuleNotFoundError as error:
    if error.name not in {"httpx2", "pydantic"}:
        raise
    raise MissingExtra("client", needed_for="a client of the service") from error

__all__ = ["AsyncClient", "Client"]
