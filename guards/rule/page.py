"""A rule's page in Markdown: made of its docstring, its options and its examples, never written by hand."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from guards.config.catalogue import OFF, SEVERITIES, Forbid, Option, OptionValue
from guards.languages.base import LanguageFile
from guards.rule import Example, Rule
from guards.rule.forbidden import ForbiddenApi

HEADINGS = ("What it does", "Why is this bad?", "Use instead", "Fix", "Known limits")
_FIX = "Fix"  # the heading that stands where an example is fixed, and only there
LANGUAGE_NAMES = {
    "any": "every language",
    "csharp": "C#",
    "gdscript": "GDScript",
    "project": "project files",
    "python": "Python",
}

_FENCES = {
    "asmdef": "json", "asset": "yaml", "cfg": "ini", "cs": "csharp", "csproj": "xml", "gd": "gdscript", "godot": "ini",
    "ini": "ini", "json": "json", "props": "xml", "py": "python", "targets": "xml", "toml": "toml",
}  # fmt: skip
_FLAW = re.compile(r"(?://|#) FLAW[ \t]*$", re.MULTILINE)
_CODE_LETTERS = {"any": "X", "csharp": "C", "gdscript": "G", "project": "X", "python": "P"}
_USES = {"any": "any use", "call": "calls", "read": "reads", "write": "writes"}
_WHERE = {
    "any": "everywhere",
    "lifecycle": "in set-up and tear-down",
    "reached-from-lifecycle": "where set-up or tear-down reaches it",
    "reached-from-test": "where a test reaches it",
    "test": "in test code",
}

AnyRule: TypeAlias = type[Rule[LanguageFile[object]]]
# By preset, the severity that it gives a rule.
On: TypeAlias = Mapping[str, str]


class ListedRule(NamedTuple):
    """What lists say of one rule in one language.

    ``code`` is empty for rules that are rows of presets. ``presets`` are all that turn it on, with
    its severity; ``said`` those of them that do not merely say what the presets they build on say.
    """

    name: str
    code: str
    language: str
    severity: str
    summary: str
    presets: On
    said: On


class Sections(NamedTuple):
    """A rule's docstring, taken apart: its first line, and each heading with the text below it."""

    summary: str
    texts: tuple[tuple[str, str], ...]

    def text(self, heading: str) -> str:
        """The text below a heading; empty where there is none."""
        return dict(self.texts).get(heading, "")


def sections(rule: AnyRule) -> Sections:
    """The parts of the docstring of a rule's module."""
    summary, *lines = (sys.modules[rule.__module__].__doc__ or "").strip().split("\n")
    parts: list[tuple[str, list[str]]] = [("", [])]
    fenced = False
    for line in lines:
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("## ") and not fenced:
            parts.append((line.removeprefix("## ").strip(), []))
        else:
            parts[-1][1].append(line)
    texts = ((heading, "\n".join(body).strip()) for heading, body in parts)
    return Sections(summary, tuple((heading, text) for heading, text in texts if heading or text))


def page(rules: Sequence[AnyRule], on: Mapping[str, On]) -> str:
    """The page of one rule.

    Args:
        rules: the rule in each of its languages.
        on: by language, where the rule is on.
    """
    name = rules[0].name
    aliases = sorted({alias for rule in rules for alias in rule.aliases})
    blocks = [f"# {name}"]
    if aliases:
        blocks.append(f"Formerly called {_listed(aliases)}.")
    for rule in rules:
        if len(rules) > 1:
            blocks.append(f"## In {LANGUAGE_NAMES[rule.language]}")
        blocks.extend(_language(rule, on.get(rule.language, {}), "###" if len(rules) > 1 else "##"))
    return _joined((*blocks, *_allow(name, [rule.language for rule in rules])))


def rows_page(rows: Sequence[Forbid], on: Mapping[str, On]) -> str:
    """The page of a rule that consists of rows of presets or of the user; all have one name."""
    name = rows[0].name
    blocks = [f"# {name}"]
    for language in sorted({row.language for row in rows}):
        own = [row for row in rows if row.language == language]
        by_project = f"Forbidden by the project's configuration; severity {own[0].severity}."
        said = on.get(language, {})
        blocks.append(f"{LANGUAGE_NAMES[language]}. {_on(said, '') if said else by_project}")
        blocks.extend(("## What it does", f"Reports uses of these APIs:\n\n{_apis(own)}"))
        for heading, texts in (
            ("Why is this bad?", [row.why for row in own]),
            ("Use instead", [row.instead for row in own]),
        ):
            sentences = [_sentence(text) for text in dict.fromkeys(texts) if text.strip()]
            blocks.extend([f"## {heading}", *sentences] if sentences else [])
    return _joined((*blocks, *_allow(name, ())))


def index(rules: Sequence[ListedRule]) -> str:
    """The page that lists all rules, a table for each language."""
    blocks = ["# Rules"]
    for language, language_name in LANGUAGE_NAMES.items():
        own = [rule for rule in rules if rule.language == language]
        if own:
            lines = ["| Rule | Code | On in | What it finds |", "| --- | --- | --- | --- |"]
            lines += [
                _cells(f"[{rule.name}]({rule.name}.md)", rule.code, _listed_on(rule.said) or "no preset", rule.summary)
                for rule in own
            ]
            blocks.extend((f"## {_capitalised(language_name)}", "\n".join(lines)))
    return _joined(blocks)


def page_problems(rule: AnyRule) -> list[str]:
    """What is missing from or wrong with a rule's page; nothing for a good one."""
    return [*_text_problems(rule), *_word_problems(rule), *_example_problems(rule)]


def toml(value: OptionValue) -> str:
    """An option's value as it stands in a configuration file."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, Mapping):
        return (
            f"{{ {', '.join(f'{json.dumps(name)} = {toml(item)}' for name, item in value.items())} }}"
            if value
            else "{}"
        )
    return json.dumps(value, ensure_ascii=False)


def _language(rule: AnyRule, on: On, level: str) -> Iterator[str]:
    found = sections(rule)
    yield found.summary
    yield (
        f"{_capitalised(LANGUAGE_NAMES[rule.language])}; code `{rule.code}`; {rule.confidence} confidence. "
        f"{_on(on, rule.severity)}"
    )
    for heading in HEADINGS:
        if text := found.text(heading):
            yield f"{level} {heading}"
            yield text
    if issubclass(rule, ForbiddenApi) and rule.rows:
        yield f"{level} APIs"
        yield _apis(rule.rows)
    if rule.options:
        yield f"{level} Options"
        yield _options(rule.options)
    for heading, examples in (("Reported", rule.bad), ("Not reported", rule.good)):
        if examples:
            yield f"{level} {heading}"
        if any(map(_has_marks, examples)):
            yield "The lines that end with `FLAW` are reported."
        for example in examples:
            yield from _example(example, rule.language)


def _on(on: On, severity: str) -> str:
    said = {preset: given for preset, given in on.items() if given != OFF}
    if not said:
        return f"Off in all presets; severity {severity} where it is selected."
    off = [preset for preset, given in on.items() if given == OFF]
    but = f", but off in {_listed(off)}" if off else ""
    return f"On in {_listed_on(said)}, and in presets that build on {'it' if len(said) == 1 else 'them'}{but}."


def _listed_on(on: On) -> str:
    return ", ".join(f"`{preset}` ({severity})" for preset, severity in on.items())


def _apis(rows: Iterable[Forbid]) -> str:
    return "\n".join(f"- `{row.api}`: {_USES[row.use]} {_WHERE[row.where]}{_limits(row)}" for row in rows)


def _limits(row: Forbid) -> str:
    unit = f", in `{row.unit}`" if row.unit else ""
    arguments = "".join(f", where argument `{name}` is `{glob}`" for name, glob in row.arguments)
    return unit + arguments + (f", except in {_listed(row.allow_paths)}" if row.allow_paths else "")


def _options(options: Mapping[str, Option]) -> str:
    lines = ["| Option | Default | Meaning |", "| --- | --- | --- |"]
    for name, option in sorted(options.items()):
        how_many = "Any" if isinstance(option.default, tuple) else "One"
        choices = f" {how_many} of {_listed(option.choices)}." if option.choices else ""
        lines.append(_cells(f"`{name}`", f"`{toml(option.default)}`", f"{option.doc}{choices}"))
    return "\n".join(lines)


def _cells(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _example(example: Example, language: str) -> Iterator[str]:
    notes = [f"with `{name} = {toml(value)}`" for name, value in example.options]
    notes += [f"reported at `{path}:{line}`" for path, line in example.expect]
    more = f" ({'; '.join(notes)})" if notes else ""
    yield f"{_capitalised(example.why)}{more}:"
    for path, text in ((example.path, example.text), *example.files):
        if path:
            yield f"`{path}`" if text.strip() else f"`{path}` (empty)"
        if text.strip():
            yield _fenced(text, _fence(path, language))
    if example.fixed:
        yield "Fixed:"
        yield _fenced(example.fixed, _fence(example.path, language))


def _fence(path: str, language: str) -> str:
    return _FENCES.get(path.rpartition(".")[2], "") if path else language


def _fenced(text: str, language: str) -> str:
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _allow(name: str, languages: Iterable[str]) -> Iterator[str]:
    yield "## Allow it at one place"
    yield "In a comment at the end of the line, or alone above it, with the reason:"
    yield f"```\nsuiteguard: allow[{name}] why this is right here\n```"
    if "project" in languages:
        yield "Files that cannot hold comments are excepted by `[[overrides]]` in the configuration."


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    """What somebody wrote for one line of a report, as a paragraph."""
    return _capitalised(" ".join(text.split())).removesuffix(".") + "."


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _text_problems(rule: AnyRule) -> Iterator[str]:
    found = sections(rule)
    if not found.summary.endswith("."):
        yield "the first line of the module's docstring is no sentence that ends with a full stop"
    if found.text(""):
        yield "text stands between the first line of the docstring and the first heading"
    headings = [heading for heading, _ in found.texts if heading]
    fixed = any(example.fixed for example in rule.bad)
    needed = [heading for heading in HEADINGS if fixed or heading != _FIX]
    yield from (f"there is no section `{heading}`" for heading in needed if heading not in headings)
    if _FIX in headings and not fixed:
        yield f"there is a section `{_FIX}`, but no example is fixed"
    yield from (f"there is a section `{heading}`" for heading in headings if heading not in HEADINGS)
    yield from (f"the section `{heading}` is empty" for heading, text in found.texts if not text)
    known = [heading for heading in headings if heading in HEADINGS]
    if known != sorted(set(known), key=HEADINGS.index):
        yield "the sections are not in order, or one stands twice"


def _word_problems(rule: AnyRule) -> Iterator[str]:
    if not re.fullmatch(r"(?!no-)[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.name):
        yield f"`{rule.name}` is no kebab-case name of a flaw"
    if not re.fullmatch(rf"SG{_CODE_LETTERS[rule.language]}\d{{3}}", rule.code):
        yield f"`{rule.code}` is no code of the language"
    if rule.severity not in SEVERITIES or rule.confidence not in {"high", "medium"}:
        yield f"there is no severity `{rule.severity}` or no confidence `{rule.confidence}`"
    rows = rule.rows if issubclass(rule, ForbiddenApi) else ()
    for word in ("why", "instead"):
        if not getattr(rule, word) and not (rows and all(getattr(row, word) for row in rows)):
            yield f"`{word}` is empty"
    yield from (f"the option `{name}` has no sentence" for name, o in rule.options.items() if not o.doc.endswith("."))


def _example_problems(rule: AnyRule) -> Iterator[str]:
    if not rule.bad:
        yield "there is no bad example"
    if len(rule.good) <= len(rule.bad):
        yield f"near-misses must outnumber hits, but there are {len(rule.good)} for {len(rule.bad)}"
    yield from (f"bad example {n} marks no line" for n, example in enumerate(rule.bad, 1) if not _marks(example))
    yield from (f"good example {n} marks a line" for n, example in enumerate(rule.good, 1) if _marks(example))
    yield from (f"an example says not why: {e.text!r}" for e in (*rule.bad, *rule.good) if not e.why)


def _marks(example: Example) -> bool:
    """Whether an example says that something in it is reported."""
    return bool(example.expect) or _has_marks(example)


def _has_marks(example: Example) -> bool:
    return any(_FLAW.search(text) for text in (example.text, *(text for _, text in example.files)))
