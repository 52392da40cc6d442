"""The page of a contract, made of the contract itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.evidence.condition import INCOMPLETE, REJECT, SUMMARY, WARNING, Change, Condition, Contract

if TYPE_CHECKING:
    from guards.evidence.model import Evidence

_CLASSES = {
    REJECT: "rejects",
    INCOMPLETE: "incomplete",
    SUMMARY: "rejects what would be accepted",
    WARNING: "warns",
}
# A condition with more than these stands for another contract as a whole, which its title names.
_MOST_REASONS = 40


def page(contract: "Contract[Evidence]", example: str, preset: str = "") -> str:
    """The page in Markdown.

    Args:
        contract: what the page is about.
        example: the path of the accepted example in the repository.
        preset: the preset that it is accepted with, where it needs one.
    """
    return "\n".join(_page(contract, example, preset)) + "\n"


def _page(contract: "Contract[Evidence]", example: str, preset: str) -> Iterator[str]:
    yield from (f"# {contract.title}", "", contract.text, "")
    how = f", to be judged with `--preset {preset}`" if preset else ""
    yield f"The contract is called `{contract.name}`. An accepted example stands in `{example}`{how}."
    yield from ("", "| Condition | What holds |", "| --- | --- |")
    for condition in contract.conditions:
        page = f"{condition.page}.md" if condition.page else ""
        yield f"| [{condition.code}]({page}#{_anchor(condition)}) | {_cell(condition.title)} |"
    if contract.unprovable:
        yield from ("", "## What it can never prove", "")
        yield from (f"- {text}" for text in contract.unprovable)
    for condition in contract.conditions:
        if not condition.page:
            yield from _condition(contract, condition)


def _anchor(condition: "Condition[Evidence]") -> str:
    return f"{condition.code}-{condition.name}".lower()


def _condition(contract: "Contract[Evidence]", condition: "Condition[Evidence]") -> Iterator[str]:
    yield from ("", f"## {condition.code} {condition.name}", "", condition.title)
    if condition.text:
        yield from ("", "\n".join(line.strip() for line in condition.text.splitlines()))
    yield from ("", f"Next: {condition.next_step}.", "")
    if len(condition.reasons) > _MOST_REASONS:
        yield "Its reasons are those of that contract, each with its class there."
    elif condition.reasons:
        yield from ("| Reason | Class |", "| --- | --- |")
        for code, class_ in condition.reasons.items():
            yield f"| `{code}` | {_class(contract, code, class_)} |"
    yield from (line for change in condition.broken for line in _change(change))


def _class(contract: "Contract[Evidence]", code: str, class_: str) -> str:
    if class_ == WARNING and code in contract.strict:
        return _CLASSES[REJECT]
    promoted = class_ == WARNING and code in contract.release
    return f"{_CLASSES[class_]}{'; rejects in the profile `release`' if promoted else ''}"


def _change(change: Change) -> Iterator[str]:
    name = change.file.removeprefix("*/").removeprefix("runs/*/")
    yield ""
    if not change.old:
        yield f"Broken where `{name}` is deleted: {change.why}."
        return
    yield f"Broken where in `{name}`"
    yield from ("", "```", *_shown(change.old), "```", "", "becomes", "", "```", *_shown(change.new), "```")
    yield from ("", f"which would mean: {change.why}.")


def _shown(text: str) -> list[str]:
    """A text as it can stand in a block; what nobody sees is escaped, nothing at all is said to be that."""
    visible = "".join(char if char.isprintable() or char == "\n" else f"\\u{ord(char):04x}" for char in text)
    return visible.strip("\n").split("\n") if visible.strip("\n") else ["(nothing)"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
