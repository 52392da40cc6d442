from guards.config.model import RuleSetting
from guards.engine.settle import settle
from guards.findings.model import Finding
from guards.findings.suppressions import Suppression
from guards.source.place import Place

CODES = {("thread-sleep", "csharp"): "SGC001", ("unused-suppression", "any"): "SGX003"}


def place(line: int, path: str = "a.cs") -> Place:
    return Place(path, line, 1, line, 5)


def suppression(line: int, *names: str, reason: str = "it polls") -> Suppression:
    return Suppression(names, (place(line),) * len(names), reason, place(line), line, line)


def setting(rule: str, path: str) -> RuleSetting | None:
    if path == "off.cs":
        return None
    language = "any" if rule == "unused-suppression" else "csharp"
    return RuleSetting(rule, language, "error", {}) if rule != "off-rule" else None


def settled(findings: list[Finding], *suppressions: Suppression) -> tuple[list[tuple[str, int, str, str]], int]:
    result = settle(
        findings,
        {"a.cs": suppressions},
        setting,
        CODES,
        lambda name, at, fix: Finding("unused-suppression", at, f"unused {name}", fix=fix),
    )
    return [(f.rule, f.place.line, f.code, f.severity) for f in result.findings], len(result.excused)


def test_findings_come_in_order_with_code_and_severity() -> None:
    findings = [Finding("thread-sleep", place(9), "b"), Finding("thread-sleep", place(2), "a")]
    assert settled(findings)[0] == [("thread-sleep", 2, "SGC001", "error"), ("thread-sleep", 9, "SGC001", "error")]


def test_equal_findings_count_once() -> None:
    assert len(settled([Finding("thread-sleep", place(2), "a")] * 2)[0]) == 1


def test_a_suppression_takes_away_every_finding_of_its_rule_on_its_line() -> None:
    findings = [
        Finding("thread-sleep", place(2), "a"),
        Finding("thread-sleep", place(2), "b"),
        Finding("other", place(2), "c"),
    ]
    rules, suppressed = settled(findings, suppression(2, "thread-sleep"))
    assert [rule for rule, *_ in rules] == ["other"]
    assert suppressed == 2


def test_a_suppression_that_takes_nothing_away_is_unused_name_by_name() -> None:
    rules, _ = settled([Finding("thread-sleep", place(2), "a")], suppression(2, "thread-sleep", "async-void"))
    assert [(rule, line) for rule, line, *_ in rules] == [("unused-suppression", 2)]


def test_what_was_not_judged_is_not_called_unused() -> None:
    assert settled([], suppression(2, "off-rule"))[0] == []
    assert settled([], suppression(2, "thread-sleep", reason=""))[0] == []


def test_two_suppressions_of_one_finding_are_both_used() -> None:
    rules, suppressed = settled(
        [Finding("thread-sleep", place(2), "a")], suppression(2, "thread-sleep"), suppression(2, "thread-sleep")
    )
    assert rules == []
    assert suppressed == 1


def test_a_finding_where_its_rule_is_off_is_dropped() -> None:
    assert settled([Finding("thread-sleep", place(2, "off.cs"), "a")])[0] == []
