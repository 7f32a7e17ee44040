"""The page that is built apart: who may read it, and what a browser is told about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from upheld.faces.server.page.serving import STATIC, add_page

from .conftest import Keys, Start


def built(folder: Path) -> Path:
    """A page as a builder leaves it."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><script src=/assets/main-4f1c.js></script>", "utf-8")
    (folder / "assets" / "main-4f1c.js").write_text("console.log(1)", "utf-8")
    (folder / "secret.txt").write_text("not for anybody", "utf-8")
    return folder


def test_the_page_and_its_files_are_guarded_and_kept(tmp_path: Path) -> None:
    """Issue 6, section 5: nothing of elsewhere is loaded, nobody frames it, and hashed files are fetched once."""
    app = FastAPI()
    add_page(app, folder=built(tmp_path / "static"))
    client = TestClient(app)
    page = client.get("/")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    asset = client.get("/assets/main-4f1c.js")
    assert asset.headers["content-type"].startswith("text/javascript")
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-security-policy"] == policy
    assert client.head("/").status_code == 200


@pytest.mark.parametrize(
    "path", ["/assets/none.js", "/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/secret.txt"]
)
def test_nothing_but_the_files_of_the_page_is_served(tmp_path: Path, path: str) -> None:
    """Our promise: what lies beside the folder stays there."""
    app = FastAPI()
    add_page(app, folder=built(tmp_path / "static"))
    answer = TestClient(app).get(path)
    assert answer.status_code == 404
    assert b"not for anybody" not in answer.content


@pytest.mark.skipif(STATIC.exists(), reason="the page was built here")
def test_where_it_was_not_built_a_page_says_how_and_lists_what_is_offered(start: Start, keys: Keys) -> None:
    """Our promise: a checkout without node still tells what runs here, and needs no key for it."""
    client = start(keys=keys.path, tenants=True).client()
    page = client.get("/")
    assert page.status == 200
    assert b"make page" in page.body
    assert b"GET /v1/conversations/{conversation}/history" in page.body
    assert client.post("/", {}).problem == "no-key"
    assert client.get("/assets/x.js").status == 404
    assert client.get("/v1/samples").problem == "no-key"
