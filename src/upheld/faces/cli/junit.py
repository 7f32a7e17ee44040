"""A check as JUnit XML: a suite a file, a test case a reply."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from upheld.conversation.checking.replaying import CheckedReply, CheckReport
from upheld.faces.report.wording import headline, name_of, summary_of
from upheld.logic.language.verdicts import Outcome
from upheld.speech.rendering.lines import one_line, xml_text

_NAME = 120


def junit(reports: Sequence[tuple[str, CheckReport]]) -> str:
    """Write checks as one XML document; ``reports`` pairs each with the name of its file.

    An ungrounded reply is a failure with its reason, one that could not be checked is skipped: neither passes.
    """
    root = Xml.Element("testsuites", name="upheld check")
    for file, report in reports:
        _suite(root, file, report)
    for key in ("tests", "failures", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(root: Xml.Element, file: str, report: CheckReport) -> None:
    outcomes = [reply.checked.outcome for reply in report.replies]
    suite = Xml.SubElement(
        root,
        "testsuite",
        name=xml_text(file),
        tests=str(len(outcomes)),
        failures=str(outcomes.count(Outcome.UNGROUNDED)),
        skipped=str(outcomes.count(Outcome.ABSTAIN)),
        errors="0",
    )
    for reply in report.replies:
        _case(suite, file, report, reply)


def _case(suite: Xml.Element, file: str, report: CheckReport, reply: CheckedReply) -> None:
    state = report.conversation.state
    name = one_line(f"{reply.turn} {name_of(state, reply.speaker)}: {reply.text}", limit=_NAME)
    case = Xml.SubElement(suite, "testcase", classname=xml_text(file), name=xml_text(name))
    if reply.checked.outcome is Outcome.ABSTAIN:
        Xml.SubElement(case, "skipped", message=xml_text(one_line(reply.checked.abstained)))
    if reply.checked.outcome is Outcome.UNGROUNDED:
        message = xml_text(headline(reply.checked))
        failure = Xml.SubElement(case, "failure", type=message.partition(": ")[2] or "ungrounded", message=message)
        failure.text = xml_text(f"{reply.text}\n\n{summary_of(state, reply.checked)}")
