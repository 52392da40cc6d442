import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from guards.config.catalogue import Forbid
from guards.rule.page import AnyRule, ListedRule, index, page, page_problems, rows_page, sections, toml

Load = Callable[[str, str], AnyRule]

DOCSTRING = """\
A sleep in a test.

## What it does

Reports `sleep`:

```python
## no heading
```

## Why is this bad?

It is slow.

## Use instead

Wait for the thing itself.

## Known limits

None.
"""
BODY = """
class Sleep(Rule):
    name = "sleep"
    code = "SGP900"
    language = "python"
    severity = "warning"
    aliases = ("nap",)
    why = "it is slow"
    instead = "wait for the thing itself"
    options = {
        "modules": Option(("time",), "Modules that sleep."),
        "how": Option("a|b", "How to look.", choices=("a|b", "c")),
    }
    bad = (Example("sleep(1)  # FLAW\\n", "a call"),)
    good = (
        Example("`````\\n", "no code at all", path="tests/notes.toml", options=(("modules", ("os",)),)),
        Example("import b\\n", "`b` is empty", files=(("tests/b.py", ""), ("a.asmdef", "{}\\n"))),
    )
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Writes a rule module and imports its class."""
    monkeypatch.syspath_prepend(str(tmp_path))
    names: list[str] = []

    def write(docstring: str, body: str) -> AnyRule:
        names.append(f"sample_rule_{len(names)}")
        text = f'"""{docstring}"""\nfrom guards.rule import Example, Option, Rule\n{body}'
        (tmp_path / f"{names[-1]}.py").write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        loaded: AnyRule = importlib.import_module(names[-1]).Sleep
        return loaded

    yield write
    for name in names:
        del sys.modules[name]


def test_a_whole_page(load: Load) -> None:
    assert (
        page([load(DOCSTRING, BODY)], {"python": {"recommended": "warning", "strict": "error", "gut": "off"}})
        == """\
# sleep

Formerly called `nap`.

A sleep in a test.

Python; code `SGP900`; high confidence. On in `recommended` (warning), `strict` (error), and in presets that build on them, but off in `gut`.

## What it does

Reports `sleep`:

```python
## no heading
```

## Why is this bad?

It is slow.

## Use instead

Wait for the thing itself.

## Known limits

None.

## Options

| Option | Default | Meaning |
| --- | --- | --- |
| `how` | `"a\\|b"` | How to look. One of `a\\|b`, `c`. |
| `modules` | `["time"]` | Modules that sleep. |

## Reported

The lines that end with `FLAW` are reported.

A call:

```python
sleep(1)  # FLAW
```

## Not reported

No code at all (with `modules = ["os"]`):

`tests/notes.toml`

``````toml
`````
``````

`b` is empty:

```python
import b
```

`tests/b.py` (empty)

`a.asmdef`

```json
{}
```

## Allow it at one place

In a comment at the end of the line, or alone above it, with the reason:

```
suiteguard: allow[sleep] why this is right here
```
"""
    )


def test_a_rule_of_two_languages_has_a_section_for_each(load: Load) -> None:
    other = BODY.replace("python", "project").replace("SGP", "SGX")
    lines = page([load(DOCSTRING, BODY), load(DOCSTRING, other)], {"project": {"strict": "error"}}).split("\n")
    assert [line for line in lines if line.startswith("#") and "no heading" not in line] == [
        "# sleep",
        *("## In Python", "### What it does", "### Why is this bad?", "### Use instead", "### Known limits"),
        *("### Options", "### Reported", "### Not reported"),
        *("## In project files", "### What it does", "### Why is this bad?", "### Use instead", "### Known limits"),
        *("### Options", "### Reported", "### Not reported"),
        "## Allow it at one place",
    ]
    assert "Python; code `SGP900`; high confidence. Off in all presets; severity warning where it is selected." in lines
    assert (
        "Project files; code `SGX900`; high confidence. On in `strict` (error), and in presets that build on it."
        in lines
    )
    assert "Files that cannot hold comments are excepted by `[[overrides]]` in the configuration." in lines


def test_lines_that_are_named_rather_than_marked_are_named(load: Load) -> None:
    body = BODY.replace(
        'Example("sleep(1)  # FLAW\\n", "a call")', 'Example("{}", "x", path="a.json", expect=(("a.json", 1),))'
    )
    text = page([load(DOCSTRING, body)], {})
    assert "X (reported at `a.json:1`):\n\n`a.json`\n\n```json\n{}\n```\n" in text
    assert "`FLAW`" not in text


def test_the_docstring_is_taken_apart_at_its_headings(load: Load) -> None:
    found = sections(load(DOCSTRING, BODY))
    assert found.summary == "A sleep in a test."
    assert [heading for heading, _ in found.texts] == [
        "What it does",
        "Why is this bad?",
        "Use instead",
        "Known limits",
    ]
    assert found.text("Why is this bad?") == "It is slow."
    assert found.text("Nothing") == ""


def test_a_page_of_rows_says_what_is_forbidden_where() -> None:
    rows = (
        Forbid("wall-clock", "System.DateTime.UtcNow", "csharp", "read", instead="pass a time in", why="it is no\n input"),
        Forbid(
            "wall-clock", "System.DateTime.Parse", "csharp", "call", "reached-from-test", "EditMode", (("0", "now*"),),
            "pass a time in", "It differs.", ("a/**",), "error",
        ),
    )  # fmt: skip
    assert (
        rows_page(rows, {"csharp": {"recommended": "error"}})
        == """\
# wall-clock

C#. On in `recommended` (error), and in presets that build on it.

## What it does

Reports uses of these APIs:

- `System.DateTime.UtcNow`: reads in test code
- `System.DateTime.Parse`: calls where a test reaches it, in `EditMode`, where argument `0` is `now*`, except in `a/**`

## Why is this bad?

It is no input.

It differs.

## Use instead

Pass a time in.

## Allow it at one place

In a comment at the end of the line, or alone above it, with the reason:

```
suiteguard: allow[wall-clock] why this is right here
```
"""
    )


def test_a_page_of_the_projects_own_rows_says_so() -> None:
    rows = (Forbid("wall-clock", "time.time", "python", severity="note"),)
    text = rows_page(rows, {})
    assert "\n\nPython. Forbidden by the project's configuration; severity note.\n\n" in text
    assert "## Why" not in text
    assert "## Use instead" not in text


def test_the_index_has_a_table_for_each_language() -> None:
    rules = (
        ListedRule("a-rule", "SGX001", "any", "note", "An `a|b`.", {}, {}),
        ListedRule("b-rule", "SGC001", "csharp", "note", "A b.", {}, {"recommended": "note", "gut": "off"}),
    )
    assert (
        index(rules)
        == """\
# Rules

## Every language

| Rule | Code | On in | What it finds |
| --- | --- | --- | --- |
| [a-rule](a-rule.md) | SGX001 | no preset | An `a\\|b`. |

## C#

| Rule | Code | On in | What it finds |
| --- | --- | --- | --- |
| [b-rule](b-rule.md) | SGC001 | `recommended` (note), `gut` (off) | A b. |
"""
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (3, "3"),
        (0.5, "0.5"),
        ('a"\\', '"a\\"\\\\"'),
        ("名", '"名"'),
        ((), "[]"),
        (("a", "b"), '["a", "b"]'),
        ({}, "{}"),
        ({"a b": ("c",), "d": 1}, '{ "a b" = ["c"], "d" = 1 }'),
    ],
)
def test_values_are_written_as_in_the_configuration(value: object, written: str) -> None:
    assert toml(value) == written  # type: ignore[arg-type]  # each is an OptionValue


def test_a_good_page_has_no_problems(load: Load) -> None:
    assert page_problems(load(DOCSTRING, BODY)) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("A sleep in a test.", "A sleep in a test", "the first line of the module's docstring is no sentence that ends with a full stop"),
        ("A sleep in a test.", "A sleep in\na test.", "the first line of the module's docstring is no sentence that ends with a full stop"),
        ("A sleep in a test.", "A sleep.\n\nIt is long.", "text stands between the first line of the docstring and the first heading"),
        ("## Known limits", "## Limits", "there is no section `Known limits`"),
        ("## Known limits", "## Limits", "there is a section `Limits`"),
        ("\nNone.\n", "", "the section `Known limits` is empty"),
        ("## Why is this bad?", "## Use instead", "the sections are not in order, or one stands twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_docstring_is_named(load: Load, old: str, new: str, problem: str) -> None:
    assert problem in page_problems(load(DOCSTRING.replace(old, new), BODY))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"sleep"', '"no-sleep"', "`no-sleep` is no kebab-case name of a flaw"),
        ('"sleep"', '"Sleep"', "`Sleep` is no kebab-case name of a flaw"),
        ("SGP900", "SGC900", "`SGC900` is no code of the language"),
        ("SGP900", "SGP90", "`SGP90` is no code of the language"),
        ('"warning"', '"fatal"', "there is no severity `fatal` or no confidence `high`"),
        ('why = "it is slow"', 'why = ""', "`why` is empty"),
        ("instead = ", "other = ", "`instead` is empty"),
        ("Modules that sleep.", "modules", "the option `modules` has no sentence"),
        ('bad = (Example("sleep(1)  # FLAW\\n", "a call"),)', "", "there is no bad example"),
        ('Example("sleep(1)  # FLAW\\n", "a call"),', 'Example("sleep(1)  # FLAW\\n", "a call"),' * 2, "near-misses must outnumber hits, but there are 2 for 2"),
        ("  # FLAW", "", "bad example 1 marks no line"),
        ('"import b\\n"', '"import b  # FLAW\\n"', "good example 2 marks a line"),
        ('"a call"', '""', "an example says not why: 'sleep(1)  # FLAW\\n'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_class_is_named(load: Load, old: str, new: str, problem: str) -> None:
    assert old in BODY
    assert problem in page_problems(load(DOCSTRING, BODY.replace(old, new)))


def test_the_rows_of_a_rule_are_on_its_page_and_may_say_why(load: Load) -> None:
    rows = '    rows = (Forbid("sleep", "time.sleep", "python", why="slow", instead="wait"),)\n'
    head = "from guards.config.catalogue import Forbid\nfrom guards.rule.forbidden import ForbiddenApi\n"
    body = head + BODY.replace("(Rule)", "(ForbiddenApi)").replace("why =", "w =").replace("instead =", "i =") + rows
    rule = load(DOCSTRING, body)
    assert page_problems(rule) == []
    assert "## APIs\n\n- `time.sleep`: any use in test code\n" in page([rule], {})


def test_an_example_that_is_fixed_shows_how(load: Load) -> None:
    body = BODY.replace('"a call")', '"a call", fixed="wait()\\n")')
    text = page([load(DOCSTRING.replace("## Known limits", "## Fix\n\nWaits.\n\n## Known limits"), body)], {})
    assert "```python\nsleep(1)  # FLAW\n```\n\nFixed:\n\n```python\nwait()\n```\n" in text
    assert "## Fix\n\nWaits.\n" in text


def test_the_section_about_the_fix_stands_where_an_example_shows_one(load: Load) -> None:
    fixed = BODY.replace('"a call")', '"a call", fixed="wait()\\n")')
    docstring = DOCSTRING.replace("## Known limits", "## Fix\n\nWaits.\n\n## Known limits")
    about_fix = [p for p in page_problems(load(DOCSTRING, fixed)) if "Fix" in p]
    assert about_fix == ["there is no section `Fix`"]
    assert [p for p in page_problems(load(docstring, BODY)) if "Fix" in p] == [
        "there is a section `Fix`, but no example is fixed"
    ]
    assert not [p for p in page_problems(load(docstring, fixed)) if "Fix" in p]
