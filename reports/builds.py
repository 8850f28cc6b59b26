"""Checks for builds: Markdown for the summary of a step, JUnit XML, annotations of GitHub."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from reports import machine
from reports.checked import again, failures, headline, hints, line, lines, notes, promise

_NO_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_markdown(answer: Mapping[str, Any]) -> str:
    """Return a summary for a pull request: what is not green in a table, the rest in a sentence."""
    blocks = [f"## Balance check: {answer['verdict']}", f"**{machine.escape(headline(answer))}**"]
    blocks += [machine.escape(text) for text in failures(answer)]
    for each in answer["scenarios"]:
        said = [machine.escape(text) for text in notes(each)]
        rows = [(verdict, text) for verdict, text in lines(each) if verdict != "pass"]
        if said or rows:
            blocks += [f"### {machine.escape(each['scenario'])}", *said, machine.table(("Verdict", "Check"), rows)]
        blocks += [machine.escape(text) for text in hints(each)]
        if rows and again(each):
            blocks.append(machine.fenced(again(each)))
    blocks.append(machine.escape(promise(answer)))
    return "\n\n".join(block for block in blocks if block) + "\n"


def to_junit(answer: Mapping[str, Any]) -> str:
    """Return JUnit XML: a test suite for each scenario, a test case for each check; undecided is an error."""
    suites = [_suite(each) for each in answer["scenarios"]]
    wrong = list(failures(answer))
    if wrong:
        cases = [_case("balance", text.partition(":")[0], "fail", text) for text in wrong]
        suites.append(_wrapped("balance check", cases, len(wrong), 0, 0))
    seconds = answer["timing"]["seconds"]
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites time="{seconds:.3f}">\n{"".join(suites)}</testsuites>\n'
    )


def _suite(scenario: Mapping[str, Any]) -> str:
    name, rows = scenario["scenario"], scenario["checks"]
    told = " ".join(notes(scenario))
    cases = []
    for row in rows:
        text = line(row) + (f"; {told}" if told else "")
        command = row["command"] or scenario["command"]
        cases.append(_case(name, row["check"], row["verdict"], text, command))
    skipped = scenario["missing"] and not rows
    if skipped:
        cases.append(_case(name, "baseline", "skipped", "no baseline, and nothing is expected"))
    verdicts = [row["verdict"] for row in rows]
    return _wrapped(name, cases, verdicts.count("fail"), verdicts.count("undecided"), int(skipped))


def _wrapped(name: str, cases: Sequence[str], failed: int, errors: int, skipped: int) -> str:
    counts = f'tests="{len(cases)}" failures="{failed}" errors="{errors}" skipped="{skipped}"'
    return f"<testsuite name={_attribute(name)} {counts}>\n{''.join(cases)}</testsuite>\n"


def _case(suite: str, name: str, verdict: str, text: str, command: str = "") -> str:
    head = f"<testcase classname={_attribute(suite)} name={_attribute(name)}"
    if verdict == "pass":
        return f"{head}/>\n"
    kind = {"fail": "failure", "undecided": "error"}.get(verdict, "skipped")
    inner = escape(_NO_XML.sub("\ufffd", f"{text}\n{command}".strip()))
    return f"{head}><{kind} message={_attribute(text)}>{inner}</{kind}></testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", text))


def to_annotations(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield a workflow command of GitHub for each check that failed or is undecided, and for each warning."""
    for text in failures(answer):
        yield _annotation("error", "", "balance check", text)
    for each in answer["scenarios"]:
        told = "".join(f"; {text}" for text in notes(each))
        command = f"; again: {again(each)}" if again(each) else ""
        for verdict, text in lines(each):
            if verdict != "pass":
                kind = "error" if verdict == "fail" else "warning"
                yield _annotation(kind, each["file"], f"balance {verdict}", f"{text}{told}{command}")


def _annotation(kind: str, file: str, title: str, text: str) -> str:
    place = f"file={_property(file)},line=1," if file else ""
    return f"::{kind} {place}title={_property(title)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
