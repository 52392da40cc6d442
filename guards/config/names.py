"""The names by which configuration speaks of rules."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from guards.config.catalogue import ERROR, Catalogue, Forbid, Option
from guards.config.layer import RuleId


class KnownRule(NamedTuple):
    """What configuration needs to know of a rule in one language."""

    name: str
    language: str
    code: str
    severity: str
    options: Mapping[str, Option]


class Names:
    """All rules that there are, built in or made of rows, and what they can be called."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.rules: dict[RuleId, KnownRule] = {}
        self.aliases: dict[str, str] = {}
        self._by_name: dict[str, tuple[RuleId, ...]] = {}
        self._by_code: dict[str, RuleId] = {}
        for entry in catalogue.entries:
            rule = KnownRule(entry.name, entry.language, entry.code, entry.severity, dict(entry.options))
            self._by_code[entry.code] = self._add(rule)
            self.aliases.update(dict.fromkeys(entry.aliases, entry.name))

    def add_rows(self, rows: Iterable[Forbid]) -> None:
        """Makes the names of rows known, too."""
        for row in rows:
            if (row.name, row.language) not in self.rules:
                self._add(KnownRule(row.name, row.language, "", row.severity or ERROR, {}))

    def _add(self, rule: KnownRule) -> RuleId:
        key = (rule.name, rule.language)
        self.rules[key] = rule
        self._by_name[rule.name] = (*self._by_name.get(rule.name, ()), key)
        return key

    def known(self) -> frozenset[str]:
        """Every name that a suppression may say."""
        return frozenset(self._by_name) | frozenset(self.aliases)

    def named(self, name: str) -> tuple[RuleId, ...]:
        """The rule of a name or alias, one entry a language; nothing where there is none."""
        return self._by_name.get(self.aliases.get(name, name), ())

    def name_of_code(self, code: str) -> str:
        """The name behind a code, or nothing."""
        return self._by_code[code][0] if code in self._by_code else ""

    def selected(self, word: str) -> tuple[RuleId, ...]:
        """The rules that a name, an alias, a code or a glob over names or codes means."""
        if word in self._by_code:
            return (self._by_code[word],)
        if not any(character in word for character in "*?["):
            return self.named(word)
        from fnmatch import fnmatchcase

        return tuple(
            key for key, rule in self.rules.items() if fnmatchcase(rule.name, word) or fnmatchcase(rule.code, word)
        )

    def words(self) -> list[str]:
        """All names, aliases and codes, to find the nearest to a wrong one."""
        return sorted((*self._by_name, *self.aliases, *self._by_code))
