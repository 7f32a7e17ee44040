from upheld import Conversation
from upheld.conversation.searching.search import ClaimSearch
from upheld.record.stores.ephemeral import EphemeralStore

store = EphemeralStore()
night = Conversation({"ana": "on call"}, id="night", store=store)
night.observe("ana", "o1", "The rollback to build 41 is done.")
before = night.version
night.observe("ana", "o2", "The rollback to build 41 failed on node 3.")
night.supersede("o1", "o2", by="ana", reason="seen in the log")

search = ClaimSearch(store)
for hit in search.search("rollback").hits:
    print(hit.found.conversation, hit.found.id, hit.found.text)
for hit in search.search("rollback", conversation="night", as_of=before).hits:
    print("then:", hit.found.text)
for hit in search.search("rollback", has_superseded=True).hits:
    print(hit.found.id, hit.found.lifecycle)
