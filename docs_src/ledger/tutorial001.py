import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from upheld import Conversation
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Words
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite.store import SqliteStore

NIGHT = ConversationId("night")


def show(when: str, store: SqliteStore, head: Head) -> None:
    """Verify against the head that was kept, and print what was found."""
    found = verified(store, NIGHT, expected=head)
    faults = [f"{fault.kind} at {fault.epoch}" for fault in found.faults]
    print(f"{when}: {found.entries} entries, {found.erased} erased,", *(faults or ["whole"]))


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "incident.db"
    with SqliteStore(path) as store:
        talk = Conversation({"ana": "support", "leo": "customer"}, id=NIGHT, store=store)
        talk.observe("leo", "o1", "The order never arrived.", said="Leo, 12 Mill Lane: my order never arrived!")
        head = store.head(NIGHT)  # to be kept out of reach of whoever writes the file
        talk.hypothesize("ana", "h1", "It went to the old address.", depends_on=["o1"])
        show("written", store, head)

        spoken = [each.epoch for each in store.read(NIGHT) if isinstance(each.content, Words) and each.turn == "T1"]
        store.erase(NIGHT, spoken, reason="an address", by=AgentId("ana"))
        show("erased", store, head)
        talk.refresh()
        print("what it meant stays:", talk.verify("o1").outcome)

    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE contents SET body = replace(body, 'old', 'new')")
    with SqliteStore(path) as store:
        show("edited behind its back", store, head)
