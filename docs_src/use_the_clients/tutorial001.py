import subprocess
import sys

from upheld.errors import VersionConflict
from upheld.faces.client import Client

# A service that this program starts itself, on a free port; yours runs elsewhere: `upheld serve`.
serve = [sys.executable, "-m", "upheld.faces.cli", "serve", "--store", "sqlite:///night.db", "--port", "0"]
with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as process:
    announced = next(line for line in process.stderr or [] if "listening on" in line)
    url = announced.partition("listening on ")[2].partition(";")[0]

    with Client(url) as service:
        service.begin("night", agents=[{"id": "ana"}, {"id": "bot", "kind": "assistant"}])
        down = {"op": "observe", "id": "o1", "text": "The Redis server is down."}
        told = service.tell("night", "ana", operations=[down])
        cause = {"op": "hypothesize", "id": "h1", "text": "That is why logins fail.", "depends_on": ["o1"]}
        service.tell("night", "ana", operations=[cause | {"novel": True}], expected_version=told.version)

        print(service.verify("night", "The Redis server is down.", speaker="bot").outcome)
        print([reached.id for reached in service.affected("night", "o1").delta.lost])
        service.retract("night", "o1", by="ana", reason="the probe was wrong")
        print(service.verify("night", "The Redis server is down.", speaker="bot").outcome)
        try:
            service.tell("night", "ana", "Hm.", expected_version=told.version)
        except VersionConflict as error:
            print(error.found, "entries, and not", error.expected)

    process.terminate()
