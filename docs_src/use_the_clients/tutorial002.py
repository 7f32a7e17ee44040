import asyncio
import subprocess
import sys
from contextlib import aclosing

from upheld.faces.client import AsyncClient


async def follow(url: str) -> None:
    """Tell and take back, then read the record of it as it was written."""
    async with AsyncClient(url) as service:
        await service.begin("night", agents=[{"id": "ana"}])
        await service.tell("night", "ana", "The Redis server is down.")
        await service.retract("night", "T1.1", by="ana")
        async with aclosing(service.follow("night")) as events:
            async for event in events:
                print(event.epoch, event.kind, event.turn)
                if event.kind == "retraction":
                    break


# A service that this program starts itself, on a free port; yours runs elsewhere: `upheld serve`.
serve = [sys.executable, "-m", "upheld.faces.cli", "serve", "--store", "sqlite:///night.db", "--port", "0"]
with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as process:
    announced = next(line for line in process.stderr or [] if "listening on" in line)
    asyncio.run(follow(announced.partition("listening on ")[2].partition(";")[0]))
    process.terminate()
