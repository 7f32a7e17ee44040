"""The tenants of one address, each with a store and a host of its own."""

from __future__ import annotations

import threading
from contextlib import ExitStack

from upheld.conversation.hosting.host import MOST_OPEN, Equipment, Host
from upheld.conversation.wiring import opened_store
from upheld.errors import StoreError
from upheld.record.ledger.store import Store
from upheld.record.stores.tenants import tenant_named


class Tenancy:
    """Opens the store of each tenant when it is first asked for, and keeps it open. Safe to call from several threads.

    Nothing is shared between two tenants but the program, and the connections to a database: another file, or another
    schema, which each transaction names anew.
    """

    def __init__(self, address: str, equipment: Equipment | None = None, *, most_open: int = MOST_OPEN) -> None:
        """``most_open``: conversations that stay open, of each tenant."""
        self.address = address
        self._equipment = equipment
        self._most_open = most_open
        self._hosts: dict[str, Host] = {}
        self._first: Store | None = None
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def open_count(self) -> int:
        """Conversations that are open now, of all tenants."""
        with self._lock:
            hosts = tuple(self._hosts.values())
        return sum(host.open_count for host in hosts)

    def host(self, tenant: str) -> Host:
        """Give the host of a tenant's conversations; the first time its store is opened, and made if need be.

        Raises:
            MalformedInput: no name of a tenant.
            StoreError: the store cannot be opened.
        """
        name = tenant_named(tenant)
        with self._lock:
            if self._is_closed:
                raise StoreError("this service is closed")
            if name not in self._hosts:
                # Over the connections of the first: a database has some hundred of them, and may have more tenants.
                store = self._stack.enter_context(opened_store(self.address, tenant=name, beside=self._first))
                self._first = self._first or store
                self._hosts[name] = Host(store, self._equipment, most_open=self._most_open)
            return self._hosts[name]

    def known(self, tenant: str) -> Host | None:
        """Give the host of a tenant whose store is open already. Nothing is waited for."""
        return self._hosts.get(tenant)

    def close(self) -> None:
        """Close all stores; closing twice is no fault."""
        with self._lock:
            self._is_closed = True
            for host in self._hosts.values():
                host.close()
            self._stack.close()
