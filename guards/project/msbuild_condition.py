"""Properties and conditions of MSBuild files, as far as they can be told without MSBuild."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

Properties: TypeAlias = Mapping[str, str | None]
Truth: TypeAlias = bool | None

# Doubling a property fifty times would fill the memory.
_LONGEST_VALUE = 20_000
_LONGEST_CONDITION = 2_000
_DEEPEST_CONDITION = 40
_PROPERTY = re.compile(r"\$\(\s*([A-Za-z_][\w-]*)\s*\)")
_METHOD = re.compile(
    r"\$\(\s*([A-Za-z_][\w-]*)\s*\.\s*(StartsWith|EndsWith|Contains|ToLower|ToLowerInvariant|ToUpper|ToUpperInvariant|Trim)"
    r"\(\s*(?:(['\"`])([^'\"`]*)\3\s*(?:,[^()]*)?)?\)\s*\)"
)
# Set by whoever builds, or by an SDK in ways that only an SDK knows.
_SET_ELSEWHERE = re.compile(
    r"(?i)msbuild|configuration|platform|targetframework|runtimeidentifier|os\Z|vs|visualstudio|nugetpackage"
)
_TOKEN = re.compile(r"\s*(==|!=|<=|>=|<|>|!|\(|\)|,)")
_WORD_END = re.compile(r"[\s=!<>(),']")


def expand(text: str, properties: Properties) -> str | None:
    """The text with its properties replaced; None where one of them cannot be told."""
    if "$(" not in text:
        return text
    known = True

    def value_of(match: re.Match[str]) -> str:
        nonlocal known
        value = _value(match[1], properties)
        known = known and value is not None
        return value or ""

    def call(match: re.Match[str]) -> str:
        nonlocal known
        value = _value(match[1], properties)
        known = known and value is not None
        return _called(value or "", match[2], match[4] or "")

    expanded = _METHOD.sub(call, _PROPERTY.sub(value_of, text))
    return expanded if known and "$(" not in expanded and len(expanded) <= _LONGEST_VALUE else None


def holds(condition: str, properties: Properties, exists: Callable[[str], Truth]) -> Truth:
    """Whether a condition is true; None where that cannot be told."""
    if len(condition) > _LONGEST_CONDITION or condition.count("(") + condition.count("!") > _DEEPEST_CONDITION:
        return None
    try:
        parser = _Parser(_tokens(condition), properties, exists)
        truth = parser.alternatives()
    except _NotUnderstood:
        return None
    return truth if parser.at_end() else None


def _value(name: str, properties: Properties) -> str | None:
    name = name.lower()
    if name in properties:
        return properties[name]
    return None if _SET_ELSEWHERE.match(name) else ""


def _called(value: str, method: str, argument: str) -> str:
    if method in {"StartsWith", "EndsWith", "Contains"}:
        answer = {
            "StartsWith": value.startswith(argument),
            "EndsWith": value.endswith(argument),
            "Contains": argument in value,
        }[method]
        return str(answer)
    return value.strip() if method == "Trim" else value.lower() if "Lower" in method else value.upper()


class _NotUnderstood(Exception):
    pass


@lru_cache(maxsize=512)
def _tokens(condition: str) -> tuple[str, ...]:
    return tuple(_tokenised(condition))


def _tokenised(condition: str) -> Iterator[str]:
    """Operators and parentheses; operands, those in quotes with the opening one."""
    at = 0
    while at < len(condition):
        if condition[at].isspace():
            at += 1
        elif condition[at] == "'":
            end = _end_of_operand(condition, at + 1, re.compile("'"))
            yield "'" + condition[at + 1 : end]
            at = end + 1
        elif operator := _TOKEN.match(condition, at):
            yield operator[1]
            at = operator.end()
        else:
            end = _end_of_operand(condition, at, _WORD_END)
            yield condition[at:end]
            at = end


def _end_of_operand(text: str, start: int, stop: re.Pattern[str]) -> int:
    """Where an operand ends: quotes and spaces within ``$(…)`` belong to it."""
    at, depth = start, 0
    while at < len(text) and (depth or not stop.match(text, at)):
        if text.startswith(("$(", "@(", "%("), at):
            depth += 1
            at += 1
        elif depth and text[at] in "()":
            depth += 1 if text[at] == "(" else -1
        at += 1
    return at


class _Parser:
    """Reads ``or`` of ``and`` of comparisons; the tokens are few and shallow."""

    def __init__(self, tokens: tuple[str, ...], properties: Properties, exists: Callable[[str], Truth]) -> None:
        self._tokens = tokens
        self._at = 0
        self._properties = properties
        self._exists = exists

    def at_end(self) -> bool:
        return self._at == len(self._tokens)

    def alternatives(self) -> Truth:
        truths = [self._all_of()]
        while self._take("or"):
            truths.append(self._all_of())
        return True if True in truths else None if None in truths else False

    def _all_of(self) -> Truth:
        truths = [self._one()]
        while self._take("and"):
            truths.append(self._one())
        return False if False in truths else None if None in truths else True

    def _one(self) -> Truth:
        if self._take("!"):
            truth = self._one()
            return None if truth is None else not truth
        if self._take("("):
            truth = self.alternatives()
            self._expect(")")
            return truth
        word = self._next()
        if self._take("("):
            argument = self._operand(self._next())
            self._expect(")")
            return self._exists(argument) if word.lower() == "exists" and argument is not None else None
        return self._comparison(word)

    def _comparison(self, word: str) -> Truth:
        left = self._operand(word)
        for operator in ("==", "!="):
            if self._take(operator):
                right = self._operand(self._next())
                if left is None or right is None:
                    return None
                return (left.lower() == right.lower()) == (operator == "==")
        if any(self._take(operator) for operator in ("<", ">", "<=", ">=")):
            self._next()
            return None
        return {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}.get(
            (left or "").lower()
        )

    def _operand(self, token: str) -> str | None:
        text = token.removeprefix("'")
        return None if "@(" in text or "%(" in text else expand(text, self._properties)

    def _next(self) -> str:
        if self.at_end():
            raise _NotUnderstood
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, token: str) -> bool:
        if self.at_end() or self._tokens[self._at].lower() != token:
            return False
        self._at += 1
        return True

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise _NotUnderstood
