"""What a file of the repository may not carry: prompts inside code, and traces of one person's machine."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

PROMPT = re.compile(r"\b(You are (a|an|the)|Your task is|Respond (only )?with|Return only|Answer only with)\b")
TRACES = {
    "a path of one machine": re.compile(r"(?<![\w.>-])/(home|Users|root|work|opt)/[\w.-]+"),
    "a host of a package registry": re.compile(
        r"pyp[i]\.org|pythonhoste[d]\.org|registry[.]npmj[s]|index[-]url|find[-]links"
    ),
}
# A transcript is what somebody said, paths on their servers included.
QUOTATIONS = ("examples/", "tests/conversations/", "training/text/", "src/upheld/testing/conformance/")
GENERATED = {".venv", ".git", "build", "dist", "__pycache__", ".pytest_cache", ".ruff_cache", ".hypothesis"}


def prompts_in(path: str, tree: ast.Module) -> Iterator[str]:
    """Strings that speak to a language model; what they say belongs into a Markdown file with a version."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and PROMPT.search(node.value):
            yield f"{path}:{node.lineno}"


def traces_in(path: str, text: str) -> Iterator[str]:
    """Lines that name a place which exists on one machine only, or where packages come from."""
    if path.startswith(QUOTATIONS):
        return
    for number, line in enumerate(text.splitlines(), start=1):
        yield from (f"{path}:{number} has {what}" for what, pattern in TRACES.items() if pattern.search(line))


def tracked(root: Path) -> list[Path]:
    """Files under version control, or all that are not generated when there is no repository around them."""
    if not (root / ".git").exists():
        return [path for path in root.rglob("*") if path.is_file() and not GENERATED & set(path.parts)]
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True, timeout=60)
    return [root / name for name in run.stdout.split("\0") if name]


def readable(path: Path) -> str:
    """Text of a file, or nothing when it is no text."""
    try:
        return path.read_text("utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return ""


def test_no_prompt_stands_in_code(modules: dict[str, str], allowances: dict[str, dict[str, str]]) -> None:
    """Our promise (docs/architecture.md): prompts are Markdown files beside the code that sends them."""
    found = {line for path, text in modules.items() for line in prompts_in(path, ast.parse(text))}
    assert sorted(found - set(allowances["prompts"])) == []
    assert sorted(set(allowances["prompts"]) - found) == []


def test_no_file_carries_a_trace_of_one_machine(root: Path, allowances: dict[str, dict[str, str]]) -> None:
    """Our promise (CONTRIBUTING): a checkout works anywhere, and says nothing of where it was made."""
    files = tracked(root)
    assert len(files) > 50
    found = {line for path in files for line in traces_in(path.relative_to(root).as_posix(), readable(path))}
    assert sorted(found - set(allowances["traces"])) == []
    assert sorted(set(allowances["traces"]) - found) == []


def test_constraints_are_exact_and_carry_no_address(root: Path) -> None:
    """Our promise (CONTRIBUTING): every line is a name and a version, so that any index can serve it."""
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    wrong = [line for line in lines if line and not re.fullmatch(r"#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)]
    assert wrong == []


def test_prompts_and_traces_are_reported() -> None:
    """Both rules must be able to fail."""
    assert list(prompts_in("a.py", ast.parse("PROMPT = 'You are a judge.'"))) == ["a.py:1"]
    home = "/".join(("", "home", "someone", "notes"))
    host = ".".join(("pypi", "org"))
    assert list(traces_in("a.md", f"fine\nsee {home}\n")) == ["a.md:2 has a path of one machine"]
    assert list(traces_in("a.md", f"from {host}")) == ["a.md:1 has a host of a package registry"]
    assert list(traces_in("examples/talk.txt", f"Bob: look in {home}")) == []
