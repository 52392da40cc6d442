"""Which enabled rules can say anything about a file.

A rule whose option ``product`` is ``ignore`` says nothing about product code.
"""

from guards.config.catalogue import Catalogue, Forbid, RuleEntry
from guards.config.model import Settings
from guards.engine.task import RulePlan
from guards.project.model import ALL_CODE, MAYBE_TEST_CODE, PRODUCT, FileInfo

_REACHED = ("reached-from-test", "reached-from-lifecycle")
_ROWS_MODULE, _ROWS_CLASS = "guards.rule.forbidden", "ConfiguredRows"


class Planner:
    """Plans for files; files with the same settings, language and role share one."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._entries = catalogue.entries
        self._numbers: dict[tuple[str, str, str], int] = {}
        self.plans: list[tuple[RulePlan, ...]] = []
        self._lookup: dict[tuple[str, str], RuleEntry] = {
            (entry.name, entry.language): entry for entry in self._entries
        }
        self._related = {(entry.module, entry.class_name) for entry in self._entries if entry.related_places}
        self.codes = {(entry.name, entry.language): entry.code for entry in self._entries}

    def plan(self, info: FileInfo, settings: Settings) -> int:
        """The number of the file's plan in ``plans``."""
        key = (settings.key, info.language, info.role)
        if key not in self._numbers:
            self._numbers[key] = len(self.plans)
            self.plans.append((*self._module_rules(info, settings), *_configured_rows(info, settings)))
        return self._numbers[key]

    def _module_rules(self, info: FileInfo, settings: Settings) -> list[RulePlan]:
        return [
            _rule_plan(entry, settings)
            for entry in self._entries
            if (entry.name, entry.language) in settings.rules
            and entry.language in (info.language, "any")
            and info.role in entry.roles
            and not (
                info.role == PRODUCT and settings.rules[entry.name, entry.language].options.get("product") == "ignore"
            )
        ]

    def entry(self, name: str, language: str) -> RuleEntry:
        """The table's entry of a rule in one language."""
        return self._lookup[name, language]

    def reaches_other_files(self, rule: RulePlan) -> bool:
        """Whether a finding of a rule can have places in several files."""
        return (rule.module, rule.class_name) in self._related or any(row.where in _REACHED for row in rule.rows)


def _rule_plan(entry: RuleEntry, settings: Settings) -> RulePlan:
    options = settings.rules[entry.name, entry.language].options
    triggers = tuple(trigger.encode() for trigger in entry.triggers)
    return RulePlan(entry.name, entry.module, entry.class_name, entry.needs, triggers, options)


def _configured_rows(info: FileInfo, settings: Settings) -> list[RulePlan]:
    by_name: dict[str, list[Forbid]] = {}
    for row in settings.forbid:
        if row.language == info.language and info.role in _roles_of(row):
            by_name.setdefault(row.name, []).append(row)
    return [
        RulePlan(name, _ROWS_MODULE, _ROWS_CLASS, (), _triggers_of(rows), {}, tuple(rows))
        for name, rows in sorted(by_name.items())
    ]


def _roles_of(row: Forbid) -> tuple[str, ...]:
    return ALL_CODE if row.where == "any" else MAYBE_TEST_CODE


def _triggers_of(rows: list[Forbid]) -> tuple[bytes, ...]:
    """Literals of which product code must hold one: the members' names, unless one is a glob."""
    members = [row.api.rpartition(".")[2] for row in rows]
    if any(character in member for member in members for character in "*?["):
        return ()
    return tuple(member.encode() for member in members)
