"""A rule's page: rendered from its docstring, its options and its examples; never written by hand."""

import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from guards.config.catalogue import Option, OptionValue
from guards.rule import Example, Rule

HEADINGS = ("What it does", "Why is this bad?", "Use instead", "Known limits")
LANGUAGE_NAMES = {
    "any": "every language",
    "csharp": "C#",
    "gdscript": "GDScript",
    "project": "project files",
    "python": "Python",
}
_FENCES = {
    "cs": "csharp",
    "gd": "gdscript",
    "py": "python",
    "asmdef": "json",
    "json": "json",
    "toml": "toml",
    "props": "xml",
    "csproj": "xml",
}
_USUAL_FENCES = {"csharp": "csharp", "gdscript": "gdscript", "python": "python"}

AnyRule = type[Rule[object]]


class Sections(NamedTuple):
    """A rule's docstring, taken apart: its first line, and the text below each heading."""

    summary: str
    text: Mapping[str, str]


def sections(rule: AnyRule) -> Sections:
    """The parts of the docstring of a rule's module."""
    summary, _, rest = inspect.cleandoc(sys.modules[rule.__module__].__doc__ or "").partition("\n")
    text: dict[str, str] = {}
    for part in rest.split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        text[heading.strip()] = body.strip()
    return Sections(summary, text)


def page(rules: Sequence[AnyRule], presets: Mapping[str, str]) -> str:
    """The Markdown page of one rule name.

    Args:
        rules: the rule in each of its languages.
        presets: the severity in each preset that enables it.
    """
    first = rules[0]
    lines = [f"# {first.name}", ""]
    if presets:
        on = ", ".join(f"`{name}` ({severity})" for name, severity in presets.items())
        lines += [f"On in the presets {on}.", ""]
    else:
        lines += ["Off unless it is selected.", ""]
    for rule in rules:
        if len(rules) > 1:
            lines += [f"## In {LANGUAGE_NAMES[rule.language]}", ""]
        lines += _language(rule, "###" if len(rules) > 1 else "##")
    lines += [
        "To allow it at one place, with a reason:",
        "",
        "```",
        f"suiteguard: allow[{first.name}] why this is right here",
        "```",
    ]
    return "\n".join(lines) + "\n"


def _language(rule: AnyRule, level: str) -> Iterator[str]:
    found = sections(rule)
    yield f"`{rule.code}` · {LANGUAGE_NAMES[rule.language]} · {rule.severity} · {rule.confidence} confidence"
    yield ""
    yield found.summary
    yield ""
    for heading in HEADINGS:
        yield f"{level} {heading}"
        yield ""
        yield found.text.get(heading, "")
        yield ""
        if heading == "Use instead" and rule.options:
            yield from _options(rule.options, level)
    yield from _examples(rule, level)


def _options(options: Mapping[str, Option], level: str) -> Iterator[str]:
    yield f"{level} Options"
    yield ""
    yield "| option | default | meaning |"
    yield "| --- | --- | --- |"
    for name, option in sorted(options.items()):
        doc = option.doc
        if option.choices:
            doc += f" One of {', '.join(f'`{choice}`' for choice in option.choices)}."
        yield f"| `{name}` | `{toml(option.default)}` | {doc} |".replace("\n", " ")
    yield ""


def _examples(rule: AnyRule, level: str) -> Iterator[str]:
    for heading, examples in (("Examples", rule.bad), ("Not reported", rule.good)):
        yield f"{level} {heading}"
        yield ""
        for example in examples:
            yield f"{example.why[:1].upper()}{example.why[1:]}:"
            yield ""
            if example.options:
                yield f"(with {', '.join(f'`{name} = {toml(value)}`' for name, value in example.options)})"
                yield ""
            yield from _code(example, rule.language)


def _code(example: Example, language: str) -> Iterator[str]:
    for path, text in ((example.path, example.text), *example.files):
        fence = (
            _FENCES.get(path.rpartition(".")[2], "") or _USUAL_FENCES.get(language, "")
            if path
            else _USUAL_FENCES.get(language, "")
        )
        if path:
            yield f"`{path}`"
            yield ""
        if not text.strip():
            yield "(empty)"
            yield ""
            continue
        ticks = "````" if "```" in text else "```"
        yield ticks + fence
        yield text.rstrip("\n")
        yield ticks
        yield ""


def toml(value: OptionValue) -> str:
    """An option's value as it would stand in a configuration file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {toml(item)}" for name, item in value.items()) + "}"
    return str(value)


def page_problems(rule: AnyRule) -> list[str]:
    """What is missing from a rule's page; nothing for a whole one."""
    found = sections(rule)
    problems = [f"no section `{heading}`" for heading in HEADINGS if not found.text.get(heading)]
    problems += [f"an unknown section `{heading}`" for heading in found.text if heading not in HEADINGS]
    if not found.summary.endswith("."):
        problems.append("the first line of the docstring is no sentence")
    if not rule.bad:
        problems.append("no bad example")
    if len(rule.good) < max(2, len(rule.bad)):
        problems.append("fewer near-misses than bad examples")
    problems += [f"no `{name}`" for name in ("why", "instead") if not getattr(rule, name)]
    problems += [
        f"an example without a why: {example.text!r}" for example in (*rule.bad, *rule.good) if not example.why
    ]
    return problems
