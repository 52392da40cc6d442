"""The last step: suppressions are applied, severities filled in, findings put in order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from guards.config.catalogue import NOTE
from guards.findings.model import Finding
from guards.findings.result import SUPPRESSION, Excused
from guards.findings.suppressions import Suppression
from guards.source.edits import Fix
from guards.source.place import Place

UNUSED = "unused-suppression"

if TYPE_CHECKING:
    from guards.config.model import RuleSetting

SettingFor = Callable[[str, str], "RuleSetting | None"]


class Settled(NamedTuple):
    """Findings that count and findings that do not, each in order."""

    findings: tuple[Finding, ...]
    excused: tuple[Excused, ...]


def settle(
    findings: Iterable[Finding],
    suppressions: Mapping[str, Sequence[Suppression]],
    setting_for: SettingFor,
    codes: Mapping[tuple[str, str], str],
    make_unused: Callable[[str, Place, Fix], Finding],
) -> Settled:
    """Applies suppressions and settings.

    Args:
        findings: what rules said, in any order; equal ones count once.
        suppressions: the suppressions by path, of files that were fully judged.
        setting_for: the setting of a rule at a path, or None where it is off.
        codes: the code of a rule by (name, language).
        make_unused: makes the finding about a suppressed rule's name at a place, with its fix.
    """
    kept, excused = [], []
    used: set[tuple[str, Suppression, str]] = set()
    for finding in set(findings):
        path, line = finding.place.path, finding.place.line
        hits = [s for s in suppressions.get(path, ()) if s.covers(finding.rule, line)]
        used.update((path, hit, finding.rule) for hit in hits)
        if hits:
            excused.append((finding, hits[0].reason))
        else:
            kept.append(finding)
    kept.extend(make_unused(*unused) for unused in _unused(suppressions, used, setting_for))
    return Settled(
        tuple(sorted((set_ for finding in kept if (set_ := with_setting(finding, setting_for, codes))), key=order)),
        tuple(
            Excused(set_, SUPPRESSION, reason)
            for finding, reason in sorted(excused, key=lambda item: order(item[0]))
            if (set_ := with_setting(finding, setting_for, codes))
        ),
    )


def _unused(
    suppressions: Mapping[str, Sequence[Suppression]], used: set[tuple[str, Suppression, str]], setting_for: SettingFor
) -> Iterable[tuple[str, Place, Fix]]:
    """A name that is a rule, is on here, has a reason, and took nothing away."""
    for path, of_file in suppressions.items():
        if setting_for(UNUSED, path) is None:
            continue
        allowing = [suppression for suppression in of_file if UNUSED in suppression.names]
        for suppression in of_file:
            if not suppression.has_reason or any(s.covers(UNUSED, suppression.place.line) for s in allowing):
                continue
            unused = [
                (name, place)
                for name, place in zip(suppression.names, suppression.name_places, strict=True)
                if setting_for(name, path) and (path, suppression, name) not in used and name != UNUSED
            ]
            # All at once, so that the fixes of several names of one list do not get into each other's way.
            edit = suppression.without([name for name, _ in unused])
            title = "delete the suppression" if edit == suppression.removal else "take what is unused off the list"
            yield from ((name, place, Fix(title, safe=True, edits=(edit,))) for name, place in unused)


def with_setting(finding: Finding, setting_for: SettingFor, codes: Mapping[tuple[str, str], str]) -> Finding | None:
    """The finding with its code and severity, or None where its rule is off."""
    setting = setting_for(finding.rule, finding.place.path)
    if setting is None:
        return None
    return finding._replace(code=codes.get((finding.rule, setting.language), ""), severity=setting.severity or NOTE)


def order(finding: Finding) -> tuple[object, ...]:
    """By what findings are sorted."""
    return (*finding.place, finding.rule, finding.message)
