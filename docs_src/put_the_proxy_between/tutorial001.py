import threading
from collections.abc import Generator
from contextlib import contextmanager

from openai import OpenAI
from openai.types.chat import ChatCompletionMessageParam

from upheld.faces.server.settings import Settings
from upheld.faces.service.app import service_app
from upheld.faces.service.running import Server, listening
from upheld.testing.scripted_server import ScriptedServer

SAID = ["The delivery goes to 12 Elm Street.", "No wait, the delivery goes to 14 Oak Street."]
STALE = "All is packed. Your delivery goes to 12 Elm Street. It comes on Monday."


@contextmanager
def service(upstream: str) -> Generator[str]:
    """Run what `upheld serve` runs, for as long as this program does."""
    server = Server(service_app(Settings(store="sqlite:///upheld.db", upstream_openai=upstream)))
    socket = listening("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    server.should_exit = True
    thread.join()


# A stand-in for a language model, with what it says to each request.
SCRIPT = [STALE, STALE, STALE, "All is packed. Your delivery goes to 14 Oak Street."]
MESSAGES: list[ChatCompletionMessageParam] = [{"role": "user", "content": text} for text in SAID]

with (
    ScriptedServer(SCRIPT) as upstream,
    service(upstream.base_url) as url,
    OpenAI(base_url=f"{url}/proxy/v1", api_key="sk-yours") as client,
):
    marked = client.chat.completions.create(model="any", messages=MESSAGES)
    upheld = (marked.model_extra or {})["upheld"]
    print(marked.choices[0].message.content)
    print(upheld["outcome"], upheld["reasons"])

    for policy in ("block", "retry"):
        headers = {"x-upheld-policy": policy}
        answer = client.chat.completions.create(model="any", messages=MESSAGES, extra_headers=headers)
        print(f"{policy}: {answer.choices[0].message.content}")
