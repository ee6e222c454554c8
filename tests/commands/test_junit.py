"""`check --junit`: what a build server reads says the same as what is printed."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from altpg_verify import alternate, check_estimator, estimator, regular
from altpg_verify.__main__ import main
from altpg_verify.audit.diagnosis import audit
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update
from altpg_verify.junit import junit
from altpg_verify.sealing import remade


@estimator
def half(pi, e, r, b):
    return (r - b) * (e - pi / 2)


def suite(report, **options):
    return ElementTree.fromstring(junit([("module:name", report)], **options))[0]


def status(case):
    return (
        "failed"
        if case.find("failure") is not None
        else "skipped"
        if case.find("skipped") is not None
        else "passed"
    )


def test_a_case_for_each_law_and_the_failures_are_those_that_are_printed():
    report = check_estimator(
        half,
        only=["unbiased", "zero_sum", "touches_taken_action_only", "conservative"],
        on_fail="return",
        max_examples=10,
        facts=False,
    )
    found = suite(report)
    assert [case.get("name") for case in found] == [result.law for result in report]
    failed = [case for case in found if status(case) == "failed"]
    assert {case.get("name") for case in failed} == {
        result.law for result in report if not result.ok
    }
    assert failed
    assert int(found.get("failures")) == len(failed)
    assert int(found.get("tests")) == len(report.results)
    assert "replay" in failed[0].find("failure").text
    assert "REFUTED" in failed[0].find("failure").get("message")


def test_an_expected_failure_is_passed_and_says_why():
    found = suite(check_estimator(alternate, only=["unbiased"], max_examples=20, facts=False))
    assert [status(case) for case in found] == ["passed"]
    assert "as expected" in found[0].find("system-out").text


def test_a_skipped_law_is_skipped_and_failed_if_strict():
    from altpg_verify.verdicts import Verdict

    report = check_estimator(regular, only=["unbiased", "zero_sum"], max_examples=20, facts=False)
    skipped = remade(
        report,
        results=(
            report.results[0],
            remade(report.results[1], verdict=Verdict.SKIPPED, reason="does not apply"),
        ),
    )
    assert [status(case) for case in suite(skipped)] == ["passed", "skipped"]
    assert [status(case) for case in suite(skipped, strict=True)] == ["passed", "failed"]


def test_an_update_is_one_case():
    @update(space=three_arms())
    def reversed_score(score, reward):
        return -reward * score

    @update(space=three_arms())
    def plain(score, reward):
        return reward * score

    assert [status(case) for case in suite(audit(plain))] == ["passed"]
    found = suite(audit(reversed_score))
    assert [status(case) for case in found] == ["failed"]
    assert "reversed" in found[0].find("failure").get("message")


def test_the_command_writes_the_file(tmp_path, capsys):
    file = tmp_path / "results.xml"
    assert (
        main(
            ["check", "altpg_verify.estimators:regular", "--only", "zero_sum", "--junit", str(file)]
        )
        == 0
    )
    assert "zero_sum" in capsys.readouterr().out
    assert ElementTree.parse(file).getroot()[0].get("name") == "altpg_verify.estimators:regular"


def test_the_command_writes_to_standard_output_alone(capsys):
    assert (
        main(["check", "altpg_verify.estimators:regular", "--only", "zero_sum", "--junit", "-"])
        == 0
    )
    ElementTree.fromstring(capsys.readouterr().out.encode())


def test_a_file_that_cannot_be_written_is_bad_use(tmp_path, capsys):
    where = tmp_path / "none" / "results.xml"
    where.parent.write_text("a file, no folder", encoding="utf-8")
    assert (
        main(
            [
                "check",
                "altpg_verify.estimators:regular",
                "--only",
                "zero_sum",
                "--junit",
                str(where),
            ]
        )
        == 2
    )
    assert "--junit" in capsys.readouterr().err


@pytest.mark.parametrize("made", [regular, alternate])
def test_a_report_is_a_table_in_a_notebook(made):
    report = check_estimator(made, only=["unbiased", "zero_sum"], max_examples=20, facts=False)
    shown = report._repr_html_()
    assert shown.count("<tr>") == 2
    assert "zero_sum" in shown
    ElementTree.fromstring(f"<div>{shown}</div>")
