from pathlib import Path

from guards.config.catalogue import Catalogue, RuleEntry
from guards.config.model import CommandLine
from guards.engine.pages import Pages, with_rules
from guards.findings.model import Finding
from guards.findings.result import Excused, RunResult
from guards.source.place import Place


def entry(name: str, code: str, language: str, severity: str = "error") -> RuleEntry:
    return RuleEntry(
        name, code, language, "guards.rules.project.parse_incomplete", "ParseIncomplete", severity, "A flaw."
    )


CATALOGUE = Catalogue(
    (
        entry("two-languages", "SGC900", "csharp"),
        entry("two-languages", "SGP900", "python", "warning"),
        entry("nowhere", "SGP901", "python"),
        entry("policy", "SGG900", "gdscript", "note"),
    ),
    {
        "house": {"presets": ["strict"], "select": ["policy"], "ignore": ["SGC900"]},
        "strict": {
            "presets": ["recommended"],
            "rules": {"two-languages": {"severity": "error"}, "old-api": {"severity": "note"}},
        },
        "recommended": {
            "select": ["two-languages"],
            "forbid": [
                {"name": "old-api", "api": ["a.b.c", "a.d"], "language": "python", "severity": "warning"},
                {"name": "old-api", "api": "A.B", "language": "csharp"},
            ],
        },
        "other": {"presets": ["recommended"]},
    },
)


def test_every_rule_is_listed_with_where_it_is_on() -> None:
    assert [(rule.name, rule.code, rule.language, rule.severity, dict(rule.presets)) for rule in Pages(CATALOGUE).listed()] == [
        ("nowhere", "SGP901", "python", "error", {}),
        ("old-api", "", "csharp", "error", {"recommended": "error", "house": "note", "other": "error", "strict": "note"}),
        ("old-api", "", "python", "warning", {"recommended": "warning", "house": "note", "other": "warning", "strict": "note"}),
        ("policy", "SGG900", "gdscript", "note", {"house": "note"}),
        ("two-languages", "SGC900", "csharp", "error", {"recommended": "error", "other": "error", "strict": "error"}),
        (
            *("two-languages", "SGP900", "python", "warning"),
            {"recommended": "warning", "house": "error", "other": "warning", "strict": "error"},
        ),
    ]  # fmt: skip


def test_presets_that_say_nothing_new_are_not_repeated() -> None:
    assert [(rule.name, rule.language, dict(rule.said)) for rule in Pages(CATALOGUE).listed()] == [
        ("nowhere", "python", {}),
        ("old-api", "csharp", {"recommended": "error", "strict": "note"}),
        ("old-api", "python", {"recommended": "warning", "strict": "note"}),
        ("policy", "gdscript", {"house": "note"}),
        ("two-languages", "csharp", {"recommended": "error", "house": "off"}),
        ("two-languages", "python", {"recommended": "warning", "strict": "error"}),
    ]


def test_a_summary_of_rows_names_the_first_api() -> None:
    summaries = {(rule.name, rule.language): rule.summary for rule in Pages(CATALOGUE).listed()}
    assert summaries["old-api", "python"] == "A use of `b.c` and 1 more."
    assert summaries["old-api", "csharp"] == "A use of `A.B`."
    assert summaries["policy", "gdscript"] == "A flaw."


def test_rows_have_a_page_under_their_name() -> None:
    pages = Pages(CATALOGUE)
    assert pages.names() == ("nowhere", "old-api", "policy", "two-languages")
    text = pages.page("old-api")
    assert text.startswith(
        "# old-api\n\nC#. On in `recommended` (error), `strict` (note), and in presets that build on them."
    )
    assert "- `a.b.c`: any use in test code\n- `a.d`: any use in test code\n" in text


def test_a_page_has_a_section_for_each_language() -> None:
    # Both entries name the module of a real rule: it is the entries that decide where the rule is on.
    text = Pages(CATALOGUE).page("two-languages")
    assert text.count("A region of a file that could not be read") == 2


def test_the_index_names_every_rule() -> None:
    text = Pages(CATALOGUE).index()
    assert all(f"[{name}]({name}.md)" in text for name in Pages(CATALOGUE).names())


def test_what_reports_say_of_a_rule_is_that_of_all_its_languages() -> None:
    (text,) = Pages(CATALOGUE).texts(["two-languages", "no-such-rule"])
    assert text[:6] == ("two-languages", ("SGC900", "SGP900"), ("csharp", "python"), (), "error", "high")
    assert text.summary == "A flaw."
    assert text.meaning.startswith("Reports each region")
    assert text.page == Pages(CATALOGUE).page("two-languages")


def test_reports_can_show_the_project_s_own_rows(tmp_path: Path) -> None:
    row = '[[forbid]]\nname = "seed"\napi = "a.seed"\nlanguage = "python"\nwhy = "it is global"\n'
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "suiteguard.toml").write_text(row)
    place = Place("tests/test_a.py", 1, 1, 1, 2)
    result = RunResult(
        (Finding("seed", place, "m"), Finding("unlisted", place, "m")), 1, (),
        excused=(Excused(Finding("async-void", place, "m"), "baseline", ""),),
    )  # fmt: skip
    rules = with_rules(result, str(tmp_path), CommandLine()).rules
    assert [(rule.name, rule.codes, rule.meaning) for rule in rules] == [
        ("async-void", ("SGC004",), rules[0].meaning),
        ("seed", (), "Reports uses of these APIs:\n\n- `a.seed`: any use in test code"),
    ]
    assert "It is global." in rules[1].page
