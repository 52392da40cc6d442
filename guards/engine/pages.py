"""Rules as pages and lists: what ``suiteguard explain`` and ``suiteguard rules`` print and the site shows."""

import re
from collections.abc import Iterable, Iterator, Sequence

from guards.config.catalogue import NOTE, OFF, SEVERITIES, Catalogue, Forbid
from guards.config.load import Config, ConfigSet
from guards.config.model import CommandLine
from guards.engine.loader import catalogue, rule_class
from guards.findings.result import RuleText, RunResult
from guards.rule.forbidden import short_name
from guards.rule.page import ListedRule, On, index, page, rows_page

_MEANING = re.compile(r"^##+ What it does\n\n(.*?)(?=\n\n##+ )", re.MULTILINE | re.DOTALL)


def with_rules(result: RunResult, root: str, command_line: CommandLine) -> RunResult:
    """The result with the texts of all rules in it, those of the project's own rows too.

    Raises:
        ConfigError: the configuration is not any more what it was when the project was checked.
    """
    findings = (*result.findings, *(excused.finding for excused in result.excused))
    known, configs = catalogue(), ConfigSet.load(root, catalogue(), command_line)
    rules = {entry.name for entry in known.entries}
    own = sorted({finding.place.path for finding in findings if finding.rule not in rules})
    pages = Pages(known, [row for path in own for row in configs.settings_for(path).forbid])
    return result._replace(rules=tuple(pages.texts(sorted({finding.rule for finding in findings}))))


class Pages:
    """The pages of all rules, those that consist of rows of presets among them.

    Args:
        catalogue: the rules and presets.
        rows: the project's own rows, whose rules have pages, too.

    Raises:
        ConfigError: a preset is wrong.
    """

    def __init__(self, catalogue: Catalogue, rows: Sequence[Forbid] = ()) -> None:
        self._catalogue = catalogue
        self._settings = {
            preset: Config(catalogue, CommandLine(presets=(preset,)), None).settings_for("")
            for preset in sorted(catalogue.presets, key=lambda name: (bool(self._bases(name)), name))
        }
        # Presets differ in the severities of rows, and repeat those of the presets that they build on.
        distinct: dict[Forbid, Forbid] = {}
        for row in (*(row for settings in self._settings.values() for row in settings.forbid), *rows):
            distinct.setdefault(row._replace(severity=""), row)
        self._rows = tuple(distinct.values())

    def names(self) -> tuple[str, ...]:
        """Every name that has a page, sorted."""
        return tuple(sorted({*self._catalogue.names(), *(row.name for row in self._rows)}))

    def page(self, name: str) -> str:
        """The page of one of the names."""
        entries = sorted(self._catalogue.entries_for(name), key=lambda entry: entry.language)
        if entries:
            on = {entry.language: self._said(name, entry.language) for entry in entries}
            return page([rule_class(entry) for entry in entries], on)
        rows = [row for row in self._rows if row.name == name]
        return rows_page(rows, {row.language: self._said(name, row.language) for row in rows})

    def index(self) -> str:
        """The page that lists all rules."""
        return index(self.listed())

    def listed(self) -> tuple[ListedRule, ...]:
        """All rules, sorted by name and language."""
        rules = (*self._entries(), *self._row_rules())
        return tuple(sorted(rules, key=lambda rule: (rule.name, rule.language)))

    def texts(self, names: Iterable[str]) -> Iterator[RuleText]:
        """What reports show of rules; nothing for a name that has no page."""
        listed: dict[str, list[ListedRule]] = {}
        for rule in self.listed():
            listed.setdefault(rule.name, []).append(rule)
        for name in names:
            rules, entries = listed.get(name, []), self._catalogue.entries_for(name)
            if rules:
                page = self.page(name)
                meaning = _MEANING.search(page)
                yield RuleText(
                    name,
                    tuple(rule.code for rule in rules if rule.code),
                    tuple(rule.language for rule in rules),
                    tuple(sorted({alias for entry in entries for alias in entry.aliases})),
                    min((rule.severity or NOTE for rule in rules), key=SEVERITIES.index),
                    min((entry.confidence for entry in entries), default=""),
                    rules[0].summary,
                    meaning[1] if meaning else "",
                    page,
                )

    def _entries(self) -> Iterator[ListedRule]:
        for entry in self._catalogue.entries:
            on, said = self._on(entry.name, entry.language), self._said(entry.name, entry.language)
            yield ListedRule(entry.name, entry.code, entry.language, entry.severity, entry.summary, on, said)

    def _row_rules(self) -> Iterator[ListedRule]:
        for name, language in dict.fromkeys((row.name, row.language) for row in self._rows):
            rows = [row for row in self._rows if (row.name, row.language) == (name, language)]
            more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
            summary = f"A use of `{short_name(rows[0].api)}`{more}."
            on, said = self._on(name, language), self._said(name, language)
            yield ListedRule(name, "", language, rows[0].severity, summary, on, said)

    def _on(self, name: str, language: str) -> On:
        """The presets that turn a rule on."""
        settings = {preset: settings.rules.get((name, language)) for preset, settings in self._settings.items()}
        return {preset: setting.severity for preset, setting in settings.items() if setting}

    def _said(self, name: str, language: str) -> On:
        """The presets that say of a rule what those they build on do not say."""
        on = self._on(name, language)
        severities = {preset: on.get(preset, OFF) for preset in self._settings}
        return {
            preset: severity
            for preset, severity in severities.items()
            if severity not in ({severities[base] for base in self._bases(preset)} or {OFF})
        }

    def _bases(self, preset: str) -> tuple[str, ...]:
        """The presets that a preset names as those it builds on."""
        bases = self._catalogue.presets[preset].get("presets", ())
        return tuple(map(str, bases)) if isinstance(bases, list | tuple) else ()
